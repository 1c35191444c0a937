"""A clock that stands still until it is moved."""

import heapq
from collections.abc import Callable

START = 1_700_000_000_000
SECOND = 1000
MINUTE = 60 * SECOND


class ManualClock:
    """Alarms ring in order while the clock is moved past them, and at no other time."""

    def __init__(self, now: int = START) -> None:
        self._now = now
        self._alarms: list[tuple[int, int, _Alarm]] = []
        self._alarm_count = 0

    def now(self) -> int:
        return self._now

    def call_at(self, at: int, call: Callable[[], None]) -> "_Alarm":
        alarm = _Alarm(call)
        self._alarm_count += 1
        heapq.heappush(self._alarms, (at, self._alarm_count, alarm))
        return alarm

    def next_at(self) -> int:
        """Return the time at which the next alarm is due; 0 for none."""
        while self._alarms and self._alarms[0][2].cancelled:
            heapq.heappop(self._alarms)
        return self._alarms[0][0] if self._alarms else 0

    def move_to(self, at: int) -> None:
        """Set the time without ringing anything, as if nobody was there."""
        self._now = max(self._now, at)

    def ring_due(self) -> bool:
        """Ring one alarm that is due. Returns False if none is."""
        at = self.next_at()
        if not at or at > self._now:
            return False
        heapq.heappop(self._alarms)[2].call()
        return True

    def cancel_all(self) -> None:
        """Cancel all alarms, as the end of the process does."""
        self._alarms.clear()


class _Alarm:
    def __init__(self, call: Callable[[], None]) -> None:
        self.call, self.cancelled = call, False

    def cancel(self) -> None:
        self.cancelled = True
