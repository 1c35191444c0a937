"""Tells the host of nights by direct message what no channel can be told: theirs is gone, and the nights have ended with it.

What is owed stands in the journal of the series until it has been told. Where Discord takes no direct message, or its reader wants none,
it stands above the next answer to `/night` or `/me`.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable

from bot.background_tasks import BackgroundTasks
from bot.engine.errors import TableError
from bot.events.nights.commands import NoteLine
from bot.events.nights.state import HOUR_MS, NightLine
from bot.line.api import DiscordApi
from bot.line.dm_channels import DmChannels
from bot.line.failures import DiscordFailed
from bot.line.payloads import NO_MENTIONS
from bot.line.request_queue import Priority, RequestLine
from bot.runtime.clock import AlarmClock
from bot.runtime.nights import Nights, NightsBack, NightsChanged, PlannedSeries, is_owed
from bot.runtime.store_errors import StoreError
from bot.signals import Signals
from bot.surfaces.keeper import Drawing, Keeper, Location
from bot.surfaces.part import Part
from bot.surfaces.people.profiles import Preferences
from bot.surfaces.post_once import PostOnce, nonce_of
from bot.text import nights as words
from bot.text.language import reading
from bot.text.people import is_former

log = logging.getLogger(__name__)

OWED_MS = 30 * 24 * HOUR_MS
"""So long after the night that would have come nobody waits for the news any more."""
SHOWN_AT_ONCE = 5
Owed = tuple[PlannedSeries, NightLine]


class HostNews(Part):
    """Tells it, once."""

    def __init__(
        self,
        nights: Nights,
        channels: DmChannels,
        preferences: Preferences,
        discord_api: DiscordApi,
        clock: AlarmClock,
        signals: Signals,
    ) -> None:
        self._nights, self._channels, self._preferences = nights, channels, preferences
        self._clock, self._keeper = clock, Keeper(discord_api, clock)
        self.tasks: BackgroundTasks = self._keeper.tasks
        self._on_its_way: set[int] = set()
        self._is_open = False
        signals.on(NightsChanged, lambda signal: self._look([signal.planned]))
        signals.on(NightsBack, lambda signal: self._look(self._nights.of_server(signal.guild)))

    async def open(self) -> None:
        """Tell what an earlier run has not told."""
        self._is_open = True
        self._look(self._nights.all())

    async def close(self) -> None:
        self._is_open = False
        await self.tasks.finish(seconds=1.0)

    def owed(self, user: int) -> tuple[Owed, ...]:
        """Return what somebody is still to be told, as far as it is not on its way."""
        return tuple([one for one in self._nights.owed_to(user) if one[0].id not in self._on_its_way][:SHOWN_AT_ONCE])

    def text(self, owed: Iterable[Owed]) -> str:
        """Write it down in the language that is being read."""
        return "\n".join([words.line_text(one.series, line) for one, line in owed])

    async def note_told(self, owed: Iterable[Owed]) -> None:
        """They have read it."""
        for one, line in owed:
            try:
                await self._note(one, line)
            except StoreError as error:  # they read it once more
                log.info("night_host_news_not_noted", extra={"occasion": one.id, "error": repr(error)})

    def _look(self, all_series: Iterable[PlannedSeries]) -> None:
        for one in all_series if self._is_open else ():
            for line in one.series.lines:
                if is_owed(line) and one.id not in self._on_its_way:
                    self._look_at(one, line)

    def _look_at(self, one: PlannedSeries, line: NightLine) -> None:
        (host,) = line.people
        if is_former(host) or line.starts_at + OWED_MS < self._clock.now():
            self.tasks.run(self.note_told([(one, line)]), f"night-host-{one.id}")
        elif self._preferences.wants_dms(host):
            self._on_its_way.add(one.id)
            self.tasks.run(self._tell(one, line, host), f"night-host-{one.id}")

    async def _tell(self, one: PlannedSeries, line: NightLine, host: int) -> None:
        async def save(location: Location) -> None:
            if location.nonce or location.message:  # else Discord has refused it, and it is owed all the same
                await self._note(one, line, location.nonce)

        queue = RequestLine(one.guild)
        with reading(self._preferences.language(host)):
            data = {"content": self.text([(one, line)]), "allowed_mentions": NO_MENTIONS}
        try:
            at = Location(await self._channels.channel(host, queue), nonce=line.nonce)
            nonce = nonce_of("night-host", one.id)
            post = PostOnce(self._keeper, queue, at, [Drawing(data)], save, nonce=nonce, priority=Priority.PRIVATE)
            await post.send()
        except (DiscordFailed, StoreError) as error:
            log.info("night_host_not_told", extra={"occasion": one.id, "error": repr(error)})
        finally:
            self._on_its_way.discard(one.id)

    async def _note(self, one: PlannedSeries, line: NightLine, nonce: str = "") -> None:
        try:
            await self._nights.ask(one.id, NoteLine(line.number, nonce))
        except StoreError:
            raise
        except TableError as error:  # they have read it otherwise meanwhile
            log.info("night_host_news_not_noted", extra={"occasion": one.id, "error": repr(error)})
