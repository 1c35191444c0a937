"""Tables in rooms of their own: a thread, a private thread, or a post of the server's forum.

What is about to be made is noted before it is made, so that a dealer that is killed in between leaves at most an empty thread, which the
next start takes away. One that was made although Discord's answer was lost is looked up and used.
"""

from __future__ import annotations

import logging

import discord

from bot.line.api import DiscordApi
from bot.line.failures import UNKNOWN_CHANNEL, DiscordFailed, NotAllowed, OutcomeUnknown, TryLater
from bot.line.interaction import InteractionInfo
from bot.line.payloads import Raw, message_data
from bot.line.request_queue import RequestLine
from bot.render.message.notice import notice_panel
from bot.render.message.panel import payload
from bot.render.table import rooms as room_panels
from bot.render.table.open_form import Where
from bot.runtime.keyed_locks import KeyedLocks
from bot.runtime.saved_values import SavedValues, ValueStorage
from bot.runtime.snapshot import TableSnapshot
from bot.runtime.tables import Tables
from bot.signals import RoomTaken, Signals
from bot.surfaces.part import Part
from bot.surfaces.rooms.refusals import CannotOpenRoom, missing_for_room, reason_not_made
from bot.surfaces.rooms.saved_rooms import EMPTY_ROOMS, PLANNED_ROOMS, EmptyRoom, PlannedRoom, TableRoom, TableRooms
from bot.table.settings import TableSettings
from bot.text import escape
from bot.text import rooms as words
from bot.text.language import reading, t

log = logging.getLogger(__name__)

AUTO_ARCHIVE_MINUTES = 1440
"""Discord archives a thread in which nobody has written for so long; the table's next message opens it again."""
NEWS_THREAD, PUBLIC_THREAD, PRIVATE_THREAD = 10, 11, 12
TAGS_MAX = 20


