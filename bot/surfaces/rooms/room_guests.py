"""The members of private tables' threads follow the invitations that the tables keep."""

from __future__ import annotations

import logging
from collections.abc import Awaitable

from msgspec.structs import replace

from bot.engine.errors import TableError
from bot.line.api import DiscordApi
from bot.line.failures import DiscordFailed, TryLater
from bot.line.payloads import Raw
from bot.line.request_queue import Priority, RequestLine, line_of
from bot.runtime.clock import AlarmClock
from bot.runtime.keyed_locks import KeyedLocks
from bot.runtime.snapshot import TableOutline, TableSnapshot, TableUpdate
from bot.runtime.store_types import LAST_FORMER_PLAYER
from bot.runtime.tables import Tables
from bot.signals import RoomTaken, Signals
from bot.surfaces.keeper import Drawing, Keeper, Location
from bot.surfaces.part import Part
from bot.surfaces.people.quiet_times import QuietTimes
from bot.surfaces.post_once import PostOnce
from bot.surfaces.rooms.saved_rooms import TableRoom, TableRooms
from bot.table.events import PlayerKeptOut, PlayersInvited, SeatLeft, TableOpened
from bot.text import confirmations as confirmation_words
from bot.text.formatting import join_and
from bot.text.language import reading, t
from bot.text.rooms import what_others_see

log = logging.getLogger(__name__)

RETRY_MS = 10 * 60 * 1000
"""How long after a failure of Discord it is tried again."""


