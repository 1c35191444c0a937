"""Hole cards by direct message (DM): one silent message for each player and table, sent in parallel, awaited by nobody.

The message is edited at each deal and when its player gets further private cards, never for the board; after 50 minutes there is a new
one. A player whose DMs are closed is told so once, privately, and gets none until they turn them on again. Where Discord limits the opening
of channels, that says nothing about the player: their choice stays, channels are opened more slowly, and *My hand* serves until then.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol

import aiohttp
import discord

from bot.render.hand import private_panels
from bot.render.message.panel import Panel, Raw, payload
from bot.runtime.snapshot import TableSnapshot
from bot.text.cards import Emojis
from bot.text.language import reading
from cogs.ui.discord_api import (
    CANNOT_SEND_DM,
    COMPONENTS_V2,
    MISSING_ACCESS,
    NO_MENTIONS,
    NO_MUTUAL_SERVER,
    SUPPRESS_NOTIFICATIONS,
    TOO_MANY_OLD_EDITS,
    UNKNOWN_MESSAGE,
    UNKNOWN_USER,
    DiscordApi,
    Priority,
)
from cogs.ui.preferences import Preferences
from cogs.ui.private_answers import PrivateAnswers
from cogs.ui.scenes import EmojiDecks, scene_of

log = logging.getLogger(__name__)

CLOSED_DM = frozenset((CANNOT_SEND_DM, NO_MUTUAL_SERVER, MISSING_ACCESS, UNKNOWN_USER))
"""Discord's codes for a player who cannot be sent a DM. Every other refusal is not the player's."""
MESSAGE_AGE_MAX_MS = 50 * 60 * 1000
"""A message this old is replaced by a new one, because Discord throttles edits of messages older than an hour (30046)."""
REMEMBERED_MAX = 20_000
"""The most channels that are remembered."""


CHANNELS_PER_SECOND = 0.4
CHANNELS_AT_ONCE = 6
"""How fast channels are opened, and how many after a quiet moment. Discord publishes no limit; ten in ten seconds are known to be safe."""
AFTER_LIMIT_SECONDS = 60.0
"""How long no channel is opened after Discord has limited that. The time doubles with each limit in a row."""
_CHANNEL_PREFIX = "dmchannel."


class ChannelStorage(Protocol):
    """Where the ids of DM channels are saved between runs. The store is one."""

    async def values(self, prefix: str) -> dict[str, bytes]: ...

    async def keep(self, key: str, value: bytes | None) -> None: ...


class ChannelsLimited(Exception):
    """Discord lets no new channel be opened for a while. That says nothing about the player."""


class _SessionMessage:
    """The DM of one player at one table.

    Attributes:
        message: its id; 0 before it is sent.
        sent_at: when it was sent, in ms since the epoch.
        newest: hand and number of the newest state that was asked for; older ones are not sent any more.
    """

    __slots__ = ("channel", "lock", "message", "newest", "sent_at")

    def __init__(self) -> None:
        self.channel = self.message = self.sent_at = 0
        self.newest = (0, 0)
        self.lock = asyncio.Lock()


class DirectMessages:
    """Sends hole cards.

    Attributes:
        on_member_left: called with a server and a user who has left it.
    """

    def __init__(
        self,
        discord_api: DiscordApi,
        answers: PrivateAnswers,
        emoji_decks: EmojiDecks,
        preferences: Preferences,
        storage: ChannelStorage,
        link: str,
    ) -> None:
        self._answers = answers
        self._storage = storage
        self._next_open_at = self._limited_until = 0.0
        self._limits_in_a_row = 0
        self._opening: dict[int, asyncio.Future[int]] = {}
        self._discord_api = discord_api
        self._emoji_decks = emoji_decks
        self._preferences = preferences
        self._link = link
        self._channels: dict[int, int] = {}
        self._messages: dict[tuple[int, int], _SessionMessage] = {}
        self._unnotified: set[int] = set()
        self._tasks: set[asyncio.Task[Any]] = set()
        self.on_member_left: Callable[[int, int], Awaitable[None]] | None = None

    async def load(self) -> None:
        """Read the channels that earlier runs opened."""
        kept = await self._storage.values(_CHANNEL_PREFIX)
        self._channels = {int(key.removeprefix(_CHANNEL_PREFIX)): int(value) for key, value in kept.items()}

    def open_channel(self, user: int) -> None:
        """Open the channel of a player who has just clicked, so that it is there when they are dealt in. Nobody waits for it."""
        if user not in self._channels and self._preferences.wants_dms(user):
            self._spawn(self._open_ahead(user), f"open-dm-{user}")

    def send_hole_cards(self, snapshot: TableSnapshot, users: tuple[int, ...]) -> None:
        """Send each of these players their own cards."""
        for user in users:
            if user > 0 and self._preferences.wants_dms(user):
                self._spawn(self._send(snapshot, user), f"dm-{user}")

    async def send_notice(self, snapshot: TableSnapshot, user: int, panel: Panel) -> tuple[int, int] | None:
        """Send a player a message that notifies them. Returns its channel and id; None if they want no DMs or it was refused."""
        if not self._preferences.wants_dms(user):
            return None
        data: Raw = {"flags": COMPONENTS_V2, "components": payload(panel), "allowed_mentions": NO_MENTIONS}
        try:
            channel = await self._channel(user)
            return channel, await self._discord_api.send(channel, data)
        except ChannelsLimited:
            log.info("dm_channel_waits", extra={"table": snapshot.id, "user": user})
        except discord.HTTPException as error:
            log.info("dm_notice_refused", extra={"table": snapshot.id, "user": user, "code": error.code})
            if error.code in CLOSED_DM:
                await self._on_dm_refused(snapshot, user)
        except (aiohttp.ClientError, OSError) as error:
            log.warning("dm_notice_connection_lost", extra={"user": user, "error": repr(error)})
        return None

    async def leave_if_gone(self, guild: int, user: int) -> bool:
        """Let a user who is no longer a member of the server leave its tables. Returns whether that was so."""
        try:
            if self.on_member_left is None or await self._discord_api.is_member(guild, user):
                return False
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("member_lookup_failed", extra={"guild": guild, "user": user, "error": repr(error)})
            return False
        await self.on_member_left(guild, user)
        return True

    def take_dm_closed_notice(self, user: int) -> bool:
        """Return whether a player still has to be told that their DMs are closed. The answer is True only once."""
        if user in self._unnotified:
            self._unnotified.discard(user)
            return True
        return False

    def reset_user(self, user: int) -> None:
        """Forget a player's DM channel: they have turned DMs on again, and it can be out of date."""
        self._forget_channel(user)
        self._unnotified.discard(user)

    def forget_table(self, table: int) -> None:
        """Forget the messages of a table that has closed."""
        for key in [key for key in self._messages if key[0] == table]:
            del self._messages[key]

    @property
    def pending_tasks(self) -> set[asyncio.Task[Any]]:
        """Messages that are being sent."""
        return set(self._tasks)

    async def close(self) -> None:
        """Wait a little for messages that are being sent."""
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=3.0)
            for task in late:
                task.cancel()

    async def _send(self, snapshot: TableSnapshot, user: int) -> None:
        fields = {"table": snapshot.id, "hand": snapshot.hand_number, "user": user}
        try:
            with reading(self._preferences.language(user)):
                await self._deliver(snapshot, user)
        except ChannelsLimited:
            log.info("dm_channel_waits", extra=fields)
        except discord.HTTPException as error:
            if error.code in CLOSED_DM:
                log.info("dm_refused", extra=fields)
                await self._on_dm_refused(snapshot, user)
            else:
                log.warning("dm_hole_cards_rejected", extra=fields | {"error": error.text})
        except (aiohttp.ClientError, OSError) as error:
            log.warning("dm_hole_cards_connection_lost", extra=fields | {"error": repr(error)})
        except Exception:
            log.exception("dm_hole_cards_failed", extra=fields)

    async def _deliver(self, snapshot: TableSnapshot, user: int) -> None:
        message = self._messages.setdefault((snapshot.id, user), _SessionMessage())
        state = (snapshot.hand_number, snapshot.seq)
        message.newest = max(message.newest, state)
        async with message.lock:
            own = snapshot.seen_by(user)
            if own is None or message.newest != state:
                return
            if own.viewer is not None and not own.seats[own.viewer].cards:
                return  # straddles come before the cards
            scene = scene_of(snapshot, own, self._emojis_for(user), 0)
            link = f"{self._link}/{snapshot.address.guild}/{snapshot.address.channel}"
            data: Raw = {
                "components": payload(private_panels.hole_cards_dm(scene, link)),
                "allowed_mentions": NO_MENTIONS,
            }
            if not await self._edited(message, data):
                message.channel = await self._channel(user)
                silent = {"flags": COMPONENTS_V2 | SUPPRESS_NOTIFICATIONS}
                message.message = await self._discord_api.send(message.channel, data | silent)
                message.sent_at = self._answers.now()

    async def _edited(self, message: _SessionMessage, data: Raw) -> bool:
        """Edit the session's message. Returns whether there is one that can still be edited."""
        if not message.message or self._answers.now() - message.sent_at > MESSAGE_AGE_MAX_MS:
            return False
        try:
            edited = data | {"flags": COMPONENTS_V2}
            await self._discord_api.edit(message.channel, message.message, edited, Priority.PRIVATE)
        except discord.HTTPException as error:
            if error.code not in {UNKNOWN_MESSAGE, TOO_MANY_OLD_EDITS}:
                raise
            return False
        return True

    def _emojis_for(self, user: int) -> Emojis:
        return self._emoji_decks.choose(two_colour=self._preferences.wants_two_colours(user))

    async def _channel(self, user: int) -> int:
        """Return the channel of a player's DMs.

        Raises:
            ChannelsLimited: it is not known, and no channel can be opened now.
        """
        channel = self._channels.get(user)
        if channel is not None:
            return channel
        opening = self._opening.get(user)
        if opening is None:
            opening = self._opening[user] = asyncio.ensure_future(self._open_channel(user))
            opening.add_done_callback(lambda _: self._opening.pop(user, None))
        return await asyncio.shield(opening)

    async def _open_channel(self, user: int) -> int:
        await self._wait_to_open()
        try:
            channel = await self._discord_api.open_dm(user)
        except discord.HTTPException as error:
            if error.code in CLOSED_DM:
                raise
            self._limits_in_a_row += 1
            pause = AFTER_LIMIT_SECONDS * 2 ** min(self._limits_in_a_row - 1, 5)
            self._limited_until = asyncio.get_running_loop().time() + pause
            log.warning("dm_open_limited", extra={"code": error.code, "status": error.status, "seconds": pause})
            raise ChannelsLimited from error
        if asyncio.get_running_loop().time() >= self._limited_until:
            self._limits_in_a_row = 0
        if len(self._channels) > REMEMBERED_MAX:
            self._channels.clear()
        self._channels[user] = channel
        await self._storage.keep(f"{_CHANNEL_PREFIX}{user}", str(channel).encode())
        return channel

    async def _wait_to_open(self) -> None:
        """Wait until another channel can be opened.

        Raises:
            ChannelsLimited: Discord has limited that.
        """
        now = asyncio.get_running_loop().time()
        if self._limited_until > now:
            raise ChannelsLimited
        pause = 1 / CHANNELS_PER_SECOND
        self._next_open_at = max(self._next_open_at + pause, now - (CHANNELS_AT_ONCE - 1) * pause)
        if self._next_open_at > now:
            await asyncio.sleep(self._next_open_at - now)

    async def _open_ahead(self, user: int) -> None:
        try:
            await self._channel(user)
        except (ChannelsLimited, discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("dm_channel_not_opened", extra={"user": user, "error": repr(error)})

    def _forget_channel(self, user: int) -> None:
        if self._channels.pop(user, None) is not None:
            self._spawn(self._storage.keep(f"{_CHANNEL_PREFIX}{user}", None), "forget-dm-channel")

    def _spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _on_dm_refused(self, snapshot: TableSnapshot, user: int) -> None:
        """Send no more DMs, and tell the player: at once if their last click can carry it, otherwise with their next one.

        Discord refuses a member who has left the server the same way; they leave its tables.
        """
        self._forget_channel(user)
        if await self.leave_if_gone(snapshot.address.guild, user):
            return
        await self._preferences.dms_refused(user)
        with reading(self._preferences.language(user)):
            panel = private_panels.dm_refused_panel()
        if not await self._answers.show(user, panel):
            self._unnotified.add(user)
