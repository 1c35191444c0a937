"""Every store is tested by one contract, on every engine."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from bot.store.store import Store
from tests.store.desk import Desk, postgres_store, sqlite_store
from tests.support.postgres import postgres_server, server_programs

_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL server."""
    if server_programs() is None:
        pytest.skip("this machine has no PostgreSQL server")
    with postgres_server() as address:
        yield address


@pytest.fixture(params=["sqlite", "postgres"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    if request.param == "sqlite":
        opened = sqlite_store(tmp_path)
    else:
        opened = postgres_store(request.getfixturevalue("postgres"), f"house{next(_numbers)}")
    await opened.open()
    yield opened
    await opened.close()


@pytest.fixture
def desk(store: Store) -> Desk:
    return Desk(store)
