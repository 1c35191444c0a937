"""Every game that the dealer knows, as rule cards: found by name, changed by modifiers and options, and put together in mixed games."""

from bot.variants.catalogue import CATALOGUE, NotABettingGame, UnknownGame, base_game, game, search_games
from bot.variants.mixes import MIXES, compose_rotation, find_mix, mix_rotation
from bot.variants.modifiers import MODIFIERS, CannotModify
from bot.variants.sheet_options import apply_sheet_options, sheet_options

__all__ = [
    "CATALOGUE",
    "MIXES",
    "MODIFIERS",
    "CannotModify",
    "NotABettingGame",
    "UnknownGame",
    "apply_sheet_options",
    "base_game",
    "compose_rotation",
    "find_mix",
    "game",
    "mix_rotation",
    "search_games",
    "sheet_options",
]
