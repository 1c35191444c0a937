"""Brings game nights about: opens their tables, holds seats, calls the break, closes them, and notes what has become of them.

What is due is a pure question to the series (`bot.events.nights.due`). It is done first and noted afterwards, under a key of the night: a
dealer that is killed in between does it again, and finds it done.
"""

from __future__ import annotations

import logging
from functools import partial

from msgspec.structs import replace

from bot.background_tasks import BackgroundTasks
from bot.engine.errors import TableError
from bot.events.nights import commands as c
from bot.events.nights.due import NightWork, next_due_at, work_due
from bot.events.nights.events import NightAnswered, NightPlanned
from bot.events.nights.refusals import NoSuchNight
from bot.events.nights.state import HELD_AFTER_MS, Night, NightAnswer, NightPhase, NightScore, NightSeries, NightTerms
from bot.line.api import DiscordApi
from bot.line.failures import MISSING_ACCESS, DiscordFailed, NotAllowed
from bot.line.interaction import InteractionInfo
from bot.render.table.open_form import Where
from bot.runtime.bank import Bank
from bot.runtime.caps import TooMany
from bot.runtime.clock import Alarm, AlarmClock
from bot.runtime.ended_tables import ENDED_TABLES
from bot.runtime.errors import DealerStopping
from bot.runtime.night_table import call_break, close_after_hand, hold_seats, let_go
from bot.runtime.nights import Nights, NightsChanged, PlannedSeries
from bot.runtime.operations import TableOperation, close_between_hands
from bot.runtime.request import Request
from bot.runtime.saved_values import SavedValues, ValueStorage
from bot.runtime.snapshot import TableUpdate
from bot.runtime.store_errors import ChannelTaken, StoreError
from bot.runtime.tables import Tables
from bot.signals import ChannelChanged, ChannelDeleted, GuildJoined, GuildLeft, Signals
from bot.surfaces.evenings.sheets import EveningSheets
from bot.surfaces.nights.threads import open_thread
from bot.surfaces.part import Part
from bot.surfaces.rooms.refusals import CannotOpenRoom
from bot.surfaces.rooms.room_maker import RoomMaker
from bot.table.ended_game import EndedGame
from bot.table.events import HandBegan, TableClosed
from bot.table.settings import TableSettings, with_starting_stack

log = logging.getLogger(__name__)

RETRY_MS = 30_000
"""So long after something could not be done it is tried again."""
IDLE_MINUTES = 40
"""The table of a night waits at least so long for people: longer than until the night is cancelled."""
_DISCORD_EPOCH_MS = 1_420_070_400_000


