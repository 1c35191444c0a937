"""Discord's own events of game nights: one for each night that comes, where the bot can create events. Without them it all works the same.

Everybody in a server sees its events, so a night has one only where everybody can read its channel.
Whoever marks the event as interesting counts as Maybe. Somebody who moves the event moves the night; one that somebody deletes does not
come back, and the night takes place. An event that was about to be made when the dealer was killed is looked up.
"""

from __future__ import annotations

import logging
from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import replace

from bot.background_tasks import BackgroundTasks
from bot.engine.errors import TableError
from bot.events.nights.commands import MoveNight, NightCommand, NoteEventGone, NoteInterest
from bot.events.nights.schedule import local_time
from bot.events.nights.state import ANSWERS_MAX, HOUR_MS, MINUTE_MS, Night, NightPhase, NightSeries
from bot.line.api import DiscordApi
from bot.line.failures import DiscordFailed, Gone, NotAllowed, OutcomeUnknown, TryLater
from bot.line.payloads import Raw
from bot.line.scheduled_events import is_over, starts_at
from bot.line.site import DealerSite
from bot.runtime.clock import Alarm, AlarmClock
from bot.runtime.keyed_locks import KeyedLocks
from bot.runtime.nights import Nights, NightsBack, NightsChanged, PlannedSeries
from bot.runtime.saved_values import SavedKind, SavedValues, ValueStorage
from bot.runtime.store_errors import StoreError
from bot.signals import (
    ChannelChanged,
    InterestChanged,
    RolesChanged,
    ScheduledEventChanged,
    ScheduledEventDeleted,
    Signals,
)
from bot.surfaces.part import Part
from bot.surfaces.people.profiles import DisplayNames
from bot.surfaces.post_once import nonce_of
from bot.text import escape
from bot.text import nights as words
from bot.text.language import reading

log = logging.getLogger(__name__)

EXTERNAL, GUILD_ONLY = 3, 2
USUAL_HOURS = 4
"""An event has an end: so long after its start where the night has none by the clock."""
NAME_MAX = 100
RETRY_MS = 60_000


class SavedEvent(Struct, frozen=True):
    """The event of a series, as it is saved between runs.

    Attributes:
        number: the night that it is of.
        event: its id; 0 while there is none.
        starts_at, ends_at, name: as Discord has been told.
        mark: of its description and where it is, as Discord has been told; it holds no name.
        is_asked: it is about to be made, or has been by a dealer that was killed then.
        is_given_up: there is none for this night any more: somebody has deleted it, or Discord takes none.
    """

    number: int = 0
    event: int = 0
    starts_at: int = 0
    ends_at: int = 0
    name: str = ""
    mark: str = ""
    is_asked: bool = False
    is_given_up: bool = False


_EVENTS = SavedKind[tuple[int, int], SavedEvent]("nightevent.", ("server", "occasion"), SavedEvent)
_NONE = SavedEvent()


