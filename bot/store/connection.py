"""A SQLite connection on its own thread.

aiosqlite goes to that thread and back for each statement. A batch of a hundred commits would spend more time on that than on writing, and
statements of another coroutine could come between them. So a whole piece of work goes over at once, as a plain function.
"""

import asyncio
import contextlib
import os
import sqlite3
import weakref
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import aiosqlite

from bot.allowances import WORK, counted
from bot.store.database import Column

T = TypeVar("T")

BUSY_TIMEOUT_MS = 5_000
"""A backup or a shell can hold the file for a moment."""
BREAK_OFF_SECONDS = 0.05
"""How often a query is broken off until the connection is closed: one that had not begun yet does not notice."""
WAL_CHECKPOINT_PAGES = 4_000
"""16 MB between checkpoints: few pauses, and a restart still reads the log in well under a second."""
WRITER_CACHE_KIB = 8_000
"""What the writing connection keeps of the file, at most. With SQLite's 2,000 a hundred tables read five pages anew for each click."""


SQLITE_VERSION = sqlite3.sqlite_version
SOUND_SQLITE = "3.51.3"
"""Earlier versions can lose commits of a second writing connection when the log is reset. The dealer has one."""
_MENDED = {(3, 44): 6, (3, 50): 7}
"""Versions that were mended afterwards, with the first of each that is free of it."""


def is_sound_sqlite(version: tuple[int, ...] = sqlite3.sqlite_version_info) -> bool:
    """Return whether this SQLite is free of that fault."""
    patch = _MENDED.get((version[0], version[1]))
    if patch is not None:
        return version[2] >= patch
    return version >= tuple(map(int, SOUND_SQLITE.split(".")))


