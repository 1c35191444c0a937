"""The lobby: one message per server that lists the open tables and keeps itself up to date.

A board is edited at most once in ten seconds, after everything that the tables send, and only when something that a reader sees has
changed; what changes meanwhile is coalesced. A board that is deleted comes back. Where it cannot be shown any more, its server's staff are
told, with the remedy. A board that is about to be sent is noted before, so a dealer that is killed in between finds its message again
instead of sending another one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from enum import StrEnum
from typing import Protocol

import aiohttp
import discord
import msgspec

from bot.render.message.panel import Raw, payload
from bot.render.table.lobby_board import OPEN_BUTTON, ListedTable, board_panel
from bot.runtime.clock import Alarm, AlarmClock
from bot.runtime.snapshot import TableSnapshot
from bot.runtime.tables import Tables
from bot.runtime.updates import TableUpdate
from bot.text.language import reading
from cogs.ui.background_tasks import BackgroundTasks
from cogs.ui.discord_api import (
    COMPONENTS_V2,
    NOT_ALLOWED,
    SUPPRESS_NOTIFICATIONS,
    THREAD_ARCHIVED,
    UNKNOWN_CHANNEL,
    UNKNOWN_MESSAGE,
    DiscordApi,
    message_data,
)
from cogs.ui.request_queue import Priority, RequestLine

log = logging.getLogger(__name__)

EDIT_MS = 10_000
"""The time between two edits of a board. Discord allows three in twenty seconds of a message that is older than an hour (30046)."""
LINK_MS = 60_000
"""How long after the last edit a board is edited only to lead to the newest message of a table: each hand has a new one."""
REPOST_MS = 20_000
"""The time between two messages of a board, where somebody keeps deleting them; and after Discord failed."""
_KEY, _OUTDATED_KEY = "lobby.", "oldlobby."


class BoardEnd(StrEnum):
    """Why a board is shown no more. The words are stored."""

    GONE = "gone"
    FORBIDDEN = "forbidden"


class BoardStorage(Protocol):
    """Where boards are saved between runs. The store is one."""

    async def values(self, prefix: str) -> dict[str, bytes]: ...

    async def keep(self, key: str, value: bytes | None) -> None: ...


class SavedBoard(msgspec.Struct, frozen=True):
    """A server's board, as it is saved between runs.

    Attributes:
        message: its id; 0 before it is sent.
        nonce: of a message that is about to be sent, or has been by a dealer that was killed then; empty for none.
        ended: why it is shown no more; empty while it is.
    """

    channel: int
    message: int = 0
    nonce: str = ""
    ended: str = ""


class _Board:
    """One server's board.

    Attributes:
        drawn: the components that Discord has; None where that is not known.
        dirty: something may have to be drawn.
        next_at: nothing is sent before that, in ms since the epoch.
        link_alarm: when the links of tables are brought up to date; None while they are.
        is_new: its message is to be looked for before another one is sent.
        outdated: a message that is deleted once another one is there; 0 for none.
    """

    __slots__ = ("alarm", "dirty", "drawn", "guild", "is_new", "link_alarm", "next_at", "outdated", "saved", "worker")

    def __init__(self, guild: int, saved: SavedBoard, *, is_new: bool) -> None:
        self.guild, self.saved, self.is_new = guild, saved, is_new
        self.drawn: list[Raw] | None = None
        self.dirty = False
        self.next_at = self.outdated = 0
        self.alarm: Alarm | None = None
        self.link_alarm: Alarm | None = None
        self.worker: asyncio.Task[None] | None = None


class LobbyBoards:
    """The boards of all servers.

    Attributes:
        edits: how many edits and messages of boards have been sent.
        link_of: returns the address of a table's message; empty while there is none.
    """

    def __init__(self, discord_api: DiscordApi, tables: Tables, storage: BoardStorage, clock: AlarmClock) -> None:
        self._discord_api = discord_api
        self._tables = tables
        self._storage = storage
        self._clock = clock
        self._boards: dict[int, _Board] = {}
        self._seen: dict[int, object] = {}
        self._tasks = BackgroundTasks()
        self._open = False
        self.edits = 0
        self.link_of: Callable[[TableSnapshot], str] = lambda _: ""

    # what staff do

    async def put(self, guild: int, channel: int) -> None:
        """Show a server's board at the end of a channel. The one that it had goes away.

        Raises:
            StoreError: it could not be saved; nothing has changed.
        """
        await self._note_outdated(guild)
        board = _Board(guild, SavedBoard(channel), is_new=False)
        await self._storage.keep(f"{_KEY}{guild}", msgspec.msgpack.encode(board.saved))
        before, self._boards[guild] = self._boards.get(guild), board
        self._redraw(board)
        if before is not None:
            self._take_away(before)

    async def remove(self, guild: int) -> bool:
        """Take a server's board away. Returns whether it had one.

        Raises:
            StoreError: it could not be saved; nothing has changed.
        """
        await self._note_outdated(guild)
        await self._storage.keep(f"{_KEY}{guild}", None)
        board = self._boards.pop(guild, None)
        if board is not None:
            self._take_away(board)
        return board is not None

    async def forget(self, guild: int) -> None:
        """A server has removed the dealer."""
        board = self._boards.pop(guild, None)
        if board is not None:
            self._stop(board)
            await self._storage.keep(f"{_KEY}{guild}", None)

    def channel(self, guild: int) -> int:
        """Return the channel of a server's board; 0 where it has none."""
        board = self._boards.get(guild)
        return board.saved.channel if board is not None and not board.saved.ended else 0

    def ended(self, guild: int) -> tuple[int, BoardEnd] | None:
        """Return the channel in which a server's board can be shown no more, and why; None where nothing is wrong."""
        board = self._boards.get(guild)
        return (board.saved.channel, BoardEnd(board.saved.ended)) if board is not None and board.saved.ended else None

    def is_board(self, message: int) -> bool:
        """Return whether this is the message of any board."""
        return message != 0 and any(board.saved.message == message for board in self._boards.values())

    # what happens

    def on_change(self, change: TableUpdate) -> None:
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
            self._redraw(board)

    def on_message_posted(self, guild: int) -> None:
        """A table of a server has a new message. Its board leads there at its next edit, or soon."""
        board = self._boards.get(guild)
        if board is None or board.link_alarm is not None or board.saved.ended or not self._open:
            return
        at = max(self._clock.now(), board.next_at - EDIT_MS) + LINK_MS
        board.link_alarm = self._clock.call_at(at, lambda: self._link_alarm_rang(board))

    def _link_alarm_rang(self, board: _Board) -> None:
        board.link_alarm = None
        if self._is_current(board):
            self._redraw(board)

    def on_messages_deleted(self, channel: int, messages: frozenset[int]) -> None:
        """Messages were deleted. A board comes back by itself."""
        for board in self._boards.values():
            if board.saved.channel == channel and board.saved.message in messages:
                log.info("lobby_message_deleted", extra={"guild": board.guild, "channel": channel})
                self._lost(board)

    async def on_channel_deleted(self, guild: int, channel: int) -> None:
        """A channel or thread was deleted."""
        board = self._boards.get(guild)
        if board is not None and board.saved.channel == channel and not board.saved.ended:
            await self._end(board, BoardEnd.GONE)

    def on_permissions_changed(self, guild: int) -> None:
        """The dealer may be allowed again to show the board."""
        board = self._boards.get(guild)
        if (
            board is not None
            and board.saved.ended == BoardEnd.FORBIDDEN
            and self._discord_api.can_write(guild, board.saved.channel)
        ):
            board.saved = msgspec.structs.replace(board.saved, ended="")
            board.drawn = None
            self._redraw(board)

    # between runs

    async def open(self) -> None:
        """Take up the boards of an earlier run and bring them up to date. A second call changes nothing."""
        if self._open:
            return
        self._open = True
        for key, value in (await self._storage.values(_KEY)).items():
            guild = int(key.removeprefix(_KEY))
            saved = msgspec.msgpack.decode(value, type=SavedBoard)
            self._boards.setdefault(guild, _Board(guild, saved, is_new=bool(saved.nonce)))
        for key in await self._storage.values(_OUTDATED_KEY):
            guild, channel, message = map(int, key.removeprefix(_OUTDATED_KEY).split("."))
            self._tasks.run(self._delete_outdated(guild, channel, message), f"lobby-delete-{guild}")
        for board in tuple(self._boards.values()):
            if board.saved.ended:
                self.on_permissions_changed(board.guild)
            else:
                self._redraw(board)

    async def close(self) -> None:
        """Stop. What is not shown yet is shown by the next run."""
        self._open = False
        for board in self._boards.values():
            for alarm in (board.alarm, board.link_alarm):
                if alarm is not None:
                    alarm.cancel()
        await self._tasks.finish(seconds=1.0)

    @property
    def pending_tasks(self) -> set[asyncio.Task[object]]:
        """What is on its way to Discord."""
        return self._tasks.pending

    # the worker of one board

    def _redraw(self, board: _Board) -> None:
        """Bring a board up to date as soon as that is allowed."""
        board.dirty = True
        if not self._open or board.worker is not None or board.alarm is not None or board.saved.ended:
            return
        if board.next_at > self._clock.now():
            board.alarm = self._clock.call_at(board.next_at, lambda: self._alarm_rang(board))
        else:
            board.worker = self._tasks.run(self._run_worker(board), f"lobby-{board.guild}")

    def _alarm_rang(self, board: _Board) -> None:
        board.alarm = None
        self._redraw(board)

    async def _run_worker(self, board: _Board) -> None:
        try:
            try:
                await self._update(board)
            except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
                if self._is_current(board):
                    await self._handle_failure(board, error)
        except Exception:
            log.exception("lobby_failed", extra={"guild": board.guild})
            self._try_again(board)
        finally:
            board.worker = None
        if board.dirty and self._is_current(board):
            self._redraw(board)

    async def _update(self, board: _Board) -> None:
        """Bring what Discord shows of a board up to date, once; after everything else that the server's requests wait for."""
        board.dirty = False
        if board.is_new:
            await self._find_message(board)
        if board.saved.message and self._draw(board) == board.drawn:
            return
        await self._discord_api.wait_for_slot(RequestLine(board.guild), Priority.BACKGROUND)
        if not self._is_current(board):
            return
        board.dirty = False
        components = self._draw(board)  # the newest state
        if board.saved.message and components == board.drawn:
            return
        board.next_at = self._clock.now() + (EDIT_MS if board.saved.message else REPOST_MS)
        self.edits += 1
        if board.saved.message:
            message = board.saved.message
            data = message_data(components)
            await self._discord_api.edit(RequestLine(board.guild), board.saved.channel, message, data, priority=None)
            if board.saved.message == message:
                board.drawn = components
        else:
            await self._send(board, components)

    async def _send(self, board: _Board, components: list[Raw]) -> None:
        """Send a board's message. Discord takes one nonce once: a message that arrived although its answer was lost is not sent twice."""
        nonce = board.saved.nonce or f"lobby{self._clock.now()}"
        await self._save(board, msgspec.structs.replace(board.saved, nonce=nonce))
        data = message_data(components) | {"nonce": nonce, "enforce_nonce": True}
        data["flags"] = COMPONENTS_V2 | SUPPRESS_NOTIFICATIONS
        message = await self._discord_api.send(RequestLine(board.guild), board.saved.channel, data, priority=None)
        if not self._is_current(board):  # staff have taken it away meanwhile
            await self._delete(board.guild, board.saved.channel, message)
            return
        await self._save(board, msgspec.structs.replace(board.saved, message=message, nonce=""))
        board.drawn = components
        outdated, board.outdated = board.outdated, 0
        if outdated:
            await self._delete(board.guild, board.saved.channel, outdated)

    async def _find_message(self, board: _Board) -> None:
        """Find the message that was sent when an earlier run was killed. Copies of it go away."""
        found = await self._discord_api.own_messages(RequestLine(board.guild), board.saved.channel, OPEN_BUTTON)
        board.is_new = False
        if found:
            await self._save(board, msgspec.structs.replace(board.saved, message=found[0], nonce=""))
        for message in found[1:]:
            await self._delete(board.guild, board.saved.channel, message)

    def _draw(self, board: _Board) -> list[Raw]:
        with reading(self._discord_api.server_language(board.guild)):
            tables = self._tables.public_tables(board.guild)
            return payload(board_panel([listed(snapshot, self.link_of(snapshot)) for snapshot in tables]))

    async def _handle_failure(
        self, board: _Board, error: discord.HTTPException | aiohttp.ClientError | OSError
    ) -> None:
        fields: dict[str, object] = {"guild": board.guild, "channel": board.saved.channel}
        board.drawn = None
        if not isinstance(error, discord.HTTPException):
            log.warning("lobby_connection_lost", extra=fields | {"error": repr(error)})
            self._try_again(board)
            return
        fields["code"] = error.code
        if error.code == UNKNOWN_CHANNEL:
            await self._end(board, BoardEnd.GONE)
        elif error.code == THREAD_ARCHIVED and error.response.method == "PATCH":
            board.outdated = board.saved.message  # another message opens the thread again
            board.next_at = 0
            self._lost(board)
        elif error.code in NOT_ALLOWED or error.code == THREAD_ARCHIVED:
            await self._end(board, BoardEnd.FORBIDDEN)
        elif error.code == UNKNOWN_MESSAGE:
            self._lost(board)
        elif error.status >= 500 or error.status == 429:
            log.warning("lobby_unavailable", extra=fields)
            self._try_again(board)
        else:
            log.error("lobby_rejected", exc_info=error, extra=fields)

    def _lost(self, board: _Board) -> None:
        """The message is gone: another one follows."""
        board.saved = msgspec.structs.replace(board.saved, message=0, nonce="")
        board.drawn = None
        self._redraw(board)

    def _try_again(self, board: _Board) -> None:
        board.next_at = self._clock.now() + REPOST_MS
        board.dirty = True

    async def _end(self, board: _Board, why: BoardEnd) -> None:
        """Show the board no more, and tell staff."""
        log.warning("lobby_ended", extra={"guild": board.guild, "channel": board.saved.channel, "reason": why.value})
        message = board.saved.message if why is BoardEnd.FORBIDDEN else 0
        self._stop(board)
        await self._save(board, SavedBoard(board.saved.channel, message, ended=why.value))
        await self._tables.staff_log.tell_lobby_ended(board.guild, board.saved.channel, why.value)

    # keeping

    def _is_current(self, board: _Board) -> bool:
        return self._open and self._boards.get(board.guild) is board and not board.saved.ended

    async def _save(self, board: _Board, saved: SavedBoard) -> None:
        board.saved = saved
        if self._boards.get(board.guild) is board:
            await self._storage.keep(f"{_KEY}{board.guild}", msgspec.msgpack.encode(saved))

    def _stop(self, board: _Board) -> None:
        board.dirty = False
        for alarm in (board.alarm, board.link_alarm):
            if alarm is not None:
                alarm.cancel()
        board.alarm = board.link_alarm = None

    async def _note_outdated(self, guild: int) -> None:
        """Note that the message of a server's board is about to be deleted: the next run does it, should this one be killed."""
        board = self._boards.get(guild)
        if board is not None and board.saved.message:
            key = f"{_OUTDATED_KEY}{guild}.{board.saved.channel}.{board.saved.message}"
            await self._storage.keep(key, b"")

    def _take_away(self, board: _Board) -> None:
        """Delete the message of a board that its server has no more. One that is on its way is deleted when it has arrived."""
        self._stop(board)
        if board.saved.message:
            work = self._delete_outdated(board.guild, board.saved.channel, board.saved.message)
            self._tasks.run(work, f"lobby-delete-{board.guild}")

    async def _delete_outdated(self, guild: int, channel: int, message: int) -> None:
        await self._delete(guild, channel, message)
        await self._storage.keep(f"{_OUTDATED_KEY}{guild}.{channel}.{message}", None)

    async def _delete(self, guild: int, channel: int, message: int) -> None:
        try:
            await self._discord_api.delete(RequestLine(guild), channel, message)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("lobby_delete_failed", extra={"guild": guild, "channel": channel, "error": repr(error)})


def listed(snapshot: TableSnapshot, link: str = "") -> ListedTable:
    """Return a table as the lobby lists it. `link` is the address of its message."""
    return ListedTable(snapshot.id, snapshot.address.channel, snapshot.table, link)
