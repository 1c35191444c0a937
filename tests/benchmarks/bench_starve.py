"""How long a quiet server waits for its cards while another server has 250 busy tables: the real bot at its own pace, Discord's limits on.

At each of the busy tables somebody acts every three seconds, which is far more than the bot's requests can show: table messages, DMs,
nudges, redraws. The quiet server's one table deals a hand every two seconds. Time is taken from the deal until the stand-in, a process of
its own, gets the request. The same is measured with the old queue, first come, first served. Goal: at most half a second.

    python -m tests.benchmarks.bench_starve [--tables 250] [--seconds 20]
"""

from __future__ import annotations

import argparse
import asyncio
import heapq
import itertools
import logging
import random
import re
import statistics
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.dealer import Dealer
from bot.engine.commands import Fold
from bot.line.dm_channels import DmChannels
from bot.line.request_queue import Priority, RequestLine, RequestQueue, Ticket
from bot.line.request_slots import BURST, REQUESTS_PER_SECOND
from bot.operation.runner import run_event_loop
from bot.runtime.request import Request
from bot.runtime.snapshot import TableUpdate
from bot.table.settings import Nudge
from tests.benchmarks.bench_clicks import make_place
from tests.benchmarks.clicking_bots import SEATS, Place, open_tables, playing_dealer
from tests.support.stand_in_process import StandInProcess, stand_in_process

TABLES, SECONDS = 250, 20.0
THINK_SECONDS, QUIET_HAND_SECONDS = 3.0, 2.0
GOAL_SECONDS = 0.5
HAND = re.compile(r"Hand #(\d+)")


class FirstComeQueue(RequestQueue[Any]):
    """The queue before servers took turns: table messages, then all others in the order in which they came, redraws five seconds later."""

    def __init__(self) -> None:
        super().__init__(REQUESTS_PER_SECOND, BURST)
        self._heap: list[tuple[bool, float, int, Ticket[Any]]] = []
        self._count = itertools.count()

    def add(self, item: Any, line: RequestLine, priority: Priority, now: float) -> Ticket[Any]:
        ticket = Ticket(item, line, priority, now, next(self._count))
        later = {Priority.REDRAW: 5.0, Priority.BACKGROUND: 60.0}.get(priority, 0.0)
        heapq.heappush(self._heap, (priority is not Priority.TABLE, now + later, ticket.number, ticket))
        self._size += 1
        return ticket

    def cancel(self, ticket: Ticket[Any]) -> None:
        if ticket.waits:
            ticket.waits = False
            self._size -= 1

    def take(self, now: float) -> Ticket[Any] | None:
        self._next_at = max(self._next_at, now - self._burst / self.per_second)
        while self._size and self._next_at <= now:
            ticket = heapq.heappop(self._heap)[3]
            if ticket.waits:
                self._next_at += 1 / self.per_second
                self.cancel(ticket)
                return ticket
        return None


async def quiet_place(discord: StandInProcess, owner: str) -> Place:
    """Add another server with one channel and six people."""
    guild = (await discord.call("add_guild", name="Quiet", owner=owner))["id"]
    channel = int((await discord.call("add_channel", name="table", guild=guild))["id"])
    people = [
        int((await discord.call("add_person", name=f"Quiet {number}", guild=guild))["id"]) for number in range(SEATS)
    ]
    dms = [int(await discord.call("dm_channel", person=str(user))) for user in people]
    return Place(int(guild), [channel], people, dms)


@asynccontextmanager
async def busy_dealer(
    tables: int, queue: RequestQueue[Any] | None
) -> AsyncIterator[tuple[Dealer, StandInProcess, Place]]:
    """The dealer with a crowd of tables that deal and play, and a quiet server."""
    with tempfile.TemporaryDirectory() as folder:
        async with stand_in_process(Path(folder) / "discord", limits=True) as discord:
            crowd = await make_place(discord, tables)
            quiet = await quiet_place(discord, str(crowd.users[0]))
            rate: dict[str, Any] = {"dms": True, "requests_per_second": REQUESTS_PER_SECOND}
            none = Place(crowd.guild, crowd.channels[:1], crowd.users[:SEATS], crowd.dm_channels[:SEATS])
            async with playing_dealer(discord.ready, Path(folder) / "data", none, **rate) as dealer:
                for user, channel in zip(crowd.users + quiet.users, crowd.dm_channels + quiet.dm_channels, strict=True):
                    dealer.parts.get(DmChannels)._channels[user] = channel
                await open_tables(dealer, quiet, 0)
                await dealer.services.display.wait_until_idle()
                if queue is not None:
                    dealer.services.discord_api.slots.queue = queue
                others = Place(crowd.guild, crowd.channels[1:], crowd.users[SEATS:], crowd.dm_channels[SEATS:])
                await open_tables(dealer, others, 0, Nudge.AT_ONCE)
                yield dealer, discord, quiet


async def play_slowly(dealer: Dealer, table: int, dice: random.Random) -> None:
    """Let whoever is to act fold every few seconds, without a click, as practice players and clocks do."""
    await asyncio.sleep(THINK_SECONDS * dice.random())
    for move in itertools.count():
        snapshot = dealer.tables.snapshot(table)
        turn, where = snapshot.current_turn, snapshot.address
        if turn is not None:
            key = f"crowd{table}-{move}"
            await dealer.tables.ask(
                Request(key=key, guild=where.guild, channel=where.channel, user=turn.user, table=table), Fold()
            )
        await asyncio.sleep(THINK_SECONDS * (0.5 + dice.random()))


