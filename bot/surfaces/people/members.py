"""Who is still in a server. Discord tells of departures only bots that may read all members, so the dealer asks, rarely.

A look-up is a request by the bot's token beyond what a hand costs, and nothing else tells as soon: a message that mentions somebody who
has left, or an edit of a DM that they already have, goes through. So whoever is silent is looked up once in ten minutes; if they leave
afterwards, they let one turn pass, and are looked up as soon as it is their turn again. Nobody is looked up while other requests wait: the
clock of the turn ends it too.
"""

from __future__ import annotations

import logging

from bot.line.api import DiscordApi
from bot.line.failures import DiscordFailed
from bot.line.request_queue import LONG_LINE_SECONDS
from bot.runtime.clock import AlarmClock
from bot.runtime.tables import Tables

log = logging.getLogger(__name__)

KNOWN_MS = 10 * 60_000
"""How long after a look-up a silent player is not looked up again."""
REMEMBERED_MAX = 20_000
"""The most look-ups that are remembered."""


class Members:
    """Finds out who has left a server, and lets them leave its tables."""

    def __init__(self, discord_api: DiscordApi, tables: Tables, clock: AlarmClock) -> None:
        self._discord_api = discord_api
        self._clock = clock
        self._looked_up_at: dict[tuple[int, int], int] = {}
        self._tables = tables

    async def look_up_silent(self, guild: int, user: int, *, missed_turn: bool) -> None:
        """Let a player leave the server's tables whose turn passes in silence, if that is why.

        Args:
            missed_turn: they have let their last turn pass, and this one has just begun.
        """
        at = self._looked_up_at.get((guild, user))
        is_known = at is not None and self._clock.now() - at < KNOWN_MS and not missed_turn
        if not is_known and self._discord_api.slots.queue.seconds <= LONG_LINE_SECONDS:
            await self.leave_if_gone(guild, user)

    async def leave_if_gone(self, guild: int, user: int) -> bool:
        """Let a user who is no longer a member of the server leave its tables. Returns whether that was so."""
        if len(self._looked_up_at) >= REMEMBERED_MAX:
            self._looked_up_at.clear()
        self._looked_up_at[guild, user] = self._clock.now()
        try:
            if await self._discord_api.is_member(guild, user):
                return False
        except DiscordFailed as error:
            log.info("member_lookup_failed", extra={"guild": guild, "user": user, "error": repr(error)})
            return False
        await self._tables.member_left(guild, user)
        return True
