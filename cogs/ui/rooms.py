"""Tables in rooms of their own: a thread, a private thread, or a post of the server's forum.

What is about to be made is noted before it is made, so that a dealer that is killed in between leaves at most an empty thread, which the
next start takes away. When a table has closed, its thread is archived after a while. The members of a private thread follow the
invitations that the table keeps.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Protocol

import aiohttp
import discord
import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bot.render.message.notice import notice_panel
from bot.render.message.panel import Panel, payload
from bot.render.table import rooms as room_panels
from bot.render.table.open_form import Where
from bot.runtime.clock import Alarm, AlarmClock
from bot.runtime.snapshot import TableSnapshot
from bot.runtime.store_types import LAST_FORMER_PLAYER
from bot.runtime.tables import Tables
from bot.runtime.updates import TableUpdate
from bot.table.events import PlayerKeptOut, PlayersInvited, SeatLeft, TableOpened
from bot.table.settings import TableSettings
from bot.text import confirmations as confirmation_words
from bot.text import escape
from bot.text import rooms as words
from bot.text.language import Message, reading, t
from bot.text.lists import join_and
from cogs.ui.background_tasks import BackgroundTasks
from cogs.ui.discord_api import (
    MISSING_PERMISSIONS,
    NOT_ALLOWED,
    TAG_REQUIRED,
    THREAD_ARCHIVED,
    TOO_MANY_THREADS,
    UNKNOWN_CHANNEL,
    DiscordApi,
    Raw,
    message_data,
)
from cogs.ui.interaction import InteractionInfo
from cogs.ui.request_queue import RequestLine, line_of

log = logging.getLogger(__name__)

ARCHIVE_MS = 10 * 60 * 1000
"""How long after its table has closed a thread is archived: people read how it ended, and open another table in it."""
RETRY_MS = 10 * 60 * 1000
"""How long after a failure of Discord it is tried again."""
AUTO_ARCHIVE_MINUTES = 1440
"""Discord archives a thread in which nobody has written for so long; the table's next message opens it again."""
NEWS_THREAD, PUBLIC_THREAD, PRIVATE_THREAD = 10, 11, 12
TAGS_MAX = 20
_NEW, _EMPTY, _ROOM = "room.new.", "room.empty.", "room."


class RoomStorage(Protocol):
    """Where it is saved between runs which threads are tables' own. The store is one."""

    async def values(self, prefix: str) -> dict[str, bytes]: ...

    async def keep(self, key: str, value: bytes | None) -> None: ...


class PlannedRoom(Struct, frozen=True):
    """A thread that is about to be made, or has been by a dealer that was killed then."""

    guild: int
    parent: int
    title: str


class EmptyRoom(Struct, frozen=True):
    """A thread that has been made, and has no table yet."""

    guild: int
    parent: int
    thread: int
    title: str
    private: bool = False


class TableRoom(Struct, frozen=True):
    """Where a table is, if the dealer has made the thread for it or keeps its guests.

    Attributes:
        title: of the thread that was made for it; empty if none was.
        members: ids of the people who have been told that they are invited, and are in a private thread.
    """

    guild: int
    parent: int
    channel: int
    title: str = ""
    private: bool = False
    members: tuple[int, ...] = ()


class CannotOpenRoom(Exception):
    """A table cannot have a room of its own; `panel` says why, and what to do."""

    def __init__(self, panel: Panel) -> None:
        super().__init__()
        self.panel = panel


