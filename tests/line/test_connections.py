"""Connections to Discord between two requests."""

from __future__ import annotations

import asyncio
import time

import aiohttp
import aiohttp.connector
import discord
import pytest
from aiohttp import web
from discord.http import Route

from bot.line import by_token
from bot.line.by_token import KEEP_ALIVE_SECONDS, TIMEOUTS, DiscordTime, TokenRequests, make_connector
from bot.line.failures import TryLater


@pytest.mark.parametrize(("idle_seconds", "connections"), [(KEEP_ALIVE_SECONDS - 1, 1), (KEEP_ALIVE_SECONDS + 1, 2)])
async def test_idle_connection_is_used_again_for_a_minute(
    idle_seconds: float, connections: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: set[object] = set()

    async def reply(request: web.Request) -> web.Response:
        seen.add(request.transport)
        return web.Response(status=204)

    app = web.Application()
    app.router.add_get("/", reply)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    url = f"http://127.0.0.1:{runner.addresses[0][1]}/"
    passed = 0.0
    monkeypatch.setattr(aiohttp.connector, "monotonic", lambda: time.monotonic() + passed)
    async with aiohttp.ClientSession(connector=make_connector()) as session:
        for _ in range(2):
            async with session.get(url) as response:
                await response.read()
            passed += idle_seconds
    await runner.cleanup()
    assert len(seen) == connections


async def test_answer_whose_reply_never_comes_fails_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    assert TIMEOUTS.sock_read and TIMEOUTS.connect and TIMEOUTS.sock_read <= 300
    monkeypatch.setattr(by_token, "TIMEOUTS", aiohttp.ClientTimeout(total=None, connect=1, sock_read=0.05))
    came: list[bytes] = []

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        came.append(await reader.readuntil(b"\r\n"))
        await reader.read()
        writer.close()

    silent = await asyncio.start_server(say_nothing, "127.0.0.1", 0)
    monkeypatch.setattr(Route, "BASE", f"http://127.0.0.1:{silent.sockets[0].getsockname()[1]}/api")
    requests = TokenRequests(discord.Client(intents=discord.Intents.none()), DiscordTime())
    await requests.open()
    with pytest.raises(TryLater):
        await requests.answer(7, "a", 6)
    await requests.close()
    silent.close()
    assert came == [b"POST /api/interactions/7/a/callback HTTP/1.1\r\n"] * 2, "it was sent once more"


async def test_answer_of_a_dealer_that_has_stopped_is_refused_quietly() -> None:
    requests = TokenRequests(discord.Client(intents=discord.Intents.none()), DiscordTime())
    await requests.open()
    await requests.close()
    with pytest.raises(TryLater):
        await requests.answer(7, "a", 6)
