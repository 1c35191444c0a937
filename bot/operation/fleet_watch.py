"""What a process says of itself to all others of the bot, and what it sees of them: `cardroom fleet`, `/readyz` and figures show it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

from bot.runtime.store_errors import StoreError
from bot.store.migrate import newest_migration
from bot.store.postgres.fleet import Fleet, ProcessState, forget_silent, read_fleet, say, say_farewell
from bot.store.postgres.house import newest_house_step
from bot.store.postgres.ownership import this_process
from bot.text import fleet as words
from bot.text.language import t
from bot.version import VERSION

if TYPE_CHECKING:
    from bot.store.database import Database
    from bot.store.postgres.house import House
    from bot.store.postgres.ownership import Ownership

log = logging.getLogger(__name__)

SAY_SECONDS = 2.0
FAREWELL_SECONDS = 0.5
OLD_SECONDS = 15.0
"""What was seen so long ago says nothing any more."""


class FleetWatch:
    """Says what this process does, and looks at all others, every few seconds.

    Args:
        schemas: those of all slots.
        slot: which one this process serves; None while it waits for one, or serves none.
        ownership: that it owns it.
        counts: returns how many tables are open with it, and how many hands run.
        watches: whose events it hears while it waits for a slot.
        is_dealer: it deals or stands by; else it only looks.
    """

    def __init__(
        self,
        house: House,
        schemas: Sequence[str],
        *,
        slot: int | None = None,
        ownership: Ownership | None = None,
        counts: Callable[[], tuple[int, int]] = lambda: (0, 0),
        watches: int | None = None,
        is_dealer: bool = True,
    ) -> None:
        self.fleet = Fleet()
        self._house, self._schemas, self._slot, self._ownership = house, tuple(schemas), slot, ownership
        self._counts, self._watches, self._is_dealer = counts, watches, is_dealer
        self._seen_at = time.monotonic()
        self._clock = 0.0
        self._knows = newest_migration(), newest_house_step()

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        """Watch in the ``async with`` block."""
        await self.look()
        task = asyncio.create_task(self._look_again(), name="fleet-watch")
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait({task})
            if self._is_dealer:
                with contextlib.suppress(StoreError, TimeoutError):
                    farewell = self._house.run_in_thread(partial(say_farewell, this_process()))
                    await asyncio.wait_for(farewell, FAREWELL_SECONDS)

    @property
    def problem(self) -> str:
        """What keeps servers from being served, in a sentence; "" for nothing."""
        age = time.monotonic() - self._seen_at
        if age > OLD_SECONDS:
            return t(words.NOT_SEEN, seconds=round(age))
        return words.unserved_sentence(self.fleet.unserved) if self.fleet.unserved else ""

    def conditions(self) -> dict[str, bool | str]:
        """Return what must hold for all servers to be served, by name."""
        return {"slots": self.problem or True}

    @property
    def slot(self) -> int | None:
        """Which slot this process serves; None for none."""
        return self._slot

    @property
    def lease_age(self) -> float | None:
        """For how many seconds the ownership of the slot has not been renewed; None where there is none."""
        return self._ownership.renewed_ago if self._ownership is not None else None

    @property
    def clock_ahead(self) -> float:
        """By how many seconds the clock of this machine is ahead of the database's."""
        return self._clock

    async def _look_again(self) -> None:
        while True:
            await asyncio.sleep(SAY_SECONDS)
            await self.look()

    async def look(self) -> None:
        """Say what this process does, and look at all others, once."""
        try:
            self.fleet = await self._house.run_in_thread(self._say_and_read)
            self._seen_at = time.monotonic()
        except StoreError as error:
            log.warning("fleet_not_seen", extra={"error": str(error)})

    def _say_and_read(self, db: Database) -> Fleet:
        if self._is_dealer:
            tables, hands = self._counts()
            me = ProcessState(
                this_process(), VERSION, self._slot, self._watches, tables, hands, self._clock, *self._knows
            )
            asked_at = time.time()
            now = say(me, db)
            self._clock = (asked_at + time.time()) / 2 - now
        else:
            forget_silent(db)
        return read_fleet(self._schemas, db)