class Rooms:
    """The threads that the dealer has made for tables.

    Attributes:
        is_quiet: whether a ping about a server would disturb somebody now.
    """

    def __init__(self, discord_api: DiscordApi, tables: Tables, storage: RoomStorage, clock: AlarmClock) -> None:
        self._discord_api = discord_api
        self._tables = tables
        self._storage = storage
        self._clock = clock
        self._tasks = BackgroundTasks()
        self._rooms: dict[int, TableRoom] = {}
        self._alarms: dict[int, Alarm] = {}
        self._member_locks: dict[int, asyncio.Lock] = {}
        self._forum_locks: dict[int, asyncio.Lock] = {}
        self._open = False
        self.is_quiet: Callable[[int, int], Awaitable[bool]] | None = None

    # making a room

    def resolve(self, where: Where, guild: int, forum: int) -> Where:
        """Return where a table opens that was asked for in these words.

        Args:
            forum: the server's forum of tables; 0 for none.
        """
        has_forum = forum != 0 and isinstance(self._discord_api.channel_or_thread(guild, forum), discord.ForumChannel)
        match where:
            case Where.USUAL:
                return Where.FORUM if has_forum else Where.HERE
            case Where.ROOM:
                return Where.FORUM if has_forum else Where.THREAD
            case _:
                return where

    async def make(self, info: InteractionInfo, settings: TableSettings, where: Where, forum: int) -> EmptyRoom:
        """Make a thread or a post for a table.

        Args:
            where: a thread, a private one, or the forum.
            forum: the server's forum of tables; 0 for none.

        Raises:
            CannotOpenRoom: with the reason, and the remedy.
        """
        guild, private = info.guild, where is Where.PRIVATE
        parent = self._parent(info, where, forum)
        is_forum = isinstance(parent, discord.ForumChannel)
        missing = missing_for_room(parent, private=private)
        if missing:
            text = words.missing_permissions(missing, parent.id, forum=is_forum)
            raise CannotOpenRoom(notice_panel(text))
        line = RequestLine(guild, settings.practice)
        with reading(self._discord_api.server_language(guild)):
            title = words.table_title(settings)
        key = f"{_NEW}{info.id}"
        await self._storage.keep(key, msgspec.msgpack.encode(PlannedRoom(guild, parent.id, title)))
        try:
            if isinstance(parent, discord.ForumChannel):
                thread = await self._post(line, parent, title, settings, info.name)
            else:
                body = {
                    "name": title,
                    "auto_archive_duration": AUTO_ARCHIVE_MINUTES,
                    "type": _thread_type(parent, private),
                }
                thread = await self._discord_api.start_thread(
                    line, parent.id, body | ({"invitable": False} if private else {})
                )
        except discord.HTTPException as error:
            await self._storage.keep(key, None)
            log.warning("room_not_made", extra={"guild": guild, "channel": parent.id, "code": error.code})
            raise CannotOpenRoom(notice_panel(_reason(error, parent.id, private=private, forum=is_forum))) from error
        except (aiohttp.ClientError, OSError) as error:  # whether there is one now, the next start finds out
            log.warning("room_not_made", extra={"guild": guild, "channel": parent.id, "error": repr(error)})
            raise CannotOpenRoom(notice_panel(t(words.NOT_OPENED))) from error
        room = EmptyRoom(guild, parent.id, thread, title, private)
        await self._storage.keep(f"{_EMPTY}{thread}", msgspec.msgpack.encode(room))
        await self._storage.keep(key, None)
        return room

    async def used(self, room: EmptyRoom, snapshot: TableSnapshot) -> None:
        """A table has opened in a room."""
        own = TableRoom(room.guild, room.parent, room.thread, room.title, room.private)
        await self._keep(snapshot.id, own)
        await self._storage.keep(f"{_EMPTY}{room.thread}", None)
        if room.private:
            self._sync_later(snapshot)
        else:  # so that the thread stands in the host's own list of channels
            request = self._add(line_of(snapshot), room.thread, snapshot.host)
            self._tasks.run(self._try(request, snapshot.id), f"host-{snapshot.id}")

    async def discard(self, room: EmptyRoom) -> None:
        """Take a thread away in which no table has opened."""
        line = RequestLine(room.guild)
        try:
            try:
                await self._discord_api.delete_channel(line, room.thread)
            except discord.Forbidden:  # who made a thread can archive it, not delete it
                await self._discord_api.edit_channel(line, room.thread, {"archived": True})
        except discord.HTTPException as error:
            if error.code != UNKNOWN_CHANNEL:
                log.warning("room_not_removed", extra={"channel": room.thread, "code": error.code})
                if error.status >= 500 or error.status == 429:
                    return
        except (aiohttp.ClientError, OSError) as error:
            log.warning("room_not_removed", extra={"channel": room.thread, "error": repr(error)})
            return  # the next start tries again
        await self._storage.keep(f"{_EMPTY}{room.thread}", None)

    def _parent(self, info: InteractionInfo, where: Where, forum: int) -> discord.TextChannel | discord.ForumChannel:
        """Return the channel in which a thread is made, or the forum for a post.

        Raises:
            CannotOpenRoom: there is none.
        """
        if where is Where.FORUM:
            found = self._discord_api.channel_or_thread(info.guild, forum) if forum else None
            if not isinstance(found, discord.ForumChannel):
                raise CannotOpenRoom(notice_panel(t(words.FORUM_GONE if forum else words.NO_FORUM)))
            return found
        here = self._discord_api.channel_or_thread(info.guild, info.channel)
        if isinstance(here, discord.Thread):
            here = self._discord_api.channel_or_thread(info.guild, here.parent_id)
        if isinstance(here, discord.ForumChannel) and where is Where.THREAD:
            return here
        if not isinstance(here, discord.TextChannel) or (here.is_news() and where is Where.PRIVATE):
            raise CannotOpenRoom(notice_panel(t(words.NO_THREADS_HERE)))
        return here

    async def _post(
        self, line: RequestLine, forum: discord.ForumChannel, title: str, settings: TableSettings, host: str
    ) -> int:
        with reading(self._discord_api.server_language(forum.guild.id)):
            panel = room_panels.first_post_panel(settings, escape.name(host))
            names = words.tag_names(settings)
        body: Raw = {
            "name": title,
            "auto_archive_duration": AUTO_ARCHIVE_MINUTES,
            "message": message_data(payload(panel)),
            "applied_tags": [str(tag) for tag in await self._tags(line, forum, names)],
        }
        return await self._discord_api.start_thread(line, forum.id, body)

    async def _tags(self, line: RequestLine, forum: discord.ForumChannel, names: tuple[str, ...]) -> list[int]:
        """Return the tags of these names, as far as the forum has them or the dealer can make them."""
        async with self._forum_locks.setdefault(forum.id, asyncio.Lock()):
            mine = forum.permissions_for(forum.guild.me)
            known = [tag.to_dict() | {"id": str(tag.id)} for tag in forum.available_tags]
            found = {tag["name"].casefold() for tag in known}
            new = [{"name": name} for name in names if name.casefold() not in found]
            if new and mine.manage_channels and len(known) + len(new) <= TAGS_MAX:
                try:
                    edited = await self._discord_api.edit_channel(line, forum.id, {"available_tags": [*known, *new]})
                    known = edited["available_tags"]
                except discord.HTTPException as error:  # a post without tags is a post
                    log.warning("forum_tags_not_made", extra={"channel": forum.id, "code": error.code})
        wanted = {name.casefold() for name in names}
        return [
            int(tag["id"])
            for tag in known
            if tag["name"].casefold() in wanted and (mine.manage_threads or not tag.get("moderated"))
        ]

    # what happens to tables

    def on_change(self, change: TableUpdate) -> None:
        """Note what concerns the room of a table, or its guests. This is called under the table's lock."""
        snapshot = change.snapshot
        if any(isinstance(event, TableOpened) for event in change.events):
            self._moved_in(snapshot)
        if change.closed:
            self._member_locks.pop(snapshot.id, None)
            self._archive_later(snapshot.id, ARCHIVE_MS)
        elif snapshot.is_private and any(
            isinstance(event, TableOpened | PlayersInvited | PlayerKeptOut | SeatLeft) for event in change.events
        ):
            self._sync_later(snapshot)

    def _moved_in(self, snapshot: TableSnapshot) -> None:
        """A table has opened. Where another one has closed lately, its thread is this one's now."""
        for table, room in tuple(self._rooms.items()):
            if room.channel == snapshot.address.channel and room.title and table != snapshot.id:
                alarm = self._alarms.pop(table, None)
                if alarm is not None:
                    alarm.cancel()
                del self._rooms[table]
                self._rooms[snapshot.id] = replace(room, members=())
                self._tasks.run(self._hand_over(table, snapshot.id), f"room-{snapshot.id}")

    async def _hand_over(self, before: int, after: int) -> None:
        await self._keep(after, self._rooms[after])
        await self._storage.keep(f"{_ROOM}{before}", None)

    def tables_under(self, guild: int, parent: int) -> tuple[int, ...]:
        """Return the open tables whose threads are in a channel of a server, as far as the dealer has made them."""
        here = [table for table, room in self._rooms.items() if (room.guild, room.parent) == (guild, parent)]
        open_tables = {snapshot.id for snapshot in self._tables.tables_in_guild(guild)}
        return tuple(table for table in here if table in open_tables)

    # the members of private threads

    def _sync_later(self, snapshot: TableSnapshot) -> None:
        if self._open and snapshot.is_private:
            self._tasks.run(self._sync_members(snapshot.id), f"guests-{snapshot.id}")

    async def _sync_members(self, table: int) -> None:
        """Let those be members of a private table's thread who are invited, and tell them; let nobody else be one who has left."""
        async with self._member_locks.setdefault(table, asyncio.Lock()):
            snapshot = next((one for one in self._tables.all_tables() if one.id == table), None)
            if snapshot is None:
                return
            address = snapshot.address
            room = self._rooms.get(table) or TableRoom(address.guild, address.channel, address.channel, private=True)
            wanted = (snapshot.host, *snapshot.invited)
            new = [user for user in dict.fromkeys(wanted) if user not in room.members and user > LAST_FORMER_PLAYER]
            gone = [user for user in room.members if user not in wanted and not snapshot.known_name(user)]
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
            if guests and not await self._try(self._invite(line, snapshot, guests, called), table):
                told = [user for user in told if user not in guests]
            members = tuple(user for user in (*room.members, *told) if user not in left)
            await self._keep(table, replace(room, members=members))
            if (len(told), len(left)) != (len(new), len(gone)) and self._open:
                self._clock.call_at(self._clock.now() + RETRY_MS, lambda: self._sync_later(snapshot))

    def _add(self, line: RequestLine, thread: int, user: int) -> Awaitable[object]:
        return self._discord_api.add_to_thread(line, thread, user)

    def _remove(self, line: RequestLine, thread: int, user: int) -> Awaitable[object]:
        return self._discord_api.remove_from_thread(line, thread, user)

    def _invite(
        self, line: RequestLine, snapshot: TableSnapshot, guests: list[int], called: list[int]
    ) -> Awaitable[object]:
        return self._discord_api.send(line, snapshot.address.channel, self._invitation(snapshot, guests, called))

    async def _must_be_quiet(self, guild: int, user: int) -> bool:
        return self.is_quiet is not None and await self.is_quiet(guild, user)

    def _invitation(self, snapshot: TableSnapshot, guests: list[int], called: list[int]) -> Raw:
        """Return the message that names the guests; only those who are `called` get a notification."""
        with reading(self._discord_api.server_language(snapshot.address.guild)):
            mentions = join_and([f"<@{user}>" for user in guests])
            text = t(confirmation_words.INVITATION, players=mentions, host=f"<@{snapshot.host}>")
        return {"content": text, "allowed_mentions": {"parse": [], "users": [str(user) for user in called]}}

    async def _try(self, request: Awaitable[object], table: int) -> bool:
        """Send a request that matters to nobody's chips. Returns whether Discord has done it, or will never do it."""
        try:
            await request
        except discord.HTTPException as error:
            log.info("room_request_refused", extra={"table": table, "code": error.code})
            return error.status < 500 and error.status != 429
        except (aiohttp.ClientError, OSError) as error:
            log.info("room_request_lost", extra={"table": table, "error": repr(error)})
            return False
        return True

    # archiving

    def _archive_later(self, table: int, delay: int) -> None:
        if table in self._rooms and table not in self._alarms and self._open:
            self._alarms[table] = self._clock.call_at(self._clock.now() + delay, lambda: self._archive_now(table))

    def _archive_now(self, table: int) -> None:
        self._alarms.pop(table, None)
        if self._open:
            self._tasks.run(self._archive(table), f"archive-{table}")

    async def _archive(self, table: int) -> None:
        """Archive the thread of a table that has closed, under a title that says so."""
        room = self._rooms.get(table)
        if room is None:
            return
        if room.title and self._tables.table_in_channel(room.guild, room.channel) is None:
            with reading(self._discord_api.server_language(room.guild)):
                changes = {"name": words.closed_title(room.title), "archived": True}
            try:
                await self._discord_api.edit_channel(RequestLine(room.guild), room.channel, changes)
            except discord.HTTPException as error:
                gone = error.code in {UNKNOWN_CHANNEL, THREAD_ARCHIVED, *NOT_ALLOWED}
                log.info("room_not_archived", extra={"channel": room.channel, "code": error.code})
                if not gone and (error.status >= 500 or error.status == 429):
                    self._archive_later(table, RETRY_MS)
                    return
            except (aiohttp.ClientError, OSError) as error:
                log.info("room_not_archived", extra={"channel": room.channel, "error": repr(error)})
                self._archive_later(table, RETRY_MS)
                return
        self._rooms.pop(table, None)
        await self._storage.keep(f"{_ROOM}{table}", None)

    # starting and stopping

    async def open(self) -> None:
        """Take up what an earlier run left: threads without a table go, those of closed tables are archived, guests are told."""
        if self._open:
            return
        self._open = True
        kept = await self._storage.values(_ROOM)
        known: set[int] = set()
        for key, value in kept.items():
            table = key.removeprefix(_ROOM)
            if table.isdecimal():
                room = self._rooms[int(table)] = msgspec.msgpack.decode(value, type=TableRoom)
                known.add(room.channel)
        open_tables = {snapshot.id: snapshot for snapshot in self._tables.all_tables()}
        for key, value in kept.items():
            if key.startswith(_EMPTY):
                empty = msgspec.msgpack.decode(value, type=EmptyRoom)
                await self._take_up_empty(empty)
                known.add(empty.thread)
        for key, value in kept.items():
            if key.startswith(_NEW):
                await self._take_up_planned(key, msgspec.msgpack.decode(value, type=PlannedRoom), known)
        for closed in self._rooms.keys() - open_tables.keys():
            self._archive_later(closed, ARCHIVE_MS)
        for snapshot in open_tables.values():
            self._sync_later(snapshot)

    async def _take_up_empty(self, room: EmptyRoom) -> None:
        snapshot = self._tables.table_in_channel(room.guild, room.thread)
        if snapshot is not None:  # killed after the table had opened
            await self.used(room, snapshot)
        else:
            await self.discard(room)

    async def _take_up_planned(self, key: str, planned: PlannedRoom, known: set[int]) -> None:
        """Take a thread away that was made by a dealer that did not live to note it."""
        threads = self._discord_api.threads_of(planned.guild)
        if threads is None:
            return  # the server is not there now; the next start looks again
        for thread in threads:
            is_it = (thread.parent_id, thread.name) == (planned.parent, planned.title) and thread.id not in known
            if is_it and self._tables.table_in_channel(planned.guild, thread.id) is None:
                await self.discard(EmptyRoom(planned.guild, planned.parent, thread.id, planned.title))
        await self._storage.keep(key, None)

    async def forget(self, user: int) -> None:
        """Forget a person whose data was deleted."""
        for table, room in tuple(self._rooms.items()):
            if user in room.members:
                await self._keep(table, replace(room, members=tuple(one for one in room.members if one != user)))

    async def close(self) -> None:
        """Finish what is under way, then stop."""
        self._open = False
        for alarm in self._alarms.values():
            alarm.cancel()
        self._alarms.clear()
        await self._tasks.finish(seconds=2.0)

    @property
    def waits_to_archive(self) -> bool:
        """Whether threads of closed tables are to be archived later."""
        return bool(self._alarms)

    @property
    def pending_tasks(self) -> set[asyncio.Task[object]]:
        """What is on its way."""
        return self._tasks.pending

    async def wait_until_idle(self) -> None:
        """Wait until nothing is being sent."""
        while pending := self._tasks.pending:
            await asyncio.wait(pending)

    async def _keep(self, table: int, room: TableRoom) -> None:
        self._rooms[table] = room
        await self._storage.keep(f"{_ROOM}{table}", msgspec.msgpack.encode(room))