class RoomMaker(Part):
    """Makes threads and posts for tables, and takes away those without one."""

    def __init__(
        self, discord_api: DiscordApi, tables: Tables, rooms: TableRooms, storage: ValueStorage, signals: Signals
    ) -> None:
        self._discord_api, self._tables, self._rooms, self._signals = discord_api, tables, rooms, signals
        self._empty, self._planned = SavedValues(EMPTY_ROOMS, storage), SavedValues(PLANNED_ROOMS, storage)
        self._left_empty: dict[int, EmptyRoom] = {}
        self._left_planned: dict[int, PlannedRoom] = {}
        self._forum_locks = KeyedLocks[int]()

    async def load(self) -> None:
        self._left_planned, self._left_empty = await self._planned.load(), await self._empty.load()

    async def open(self) -> None:
        """Take up what an earlier run left: threads without a table go."""
        for empty in self._left_empty.values():
            await self._take_up_empty(empty)
        for click, planned in self._left_planned.items():
            await self._take_up_planned(click, planned)

    def resolve(self, where: Where, guild: int, forum: int) -> Where:
        """Return where a table opens that was asked for in these words.

        Args:
            forum: the server's forum of tables; 0 for none.
        """
        has_forum = forum != 0 and isinstance(
            self._discord_api.servers.channel_or_thread(guild, forum), discord.ForumChannel
        )
        match where:
            case Where.USUAL:
                return Where.FORUM if has_forum else Where.HERE
            case Where.ROOM:
                return Where.FORUM if has_forum else Where.THREAD
            case _:
                return where

    def has_own(self, table: int) -> bool:
        """Return whether the dealer has made a thread or a post for a table."""
        room = self._rooms.of(table)
        return room is not None and bool(room.title)

    async def make(
        self, info: InteractionInfo, settings: TableSettings, where: Where, forum: int, *, duel: bool = False
    ) -> EmptyRoom:
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
        line = RequestLine(guild, settings.practice)
        with reading(self._discord_api.servers.language(guild)):
            title, tags = words.table_title(settings, duel=duel), words.tag_names(settings)
        missing = missing_for_room(parent, private=private)
        if not missing and isinstance(parent, discord.ForumChannel) and _lacks_a_tag(parent, tags):
            missing = ["manage_channels"]
        if missing:
            text = words.missing_permissions(missing, parent.id, forum=is_forum)
            raise CannotOpenRoom(notice_panel(text), missing)
        await self._planned.keep(info.id, PlannedRoom(guild, parent.id, title))
        try:
            thread = await self._start(info, line, parent, title, settings, private=private)
        except DiscordFailed as error:
            log.warning("room_not_made", extra={"guild": guild, "channel": parent.id, "error": repr(error)})
            if not error.status:  # whether there is one now, the next start finds out
                raise CannotOpenRoom(notice_panel(t(words.NOT_OPENED))) from error
            await self._planned.forget(info.id)
            text = reason_not_made(error, parent.id, private=private, forum=is_forum)
            raise CannotOpenRoom(notice_panel(text)) from error
        room = EmptyRoom(guild, parent.id, thread, title, private)
        await self._empty.keep(thread, room)
        await self._planned.forget(info.id)
        return room

    async def used(self, room: EmptyRoom, snapshot: TableSnapshot) -> None:
        """A table has opened in a room."""
        own = TableRoom(room.guild, room.parent, room.thread, room.title, room.private)
        await self._rooms.keep(snapshot.id, own)
        await self._empty.forget(room.thread)
        self._signals.send(RoomTaken(snapshot.id))

    async def _start(
        self,
        info: InteractionInfo,
        line: RequestLine,
        parent: discord.TextChannel | discord.ForumChannel,
        title: str,
        settings: TableSettings,
        *,
        private: bool,
    ) -> int:
        """Start a thread or a post, once: one whose making Discord did not confirm is looked up."""
        try:
            if isinstance(parent, discord.ForumChannel):
                return await self._post(line, parent, title, settings, info.name)
            kind = _thread_type(parent, private)
            body = {"name": title, "auto_archive_duration": AUTO_ARCHIVE_MINUTES, "type": kind}
            return await self._discord_api.start_thread(
                line, parent.id, body | ({"invitable": False} if private else {})
            )
        except OutcomeUnknown as lost:
            try:
                found = await self._discord_api.find_thread(line, info.guild, parent.id, title, after=info.id)
            except DiscordFailed:
                raise lost from None
            if not found or self._rooms.is_known(found):
                raise
            log.info("room_found", extra={"guild": info.guild, "channel": found})
            return found

    async def discard(self, room: EmptyRoom) -> None:
        """Take a thread away in which no table has opened."""
        line = RequestLine(room.guild)
        try:
            try:
                await self._discord_api.delete_channel(line, room.thread)
            except NotAllowed:  # who made a thread can archive it, not delete it
                await self._discord_api.edit_channel(line, room.thread, {"archived": True})
        except DiscordFailed as error:
            if error.code != UNKNOWN_CHANNEL:
                log.warning("room_not_removed", extra={"channel": room.thread, "error": repr(error)})
            if isinstance(error, TryLater):
                return  # the next start tries again
        await self._empty.forget(room.thread)

    def _parent(self, info: InteractionInfo, where: Where, forum: int) -> discord.TextChannel | discord.ForumChannel:
        """Return the channel in which a thread is made, or the forum for a post.

        Raises:
            CannotOpenRoom: there is none.
        """
        if where is Where.FORUM:
            found = self._discord_api.servers.channel_or_thread(info.guild, forum) if forum else None
            if not isinstance(found, discord.ForumChannel):
                raise CannotOpenRoom(notice_panel(t(words.FORUM_GONE if forum else words.NO_FORUM)))
            return found
        here = self._discord_api.servers.channel_or_thread(info.guild, info.channel)
        if isinstance(here, discord.Thread):
            here = self._discord_api.servers.channel_or_thread(info.guild, here.parent_id)
        if isinstance(here, discord.ForumChannel) and where is Where.THREAD:
            return here
        if not isinstance(here, discord.TextChannel) or (here.is_news() and where is Where.PRIVATE):
            raise CannotOpenRoom(notice_panel(t(words.NO_THREADS_HERE)))
        return here

    async def _post(
        self, line: RequestLine, forum: discord.ForumChannel, title: str, settings: TableSettings, host: str
    ) -> int:
        with reading(self._discord_api.servers.language(forum.guild.id)):
            panel = room_panels.first_post_panel(title, escape.name(host))
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
        async with self._forum_locks.of(forum.id):
            mine = forum.permissions_for(forum.guild.me)
            known = [tag.to_dict() | {"id": str(tag.id)} for tag in forum.available_tags]
            found = {tag["name"].casefold() for tag in known}
            new = [{"name": name} for name in names if name.casefold() not in found]
            if new and mine.manage_channels and len(known) + len(new) <= TAGS_MAX:
                try:
                    edited = await self._discord_api.edit_channel(line, forum.id, {"available_tags": [*known, *new]})
                    known = edited["available_tags"]
                except DiscordFailed as error:  # a post without tags is a post
                    log.warning("forum_tags_not_made", extra={"channel": forum.id, "code": error.code})
        wanted = {name.casefold() for name in names}
        return [
            int(tag["id"])
            for tag in known
            if tag["name"].casefold() in wanted and (mine.manage_threads or not tag.get("moderated"))
        ]

    async def _take_up_empty(self, room: EmptyRoom) -> None:
        snapshot = self._tables.table_in_channel(room.guild, room.thread)
        if snapshot is not None:  # killed after the table had opened
            await self.used(room, snapshot)
        else:
            await self.discard(room)

    async def _take_up_planned(self, click: int, planned: PlannedRoom) -> None:
        """Take a thread away that was made by a dealer that did not live to note it."""
        threads = self._discord_api.servers.threads(planned.guild)
        if threads is None:
            return  # the server is not there now; the next start looks again
        known = {*self._left_empty, *(room.channel for _, room in self._rooms.all())}
        for thread in threads:
            is_it = (thread.parent_id, thread.name) == (planned.parent, planned.title) and thread.id not in known
            if is_it and self._tables.table_in_channel(planned.guild, thread.id) is None:
                await self.discard(EmptyRoom(planned.guild, planned.parent, thread.id, planned.title))
        await self._planned.forget(click)


def _thread_type(parent: discord.TextChannel, private: bool) -> int:
    if parent.is_news():
        return NEWS_THREAD
    return PRIVATE_THREAD if private else PUBLIC_THREAD


def _lacks_a_tag(forum: discord.ForumChannel, names: tuple[str, ...]) -> bool:
    """Return whether a forum demands a tag of every post, and has none that fits and that the dealer can use or make."""
    mine = forum.permissions_for(forum.guild.me)
    wanted = {name.casefold() for name in names}
    usable = [tag for tag in forum.available_tags if mine.manage_threads or not tag.moderated]
    fits = any(tag.name.casefold() in wanted for tag in usable)
    return forum.flags.require_tag and not fits and not mine.manage_channels
