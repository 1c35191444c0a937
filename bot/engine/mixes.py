"""Mixed games as values: several games in turn, or the dealer's choice of them, and a bomb pot between.

Source: laws VC-28, VC-29, WSOP-T 67-b.
"""

from enum import StrEnum

from msgspec import Struct

from bot.engine.card import RuleCard
from bot.engine.options import Options
from bot.engine.stakes import Stakes


class Game(Struct, frozen=True):
    """A game as it is played: its card, the law set in force and what it is played for."""

    card: RuleCard
    options: Options
    stakes: Stakes


class Change(StrEnum):
    """When a mixed table goes on to its next game; never during a deal (VC-28)."""

    DEALS = "deals"
    LAP = "lap"
    TIME = "time"
    CHOICE = "dealer's choice"


class Rotation(Struct, frozen=True):
    """A mixed game.

    Attributes:
        name: what people call it: ``H.O.R.S.E.``.
        games: in their order; under dealer's choice the allowed list.
        change: after so many `deals`, a lap (as many deals as players were in at the first of the game), or `minutes`; or the dealer
            chooses for each deal.
        default: under dealer's choice, the place in the list of the game that silence chooses; `choice_seconds` is the time to choose.
    """

    name: str
    games: tuple[Game, ...]
    change: Change = Change.LAP
    deals: int = 0
    minutes: int = 0
    default: int = 0
    choice_seconds: int = 30


class BombWhen(StrEnum):
    """When a bomb pot is dealt instead of the table's own game (VC-29)."""

    VOTE = "vote"  # as soon as all who play have asked for one
    LAP = "lap"  # and once a lap by itself


class Bomb(Struct, frozen=True):
    """The bomb pot of a table: another game, dealt now and then in between. A vote can always bring one."""

    game: Game
    when: BombWhen = BombWhen.VOTE
