"""Vacations from tables whose turns can take hours or days: how long one can be, and how many days somebody has left.

Law: WT-1.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from bot.engine.errors import LawError

DAY_MS = 24 * 60 * 60 * 1000
DAYS_MAX, WINDOW_DAYS = 14, 90
"""So many days of vacation at most, in any so many days."""


class VacationRunning(LawError, law="WT-1"):
    """They are on vacation; `until` when, in ms since the epoch."""

    until: int


class VacationTooLong(LawError, law="WT-1"):
    """They have so many days of vacation left now; 0 for none."""

    maximum: int


class NoVacation(LawError, law="WT-1"):
    """They are not on vacation."""


class Vacation(Struct, frozen=True):
    """One vacation: from when until when, in ms since the epoch."""

    begins_at: int
    ends_at: int

    def within(self, start: int, end: int) -> int:
        """Return how much of it lies in a span of time, in ms."""
        return max(0, min(self.ends_at, end) - max(self.begins_at, start))


def running(vacations: Sequence[Vacation], now: int) -> Vacation | None:
    """Return the vacation that somebody is on; None for none."""
    return next((one for one in vacations if one.begins_at <= now < one.ends_at), None)


def days_left(vacations: Sequence[Vacation], now: int) -> int:
    """Return how many days of vacation somebody can take now, of those that they are not on.

    The 90 days that end with the new vacation have the most of it: what leaves them at one end is never more than what enters at the other.
    """
    for days in range(DAYS_MAX, 0, -1):
        end = now + days * DAY_MS
        taken = sum(one.within(end - WINDOW_DAYS * DAY_MS, now) for one in vacations)
        if taken + days * DAY_MS <= DAYS_MAX * DAY_MS:
            return days
    return 0


def taken(vacations: Sequence[Vacation], days: int, now: int) -> tuple[Vacation, ...]:
    """Return somebody's vacations with a new one of so many days, without those that count no longer.

    Raises:
        VacationRunning, VacationTooLong.
    """
    if (own := running(vacations, now)) is not None:
        raise VacationRunning(until=own.ends_at)
    maximum = days_left(vacations, now)
    if not 0 < days <= maximum:
        raise VacationTooLong(maximum=maximum)
    return (*counted(vacations, now), Vacation(now, now + days * DAY_MS))


def counted(vacations: Sequence[Vacation], now: int) -> tuple[Vacation, ...]:
    """Return the vacations that still count."""
    return tuple([one for one in vacations if one.ends_at > now - WINDOW_DAYS * DAY_MS])


def ended(vacations: Sequence[Vacation], now: int) -> tuple[Vacation, ...]:
    """Return somebody's vacations with the one that they are on ended now: the rest of it is theirs again.

    Raises:
        NoVacation.
    """
    own = running(vacations, now)
    if own is None:
        raise NoVacation
    return tuple([replace(one, ends_at=now) if one is own else one for one in vacations])
