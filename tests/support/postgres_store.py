"""Stores in PostgreSQL. Whoever imports this needs psycopg."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from bot.store.postgres.engine import PostgresEngine
from bot.store.slots import ALL_SERVERS, ServerSlot
from bot.store.store import Store
from tests.store.desk import CODEC

LEASE = 1.0
"""Seconds. A dealer that is killed leaves nobody waiting for longer."""


def postgres_engine(
    address: str,
    schema: str,
    folder: Path,
    *,
    lease: float = LEASE,
    lost: Callable[[], None] = lambda: None,
    slot: ServerSlot = ALL_SERVERS,
) -> PostgresEngine:
    """Return an engine that ends no process when it has lost its ownership."""
    return PostgresEngine(address, schema, folder, lease=lease, lost=lost, slot=slot)


def postgres_store(address: str, schema: str, folder: Path) -> Store:
    return Store(postgres_engine(address, schema, folder, lease=30.0), CODEC)


@contextmanager
def asking(address: str, schema: str, name: str = "test") -> Iterator[psycopg.Connection[Any]]:
    """Connect to a schema, beside whoever owns it."""
    options = f"-c search_path={schema}"
    with psycopg.connect(address, autocommit=True, options=options, application_name=name) as db:
        yield db


def drop(address: str, schema: str) -> None:
    """Forget a schema with everything in it."""
    with psycopg.connect(address, autocommit=True) as db:
        db.execute(f'DROP SCHEMA IF EXISTS "{schema}" CASCADE'.encode())
