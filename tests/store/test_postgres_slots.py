"""The servers are dealt out to slots. Each has one dealer at a time, and no other server ever comes into it."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import zlib
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from bot.ledger.accounts import TransferReason, mint_account, wallet_account
from bot.runtime.store_errors import InvalidCommit, StoreInUse, StoreUnusable
from bot.store.slots import GUILD_SHIFT, ServerSlot, slot_of
from bot.store.store import Store
from tests.store.desk import ANN, CODEC, GUILD, Desk

if importlib.util.find_spec("psycopg") is None and os.environ.get("CI") != "true":
    pytest.skip("psycopg is not installed: pip install -e '.[postgres]'", allow_module_level=True)

from bot.store.postgres.house import House
from bot.store.postgres.ownership import Ownership
from bot.store.postgres.slots import SlotTaker, choose_slots, look_at_slots, rows_of
from tests.support.postgres_store import asking, drop, postgres_engine

HOME = slot_of(GUILD, 2)
"""The slot of the desk's server where there are two."""


@pytest.fixture
async def named(postgres: str, tmp_path: Path) -> AsyncIterator[Callable[[int], str]]:
    """Names the schema of a slot."""
    prefix = f"slot_{zlib.crc32(str(tmp_path).encode())}"
    yield lambda number: f"{prefix}_{number}"
    for schema in (f"{prefix}_house", *[f"{prefix}_{number}" for number in range(4)]):
        drop(postgres, schema)


def _taker(address: str, named: Callable[[int], str], count: int, *, lease: float = 30.0) -> SlotTaker:
    return SlotTaker(address, [named(number) for number in range(count)], lease=lease, lost=lambda: None)


def _store(address: str, named: Callable[[int], str], folder: Path, slot: ServerSlot) -> Store:
    return Store(postgres_engine(address, named(slot.number), folder, lease=30.0, slot=slot), CODEC, slot=slot)


def _stand_still(ownership: Ownership) -> None:
    """Let the owner renew no more, as a process that was killed or has stopped."""
    ownership._good_until += 3_600
    ownership._ending.set()


def test_connections_bring_each_server_to_its_slot() -> None:
    for guild in (GUILD, 81_384_788_765_712_384, 1 << GUILD_SHIFT, (7 << GUILD_SHIFT) + 5):
        shard = (guild >> 22) % 12
        assert [shard in ServerSlot(number, 4).shards(12) for number in range(4)] == [
            ServerSlot(number, 4).has(guild) for number in range(4)
        ]
    assert [shard for number in range(4) for shard in ServerSlot(number, 4).shards(8)] == [0, 4, 1, 5, 2, 6, 3, 7]


def test_four_dealers_that_start_together_take_four_slots(postgres: str, named: Callable[[int], str]) -> None:
    takers = [_taker(postgres, named, 4) for _ in range(4)]
    with ThreadPoolExecutor(4) as threads:
        taken = list(threads.map(lambda taker: taker.take(), takers))
    owned = [one for one in taken if one is not None]
    assert sorted(number for number, _ in owned) == [0, 1, 2, 3]
    with asking(postgres, "public") as db:
        states = look_at_slots(partial(rows_of, db), [named(number) for number in range(4)])
        assert [(state.is_served, state.epoch, state.take_overs) for state in states] == [(True, 1, 0)] * 4
    for _, ownership in owned:
        ownership.give_up()


def test_dealer_without_a_slot_is_refused_unless_it_waits(postgres: str, named: Callable[[int], str]) -> None:
    owner = _taker(postgres, named, 1, lease=0.6).take()
    assert owner is not None
    late = _taker(postgres, named, 1, lease=0.6)
    assert late.free_slots() == 0
    with pytest.raises(StoreInUse, match="in use by process"):
        late.take()
    owner[1].give_up()
    assert late.free_slots() == 1


async def test_standby_takes_the_slot_of_a_killed_dealer(postgres: str, named: Callable[[int], str]) -> None:
    dealers = [_taker(postgres, named, 2, lease=0.5).take() for _ in range(2)]
    standby = _taker(postgres, named, 2, lease=0.5)
    waiting = asyncio.create_task(asyncio.to_thread(standby.take, waits=True))
    await asyncio.sleep(0.3)
    assert not waiting.done()
    killed = dealers[1]
    assert killed is not None
    _stand_still(killed[1])
    taken = await asyncio.wait_for(waiting, 5)
    assert taken is not None and taken[0] == killed[0]
    with asking(postgres, "public") as db:
        state = look_at_slots(partial(rows_of, db), [named(number) for number in range(2)])[taken[0]]
        assert (state.epoch, state.take_overs) == (2, 1)
    for one in (*dealers, taken):
        assert one is not None
        one[1].give_up()


async def test_standby_that_is_stopped_takes_nothing(postgres: str, named: Callable[[int], str]) -> None:
    owner = _taker(postgres, named, 1).take()
    standby = _taker(postgres, named, 1)
    waiting = asyncio.create_task(asyncio.to_thread(standby.take, waits=True))
    standby.stop()
    assert await asyncio.wait_for(waiting, 2) is None
    assert owner is not None
    owner[1].give_up()


async def test_slot_refuses_a_server_of_another_one(postgres: str, named: Callable[[int], str], tmp_path: Path) -> None:
    home, other = (_store(postgres, named, tmp_path, ServerSlot(number, 2)) for number in (HOME, 1 - HOME))
    for store in (home, other):
        await store.open()
    grant = Desk(home).move(mint_account(), wallet_account(ANN), 500, TransferReason.GRANT)
    await home.commit(grant)
    with pytest.raises(InvalidCommit, match=f"server {GUILD} does not belong to slot {1 - HOME} of 2"):
        await other.commit(grant)
    for store in (home, other):
        await store.close()


async def test_dealer_refuses_data_that_was_put_into_another_slot(
    postgres: str, named: Callable[[int], str], tmp_path: Path
) -> None:
    home = _store(postgres, named, tmp_path, ServerSlot(HOME, 2))
    await home.open()
    await home.commit(Desk(home).move(mint_account(), wallet_account(ANN), 500, TransferReason.GRANT))
    await home.close()
    with asking(postgres, "public") as db:
        db.execute(f'ALTER SCHEMA "{named(HOME)}" RENAME TO "{named(1 - HOME)}"'.encode())
    with pytest.raises(StoreUnusable, match=rf"holds the chips of server {GUILD}, which belongs to slot {HOME}\."):
        await _store(postgres, named, tmp_path, ServerSlot(1 - HOME, 2)).open()


async def test_slots_are_chosen_before_anybody_has_played(
    postgres: str, named: Callable[[int], str], tmp_path: Path
) -> None:
    houses = named(0).replace("_0", "_house")
    choose_slots(postgres, houses, named, 2)
    house = House(postgres, houses)
    await house.open()
    assert await house.agree_on_shards(3) == 4
    choose_slots(postgres, houses, named, 4)
    assert (await house.facts()).slots == 4
    store = _store(postgres, named, tmp_path, ServerSlot(HOME, 2))
    await store.open()
    with pytest.raises(StoreInUse, match="in use by process"):
        choose_slots(postgres, houses, named, 8)
    await store.commit(Desk(store).move(mint_account(), wallet_account(ANN), 500, TransferReason.GRANT))
    await store.close()
    with pytest.raises(StoreUnusable, match="people have played in this database already"):
        choose_slots(postgres, houses, named, 8)
    assert (await house.facts()).slots == 4
    await house.close()
