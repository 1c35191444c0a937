"""Bring a data file to the format of this program, by numbered migrations: each in a transaction, each remembered with its hash.

A ``.sql`` file changes tables. A ``.json`` file renames what stored values hold; see `bot.store.stored_names`. The number of the last one
that some data has had is its format.
"""

import contextlib
import hashlib
import re
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

import msgspec

from bot.runtime.store_errors import StoreUnusable
from bot.store.connection import SqliteDatabase, connect, create_private_file, sync_file
from bot.store.schema import Schema, require_schema, schema_of
from bot.store.stored_names import apply_renaming, read_renaming

APPLICATION_ID = 0x43415244
"""The letters "CARD" in the header of the file: they mark it as a cardroom's data."""


@dataclass(frozen=True, slots=True)
class Migration:
    """One migration: the name and text of a ``.sql`` or ``.json`` file. The name begins with the number."""

    number: int
    name: str
    text: str

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()


_WITH = re.compile(r"_with_(\d+)\.sql$")


def step_number(name: str) -> int:
    """Return the number of a migration, or of another numbered text, by its name."""
    return int(name.partition("_")[0])


def goes_with(name: str) -> int:
    """Return which older programs can go on with tables after a migration: those that know the migrations up to this number.

    It says so by the end of its name, as in ``0017_visits_with_0016.sql``, so that a program that does not know it can read it there. Any
    other one is for programs that know it.
    """
    found = _WITH.search(name)
    return int(found[1]) if found is not None else step_number(name)


def migrations() -> tuple[Migration, ...]:
    """Return every migration in the package, in order."""
    folder = resources.files("bot.store") / "migrations"
    files = sorted(
        (file for file in folder.iterdir() if file.name.endswith((".sql", ".json"))), key=lambda file: file.name
    )
    return tuple(Migration(step_number(file.name), file.name, file.read_text(encoding="utf-8")) for file in files)


def newest_migration() -> int:
    """Return the number of the last migration that this program knows."""
    return migrations()[-1].number


def apply_migrations(
    db: SqliteDatabase, path: Path, steps: Sequence[Migration], now: int | None = None
) -> tuple[str, ...]:
    """Check the file and apply the migrations that it lacks. A file that holds data is backed up first, beside it.

    Returns:
        the names of the migrations applied.

    Raises:
        StoreUnusable: the file is damaged, belongs to another program, is newer than this program, or was made by migrations that have
            been changed since, or a migration failed.
    """
    db.trust_schema(trusted=False)  # until it is known that nothing strange is in it
    try:
        damage = db.damage(thorough=False)
    except sqlite3.DatabaseError as error:
        raise StoreUnusable(f"{path} is not a data file that can be read ({error}); restore a backup") from error
    if damage:
        raise StoreUnusable(f"{path} is damaged ({damage[0]}); restore a backup")
    newest = check_format(db, path, steps)
    db.trust_schema(trusted=True)  # the triggers ask the store
    missing = [step for step in steps if step.number > newest]
    if missing and newest:
        back_up(db, path.with_name(f"{path.name}.before-{missing[0].number:04}"))
    for step in missing:
        _apply_migration(db, path, step, int(time.time() * 1000) if now is None else now)
    return tuple(step.name for step in missing)


def check_format(db: SqliteDatabase, path: Path, steps: Sequence[Migration]) -> int:
    """Return the number of the last migration that the file has had; 0 for a new file.

    Raises:
        StoreUnusable: the file belongs to another program, is newer than this one, was made by migrations that have been changed since,
            or has other tables or triggers than they make.
    """
    if not _is_ours(db, path):
        return 0
    done = steps_had(db.execute(STEPS_HAD), str(path), steps)
    if not done:
        return 0
    newest = done[-1].number
    require_schema(db, path, _schema_made_by(tuple(step for step in steps if step.number <= newest)))
    return newest


STEPS_HAD = "SELECT number, name, sha256 FROM migration ORDER BY number"


def steps_had(
    rows: Iterable[tuple[int, str, str]], name: str, steps: Sequence[Migration], *, beside_newer: bool = False
) -> tuple[Migration, ...]:
    """Return the migrations that a file, or a schema of another engine, has had, by what `STEPS_HAD` finds there.

    Args:
        beside_newer: it can have had newer ones too, which are left out, if they say that this program can go on.

    Raises:
        StoreUnusable: it is newer than this program, or was made by migrations that have been changed since.
    """
    known = {step.number: step for step in steps}
    newest = max(known, default=0)
    had = []
    for number, step, sha256 in rows:
        if number not in known:
            if beside_newer and goes_with(step) <= newest:
                continue
            raise StoreUnusable(f"{name} was written by a newer version ({step}); update the program to open it")
        if known[number].sha256 != sha256:
            raise StoreUnusable(f"migration {step} differs from the one that made {name}; use an unchanged program")
        had.append(known[number])
    return tuple(had)


@cache
def _schema_made_by(steps: tuple[Migration, ...]) -> Schema:
    """Return the schema of an empty file that has had these migrations."""
    with contextlib.closing(connect(":memory:")) as db:
        for step in steps:
            _apply_migration(db, Path(":memory:"), step, 0)
        return schema_of(db)


COPIED_PAGES = 512
"""So many pages of a file are copied at a time, 2 MB."""


def back_up(db: SqliteDatabase, to: Path) -> None:
    """Copy the whole file, in the state that it has now, to a file that only its owner can read. The copy is on the disk.

    It goes to the disk part by part: whoever plays meanwhile would wait for all of it at once with their next commit.
    """
    to.unlink(missing_ok=True)
    create_private_file(to)
    copy = connect(str(to))
    try:
        copy.never_wait()
        db.begin_reading()  # a state that is held: otherwise each commit of another connection would start the copy anew
        db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        db.backup(copy, pages=COPIED_PAGES, progress=lambda *_: sync_file(to))
    finally:
        if db.in_transaction:
            db.commit()
        copy.close()
    sync_file(to)


def _is_ours(db: SqliteDatabase, path: Path) -> bool:
    """Return whether a file is a cardroom's; a new one is not yet.

    Raises:
        StoreUnusable: it belongs to another program.
    """
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if db.application == APPLICATION_ID:
        return True
    if tables or db.application:
        raise StoreUnusable(f"{path} belongs to another program; name another file")
    return False


def _apply_migration(db: SqliteDatabase, path: Path, step: Migration, now: int) -> None:
    """Apply one migration and remember it, in one transaction.

    A table that others refer to is rebuilt as SQLite advises: foreign keys are off meanwhile, and all are checked before the commit.
    """
    try:
        with db.without_keys(), db.transaction():
            db.application = APPLICATION_ID
            db.execute(_MIGRATION_TABLE)
            if step.name.endswith(".json"):
                apply_renaming(db, read_renaming(step.text))
            else:
                for statement in statements_of(step.text):
                    db.execute(statement)
            db.execute("INSERT INTO migration VALUES (?, ?, ?, ?)", (step.number, step.name, step.sha256, now))
            broken = next(db.broken_references(), "")
            if broken:
                raise ValueError(broken)
    except (sqlite3.Error, msgspec.MsgspecError, KeyError, ValueError) as error:
        raise StoreUnusable(
            f"{path} cannot be brought up to date: {step.name} failed ({error}); nothing of it was applied"
        ) from error


_MIGRATION_TABLE = """
    CREATE TABLE IF NOT EXISTS migration (
        number INTEGER PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL, applied_at INTEGER NOT NULL
    )
"""


def statements_of(script: str) -> Iterator[str]:
    """Return the statements of a script, one by one, so that they run inside an open transaction."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if statement.strip():
        yield statement
