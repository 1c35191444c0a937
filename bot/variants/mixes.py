"""Mixed games by name, and mixed games composed of any rule cards.

Source: laws VC-28, H-4.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from bot.engine.mixes import Game, Rotation, RotationChange
from bot.engine.rule_card import RuleCard
from bot.engine.usual_stakes import USUAL_BIG_BLIND, usual_stakes
from bot.variants import catalogue


class Mix(Struct, frozen=True):
    """A mixed game of the catalogue. `games` are the keys of its games, in order."""

    key: str
    name: str
    games: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    change: RotationChange = RotationChange.LAP
    sheet: str = "VC-28"


HORSE = Mix("horse", "H.O.R.S.E.", ("limit_holdem", "limit_omaha8", "razz", "stud", "stud8"), ("limit horse",))
EIGHT_GAME = Mix(
    "8_game", "8-Game Mix",
    ("triple_draw_27", "limit_holdem", "limit_omaha8", "razz", "stud", "stud8", "holdem", "omaha"), ("eight game", "8 game mix"),
)  # fmt: skip
DEALERS_CHOICE = Mix(
    "dealers_choice", "Dealer's Choice",
    ("holdem", "omaha", "stud", "five_card_draw", "triple_draw_27", "badugi", "jackpots", "follow_the_queen"), ("dealers choice",),
    RotationChange.DEALERS_CHOICE,
)  # fmt: skip
MIXES = (HORSE, EIGHT_GAME, DEALERS_CHOICE)


def find_mix(word: str) -> Mix | None:
    """Find a mixed game by its key, name or an alias; None if there is none of that name."""
    typed = catalogue.normalise_name(word)
    return next(
        (mix for mix in MIXES if typed in map(catalogue.normalise_name, (mix.key, mix.name, *mix.aliases))), None
    )


def mix_rotation(mix: Mix, unit: int = USUAL_BIG_BLIND) -> Rotation:
    """Return a mixed game of the catalogue at the usual stakes, with `unit` chips to the big blind or small bet."""
    return compose_rotation(mix.name, [catalogue.game(key) for key in mix.games], unit, mix.change)


def compose_rotation(
    name: str, cards: Sequence[RuleCard], unit: int = USUAL_BIG_BLIND, change: RotationChange = RotationChange.LAP
) -> Rotation:
    """Compose a mixed game of any games, each with its own options and the usual stakes. The table seats as many as its smallest game."""
    seats = min(card.seats_max for card in cards)
    games = (Game(card, replace(card.options, max_seats=seats), usual_stakes(card, unit)) for card in cards)
    return Rotation(name, tuple(games), change)
