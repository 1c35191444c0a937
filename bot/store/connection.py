"""One SQLite connection on its own thread.

aiosqlite hops to that thread and back for each statement; a batch of a hundred commands would spend more time hopping
than writing, and statements of another coroutine could fall between them. So a whole piece of work goes over in one
hop, as a plain function.
"""

import os
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeAlias, TypeVar

import aiosqlite

T = TypeVar("T")
Connect: TypeAlias = Callable[[str], sqlite3.Connection]

BUSY_MS = 5_000  # somebody's backup or shell may hold the file for a moment
WAL_PAGES = 4_000  # 16 MB between checkpoints: fewer pauses, and a restart still reads it in well under a second


def connect(path: str) -> sqlite3.Connection:
    """A connection without Python's own transactions: ours begin and end in sight."""
    return sqlite3.connect(path, isolation_level=None, timeout=BUSY_MS / 1000)


class Connection(aiosqlite.Connection):
    """An aiosqlite connection that can also do a piece of work in one go.

    A cancelled caller does not stop work that has been handed over.
    """

    async def together(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run `work` on the connection's thread, with nothing else in between."""
        execute: Callable[..., Awaitable[T]] = self._execute  # aiosqlite leaves it without types
        return await execute(work, self._conn)


async def open_writing(path: Path, connector: Connect = connect) -> Connection:
    """The one writing connection: write-ahead log, and every commit on the disk before it returns."""

    def prepare(db: sqlite3.Connection) -> None:
        for pragma in (
            "journal_mode = WAL",
            "synchronous = FULL",
            "foreign_keys = ON",
            f"busy_timeout = {BUSY_MS}",
            f"wal_autocheckpoint = {WAL_PAGES}",
            "journal_size_limit = 67108864",
        ):
            db.execute(f"PRAGMA {pragma}").fetchall()

    writing = Connection(lambda: connector(str(path)), 64)
    await writing
    try:
        await writing.together(prepare)
    except BaseException:
        await writing.close()
        raise
    return writing


async def open_reading(path: Path) -> Connection:
    """A connection that cannot write."""

    def prepare(db: sqlite3.Connection) -> None:
        db.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        db.execute("PRAGMA query_only = ON")

    reading = Connection(lambda: connect(str(path)), 64)
    await reading
    try:
        await reading.together(prepare)
    except BaseException:
        await reading.close()
        raise
    return reading


def make_private(path: Path) -> None:
    """Make sure the file is there and only its owner reads it. A directory that has to be made is private too."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    if os.name == "posix":
        path.chmod(0o600)
