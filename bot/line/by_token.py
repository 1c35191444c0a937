"""Requests by an interaction's token: the one answer, what follows it, edits and deletions, and by when they must be made.

They are exempt from the bot's global limit and have a bucket of their own. Answers and follow-ups are nearly all that a dealer sends, one
small request each. discord.py's adapter for webhooks builds a route, a lock, the headers and the URL anew each time, and reads the body of
a reply that has none; aiohttp beneath it takes as long again (`bot.line.json_posts`). The errors and the repeated tries are the same here.
"""

from __future__ import annotations

import asyncio
import logging
import time
from asyncio import sleep
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import aiohttp
import discord
import msgspec
from discord.http import Route
from discord.webhook.async_ import AsyncWebhookAdapter
from msgspec import Struct
from yarl import URL

from bot.line.budgets import FollowUpBudget
from bot.line.failures import (
    ALREADY_ACKNOWLEDGED,
    FROM_LIBRARIES,
    OutcomeUnknown,
    TokenEnded,
    TooLate,
    TryLater,
    failure_from,
)
from bot.line.json_posts import AdapterSession, JsonPosts, PostReply
from bot.line.payloads import MESSAGE, AttachedFile, Raw, form_fields
from bot.line.slot_marks import SlotMark
from bot.runtime.errors import FileNotFetched

log = logging.getLogger(__name__)

DISCORD_EPOCH_MS = 1_420_070_400_000
ANSWER_MS, WINDOW_MS = 2_300, 3_000
"""When an interaction is answered at the latest, after Discord made it, and how long Discord waits. The rest is for the way there."""
SEEN = 16
"""How many of the newest ids the clock is compared with. After a clock has been set, so many answers are early or late at most."""
TOKEN_MS = 14 * 60_000
"""How long a token is used after its interaction. Discord allows fifteen minutes, and sometimes less."""
DIRECT_MAX = 1024
"""The most interactions in direct messages that are remembered."""
ANSWER_TRIES = 5
"""How often an answer is sent while Discord is out of order or asks to wait."""
FILE_HOSTS = ("https://cdn.discordapp.com", "https://media.discordapp.net")
FILE_FOLDERS = ("attachments", "ephemeral-attachments")
"""Where Discord keeps the files that people give."""
AVATAR_FOLDERS = ("avatars", "guilds")
"""Where it keeps people's own pictures: everywhere, or in one server."""
FETCH_SECONDS = 20.0
KEEP_ALIVE_SECONDS = 60.0
"""How long an idle connection waits for the next request. A new one costs a click several round trips; Discord itself waits longer."""
TIMEOUTS = aiohttp.ClientTimeout(total=None, connect=60, sock_read=300)
"""How long a request waits for a connection, and for the next piece of its reply. A limit for both together, as aiohttp has it, would watch
each request by a timer and a look at its task: a tenth of what it takes."""
USER_AGENT = f"DiscordBot (https://github.com/Rapptz/discord.py {discord.__version__})"
"""What sends the answers, in the form that Discord asks for."""
TRIES, PAUSE_SECONDS = 3, 1.0
"""How often a follow-up is sent while its outcome is unknown, and how long to wait after the first try."""


class Token(Struct):
    """What one interaction lets the bot do without its own token. It can be saved between runs, sealed.

    Attributes:
        application: the application that the token is of.
        interaction: the id of its interaction.
        at: when the interaction arrived, in ms since the epoch.
        channel: where it was: messages that are sent with the token appear there.
        original: the message that was clicked, or that the interaction was answered with; 0 for none.
        messages: the messages that were sent with it.
        ended: Discord has said that it is over.
    """

    application: int
    interaction: int
    token: str
    at: int
    channel: int
    original: int = 0
    messages: tuple[int, ...] = ()
    ended: bool = False

    def __repr__(self) -> str:
        """Tell which token it is, not what it is: this can end up in a log."""
        return f"<token of interaction {self.interaction}>"

    def is_open(self, now: int) -> bool:
        """Return whether it can be used."""
        return not self.ended and now < self.at + TOKEN_MS

    def can_edit(self, message: int, now: int) -> bool:
        """Return whether it can edit and delete a message."""
        return message != 0 and (message == self.original or message in self.messages) and self.is_open(now)

    def has_sent(self, message: int) -> None:
        """A message was sent with it, which it can edit from now on."""
        if message not in self.messages:
            self.messages = (*self.messages, message)

    def end(self) -> None:
        """Discord has said that it is over: use it no more."""
        self.ended = True


