"""Hole cards by direct message (DM): one silent message for each player and hand, sent in parallel, awaited by nobody.

The message is edited when its player gets further private cards in the same hand, never for the board. A player whose DMs are closed is
told so once, privately, and gets none until they turn them on again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

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
    SUPPRESS_NOTIFICATIONS,
    UNKNOWN_USER,
    DiscordApi,
    Priority,
)
from cogs.ui.preferences import Preferences
from cogs.ui.private_answers import PrivateAnswers
from cogs.ui.scenes import EmojiDecks, scene_of

log = logging.getLogger(__name__)

REMEMBERED_MAX = 20_000
"""The most channels that are remembered."""


class _HandMessage:
    """The DM of one player and hand.

    Attributes:
        newest_seq: the newest state of the table that was asked for; older ones are not sent any more.
    """

    __slots__ = ("channel", "hand", "lock", "message", "newest_seq")

    def __init__(self, hand: int) -> None:
        self.hand = hand
        self.channel = self.message = self.newest_seq = 0
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
        link: str,
    ) -> None:
        self._answers = answers
        self._discord_api = discord_api
        self._emoji_decks = emoji_decks
        self._preferences = preferences
        self._link = link
        self._channels: dict[int, int] = {}
        self._messages: dict[tuple[int, int], _HandMessage] = {}
        self._unnotified: set[int] = set()
        self._tasks: set[asyncio.Task[Any]] = set()
        self.on_member_left: Callable[[int, int], Awaitable[None]] | None = None

    def send_hole_cards(self, snapshot: TableSnapshot, users: tuple[int, ...]) -> None:
        """Send each of these players their own cards."""
        for user in users:
            if user > 0 and self._preferences.wants_dms(user):
                task = asyncio.get_running_loop().create_task(self._send(snapshot, user), name=f"dm-{user}")
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def send_notice(self, snapshot: TableSnapshot, user: int, panel: Panel) -> tuple[int, int] | None:
        """Send a player a message that notifies them. Returns its channel and id; None if they want no DMs or it was refused."""
        if not self._preferences.wants_dms(user):
            return None
        data: Raw = {"flags": COMPONENTS_V2, "components": payload(panel), "allowed_mentions": NO_MENTIONS}
        try:
            channel = await self._channel(user)
            return channel, await self._discord_api.send(channel, data)
        except discord.HTTPException as error:
            log.info("dm_notice_refused", extra={"table": snapshot.id, "user": user, "code": error.code})
            if error.code in {CANNOT_SEND_DM, MISSING_ACCESS, UNKNOWN_USER} or error.status == 403:
                await self._on_dm_refused(snapshot, user)
        except (aiohttp.ClientError, OSError) as error:
            log.warning("dm_notice_connection_lost", extra={"user": user, "error": repr(error)})
        return None

    async def leave_if_gone(self, guild: int, user: int) -> bool:
        """Let a user who is no longer a member of the server leave its tables. Returns whether that was so."""
        if self.on_member_left is None or await self._discord_api.is_member(guild, user):
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
        self._channels.pop(user, None)
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
        except discord.HTTPException as error:
            if error.code in {CANNOT_SEND_DM, MISSING_ACCESS, UNKNOWN_USER} or error.status == 403:
                log.info("dm_refused", extra=fields)
                await self._on_dm_refused(snapshot, user)
            else:
                log.warning("dm_hole_cards_rejected", extra=fields | {"error": error.text})
        except (aiohttp.ClientError, OSError) as error:
            log.warning("dm_hole_cards_connection_lost", extra=fields | {"error": repr(error)})
        except Exception:
            log.exception("dm_hole_cards_failed", extra=fields)

    async def _deliver(self, snapshot: TableSnapshot, user: int) -> None:
        message = self._messages.get((snapshot.id, user))
        if message is None or message.hand != snapshot.hand_number:
            message = self._messages[snapshot.id, user] = _HandMessage(snapshot.hand_number)
        message.newest_seq = max(message.newest_seq, snapshot.seq)
        async with message.lock:
            own = snapshot.seen_by(user)
            if own is None or message.newest_seq != snapshot.seq:
                return
            if not message.message and own.viewer is not None and not own.seats[own.viewer].cards:
                return  # straddles come before the cards
            scene = scene_of(snapshot, own, self._emojis_for(user), 0)
            link = f"{self._link}/{snapshot.address.guild}/{snapshot.address.channel}"
            data: Raw = {
                "components": payload(private_panels.hole_cards_dm(scene, link)),
                "allowed_mentions": NO_MENTIONS,
            }
            if message.message:
                edited = data | {"flags": COMPONENTS_V2}
                await self._discord_api.edit(message.channel, message.message, edited, Priority.PRIVATE)
                return
            message.channel = await self._channel(user)
            message.message = await self._discord_api.send(
                message.channel, data | {"flags": COMPONENTS_V2 | SUPPRESS_NOTIFICATIONS}
            )

    def _emojis_for(self, user: int) -> Emojis:
        return self._emoji_decks.choose(two_colour=self._preferences.wants_two_colours(user))

    async def _channel(self, user: int) -> int:
        """Return the channel of a player's DMs."""
        channel = self._channels.get(user)
        if channel is None:
            channel = await self._discord_api.open_dm(user)
            if len(self._channels) > REMEMBERED_MAX:
                self._channels.clear()
            self._channels[user] = channel
        return channel

    async def _on_dm_refused(self, snapshot: TableSnapshot, user: int) -> None:
        """Send no more DMs, and tell the player: at once if their last click can carry it, otherwise with their next one.

        Discord refuses a member who has left the server the same way; they leave its tables.
        """
        self._channels.pop(user, None)
        if await self.leave_if_gone(snapshot.address.guild, user):
            return
        await self._preferences.dms_refused(user)
        with reading(self._preferences.language(user)):
            panel = private_panels.dm_refused_panel()
        if not await self._answers.show(user, panel):
            self._unnotified.add(user)
