"""Several dealers keep to Discord's limit together: 40 requests a second by the bot's token on average, never above 50 in any second.

Each dealer is a process of its own with its own queue and connection, and a busy server that asks for three times what it can have. They
share a PostgreSQL server in a temporary folder. In turn: all of them are busy; one falls silent; in that one a quiet server asks now and
then, by itself and for a deal of ten; the database is restarted while all are busy.

    python -m tests.benchmarks.bench_limits [--processes 4] [--seconds 60]
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import random
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import msgspec
import pytest

from bot.line.request_queue import Priority, RequestLine
from bot.line.request_slots import BURST, REQUESTS_PER_SECOND, RequestSlots
from bot.line.shared_allowance import SharedAllowance
from bot.operation.runner import run_event_loop
from tests.support.postgres import postgres_server, restart, what_is_missing

PROCESSES, SECONDS = 4, 60.0
TIMES_THE_LIMIT = 3
DISCORD_ALLOWS = 50
GOAL_USED, GOAL_WAIT = 38, 0.5
SCHEMA = "house"
CROWD, QUIET = RequestLine(1), RequestLine(2)
QUIET_EVERY, DEAL = 1.5, 10


class Told(msgspec.Struct):
    """What a process tells: when its requests went, on the clock of all processes, and how long the quiet server's waited."""

    went: list[float]
    alone: list[float]
    deals: list[float]


class Phase(NamedTuple):
    """A part of the measurement. `first`: what the first process does."""

    name: str
    first: str = "crowd"
    restarts: bool = False


PHASES = (
    Phase("all are busy"),
    Phase("one falls silent", "silent"),
    Phase("a quiet server in that one", "quiet"),
    Phase("the database is restarted", restarts=True),
)


async def deal(address: str, what: str, processes: int, begins_at: float, seconds: float) -> Told:
    """Be one of the dealers."""
    from bot.store.postgres.buckets import RequestTokens

    tokens = RequestTokens(address, SCHEMA, REQUESTS_PER_SECOND, BURST)
    await tokens.take(0)
    allowance = SharedAllowance(tokens, processes, REQUESTS_PER_SECOND, BURST)
    slots = RequestSlots(allowance=allowance)
    slots.open()
    told = Told([], [], [])
    await asyncio.sleep(begins_at - time.monotonic())

    async def ask(line: RequestLine, waits: list[float] | None = None) -> None:
        asked_at = time.monotonic()
        await slots.wait(line, Priority.REDRAW)
        told.went.append(time.monotonic())
        if waits is not None:
            waits.append(told.went[-1] - asked_at)

    async def crowd() -> None:
        while True:
            asking.append(asyncio.create_task(ask(CROWD)))
            await asyncio.sleep(random.expovariate(TIMES_THE_LIMIT * REQUESTS_PER_SECOND / processes))

    async def quiet() -> None:
        while True:
            await ask(QUIET, told.alone)
            await asyncio.sleep(QUIET_EVERY * random.uniform(0.5, 1.5))
            waits: list[float] = []
            await asyncio.gather(*[ask(QUIET, waits) for _ in range(DEAL)])
            told.deals.append(max(waits))
            await asyncio.sleep(QUIET_EVERY * random.uniform(0.5, 1.5))

    asking: list[asyncio.Task[None]] = []
    if what != "silent":
        asking.append(asyncio.create_task(crowd() if what == "crowd" else quiet()))
    await asyncio.sleep(begins_at + seconds - time.monotonic())
    for task in asking:
        task.cancel()
    await asyncio.gather(*asking, return_exceptions=True)
    await slots.close()
    return told


def most_in_a_second(went: list[float]) -> int:
    """Return how many went in the fullest second, wherever it begins."""
    first = most = 0
    for last, at in enumerate(went):
        while went[first] <= at - 1:
            first += 1
        most = max(most, last - first + 1)
    return most


@contextmanager
def dealers(
    address: str, phase: Phase, processes: int, begins_at: float, seconds: float
) -> Iterator[list[subprocess.Popen[bytes]]]:
    program = (
        sys.executable,
        "-m",
        "tests.benchmarks.bench_limits",
        "--address",
        address,
        "--processes",
        str(processes),
    )
    when = ("--at", str(begins_at), "--seconds", str(seconds))
    started = [
        subprocess.Popen((*program, *when, "--does", phase.first if number == 0 else "crowd"), stdout=subprocess.PIPE)
        for number in range(processes)
    ]
    try:
        yield started
    finally:
        for process in started:
            process.kill()
            process.wait()


def measure(address: str, phase: Phase, processes: int, seconds: float) -> list[Told]:
    """Let all dealers go through a phase together. Returns what each tells."""
    begins_at = time.monotonic() + 2.0 + processes / 2
    with dealers(address, phase, processes, begins_at, seconds) as started:
        if phase.restarts:
            time.sleep(begins_at + seconds / 2 - time.monotonic())
            restart(address)
        told = [msgspec.json.decode(process.communicate()[0], type=Told) for process in started]
        assert not any(process.returncode for process in started)
    return told


def describe(phase: Phase, told: list[Told], seconds: float) -> bool:
    """Print what came of a phase. Returns whether the goals are met."""
    went = sorted([at for one in told for at in one.went])
    used, most = len(went) / seconds, most_in_a_second(went)
    shares = " ".join([f"{len(one.went) / seconds:.1f}" for one in told])
    met = most <= DISCORD_ALLOWS and (phase.restarts or used >= GOAL_USED)
    print(f"  {phase.name:28} {used:5.1f} requests/s ({shares}), at most {most} in any second of {DISCORD_ALLOWS}")
    if alone := told[0].alone:
        met &= max(alone) <= GOAL_WAIT
        deals = told[0].deals or [0.0]
        print(
            f"    its requests waited {middle(alone):.3f} s, {max(alone):.3f} at most (goal {GOAL_WAIT}), {len(alone)} of them;"
        )
        print(f"    the last of a deal of {DEAL} {middle(deals):.2f} s, {max(deals):.2f} at most")
    return met


def middle(values: Iterable[float]) -> float:
    ordered = sorted(values)
    return ordered[len(ordered) // 2]


async def make(address: str) -> None:
    from bot.store.postgres.house import House

    house = House(address, SCHEMA)
    await house.open()
    await house.close()


def main(processes: int, seconds: float) -> bool:
    """Measure every phase. Returns whether all goals are met."""
    if missing := what_is_missing():
        print(missing)
        return True
    print(
        f"{processes} processes, each asks {TIMES_THE_LIMIT} times its share of {REQUESTS_PER_SECOND} requests/s, {seconds:.0f} s each"
    )
    with postgres_server() as address:
        run_event_loop(make(address))
        met = [describe(phase, measure(address, phase, processes, seconds), seconds) for phase in PHASES]
    print("  all goals met" if all(met) else "  NOT all goals met")
    return all(met)


@pytest.mark.bench
def test_dealers_keep_to_the_limit_together() -> None:
    """The figures are printed and not judged: a busy machine is slow."""
    main(PROCESSES, SECONDS)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", type=int, default=PROCESSES)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--address", default="", help=argparse.SUPPRESS)
    parser.add_argument("--does", default="", help=argparse.SUPPRESS)
    parser.add_argument("--at", type=float, default=0.0, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.does:
        logging.basicConfig(level=logging.WARNING)
        told = run_event_loop(deal(chosen.address, chosen.does, chosen.processes, chosen.at, chosen.seconds))
        sys.stdout.buffer.write(msgspec.json.encode(told))
    else:
        main(chosen.processes, chosen.seconds)