class SqliteDatabase(sqlite3.Connection):
    """A connection to a SQLite file: a `bot.store.database.Database`."""

    is_far = False
    _allowed: frozenset[tuple[str, int, int]] = frozenset()

    def begin(self) -> None:
        """Begin a transaction that writes: nobody else writes until it has ended."""
        self.execute("BEGIN IMMEDIATE")

    def begin_reading(self) -> None:
        """Begin a transaction that reads: all of it sees one state."""
        self.execute("BEGIN")

    def commit(self) -> None:
        """End a transaction: what it wrote is kept for good."""
        self.execute("COMMIT")

    def rollback(self) -> None:
        """End a transaction, if one is open: nothing of it is kept."""
        if self.in_transaction:
            self.execute("ROLLBACK")

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Run a block in one transaction that writes. If the block or its commit fails, nothing of it is kept."""
        self.rollback()  # what is left over by a rollback that failed
        try:
            self.begin()
            yield
            self.commit()
        finally:
            self.rollback()

    @contextlib.contextmanager
    def allowing(self, what: Iterable[tuple[str, int, int]]) -> Iterator[None]:
        """Let the triggers of the schema pass exactly these changes of what is otherwise never changed, in a block."""
        self._allowed = frozenset(what)
        try:
            yield
        finally:
            self._allowed = frozenset()

    def may_exchange(self, what: str, first: int, second: int) -> bool:
        """Return whether this change is allowed at this moment: the triggers ask."""
        return (what, first, second) in self._allowed

    @contextlib.contextmanager
    def without_triggers(self, names: Iterable[str]) -> Iterator[frozenset[str]]:
        """Do without some triggers in a block within a transaction. Yields those of them that are there."""
        found = [
            (name, sql)
            for name in names
            for (sql,) in self.execute("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = ?", (name,))
        ]
        for name, _ in found:
            self.execute(f"DROP TRIGGER {name}")
        yield frozenset([name for name, _ in found])
        for _, sql in found:
            self.execute(sql)

    @contextlib.contextmanager
    def relaxed(self) -> Iterator[None]:
        """Commit in a block without waiting until it is on the disk: a power cut can undo it. Nobody is told anything by it."""
        self.execute("PRAGMA synchronous = NORMAL")
        try:
            yield
        finally:
            self.execute("PRAGMA synchronous = FULL")

    @contextlib.contextmanager
    def erasing(self) -> Iterator[None]:
        """Write over what is deleted in a block: it is nobody's business afterwards."""
        self.execute("PRAGMA secure_delete = ON")
        try:
            yield
        finally:
            self.execute("PRAGMA secure_delete = OFF")

    @contextlib.contextmanager
    def without_keys(self) -> Iterator[None]:
        """Check no reference between tables in a block, which holds whole transactions."""
        self.execute("PRAGMA foreign_keys = OFF")
        try:
            yield
        finally:
            self.execute("PRAGMA foreign_keys = ON")

    @contextlib.contextmanager
    def writing_temporary(self) -> Iterator[None]:
        """Let a connection that cannot write have temporary tables, which are in memory, in a block."""
        (query_only,) = self.execute("PRAGMA query_only").fetchone()
        self.execute("PRAGMA query_only = OFF")
        try:
            yield
        finally:
            self.execute(f"PRAGMA query_only = {query_only}")

    def add_rows(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        """Add many rows, all as they are, within a transaction that writes."""
        names = ", ".join([f'"{column}"' for column in columns])
        self.executemany(f'INSERT INTO "{table}" ({names}) VALUES ({", ".join("?" * len(columns))})', rows)

    def number_after(self, table: str, largest: int) -> None:
        """Let the database number the next row of a table with more than this, and than what it has.

        Where a table does not remember the numbers that it has given, the next one follows its largest row anyway.
        """
        self.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = ? AND seq < ?", (largest, table, largest))

    def last_number(self, table: str) -> int:
        """Return the last number that the database has given to a row of a table; 0 if it remembers none."""
        row = self.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)).fetchone()
        return int(row[0]) if row is not None else 0

    def numbers(self, name: str) -> str:
        """Return a SELECT of the numbers that a named parameter holds, as a list in JSON."""
        return f"SELECT value FROM json_each(:{name})"

    def merge_log(self, *, waits: bool, longer_than: int = 0) -> None:
        """Merge the write-ahead log into the file. Without `waits` what somebody reads at this moment is left where it is.

        Args:
            longer_than: does nothing if the log has not so many bytes.
        """
        if longer_than and self._log_bytes() < longer_than:
            return
        ((busy_timeout,),) = self.execute("PRAGMA busy_timeout").fetchall()
        if not waits:
            self.execute("PRAGMA busy_timeout = 0").fetchall()
        try:
            self.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        finally:
            self.execute(f"PRAGMA busy_timeout = {busy_timeout}").fetchall()

    def _log_bytes(self) -> int:
        _, _, path = self.execute("PRAGMA database_list").fetchone()
        try:
            return Path(f"{path}-wal").stat().st_size
        except OSError:
            return 0

    def tables(self) -> tuple[str, ...]:
        """Return the names of all tables, in their order."""
        rows = self.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
        )
        return tuple([name for (name,) in rows])

    def columns(self, table: str) -> tuple[Column, ...]:
        """Return the columns of a table."""
        rows = self.execute(f'PRAGMA table_info("{table}")')
        return tuple([Column(name, kind == "BLOB", key) for _, name, kind, _, _, key in rows])

    def broken_references(self) -> Iterator[str]:
        """Return a sentence for each row that refers to one that is not there."""
        for table, _, referred, _ in self.execute("PRAGMA foreign_key_check"):
            yield f"{table} refers to a {referred} that is not there"

    # what only a file has

    def references(self, table: str) -> frozenset[str]:
        """Return the tables that a table refers to."""
        return frozenset([row[2] for row in self.execute(f'PRAGMA foreign_key_list("{table}")')])

    def reference_columns(self, table: str, other: str) -> tuple[tuple[str, str, str], ...]:
        """Return how a table refers to another one: its column, that of the other, and what a deletion of that does."""
        rows = self.execute(f'PRAGMA foreign_key_list("{table}")')
        return tuple([(row[3], row[4], row[6]) for row in rows if row[2] == other])

    @contextlib.contextmanager
    def bare(self) -> Iterator[None]:
        """Do without indexes and triggers in a block within a transaction: rows that are copied are as they shall be."""
        made = self.execute(
            "SELECT type, name, sql FROM sqlite_master WHERE type IN ('index', 'trigger') AND sql IS NOT NULL ORDER BY rowid"
        ).fetchall()
        for kind, name, _ in made:
            self.execute(f'DROP {kind} "{name}"')
        yield
        for _, _, sql in made:
            self.execute(sql)

    @property
    def application(self) -> int:
        """Which program's file it is: a number in its header."""
        (number,) = self.execute("PRAGMA application_id").fetchone()
        return int(number)

    @application.setter
    def application(self, number: int) -> None:
        self.execute(f"PRAGMA application_id = {number}")

    def damage(self, *, thorough: bool) -> list[str]:
        """Check the pages of the file. Returns what is wrong with them, a few sentences at most.

        Args:
            thorough: compares indexes with their tables too.
        """
        rows = self.execute("PRAGMA integrity_check(10)" if thorough else "PRAGMA quick_check(3)")
        return [found for (found,) in rows if found != "ok"]

    def trust_schema(self, *, trusted: bool) -> None:
        """Let the triggers and views of the file call functions, or not: a stranger can have written them."""
        self.execute(f"PRAGMA trusted_schema = {'ON' if trusted else 'OFF'}")

    def only_read(self) -> None:
        """Let the connection write nothing from now on, and keep temporary tables in memory."""
        self.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
        self.execute("PRAGMA query_only = ON")
        self.temporary_in_memory()

    def temporary_in_memory(self) -> None:
        """Keep temporary tables in memory: a bot in a container may have nowhere to put a file."""
        self.execute("PRAGMA temp_store = MEMORY")

    def become_one_file(self) -> None:
        """Keep no write-ahead log from now on."""
        self.execute("PRAGMA journal_mode = DELETE").fetchall()

    def never_wait(self) -> None:
        """Leave it to others to bring what is written to the disk."""
        self.execute("PRAGMA synchronous = OFF")


