"""Tells a server's channel that a season begins, ends soon or is over. What has been told is remembered, so that a restart tells the rest.

That a message is about to be sent is remembered first. Where that is found again, because a dealer was killed or an answer was lost, the
channel is looked through before anything is sent; and Discord takes one nonce once within some minutes. So everything is told once.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from hashlib import blake2b
from typing import Protocol

import aiohttp
import discord
import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bot.ledger.house import HouseRules
from bot.render.house import season_pages as pages
from bot.render.message.panel import Panel, Text, payload
from bot.render.pictures.podium import PodiumLine
from bot.runtime.bank import Bank
from bot.runtime.clock import Alarm, AlarmClock
from bot.runtime.seasons import Seasons
from bot.statistics.seasons import Season
from bot.statistics.types import RankingOrder
from bot.text import seasons as words
from bot.text.language import reading, t
from cogs.ui.answer_pictures import AnswerPictures
from cogs.ui.discord_api import AttachedFile, DiscordApi, message_data
from cogs.ui.display_names import DisplayNames
from cogs.ui.podiums import podium_message
from cogs.ui.request_queue import Priority, RequestLine

log = logging.getLogger(__name__)

MINUTE_MS = TRY_AGAIN_MS = 60_000
SOON_MS = 24 * 60 * MINUTE_MS
"""So long before its end people are told of a season after which their chips change."""
_TOLD = "season.told."


class _Told(Struct, frozen=True):
    """What a server was told of its seasons.

    Attributes:
        opened, soon, closed: the numbers of the last seasons of which it was told that they begin, end soon and are over.
        sending: the nonce of a message that is about to be sent, or has been by a dealer that was killed then; empty for none.
    """

    opened: int = 0
    soon: int = 0
    closed: int = 0
    sending: str = ""


class SeasonNewsStorage(Protocol):
    """Where it is remembered what has been told. The store is one."""

    async def value(self, key: str) -> bytes | None: ...

    async def keep(self, key: str, value: bytes | None) -> None: ...


class SeasonNews:
    """Tells of seasons.

    Args:
        usual_channel: returns the channel of a server where nobody has chosen one; 0 for none.
    """

    def __init__(
        self,
        discord_api: DiscordApi,
        seasons: Seasons,
        bank: Bank,
        storage: SeasonNewsStorage,
        clock: AlarmClock,
        pictures: AnswerPictures,
        names: DisplayNames,
        usual_channel: Callable[[int], int],
    ) -> None:
        self._discord_api, self._seasons, self._bank = discord_api, seasons, bank
        self._storage, self._clock, self._pictures, self._names = storage, clock, pictures, names
        self._usual_channel = usual_channel
        self._waiting: set[int] = set()
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._silent: set[int] = set()
        self._alarms: dict[int, Alarm] = {}
        self._closing = False

    @property
    def pending_tasks(self) -> set[asyncio.Task[None]]:
        """Messages that are on their way."""
        return set(self._tasks.values())

    async def close(self) -> None:
        """Stop. What has not been told waits for the next run."""
        self._closing = True
        for alarm in self._alarms.values():
            alarm.cancel()
        for task in self._tasks.values():
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks.values())

    def wake(self, guild: int) -> None:
        """Tell what is new in a server. Returns at once."""
        if self._closing:
            return
        self._waiting.add(guild)
        if guild not in self._tasks:
            task = asyncio.get_running_loop().create_task(self._tell(guild), name=f"season-news-{guild}")
            self._tasks[guild] = task

    async def problem(self, guild: int) -> str:
        """Return why nobody is told, in words for staff; empty where everything is told."""
        if guild not in self._silent:
            return ""
        rules = await self._bank.house_rules(guild)
        seasons = await self._seasons.seasons(guild)
        channel = self._channel(rules, seasons[-1]) if seasons else 0
        return t(words.CHANNEL_PROBLEM, channel=f"<#{channel}>") if channel else t(words.NO_CHANNEL)

    def _channel(self, rules: HouseRules, season: Season) -> int:
        return rules.season_channel or season.channel or self._usual_channel(season.guild)

    async def _tell(self, guild: int) -> None:
        try:
            while guild in self._waiting:
                self._waiting.discard(guild)
                await self._tell_news(guild)
        except Exception:  # nobody waits for this task
            log.exception("season_news_failed", extra={"guild": guild})
        finally:
            del self._tasks[guild]

    async def _tell_news(self, guild: int) -> None:
        kept = await self._storage.value(f"{_TOLD}{guild}")
        told = msgspec.msgpack.decode(kept, type=_Told) if kept else _Told()
        seasons, rules = await self._seasons.seasons(guild), await self._bank.house_rules(guild)
        home = 0  # seasons that the calendar opens are told where staff opened the last one
        for season in seasons:
            home, number = season.channel or home, season.number
            channel = rules.season_channel or home or self._usual_channel(guild)
            if number > told.opened:
                if not season.closed_at and not await self._send_opened(told, season, rules, channel):
                    return
                told = await self._remember(guild, replace(told, opened=number, sending=""))
            if number > told.soon and self._ends_soon(season, rules):
                if not await self._send_soon(told, season, rules, channel):
                    return
                told = await self._remember(guild, replace(told, soon=number, sending=""))
            if season.closed_at and number > told.closed:
                if not await self._send_over(told, season, rules, channel):
                    return
                told = await self._remember(guild, replace(told, closed=number, sending=""))

    async def _remember(self, guild: int, told: _Told) -> _Told:
        await self._storage.keep(f"{_TOLD}{guild}", msgspec.msgpack.encode(told))
        return told

    def _ends_soon(self, season: Season, rules: HouseRules) -> bool:
        """Whether everybody shall be told now that their chips will change; if it is too early, they are told in time."""
        guild, soon_at = season.guild, season.ends_at - SOON_MS
        if season.closed_at or not season.ends_at or rules.season_chips.keeps:
            return False
        now = self._clock.now()
        if now < soon_at:
            earlier = self._alarms.pop(guild, None)
            if earlier is not None:
                earlier.cancel()
            self._alarms[guild] = self._clock.call_at(soon_at, lambda: self.wake(guild))
        return soon_at <= now < season.ends_at - MINUTE_MS  # who closes it at once has read what it does

    async def _send_soon(self, told: _Told, season: Season, rules: HouseRules, channel: int) -> bool:
        with reading(self._discord_api.server_language(season.guild)):
            return await self._send(told, season, channel, "soon", pages.ends_soon_panel(season, rules.season_chips))

    async def _send_opened(self, told: _Told, season: Season, rules: HouseRules, channel: int) -> bool:
        with reading(self._discord_api.server_language(season.guild)):
            return await self._send(told, season, channel, "opened", pages.opened_panel(season, rules))

    async def _send_over(self, told: _Told, season: Season, rules: HouseRules, channel: int) -> bool:
        guild = season.guild
        with reading(self._discord_api.server_language(guild)):
            _, found = await self._seasons.results(guild, season.number, 0, lines=pages.RESULT_LINES)
            winners, ranked = await self._seasons.winners(guild, season.number)
            departed = await self._names.departed(guild, [result.user for result in found.results])
            picture = None
            if season.ranked_by is RankingOrder.NET and self._discord_api.can_attach_files(guild, channel):
                lines = [PodiumLine(result.rank, result.user, result.net) for result in found.results if result.rank]
                picture = await podium_message(self._pictures, self._names, guild, lines)
            panel = pages.over_panel(
                season, found, winners, ranked, rules.season_chips, departed=departed,
                picture=picture.block if picture is not None else None,
            )  # fmt: skip
            return await self._send(told, season, channel, "over", panel, picture.file if picture is not None else None)

    async def _send(
        self, told: _Told, season: Season, channel: int, what: str, panel: Panel, file: AttachedFile | None = None
    ) -> bool:
        """Send a message, unless it was sent before. Returns False if it has to wait."""
        guild, nonce = season.guild, _nonce(season, what)
        self._silent.discard(guild)
        if not channel:
            self._silent.add(guild)
            return False
        data = message_data(payload(panel), file) | {"nonce": nonce, "enforce_nonce": True}
        try:
            if told.sending == nonce and await self._is_there(guild, channel, panel):
                return True
            await self._remember(guild, replace(told, sending=nonce))
            await self._discord_api.send(RequestLine(guild), channel, data, Priority.BACKGROUND, file)
        except discord.HTTPException as error:
            fields = {"guild": guild, "channel": channel, "status": error.status, "code": error.code}
            if error.status in {403, 404}:  # staff have to put that right; it is told then
                log.info("season_channel_closed", extra=fields)
                self._silent.add(guild)
                return False
            if error.status == 400:  # sent again it would be refused again
                log.error("season_message_refused", extra=fields)
                return True
            log.warning("season_channel_unreachable", extra=fields)
        except (aiohttp.ClientError, OSError) as error:
            log.warning("season_channel_unreachable", extra={"guild": guild, "error": repr(error)})
        else:
            return True
        self._clock.call_at(self._clock.now() + TRY_AGAIN_MS, lambda: self.wake(guild))
        return False

    async def _is_there(self, guild: int, channel: int, panel: Panel) -> bool:
        """Whether a message that begins like this one is among the last hundred of a channel."""
        heading = next(block.content for block in panel.blocks if isinstance(block, Text)).split("\n")[0]
        try:
            return bool(await self._discord_api.own_messages(RequestLine(guild), channel, text=heading))
        except discord.HTTPException as error:
            if error.status in {403, 404}:  # who must not look sees what the nonce prevents
                return False
            raise


def _nonce(season: Season, what: str) -> str:
    """Return what Discord knows a message by: the same for the same season and news, and short enough."""
    return blake2b(f"{season.guild}.{season.number}.{what}".encode(), digest_size=12).hexdigest()
