"""Connections to Discord between two requests."""

from __future__ import annotations

import time

import aiohttp
import aiohttp.connector
import pytest
from aiohttp import web

from bot.line.by_token import KEEP_ALIVE_SECONDS, make_connector


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
