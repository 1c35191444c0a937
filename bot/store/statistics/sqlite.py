"""The statistics on SQLite: a file of their own beside the data, one thread that writes it and one that reads.

What happens at the tables never waits for this, and nothing here can stop it: a full disk, a damaged file or a slow count only makes
the statistics late.
"""

import asyncio
import contextlib
import logging
import sqlite3
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar

from bot.runtime.store_errors import StatisticsBeingCounted, StatisticsUnavailable
from bot.statistics.events import DecodeEvents
from bot.statistics.types import (
    ChipsPoint,
    FoundHands,
    HandQuery,
    PeriodKind,
    PlayerNumbers,
    RankedPlayers,
    RankingQuery,
    Scope,
    SessionNumbers,
    Versus,
)
from bot.store import queries
from bot.store.connection import SqliteConnection, create_private_file, open_read_connection
from bot.store.statistics import answers
from bot.store.statistics.keeper import VERSION, StatisticsKeeper, connect_to_statistics, create_file
from bot.store.statistics.write import hands_without_luck

T = TypeVar("T")
log = logging.getLogger(__name__)

WAIT_SECONDS = 1.5
"""So long an answer waits until the last hands have been counted: a click must be answered within three seconds."""
PAUSE_SECONDS = 0.25
"""After a hand's end, before it is counted: hands that end together are counted together."""
RETRY_SECONDS = 30.0
"""So long after a failure it is tried again, if nobody asks and no hand ends before."""


