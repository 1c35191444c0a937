"""The series of game nights of all servers: one writer each, saved before anybody sees it.

A series is an occasion of the store: its journal is read at the start, and each command is decided, saved, remembered and told, in this
order. What the dealer does for a night at its table is done by `bot.surfaces.nights.evenings`, and noted here afterwards.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Collection, Iterable, Sequence
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from bot.events.nights import commands as c
from bot.events.nights import events as e
from bot.events.nights import refusals
from bot.events.nights.decide import clash, decide, next_starts
from bot.events.nights.evolve import evolve_all
from bot.events.nights.schedule import Schedule
from bot.events.nights.state import NightLine, NightLineKind, NightSeries, NightTerms
from bot.runtime.caps import TooMany
from bot.runtime.clock import AlarmClock
from bot.runtime.errors import NotInServer
from bot.runtime.keyed_locks import KeyedLocks
from bot.runtime.operations import command_label
from bot.runtime.request import Request
from bot.runtime.store_types import Cause, Commit, OccasionChange, SavedOccasion
from bot.runtime.tables import Tables
from bot.signals import Signals
from bot.store.store import Store
from bot.table.validate_settings import validate_settings

KIND = "night"
SERIES_PER_HOST, SERIES_PER_SERVER = 5, 25
KEPT_AFTER = 400
"""After so many events the journal keeps the whole series, so that no start reads more than those, however old the series is."""
READ_AT_ONCE, EVENTS_AT_ONCE = 20, 200
"""So many series are read from the store at a time, and so many of their events are carried out before others have a turn: a few ms."""


class PlannedSeries(Struct, frozen=True):
    """A series that is not over, with where it is kept.

    Attributes:
        id: of its occasion.
        seq: the number of the next event in its journal.
        first: the number of the event that a start begins with.
    """

    id: int
    guild: int
    seq: int
    series: NightSeries
    first: int = 1


class NightsChanged(Struct, frozen=True):
    """A signal: this has happened to a series, and is saved. `over`: nothing comes any more, and nothing is left to tell."""

    planned: PlannedSeries
    events: tuple[e.NightEvent, ...]
    over: bool = False


class NightsBack(Struct, frozen=True):
    """A signal: the series of a server are known again, which has invited the bot again."""

    guild: int


class Nights:
    """All series that are not over.

    Args:
        signals: hear of every change (`NightsChanged`).
    """

    def __init__(self, store: Store, tables: Tables, clock: AlarmClock, signals: Signals) -> None:
        self._store, self._tables, self._clock, self._signals = store, tables, clock, signals
        self._series: dict[int, PlannedSeries] = {}
        self._by_table: dict[int, int] = {}
        self._locks = KeyedLocks[int]()
        self._planning = KeyedLocks[int]()

    async def load(self, guild: int = 0) -> dict[int, NightSeries]:
        """Read the series of a server from the store, or those of all servers. Nobody changes them meanwhile.

        Returns what was known of them until then, by id.
        """
        async with contextlib.AsyncExitStack() as held:
            await held.enter_async_context(self._planning.of(guild))
            for id_ in sorted(one.id for one in self._series.values() if guild in (0, one.guild)):
                await held.enter_async_context(self._locks.of(id_))
            planned = [one async for one in self._read_open(guild)]
            before = {one.id: one.series for one in self._series.values() if guild in (0, one.guild)}
            for id_ in before:
                self._forget(id_)
            for one in planned:
                self._remember(one)
        return before

    async def _read_open(self, guild: int) -> AsyncIterator[PlannedSeries]:
        """Read the journals of the open series of a server, or of all, by id. Each is as long as its series is old: others have their turn
        meanwhile, and no more than a few are in memory."""
        after = 0
        while saved := await self._store.open_occasions(guild, KIND, after=after, count=READ_AT_ONCE):
            for one in saved:
                events, series = _from_kept(one), None
                for start in range(0, len(events), EVENTS_AT_ONCE):
                    series = evolve_all(series, events[start : start + EVENTS_AT_ONCE])
                    await asyncio.sleep(0)
                assert series is not None, "a series begins by being planned"
                yield PlannedSeries(one.record.id, one.record.guild, one.seq, series, one.first)
            after = saved[-1].record.id

    async def come_back(self, guild: int) -> None:
        """A server has invited the bot again: its series go on. Errors as in `load`."""
        await self.load(guild)
        if self.of_server(guild):
            self._signals.send(NightsBack(guild))

    def forget_guild(self, guild: int) -> None:
        """The bot has left a server: its series wait until it comes back."""
        for one in self.of_server(guild):
            self._forget(one.id)

    # reading

    def all(self) -> tuple[PlannedSeries, ...]:
        """Return all series, by id."""
        return tuple([self._series[id_] for id_ in sorted(self._series)])

    def of_server(self, guild: int) -> tuple[PlannedSeries, ...]:
        """Return the series of a server, by the start of their next nights."""
        found = [one for one in self._series.values() if one.guild == guild]
        return tuple(sorted(found, key=lambda one: (one.series.night.starts_at if one.series.night else 0, one.id)))

    def find(self, id_: int) -> PlannedSeries | None:
        """Return a series by its id; None if it is over, or never was."""
        return self._series.get(id_)

    def require(self, guild: int, id_: int) -> PlannedSeries:
        """Return a series of a server.

        Raises:
            NoSuchNight: it is over, or of another server.
        """
        found = self._series.get(id_)
        if found is None or found.guild != guild or found.series.has_ended:
            raise refusals.NoSuchNight
        return found

    def can_begin_with(self, guild: int, table: int) -> bool:
        """Return whether the game of a table is offered as a night: where there are nights, and it was none of them."""
        known = self.of_server(guild)
        played = {result.table for one in known for result in one.series.results}
        played |= {one.series.night.table for one in known if one.series.night is not None}
        return bool(known) and table not in played

    async def past(self, id_: int) -> PlannedSeries | None:
        """Read a series from the store, also one that is over; None if there is none."""
        saved = await self._store.occasion(id_)
        return _planned(saved) if saved is not None and saved.record.kind == KIND else None

    def owed_to(self, host: int) -> tuple[tuple[PlannedSeries, NightLine], ...]:
        """Return what is still to be told to the host of series alone, in all servers of this dealer."""
        ended = [one for one in self.all() if one.series.has_ended]
        return tuple(
            [(one, line) for one in ended for line in one.series.lines if is_owed(line) and host in line.people]
        )

    def at_table(self, table: int) -> PlannedSeries | None:
        """Return the series whose night is played at a table; None if there is none."""
        return self._series.get(self._by_table.get(table, 0))

    # changing

    async def plan(self, request: Request, terms: NightTerms, schedule: Schedule) -> PlannedSeries:
        """Plan a series of nights in the channel of the request. Who asks is its host.

        Raises:
            NotInServer.
            TableError: they could not open its tables either.
            TooManyNights, NightsClash, NightInPast, NightTooFar, NightPlayersOutOfBounds, NightTooLong.
            NoSuchNight: the request was carried out before, and the series is over.
        """
        guild, now = request.guild, self._clock.now()
        if not guild:
            raise NotInServer
        with contextlib.suppress(*TooMany):  # by then they can have closed one
            await self._tables.require_may_open(request, terms.settings)
        async with self._planning.of(guild):
            command = c.PlanSeries(request.user, request.name, request.channel, terms, schedule)
            events = decide(None, command, now)
            if await self._store.receipt(request.key) is None:
                self._require_room(request, schedule)
            change = OccasionChange(kind=KIND, events=events)
            cause = Cause(request.key, request.user, now, command_label(c.PlanSeries))
            receipt = await self._store.commit(Commit(guild=guild, cause=cause, occasion=change))
            if receipt.repeated:
                return self.require(guild, receipt.occasion)
            series = evolve_all(None, events)
            planned = PlannedSeries(receipt.occasion, guild, 1 + len(events), series)
            self._remember(planned)
        self._signals.send(NightsChanged(planned, events))
        return planned

    async def ask(self, id_: int, command: c.NightCommand, *, key: str = "", user: int = 0) -> PlannedSeries:
        """Carry out a command. Returns the series afterwards.

        Args:
            key: of the request; empty for what the dealer notes.
            user: who asks; 0 for the dealer.

        Raises:
            NoSuchNight: it is over.
            DataBeingDeleted: that of the person.
            TableError: it is refused, or could not be saved; nothing has changed.
        """
        if isinstance(command, c.ChangeTerms):
            validate_settings(command.terms.settings)
        async with self._locks.of(id_):
            before = self._series.get(id_)
            if before is None:
                raise refusals.NoSuchNight
            person = command.by if isinstance(command, c.AnswerNight | c.NoteInterest) else user
            self._tables.deletions.require_none(before.guild, person)
            now = self._clock.now()
            events = decide(before.series, command, now)
            if not events:
                return before
            series = evolve_all(before.series, events)
            is_over = series.has_ended and not series.lines
            keeps = not is_over and before.seq - before.first >= KEPT_AFTER
            saved = (*events, e.SeriesKept(series)) if keeps else events
            change = OccasionChange(id=id_, seq=before.seq, events=saved, keeps=keeps, closes=is_over)
            label = command_label(type(command))
            cause = Cause(key or f"night:{id_}:{before.seq}", user, now, label)
            receipt = await self._store.commit(Commit(guild=before.guild, cause=cause, occasion=change))
            if receipt.repeated:
                return before
            first = before.seq if keeps else before.first
            after = PlannedSeries(id_, before.guild, before.seq + len(saved), series, first)
            if is_over:
                self._forget(id_)
            else:
                self._remember(after)
        self._signals.send(NightsChanged(after, events, is_over))
        return after

    async def reschedule(
        self, id_: int, command: c.MoveNight | c.ChangeDates, *, key: str = "", user: int = 0
    ) -> PlannedSeries:
        """Carry out a command that gives nights another time, as `ask` does.

        Raises:
            NightsClash: another night is in the channel then; and what `ask` raises.
        """
        found = self._series.get(id_)
        if found is None:
            raise refusals.NoSuchNight
        async with self._planning.of(found.guild):
            schedule = found.series.schedule
            if isinstance(command, c.MoveNight):
                starts = [command.at or schedule.at(command.local)]
            else:
                starts = next_starts(replace(schedule, first=command.first, recurrence=command.recurrence))
            others = [one for one in self.of_server(found.guild) if one.id != id_]
            _require_no_clash(others, found.series.channel, starts)
            return await self.ask(id_, command, key=key, user=user)

    async def hand_over(self, id_: int, command: c.HandOverSeries, *, key: str = "", user: int = 0) -> PlannedSeries:
        """Carry out a command that gives a series another host, as `ask` does.

        Raises:
            HostHasEnoughNights; DataBeingDeleted, of either of them; and what `ask` raises.
        """
        found = self._series.get(id_)
        if found is None:
            raise refusals.NoSuchNight
        async with self._planning.of(found.guild):
            self._tables.deletions.require_none(found.guild, command.to)
            others = [one.series for one in self.of_server(found.guild) if one.id != id_ and not one.series.has_ended]
            if sum(one.host == command.to for one in others) >= SERIES_PER_HOST:
                raise refusals.HostHasEnoughNights(host=command.to, maximum=SERIES_PER_HOST)
            return await self.ask(id_, command, key=key, user=user)

    async def note_gone(self, guild: int, users: Collection[int]) -> None:
        """People are no longer in a server, or are banned there: in all of its series their seats are free, and where they were the host
        somebody else is, first of all one who can host one more. Others have their turn between two series.

        Raises:
            TableError: it could not be noted everywhere; it can be done again.
        """
        async with self._planning.of(guild):
            for one in self.of_server(guild):
                for user in [user for user in users if _takes_part(one.series, user)]:
                    with contextlib.suppress(refusals.NoSuchNight):  # it has ended with its host
                        await self.ask(one.id, c.NoteGone(user, self._host_enough(guild) | set(users)))

    def _host_enough(self, guild: int) -> frozenset[int]:
        """Return who hosts as many series of a server as one person can."""
        hosts = Counter(one.series.host for one in self.of_server(guild) if not one.series.has_ended)
        return frozenset(host for host, count in hosts.items() if count >= SERIES_PER_HOST)

    async def forget(self, guild: int, user: int) -> None:
        """Somebody's data was deleted: the journals have a pseudonym, and nobody of that name comes any more."""
        concerned = [one.id for one in self.of_server(guild) if _knows(one.series, user)]
        if not concerned:
            return
        before = await self.load(guild)
        for id_ in concerned:
            was, now = before.get(id_), self._series.get(id_)
            if was is None or now is None or was.night is None or now.series.night is None:
                continue
            pairs = zip(was.night.answers, now.series.night.answers, strict=True)
            former = next((new.player for old, new in pairs if old.player == user), 0)
            former = former or (now.series.host if was.host == user else 0)
            if former:
                await self.ask(id_, c.NoteGone(former, self._host_enough(guild)))

    # inside

    def _remember(self, planned: PlannedSeries) -> None:
        self._forget(planned.id)
        self._series[planned.id] = planned
        night = planned.series.night
        if night is not None and night.table:
            self._by_table[night.table] = planned.id

    def _forget(self, id_: int) -> None:
        before = self._series.pop(id_, None)
        night = before.series.night if before is not None else None
        if night is not None and self._by_table.get(night.table) == id_:
            del self._by_table[night.table]

    def _require_room(self, request: Request, schedule: Schedule) -> None:
        """Check that a host and a server can have one more series, at that time in that channel.

        Raises:
            TooManyNights, NightsClash.
        """
        known = [one for one in self.of_server(request.guild) if not one.series.has_ended]
        own = [one for one in known if one.series.host == request.user]
        if len(own) >= SERIES_PER_HOST:
            raise refusals.TooManyNights(maximum=SERIES_PER_HOST, of_server=False)
        if len(known) >= SERIES_PER_SERVER:
            raise refusals.TooManyNights(maximum=SERIES_PER_SERVER, of_server=True)
        _require_no_clash(known, request.channel, next_starts(schedule))


