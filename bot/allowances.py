"""How much each person, or each server, can use of what comes back by itself: files, pages, processor seconds.

Processor seconds are counted after they were used: how long a piece of work takes is known only then. Whoever has used more than their
allowance waits until that much has come back; nobody else does.
"""

import asyncio
import time
from collections.abc import Callable
from contextvars import ContextVar
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

REMEMBERED_MAX = 20_000
"""When this many people and servers are remembered, those who have all their allowance again are forgotten."""
DEBT_MAX = 2
"""Nobody is counted more than so many times an allowance, so that a clock that is put back makes nobody wait for long."""


class Allowance:
    """What each of many can use of one thing. It comes back steadily.

    Args:
        at_once: so much can be used at a time.
        seconds: after so many seconds one more can be.
    """

    def __init__(self, at_once: float, seconds: float) -> None:
        self._at_once, self._seconds = at_once, seconds
        self._full_at: dict[int, float] = {}

    def used(self, who: int, now: float) -> float:
        """Return how much of what somebody used has not come back yet."""
        late = (self._full_at.get(who, now) - now) / self._seconds
        return min(max(late, 0.0), DEBT_MAX * self._at_once)

    def wait_seconds(self, who: int, now: float, amount: float = 1) -> float:
        """Return in how many seconds somebody can use that much more; 0 for now."""
        late = self.used(who, now) + amount - self._at_once
        return late * self._seconds if late > 1e-9 else 0.0

    def add(self, who: int, now: float, amount: float = 1) -> None:
        """Count what somebody uses, or has used already."""
        if len(self._full_at) >= REMEMBERED_MAX:
            self._full_at = {each: at for each, at in self._full_at.items() if at > now}
        self._full_at[who] = now + (self.used(who, now) + amount) * self._seconds

    @property
    def remembered(self) -> int:
        """How many people and servers are remembered."""
        return len(self._full_at)


WORK: ContextVar[Callable[[float], None] | None] = ContextVar("work", default=None)
"""Counts processor seconds for the person for whom the present task works, if they are counted; so do the tasks that it starts."""


def counted(work: Callable[P, T]) -> Callable[P, T]:
    """Return the same work, counted for the person for whom the present task works. It can be done in another thread."""
    count = WORK.get()
    if count is None:
        return work

    def timed(*args: P.args, **named: P.kwargs) -> T:
        began = time.thread_time()
        try:
            return work(*args, **named)
        finally:
            count(time.thread_time() - began)

    return timed


async def in_thread(work: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """Do work in another thread, counted for the person for whom the present task works, if they are counted."""
    return await asyncio.to_thread(counted(work), *args, **named)
