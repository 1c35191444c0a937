"""A SQLite connection on its own thread.

aiosqlite goes to that thread and back for each statement. A batch of a hundred commits would spend more time on that than on writing, and
statements of another coroutine could come between them. So a whole piece of work goes over at once, as a plain function.
"""

import asyncio
import contextlib
import os
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeAlias, TypeVar

import aiosqlite

from bot.allowances import WORK, counted

T = TypeVar("T")
Connector: TypeAlias = Callable[[str], sqlite3.Connection]

BUSY_TIMEOUT_MS = 5_000
"""A backup or a shell can hold the file for a moment."""
BREAK_OFF_SECONDS = 0.05
"""How often a query is broken off until the connection is closed: one that had not begun yet does not notice."""
WAL_CHECKPOINT_PAGES = 4_000
"""16 MB between checkpoints: few pauses, and a restart still reads the log in well under a second."""


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


def connect(path: str) -> sqlite3.Connection:
    """Return a connection without Python's implicit transactions: the store begins and ends each one itself.

    The triggers of the schema ask it whether an event may be exchanged; see `bot.store.finished_hands`.
    """
    db = sqlite3.connect(path, isolation_level=None, timeout=BUSY_TIMEOUT_MS / 1000)
    db.create_function("may_exchange", 3, lambda *_what: False)
    return db


def trust_schema(db: sqlite3.Connection, *, trusted: bool) -> None:
    """Let the triggers and views of a file call functions, or not: a stranger can have written them."""
    db.execute(f"PRAGMA trusted_schema = {'ON' if trusted else 'OFF'}")


class SqliteConnection(aiosqlite.Connection):
    """An aiosqlite connection that can also run a whole piece of work at once.

    A caller who is cancelled does not stop work that has been handed over.
    """

    async def run_in_thread(self, work: Callable[[sqlite3.Connection], T]) -> T:
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

    def prepare(db: sqlite3.Connection) -> None:
        for pragma in (
            "journal_mode = WAL",
            "synchronous = FULL",
            "foreign_keys = ON",
            f"busy_timeout = {BUSY_TIMEOUT_MS}",
            f"wal_autocheckpoint = {WAL_CHECKPOINT_PAGES}",
            "journal_size_limit = 67108864",
        ):
            db.execute(f"PRAGMA {pragma}").fetchall()

    return await _open(path, connector, prepare)


async def open_read_connection(path: Path) -> SqliteConnection:
    """Return a connection that cannot write."""

    def prepare(db: sqlite3.Connection) -> None:
        db.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
        db.execute("PRAGMA query_only = ON")
        db.execute("PRAGMA temp_store = MEMORY")  # a bot in a container may have nowhere to put temporary files

    return await _open(path, connect, prepare)


async def _open(path: Path, connector: Connector, prepare: Callable[[sqlite3.Connection], None]) -> SqliteConnection:
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
