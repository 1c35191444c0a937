"""Discord's time and Discord's ids. Tests may move the clock; nothing here ever runs backwards."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime

EPOCH_MS = 1_420_070_400_000  # the first second of 2015, where Discord's ids begin


class Clock:
    """Wall time in seconds since 1970, plus an offset that only ever grows."""

    def __init__(self) -> None:
        self.offset = 0.0
        self._last_id = 0
        self._moved: list[Callable[[], None]] = []

    def now(self) -> float:
        return time.time() + self.offset

    def advance(self, seconds: float) -> None:
        """Move the clock forward and let everything that has fallen due happen at once."""
        if seconds < 0:
            raise ValueError("the clock moves forward only")
        self.offset += seconds
        for tell in self._moved:
            tell()

    def when_moved(self, tell: Callable[[], None]) -> None:
        self._moved.append(tell)

    def new_id(self) -> str:
        """A snowflake: later ids are larger, even within one millisecond and across restarts (see `seen`)."""
        self._last_id = max(self._last_id + 1, (int(self.now() * 1000) - EPOCH_MS) << 22)
        return str(self._last_id)

    def seen(self, snowflake: str) -> None:
        """An id read back from the store: new ones must be larger."""
        self._last_id = max(self._last_id, int(snowflake))

    def stamp(self) -> str:
        """Now, as Discord writes times."""
        return datetime.fromtimestamp(self.now(), UTC).isoformat()


def created_at(snowflake: str) -> float:
    """When the thing with this id was made, in seconds since 1970."""
    return ((int(snowflake) >> 22) + EPOCH_MS) / 1000
