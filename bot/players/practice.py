"""Practice players: policies that see only their own view of the hand.

Source: issue "practice players"; design §1; law TL-37 (one player to a hand).
"""

from random import Random

from bot.engine import commands as c
from bot.engine.legal import Decision, Legal
from bot.engine.view import HandView
from bot.players import choosing
from bot.players.betting import bet
from bot.players.temper import TEMPERS, Temper

THINK_MS_LEAST, THINK_MS_MOST = 900, 3_500
PRACTICE_IDS = 100
"""A practice player's id is below zero; its last two digits are his number at the table, from 1."""


class PracticePlayer:
    """One practice player. It keeps nothing between two decisions."""

    __slots__ = ("temper",)

    def __init__(self, temper: Temper) -> None:
        self.temper = temper

    def choose(self, view: HandView, rng: Random) -> c.Command:
        """What to do, always something that `view.legal` offers.

        `view` is the player's own; it is the one whose choice is awaited.
        """
        may = view.legal
        assert may is not None  # a policy is never asked for the public
        match may.decision:
            case Decision.BET:
                return bet(view, may, self.temper, rng)
            case Decision.SHOW:
                return choosing.show(view, may)
            case Decision.DRAW:
                return choosing.draw(view, may, rng)
            case Decision.DROP | Decision.PASS:
                return choosing.give_up(view, may, rng)
            case Decision.ARRANGE:
                return choosing.arrange(view)
            case Decision.DECLARE | Decision.RUN_TWICE:
                return choosing.declare(view, may, self.temper, rng)
            case Decision.OFFER:
                return choosing.take_offer(view, may, self.temper, rng)
            case Decision.STRADDLE:
                return choosing.straddle(self.temper, rng)
            case Decision.NONE:
                raise ValueError("nobody asks this seat")

    def think_ms(self, view: HandView, rng: Random) -> int:
        """How long to be seen thinking, in ms: longer over a big bet, quick where there is nothing to pay."""
        may = view.legal
        weight = _weight(may) if may is not None else 0.0
        share = (0.15 + 0.85 * rng.random()) * (0.35 + 0.35 * self.temper.slow + 0.6 * weight)
        return THINK_MS_LEAST + round(min(1.0, share) * (THINK_MS_MOST - THINK_MS_LEAST))


def _weight(may: Legal) -> float:
    """How much of the stack is asked for, from 0 to 1."""
    return min(1.0, may.call / may.stack) if may.stack and may.call else 0.0


class PracticePlayers:
    """All practice players, by the ids they are seated under: -301 is the first of table 3."""

    def __init__(self, tempers: tuple[Temper, ...] = TEMPERS) -> None:
        self._players = tuple(PracticePlayer(temper) for temper in tempers)

    def policy(self, player: int) -> PracticePlayer:
        """How the practice player of this id plays; more ids than temperaments begin again from the first."""
        return self._players[(-player % PRACTICE_IDS - 1) % len(self._players)]

    def names(self) -> tuple[str, ...]:
        """Their names, the first seated first."""
        return tuple(player.temper.name for player in self._players)
