"""The channels of direct messages (DMs): one for each player, opened slowly, and remembered between runs.

Discord limits how fast a bot opens channels (40003), and quarantines one that opens too many (20026): then it can write only to people to
whom it has written before. Neither says anything about the player. So channels are opened at a player's own click, few at a time, and after
a limit there is a pause.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from bot.background_tasks import BackgroundTasks
from bot.line.api import DiscordApi
from bot.line.failures import MISSING_ACCESS, UNKNOWN_USER, ChannelsLimited, DiscordFailed, DmClosed, Quarantined
from bot.line.request_queue import Priority, RequestLine, RequestQueue, Ticket
from bot.measures import DmMeasures
from bot.runtime.clock import Alarm, AlarmClock
from bot.runtime.saved_values import PERSONAL, PersonalNews, PersonalStorage, SavedKind, SavedValues
from bot.runtime.store_errors import StoreError

log = logging.getLogger(__name__)

PAUSE_MS = 2_500
AT_ONCE = 6
"""The time between two channels, and how many are opened after a quiet moment. Discord publishes no limit; ten in ten seconds are safe."""
LONGEST_WAIT_MS = 20_000
"""Who would wait longer for a channel is told so at once, and asks again later."""
AFTER_LIMIT_MS, AFTER_QUARANTINE_MS = 60_000, 60 * 60_000
"""How long no channel is opened after Discord has limited that. The time doubles with each limit in a row, up to 32 times the first."""
SOON_MS = 3_000
"""Who gets their channel within this time is told that their cards come by direct message."""
LINE_MS = 60_000
"""The time between two lines of the log about channels that were not opened."""
REMEMBERED_MAX = 20_000
"""The most channels that are remembered."""
_CHANNELS = SavedKind[int, int]("dmchannel.", PERSONAL, int)


def is_dm_closed(error: DiscordFailed) -> bool:
    """Return whether a player cannot be sent a DM. Every other refusal is not the player's."""
    return isinstance(error, DmClosed) or error.code in {MISSING_ACCESS, UNKNOWN_USER}


class ChannelBucket(Protocol):
    """How many channels all processes together can open: `PAUSE_MS` and `AT_ONCE` are the bot's, not a process's."""

    async def take(self, most: int) -> int:
        """Take so many at most. Returns how many there were.

        Raises:
            StoreError: nobody can tell.
        """

    async def hold(self, seconds: float) -> None:
        """Let nobody open one for so long: Discord has limited that. Errors as in `take`."""


