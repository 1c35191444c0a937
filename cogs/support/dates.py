"""Days as people type them: ``today``, ``yesterday``, ``2026-11-20``, ``20 Nov``, ``Nov 20``, ``last week``, ``November 2025``.

Days are counted from the epoch, in UTC. A day without a year is the latest one that is not still to come. Where day and month can be
taken for each other, as in 3/4, nothing is guessed.
"""

from __future__ import annotations

import datetime
import re

from bot.runtime.errors import UnreadableDate

TYPED_MAX = 40
DAY_MS = 86_400_000
_EPOCH = datetime.date(1970, 1, 1)
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_ISO_DAY = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})", re.ASCII)
_ISO_MONTH = re.compile(r"(\d{4})[-/.](\d{1,2})", re.ASCII)
_NUMBERS = re.compile(r"(\d{1,2})[-/.](\d{1,2})(?:[-/.](\d{4}|\d{2})?)?", re.ASCII)
_DAY_MONTH = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?(?: of)?[ -]?([a-z]{3,9})[.,]?(?:[ -]*(\d{4}))?", re.ASCII)
_MONTH_DAY = re.compile(r"([a-z]{3,9})[.]? ?(\d{1,2})(?:st|nd|rd|th)?(?:,? *(\d{4}))?", re.ASCII)
_MONTH = re.compile(r"([a-z]{3,9})(?: *(\d{4}))?", re.ASCII)


def parse_days(typed: str, now: int) -> tuple[int, int]:
    """Return the first day that was meant and the one after the last.

    Args:
        now: in ms since the epoch.

    Raises:
        UnreadableDate: it is no date, it can be read in two ways, or it is still to come.
    """
    today = _EPOCH + datetime.timedelta(days=now // DAY_MS)
    words = " ".join(typed.casefold().split())
    try:
        first, end = _days(words, today) if len(words) <= TYPED_MAX else (None, None)
    except (ValueError, OverflowError):  # the 31st of a month that has thirty days
        first = end = None
    if first is None or end is None or not _EPOCH <= first <= today:
        raise UnreadableDate(typed=typed)
    return (first - _EPOCH).days, (end - _EPOCH).days


def _days(words: str, today: datetime.date) -> tuple[datetime.date | None, datetime.date | None]:
    day = datetime.timedelta(days=1)
    monday = today - today.weekday() * day
    match words.split():
        case ["today"]:
            return _one(today)
        case ["yesterday"]:
            return _one(today - day)
        case ["this", "week"]:
            return monday, monday + 7 * day
        case ["last", "week"]:
            return monday - 7 * day, monday
        case ["this", "month"]:
            return _month(today.year, today.month)
        case ["last", "month"]:
            return _month(*_before(today.year, today.month))
        case _:
            pass
    weekday = words.removeprefix("last ").removeprefix("on ")
    if is_name(weekday, WEEKDAYS):
        since = (today.weekday() - WEEKDAYS.index(weekday[:3])) % 7 or 7 * words.startswith("last ")
        return today - since * day, today - since * day + day
    if found := _ISO_DAY.fullmatch(words):
        return _one(datetime.date(*map(int, found.groups())))
    if found := _ISO_MONTH.fullmatch(words):
        return _month(int(found[1]), int(found[2]))
    if found := _NUMBERS.fullmatch(words):
        return _from_numbers(int(found[1]), int(found[2]), found[3] or "", today, dotted="." in words)
    if (found := _DAY_MONTH.fullmatch(words)) and is_name(found[2], MONTHS):
        return _one(_dated(int(found[1]), MONTHS.index(found[2][:3]) + 1, found[3] or "", today))
    if (found := _MONTH_DAY.fullmatch(words)) and is_name(found[1], MONTHS):
        return _one(_dated(int(found[2]), MONTHS.index(found[1][:3]) + 1, found[3] or "", today))
    if (found := _MONTH.fullmatch(words)) and is_name(found[1], MONTHS):
        month = MONTHS.index(found[1][:3]) + 1
        return _month(int(found[2]) if found[2] else today.year - (month > today.month), month)
    return None, None


def _from_numbers(
    first: int, second: int, year: str, today: datetime.date, *, dotted: bool
) -> tuple[datetime.date | None, datetime.date | None]:
    """Return a day from two numbers: with dots the day comes first, else what is above twelve is the day. Two small ones are unclear."""
    if dotted or first > 12 or first == second:
        return _one(_dated(first, second, year, today))
    return _one(_dated(second, first, year, today)) if second > 12 else (None, None)


def _dated(day: int, month: int, year: str, today: datetime.date) -> datetime.date:
    if year:
        return datetime.date(int(year) + 2000 * (len(year) == 2), month, day)
    years = (today.year - ago for ago in range(9))  # a 29th of February can be that long ago
    for each in years:
        try:
            found = datetime.date(each, month, day)
        except ValueError:
            continue
        if found <= today:
            return found
    raise ValueError


def _one(day: datetime.date) -> tuple[datetime.date, datetime.date]:
    return day, day + datetime.timedelta(days=1)


def _month(year: int, month: int) -> tuple[datetime.date, datetime.date]:
    return datetime.date(year, month, 1), datetime.date(year + month // 12, month % 12 + 1, 1)


def _before(year: int, month: int) -> tuple[int, int]:
    return (year, month - 1) if month > 1 else (year - 1, 12)


_FULL_NAMES = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
)  # fmt: skip


def is_name(word: str, names: tuple[str, ...]) -> bool:
    """Return whether a word is the beginning of a month's or a day's name: ``nov``, ``sept``, ``thurs``."""
    return word[:3] in names and any(full.startswith(word) for full in _FULL_NAMES)
