"""The statistics on SQLite: a file of their own beside the data, one thread that writes it and one that reads.

What happens at the tables never waits for this, and nothing here can stop it: a full disk, a damaged file or a slow count only makes
the statistics late.
"""

import asyncio
import contextlib
import logging
import os
import sqlite3
import sys
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial, wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from msgspec.structs import replace

from bot.measures import StatisticsMeasures
from bot.runtime.store_errors import StatisticsBeingCounted, StatisticsUnavailable
from bot.signals import Signals
from bot.statistics.events import DecodeEvents
from bot.statistics.types import (
    STRANGER,
    ChipsPoint,
    CountedHand,
    HandsCounted,
    PeriodKind,
    PlayerNumbers,
    RankedPlayers,
    RankingQuery,
    Reader,
    Scope,
    Versus,
)
from bot.store import queries
from bot.store.connection import SqliteConnection, create_private_file, open_read_connection, sync_file
from bot.store.data_source import DataSource
from bot.store.database import DATABASE_FAILED
from bot.store.hand_blob import BlobUnreadable
from bot.store.statistics import achievements, answers
from bot.store.statistics.journal import (
    connect_to_journal,
    count_finished_hands,
    deletions_under_way,
)
from bot.store.statistics.keeper import (
    StatisticsKeeper,
    connect_to_statistics,
    create_file,
    hands_of_other_layout,
    is_damage,
    is_usable,
    statistics_files,
)
from bot.store.statistics.long_rankings import is_long, kept_ranking
from bot.store.statistics.rebuild import RebuildFailed, rebuild
from bot.store.statistics.write import hands_without_luck

P = ParamSpec("P")
T = TypeVar("T")
log = logging.getLogger(__name__)

WAIT_SECONDS = 1.5
"""So long an answer waits until the last hands have been counted: a click must be answered within three seconds."""
PAUSE_SECONDS = 1.0
"""After a hand's end, before it is counted: hands that end together are counted together."""
RETRY_SECONDS = 30.0
"""So long after a failure it is tried again, if nobody asks and no hand ends before."""
END_OF_TIME = 1 << 60
REQUEST_SECONDS = 5.0
"""So often it is looked whether everything is to be counted again."""
REBUILD_FROM = 2_000
"""With fewer finished hands a new file is counted here, in less than a second; with more in a process of its own."""
REBUILDER = (sys.executable, "-m", "bot.operation.rebuild")
NOT_FOR_THE_PROCESS = ("DISCORD_", "CARDROOM_")
"""The settings of the bot, its token among them."""


def _answers(
    read: Callable[Concatenate[sqlite3.Connection, P], T],
) -> Callable[Concatenate["Statistics", P], Coroutine[Any, Any, T]]:
    """Return a method that answers by a query, once everything that has been shown is counted."""

    @wraps(read)
    async def answer(statistics: "Statistics", /, *args: P.args, **named: P.kwargs) -> T:
        return await statistics._answer(lambda db: read(db, *args, **named))

    return answer