class GameNights(Part):
    """Brings them about."""

    def __init__(
        self,
        nights: Nights,
        tables: Tables,
        rooms: RoomMaker,
        discord_api: DiscordApi,
        bank: Bank,
        sheets: EveningSheets,
        storage: ValueStorage,
        clock: AlarmClock,
        signals: Signals,
    ) -> None:
        self._nights, self._tables, self._rooms, self._sheets = nights, tables, rooms, sheets
        self._discord_api, self._servers = discord_api, discord_api.servers
        self._bank, self._clock = bank, clock
        self._ended_tables = SavedValues(ENDED_TABLES, storage)
        self._ended: dict[int, EndedGame] = {}
        self._alarms: dict[int, Alarm] = {}
        self._working: set[int] = set()
        self._not_before: dict[int, int] = {}
        self.tasks = BackgroundTasks()
        self._is_open = False
        signals.on(NightsChanged, self._on_changed)
        signals.on(GuildJoined, lambda signal: self.tasks.run(self._come_back(signal.guild), "nights-back"))
        signals.on(GuildLeft, lambda signal: self._nights.forget_guild(signal.guild))
        signals.on(ChannelDeleted, self._on_channel_deleted)
        signals.on(ChannelChanged, self._on_channel_changed)

    # between runs

    async def load(self) -> None:
        await self._nights.load()
        self._ended = {table: ended.game for table, ended in (await self._ended_tables.load()).items()}

    async def open(self) -> None:
        """Take up what an earlier run has left: tables that have closed meanwhile, and what is due."""
        if self._is_open:
            return
        self._is_open = True
        for one in self._nights.all():
            await self._catch_up(one)
            self._look(one.id)
        self._ended.clear()

    async def close(self) -> None:
        self._is_open = False
        for alarm in self._alarms.values():
            alarm.cancel()
        await self.tasks.finish(seconds=2.0)

    async def forget(self, guild: int, user: int) -> None:
        await self._nights.forget(guild, user)

    async def _come_back(self, guild: int) -> None:
        """A server has invited the bot again. Its tables have closed when it was removed."""
        try:
            await self._nights.come_back(guild)
        except StoreError as error:
            log.warning("nights_not_read", extra={"guild": guild, "error": repr(error)})

            def again() -> None:
                self.tasks.run(self._come_back(guild), "nights-back")

            self._clock.call_at(self._clock.now() + RETRY_MS, again)
            return
        for one in self._nights.of_server(guild):
            await self._catch_up(one)
            self._look(one.id)

    async def _catch_up(self, one: PlannedSeries) -> None:
        """Note what has happened at the table of a night that nobody has noted."""
        night = one.series.night
        if night is None or not night.table:
            return
        try:
            snapshot = self._tables.snapshot(night.table)
        except TableError:
            game = self._ended.get(night.table) or self._sheets.game_of(night.table)
            await self._note_closed(one, night, game)
            return
        if snapshot.hand_number:
            await self._note_dealt(one.id, one.series.terms, snapshot.hand_number, snapshot.id)

    # what is due

    def _on_changed(self, signal: NightsChanged) -> None:
        one, night = signal.planned, signal.planned.series.night
        self._not_before.pop(one.id, None)
        self._look(one.id)
        if night is None or not night.table or any(isinstance(event, NightPlanned) for event in signal.events):
            return
        for event in signal.events:
            if isinstance(event, NightAnswered):
                self.tasks.run(_follow_answer(self._tables, one, night, event), f"night-answer-{event.player}")

    def _look(self, id_: int) -> None:
        """Do what is due for a series, or wait until something is."""
        alarm = self._alarms.pop(id_, None)
        if alarm is not None:
            alarm.cancel()
        one = self._nights.find(id_)
        if one is None or not self._is_open or id_ in self._working or self._servers.get(one.guild) is None:
            return
        due = next_due_at(one.series)
        if not due:
            return
        at = max(due, self._not_before.get(id_, 0))
        if at > self._clock.now():
            self._alarms[id_] = self._clock.call_at(at, partial(self._look, id_))
            return
        self._working.add(id_)
        self.tasks.run(self._do(one), f"night-{id_}")

    async def _do(self, one: PlannedSeries) -> None:
        self._not_before.pop(one.id, None)
        try:
            await self._do_work(one)
        except (TableError, StoreError, DiscordFailed) as error:
            log.info("night_work_failed", extra={"occasion": one.id, "error": repr(error)})
        finally:
            self._working.discard(one.id)
            now = self._nights.find(one.id)
            if now is not None and now.seq == one.seq:  # nothing came of it
                self._not_before.setdefault(one.id, self._clock.now() + RETRY_MS)
            self._look(one.id)

    async def _do_work(self, one: PlannedSeries) -> None:
        series, night = one.series, one.series.night
        work = work_due(series, self._clock.now())
        if night is None or work is None:
            await self._nights.ask(one.id, c.NightTick())
            return
        match work:
            case NightWork.OPEN_TABLE:
                await self._open_table(one, series, night)
            case NightWork.CANCEL_TABLE:
                await self._arrange_or_note(one, night, close_between_hands)
            case NightWork.CALL_BREAK:
                await self._arrange_or_note(one, night, call_break(series.terms.break_minutes))
                await self._nights.ask(one.id, c.NoteBreak())
            case NightWork.CLOSE_TABLE:
                await self._arrange_or_note(one, night, close_after_hand)

    async def _arrange_or_note(self, one: PlannedSeries, night: Night, operation: TableOperation) -> None:
        """Do something at the table of a night; where it has closed meanwhile, note that."""
        try:
            self._tables.snapshot(night.table)
        except TableError:
            await self._catch_up(one)
            return
        await self._tables.arrange(night.table, operation)

    # opening

    async def _open_table(self, one: PlannedSeries, series: NightSeries, night: Night) -> None:
        if gone := await self._who_cannot_come(one.guild, series, night):
            await self._nights.note_gone(one.guild, gone)
            return
        if self._servers.channel_or_thread(one.guild, series.channel) is None:
            await self._open_thread(one, night)
            return
        if lacks := self._servers.lacks_to_write(one.guild, series.channel):  # nobody would see the table
            await _wait_or_cancel(self._nights, self._clock.now(), one, night, lacks)
            return
        try:
            table = await self._table_for(one, series, night)
        except (DealerStopping, StoreError):
            raise
        except (TableError, CannotOpenRoom) as refused:
            if isinstance(refused, TooMany) and self._clock.now() < night.starts_at + HELD_AFTER_MS:
                raise  # it is tried again: another table can close until then
            if isinstance(refused, CannotOpenRoom) and refused.lacks:
                await _wait_or_cancel(self._nights, self._clock.now(), one, night, refused.lacks)
                return
            log.info("night_table_refused", extra={"occasion": one.id, "error": repr(refused)})
            await self._nights.ask(one.id, c.NoteNoTable(number=night.number))
            return
        held = replace(night, opened_at=self._clock.now())
        try:
            await self._tables.arrange(table, hold_seats(series, held))
        except TableError as closed:  # it was opened by a dealer that was killed then, and has closed since
            log.info("night_seats_not_held", extra={"occasion": one.id, "error": repr(closed)})
        await self._note_table(one, night, table)

    async def _note_table(self, one: PlannedSeries, night: Night, table: int) -> None:
        """The table of a night is open; where the night was called off or moved meanwhile, it closes again."""
        try:
            after = await self._nights.ask(one.id, c.NoteTable(table, night.number, night.starts_at))
        except NoSuchNight:
            after = None
        now = after.series.night if after is not None else None
        if after is not None and now is not None and now.table == table:
            await self._catch_up(after)  # it can have dealt or closed before it was noted
            return
        log.info("night_table_not_needed", extra={"occasion": one.id, "table": table})
        await self._tables.arrange(table, close_after_hand)

    async def _open_thread(self, one: PlannedSeries, night: Night) -> None:
        """The channel of a series is an archived thread, or gone. Once the thread is open again, the table opens in it."""
        try:
            is_there = await open_thread(self._discord_api, one.guild, one.series.channel)
        except NotAllowed as error:
            log.info("night_thread_not_opened", extra={"occasion": one.id, "error": repr(error)})
            lacks = "view_channel" if error.code == MISSING_ACCESS else "manage_threads"
            await _wait_or_cancel(self._nights, self._clock.now(), one, night, (lacks,))
            return
        if not is_there:
            await self._note_channel_gone(one, was_open=False)  # nobody can say any more who could read it

    async def _table_for(self, one: PlannedSeries, series: NightSeries, night: Night) -> int:
        """Open the table of a night, in a thread where its channel has one; also the one that an earlier run has opened."""
        key = f"night.{one.id}.{night.number}.{night.starts_at}"  # a night that is moved has another table
        opened = await self._tables.opened_by(key)
        if opened:
            return opened
        role = (await self._bank.house_rules(one.guild)).player_role
        request = Request(
            key=key,
            guild=one.guild,
            channel=series.channel,
            user=series.host,
            name=series.host_name,
            roles=(role,) if role else (),  # they had it when they planned the night
        )
        settings = table_settings(series.terms, night.starts_at)
        try:
            return (await self._tables.open(request, settings)).snapshot.id
        except ChannelTaken:
            return await self._open_in_thread(request, settings)

    async def _open_in_thread(self, request: Request, settings: TableSettings) -> int:
        """Open the table in a thread of its own: another one is in the channel.

        Raises:
            CannotOpenRoom, TableError.
        """
        made_at = (self._clock.now() - _DISCORD_EPOCH_MS) << 22
        info = InteractionInfo(
            id=made_at,
            token="",
            guild=request.guild,
            channel=request.channel,
            user=request.user,
            name=request.name,
        )
        room = await self._rooms.make(info, settings, Where.THREAD, 0)
        try:
            opened = (await self._tables.open(replace(request, channel=room.thread), settings)).snapshot
        except Exception:
            await self._rooms.discard(room)
            raise
        await self._rooms.used(room, opened)
        return opened.id

    async def _who_cannot_come(self, guild: int, series: NightSeries, night: Night) -> list[int]:
        """Return the host if they have left the server, and who of the host and those who have answered is banned."""
        asked = {series.host: None} | {one.player: None for one in night.answers}
        gone = [user for user in asked if self._tables.staff_log.is_banned(guild, user)]
        if series.host not in gone and not await _is_member(self._discord_api, guild, series.host):
            gone.insert(0, series.host)
        return gone

    # what happens

    def on_update(self, update: TableUpdate) -> None:
        """A table has changed: that of a night has dealt, or has closed. This is called under its lock, so it awaits nothing."""
        snapshot = update.snapshot
        one = self._nights.at_table(snapshot.id)
        night = one.series.night if one is not None else None
        if one is None or night is None or night.table != snapshot.id:
            return
        if update.closed:
            game = snapshot.ended_game([event for event in update.events if isinstance(event, TableClosed)])
            came = sum(line.player > 0 and line.player != one.series.host for line in snapshot.table.standings)
            self._note_closed_soon(one, night, game, came)
            return
        for event in update.events:
            if isinstance(event, HandBegan):
                dealt = self._note_dealt(one.id, one.series.terms, event.number, snapshot.id)
                self.tasks.run(dealt, f"night-dealt-{one.id}")

    async def _note_dealt(self, id_: int, terms: NightTerms, number: int, table: int) -> None:
        """A hand of a night has begun; the last one of a challenge closes its table."""
        try:
            await self._nights.ask(id_, c.NoteDealt())
            if terms.hands and number >= terms.hands:
                await self._tables.arrange(table, close_after_hand)
        except (TableError, StoreError) as error:  # the next hand does it, or the next start
            log.info("night_hand_not_noted", extra={"occasion": id_, "error": repr(error)})

    async def _note_closed(self, one: PlannedSeries, night: Night, game: EndedGame | None, came: int = 1) -> None:
        """The table of a night has closed. `came` is how many people besides the host sat down."""
        hands = game.hands if game is not None else int(night.phase is NightPhase.PLAYED)
        standings = game.standings if game is not None else ()
        scores = tuple(
            [NightScore(at.player, at.name, at.net, at.hands) for at in standings if at.player > 0 and at.hands]
        )
        try:
            await self._nights.ask(one.id, c.NoteClosed(hands, scores, came, night.number))
        except StoreError as error:
            log.warning("night_end_not_noted", extra={"occasion": one.id, "error": repr(error)})
            again = partial(self._note_closed_soon, one, night, game, came)
            self._clock.call_at(self._clock.now() + RETRY_MS, again)
        except TableError as error:  # there are no more of these nights
            log.info("night_end_not_noted", extra={"occasion": one.id, "error": repr(error)})

    def _note_closed_soon(self, one: PlannedSeries, night: Night, game: EndedGame | None, came: int) -> None:
        if self._is_open:  # else the next start notes it
            self.tasks.run(self._note_closed(one, night, game, came), f"night-closed-{one.id}")

    def _on_channel_deleted(self, signal: ChannelDeleted) -> None:
        for one in self._nights.of_server(signal.guild):
            if one.series.channel == signal.channel:
                self.tasks.run(self._note_channel_gone(one, was_open=signal.was_open), f"night-moves-{one.id}")

    def _on_channel_changed(self, signal: ChannelChanged) -> None:
        for one in self._nights.of_server(signal.guild):
            if one.series.channel == signal.channel and not signal.archived:
                self._not_before[one.id] = 0
                self._look(one.id)

    async def _note_channel_gone(self, one: PlannedSeries, *, was_open: bool) -> None:
        """The channel of a series is gone. It goes on where everybody reads it, or ends where not everybody could."""
        channel = self._servers.usual_channel(one.guild) if was_open else 0
        try:
            await self._nights.ask(one.id, c.NoteChannelGone(channel if channel != one.series.channel else 0))
        except (TableError, StoreError) as error:
            log.info("night_channel_not_noted", extra={"occasion": one.id, "error": repr(error)})


