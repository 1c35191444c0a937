"""The names of people in a server, for pictures, where a mention cannot stand: as they last clicked, else as Discord has them.

Their own pictures (avatars) are remembered with them. Nothing waits for one.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Sequence

from bot.line.api import DiscordApi
from bot.line.failures import DiscordFailed
from bot.line.request_queue import LONG_LINE_SECONDS
from bot.runtime.clock import AlarmClock
from bot.surfaces.part import Part
from bot.text.people import is_former

log = logging.getLogger(__name__)

REMEMBERED_MAX = 20_000
"""The most names that are remembered. They are in memory alone."""
KNOWN_MS = 3_600_000
"""How long a name is taken for granted. Then it is looked up again: its owner can have left the server, and Discord does not tell."""
LOOK_UP_SECONDS = 0.7
"""How long an answer waits for names that have to be looked up."""


class DisplayNames(Part):
    """Remembers the display names of people who use the dealer, and looks up the others."""

    def __init__(self, discord_api: DiscordApi, clock: AlarmClock) -> None:
        self._discord_api = discord_api
        self._clock = clock
        self._names: OrderedDict[tuple[int, int], str] = OrderedDict()  # empty: not a member
        self._known_until: dict[tuple[int, int], int] = {}
        self._avatars: OrderedDict[tuple[int, int], str] = OrderedDict()
        self._departed: dict[int, str] = {}

    def remember(self, guild: int, user: int, name: str) -> None:
        """Somebody has used the dealer under this name."""
        self._names[guild, user] = name
        self._names.move_to_end((guild, user))
        self._known_until[guild, user] = self._clock.now() + KNOWN_MS
        if len(self._names) > REMEMBERED_MAX:
            oldest, _ = self._names.popitem(last=False)
            del self._known_until[oldest]
            self._departed.pop(oldest[1], None)

    def remember_avatar(self, guild: int, user: int, address: str) -> None:
        """Somebody has this picture in a server."""
        self._avatars[guild, user] = address
        self._avatars.move_to_end((guild, user))
        if len(self._avatars) > REMEMBERED_MAX:
            self._avatars.popitem(last=False)

    def avatar(self, guild: int, user: int) -> str:
        """Return the address of somebody's picture; empty where it is not known."""
        return self._avatars.get((guild, user), "")

    async def forget(self, guild: int, user: int) -> None:
        for known in (self._names, self._avatars, self._known_until):
            for key in [key for key in known if key[1] == user]:
                del known[key]
        self._departed.pop(user, None)

    async def of(self, guild: int, users: Sequence[int]) -> dict[int, str]:
        """Return the names of these users; those that cannot be had soon, or who have left, are missing."""
        now = self._clock.now()
        unknown = [user for user in users if self._known_until.get((guild, user), 0) <= now]
        if unknown:
            try:
                async with asyncio.timeout(LOOK_UP_SECONDS):
                    await asyncio.gather(*[self._look_up(guild, user) for user in unknown])
            except TimeoutError:
                log.info("names_late", extra={"guild": guild})
        return {user: name for user in users if (name := self._names.get((guild, user)))}

    async def departed(self, guild: int, users: Sequence[int]) -> dict[int, str]:
        """Return those of these users who are known to have left the server, with their names; empty where nothing is known of them."""
        people = [user for user in users if not is_former(user)]
        if self._discord_api.slots.queue.seconds <= LONG_LINE_SECONDS:  # it can be spared
            await self.of(guild, people)
        return {user: self._departed.get(user, "") for user in people if self._names.get((guild, user)) == ""}

    async def _look_up(self, guild: int, user: int) -> None:
        try:
            name = await self._discord_api.member_name(guild, user)
            if not name:
                self._departed[user] = await self._discord_api.user_name(user)
        except DiscordFailed as error:
            log.info("name_lookup_failed", extra={"guild": guild, "user": user, "error": repr(error)})
            return
        self.remember(guild, user, name)
