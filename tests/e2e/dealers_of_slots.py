"""Several dealers of one bot in this process, each with a slot of a PostgreSQL database. Whoever imports this needs psycopg."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.dealer import Dealer
from bot.settings import Secret, house_schema_of, schema_of
from bot.store.postgres import shared_turns
from bot.store.postgres.house import House
from bot.store.postgres.slots import SlotTaker, choose_slots
from bot.store.slots import ServerSlot, slot_of
from tests.e2e.bot_session import logged_in_bot
from tests.e2e.movable_clock import MovableClock
from tests.support.discord_double import Discord
from tests.support.postgres_store import drop

HOUSE = house_schema_of(local=False)


def schema(number: int) -> str:
    return schema_of(local=False, slot=number)


@asynccontextmanager
async def dealer_of_slot(
    discord: Discord, data: Path, address: str, slot: ServerSlot, **how: Any
) -> AsyncIterator[Dealer]:
    """Take a slot, and deal to its servers."""
    house = House(address, HOUSE)
    await house.open()
    taker = SlotTaker(address, [schema(number) for number in range(slot.count)], lease=30.0, lost=lambda: None)
    taken = await asyncio.to_thread(taker.take, first=slot.number)
    assert taken is not None and taken[0] == slot.number
    where = {"database": Secret(address), "slot": slot, "house": house, "owned": taken[1]}
    try:
        async with logged_in_bot(discord, data, MovableClock(), **where, **how) as dealer:
            yield dealer
    finally:
        await house.close()


@asynccontextmanager
async def dealers_of_slots(discord: Discord, data: Path, address: str, count: int = 2) -> AsyncIterator[list[Dealer]]:
    """The dealers of all slots. The database is empty before, and after; the gateway lets them in one after the other at once."""
    await asyncio.to_thread(choose_slots, address, HOUSE, schema, count)
    try:
        async with AsyncExitStack() as stack:
            stack.enter_context(pytest.MonkeyPatch.context()).setattr(shared_turns, "TURN_SECONDS", 0.02)
            yield [
                await stack.enter_async_context(dealer_of_slot(discord, data, address, ServerSlot(number, count)))
                for number in range(count)
            ]
    finally:
        for name in (HOUSE, *map(schema, range(count))):
            drop(address, name)


def server_of_slot(discord: Discord, number: int, count: int = 2, **how: Any) -> str:
    """Return a server of a slot, with a text channel. Servers are added until there is one."""
    guilds = discord.stand_in.world.guilds
    owner = discord.stand_in.owner.id
    while True:
        for guild in guilds:
            if slot_of(int(guild), count) == number:
                return guild
        discord.controls.add_guild("Club", owner, ["table"], **how)
        discord.clock.advance(0.001)
