"""Tells the host of nights by direct message what no channel can be told: theirs is gone, and the nights have ended with it."""

from __future__ import annotations

import logging

from bot.background_tasks import BackgroundTasks
from bot.events.nights.events import SeriesEnd, SeriesEnded
from bot.line.api import DiscordApi
from bot.line.dm_channels import DmChannels
from bot.line.failures import DiscordFailed
from bot.line.payloads import NO_MENTIONS
from bot.line.request_queue import RequestLine
from bot.runtime.nights import NightsChanged, PlannedSeries
from bot.signals import Signals
from bot.surfaces.part import Part
from bot.surfaces.people.profiles import Preferences
from bot.surfaces.post_once import nonce_of
from bot.text import nights as words
from bot.text.language import reading
from bot.text.people import is_former

log = logging.getLogger(__name__)


class HostNews(Part):
    """Tells it, once."""

    def __init__(
        self, channels: DmChannels, preferences: Preferences, discord_api: DiscordApi, signals: Signals
    ) -> None:
        self._channels, self._preferences, self._discord_api = channels, preferences, discord_api
        self.tasks = BackgroundTasks()
        signals.on(NightsChanged, self._on_changed)

    async def close(self) -> None:
        await self.tasks.finish(seconds=1.0)

    def _on_changed(self, signal: NightsChanged) -> None:
        one, host = signal.planned, signal.planned.series.host
        is_gone = any(isinstance(at, SeriesEnded) and at.reason is SeriesEnd.CHANNEL_GONE for at in signal.events)
        if is_gone and not is_former(host) and self._preferences.wants_dms(host):
            self.tasks.run(self._tell(one, host), f"night-host-{one.id}")

    async def _tell(self, one: PlannedSeries, host: int) -> None:
        line = RequestLine(one.guild)
        with reading(self._preferences.language(host)):
            text = words.ended_with_channel(one.series.terms.name)
        try:
            channel = await self._channels.channel(host, line)
            data = {"content": text, "allowed_mentions": NO_MENTIONS}
            await self._discord_api.send(line, channel, data, nonce=nonce_of("night-host", one.id))
        except DiscordFailed as error:  # they take no direct messages: `/night` no longer has it
            log.info("night_host_not_told", extra={"occasion": one.id, "error": repr(error)})
