"""How the runtime asks for a practice player's move. `bot.players` answers.

Source: issue 2 "Practice players".
"""

from random import Random
from typing import Protocol

from bot.engine.commands import Command
from bot.engine.view import HandView


class Policy(Protocol):
    """One way to play. It sees only its own view."""

    def choose(self, view: HandView, rng: Random) -> Command:
        """What to do; it is ruled on like anybody's command."""

    def think_ms(self, view: HandView, rng: Random) -> int:
        """How long to be seen thinking, in ms."""


class Policies(Protocol):
    """Who plays how."""

    def policy(self, player: int) -> Policy:
        """The policy of a practice player, by his id (below zero)."""

    def names(self) -> tuple[str, ...]:
        """Names for practice players, the first seated first."""
