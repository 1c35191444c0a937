"""What tables cost that wait for people for days: memory of each, and processor time while nobody acts.

First the whole bot, with a stand-in for Discord in a process of its own: the same tables awake, then asleep, then woken one by one. Then
the runtime alone, whose clock jumps: what it does in some hours. Goals for 1,000 tables: at most 10 MB of Python's objects, and 0.1 % of a
core; it says MISSED where it takes more.

    python -m tests.benchmarks.bench_waiting [--tables 1000] [--hours 1] [--seconds 30]
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import tempfile
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec.structs import replace

from bot import variants
from bot.dealer import Dealer
from bot.operation.runner import run_event_loop
from bot.runtime.request import Request
from bot.runtime.sessions import Sessions
from bot.runtime.table_settings import NewTableRequest, default_table_settings
from bot.runtime.tables import HEARTBEAT_MS
from bot.surfaces.part import Part
from bot.surfaces.table import pace
from bot.table.commands import TakeSeat
from bot.table.settings import ChipKind, with_starting_stack
from tests.benchmarks.bench_clicks import make_place
from tests.benchmarks.clicking_bots import Place, playing_dealer
from tests.e2e.movable_clock import MovableClock
from tests.runtime.evening import Evening, settings
from tests.support.stand_in_process import StandInProcess, stand_in_process

GOAL_KB_PER_TABLE = 10.0
GOAL_PERCENT_PER_1000 = 0.1
PLAYERS = 3
TABLES_EACH, WARM = 10, 5


async def open_table(evening: Evening, number: int) -> None:
    """Open a table of table chips whose turns last a day, and seat its people: the hand begins at once."""
    chosen = settings(chips=ChipKind.TABLE, pause_seconds=0)
    chosen = replace(chosen, stakes=replace(chosen.stakes, turn_seconds=86_400))
    first = 1_000_000 + PLAYERS * number
    request = replace(evening.request("Ann", channel=10_000 + number), user=first)
    table = (await evening.tables.open(request, with_starting_stack(chosen))).snapshot.id
    for seat in range(1, PLAYERS + 1):
        user, name = first + seat - 1, f"Player {seat}"
        asked = replace(request, key=f"{number}.{seat}", user=user, name=name, table=table)
        await evening.tables.ask(asked, TakeSeat(user, name, 10_000, seat))
    evening.updates.clear()


async def measure(tables: int, hours: float) -> tuple[float, float]:
    """Return kB of each table, and percent of a core while all of them wait."""
    with tempfile.TemporaryDirectory() as folder:
        evening = await Evening(Path(folder)).begin()
        await open_table(evening, 0)  # what all of them share
        await evening.wait(1)
        gc.collect()
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        for number in range(1, tables + 1):
            await open_table(evening, number)
        await evening.wait(120 + tables / 2)  # all of them fall asleep
        evening.updates.clear()
        gc.collect()
        kilobytes = (tracemalloc.get_traced_memory()[0] - before) / 1024 / tables
        tracemalloc.stop()
        assert all(one.is_asleep and one.brief.hand_running for one in evening.sessions.values())
        begun = time.process_time()
        await evening.wait(3600 * hours)
        percent = 100 * (time.process_time() - begun) / (3600 * hours)
        await evening.tables.drain()
        await evening.store.close()
        return kilobytes, percent


async def place_of(discord: StandInProcess, tables: int) -> Place:
    """Add a channel for each table, and the people who sit there."""
    place = await make_place(discord, 1 + tables // TABLES_EACH, PLAYERS)
    more = range(len(place.channels), tables)
    place.channels.extend([int((await discord.call("add_channel", name=f"table-{number}"))["id"]) for number in more])
    return place


@contextmanager
def redraws_at_once() -> Iterator[None]:
    """Nothing waits for the pauses between redraws, as it does while tables are opened: that is not measured."""
    before, pace.EDIT_SECONDS = pace.EDIT_SECONDS, 0.0
    yield
    pace.EDIT_SECONDS = before


async def open_tables_of_bot(dealer: Dealer, place: Place, first: int, last: int) -> None:
    """Open tables in channels of a server. Each person sits at ten of them."""
    staff = Request(key="rules", guild=place.guild, channel=place.channels[0], user=place.users[0], staff=True)
    rules = await dealer.bank.change_house_rules(staff, opening_grant=10**8, nudge_seconds=-1)
    chosen = default_table_settings(variants.game("holdem"), rules, NewTableRequest(seats=PLAYERS))
    chosen = replace(chosen, pause_seconds=0, stakes=replace(chosen.stakes, turn_seconds=86_400))
    for table in range(first, last):
        channel, users = place.channels[table], place.users_of(table // TABLES_EACH)
        asked = Request(key=f"o{channel}", guild=place.guild, channel=channel, user=users[0], name="Host")
        opened = (await dealer.tables.open(asked, chosen)).snapshot.id
        for seat, user in enumerate(users, 1):
            who = replace(asked, key=f"s{channel}.{seat}", user=user, name=f"Player {seat}", table=opened)
            await dealer.tables.ask(who, TakeSeat(user, who.name, 10_000, seat))
        await settle(dealer)


async def settle(dealer: Dealer) -> None:
    for part in dealer.parts.of(Part):
        await part.wait_until_idle()


async def fall_asleep(dealer: Dealer, clock: MovableClock) -> None:
    """Let time pass until all tables sleep, and what is shown of them."""
    sessions = dealer.parts.get(Sessions)
    for _ in range(20 + len(sessions)):
        clock.skip(HEARTBEAT_MS / 1000)
        await asyncio.sleep(0.002)
        if all(session.is_asleep for session in sessions.values()):
            break
    clock.skip(3600)  # no click's token edits anything then
    await asyncio.sleep(0.1)
    await dealer.store.finish_spare_time_work()  # what the opening of so many tables has left
    http = dealer.client.http
    for bucket in http._buckets.values():  # discord.py forgets these itself, five minutes after the last request
        bucket._last_request -= 600
    http._try_clear_expired_ratelimits()


async def percent_of_a_core(seconds: float) -> float:
    """Return how much of a core this process takes while nobody does anything."""
    begun = time.process_time()
    await asyncio.sleep(seconds)
    return 100 * (time.process_time() - begun) / seconds


async def measure_bot(tables: int, seconds: float) -> dict[str, float]:
    """Return kB of each table awake and asleep, ms of processor time to wake, and percent of a core while all sleep, and before."""
    async with stand_in_process(Path(tempfile.mkdtemp(prefix="waiting-"))) as discord:
        place = await place_of(discord, WARM + tables)
        clock, folder = MovableClock(), Path(tempfile.mkdtemp(prefix="waiting-"))
        async with playing_dealer(discord.ready, folder, place, dms=True, clock=clock, plays=False) as dealer:
            with redraws_at_once():
                await open_tables_of_bot(dealer, place, 0, WARM)  # what all of them share
            await fall_asleep(dealer, clock)
            gc.collect()
            idle = await percent_of_a_core(seconds)
            tracemalloc.start()
            before = tracemalloc.get_traced_memory()[0]
            sessions = dealer.parts.get(Sessions)
            sessions.put_to_sleep = lambda _now: ()  # type: ignore[method-assign]
            with redraws_at_once():
                await open_tables_of_bot(dealer, place, WARM, WARM + tables)
            gc.collect()
            awake = tracemalloc.get_traced_memory()[0] - before
            del sessions.put_to_sleep
            await fall_asleep(dealer, clock)
            gc.collect()
            asleep = tracemalloc.get_traced_memory()[0] - before
            tracemalloc.stop()
            asleep_count = sum(session.is_asleep for session in sessions.values())
            percent = await percent_of_a_core(seconds)
            begun = time.process_time()
            for snapshot in dealer.tables.all_tables():
                assert snapshot.hand_running
            wake_ms = 1000 * (time.process_time() - begun) / len(sessions)
    each = 1024 * tables
    return {
        "awake": awake / each,
        "asleep": asleep / each,
        "percent": percent,
        "idle": idle,
        "wake_ms": wake_ms,
        "share": asleep_count / len(sessions),
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--tables", type=int, default=1_000)
    options.add_argument("--hours", type=float, default=1.0)
    options.add_argument("--seconds", type=float, default=30.0)
    asked = options.parse_args()
    bot = run_event_loop(measure_bot(asked.tables, asked.seconds))
    print(f"the whole bot, {asked.tables} tables, {bot['share']:.0%} of them asleep")
    print(f"memory of a table awake: {bot['awake']:.1f} kB; asleep: {bot['asleep'] / bot['awake']:.2f} × that")
    say("memory of a table asleep", bot["asleep"], GOAL_KB_PER_TABLE, "kB")
    print(f"processor of the bot with {WARM} tables that sleep: {bot['idle']:.3f} % of a core")
    say("processor while all sleep", bot["percent"], GOAL_PERCENT_PER_1000, "% of a core")
    print(f"to wake: {bot['wake_ms']:.2f} ms of processor time")
    kilobytes, percent = asyncio.run(measure(asked.tables, asked.hours))
    print("the runtime alone, all asleep")
    say("memory of a table", kilobytes, GOAL_KB_PER_TABLE, "kB")
    say("processor", percent, GOAL_PERCENT_PER_1000, "% of a core")


def say(text: str, found: float, goal: float, unit: str) -> None:
    print(f"{text}: {found:.3f} {unit}, goal {goal:g}{'' if found <= goal else '  MISSED'}")


if __name__ == "__main__":
    main()
