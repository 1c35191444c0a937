"""The staff channel: the staff log of a server, told line by line in the channel that its staff have named.

Lines are told from the store, after the last one that was told. So nothing is lost by a crash, and nobody at a table waits for it. What
happens within a few seconds comes in one message. While the dealer cannot write in the channel the lines wait, and staff read that at
their next `/house`.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Protocol

import aiohttp
import discord

from bot.render.house.staff_pages import staff_log_panel
from bot.render.message.panel import payload
from bot.runtime.bank import Bank
from bot.runtime.clock import AlarmClock
from bot.runtime.staff_log_types import StaffLogLine
from bot.text.language import reading
from cogs.ui.discord_api import DiscordApi, message_data
from cogs.ui.request_queue import Priority, RequestLine

log = logging.getLogger(__name__)

BETWEEN_MESSAGES_MS = 5_000
"""How long after a message the next one follows: a burst becomes one message."""
TRY_AGAIN_MS = 60_000
"""How long after Discord failed the message is sent again."""
LINES_PER_MESSAGE = 10
_TOLD = "staff.told."


class StaffLogStorage(Protocol):
    """Where the lines are, and how far they have been told. The store is one."""

    async def staff_log(self, guild: int, *, after: int, limit: int) -> tuple[StaffLogLine, ...]: ...

    async def newest_staff_log_line(self, guild: int) -> int: ...

    async def value(self, key: str) -> bytes | None: ...

    async def values(self, prefix: str) -> dict[str, bytes]: ...

    async def keep(self, key: str, value: bytes | None) -> None: ...


class StaffChannel:
    """Tells staff what is new in the staff log."""

    def __init__(self, discord_api: DiscordApi, bank: Bank, storage: StaffLogStorage, clock: AlarmClock) -> None:
        self._discord_api = discord_api
        self._bank = bank
        self._storage = storage
        self._clock = clock
        self._has_news: set[int] = set()
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._next_at: dict[int, int] = {}

    @property
    def pending_tasks(self) -> set[asyncio.Task[None]]:
        """Messages that are on their way."""
        return set(self._tasks.values())

    async def open(self) -> None:
        """Tell what an earlier run has not told."""
        for key in await self._storage.values(_TOLD):
            self.wake(int(key.removeprefix(_TOLD)))

    async def close(self) -> None:
        """Stop. What has not been told waits for the next run."""
        for task in self.pending_tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self.pending_tasks)

    async def begin(self, guild: int) -> None:
        """Tell what is written from now on, in a server whose staff are about to name their first channel."""
        await self._storage.keep(_TOLD + str(guild), b"%d" % await self._storage.newest_staff_log_line(guild))

    async def waiting_lines(self, guild: int) -> int:
        """Return how many lines have not been told, counted up to a hundred."""
        return len(await self._storage.staff_log(guild, after=await self._told_up_to(guild), limit=100))

    def wake(self, guild: int) -> None:
        """Tell what is new in a server. Returns at once."""
        self._has_news.add(guild)
        if guild not in self._tasks:
            task = asyncio.get_running_loop().create_task(self._tell_news(guild), name=f"staff-channel-{guild}")
            self._tasks[guild] = task

    async def _tell_news(self, guild: int) -> None:
        try:
            while guild in self._has_news:
                self._has_news.discard(guild)
                await self._tell_all(guild)
        except (
            Exception
        ):  # nobody waits for this task: what goes wrong is read in the log, and tried again at the next line
            log.exception("staff_channel_failed", extra={"guild": guild})
        finally:
            del self._tasks[guild]

    async def _tell_all(self, guild: int) -> None:
        while True:
            told = await self._told_up_to(guild)
            if not await self._storage.staff_log(guild, after=told, limit=1):
                return
            await self._wait_for_next(guild)
            channel = (await self._bank.house_rules(guild)).staff_channel
            if not channel:
                return
            lines = await self._storage.staff_log(guild, after=told, limit=LINES_PER_MESSAGE)
            with reading(self._discord_api.server_language(guild)):
                panel, count = staff_log_panel(lines, self._clock.now())
            self._next_at[guild] = self._clock.now() + BETWEEN_MESSAGES_MS
            try:
                data = message_data(payload(panel))
                await self._discord_api.send(RequestLine(guild), channel, data, Priority.BACKGROUND)
            except discord.HTTPException as error:
                fields = {"guild": guild, "channel": channel, "status": error.status, "code": error.code}
                if error.status in {403, 404}:  # staff have to put that right; the lines wait
                    log.info("staff_channel_closed", extra=fields)
                    del self._next_at[guild]
                    return
                if error.status != 400:
                    log.warning("staff_channel_unreachable", extra=fields)
                    self._next_at[guild] = self._clock.now() + TRY_AGAIN_MS
                    continue
                log.exception("staff_channel_message_refused", extra=fields)  # sent again it would be refused again
            except (aiohttp.ClientError, OSError) as error:
                log.warning("staff_channel_unreachable", extra={"guild": guild, "error": repr(error)})
                self._next_at[guild] = self._clock.now() + TRY_AGAIN_MS
                continue
            await self._storage.keep(_TOLD + str(guild), b"%d" % lines[count - 1].id)

    async def _told_up_to(self, guild: int) -> int:
        kept = await self._storage.value(_TOLD + str(guild))
        return int(kept) if kept else 0

    async def _wait_for_next(self, guild: int) -> None:
        """Wait until the next message of a server can follow the last one."""
        at = self._next_at.get(guild, 0)
        if at <= self._clock.now():
            return
        rung = asyncio.Event()
        alarm = self._clock.call_at(at, rung.set)
        try:
            await rung.wait()
        finally:
            alarm.cancel()
