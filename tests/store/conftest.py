"""Every store is tested by one contract."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.store import Store
from tests.store.desk import Desk, sqlite_store


@pytest.fixture(params=[sqlite_store], ids=["sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    opened: Store = request.param(tmp_path)
    await opened.open()
    yield opened
    await opened.close()


@pytest.fixture
def desk(store: Store) -> Desk:
    return Desk(store)
