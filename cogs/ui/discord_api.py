"""Raw payloads to Discord, through discord.py's own HTTP and webhook code, without building a view for each message.

There are two ways to Discord. Requests by an interaction's token (answers, follow-ups) are exempt from the bot's global limit and have a
bucket of their own. Requests by the bot's token (send, edit, delete) are not: the call that uses up a bucket returns only when the
window resets, so none of these is awaited inside a table's turn.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

import aiohttp
import discord
import msgspec
import yarl
from discord.http import Route
from discord.webhook.async_ import async_context

from bot.runtime.errors import FileNotFetched
from bot.text.language import ENGLISH, Language, language_for
from cogs.ui.callbacks import post_callback
from cogs.ui.request_queue import HOUSE_LINE, Priority, RequestLine, RequestQueue, Ticket

log = logging.getLogger(__name__)

Raw = dict[str, Any]

MESSAGE, DEFER, DEFER_UPDATE, UPDATE, CHOICES, FORM = 4, 5, 6, 7, 8, 9
"""Types of an interaction's answer."""

SUPPRESS_NOTIFICATIONS, EPHEMERAL, COMPONENTS_V2 = 1 << 12, 1 << 6, 1 << 15
"""Flags of a message: no notification, for one person alone, Components V2."""

NO_MENTIONS: Raw = {"parse": []}
"""Allowed mentions: none."""

UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, UNKNOWN_INTERACTION, UNKNOWN_WEBHOOK = 10003, 10008, 10062, 10015
UNKNOWN_MEMBER, UNKNOWN_USER = 10007, 10013
TOO_MANY_OLD_EDITS, ALREADY_ACKNOWLEDGED = 30046, 40060
THREAD_ARCHIVED = 50083
NO_MUTUAL_SERVER = 50278
TOO_MANY_THREADS, TAG_REQUIRED = 160006, 40067
MISSING_ACCESS, CANNOT_SEND_DM, MISSING_PERMISSIONS, INVALID_WEBHOOK_TOKEN = 50001, 50007, 50013, 50027

TOO_LATE = frozenset((UNKNOWN_INTERACTION, UNKNOWN_WEBHOOK, INVALID_WEBHOOK_TOKEN, ALREADY_ACKNOWLEDGED))
"""The interaction can no longer be answered: three seconds or fifteen minutes are over, or it has been answered."""
REQUESTS_PER_SECOND = 40
"""Requests with the bot's token, on average. Discord allows 50; one more stops them all for a while (429, global)."""
BURST = 5
"""How many requests can go at once after a quiet moment."""

FILE_HOSTS = ("https://cdn.discordapp.com", "https://media.discordapp.net")
FILE_FOLDERS = ("attachments", "ephemeral-attachments")
"""Where Discord keeps the files that people give."""
FETCH_SECONDS = 20.0

KEEP_ALIVE_SECONDS = 60.0
"""How long an idle connection waits for the next request. A new one costs a click several round trips; Discord itself waits longer."""

NOT_ALLOWED = frozenset((MISSING_ACCESS, MISSING_PERMISSIONS))

_REFUSALS = frozenset((400, 403, 413))
_NOT_ABOUT_FILES = frozenset((*TOO_LATE, UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, TOO_MANY_OLD_EDITS, THREAD_ARCHIVED))


def can_be_about_files(error: discord.HTTPException) -> bool:
    """Return whether Discord can have refused a message because of its files: too large, not allowed, or not there."""
    return error.status in _REFUSALS and error.code not in _NOT_ABOUT_FILES


def make_connector() -> aiohttp.TCPConnector:
    """Return what keeps the connections to Discord. It must be made in the event loop."""
    return aiohttp.TCPConnector(limit=0, keepalive_timeout=KEEP_ALIVE_SECONDS)


class Slot(asyncio.Future[None]):
    """Done as soon as a request fits the bot's global limit. Cancel it when there is nothing to send any more: it then costs nothing."""

    queue: RequestQueue[Slot]
    ticket: Ticket[Slot]

    def cancel(self, msg: Any = None) -> bool:
        self.queue.cancel(self.ticket)
        return super().cancel(msg)


