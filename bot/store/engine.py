"""Where a store keeps its rows: an engine opens its connections, each with a thread of its own.

SQLite keeps one file beside the dealer. A file lock keeps a second process out of it.
"""

import contextlib
import logging
import shutil
import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

from filelock import Timeout
from msgspec import Struct

from bot.runtime.store_errors import StoreFailed, StoreInUse
from bot.store.backup import lock_of
from bot.store.connection import (
    Connector,
    SqliteConnection,
    connect,
    create_private_file,
    open_read_connection,
    open_write_connection,
)
from bot.store.database import Database
from bot.store.migrate import apply_migrations, migrations
from bot.store.moved import require_here
from bot.store.newest_cause import NewestCause, notice_rollback

T = TypeVar("T")
log = logging.getLogger(__name__)

MIN_FREE_BYTES = 1 << 16
"""With less free space than this a failure to open is reported as a full disk, whatever SQLite calls it."""


class Connection(Protocol):
    """A connection to a database, on a thread of its own. The engine closes it."""

    async def run_in_thread(self, work: Callable[[Database], T]) -> T:
        """Run `work` on the connection's thread, with nothing else in between. A caller who is cancelled does not stop it."""

    async def interrupt(self) -> None:
        """Break off what is being read."""


class Connections(Struct, frozen=True):
    """The connections of an open store.

    Attributes:
        writing: the only one that writes.
        reading: for short reads.
        long_reads: for those that go in steps, beside everything else.
    """

    writing: Connection
    reading: Connection
    long_reads: Connection


class Engine(Protocol):
    """Opens and closes what a store keeps its rows in.

    Attributes:
        name: names it in words for whoever runs the dealer.
        lost_changes: how many changes were lost when it was opened, because an older copy had been put in its place.
    """

    name: str
    lost_changes: int

    async def open(self) -> Connections:
        """Keep other processes out, check what is there, bring it up to date, and connect.

        Raises:
            StoreInUse: another process has it.
            StoreUnusable: it is damaged, or was made by a newer or a changed program.
            StoreFailed: it cannot be opened or written at all.
        """

    async def close(self) -> None:
        """Close the connections, and let others in."""

    def note_saved(self, cause: int) -> None:
        """Everything up to this cause has been saved. It is called on the writing thread."""


class SqliteEngine:
    """One SQLite file.

    Args:
        path: the file. Beside it are SQLite's own files, the lock, the number of the latest change, and backups made before migrations.
        connector: makes the writing connection; tests give one that fails.
    """

    def __init__(self, path: Path, connector: Connector = connect) -> None:
        self.path, self.name = path, str(path)
        self.lost_changes = 0
        self._connector = connector
        self._lock = lock_of(path)
        self._newest_cause = NewestCause(path)
        self._opened: list[SqliteConnection] = []

    async def open(self) -> Connections:
        """Lock the file, check it, migrate it and connect. Errors as in `Engine.open`."""
        self._take_lock()
        with contextlib.suppress(OSError):
            for draft in self.path.parent.glob(f"{self.path.name}.restoring*"):  # of a restore that was killed
                draft.unlink(missing_ok=True)
        try:
            writing = await open_write_connection(self.path, self._connector)
            self._opened.append(writing)
            steps = migrations()
            applied = await writing.run_in_thread(lambda db: apply_migrations(db, self.path, steps))
            await writing.run_in_thread(partial(require_here, name=self.name))
            self.lost_changes = await writing.run_in_thread(partial(notice_rollback, self._newest_cause, self.name))
            for _ in ("short reads", "long reads"):
                self._opened.append(await open_read_connection(self.path))
        except BaseException as error:
            await self.close()
            if isinstance(error, sqlite3.Error):
                full = shutil.disk_usage(self.path.parent).free < MIN_FREE_BYTES
                reason = "the disk is full" if full else error
                raise StoreFailed(reason=f"{self.path} cannot be opened: {reason}. Nothing has changed.") from error
            raise
        if applied:
            log.info("schema_migrated", extra={"file": self.name, "migrations": applied})
        return Connections(*self._opened)

    async def close(self) -> None:
        """Close the connections, the writing one last: it merges the write-ahead log into the file."""
        opened, self._opened = self._opened, []
        try:
            for reading in opened[1:]:
                await reading.break_off()
            for writing in opened[:1]:
                await writing.close()
        finally:
            self._newest_cause.close()
            self._lock.release()

    def note_saved(self, cause: int) -> None:
        """Remember beside the file how far it was written."""
        self._newest_cause.write(cause)

    def _take_lock(self) -> None:
        try:
            create_private_file(self.path)
            self._lock.acquire()
        except Timeout:
            raise StoreInUse(f"{self.path} is open in another process; stop that one first") from None
        except OSError as error:
            raise StoreFailed(reason=f"{self.path} cannot be opened: {error}") from error
