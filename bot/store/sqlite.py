"""The store on SQLite: one file, one writing connection, one process.

Commits are saved in batches: while one transaction is made durable the next batch gathers, and nobody waits for a timer.
"""

import asyncio
import logging
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from filelock import Timeout

from bot.ledger.accounts import Book
from bot.ledger.house import HouseRules
from bot.runtime.store_errors import StoreClosed, StoreFailed, StoreInUse
from bot.runtime.store_protocol import Codec
from bot.runtime.store_types import (
    ROLLED_BACK_KEY,
    Commit,
    Leaderboard,
    LedgerAudit,
    PlayerHoldings,
    Receipt,
    SavedHand,
    SavedTable,
    TableChips,
    TableRecord,
    UnshownChips,
    WalletHistory,
)
from bot.store import queries
from bot.store.backup import lock_of
from bot.store.connection import (
    Connector,
    SqliteConnection,
    connect,
    create_private_file,
    open_read_connection,
    open_write_connection,
)
from bot.store.migrate import apply_migrations, migrations
from bot.store.newest_cause import NewestCause, newest_cause_in
from bot.store.write_batch import KeptValue, WriterCache, save_batch

T = TypeVar("T")
log = logging.getLogger(__name__)

MIN_FREE_BYTES = 1 << 16
"""With less free space than this a failure to open is reported as a full disk, whatever SQLite calls it."""
MAX_BATCH_COMMITS = 1_000
"""One transaction saves at most so many commits."""


