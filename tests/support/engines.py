"""What the evenings of a test session are kept in: a file each, or with ``--database postgresql`` a schema each of one server.

An evening names its data by a path all the same. Processes that it starts learn of the server by their environment.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from bot.store.data_source import DataSource
from bot.store.engine import Engine

SERVER = "TEST_DATABASE"
"""The variable of the environment that holds the address of the server."""
_made: set[str] = set()


def forget_schemas() -> None:
    """Forget what the evenings of a test have kept in a server."""
    if _made:
        from tests.support.postgres_store import drop

        for schema in _made:
            drop(os.environ[SERVER], schema)
        _made.clear()


def schema_at(path: Path) -> str:
    """Return the schema that stands for a file."""
    schema = f"evening_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:16]}"
    _made.add(schema)
    return schema


def is_sqlite() -> bool:
    """Return whether evenings are kept in files."""
    return SERVER not in os.environ


def data_at(path: Path) -> Path | Engine:
    """Return what a store is made with whose data a path names."""
    if is_sqlite():
        return path
    from tests.support.postgres_store import postgres_engine

    return postgres_engine(os.environ[SERVER], schema_at(path), path.parent)


def source_at(path: Path) -> DataSource:
    """Return what statistics are made with that read the data which a path names."""
    if is_sqlite():
        return path
    from bot.store.postgres.data import PostgresData

    return PostgresData(os.environ[SERVER], schema_at(path))


def environment_of(source: DataSource) -> dict[str, str]:
    """Return the environment of a process that is told of data by its text."""
    return dict(os.environ) | ({} if isinstance(source, Path) else dict(source.environment))


@contextmanager
def opened(path: Path) -> Iterator[Any]:
    """Look into data beside the dealer, or change it behind their back. What is changed is kept after `commit`."""
    source = source_at(path)
    if isinstance(source, Path):
        with closing(sqlite3.connect(source)) as db:
            yield db
    else:
        with closing(source.connect_to_audit()) as other:
            yield other


def dump(path: Path) -> list[str]:
    """Return everything that is kept, a line for each row."""
    with opened(path) as db:
        if is_sqlite():
            return list(db.iterdump())
        return [
            f'"{table}" {row}'
            for table in db.tables()
            if table != "owner"
            for row in sorted(map(repr, db.execute(f'SELECT * FROM "{table}"')))
        ]


def allow(db: Any, *kinds: str) -> None:
    """Let the triggers of opened data pass every change of these kinds, and none of others, as if a store did it."""
    if is_sqlite():
        db.create_function("may_exchange", 3, lambda what, *_: what in kinds)
        return
    listed = ", ".join([f"'{kind}'" for kind in ("", *kinds)])
    db.execute(
        "CREATE OR REPLACE FUNCTION may_exchange(what TEXT, first BIGINT, second BIGINT) RETURNS BOOLEAN LANGUAGE SQL STABLE"
        f" AS $$ SELECT what IN ({listed}) $$"
    )
