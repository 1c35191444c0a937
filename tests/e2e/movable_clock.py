"""A clock that tests move: it runs like the machine's own, or like a quick loop's, and jumps when it is told to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tests.support.quick_loop import wall_time


class MovableClock:
    """A `bot.runtime.clock.AlarmClock`. Time passes by itself, and `skip` lets the rest of a wait pass at once."""

    def __init__(self) -> None:
        self._ahead = 0
        self._alarms: dict[int, _Alarm] = {}
        self._number = 0

    def now(self) -> int:
        return int(wall_time() * 1000) + self._ahead

    def call_at(self, at: int, call: Callable[[], None]) -> _Alarm:
        self._number += 1
        alarm = self._alarms[self._number] = _Alarm(self, self._number, at, call)
        alarm.set()
        return alarm

    def skip(self, seconds: float) -> None:
        """Let time pass. Alarms that are due then ring soon."""
        self._ahead += round(seconds * 1000)
        for alarm in sorted(self._alarms.values(), key=lambda alarm: alarm.at):
            alarm.set()

    def forget(self, number: int) -> None:
        self._alarms.pop(number, None)


class _Alarm:
    def __init__(self, clock: MovableClock, number: int, at: int, call: Callable[[], None]) -> None:
        self._clock, self._number, self.at, self._call = clock, number, at, call
        self._handle: asyncio.TimerHandle | None = None

    def set(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
        seconds = max(self.at - self._clock.now(), 0) / 1000
        self._handle = asyncio.get_running_loop().call_later(seconds, self._ring)

    def _ring(self) -> None:
        if self._clock.now() < self.at:
            self.set()
        else:
            self._clock.forget(self._number)
            self._call()

    def cancel(self) -> None:
        self._clock.forget(self._number)
        if self._handle is not None:
            self._handle.cancel()
