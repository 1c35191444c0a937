"""The channels of direct messages (DMs): one for each player, opened slowly, and remembered between runs.

Discord limits how fast a bot opens channels (40003), and quarantines one that opens too many (20026): then it can write only to people to
whom it has written before. Neither says anything about the player. So channels are opened at a player's own click, few at a time, and after
a limit there is a pause.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

import aiohttp
import discord

from bot.runtime.clock import Alarm, AlarmClock
from cogs.ui.discord_api import CANNOT_SEND_DM, MISSING_ACCESS, NO_MUTUAL_SERVER, UNKNOWN_USER, DiscordApi
from cogs.ui.request_queue import Priority, RequestLine, RequestQueue, Ticket

log = logging.getLogger(__name__)

CLOSED_DM = frozenset((CANNOT_SEND_DM, NO_MUTUAL_SERVER, MISSING_ACCESS, UNKNOWN_USER))
"""Discord's codes for a player who cannot be sent a DM. Every other refusal is not the player's."""
OPENED_TOO_FAST, QUARANTINED = 40003, 20026
LIMITS = frozenset((OPENED_TOO_FAST, QUARANTINED))
PAUSE_MS = 2_500
AT_ONCE = 6
"""The time between two channels, and how many are opened after a quiet moment. Discord publishes no limit; ten in ten seconds are safe."""
LONGEST_WAIT_MS = 20_000
"""Who would wait longer for a channel is told so at once, and asks again later."""
AFTER_LIMIT_MS, AFTER_QUARANTINE_MS = 60_000, 60 * 60_000
"""How long no channel is opened after Discord has limited that. The time doubles with each limit in a row, up to 32 times the first."""
REMEMBERED_MAX = 20_000
"""The most channels that are remembered."""
_KEY = "dmchannel."


class ChannelStorage(Protocol):
    """Where the ids of channels are saved between runs. The store is one."""

    async def values(self, prefix: str) -> dict[str, bytes]: ...

    async def keep(self, key: str, value: bytes | None) -> None: ...


class ChannelsLimited(Exception):
    """No channel can be opened for this player now. That says nothing about the player."""


class DmChannels:
    """Opens channels and remembers them."""

    def __init__(self, discord_api: DiscordApi, storage: ChannelStorage, clock: AlarmClock) -> None:
        self._discord_api = discord_api
        self._storage = storage
        self._clock = clock
        self._channels: dict[int, int] = {}
        self._opening: dict[int, asyncio.Task[int]] = {}
        self._queue = RequestQueue[asyncio.Future[None]](1000 / PAUSE_MS, AT_ONCE - 1)
        self._waiting: set[Ticket[asyncio.Future[None]]] = set()
        self._next_alarm: Alarm | None = None
        self._limited_until = 0
        self._limits_in_a_row = 0
        self._alarm: Alarm | None = None
        self._tasks: set[asyncio.Task[Any]] = set()

    async def load(self) -> None:
        """Read the channels that earlier runs opened."""
        kept = await self._storage.values(_KEY)
        self._channels = {int(key.removeprefix(_KEY)): int(value) for key, value in kept.items()}

    def open_ahead(self, user: int, line: RequestLine) -> None:
        """Open the channel of a player who has just clicked, so that it is there when they are dealt in. Nobody waits for it."""
        if user not in self._channels:
            self._spawn(self._open_ahead(user, line), f"open-dm-{user}")

    async def channel(self, user: int, line: RequestLine) -> int:
        """Return the channel of a player's DMs. One that is not known is opened when it is the turn of their table's server.

        Raises:
            ChannelsLimited: it is not known, and none can be opened soon.
            discord.HTTPException: the player cannot be sent DMs.
        """
        channel = self._channels.get(user)
        if channel is not None:
            return channel
        opening = self._opening.get(user)
        if opening is None:
            opening = self._opening[user] = self._spawn(self._open(user, line), f"dm-channel-{user}")
            opening.add_done_callback(lambda _: self._opening.pop(user, None))
        return await asyncio.shield(opening)

    def call_when_possible(self, call: Callable[[], None]) -> None:
        """Call back once, when a channel can be opened again. A second callback replaces the first."""
        if self._alarm is not None:
            self._alarm.cancel()
        possible = _ms(self._queue.expected_at(self._clock.now() / 1000))
        self._alarm = self._clock.call_at(max(self._limited_until, possible), call)

    def note_limit(self, error: discord.HTTPException) -> None:
        """Discord has limited the opening of channels: open none for a while, and then one by one."""
        now = self._clock.now()
        if now < self._limited_until:
            return  # requests that were on their way together
        first = AFTER_QUARANTINE_MS if error.code == QUARANTINED else AFTER_LIMIT_MS
        pause = first << min(self._limits_in_a_row, 5)
        self._limits_in_a_row += 1
        self._limited_until = now + pause
        self._queue.hold_until(self._limited_until / 1000)
        for ticket in self._waiting:
            ticket.item.set_exception(ChannelsLimited())
            self._queue.cancel(ticket)
        self._waiting.clear()
        log.warning("dm_open_limited", extra={"code": error.code, "status": error.status, "seconds": pause // 1000})

    def forget(self, user: int) -> None:
        """Forget a player's channel: it can be out of date."""
        if self._channels.pop(user, None) is not None:
            self._spawn(self._storage.keep(f"{_KEY}{user}", None), "forget-dm-channel")

    @property
    def pending_tasks(self) -> set[asyncio.Task[Any]]:
        """Channels that are being opened."""
        return set(self._tasks)

    def close(self) -> None:
        """Open no more."""
        for alarm in (self._alarm, self._next_alarm):
            if alarm is not None:
                alarm.cancel()
        for task in self._tasks:
            task.cancel()

    async def _open(self, user: int, line: RequestLine) -> int:
        await self._wait(line)
        try:
            channel = await self._discord_api.open_dm(line, user)
        except discord.HTTPException as error:
            if error.code in CLOSED_DM:
                raise
            self.note_limit(error)
            raise ChannelsLimited from error
        if self._clock.now() >= self._limited_until:
            self._limits_in_a_row = 0
        if len(self._channels) > REMEMBERED_MAX:
            self._channels.clear()
        self._channels[user] = channel
        await self._storage.keep(f"{_KEY}{user}", str(channel).encode())
        return channel

    async def _wait(self, line: RequestLine) -> None:
        """Wait until it is the turn of a line, and another channel can be opened.

        Raises:
            ChannelsLimited: Discord has limited that, or too many of this server wait.
        """
        now = self._clock.now()
        if now < self._limited_until or self._queue.expected_at(now / 1000, line) * 1000 - now > LONGEST_WAIT_MS:
            raise ChannelsLimited
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        ticket = self._queue.add(turn, line, Priority.PRIVATE, now / 1000)
        self._waiting.add(ticket)
        self._let_go()
        try:
            await turn
        finally:
            self._waiting.discard(ticket)
            self._queue.cancel(ticket)

    def _let_go(self) -> None:
        """Let those open a channel whose turn it is, and come back for the next one."""
        while (ticket := self._queue.take(self._clock.now() / 1000)) is not None:
            self._waiting.discard(ticket)
            ticket.item.set_result(None)
        if self._next_alarm is not None:
            self._next_alarm.cancel()
        at = self._queue.next_at
        self._next_alarm = self._clock.call_at(_ms(at), self._let_go) if at is not None else None

    async def _open_ahead(self, user: int, line: RequestLine) -> None:
        try:
            await self.channel(user, line)
        except (ChannelsLimited, discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("dm_channel_not_opened", extra={"user": user, "error": repr(error)})

    def _spawn(self, work: Coroutine[Any, Any, Any], name: str) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _ms(seconds: float) -> int:
    return math.ceil(1000 * seconds)
