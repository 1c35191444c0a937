"""Time, as the runtime asks for it. Tests bring a clock that they move themselves.

Source: design §4.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Alarm(Protocol):
    """A call that is due later."""

    def cancel(self) -> None:
        """Do not call. May be called twice, and after the call."""


class Clock(Protocol):
    """The hour, and calls at an hour. Times are ms since the epoch."""

    def now(self) -> int:
        """The time now, in ms."""

    def call_at(self, at: int, call: Callable[[], None]) -> Alarm:
        """Call once, at that time or as soon after it as may be; never before, and never at once."""


class SystemClock:
    """The machine's own clock. Alarms ride on the event loop's heap: a thousand tables cost it nothing.

    Deadlines are wall-clock times, because they outlive the process. The loop's clock is another one, so an alarm that finds itself early
    (the wall clock was set back) sets itself anew.
    """

    def now(self) -> int:
        return time.time_ns() // 1_000_000

    def call_at(self, at: int, call: Callable[[], None]) -> Alarm:
        return _SystemAlarm(self, at, call)


class _SystemAlarm:
    __slots__ = ("_at", "_call", "_clock", "_handle")

    def __init__(self, clock: SystemClock, at: int, call: Callable[[], None]) -> None:
        self._clock, self._at, self._call = clock, at, call
        self._handle = self._set()

    def _set(self) -> asyncio.TimerHandle:
        # No longer than an hour at once: a clock put forward must not leave a table asleep until the old hour.
        seconds = min(max(self._at - self._clock.now(), 0) / 1000, 3600)
        return asyncio.get_running_loop().call_later(seconds, self._ring)

    def _ring(self) -> None:
        if self._clock.now() < self._at:
            self._handle = self._set()
        else:
            self._call()

    def cancel(self) -> None:
        self._handle.cancel()