class SqliteStatistics:
    """The `bot.runtime.statistics_protocol.Statistics` of a dealer.

    Args:
        path: the statistics file.
        data: the data file, which must have been opened by a store.
        decode: decodes a row of the journal; see `bot.statistics.events`.
        unshown: returns by table the number of the hand whose end has been saved and is not shown yet.
        now: the time in ms.

    Attributes:
        on_luck_due: is called after hands have been counted whose luck is to be told.
    """

    def __init__(
        self,
        path: Path,
        data: Path,
        decode: DecodeEvents,
        *,
        unshown: Callable[[], Mapping[int, int]] = dict,
        now: Callable[[], int],
    ) -> None:
        self.path = path
        self._data, self._decode, self._unshown, self._now = data, decode, unshown, now
        self._thread: ThreadPoolExecutor | None = None
        self._keeper: StatisticsKeeper | None = None
        self._reading: SqliteConnection | None = None
        self._to_count: set[int] = set()
        self._counting: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._failed = False
        self._closing = False
        self.on_luck_due: Callable[[], None] = lambda: None

    # opening and closing

    async def open(self) -> None:
        """Open the file, or begin a new one. What has happened since it was last counted is counted in the background.

        A file that cannot be opened or written is tried again later; until then answers say so.
        """
        self._closing = False
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="statistics")
        self._start_counting()
        await asyncio.sleep(0)

    async def close(self) -> None:
        """Break off what is being counted and close the file. A second call does nothing."""
        self._closing = True
        if self._timer is not None:
            self._timer.cancel()
        if self._counting is not None:
            await asyncio.wait({self._counting})
        reading, self._reading = self._reading, None
        if reading is not None:
            await reading.break_off()
        if self._thread is not None:
            await self._in_thread(self._close_keeper)
            self._thread.shutdown()
            self._thread = None

    def _close_keeper(self) -> None:
        keeper, self._keeper = self._keeper, None
        if keeper is not None:
            keeper.close()

    # counting

    def note(self, table: int) -> None:
        """Note that a hand has ended at a table, and that its end has been shown. It is counted in a moment."""
        self._to_count.add(table)
        if self._timer is None and self._counting is None and not self._closing:
            self._timer = asyncio.get_running_loop().call_later(PAUSE_SECONDS, self._start_counting)

    def _start_counting(self) -> asyncio.Task[None]:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._counting is None:
            self._counting = asyncio.create_task(self._count(), name="statistics")
            self._counting.add_done_callback(self._counted)
        return self._counting

    def _counted(self, task: "asyncio.Task[None]") -> None:
        self._counting = None
        if not self._closing and (self._failed or self._to_count):
            seconds = RETRY_SECONDS if self._failed else PAUSE_SECONDS
            self._timer = asyncio.get_running_loop().call_later(seconds, self._start_counting)
        if not task.cancelled():
            task.exception()

    async def _count(self) -> None:
        """Count everything that there is to count, and open the file first if it is not open."""
        try:
            if self._keeper is None:
                self._to_count |= await self._in_thread(self._open_keeper)
            if self._reading is None:
                self._reading = await open_read_connection(self.path)
            while self._to_count and not self._closing:
                tables, unshown = frozenset(self._to_count), self._unshown()
                self._to_count -= tables
                try:
                    self._to_count |= await self._in_thread(partial(self._count_some, tables, unshown))
                except BaseException:
                    self._to_count |= tables
                    raise
        except (sqlite3.Error, OSError) as error:
            if not self._failed:
                log.warning("statistics_not_counted", extra={"file": str(self.path), "error": str(error)})
            self._failed = True
        else:
            self._failed = False
            if not self._closing and await self._in_thread(self._has_luck_to_tell):
                self.on_luck_due()

    def _count_some(self, tables: frozenset[int], unshown: Mapping[int, int]) -> set[int]:
        return self._keeper_or_fail().count(tables, unshown)

    def _has_luck_to_tell(self) -> bool:
        return self._keeper_or_fail().has_luck_to_tell()

    def _keeper_or_fail(self) -> StatisticsKeeper:
        if self._keeper is None:
            raise sqlite3.OperationalError("the statistics are closed")
        return self._keeper

    def _open_keeper(self) -> set[int]:
        """Open the file. Returns the tables at which something has happened since it was counted."""
        fresh = not _is_usable(self.path)
        if fresh:
            _begin_file(self.path)
        keeper = StatisticsKeeper(self.path, self._data, self._decode)
        if not fresh and keeper.is_ahead():
            log.warning("statistics_rolled_back", extra={"file": str(self.path)})
            keeper.close()
            _begin_file(self.path)
            keeper = StatisticsKeeper(self.path, self._data, self._decode)
        self._keeper = keeper
        return set(keeper.tables_to_count())

    async def _in_thread(self, work: Callable[[], T]) -> T:
        if self._thread is None:
            raise sqlite3.OperationalError("the statistics are closed")
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    # answering

    async def _answer(self, read: Callable[[sqlite3.Connection], T]) -> T:
        """Return what a query finds, once everything that has been shown is counted.

        Raises:
            StatisticsBeingCounted: there is too much to count.
            StatisticsUnavailable: the file cannot be written or read.
        """
        if self._to_count or self._keeper is None or self._reading is None or self._counting is not None:
            await asyncio.wait({self._start_counting()}, timeout=WAIT_SECONDS)
            if self._failed or self._closing:
                raise StatisticsUnavailable
            if self._to_count or self._reading is None:
                raise StatisticsBeingCounted
        assert self._reading is not None, "it has been opened"
        try:
            return await self._reading.run_in_thread(lambda db: queries.read_consistently(db, lambda: read(db)))
        except (sqlite3.Error, ValueError) as error:  # aiosqlite says so of a closed connection
            log.warning("statistics_not_read", extra={"file": str(self.path), "error": str(error)})
            raise StatisticsUnavailable from error

    async def _answer_in_scope(self, guild: int, scope: Scope, read: Callable[[sqlite3.Connection], T]) -> T:
        if scope.period.kind is PeriodKind.SEASON and self._keeper is not None:
            with contextlib.suppress(sqlite3.Error):
                await self._in_thread(lambda: self._keeper_or_fail().refresh_seasons(guild, self._now()))
        return await self._answer(read)

    async def find_hands(self, query: HandQuery) -> FoundHands:
        return await self._answer(lambda db: answers.find_hands(db, query))

    async def games(self, guild: int, user: int = 0) -> tuple[tuple[str, str], ...]:
        return await self._answer(lambda db: answers.games(db, guild, user))

    async def player(self, guild: int, user: int, scope: Scope) -> PlayerNumbers:
        return await self._answer_in_scope(guild, scope, lambda db: answers.player(db, guild, user, scope))

    async def versus(self, guild: int, user: int, other: int, scope: Scope) -> Versus:
        return await self._answer_in_scope(guild, scope, lambda db: answers.versus(db, guild, user, other, scope))

    async def curve(self, guild: int, user: int, scope: Scope, points: int = 200) -> tuple[ChipsPoint, ...]:
        return await self._answer_in_scope(guild, scope, lambda db: answers.curve(db, guild, user, scope, points))

    async def ranking(self, query: RankingQuery) -> RankedPlayers:
        return await self._answer_in_scope(query.guild, query.scope, lambda db: answers.ranking(db, query))

    async def session(self, table: int, user: int, since: int, until: int) -> SessionNumbers:
        return await self._answer(lambda db: answers.session(db, table, user, since, until))

    # luck

    async def hands_without_luck(self, limit: int = 20) -> tuple[tuple[int, int], ...]:
        return await self._answer(lambda db: hands_without_luck(db, limit))

    async def write_luck(
        self, table: int, number: int, luck: Mapping[int, int] | None, *, is_estimate: bool = False
    ) -> None:
        def write() -> None:
            self._keeper_or_fail().write_luck(table, number, luck, is_estimate=is_estimate)

        try:
            await self._in_thread(write)
        except sqlite3.Error as error:
            raise StatisticsUnavailable from error


def statistics_files(path: Path) -> tuple[Path, ...]:
    """Return the statistics file and what SQLite puts beside it."""
    return (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm"))


def _is_usable(path: Path) -> bool:
    """Return whether a file is there that this version can go on with."""
    if not path.exists():
        return False
    try:
        with contextlib.closing(sqlite3.connect(path)) as db:
            (version,) = db.execute("PRAGMA user_version").fetchone()
            return bool(version == VERSION)
    except sqlite3.DatabaseError as error:
        log.warning("statistics_unusable", extra={"file": str(path), "error": str(error)})
        return False


def _begin_file(path: Path) -> None:
    """Begin a new file in the place of the old one."""
    for file in statistics_files(path):
        file.unlink(missing_ok=True)
    create_private_file(path)
    with contextlib.closing(connect_to_statistics(path)) as db:
        create_file(db)
