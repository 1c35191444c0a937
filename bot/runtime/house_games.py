"""The house games of each server: named rule sets that its staff saved, to open tables with.

Source: laws H-2; issue 3 "Tables of one's own making".
"""

import asyncio

import msgspec
from msgspec.structs import replace

from bot.runtime.asked import Asked
from bot.runtime.clock import Clock, SystemClock
from bot.runtime.ports import Store
from bot.table import house_games as known
from bot.table.errors import BadHouseName, StaffOnly
from bot.table.house_games import HouseGame
from bot.table.settings import TableSettings

_KEY = "house.games."
_games = msgspec.msgpack.Decoder(tuple[HouseGame, ...])


class HouseGames:
    """The house games of all servers, kept in the store."""

    def __init__(self, store: Store, clock: Clock | None = None) -> None:
        self._store = store
        self._clock: Clock = clock or SystemClock()
        self._known: dict[int, tuple[HouseGame, ...]] = {}
        self._changing = asyncio.Lock()

    async def games(self, guild: int) -> tuple[HouseGame, ...]:
        """The house games of a server, by name."""
        if guild not in self._known:
            kept = await self._store.value(f"{_KEY}{guild}")
            self._known[guild] = _games.decode(kept) if kept else ()
        return self._known[guild]

    async def find(self, guild: int, name: str) -> HouseGame | None:
        """A house game by its name, capitals aside; None where none has it."""
        try:
            return known.find(await self.games(guild), name)
        except BadHouseName:
            return None

    async def save(self, asked: Asked, name: str, settings: TableSettings) -> HouseGame:
        """Save a rule set under a name, in the place of any of that name. For staff.

        Raises:
            StaffOnly, BadHouseName. LawError: the rules do not go together.
        """
        if not asked.staff:
            raise StaffOnly
        new = HouseGame(name, replace(settings, practice=False), asked.user, self._clock.now())
        async with self._changing:
            await self._keep(asked.guild, known.save(await self.games(asked.guild), new))
        return known.find(self._known[asked.guild], name)

    async def forget(self, asked: Asked, name: str) -> None:
        """Forget a house game. For staff.

        Raises:
            StaffOnly, BadHouseName.
        """
        if not asked.staff:
            raise StaffOnly
        async with self._changing:
            await self._keep(asked.guild, known.forget(await self.games(asked.guild), name))

    async def _keep(self, guild: int, games: tuple[HouseGame, ...]) -> None:
        await self._store.keep(f"{_KEY}{guild}", msgspec.msgpack.encode(games) if games else None)
        self._known[guild] = games