async def deal_quietly(dealer: Dealer, table: int, seconds: float) -> dict[int, float]:
    """Let the quiet table play a hand every two seconds. Returns when each was dealt, on this process's clock."""
    dealt_at: dict[int, float] = {}
    show = dealer.services.display.on_update

    def on_change(change: TableUpdate) -> None:
        if change.snapshot.id == table and change.users_with_new_cards:
            dealt_at.setdefault(change.snapshot.hand_number, time.monotonic())
        show(change)

    dealer.services.display.on_update = on_change  # type: ignore[method-assign]
    for _ in range(int(seconds / QUIET_HAND_SECONDS)):
        await fold_one_hand(dealer, table)
        await asyncio.sleep(QUIET_HAND_SECONDS)
    return dealt_at


async def fold_one_hand(dealer: Dealer, table: int) -> None:
    """Let everybody of the hand fold; the next one is dealt at once."""
    hand = dealer.tables.snapshot(table).hand_number
    while (snapshot := dealer.tables.snapshot(table)).hand_number == hand:
        turn, where = snapshot.current_turn, snapshot.address
        if turn is None:
            await asyncio.sleep(0.001)
            continue
        key = f"quiet{table}-{snapshot.seq}"
        asked = Request(key=key, guild=where.guild, channel=where.channel, user=turn.user, table=table)
        await dealer.tables.ask(asked, Fold())


async def measure(tables: int, seconds: float, queue: RequestQueue[Any] | None) -> dict[str, Any]:
    """Return the delays of the quiet server's table messages and DMs, in seconds, and what went through in all."""
    async with busy_dealer(tables, queue) as (dealer, discord, quiet):
        (quiet_table,) = [each.id for each in dealer.tables.all_tables() if each.address.guild == quiet.guild]
        dice = random.Random(1)
        players = [
            asyncio.create_task(play_slowly(dealer, each.id, dice))
            for each in dealer.tables.all_tables()
            if each.id != quiet_table
        ]
        await asyncio.sleep(THINK_SECONDS)
        before = time.monotonic()
        offset = await discord.call("now") - (before + time.monotonic()) / 2
        await discord.call("set_recording", on=True)
        began, longest = time.monotonic(), 0.0
        dealt_at = await deal_quietly(dealer, quiet_table, seconds)
        waiting, ended = len(dealer.services.discord_api.slots.queue), time.monotonic()
        records = await discord.call("request_records")
        for player in players:
            player.cancel()
        found = await asyncio.gather(*players, return_exceptions=True)
        assert all(isinstance(each, asyncio.CancelledError) for each in found), found
    by_bot = [each for each in records if "/callback" not in each["path"] and not each["path"].startswith("/webhooks/")]
    assert all(each["status"] != 429 for each in by_bot), "Discord refused requests"
    arrived = {channel: hands_in(by_bot, channel, offset) for channel in (*quiet.channels, *quiet.dm_channels)}
    delays: dict[str, list[float]] = {"table message": [], "DM": []}
    missing = 0
    for hand, at in dealt_at.items():
        for channel, hands in arrived.items():
            when = min([seen for number, seen in hands if number >= hand], default=None)
            missing += when is None
            delays["table message" if channel in quiet.channels else "DM"].append((when or ended) - at)
    return {
        "delays": delays,
        "missing": missing,
        "waiting": waiting,
        "per_second": len(by_bot) / (ended - began),
        "longest": longest,
    }


def hands_in(records: list[dict[str, Any]], channel: int, offset: float) -> list[tuple[int, float]]:
    """Return the hands whose messages came to a channel, and when, on this process's clock."""
    found = []
    for record in records:
        if record["path"].startswith(f"/channels/{channel}/messages") and record["method"] in ("POST", "PATCH"):
            shown = HAND.search(str(record["request_body"]))
            if shown is not None:
                found.append((int(shown[1]), record["at"] - offset))
    return found


def main(tables: int, seconds: float) -> None:
    """Measure and print both queues."""
    logging.getLogger("bot.runtime").setLevel(logging.ERROR)
    print(
        f"one server with {tables} busy tables beside a server with one, {seconds:.0f} s, {REQUESTS_PER_SECOND} requests/s"
    )
    for name, queue in (("servers take turns", None), ("first come, first served", FirstComeQueue)):
        found = run_event_loop(measure(tables, seconds, queue() if queue is not None else None))
        print(
            f"  {name}: {found['per_second']:.1f} requests/s by the bot's token, {found['waiting']} waiting at the end"
        )
        for kind, delays in found["delays"].items():
            goal = "" if queue is not None else f" (goal at most {GOAL_SECONDS} s)"
            print(
                f"    the quiet server's {kind:14} mean {statistics.mean(delays):6.2f}  max {max(delays):6.2f} s{goal}"
            )
        if found["missing"]:
            print(f"    {found['missing']} of them had not arrived at the end")


@pytest.mark.bench
def test_quiet_server_beside_a_crowd() -> None:
    """The figures are printed and not judged: a busy machine is slow."""
    main(TABLES, SECONDS)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    chosen = parser.parse_args()
    main(chosen.tables, chosen.seconds)
