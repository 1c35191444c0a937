"""The rulings on a series of game nights: a command and the time come in, events or a refusal go out, and the series never changes.

The dealer's own work (opening a table, closing it) happens between two commands: `due.work_due` says what there is to do, and a command
notes that it is done. So a dealer that is killed in between does it once more, under the same key.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from msgspec.structs import replace

from bot.engine.errors import BrokenInvariant
from bot.events.nights import commands as c
from bot.events.nights import events as e
from bot.events.nights import refusals
from bot.events.nights.due import is_late, work_due
from bot.events.nights.evolve import evolve_all
from bot.events.nights.schedule import Recurrence, Schedule, local_time
from bot.events.nights.state import (
    ANSWERS_MAX,
    EMPTY_NIGHTS,
    HOUR_MS,
    LATE_MS,
    Night,
    NightAnswer,
    NightLineKind,
    NightPhase,
    NightReminder,
    NightSeries,
    NightTerms,
)

DAYS_AHEAD = 400
"""A night is planned at most so many days ahead."""
HANDS_MAX, MINUTES_MAX = 1_000, 24 * 60
"""A night ends after at most so many hands, and so many minutes from its start."""
BREAK_AFTER_MAX, BREAK_MAX = 12 * 60, 60
"""It takes its break at most so many minutes after its first hand, and of so many minutes."""
_REMINDER_LINES = {NightReminder.DAY: NightLineKind.DAY_REMINDER, NightReminder.HOUR: NightLineKind.HOUR_REMINDER}

NightEvents = tuple[e.NightEvent, ...]


def decide(series: NightSeries | None, command: c.NightCommand, now: int) -> NightEvents:
    """Rule on a command. Returns what happens, at the time `now` in ms since the epoch; nothing where there is nothing to change.

    Raises:
        TableError: the refusal, see `refusals`.
    """
    if isinstance(command, c.PlanSeries):
        if series is not None:
            raise BrokenInvariant("a series is planned once")
        return _plan(command, now)
    assert series is not None, "the first command of a series is PlanSeries"
    if isinstance(command, c.NoteLine):
        return _note_line(series, command)
    if series.night is None:
        if isinstance(command, c.NightTick | c.NoteInterest | c.NoteGone | c.NoteChannelGone | c.NoteEventGone):
            return ()
        raise refusals.NoSuchNight
    return _decide(series, series.night, command, now)


def _decide(series: NightSeries, night: Night, command: c.NightCommand, now: int) -> NightEvents:
    match command:
        case c.PlanSeries() | c.NoteLine():
            return ()
        case c.AnswerNight():
            return _answer(series, night, command, now)
        case c.NoteInterest():
            return _note_interest(night, command, now)
        case c.SkipNight(by, staff, number):
            _require_host(series, by, staff=staff)
            _require_number(night, number)
            _require_not_open(night)
            told = _line(series, NightLineKind.SKIPPED, _coming(night), night.starts_at)
            return (e.NightFailed(now, e.NightEnd.SKIPPED), *told, *_after(series, night, now, told))
        case c.MoveNight():
            return _move(series, night, command, now)
        case c.ChangeDates():
            return _change_dates(series, night, command, now)
        case c.ChangeTerms():
            return _change_terms(series, night, command)
        case c.CancelSeries(by, staff):
            _require_host(series, by, staff=staff)
            _require_not_open(night)
            told = _line(series, NightLineKind.CANCELLED, _coming(night), night.starts_at)
            return (*told, e.SeriesEnded(now, e.SeriesEnd.CANCELLED))
        case c.HandOverSeries(by, to, name, staff):
            _require_host(series, by, staff=staff)
            if to == series.host:
                return ()
            return (e.HostChanged(to, name, now), *_line(series, NightLineKind.NEW_HOST, (to,), night.starts_at))
        case c.GoOn(by, staff):
            _require_host(series, by, staff=staff)
            if night.phase is not NightPhase.ASKED:
                raise refusals.NoNightToConfirm
            return (e.NightConfirmed(now), _host_is_in(series.host, series.host_name, now))
        case c.ChangeStandings(by, rule, staff):
            _require_host(series, by, staff=staff)
            return (e.StandingsChanged(rule),) if rule != series.rule else ()
        case c.NoteTable(table, number, at):
            is_its = number in (0, night.number) and at in (0, night.starts_at)
            if night.phase is not NightPhase.PLANNED or not is_its:
                return ()
            kind = NightLineKind.TABLE_OPEN_LATE if is_late(series, now) else NightLineKind.TABLE_OPEN
            told = _line(series, kind, _coming(night), night.starts_at, table)
            return (e.NightOpened(table, now), *told)
        case c.NoteNoTable(lacks, number):
            if night.phase is not NightPhase.PLANNED or number not in (0, night.number):
                return ()
            failed, number = e.NightFailed(now, e.NightEnd.NO_TABLE), series.line_number + 1
            line = e.LineAdded(number, NightLineKind.NO_TABLE, _coming(night), night.starts_at, lacks=lacks)
            return (failed, line, *_after(series, night, now, (failed, line)))
        case c.NoteDealt():
            return (e.NightDealt(now),) if night.phase is NightPhase.OPEN else ()
        case c.NoteBreak():
            return (e.NightBreak(now),) if night.phase is NightPhase.PLAYED and not night.had_break else ()
        case c.NoteClosed():
            return _note_closed(series, night, command, now)
        case c.NoteGone(player, others_first):
            return _note_gone(series, night, player, others_first, now)
        case c.NoteChannelGone(channel):
            return _note_channel_gone(series, night, channel, now)
        case c.NoteEventGone():
            if night.phase is not NightPhase.PLANNED:
                return ()
            return _line(series, NightLineKind.EVENT_GONE, (series.host,), night.starts_at)
        case c.NightTick():
            return _tick(series, night, now)
        case _:
            assert_never(command)


# planning


def _plan(command: c.PlanSeries, now: int) -> NightEvents:
    schedule = command.schedule
    validate_terms(command.terms)
    starts_at = schedule.at(schedule.first)
    require_time(starts_at, now)
    planned = e.SeriesPlanned(command.by, command.name, command.channel, command.terms, schedule, now)
    return (planned, e.NightPlanned(1, schedule.first, starts_at, now), _host_is_in(command.by, command.name, now))


def _host_is_in(host: int, name: str, now: int) -> e.NightAnswered:
    """A host comes to their nights unless they say otherwise."""
    return e.NightAnswered(host, name, NightAnswer.IN, now)


def validate_terms(terms: NightTerms) -> None:
    """Check what is counted of a night.

    Raises:
        NightPlayersOutOfBounds, NightTooLong, NightBreakTooLong.
    """
    least = max(2, terms.settings.rule_card.seats_min)
    if not least <= terms.players_min <= terms.seats:
        raise refusals.NightPlayersOutOfBounds(minimum=least, maximum=terms.seats)
    if not (0 <= terms.hands <= HANDS_MAX and 0 <= terms.minutes <= MINUTES_MAX):
        raise refusals.NightTooLong(hands=HANDS_MAX, hours=MINUTES_MAX // 60)
    if not (0 <= terms.break_after <= BREAK_AFTER_MAX and 0 <= terms.break_minutes <= BREAK_MAX):
        raise refusals.NightBreakTooLong(minutes=BREAK_MAX, hours=BREAK_AFTER_MAX // 60)


def require_time(starts_at: int, now: int) -> None:
    """Check when a night begins.

    Raises:
        NightInPast, NightTooFar.
    """
    if starts_at <= now:
        raise refusals.NightInPast(starts_at=starts_at)
    if starts_at > now + DAYS_AHEAD * 24 * HOUR_MS:
        raise refusals.NightTooFar(days=DAYS_AHEAD)


def _move(series: NightSeries, night: Night, command: c.MoveNight, now: int) -> NightEvents:
    _require_host(series, command.by, staff=command.staff)
    _require_number(night, command.number)
    _require_not_open(night)
    if not command.at and command.local == local_time(series.schedule.zone, night.starts_at):
        return ()  # also where the clock shows that hour twice
    starts_at = command.at or series.schedule.at(command.local)
    require_time(starts_at, now)
    if starts_at == night.starts_at:
        return ()
    told = _line(series, NightLineKind.MOVED, _coming(night), starts_at)
    return (e.NightMoved(starts_at, now), *told)


def _change_dates(series: NightSeries, night: Night, command: c.ChangeDates, now: int) -> NightEvents:
    _require_host(series, command.by, staff=command.staff)
    schedule = replace(series.schedule, first=command.first, recurrence=command.recurrence)
    starts_at = schedule.at(schedule.first)
    require_time(starts_at, now)
    if schedule == series.schedule:
        return ()
    return (
        e.DatesChanged(schedule, starts_at, now),
        *_line(series, NightLineKind.NEW_DATES, _coming(night), starts_at),
    )


def _change_terms(series: NightSeries, night: Night, command: c.ChangeTerms) -> NightEvents:
    _require_host(series, command.by, staff=command.staff)
    validate_terms(command.terms)
    if command.terms == series.terms:
        return ()
    changed = e.TermsChanged(command.terms)
    moved_up = [one.player for one in evolve_all(series, (changed,)).seated() if one in series.waiting()]
    if not moved_up or night.phase in (
        NightPhase.OPEN,
        NightPhase.PLAYED,
    ):  # the table that is open has the seats that it has
        return (changed,)
    return (changed, *_line(series, NightLineKind.SEAT_FREE, tuple(moved_up), night.starts_at))


# answers


def _answer(series: NightSeries, night: Night, command: c.AnswerNight, now: int) -> NightEvents:
    if command.number != night.number:
        raise refusals.NightOver
    before = night.answer_of(command.by)
    if before is not None and before.answer is command.answer and not before.from_event:
        return ()
    _require_room(night, command.by)
    answered = e.NightAnswered(command.by, command.name, command.answer, now)
    after = evolve_all(series, (answered,))
    moved_up = [one.player for one in after.seated() if one in series.waiting()]
    return (
        (answered, *_line(series, NightLineKind.SEAT_FREE, tuple(moved_up), night.starts_at))
        if moved_up
        else (answered,)
    )


def _note_interest(night: Night, command: c.NoteInterest, now: int) -> NightEvents:
    before = night.answer_of(command.by)
    if command.is_interested:
        if before is not None or len(night.answers) >= ANSWERS_MAX:
            return ()
        return (e.NightAnswered(command.by, command.name, NightAnswer.MAYBE, now, from_event=True),)
    if before is None or not before.from_event:
        return ()
    return (e.NightAnswered(command.by, command.name, None, now),)


def _require_room(night: Night, player: int) -> None:
    if night.answer_of(player) is None and len(night.answers) >= ANSWERS_MAX:
        raise refusals.TooManyAnswers(maximum=ANSWERS_MAX)


# what goes by itself


def _tick(series: NightSeries, night: Night, now: int) -> NightEvents:
    if night.phase is NightPhase.ASKED:
        if now < night.opens_at:
            return ()
        told = _line(series, NightLineKind.ENDED_UNANSWERED, (series.host,), night.starts_at)
        return (*told, e.SeriesEnded(now, e.SeriesEnd.UNANSWERED))
    if night.phase is not NightPhase.PLANNED:
        return ()
    if now > night.opens_at + LATE_MS:
        return _fail(series, night, e.NightEnd.DEALER_AWAY, NightLineKind.TOO_LATE, now)
    return _reminders(series, night, now) if work_due(series, now) is None else ()


def _reminders(series: NightSeries, night: Night, now: int) -> NightEvents:
    """Return the reminders whose time has come. Of two that are late the one that says more is told, and none that the plan came after."""
    due = [one for one in NightReminder if one not in night.reminded and night.starts_at - one.before_ms <= now]
    events: list[e.NightEvent] = [e.ReminderDue(one) for one in due]
    told = [one for one in due if night.planned_at <= night.starts_at - one.before_ms]
    people = _coming(night)
    if told and people:
        events += _line(series, _REMINDER_LINES[told[-1]], people, night.starts_at)
    return tuple(events)


def _note_closed(series: NightSeries, night: Night, command: c.NoteClosed, now: int) -> NightEvents:
    if night.phase not in (NightPhase.OPEN, NightPhase.PLAYED) or command.number not in (0, night.number):
        return ()
    if not command.hands:
        return _fail(series, night, e.NightEnd.TOO_FEW, NightLineKind.TOO_FEW, now, came=command.came > 0)
    closed = e.NightClosed(now, command.hands, command.scores)
    return (closed, *_after(series, night, now, (closed,)))


def _fail(
    series: NightSeries, night: Night, reason: e.NightEnd, kind: NightLineKind, now: int, *, came: bool | None = None
) -> NightEvents:
    failed = e.NightFailed(now, reason, came)
    told = _line(series, kind, _coming(night), night.starts_at)
    return (failed, *told, *_after(series, night, now, (failed, *told)))


def _after(series: NightSeries, night: Night, now: int, before: NightEvents) -> NightEvents:
    """Return what comes after a night: the next one, the question to the host whether there is one, or the end of the series."""
    series = evolve_all(series, before)
    schedule = series.schedule
    local = schedule.next_from(night.local, max(now, night.starts_at) + 1)
    if not local:
        return (e.SeriesEnded(now, e.SeriesEnd.LAST_DATE),)
    starts_at, asks = schedule.at(local), series.empty >= EMPTY_NIGHTS
    planned = e.NightPlanned(night.number + 1, local, starts_at, now, asks_host=asks)
    if asks:
        return (planned, *_line(series, NightLineKind.HOST_ASKED, (series.host,), starts_at))
    return (planned, _host_is_in(series.host, series.host_name, now))


def _note_gone(series: NightSeries, night: Night, player: int, others_first: frozenset[int], now: int) -> NightEvents:
    """Somebody is no longer in the server: their seat is free, and where they were the host somebody else is."""
    answer = night.answer_of(player)
    events: NightEvents = (e.NightAnswered(player, "", None, now),) if answer is not None else ()
    after = evolve_all(series, events) if events else series
    moved_up = tuple([one.player for one in after.seated() if one in series.waiting()])
    if moved_up:
        events = (*events, *_line(series, NightLineKind.SEAT_FREE, moved_up, night.starts_at))
        after = evolve_all(series, events)
    if player == series.host:
        assert after.night is not None, "an answer ends no series"
        events = (*events, *_replace_host(after, after.night, others_first, now))
    return events


def _note_channel_gone(series: NightSeries, night: Night, channel: int, now: int) -> NightEvents:
    """The channel of the series is deleted: it goes on in another one, or ends where there is none."""
    if channel == series.channel:
        return ()
    if not channel:
        told = _line(series, NightLineKind.ENDED_WITH_CHANNEL, (series.host,), night.starts_at)
        return (*told, e.SeriesEnded(now, e.SeriesEnd.CHANNEL_GONE))
    told = _line(series, NightLineKind.NEW_CHANNEL, _coming(night), night.starts_at)
    return (e.ChannelChosen(channel, now), *told)


def _replace_host(series: NightSeries, night: Night, others_first: frozenset[int], now: int) -> NightEvents:
    """The host has left the server: the first person who is in is the host from now on; where nobody is, the series ends."""
    heirs = [one for one in night.said(NightAnswer.IN) if one.player != series.host]
    if heirs:
        heir = min(heirs, key=lambda one: one.player in others_first)
        told = _line(series, NightLineKind.NEW_HOST, (heir.player,), night.starts_at)
        return (e.HostChanged(heir.player, heir.name, now), *told)
    if night.phase in (NightPhase.OPEN, NightPhase.PLAYED):
        return ()  # it is played first; the next night has no host then
    told = _line(series, NightLineKind.ENDED_WITHOUT_HOST, _coming(night), night.starts_at)
    return (*told, e.SeriesEnded(now, e.SeriesEnd.HOST_GONE))


# lines


def _note_line(series: NightSeries, command: c.NoteLine) -> NightEvents:
    if all(one.number != command.number for one in series.lines):
        return ()
    return (e.LineSending(command.number, command.nonce),) if command.nonce else (e.LineTold(command.number),)


def _line(
    series: NightSeries, kind: NightLineKind, people: tuple[int, ...], starts_at: int, table: int = 0
) -> tuple[e.LineAdded, ...]:
    return (e.LineAdded(series.line_number + 1, kind, people, starts_at, table),)


def _coming(night: Night) -> tuple[int, ...]:
    """Return who is told what becomes of a night: those who are in, and those who may come."""
    return tuple([one.player for one in (*night.said(NightAnswer.IN), *night.said(NightAnswer.MAYBE))])


# who may


def _require_host(series: NightSeries, by: int, *, staff: bool) -> None:
    if by != series.host and not staff:
        raise refusals.NightHostOnly(host=series.host)


def _require_number(night: Night, number: int) -> None:
    if number not in (0, night.number):
        raise refusals.NightOver


def _require_not_open(night: Night) -> None:
    if night.phase in (NightPhase.OPEN, NightPhase.PLAYED):
        raise refusals.NightIsOpen(table=night.table)


def clash(series: NightSeries, channel: int, starts: Sequence[int]) -> bool:
    """Return whether one of the next nights of a series in a channel begins within an hour of one of these times."""
    night = series.night
    if night is None or series.channel != channel:
        return False
    own = [night.starts_at, *_dates(series.schedule, night.local)]
    return any(abs(one - two) < HOUR_MS for one in own for two in starts)


def next_starts(schedule: Schedule) -> list[int]:
    """Return when the first nights of a schedule begin, in ms since the epoch."""
    return [schedule.at(schedule.first), *_dates(schedule, schedule.first)]


def _dates(schedule: Schedule, local: str, count: int = 8) -> list[int]:
    dates: list[int] = []
    while schedule.recurrence is not Recurrence.ONCE and len(dates) < count and (local := schedule.after(local)):
        dates.append(schedule.at(local))
    return dates
