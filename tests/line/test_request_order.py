"""Fifty tables deal at once: which request by the bot's token goes first.

The last table message is out within two seconds.
"""

from __future__ import annotations

import asyncio

import pytest

from bot.line.api import DiscordApi
from bot.line.failures import TryLater
from bot.line.request_queue import Priority, RequestLine
from bot.line.request_slots import BURST, REQUESTS_PER_SECOND
from tests.support.fake_client import FakeClient, api_of

TABLES, PLAYERS = 50, 6


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
    api = api_of(client, 100 * REQUESTS_PER_SECOND)
    api.slots.queue.hold_until(asyncio.get_running_loop().time() + 0.1)  # until all have asked
    async with asyncio.TaskGroup() as group:
        for table in range(1, TABLES + 1):
            group.create_task(deal(api, table))
    made = ["table" if "hand" in request.body else request.route for request in client.made]
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
    api = api_of(client, 10 * REQUESTS_PER_SECOND)
    async with asyncio.TaskGroup() as group:
        for table in range(40):
            group.create_task(api.send(RequestLine(table), table, {}))
    times = [request.at for request in client.made]
    assert times[-1] - times[0] >= (40 - BURST - 2) / (10 * REQUESTS_PER_SECOND)


async def test_cancelled_request_uses_no_slot() -> None:
    client = FakeClient()
    api = api_of(client, 0.5 * REQUESTS_PER_SECOND)
    waiting = [asyncio.create_task(api.send(RequestLine(1), table, {"n": table})) for table in range(20)]
    await asyncio.sleep(0)
    for task in waiting[BURST + 1 : -1]:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    assert len(client.made) == BURST + 2


async def test_request_that_outwaits_the_stop_is_given_up() -> None:
    client = FakeClient()
    api = api_of(client, REQUESTS_PER_SECOND)
    waiting = [asyncio.create_task(api.send(RequestLine(1), 1, {})) for _ in range(BURST + 2)]
    await asyncio.sleep(0)
    client.has_left = True
    ended = await asyncio.gather(*waiting, return_exceptions=True)
    assert isinstance(ended[-1], TryLater) and len(client.made) < BURST + 2
