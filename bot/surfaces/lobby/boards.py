"""The lobby: one message per server that lists the open tables and keeps itself up to date.

A board is edited at most once in ten seconds, after everything that the tables send, and only when something that a reader sees has
changed. A board that is deleted comes back. Where it cannot be shown any more, its server's staff are told, with the remedy.
"""

from __future__ import annotations

import logging
from enum import StrEnum

import msgspec
from msgspec.structs import replace

from bot.line.api import DiscordApi
from bot.line.by_token import Token
from bot.line.failures import ChannelGone, DiscordFailed, NotAllowed
from bot.line.payloads import message_data
from bot.line.request_queue import Priority, RequestLine
from bot.render.message.panel import Raw, payload
from bot.render.table.lobby_board import OPEN_BUTTON, ListedTable, board_panel
from bot.runtime.clock import Alarm, AlarmClock
from bot.runtime.saved_values import OF_A_SERVER, SavedKind, SavedValues, ValueStorage
from bot.runtime.snapshot import TableOutline, TableUpdate
from bot.runtime.tables import Tables
from bot.signals import ChannelChanged, ChannelDeleted, GuildLeft, MessagesDeleted, RolesChanged, Signals, TablePosted
from bot.surfaces.keeper import Drawing, Keeper, LiveMessage, Location, Surface
from bot.surfaces.part import Part
from bot.surfaces.table.display import TableDisplay
from bot.text.language import reading

log = logging.getLogger(__name__)

EDIT_MS = 10_000
"""The time between two edits of a board. Discord allows three in twenty seconds of a message that is older than an hour (30046)."""
LINK_MS = 60_000
"""How long after the last edit a board is edited only to lead to the newest message of a table, which seldom moves."""
REPOST_MS = 20_000
"""The time between two messages of a board, where somebody keeps deleting them; and after Discord failed."""
_OUTDATED = SavedKind[tuple[int, int, int], str]("oldlobby.", ("server", "channel", "message"), str)
"""A message that is to be deleted; its key says all of it."""


class BoardEnd(StrEnum):
    """Why a board is shown no more. The words are stored."""

    GONE = "gone"
    FORBIDDEN = "forbidden"


class SavedBoard(msgspec.Struct, frozen=True):
    """A server's board, as it is saved between runs.

    Attributes:
        message, nonce, outdated: as in `Location`.
        ended: why it is shown no more; empty while it is.
    """

    channel: int
    message: int = 0
    nonce: str = ""
    ended: str = ""
    outdated: tuple[int, ...] = ()

    @property
    def location(self) -> Location:
        return Location(self.channel, self.message, nonce=self.nonce, outdated=self.outdated)


_BOARDS = SavedKind[int, SavedBoard]("lobby.", OF_A_SERVER, SavedBoard)


class LobbyBoard(Surface):
    """One server's board.

    Args:
        boards: those of all servers, of which it is one.
    """

    new_message = redraw = Priority.BACKGROUND
    is_silent = True
    replaces_old = False
    retry_ms = REPOST_MS
    mark = OPEN_BUTTON

    def __init__(self, boards: LobbyBoards, guild: int, saved: SavedBoard) -> None:
        self._boards, self.guild, self.saved = boards, guild, saved
        self.live = LiveMessage(boards.keeper, self, saved.location)
        self._sent_at = self._drawn_at = 0
        self._link_alarm: Alarm | None = None

    @property
    def line(self) -> RequestLine:
        return RequestLine(self.guild)

    async def find_channel(self) -> int:
        return self.saved.channel

    def draw(self, location: Location) -> Drawing | None:
        return Drawing(message_data(self._boards.components(self.guild)))

    def new_possible_at(self, now: int) -> int:
        return max(now, self._sent_at + REPOST_MS)

    def possible_at(self, now: int, *, by_token: bool) -> int:
        return max(now, self._drawn_at + EDIT_MS)

    async def save(self, location: Location, token: Token | None) -> None:
        self.saved = replace(self.saved, message=location.message, nonce=location.nonce, outdated=location.outdated)
        await self._boards.save(self)

    async def goes(self, drawing: Drawing, location: Location) -> None:
        now = self._boards.keeper.clock.now()
        if location.message:
            self._drawn_at = now
        else:
            self._sent_at = now
        self._boards.count_edit()

    def arrived(self, drawing: Drawing, location: Location) -> None:
        self._boards.arrived(self, location.message)

    async def take_away(self, location: Location, message: int) -> None:
        await self._boards.keeper.discord_api.delete(self.line, location.channel, message)

    async def failed(self, error: DiscordFailed) -> bool:
        match error:
            case ChannelGone():
                await self._boards.end(self, BoardEnd.GONE)
            case NotAllowed():
                await self._boards.end(self, BoardEnd.FORBIDDEN)
            case _:
                return False
        return True

    def link_later(self) -> None:
        """Lead to the newest message of a table at the next edit, or soon."""
        clock = self._boards.keeper.clock
        if self._link_alarm is None:
            self._link_alarm = clock.call_at(max(clock.now(), self._drawn_at) + LINK_MS, self._link)

    def _link(self) -> None:
        self._link_alarm = None
        self.live.work.wake()

    def stop(self) -> None:
        """Show it no more, or not in this run."""
        self.live.work.stop()
        if self._link_alarm is not None:
            self._link_alarm.cancel()
            self._link_alarm = None

    async def set_end(self, ended: str) -> None:
        """Note why it is shown no more; empty: it is shown again."""
        message = 0 if ended == BoardEnd.GONE else self.saved.message
        self.saved = SavedBoard(self.saved.channel, message, ended=ended)
        await self._boards.save(self)


