"""Mixed games as values: several games in turn or by the dealer's choice, and bomb pots in between.

Source: laws VC-28, VC-29, WSOP-T 67-b.
"""

from enum import StrEnum

from msgspec import Struct

from bot.engine.options.types import Options
from bot.engine.rule_card import RuleCard
from bot.engine.stakes import Stakes


class Game(Struct, frozen=True):
    """A game as it is played: its rule card, the options in force and its stakes."""

    rule_card: RuleCard
    options: Options
    stakes: Stakes


class RotationChange(StrEnum):
    """When a mixed table goes on to its next game; never during a hand (VC-28)."""

    HANDS = "deals"
    LAP = "lap"
    TIME = "time"
    DEALERS_CHOICE = "dealer's choice"


class Rotation(Struct, frozen=True):
    """A mixed game.

    Attributes:
        name: what people call it: ``H.O.R.S.E.``.
        games: the games in their order; under dealer's choice, the games to choose from.
        change: the next game comes after so many `hands`, after a lap (as many hands as players were in at the game's first hand), or
            after so many `minutes`; or the dealer chooses for each hand.
        hands: the number of hands of each game, where hands are counted.
        minutes: the minutes of each game, where time is counted.
        default_game_index: under dealer's choice, the game that is dealt when the dealer does not choose.
        choice_seconds: the time to choose, in seconds.
    """

    name: str
    games: tuple[Game, ...]
    change: RotationChange = RotationChange.LAP
    hands: int = 0
    minutes: int = 0
    default_game_index: int = 0
    choice_seconds: int = 30


class BombPotTrigger(StrEnum):
    """When a bomb pot is dealt instead of the table's own game (VC-29)."""

    VOTE = "vote"  # as soon as all players have asked for one
    LAP = "lap"  # once a lap, and by vote


class BombPot(Struct, frozen=True):
    """The bomb pot of a table: another game that is dealt now and then. A vote can always bring one."""

    game: Game
    trigger: BombPotTrigger = BombPotTrigger.VOTE
