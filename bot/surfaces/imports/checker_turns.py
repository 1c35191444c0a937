"""Whose file is checked next: nobody who sends one hard file after another keeps the others waiting.

Each person has one file checked at a time, and so many processor seconds, which come back slowly. Two files are checked at once; the second
checker is kept for people whose files took little lately. In the line, who used least comes first. Where the line is full, those who used
most give way.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from bot.allowances import Allowance
from bot.runtime.errors import FileBeingRead, OneMoment, WorkTimeUsed

SECONDS_AT_ONCE = 24
"""So many processor seconds a person's files can take at a time: three that take all that one file can have."""
SECONDS_FOR_ONE = 12.0
"""After so many seconds one processor second comes back."""
LITTLE_SECONDS = 2.0
"""Who used no more than this lately can have the second checker, too. An evening of hands takes about one second."""
CHECKERS = 2
MAX_WAITING = 12
TRY_AGAIN_SECONDS = 20
"""How long a person is told to wait who finds the line full: so long one file takes at most."""


class CheckerTurns:
    """Gives the checkers to people, one file each.

    Args:
        now: the time in seconds.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._seconds = Allowance(SECONDS_AT_ONCE, SECONDS_FOR_ONE)
        self._working: dict[int, bool] = {}  # by person, whether they had used little when they got a checker
        self._line: dict[int, asyncio.Future[None]] = {}

    @property
    def working(self) -> tuple[int, ...]:
        """The people whose files are being checked."""
        return tuple(self._working)

    @property
    def waiting(self) -> tuple[int, ...]:
        """The people in the line, in the order in which they came."""
        return tuple(self._line)

    def used(self, user: int) -> float:
        """Return how many processor seconds a person's files took that have not come back yet."""
        return self._seconds.used(user, self._now())

    def spend(self, user: int, seconds: float) -> None:
        """Count the processor seconds that a person's file took."""
        self._seconds.add(user, self._now(), seconds)

    def require_may_give(self, user: int) -> None:
        """Refuse a file of somebody who has to wait first.

        Raises:
            FileBeingRead: a file of theirs is being checked, or in the line.
            WorkTimeUsed: their files took all the time that a person can have.
        """
        if user in self._working or user in self._line:
            raise FileBeingRead
        wait = self._seconds.wait_seconds(user, self._now())
        if wait:
            raise WorkTimeUsed(used=math.ceil(self.used(user)), seconds=math.ceil(wait))

    @asynccontextmanager
    async def turn(self, user: int) -> AsyncIterator[None]:
        """Wait for a checker, and keep it inside the ``async with`` block.

        Raises:
            FileBeingRead, WorkTimeUsed: see `require_may_give`.
            OneMoment: the line is full of people who used no more, or it got full of them.
        """
        self.require_may_give(user)
        if len(self._line) >= MAX_WAITING:
            self._make_room(user)
        turn = self._line[user] = asyncio.get_running_loop().create_future()
        try:
            self._hand_out()
            await turn
            yield
        finally:
            self._line.pop(user, None)
            self._working.pop(user, None)
            self._hand_out()

    def _make_room(self, user: int) -> None:
        most = max(self._line, key=self.used)
        if self.used(most) <= self.used(user):
            raise OneMoment(seconds=TRY_AGAIN_SECONDS)
        self._line.pop(most).set_exception(OneMoment(seconds=TRY_AGAIN_SECONDS))

    def _hand_out(self) -> None:
        for user in sorted(self._line, key=self.used):
            used_little = self.used(user) <= LITTLE_SECONDS
            if len(self._working) < CHECKERS and (used_little or all(self._working.values())):
                turn = self._line.pop(user)
                if not turn.done():
                    self._working[user] = used_little
                    turn.set_result(None)
