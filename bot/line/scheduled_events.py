"""Requests about the scheduled events of servers: Discord's own list of what takes place there. Everything else goes first."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any

import discord
from discord.http import Route
from msgspec import Struct

from bot.line.payloads import Raw
from bot.line.request_queue import Priority, RequestLine

_ALL, _ONE = "/guilds/{guild_id}/scheduled-events", "/guilds/{guild_id}/scheduled-events/{event_id}"
PAGE, PAGES_MAX = 100, 10
"""Discord tells so many people at once; of more pages nobody is looked at, for more people cannot answer to a night."""


class Interested(Struct, frozen=True):
    """Who has marked an event as interesting: their ids, and whether these are all of them."""

    users: frozenset[int]
    is_all: bool


_OVER = (discord.EventStatus.completed.value, discord.EventStatus.canceled.value)


def starts_at(event: Raw) -> int:
    """Return when an event begins, in ms since the epoch."""
    return round(datetime.fromisoformat(event["scheduled_start_time"]).timestamp() * 1000)


def is_over(event: Raw) -> bool:
    """Return whether an event was cancelled, or has ended."""
    return event["status"] in _OVER


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

    async def interested(self, guild: int, event: int) -> Interested:
        """Return who has marked an event as interesting, page by page: the first `PAGES_MAX` hundreds of them."""
        route = Route("GET", _ONE + "/users", guild_id=guild, event_id=event)
        users: set[int] = set()
        for _ in range(PAGES_MAX):
            page = await self._send(guild, route, params={"limit": PAGE, "after": max(users, default=0)})
            users.update(int(one["user_id"]) for one in page)
            if len(page) < PAGE:
                return Interested(frozenset(users), is_all=True)
        return Interested(frozenset(users), is_all=False)

    async def _send(self, guild: int, route: Route, **how: Any) -> Any:
        return await self._request(RequestLine(guild), Priority.BACKGROUND, route, **how)
