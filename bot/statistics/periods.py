"""The periods that a time lies in, in UTC."""

from datetime import UTC, datetime

from bot.statistics.types import Period, PeriodKind

DAY_MS = 86_400_000
_DAYS_TO_MONDAY = 3
"""The epoch was a Thursday."""


def week_of(at: int) -> int:
    """Return the Monday of a time's week, as days since the epoch."""
    day = at // DAY_MS
    return day - (day + _DAYS_TO_MONDAY) % 7


def month_of(at: int) -> int:
    """Return a time's month, as year * 12 + month - 1."""
    then = datetime.fromtimestamp(at / 1000, UTC)
    return then.year * 12 + then.month - 1


def week(at: int) -> Period:
    """Return the week of a time."""
    return Period(PeriodKind.WEEK, week_of(at))


def month(at: int) -> Period:
    """Return the month of a time."""
    return Period(PeriodKind.MONTH, month_of(at))


def span(period: Period) -> tuple[int, int]:
    """Return when a week or a month begins and ends, in ms; the end is not included.

    Raises:
        ValueError: it is no week and no month.
    """
    if period.kind is PeriodKind.WEEK:
        return period.which * DAY_MS, (period.which + 7) * DAY_MS
    if period.kind is PeriodKind.MONTH:
        return _month_begins(period.which), _month_begins(period.which + 1)
    raise ValueError(f"a {period.kind} has no span of its own")


def _month_begins(month: int) -> int:
    year, number = divmod(month, 12)
    return int(datetime(year, number + 1, 1, tzinfo=UTC).timestamp()) * 1000