def made_at(snowflake: int) -> int:
    """Return when Discord made what has this id, in ms since the epoch, by Discord's clock."""
    return (snowflake >> 22) + DISCORD_EPOCH_MS


def machine_ms() -> int:
    """Return the time of the machine's clock, in ms since the epoch."""
    return time.time_ns() // 1_000_000


class DiscordTime:
    """How long an interaction can still be answered: counted from when Discord made it, which its id tells.

    Discord waits three seconds from the moment somebody presses. The gateway can bring the event late, and the machine's clock can be
    wrong: then everything would look late, or early, for ever. So the clock is compared with what cannot be: nothing arrives before it
    was made, the dealer's own messages are made after it has sent them, and what arrives after three seconds cannot be answered anyway.

    Args:
        now: the machine's clock.
    """

    def __init__(self, now: Callable[[], int] = machine_ms) -> None:
        self.now = now
        self._ages: deque[int] = deque(maxlen=SEEN)
        self._leads: deque[int] = deque((0,), maxlen=SEEN)

    def seconds_left(self, interaction: int) -> float:
        """Return in how many seconds an interaction that has just arrived must be answered; 0 for at once."""
        age = self.now() - made_at(interaction)
        ages = self._ages
        ages.append(age)
        return max(0, ANSWER_MS - max(0, age - self._ahead(min(ages)))) / 1000

    def note_own(self, message: int, sent_at: int) -> None:
        """Compare with a message of the dealer's own that Discord has just taken, `sent_at` ms by the machine's clock."""
        made = made_at(message)
        self._ages.append(self.now() - made)
        self._leads.append(sent_at - made)

    def _ahead(self, youngest: int) -> int:
        """Return how many ms the machine's clock is ahead of Discord's; less than 0 if it is behind. 0 if it can be right."""
        if youngest < 0:  # nothing arrives before it was made
            return youngest
        if (lead := max(self._leads)) > 0:  # nothing is made before it was sent
            return lead
        return youngest if youngest > WINDOW_MS else 0


def response_trace(count: Callable[[int], None]) -> aiohttp.TraceConfig:
    """Return what tells of the status of each response of a session."""
    trace = aiohttp.TraceConfig()

    async def ended(_session: aiohttp.ClientSession, _context: object, end: aiohttp.TraceRequestEndParams) -> None:
        count(end.response.status)

    trace.on_request_end.append(ended)
    return trace


def make_connector() -> aiohttp.TCPConnector:
    """Return what keeps the connections to Discord. It must be made in the event loop."""
    return aiohttp.TCPConnector(limit=0, keepalive_timeout=KEEP_ALIVE_SECONDS)


