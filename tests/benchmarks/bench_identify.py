"""How long it takes until the dealers of many slots have all begun their sessions, at a gateway that refuses whoever comes out of turn.

The stand-in, a process of its own, takes one IDENTIFY in five seconds of each group of shards, as Discord does. The dealers take turns by
rows of a PostgreSQL database in a temporary folder. They are clients without parts here: what they do at the gateway is the real thing.

    python -m tests.benchmarks.bench_identify [--dealers 16] [--shards 3] [--at-once 1]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from bot.line.client import DiscordClient
from bot.line.identify_turns import IdentifyTurns
from bot.line.site import Endpoints
from bot.operation.runner import run_event_loop
from bot.signals import Signals
from bot.store.slots import ServerSlot
from tests.support.postgres import postgres_server, what_is_missing
from tests.support.stand_in_process import stand_in_process

DEALERS, SHARDS = 16, 3
TURN_SECONDS, SPARE_SECONDS = 5, 10
SCHEMA = "house"


async def begin(
    stack: AsyncExitStack, address: str, ready: dict[str, Any], slot: ServerSlot, count: int
) -> DiscordClient:
    """Log in as the dealer of a slot."""
    from bot.store.postgres.house import House
    from bot.store.postgres.shared_turns import SharedTurns

    house = House(address, SCHEMA)
    await house.open()
    stack.push_async_callback(house.close)

    async def choose(recommended: int) -> tuple[int, Sequence[int]]:
        return count, slot.shards(count)

    turns = IdentifyTurns(SharedTurns(house), f"dealer {slot.number}")
    client = DiscordClient(Signals(), guild_ready_seconds=0.1, turns=turns, choose_shards=choose)
    running = asyncio.create_task(client.start(ready["token"]))

    async def end() -> None:
        await client.close()
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running

    stack.push_async_callback(end)
    return client


async def measure(address: str, dealers: int, shards: int, at_once: int) -> tuple[float, int, int]:
    """Return after how many seconds all shards have their sessions, how many came out of turn, and how many identified in all."""
    count = dealers * shards
    with tempfile.TemporaryDirectory() as folder:
        async with stand_in_process(Path(folder) / "discord") as discord, AsyncExitStack() as stack:
            ready = discord.ready
            Endpoints(ready["rest"], ready["gateway"], ready["cdn"]).use()
            await discord.call("limit_identifies", max_concurrency=at_once)
            began = time.monotonic()
            clients = await asyncio.gather(
                *[begin(stack, address, ready, ServerSlot(number, dealers), count) for number in range(dealers)]
            )
            while sum(len(client.shards) for client in clients) < count:
                await asyncio.sleep(0.05)
            took = time.monotonic() - began
            refused = await discord.call("refused_identifies")
            return took, refused, (await discord.call("gateway_state"))["identifies"]


def main(dealers: int, shards: int, at_once: int) -> bool:
    """Measure and print. Returns whether the goals are met."""
    if missing := what_is_missing():
        print(missing)
        return True
    turns = -(-dealers * shards // at_once)
    goal = turns * TURN_SECONDS + SPARE_SECONDS
    with postgres_server() as address:
        took, refused, identified = run_event_loop(measure(address, dealers, shards, at_once))
    print(
        f"{dealers} dealers with {shards} shards each, {at_once} at once: all have their sessions after {took:.1f} s (goal {goal} s)"
    )
    print(f"  {identified} identified, {refused} of them out of turn (goal 0)")
    return took <= goal and not refused


@pytest.mark.bench
def test_many_dealers_begin_their_sessions() -> None:
    """The figures are printed and not judged: a busy machine is slow."""
    main(DEALERS, SHARDS, 1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dealers", type=int, default=DEALERS)
    parser.add_argument("--shards", type=int, default=SHARDS)
    parser.add_argument("--at-once", type=int, default=1)
    chosen = parser.parse_args()
    logging.basicConfig(level=logging.ERROR)
    sys.exit(not main(chosen.dealers, chosen.shards, chosen.at_once))
