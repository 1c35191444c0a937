"""The flow of chips is looked at by itself, and again after a look that went wrong."""

from __future__ import annotations

from typing import Any, cast

import pytest

from bot.runtime.store_errors import StoreFailed
from bot.surfaces.staff.flow_watch import EVERY_MS, FIRST_MS, FlowWatch
from tests.runtime.manual_clock import ManualClock


class Looks:
    """Alarms that count how often the flow is looked at; the first look goes wrong."""

    def __init__(self, error: Exception) -> None:
        self.count, self._error = 0, error

    async def check_all(self) -> None:
        self.count += 1
        if self.count == 1:
            raise self._error


@pytest.mark.parametrize("error", [StoreFailed(reason="the disk is full"), ValueError("ours")], ids=["disk", "fault"])
async def test_flow_is_looked_at_again_and_again(error: Exception) -> None:
    looks, clock = Looks(error), ManualClock()
    watch = FlowWatch(cast(Any, looks), clock)
    await watch.open()
    for ms, seen in ((FIRST_MS - 1, 0), (1, 1), (EVERY_MS, 2), (EVERY_MS, 3)):
        clock.move_to(clock.now() + ms)
        clock.ring_due()
        await watch.tasks.finish(1)
        assert looks.count == seen
    await watch.close()
    clock.move_to(clock.now() + 2 * EVERY_MS)
    clock.ring_due()
    await watch.tasks.finish(1)
    assert looks.count == 3