class TokenRequests:
    """Sends them. Each waits for `open`, and raises a `DiscordFailed` if it fails.

    Args:
        mark: of this dealer; None where it is the only one.

    Attributes:
        time: how late an interaction is.
        budget: how many follow-ups a channel can have.
    """

    def __init__(self, client: discord.Client, time: DiscordTime, mark: SlotMark | None = None) -> None:
        self._client, self._mark = client, mark
        self._direct: dict[str, None] = {}
        self._session: aiohttp.ClientSession | None = None
        self._posts: Posts | None = None
        self._opened = asyncio.Event()
        self._adapter = AsyncWebhookAdapter()  # type: ignore[no-untyped-call]
        self.time = time
        self.budget = FollowUpBudget()
        self._held: frozenset[int] = frozenset()

    async def open(self, count: Callable[[int], None] | None = None) -> None:
        """Make the connections. The bot has logged in.

        Args:
            count: is told of the status of every response.
        """
        self._session = aiohttp.ClientSession(
            connector=make_connector(),
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=TIMEOUTS,
            trace_configs=[response_trace(count)] if count is not None else None,
        )
        self._posts = Posts(self._session, count)
        self._opened.set()

    async def close(self) -> None:
        """End all connections."""
        if self._posts is not None:
            self._posts.close()
        if self._session is not None:
            await self._session.close()

    def note_held(self, interactions: frozenset[int]) -> None:
        """These have waited until this dealer deals: the one before it can have answered some of them."""
        self._held = interactions

    def was_held(self, interaction: int) -> bool:
        """Return whether an interaction has waited until this dealer deals."""
        return interaction in self._held

    def seconds_left(self, interaction: int) -> float:
        """Return in how many seconds an interaction that has just arrived must be answered; 0 for at once."""
        return 0.0 if interaction in self._held else self.time.seconds_left(interaction)

    def note_direct(self, token: str) -> None:
        """An interaction was in a direct message: where there are several dealers, what answers it says whose it is."""
        self._direct[token] = None
        if len(self._direct) > DIRECT_MAX:
            del self._direct[next(iter(self._direct))]

    def _marked(self, token: str, data: Raw) -> Raw:
        return self._mark.on(data) if self._mark is not None and token in self._direct else data

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
        posts, payload = self._posts or await self._posts_when_open(), self._marked(token, payload)

        def send() -> Awaitable[Any]:
            form = form_fields(payload, file) if file is not None else None
            return post_callback(posts, interaction, token, payload, with_response=with_response, form=form)

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
        posts = self._posts or await self._posts_when_open()
        self.budget.spend(channel, self.time.now())
        data = self._marked(token, data)
        form = form_fields(data, file) if file is not None else None
        return int((await post_follow_up(posts, self.application, token, data, form))["id"])

    async def follow_up_privately(self, token: str, channel: int, data: Raw, file: AttachedFile | None = None) -> int:
        """Send a message for one person alone, again where its outcome is unknown: a private twin harms less than no answer."""
        for tried in range(1, TRIES + 1):
            try:
                return await self.follow_up(token, channel, data, file)
            except OutcomeUnknown:
                if tried == TRIES:
                    raise
                await sleep(PAUSE_SECONDS * tried)
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
        """Fetch a file that somebody gave. A longer one is cut after one byte more than `maximum`.

        Raises:
            FileNotFetched: the address is not one of Discord's, the file is not there, or it comes too slowly.
        """
        try:
            return await self._fetch(url, FILE_FOLDERS, maximum)
        except FileNotFetched as error:
            if error.__cause__ is not None:
                log.info("given_file_not_fetched", extra={"cause": type(error.__cause__).__name__})
            raise

    async def fetch_avatar(self, url: str, maximum: int) -> bytes:
        """Fetch somebody's own picture. A longer one is cut after one byte more than `maximum`.

        Raises:
            FileNotFetched: as for `fetch_file`.
        """
        return await self._fetch(url, AVATAR_FOLDERS, maximum)

    async def _fetch(self, url: str, folders: Iterable[str], maximum: int) -> bytes:
        """Fetch a file that Discord keeps in one of these folders, and nothing from anywhere else."""
        kept = (f"{host}/{folder}/" for host in (discord.asset.Asset.BASE, *FILE_HOSTS) for folder in folders)
        if self._session is None or not url.startswith(tuple(kept)) or ".." in url:
            raise FileNotFetched
        content = bytearray()
        try:
            async with (
                asyncio.timeout(FETCH_SECONDS),
                self._session.get(URL(url, encoded=True), allow_redirects=False) as response,
            ):
                if response.status != 200:
                    raise FileNotFetched
                async for part in response.content.iter_chunked(1 << 16):
                    content += part
                    if len(content) > maximum:
                        break
        except (aiohttp.ClientError, OSError, TimeoutError, ValueError) as error:
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

    async def _posts_when_open(self) -> Posts:
        await self._opened.wait()
        assert self._posts is not None
        return self._posts

    async def _by_adapter(
        self, method: str, message: str, token: str, payload: Raw | None = None, file: AttachedFile | None = None
    ) -> Any:
        """Make a request about a message that does no harm twice: discord.py repeats it."""
        session, adapter = self._session or await self._when_open(), self._adapter
        payload = self._marked(token, payload) if payload is not None else None
        route = Route(
            method,
            "/webhooks/{webhook_id}/{webhook_token}/messages/" + message,
            webhook_id=self.application,
            webhook_token=token,
        )
        try:
            if file is not None:
                return await adapter.request(route, session, multipart=form_fields(payload, file))
            if payload is not None and self._posts is not None:
                session = self._posts.adapter_session  # type: ignore[assignment]  # it has what the adapter uses of one
            return await adapter.request(route, session, payload=payload)
        except FROM_LIBRARIES as error:
            raise failure_from(error) from error


