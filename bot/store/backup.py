"""Copies of the data file: made while the dealer runs, checked, and put back.

A copy is one file that holds everything but the master secret of the decks, which is a file of its own: whoever has both knows the cards of
running hands.

A copy is older than what was played after it was taken. If its running hands went on, they would be dealt the same cards again, which
people have seen by then. So a file that has been put back carries a mark (`ROLLED_BACK_KEY`), and at the next start its running hands are
cancelled and their bets returned.
"""

import contextlib
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from filelock import FileLock, Timeout

from bot.runtime.store_errors import StoreFailed, StoreInUse, StoreUnusable
from bot.runtime.store_types import ROLLED_BACK_KEY
from bot.store.audit import audit_books
from bot.store.connection import SqliteDatabase, connect, sync_file
from bot.store.database import Database
from bot.store.finished_hands import KEEP_VALUE
from bot.store.house_copy import without_house
from bot.store.migrate import APPLICATION_ID, back_up, check_format, migrations
from bot.store.moved import unmark
from bot.store.newest_cause import NewestCause, newest_cause_in
from bot.store.queries import guilds

DRAFT_SECONDS = 3600
"""A draft that nothing was written to for so long was left behind by a kill."""
SIDE_FILES = ("-wal", "-shm", "-journal")


@dataclass(frozen=True, slots=True)
class DataCheck:
    """What was found in a data file.

    Attributes:
        problems: what is wrong, a sentence each; none if the file is sound.
        servers, open_tables, transfers: how many it holds.
        chips: what people hold, in all servers.
        newest_cause: the number of the latest change.
        changed_at: when that was, in ms since the epoch; 0 for an empty file.
        format: the number of the last migration that it has had.
    """

    problems: tuple[str, ...] = ()
    servers: int = 0
    open_tables: int = 0
    transfers: int = 0
    chips: int = 0
    newest_cause: int = 0
    changed_at: int = 0
    format: int = 0


def lock_of(path: Path) -> FileLock:
    """Return the lock that a running dealer holds on its data file."""
    return FileLock(path.with_name(f"{path.name}.lock"), timeout=0, mode=0o600, thread_local=False)


def copy_data(path: Path, to: Path) -> DataCheck:
    """Copy a data file, also one that a dealer is writing to, and check the copy. The copy is complete in one file.

    The copy appears under its name only once it is whole, sound and on the disk.

    Raises:
        StoreFailed: the file is not there or cannot be read, or the copy cannot be written.
        StoreUnusable: the copy is not sound; it is deleted.
    """
    if not path.is_file():
        raise StoreFailed(reason=f"{path} is not there")

    def write(draft: Path) -> None:
        with reading_data(path) as source:
            back_up(source, draft)
        with contextlib.closing(connect(str(draft))) as copy:
            copy.become_one_file()

    return finish_copy(str(path), to, write)


def finish_copy(name: str, to: Path, write: Callable[[Path], None]) -> DataCheck:
    """Let a copy be written to a draft, check it, and give it its name. Errors as in `copy_data`.

    Args:
        name: says in words what is copied.
        write: writes the file whose path it is given, to the disk.
    """
    draft = to.with_name(f"{to.name}.partial")
    try:
        _remove_old_drafts(to.parent)
        write(draft)
        found = check_data(draft)
        if found.problems:
            raise StoreUnusable(f"the copy of {name} is not sound: {'; '.join(found.problems)}")
        sync_file(draft)
        draft.replace(to)
        sync_file(to.parent)
    except (OSError, sqlite3.Error) as error:
        raise StoreFailed(reason=f"{to} cannot be written: {error}") from error
    finally:
        draft.unlink(missing_ok=True)
    return found


def _remove_old_drafts(folder: Path) -> None:
    """Delete what copies to this folder that were killed have left of themselves."""
    before = time.time() - DRAFT_SECONDS
    for draft in folder.glob("cardroom*.partial*"):
        with contextlib.suppress(OSError):
            if draft.stat().st_mtime < before:
                draft.unlink()


def check_data(path: Path) -> DataCheck:
    """Check a data file: its pages, its keys, its format, and each server's books."""
    try:
        with reading_data(path) as db:
            return check_open_data(db, path)
    except (StoreUnusable, sqlite3.Error) as error:
        return DataCheck((str(error),))


