"""Work that is done when it is due: one run at a time, not before a certain time, and once more for whatever comes up meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from bot.background_tasks import BackgroundTasks
from bot.runtime.clock import Alarm, AlarmClock
from bot.runtime.request import INTERACTION


class DueWork:
    """Runs a piece of work as a task of its own whenever it is due. Times are in ms since the epoch.

    Args:
        work: does what is due. What it raises is lost, so it handles its own failures.
        possible_at: when the work can run; the time that it is given if at once.
    """

    def __init__(
        self,
        tasks: BackgroundTasks,
        clock: AlarmClock,
        name: str,
        work: Callable[[], Awaitable[None]],
        possible_at: Callable[[int], int] = int,
    ) -> None:
        self._tasks, self._clock, self._name = tasks, clock, name
        self._work, self._possible_at = work, possible_at
        self._is_due = self._runs = False
        self._held = self._not_before = self._alarm_at = 0
        self._cause = ""
        self._woken: asyncio.Event | None = None
        self._task: asyncio.Task[None] | None = None
        self._alarm: Alarm | None = None

    def start(self) -> None:
        """Do what is due from now on."""
        self._runs = True
        self.look()

    def stop(self) -> None:
        """Begin nothing more. What is under way goes on."""
        self._runs = False
        self._cancel_alarm()

    @property
    def runs(self) -> bool:
        """Whether it has been started and not stopped."""
        return self._runs

    @property
    def is_due(self) -> bool:
        """Whether there may be something to do."""
        return self._is_due

    def is_due_within(self, milliseconds: int) -> bool:
        """Return whether something is done by itself, at the latest in this time."""
        now = self._clock.now()
        is_coming = self._is_due and self._runs and not self._held
        return is_coming and max(self._not_before, self._possible_at(now)) <= now + milliseconds

    def mark_due(self) -> None:
        """There is something to do, after the run that is under way."""
        self._is_due = True

    def mark_done(self) -> None:
        """Somebody else has done what was due."""
        self._is_due = False

    def wake(self) -> None:
        """There may be something to do."""
        self._is_due, self._cause = True, INTERACTION.get()
        self.look()

    def wake_later(self, milliseconds: int) -> None:
        """There is something to do, in a while."""
        self._is_due = True
        self._not_before = self._clock.now() + milliseconds

    async def first_of(self, awaited: asyncio.Future[Any], gives_way: Callable[[], bool]) -> bool:
        """Wait for something in the middle of the work, unless something else is due by then that goes first.

        Returns:
            whether it came; otherwise it is cancelled.
        """
        look = self._woken = asyncio.Event()
        while not awaited.done():
            look.clear()
            if gives_way():
                awaited.cancel()
                return False
            woken = asyncio.ensure_future(look.wait())
            await asyncio.wait({awaited, woken}, return_when=asyncio.FIRST_COMPLETED)
            woken.cancel()
        self._woken = None
        return True

    def hold(self) -> None:
        """Begin nothing until `release` has been called as often."""
        self._held += 1

    def release(self) -> None:
        """Take back a `hold`."""
        self._held -= 1
        self.look()

    @property
    def is_quiet(self) -> bool:
        """Whether nothing is due, under way or held back."""
        return not (self._is_due or self._held or self._task is not None or self._alarm is not None)

    @property
    def is_held(self) -> bool:
        return self._held > 0

    def look(self) -> None:
        """Begin what is due, or set an alarm for when it is possible."""
        if self._woken is not None:
            self._woken.set()
        if not (self._is_due and self._runs) or self._task is not None or self._held:
            return
        now = self._clock.now()
        at = max(self._not_before, self._possible_at(now))
        if at <= now:
            self._cancel_alarm()
            self._task = self._tasks.run(self._run(), self._name)
        elif self._alarm is None or at != self._alarm_at:
            self._cancel_alarm()
            self._alarm_at, self._alarm = at, self._clock.call_at(at, self._ring)

    async def _run(self) -> None:
        INTERACTION.set(self._cause)
        self._is_due = False
        try:
            await self._work()
        finally:
            self._task = None
        self.look()

    def _ring(self) -> None:
        self._alarm = None
        self.look()

    def _cancel_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
