"""Mixed games by name, composed of rule cards, and how to compose one's own.

Source: laws VC-28, H-4.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from bot.engine.card import RuleCard
from bot.engine.mixes import Change, Game, Rotation
from bot.variants import finding
from bot.variants.usual import UNIT, usual_stakes


class Mix(Struct, frozen=True):
    """A mixed game of the catalogue: the keys of its games, in order."""

    key: str
    name: str
    games: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    change: Change = Change.LAP
    sheet: str = "VC-28"


HORSE = Mix("horse", "H.O.R.S.E.", ("limit_holdem", "limit_omaha8", "razz", "stud", "stud8"), ("limit horse",))
EIGHT_GAME = Mix(
    "8_game", "8-Game Mix",
    ("triple_draw_27", "limit_holdem", "limit_omaha8", "razz", "stud", "stud8", "holdem", "omaha"), ("eight game", "8 game mix"),
)  # fmt: skip
DEALERS_CHOICE = Mix(
    "dealers_choice", "Dealer's Choice",
    ("holdem", "omaha", "stud", "five_card_draw", "triple_draw_27", "badugi", "jackpots", "follow_the_queen"), ("dealers choice",),
    Change.CHOICE,
)  # fmt: skip
MIXES = (HORSE, EIGHT_GAME, DEALERS_CHOICE)


def find_mix(word: str) -> Mix | None:
    """Find a mixed game by its key, name or an alias; None if there is none of that name."""
    plain = finding.plain(word)
    return next((mix for mix in MIXES if plain in map(finding.plain, (mix.key, mix.name, *mix.aliases))), None)


def rotation(mix: Mix, unit: int = UNIT) -> Rotation:
    """A mixed game of the catalogue at the usual stakes for `unit` chips to the big blind or small bet."""
    return compose(mix.name, [finding.game(key) for key in mix.games], unit, mix.change)


def compose(name: str, cards: Sequence[RuleCard], unit: int = UNIT, change: Change = Change.LAP) -> Rotation:
    """Compose a mixed game of any games, each with its own options and the usual stakes; the table seats what the smallest game seats."""
    seats = min(card.seats_max for card in cards)
    games = (
        Game(card, replace(card.options, max_seats=seats), usual_stakes(card, unit)) for card in cards
    )  # fmt: skip
    return Rotation(name, tuple(games), change)
