"""When something of a series is due, and what the dealer does then."""

from __future__ import annotations

from enum import StrEnum

from bot.events.nights.state import LATE_MS, MINUTE_MS, NightPhase, NightReminder, NightSeries


class NightWork(StrEnum):
    """What the dealer has to do for a night, beside what `NightTick` does."""

    OPEN_TABLE = "open table"
    CANCEL_TABLE = "cancel table"  # too few have come
    CALL_BREAK = "call break"
    CLOSE_TABLE = "close table"  # its time is over


def next_due_at(series: NightSeries) -> int:
    """Return when there is something to do next, in ms since the epoch; 0 for never. It can be over already."""
    night = series.night
    if night is None:
        return 0
    match night.phase:
        case NightPhase.PLANNED:
            reminders = [night.starts_at - one.before_ms for one in NightReminder if one not in night.reminded]
            return min([night.opens_at, *reminders])
        case NightPhase.ASKED:
            return night.opens_at
        case NightPhase.OPEN:
            return night.gathers_until
        case NightPhase.PLAYED:
            times = [at for at in (break_at(series), ends_at(series)) if at]
            return min(times, default=0)


def work_due(series: NightSeries, now: int) -> NightWork | None:
    """Return what the dealer has to do now; None for nothing, or for what `NightTick` does."""
    night = series.night
    if night is None:
        return None
    match night.phase:
        case NightPhase.PLANNED:
            return NightWork.OPEN_TABLE if night.opens_at <= now <= night.opens_at + LATE_MS else None
        case NightPhase.ASKED:
            return None
        case NightPhase.OPEN:
            return NightWork.CANCEL_TABLE if night.gathers_until <= now else None
        case NightPhase.PLAYED:
            if 0 < ends_at(series) <= now:
                return NightWork.CLOSE_TABLE
            return NightWork.CALL_BREAK if 0 < break_at(series) <= now else None


def ends_at(series: NightSeries) -> int:
    """Return when the night ends by its clock, in ms since the epoch; 0 for not by the clock."""
    night, minutes = series.night, series.terms.minutes
    return night.starts_at + minutes * MINUTE_MS if night is not None and minutes else 0


def break_at(series: NightSeries) -> int:
    """Return when the night takes its break; 0 where it has had one, or takes none. There is none shortly before the end."""
    night, terms = series.night, series.terms
    if night is None or not night.dealt_at or night.had_break or not (terms.break_after and terms.break_minutes):
        return 0
    at, end = night.dealt_at + terms.break_after * MINUTE_MS, ends_at(series)
    return 0 if end and at + 2 * terms.break_minutes * MINUTE_MS > end else at


def is_late(series: NightSeries, now: int) -> bool:
    """Return whether a table that opens now opens later than it should have: for one planned at short notice, later than that."""
    night = series.night
    return night is not None and now >= max(night.opens_at, night.planned_at) + 2 * MINUTE_MS
