"""How the runtime asks practice players for their actions; `bot.players` answers.

Some choices take longer than the event loop can be blocked, so practice players choose in one thread, one after another. A choice depends
only on a view and a random generator of its own, so it is the same on every run. No table waits for it: other players can act meanwhile,
and a choice for a turn that is over is dropped.
"""

import asyncio
from collections.abc import Awaitable
from concurrent.futures import ThreadPoolExecutor
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
        """Return names for practice players, in the order in which they are seated."""


class PracticeThread:
    """The thread. It starts with the first choice; `stop` ends it."""

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="practice")

    def choose(self, policy: PracticePolicy, hand: HandView, rng: Random) -> Awaitable[HandCommand]:
        """Let a practice player choose. The view is their own; the random generator is for this choice alone."""
        return asyncio.get_running_loop().run_in_executor(self._executor, policy.choose, hand, rng)

    def stop(self) -> None:
        """Start no new choice. A running one ends without effect; nobody waits for it."""
        self._executor.shutdown(wait=False, cancel_futures=True)
