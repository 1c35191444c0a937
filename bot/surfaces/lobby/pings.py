"""Pings that people ask for: that a seat is free at a full table, and that somebody opens a table in their server.

Who asks for a seat is told once, as soon as one is free that nobody on the waiting list gets, and within an hour. Who wants to know of new
tables is told once in a while, until they want it no more. Nobody is told in quiet hours: a seat that is still free when they end is told
then, a new table is not. What was asked for outlives a restart.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import msgspec

from bot.background_tasks import BackgroundTasks
from bot.engine.errors import TableError
from bot.line.api import DiscordApi
from bot.line.failures import DiscordFailed, TryLater
from bot.line.request_queue import Priority, RequestLine, line_of
from bot.line.site import DealerSite
from bot.render.message.panel import Buttons, Raw
from bot.render.table import lobby_board
from bot.runtime.clock import Alarm, AlarmClock
from bot.runtime.errors import TooManyPings
from bot.runtime.saved_values import AT_A_TABLE, IN_A_SERVER, SavedKind, SavedValues, ValueStorage
from bot.runtime.snapshot import TableOutline, TableSnapshot, TableUpdate
from bot.runtime.tables import Tables
from bot.surfaces.direct_messages.hole_cards import DirectMessages
from bot.surfaces.keeper import RETRY_MS, Drawing, Keeper, Location
from bot.surfaces.notices.notices import Concern, Notice, PrivateNotices
from bot.surfaces.part import Part
from bot.surfaces.people.profiles import Preferences
from bot.surfaces.people.quiet_times import QuietTimes
from bot.surfaces.post_once import PostOnce
from bot.table.events import TableOpened
from bot.text import lobby_board as words
from bot.text.language import reading

log = logging.getLogger(__name__)

ASKED_MS = 60 * 60_000
"""Who asked for a seat so long ago has something else to do by now."""
NOTICE_MS = 10 * 60_000
"""How long the notice of a free seat stands, if the seat stays free."""
ASKING_PER_TABLE, ASKING_PER_PERSON = 25, 5
CALLED_PER_SERVER = 100
"""The most people of a server that are told of new tables."""
CALL_AFTER_MS = 15_000
"""A table that was opened by mistake is closed again by then."""
BETWEEN_CALLS_MS = 10 * 60_000
"""In a server people are told of new tables no more often than that."""
CALL_STANDS_MS = 10 * 60_000
"""How long the public mention of a new table stands."""

_ASKED = SavedKind[tuple[int, int], int]("seatping.", AT_A_TABLE, int)
_WANTED = SavedKind[tuple[int, int], str]("opens.", IN_A_SERVER, str)


class SeatPings(Part):
    """Tells people that a seat is free at a table that was full."""

    def __init__(
        self,
        tables: Tables,
        notices: PrivateNotices,
        quiet: QuietTimes,
        storage: ValueStorage,
        clock: AlarmClock,
        site: DealerSite,
    ) -> None:
        self._tables = tables
        self._notices = notices
        self._quiet = quiet
        self._saved = SavedValues(_ASKED, storage)
        self._clock = clock
        self._link = site.link
        self._asked: dict[int, dict[int, int]] = {}
        self._alarms: dict[int, Alarm] = {}
        self._free: set[int] = set()
        self.tasks = BackgroundTasks()
        self._open = False

    def asks(self, table: int, user: int) -> bool:
        """Whether somebody is to be told of a free seat."""
        return self._asked.get(table, {}).get(user, 0) + ASKED_MS > self._clock.now()

    def has_told(self, table: int, user: int) -> bool:
        """Whether somebody has been told of a free seat, and still is: they can take it from where they were told."""
        return self._notices.is_told(table, user, Concern.FREE_SEAT)

    async def ask(self, snapshot: TableOutline, user: int) -> int:
        """Tell somebody as soon as a seat is free. Returns until when they must not be disturbed, in ms since the epoch; 0 if they can be.

        Raises:
            TooManyPings: they have asked at too many tables, or too many people have asked at this one.
            StoreError: it could not be saved.
        """
        table, now = snapshot.id, self._clock.now()
        for each in tuple(self._asked):
            self._forget_old(each, now)
        asking = self._asked.get(table, {})
        if user not in asking:
            own = sum([user in users for users in self._asked.values()])
            if own >= ASKING_PER_PERSON or len(asking) >= ASKING_PER_TABLE:
                raise TooManyPings
        await self._saved.keep((table, user), now)
        self._asked.setdefault(table, {})[user] = now
        self._look(table)  # a seat can have become free meanwhile
        return await self._quiet.until(snapshot.address.guild, user)

    async def stop(self, table: int, user: int) -> None:
        """Somebody does not want to be told any more."""
        if self._asked.get(table, {}).pop(user, None) is not None:
            await self._saved.forget((table, user))

    async def forget(self, guild: int, user: int) -> None:
        for users in self._asked.values():
            users.pop(user, None)

    def on_update(self, change: TableUpdate) -> None:
        """A table has changed. This is called under its lock, so it awaits nothing."""
        table = change.snapshot.id
        if table not in self._asked or not self._open:
            return
        if change.closed:
            for user in self._asked.pop(table):
                self.tasks.run(self._saved.forget((table, user)), "forget-seat-ping")
            self._free.discard(table)
            self._cancel_alarm(table)
        elif not change.snapshot.seats_for_newcomers:
            self._free.discard(table)
        elif table not in self._free:
            self._free.add(table)
            self._look(table)

    async def open(self) -> None:
        """Take up what people asked an earlier run."""
        if self._open:
            return
        self._open = True
        known = {snapshot.id for snapshot in self._tables.all_tables()}
        for (table, user), at in (await self._saved.load()).items():
            if table in known and at + ASKED_MS > self._clock.now():
                self._asked.setdefault(table, {}).setdefault(user, at)
            else:
                await self._saved.forget((table, user))
        for table in tuple(self._asked):
            self._look(table)

    async def close(self) -> None:
        """Stop. Who has not been told is told by the next run."""
        self._open = False
        for alarm in self._alarms.values():
            alarm.cancel()
        await self.tasks.finish(seconds=1.0)

    def _look(self, table: int) -> None:
        self._cancel_alarm(table)
        self.tasks.run(self._tell(table), f"seat-ping-{table}")

    def _cancel_alarm(self, table: int) -> None:
        alarm = self._alarms.pop(table, None)
        if alarm is not None:
            alarm.cancel()

    async def _tell(self, table: int) -> None:
        """Tell those who have asked, if a seat is free for them. Who must not be disturbed is told when their quiet hours end."""
        self._forget_old(table, self._clock.now())
        again_at = 0
        for user in tuple(self._asked.get(table, ())):
            try:
                snapshot = self._tables.snapshot(table)
            except TableError:
                return
            if not snapshot.seats_for_newcomers or not self._open:
                return
            quiet_until = await self._quiet.until(snapshot.address.guild, user)
            if quiet_until:
                again_at = min(again_at or quiet_until, quiet_until)
            elif self._asked.get(table, {}).pop(user, None) is not None:
                await self._tell_one(snapshot, user)
                await self._saved.forget((table, user))
        if again_at and self._open:
            self._cancel_alarm(table)
            self._alarms[table] = self._clock.call_at(again_at, partial(self._look, table))

    async def _tell_one(self, snapshot: TableSnapshot, user: int) -> None:
        guild = snapshot.address.guild
        if snapshot.known_name(user) or not snapshot.admits(user) or self._tables.staff_log.is_banned(guild, user):
            return
        link = f"{self._link}/{guild}/{snapshot.address.channel}"
        draw = partial(lobby_board.free_seat_panel, snapshot.id, snapshot.table, link)
        notice = Notice(draw, Concern.FREE_SEAT, self._clock.now() + NOTICE_MS)
        await self._notices.deliver(snapshot, user, notice)

    def _forget_old(self, table: int, now: int) -> None:
        asking = self._asked.get(table, {})
        for user in [user for user, at in asking.items() if at + ASKED_MS <= now]:
            del asking[user]
            self.tasks.run(self._saved.forget((table, user)), "forget-seat-ping")
        if not asking:
            self._asked.pop(table, None)
            self._free.discard(table)


class PublicCall(msgspec.Struct, frozen=True):
    """The public mention of a new table, as it is saved until it is deleted. Times are in ms since the epoch.

    Attributes:
        message: its id; 0 while it is being sent, or where a dealer was killed then.
    """

    channel: int
    message: int
    until: int


_CALLS = SavedKind[tuple[int, int], PublicCall]("opencall.", ("server", "table"), PublicCall)


class TableCalls(Part):
    """Tells people that somebody has opened a table in their server."""

    def __init__(
        self,
        tables: Tables,
        discord_api: DiscordApi,
        direct_messages: DirectMessages,
        preferences: Preferences,
        quiet: QuietTimes,
        storage: ValueStorage,
        clock: AlarmClock,
        site: DealerSite,
    ) -> None:
        self._tables = tables
        self._discord_api = discord_api
        self._direct_messages = direct_messages
        self._preferences = preferences
        self._quiet = quiet
        self._saved_wanted, self._saved_calls = SavedValues(_WANTED, storage), SavedValues(_CALLS, storage)
        self._clock = clock
        self._link = site.link
        self._wanted: dict[int, dict[int, None]] = {}
        self._called_at: dict[int, int] = {}
        self._calls: dict[int, PublicCall] = {}
        self._alarms: dict[int, Alarm] = {}
        self.keeper = Keeper(discord_api, clock)
        self.tasks = self.keeper.tasks
        self._open = False

    def wants(self, guild: int, user: int) -> bool:
        """Whether somebody is told of new tables in a server."""
        return user in self._wanted.get(guild, {})

    async def set_wanted(self, guild: int, user: int, *, wanted: bool) -> None:
        """Tell somebody of new tables, or no more.

        Raises:
            TooManyPings: too many people of the server are told.
            StoreError: it could not be saved.
        """
        people = self._wanted.setdefault(guild, {})
        if wanted and user not in people and len(people) >= CALLED_PER_SERVER:
            raise TooManyPings
        if wanted:
            await self._saved_wanted.keep((guild, user), "1")
            people[user] = None
        else:
            await self._saved_wanted.forget((guild, user))
            people.pop(user, None)

    async def forget(self, guild: int, user: int) -> None:
        self._wanted.get(guild, {}).pop(user, None)

    def on_update(self, change: TableUpdate) -> None:
        """A table has changed. This is called under its lock, so it awaits nothing."""
        snapshot = change.snapshot
        if change.closed and snapshot.id in self._calls:
            self.tasks.run(self._take_away(snapshot.address.guild, snapshot.id), "delete-call")
        if change.restored or not any(isinstance(event, TableOpened) for event in change.events):
            return
        guild, now = snapshot.address.guild, self._clock.now()
        is_for_all = not (snapshot.is_private or snapshot.settings.practice or snapshot.is_challenge)
        if is_for_all and self._wanted.get(guild) and not self._has_just_called(guild, now):
            call = partial(self._call, snapshot.id, opener=change.requested_by)
            self._clock.call_at(now + CALL_AFTER_MS, lambda: self._start(call))

    def _has_just_called(self, guild: int, now: int) -> bool:
        return now < self._called_at.get(guild, 0) + BETWEEN_CALLS_MS

    def _start(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        if self._open:
            self.tasks.run(work(), "table-call")

    async def open(self) -> None:
        """Take up what people asked an earlier run, and its public mentions."""
        if self._open:
            return
        self._open = True
        for guild, user in await self._saved_wanted.load():
            self._wanted.setdefault(guild, {})[user] = None
        for (guild, table), call in (await self._saved_calls.load()).items():
            self._stands(guild, table, call)
            if not call.message:
                self.tasks.run(self._take_away(guild, table), "delete-call")

    async def close(self) -> None:
        """Stop."""
        self._open = False
        for alarm in self._alarms.values():
            alarm.cancel()
        await self.tasks.finish(seconds=1.0)

    async def _call(self, table: int, *, opener: int) -> None:
        """Tell everybody who wants to know of new tables, by direct message, and those who get none in one public mention."""
        snapshot, now = self._still_open(table), self._clock.now()
        guild = snapshot.address.guild if snapshot is not None else 0
        if snapshot is None or self._has_just_called(guild, now):
            return
        self._called_at[guild] = now
        is_banned = self._tables.staff_log.is_banned
        unreached: list[int] = []
        for user in tuple(self._wanted.get(guild, {})):
            snapshot = self._still_open(table)
            if snapshot is None:
                return
            if user == opener or snapshot.known_name(user) or is_banned(guild, user):
                continue
            if await self._quiet.are_now(guild, user):
                continue
            with reading(self._preferences.language(user)):
                link = f"{self._link}/{guild}/{snapshot.address.channel}"
                panel = lobby_board.table_opened_panel(snapshot.table, guild, link)
            if not await self._direct_messages.send_notice(snapshot, user, panel):
                unreached.append(user)
        if unreached and snapshot is not None:
            await self._mention(snapshot, unreached)

    def _still_open(self, table: int) -> TableSnapshot | None:
        try:
            return self._tables.snapshot(table)
        except TableError:
            return None

    async def _mention(self, snapshot: TableSnapshot, users: list[int]) -> None:
        guild, channel = snapshot.address.guild, snapshot.address.channel
        with reading(self._discord_api.servers.language(guild)):
            content, button = (
                words.public_call(snapshot.table, channel, users),
                lobby_board.called_button(snapshot.id, snapshot.table),
            )
        data: Raw = {
            "content": content,
            "components": [Buttons((button,)).raw()],
            "allowed_mentions": {"parse": [], "users": [str(user) for user in users]},
        }
        key, call = (guild, snapshot.id), PublicCall(channel, 0, self._clock.now() + CALL_STANDS_MS)

        async def save(location: Location) -> None:
            await self._saved_calls.keep(key, msgspec.structs.replace(call, message=location.message))

        at, mark = Location(channel), lobby_board.called_id(snapshot.id)
        post = PostOnce(self.keeper, line_of(snapshot), at, [Drawing(data)], save, mark=mark, priority=Priority.PRIVATE)
        try:
            message = await post.send()
        except DiscordFailed as error:
            log.warning("table_call_failed", extra={"table": snapshot.id, "error": repr(error)})
            await self._saved_calls.forget(key)
            return
        self._stands(guild, snapshot.id, msgspec.structs.replace(call, message=message))
        if self._still_open(snapshot.id) is None:
            await self._take_away(guild, snapshot.id)

    def _stands(self, guild: int, table: int, call: PublicCall) -> None:
        self._calls[table] = call
        self._alarms[table] = self._clock.call_at(
            call.until, lambda: self._start(partial(self._take_away, guild, table))
        )

    async def _take_away(self, guild: int, table: int) -> None:
        call, alarm = self._calls.pop(table, None), self._alarms.pop(table, None)
        if alarm is not None:
            alarm.cancel()
        if call is None:
            return
        line, mark = RequestLine(guild), lobby_board.called_id(table)
        try:
            found = [call.message] if call.message else await self._discord_api.own_messages(line, call.channel, mark)
            for message in found:
                await self._discord_api.delete(line, call.channel, message)
        except TryLater:
            self._stands(guild, table, msgspec.structs.replace(call, until=self._clock.now() + RETRY_MS))
            return
        except DiscordFailed as error:
            log.info("table_call_delete_failed", extra={"channel": call.channel, "error": repr(error)})
        await self._saved_calls.forget((guild, table))
