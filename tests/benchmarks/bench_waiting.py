"""What tables cost that wait for people for days: memory of each, and processor time while nobody acts. Without Discord.

Goals for 1,000 tables: at most 10 MB of Python's objects, and 0.1 % of a core; it says MISSED where it takes more.

    python -m tests.benchmarks.bench_waiting [--tables 1000] [--hours 1]
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import tempfile
import time
import tracemalloc
from pathlib import Path

from msgspec.structs import replace

from bot.table.commands import TakeSeat
from bot.table.settings import ChipKind, with_starting_stack
from tests.runtime.evening import Evening, settings

GOAL_KB_PER_TABLE = 10.0
GOAL_PERCENT_PER_1000 = 0.1
PLAYERS = 3


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
        await evening.wait(1)
        evening.updates.clear()
        gc.collect()
        kilobytes = (tracemalloc.get_traced_memory()[0] - before) / 1024 / tables
        tracemalloc.stop()
        assert all(one.hand_running for one in evening.tables.all_tables())
        begun = time.process_time()
        await evening.wait(3600 * hours)
        percent = 100 * (time.process_time() - begun) / (3600 * hours)
        await evening.tables.drain()
        await evening.store.close()
        return kilobytes, percent


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--tables", type=int, default=1_000)
    options.add_argument("--hours", type=float, default=1.0)
    asked = options.parse_args()
    kilobytes, percent = asyncio.run(measure(asked.tables, asked.hours))
    for text, found, goal in (
        ("memory of a table", kilobytes, GOAL_KB_PER_TABLE),
        ("processor", percent, GOAL_PERCENT_PER_1000),
    ):
        unit = "kB" if goal is GOAL_KB_PER_TABLE else "% of a core"
        print(f"{text}: {found:.3f} {unit}, goal {goal:g}{'' if found <= goal else '  MISSED'}")


if __name__ == "__main__":
    main()