class DmChannels:
    """Opens channels and remembers them.

    Args:
        storage: where they are saved. Where other processes save theirs too, channels are looked for when they are needed.
        bucket: what the processes share; None for a bot of one process.
        news: tells what the others have saved.

    Attributes:
        measures: what is told to the operator.
    """

    def __init__(
        self,
        discord_api: DiscordApi,
        storage: PersonalStorage,
        clock: AlarmClock,
        bucket: ChannelBucket | None = None,
        news: PersonalNews | None = None,
    ) -> None:
        self.measures = DmMeasures()
        self._discord_api = discord_api
        self._saved = SavedValues(_CHANNELS, storage)
        self._clock, self._bucket = clock, bucket
        self._channels: dict[int, int] = {}
        self._opening: dict[int, asyncio.Task[int]] = {}
        self._queue = RequestQueue[asyncio.Future[None]](1000 / PAUSE_MS, AT_ONCE - 1, credit=0)
        self._waiting: set[Ticket[asyncio.Future[None]]] = set()
        self._next_alarm: Alarm | None = None
        self._limited_until = 0
        self._limits_in_a_row = 0
        self._not_logged = self._next_line_at = 0
        self._alarm: Alarm | None = None
        self.tasks = BackgroundTasks()
        if news is not None:
            news.follow(_CHANNELS, self._hear, self.load)

    async def load(self) -> None:
        """Read the channels that earlier runs opened. Those of a bot of several processes are too many, and come one by one."""
        self._channels = await self._saved.load() if self._bucket is None else {}

    def is_open_soon(self, user: int) -> bool:
        """Return whether a player's channel is open, or will be at once if Discord lets it."""
        if user in self._channels:
            return True
        now = self._clock.now()
        return max(self._limited_until, _ms(self._queue.expected_at(now / 1000))) <= now + SOON_MS

    def open_ahead(self, user: int, line: RequestLine) -> None:
        """Open the channel of a player who has just clicked, so that it is there when they are dealt in. Nobody waits for it."""
        if user not in self._channels:
            self.tasks.run(self._open_ahead(user, line), f"open-dm-{user}")

    async def channel(self, user: int, line: RequestLine) -> int:
        """Return the channel of a player's DMs. One that is not known is opened when it is the turn of their table's server.

        Raises:
            ChannelsLimited: it is not known, and none can be opened soon.
            DiscordFailed: the player cannot be sent DMs (`is_dm_closed`), or the connection broke.
        """
        channel = self._channels.get(user)
        if channel is not None:
            return channel
        opening = self._opening.get(user)
        if opening is None:
            opening = self._opening[user] = self.tasks.run(self._open(user, line), f"dm-channel-{user}")
            opening.add_done_callback(lambda _: self._opening.pop(user, None))
        try:
            return await asyncio.shield(opening)
        except DiscordFailed as error:
            self._note_failure(error)
            raise

    def call_when_possible(self, call: Callable[[], None]) -> None:
        """Call back once, when a channel can be opened again. A second callback replaces the first."""
        if self._alarm is not None:
            self._alarm.cancel()
        possible = _ms(self._queue.expected_at(self._clock.now() / 1000))
        self._alarm = self._clock.call_at(max(self._limited_until, possible), call)

    def note_limit(self, error: DiscordFailed) -> None:
        """Discord has limited the opening of channels: open none for a while, and then one by one."""
        now = self._clock.now()
        if now < self._limited_until:
            return  # requests that were on their way together
        first = AFTER_QUARANTINE_MS if isinstance(error, Quarantined) else AFTER_LIMIT_MS
        pause = first << min(self._limits_in_a_row, 5)
        self._limits_in_a_row += 1
        self._limited_until = now + pause
        self._queue.hold_until(self._limited_until / 1000)
        for ticket in self._waiting:
            ticket.item.set_exception(ChannelsLimited())
            self._queue.cancel(ticket)
        self._waiting.clear()
        if self._bucket is not None:
            self.tasks.run(self._hold_others(self._bucket, pause / 1000), "hold-dm-channels")
        log.warning("dm_open_limited", extra={"code": error.code, "status": error.status, "seconds": pause // 1000})

    def forget(self, user: int) -> None:
        """Forget a player's channel: it can be out of date."""
        if self._channels.pop(user, None) is not None:
            self.tasks.run(self._saved.forget(user), "forget-dm-channel")

    def close(self) -> None:
        """Open no more."""
        for alarm in (self._alarm, self._next_alarm):
            if alarm is not None:
                alarm.cancel()
        self.tasks.cancel()

    def _hear(self, user: int, channel: int | None) -> None:
        """Another process has opened a channel, or forgotten one."""
        if user not in self._channels:
            return
        if channel is None:
            del self._channels[user]
        else:
            self._channels[user] = channel

    async def _open(self, user: int, line: RequestLine) -> int:
        if self._bucket is not None and (known := await self._saved.get(user)) is not None:
            self._remember(user, known)
            return known
        await self._wait(line)
        if self._bucket is not None:
            await self._wait_for_others(self._bucket)
        try:
            channel = await self._discord_api.open_dm(line, user)
        except DiscordFailed as error:
            if not error.status or is_dm_closed(error):
                raise
            self.note_limit(error)
            raise ChannelsLimited from error
        if self._clock.now() >= self._limited_until:
            self._limits_in_a_row = 0
        self._remember(user, channel)
        self.measures.count_opened()
        await self._saved.keep(user, channel)
        return channel

    def _remember(self, user: int, channel: int) -> None:
        if len(self._channels) > REMEMBERED_MAX:
            self._channels.clear()
        self._channels[user] = channel

    async def _hold_others(self, bucket: ChannelBucket, seconds: float) -> None:
        try:
            await bucket.hold(seconds)
        except StoreError as error:  # each of them will be told by Discord itself
            log.warning("dm_limit_not_shared", extra={"error": repr(error)})

    async def _wait_for_others(self, bucket: ChannelBucket) -> None:
        """Wait until all processes together can open another channel.

        Raises:
            ChannelsLimited: that takes too long, or nobody can tell.
        """
        give_up_at = self._clock.now() + LONGEST_WAIT_MS
        try:
            while not await bucket.take(1):
                if self._clock.now() > give_up_at:
                    raise ChannelsLimited
                await asyncio.sleep(PAUSE_MS / 1000)
        except StoreError as error:
            raise ChannelsLimited from error

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
        with suppress(DiscordFailed):
            await self.channel(user, line)

    def _note_failure(self, error: DiscordFailed) -> None:
        """Count it, and log a line a minute: with many new people at once, most wait for a while."""
        if isinstance(error, ChannelsLimited):
            self.measures.count_put_off()
        else:
            self.measures.count_refused()
        self._not_logged += 1
        now = self._clock.now()
        if now >= self._next_line_at:
            log.info("dm_channels_not_opened", extra={"times": self._not_logged, "error": repr(error)})
            self._not_logged, self._next_line_at = 0, now + LINE_MS


def _ms(seconds: float) -> int:
    return math.ceil(1000 * seconds)
