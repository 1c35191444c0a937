"""What all dealers of a bot share is made once, and they agree on it."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import zlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.runtime.store_errors import StoreFailed, StoreUnusable
from tests.support.postgres import restart

if importlib.util.find_spec("psycopg") is None and os.environ.get("CI") != "true":
    pytest.skip("psycopg is not installed: pip install -e '.[postgres]'", allow_module_level=True)

from bot.store.postgres.house import House, HouseFacts, house_steps
from tests.support.postgres_store import asking, drop


@pytest.fixture
async def schema(postgres: str, tmp_path: Path) -> AsyncIterator[str]:
    name = f"house_{zlib.crc32(str(tmp_path).encode())}"
    yield name
    drop(postgres, name)


async def test_ten_dealers_that_start_together_make_one_house(postgres: str, schema: str) -> None:
    houses = [House(postgres, schema) for _ in range(10)]
    await asyncio.gather(*[house.open() for house in houses])
    with asking(postgres, schema) as db:
        made = [name for (name,) in db.execute("SELECT name FROM step ORDER BY name")]
        assert made == [name for name, _ in house_steps()]
    assert {await house.facts() for house in houses} == {HouseFacts(1, 0, None)}
    await asyncio.gather(*[house.close() for house in houses])


async def test_shards_are_a_multiple_of_slots_and_never_fewer(postgres: str, schema: str) -> None:
    house = House(postgres, schema)
    await house.open()
    with asking(postgres, schema) as db:
        db.execute("UPDATE fact SET slots = 4")
    assert [await house.agree_on_shards(asked) for asked in (1, 9, 5)] == [4, 12, 12]
    await house.close()


async def test_dealer_with_another_secret_is_refused(postgres: str, schema: str) -> None:
    first, second = House(postgres, schema), House(postgres, schema)
    await first.open()
    await first.agree_on_secret(b"Ann's")
    await second.open()
    with pytest.raises(StoreUnusable, match=r"the master\.key of this machine is another one"):
        await second.agree_on_secret(b"Bo's")
    await second.agree_on_secret(b"Ann's")
    for house in (first, second):
        await house.close()


async def test_house_is_asked_again_after_the_server_restarted(postgres: str, schema: str) -> None:
    house = House(postgres, schema)
    await house.open()
    await asyncio.to_thread(restart, postgres)
    assert (await house.facts()).slots == 1
    await house.close()


async def test_house_that_cannot_be_reached_is_told_in_words(tmp_path: Path) -> None:
    with pytest.raises(StoreFailed, match="the database of CARDROOM_DATABASE cannot be used"):
        await House(f"postgresql://nobody@/none?host={tmp_path}", "house").open()
