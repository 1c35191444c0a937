"""When the nights of a series are: a first date by the clock of a time zone, and how it recurs.

Recurrence is a rule of iCalendar (RFC 5545), which `dateutil` reads. It counts dates by the clock on the wall, so that a night at 20:00
stays at 20:00 when summer time begins. Two hours of the year are no plain hours: a date in the hour that the clock leaves out is as much
later as the clock jumps, and of an hour that the clock shows twice the first is meant. Both is what PEP 495 says of a time with ``fold=0``.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr
from msgspec import Struct

LOCAL_FORMAT = "%Y-%m-%dT%H:%M"
_WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_FIFTH_WEEK = 5


class Recurrence(StrEnum):
    """How a night recurs, as people choose it. The words are stored."""

    ONCE = "once"
    WEEKLY = "week"
    FORTNIGHTLY = "two weeks"
    MONTHLY = "month"  # on the same weekday of the month: the second Friday


class Schedule(Struct, frozen=True):
    """The dates of a series.

    Attributes:
        zone: the name of the time zone whose clock they go by: ``Europe/Berlin``.
        first: the first date by that clock, ``2026-12-04T20:00``.
        recurrence: how they go on.
    """

    zone: str
    first: str
    recurrence: Recurrence = Recurrence.ONCE

    @property
    def rule(self) -> str:
        """The rule of iCalendar; empty for a single date."""
        match self.recurrence:
            case Recurrence.ONCE:
                return ""
            case Recurrence.WEEKLY:
                return "FREQ=WEEKLY"
            case Recurrence.FORTNIGHTLY:
                return "FREQ=WEEKLY;INTERVAL=2"
            case Recurrence.MONTHLY:
                first = read_local(self.first)
                week = (first.day - 1) // 7 + 1
                return f"FREQ=MONTHLY;BYDAY={-1 if week == _FIFTH_WEEK else week}{_WEEKDAYS[first.weekday()]}"

    def after(self, local: str) -> str:
        """Return the first date after another one, both by the clock on the wall; empty if it was the last."""
        if not self.rule:
            return self.first if local < self.first else ""
        found = rrulestr(self.rule, dtstart=read_local(self.first)).after(read_local(local))
        return found.strftime(LOCAL_FORMAT) if found is not None else ""

    def at(self, local: str) -> int:
        """Return when it is so late by the clock on the wall, in ms since the epoch."""
        return moment(self.zone, local)

    def next_from(self, local: str, earliest: int) -> str:
        """Return the first date after another one that is not before a time in ms since the epoch; empty if there is none."""
        found = self.after(local)
        while found and self.at(found) < earliest:
            found = self.after(found)
        return found


def read_local(text: str) -> datetime:
    """Read a date as `Schedule` writes it."""
    return datetime.strptime(text, LOCAL_FORMAT)  # noqa: DTZ007  it is the clock on the wall of a zone named beside it


def moment(zone: str, local: str) -> int:
    """Return when the clock of a time zone shows a date, in ms since the epoch.

    Raises:
        KeyError: no time zone has that name.
    """
    return round(read_local(local).replace(tzinfo=time_zone(zone), fold=0).timestamp()) * 1000


def local_time(zone: str, at: int) -> str:
    """Return what the clock of a time zone shows at a time in ms since the epoch."""
    return datetime.fromtimestamp(at // 1000, time_zone(zone)).strftime(LOCAL_FORMAT)


def is_skipped(zone: str, local: str) -> bool:
    """Return whether the clock of a time zone leaves a date out, because it is put forward then."""
    return local_time(zone, moment(zone, local)) != local


def plus_minutes(local: str, minutes: int) -> str:
    """Return a date so many minutes later by the clock on the wall."""
    return (read_local(local) + timedelta(minutes=minutes)).strftime(LOCAL_FORMAT)


@lru_cache(maxsize=1024)
def time_zone(name: str) -> ZoneInfo:
    """Return a time zone.

    Raises:
        KeyError: there is none of that name.
    """
    try:
        return ZoneInfo(name)
    except (ValueError, OSError):  # no name, a folder
        raise KeyError(name) from None
