"""The stand-in's time, and the ids that Discord derives from it."""

import time
from collections.abc import Callable
from datetime import UTC, datetime

DISCORD_EPOCH_MS = 1_420_070_400_000  # the first millisecond of 2015; Discord's ids count from here


class AdjustableClock:
    """Wall time in seconds since 1970, plus an offset. Tests can increase the offset; the clock never runs backwards.

    Args:
        wall_time: tells the time.
    """

    def __init__(self, wall_time: Callable[[], float] = time.time) -> None:
        self.offset = 0.0
        self._wall_time = wall_time
        self._last_id = 0
        self._listeners: list[Callable[[], None]] = []

    def now(self) -> float:
        return self._wall_time() + self.offset

    def advance(self, seconds: float) -> None:
        """Move the clock forward, then call the listeners, which do what is now due."""
        if seconds < 0:
            raise ValueError("the clock can only move forward")
        self.offset += seconds
        for listener in self._listeners:
            listener()

    def on_advance(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)

    def new_id(self) -> str:
        """Return a snowflake larger than every earlier one, even within one millisecond."""
        self._last_id = max(self._last_id + 1, (int(self.now() * 1000) - DISCORD_EPOCH_MS) << 22)
        return str(self._last_id)

    def note_used_id(self, snowflake: str) -> None:
        """Make new ids larger than this one, which was read back from storage."""
        self._last_id = max(self._last_id, int(snowflake))

    def timestamp(self) -> str:
        """Return the current time in ISO 8601, as Discord writes it."""
        return datetime.fromtimestamp(self.now(), UTC).isoformat()


def created_at(snowflake: str) -> float:
    """Return when this id was made, in seconds since 1970."""
    return ((int(snowflake) >> 22) + DISCORD_EPOCH_MS) / 1000
