"""What is told of game nights in their channels, each line once. Whoever must not be disturbed is named without a notification.

While the bot cannot write in a channel its lines wait; what nobody needs to know any more by then is told no more. A reminder goes once the
next one is told or the table is open, a question once it is answered. That a table is open stands below its message, between the game and
what each player sees alone: it goes once the first hand is dealt, or the table is closed. What has become of a night stays, with its post
and its sheet.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

from msgspec import Struct

from bot.engine.errors import TableError
from bot.events.nights.commands import NoteLine
from bot.events.nights.state import Night, NightLine, NightLineKind, NightPhase, NightReminder
from bot.line.api import DiscordApi
from bot.line.failures import DiscordFailed, TryLater
from bot.line.payloads import Raw
from bot.line.request_queue import Priority, RequestLine
from bot.runtime.clock import Alarm, AlarmClock
from bot.runtime.keyed_locks import KeyedLocks
from bot.runtime.nights import Nights, NightsBack, NightsChanged, PlannedSeries, is_owed
from bot.runtime.saved_values import SavedKind, SavedValues, ValueStorage
from bot.runtime.store_errors import StoreError
from bot.runtime.tables import Tables
from bot.signals import ChannelChanged, ChannelDeleted, RolesChanged, Signals, TablePosted
from bot.surfaces.keeper import Drawing, Keeper, Location
from bot.surfaces.nights.threads import open_thread
from bot.surfaces.part import Part
from bot.surfaces.people.quiet_times import QuietTimes
from bot.surfaces.post_once import PostOnce, nonce_of
from bot.surfaces.table.display import TableDisplay
from bot.text import nights as words
from bot.text.language import reading
from bot.text.people import is_former

log = logging.getLogger(__name__)

_ONLY_BEFORE = frozenset({NightLineKind.DAY_REMINDER, NightLineKind.HOUR_REMINDER, NightLineKind.SEAT_FREE})
"""What is told only before a night begins."""
_TABLE_OPENS = frozenset({NightLineKind.TABLE_OPEN, NightLineKind.TABLE_OPEN_LATE})
RETRY_MS = 30_000
"""So long after something could not be told it is tried again."""
TABLE_SHOWN_MS = 20_000
"""So long at most what is told of a table waits for the table's own message, to lead there."""


class ToldLine(Struct, frozen=True):
    """A message that stands only as long as it is true. `starts_at`, `table`: as in `NightLine`."""

    kind: NightLineKind
    channel: int
    message: int
    starts_at: int = 0
    table: int = 0


_TOLD = SavedKind[tuple[int, int], tuple[ToldLine, ...]]("nighttold.", ("server", "occasion"), tuple[ToldLine, ...])
_GOES = frozenset(
    {
        *_ONLY_BEFORE,
        *_TABLE_OPENS,
        NightLineKind.MOVED,
        NightLineKind.HOST_ASKED,
        NightLineKind.EVENT_GONE,
    }
)
"""What stands only as long as it is true."""


def _is_true(told: ToldLine, night: Night | None) -> bool:
    """Whether what was told is still so of the night that comes next."""
    if night is None or (night.table if told.table else night.starts_at) != (told.table or told.starts_at):
        return False
    match told.kind:
        case NightLineKind.TABLE_OPEN | NightLineKind.TABLE_OPEN_LATE:
            return night.phase is NightPhase.OPEN
        case NightLineKind.HOST_ASKED:
            return night.phase is NightPhase.ASKED
        case NightLineKind.SEAT_FREE:
            return night.phase is not NightPhase.PLAYED
        case NightLineKind.DAY_REMINDER:
            return night.phase is NightPhase.PLANNED and NightReminder.HOUR not in night.reminded
        case _:
            return night.phase is NightPhase.PLANNED