Connector: TypeAlias = Callable[[str], SqliteDatabase]


def connect(path: str, *, factory: type[SqliteDatabase] = SqliteDatabase, any_thread: bool = False) -> SqliteDatabase:
    """Return a connection without Python's implicit transactions: the store begins and ends each one itself.

    The triggers of the schema ask it what may be exchanged; see `SqliteDatabase.allowing`.

    Args:
        path: of the file, or its address with ``?mode=ro``.
        any_thread: several threads use it, one after the other.
    """
    db: SqliteDatabase = sqlite3.connect(
        path,
        isolation_level=None,
        timeout=BUSY_TIMEOUT_MS / 1000,
        factory=factory,
        check_same_thread=not any_thread,
        uri=path.startswith("file:"),
    )
    asked = weakref.ref(db)  # a function that holds its own connection would keep it open
    db.create_function("may_exchange", 3, lambda *what: bool((asking := asked()) and asking.may_exchange(*what)))
    return db


class SqliteConnection(aiosqlite.Connection):
    """An aiosqlite connection that can also run a whole piece of work at once.

    A caller who is cancelled does not stop work that has been handed over.
    """

    async def run_in_thread(self, work: Callable[[SqliteDatabase], T]) -> T:
        """Run `work` on the connection's thread, with nothing else in between."""
        execute: Callable[..., Awaitable[T]] = self._execute  # aiosqlite has no type for it
        return await execute(work if WORK.get() is None else counted(work), self._conn)

    async def break_off(self) -> None:
        """Close, and break off whatever is being read: nobody waits for a long query any more."""
        closing = asyncio.ensure_future(self.close())
        while not closing.done():
            with contextlib.suppress(ValueError, sqlite3.ProgrammingError):  # it has been closed meanwhile
                await self.interrupt()
            await asyncio.wait({closing}, timeout=BREAK_OFF_SECONDS)
        closing.result()


async def open_write_connection(path: Path, connector: Connector = connect) -> SqliteConnection:
    """Return the only writing connection. It has a write-ahead log, and a commit is on the disk before it returns."""

    def prepare(db: SqliteDatabase) -> None:
        for pragma in (
            "journal_mode = WAL",
            "synchronous = FULL",
            "foreign_keys = ON",
            f"busy_timeout = {BUSY_TIMEOUT_MS}",
            f"wal_autocheckpoint = {WAL_CHECKPOINT_PAGES}",
            f"cache_size = -{WRITER_CACHE_KIB}",
            "journal_size_limit = 67108864",
        ):
            db.execute(f"PRAGMA {pragma}").fetchall()

    return await _open(path, connector, prepare)


async def open_read_connection(path: Path) -> SqliteConnection:
    """Return a connection that cannot write."""
    return await _open(path, connect, SqliteDatabase.only_read)


async def _open(path: Path, connector: Connector, prepare: Callable[[SqliteDatabase], None]) -> SqliteConnection:
    opened = SqliteConnection(lambda: connector(str(path)), 64)
    await opened
    try:
        await opened.run_in_thread(prepare)
    except BaseException:
        await opened.close()
        raise
    return opened


def create_private_file(path: Path) -> None:
    """Create the file if it is missing, and let only its owner read it. A directory that has to be created is private too."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    if os.name == "posix":
        path.chmod(0o600)


def sync_file(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk.

    Never the data file itself: to close it here would drop the locks that SQLite holds on it.
    """
    if os.name != "posix" and path.is_dir():
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
