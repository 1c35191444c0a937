"""People's own pictures for the plates of a table: fetched once somebody sits there, made small in the drawing process, kept in memory.

Nothing waits for one. A picture of a table shows the discs that are there, and initials for everybody else; the next one shows more. What
cannot be fetched, or is no picture, is tried again later, and the table does without.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict

from msgspec import Struct

from bot.background_tasks import BackgroundTasks
from bot.line.api import DiscordApi
from bot.line.interaction import is_chosen_avatar
from bot.pictures.maker import PictureMaker
from bot.pictures.types import AvatarPicture
from bot.runtime.clock import AlarmClock
from bot.runtime.errors import FileNotFetched
from bot.runtime.snapshot import TableSnapshot, TableUpdate
from bot.surfaces.part import Part
from bot.surfaces.people.profiles import DisplayNames

log = logging.getLogger(__name__)

BYTES_MAX = 256 * 1024
"""A larger file is not looked at. One of 128 × 128 pixels has 30 kB at most."""
KEPT_MAX = 2_000
"""The most discs that are kept: at 2 kB each, 4 MB."""
FETCHED_AT_ONCE = 4
RETRY_MS, RETRY_FACTOR, TRIES_MAX = 10 * 60_000, 6, 4
"""How long after a picture could not be had it is tried again, how much longer after each further time, and when that is the longest."""
QUIET_MS = 60_000
"""A failure is logged no more often than this: without a network every player would be one."""


class _Disc(Struct, frozen=True):
    """What is known of somebody's picture.

    Attributes:
        file: see `bot.pictures.avatars`; empty for none.
        until: when it is tried again, in ms since the epoch; 0 for a picture that is there.
        tries: how often it could not be had.
    """

    user: int
    file: bytes = b""
    until: int = 0
    tries: int = 0


class Avatars(Part):
    """Knows the pictures of those who sit at tables.

    A picture has the address under which Discord keeps it, and another one after it was changed: what is fetched once stays right.
    """

    def __init__(self, discord_api: DiscordApi, names: DisplayNames, maker: PictureMaker, clock: AlarmClock) -> None:
        self._discord_api, self._names, self._maker, self._clock = discord_api, names, maker, clock
        self._discs: OrderedDict[str, _Disc] = OrderedDict()
        self._under_way: set[str] = set()
        self._slots = asyncio.Semaphore(FETCHED_AT_ONCE)
        self._quiet_until = 0
        self.tasks = BackgroundTasks()

    def on_update(self, update: TableUpdate) -> None:
        """Fetch what is missing of those who sit at a table."""
        if update.closed or not self._maker.can_draw:
            return
        guild, now = update.snapshot.address.guild, self._clock.now()
        for player in update.snapshot.players_by_seat.values():
            address = self._address(guild, player.user)
            known = self._discs.get(address)
            if address and address not in self._under_way and (known is None or 0 < known.until <= now):
                self._under_way.add(address)
                self.tasks.run(self._fetch(guild, player.user, address), f"avatar-{player.user}")

    def of(self, snapshot: TableSnapshot) -> dict[int, bytes]:
        """Return the discs that are there, by seat number."""
        found: dict[int, bytes] = {}
        for number, player in snapshot.players_by_seat.items():
            address = self._address(snapshot.address.guild, player.user)
            if address and (disc := self._discs.get(address)) is not None and disc.file:
                self._discs.move_to_end(address)
                found[number] = disc.file
        return found

    async def forget(self, guild: int, user: int) -> None:
        for address in [address for address, disc in self._discs.items() if disc.user == user]:
            del self._discs[address]

    async def close(self) -> None:
        await self.tasks.stop()

    def _address(self, guild: int, user: int) -> str:
        """Return where Discord keeps the picture that somebody has chosen; empty for none, and where that is not known."""
        address = self._names.avatar(guild, user) if user > 0 else ""
        return address if is_chosen_avatar(address) else ""

    async def _fetch(self, guild: int, user: int, address: str) -> None:
        try:
            async with self._slots:
                file = await self._small(address)
        finally:
            self._under_way.discard(address)
        if self._address(guild, user) != address:  # they have another one now, or nothing of them is to be kept
            return
        self._discs[address] = _Disc(user, file) if file else self._missing(user, self._discs.get(address))
        self._discs.move_to_end(address)
        if len(self._discs) > KEPT_MAX:
            self._discs.popitem(last=False)

    def _missing(self, user: int, known: _Disc | None) -> _Disc:
        tries = known.tries if known is not None else 0
        pause = RETRY_MS * RETRY_FACTOR ** min(tries, TRIES_MAX - 1)
        return _Disc(user, until=self._clock.now() + pause, tries=tries + 1)

    async def _small(self, address: str) -> bytes | None:
        """Return a picture as a small file; None, or empty, where that cannot be had."""
        try:
            content = await self._discord_api.by_token.fetch_avatar(address, BYTES_MAX)
        except FileNotFetched as error:
            self._log_failure(type(error.__cause__ or error).__name__)
            return None
        if len(content) > BYTES_MAX:
            self._log_failure("TooLarge")
            return None
        return await self._maker.draw(AvatarPicture(content), ("avatar", address))

    def _log_failure(self, cause: str) -> None:
        now = self._clock.now()
        if now >= self._quiet_until:
            self._quiet_until = now + QUIET_MS
            log.info("avatar_not_fetched", extra={"cause": cause})