def check_open_data(db: SqliteDatabase, path: Path) -> DataCheck:
    """Check the data of an open connection; `path` is named in what is found.

    Raises:
        StoreUnusable: it is no data of this program, was made by a newer or a changed program, or has other tables or triggers.
    """
    if db.application != APPLICATION_ID:
        raise StoreUnusable(f"{path} is not a data file of a cardroom")
    check_format(db, path, migrations())
    problems = [f"page check: {damage}" for damage in db.damage(thorough=True)]
    problems += db.broken_references()
    found = check_contents(db)
    return replace(found, problems=(*problems, *found.problems))


def check_contents(db: Database) -> DataCheck:
    """Check each server's books, and count what there is."""
    problems: list[str] = []
    chips = transfers = servers = 0
    tables = frozenset(db.tables())
    for guild in guilds(db):
        audit = audit_books(db, guild, tables)
        problems += [f"server {guild}: {fault.problem.value}" for fault in audit.faults]
        servers += 1
        transfers += audit.transfers
        chips += audit.minted
    (open_tables,) = db.execute("SELECT count(*) FROM card_table WHERE state = 'open'").fetchone()
    newest, changed_at = newest_cause_in(db)
    (number,) = db.execute("SELECT max(number) FROM migration").fetchone()
    return DataCheck(tuple(problems), servers, open_tables, transfers, chips, newest, changed_at, number)


def load_into_memory(path: Path) -> SqliteDatabase:
    """Return a connection to a copy of the file in memory, for a drill: nothing on the disk changes."""
    memory = connect(":memory:", any_thread=True)
    try:
        memory.temporary_in_memory()
        memory.trust_schema(trusted=False)
        with reading_data(path) as source:
            source.backup(memory)
    except BaseException:
        memory.close()
        raise
    return memory


def put_back(backup: Path, path: Path, now: int) -> tuple[DataCheck, Path | None]:
    """Put a checked copy in the place of the data file, and mark it so that its running hands are cancelled.

    What was there is kept aside, not deleted. Whenever the process is killed, the one file is there or the other, whole.

    Args:
        now: ms since the epoch, for the name of what is moved aside.

    Returns:
        what the copy holds, and where the file before it is now; None if there was none.

    Raises:
        StoreInUse: a dealer runs with the data file.
        StoreUnusable: the copy is not sound, or was made by a newer program.
        StoreFailed: the disk refused.
    """
    found = check_data(backup)
    if found.problems:
        raise StoreUnusable(f"{backup} cannot be put back: {'; '.join(found.problems)}")
    draft = path.with_name(f"{path.name}.restoring")
    aside: Path | None = None
    lock = lock_of(path)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock.acquire()
        with reading_data(backup) as source:
            back_up(source, draft)
        with contextlib.closing(connect(str(draft))) as copy:
            unmark(copy)
            without_house(copy)
            copy.execute(KEEP_VALUE, (ROLLED_BACK_KEY, b"%d" % now))
        sync_file(draft)
        if path.exists() and path.stat().st_size:
            aside = path.with_name(f"{path.name}.replaced-{now}")
            keep_aside(path, aside)
        draft.replace(path)
        NewestCause(path).forget()
        sync_file(path.parent)
    except Timeout:
        raise StoreInUse(f"{path} is open in another process; stop the dealer first") from None
    except (OSError, sqlite3.Error) as error:
        raise StoreFailed(reason=f"{path} cannot be written: {error}") from error
    finally:
        draft.unlink(missing_ok=True)
        lock.release()
    return found, aside


def keep_aside(path: Path, aside: Path) -> None:
    """Keep a data file under another name, and let no log of its own lie beside the next one, which would be mistaken for that one's.

    It keeps its own name until the next file takes it: a dealer that finds no file begins an empty house.
    """
    with contextlib.suppress(sqlite3.Error), contextlib.closing(connect(str(path))) as db:
        db.merge_log(waits=True)  # a damaged file keeps its log, aside
    left = [suffix for suffix in SIDE_FILES if path.with_name(path.name + suffix).exists()]
    for suffix in ("", *left):
        _keep_under(path.with_name(path.name + suffix), aside.with_name(aside.name + suffix))
    for suffix in left:
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _keep_under(path: Path, name: Path) -> None:
    """Give a file a second name, or copy it where the disk knows no second names."""
    try:
        name.hardlink_to(path)
    except OSError:
        shutil.copy2(path, name)
        sync_file(name)


@contextlib.contextmanager
def reading_data(path: Path) -> Iterator[SqliteDatabase]:
    """Open a file without changing it, also one that a dealer is writing to."""
    if not path.is_file():
        raise sqlite3.OperationalError(f"{path} is not there")
    db = connect(str(path))
    try:
        db.only_read()
        db.trust_schema(trusted=False)  # it can be anybody's file
        yield db
    finally:
        db.close()
