"""Small requests with JSON in them, over connections to Discord that stay open: what answers clicks, and edits by their tokens.

aiohttp makes some forty objects for a request and its reply, and watches each piece by timers: 85–105 µs for an answer whose reply has no
body. Here a request is one write, and httptools reads the reply, by the parser that aiohttp has too: 10–15 µs. Addresses are tried side by
side by the library that aiohttp does it with, TLS is the event loop's. Files, and whatever is rare, go by aiohttp.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any, ClassVar, cast

import aiohappyeyeballs
import httptools
import msgspec
from msgspec import Struct
from multidict import CIMultiDict
from yarl import URL

NEXT_ADDRESS_SECONDS = 0.25
"""How long one address of Discord has for itself before the next one is tried beside it."""


class NotConnected(ConnectionError):
    """There is no connection: nothing has been sent."""


class PostReply(Struct, frozen=True):
    """A reply of Discord, with what discord.py reads of one."""

    method: ClassVar[str] = "POST"
    status: int
    reason: str
    raw_headers: tuple[tuple[bytes, bytes], ...]
    body: bytes

    @property
    def headers(self) -> CIMultiDict[str]:
        """The headers, made when they are asked for: those of a click's answer never are."""
        return CIMultiDict([(name.decode("latin-1"), value.decode("latin-1")) for name, value in self.raw_headers])

    def content(self) -> Any:
        """Return what the JSON in it says; its text if it is none."""
        if self.headers.get("Content-Type") == "application/json":
            with contextlib.suppress(msgspec.DecodeError):
                return msgspec.json.decode(self.body)
        return self.body.decode("utf-8", "replace")


class JsonPosts:
    """Posts JSON to one server. It must be made in the event loop.

    Args:
        base: where the server is; a request adds its path.
        connect_seconds, reply_seconds: how long a request waits for a connection, and for its reply.
        idle_seconds: how long an idle connection waits for the next request.
        count: is told of the status of each reply.
    """

    def __init__(
        self,
        base: URL,
        user_agent: str,
        *,
        connect_seconds: float | None,
        reply_seconds: float,
        idle_seconds: float,
        count: Callable[[int], None] | None = None,
    ) -> None:
        assert base.host is not None and base.port is not None, "where to"
        self._loop = asyncio.get_running_loop()
        self._host, self._port, self._ssl = base.host, base.port, _tls() if base.scheme == "https" else None
        self._path = base.raw_path
        host = base.raw_host if base.is_default_port() else f"{base.raw_host}:{base.port}"
        headers = {"Host": host, "User-Agent": user_agent, "Content-Type": "application/json"}
        self._headers = "".join([f"{name}: {value}\r\n" for name, value in headers.items()])
        self._connect_seconds, self._reply_seconds, self._idle_seconds = connect_seconds, reply_seconds, idle_seconds
        self._count = count
        self._connections: set[_Connection] = set()
        self._idle: list[tuple[_Connection, float]] = []
        self._idle_timer: asyncio.TimerHandle | None = None
        self.closed = False

    def close(self) -> None:
        """End all connections; nothing is posted any more."""
        self.closed = True
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        for connection in tuple(self._connections):
            connection.close()

    async def post(self, path: str, body: bytes) -> PostReply:
        """Post JSON, once; see `request`."""
        return await self.request("POST", path, body)

    async def request(self, method: str, path: str, body: bytes) -> PostReply:
        """Send JSON, once.

        Args:
            path: with its query, quoted.

        Raises:
            NotConnected: nothing has been sent.
            OSError: there is no reply: the connection ended before it, it did not come in time, or it cannot be read.
        """
        connection = self._take_idle() or await self._connect()
        head = f"{method} {self._path}{path} HTTP/1.1\r\n{self._headers}Content-Length: {len(body)}\r\n\r\n"
        request = head.encode("ascii") + body
        try:
            reply = await connection.ask(request, self._reply_seconds)
        except BaseException:  # also one that is cancelled: its reply would be taken for that of the next request
            connection.close()
            raise
        if connection.stays_open and not self.closed:
            self._keep_idle(connection)
        else:
            connection.close()
        if self._count is not None:
            self._count(reply.status)
        return reply

    # connections

    def _take_idle(self) -> _Connection | None:
        """Return the connection that was used last, unless it has been idle for too long."""
        oldest = self._loop.time() - self._idle_seconds
        while self._idle:
            connection, since = self._idle.pop()
            if since >= oldest and connection in self._connections:
                return connection
            connection.close()
        return None

    def _keep_idle(self, connection: _Connection) -> None:
        self._idle.append((connection, self._loop.time()))
        if self._idle_timer is None:
            self._idle_timer = self._loop.call_later(self._idle_seconds, self._close_idle)

    def _close_idle(self) -> None:
        """Close what has been idle for too long, and look again later if there is more. The oldest stand first."""
        oldest = self._loop.time() - self._idle_seconds
        for connection, since in self._idle:
            if since <= oldest:
                connection.close()
        self._idle = [one for one in self._idle if one[1] > oldest and one[0] in self._connections]
        self._idle_timer = self._loop.call_later(self._idle_seconds, self._close_idle) if self._idle else None

    async def _connect(self) -> _Connection:
        make, name = partial(_Connection, self._loop, self._connections), self._host if self._ssl is not None else None
        try:
            async with asyncio.timeout(self._connect_seconds):
                addresses = await self._loop.getaddrinfo(self._host, self._port, type=socket.SOCK_STREAM)
                connected = await aiohappyeyeballs.start_connection(
                    addresses, happy_eyeballs_delay=NEXT_ADDRESS_SECONDS, interleave=1
                )
                _, connection = await self._loop.create_connection(
                    make, sock=connected, ssl=self._ssl, server_hostname=name
                )
        except OSError as error:  # of the name, the network or the certificate; or it takes too long
            raise NotConnected(repr(error)) from error
        return connection


