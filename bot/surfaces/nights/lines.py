"""What is told of game nights in their channels, each line once. Whoever must not be disturbed is named without a notification.

While the bot cannot write in a channel its lines wait; what nobody needs to know any more by then is told no more.
"""

from __future__ import annotations

import logging

from bot.engine.errors import TableError
from bot.events.nights.commands import NoteLine
from bot.events.nights.state import NightLine, NightLineKind
from bot.line.api import DiscordApi
from bot.line.failures import DiscordFailed
from bot.line.payloads import Raw
from bot.line.request_queue import Priority, RequestLine
from bot.runtime.clock import AlarmClock
from bot.runtime.nights import Nights, NightsChanged, PlannedSeries
from bot.runtime.store_errors import StoreError
from bot.runtime.tables import Tables
from bot.signals import ChannelChanged, RolesChanged, Signals
from bot.surfaces.keeper import Drawing, Keeper, Location
from bot.surfaces.part import Part
from bot.surfaces.people.quiet_times import QuietTimes
from bot.surfaces.post_once import PostOnce, nonce_of
from bot.text import nights as words
from bot.text.language import reading
from bot.text.people import is_former

log = logging.getLogger(__name__)

_ONLY_BEFORE = frozenset({NightLineKind.DAY_REMINDER, NightLineKind.HOUR_REMINDER, NightLineKind.SEAT_FREE})
"""What is told only before a night begins."""
_TABLE_OPENS = frozenset({NightLineKind.TABLE_OPEN, NightLineKind.TABLE_OPEN_LATE})


class NightLines(Part):
    """Tells them."""

    def __init__(
        self,
        nights: Nights,
        tables: Tables,
        discord_api: DiscordApi,
        quiet: QuietTimes,
        clock: AlarmClock,
        signals: Signals,
    ) -> None:
        self._nights, self._tables, self._discord_api, self._quiet = nights, tables, discord_api, quiet
        self._keeper = Keeper(discord_api, clock)
        self.tasks = self._keeper.tasks
        self._sending: set[tuple[int, int]] = set()
        self._is_open = False
        self._clock = clock
        signals.on(NightsChanged, lambda signal: self._look(signal.planned))
        signals.on(ChannelChanged, lambda signal: self._look_at_server(signal.guild))
        signals.on(RolesChanged, lambda signal: self._look_at_server(signal.guild))

    async def open(self) -> None:
        """Tell what an earlier run has not told."""
        self._is_open = True
        for one in self._nights.all():
            self._look(one)

    async def close(self) -> None:
        self._is_open = False
        await self.tasks.finish(seconds=2.0)

    def _look_at_server(self, guild: int) -> None:
        for one in self._nights.of_server(guild):
            self._look(one)

    def _look(self, one: PlannedSeries) -> None:
        for line in one.series.lines:
            key = one.id, line.number
            can_write = self._discord_api.servers.can_write(one.guild, one.series.channel)
            if self._is_open and can_write and key not in self._sending:
                self._sending.add(key)
                self.tasks.run(self._send(one, line), f"night-line-{one.id}")

    async def _send(self, one: PlannedSeries, line: NightLine) -> None:
        async def save(location: Location) -> None:
            try:
                await self._nights.ask(one.id, NoteLine(line.number, location.nonce))
            except TableError as error:
                if isinstance(error, StoreError):
                    raise
                log.info("night_line_not_noted", extra={"occasion": one.id, "error": repr(error)})

        if line.kind in _ONLY_BEFORE and line.starts_at <= self._clock.now() and not line.nonce:
            await save(Location(one.series.channel))
            self._sending.discard((one.id, line.number))
            return
        at = Location(one.series.channel, nonce=line.nonce)
        nonce = nonce_of("night", one.id, line.number)
        post = PostOnce(
            self._keeper,
            RequestLine(one.guild),
            at,
            [Drawing(await self._message(one, line))],
            save,
            nonce=nonce,
            priority=Priority.PRIVATE,
        )
        try:
            await post.send()
        except (DiscordFailed, StoreError) as error:
            log.info("night_line_not_sent", extra={"occasion": one.id, "error": repr(error)})
        finally:
            self._sending.discard((one.id, line.number))

    async def _message(self, one: PlannedSeries, line: NightLine) -> Raw:
        named = [user for user in line.people if not is_former(user)][: words.PEOPLE_NAMED]
        told_otherwise = {at.player for at in one.series.seated()} if line.kind in _TABLE_OPENS else set()
        awake = [
            user for user in named if user not in told_otherwise and not await self._quiet.are_now(one.guild, user)
        ]
        with reading(self._discord_api.servers.language(one.guild)):
            text = words.line_text(one.series, line, self._where(line.table))
        return {"content": text, "allowed_mentions": {"parse": [], "users": [str(user) for user in awake]}}

    def _where(self, table: int) -> str:
        if not table:
            return ""
        try:
            return f"<#{self._tables.snapshot(table).address.channel}>"
        except TableError:  # it has closed again
            return ""
