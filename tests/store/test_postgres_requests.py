"""All dealers of a bot take the tokens of their requests from one row of the house."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import time
import zlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.runtime.store_errors import StoreFailed
from tests.support.postgres import restart

if importlib.util.find_spec("psycopg") is None and os.environ.get("CI") != "true":
    pytest.skip("psycopg is not installed: pip install -e '.[postgres]'", allow_module_level=True)

from bot.store.postgres.buckets import RequestTokens, SharedBucket
from bot.store.postgres.house import House
from tests.support.postgres_store import asking, drop

RATE, BURST = 40.0, 5.0


@pytest.fixture
async def schema(postgres: str, tmp_path: Path) -> AsyncIterator[str]:
    name = f"house_{zlib.crc32(str(tmp_path).encode())}"
    house = House(postgres, name)
    await house.open()
    await house.close()
    yield name
    drop(postgres, name)


@pytest.fixture
async def tokens(postgres: str, schema: str) -> AsyncIterator[RequestTokens]:
    made = RequestTokens(postgres, schema, RATE, BURST)
    yield made
    await made.close()


def _set(address: str, schema: str, tokens: float, ago: str = "0 s") -> None:
    with asking(address, schema) as db:
        db.execute("INSERT INTO bucket VALUES ('requests', 0, now()) ON CONFLICT DO NOTHING")
        db.execute("UPDATE bucket SET tokens = %s, at = clock_timestamp() - %s::interval", (tokens, ago))


async def test_three_dealers_take_no_more_than_there_is(postgres: str, schema: str) -> None:
    dealers = [RequestTokens(postgres, schema, RATE, BURST) for _ in range(3)]
    await asyncio.gather(*[dealer.take(0) for dealer in dealers])
    _set(postgres, schema, 0)
    given, began = 0, time.monotonic()
    while time.monotonic() - began < 0.5:
        given += sum(await asyncio.gather(*[dealer.take(2) for dealer in dealers]))
    passed = time.monotonic() - began
    assert RATE * passed - 3 <= given <= RATE * passed + 1
    for dealer in dealers:
        await dealer.close()


async def test_bucket_holds_a_burst_after_a_quiet_moment(postgres: str, schema: str, tokens: RequestTokens) -> None:
    _set(postgres, schema, 0, "1 hour")
    assert [await tokens.take(3), await tokens.take(3)] == [3, 2]


async def test_bucket_that_a_crash_emptied_is_put_back(postgres: str, schema: str, tokens: RequestTokens) -> None:
    with asking(postgres, schema) as db:
        db.execute("TRUNCATE bucket")
    assert await tokens.take(2) == 0, "nobody knows how many have just gone"
    await asyncio.sleep(2 / RATE)
    assert await tokens.take(2) == 2


async def test_clock_that_is_set_back_stops_nobody(postgres: str, schema: str, tokens: RequestTokens) -> None:
    _set(postgres, schema, 0, "-1 hour")
    assert await tokens.take(2) == 2


async def test_bucket_that_is_held_gives_nothing_meanwhile(postgres: str, schema: str) -> None:
    house = House(postgres, schema)
    bucket, other = (SharedBucket(house, "dm channels", 100.0, 6.0) for _ in range(2))
    await bucket.hold(0.1)
    assert [await bucket.take(1), await other.take(1)] == [0, 0]
    await asyncio.sleep(0.13)
    assert await other.take(1) == 1
    await house.close()


async def test_tokens_are_taken_again_after_a_restart(postgres: str, schema: str, tokens: RequestTokens) -> None:
    _set(postgres, schema, 5)
    assert await tokens.take(1) == 1
    await asyncio.to_thread(restart, postgres)
    _set(postgres, schema, 5)
    assert await tokens.take(1) == 1


async def test_stopped_dealer_does_not_hold_the_others_up(
    postgres: str, schema: str, tokens: RequestTokens, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.store.postgres.buckets.WAIT_MS", 50)
    _set(postgres, schema, 5)
    with asking(postgres, schema) as db, db.transaction():
        db.execute("SELECT * FROM bucket FOR UPDATE")
        with pytest.raises(StoreFailed):
            await tokens.take(1)
    assert await tokens.take(1) == 1