class NightEvents(Part):
    """Keeps them as they should be."""

    def __init__(
        self,
        nights: Nights,
        discord_api: DiscordApi,
        display_names: DisplayNames,
        storage: ValueStorage,
        clock: AlarmClock,
        site: DealerSite,
        signals: Signals,
    ) -> None:
        self._nights, self._discord_api, self._names, self._clock = nights, discord_api, display_names, clock
        self._link, self._requests = site.link, discord_api.scheduled_events
        self._saved = SavedValues(_EVENTS, storage)
        self._events: dict[tuple[int, int], SavedEvent] = {}
        self._locks = KeyedLocks[int]()
        self._interest = KeyedLocks[tuple[int, int]]()
        self._alarms: dict[int, Alarm] = {}
        self._told: dict[int, list[int]] = {}
        self.tasks = BackgroundTasks()
        self._is_open = False
        signals.on(NightsChanged, lambda signal: self._look(signal.planned))
        signals.on(RolesChanged, lambda signal: self._look_at_server(signal.guild))
        signals.on(ChannelChanged, lambda signal: self._look_at_server(signal.guild))
        signals.on(
            NightsBack, lambda signal: self.tasks.run(self._catch_up(signal.guild, is_back=True), "night-events")
        )
        signals.on(ScheduledEventDeleted, lambda signal: self._on_gone(signal.guild, signal.event))
        signals.on(ScheduledEventChanged, self._on_event_changed)
        signals.on(InterestChanged, self._on_interest)

    async def load(self) -> None:
        self._events = await self._saved.load()

    async def open(self) -> None:
        """Take up the events of an earlier run."""
        if self._is_open:
            return
        self._is_open = True
        with_events = {guild for (guild, _), saved in self._events.items() if saved.event}
        for guild in with_events:
            self.tasks.run(self._catch_up(guild), "night-events-catch-up")
        for one in self._nights.all():
            if one.guild not in with_events:
                self._look(one)
        for guild, id_ in tuple(self._events):
            if self._nights.find(id_) is None:
                self.tasks.run(self._sync(guild, id_, None), f"night-event-{id_}")

    async def close(self) -> None:
        self._is_open = False
        for alarm in self._alarms.values():
            alarm.cancel()
        await self.tasks.finish(seconds=1.0)

    def _look(self, one: PlannedSeries) -> None:
        if self._is_open:
            self.tasks.run(self._sync(one.guild, one.id, one.series), f"night-event-{one.id}")

    def _look_at_server(self, guild: int) -> None:
        for one in self._nights.of_server(guild):
            self._look(one)

    # what should be there

    async def _sync(self, guild: int, id_: int, series: NightSeries | None) -> None:
        """Let the event of a series be as it should be; None for a series that is over."""
        async with self._locks.of(id_):
            planned = self._nights.find(id_)
            series = planned.series if planned is not None else series
            try:
                await self._bring(guild, id_, series)
            except (TryLater, OutcomeUnknown, StoreError) as error:
                log.info("night_event_later", extra={"guild": guild, "occasion": id_, "error": repr(error)})
                self._try_later(guild, id_, series)
            except NotAllowed as error:  # until roles change
                log.info("night_event_not_allowed", extra={"guild": guild, "occasion": id_, "error": repr(error)})
            except DiscordFailed as error:
                log.warning("night_event_refused", extra={"guild": guild, "occasion": id_, "error": repr(error)})
                known = self._events.get((guild, id_), _NONE)
                await self._keep((guild, id_), replace(known, is_given_up=True, is_asked=False))

    def _try_later(self, guild: int, id_: int, series: NightSeries | None) -> None:
        alarm = self._alarms.pop(id_, None)
        if alarm is not None:
            alarm.cancel()
        if self._is_open:

            def again() -> None:
                del self._alarms[id_]
                self.tasks.run(self._sync(guild, id_, series), f"night-event-{id_}")

            self._alarms[id_] = self._clock.call_at(self._clock.now() + RETRY_MS, again)

    async def _bring(self, guild: int, id_: int, series: NightSeries | None) -> None:
        key = guild, id_
        known = self._events.get(key, _NONE)
        if known.is_asked:
            known = replace(known, event=await self._find_asked(guild, series, known), is_asked=False)
            await self._keep(key, known)
        night = series.night if series is not None else None
        if night is None or series is None or known.number != night.number:
            await self._take_away(key, known)
            known = SavedEvent(night.number) if night is not None else _NONE
        if night is None or series is None:
            if key in self._events:
                del self._events[key]
                await self._saved.forget(key)
            return
        servers = self._discord_api.servers
        is_open = servers.is_open_to_all(guild, series.channel)
        if not is_open and servers.channel_or_thread(guild, series.channel) is not None:
            if known.event:
                await self._take_away(key, known)
                await self._keep(key, SavedEvent(night.number))
            return
        too_late = night.starts_at <= self._clock.now() + MINUTE_MS
        if known.is_given_up or night.phase is not NightPhase.PLANNED or too_late:
            return
        if not servers.can_create_events(guild) or not (
            known.event or is_open
        ):  # of an archived thread nothing is known
            return
        wanted = _wanted(series, night, known)
        body = self._body(guild, series, night, wanted)
        wanted = replace(wanted, mark=nonce_of(body["description"], body["entity_metadata"]["location"]))
        if not known.event:
            await self._make(key, wanted, body)
        elif wanted != known:
            self._told.setdefault(id_, []).append(wanted.starts_at)
            await self._requests.edit(guild, known.event, body)
            await self._keep(key, wanted)

    async def _make(self, key: tuple[int, int], wanted: SavedEvent, body: Raw) -> None:
        await self._keep(key, replace(wanted, is_asked=True))
        event = await self._requests.create(key[0], body)
        await self._keep(key, replace(wanted, event=event, is_asked=False))

    async def _find_asked(self, guild: int, series: NightSeries | None, known: SavedEvent) -> int:
        """Return the id of an event that was about to be made; 0 where it has not come about."""
        mine, others = str(self._discord_api.by_token.application), {str(one.event) for one in self._events.values()}
        here = f"{self._link}/{guild}/{series.channel}" if series is not None else ""
        for one in await self._requests.of_server(guild):
            place = (one.get("entity_metadata") or {}).get("location", "")
            is_same = (one.get("creator_id"), one.get("name"), starts_at(one)) == (mine, known.name, known.starts_at)
            is_here = place == here or nonce_of(one.get("description") or "", place) == known.mark
            if is_same and is_here and one["id"] not in others:
                return int(one["id"])
        return 0

    async def _take_away(self, key: tuple[int, int], known: SavedEvent) -> None:
        """Delete the event of a night that is over or called off."""
        self._told.pop(key[1], None)
        if not known.event:
            return
        self._events[key] = replace(known, event=0)  # the gateway tells of it, too
        try:
            await self._requests.delete(key[0], known.event)
        except (TryLater, OutcomeUnknown):
            self._events[key] = known
            raise
        except DiscordFailed as error:  # it is gone, or not ours to delete any more
            if not isinstance(error, Gone):
                log.info("night_event_left", extra={"guild": key[0], "error": repr(error)})

    def _body(self, guild: int, series: NightSeries, night: Night, wanted: SavedEvent) -> Raw:
        with reading(self._discord_api.servers.language(guild)):
            description = words.event_description(series, night)
        return {
            "name": wanted.name,
            "description": description,
            "scheduled_start_time": _iso(wanted.starts_at),
            "scheduled_end_time": _iso(wanted.ends_at),
            "privacy_level": GUILD_ONLY,
            "entity_type": EXTERNAL,
            "entity_metadata": {"location": f"{self._link}/{guild}/{series.channel}"},
        }

    async def _keep(self, key: tuple[int, int], event: SavedEvent) -> None:
        await self._saved.keep(key, event)
        self._events[key] = event

    # what people do with events

    def _find(self, guild: int, event: int) -> tuple[tuple[int, int], PlannedSeries] | None:
        """Return the series whose event this is, with its key; None for an event of somebody else."""
        key = next((key for key, one in self._events.items() if key[0] == guild and one.event == event != 0), None)
        planned = self._nights.find(key[1]) if key is not None else None
        return (key, planned) if key is not None and planned is not None else None

    def _on_gone(self, guild: int, event: int) -> None:
        found = self._find(guild, event)
        if found is not None:
            key, one = found
            self._events[key] = replace(self._events[key], event=0, is_given_up=True)
            self.tasks.run(self._note_gone(key, one), f"night-event-{one.id}")

    async def _note_gone(self, key: tuple[int, int], one: PlannedSeries) -> None:
        await self._keep(key, self._events[key])
        await self._ask(one, NoteEventGone())

    def _on_event_changed(self, signal: ScheduledEventChanged) -> None:
        found = self._find(signal.guild, signal.event)
        if found is None:
            return
        key, one = found
        night = one.series.night
        if night is None or night.number != self._events[key].number or night.phase is not NightPhase.PLANNED:
            return
        told = self._told.get(one.id, [])
        if signal.is_over:
            self._on_gone(signal.guild, signal.event)
        elif signal.starts_at in told:
            # Discord repeats what it was told, in order; a second time it is somebody else. What the gateway lost comes no more.
            del told[: told.index(signal.starts_at) + 1]
        elif signal.starts_at != night.starts_at:
            self.tasks.run(self._move(key, one, signal.starts_at), f"night-event-{one.id}")

    async def _move(self, key: tuple[int, int], one: PlannedSeries, starts_at: int) -> None:
        """Somebody who can has moved the event: the night moves with it. Where it cannot, the event comes back to its time."""
        event = replace(self._events[key], starts_at=starts_at)
        await self._keep(key, event)
        local = local_time(one.series.schedule.zone, starts_at)
        try:
            move = MoveNight(0, local, staff=True, number=event.number, at=starts_at)
            await self._nights.reschedule(one.id, move)
        except (TableError, StoreError) as error:
            log.info("night_event_not_followed", extra={"occasion": one.id, "error": repr(error)})
        self._look(one)

    def _on_interest(self, signal: InterestChanged) -> None:
        found = self._find(signal.guild, signal.event)
        if found is not None and signal.user != self._discord_api.by_token.application:
            self.tasks.run(self._note_interest(found[1], signal), f"night-interest-{signal.user}")

    async def _catch_up(self, guild: int, *, is_back: bool = False) -> None:
        """Follow what people have done with the events of a server while the dealer was away.

        Args:
            is_back: the bot has been invited again. An event that is gone went with it, and comes back.
        """
        known = {key: saved for key, saved in self._events.items() if key[0] == guild and saved.event}
        try:
            listed = await self._requests.of_server(guild) if known else []
            there = {int(one["id"]): one for one in listed if not is_over(one)}
            for key, saved in known.items():
                event = there.get(saved.event)
                if event is None and is_back:
                    await self._keep(key, SavedEvent(saved.number))
                else:
                    self._follow(key, saved, event)
        except (DiscordFailed, StoreError) as error:
            log.info("night_events_not_read", extra={"guild": guild, "error": repr(error)})
        for one in self._nights.of_server(guild):
            self._look(one)
            event_id = self._events.get((guild, one.id), _NONE).event
            if event_id:
                self.tasks.run(self._read_interest(one, event_id), f"night-event-{one.id}")

    def _follow(self, key: tuple[int, int], saved: SavedEvent, event: Raw | None) -> None:
        """Follow what somebody has done with an event; None: it is gone. One that is over by the clock is nobody's doing."""
        if event is not None and starts_at(event) != saved.starts_at:
            self._on_event_changed(ScheduledEventChanged(key[0], saved.event, starts_at(event), is_over=False))
        elif event is None and saved.starts_at > self._clock.now():
            self._on_event_changed(ScheduledEventChanged(key[0], saved.event, saved.starts_at, is_over=True))

    async def _read_interest(self, one: PlannedSeries, event: int) -> None:
        """Note who has become interested, or no longer is, while the dealer was away."""
        try:
            interested = await self._requests.interested(one.guild, event)
        except DiscordFailed as error:
            log.info("night_interest_not_read", extra={"occasion": one.id, "error": repr(error)})
            return
        answers = one.series.night.answers if one.series.night is not None else ()
        before = {each.player for each in answers if each.from_event}
        new = interested.users - {each.player for each in answers} - {self._discord_api.by_token.application}
        for user in sorted(new)[: ANSWERS_MAX - len(answers)]:
            await self._note_interest(one, InterestChanged(one.guild, event, user, is_interested=True))
        for user in sorted(before - interested.users) if interested.is_all else ():
            await self._note_interest(one, InterestChanged(one.guild, event, user, is_interested=False))

    async def _note_interest(self, one: PlannedSeries, signal: InterestChanged) -> None:
        async with self._interest.of((one.id, signal.user)):  # one after the other, as they came
            names = await self._names.of(signal.guild, [signal.user]) if signal.is_interested else {}
            name = names.get(signal.user) or ""
            await self._ask(one, NoteInterest(signal.user, name, signal.is_interested))

    async def _ask(self, one: PlannedSeries, command: NightCommand) -> None:
        try:
            await self._nights.ask(one.id, command)
        except (TableError, StoreError) as error:
            log.info("night_event_not_followed", extra={"occasion": one.id, "error": repr(error)})


def _wanted(series: NightSeries, night: Night, known: SavedEvent) -> SavedEvent:
    """Return the event as Discord should have it."""
    length = series.terms.minutes * MINUTE_MS or USUAL_HOURS * HOUR_MS
    return replace(
        known,
        number=night.number,
        starts_at=night.starts_at,
        ends_at=night.starts_at + length,
        name=escape.plain_name(series.terms.name, NAME_MAX),
    )


def _iso(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).isoformat()