class AdapterSession:
    """Stands in for aiohttp's session where discord.py's adapter of webhooks sends JSON alone: it goes over the connections of `posts`.

    Which requests wait for Discord's limits, and which are sent again, remains the adapter's.

    Args:
        base: the address that `posts` was made with, as the adapter's begin.
    """

    def __init__(self, posts: JsonPosts, base: str) -> None:
        self._posts, self._base = posts, base

    def request(self, method: str, url: str, *, data: str, **_usual: object) -> AdapterReply:
        """Return what sends the request when it is entered."""
        return AdapterReply(self._posts, method, url.removeprefix(self._base), data.encode())


class AdapterReply:
    """A request of the adapter, and its reply, with what the adapter reads of one.

    Attributes:
        status, reason, headers: of the reply, inside the ``with`` block.
    """

    def __init__(self, posts: JsonPosts, method: str, path: str, body: bytes) -> None:
        self._posts, self.method, self._path, self._sent = posts, method, path, body
        self._body = b""
        self.status, self.reason, self.headers = 0, "", CIMultiDict[str]()

    async def __aenter__(self) -> AdapterReply:
        reply = await self._posts.request(self.method, self._path, self._sent)
        self.status, self.reason, self.headers, self._body = reply.status, reply.reason, reply.headers, reply.body
        return self

    async def __aexit__(self, *error: object) -> None:
        """The connection is free again already."""

    async def text(self, encoding: str) -> str:
        """Return the body of the reply."""
        return self._body.decode(encoding, "replace")


class _Connection(asyncio.Protocol):
    """A connection, on which a request waits for its reply before the next one is sent.

    Args:
        connections: it is among these while it is open.

    Attributes:
        stays_open: whether the server lets another request follow.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, connections: set[_Connection]) -> None:
        self._loop, self._connections = loop, connections
        self._parser = httptools.HttpResponseParser(self)
        self._reply: asyncio.Future[PostReply] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._forget()
        self.stays_open = True

    def _forget(self) -> None:
        self._reason, self._body = b"", b""
        self._headers: list[tuple[bytes, bytes]] = []

    def ask(self, request: bytes, seconds: float) -> asyncio.Future[PostReply]:
        """Send a request. Its reply comes within so many seconds, or an OSError."""
        self._reply = reply = self._loop.create_future()
        self._timer = self._loop.call_later(seconds, self._give_up)
        self._transport.write(request)
        return reply

    def close(self) -> None:
        """End the connection at once."""
        self._end(ConnectionAbortedError())
        self._transport.abort()

    def _give_up(self) -> None:
        self._end(TimeoutError())
        self._transport.abort()

    def _end(self, error: OSError) -> None:
        """Take the connection for ended: who waits for a reply gets none."""
        self._connections.discard(self)
        if self._timer is not None:
            self._timer.cancel()
        if self._reply is not None and not self._reply.done():
            self._reply.set_exception(error)
        self._reply = None

    # what the event loop tells

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # that of uvloop is none by its class
        self._connections.add(self)

    def data_received(self, data: bytes) -> None:
        if self._reply is None:  # nothing was asked: what comes now would be taken for the next reply
            self.close()
            return
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError as error:
            self._end(ConnectionError(repr(error)))
            self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        names = {name.lower() for name, _ in self._headers}
        if exc is None and names and names.isdisjoint((b"content-length", b"transfer-encoding")):
            self.stays_open = False
            self._complete()  # a body of which nobody has said how long it is ends with the connection
        self._end(exc if isinstance(exc, OSError) else ConnectionResetError())

    # what the parser tells

    def on_status(self, reason: bytes) -> None:
        self._reason += reason

    def on_header(self, name: bytes, value: bytes) -> None:
        self._headers.append((name, value))

    def on_body(self, part: bytes) -> None:
        self._body += part

    def on_message_complete(self) -> None:
        if self._parser.get_status_code() < HTTPStatus.OK:  # the reply itself is still to come
            self._forget()
            return
        self.stays_open = self._parser.should_keep_alive()
        self._complete()

    def _complete(self) -> None:
        assert self._timer is not None, "nothing was asked"
        self._timer.cancel()
        waiting, self._reply = self._reply, None
        if waiting is not None and not waiting.done():  # it is, where whoever has asked does not wait any more
            reason = self._reason.decode("latin-1")
            waiting.set_result(PostReply(self._parser.get_status_code(), reason, tuple(self._headers), self._body))
        self._forget()


def _tls() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context
