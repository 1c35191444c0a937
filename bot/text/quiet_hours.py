"""Quiet hours as people type them and read them."""

from __future__ import annotations

import re

from bot.engine.errors import TableError
from bot.house.quiet_hours import DAY_MINUTES, QuietHours, time_zone_called, written_quiet_hours
from bot.text.formatting import shorten
from bot.text.language import message, t

HOURS = message("{start}–{end}, UTC{offset}")
HOURS_IN_ZONE = message("{start}–{end}, {zone} time")
NO_QUIET_HOURS = message("none")
SERVER_QUIET = message(
    "Quiet hours here: **{hours}**. I ping nobody then, except a player whose turn it is. "
    "Turns of an hour or more are called when they end.\n-# `/house page:quiet` changes them."
)
NO_ZONE = message("none yet")
SERVER_ZONE = message(
    "Game nights here go by **{zone}** time.\n-# `/house page:zone` changes it. Nights that are planned keep theirs."
)
SERVER_NOT_QUIET = message("This server has no quiet hours. `/house page:quiet` sets them.")

_OFF = frozenset({"off", "none", "no", "never", "0", "-"})
_SPAN = r"(\d{1,2})(?:[:.h]?(\d\d))?\s*(?:-|–|—|to|until)\s*(\d{1,2})(?:[:.h]?(\d\d))?"
_TYPED = re.compile(rf"{_SPAN}\s*,?\s*(?:utc|gmt|z)?\s*(?:([+\-−])\s*(\d{{1,2}})(?::?(\d\d))?)?", re.ASCII)
_IN_ZONE = re.compile(rf"{_SPAN}\s*,?\s*(?:in\s+)?([a-z][a-z_/+ -]*[a-z0-9])(?:\s+time)?", re.ASCII)
_AHEAD_MAX, _BEHIND_MAX = 14 * 60, 12 * 60
"""No clock is further from UTC."""
TYPED_MAX = 60


class UnreadableQuietHours(TableError):
    """What somebody typed is no span of hours."""

    typed: str


class UnknownTimeZone(TableError):
    """There is no such time zone."""

    typed: str


def parse_quiet_hours(typed: str) -> QuietHours | None:
    """Read quiet hours as people type them: ``22:00-08:00 +01:00``, ``22-8 UTC+1``, ``22-8 Berlin``. None for ``off``.

    Raises:
        UnreadableQuietHours: it is neither.
        UnknownTimeZone: there is no such time zone.
    """
    text = typed[:TYPED_MAX].strip().casefold()
    if text in _OFF:
        return None
    found, zone = _TYPED.fullmatch(text), ""
    if found is None:
        found = _IN_ZONE.fullmatch(text)
        if found is None:
            raise UnreadableQuietHours(typed=shorten(typed, TYPED_MAX))
        zone = time_zone_called(found[5].removesuffix(" time"))
        if not zone:
            raise UnknownTimeZone(typed=found[5].removesuffix(" time"))
    numbers = [int(part or 0) for part in (*found.group(1, 2, 3, 4), *([0, 0] if zone else found.group(6, 7)))]
    start, end, ahead = (60 * numbers[at] + numbers[at + 1] for at in (0, 2, 4))
    minutes_fit = all(minutes < 60 for minutes in numbers[1::2])
    behind = not zone and found[5] not in {None, "+"}
    if start > DAY_MINUTES or end > DAY_MINUTES or not minutes_fit or ahead > (_BEHIND_MAX if behind else _AHEAD_MAX):
        raise UnreadableQuietHours(typed=shorten(typed, TYPED_MAX))
    hours = QuietHours(start % DAY_MINUTES, end % DAY_MINUTES, -ahead if behind else ahead, zone)
    if not hours.minutes:
        raise UnreadableQuietHours(typed=shorten(typed, TYPED_MAX))
    return hours


def parse_zone(typed: str) -> str:
    """Return the name of a time zone by what people type: its name, or its city.

    Raises:
        UnknownTimeZone: there is no such time zone.
    """
    text = typed[:TYPED_MAX].strip()
    found = time_zone_called(text.casefold().removesuffix(" time"))
    if not found:
        raise UnknownTimeZone(typed=shorten(text, TYPED_MAX))
    return found


def zone_text(zone: str) -> str:
    """Write the name of a time zone for people: ``America/New York``."""
    return zone.replace("_", " ") if zone else t(NO_ZONE)


def hours_text(written: str) -> str:
    """Write quiet hours for people: ``22:00–08:00, UTC+01:00``, ``22:00–08:00, Europe/Berlin time``."""
    hours = written_quiet_hours(written)
    if hours is None:
        return t(NO_QUIET_HOURS)
    span, offset = written.split(" ")
    start, end = span.split("-")
    if hours.zone:
        return t(HOURS_IN_ZONE, start=start, end=end, zone=hours.zone.replace("_", " "))
    return t(HOURS, start=start, end=end, offset=offset)


def server_quiet_hours(written: str) -> str:
    """The quiet hours of a server, for its staff."""
    return t(SERVER_QUIET, hours=hours_text(written)) if written else t(SERVER_NOT_QUIET)
