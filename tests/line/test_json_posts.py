"""Posts of JSON over connections that stay open: what can come back, and what becomes of the connection."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import discord
import pytest
from discord.http import Route
from discord.webhook.async_ import AsyncWebhookAdapter
from yarl import URL

from bot.line.json_posts import AdapterSession, JsonPosts, NotConnected, PostReply

NOTHING = b"HTTP/1.1 204 No Content\r\nVia: 1.1 google\r\n\r\n"


class Server:
    """Replies to each request with the next of these pieces, written one by one; None ends the connection.

    Attributes:
        requests: the head and body of each, by the connection it came over.
    """

    def __init__(self, *replies: list[bytes | None]) -> None:
        self.replies = list(replies)
        self.requests: list[tuple[int, bytes]] = []
        self.connections = 0
        self.url = URL()
        self.writers: list[asyncio.StreamWriter] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        number = self.connections
        self.writers.append(writer)
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
                self.requests.append((number, head + await reader.readexactly(length)))
                for piece in self.replies.pop(0) if self.replies else [NOTHING]:
                    if piece is None:
                        return
                    writer.write(piece)
                    await asyncio.sleep(0.001)
        except asyncio.IncompleteReadError:
            pass
        finally:
            writer.close()


@asynccontextmanager
async def posting(
    server: Server, *, reply_seconds: float = 5.0, idle_seconds: float = 60.0, told: list[int] | None = None
) -> AsyncIterator[JsonPosts]:
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    server.url = URL(f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/api")
    posts = JsonPosts(
        server.url, "Bot", connect_seconds=5.0, reply_seconds=reply_seconds, idle_seconds=idle_seconds,
        count=told.append if told is not None else None,
    )  # fmt: skip
    try:
        yield posts
    finally:
        posts.close()
        listening.close()


def whole(status: str, body: bytes, *headers: bytes) -> bytes:
    more = b"".join(header + b"\r\n" for header in headers)
    return b"HTTP/1.1 %s\r\nContent-Length: %d\r\n%s\r\n%s" % (status.encode(), len(body), more, body)


async def test_request_is_written_as_discord_expects_it() -> None:
    server, told = Server(), []
    async with posting(server, told=told) as posts:
        reply = await posts.post("/interactions/7/a%2Fb/callback?with_response=true", b'{"type":6}')
    ((_, request),) = server.requests
    assert request == (
        b"POST /api/interactions/7/a%2Fb/callback?with_response=true HTTP/1.1\r\n"
        b"Host: 127.0.0.1:" + str(server.url.port).encode() + b"\r\nUser-Agent: Bot\r\n"
        b'Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{"type":6}'
    )
    assert (reply.status, reply.headers["VIA"], reply.content(), told) == (204, "1.1 google", "", [204])


JSON = b"Content-Type: application/json"
CHUNKED = b"HTTP/1.1 200 OK\r\n" + JSON + b"\r\nTransfer-Encoding: chunked\r\n\r\n"
REPLIES: dict[str, tuple[list[bytes | None], object]] = {
    "whole": ([whole("200 OK", b'{"id":"9"}', JSON)], {"id": "9"}),
    "in pieces": ([
        b"HTTP/1.1 20", b"0 OK\r\nContent-Le", b"ngth: 10\r\nContent-Type: application/json\r\n\r\n{", b'"id":"9"}'
    ], {"id": "9"}),
    "chunked": ([CHUNKED, b'5\r\n{"id"\r\n', b'5\r\n:"9"}\r\n0\r\n\r\n'], {"id": "9"}),
    "after a hint": ([b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", whole("200 OK", b"[]", JSON)], []),
    "up to the end": ([b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nsome ", b"text", None], "some text"),
    "no JSON": ([whole("502 Bad Gateway", b"<html>", b"Content-Type: text/html")], "<html>"),
    "broken JSON": ([whole("200 OK", b"{", JSON)], "{"),
}  # fmt: skip


@pytest.mark.parametrize(("pieces", "content"), REPLIES.values(), ids=REPLIES)
async def test_reply_is_read_however_it_comes(pieces: list[bytes | None], content: object) -> None:
    server = Server(pieces)
    async with posting(server) as posts:
        reply = await posts.post("/a", b"{}")
        assert reply.content() == content
        assert (await posts.post("/b", b"{}")).status == 204, "the next reply is its own"


@pytest.mark.parametrize(
    "pieces",
    [[None], [b"HTTP/1.1 200 OK\r\nContent-Le", None], [b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab", None],
     [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", None], [b"no HTTP at all\r\n\r\n"]],
    ids=["nothing", "half a head", "half a body", "half a chunk", "no HTTP"],
)  # fmt: skip
async def test_reply_that_breaks_off_is_none(pieces: list[bytes | None]) -> None:
    server = Server(pieces)
    async with posting(server) as posts:
        with pytest.raises(OSError) as raised:
            await posts.post("/a", b"{}")
        assert not isinstance(raised.value, NotConnected), "it may have arrived"
        assert (await posts.post("/b", b"{}")).status == 204
    assert server.connections == 2


async def edited(posts: JsonPosts, base: str) -> object:
    """Edit an interaction's message as discord.py's adapter does it, over these connections."""
    route = Route(
        "PATCH", "/webhooks/{webhook_id}/{webhook_token}/messages/@original", webhook_id=5, webhook_token="a/b"
    )
    session: Any = AdapterSession(posts, base)
    return await AsyncWebhookAdapter().request(route, session, payload={"flags": 1, "name": "Ayşe"})  # type: ignore[no-untyped-call]


async def test_edit_of_the_adapter_waits_for_discords_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    limited = whole("429 Too Many Requests", b'{"retry_after": 0.01}', JSON, b"Via: 1.1 google")
    server, told = Server([limited], [whole("200 OK", b'{"id":"9"}', JSON)]), []
    async with posting(server, told=told) as posts:
        monkeypatch.setattr(Route, "BASE", str(server.url))
        assert await edited(posts, str(server.url)) == {"id": "9"}
    first, again = (request for _, request in server.requests)
    assert first == again and first.startswith(b"PATCH /api/webhooks/5/a%2Fb/messages/@original HTTP/1.1\r\n")
    assert first.endswith('\r\n\r\n{"flags":1,"name":"Ayşe"}'.encode()) and told == [429, 200]


async def test_edit_that_discord_refuses_is_told_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server([whole("404 Not Found", b'{"code": 10008, "message": "Unknown Message"}', JSON)])
    async with posting(server) as posts:
        monkeypatch.setattr(Route, "BASE", str(server.url))
        with pytest.raises(discord.NotFound, match="Unknown Message") as refused:
            await edited(posts, str(server.url))
    assert (refused.value.code, refused.value.status) == (10008, 404)


async def test_connection_is_used_again_as_long_as_it_can_be() -> None:
    server = Server([NOTHING], [whole("200 OK", b"[]", b"Connection: close")])
    async with posting(server) as posts:
        for path in ("/a", "/b", "/c"):
            await posts.post(path, b"{}")
    assert [number for number, _ in server.requests] == [1, 1, 2]


async def test_requests_at_once_have_a_connection_each() -> None:
    server = Server()
    async with posting(server) as posts:
        await asyncio.gather(*[posts.post("/a", b"{}") for _ in range(3)])
        await asyncio.gather(*[posts.post("/a", b"{}") for _ in range(3)])
    assert server.connections == 3


async def test_idle_connections_are_closed_after_their_time() -> None:
    server = Server()
    async with posting(server, idle_seconds=0.02) as posts:
        await asyncio.gather(*[posts.post("/a", b"{}") for _ in range(3)])
        assert len(posts._connections) == 3
        await asyncio.sleep(0.06)
        assert not posts._connections and not posts._idle
        await posts.post("/a", b"{}")
    assert server.connections == 4


async def test_connection_that_discord_ends_meanwhile_is_not_used() -> None:
    server = Server()
    async with posting(server) as posts:
        await posts.post("/a", b"{}")
        server.writers[0].close()
        await asyncio.sleep(0.01)
        await posts.post("/a", b"{}")
    assert [number for number, _ in server.requests] == [1, 2]


async def test_what_comes_unasked_ends_the_connection() -> None:
    server = Server([NOTHING, NOTHING])
    async with posting(server) as posts:
        await posts.post("/a", b"{}")
        await asyncio.sleep(0.01)
        assert (await posts.post("/b", b"{}")).status == 204
    assert [number for number, _ in server.requests] == [1, 2]


async def test_request_that_nobody_waits_for_ends_its_connection() -> None:
    server = Server([])
    async with posting(server) as posts:
        asking = asyncio.create_task(posts.post("/a", b"{}"))
        while not server.requests:
            await asyncio.sleep(0.001)
        asking.cancel()
        await asyncio.wait({asking})
        assert (await posts.post("/b", b"{}")).status == 204


async def test_reply_that_does_not_come_in_time_is_none() -> None:
    server = Server([])
    async with posting(server, reply_seconds=0.02) as posts:
        with pytest.raises(TimeoutError):
            await posts.post("/a", b"{}")
        assert not posts._connections


async def test_nothing_is_sent_without_a_connection() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # it does not listen
        url = URL(f"http://127.0.0.1:{taken.getsockname()[1]}/api")
        posts = JsonPosts(url, "Bot", connect_seconds=5.0, reply_seconds=5.0, idle_seconds=60.0)
        with pytest.raises(NotConnected):
            await posts.post("/a", b"{}")
    posts.close()


async def test_certificate_of_a_stranger_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who does not speak TLS, or has no certificate for the name, is sent nothing."""
    server = Server()
    async with posting(server):
        url = server.url.with_scheme("https")
        posts = JsonPosts(url, "Bot", connect_seconds=5.0, reply_seconds=5.0, idle_seconds=60.0)
        assert posts._ssl is not None and posts._ssl.check_hostname and posts._ssl.verify_mode is ssl.CERT_REQUIRED
        with pytest.raises(NotConnected):
            await posts.post("/a", b"{}")
        posts.close()
    assert not server.requests


def test_reply_tells_discord_py_what_it_asks() -> None:
    reply = PostReply(404, "Not Found", ((b"retry-after", b"2"),), b"")
    assert (reply.method, reply.headers.get("Retry-After")) == ("POST", "2")
