"""Quiet hours: the part of each day in which nobody is pinged for anything but their own turn.

They go by a clock that is so far ahead of UTC all year, or by that of a named time zone, which knows daylight saving.
"""

import re
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

from msgspec import Struct

DAY_MINUTES = 24 * 60
MINUTE_MS = 60_000
_WRITTEN = re.compile(r"(\d\d):(\d\d)-(\d\d):(\d\d) (?:([+-])(\d\d):(\d\d)|([A-Za-z][\w+/-]*))", re.ASCII)
_NOWHERE = ("Etc/", "SystemV/", "Factory", "localtime", "posixrules")


class QuietHours(Struct, frozen=True, gc=False):
    """Quiet hours of every day.

    Attributes:
        start, end: minutes after midnight; the end is not quiet any more. An end before the start is one of the next day.
        offset: how many minutes the clock is ahead of UTC, where `zone` is empty.
        zone: the name of its time zone: ``Europe/Berlin``.
    """

    start: int
    end: int
    offset: int = 0
    zone: str = ""

    @property
    def minutes(self) -> int:
        """How long they last."""
        return (self.end - self.start) % DAY_MINUTES

    def until(self, at: int) -> int:
        """Return when the quiet hours that hold at a time end, in ms since the epoch; 0 where none hold then."""
        time_zone = _time_zone(self.zone) if self.zone else None
        if time_zone is not None:
            return self._until(at, time_zone)
        since_start = (at // MINUTE_MS + self.offset - self.start) % DAY_MINUTES
        return (at // MINUTE_MS + self.minutes - since_start) * MINUTE_MS if since_start < self.minutes else 0

    def _until(self, at: int, time_zone: tzinfo) -> int:
        """Return the same by the clock of a time zone. It can show an hour twice in a night, and leave one out."""
        now = datetime.fromtimestamp(at // MINUTE_MS * 60, time_zone)
        since_start = (now.hour * 60 + now.minute - self.start) % DAY_MINUTES
        if since_start >= self.minutes:
            return 0
        end = now.replace(tzinfo=None) + timedelta(minutes=self.minutes - since_start)
        times = [round(end.replace(tzinfo=time_zone, fold=fold).timestamp()) * 1000 for fold in (0, 1)]
        return min(time for time in times if time > at)

    def __str__(self) -> str:
        """Write them as they are stored and shown: ``22:00-08:00 +01:00``, ``22:00-08:00 Europe/Berlin``."""
        if self.zone:
            return f"{_time(self.start)}-{_time(self.end)} {self.zone}"
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
    start, end, ahead = (60 * int(found[n] or 0) + int(found[n + 1] or 0) for n in (1, 3, 6))
    return QuietHours(start, end, -ahead if found[5] == "-" else ahead, found[8] or "")


@lru_cache(maxsize=1024)
def _time_zone(name: str) -> ZoneInfo | None:
    """Return a time zone by its name; None where this machine knows none."""
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError):  # no name, a folder, an unknown one
        return None


class _TimeZoneNames:
    """The names of time zones, by what people can type in small letters: the whole name, or the last part if it is the only one."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}


_KNOWN = _TimeZoneNames()


def load_time_zones() -> None:
    """Read the names of all time zones, once. That takes a tenth of a second: for a thread."""
    zones = sorted(name for name in available_timezones() if not name.startswith(_NOWHERE))
    cities: dict[str, list[str]] = {}
    for name in zones:
        cities.setdefault(name.rpartition("/")[2].casefold(), []).append(name)
    found = {city: names[0] for city, names in cities.items() if len(names) == 1}
    _KNOWN.names = found | {name.casefold(): name for name in zones}


def time_zone_names() -> tuple[str, ...]:
    """Return what time zones can be called: their names, and cities; nothing before they are loaded."""
    known = _KNOWN.names
    cities = [name.rpartition("/")[2].replace("_", " ") for typed, name in known.items() if typed != name.casefold()]
    return tuple(sorted({*known.values(), *cities}))


def time_zone_called(typed: str) -> str:
    """Return the name of a time zone by what somebody typed, its name or its city; empty if there is none."""
    word = "_".join(typed.split())
    found = _KNOWN.names.get(word.casefold(), "")
    if found or _KNOWN.names:
        return found
    name = re.sub(r"[a-z]+", lambda part: part[0].capitalize(), word.casefold())
    return next((one for one in (word, name, word.upper()) if _time_zone(one) is not None), "")


def year_at(clock: str, at: int) -> int:
    """Return the year in which a time is by the clock of a server.

    Args:
        clock: a time zone, or quiet hours as the house rule has them (`HouseRules.year_clock`); UTC where it is neither.
        at: in ms since the epoch.
    """
    hours = written_quiet_hours(clock)
    zone = hours.zone if hours is not None else clock
    time_zone = _time_zone(zone) if zone else None
    if time_zone is not None:
        return datetime.fromtimestamp(at // 1000, time_zone).year
    return datetime.fromtimestamp(at // 1000 + 60 * (hours.offset if hours is not None else 0), UTC).year
