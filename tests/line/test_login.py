"""Nothing goes out before the login: tables are restored, and deal, before the bot has a connection."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.line.api import DiscordApi
from bot.line.client import DiscordClient
from bot.line.request_queue import Priority, RequestLine
from bot.signals import Signals
from tests.support.discord_double import discord_double, endpoints
from tests.support.fake_client import FakeClient

CLUB = RequestLine(1)


async def test_request_made_before_the_login_waits_then_goes() -> None:
    client = FakeClient(is_logged_in=False)
    api = DiscordApi(client)  # type: ignore[arg-type]
    redraw = asyncio.create_task(api.edit(CLUB, 5, 6, {}))
    cards = asyncio.create_task(api.send(CLUB, 7, {}, Priority.PRIVATE))
    slot = api.slots.request(CLUB, Priority.TABLE)
    await asyncio.sleep(0.01)
    assert not (cards.done() or redraw.done() or slot.done())
    client.is_logged_in = True
    await api.open()
    await asyncio.gather(redraw, cards, slot)
    assert [request.route.split()[0] for request in client.made] == ["POST", "PATCH"], "the cards first"
    await api.close()


async def test_request_by_token_made_before_the_login_waits_too() -> None:
    """A panel of an earlier run is edited with the token that was saved."""
    api = DiscordApi(FakeClient(is_logged_in=False))  # type: ignore[arg-type]
    edit = asyncio.create_task(api.by_token.edit_original("token", {}))
    await asyncio.sleep(0.01)
    assert not edit.done()
    edit.cancel()


async def test_gateway_is_the_one_of_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy stands in between: Discord names its own address, which cannot be reached from here."""
    async with discord_double(tmp_path / "discord") as double:
        monkeypatch.setattr(double.stand_in.gateway, "url", "ws://127.0.0.1:9/gateway")
        with endpoints(double.stand_in):
            client = DiscordClient(Signals(), guild_ready_seconds=0.01)
            running = asyncio.create_task(client.start(double.stand_in.token))
            try:
                async with asyncio.timeout(3):
                    while not double.stand_in.gateway.sessions:
                        await asyncio.sleep(0.01)
                assert client.shard_count == 1
            finally:
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)
                await client.close()