class RoomGuests(Part):
    """Lets those be members of a thread who are invited, and tells them."""

    def __init__(
        self,
        discord_api: DiscordApi,
        tables: Tables,
        rooms: TableRooms,
        quiet: QuietTimes,
        clock: AlarmClock,
        signals: Signals,
    ) -> None:
        self._discord_api, self._tables, self._rooms = discord_api, tables, rooms
        self._quiet, self._clock = quiet, clock
        self._keeper = Keeper(discord_api, clock)
        self.tasks = self._keeper.tasks
        self._member_locks = KeyedLocks[int]()
        self._leaving: dict[int, set[int]] = {}
        """By table: who is to leave its thread and stands in nothing that is saved any more."""
        self._open = False
        signals.on(RoomTaken, self._on_room_taken)

    async def open(self) -> None:
        """Tell those whom an earlier run has not told."""
        self._open = True
        for snapshot in self._tables.all_tables():
            self._sync_later(snapshot)

    async def close(self) -> None:
        self._open = False
        await self.tasks.finish(seconds=2.0)

    def on_update(self, update: TableUpdate) -> None:
        if update.closed:
            self._leaving.pop(update.snapshot.id, None)
        elif update.snapshot.is_private and any(
            isinstance(event, TableOpened | PlayersInvited | PlayerKeptOut | SeatLeft) for event in update.events
        ):
            self._sync_later(update.snapshot)

    def _on_room_taken(self, signal: RoomTaken) -> None:
        room = self._rooms.of(signal.table)
        try:
            snapshot = self._tables.snapshot(signal.table)
        except TableError:
            return
        if snapshot.is_private:
            self._sync_later(snapshot)
        elif room is not None:  # so that the thread stands in the host's own list of channels
            request = self._add(line_of(snapshot), room.channel, snapshot.host)
            self.tasks.run(self._try(request, snapshot.id), f"host-{snapshot.id}")

    async def forget(self, guild: int, user: int) -> None:
        for table, room in self._rooms.all():
            if user in room.members:
                await self._rooms.keep(table, replace(room, members=tuple(one for one in room.members if one != user)))
                if (snapshot := self._table(table)) is not None:
                    self._leaving.setdefault(table, set()).add(user)
                    self._sync_later(snapshot)

    def _sync_later(self, snapshot: TableOutline) -> None:
        if self._open and snapshot.is_private:
            self.tasks.run(self._sync_members(snapshot.id), f"guests-{snapshot.id}")

    def _table(self, table: int) -> TableSnapshot | None:
        """Return a table; None if it has closed."""
        return self._tables.find(table)

    async def _sync_members(self, table: int) -> None:
        """Let those be members of a private table's thread who are invited, and tell them; let nobody else be one who has left."""
        async with self._member_locks.of(table):
            snapshot = self._table(table)
            if snapshot is None:
                return
            address = snapshot.address
            room = self._rooms.of(table) or TableRoom(address.guild, address.channel, address.channel)
            leaving = self._leaving.pop(table, set())
            wanted = _wanted(snapshot)
            new = [user for user in wanted if user not in room.members and user > LAST_FORMER_PLAYER]
            gone = [
                user
                for user in dict.fromkeys((*room.members, *leaving))
                if user not in wanted and not snapshot.known_name(user)
            ]
            if not (new or gone):
                return
            line = line_of(snapshot)
            is_own = bool(room.title) and room.private
            told = [
                user for user in new if not is_own or await self._try(self._add(line, address.channel, user), table)
            ]
            left = [
                user for user in gone if not is_own or await self._try(self._remove(line, address.channel, user), table)
            ]
            guests = [user for user in told if user != snapshot.host]
            called = [user for user in guests if not await self._must_be_quiet(address.guild, user)]
            if guests and not await self._try(self._invite(room, snapshot, guests, called), table):
                told = [user for user in told if user not in guests]
            await self._note(room, snapshot, told, left, leaving)
            if (len(told), len(left)) != (len(new), len(gone)) and self._open:
                self._clock.call_at(self._clock.now() + RETRY_MS, lambda: self._sync_later(snapshot))

    async def _note(
        self, room: TableRoom, snapshot: TableSnapshot, told: list[int], left: list[int], leaving: set[int]
    ) -> None:
        """Save who is in the thread now. Meanwhile the table can have closed, a guest been removed, and somebody's data been deleted."""
        table = snapshot.id
        now = self._table(table)
        if now is None:
            return
        room = self._rooms.of(table) or room
        welcome = [user for user in told if user in _wanted(now) or now.known_name(user)]
        if still := {*leaving, *told}.difference(left, welcome, room.members):
            self._leaving.setdefault(table, set()).update(still)
            if len(welcome) < len(told):
                self._sync_later(now)
        members = tuple(user for user in dict.fromkeys((*room.members, *welcome)) if user not in left)
        await self._rooms.keep(table, replace(room, members=members, inviting=""))

    def _add(self, line: RequestLine, thread: int, user: int) -> Awaitable[object]:
        return self._discord_api.add_to_thread(line, thread, user)

    def _remove(self, line: RequestLine, thread: int, user: int) -> Awaitable[object]:
        return self._discord_api.remove_from_thread(line, thread, user)

    async def _invite(self, room: TableRoom, snapshot: TableSnapshot, guests: list[int], called: list[int]) -> None:
        async def save(location: Location) -> None:
            if not location.message:  # that they are told is saved with the members
                await self._rooms.keep(
                    snapshot.id, replace(self._rooms.of(snapshot.id) or room, inviting=location.nonce)
                )

        at = Location(snapshot.address.channel, nonce=room.inviting)
        drawing = Drawing(self._invitation(snapshot, guests, called))
        await PostOnce(self._keeper, line_of(snapshot), at, [drawing], save, priority=Priority.PRIVATE).send()

    async def _must_be_quiet(self, guild: int, user: int) -> bool:
        return await self._quiet.are_now(guild, user)

    def _invitation(self, snapshot: TableSnapshot, guests: list[int], called: list[int]) -> Raw:
        """Return the message that names the guests; only those who are `called` get a notification."""
        with reading(self._discord_api.servers.language(snapshot.address.guild)):
            mentions = join_and([f"<@{user}>" for user in guests])
            text = t(confirmation_words.INVITATION, players=mentions, host=f"<@{snapshot.host}>")
            text += f"\n{what_others_see(snapshot.settings)}"
        return {"content": text, "allowed_mentions": {"parse": [], "users": [str(user) for user in called]}}

    async def _try(self, request: Awaitable[object], table: int) -> bool:
        """Send a request that matters to nobody's chips. Returns whether Discord has done it, or will never do it."""
        try:
            await request
        except DiscordFailed as error:
            log.info("room_request_failed", extra={"table": table, "error": repr(error)})
            return not isinstance(error, TryLater)
        return True


def _wanted(snapshot: TableSnapshot) -> tuple[int, ...]:
    """Return whom the table lets in, its host first."""
    return tuple(dict.fromkeys((snapshot.host, *snapshot.invited)))
