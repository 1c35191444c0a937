"""What an event makes of a series of nights. It never refuses."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from msgspec.structs import replace

from bot.events.nights import events as e
from bot.events.nights.schedule import local_time
from bot.events.nights.state import Answered, Night, NightLine, NightPhase, NightResult, NightSeries


def evolve(series: NightSeries | None, event: e.NightEvent) -> NightSeries:
    """Return the series after an event. The first one makes it."""
    if isinstance(event, e.SeriesPlanned):
        return NightSeries(
            host=event.host,
            host_name=event.host_name,
            channel=event.channel,
            terms=event.terms,
            schedule=event.schedule,
            planned_at=event.at,
        )
    if isinstance(event, e.SeriesKept):
        return event.series
    assert series is not None, "a series begins by being planned"
    return _evolve(series, event)


def evolve_all(series: NightSeries | None, events: Iterable[e.NightEvent]) -> NightSeries:
    """Return the series after several events, at least one where there was none."""
    for event in events:
        series = evolve(series, event)
    assert series is not None, "a series begins by being planned"
    return series


def _evolve(series: NightSeries, event: e.NightEvent) -> NightSeries:
    match event:
        case e.SeriesPlanned() | e.SeriesKept():
            return series
        case e.NightPlanned():
            phase = NightPhase.ASKED if event.asks_host else NightPhase.PLANNED
            night = Night(event.number, event.local, event.starts_at, event.at, phase)
            return replace(series, night=night)
        case e.HostChanged():
            return replace(series, host=event.host, host_name=event.name)
        case e.ChannelChosen():
            return replace(series, channel=event.channel)
        case e.StandingsChanged():
            return replace(series, rule=event.rule)
        case e.TermsChanged():
            return replace(series, terms=event.terms)
        case e.LineAdded():
            line = NightLine(event.number, event.kind, event.people, event.starts_at, event.table, lacks=event.lacks)
            return replace(series, lines=(*series.lines, line), line_number=event.number)
        case e.LineSending():
            return replace(
                series,
                lines=tuple(
                    replace(one, nonce=event.nonce) if one.number == event.number else one for one in series.lines
                ),
            )
        case e.LineTold():
            return replace(series, lines=tuple(one for one in series.lines if one.number != event.number))
        case e.SeriesEnded():
            return replace(series, night=None)
        case _:
            assert series.night is not None, f"{type(event).__name__} is of a night"
            return _evolve_night(series, series.night, event)


def _evolve_night(
    series: NightSeries,
    night: Night,
    event: e.NightConfirmed
    | e.NightAnswered
    | e.ReminderDue
    | e.NightMoved
    | e.DatesChanged
    | e.NightOpened
    | e.NightDealt
    | e.NightBreak
    | e.NightClosed
    | e.NightFailed,
) -> NightSeries:
    match event:
        case e.NightConfirmed():
            night = replace(night, phase=NightPhase.PLANNED)
            return replace(series, night=replace(night, planned_at=event.at), empty=0)
        case e.NightAnswered():
            return replace(series, night=replace(night, answers=_answers(night, event)))
        case e.ReminderDue():
            return replace(series, night=replace(night, reminded=(*night.reminded, event.reminder)))
        case e.NightMoved():
            return replace(series, night=replace(night, starts_at=event.starts_at, planned_at=event.at, reminded=()))
        case e.DatesChanged():
            return _with_dates(series, night, event)
        case e.NightOpened():
            night = replace(night, phase=NightPhase.OPEN, table=event.table, opened_at=event.at)
            return replace(series, night=night)
        case e.NightDealt():
            return replace(series, night=replace(night, phase=NightPhase.PLAYED, dealt_at=event.at))
        case e.NightBreak():
            return replace(series, night=replace(night, had_break=True))
        case e.NightClosed():
            result = NightResult(night.number, event.at, night.table, event.hands, event.scores)
            return replace(series, results=(*series.results, result), empty=0)
        case e.NightFailed():
            if event.came is None:
                return series
            return replace(series, empty=0 if event.came else series.empty + 1)
        case _:
            assert_never(event)


def _with_dates(series: NightSeries, night: Night, event: e.DatesChanged) -> NightSeries:
    """Return the series with other dates. The night whose table is open is played at its own; the first of the others follows it."""
    schedule = event.schedule
    if night.phase in (NightPhase.OPEN, NightPhase.PLAYED):
        night = replace(night, local=local_time(schedule.zone, event.at))
    else:
        night = replace(night, local=schedule.first, starts_at=event.starts_at, planned_at=event.at, reminded=())
    return replace(series, schedule=schedule, night=night)


def _answers(night: Night, event: e.NightAnswered) -> tuple[Answered, ...]:
    """Return the answers after another one. Who is in keeps their place in the order until they take it back."""
    before = night.answer_of(event.player)
    if event.answer is None:
        return tuple(one for one in night.answers if one.player != event.player)
    after = Answered(event.player, event.name, event.answer, event.at, event.from_event)
    if before is not None and before.answer is event.answer:
        return tuple(after if one.player == event.player else one for one in night.answers)
    return (*(one for one in night.answers if one.player != event.player), after)
