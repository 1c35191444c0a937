"""A table whose channel, thread or server is gone is closed, and everybody is paid out."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from bot.background_tasks import BackgroundTasks
from bot.engine.errors import TableError
from bot.runtime.tables import Tables
from bot.signals import ChannelDeleted, GuildLeft, Signals, TableChannelGone
from bot.surfaces.part import Part
from bot.surfaces.rooms.saved_rooms import TableRooms

log = logging.getLogger(__name__)


class LostChannels(Part):
    """Closes tables at which nobody can play any more."""

    def __init__(self, signals: Signals, tables: Tables, rooms: TableRooms) -> None:
        self._tables, self._rooms = tables, rooms
        self.tasks = BackgroundTasks()
        signals.on(TableChannelGone, lambda signal: self._close_later([signal.table]))
        signals.on(ChannelDeleted, self._on_channel_deleted)
        signals.on(GuildLeft, self._on_guild_left)

    async def close(self) -> None:
        await self.tasks.finish(0)

    def _on_channel_deleted(self, signal: ChannelDeleted) -> None:
        here = self._tables.table_in_channel(signal.guild, signal.channel)
        channel = signal.guild, signal.channel
        open_tables = {snapshot.id for snapshot in self._tables.tables_in_guild(signal.guild)}
        under = [table for table, room in self._rooms.all() if (room.guild, room.parent) == channel]
        below = [table for table in under if table in open_tables]  # its threads went with it
        self._close_later([*below, *([here.id] if here is not None else [])])

    def _on_guild_left(self, signal: GuildLeft) -> None:
        self._close_later([snapshot.id for snapshot in self._tables.tables_in_guild(signal.guild)])

    def _close_later(self, tables: Iterable[int]) -> None:
        for table in tables:
            self.tasks.run(self._close_table(table), f"close-{table}")

    async def _close_table(self, table: int) -> None:
        try:
            await self._tables.close_without_channel(table)
        except TableError as error:
            log.info("table_close_failed", extra={"table": table, "error": str(error)})
