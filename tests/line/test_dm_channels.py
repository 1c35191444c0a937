"""Channels of direct messages are opened slowly, and each only once in its life."""

from __future__ import annotations

import asyncio

import pytest

from bot.line import dm_channels
from bot.line.dm_channels import DmChannels
from bot.line.failures import OPENED_TOO_FAST, ChannelsLimited
from bot.line.request_queue import RequestLine
from bot.runtime.store_errors import StoreFailed
from tests.e2e.movable_clock import MovableClock
from tests.support.fake_client import FakeClient, api_of

CLUB = RequestLine(1)


class MemoryStorage(dict[str, bytes]):
    async def value(self, key: str) -> bytes | None:
        return self.get(key)

    async def values(self, prefix: str) -> dict[str, bytes]:  # type: ignore[override]
        return {key: value for key, value in self.items() if key.startswith(prefix)}

    async def keep(self, key: str, value: bytes | None) -> None:
        if value is None:
            self.pop(key, None)
        else:
            self[key] = value


def asked_of(client: FakeClient) -> list[int]:
    """The people whose channels have been asked for."""
    return [request.body["recipient_id"] for request in client.made]


async def settle() -> None:
    """Let everything happen that needs no time."""
    for _ in range(20):
        await asyncio.sleep(0)


async def asked_after(seconds: float, clock: MovableClock, client: FakeClient) -> int:
    """How many channels have been asked for after some seconds more."""
    clock.skip(seconds)
    await asyncio.sleep(0.01)  # the alarms ring
    await settle()
    return len(asked_of(client))


async def test_six_channels_at_once_then_one_by_one() -> None:
    client, clock, storage = FakeClient(), MovableClock(), MemoryStorage()
    channels = DmChannels(api_of(client), storage, clock)
    for user in range(8):
        channels.open_ahead(user, CLUB)
    assert [await asked_after(seconds, clock, client) for seconds in (0, 2.5, 2.5)] == [6, 7, 8]
    again = DmChannels(api_of(client), storage, clock)
    await again.load()
    assert [await again.channel(user, CLUB) for user in range(8)] == [1000 + user for user in range(8)]
    assert len(asked_of(client)) == 8, "the next run asks for none of them"
    channels.close()


async def test_nobody_waits_long_for_a_channel() -> None:
    """Those whom the queue is too long for are told at once, and ask again when it has ended."""
    client, clock = FakeClient(), MovableClock()
    channels = DmChannels(api_of(client), MemoryStorage(), clock)
    for user in range(14):
        channels.open_ahead(user, CLUB)
    await settle()
    with pytest.raises(ChannelsLimited):
        await channels.channel(99, CLUB)
    channels.call_when_possible(lambda: channels.open_ahead(99, CLUB))
    assert [await asked_after(2.5, clock, client) for _ in range(9)] == [*range(7, 15), 15]
    assert 99 in asked_of(client)
    channels.close()


async def test_who_waits_for_a_channel_is_not_promised_it_soon() -> None:
    """Ten newcomers sit down one after the other: six have their channel at once, one more within three seconds."""
    client, clock = FakeClient(), MovableClock()
    channels = DmChannels(api_of(client), MemoryStorage(), clock)
    promised = []
    for user in range(10):
        promised.append(channels.is_open_soon(user))
        channels.open_ahead(user, CLUB)
        await settle()
    assert promised == [True] * 7 + [False] * 3
    await asked_after(2.5, clock, client)
    assert channels.is_open_soon(6) and not channels.is_open_soon(9)
    channels.close()


async def test_one_limit_pauses_once_and_a_second_longer() -> None:
    client, clock = FakeClient(), MovableClock()
    channels = DmChannels(api_of(client), MemoryStorage(), clock)
    client.refuses = (400, OPENED_TOO_FAST)
    for user in range(6):
        channels.open_ahead(user, CLUB)
    assert await asked_after(0, clock, client) == 6, "they were on their way together"
    channels.open_ahead(7, CLUB)
    assert await asked_after(59, clock, client) == 6
    clock.skip(1)
    channels.open_ahead(7, CLUB)
    assert await asked_after(0, clock, client) == 7
    clock.skip(60)
    channels.open_ahead(7, CLUB)
    assert await asked_after(0, clock, client) == 7, "the second pause is two minutes"
    clock.skip(60)
    client.refuses = None
    assert await channels.channel(7, CLUB) == 1007
    channels.close()