class LobbyBoards(Part):
    """The boards of all servers.

    Attributes:
        edits: how many edits and messages of boards have been sent.
    """

    def __init__(
        self,
        discord_api: DiscordApi,
        tables: Tables,
        display: TableDisplay,
        storage: ValueStorage,
        clock: AlarmClock,
        signals: Signals,
    ) -> None:
        self._discord_api = discord_api
        self._tables = tables
        self._saved, self._outdated = SavedValues(_BOARDS, storage), SavedValues(_OUTDATED, storage)
        self.keeper = Keeper(discord_api, clock)
        self.tasks = self.keeper.tasks
        self._boards: dict[int, LobbyBoard] = {}
        self._seen: dict[int, object] = {}
        self._open = False
        self.edits = 0
        self._link_of = display.message_link
        signals.on(TablePosted, lambda signal: self.on_message_posted(signal.guild))
        signals.on(MessagesDeleted, lambda signal: self.on_messages_deleted(signal.channel, signal.messages))
        signals.on(ChannelChanged, lambda signal: self.on_permissions_changed(signal.guild))
        signals.on(RolesChanged, lambda signal: self.on_permissions_changed(signal.guild))
        signals.on(ChannelDeleted, self._on_channel_deleted)
        signals.on(GuildLeft, self._on_guild_left)

    # what staff do

    async def put(self, guild: int, channel: int) -> None:
        """Show a server's board at the end of a channel. The one that it had goes away.

        Raises:
            StoreError: it could not be saved; nothing has changed.
        """
        await self._note_outdated(guild)
        board = LobbyBoard(self, guild, SavedBoard(channel))
        await self._saved.keep(guild, board.saved)
        before, self._boards[guild] = self._boards.get(guild), board
        self._show(board)
        if before is not None:
            self._take_away(before)

    async def remove(self, guild: int) -> bool:
        """Take a server's board away. Returns whether it had one.

        Raises:
            StoreError: it could not be saved; nothing has changed.
        """
        await self._note_outdated(guild)
        await self._saved.forget(guild)
        board = self._boards.pop(guild, None)
        if board is not None:
            self._take_away(board)
        return board is not None

    def _on_guild_left(self, signal: GuildLeft) -> None:
        board = self._boards.pop(signal.guild, None)
        if board is not None:
            board.stop()
            self.keeper.tasks.run(self._saved.forget(signal.guild), f"lobby-forget-{signal.guild}")

    def channel(self, guild: int) -> int:
        """Return the channel of a server's board; 0 where it has none."""
        board = self._boards.get(guild)
        return board.saved.channel if board is not None and not board.saved.ended else 0

    def ended(self, guild: int) -> tuple[int, BoardEnd] | None:
        """Return the channel in which a server's board can be shown no more, and why; None where nothing is wrong."""
        board = self._boards.get(guild)
        return (board.saved.channel, BoardEnd(board.saved.ended)) if board is not None and board.saved.ended else None

    def is_board(self, guild: int, message: int) -> bool:
        """Return whether this is the message of a server's board."""
        board = self._boards.get(guild)
        return board is not None and message == board.saved.message != 0

    # what happens

    def on_update(self, change: TableUpdate) -> None:
        """A table has changed. This is called under the table's lock: it compares a few facts, and awaits nothing."""
        snapshot = change.snapshot
        board = self._boards.get(snapshot.address.guild)
        if change.closed:
            self._seen.pop(snapshot.id, None)
        elif board is not None:
            facts = snapshot.lobby_facts
            if self._seen.get(snapshot.id) == facts:
                return
            self._seen[snapshot.id] = facts
        if board is not None:
            board.live.work.wake()

    def on_message_posted(self, guild: int) -> None:
        """A table of a server has a new message. Its board leads there at its next edit, or soon."""
        board = self._boards.get(guild)
        if board is not None and not board.saved.ended and self._open:
            board.link_later()

    def on_messages_deleted(self, channel: int, messages: frozenset[int]) -> None:
        """Messages were deleted. A board comes back by itself."""
        for board in self._boards.values():
            if board.saved.channel == channel and board.live.location.message in messages:
                log.info("lobby_message_deleted", extra={"guild": board.guild, "channel": channel})
                board.live.lose()

    def _on_channel_deleted(self, signal: ChannelDeleted) -> None:
        board = self._boards.get(signal.guild)
        if board is not None and board.saved.channel == signal.channel and not board.saved.ended:
            self.keeper.tasks.run(self.end(board, BoardEnd.GONE), f"lobby-end-{signal.guild}")

    def on_permissions_changed(self, guild: int) -> None:
        """The dealer may be allowed again to show the board."""
        board = self._boards.get(guild)
        if board is None or board.saved.ended != BoardEnd.FORBIDDEN:
            return
        if self._discord_api.servers.can_write(guild, board.saved.channel):
            self._boards[guild] = LobbyBoard(self, guild, replace(board.saved, ended=""))
            self._show(self._boards[guild])

    # between runs

    async def open(self) -> None:
        """Take up the boards of an earlier run and bring them up to date. A second call changes nothing."""
        if self._open:
            return
        self._open = True
        for guild, saved in (await self._saved.load()).items():
            self._boards.setdefault(guild, LobbyBoard(self, guild, saved))
        for key in await self._outdated.load():
            self.keeper.tasks.run(self._delete_outdated(*key), f"lobby-delete-{key[0]}")
        for board in tuple(self._boards.values()):
            if board.saved.ended:
                self.on_permissions_changed(board.guild)
            else:
                self._show(board)

    async def close(self) -> None:
        """Stop. What is not shown yet is shown by the next run."""
        self._open = False
        for board in self._boards.values():
            board.stop()
        await self.keeper.tasks.finish(seconds=1.0)

    # what a board asks for

    def components(self, guild: int) -> list[Raw]:
        """Draw a server's board."""
        with reading(self._discord_api.servers.language(guild)):
            tables = [one for one in self._tables.public_tables(guild) if not one.is_challenge]
            return payload(board_panel([listed(snapshot, self._link_of(snapshot)) for snapshot in tables]))

    def count_edit(self) -> None:
        """A board is sent or edited."""
        self.edits += 1

    def arrived(self, board: LobbyBoard, message: int) -> None:
        """Discord shows a board. One that staff have taken away meanwhile is deleted."""
        if self._boards.get(board.guild) is not board and message:
            self._delete_later(board, message)

    async def save(self, board: LobbyBoard) -> None:
        """Save a board, if it is still its server's."""
        if self._boards.get(board.guild) is board:
            await self._saved.keep(board.guild, board.saved)

    async def end(self, board: LobbyBoard, why: BoardEnd) -> None:
        """Show a board no more, and tell staff."""
        log.warning("lobby_ended", extra={"guild": board.guild, "channel": board.saved.channel, "reason": why.value})
        board.stop()
        await board.set_end(why.value)
        await self._tables.staff_log.tell_lobby_ended(board.guild, board.saved.channel, why.value)

    # keeping

    def _show(self, board: LobbyBoard) -> None:
        board.live.work.wake()
        if self._open:
            board.live.work.start()

    async def _note_outdated(self, guild: int) -> None:
        """Note that the message of a server's board is about to be deleted: the next run does it, should this one be killed."""
        board = self._boards.get(guild)
        if board is not None and board.saved.message:
            await self._outdated.keep((guild, board.saved.channel, board.saved.message), "")

    def _take_away(self, board: LobbyBoard) -> None:
        """Delete the message of a board that its server has no more. One that is on its way is deleted when it has arrived."""
        board.stop()
        if board.saved.message:
            self._delete_later(board, board.saved.message)

    def _delete_later(self, board: LobbyBoard, message: int) -> None:
        work = self._delete_outdated(board.guild, board.saved.channel, message)
        self.keeper.tasks.run(work, f"lobby-delete-{board.guild}")

    async def _delete_outdated(self, guild: int, channel: int, message: int) -> None:
        try:
            await self._discord_api.delete(RequestLine(guild), channel, message)
        except DiscordFailed as error:
            log.info("lobby_delete_failed", extra={"guild": guild, "channel": channel, "error": repr(error)})
        await self._outdated.forget((guild, channel, message))


def listed(snapshot: TableOutline, link: str = "") -> ListedTable:
    """Return a table as the lobby lists it. `link` is the address of its message."""
    return ListedTable(snapshot.id, snapshot.address.channel, snapshot.table, link)
