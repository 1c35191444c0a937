"""Hole cards by direct message (DM): one silent message for each player and table, sent in parallel, awaited by nobody.

The message is edited at each deal and when its player gets further private cards, never for the board; after 50 minutes there is a new
one. While it waits for the bot's limit of requests, only the newest state of the hand is kept for it. A player whose DMs are closed is told
so once, privately, and gets none until they turn them on again. Where Discord limits DMs, that says nothing about the player: their choice
stays, their panel *My hand* opens by itself instead, and the DMs come again when they can.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

import aiohttp
import discord
import msgspec
from msgspec import Struct

from bot.engine.errors import TableError
from bot.render.hand import private_panels
from bot.render.message.panel import Panel, Raw, payload
from bot.runtime.request import INTERACTION
from bot.runtime.snapshot import TableSnapshot
from bot.text.cards import Emojis
from bot.text.language import reading
from cogs.ui.discord_api import (
    COMPONENTS_V2,
    NO_MENTIONS,
    SUPPRESS_NOTIFICATIONS,
    TOO_MANY_OLD_EDITS,
    UNKNOWN_MESSAGE,
    AttachedFile,
    DiscordApi,
    message_data,
)
from cogs.ui.dm_channels import CLOSED_DM, LIMITS, ChannelsLimited, DmChannels
from cogs.ui.members import Members
from cogs.ui.preferences import Preferences
from cogs.ui.private_answers import PrivateAnswers
from cogs.ui.request_queue import Priority, RequestLine, line_of
from cogs.ui.scenes import EmojiDecks, scene_of

log = logging.getLogger(__name__)

MESSAGE_AGE_MAX_MS = 50 * 60 * 1000
"""A message this old is replaced by a new one, because Discord throttles edits of messages older than an hour (30046)."""


_KEY = "cards_dm."


class SessionMessageStorage(Protocol):
    """Where the ids of sessions' messages are saved between runs. The store is one."""

    async def values(self, prefix: str) -> dict[str, bytes]: ...

    async def keep(self, key: str, value: bytes | None) -> None: ...


class SavedSessionMessage(Struct, frozen=True):
    """A player's DM at a table, as it is saved between runs."""

    channel: int
    message: int
    sent_at: int


class _SessionMessage:
    """The DM of one player at one table.

    Attributes:
        message: its id; 0 before it is sent.
        sent_at: when it was sent, in ms since the epoch.
        due: the newest state that is to be sent; None once it is on its way. An older one that still waits is not sent any more.
        is_sending: a task sends what is due.
        cause: the interaction that made it due, for the log; "" for none.
    """

    __slots__ = ("cause", "channel", "due", "is_sending", "message", "sent_at")

    def __init__(self) -> None:
        self.channel = self.message = self.sent_at = 0
        self.due: TableSnapshot | None = None
        self.cause = ""
        self.is_sending = False

    def take_due(self) -> TableSnapshot | None:
        """Return what is due, for whoever sends it now."""
        snapshot, self.due = self.due, None
        return snapshot


