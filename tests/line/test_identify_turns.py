"""Two dealers with two shards each begin their sessions at a gateway that takes one IDENTIFY at a time."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import os
import threading
import time
import zlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from discord.gateway import KeepAliveHandler

from bot.line.client import DiscordClient
from bot.line.identify_turns import IdentifyTurns
from bot.local import gateway
from bot.runtime.store_errors import StoreFailed
from bot.signals import Signals
from tests.support.discord_double import Discord, discord_double, endpoints

if importlib.util.find_spec("psycopg") is None and os.environ.get("CI") != "true":
    pytest.skip("psycopg is not installed: pip install -e '.[postgres]'", allow_module_level=True)

from bot.store.postgres.house import House
from bot.store.postgres.shared_turns import SharedTurns
from tests.support.postgres_store import asking, drop

WINDOW = 0.2
"""Seconds between two IDENTIFYs. Discord's are five."""
SHARDS = 4


@pytest.fixture
async def house(postgres: str, tmp_path: Path) -> AsyncIterator[House]:
    schema = f"house_{zlib.crc32(str(tmp_path).encode())}"
    opened = House(postgres, schema)
    await opened.open()
    yield opened
    await opened.close()
    drop(postgres, schema)


@pytest.fixture
async def discord(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Discord]:
    """A gateway that limits identifies."""
    monkeypatch.setattr(gateway, "IDENTIFY_WINDOW_SECONDS", WINDOW)
    async with discord_double(tmp_path / "discord") as double:
        double.controls.limit_identifies()
        with endpoints(double.stand_in):
            yield double


@asynccontextmanager
async def dealer(discord: Discord, turns: IdentifyTurns | None, *shards: int) -> AsyncIterator[DiscordClient]:
    """Log in with some of the four shards."""

    async def choose(recommended: int) -> tuple[int, Sequence[int]]:
        return SHARDS, shards

    client = DiscordClient(Signals(), guild_ready_seconds=0.01, turns=turns, choose_shards=choose)
    running = asyncio.create_task(client.start(discord.stand_in.token))
    try:
        yield client
    finally:
        await client.close()
        with contextlib.suppress(asyncio.CancelledError):
            running.cancel()
            await running
        for thread in threading.enumerate():
            if isinstance(thread, KeepAliveHandler):  # of a session that was refused: nobody else ends it
                thread.stop()
                await asyncio.to_thread(thread.join)


async def wait_for_sessions(discord: Discord, count: int) -> None:
    async with asyncio.timeout(20):
        while len(discord.stand_in.gateway.sessions) < count:
            await asyncio.sleep(0.02)


async def test_two_dealers_identify_their_shards_in_turn(house: House, discord: Discord) -> None:
    turns = [IdentifyTurns(SharedTurns(house, WINDOW + 0.03), name) for name in ("first", "second")]
    began = time.monotonic()
    async with dealer(discord, turns[0], 0, 2), dealer(discord, turns[1], 1, 3):
        await wait_for_sessions(discord, SHARDS)
        took = time.monotonic() - began
        assert discord.controls.refused_identifies() == 0
        assert (SHARDS - 1) * WINDOW <= took < 3.0, "nobody sleeps five seconds more"
        discord.controls.invalidate_sessions()
        await wait_for_sessions(discord, 0)
        await wait_for_sessions(discord, SHARDS)
    assert discord.controls.refused_identifies() == 0, "they took turns again"


async def test_groups_of_shards_identify_at_the_same_time(house: House, discord: Discord) -> None:
    discord.controls.limit_identifies(max_concurrency=SHARDS)
    turns = IdentifyTurns(SharedTurns(house, 30.0), "only")
    async with dealer(discord, turns, *range(SHARDS)):
        await wait_for_sessions(discord, SHARDS)
    assert turns.groups == SHARDS and discord.controls.refused_identifies() == 0


async def test_dealer_out_of_turn_is_refused_by_the_gateway(discord: Discord) -> None:
    """Without turns, two processes that begin in the same moment refuse each other."""
    async with dealer(discord, None, 0), dealer(discord, None, 1):
        async with asyncio.timeout(10):
            while not discord.controls.refused_identifies():
                await asyncio.sleep(0.02)


async def test_dealer_killed_in_its_turn_blocks_nobody_longer(postgres: str, house: House) -> None:
    turns = SharedTurns(house, 0.3)
    assert await turns.take(0, "killed") == 0
    following = IdentifyTurns(turns, "following")
    began = time.monotonic()
    await following.use(0)
    assert 0.25 < time.monotonic() - began < 1.5


async def test_turn_of_a_clock_that_was_set_back_is_free(postgres: str, house: House, tmp_path: Path) -> None:
    turns = SharedTurns(house, 0.3)
    await turns.take(0, "before")
    with asking(postgres, f"house_{zlib.crc32(str(tmp_path).encode())}") as db:
        db.execute("UPDATE identify_turn SET until = clock_timestamp() + interval '1 hour'")
    assert await turns.take(0, "after") == 0


async def test_turn_is_waited_for_while_the_database_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    class Away:
        answers = iter([StoreFailed(reason="away"), 0.0, 0.0])

        async def take(self, group: int, holder: str) -> float:
            answer = next(self.answers)
            if isinstance(answer, StoreFailed):
                raise answer
            return answer

    monkeypatch.setattr("bot.line.identify_turns.AGAIN_SECONDS", 0.01)
    await IdentifyTurns(Away(), "patient").use(0)
