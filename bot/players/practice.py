"""Practice players: policies that see only their own view of the hand.

Source: law TL-37 (one player to a hand).
"""

from random import Random

from bot.engine import commands as c
from bot.engine.legal import Decision, LegalActions
from bot.engine.view.types import HandView
from bot.players import decisions
from bot.players.betting import choose_betting_action
from bot.players.personality import PERSONALITIES, Personality

MIN_THINK_MS, MAX_THINK_MS = 900, 3_500
PRACTICE_IDS_PER_TABLE = 100
"""The id of a practice player is below zero; its last two digits are their number at the table, from 1."""


class PracticePlayer:
    """One practice player. It remembers nothing between two decisions."""

    __slots__ = ("personality",)

    def __init__(self, personality: Personality) -> None:
        self.personality = personality

    def choose(self, view: HandView, rng: Random) -> c.HandCommand:
        """Choose one of the actions that `view.legal` offers.

        `view` is the player's own, at their turn.
        """
        legal = view.legal
        assert legal is not None  # the public view never decides
        match legal.decision:
            case Decision.BET:
                return choose_betting_action(view, legal, self.personality, rng)
            case Decision.SHOW:
                return decisions.show(view, legal)
            case Decision.DRAW:
                return decisions.draw(view, legal, rng)
            case Decision.GIVE_UP | Decision.PASS_CARDS:
                return decisions.give_up(view, legal, rng)
            case Decision.ARRANGE:
                return decisions.arrange(view)
            case Decision.DECLARE | Decision.RUN_TWICE:
                return decisions.declare(view, legal, self.personality, rng)
            case Decision.OFFER:
                return decisions.take_offer(view, legal, self.personality, rng)
            case Decision.STRADDLE:
                return decisions.straddle(self.personality, rng)
            case Decision.NONE:
                raise ValueError("nobody asks this seat")

    def think_ms(self, view: HandView, rng: Random) -> int:
        """Return how long the player seems to think, in ms: longer over a big bet, shorter where there is nothing to pay."""
        legal = view.legal
        weight = _call_weight(legal) if legal is not None else 0.0
        share = (0.15 + 0.85 * rng.random()) * (0.35 + 0.35 * self.personality.slow + 0.6 * weight)
        return MIN_THINK_MS + round(min(1.0, share) * (MAX_THINK_MS - MIN_THINK_MS))


def _call_weight(legal: LegalActions) -> float:
    """Return the part of the stack that a call takes, from 0 to 1."""
    return min(1.0, legal.call_chips / legal.stack) if legal.stack and legal.call_chips else 0.0


class PracticePlayers:
    """All practice players, by their ids at the tables: -301 is the first of table 3."""

    def __init__(self, personalities: tuple[Personality, ...] = PERSONALITIES) -> None:
        self._players = tuple(PracticePlayer(personality) for personality in personalities)

    def policy(self, player: int) -> PracticePlayer:
        """Return the practice player of this id; after the last personality the first one comes again."""
        return self._players[(-player % PRACTICE_IDS_PER_TABLE - 1) % len(self._players)]

    def names(self) -> tuple[str, ...]:
        """Return the names of all practice players, in the order in which they are seated."""
        return tuple(player.personality.name for player in self._players)