class Posts:
    """What is posted: by a connection of its own kind if it is JSON alone, with a file by aiohttp. It must be made in the event loop.

    Args:
        count: is told of the status of each reply to what goes without a file.

    Attributes:
        adapter_session: takes what discord.py's adapter sends as JSON alone over those connections too.
    """

    def __init__(self, session: aiohttp.ClientSession, count: Callable[[int], None] | None = None) -> None:
        assert TIMEOUTS.sock_read is not None, "a request must end"
        self._session, self._base = session, URL(Route.BASE)
        self._json_posts = JsonPosts(
            self._base,
            USER_AGENT,
            connect_seconds=TIMEOUTS.connect,
            reply_seconds=TIMEOUTS.sock_read,
            idle_seconds=KEEP_ALIVE_SECONDS,
            count=count,
        )
        self.adapter_session = AdapterSession(self._json_posts, Route.BASE)

    @property
    def closed(self) -> bool:
        return self._json_posts.closed

    def close(self) -> None:
        """End the connections. The session is ended by whoever has made it."""
        self._json_posts.close()

    async def json(self, path: str, body: bytes) -> PostReply:
        """Post JSON. The path is quoted."""
        return await self._json_posts.post(path, body)

    async def form(self, path: str, fields: Iterable[Mapping[str, Any]]) -> PostReply:
        """Post a form, which can have files. The path is quoted."""
        url = URL(f"{self._base}{path}", encoded=True)
        async with self._session.post(url, data=_form_data(fields), allow_redirects=False) as response:
            return PostReply(response.status, response.reason or "", response.raw_headers, await response.read())


async def post_callback(
    posts: Posts,
    interaction: int,
    token: str,
    payload: dict[str, Any],
    *,
    with_response: bool = False,
    form: Iterable[Mapping[str, Any]] | None = None,
) -> Any:
    """Answer an interaction.

    Args:
        with_response: Discord replies with the message that the answer has become.
        form: the fields of a request that carries a file; `payload` is one of them.

    Returns:
        Discord's reply; None if it has no body.

    Raises:
        DiscordFailed: Discord did not accept the answer, or the connection broke.
    """
    path = f"/interactions/{interaction}/{_quoted(token)}/callback"
    if with_response:
        path += "?with_response=true"
    return await _post(posts, path, payload, form, repeats_faults=True)


async def post_follow_up(
    posts: Posts,
    application: int,
    token: str,
    payload: dict[str, Any],
    form: Iterable[Mapping[str, Any]] | None = None,
) -> Any:
    """Send another message for an interaction that has been answered, and return it. What may have arrived is not sent again.

    Raises:
        OutcomeUnknown: it may have arrived.
        DiscordFailed: it has not.
    """
    path = f"/webhooks/{application}/{_quoted(token)}?wait=true"
    return await _post(posts, path, payload, form, repeats_faults=False)


def _quoted(token: str) -> str:
    """Write a token for a path. Discord's are letters and digits, which `quote` would look at once more in eight times as long."""
    return token if token.isascii() and token.isalnum() else quote(token, safe="")


async def _post(
    posts: Posts,
    path: str,
    payload: dict[str, Any],
    form: Iterable[Mapping[str, Any]] | None,
    *,
    repeats_faults: bool,
) -> Any:
    body = msgspec.json.encode(payload) if form is None else b""
    for tried in range(ANSWER_TRIES):
        if posts.closed:
            raise TryLater("the dealer has stopped")
        try:
            reply = await (posts.json(path, body) if form is None else posts.form(path, form))
        except FROM_LIBRARIES as error:
            raise failure_from(error) from error
        if reply.status == HTTPStatus.NO_CONTENT:
            return None
        content = reply.content()
        if reply.status < HTTPStatus.MULTIPLE_CHOICES:
            return content
        if reply.status >= HTTPStatus.INTERNAL_SERVER_ERROR and repeats_faults:
            pause = 1.0 + 2.0 * tried
        elif reply.status == HTTPStatus.TOO_MANY_REQUESTS and isinstance(content, dict) and "Via" in reply.headers:
            pause = float(content["retry_after"])
        else:  # without "Via" it is not Discord that refuses, but the network before it, and for long
            raise failure_from(discord.HTTPException(reply, content))
        if tried == ANSWER_TRIES - 1:
            raise failure_from(discord.HTTPException(reply, content))
        await sleep(pause)
    raise AssertionError("unreachable")


def _form_data(fields: Iterable[Mapping[str, Any]]) -> aiohttp.FormData:
    """Return a form, which can be sent once."""
    form = aiohttp.FormData(quote_fields=False)  # Discord knows no ``files%5B0%5D``
    for field in fields:
        form.add_field(**field)
    return form
