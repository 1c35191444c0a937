"""discord.py's client without a Discord: it notes the requests by the bot's token, and answers them as a test says.

The line to Discord above it is real (`bot.line.api.DiscordApi`). Whole evenings have the stand-in instead.
"""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, NamedTuple

import discord
from discord.http import Route

from bot.line.api import DiscordApi

HURRY = 100_000.0
"""Requests per second, where a test is not about their number."""


class Made(NamedTuple):
    """A request: what it asks, as ``METHOD /path/{with}/braces``, its body, and when it was made."""

    route: str
    body: dict[str, Any]
    at: float


class FakeClient:
    """See the module.

    Attributes:
        made: the requests so far.
        is_logged_in: before that, requests fail as they do in discord.py.
        has_left: the client is closed.
        refuses: the status and code that Discord answers with instead of what is asked for.
    """

    application_id = None

    def __init__(self, *, is_logged_in: bool = True) -> None:
        self.http = self
        self.made: list[Made] = []
        self.is_logged_in = is_logged_in
        self.has_left = False
        self.refuses: tuple[int, int] | None = None

    def is_closed(self) -> bool:
        return self.has_left

    async def request(self, route: Route, **how: Any) -> dict[str, str]:
        """Note a request. The channel of direct messages of somebody has the number 1000 + their id; all else is number 1."""
        if not self.is_logged_in:
            raise AttributeError("'_MissingSentinel' object has no attribute 'is_set'")
        body: dict[str, Any] = how.get("json") or {}
        self.made.append(Made(f"{route.method} {route.path}", body, asyncio.get_running_loop().time()))
        await asyncio.sleep(0)  # the answer takes its time
        if self.refuses is not None:
            status, code = self.refuses
            response: Any = SimpleNamespace(status=status, reason="refused", method=route.method, headers={})
            raise discord.HTTPException(response, {"code": code, "message": "refused"})
        return {"id": str(1000 + body["recipient_id"]) if "recipient_id" in body else "1"}


def api_of(client: FakeClient, per_second: float = HURRY) -> DiscordApi:
    """Return the line of a bot that has logged in, without the sessions of requests by an interaction's token."""
    api = DiscordApi(client, per_second)  # type: ignore[arg-type]
    api.slots.open()
    return api
