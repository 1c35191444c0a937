"""What a process sees of all others of the bot: whether all servers are served, in a sentence and in figures."""

from __future__ import annotations

import asyncio
import socket
import zlib
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import pytest

from bot.operation.health import LoopWatchdog
from bot.settings import ListenAddress

pytestmark = [pytest.mark.postgresql, pytest.mark.real_time]


@pytest.fixture
def schemas(postgres: str, tmp_path: Path) -> Iterator[tuple[str, ...]]:
    """Those of two slots and of the house."""
    from tests.support.postgres_store import drop

    names = tuple(f"watch_{zlib.crc32(str(tmp_path).encode())}_{name}" for name in ("0", "1", "house"))
    yield names
    for name in names:
        drop(postgres, name)


async def test_readiness_says_which_slot_has_no_dealer(postgres: str, schemas: tuple[str, ...]) -> None:
    from bot.operation.fleet_watch import FleetWatch
    from bot.operation.served_alone import served_alone
    from bot.store.postgres.house import House
    from bot.store.postgres.slots import SlotTaker

    house, slots = House(postgres, schemas[2]), schemas[:2]
    await house.open()
    taken = await asyncio.to_thread(SlotTaker(postgres, slots, lost=lambda: None).take)
    assert taken is not None and taken[0] == 0
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        at = ListenAddress("127.0.0.1", free.getsockname()[1])
    dealer = FleetWatch(house, slots, slot=0, ownership=taken[1], counts=lambda: (3, 2))
    standby, watchdog = FleetWatch(house, slots, watches=1), LoopWatchdog()
    watchdog.start()
    async with dealer.watching(), served_alone(dealer, at, watchdog, dict), aiohttp.ClientSession() as session:
        async with session.get(f"{at.url}/readyz") as answer:
            assert answer.status == 503
            assert await answer.json() == {"slots": "Slot 1 has no dealer: its servers are unserved."}
        other = await asyncio.to_thread(SlotTaker(postgres, slots, lost=lambda: None).take)
        assert other is not None
        await dealer.look()
        async with session.get(f"{at.url}/readyz") as answer:
            assert (answer.status, await answer.json()) == (200, {"slots": True})
        async with session.get(f"{at.url}/metrics") as answer:
            figures = await answer.text()
        for line in ('served{slot="1"} 1.0', 'epoch{slot="0"} 1.0', 'owned{slot="0"} 1.0', 'owned{slot="1"} 0.0'):
            assert f"cardroom_slot_{line}" in figures
        assert "cardroom_slot_lease_age_seconds 0." in figures or "cardroom_slot_lease_age_seconds 1." in figures
        (seen,) = dealer.fleet.processes
        assert (seen.slot, seen.tables, seen.hands) == (0, 3, 2)
        await standby.look()
        assert standby.fleet.least_watched(0, 99) == 0, "the same process stands by for slot 1 now"
    watchdog.stop()
    for _, ownership in (taken, other):
        await asyncio.to_thread(ownership.give_up)
    await house.close()
