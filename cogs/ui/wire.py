"""Raw payloads to Discord: through discord.py's own HTTP and webhook code, without building a view for each message.

Two ways lead to Discord. What goes by an interaction's token (answers, follow-ups) is exempt from the bot's global limit and has a
bucket of its own. What goes by the bot's token (send, edit, delete) is not: the call that uses up a bucket returns only when the window
resets, so nobody awaits one of these inside a table's turn.

Source: design §5; discord.md §2, §3.
"""

from __future__ import annotations

import asyncio
from typing import Any

import aiohttp
import discord
from discord.http import Route
from discord.webhook.async_ import async_context

Raw = dict[str, Any]

MESSAGE, DEFER, DEFER_UPDATE, UPDATE, CHOICES, FORM = 4, 5, 6, 7, 8, 9
"""Types of an interaction's answer."""

SILENT, EPHEMERAL, LAYOUT = 1 << 12, 1 << 6, 1 << 15
"""Flags of a message: no notification, for one person alone, Components V2."""

NOBODY: Raw = {"parse": []}
"""Allowed mentions: none."""

UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, UNKNOWN_INTERACTION, UNKNOWN_WEBHOOK = 10003, 10008, 10062, 10015
UNKNOWN_MEMBER, UNKNOWN_USER = 10007, 10013
OLD_EDITS, ANSWERED_ALREADY = 30046, 40060
NO_ACCESS, DM_REFUSED, NO_PERMISSION, TOKEN_OVER = 50001, 50007, 50013, 50027

TOO_LATE = frozenset((UNKNOWN_INTERACTION, UNKNOWN_WEBHOOK, TOKEN_OVER, ANSWERED_ALREADY))
"""The interaction can no longer be answered: three seconds or fifteen minutes are over, or it has been answered."""
PER_SECOND = 40
"""Requests with the bot's token, on average. Discord allows 50; one more stops them all for a while (429, global)."""
BURST = 5
"""So many may go at once after a quiet moment."""

NOT_ALLOWED = frozenset((NO_ACCESS, NO_PERMISSION))


def layout(components: list[Raw]) -> Raw:
    """A message of Components V2 that calls nobody."""
    return {"flags": LAYOUT, "components": components, "allowed_mentions": NOBODY}


def private_layout(components: list[Raw]) -> Raw:
    """The same, for one person alone."""
    return {"flags": LAYOUT | EPHEMERAL, "components": components, "allowed_mentions": NOBODY}


class Wire:
    """The line to Discord. Every method may raise `discord.HTTPException`, or `OSError` where the line is cut.

    Args:
        per_second: requests with the bot's token.
    """

    def __init__(self, client: discord.Client, per_second: float = PER_SECOND) -> None:
        self._client = client
        self._pace = 1 / per_second
        self._session: aiohttp.ClientSession | None = None
        self._next = 0.0

    async def open(self) -> None:
        """Make the session that interactions are answered with."""
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0), cookie_jar=aiohttp.DummyCookieJar()
        )

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()

    # by an interaction's token

    async def answer(self, interaction: int, token: str, kind: int, data: Raw | None = None) -> None:
        """Answer an interaction, once and within three seconds."""
        payload = {"type": kind} if data is None else {"type": kind, "data": data}
        await self._by_token(_callback(interaction, token), payload)

    async def answer_shown(self, interaction: int, token: str, data: Raw) -> int:
        """Answer with a message, and learn its id."""
        payload = {"type": MESSAGE, "data": data}
        answer = await self._by_token(_callback(interaction, token), payload, {"with_response": "true"})
        return int(answer["resource"]["message"]["id"])

    async def follow_up(self, token: str, data: Raw) -> int:
        """Send a further message for an interaction that has been answered; its id."""
        route = _webhook("POST", "", self._application, token)
        sent = await self._by_token(route, data, {"wait": "true"})
        return int(sent["id"])

    async def edit_original(self, token: str, data: Raw) -> int:
        """Replace the first answer, or fill in a deferred one; its id."""
        edited = await self._by_token(_webhook("PATCH", "/messages/@original", self._application, token), data)
        return int(edited["id"])

    async def delete_original(self, token: str) -> None:
        await self._by_token(_webhook("DELETE", "/messages/@original", self._application, token))

    # by the bot's token

    async def turn(self) -> None:
        """Wait for a request's turn under the bot's global limit. Everything below has waited; others ask for it themselves."""
        now = asyncio.get_running_loop().time()
        at = self._next = max(self._next + self._pace, now - BURST * self._pace)
        if at > now:
            await asyncio.sleep(at - now)

    async def send(self, channel: int, data: Raw) -> int:
        """Send a message to a channel; its id."""
        route = Route("POST", "/channels/{channel_id}/messages", channel_id=channel)
        sent = await self._request(route, json=data)
        return int(sent["id"])

    async def edit(self, channel: int, message: int, data: Raw) -> None:
        route = Route("PATCH", "/channels/{channel_id}/messages/{message_id}", channel_id=channel, message_id=message)
        await self._request(route, json=data)

    async def delete(self, channel: int, message: int) -> None:
        route = Route("DELETE", "/channels/{channel_id}/messages/{message_id}", channel_id=channel, message_id=message)
        await self._request(route)

    async def open_dm(self, user: int) -> int:
        """The channel of direct messages with a user."""
        channel = await self._request(Route("POST", "/users/@me/channels"), json={"recipient_id": user})
        return int(channel["id"])

    async def is_member(self, guild: int, user: int) -> bool:
        """Whether a user is in a server."""
        try:
            await self._request(Route("GET", "/guilds/{guild_id}/members/{user_id}", guild_id=guild, user_id=user))
        except discord.NotFound:
            return False
        return True

    # inside

    async def _request(self, route: Route, **how: Any) -> Any:
        await self.turn()
        return await self._client.http.request(route, **how)

    @property
    def _application(self) -> int:
        application = self._client.application_id
        assert application is not None, "not logged in yet"
        return application

    async def _by_token(self, route: Route, payload: Raw | None = None, params: Raw | None = None) -> Any:
        assert self._session is not None, "not open yet"
        return await async_context.get().request(route, self._session, payload=payload, params=params)


def _callback(interaction: int, token: str) -> Route:
    path = "/interactions/{webhook_id}/{webhook_token}/callback"
    return Route("POST", path, webhook_id=interaction, webhook_token=token)


def _webhook(method: str, rest: str, application: int, token: str) -> Route:
    path = "/webhooks/{webhook_id}/{webhook_token}" + rest
    return Route(method, path, webhook_id=application, webhook_token=token)