class NightLines(Part):
    """Tells them."""

    def __init__(
        self,
        nights: Nights,
        tables: Tables,
        display: TableDisplay,
        discord_api: DiscordApi,
        quiet: QuietTimes,
        storage: ValueStorage,
        clock: AlarmClock,
        signals: Signals,
    ) -> None:
        self._nights, self._tables, self._discord_api, self._quiet = nights, tables, discord_api, quiet
        self._display, self._clock = display, clock
        self._keeper = Keeper(discord_api, clock)
        self.tasks = self._keeper.tasks
        self._sending: set[tuple[int, int]] = set()
        self._opening: set[int] = set()
        self._saved = SavedValues(_TOLD, storage)
        self._told: dict[tuple[int, int], tuple[ToldLine, ...]] = {}
        self._locks = KeyedLocks[tuple[int, int]]()
        self._alarms: dict[int, Alarm] = {}
        self._is_open = False
        signals.on(NightsChanged, lambda signal: self._look(signal.planned))
        signals.on(ChannelChanged, lambda signal: self._look_at_server(signal.guild))
        signals.on(ChannelDeleted, lambda signal: self._look_at_server(signal.guild))
        signals.on(RolesChanged, lambda signal: self._look_at_server(signal.guild))
        signals.on(TablePosted, lambda signal: self._look_at_table(signal.table))
        signals.on(NightsBack, lambda signal: self._look_at_server(signal.guild))

    async def load(self) -> None:
        self._told = await self._saved.load()

    async def open(self) -> None:
        """Tell what an earlier run has not told."""
        self._is_open = True
        for one in self._nights.all():
            self._look(one)
        for key in tuple(self._told):
            if self._nights.find(key[1]) is None:
                self._take_back_soon(key)

    async def close(self) -> None:
        self._is_open = False
        for alarm in self._alarms.values():
            alarm.cancel()
        await self.tasks.finish(seconds=2.0)

    def _look_at_table(self, table: int) -> None:
        one = self._nights.at_table(table)
        if one is not None:
            self._look(one)

    def _look_at_server(self, guild: int) -> None:
        for one in self._nights.of_server(guild):
            self._look(one)

    def _look(self, one: PlannedSeries) -> None:
        if not self._is_open:
            return
        key = one.guild, one.id
        if not all(_is_true(told, one.series.night) for told in self._told.get(key, ())):
            self._take_back_soon(key)
        servers, channel = self._discord_api.servers, one.series.channel
        lines = _of_channel(one)
        if not servers.can_write(one.guild, channel):
            if lines and servers.channel_or_thread(one.guild, channel) is None:
                self.tasks.run(self._open_thread(one), f"night-thread-{one.id}")
            return
        for line in lines:
            key = one.id, line.number
            if key not in self._sending and not self._waits_for_table(one, line):
                self._sending.add(key)
                self.tasks.run(self._send(one, line), f"night-line-{one.id}")

    async def _open_thread(self, one: PlannedSeries) -> None:
        """Open an archived thread in which there is something to tell: Discord tells of it then. Where it is gone, and no night comes any
        more, nobody is told."""
        if one.id in self._opening:
            return
        self._opening.add(one.id)
        try:
            is_there = await open_thread(self._discord_api, one.guild, one.series.channel)
            for line in _of_channel(one) if one.series.has_ended and not is_there else ():
                await self._nights.ask(one.id, NoteLine(line.number))
        except (DiscordFailed, TableError) as error:  # the next change of the series or of the channel
            log.info("night_thread_not_opened", extra={"occasion": one.id, "error": repr(error)})
        finally:
            self._opening.discard(one.id)

    def _waits_for_table(self, one: PlannedSeries, line: NightLine) -> bool:
        """Return whether a line is to lead to a table whose message is about to come."""
        night = one.series.night
        if line.kind not in _TABLE_OPENS or night is None or night.table != line.table or line.nonce:
            return False
        until = night.opened_at + TABLE_SHOWN_MS
        if self._link(line.table) or self._clock.now() >= until:
            return False
        alarm = self._alarms.pop(one.id, None)
        if alarm is not None:
            alarm.cancel()

        def look() -> None:
            del self._alarms[one.id]
            self._look(self._nights.find(one.id) or one)

        self._alarms[one.id] = self._clock.call_at(until, look)
        return True

    def _look_later(self, guild: int, id_: int) -> None:
        """Look at a series again in a while: something could not be done."""

        def again() -> None:
            one = self._nights.find(id_)
            if one is not None:
                self._look(one)
            elif self._is_open:
                self._take_back_soon((guild, id_))

        self._clock.call_at(self._clock.now() + RETRY_MS, again)

    def _take_back_soon(self, key: tuple[int, int]) -> None:
        self.tasks.run(self._take_back(key), f"night-line-back-{key[1]}")

    async def _take_back(self, key: tuple[int, int]) -> None:
        """Delete what is no longer true."""
        async with self._locks.of(key):
            one = self._nights.find(key[1])
            night = one.series.night if one is not None else None
            for told in self._told.get(key, ()):
                if not _is_true(told, night) and await self._delete(key, told):
                    await self._note_told(key, [at for at in self._told.get(key, ()) if at != told])

    async def _delete(self, key: tuple[int, int], told: ToldLine) -> bool:
        """Delete a message. Returns whether it is gone."""
        try:
            await self._discord_api.delete(RequestLine(key[0]), told.channel, told.message)
        except TryLater as error:
            log.info("night_line_left", extra={"occasion": key[1], "error": repr(error)})
            self._look_later(*key)
            return False
        except DiscordFailed as error:  # somebody has deleted it
            log.info("night_line_gone", extra={"occasion": key[1], "error": repr(error)})
        return True

    async def _note_told(self, key: tuple[int, int], lines: Sequence[ToldLine]) -> None:
        if lines:
            self._told[key] = tuple(lines)
            await self._saved.keep(key, self._told[key])
        else:
            self._told.pop(key, None)
            await self._saved.forget(key)

    async def _send(self, one: PlannedSeries, line: NightLine) -> None:
        async def save(location: Location) -> None:
            if location.message and line.kind in _GOES:  # before it is noted as told: a killed dealer looks it up again
                await self._keep_told(one, line, location)
            if not (location.message or location.nonce) and self._is_elsewhere(one):
                return  # Discord has refused it in a channel that is gone: it is told in the next one
            try:
                await self._nights.ask(one.id, NoteLine(line.number, location.nonce))
            except TableError as error:
                if isinstance(error, StoreError):
                    raise
                log.info("night_line_not_noted", extra={"occasion": one.id, "error": repr(error)})

        at = Location(one.series.channel, nonce=line.nonce)
        nonce = nonce_of("night", one.id, line.number)
        try:
            if not line.nonce and self._is_past(one, line):
                await save(at)
                return
            post = PostOnce(
                self._keeper,
                RequestLine(one.guild),
                at,
                [Drawing(await self._message(one, line))],
                save,
                nonce=nonce,
                priority=Priority.PRIVATE,
            )
            await post.send()
        except (
            DiscordFailed,
            StoreError,
        ) as error:  # what Discord has refused is noted as told, unless that could not be saved
            log.info("night_line_not_sent", extra={"occasion": one.id, "error": repr(error)})
            self._look_later(one.guild, one.id)
            return
        finally:
            self._sending.discard((one.id, line.number))
        if line.kind in _GOES:  # its game can be on by now, or its table closed
            self._look(self._nights.find(one.id) or one)

    def _is_elsewhere(self, one: PlannedSeries) -> bool:
        """Return whether the nights of a series have gone on to another channel, or are about to."""
        now = self._nights.find(one.id)
        if now is None or now.series.has_ended:
            return False
        channel = one.series.channel
        return now.series.channel != channel or self._discord_api.servers.channel_or_thread(one.guild, channel) is None

    def _is_past(self, one: PlannedSeries, line: NightLine) -> bool:
        """Return whether nobody needs to know any more what a line tells: the night has begun, is off or at another time, or its table has
        closed."""
        if line.kind in _TABLE_OPENS:
            return not self._where(line.table)
        if line.kind not in _ONLY_BEFORE:
            return False
        now = self._nights.find(one.id) or one
        night = now.series.night
        return night is None or night.starts_at != line.starts_at or line.starts_at <= self._clock.now()

    async def _keep_told(self, one: PlannedSeries, line: NightLine, location: Location) -> None:
        """Remember where a line was told that goes once it is no longer true."""
        key = one.guild, one.id
        told = ToldLine(line.kind, location.channel, location.message, line.starts_at, line.table)
        async with self._locks.of(key):
            others = [at for at in self._told.get(key, ()) if at.message != told.message]
            await self._note_told(key, [*others, told])

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
        """Return a link to the table; to its channel where its message is not there."""
        try:
            return words.table_link(self._link(table), self._tables.snapshot(table).address.channel) if table else ""
        except TableError:  # it has closed again
            return ""

    def _link(self, table: int) -> str:
        try:
            return self._display.message_link(self._tables.snapshot(table))
        except TableError:
            return ""


def _of_channel(one: PlannedSeries) -> list[NightLine]:
    """Return what is told in the channel of a series. What its host alone is told, `HostNews` does."""
    return [line for line in one.series.lines if not is_owed(line)]