class PrivateHandle(Protocol):
    """What it takes to change a private message (`cogs.ui.private_answers.PrivateMessage`)."""

    @property
    def token(self) -> str: ...

    @property
    def message(self) -> int: ...

    @property
    def is_original(self) -> bool: ...


class AttachedFile(msgspec.Struct, frozen=True, gc=False):
    """A file that goes with a message.

    Attributes:
        content_type: ``text/plain``, ``image/webp``.
        description: what a screen reader says of it; at most 1,024 characters.
    """

    name: str
    content: bytes
    content_type: str = "text/plain"
    description: str = ""

    def __repr__(self) -> str:
        """Tell nothing of what is in it, because this can end up in a log (TL-37)."""
        return f"<file {self.name}, {len(self.content)} bytes>"


def private_file_data(content: str, file: AttachedFile) -> Raw:
    """Return a message with a file, for one person alone."""
    data: Raw = {"content": content, "flags": EPHEMERAL, "allowed_mentions": NO_MENTIONS}
    return data | attachments_data(file)


def attachments_data(file: AttachedFile | None) -> Raw:
    """Return the part of a message that names the files it has from now on: this one, or none. Without it a message keeps its files."""
    if file is None:
        return {"attachments": []}
    attachment: Raw = {"id": 0, "filename": file.name}
    if file.description:
        attachment["description"] = file.description
    return {"attachments": [attachment]}


def message_data(components: list[Raw], file: AttachedFile | None = None, *, keeps_files: bool = True) -> Raw:
    """Return a message of Components V2 that mentions nobody.

    Args:
        file: replaces all files that the message has.
        keeps_files: without a new file, an edit leaves the message those that it has.
    """
    data: Raw = {"flags": COMPONENTS_V2, "components": components, "allowed_mentions": NO_MENTIONS}
    return data if file is None and keeps_files else data | attachments_data(file)


def private_message_data(components: list[Raw], file: AttachedFile | None = None) -> Raw:
    """The same, for one person alone."""
    data: Raw = {"flags": COMPONENTS_V2 | EPHEMERAL, "components": components, "allowed_mentions": NO_MENTIONS}
    return data if file is None else data | attachments_data(file)


