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


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is about a data file where another engine is asked for: all but the contract and that engine's stories."""
    if config.getoption("database") == "sqlite":
        return
    left = [item for item in items if item.path.parent == Path(__file__).parent and not _runs_on_both(item)]
    config.hook.pytest_deselected(items=left)
    items[:] = [item for item in items if item not in left]


def _runs_on_both(item: pytest.Item) -> bool:
    return {"store", "postgres"} & set(getattr(item, "fixturenames", ())) != set() or item.path.name.startswith(
        "test_postgres"
    )


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
