"""Copies of data that is no file: each is a data file all the same, so that one check, one drill and one way to put it back do for all.

Its rows are copied from one state of the database while a dealer plays on. What is put back goes into new tables; those that were there are
kept aside.
"""

import contextlib
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

from bot.runtime.saved_values import SavedKind
from bot.runtime.store_errors import StoreFailed, StoreUnusable
from bot.runtime.store_types import ROLLED_BACK_KEY
from bot.store.backup import DataCheck, check_data, copy_data, finish_copy, reading_data
from bot.store.connection import SqliteDatabase, connect
from bot.store.copy_rows import CopyFailed, copy_rows
from bot.store.data_source import DataElsewhere, DataSource
from bot.store.database import DatabaseFailed
from bot.store.finished_hands import KEEP_VALUE
from bot.store.home import DataHome, filling_file, steps_of
from bot.store.house_copy import HouseCopy, house_mark, personal_values, without_house, write_house_copy
from bot.store.migrate import apply_migrations, back_up, migrations
from bot.store.moved import unmark
from bot.store.queries import guilds


def copy_source(source: DataSource, to: Path) -> DataCheck:
    """Copy data to one checked file, also while a dealer writes to it.

    Raises:
        StoreFailed: it cannot be read, or the copy cannot be written.
        StoreUnusable: the copy is not sound; it is deleted.
    """
    if isinstance(source, Path):
        return copy_data(source, to)
    try:
        return finish_copy(str(source), to, lambda draft: write_file(source, draft))
    except DatabaseFailed as error:
        raise StoreFailed(reason=f"the database cannot be read: {error}") from error
    except CopyFailed as error:
        raise StoreUnusable(f"{source} could not be copied: {error}") from error


def write_file(source: DataElsewhere, draft: Path) -> None:
    """Write data of a database to a file, which has had the same migrations, or those of them that this program knows.

    What a newer version keeps beside that is not in it: better such a copy than none while an older version deals.

    Raises:
        CopyFailed: something else has arrived.
        OSError, DATABASE_FAILED.
    """
    house = source.house_copy()
    with contextlib.closing(source.connect_to_copy()) as rows:
        rows.begin_reading()
        try:
            steps = steps_of(rows, str(source), beside_newer=True)
            with filling_file(draft, steps) as filled:
                copy_rows(rows, (filled,), steps)
                if house is not None:
                    write_house_copy(filled, house)
        finally:
            rows.rollback()


def put_back_into(
    home: DataHome, backup: Path, scratch: Path, now: int, kept_elsewhere: Collection[str] = ()
) -> tuple[DataCheck, str]:
    """Put a checked copy in the place of what is in a database, and mark it so that its running hands are cancelled.

    What was there is kept aside, not deleted. Whenever the process is killed, the one is there or the other, whole.

    Args:
        scratch: a file that does not exist, for a copy that an older version made: it is brought up to date there.
        now: ms since the epoch, for the name of what is kept aside.
        kept_elsewhere: keys of values that the house keeps, not this slot.

    Returns:
        what the copy holds, and where what was there is now, in words; "" if there was nothing.

    Raises:
        StoreInUse: a dealer runs with it.
        StoreUnusable: the copy is not sound, or was made by a newer program.
        StoreFailed: the database or the disk refused.
    """
    found = check_data(backup)
    if found.problems:
        raise StoreUnusable(f"{backup} cannot be put back: {'; '.join(found.problems)}")
    try:
        aside = _put_back(home, backup, scratch, now, kept_elsewhere)
    except (OSError, sqlite3.Error) as error:
        raise StoreFailed(reason=f"{backup} cannot be put back: {error}") from error
    except CopyFailed as error:
        raise StoreUnusable(f"{backup} cannot be put back: {error}; nothing has changed") from error
    return found, aside


def _put_back(home: DataHome, backup: Path, scratch: Path, now: int, kept_elsewhere: Collection[str]) -> str:
    with home.owned(), _up_to_date(backup, scratch) as rows:
        ending = f".replaced-{now}" if home.is_there() else ""
        steps = steps_of(rows, str(backup))
        rows.begin_reading()
        try:
            with home.filling(steps, ending) as filled:
                copy_rows(rows, (filled,), steps)
                unmark(filled)
                without_house(filled, kept_elsewhere)
                filled.execute(KEEP_VALUE, (ROLLED_BACK_KEY, b"%d" % now))
        finally:
            rows.rollback()
    return home.aside(ending) if ending else ""


def servers_in(backup: Path) -> tuple[int, ...]:
    """Return the servers in a copy; none if it cannot be read: whoever puts it back says why."""
    try:
        with reading_data(backup) as db:
            return tuple(guilds(db))
    except sqlite3.Error:
        return ()


def house_copy_in(backup: Path, kinds: Iterable[SavedKind[Any, Any]]) -> HouseCopy | None:
    """Return what the copy of one of several slots holds of their house; None if it is none, or cannot be read."""
    try:
        with reading_data(backup) as db:
            mark = house_mark(db)
            return HouseCopy(mark, personal_values(db, kinds)) if mark is not None else None
    except sqlite3.Error:
        return None


@contextlib.contextmanager
def _up_to_date(backup: Path, scratch: Path) -> Iterator[SqliteDatabase]:
    """Read a copy; one of an older version as this one would leave it."""
    with reading_data(backup) as rows:
        if steps_of(rows, str(backup)) == migrations():
            yield rows
            return
        back_up(rows, scratch)
    try:
        with contextlib.closing(connect(str(scratch))) as db:
            apply_migrations(db, scratch, migrations())
            yield db
    finally:
        for left in scratch.parent.glob(f"{scratch.name}*"):  # with the copy that was made before the migrations
            left.unlink(missing_ok=True)
