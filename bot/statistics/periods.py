"""The periods that a time lies in, in UTC."""

from datetime import UTC, datetime, timedelta

from bot.statistics.types import Period, PeriodKind

DAY_MS = 86_400_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAYS_TO_MONDAY = 3
"""The epoch was a Thursday."""


def day_of(at: int) -> int:
    """Return a time's day, as days since the epoch."""
    return at // DAY_MS


def week_of(at: int) -> int:
    """Return the Monday of a time's week, as days since the epoch."""
    day = day_of(at)
    return day - (day + _DAYS_TO_MONDAY) % 7


def month_of(at: int) -> int:
    """Return a time's month, as year * 12 + month - 1."""
    then = _EPOCH + timedelta(milliseconds=at)
    return then.year * 12 + then.month - 1


def first_of(month: int) -> int:
    """Return the midnight with which a month begins, counted as year * 12 + month - 1."""
    year, number = divmod(month, 12)
    return (datetime(year, number + 1, 1, tzinfo=UTC) - _EPOCH).days * DAY_MS


def period_at(kind: PeriodKind, at: int, season: int = 0) -> Period:
    """Return the period of a kind that a time lies in.

    Args:
        season: the number of the season that runs then; 0 for none.
    """
    match kind:
        case PeriodKind.EVER:
            return Period()
        case PeriodKind.WEEK:
            return Period(kind, week_of(at))
        case PeriodKind.MONTH:
            return Period(kind, month_of(at))
        case PeriodKind.SEASON:
            return Period(kind, season)


def span(period: Period) -> tuple[int, int]:
    """Return when a week or a month begins and ends, in ms; the end is not included.

    Raises:
        ValueError: it is no week and no month.
    """
    if period.kind is PeriodKind.WEEK:
        return period.which * DAY_MS, (period.which + 7) * DAY_MS
    if period.kind is PeriodKind.MONTH:
        return first_of(period.which), first_of(period.which + 1)
    raise ValueError(f"a {period.kind} has no span of its own")