class DiscordApi:
    """The connection to Discord. Every method can raise `discord.HTTPException`, or `OSError` if the connection breaks.

    Args:
        per_second: requests per second with the bot's token.

    Attributes:
        trace: is told of every request by an interaction's token; set before `open`.
    """

    def __init__(self, client: discord.Client, per_second: float = REQUESTS_PER_SECOND) -> None:
        self._client = client
        self.trace: aiohttp.TraceConfig | None = None
        self._session: aiohttp.ClientSession | None = None
        self.queue = RequestQueue[Slot](per_second, BURST)
        self._slot_timer: asyncio.TimerHandle | None = None

    async def open(self) -> None:
        """Make the session that interactions are answered with."""
        self._session = aiohttp.ClientSession(
            connector=make_connector(),
            cookie_jar=aiohttp.DummyCookieJar(),
            trace_configs=[self.trace] if self.trace is not None else None,
        )

    def server_language(self, guild: int) -> Language:
        """Return the language of what everybody in a server reads: the one that the server prefers."""
        server = self._client.get_guild(guild)
        return language_for(str(server.preferred_locale)) if server is not None else ENGLISH

    def can_write(self, guild: int, channel: int) -> bool:
        """Return whether the bot can send a message to a channel or thread of a server."""
        server = self._client.get_guild(guild)
        found = server.get_channel_or_thread(channel) if server is not None else None
        if server is None or found is None:
            return False
        try:
            allowed = found.permissions_for(server.me)
        except discord.ClientException:  # a thread whose channel is not known
            return False
        is_thread = isinstance(found, discord.Thread)
        return allowed.view_channel and (allowed.send_messages_in_threads if is_thread else allowed.send_messages)

    def can_attach_files(self, guild: int, channel: int) -> bool:
        """Return whether the bot can attach files in a channel or thread of a server. Where that is not known, Discord decides."""
        server = self._client.get_guild(guild)
        found = server.get_channel_or_thread(channel) if server is not None else None
        if server is None or found is None:
            return True
        try:
            return found.permissions_for(server.me).attach_files
        except discord.ClientException:  # a thread whose channel is not known
            return True

    def channel_or_thread(self, guild: int, channel: int) -> discord.abc.GuildChannel | discord.Thread | None:
        """Return a channel or thread of a server, as far as the gateway has told of it."""
        server = self._client.get_guild(guild)
        return server.get_channel_or_thread(channel) if server is not None else None

    def threads_of(self, guild: int) -> list[discord.Thread] | None:
        """Return the active threads of a server that the bot has made; None while the server is not known."""
        server, me = self._client.get_guild(guild), self._client.user
        if server is None or server.unavailable or me is None:
            return None
        return [thread for thread in server.threads if thread.owner_id == me.id]

    def is_open_to_all(self, guild: int, channel: int) -> bool:
        """Return whether everybody in a server can read a channel."""
        found = self._channel(guild, channel)
        return found is not None and found.permissions_for(found.guild.default_role).view_channel

    def _channel(self, guild: int, channel: int) -> discord.abc.GuildChannel | None:
        server = self._client.get_guild(guild)
        return server.get_channel(channel) if server is not None else None

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()

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

    # by an interaction's token

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
        payload = {"type": MESSAGE, "data": data}
        answer = await self._callback(interaction, token, payload, with_response=True, file=file)
        if answer is None:  # the first try had arrived
            return int((await self._by_token(_webhook("GET", "/messages/@original", self._application, token)))["id"])
        return int(answer["resource"]["message"]["id"])

    async def follow_up(self, token: str, data: Raw, file: AttachedFile | None = None) -> int:
        """Send another message for an interaction that has been answered. Returns its id."""
        route = _webhook("POST", "", self._application, token)
        sent = await self._by_token(route, data, {"wait": "true"}, file)
        return int(sent["id"])

    async def edit_original(self, token: str, data: Raw, file: AttachedFile | None = None) -> int:
        """Replace the first answer, or fill in a deferred one. Returns its id."""
        route = _webhook("PATCH", "/messages/@original", self._application, token)
        edited = await self._by_token(route, data, file=file)
        return int(edited["id"])

    async def edit_private(self, message: PrivateHandle, data: Raw, file: AttachedFile | None = None) -> None:
        """Edit a private message by the token that made it."""
        await self._by_token(_private("PATCH", message, self._application), data, file=file)

    async def delete_private(self, message: PrivateHandle) -> None:
        """Delete a private message by the token that made it."""
        await self._by_token(_private("DELETE", message, self._application))

    # by the bot's token

    def request_slot(self, line: RequestLine, priority: Priority) -> Slot:
        """Return what is done when it is this request's turn (`cogs.ui.request_queue`)."""
        loop = asyncio.get_running_loop()
        slot = Slot(loop=loop)
        slot.queue, slot.ticket = self.queue, self.queue.add(slot, line, priority, loop.time())
        self.grant_slots()
        return slot

    def waiting_by_kind(self) -> dict[str, int]:
        """Return how many requests of each kind wait for their slot, for the figures of the dealer."""
        return {priority.name.lower(): count for priority, count in self.queue.waiting_by_priority().items()}

    async def wait_for_slot(self, line: RequestLine, priority: Priority) -> None:
        """Wait until a request fits the bot's global limit. The methods below do so; other callers of Discord call it themselves."""
        await self.request_slot(line, priority)

    def grant_slots(self) -> None:
        """Let those requests go that fit by now, and come back for the next one."""
        loop = asyncio.get_running_loop()
        while (ticket := self.queue.take(loop.time())) is not None:
            ticket.item.set_result(None)
        if self._slot_timer is not None:
            self._slot_timer.cancel()
        at = self.queue.next_at
        self._slot_timer = loop.call_at(at, self.grant_slots) if at is not None else None

    async def send(
        self,
        line: RequestLine,
        channel: int,
        data: Raw,
        priority: Priority | None = Priority.PRIVATE,
        file: AttachedFile | None = None,
    ) -> int:
        """Send a message to a channel. Returns its id. Without a `priority`, the caller has waited for a slot."""
        route = Route("POST", "/channels/{channel_id}/messages", channel_id=channel)
        sent = await self._request(line, priority, route, **_body(data, file))
        return int(sent["id"])

    async def edit(
        self,
        line: RequestLine,
        channel: int,
        message: int,
        data: Raw,
        priority: Priority | None = Priority.REDRAW,
        file: AttachedFile | None = None,
    ) -> None:
        """Edit a message. Without a `priority`, the caller has waited for a slot."""
        route = Route("PATCH", "/channels/{channel_id}/messages/{message_id}", channel_id=channel, message_id=message)
        await self._request(line, priority, route, **_body(data, file))

    async def delete(self, line: RequestLine, channel: int, message: int) -> None:
        route = Route("DELETE", "/channels/{channel_id}/messages/{message_id}", channel_id=channel, message_id=message)
        await self._request(line, Priority.REDRAW, route)

    async def own_messages(self, line: RequestLine, channel: int, custom_id: str = "", text: str = "") -> list[int]:
        """Return the bot's own messages among the last hundred of a channel, newest first.

        Args:
            custom_id: only those that have a component with this id.
            text: only those in whose components this stands.
        """
        route = Route("GET", "/channels/{channel_id}/messages", channel_id=channel)
        messages = await self._request(line, Priority.BACKGROUND, route, params={"limit": "100"})
        mark = msgspec.json.encode(custom_id) if custom_id else msgspec.json.encode(text)[1:-1]
        own = [one for one in messages if one["author"]["id"] == str(self._application)]
        return [int(one["id"]) for one in own if mark in msgspec.json.encode(one["components"])]

    async def start_thread(self, line: RequestLine, parent: int, body: Raw) -> int:
        """Start a thread in a channel, or a post in a forum. Returns its id."""
        route = Route("POST", "/channels/{channel_id}/threads", channel_id=parent)
        started = await self._request(line, Priority.TABLE, route, json=body)
        return int(started["id"])

    async def edit_channel(self, line: RequestLine, channel: int, changes: Raw) -> Raw:
        """Change a channel or thread. Returns it."""
        route = Route("PATCH", "/channels/{channel_id}", channel_id=channel)
        edited: Raw = await self._request(line, Priority.REDRAW, route, json=changes)
        return edited

    async def delete_channel(self, line: RequestLine, channel: int) -> None:
        route = Route("DELETE", "/channels/{channel_id}", channel_id=channel)
        await self._request(line, Priority.REDRAW, route)

    async def add_to_thread(self, line: RequestLine, thread: int, user: int) -> None:
        """Make somebody a member of a thread; who is one stays one."""
        route = Route("PUT", "/channels/{channel_id}/thread-members/{user_id}", channel_id=thread, user_id=user)
        await self._request(line, Priority.PRIVATE, route)

    async def remove_from_thread(self, line: RequestLine, thread: int, user: int) -> None:
        route = Route("DELETE", "/channels/{channel_id}/thread-members/{user_id}", channel_id=thread, user_id=user)
        await self._request(line, Priority.PRIVATE, route)

    async def open_dm(self, line: RequestLine, user: int) -> int:
        """Return the id of the DM channel with a user."""
        channel = await self._request(
            line, Priority.PRIVATE, Route("POST", "/users/@me/channels"), json={"recipient_id": user}
        )
        return int(channel["id"])

    async def change_role(self, guild: int, user: int, role: int, *, give: bool) -> None:
        """Give a member a role, or take it. Everything else goes first."""
        route = Route(
            "PUT" if give else "DELETE",
            "/guilds/{guild_id}/members/{user_id}/roles/{role_id}",
            guild_id=guild,
            user_id=user,
            role_id=role,
        )
        await self._request(RequestLine(guild), Priority.BACKGROUND, route)

    def can_be_given(self, guild: int, role: int, is_powerful: Callable[[discord.Role], bool]) -> bool:
        """Return whether a role is there, and is a mere sign."""
        found = self._client.get_guild(guild)
        known = found.get_role(role) if found is not None else None
        return known is not None and not is_powerful(known)

    async def user_name(self, user: int) -> str:
        """Return the name of a user who can be anywhere; empty for somebody who is gone from Discord."""
        try:
            found: Raw = await self._request(
                HOUSE_LINE, Priority.PRIVATE, Route("GET", "/users/{user_id}", user_id=user)
            )
        except discord.NotFound:
            return ""
        return str(found["global_name"] or found["username"])

    async def is_member(self, guild: int, user: int) -> bool:
        """Return whether a user is in a server. Everything else goes first."""
        return await self._member(guild, user, Priority.BACKGROUND) is not None

    async def member_name(self, guild: int, user: int) -> str:
        """Return the display name of a member of a server; empty for somebody who is none."""
        member = await self._member(guild, user, Priority.PRIVATE)
        return (member["nick"] or member["user"]["global_name"] or member["user"]["username"]) if member else ""

    async def _member(self, guild: int, user: int, priority: Priority) -> Raw | None:
        route = Route("GET", "/guilds/{guild_id}/members/{user_id}", guild_id=guild, user_id=user)
        try:
            member: Raw = await self._request(RequestLine(guild), priority, route)
        except discord.NotFound as error:
            if error.code not in {UNKNOWN_MEMBER, UNKNOWN_USER}:
                raise
            return None
        return member

    # inside

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

        def send() -> Awaitable[Any]:
            assert self._session is not None, "not open yet"
            form = form_fields(payload, file) if file is not None else None
            return post_callback(self._session, interaction, token, payload, with_response=with_response, form=form)

        try:
            return await send()
        except (aiohttp.ClientConnectionError, OSError) as error:
            log.info("answer_sent_again", extra={"error": repr(error)})
        try:
            return await send()
        except discord.HTTPException as error:
            if error.code != ALREADY_ACKNOWLEDGED:
                raise
            return None

    async def _request(self, line: RequestLine, priority: Priority | None, route: Route, **how: Any) -> Any:
        if priority is not None:
            await self.wait_for_slot(line, priority)
        if self._client.is_closed():  # the line was longer than there is time to stop
            raise ConnectionAbortedError("the dealer has left Discord")
        return await self._client.http.request(route, **how)

    @property
    def _application(self) -> int:
        application = self._client.application_id
        assert application is not None, "not logged in yet"
        return application

    async def _by_token(
        self, route: Route, payload: Raw | None = None, params: Raw | None = None, file: AttachedFile | None = None
    ) -> Any:
        assert self._session is not None, "not open yet"
        if file is not None:
            form = form_fields(payload, file)
            return await async_context.get().request(route, self._session, multipart=form, params=params)
        return await async_context.get().request(route, self._session, payload=payload, params=params)


def _body(data: Raw, file: AttachedFile | None) -> Raw:
    """Return what discord.py sends a message with."""
    return {"json": data} if file is None else {"form": form_fields(data, file)}


def form_fields(payload: Raw | None, file: AttachedFile) -> list[Raw]:
    """Return the fields of a request that carries a file."""
    json = msgspec.json.encode(payload).decode()
    return [
        {"name": "payload_json", "value": json, "content_type": "application/json"},
        {"name": "files[0]", "value": file.content, "filename": file.name, "content_type": file.content_type},
    ]


def _webhook(method: str, rest: str, application: int, token: str) -> Route:
    path = "/webhooks/{webhook_id}/{webhook_token}" + rest
    return Route(method, path, webhook_id=application, webhook_token=token)


def _private(method: str, message: PrivateHandle, application: int) -> Route:
    which = "@original" if message.is_original else str(message.message)
    return _webhook(method, f"/messages/{which}", application, message.token)
