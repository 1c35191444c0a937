"""The parts of two dealers that keep in their house what is a person's in all servers. Whoever imports this needs psycopg."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.store.postgres.fence import Fence
from bot.store.postgres.house import House
from bot.store.postgres.ownership import make_owned
from bot.store.postgres.personal_values import SharedValues
from bot.store.postgres.shared_awaited import SharedAwaitedList
from bot.store.postgres.shared_clicks import SharedClicks
from bot.store.postgres.shared_list import SharedTakenList
from bot.surfaces.people.profiles import Preferences
from bot.surfaces.people.shared_news import SharedNews
from tests.support.postgres_store import asking, drop


class Dealer:
    """The parts of a dealer that write to the house, and read there what others have written."""

    def __init__(self, house: House, slot: int, schema: str) -> None:
        self.fence = Fence(schema, 0)
        self.values = SharedValues(house, lambda: self.fence)
        self.news = SharedNews(self.values)
        self.preferences = Preferences(self.values, news=self.news)
        self.taken = SharedTakenList(house, slot, lambda: self.fence)
        self.awaited = SharedAwaitedList(house, slot, lambda: self.fence)
        self.clicks = SharedClicks(house, slot, lambda: self.fence)

    async def start(self) -> None:
        await self.news.load()
        await self.preferences.load()


@asynccontextmanager
async def two_dealers(address: str, folder: Path) -> AsyncIterator[list[Dealer]]:
    """Two dealers that have started, each with a slot of its own."""
    names = [f"{name}_{zlib.crc32(str(folder).encode())}" for name in ("house", "slot0", "slot1")]
    house = House(address, names[0])
    await house.open()
    with asking(address, names[0]) as db:
        for name in names[1:]:
            make_owned(db, name)
    made = [Dealer(house, slot, name) for slot, name in enumerate(names[1:])]
    for dealer in made:
        await dealer.start()
    yield made
    await house.close()
    for name in names:
        drop(address, name)
