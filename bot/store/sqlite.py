"""The store on SQLite: one file, one writing connection, one process.

Commits are saved in natural groups: while one transaction is being made durable the next batch gathers; nobody waits
for a timer.

Source: design §3.
"""

import asyncio
import logging
import shutil
import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from filelock import FileLock, Timeout

from bot.ledger.accounts import Book
from bot.ledger.house import HouseRules
from bot.runtime.ports import (
    Audit,
    Codec,
    Commit,
    History,
    Leaderboard,
    Purse,
    Receipt,
    SavedHand,
    SavedTable,
    StoreClosed,
    StoreFailed,
    StoreInUse,
    TableChips,
    TableRecord,
)
from bot.store import reading
from bot.store.connection import Connect, Connection, connect, make_private, open_reading, open_writing
from bot.store.migrate import bring_up, migrations
from bot.store.writing import Keep, Memory, write

T = TypeVar("T")
log = logging.getLogger(__name__)

ROOM_BYTES = 1 << 16
"""Less room than this on the disk, and opening fails for want of it, whatever SQLite calls that."""
BATCH_MOST = 1_000  # commits in one transaction


class SqliteStore:
    """A `bot.runtime.ports.Store` in one SQLite file.

    Args:
        path: the data file; beside it lie SQLite's own files, the lock and backups made before migrations.
        codec: of all events that are ever committed.
        connector: makes the writing connection; tests give one that fails.
    """

    def __init__(self, path: Path, codec: Codec, *, connector: Connect = connect) -> None:
        self.path = path
        self._codec = codec
        self._connector = connector
        self._lock = FileLock(path.with_name(f"{path.name}.lock"), timeout=0, mode=0o600, thread_local=False)
        self._writing: Connection | None = None
        self._reading: Connection | None = None
        self._memory = Memory()
        self._waiting: list[tuple[Commit | Keep, asyncio.Future[Any]]] = []
        self._work = asyncio.Event()
        self._closing = False
        self._writer: asyncio.Task[None] | None = None

    # opening and closing

    async def open(self) -> None:
        """Lock the file, check it, migrate it and start saving.

        Raises:
            StoreInUse: another process has it open.
            StoreUnfit: damaged, or made by a newer or a changed program.
            StoreFailed: it cannot be opened or written at all.
        """
        assert self._writer is None, "opened twice"
        self._take_lock()
        try:
            self._writing = await open_writing(self.path, self._connector)
            steps = migrations()
            applied = await self._writing.together(lambda db: bring_up(db, self.path, steps))
            self._reading = await open_reading(self.path)
        except BaseException as error:
            await self._release()
            if isinstance(error, sqlite3.Error):
                full = shutil.disk_usage(self.path.parent).free < ROOM_BYTES
                reason = "the disk is full" if full else error
                raise StoreFailed(f"{self.path} cannot be opened: {reason}. Nothing has changed.") from error
            raise
        if applied:
            log.info("schema brought up", extra={"file": str(self.path), "migrations": applied})
        self._closing = False
        self._writer = asyncio.create_task(self._save_batches(self._writing), name="store-writer")

    async def close(self) -> None:
        """Refuse new commits, finish those that wait, close. A second call does nothing."""
        self._closing = True
        self._work.set()
        writer, self._writer = self._writer, None
        if writer is not None:
            await writer
            await self._release()

    def _take_lock(self) -> None:
        try:
            make_private(self.path)
            self._lock.acquire()
        except Timeout:
            raise StoreInUse(f"{self.path} is open in another process; stop that one first") from None
        except OSError as error:
            raise StoreFailed(f"{self.path} cannot be opened: {error}") from error

    async def _release(self) -> None:
        reading_, writing_ = self._reading, self._writing
        self._reading = self._writing = None
        try:
            if reading_ is not None:
                await reading_.close()
            if writing_ is not None:
                await writing_.close()  # the last one out puts the write-ahead log into the file
        finally:
            self._lock.release()

    # writing

    async def commit(self, commit: Commit) -> Receipt:
        """Save a commit durably, in one transaction with whatever else is waiting.

        See `bot.runtime.ports.Store.commit`.
        """
        receipt: Receipt = await self._saved(commit)
        return receipt

    async def keep(self, key: str, value: bytes | None) -> None:
        """Keep a value under a key, or forget it."""
        await self._saved(Keep(key, value))

    def _saved(self, one: Commit | Keep) -> asyncio.Future[Any]:
        """Join the next batch. Whoever stops waiting for the answer does not stop the save."""
        if self._closing or self._writer is None:
            raise StoreClosed("the store is closed; nothing was saved")
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.append((one, answer))
        self._work.set()
        return answer

    async def _save_batches(self, writing: Connection) -> None:
        while True:
            if not self._waiting:
                if self._closing:
                    return
                self._work.clear()
                await self._work.wait()
                continue
            batch, self._waiting = self._waiting[:BATCH_MOST], self._waiting[BATCH_MOST:]
            ones = [one for one, _ in batch]
            try:
                answers = await writing.together(partial(write, memory=self._memory, codec=self._codec, batch=ones))
            except Exception as error:
                # a full disk is no fault of ours: a line tells it, and no traceback helps
                trace = None if isinstance(error, sqlite3.OperationalError | StoreFailed) else error
                log.error("a batch was not saved: %s", error, exc_info=trace, extra={"commits": len(batch)})
                words = str(error) if isinstance(error, StoreFailed) else f"could not save: {error}"
                answers = [StoreFailed(words) for _ in batch]
            for (_, future), answer in zip(batch, answers, strict=True):
                if future.done():  # cancelled while it was being saved
                    continue
                if isinstance(answer, Exception):
                    future.set_exception(answer)
                else:
                    future.set_result(answer)

    # reading

    async def _read(self, read: Callable[[sqlite3.Connection], T]) -> T:
        if self._reading is None:
            raise StoreClosed("the store is closed")
        return await self._reading.together(lambda db: reading.at_one_moment(db, lambda: read(db)))

    async def receipt(self, key: str) -> Receipt | None:
        return await self._read(lambda db: reading.receipt(db, key))

    async def open_tables(self) -> tuple[SavedTable, ...]:
        return await self._read(lambda db: reading.open_tables(db, self._codec))

    async def table(self, table: int) -> TableRecord | None:
        return await self._read(lambda db: reading.table(db, table))

    async def table_numbered(self, guild: int, number: int) -> TableRecord | None:
        return await self._read(lambda db: reading.table_numbered(db, guild, number))

    async def table_chips(self, table: int) -> TableChips:
        return await self._read(lambda db: reading.table_chips(db, table))

    async def hand(self, table: int, number: int = 0) -> SavedHand | None:
        return await self._read(lambda db: reading.hand(db, self._codec, table, number))

    async def purse(self, guild: int, user: int, book: Book = Book.PEOPLE) -> Purse:
        return await self._read(lambda db: reading.purse(db, guild, user, book))

    async def leaderboard(
        self, guild: int, *, offset: int = 0, limit: int = 10, user: int = 0, book: Book = Book.PEOPLE
    ) -> Leaderboard:
        return await self._read(
            lambda db: reading.leaderboard(db, guild, offset=offset, limit=limit, user=user, book=book)
        )

    async def history(
        self, guild: int, user: int, *, before: int = 0, limit: int = 10, book: Book = Book.PEOPLE
    ) -> History:
        return await self._read(lambda db: reading.history(db, guild, user, before=before, limit=limit, book=book))

    async def house_rules(self, guild: int) -> HouseRules:
        return await self._read(lambda db: reading.house_rules(db, guild))

    async def audit(self, guild: int) -> Audit:
        return await self._read(lambda db: reading.audit_books(db, guild))

    async def value(self, key: str) -> bytes | None:
        return await self._read(lambda db: reading.value(db, key))

    async def values(self, prefix: str) -> dict[str, bytes]:
        return await self._read(lambda db: reading.values(db, prefix))
