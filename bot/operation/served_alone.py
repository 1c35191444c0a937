"""Answer questions about health for a process that has no dealer: one that waits for a slot, or that runs several dealers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.operation.fleet_watch import FleetWatch
from bot.operation.health import Conditions, LoopWatchdog, health_served
from bot.operation.metrics import FleetFigures
from bot.settings import ListenAddress


@asynccontextmanager
async def served_alone(
    fleet: FleetWatch, at: ListenAddress | None, watchdog: LoopWatchdog, conditions: Conditions
) -> AsyncIterator[None]:
    """Answer questions about health, for a process that has no dealer, in the ``async with`` block.

    Raises:
        CannotListen: the address is not free.
    """
    if at is None:
        yield
        return
    figures = FleetFigures(fleet)
    async with health_served(at, watchdog, lambda: {**conditions(), **fleet.conditions()}, figures.read):
        yield
