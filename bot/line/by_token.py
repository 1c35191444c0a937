"""Requests by an interaction's token: the one answer, what follows it, edits and deletions.

They are exempt from the bot's global limit and have a bucket of their own.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from typing import Any

import aiohttp
import discord
import yarl
from discord.http import Route
from discord.webhook.async_ import AsyncWebhookAdapter

from bot.line.callbacks import post_callback, post_follow_up
from bot.line.discord_time import DiscordTime
from bot.line.failures import (
    ALREADY_ACKNOWLEDGED,
    FROM_LIBRARIES,
    OutcomeUnknown,
    TokenEnded,
    TooLate,
    TryLater,
    failure_from,
)
from bot.line.follow_ups import FollowUpBudget
from bot.line.payloads import MESSAGE, AttachedFile, Raw, form_fields
from bot.line.tokens import Token
from bot.runtime.errors import FileNotFetched

log = logging.getLogger(__name__)

FILE_HOSTS = ("https://cdn.discordapp.com", "https://media.discordapp.net")
FILE_FOLDERS = ("attachments", "ephemeral-attachments")
"""Where Discord keeps the files that people give."""
FETCH_SECONDS = 20.0
KEEP_ALIVE_SECONDS = 60.0
"""How long an idle connection waits for the next request. A new one costs a click several round trips; Discord itself waits longer."""
TRIES, PAUSE_SECONDS = 3, 1.0
"""How often a follow-up is sent while its outcome is unknown, and how long to wait after the first try."""


def make_connector() -> aiohttp.TCPConnector:
    """Return what keeps the connections to Discord. It must be made in the event loop."""
    return aiohttp.TCPConnector(limit=0, keepalive_timeout=KEEP_ALIVE_SECONDS)


class TokenRequests:
    """Sends them. Each waits for `open`, and raises a `DiscordFailed` if it fails.

    Attributes:
        time: how late an interaction is.
        budget: how many follow-ups a channel can have.
    """

    def __init__(self, client: discord.Client, time: DiscordTime) -> None:
        self._client = client
        self._session: aiohttp.ClientSession | None = None
        self._opened = asyncio.Event()
        self._adapter = AsyncWebhookAdapter()  # type: ignore[no-untyped-call]
        self.time = time
        self.budget = FollowUpBudget()

    async def open(self, trace: aiohttp.TraceConfig | None = None) -> None:
        """Make the connections. The bot has logged in.

        Args:
            trace: is told of every request.
        """
        self._session = aiohttp.ClientSession(
            connector=make_connector(),
            cookie_jar=aiohttp.DummyCookieJar(),
            trace_configs=[trace] if trace is not None else None,
        )
        self._opened.set()

    async def close(self) -> None:
        """End all connections."""
        if self._session is not None:
            await self._session.close()

    def seconds_left(self, interaction: int) -> float:
        """Return in how many seconds an interaction that has just arrived must be answered; 0 for at once."""
        return self.time.seconds_left(interaction)

    # the one answer

    async def answer(
        self, interaction: int, token: str, kind: int, data: Raw | None = None, file: AttachedFile | None = None
    ) -> None:
        """Answer an interaction, once and within three seconds."""
        payload = {"type": kind} if data is None else {"type": kind, "data": data}
        await self._callback(interaction, token, payload, file=file)

    async def answer_with_message(
        self, interaction: int, token: str, data: Raw, file: AttachedFile | None = None
    ) -> int:
        """Answer with a message. Returns its id."""
        payload, sent_at = {"type": MESSAGE, "data": data}, self.time.now()
        answer = await self._callback(interaction, token, payload, with_response=True, file=file)
        if answer is None:  # the first try had arrived
            return int((await self._by_adapter("GET", "@original", token))["id"])
        message = int(answer["resource"]["message"]["id"])
        self.time.note_own(message, sent_at)
        return message

    async def _callback(
        self,
        interaction: int,
        token: str,
        payload: Raw,
        *,
        with_response: bool = False,
        file: AttachedFile | None = None,
    ) -> Any:
        """Send the one answer, and once more where the connection broke. None if Discord had the first one already."""
        session = self._session or await self._when_open()

        def send() -> Awaitable[Any]:
            form = form_fields(payload, file) if file is not None else None
            return post_callback(session, interaction, token, payload, with_response=with_response, form=form)

        try:
            return await send()
        except TryLater as error:
            if error.status:
                raise
            log.info("answer_sent_again", extra={"error": error.text})
        try:
            return await send()
        except TooLate as error:
            if error.code != ALREADY_ACKNOWLEDGED:
                raise
            return None

    # what follows

    async def follow_up(self, token: str, channel: int, data: Raw, file: AttachedFile | None = None) -> int:
        """Send another message for an interaction that has been answered, once. Returns its id.

        Raises:
            OutcomeUnknown: it may have arrived.
        """
        session = self._session or await self._when_open()
        self.budget.spend(channel, self.time.now())
        form = form_fields(data, file) if file is not None else None
        return int((await post_follow_up(session, self.application, token, data, form))["id"])

    async def follow_up_privately(self, token: str, channel: int, data: Raw, file: AttachedFile | None = None) -> int:
        """Send a message for one person alone, again where its outcome is unknown: a private twin harms less than no answer."""
        for tried in range(1, TRIES + 1):
            try:
                return await self.follow_up(token, channel, data, file)
            except OutcomeUnknown:
                if tried == TRIES:
                    raise
                await asyncio.sleep(PAUSE_SECONDS * tried)
        raise AssertionError("unreachable")

    async def edit_original(self, token: str, data: Raw, file: AttachedFile | None = None) -> int:
        """Replace the first answer, or fill in a deferred one. Returns its id."""
        return int((await self._by_adapter("PATCH", "@original", token, data, file))["id"])

    # by a token that says what it can do

    async def send(self, token: Token, data: Raw, file: AttachedFile | None = None) -> int:
        """Send a follow-up that the token can edit afterwards, once. Returns its id.

        Raises:
            OutcomeUnknown: it may have arrived: `DiscordApi.find_sent` looks for a public one.
            TokenEnded: the token is over, and says so from now on.
        """
        try:
            message = await self.follow_up(token.token, token.channel, data, file)
        except TokenEnded:
            token.end()
            raise
        token.has_sent(message)
        return message

    async def edit(self, token: Token, message: int, data: Raw, file: AttachedFile | None = None) -> None:
        """Edit a message that the token can edit.

        Raises:
            TokenEnded: the token is over, and says so from now on.
        """
        await self._change("PATCH", token, message, data, file)

    async def delete(self, token: Token, message: int) -> None:
        """Delete a message that the token can edit.

        Raises:
            TokenEnded: the token is over, and says so from now on.
        """
        await self._change("DELETE", token, message)

    async def _change(
        self, method: str, token: Token, message: int, data: Raw | None = None, file: AttachedFile | None = None
    ) -> None:
        which = "@original" if message == token.original else str(message)
        try:
            await self._by_adapter(method, which, token.token, data, file)
        except TokenEnded:
            token.end()
            raise

    # files that people gave

    async def fetch_file(self, url: str, maximum: int) -> bytes:
        """Fetch a file that Discord keeps, and nothing from anywhere else. A longer one is cut after one byte more than `maximum`.

        Raises:
            FileNotFetched: the address is not one of Discord's, the file is not there, or it comes too slowly.
        """
        kept = (f"{host}/{folder}/" for host in (discord.asset.Asset.BASE, *FILE_HOSTS) for folder in FILE_FOLDERS)
        if self._session is None or not url.startswith(tuple(kept)) or ".." in url:
            raise FileNotFetched
        content = bytearray()
        try:
            async with (
                asyncio.timeout(FETCH_SECONDS),
                self._session.get(yarl.URL(url, encoded=True), allow_redirects=False) as response,
            ):
                if response.status != 200:
                    raise FileNotFetched
                async for part in response.content.iter_chunked(1 << 16):
                    content += part
                    if len(content) > maximum:
                        break
        except (aiohttp.ClientError, OSError, TimeoutError, ValueError) as error:
            log.info("given_file_not_fetched", extra={"cause": type(error).__name__})
            raise FileNotFetched from error
        return bytes(content[: maximum + 1])

    # inside

    @property
    def application(self) -> int:
        """The bot's own application. It is known once the bot has logged in."""
        application = self._client.application_id
        assert application is not None, "not logged in yet"
        return application

    async def _when_open(self) -> aiohttp.ClientSession:
        await self._opened.wait()
        assert self._session is not None
        return self._session

    async def _by_adapter(
        self, method: str, message: str, token: str, payload: Raw | None = None, file: AttachedFile | None = None
    ) -> Any:
        """Make a request about a message that does no harm twice: discord.py repeats it."""
        session, adapter = self._session or await self._when_open(), self._adapter
        route = Route(
            method,
            "/webhooks/{webhook_id}/{webhook_token}/messages/" + message,
            webhook_id=self.application,
            webhook_token=token,
        )
        try:
            if file is not None:
                return await adapter.request(route, session, multipart=form_fields(payload, file))
            return await adapter.request(route, session, payload=payload)
        except FROM_LIBRARIES as error:
            raise failure_from(error) from error
