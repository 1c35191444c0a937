"""The store: one writing connection, one process; an engine keeps the rows.

Commits are saved in batches: while one transaction is made durable the next batch gathers, and nobody waits for a timer.
"""

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable, Coroutine, Generator, Hashable, Mapping, Sequence
from functools import partial, wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from bot.house.rules import HouseRules
from bot.ledger.accounts import Book
from bot.ledger.flow import PairFlow
from bot.ledger.pot_flows import Flow
from bot.measures import StoreMeasures
from bot.runtime.store_errors import InvalidCommit, StoreClosed, StoreError, StoreFailed, StoreInUse
from bot.runtime.store_types import (
    Commit,
    Forgetting,
    Forgotten,
    Leaderboard,
    LedgerAudit,
    Listing,
    Receipt,
    SavedHand,
    SeasonEnd,
    UnshownChips,
    ValuePrefixes,
)
from bot.store import listed_people as of_listed
from bot.store import occasions as of_occasions
from bot.store import queries
from bot.store import seasons as of_seasons
from bot.store import staff_log as of_staff_log
from bot.store.audit import audit_in_steps
from bot.store.board_sums import pair_state, raised_pairs, uncounted_of_season
from bot.store.codec import EventCodec
from bot.store.database import DATABASE_FAILED, Database
from bot.store.drop_permit import CountHands, permit_to_drop
from bot.store.engine import Connection, Engine, SqliteEngine
from bot.store.flow import flow_in_steps
from bot.store.former_players import (
    begin_deletion,
    deletions,
    end_deletion,
    person_being_deleted,
    rewrite_hands_of,
    rewrite_rows_of,
)
from bot.store.long_reads import LongReads
from bot.store.old_hands import DropPermit, Retention
from bot.store.person_rows import DeletedPerson, Found, FoundRows, SearchedTo, SearchPoint, batches, find_step, newest
from bot.store.person_servers import servers_in_steps
from bot.store.season_resets import season_resets
from bot.store.slots import ALL_SERVERS, ServerSlot
from bot.store.spare_time import SpareTime
from bot.store.write_batch import KeptValue, keep_if, reset_more, save_batch
from bot.store.writer_cache import WriterCache

P = ParamSpec("P")
T = TypeVar("T")
log = logging.getLogger(__name__)

MAX_BATCH_COMMITS = 1_000
"""One transaction saves at most so many commits."""
ROWS_AT_ONCE = 200
"""So many rows of a person whose data is deleted are rewritten in one transaction."""
SPARE_TIME_PAUSE = 0.02
"""When nothing has had to be saved for so many seconds, a piece of the work that nobody waits for is done, in a ms or two."""
SPARE_TIME_OVERDUE = 1.0
"""Under a load that leaves no such pause, one piece is done in so many seconds all the same."""
RESET_AGAIN_SECONDS = 30.0
"""So long after the disk has refused it the change of chips at the end of a season goes on."""


def _reads(
    query: Callable[Concatenate[Database, P], T],
) -> Callable[Concatenate["Store", P], Coroutine[Any, Any, T]]:
    """Return a method that answers by a query, on the connection that cannot write."""

    @wraps(query)
    async def answer(store: "Store", /, *args: P.args, **named: P.kwargs) -> T:
        return await store._read(lambda db: query(db, *args, **named))

    return answer


def _reads_events(
    query: Callable[Concatenate[Database, EventCodec, P], T],
) -> Callable[Concatenate["Store", P], Coroutine[Any, Any, T]]:
    """Return a method that answers by a query which decodes events."""

    @wraps(query)
    async def answer(store: "Store", /, *args: P.args, **named: P.kwargs) -> T:
        return await store._read(lambda db: query(db, store._codec, *args, **named))

    return answer


