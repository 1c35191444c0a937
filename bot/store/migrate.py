"""Bringing a data file to the schema of this program: numbered `.sql` files, each in a transaction, each remembered with its hash."""

import hashlib
import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from bot.runtime.ports import StoreUnfit
from bot.store.connection import connect, make_private

APPLICATION = 0x43415244  # "CARD", in the file's header: what `file` and we tell a cardroom's data by


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema. `name` begins with the number."""

    number: int
    name: str
    sql: str

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.sql.encode()).hexdigest()


def migrations() -> tuple[Migration, ...]:
    """Every migration in the package, in order."""
    folder = resources.files("bot.store") / "migrations"
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".sql")), key=lambda file: file.name)
    return tuple(Migration(int(file.name.split("_")[0]), file.name, file.read_text(encoding="utf-8")) for file in files)


def bring_up(db: sqlite3.Connection, path: Path, steps: Sequence[Migration], now: int | None = None) -> tuple[str, ...]:
    """Check the file and apply what it lacks, after a backup beside it if it held anything.

    Returns:
        the names of the migrations applied.

    Raises:
        StoreUnfit: damaged, not a cardroom's, newer than this program, or made by migrations that have been changed
            since.
    """
    try:
        damage = db.execute("PRAGMA quick_check(3)").fetchall()
    except sqlite3.DatabaseError as error:
        raise StoreUnfit(f"{path} is not a data file that can be read ({error}); restore a backup") from error
    if [row[0] for row in damage] != ["ok"]:
        raise StoreUnfit(f"{path} is damaged ({damage[0][0]}); restore a backup")
    done = _done(db, path)
    known = {step.number: step for step in steps}
    for number, name, sha256 in done:
        if number not in known:
            raise StoreUnfit(f"{path} was written by a newer version ({name}); update the program to open it")
        if known[number].sha256 != sha256:
            raise StoreUnfit(f"migration {name} differs from the one that made {path}; use an unchanged program")
    missing = [step for step in steps if step.number > (done[-1][0] if done else 0)]
    if missing and done:
        back_up(db, path.with_name(f"{path.name}.before-{missing[0].number:04}"))
    for step in missing:
        _apply(db, path, step, int(time.time() * 1000) if now is None else now)
    return tuple(step.name for step in missing)


def back_up(db: sqlite3.Connection, to: Path) -> None:
    """Copy the whole file, in a consistent state, to another one that only its owner reads."""
    to.unlink(missing_ok=True)
    make_private(to)
    copy = connect(str(to))
    try:
        db.backup(copy)
    finally:
        copy.close()


def _done(db: sqlite3.Connection, path: Path) -> list[tuple[int, str, str]]:
    """Number, name and hash of the migrations the file has had."""
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application != APPLICATION:
        if tables or application:
            raise StoreUnfit(f"{path} belongs to another program; name another file")
        return []
    return list(db.execute("SELECT number, name, sha256 FROM migration ORDER BY number"))


def _apply(db: sqlite3.Connection, path: Path, step: Migration, now: int) -> None:
    """Apply one migration and remember it, all or nothing."""
    script = f"""
        BEGIN IMMEDIATE;
        PRAGMA application_id = {APPLICATION};
        CREATE TABLE IF NOT EXISTS migration (
            number INTEGER PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL, applied_at INTEGER NOT NULL
        );
        {step.sql}
        INSERT INTO migration VALUES ({step.number}, '{step.name}', '{step.sha256}', {now});
        COMMIT;
    """
    try:
        db.executescript(script)
    except sqlite3.Error as error:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise StoreUnfit(
            f"{path} cannot be brought up to date: {step.name} failed ({error}); nothing of it was applied"
        ) from error
