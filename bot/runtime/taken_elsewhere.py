"""The seats and tables that persons have with all dealers of the bot, where there are several: a person is counted in all servers together.

What is asked for is written down first and counted then, so two dealers that are asked in the same moment do not both say yes. What has
come of it, and everything else that changes at a table, is written down afterwards. Nothing of this is on the way of an action.
"""

import asyncio
import itertools
import logging
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from bot.background_tasks import BackgroundTasks
from bot.runtime.session import TableSession
from bot.runtime.sessions import Sessions
from bot.runtime.snapshot import TableUpdate
from bot.runtime.store_errors import StoreError
from bot.runtime.taken import Taken, TakenKind, TakenList
from bot.table.queries import host_of
from bot.table.settings import TableSettings

log = logging.getLogger(__name__)

AGAIN_SECONDS = 2.0
"""So often what could not be written down is tried again."""


def seat_kind(settings: TableSettings) -> TakenKind:
    return TakenKind.SLOW_SEAT if settings.is_slow else TakenKind.SEAT


def table_kind(settings: TableSettings) -> TakenKind:
    if settings.practice:
        return TakenKind.PRACTICE_TABLE
    return TakenKind.SLOW_TABLE if settings.is_slow else TakenKind.TABLE


def taken_at(session: TableSession) -> frozenset[Taken]:
    """Return what people have taken at a table."""
    table, channel = session.state.table, session.address.channel
    kind = seat_kind(table.settings)
    seats = {Taken(seat.player, kind, session.id, channel) for seat in table.seats if not seat.practice}
    return frozenset(seats | {Taken(host_of(table), table_kind(table.settings), session.id, channel)})


class TakenElsewhere:
    """Keeps the list up to date for the tables of this dealer, and tells what people have with the others.

    Args:
        taken: where all dealers write it down; None for one who is alone, and to whom nobody else has anything to tell.
        sessions: the open tables of this dealer. They are looked at, and never changed.

    Attributes:
        is_shared: there are other dealers, who want to hear of changes (`note`).
    """

    def __init__(self, taken: TakenList | None, sessions: Sessions) -> None:
        self._list, self._sessions = taken, sessions
        self.is_shared = taken is not None
        self._written: dict[int, frozenset[Taken]] = {}
        self._asked: Counter[Taken] = Counter()
        self._due: dict[int, None] = {}
        self._opening = itertools.count(1)
        self._lock = asyncio.Lock()
        self._working: asyncio.Task[None] | None = None
        self.tasks = BackgroundTasks()

    async def begin(self) -> None:
        """Write down what is taken now; what an earlier run of this slot has left is gone.

        Raises:
            StoreError.
        """
        if self._list is None:
            return
        async with self._lock:
            written = {table: taken_at(session) for table, session in self._sessions.items()}
            await self._list.replace([one for taken in written.values() for one in taken])
            self._written = written

    async def end(self) -> None:
        """Write down what is left to do, if that can be done soon."""
        await self.tasks.finish(0.5)

    def note(self, update: TableUpdate) -> None:
        """A table has changed."""
        table = update.snapshot.id
        if not update.is_play and self._wanted(table) != self._written.get(table, frozenset()):
            self._settle_soon(table)

    def table_asked_for(
        self, user: int, settings: TableSettings, channel: int
    ) -> AbstractAsyncContextManager[tuple[Taken, ...]]:
        """Write down that somebody opens a table, as in `asked_for_at`."""
        return self._asked_for(Taken(user, table_kind(settings), -next(self._opening), channel))

    def asked_for_at(
        self, session: TableSession, user: int, kind: TakenKind
    ) -> AbstractAsyncContextManager[tuple[Taken, ...]]:
        """Write down that something is asked for at an open table, for as long as it is decided. Yields what the person has of it with the
        other dealers.

        Raises:
            StoreError: nobody can tell.
        """
        return self._asked_for(Taken(user, kind, session.id, session.address.channel))

    @asynccontextmanager
    async def _asked_for(self, taken: Taken) -> AsyncIterator[tuple[Taken, ...]]:
        if self._list is None:
            yield ()
            return
        self._asked[taken] += 1
        try:
            async with self._lock:
                await self._list.change([taken], [])
                self._written[taken.table] = self._written.get(taken.table, frozenset()) | {taken}
            others = await self._list.of_others(taken.user)
            yield tuple([one for one in others if one.kind is taken.kind])
        finally:
            self._asked[taken] -= 1
            if not self._asked[taken]:
                del self._asked[taken]
            self._settle_soon(taken.table)

    def _wanted(self, table: int) -> frozenset[Taken]:
        session = self._sessions.get(table)
        taken = taken_at(session) if session is not None else frozenset()
        return taken | {one for one in self._asked if one.table == table}

    def _settle_soon(self, table: int) -> None:
        self._due[table] = None
        if self._working is None or self._working.done():
            self._working = self.tasks.run(self._settle(), "taken-elsewhere")

    async def _settle(self) -> None:
        while self._due and self._list is not None:
            table = next(iter(self._due))
            try:
                async with self._lock:
                    wanted, written = self._wanted(table), self._written.get(table, frozenset())
                    if wanted != written:
                        await self._list.change(wanted - written, written - wanted)
                    self._written[table] = wanted
                    if not wanted:
                        del self._written[table]
            except StoreError as error:
                log.warning("taken_not_written", extra={"table": table, "error": repr(error)})
                await asyncio.sleep(AGAIN_SECONDS)
            else:
                if self._wanted(table) == wanted:
                    self._due.pop(table, None)