class Store:
    """Keeps tables, hands, chips, house rules and small values of the cogs.

    Args:
        data: the path of a SQLite file, or another engine.
        codec: encodes every event that is committed.
        default_rules: the rules of a house whose staff have changed none.
        keep_hands: how long finished hands are kept; None for good.
        count_hands: lets the statistics count hands before old ones are dropped; None where there are no statistics.
        slot: which servers it has.

    Attributes:
        measures: how many commits it saved and how long that took.
    """

    def __init__(
        self,
        data: Path | Engine,
        codec: EventCodec,
        *,
        default_rules: HouseRules | None = None,
        keep_hands: Retention | None = None,
        count_hands: CountHands | None = None,
        slot: ServerSlot = ALL_SERVERS,
    ) -> None:
        self._slot = slot
        self.engine: Engine = SqliteEngine(data) if isinstance(data, Path) else data
        self.default_rules = default_rules or HouseRules()
        self._codec = codec
        self.measures = StoreMeasures()
        self._oldest_waiting_at = 0.0
        self._write_connection: Connection | None = None
        self._read_connection: Connection | None = None
        self.long_reads: LongReads | None = None
        self._keep_hands = keep_hands
        self._spare_time = SpareTime(keep_hands)
        self._count_hands = count_hands
        self._asking_to_drop: asyncio.Task[None] | None = None
        self._cache = WriterCache(default_rules=self.default_rules, slot=slot)
        self._searched: dict[DeletedPerson, SearchedTo] = {}
        self._rewriting = asyncio.Lock()  # between a search and its writing nobody else is taken out of the same rows
        self._waiting_writes: list[tuple[Commit | KeptValue, asyncio.Future[Any]]] = []
        self._work_arrived = asyncio.Event()
        self._closing = False
        self._writer_task: asyncio.Task[None] | None = None
        self._changing_wallets = asyncio.Lock()  # by the end of a season, or because a person is taken out
        self._resets: dict[int, asyncio.Task[None]] = {}

    # opening and closing

    async def open(self) -> None:
        """Open the engine and start saving.

        Raises:
            StoreInUse: another process has it open.
            StoreUnusable: it is damaged, or was made by a newer or a changed program.
            StoreFailed: it cannot be opened or written at all.
        """
        if self._writer_task is not None:
            raise StoreInUse(f"{self.engine.name} is open in this process already")
        opened = await self.engine.open()
        try:
            await opened.writing.run_in_thread(self._spare_time.begin)
        except BaseException as error:
            await self.engine.close()
            if isinstance(error, DATABASE_FAILED):
                raise StoreFailed(
                    reason=f"{self.engine.name} cannot be opened: {error}. Nothing has changed."
                ) from error
            raise
        self._write_connection, self._read_connection = opened.writing, opened.reading
        self.long_reads = LongReads(opened.long_reads)
        self._closing = False
        self._writer_task = asyncio.create_task(self._save_batches(opened.writing), name="store-writer")
        for guild in await self._read(season_resets):
            self._reset_in_background(guild)

    async def close(self) -> None:
        """Refuse new commits, finish those that wait, break off what is being read, and close. A second call does nothing."""
        self._closing = True
        self._work_arrived.set()
        if self._asking_to_drop is not None:
            self._asking_to_drop.cancel()
            await asyncio.wait({self._asking_to_drop})
        writer, self._writer_task = self._writer_task, None
        if writer is not None:
            await writer
            await self._release()

    async def _release(self) -> None:
        long_reads = self.long_reads
        self._read_connection = self._write_connection = self.long_reads = None
        try:
            if long_reads is not None:
                await long_reads.end()
        finally:
            await self.engine.close()

    @property
    def path(self) -> Path:
        """The data file."""
        assert isinstance(self.engine, SqliteEngine), "there is no file"
        return self.engine.path

    @property
    def lost_changes(self) -> int:
        """How many changes had been lost when it was opened, because an older copy had been put in its place."""
        return self.engine.lost_changes

    # writing

    async def commit(self, commit: Commit) -> Receipt:
        """Save a commit durably, in one batch with other commits that wait.

        A commit whose caller was cancelled is still saved whole.

        Raises:
            StaleVersion, StaleClaims, ChannelTaken, NotEnoughChips: this commit is refused; the others of the batch are saved.
            DataBeingDeleted: it moves chips of a person whose data is being deleted.
            InvalidCommit: no lawful play can make this commit, or another slot has the server.
            StoreFailed: nothing of the batch was saved.
            StoreClosed: the store takes no more commits.
        """
        if self._slot is not ALL_SERVERS and not self._slot.has(commit.guild):
            raise InvalidCommit(
                f"server {commit.guild} does not belong to slot {self._slot.number} of {self._slot.count}"
            )
        receipt: Receipt = await self._enqueue(commit)
        return receipt

    async def keep(self, key: str, value: bytes | None) -> None:
        """Keep a value under a key; None forgets it. Durable when it returns.

        Raises:
            StoreFailed, StoreClosed.
        """
        await self._enqueue(KeptValue(key, value))

    async def keep_if(self, key: str, value: bytes | None, before: bytes | None) -> bool:
        """Keep a value under a key, where it still is what it was before; None for none. Returns whether it was. Errors as in `keep`."""
        return await self._write_between(partial(keep_if, key, value, before))

    async def begin_deletion(self, forgetting: Forgetting) -> Forgotten:
        """Begin to take a person out of a server's data. Their chips go to the house, and none come to them until it has ended:
        `commit` refuses with `DataBeingDeleted`. It stays begun over a restart.

        Raises:
            PersonSeated: they have chips on a table.
            DataBeingDeleted: it has begun already.
            StoreFailed: nothing has changed.
            StoreClosed: the store takes no more changes.
        """
        async with self._changing_wallets:
            await self.finish_season_reset(forgetting.guild)
            return await self._write_between(lambda db: begin_deletion(db, self._cache, self._codec, forgetting))

    async def rewrite_rows_of(self, guild: int, user: int) -> None:
        """Put a pseudonym in the place of a person whose deletion has begun, a little at a time beside the saves, in everything that no
        open table is restored from. If it is broken off it can begin again.

        Raises:
            StoreFailed, StoreClosed.
        """
        person = await self._person_being_deleted(guild, user)
        self._spare_time.searches.add(person)  # the number of a dropped hand could be used again
        try:
            seen = await self._write_between(newest)  # what is written from now on is left to the end
            point: SearchPoint | None = SearchPoint("finished_hand")
            while point is not None:
                point = await self._rewrite_step(person, point)
        except BaseException:
            self._spare_time.searches.discard(person)
            raise
        self._searched[person] = seen

    async def end_deletion(self, guild: int, user: int) -> None:
        """Do the rest in one transaction, after `rewrite_rows_of`. Tables that remember the person must stand still meanwhile, and be
        read again.

        Raises:
            StoreFailed: nothing has changed.
            StoreClosed: the store takes no more changes.
        """
        person = await self._person_being_deleted(guild, user)
        try:
            async with self._changing_wallets:
                await self.finish_season_reset(person.guild)
                await self._end_or_search_on(person)
        finally:
            del self._searched[person]
            self._spare_time.searches.discard(person)

    async def _end_or_search_on(self, person: DeletedPerson) -> None:
        while not await self._try_to_end(person):  # many hands have ended meanwhile
            seen, last = self._searched[person], await self._read(newest)
            point: SearchPoint | None = SearchPoint("finished_hand", (seen.hand,))
            while point is not None and point.table == "finished_hand":
                point = await self._rewrite_step(person, point)
            self._searched[person] = SearchedTo(seen.cause, last.hand)

    async def _try_to_end(self, person: DeletedPerson) -> bool:
        async with self._rewriting:
            return await self._write_between(partial(self._end_deletion, person))

    def _end_deletion(self, person: DeletedPerson, db: Database) -> bool:
        return end_deletion(db, self._cache, self._codec, person, self._searched[person])

    async def _rewrite_step(self, person: DeletedPerson, point: SearchPoint) -> SearchPoint | None:
        """Search for a person on the connection for long reads, and rewrite what was found in short transactions."""

        def search(db: Database) -> Generator[None, None, Found]:
            yield from ()
            return find_step(db, person, point)

        async with self._rewriting:
            found = await self._read_long(person.guild, "deletion", search, details=(person, point))
            if found.hands:
                await self._write_between(lambda db: rewrite_hands_of(db, self._cache, found.hands))
            for rows in batches(found.rows, ROWS_AT_ONCE) if found.rows is not None else ():
                await self._write_between(partial(self._rewrite_rows, person, rows))
        return found.following

    def _rewrite_rows(self, person: DeletedPerson, rows: FoundRows, db: Database) -> None:
        rewrite_rows_of(db, self._cache, self._codec, person, rows)

    async def _person_being_deleted(self, guild: int, user: int) -> DeletedPerson:
        person = await self._read(lambda db: person_being_deleted(db, guild, user))
        assert person is not None, "nobody is being deleted"
        return person

    async def _write_between(self, write: Callable[[Database], T]) -> T:
        """Write something between two batches. What it adds to the write-ahead log is merged into the file in spare time."""
        if self._closing or self._write_connection is None:
            raise StoreClosed
        result = await self._write_connection.run_in_thread(write)
        self._spare_time.note_long_log()
        self._work_arrived.set()
        return result

    def _enqueue(self, one: Commit | KeptValue) -> asyncio.Future[Any]:
        """Add to the next batch. A caller who stops waiting for the answer does not stop the save."""
        if self._closing or self._writer_task is None:
            raise StoreClosed
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        if not self._waiting_writes:
            self._oldest_waiting_at = time.monotonic()
        self._waiting_writes.append((one, answer))
        self._work_arrived.set()
        return answer

    async def _save_batches(self, writing: Connection) -> None:
        clock = asyncio.get_running_loop().time
        overdue_at = clock() + SPARE_TIME_OVERDUE
        while self._waiting_writes or not self._closing:
            is_quiet = False
            if self._keep_hands is not None:
                self._ask_to_drop()
            if self._waiting_writes:
                await self._save_next_batch(writing)
            else:
                self._work_arrived.clear()
                is_quiet = not await self._work_arrives(SPARE_TIME_PAUSE if self._spare_time.has_work else None)
            if (is_quiet or clock() >= overdue_at) and self._spare_time.has_work and not self._closing:
                await writing.run_in_thread(partial(self._spare_time.step, is_quiet=is_quiet))
                overdue_at = clock() + SPARE_TIME_OVERDUE

    async def _work_arrives(self, seconds: float | None) -> bool:
        """Wait for something to save, but no longer than this. Returns whether there is something."""
        if seconds is None:
            return await self._work_arrived.wait()
        is_over = False

        def end_pause() -> None:
            nonlocal is_over
            is_over = True
            self._work_arrived.set()

        timer = asyncio.get_running_loop().call_later(seconds, end_pause)  # `asyncio.timeout` takes three times as long
        try:
            await self._work_arrived.wait()
        finally:
            timer.cancel()
        return not is_over or bool(self._waiting_writes)

    async def _save_next_batch(self, writing: Connection) -> None:
        batch, self._waiting_writes = (
            self._waiting_writes[:MAX_BATCH_COMMITS],
            self._waiting_writes[MAX_BATCH_COMMITS:],
        )
        ones = [one for one, _ in batch]
        waiting_since = self._oldest_waiting_at
        try:
            answers = await writing.run_in_thread(partial(self._save, batch=ones))
        except Exception as error:
            # A full disk is no fault of the program: a traceback would not help.
            trace = None if isinstance(error, sqlite3.OperationalError | StoreFailed) else error
            log.error("batch_save_failed", exc_info=trace, extra={"commits": len(batch), "error": str(error)})
            words = str(error) if isinstance(error, StoreFailed) else f"could not save: {error}"
            answers = [StoreFailed(reason=words) for _ in batch]
            self.measures.failed_batches += 1
        else:
            self.measures.commit_seconds.add(time.monotonic() - waiting_since)
            self.measures.batch_sizes.add(len(batch))
        for (_, future), answer in zip(batch, answers, strict=True):
            if future.done():  # the caller was cancelled during the save
                continue
            if isinstance(answer, Exception):
                future.set_exception(answer)
            else:
                future.set_result(answer)

    def _ask_to_drop(self) -> asyncio.Task[None] | None:
        """Ask whether old hands can be dropped, if it is time for that. Returns the task that asks, if somebody has to be waited for."""
        if self._asking_to_drop is not None or self._closing or not self._spare_time.needs_drop_permit:
            return self._asking_to_drop
        assert self._keep_hands is not None
        now = self._keep_hands.now()
        if self._count_hands is None:
            self._spare_time.drop_permit = DropPermit(now)
            return None
        self._asking_to_drop = asyncio.create_task(self._get_drop_permit(self._count_hands, now), name="old-hands")
        self._asking_to_drop.add_done_callback(self._asked_to_drop)
        return self._asking_to_drop

    async def _get_drop_permit(self, count_hands: CountHands, now: int) -> None:
        try:
            permit = await permit_to_drop(self, count_hands, now)
        except StoreError as error:
            log.warning("old_hands_not_dropped", extra={"error": str(error)})
            permit = None
        self._spare_time.drop_permit = permit
        if permit is None:
            self._spare_time.put_off_old_hands()

    def _asked_to_drop(self, task: asyncio.Task[None]) -> None:
        self._asking_to_drop = None
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("old_hands_not_dropped", exc_info=error)
            self._spare_time.put_off_old_hands()
        self._work_arrived.set()

    async def finish_spare_time_work(self) -> None:
        """Do all work that waits for spare time now; saves come in between."""
        while (asking := self._ask_to_drop()) is not None or self._spare_time.has_work:
            if self._write_connection is None:
                raise StoreClosed
            if self._spare_time.has_work:
                await self._write_connection.run_in_thread(self._spare_time.step)
            elif asking is not None:
                await asyncio.wait({asking})

    @property
    def failed_exchanges(self) -> int:
        """How many finished hands stay uncompressed because their blob did not give the same events."""
        return self._spare_time.failed_exchanges

    @property
    def is_open(self) -> bool:
        """Whether commits are saved."""
        return self._writer_task is not None and not self._closing

    @property
    def waiting_count(self) -> int:
        """How many commits wait for the next batch."""
        return len(self._waiting_writes)

    @property
    def newest_cause(self) -> int:
        """The number of the latest change that has been saved; 0 before the first one of this run."""
        return self._cache.last_cause_id

    def _save(self, db: Database, batch: Sequence[Commit | KeptValue]) -> list[Receipt | Exception | None]:
        answers = save_batch(db, self._cache, self._codec, batch)
        if self._cache.last_cause_id:  # 0 as long as only values have been kept
            self.engine.note_saved(self._cache.last_cause_id)
        self._spare_time.note(
            [
                one
                for one, answer in zip(batch, answers, strict=True)
                if isinstance(one, Commit) and not isinstance(answer, Exception)
            ]
        )
        return answers

    # reading

    async def _read(self, read: Callable[[Database], T]) -> T:
        if self._read_connection is None:
            raise StoreClosed
        return await self._read_connection.run_in_thread(lambda db: queries.read_consistently(db, lambda: read(db)))

    async def _read_long(
        self,
        guild: int,
        kind: str,
        begin: Callable[[Database], Generator[None, None, T]],
        *,
        details: Hashable = None,
    ) -> T:
        """Read in steps, beside everything else; see `bot.store.long_reads`."""
        if self.long_reads is None:
            raise StoreClosed
        return await self.long_reads.run(guild, kind, begin, details=details)

    receipt = _reads(queries.receipt)
    open_tables = _reads_events(queries.open_tables)
    saved_table = _reads_events(queries.saved_table)
    table = _reads(queries.table)
    table_numbered = _reads(queries.table_numbered)
    newest_table_in = _reads(queries.newest_table_in)
    last_hand_for = _reads(queries.last_hand_for)
    private_tables_of = _reads(queries.private_tables_of)
    private_tables_known_to = _reads(queries.private_tables_known_to)
    table_chips = _reads(queries.table_chips)
    open_occasions = _reads_events(of_occasions.open_occasions)
    occasion = _reads_events(of_occasions.occasion)
    occasion_at = _reads_events(of_occasions.occasion_at)
    duel_record = _reads(of_occasions.duel_record)
    hand = _reads_events(queries.hand)
    holdings = _reads(queries.holdings)
    won_from_young = _reads(queries.won_from_young)
    history = _reads(queries.history)
    guilds = _reads(queries.guilds)
    tables_of = _reads(queries.tables_of)
    claim_floor = _reads(queries.claim_floor)
    deletions = _reads(deletions)
    adjustments = _reads(queries.adjustments)
    value = _reads(queries.value)
    values = _reads(queries.values)

    staff_log = _reads(of_staff_log.lines_after)
    newest_staff_log_line = _reads(of_staff_log.newest_line)
    bans = _reads(of_staff_log.bans)
    open_reports = _reads(of_staff_log.open_reports)
    open_alarms = _reads(of_staff_log.open_alarms)
    open_alarm_count = _reads(of_staff_log.open_alarm_count)
    raised_pairs = _reads(raised_pairs)
    pair_state = _reads(pair_state)
    newest_transfer = _reads(queries.newest_transfer)
    open_report_count = _reads(of_staff_log.open_report_count)

    seasons = _reads(queries.seasons)
    unfinished_seasons = _reads(of_seasons.unfinished_seasons)
    guilds_with_seasons = _reads(of_seasons.guilds_with_seasons)
    former_player_count = _reads(of_seasons.former_player_count)
    listing = _reads(of_listed.listing)
    people_after = _reads(of_listed.people_after)
    uncounted_of_season = _reads(uncounted_of_season)
    season_end_chips = _reads(of_seasons.season_end_chips)
    season_tables = _reads(of_seasons.season_tables)
    season_results_page = _reads(of_seasons.season_results_page)
    season_winners = _reads(of_seasons.season_winners)
    own_season_results = _reads(of_seasons.own_results)

    async def house_rules(self, guild: int) -> HouseRules:
        """Return the rules that staff have set, or the defaults."""
        return await self._read(lambda db: queries.house_rules(db, guild, self.default_rules))

    async def hands(self, guild: int, table: int, first: int, last: int) -> tuple[SavedHand, ...]:
        """Return hands of a server's table by their numbers, newest first, beside everything else; those that are there."""

        def read(db: Database) -> Generator[None, None, tuple[SavedHand, ...]]:
            yield from ()  # whoever asks for many asks for a few at a time
            found = [queries.hand(db, self._codec, table, number) for number in range(last, first - 1, -1)]
            return tuple([one for one in found if one is not None])

        return await self._read_long(guild, "hands", read, details=(table, first, last))

    async def leaderboard(
        self,
        guild: int,
        *,
        offset: int = 0,
        limit: int = 10,
        user: int = 0,
        book: Book = Book.PEOPLE,
        unshown: Sequence[UnshownChips] = (),
        unshown_flows: Sequence[Flow] = (),
        year: int = 0,
        among: Sequence[int] | None = None,
        only_listed: bool = False,
    ) -> Leaderboard:
        """People ranked by the chips that count, from line `offset`, with the line of `user`. Practice players are left out, and with
        `among` or `only_listed` everybody else. Chips that have not been shown yet are counted as `unshown` and `unshown_flows`, of this
        `year`, say."""

        def page(db: Database) -> Generator[None, None, Leaderboard]:
            yield from ()  # it is short for a long read: one step
            return queries.leaderboard(
                db,
                guild,
                offset=offset,
                limit=limit,
                user=user,
                book=book,
                unshown=unshown,
                unshown_flows=unshown_flows,
                year=year,
                among=among,
                only_listed=only_listed,
            )

        some = None if among is None else tuple(among)
        details = offset, limit, user, book, tuple(unshown), tuple(unshown_flows), some, only_listed
        return await self._read_long(guild, "leaderboard", page, details=details)

    async def audit(self, guild: int) -> LedgerAudit:
        """Add up a server's books, and compare balances with transfers."""
        return await self._read_long(guild, "audit", lambda db: audit_in_steps(db, guild))

    async def occasions_of(self, guild: int, kind: str, user: int) -> tuple[int, ...]:
        """Return the ids of the occasions of a kind in a server, open or over, in which a person stands; oldest first."""
        return await self._read_long(
            guild,
            "occasions of a person",
            lambda db: of_occasions.occasions_of_in_steps(db, guild, kind, user),
            details=(kind, user),
        )

    async def servers_of(self, user: int, prefixes: ValuePrefixes) -> tuple[int, ...]:
        """Return the servers in which something is kept about a person, beside everything else; see `bot.store.person_servers`."""
        return await self._read_long(
            0, "servers of a person", lambda db: servers_in_steps(db, user, prefixes), details=(user, prefixes)
        )

    async def ledger_sum(self) -> int:
        """Return by how much the books of all servers are off: each must sum to zero, and none makes up for another."""

        def in_one_step(db: Database) -> Generator[None, None, int]:
            yield
            return queries.ledger_sum(db)

        return await self._read_long(0, "ledger sum", in_one_step)

    async def flow(self, guild: int, *, since: int) -> tuple[PairFlow, ...]:
        """Return who gave chips to whom since a time in ms, by what everybody could see; the most suspicious first."""
        return await self._read_long(guild, "flow", lambda db: flow_in_steps(db, guild, since), details=since)

    async def mark_listed(self, guild: int, marks: Mapping[int, bool], done: Listing | None) -> None:
        """Write who of some people has played enough hands to be on the leaderboard, and up to where that follows the statistics; see
        `bot.store.listed_people`.

        Raises:
            StoreFailed, StoreClosed.
        """
        await self._write_between(lambda db: of_listed.mark_people(db, guild, marks, done))

    async def close_season(self, end: SeasonEnd) -> tuple[int, ...]:
        """Write down the results of a season for good, with everything that goes with its end, in one transaction.

        From then on everybody's chips are what they are to be, though a part is written at a time.

        Returns:
            the ids of the open tables that hold chips of the season, where chips change.

        Raises:
            SeasonResultsStale: nothing has changed; read the results again.
            DataBeingDeleted: somebody in it is being taken out of the data at this moment; try again later.
            StoreFailed, StoreClosed.
        """
        guild, season = end.season.guild, end.season
        async with self._changing_wallets:
            await self.finish_season_reset(guild)  # that of an earlier season
            await self._write_between(lambda db: of_seasons.require_not_closed(db, end))
            while await self._write_season(lambda db: of_seasons.drop_results(db, season)):
                pass
            for at in range(0, len(end.results), of_seasons.RESULTS_AT_ONCE):
                some = end.results[at : at + of_seasons.RESULTS_AT_ONCE]
                await self._write_season(partial(of_seasons.add_results, season=season, results=some, first=at + 1))
            tables = await self._write_between(lambda db: of_seasons.close_season(db, self._cache, self._codec, end))
        if not end.chips.keeps:
            self._reset_in_background(guild)
        return tables

    async def _write_season(self, write: Callable[[Database], T]) -> T:
        try:
            return await self._write_between(write)
        except DATABASE_FAILED as error:
            raise StoreFailed(reason=f"could not save: {error}") from error

    async def finish_season_reset(self, guild: int) -> None:
        """Let everybody in a server have their turn, where chips change at the end of a season; saves come in between.

        Raises:
            StoreFailed, StoreClosed.
        """
        while await self._write_between(lambda db: reset_more(db, self._cache, self._codec, guild)):
            pass

    def _reset_in_background(self, guild: int) -> None:
        """Go on with the change of a server's chips. What a full disk puts off is taken up again after a while, or after a restart."""
        if guild not in self._resets:
            task = asyncio.get_running_loop().create_task(self._reset(guild), name=f"season-reset-{guild}")
            self._resets[guild] = task

    async def _reset(self, guild: int) -> None:
        try:
            while True:
                try:
                    await self.finish_season_reset(guild)
                except StoreFailed as error:
                    log.warning("season_reset_put_off", extra={"guild": guild, "error": str(error)})
                    await asyncio.sleep(RESET_AGAIN_SECONDS)
                else:
                    return
        except StoreClosed:
            return
        except Exception:  # nobody waits for this task; everybody reads their wallets as they will be
            log.exception("season_reset_failed", extra={"guild": guild})
        finally:
            del self._resets[guild]
