"""Channels of direct messages are opened slowly, and each only once in its life."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from cogs.ui.dm_channels import OPENED_TOO_FAST, ChannelsLimited, DmChannels
from cogs.ui.request_queue import RequestLine
from tests.e2e.movable_clock import MovableClock

CLUB = RequestLine(1)


class FakeDiscordApi:
    """Opens channel 1000 + user, or refuses with an error that Discord gives."""

    def __init__(self) -> None:
        self.asked: list[int] = []
        self.limited = False

    async def open_dm(self, line: RequestLine, user: int) -> int:
        self.asked.append(user)
        await asyncio.sleep(0)  # the answer takes its time
        if self.limited:
            response: Any = SimpleNamespace(status=400, reason="Bad Request")
            raise discord.HTTPException(response, {"code": OPENED_TOO_FAST, "message": "too fast"})
        return 1000 + user


class MemoryStorage(dict[str, bytes]):
    async def values(self, prefix: str) -> dict[str, bytes]:  # type: ignore[override]
        return {key: value for key, value in self.items() if key.startswith(prefix)}

    async def keep(self, key: str, value: bytes | None) -> None:
        if value is None:
            self.pop(key, None)
        else:
            self[key] = value


async def settle() -> None:
    """Let everything happen that needs no time."""
    for _ in range(20):
        await asyncio.sleep(0)


async def asked_after(seconds: float, clock: MovableClock, discord_api: FakeDiscordApi) -> int:
    """How many channels have been asked for after some seconds more."""
    clock.skip(seconds)
    await asyncio.sleep(0.01)  # the alarms ring
    await settle()
    return len(discord_api.asked)


async def test_six_channels_at_once_then_one_by_one() -> None:
    discord_api, clock, storage = FakeDiscordApi(), MovableClock(), MemoryStorage()
    channels = DmChannels(discord_api, storage, clock)  # type: ignore[arg-type]
    for user in range(8):
        channels.open_ahead(user, CLUB)
    assert [await asked_after(seconds, clock, discord_api) for seconds in (0, 2.5, 2.5)] == [6, 7, 8]
    again = DmChannels(discord_api, storage, clock)  # type: ignore[arg-type]
    await again.load()
    assert [await again.channel(user, CLUB) for user in range(8)] == [1000 + user for user in range(8)]
    assert len(discord_api.asked) == 8, "the next run asks for none of them"
    channels.close()


async def test_nobody_waits_long_for_a_channel() -> None:
    """Those whom the queue is too long for are told at once, and ask again when it has ended."""
    discord_api, clock = FakeDiscordApi(), MovableClock()
    channels = DmChannels(discord_api, MemoryStorage(), clock)  # type: ignore[arg-type]
    for user in range(14):
        channels.open_ahead(user, CLUB)
    await settle()
    with pytest.raises(ChannelsLimited):
        await channels.channel(99, CLUB)
    channels.call_when_possible(lambda: channels.open_ahead(99, CLUB))
    assert [await asked_after(2.5, clock, discord_api) for _ in range(9)] == [*range(7, 15), 15]
    assert 99 in discord_api.asked
    channels.close()


async def test_one_limit_pauses_once_and_a_second_longer() -> None:
    discord_api, clock = FakeDiscordApi(), MovableClock()
    channels = DmChannels(discord_api, MemoryStorage(), clock)  # type: ignore[arg-type]
    discord_api.limited = True
    for user in range(6):
        channels.open_ahead(user, CLUB)
    assert await asked_after(0, clock, discord_api) == 6, "they were on their way together"
    channels.open_ahead(7, CLUB)
    assert await asked_after(59, clock, discord_api) == 6
    clock.skip(1)
    channels.open_ahead(7, CLUB)
    assert await asked_after(0, clock, discord_api) == 7
    clock.skip(60)
    channels.open_ahead(7, CLUB)
    assert await asked_after(0, clock, discord_api) == 7, "the second pause is two minutes"
    clock.skip(60)
    discord_api.limited = False
    assert await channels.channel(7, CLUB) == 1007
    channels.close()


async def test_servers_take_turns_with_channels() -> None:
    """A crowd of newcomers sits down in one server; one newcomer in another server takes the next turn but one."""
    discord_api, clock, quiet = FakeDiscordApi(), MovableClock(), RequestLine(2)
    channels = DmChannels(discord_api, MemoryStorage(), clock)  # type: ignore[arg-type]
    for user in range(20):
        channels.open_ahead(user, CLUB)
    await settle()
    channels.open_ahead(99, quiet)
    for _ in range(2):
        await asked_after(2.5, clock, discord_api)
    assert discord_api.asked == [*range(7), 99]
    channels.close()
