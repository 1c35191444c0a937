"""Quiet hours: the part of each day in which nobody is pinged for anything but their own turn."""

import re
from functools import lru_cache

from msgspec import Struct

DAY_MINUTES = 24 * 60
MINUTE_MS = 60_000
_WRITTEN = re.compile(r"(\d\d):(\d\d)-(\d\d):(\d\d) ([+-])(\d\d):(\d\d)", re.ASCII)


class QuietHours(Struct, frozen=True, gc=False):
    """Quiet hours of every day.

    Attributes:
        start, end: minutes after midnight; the end is not quiet any more. An end before the start is one of the next day.
        offset: how many minutes the clock of the place is ahead of UTC.
    """

    start: int
    end: int
    offset: int = 0

    @property
    def minutes(self) -> int:
        """How long they last."""
        return (self.end - self.start) % DAY_MINUTES

    def until(self, at: int) -> int:
        """Return when the quiet hours that hold at a time end, in ms since the epoch; 0 where none hold then."""
        since_start = (at // MINUTE_MS + self.offset - self.start) % DAY_MINUTES
        return (at // MINUTE_MS + self.minutes - since_start) * MINUTE_MS if since_start < self.minutes else 0

    def __str__(self) -> str:
        """Write them as they are stored and shown: ``22:00-08:00 +01:00``."""
        sign, ahead = "-" if self.offset < 0 else "+", abs(self.offset)
        return f"{_time(self.start)}-{_time(self.end)} {sign}{_time(ahead)}"


def _time(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


@lru_cache(maxsize=4096)
def written_quiet_hours(text: str) -> QuietHours | None:
    """Read quiet hours as `QuietHours` writes them; None for anything else."""
    found = _WRITTEN.fullmatch(text)
    if found is None:
        return None
    start, end, ahead = (60 * int(found[n]) + int(found[n + 1]) for n in (1, 3, 6))
    return QuietHours(start, end, -ahead if found[5] == "-" else ahead)