class Statistics:
    """Counts finished hands and answers questions about them.

    Every answer counts each hand whose end has been shown, and no other: a hand that has just ended is counted before the answer is
    given, one whose all-in run-out is still being shown is left out.

    Args:
        path: the statistics file.
        data: the data file, or what stands for it; a store must have opened it.
        decode: decodes a row of the journal; see `bot.statistics.events`.
        unshown: returns by table the number of the first hand whose end nobody has seen, saved or not.
        unshown_since: returns since when, in ms, the end of a hand of a server has been saved that is not shown yet; 0 if there is none.
        now: the time in ms.
        rebuilder: what runs as the process that counts everything again; it gets the data file, the new file and the old one.
        rebuild_from: see `REBUILD_FROM`.
        signals: hear of hands that have been counted, of the newest ones if they are many.

    Attributes:
        measures: how many hands were counted, and how that went.
        on_luck_due: is called after hands have been counted whose luck is to be told.
    """

    def __init__(
        self,
        path: Path,
        data: DataSource,
        decode: DecodeEvents,
        *,
        unshown: Callable[[], Mapping[int, int]] = dict,
        unshown_since: Callable[[int], int] = lambda guild: 0,
        now: Callable[[], int],
        rebuilder: Sequence[str] = REBUILDER,
        rebuild_from: int = REBUILD_FROM,
        signals: Signals | None = None,
    ) -> None:
        self.path = path
        self._data, self._decode, self._unshown, self._now = data, decode, unshown, now
        self._unshown_since = unshown_since
        self._rebuilder, self._rebuild_from = rebuilder, rebuild_from
        self._thread: ThreadPoolExecutor | None = None
        self._keeper: StatisticsKeeper | None = None
        self._reading: SqliteConnection | None = None
        self._to_count: set[int] = set()
        self._noted, self._counted_to = 1, 0  # so many hands' ends; the first is whatever there is at the start
        self.measures = StatisticsMeasures()
        self._behind_since = time.monotonic()
        self._progress, self._opened = asyncio.Event(), asyncio.Event()
        self._counting: asyncio.Task[None] | None = None
        self._rebuilding: asyncio.Task[None] | None = None
        self._keeping_rankings: asyncio.Task[None] | None = None
        self._rankings_to_keep: dict[RankingQuery, None] = {}
        self._process: asyncio.subprocess.Process | None = None
        self._renamed_meanwhile: set[tuple[int, int, int]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._watch: asyncio.TimerHandle | None = None
        self._old_hands = 0  # of a file that cannot go on; some of them it alone may know
        self._rebuild_refused = self._failed = self._closing = False
        self.on_luck_due: Callable[[], None] = lambda: None
        self._signals = signals or Signals()

    # opening and closing

    async def open(self) -> None:
        """Open the file, or begin a new one. What has happened since it was last counted is counted in the background.

        A file that cannot be opened or written is tried again later; until then answers say so.
        """
        self._closing = self._rebuild_refused = False
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="statistics")
        self._opened.set()
        self._start_counting()
        self._look_for_request()

    async def close(self) -> None:
        """Break off what is being counted and close the file. A second call does nothing."""
        self._closing = True
        self._opened.clear()
        for timer in (self._timer, self._watch):
            if timer is not None:
                timer.cancel()
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
        tasks = self._counting, self._rebuilding, self._keeping_rankings
        running = {task for task in tasks if task is not None}
        if running:
            await asyncio.wait(running)
        reading, self._reading = self._reading, None
        if reading is not None:
            await reading.break_off()
        if self._thread is not None:
            await self._in_thread(self._close_keeper)
            self._thread.shutdown(wait=False)  # the event loop would stand still for whatever was asked for after that
            self._thread = None

    def _close_keeper(self) -> None:
        keeper, self._keeper = self._keeper, None
        if keeper is not None:
            keeper.close()

    # counting

    def note(self, table: int) -> None:
        """Note that a hand has ended at a table and its end has been shown, or that a table has closed. It is counted in a moment."""
        self._to_count.add(table)
        self._note_more()
        if self._timer is None and self._counting is None and not self._closing:
            self._timer = asyncio.get_running_loop().call_later(PAUSE_SECONDS, self._start_counting)

    def _note_more(self) -> None:
        if not self.waiting_count:
            self._behind_since = time.monotonic()
        self._noted += 1

    @property
    def waiting_count(self) -> int:
        """How many hands' ends have been noted and are not counted yet. All that there is to count at a start is one."""
        return max(0, self._noted - self._counted_to)

    @property
    def behind_seconds(self) -> float:
        """How long ago everything was counted, if there is something to count; else 0."""
        return time.monotonic() - self._behind_since if self.waiting_count else 0.0

    @property
    def is_being_rebuilt(self) -> bool:
        """Whether a process counts every hand again."""
        return self._rebuilding is not None

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
        if not self._closing and (self._failed or (self._to_count and self._keeper is not None)):
            seconds = RETRY_SECONDS if self._failed else PAUSE_SECONDS
            self._timer = asyncio.get_running_loop().call_later(seconds, self._start_counting)
        if not task.cancelled():
            task.exception()

    async def _count(self) -> None:
        """Count everything that there is to count, and open the file first if it is not open."""
        try:
            if self._keeper is None and not await self._open_keeper():
                return
            if self._reading is None:
                self._reading = await open_read_connection(self.path)
            while True:
                began_at = time.monotonic()
                noted, tables, unshown = self._noted, frozenset(self._to_count), self._unshown()
                self._to_count -= tables
                try:
                    left, counted = await self._in_thread(partial(self._count_some, tables, unshown))
                    self._to_count |= left
                    self.measures.hands += len(counted)
                    self._tell_counted(counted)
                except BaseException:
                    self._to_count |= tables
                    raise
                if not left:  # hands that have ended meanwhile are counted together, in a moment or when somebody asks
                    self._counted_to, self._behind_since, self._failed = noted, began_at, False
                    self._progress.set()
                    self._progress = asyncio.Event()
                if not left or self._closing:
                    break
            if not self._closing and await self._in_thread(self._has_luck_to_tell):
                self.on_luck_due()
        except (*DATABASE_FAILED, OSError, BlobUnreadable) as error:
            if not self._failed:
                log.warning("statistics_not_counted", extra={"file": str(self.path), "error": str(error)})
            self._failed = True
            self.measures.failures += 1
            if is_damage(error) and not self._closing:
                await self._discard()
        except Exception:  # a fault of ours: it is tried again later, and not at once for ever
            log.exception("statistics_not_counted", extra={"file": str(self.path)})
            self._failed = True
            self.measures.failures += 1
        else:
            self._failed = False

    def _count_some(
        self, tables: frozenset[int], unshown: Mapping[int, int]
    ) -> tuple[set[int], tuple[CountedHand, ...]]:
        keeper = self._keeper_or_fail()
        left = keeper.count(tables, unshown)
        return left, keeper.take_counted()

    def _tell_counted(self, hands: tuple[CountedHand, ...]) -> None:
        if hands and not self._closing:
            self._signals.send(HandsCounted(hands))

    def _has_luck_to_tell(self) -> bool:
        return self._keeper_or_fail().has_luck_to_tell()

    def _keeper_or_fail(self) -> StatisticsKeeper:
        if self._keeper is None:
            raise sqlite3.OperationalError("the statistics are closed")
        return self._keeper

    async def _open_keeper(self) -> bool:
        """Open the file, or begin one. Returns False if it has first to be made by a process of its own."""
        if self._rebuilding is not None:
            return False
        if not await self._in_thread(self._open_file):
            hands = await self._in_thread(partial(count_finished_hands, self._data)) + self._old_hands
            if hands >= self._rebuild_from and not self._rebuild_refused:
                self._start_rebuilding()
                return False
            await self._in_thread(self._begin_file)
        self._to_count |= await self._in_thread(self._tables_to_count)
        self._note_more()
        return True

    def _open_file(self) -> bool:
        """Open the file. Returns False if there is none that this version, and this data file, can go on with."""
        self._old_hands = 0
        if not is_usable(self.path):
            self._old_hands = hands_of_other_layout(self.path)
            return False
        keeper = StatisticsKeeper(self.path, self._data, self._decode)
        try:
            if keeper.is_ahead():
                log.warning("statistics_rolled_back", extra={"file": str(self.path)})
                self._old_hands = keeper.hand_count()
                keeper.close()
                return False
            if not isinstance(self._data, Path) and keeper.has_missed_deletions():
                log.warning("statistics_missed_deletions", extra={"file": str(self.path)})
                keeper.close()
                return False
            keeper.note_deletions()
        except BaseException:
            keeper.close()
            raise
        self._keeper = keeper
        return True

    def _begin_file(self) -> None:
        """Begin a new file in the place of the old one. What only the old one knows is taken over."""
        if self._old_hands:
            new = self.path.with_name(f"{self.path.name}.new")
            try:
                rebuild(self._data, new, self._decode, old=self.path)
            except RebuildFailed as error:
                raise sqlite3.OperationalError(str(error)) from error
            self._take_over(new)
            return
        for file in statistics_files(self.path):
            file.unlink(missing_ok=True)
        create_private_file(self.path)
        with contextlib.closing(connect_to_statistics(self.path)) as db:
            create_file(db)
        self._keeper = StatisticsKeeper(self.path, self._data, self._decode)
        self._keeper.note_deletions()

    def _tables_to_count(self) -> set[int]:
        return set(self._keeper_or_fail().tables_to_count())

    async def _discard(self) -> None:
        """Put a damaged file away: it is counted again."""
        await self._close_file()
        with contextlib.suppress(OSError):
            await self._in_thread(self._unlink)
        self._failed = False
        self._timer = asyncio.get_running_loop().call_later(PAUSE_SECONDS, self._start_counting)

    def _unlink(self) -> None:
        for file in statistics_files(self.path):
            file.unlink(missing_ok=True)

    async def _close_file(self) -> None:
        reading, self._reading = self._reading, None
        if reading is not None:
            await reading.close()  # whoever is being answered has their answer first
        await self._in_thread(self._close_keeper)

    async def _in_thread(self, work: Callable[[], T]) -> T:
        if self._thread is None:
            raise sqlite3.OperationalError("the statistics are closed")
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    # hands that are dropped for their age

    async def count_all(self, ended_before: int) -> frozenset[tuple[int, int]]:
        """Count every hand whose end has been shown, however long that takes, and wait until that is on the disk.

        Returns:
            table and number of the hands that ended before a time, in ms, and are still needed: their luck is to be told.

        Raises:
            StatisticsUnavailable: it could not be written.
        """
        while True:
            await self._opened.wait()
            try:
                return await self._count_all(ended_before)
            except StatisticsUnavailable:
                if not self._closing:
                    raise

    async def _count_all(self, ended_before: int) -> frozenset[tuple[int, int]]:
        def finish() -> frozenset[tuple[int, int]]:
            keeper = self._keeper_or_fail()
            keeper.bring_to_disk()
            return keeper.hands_without_luck(ended_before)

        try:
            while self._keeper is None or self._rebuilding is not None:
                await self._wait_for(self._rebuilding or self._start_counting())
            self._to_count |= await self._in_thread(self._tables_to_count)
            self._note_more()
            target = self._noted
            while self._counted_to < target:
                await self._wait_for(self._start_counting())
            return await self._in_thread(finish)
        except DATABASE_FAILED as error:
            raise StatisticsUnavailable from error

    async def _wait_for(self, work: "asyncio.Task[None]") -> None:
        """Wait until some counting has ended.

        Raises:
            StatisticsUnavailable: it has failed, or the statistics are being closed.
        """
        await asyncio.wait({work})
        if self._failed or self._closing:
            raise StatisticsUnavailable

    # counting again

    def rebuild(self) -> None:
        """Count every hand again, in a process of its own. Until it is done, the file that is there answers, if there is one."""
        self._rebuild_refused = False
        self._start_rebuilding()

    def _start_rebuilding(self) -> None:
        if self._rebuilding is None and not self._closing:
            self._rebuilding = asyncio.create_task(self._rebuild(), name="statistics-rebuild")
            self._rebuilding.add_done_callback(self._rebuilt)

    def _rebuilt(self, task: "asyncio.Task[None]") -> None:
        self._rebuilding, self._process = None, None
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("statistics_rebuild_failed", extra={"file": str(self.path), "error": str(error)})
            self.measures.failed_rebuilds += 1
            self._rebuild_refused = True  # then they are counted beside play, more slowly
        if not self._closing:
            self._start_counting()

    async def _rebuild(self) -> None:
        began_at = time.monotonic()
        self._renamed_meanwhile = set()
        new = self.path.with_name(f"{self.path.name}.new")
        files = map(str, (self._data, new, self.path))
        environment = {name: value for name, value in os.environ.items() if not name.startswith(NOT_FOR_THE_PROCESS)}
        if not isinstance(self._data, Path):
            environment.update(self._data.environment)
        nothing, pipe = asyncio.subprocess.DEVNULL, asyncio.subprocess.PIPE
        self._process = process = await asyncio.create_subprocess_exec(
            *self._rebuilder, *files, stdin=nothing, stdout=pipe, stderr=nothing, env=environment
        )
        said, _ = await process.communicate()
        if self._closing:
            return
        if process.returncode:
            raise OSError(said.decode(errors="replace").strip() or f"the process ended with {process.returncode}")
        if self._counting is not None:
            await asyncio.wait({self._counting})
        await self._close_file()
        await self._in_thread(partial(self._take_over, new))
        self._to_count |= await self._in_thread(self._tables_to_count)
        self._note_more()
        self.measures.rebuilds += 1
        seconds = round(time.monotonic() - began_at, 1)
        log.info("statistics_rebuilt", extra={"hands": int(said), "seconds": seconds})

    def _take_over(self, new: Path) -> None:
        """Put a new file in the place of the old one, without the people whose data was deleted while it was made.

        Nothing else knows of them: they are gone from it before anybody can find it.
        """
        with contextlib.closing(StatisticsKeeper(new, self._data, self._decode)) as keeper:
            for guild, user, pseudonym in self._renamed_meanwhile:
                keeper.rename(guild, user, pseudonym)
            keeper.bring_to_disk()
        for file in statistics_files(self.path)[1:]:
            file.unlink(missing_ok=True)
        new.replace(self.path)
        sync_file(self.path.parent)
        self._keeper = StatisticsKeeper(self.path, self._data, self._decode)
        self._keeper.note_deletions()

    def _look_for_request(self) -> None:
        """Count everything again if whoever runs the dealer has asked for it by a file."""
        request = rebuild_request(self.path)
        with contextlib.suppress(OSError):
            if request.exists():
                request.unlink()
                log.info("statistics_rebuild_requested", extra={"file": str(self.path)})
                self.rebuild()
        self._watch = asyncio.get_running_loop().call_later(REQUEST_SECONDS, self._look_for_request)

    # people whose data is deleted

    async def follow_deletions(self) -> None:
        """Let pseudonyms stand for the people whose data is being deleted, also in what is counted of them from now on, and forget those
        with whom that is done. It waits until a file that is being made is there.

        Raises:
            StatisticsUnavailable: it could not be written.
        """
        try:
            if self._rebuilding is not None:
                self._renamed_meanwhile |= await self._in_thread(self._deletions_under_way)
            while self._keeper is None:
                await self._wait_for(self._rebuilding or self._start_counting())
            await self._in_thread(lambda: self._keeper_or_fail().note_deletions())
        except DATABASE_FAILED as error:
            raise StatisticsUnavailable from error

    def _deletions_under_way(self) -> set[tuple[int, int, int]]:
        with contextlib.closing(connect_to_journal(self._data)) as journal:
            return {(guild, user, former) for (guild, user), former in deletions_under_way(journal).items()}

    # answering

    async def _answer(self, read: Callable[[sqlite3.Connection], T]) -> T:
        """Return what a query finds, once everything that has been shown is counted.

        Raises:
            StatisticsBeingCounted: there is too much to count.
            StatisticsUnavailable: the file cannot be written or read.
        """
        target = self._noted
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(WAIT_SECONDS):
                while self._counted_to < target or self._keeper is None or self._reading is None:
                    counting = self._start_counting()
                    progress = asyncio.ensure_future(self._progress.wait())
                    try:
                        await asyncio.wait({counting, progress}, return_when=asyncio.FIRST_COMPLETED)
                    finally:
                        progress.cancel()
                    if self._failed or self._closing:
                        raise StatisticsUnavailable
                    if self._rebuilding is not None and self._keeper is None:
                        raise StatisticsBeingCounted
        if self._counted_to < target or self._reading is None:
            raise StatisticsBeingCounted
        assert self._reading is not None, "it has been opened"
        try:
            return await self._reading.run_in_thread(lambda db: queries.read_consistently(db, lambda: read(db)))
        except (sqlite3.Error, ValueError) as error:  # aiosqlite says so of a closed connection
            log.warning("statistics_not_read", extra={"file": str(self.path), "error": str(error)})
            raise StatisticsUnavailable from error

    async def _answer_in_scope(self, guild: int, scope: Scope, read: Callable[[sqlite3.Connection], T]) -> T:
        if scope.period.kind is PeriodKind.SEASON and self._keeper is not None:
            try:
                await self._in_thread(lambda: self._keeper_or_fail().refresh_seasons(guild, self._now()))
            except DATABASE_FAILED as error:  # what has been counted of the season is told
                log.warning("seasons_not_refreshed", extra={"guild": guild, "error": str(error)})
        return await self._answer(read)

    find_hands = _answers(answers.find_hands)
    games = _answers(answers.games)
    achievement_progress = _answers(achievements.progress)
    kinds_of_chips = _answers(answers.kinds_of_chips)
    achievements_of_many = _answers(achievements.earned_by)
    achievements = _answers(achievements.earned)
    session = _answers(answers.session)
    hands_of = _answers(answers.hands_of)
    people_with_hands = _answers(answers.people_with_hands)
    crossings = _answers(answers.crossings)
    enough_hands = _answers(answers.enough_hands)
    hands_without_luck = _answers(hands_without_luck)

    async def player(self, guild: int, user: int, scope: Scope, reader: Reader = STRANGER) -> PlayerNumbers:
        """Return a player's numbers, as a reader can know them."""
        return await self._answer_in_scope(guild, scope, lambda db: answers.player(db, guild, user, scope, reader))

    async def versus(self, guild: int, user: int, other: int, scope: Scope, reader: Reader = STRANGER) -> Versus:
        """Return how two players did in the hands that both were dealt into and that a reader can know of."""
        return await self._answer_in_scope(
            guild, scope, lambda db: answers.versus(db, guild, user, other, scope, reader)
        )

    async def curve(
        self, guild: int, user: int, scope: Scope, points: int = 200, *, reader: Reader = STRANGER
    ) -> tuple[ChipsPoint, ...]:
        """Return a player's net chips over time, in at most so many points, the first one before any hand and the last one after all."""
        return await self._answer_in_scope(
            guild, scope, lambda db: answers.curve(db, guild, user, scope, points, reader)
        )

    async def held_by_player(self, guild: int, scope: Scope) -> dict[int, tuple[int, int]]:
        """Return by person the hands and net chips of private tables that are open: they are in no sum, and in no ranking."""
        return await self._answer_in_scope(guild, scope, lambda db: answers.held_by_player(db, guild, scope))

    async def ranking(self, query: RankingQuery) -> RankedPlayers:
        """Return a page of a leaderboard."""
        await self._answer(lambda db: None)  # hands first, then what of them does not count
        since = self._unshown_since(query.guild) or END_OF_TIME
        try:
            await self._in_thread(lambda: self._keeper_or_fail().follow_uncounted(query.guild, since))
        except DATABASE_FAILED as error:  # what counted before is told
            log.warning("uncounted_not_followed", extra={"guild": query.guild, "error": str(error)})

        def read(db: sqlite3.Connection) -> tuple[RankedPlayers, bool]:
            key = answers.ranking_key(db, query)
            return answers.ranking(db, query), not kept_ranking(db, key) and is_long(db, key)

        found, is_to_be_kept = await self._answer_in_scope(query.guild, query.scope, read)
        if is_to_be_kept and self._rebuilding is None and not self._closing:
            self._rankings_to_keep[replace(query, offset=0, limit=0, user=0)] = None
            if self._keeping_rankings is None:
                self._keeping_rankings = asyncio.create_task(self._keep_rankings(), name="long-rankings")
        return found

    async def wait_until_idle(self) -> None:
        """Wait until the rankings are kept that are to be kept."""
        if self._keeping_rankings is not None:
            await asyncio.wait({self._keeping_rankings})

    async def _keep_rankings(self) -> None:
        """Keep rankings of many people that somebody has asked for, some people at a time: hands are counted in between."""
        try:
            while self._rankings_to_keep and not self._closing:
                query, _ = self._rankings_to_keep.popitem()
                await self._in_thread(lambda: self._keeper_or_fail().begin_ranking(query))  # noqa: B023  # it is awaited here
                while not self._closing and await self._in_thread(lambda: self._keeper_or_fail().extend_rankings()):
                    pass
        except DATABASE_FAILED as error:  # everybody is looked at, and who asks next begins it again
            log.warning("ranking_not_kept", extra={"file": str(self.path), "error": str(error)})
        finally:
            self._rankings_to_keep.clear()
            self._keeping_rankings = None

    async def begin_listing(self, guild: int, min_hands: int) -> None:
        """Note from now on who comes to have played so many hands for server chips, or no longer has: see `crossings`.

        Raises:
            StatisticsUnavailable: it could not be written.
        """
        await self._write(lambda: self._keeper_or_fail().begin_listing(guild, min_hands))

    async def bring_to_disk(self) -> None:
        """Wait until everything that has been counted is on the disk.

        Raises:
            StatisticsUnavailable: it could not be written.
        """
        await self._write(lambda: self._keeper_or_fail().bring_to_disk())

    async def _write(self, write: Callable[[], None]) -> None:
        try:
            await self._in_thread(write)
        except DATABASE_FAILED as error:
            raise StatisticsUnavailable from error

    async def write_luck(
        self, table: int, number: int, luck: Mapping[int, int] | None, *, is_estimate: bool = False
    ) -> None:
        """Write down the luck of a hand. Once it is written it is never asked for again, and a second time changes nothing.

        Args:
            luck: in thousandths of a chip, by seat index, of everybody who was in to the end; None for a hand whose luck cannot be told.

        Raises:
            StatisticsUnavailable: it could not be written; the hand is still due.
        """

        def write() -> None:
            self._keeper_or_fail().write_luck(table, number, luck, is_estimate=is_estimate)

        await self._write(write)


def rebuild_request(path: Path) -> Path:
    """Return the file by which a running dealer is asked to count everything again."""
    return path.with_name(f"{path.name}.rebuild")
