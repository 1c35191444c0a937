"""Requests about the scheduled events of servers: Discord's own list of what takes place there. Everything else goes first."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from discord.http import Route

from bot.line.payloads import Raw
from bot.line.request_queue import Priority, RequestLine

INTERESTED_MAX, _AT_ONCE = 1_000, 100
"""The ids of so many who are interested are read, so many by one request."""
_ALL, _ONE = "/guilds/{guild_id}/scheduled-events", "/guilds/{guild_id}/scheduled-events/{event_id}"


class ScheduledEventRequests:
    """Sends them. Each raises a `DiscordFailed` if it fails.

    Args:
        request: sends a request by the bot's own token, in its turn.
    """

    def __init__(self, request: Callable[..., Awaitable[Any]]) -> None:
        self._request = request

    async def create(self, guild: int, body: Raw) -> int:
        """Make an event. Returns its id."""
        return int((await self._send(guild, Route("POST", _ALL, guild_id=guild), json=body))["id"])

    async def edit(self, guild: int, event: int, changes: Raw) -> None:
        await self._send(guild, Route("PATCH", _ONE, guild_id=guild, event_id=event), json=changes)

    async def delete(self, guild: int, event: int) -> None:
        await self._send(guild, Route("DELETE", _ONE, guild_id=guild, event_id=event))

    async def of_server(self, guild: int) -> list[Raw]:
        """Return the events of a server."""
        found: list[Raw] = await self._send(guild, Route("GET", _ALL, guild_id=guild))
        return found

    async def interested(self, guild: int, event: int) -> frozenset[int]:
        """Return the ids of those who have marked an event as interesting, at most `INTERESTED_MAX` of them."""
        route = Route("GET", _ONE + "/users", guild_id=guild, event_id=event)
        known: set[int] = set()
        while len(known) < INTERESTED_MAX:
            found = await self._send(guild, route, params={"limit": _AT_ONCE, "after": max(known, default=0)})
            new = {int(one["user_id"]) for one in found} - known
            known |= new
            if len(new) < _AT_ONCE:
                break
        return frozenset(known)

    async def _send(self, guild: int, route: Route, **how: Any) -> Any:
        return await self._request(RequestLine(guild), Priority.BACKGROUND, route, **how)