def _require_no_clash(known: Iterable[PlannedSeries], channel: int, starts: Sequence[int]) -> None:
    """Check that no other night is in a channel within an hour of these times.

    Raises:
        NightsClash.
    """
    for one in known:
        if clash(one.series, channel, starts) and one.series.night is not None:
            raise refusals.NightsClash(name=one.series.terms.name, starts_at=one.series.night.starts_at)


def is_owed(line: NightLine) -> bool:
    """Return whether a line is told to the host alone, as no channel can be told."""
    return line.kind is NightLineKind.ENDED_WITH_CHANNEL


def told_of(saved: SavedOccasion, user: int) -> str:
    """Write down what is kept about a person in a series, for them: its name, their part in it; empty for nothing. In a series that is over
    it is how often they have answered."""
    series = _planned(saved).series
    answer = series.night.answer_of(user) if series.night is not None else None
    played = sum(one.player == user for result in series.results for one in result.scores)
    parts = ["host"] if series.host == user else []
    parts += [answer.answer] if answer is not None else []
    answered = sum(isinstance(event, e.NightAnswered) and event.player == user for event in saved.events)
    parts += [f"answered {answered}"] if answered and series.has_ended else []
    parts += [f"played {played}"] if played else []
    parts += ["over"] if parts and series.has_ended else []
    return f"{series.terms.name}: {', '.join(parts)}" if parts else ""


def _from_kept(saved: SavedOccasion) -> Sequence[e.NightEvent]:
    """Return the events that tell all that a series is: of a row that holds the whole of it, what comes before says no more."""
    events = cast("Sequence[e.NightEvent]", saved.events)
    kept = [at for at, event in enumerate(events) if isinstance(event, e.SeriesKept)]
    return events[kept[-1] :] if kept else events


def _planned(saved: SavedOccasion) -> PlannedSeries:
    series = evolve_all(None, cast("Iterable[e.NightEvent]", saved.events))
    return PlannedSeries(saved.record.id, saved.record.guild, saved.seq, series)


def _takes_part(series: NightSeries, user: int) -> bool:
    """Return whether somebody is the host, or has answered to the next night."""
    return series.night is not None and (series.host == user or series.night.answer_of(user) is not None)


def _knows(series: NightSeries, user: int) -> bool:
    night = series.night
    in_night = night is not None and night.answer_of(user) is not None
    in_results = any(one.player == user for result in series.results for one in result.scores)
    return series.host == user or in_night or in_results or any(user in line.people for line in series.lines)
