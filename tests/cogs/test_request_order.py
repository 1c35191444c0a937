"""Fifty tables deal at once: which request by the bot's token goes first.

The last table message is out within two seconds.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cogs.ui.discord_api import BURST, REQUESTS_PER_SECOND, DiscordApi
from cogs.ui.request_queue import Priority, RequestLine

TABLES, PLAYERS = 50, 6


class FakeHttp:
    """Notes each request and when it was made."""

    def __init__(self) -> None:
        self.made: list[tuple[str, float]] = []

    async def request(self, route: Any, **how: Any) -> dict[str, str]:
        kind = "table" if "hand" in how["json"] else f"{route.method} {route.path}"
        self.made.append((kind, asyncio.get_running_loop().time()))
        return {"id": "1"}


class FakeClient:
    def __init__(self) -> None:
        self.http = FakeHttp()
        self.has_left = False

    def is_closed(self) -> bool:
        return self.has_left


def api_of(client: FakeClient, speed: float = 1.0) -> DiscordApi:
    return DiscordApi(client, speed * REQUESTS_PER_SECOND)  # type: ignore[arg-type]


async def deal(api: DiscordApi, table: int) -> None:
    """A table's redraw is due; then it deals in a server of its own: six DMs to new players, and the message of the new hand."""

    line = RequestLine(table)

    async def direct_message(user: int) -> None:
        await api.send(line, await api.open_dm(line, user), {"for": user})

    async with asyncio.TaskGroup() as group:
        group.create_task(api.edit(line, table, 1, {}))
        for player in range(PLAYERS):
            group.create_task(direct_message(100 * table + player))
        group.create_task(api.send(line, table, {"hand": table}, Priority.TABLE))


async def test_fifty_table_messages_are_out_within_two_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    """At forty requests a second. Time runs a hundred times as fast here, and the result is in requests."""
    client = FakeClient()
    api = api_of(client, speed=100)
    api.queue.hold_until(asyncio.get_running_loop().time() + 0.1)  # until all have asked
    async with asyncio.TaskGroup() as group:
        for table in range(1, TABLES + 1):
            group.create_task(deal(api, table))
    made = [what for what, _ in client.http.made]
    assert len(made) == TABLES * (2 * PLAYERS + 2)
    last = max(index for index, what in enumerate(made) if what == "table")
    seconds = (last + 1) / REQUESTS_PER_SECOND
    with capsys.disabled():
        print(f"50 tables deal at once: the last of their messages is request {last + 1}, after {seconds:.2f} s")
    assert seconds < 2
    redraws = [what for what in made if what.startswith("PATCH")]
    assert redraws == made[-len(redraws) :], "redraws go after the DMs"


async def test_requests_keep_to_the_rate_after_a_burst() -> None:
    client = FakeClient()
    api = api_of(client, speed=10)
    async with asyncio.TaskGroup() as group:
        for table in range(40):
            group.create_task(api.send(RequestLine(table), table, {}))
    times = [at for _, at in client.http.made]
    assert times[-1] - times[0] >= (40 - BURST - 2) / (10 * REQUESTS_PER_SECOND)


async def test_cancelled_request_uses_no_slot() -> None:
    client = FakeClient()
    api = api_of(client, speed=0.5)
    waiting = [asyncio.create_task(api.send(RequestLine(1), table, {"n": table})) for table in range(20)]
    await asyncio.sleep(0)
    for task in waiting[BURST + 1 : -1]:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    assert len(client.http.made) == BURST + 2


async def test_request_that_outwaits_the_stop_is_given_up() -> None:
    client = FakeClient()
    api = api_of(client, speed=10)
    waiting = [asyncio.create_task(api.send(RequestLine(1), 1, {})) for _ in range(BURST + 2)]
    await asyncio.sleep(0)
    client.has_left = True
    ended = await asyncio.gather(*waiting, return_exceptions=True)
    assert isinstance(ended[-1], OSError) and len(client.http.made) < BURST + 2
