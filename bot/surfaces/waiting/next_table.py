"""The next table that waits for somebody, across all of theirs, also those of other dealers: in `/me`, and after each action where turns
can take hours."""

from __future__ import annotations

import asyncio
import logging

from bot.background_tasks import BackgroundTasks
from bot.line.site import DealerSite
from bot.render.message.panel import Panel
from bot.render.table.waiting import TableThatWaits, next_table_panel
from bot.runtime.awaited import AwaitedList, AwaitedTurn
from bot.runtime.store_errors import StoreError
from bot.runtime.tables import Tables
from bot.signals import Signals, SlowTurnChanged
from bot.surfaces.part import Part
from bot.surfaces.table.display import TableDisplay

log = logging.getLogger(__name__)

AGAIN_SECONDS = 2.0
"""So often what could not be written down is tried again."""


class NextTables(Part):
    """Finds the next table that waits for somebody, and lets the other dealers know whom this one waits for.

    Args:
        awaited: where all dealers write that down; None for a dealer who is the only one.
    """

    def __init__(
        self,
        tables: Tables,
        display: TableDisplay,
        site: DealerSite,
        signals: Signals,
        awaited: AwaitedList | None = None,
    ) -> None:
        self._tables, self._display, self._link, self._list = tables, display, site.link, awaited
        self._due: dict[int, None] = {}
        self._working: asyncio.Task[None] | None = None
        self._is_open = False
        self.tasks = BackgroundTasks()
        signals.on(SlowTurnChanged, self._on_turn)

    async def open(self) -> None:
        """Write down whom the tables wait for now; what an earlier run of this slot has left is gone."""
        self._is_open = True
        if self._list is not None:
            try:
                await self._list.replace(self._tables.slow_turns())
            except StoreError as error:  # each table writes its own at its next turn
                log.warning("turns_not_written", extra={"error": repr(error)})

    async def close(self) -> None:
        self._is_open = False
        await self.tasks.finish(0.5)

    async def find(self, user: int, besides: int = 0) -> TableThatWaits | None:
        """Return the next table that waits for somebody, the one whose turn ends first; None where none does.

        Args:
            besides: the table that they are at.
        """
        own = [turn for turn in self._tables.slow_turns(user) if turn.table != besides]
        turns = sorted([*own, *await self._elsewhere(user)], key=lambda one: (one.ends_at, one.table))
        if not turns:
            return None
        first = turns[0]
        link = f"{self._link}/{first.guild}/{first.channel}"
        if first in own and (outline := self._tables.outline(first.table)) is not None:
            link = self._display.link_to(outline)
        return TableThatWaits(len(turns), first.channel, first.ends_at, link)

    async def after_action(self, user: int, table: int) -> Panel | None:
        """Return what somebody is shown who has acted at a table whose turns can take hours; None where no other waits for them."""
        found = await self.find(user, besides=table)
        return next_table_panel(found) if found is not None else None

    async def _elsewhere(self, user: int) -> tuple[AwaitedTurn, ...]:
        if self._list is None:
            return ()
        try:
            return await self._list.of_others(user)
        except StoreError as error:  # the tables of this dealer can be told all the same
            log.warning("turns_elsewhere_not_read", extra={"error": repr(error)})
            return ()

    def _on_turn(self, signal: SlowTurnChanged) -> None:
        """A table waits for another decision, or for none. This can be called under its lock, so it awaits nothing."""
        if self._list is None or not self._is_open:
            return
        self._due[signal.table] = None
        if self._working is None or self._working.done():
            self._working = self.tasks.run(self._settle(self._list), "turns-elsewhere")

    async def _settle(self, written: AwaitedList) -> None:
        while self._due:
            table = next(iter(self._due))
            del self._due[table]
            try:
                await written.change(table, self._tables.slow_turns_at(table))
            except StoreError as error:
                log.warning("turns_not_written", extra={"table": table, "error": repr(error)})
                self._due[table] = None
                await asyncio.sleep(AGAIN_SECONDS)
