"""The interface through which the runtime asks for a practice player's action. `bot.players` implements it."""

from random import Random
from typing import Protocol

from bot.engine.commands import HandCommand
from bot.engine.view.types import HandView


class PracticePolicy(Protocol):
    """One way to play. It sees only its own view of the hand."""

    def choose(self, view: HandView, rng: Random) -> HandCommand:
        """Return the player's action; it is decided on like anybody's command."""

    def think_ms(self, view: HandView, rng: Random) -> int:
        """Return how long the player is seen thinking, in ms."""


class PracticePolicies(Protocol):
    """The practice players and how each plays."""

    def policy(self, player: int) -> PracticePolicy:
        """Return the policy of a practice player, by their id (below zero)."""

    def names(self) -> tuple[str, ...]:
        """Names for practice players, in the order in which they are seated."""
