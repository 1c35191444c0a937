"""Every game the dealer knows, as rule cards, found by key, name or alias; what may be laid over them; mixed games."""

from bot.variants.finding import CATALOGUE, NotABettingGame, UnknownGame, base_game, game, search
from bot.variants.honoured import honoured
from bot.variants.mixes import MIXES, compose, find_mix, rotation
from bot.variants.modifiers import MODIFIERS, CannotModify
from bot.variants.sheet_options import played_by, sheet_entries, with_sheet_option

__all__ = [
    "CATALOGUE",
    "MIXES",
    "MODIFIERS",
    "CannotModify",
    "NotABettingGame",
    "UnknownGame",
    "base_game",
    "compose",
    "find_mix",
    "game",
    "honoured",
    "played_by",
    "rotation",
    "search",
    "sheet_entries",
    "with_sheet_option",
]
