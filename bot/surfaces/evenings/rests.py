"""Games that take a long rest: six hours after the last hand of an open table the book is read out once, and goes on.

Where a turn can take an hour or more, nobody waits for a hand, and so nobody needs that.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from typing import Any

from bot.background_tasks import BackgroundTasks
from bot.engine.errors import TableError
from bot.runtime.clock import Alarm, AlarmClock
from bot.runtime.snapshot import TableAddress, TableOutline, TableUpdate
from bot.runtime.tables import Tables
from bot.table.ended_game import EndedGame
from bot.table.events import HandBegan, HandFinished, HandUndone

REST_MS = 6 * 3_600_000
"""So long after the last hand."""


class Rests:
    """Waits for them.

    Args:
        show: shows the sheet of a game that rests.
    """

    def __init__(
        self,
        tables: Tables,
        clock: AlarmClock,
        tasks: BackgroundTasks,
        show: Callable[[TableAddress, EndedGame], Coroutine[Any, Any, None]],
    ) -> None:
        self._tables, self._clock, self._tasks, self._show = tables, clock, tasks, show
        self._alarms: dict[int, Alarm] = {}
        self._is_open = False

    async def open(self, told: Mapping[int, int]) -> None:
        """Find the alarms of an earlier run again. `told`: after how many hands the last sheet of each table was shown."""
        self._is_open = True
        for snapshot in self._tables.all_tables():
            if snapshot.hand_running or not snapshot.hand_number or snapshot.hand_number <= told.get(snapshot.id, 0):
                continue
            if snapshot.settings.is_slow:
                continue
            ended_at = await self._tables.last_hand_ended_at(snapshot.id)
            if ended_at and snapshot.id not in self._alarms:
                self._wait(snapshot, ended_at)

    def follow(self, update: TableUpdate) -> None:
        """A table has changed. This is called under its lock, so it awaits nothing."""
        snapshot = update.snapshot
        if update.closed:
            self._forget(snapshot.id)
        for event in update.events:
            match event:
                case HandBegan():
                    self._forget(snapshot.id)
                case HandFinished() | HandUndone():
                    self._wait(snapshot, event.at)
                case _:
                    pass

    def stop(self) -> None:
        self._is_open = False
        for alarm in self._alarms.values():
            alarm.cancel()
        self._alarms.clear()

    def _forget(self, table: int) -> None:
        alarm = self._alarms.pop(table, None)
        if alarm is not None:
            alarm.cancel()

    def _wait(self, snapshot: TableOutline, ended_at: int) -> None:
        self._forget(snapshot.id)
        if self._is_open and not snapshot.settings.is_slow:
            ring = partial(self._ring, snapshot.id, ended_at)
            self._alarms[snapshot.id] = self._clock.call_at(ended_at + REST_MS, ring)

    def _ring(self, table: int, ended_at: int) -> None:
        self._alarms.pop(table, None)
        try:
            snapshot = self._tables.snapshot(table)
        except TableError:  # it has closed in this moment
            return
        if self._is_open and not snapshot.hand_running and not snapshot.settings.is_slow:
            self._tasks.run(self._show(snapshot.address, snapshot.resting_game(ended_at)), f"rest-{table}")
