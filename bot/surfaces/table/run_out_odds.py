"""The odds beside the hands of an all-in run-out: asked for once a street, and there in time or not at all.

A street is told together with its odds, as with its picture: they go with the edit that is made for it anyway. Everything that shows a
street (the table's text, its picture, the panels) shows the same odds, or all show none: what comes late is not shown any more.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from bot.background_tasks import BackgroundTasks
from bot.child_process import describe_error
from bot.runtime.snapshot import TableSnapshot, TableUpdate
from bot.statistics.all_in_hand import AllInHand
from bot.statistics.types import Odds
from bot.surfaces.part import Part

log = logging.getLogger(__name__)

WAIT_SECONDS = 0.7
"""How long a street waits for its odds. So much is left of the wait for its picture that this can be drawn with them, or without."""

OddsTeller = Callable[[AllInHand], Awaitable[Odds | None]]
"""Returns the odds of a hand that is run out; None where there are none, or where they cannot be told."""


class _Street:
    """One street that is shown.

    Attributes:
        odds: its odds; None until they are told in time.
    """

    def __init__(self, which: tuple[int, int, int]) -> None:
        self.which = which
        self.odds: Odds | None = None
        self.task: asyncio.Task[None] | None = None


class RunOutOdds(Part):
    """Knows the odds of the street that each table shows.

    Args:
        teller: tells odds, in a process of its own.
    """

    def __init__(self, teller: OddsTeller) -> None:
        self._teller = teller
        self._streets: dict[int, _Street] = {}
        self.tasks = BackgroundTasks()

    def on_update(self, update: TableUpdate) -> None:
        if update.closed or update.snapshot.run_out_street is None:
            self._streets.pop(update.snapshot.id, None)

    def of(self, snapshot: TableSnapshot) -> Odds | None:
        """Return the odds of the street that a snapshot shows; None where there are none, or as long as they are waited for."""
        street = self._streets.get(snapshot.id)
        return street.odds if street is not None and street.which == snapshot.run_out_street else None

    async def wait(self, snapshot: TableSnapshot) -> None:
        """Wait, not for long, until the odds of a street are there or will not come. At any other time it returns at once."""
        if (street := self._street(snapshot)) is not None and street.task is not None:
            await asyncio.wait({street.task})

    def _street(self, snapshot: TableSnapshot) -> _Street | None:
        """Return the street that a snapshot shows, and ask for its odds if nobody has; None where no hand is run out."""
        which, known = snapshot.run_out_street, self._streets.get(snapshot.id)
        if which is None or (known is not None and known.which == which):
            return known if which is not None else None
        street = self._streets[snapshot.id] = _Street(which)
        street.task = self.tasks.run(self._ask(street, snapshot), f"odds-{snapshot.id}")
        return street

    async def _ask(self, street: _Street, snapshot: TableSnapshot) -> None:
        fields = {"table": snapshot.id, "hand": snapshot.hand_number}
        try:
            hand = snapshot.hand_run_out()
            if hand is not None:
                async with asyncio.timeout(WAIT_SECONDS):
                    street.odds = await self._teller(hand)
        except TimeoutError:
            log.info("odds_late", extra=fields)
        except Exception as error:  # its text can name a card, so only where it was raised is logged (TL-37)
            log.error("odds_not_told", extra={**fields, "error": describe_error(error)})

    async def close(self) -> None:
        await self.tasks.stop()
