"""The house games of each server: settings that its staff saved under a name, to open tables with. Law: H-2."""

import asyncio

from msgspec.structs import replace

from bot.runtime.clock import AlarmClock, SystemClock
from bot.runtime.request import Request
from bot.runtime.saved_values import OF_A_SERVER, SavedKind, SavedValues
from bot.runtime.staff_log import StaffLog
from bot.runtime.staff_log_types import StaffLogEntry, StaffLogKind
from bot.runtime.store_types import Cause, Commit
from bot.store.store import Store
from bot.table import house_games as known
from bot.table.house_games import HouseGame
from bot.table.refusals import OffInEvents, StaffOnly, UnknownHouseGame
from bot.table.settings import TableSettings, without_appointment

_HOUSE_GAMES = SavedKind[int, tuple[HouseGame, ...]](
    "house.games.", OF_A_SERVER, tuple[HouseGame, ...], holds_people=True
)


class HouseGames:
    """The house games of all servers, kept in the store."""

    def __init__(self, store: Store, clock: AlarmClock | None = None, staff_log: StaffLog | None = None) -> None:
        self._saved = SavedValues(_HOUSE_GAMES, store)
        self._clock: AlarmClock = clock or SystemClock()
        self._staff_log = staff_log or StaffLog(store, self._clock)
        self._games_by_guild: dict[int, tuple[HouseGame, ...]] = {}
        self._lock = asyncio.Lock()

    async def games(self, guild: int) -> tuple[HouseGame, ...]:
        """Return the house games of a server, by name."""
        if guild not in self._games_by_guild:
            self._games_by_guild[guild] = await self._saved.get(guild) or ()
        return self._games_by_guild[guild]

    async def find(self, guild: int, name: str) -> HouseGame | None:
        """Return a house game by its name in any case; None if there is none."""
        try:
            return known.find_house_game(await self.games(guild), name)
        except UnknownHouseGame:
            return None

    async def save(self, request: Request, name: str, settings: TableSettings) -> HouseGame:
        """Save settings under a name, in place of an earlier house game of that name. For staff.

        Raises:
            StaffOnly, InvalidHouseGameName.
            OffInEvents: an event is played by them, which has a structure of its own.
            LawError: the settings contradict each other.
        """
        if not request.staff:
            raise StaffOnly
        if settings.is_event:
            raise OffInEvents
        settings = replace(without_appointment(settings), practice=False)
        new = HouseGame(name, settings, request.user, self._clock.now())
        async with self._lock:
            games = known.save_house_game(await self.games(request.guild), new)
            await self._save_games(request, games, StaffLogKind.GAME_SAVED, name)
        return known.find_house_game(self._games_by_guild[request.guild], name)

    async def delete(self, request: Request, name: str) -> None:
        """Delete a house game. For staff.

        Raises:
            StaffOnly, InvalidHouseGameName.
        """
        if not request.staff:
            raise StaffOnly
        async with self._lock:
            games = known.forget_house_game(await self.games(request.guild), name)
            await self._save_games(request, games, StaffLogKind.GAME_DELETED, name)

    async def _save_games(self, request: Request, games: tuple[HouseGame, ...], kind: StaffLogKind, name: str) -> None:
        guild = request.guild
        kept = _HOUSE_GAMES.entry(guild, games or None)
        cause = Cause(f"{request.key}:{kind}:{name}", request.user, self._clock.now(), str(kind))
        told = (StaffLogEntry(kind=kind, name=name),)
        receipt = await self._staff_log.save(Commit(guild=guild, cause=cause, kept=(kept,), staff_log=told))
        if not receipt.repeated:
            self._games_by_guild[guild] = games
