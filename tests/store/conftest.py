"""Every store is tested by one contract, on every engine that is asked for: ``--database postgresql`` adds the second."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.store import Store
from tests.store.desk import Desk, sqlite_store

_numbers = itertools.count(1)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test of a store on SQLite, and on the engine that is asked for beside it."""
    if "store" in metafunc.fixturenames:
        engines = dict.fromkeys(["sqlite", metafunc.config.getoption("database")])
        metafunc.parametrize("store", list(engines), indirect=True)


@pytest.fixture
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    if request.param == "sqlite":
        opened = sqlite_store(tmp_path)
    else:
        from tests.support.postgres_store import postgres_store

        opened = postgres_store(request.getfixturevalue("postgres"), f"house{next(_numbers)}", tmp_path)
    await opened.open()
    yield opened
    await opened.close()


@pytest.fixture
def desk(store: Store) -> Desk:
    return Desk(store)
