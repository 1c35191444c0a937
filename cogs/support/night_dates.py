"""Days and hours to come, as people type them: ``Friday 20:00``, ``fri 8pm``, ``tomorrow 20:30``, ``4 Dec 20:00``, ``2026-12-04 20:00``.

They go by the clock of a time zone. A day without a year is the next one. Where day and month can be taken for each other, as in 3/4,
nothing is guessed.
"""

from __future__ import annotations

import datetime
import re

from bot.events.nights.refusals import UnreadableNight
from bot.events.nights.schedule import local_time, read_local
from cogs.support.dates import MONTHS, TYPED_MAX, WEEKDAYS, is_name

_HOUR = r"(?:at )?(\d{1,2})(?:[:.h](\d\d))? ?(am|pm|h)?"
_LAST_HOUR = re.compile(rf"(.*?)[ ,]+{_HOUR}", re.ASCII)
_ISO_DAY = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})", re.ASCII)
_DOTTED = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})?", re.ASCII)
_DAY_MONTH = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?(?: of)?[ -]?([a-z]{3,9})[.,]?(?:[ -]*(\d{4}))?", re.ASCII)
_MONTH_DAY = re.compile(r"([a-z]{3,9})[.]? ?(\d{1,2})(?:st|nd|rd|th)?(?:,? *(\d{4}))?", re.ASCII)
_DAY = datetime.timedelta(days=1)


def parse_night(typed: str, zone: str, now: int) -> str:
    """Return the day and hour that was meant, by the clock of a time zone: ``2026-12-04T20:00``.

    Args:
        now: in ms since the epoch.

    Raises:
        UnreadableNight: it is none, or can be read in two ways.
    """
    words = " ".join(typed.casefold().split())
    here = read_local(local_time(zone, now))
    try:
        found = _night(words, here) if len(words) <= TYPED_MAX else None
    except (ValueError, OverflowError):  # the 31st of a month that has thirty days
        found = None
    if found is None:
        raise UnreadableNight(typed=typed[:TYPED_MAX])
    return found.isoformat(timespec="minutes")


def _night(words: str, here: datetime.datetime) -> datetime.datetime | None:
    found = _LAST_HOUR.fullmatch(words)
    if found is None:
        return None
    day, hour, minutes, half = found.groups()
    if minutes is None and half is None:  # "4 Dec 20" can be a year
        return None
    time = _time(int(hour), int(minutes or 0), half or "")
    return _on_day(day.removeprefix("on ").rstrip(","), time, here)


def _time(hour: int, minutes: int, half: str) -> datetime.time:
    if half in {"am", "pm"}:
        if not 1 <= hour <= 12:
            raise ValueError
        hour = hour % 12 + (12 if half == "pm" else 0)
    return datetime.time(hour, minutes)


def _on_day(day: str, time: datetime.time, here: datetime.datetime) -> datetime.datetime | None:
    today = here.date()
    if day in {"today", "tonight"}:
        return datetime.datetime.combine(today, time)
    if day == "tomorrow":
        return datetime.datetime.combine(today + _DAY, time)
    weekday = day.removeprefix("next ").removeprefix("this ")
    if is_name(weekday, WEEKDAYS):
        ahead = (WEEKDAYS.index(weekday[:3]) - today.weekday()) % 7
        night = datetime.datetime.combine(today + ahead * _DAY, time)
        return night if night > here else night + 7 * _DAY
    if found := _ISO_DAY.fullmatch(day):
        return datetime.datetime.combine(datetime.date(*map(int, found.groups())), time)
    if found := _DOTTED.fullmatch(day):
        return _dated(int(found[1]), int(found[2]), found[3], time, here)
    if (found := _DAY_MONTH.fullmatch(day)) and is_name(found[2], MONTHS):
        return _dated(int(found[1]), MONTHS.index(found[2][:3]) + 1, found[3], time, here)
    if (found := _MONTH_DAY.fullmatch(day)) and is_name(found[1], MONTHS):
        return _dated(int(found[2]), MONTHS.index(found[1][:3]) + 1, found[3], time, here)
    return None


def _dated(day: int, month: int, year: str | None, time: datetime.time, here: datetime.datetime) -> datetime.datetime:
    if year:
        return datetime.datetime.combine(datetime.date(int(year), month, day), time)
    for each in range(here.year, here.year + 9):  # a 29th of February can be that far
        try:
            found = datetime.datetime.combine(datetime.date(each, month, day), time)
        except ValueError:
            continue
        if found > here:
            return found
    raise ValueError
