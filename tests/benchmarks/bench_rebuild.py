"""Clicks while the statistics of many hands are counted anew: 400 clicks a second in an open loop, with and without it in turns.

The hands are those of a data file of its own, counted again and again by the process that the dealer would start, on the bot's core where
there are two: there it disturbs most. Between two of its passes it stands still. The figures are medians of the passes; both passes of a
pair have their clicks at the same times. With `nice`, never with `chrt`: a bot with a real-time priority would show no difference.

    python -m tests.benchmarks.bench_rebuild [--passes 8] [--seconds 10] [--rate 400] [--tables 100] [--hands 60000] [--kind dealer-dms]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import signal
import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bot.store.statistics.statistics import REBUILDER
from tests.benchmarks.bench_clicks import NAMES, WARM_UP_CLICKS, RunningBot, _cores, running_bot
from tests.benchmarks.bench_growth import play_hands, put_away
from tests.benchmarks.bench_statistics import copy_tables
from tests.support.stand_in_process import ROOT

PLAYED = 300


async def make_journal(data: Path, hands: int) -> None:
    """Write a data file with about so many finished hands of 22 actions."""
    game = await play_hands(data, PLAYED)
    await put_away(game)
    await game.end()
    await asyncio.to_thread(copy_tables, data, max(1, hands // PLAYED))


class Counting:
    """Counts all hands, one process after the other, and stands still until it is told to go on.

    Attributes:
        ended: the hands of each process that came to its end.
    """

    def __init__(self, data: Path) -> None:
        self._data = data
        self._process: asyncio.subprocess.Process | None = None
        self._may_go_on = asyncio.Event()
        self.ended: list[int] = []
        self._task = asyncio.create_task(self._count())

    async def _count(self) -> None:
        files = [str(self._data.with_name(name)) for name in (self._data.name, "anew.sqlite3", "counted.sqlite3")]
        _, core = _cores()
        while True:
            await self._may_go_on.wait()
            self._process = await asyncio.create_subprocess_exec(
                *REBUILDER, *files, stdout=asyncio.subprocess.PIPE, cwd=ROOT
            )
            if core is not None:
                os.sched_setaffinity(self._process.pid, {core})
            said, _ = await self._process.communicate()
            assert self._process.returncode == 0, said
            self.ended.append(int(said))

    def _signal(self, number: signal.Signals) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.send_signal(number)

    @contextlib.contextmanager
    def going_on(self) -> Iterator[None]:
        """Count inside the ``with`` block."""
        self._may_go_on.set()
        self._signal(signal.SIGCONT)
        try:
            yield
        finally:
            self._may_go_on.clear()
            self._signal(signal.SIGSTOP)
        if self._task.done():
            self._task.result()

    async def end(self) -> None:
        self._task.cancel()
        self._signal(signal.SIGKILL)
        await asyncio.wait({self._task})


async def click_for_a_pass(bot: RunningBot, rate: float, seconds: float, seed: int) -> dict[str, float]:
    found: dict[str, float] = await bot.discord.call(
        "click_at_rate", lanes=bot.lanes, per_second=rate, seconds=seconds, seed=seed
    )
    return found


async def measure(kind: str, passes: int, seconds: float, rate: float, tables: int, hands: int, warm_up: int) -> None:
    """Print the figures with and without the count side by side."""
    without: list[dict[str, float]] = []
    beside: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = folder / "journal.db"
        await make_journal(data, hands)
        async with running_bot(kind, folder, tables, warm_up=warm_up) as bot:
            counting = Counting(data)
            for number in range(passes):
                without.append(await click_for_a_pass(bot, rate, seconds, number))
                with counting.going_on():
                    beside.append(await click_for_a_pass(bot, rate, seconds, number))
            await counting.end()
    print(f"{NAMES[kind]}, {tables} tables, open loop, {rate:,.0f} clicks/s, {passes} passes of {seconds:g} s each")
    for title, found in (("nothing beside them", without), ("statistics counted anew", beside)):
        figures = {each: statistics.median(one[each] for one in found) for each in ("p50_ms", "p99_ms")}
        p99s = [one["p99_ms"] for one in found]
        print(
            f"  {title:<26} p50 {figures['p50_ms']:6.1f}  p99 {figures['p99_ms']:6.1f} ms (passes {min(p99s):.1f}–{max(p99s):.1f})"
            f"  max {max(one['max_ms'] for one in found):6.1f} ms  {sum(one['failed'] for one in found):.0f} not answered in time"
        )
    ended = counting.ended
    whole = f"{len(ended)} times to the end, {ended[-1]:,} hands each" if ended else "never to the end"
    print(f"  counted anew {whole}: {sum(ended) / (passes * seconds):,.0f} hands/s beside the clicks")


def main() -> None:
    request = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    request.add_argument("--passes", type=int, default=8)
    request.add_argument("--seconds", type=float, default=10.0, help="of each pass")
    request.add_argument("--rate", type=float, default=400.0, help="clicks a second")
    request.add_argument("--tables", type=int, default=100)
    request.add_argument("--hands", type=int, default=60_000)
    request.add_argument("--kind", choices=[kind for kind in NAMES if kind.startswith("dealer")], default="dealer-dms")
    request.add_argument("--warm-up", type=int, default=WARM_UP_CLICKS, help="clicks before the first pass")
    given = request.parse_args()
    asyncio.run(measure(given.kind, given.passes, given.seconds, given.rate, given.tables, given.hands, given.warm_up))


if __name__ == "__main__":
    main()
