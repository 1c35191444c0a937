"""Tells a server's channel that a season begins, ends soon or is over. What has been told is remembered, so that a restart tells the rest.

That a message is about to be sent is remembered first, and its channel is looked through where it may have arrived. So everything is told
once.
"""

from __future__ import annotations

import logging

from msgspec import Struct
from msgspec.structs import replace

from bot.background_tasks import Workers
from bot.house.rules import HouseRules
from bot.line.api import DiscordApi
from bot.line.failures import DiscordFailed, Rejected
from bot.line.payloads import AttachedFile, message_data
from bot.line.request_queue import RequestLine
from bot.render.house import season_pages as pages
from bot.render.message.panel import Panel, Text, payload, without_pictures
from bot.render.pictures.podium import PodiumLine
from bot.runtime.bank import Bank
from bot.runtime.clock import Alarm, AlarmClock
from bot.runtime.saved_values import OF_A_SERVER, SavedKind, SavedValues, ValueStorage
from bot.runtime.seasons import Seasons
from bot.signals import ChannelChanged, RolesChanged, SeasonChanged, Signals
from bot.statistics.seasons import Season
from bot.statistics.types import RankingOrder
from bot.surfaces.answer_pictures import AnswerPictures
from bot.surfaces.keeper import Drawing, Keeper, Location
from bot.surfaces.part import Part
from bot.surfaces.people.profiles import DisplayNames
from bot.surfaces.post_once import PostOnce, nonce_of
from bot.surfaces.seasons.podiums import podium_message
from bot.text import seasons as words
from bot.text.language import reading, t

log = logging.getLogger(__name__)

MINUTE_MS = 60_000
SOON_MS = 24 * 60 * MINUTE_MS
"""So long before its end people are told of a season after which their chips change."""


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


_NEWS = SavedKind[int, _Told]("season.told.", OF_A_SERVER, _Told)


class SeasonNews(Part):
    """Tells of seasons."""

    def __init__(
        self,
        discord_api: DiscordApi,
        seasons: Seasons,
        bank: Bank,
        storage: ValueStorage,
        clock: AlarmClock,
        pictures: AnswerPictures,
        names: DisplayNames,
        signals: Signals,
    ) -> None:
        self._keeper = Keeper(discord_api, clock)
        self._discord_api, self._seasons, self._bank = discord_api, seasons, bank
        self._saved, self._clock = SavedValues(_NEWS, storage), clock
        self._pictures, self._names = pictures, names
        self.tasks = self.workers = Workers(self._tell_news, "season_news")
        self._silent: set[int] = set()
        self._alarms: dict[int, Alarm] = {}
        self._open = False
        signals.on(SeasonChanged, lambda signal: self.wake(signal.guild))
        signals.on(ChannelChanged, lambda signal: self._rights_changed(signal.guild))
        signals.on(RolesChanged, lambda signal: self._rights_changed(signal.guild))

    async def open(self) -> None:
        """Tell what an earlier run has not told."""
        self._open = True
        for guild in await self._seasons.servers():
            self.wake(guild)

    async def close(self) -> None:
        """Stop. What has not been told waits for the next run."""
        self._open = False
        for alarm in self._alarms.values():
            alarm.cancel()
        await self.workers.stop()
        await self._keeper.tasks.stop()

    def wake(self, guild: int) -> None:
        """Tell what is new in a server. Returns at once."""
        if not self._open:
            return
        self.workers.wake(guild)

    def _rights_changed(self, guild: int) -> None:
        if guild in self._silent:
            self.wake(guild)

    async def problem(self, guild: int) -> str:
        """Return why nobody is told, in words for staff; empty where everything is told."""
        if guild not in self._silent:
            return ""
        rules = await self._bank.house_rules(guild)
        seasons = await self._seasons.seasons(guild)
        channel = self._channel(rules, seasons[-1]) if seasons else 0
        return t(words.CHANNEL_PROBLEM, channel=f"<#{channel}>") if channel else t(words.NO_CHANNEL)

    def _channel(self, rules: HouseRules, season: Season) -> int:
        return rules.season_channel or season.channel or self._discord_api.servers.usual_channel(season.guild)

    async def _tell_news(self, guild: int) -> None:
        told = await self._saved.get(guild) or _Told()
        seasons, rules = await self._seasons.seasons(guild), await self._bank.house_rules(guild)
        home = 0  # seasons that the calendar opens are told where staff opened the last one
        for season in seasons:
            home, number = season.channel or home, season.number
            channel = rules.season_channel or home or self._discord_api.servers.usual_channel(guild)
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
        await self._saved.keep(guild, told)
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
        with reading(self._discord_api.servers.language(season.guild)):
            return await self._send(told, season, channel, "soon", pages.ends_soon_panel(season, rules.season_chips))

    async def _send_opened(self, told: _Told, season: Season, rules: HouseRules, channel: int) -> bool:
        with reading(self._discord_api.servers.language(season.guild)):
            return await self._send(told, season, channel, "opened", pages.opened_panel(season, rules))

    async def _send_over(self, told: _Told, season: Season, rules: HouseRules, channel: int) -> bool:
        guild = season.guild
        with reading(self._discord_api.servers.language(guild)):
            _, found = await self._seasons.results(guild, season.number, 0, lines=pages.RESULT_LINES)
            winners, ranked = await self._seasons.winners(guild, season.number)
            departed = await self._names.departed(guild, [result.user for result in found.results])
            picture, file = None, None
            if season.ranked_by is RankingOrder.NET and self._discord_api.servers.can_attach_files(guild, channel):
                lines = [
                    PodiumLine(result.rank, result.user, result.counted) for result in found.results if result.rank
                ]
                picture, file = await podium_message(self._pictures, self._names, guild, lines) or (None, None)
            chips = rules.season_chips
            panel = pages.over_panel(season, found, winners, ranked, chips, departed=departed, picture=picture)
            return await self._send(told, season, channel, "over", panel, file)

    async def _send(
        self, told: _Told, season: Season, channel: int, what: str, panel: Panel, file: AttachedFile | None = None
    ) -> bool:
        """Send a message, unless it was sent before. Returns False if it has to wait."""
        guild, nonce = season.guild, nonce_of(season.guild, season.number, what)
        self._silent.discard(guild)
        if not channel:
            self._silent.add(guild)
            return False

        async def save(location: Location) -> None:
            if not location.message:  # that it is told is remembered below
                await self._remember(guild, replace(told, sending=location.nonce))

        before = Location(channel, nonce=nonce if told.sending == nonce else "")
        drawings = [Drawing(message_data(without_pictures(payload(panel))))]
        if file is not None:
            drawings.insert(0, Drawing(message_data(payload(panel), file), file, names_picture=True))
        heading = next(block.content for block in panel.blocks if isinstance(block, Text)).split("\n")[0]
        post = PostOnce(self._keeper, RequestLine(guild), before, drawings, save, nonce=nonce, mark=heading)
        try:
            await post.send()
        except DiscordFailed as error:
            fields = {"guild": guild, "channel": channel, "status": error.status, "code": error.code}
            if not isinstance(error, Rejected):  # staff have to put that right; it is told then
                log.info("season_channel_closed", extra=fields)
                self._silent.add(guild)
                return False
            log.error("season_message_refused", extra=fields)  # sent again it would be refused again
        return True
