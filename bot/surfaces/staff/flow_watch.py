"""Looks at the flow of chips by itself, several times a day. What stands out comes to the staff channel by the staff log."""

from __future__ import annotations

import logging

from bot.background_tasks import BackgroundTasks
from bot.runtime.clock import Alarm, AlarmClock
from bot.runtime.flow_alarms import FlowAlarms
from bot.runtime.store_errors import StoreClosed, StoreError
from bot.surfaces.part import Part

log = logging.getLogger(__name__)

FIRST_MS, EVERY_MS = 10 * 60_000, 4 * 60 * 60_000
"""How long after the start it is looked at first, and how often then."""


class FlowWatch(Part):
    """Raises alarms in time."""

    def __init__(self, alarms: FlowAlarms, clock: AlarmClock) -> None:
        self._alarms, self._clock = alarms, clock
        self._next: Alarm | None = None
        self.tasks = BackgroundTasks()

    async def open(self) -> None:
        self._wait(FIRST_MS)

    async def close(self) -> None:
        if self._next is not None:
            self._next.cancel()
        await self.tasks.stop()

    def _wait(self, ms: int) -> None:
        self._next = self._clock.call_at(self._clock.now() + ms, self._begin)

    def _begin(self) -> None:
        self._wait(EVERY_MS)  # first, so that no fault of one look ends the watch
        self.tasks.run(self._check(), "flow-watch")

    async def _check(self) -> None:
        try:
            await self._alarms.check_all()
        except StoreClosed:  # the dealer goes
            return
        except StoreError as error:
            log.warning("flow_not_watched", extra={"error": repr(error)})
