"""Who is silent may have left the server; asking costs a request, so the dealer asks rarely."""

from __future__ import annotations

import asyncio

import pytest

from bot.line.request_queue import Priority, RequestLine, RequestQueue
from bot.surfaces.people.members import Members
from tests.e2e.movable_clock import MovableClock

CLUB, ANN = 1, 7


class FakeDiscordApi:
    """Knows no member of any server, and notes each look-up."""

    def __init__(self) -> None:
        self.slots = self
        self.queue = RequestQueue[asyncio.Future[None]](40, 5)
        self.asked: list[int] = []

    async def is_member(self, guild: int, user: int) -> bool:
        self.asked.append(user)
        return False


class FakeTables:
    """Notes who leaves."""

    def __init__(self) -> None:
        self.left: list[int] = []

    async def member_left(self, guild: int, user: int) -> None:
        self.left.append(user)


@pytest.fixture
def discord_api() -> FakeDiscordApi:
    return FakeDiscordApi()


def members_of(discord_api: FakeDiscordApi, clock: MovableClock) -> tuple[Members, list[int]]:
    tables = FakeTables()
    return Members(discord_api, tables, clock), tables.left  # type: ignore[arg-type]


async def test_silent_player_is_looked_up_once_in_ten_minutes(discord_api: FakeDiscordApi) -> None:
    clock = MovableClock()
    members, left = members_of(discord_api, clock)
    for _ in range(70):  # they think for eight seconds, again and again
        await members.look_up_silent(CLUB, ANN, missed_turn=False)
        clock.skip(8)
    assert left == [ANN] and len(discord_api.asked) == 1
    clock.skip(60)
    await members.look_up_silent(CLUB, ANN, missed_turn=False)
    assert len(discord_api.asked) == 2


async def test_nobody_is_looked_up_while_others_wait(discord_api: FakeDiscordApi) -> None:
    members, left = members_of(discord_api, MovableClock())
    loop = asyncio.get_running_loop()
    waiting = [
        discord_api.slots.queue.add(loop.create_future(), RequestLine(2), Priority.REDRAW, 0.0) for _ in range(21)
    ]  # half a second of them, and one more
    await members.look_up_silent(CLUB, ANN, missed_turn=False)
    assert not discord_api.asked
    discord_api.slots.queue.cancel(waiting[0])
    await members.look_up_silent(CLUB, ANN, missed_turn=False)
    assert left == [ANN]


async def test_player_who_missed_a_turn_is_looked_up_again(discord_api: FakeDiscordApi) -> None:
    members, _ = members_of(discord_api, MovableClock())
    for missed_turn in (False, False, True):
        await members.look_up_silent(CLUB, ANN, missed_turn=missed_turn)
    assert len(discord_api.asked) == 2


async def test_refused_dm_is_always_looked_into(discord_api: FakeDiscordApi) -> None:
    members, left = members_of(discord_api, MovableClock())
    for _ in range(2):
        assert await members.leave_if_gone(CLUB, ANN)
    assert left == [ANN, ANN]
