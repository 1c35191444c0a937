"""Tell the time and set alarms. Tests have a clock that they move by hand."""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Alarm(Protocol):
    """A call that will be made later."""

    def cancel(self) -> None:
        """Cancel the call. It does nothing the second time, or after the call."""


class AlarmClock(Protocol):
    """The time, and calls at a given time. Times are in ms since the epoch."""

    def now(self) -> int:
        """Return the time now, in ms."""

    def call_at(self, at: int, call: Callable[[], None]) -> Alarm:
        """Call once, at that time or as soon after it as possible; never earlier, and never within this method."""


class SystemClock:
    """The machine's clock, with alarms on the event loop.

    Deadlines are wall-clock times, because they outlive the process. The event loop has another clock: an alarm that comes early, because
    the wall clock was set back, is set again.
    """

    def now(self) -> int:
        return time.time_ns() // 1_000_000

    def call_at(self, at: int, call: Callable[[], None]) -> Alarm:
        return _SystemAlarm(self, at, call)


class _SystemAlarm:
    __slots__ = ("_at", "_call", "_clock", "_handle")

    def __init__(self, clock: SystemClock, at: int, call: Callable[[], None]) -> None:
        self._clock, self._at, self._call = clock, at, call
        self._handle = self._schedule()

    def _schedule(self) -> asyncio.TimerHandle:
        # At most an hour at a time: if the wall clock is put forward, a table must not sleep until the old time.
        seconds = min(max(self._at - self._clock.now(), 0) / 1000, 3600)
        return asyncio.get_running_loop().call_later(seconds, self._on_timer)

    def _on_timer(self) -> None:
        if self._clock.now() < self._at:
            self._handle = self._schedule()
        else:
            self._call()

    def cancel(self) -> None:
        self._handle.cancel()


class MovingAlarm:
    """An alarm that is put off again and again, as one that follows each action. On the clock it stays where it is: if it rings too early
    there, it sets itself anew.

    Args:
        call: what is called once the time has come.
    """

    __slots__ = ("_alarm", "_at", "_call", "_clock", "_set_at")

    def __init__(self, clock: AlarmClock, call: Callable[[], None]) -> None:
        self._clock, self._call = clock, call
        self._alarm: Alarm | None = None
        self._at = self._set_at = 0

    def set(self, at: int) -> None:
        """Call at this time, in ms since the epoch, and at no other."""
        if self._alarm is not None and at < self._set_at:
            self.stop()
        self._at = at
        if self._alarm is None:
            self._set_at, self._alarm = at, self._clock.call_at(at, self._ring)

    @property
    def at(self) -> int:
        """When it calls, in ms since the epoch; 0 for never."""
        return self._at

    def clear(self) -> None:
        """Call no more, until it is set."""
        self._at = 0

    def stop(self) -> None:
        """Call no more, and leave nothing on the clock."""
        self._at = 0
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _ring(self) -> None:
        self._alarm = None
        at, self._at = self._at, 0
        if not at:
            return
        if self._clock.now() < at:
            self.set(at)
        else:
            self._call()
