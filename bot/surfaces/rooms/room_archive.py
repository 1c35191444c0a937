"""The thread of a table that has closed is archived once its last message stands there, unless another table has opened in it."""

from __future__ import annotations

import logging

from bot.background_tasks import BackgroundTasks
from bot.line.api import DiscordApi
from bot.line.failures import DiscordFailed, TryLater
from bot.line.request_queue import RequestLine
from bot.runtime.clock import Alarm, AlarmClock
from bot.runtime.snapshot import TableSnapshot, TableUpdate
from bot.runtime.tables import Tables
from bot.signals import LastMessageShown, Signals
from bot.surfaces.evenings.sheets import EveningSheets
from bot.surfaces.part import Part
from bot.surfaces.rooms.saved_rooms import TableRooms
from bot.surfaces.table.display import TableDisplay
from bot.table.events import TableOpened
from bot.text import rooms as words
from bot.text.language import reading

log = logging.getLogger(__name__)

ARCHIVE_MS = 10 * 60 * 1000
"""How long after its table has closed a thread is archived at the latest, also where the last message cannot be shown. One in which a
sheet is due waits until that is there, or given up."""
LAST_REQUESTS_MS = 3_000
"""How long after the last message: what is taken away, or redrawn once more, would open the thread again."""
RETRY_MS = 10 * 60 * 1000
"""How long after a failure of Discord it is tried again."""


class RoomArchive(Part):
    """Archives the threads of tables that have closed."""

    def __init__(
        self,
        discord_api: DiscordApi,
        tables: Tables,
        display: TableDisplay,
        sheets: EveningSheets,
        rooms: TableRooms,
        clock: AlarmClock,
        signals: Signals,
    ) -> None:
        self._discord_api, self._tables, self._rooms, self._clock = discord_api, tables, rooms, clock
        self._display, self._sheets = display, sheets
        self.tasks = BackgroundTasks()
        self._alarms: dict[int, Alarm] = {}
        self._open = False
        signals.on(LastMessageShown, self._on_last_message)

    async def open(self) -> None:
        """Take up the threads of tables that an earlier run has closed."""
        self._open = True
        open_tables = {snapshot.id for snapshot in self._tables.all_tables()}
        for table, _ in self._rooms.all():
            if table not in open_tables and not self._sheets.owes(table):
                self._archive_later(table, ARCHIVE_MS if self._display.last_messages.owe(table) else LAST_REQUESTS_MS)

    async def close(self) -> None:
        self._open = False
        for alarm in self._alarms.values():
            alarm.cancel()
        self._alarms.clear()
        await self.tasks.finish(seconds=2.0)

    @property
    def waits_to_archive(self) -> bool:
        """Whether threads of closed tables are to be archived later."""
        return bool(self._alarms)

    def on_update(self, update: TableUpdate) -> None:
        if any(isinstance(event, TableOpened) for event in update.events):
            self._moved_in(update.snapshot)
        if update.closed and not update.snapshot.ended_game(()).has_sheet:
            self._archive_later(update.snapshot.id, ARCHIVE_MS)

    def _on_last_message(self, signal: LastMessageShown) -> None:
        """A table has closed and has nothing more to say: its thread goes."""
        alarm = self._alarms.pop(signal.table, None)
        if alarm is not None:
            alarm.cancel()
        self._archive_later(signal.table, LAST_REQUESTS_MS)

    def _moved_in(self, snapshot: TableSnapshot) -> None:
        """A table has opened. Where another one has closed lately, its thread is this one's now."""
        for table, room in self._rooms.all():
            if room.channel == snapshot.address.channel and room.title and table != snapshot.id:
                alarm = self._alarms.pop(table, None)
                if alarm is not None:
                    alarm.cancel()
                self.tasks.run(self._rooms.hand_over(table, snapshot.id), f"room-{snapshot.id}")

    def _archive_later(self, table: int, delay: int) -> None:
        if self._rooms.of(table) is not None and table not in self._alarms and self._open:
            self._alarms[table] = self._clock.call_at(self._clock.now() + delay, lambda: self._archive_now(table))

    def _archive_now(self, table: int) -> None:
        self._alarms.pop(table, None)
        if self._open:
            self.tasks.run(self._archive(table), f"archive-{table}")

    async def _archive(self, table: int) -> None:
        """Archive the thread of a table that has closed, under a title that says so."""
        room = self._rooms.of(table)
        if room is None:
            return
        if room.title and self._tables.table_in_channel(room.guild, room.channel) is None:
            with reading(self._discord_api.servers.language(room.guild)):
                changes = {"name": words.closed_title(room.title), "archived": True}
            try:
                await self._discord_api.edit_channel(RequestLine(room.guild), room.channel, changes)
            except DiscordFailed as error:
                log.info("room_not_archived", extra={"channel": room.channel, "error": repr(error)})
                if isinstance(error, TryLater):
                    self._archive_later(table, RETRY_MS)
                    return
        await self._rooms.end(table)