class SqliteStore:
    """A `bot.runtime.store_protocol.Store` in one SQLite file.

    Args:
        path: the data file. Beside it are SQLite's own files, the lock, the number of the latest change, and backups made before
            migrations.
        codec: encodes every event that is committed.
        connector: makes the writing connection; tests give one that fails.

    Attributes:
        lost_changes: how many changes the file had lost when it was opened, because an older copy had been put in its place.
    """

    def __init__(self, path: Path, codec: Codec, *, connector: Connector = connect) -> None:
        self.path = path
        self._codec = codec
        self._connector = connector
        self._lock = lock_of(path)
        self._newest_cause = NewestCause(path)
        self.lost_changes = 0
        self._write_connection: SqliteConnection | None = None
        self._read_connection: SqliteConnection | None = None
        self._cache = WriterCache()
        self._waiting_writes: list[tuple[Commit | KeptValue, asyncio.Future[Any]]] = []
        self._work_arrived = asyncio.Event()
        self._closing = False
        self._writer_task: asyncio.Task[None] | None = None

    # opening and closing

    async def open(self) -> None:
        """Lock the file, check it, migrate it and start saving.

        Raises:
            StoreInUse: another process has the file open.
            StoreUnusable: the file is damaged, or was made by a newer or a changed program.
            StoreFailed: the file cannot be opened or written at all.
        """
        assert self._writer_task is None, "opened twice"
        self._take_lock()
        try:
            self._write_connection = await open_write_connection(self.path, self._connector)
            steps = migrations()
            applied = await self._write_connection.run_in_thread(lambda db: apply_migrations(db, self.path, steps))
            self.lost_changes = await self._write_connection.run_in_thread(self._notice_rollback)
            self._read_connection = await open_read_connection(self.path)
        except BaseException as error:
            await self._release()
            if isinstance(error, sqlite3.Error):
                full = shutil.disk_usage(self.path.parent).free < MIN_FREE_BYTES
                reason = "the disk is full" if full else error
                raise StoreFailed(reason=f"{self.path} cannot be opened: {reason}. Nothing has changed.") from error
            raise
        if applied:
            log.info("schema_migrated", extra={"file": str(self.path), "migrations": applied})
        self._closing = False
        self._writer_task = asyncio.create_task(self._save_batches(self._write_connection), name="store-writer")

    async def close(self) -> None:
        """Refuse new commits, finish those that wait, and close. A second call does nothing."""
        self._closing = True
        self._work_arrived.set()
        writer, self._writer_task = self._writer_task, None
        if writer is not None:
            await writer
            await self._release()

    def _notice_rollback(self, db: sqlite3.Connection) -> int:
        """Return how many changes the file has lost since it was last written. Their number is remembered in a file beside it.

        The main file is brought up to date too: somebody who copies it alone gets no empty house.
        """
        newest, at = newest_cause_in(db)
        lost = max(0, self._newest_cause.read() - newest)
        if lost:
            log.error("data_rolled_back", extra={"file": str(self.path), "lost_changes": lost, "data_of": at})
            db.execute("INSERT OR REPLACE INTO kept (key, value) VALUES (?, ?)", (ROLLED_BACK_KEY, b"%d" % at))
        self._newest_cause.write(newest)
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        return lost

    def _take_lock(self) -> None:
        try:
            create_private_file(self.path)
            self._lock.acquire()
        except Timeout:
            raise StoreInUse(f"{self.path} is open in another process; stop that one first") from None
        except OSError as error:
            raise StoreFailed(reason=f"{self.path} cannot be opened: {error}") from error

    async def _release(self) -> None:
        reading, writing = self._read_connection, self._write_connection
        self._read_connection = self._write_connection = None
        try:
            if reading is not None:
                await reading.close()
            if writing is not None:
                await writing.close()  # the last connection to close merges the write-ahead log into the file
        finally:
            self._newest_cause.close()
            self._lock.release()

    # writing

    async def commit(self, commit: Commit) -> Receipt:
        """Save a commit durably, in one transaction with whatever else is waiting.

        See `bot.runtime.store_protocol.Store.commit`.
        """
        receipt: Receipt = await self._enqueue(commit)
        return receipt

    async def keep(self, key: str, value: bytes | None) -> None:
        """Keep a value under a key; None deletes it."""
        await self._enqueue(KeptValue(key, value))

    def _enqueue(self, one: Commit | KeptValue) -> asyncio.Future[Any]:
        """Add to the next batch. A caller who stops waiting for the answer does not stop the save."""
        if self._closing or self._writer_task is None:
            raise StoreClosed
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting_writes.append((one, answer))
        self._work_arrived.set()
        return answer

    async def _save_batches(self, writing: SqliteConnection) -> None:
        while True:
            if not self._waiting_writes:
                if self._closing:
                    return
                self._work_arrived.clear()
                await self._work_arrived.wait()
                continue
            batch, self._waiting_writes = (
                self._waiting_writes[:MAX_BATCH_COMMITS],
                self._waiting_writes[MAX_BATCH_COMMITS:],
            )
            ones = [one for one, _ in batch]
            try:
                answers = await writing.run_in_thread(partial(self._save, batch=ones))
            except Exception as error:
                # A full disk is no fault of the program: a traceback would not help.
                trace = None if isinstance(error, sqlite3.OperationalError | StoreFailed) else error
                log.error("batch_save_failed", exc_info=trace, extra={"commits": len(batch), "error": str(error)})
                words = str(error) if isinstance(error, StoreFailed) else f"could not save: {error}"
                answers = [StoreFailed(reason=words) for _ in batch]
            for (_, future), answer in zip(batch, answers, strict=True):
                if future.done():  # the caller was cancelled during the save
                    continue
                if isinstance(answer, Exception):
                    future.set_exception(answer)
                else:
                    future.set_result(answer)

    @property
    def newest_cause(self) -> int:
        """The number of the latest change that has been saved; 0 before the first one of this run."""
        return self._cache.last_cause_id

    def _save(self, db: sqlite3.Connection, batch: Sequence[Commit | KeptValue]) -> list[Receipt | Exception | None]:
        answers = save_batch(db, self._cache, self._codec, batch)
        if self._cache.last_cause_id:  # 0 as long as only values have been kept
            self._newest_cause.write(self._cache.last_cause_id)
        return answers

    # reading

    async def _read(self, read: Callable[[sqlite3.Connection], T]) -> T:
        if self._read_connection is None:
            raise StoreClosed
        return await self._read_connection.run_in_thread(lambda db: queries.read_consistently(db, lambda: read(db)))

    async def receipt(self, key: str) -> Receipt | None:
        return await self._read(lambda db: queries.receipt(db, key))

    async def open_tables(self) -> tuple[SavedTable, ...]:
        return await self._read(lambda db: queries.open_tables(db, self._codec))

    async def table(self, table: int) -> TableRecord | None:
        return await self._read(lambda db: queries.table(db, table))

    async def table_numbered(self, guild: int, number: int) -> TableRecord | None:
        return await self._read(lambda db: queries.table_numbered(db, guild, number))

    async def table_chips(self, table: int) -> TableChips:
        return await self._read(lambda db: queries.table_chips(db, table))

    async def hand(self, table: int, number: int = 0) -> SavedHand | None:
        return await self._read(lambda db: queries.hand(db, self._codec, table, number))

    async def holdings(self, guild: int, user: int, book: Book = Book.PEOPLE) -> PlayerHoldings:
        return await self._read(lambda db: queries.holdings(db, guild, user, book))

    async def leaderboard(
        self,
        guild: int,
        *,
        offset: int = 0,
        limit: int = 10,
        user: int = 0,
        book: Book = Book.PEOPLE,
        unshown: Sequence[UnshownChips] = (),
    ) -> Leaderboard:
        return await self._read(
            lambda db: queries.leaderboard(db, guild, offset=offset, limit=limit, user=user, book=book, unshown=unshown)
        )

    async def history(
        self, guild: int, user: int, *, before: int = 0, limit: int = 10, book: Book = Book.PEOPLE
    ) -> WalletHistory:
        return await self._read(lambda db: queries.history(db, guild, user, before=before, limit=limit, book=book))

    async def house_rules(self, guild: int) -> HouseRules:
        return await self._read(lambda db: queries.house_rules(db, guild))

    async def audit(self, guild: int) -> LedgerAudit:
        return await self._read(lambda db: queries.audit_books(db, guild))

    async def value(self, key: str) -> bytes | None:
        return await self._read(lambda db: queries.value(db, key))

    async def values(self, prefix: str) -> dict[str, bytes]:
        return await self._read(lambda db: queries.values(db, prefix))
