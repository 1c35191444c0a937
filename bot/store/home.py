"""Where the data of a house can be: a file, or a schema of a database. What moves, copies and puts back data asks this of either."""

import contextlib
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from filelock import Timeout

from bot.runtime.store_errors import StoreFailed, StoreInUse, StoreUnusable
from bot.store.backup import DataCheck, check_data, keep_aside, lock_of, reading_data
from bot.store.connection import SqliteDatabase, connect, create_private_file, sync_file
from bot.store.database import Database
from bot.store.migrate import STEPS_HAD, Migration, apply_migrations, migrations, steps_had
from bot.store.newest_cause import NewestCause


class DataHome(Protocol):
    """A file or a schema, with data in it or without.

    Attributes:
        name: says in words where it is. No password is in it.
    """

    @property
    def name(self) -> str: ...

    def owned(self) -> AbstractContextManager[None]:
        """Keep every dealer out in a block. All that follows belongs into one.

        Raises:
            StoreInUse: a dealer runs with it.
            StoreFailed: it cannot be reached or written.
        """

    def is_there(self) -> bool:
        """Return whether there are tables in it."""

    def bring_up_to_date(self) -> None:
        """Apply the migrations that it lacks.

        Raises:
            StoreUnusable: it is damaged, or of another or a newer program.
        """

    def check(self) -> DataCheck:
        """Check what is in it: its tables, and each server's books."""

    def reading(self) -> AbstractContextManager[Database]:
        """Read it, for as long as the other side of a copy takes."""

    def writing(self) -> AbstractContextManager[Database]:
        """Change it in a block, which is one transaction."""

    def filling(self, steps: tuple[Migration, ...], aside: str) -> AbstractContextManager[Database]:
        """Fill it in a block with what is copied, in a transaction: it is in there whole afterwards, or as it was before.

        Args:
            steps: the migrations that make its tables.
            aside: under a name with this ending what is there now is kept; "": nothing of it is.
        """

    def aside(self, ending: str) -> str:
        """Return where in words `filling` keeps what was there."""


def steps_of(db: Database, name: str, *, beside_newer: bool = False) -> tuple[Migration, ...]:
    """Return the migrations that some data has had. Argument and errors as in `steps_had`."""
    return steps_had(db.execute(STEPS_HAD).fetchall(), name, migrations(), beside_newer=beside_newer)


class FileHome:
    """A file of SQLite."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def name(self) -> str:
        return str(self._path)

    @contextlib.contextmanager
    def owned(self) -> Iterator[None]:
        lock = lock_of(self._path)
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock.acquire()
        except Timeout:
            raise StoreInUse(f"{self._path} is open in another process; stop the dealer first") from None
        except OSError as error:
            raise StoreFailed(reason=f"{self._path} cannot be opened: {error}") from error
        try:
            yield
        except sqlite3.Error as error:
            raise StoreFailed(reason=f"{self._path} cannot be used: {error}. What was there is still there.") from error
        finally:
            lock.release()

    def is_there(self) -> bool:
        return self._path.is_file() and self._path.stat().st_size > 0

    def bring_up_to_date(self) -> None:
        with contextlib.closing(connect(str(self._path))) as db:
            apply_migrations(db, self._path, migrations())

    def check(self) -> DataCheck:
        return check_data(self._path)

    def reading(self) -> AbstractContextManager[SqliteDatabase]:
        return reading_data(self._path)

    @contextlib.contextmanager
    def writing(self) -> Iterator[SqliteDatabase]:
        with contextlib.closing(connect(str(self._path))) as db:
            with db.transaction():
                yield db
            db.merge_log(waits=True)

    @contextlib.contextmanager
    def filling(self, steps: tuple[Migration, ...], aside: str) -> Iterator[SqliteDatabase]:
        path = self._path
        draft = path.with_name(f"{path.name}.restoring")  # a dealer that starts deletes what a kill has left of it
        try:
            with filling_file(draft, steps) as db:
                yield db
            if aside and self.is_there():
                keep_aside(path, path.with_name(path.name + aside))
            draft.replace(path)
            NewestCause(path).forget()
            sync_file(path.parent)
        finally:
            draft.unlink(missing_ok=True)

    def aside(self, ending: str) -> str:
        return str(self._path.with_name(self._path.name + ending))


@contextlib.contextmanager
def filling_file(draft: Path, steps: tuple[Migration, ...]) -> Iterator[SqliteDatabase]:
    """Make a data file that is filled in the block, in one transaction. It is on the disk afterwards.

    Raises:
        StoreUnusable: a row refers to one that is not there.
        OSError, sqlite3.Error.
    """
    draft.unlink(missing_ok=True)
    create_private_file(draft)
    with contextlib.closing(connect(str(draft))) as db:
        db.never_wait()
        apply_migrations(db, draft, steps, 0)
        with db.without_keys(), db.transaction(), db.bare():
            db.execute("DELETE FROM migration")
            yield db
        broken = next(db.broken_references(), "")
        if broken:
            raise StoreUnusable(f"{draft} cannot be used: {broken}")
    sync_file(draft)