class DirectMessages:
    """Sends hole cards.

    Attributes:
        members: finds out whom Discord refuses a message to because they have left the server.
        open_panel: shows a player their panel unasked, if that is possible.
        snapshot_of: an open table by its id; raises TableGone.
    """

    def __init__(
        self,
        discord_api: DiscordApi,
        answers: PrivateAnswers,
        emoji_decks: EmojiDecks,
        preferences: Preferences,
        channels: DmChannels,
        members: Members,
        storage: SessionMessageStorage,
        link: str,
    ) -> None:
        self._storage = storage
        self._answers = answers
        self._discord_api = discord_api
        self._emoji_decks = emoji_decks
        self._preferences = preferences
        self._link = link
        self._channels = channels
        self.members = members
        self._messages: dict[tuple[int, int], _SessionMessage] = {}
        self._unnotified: set[int] = set()
        self._waiting: set[tuple[int, int]] = set()
        self._tasks: set[asyncio.Task[Any]] = set()
        self.open_panel: Callable[[TableSnapshot, int], None] | None = None
        self.snapshot_of: Callable[[int], TableSnapshot] | None = None

    async def load(self) -> None:
        """Take up the messages of an earlier run that can still be edited: a restart sends nobody a second one."""
        for key, value in (await self._storage.values(_KEY)).items():
            saved = msgspec.msgpack.decode(value, type=SavedSessionMessage)
            if self._is_old(saved.sent_at):
                await self._storage.keep(key, None)
                continue
            table, user = key.removeprefix(_KEY).split(".")
            message = self._messages.setdefault((int(table), int(user)), _SessionMessage())
            message.channel, message.message, message.sent_at = saved.channel, saved.message, saved.sent_at

    def _is_old(self, sent_at: int) -> bool:
        return self._answers.now() - sent_at > MESSAGE_AGE_MAX_MS

    def open_channel(self, snapshot: TableSnapshot, user: int) -> None:
        """Open the channel of a player who has just clicked, so that it is there when they are dealt in. Nobody waits for it."""
        if self._preferences.wants_dms(user):
            self._channels.open_ahead(user, line_of(snapshot))

    def send_hole_cards(self, snapshot: TableSnapshot, users: tuple[int, ...]) -> None:
        """Send each of these players their own cards."""
        for user in users:
            if user > 0 and self._preferences.wants_dms(user):
                message = self._messages.setdefault((snapshot.id, user), _SessionMessage())
                message.due, message.cause = snapshot, INTERACTION.get()
                if not message.is_sending:
                    message.is_sending = True
                    self._spawn(self._send_due(message, user), f"dm-{user}")

    async def send_notice(
        self, snapshot: TableSnapshot, user: int, panel: Panel, *, is_silent: bool = False
    ) -> tuple[int, int] | None:
        """Send a player a message that notifies them, unless it `is_silent`. Returns its channel and id; None if they want no DMs or it was
        refused."""
        if not self._preferences.wants_dms(user):
            return None
        flags = COMPONENTS_V2 | SUPPRESS_NOTIFICATIONS if is_silent else COMPONENTS_V2
        data: Raw = {"flags": flags, "components": payload(panel), "allowed_mentions": NO_MENTIONS}
        try:
            channel = await self._channels.channel(user, line_of(snapshot))
            return channel, await self._discord_api.send(line_of(snapshot), channel, data)
        except ChannelsLimited:
            log.info("dm_channel_waits", extra={"table": snapshot.id, "user": user})
        except discord.HTTPException as error:
            log.info("dm_notice_refused", extra={"table": snapshot.id, "user": user, "code": error.code})
            if error.code in CLOSED_DM:
                await self._on_dm_refused(snapshot, user)
            elif error.code in LIMITS:
                self._channels.note_limit(error)
        except (aiohttp.ClientError, OSError) as error:
            log.warning("dm_notice_connection_lost", extra={"user": user, "error": repr(error)})
        return None

    def take_session(self, table: int, user: int) -> SavedSessionMessage | None:
        """Let the message of a player's cards become something else; None if there is none that can still be edited."""
        message = self._messages.pop((table, user), None)
        if message is None:
            return None
        message.due = None
        self._spawn(self._storage.keep(f"{_KEY}{table}.{user}", None), "forget-dm")
        if not message.message or self._is_old(message.sent_at):
            return None
        return SavedSessionMessage(message.channel, message.message, message.sent_at)

    async def end_session(
        self,
        table: int,
        line: RequestLine,
        user: int,
        panel: Panel,
        file: AttachedFile | None = None,
        instead: SavedSessionMessage | None = None,
    ) -> bool:
        """Send a player what their session came to, silently, instead of the message of their cards. Returns whether it was sent.

        Args:
            file: the picture in the panel.
            instead: the message of their cards, where `take_session` has given it.
        """
        if not self._preferences.wants_dms(user):
            return False
        instead = instead or self.take_session(table, user)
        data = message_data(payload(panel), file, keeps_files=False)
        try:
            if instead is not None:
                try:
                    await self._discord_api.edit(line, instead.channel, instead.message, data, Priority.PRIVATE, file)
                except discord.HTTPException as error:
                    if error.code not in {UNKNOWN_MESSAGE, TOO_MANY_OLD_EDITS}:
                        raise
                else:
                    return True
            channel = await self._channels.channel(user, line)
            silent = data | {"flags": COMPONENTS_V2 | SUPPRESS_NOTIFICATIONS}
            await self._discord_api.send(line, channel, silent, Priority.PRIVATE, file)
        except ChannelsLimited:
            log.info("dm_channel_waits", extra={"table": table, "user": user})
            return False
        except discord.HTTPException as error:
            log.info("dm_session_refused", extra={"table": table, "user": user, "code": error.code})
            if error.code in LIMITS:
                self._channels.note_limit(error)
            return False
        except (aiohttp.ClientError, OSError) as error:
            log.warning("dm_session_connection_lost", extra={"user": user, "error": repr(error)})
            return False
        return True

    def take_dm_closed_notice(self, user: int) -> bool:
        """Return whether a player still has to be told that their DMs are closed. The answer is True only once."""
        if user in self._unnotified:
            self._unnotified.discard(user)
            return True
        return False

    def reset_user(self, user: int) -> None:
        """Forget a player's DM channel: they have turned DMs on again, and it can be out of date."""
        self._channels.forget(user)
        self._unnotified.discard(user)

    def forget_table(self, table: int) -> None:
        """Forget the messages of a table that has closed."""
        for key in [key for key in self._messages if key[0] == table]:
            del self._messages[key]
            self._spawn(self._storage.keep(f"{_KEY}{key[0]}.{key[1]}", None), "forget-dm")

    @property
    def pending_tasks(self) -> set[asyncio.Task[Any]]:
        """Messages that are being sent, and channels that are being opened."""
        return self._tasks | self._channels.pending_tasks

    async def close(self) -> None:
        """Wait a little for messages that are being sent."""
        self._channels.close()
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=3.0)
            for task in late:
                task.cancel()

    async def _send_due(self, message: _SessionMessage, user: int) -> None:
        """Send what is due, and whatever becomes due meanwhile."""
        try:
            while (snapshot := message.take_due()) is not None and self._preferences.wants_dms(user):
                INTERACTION.set(message.cause)
                await self._send(message, snapshot, user)
        finally:
            message.is_sending = False

    async def _send(self, message: _SessionMessage, snapshot: TableSnapshot, user: int) -> None:
        fields = {"table": snapshot.id, "hand": snapshot.hand_number, "user": user}
        try:
            with reading(self._preferences.language(user)):
                await self._deliver(message, snapshot, user)
        except ChannelsLimited:
            log.info("dm_channel_waits", extra=fields)
            self._send_later(snapshot, user)
        except discord.HTTPException as error:
            if error.code in CLOSED_DM:
                log.info("dm_refused", extra=fields)
                await self._on_dm_refused(snapshot, user)
            elif error.code in LIMITS:
                self._channels.note_limit(error)
                self._channels.forget(user)  # in a quarantine only players who have had a DM before can be sent one
                self._send_later(snapshot, user)
            else:
                log.warning("dm_hole_cards_rejected", extra=fields | {"error": error.text})
        except (aiohttp.ClientError, OSError) as error:
            log.warning("dm_hole_cards_connection_lost", extra=fields | {"error": repr(error)})
        except Exception:
            log.exception("dm_hole_cards_failed", extra=fields)

    def _send_later(self, snapshot: TableSnapshot, user: int) -> None:
        """Discord limits DMs: show the player their panel instead, and send their cards once that is possible."""
        if self.open_panel is not None:
            self.open_panel(snapshot, user)
        self._waiting.add((snapshot.id, user))
        self._channels.call_when_possible(self._send_waiting)

    def _send_waiting(self) -> None:
        """Send the players whose DMs were limited the cards of the hand that they are in now."""
        waiting, self._waiting = self._waiting, set()
        for table, user in sorted(waiting):
            try:
                snapshot = self.snapshot_of(table) if self.snapshot_of is not None else None
            except TableError:
                continue
            if snapshot is not None and snapshot.hand_running and user in snapshot.dealt_users:
                self.send_hole_cards(snapshot, (user,))

    async def _deliver(self, message: _SessionMessage, snapshot: TableSnapshot, user: int) -> None:
        """Send a state of the hand, or the newer one that has become due when the message can go."""
        data = self._draw(snapshot, user)
        if data is None:
            return
        line, is_edit = line_of(snapshot), bool(message.message) and not self._is_old(message.sent_at)
        if not is_edit:
            message.channel = await self._channels.channel(user, line)
        await self._discord_api.wait_for_slot(line, Priority.PRIVATE)
        newer = message.take_due()
        if newer is not None:
            data = self._draw(newer, user)
            if data is None:
                return
        if is_edit and await self._edited(line, message, data):
            return
        silent = data | {"flags": COMPONENTS_V2 | SUPPRESS_NOTIFICATIONS}
        priority = Priority.PRIVATE if is_edit else None
        message.message = await self._discord_api.send(line, message.channel, silent, priority)
        message.sent_at = self._answers.now()
        saved = SavedSessionMessage(message.channel, message.message, message.sent_at)
        await self._storage.keep(f"{_KEY}{snapshot.id}.{user}", msgspec.msgpack.encode(saved))

    def _draw(self, snapshot: TableSnapshot, user: int) -> Raw | None:
        """Return the message of a player's own cards; None while they have none."""
        own = snapshot.seen_by(user)
        if own is None or (own.viewer is not None and not own.seats[own.viewer].cards):
            return None  # straddles come before the cards
        scene = scene_of(snapshot, own, self._emojis_for(user), 0)
        link = f"{self._link}/{snapshot.address.guild}/{snapshot.address.channel}"
        return {
            "flags": COMPONENTS_V2,
            "components": payload(private_panels.hole_cards_dm(scene, link)),
            "allowed_mentions": NO_MENTIONS,
        }

    async def _edited(self, line: RequestLine, message: _SessionMessage, data: Raw) -> bool:
        """Edit the session's message. Returns whether it is still there."""
        try:
            await self._discord_api.edit(line, message.channel, message.message, data, priority=None)
        except discord.HTTPException as error:
            if error.code not in {UNKNOWN_MESSAGE, TOO_MANY_OLD_EDITS}:
                raise
            return False
        return True

    def _emojis_for(self, user: int) -> Emojis:
        return self._emoji_decks.choose(two_colour=self._preferences.wants_two_colours(user))

    def _spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _on_dm_refused(self, snapshot: TableSnapshot, user: int) -> None:
        """Send no more DMs, and tell the player: at once if their last click can carry it, otherwise with their next one.

        Discord refuses a member who has left the server the same way; they leave its tables.
        """
        self._channels.forget(user)
        if await self.members.leave_if_gone(snapshot.address.guild, user):
            return
        await self._preferences.dms_refused(user)
        with reading(self._preferences.language(user)):
            panel = private_panels.dm_refused_panel()
        if not await self._answers.show(user, panel):
            self._unnotified.add(user)