def missing_for_room(parent: discord.TextChannel | discord.ForumChannel, *, private: bool) -> list[str]:
    """Return the permissions that the dealer lacks in a channel to open tables in threads of it, by discord.py's names."""
    mine = parent.permissions_for(parent.guild.me)
    needed = ["view_channel", "send_messages_in_threads"]
    if isinstance(parent, discord.ForumChannel):
        needed.insert(1, "send_messages")
    else:
        needed.insert(1, "create_private_threads" if private else "create_public_threads")
    return [name for name in needed if not getattr(mine, name)]


def _thread_type(parent: discord.TextChannel, private: bool) -> int:
    if parent.is_news():
        return NEWS_THREAD
    return PRIVATE_THREAD if private else PUBLIC_THREAD


def _reason(error: discord.HTTPException, parent: int, *, private: bool, forum: bool) -> str:
    """Say why Discord did not make a thread, and what to do."""
    if error.code in NOT_ALLOWED:
        name = "send_messages" if forum else "create_private_threads" if private else "create_public_threads"
        return words.missing_permissions(
            (name,) if error.code == MISSING_PERMISSIONS else ("view_channel",), parent, forum=forum
        )
    if error.code == TAG_REQUIRED:
        return words.missing_permissions(("manage_channels",), parent, forum=True)
    text: Message = words.NOT_OPENED
    if error.code == TOO_MANY_THREADS:
        text = words.TOO_MANY_THREADS
    elif error.code == UNKNOWN_CHANNEL and forum:
        text = words.FORUM_GONE
    return t(text)
