"""New data files as copies of one that the migrations made: a test that is about something else need not wait for every migration again."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path

import pytest

from bot.store import engine
from bot.store.connection import SqliteDatabase, connect
from bot.store.migrate import Migration, apply_migrations
from bot.store.statistics import statistics
from bot.store.statistics.keeper import create_file


@contextmanager
def ready_files() -> Iterator[None]:
    """Let each store that opens a new file begin with the copy. Whatever is there already, it migrates as always."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "apply_migrations", _copied_or_migrated)
        patch.setattr(statistics, "create_file", lambda db: _statistics_template().backup(db))
        yield


def _copied_or_migrated(
    db: SqliteDatabase, path: Path, steps: Sequence[Migration], now: int | None = None
) -> tuple[str, ...]:
    if type(db) is not SqliteDatabase or not _is_new(db):  # what breaks on purpose sees every statement
        return apply_migrations(db, path, steps, now)
    steps = tuple(steps)
    _template(steps).backup(db)
    db.execute("UPDATE migration SET applied_at = ?", (int(time.time() * 1000) if now is None else now,))
    return tuple(step.name for step in steps)


def _is_new(db: sqlite3.Connection) -> bool:
    with suppress(sqlite3.DatabaseError):
        (application,) = db.execute("PRAGMA application_id").fetchone()
        (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        return not application and not tables
    return False


@lru_cache(maxsize=1)
def _statistics_template() -> sqlite3.Connection:
    """Return a new statistics file in memory."""
    template = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    create_file(template)
    return template


@lru_cache(maxsize=2)
def _template(steps: tuple[Migration, ...]) -> sqlite3.Connection:
    """Return a new file in memory. One thread after another copies it."""
    template = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    made = connect(":memory:")
    apply_migrations(made, Path("template"), steps)
    made.backup(template)
    made.close()
    return template