async def _wait_or_cancel(nights: Nights, now: int, one: PlannedSeries, night: Night, lacks: tuple[str, ...]) -> None:
    """The table of a night lacks permissions: they can be granted as long as seats are held. Then the night is cancelled."""
    log.info("night_table_lacks_permissions", extra={"occasion": one.id, "lacks": lacks})
    if now >= night.starts_at + HELD_AFTER_MS:
        await nights.ask(one.id, c.NoteNoTable(lacks, night.number))


async def _follow_answer(tables: Tables, one: PlannedSeries, night: Night, event: NightAnswered) -> None:
    """Somebody has answered while the table is open: a seat is held for them, or no longer."""
    is_in = event.answer is NightAnswer.IN
    try:
        held = hold_seats(one.series, night) if is_in else let_go(event.player)
        await tables.arrange(night.table, held)
    except TableError as error:
        log.info("night_seats_not_held", extra={"occasion": one.id, "error": repr(error)})


async def _is_member(api: DiscordApi, guild: int, user: int) -> bool:
    """Return whether somebody is in a server; also where Discord does not say."""
    try:
        return await api.is_member(guild, user)
    except DiscordFailed as error:
        log.info("night_host_not_looked_up", extra={"guild": guild, "user": user, "error": repr(error)})
        return True


def table_settings(terms: NightTerms, starts_at: int) -> TableSettings:
    """Return the settings of the table of a night: it waits for its hour and for enough people, and longer than others."""
    settings = with_starting_stack(terms.settings)
    return replace(
        settings,
        first_hand_players=terms.players_min,
        first_hand_at=starts_at,
        evening=terms.name,
        idle_minutes=max(settings.idle_minutes, IDLE_MINUTES),
    )