async def test_servers_take_turns_with_channels() -> None:
    """A crowd of newcomers sits down in one server; one newcomer in another server takes the next turn but one."""
    client, clock, quiet = FakeClient(), MovableClock(), RequestLine(2)
    channels = DmChannels(api_of(client), MemoryStorage(), clock)
    for user in range(20):
        channels.open_ahead(user, CLUB)
    await settle()
    channels.open_ahead(99, quiet)
    for _ in range(2):
        await asked_after(2.5, clock, client)
    assert asked_of(client) == [*range(7), 99]
    channels.close()


async def test_channels_that_wait_are_counted_and_logged_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    """Ten newcomers play on for a while without a channel: that is one line a minute, and not one for each of them and hand."""
    caplog.set_level("INFO")
    client, clock = FakeClient(), MovableClock()
    channels = DmChannels(api_of(client), MemoryStorage(), clock)
    client.refuses = (400, OPENED_TOO_FAST)
    for _hand in range(7):
        for user in range(10):
            channels.open_ahead(user, CLUB)
        await settle()
        clock.skip(10)
    assert (channels.measures.put_off, channels.measures.opened) == (70, 0)
    lines = [record for record in caplog.records if record.message == "dm_channels_not_opened"]
    assert [vars(line)["times"] for line in lines] == [1, 60]
    channels.close()


class SharedTokens:
    """The bucket of a bot of several processes."""

    def __init__(self, tokens: int) -> None:
        self.tokens, self.is_away, self.held = tokens, False, 0.0

    async def take(self, most: int) -> int:
        if self.is_away:
            raise StoreFailed(reason="the database is away")
        given = min(most, self.tokens)
        self.tokens -= given
        return given

    async def hold(self, seconds: float) -> None:
        self.tokens, self.held = 0, seconds


async def test_channel_that_another_process_opened_is_used() -> None:
    clients, clock, storage, bucket = (FakeClient(), FakeClient()), MovableClock(), MemoryStorage(), SharedTokens(5)
    one, other = (DmChannels(api_of(client), storage, clock, bucket) for client in clients)
    await other.load()
    assert await one.channel(7, CLUB) == await other.channel(7, CLUB) == 1007
    assert asked_of(clients[0]) == [7] and asked_of(clients[1]) == [] and bucket.tokens == 4
    one.close()
    other.close()


async def test_processes_open_no_more_channels_than_one_could(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dm_channels, "PAUSE_MS", 10)
    client, clock, bucket = FakeClient(), MovableClock(), SharedTokens(0)
    channels = DmChannels(api_of(client), MemoryStorage(), clock, bucket)
    opening = asyncio.create_task(channels.channel(7, CLUB))
    await asyncio.sleep(0.05)
    assert asked_of(client) == []
    bucket.tokens = 1
    assert await opening == 1007
    opening = asyncio.create_task(channels.channel(8, CLUB))
    await asyncio.sleep(0.05)
    clock.skip(30)
    with pytest.raises(ChannelsLimited):
        await opening
    bucket.is_away = True
    with pytest.raises(ChannelsLimited):
        await channels.channel(9, CLUB)
    channels.close()


async def test_limit_that_one_process_meets_holds_all() -> None:
    client, clock, bucket = FakeClient(), MovableClock(), SharedTokens(3)
    channels = DmChannels(api_of(client), MemoryStorage(), clock, bucket)
    client.refuses = (400, OPENED_TOO_FAST)
    with pytest.raises(ChannelsLimited):
        await channels.channel(7, CLUB)
    await channels.tasks.finish(1)
    assert bucket.tokens == 0 and bucket.held == dm_channels.AFTER_LIMIT_MS / 1000
    channels.close()
