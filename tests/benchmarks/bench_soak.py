"""Play very many hands through the whole bot, and see whether it becomes larger: its memory, live objects, tasks and log.

At heads-up tables everybody folds when they are to act, as fast as the bot answers, in a stand-in that is a process of its own. The bot
may make ten times as many requests as Discord allows, and the tables play so fast that its requests wait nevertheless: what waits must
not become more. First text alone, then pictures.

    python -m tests.benchmarks.bench_soak [--hands 20000] [--pictures-hands 3000] [--tables 15] [--every 1000] [--rate 400] [--json]
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

from bot.dealer import Dealer
from bot.operation.runner import let_threads_take_turns, run_event_loop
from bot.pictures.maker import PictureMaker
from bot.runtime.clock import SystemClock
from tests.benchmarks.bench_clicks import TO_ACT_PATTERN, make_place
from tests.benchmarks.clicking_bots import Place, playing_dealer
from tests.support.stand_in_process import StandInProcess, stand_in_process

HANDS, PICTURES_HANDS, TABLES, EVERY = 20_000, 3_000, 15, 1_000
REQUESTS_PER_SECOND = 400.0
HANDS_AT_ONCE_SECONDS = 600.0
SETTLED_FROM = 2_000
"""Hands after which memory is looked at: what is read, drawn and cached for the first time is there by then."""
BYTES_PER_HAND_MAX = 500.0
OBJECTS_PER_HAND_MAX = 0.05
LINES_PER_HAND_MAX = 0.01
WAITING_PER_TABLE_MAX = 10
"""A table has a worker, an edit, what takes old messages away, and the messages of two people."""
OWN = ("bot.", "cogs.", "_asyncio.", "builtins.coroutine")
"""Types of the program's own objects and of its tasks. Of others there are connections, which come and go, and caches that fill up.
Memory has a ceiling of that kind too: SQLite keeps up to 2 MB of pages for each of its connections."""


class Sample(msgspec.Struct, frozen=True):
    """What was found after so many hands, while nothing was on its way and after all garbage was collected.

    Attributes:
        resident: bytes of memory in use.
        objects: live objects by type.
        waiting: tasks that were under way in the middle of play, before anything settled.
        lines: lines of the log so far, at INFO.
    """

    hands: int
    resident: int
    objects: dict[str, int]
    tasks: int
    waiting: int
    lines: int

    @property
    def object_count(self) -> int:
        return sum(self.objects.values())

    @property
    def own_object_count(self) -> int:
        """How many there are of the program's own."""
        return sum(count for name, count in self.objects.items() if name.startswith(OWN))


class LineCounter(logging.Handler):
    """Counts the lines of a log by their event."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.lines: Counter[str] = Counter()

    def emit(self, record: logging.LogRecord) -> None:
        self.lines[record.msg] += 1


class Soak:
    """Tables at which one hand is folded after another."""

    def __init__(self, dealer: Dealer, discord: StandInProcess, place: Place, log: LineCounter) -> None:
        self._dealer, self._discord, self._log = dealer, discord, log
        self._lanes = [
            {"channel": str(channel), "buttons": [":fold"], "user_pattern": TO_ACT_PATTERN}
            for channel in place.channels
        ]
        self._clock = SystemClock()
        self._begun = self._dealt
        self.samples: list[Sample] = []

    @property
    def _dealt(self) -> int:
        return sum(self._dealer.tables.snapshot(table).hand_number for table in self._dealer.tables._sessions)

    async def play(self, hands: int) -> Sample:
        """Play so many hands, let everything settle and look."""
        how = {"lanes": self._lanes, "seconds": HANDS_AT_ONCE_SECONDS, "clicks": hands}
        found = await self._discord.call("click_repeatedly", **how)
        if found["failed"]:
            print(f"  {found['failed']} clicks were not answered within Discord's three seconds", file=sys.stderr)
        waiting = len(asyncio.all_tasks())
        await self._settle()
        gc.collect()
        objects = Counter(f"{type(one).__module__}.{type(one).__qualname__}" for one in gc.get_objects())
        tasks = len(asyncio.all_tasks())
        sample = Sample(self._dealt - self._begun, resident_bytes(), objects, tasks, waiting, self._log.lines.total())
        self.samples.append(sample)
        return sample

    async def _settle(self) -> None:
        """Wait until all is sent, counted and put away."""
        for _ in range(2):
            await self._dealer.services.display.wait_until_idle()
            await self._dealer.tables.wait_until_idle()
            await self._dealer.statistics.count_all(self._clock.now())
            await self._dealer.store.finish_spare_time_work()


@asynccontextmanager
async def soaking(folder: Path, tables: int, rate: float, *, pictures: bool) -> AsyncIterator[Soak]:
    """A bot with heads-up tables where a hand begins as soon as the one before it is over."""
    log = LineCounter()
    logging.getLogger().addHandler(log)
    logging.getLogger().setLevel(logging.INFO)
    try:
        async with stand_in_process(folder / "discord") as discord:
            place = await make_place(discord, tables, seats=2)
            maker = PictureMaker() if pictures else None
            how = {"dms": True, "requests_per_second": rate, "pictures": maker}
            async with playing_dealer(discord.ready, folder / "data", place, **how) as dealer:  # type: ignore[arg-type]
                if maker is not None:
                    await maker.wait_until_ready()
                yield Soak(dealer, discord, place, log)
    finally:
        logging.getLogger().removeHandler(log)


def resident_bytes() -> int:
    """Return the memory of this process that is in use now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def slope(points: Iterable[tuple[float, float]]) -> float:
    """Return the slope of a straight line through points, by least squares."""
    xs, ys = zip(*points, strict=True)
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    across = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True))
    return float(across / sum((x - mean_x) ** 2 for x in xs))


async def soak(
    hands: int, every: int, tables: int, rate: float, *, pictures: bool = False, tells: bool = True
) -> list[Sample]:
    """Play so many hands. Returns what was found after each part of them; `tells`: prints it, too."""
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None  # the disk is not measured
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        async with soaking(Path(folder), tables, rate, pictures=pictures) as bot:
            while not bot.samples or bot.samples[-1].hands < hands:
                began = time.monotonic()
                sample = await bot.play(every)
                if tells:
                    figures = (
                        f"{sample.hands:7,} hands  {sample.resident / 1e6:7.2f} MB  {sample.object_count:7,} objects"
                    )
                    seconds = time.monotonic() - began
                    print(
                        f"  {figures}  {sample.tasks:3} tasks ({sample.waiting:4} in play)  {sample.lines:4} lines  ({seconds:.0f} s)",
                        flush=True,
                    )
            return bot.samples


def grown(before: Sample, after: Sample) -> str:
    """Name the types of which there are more objects than before, most first."""
    more = Counter(after.objects) - Counter(before.objects)
    return ", ".join(f"{name} +{count}" for name, count in more.most_common(8))


def report(samples: list[Sample], tables: int, *, memory: bool) -> int:
    """Print what grew a hand, with the goals. Returns how many goals were missed."""
    settled = [one for one in samples if one.hands >= SETTLED_FROM] or samples
    first, last = (settled if memory else samples)[0], samples[-1]
    hands = max(1, last.hands - first.hands)
    found = [
        (
            "objects of the program a hand",
            (last.own_object_count - first.own_object_count) / hands,
            OBJECTS_PER_HAND_MAX,
        ),
        ("tasks more than at the start", float(last.tasks - samples[0].tasks), 0.0),
        ("tasks in play", float(max(one.waiting for one in samples)), float(WAITING_PER_TABLE_MAX * tables)),
        (
            "lines of the log a hand",
            (last.lines - samples[0].lines) / max(1, last.hands - samples[0].hands),
            LINES_PER_HAND_MAX,
        ),
    ]
    if memory and len(settled) > 2:
        bytes_per_hand = slope((float(one.hands), float(one.resident)) for one in settled)
        found.insert(0, ("bytes a hand, by least squares", bytes_per_hand, BYTES_PER_HAND_MAX))
    for name, value, goal in found:
        print(f"  {value:10.3f} {name} (goal at most {goal:g}){'' if value <= goal else '  MISSED'}")
    if last.object_count > first.object_count:
        print(f"  more than after {first.hands:,} hands: {grown(first, last)}")
    return sum(value > goal for _, value, goal in found)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=HANDS)
    parser.add_argument("--pictures-hands", type=int, default=PICTURES_HANDS)
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--every", type=int, default=EVERY)
    parser.add_argument(
        "--rate", type=float, default=REQUESTS_PER_SECOND, help="requests that the bot may make a second"
    )
    parser.add_argument("--json", action="store_true", help="print the samples of text alone, for a test")
    chosen = parser.parse_args(arguments)
    let_threads_take_turns()
    if chosen.json:
        samples = run_event_loop(soak(chosen.hands, chosen.every, chosen.tables, chosen.rate, tells=False))
        print(msgspec.json.encode(samples).decode())
        return 0
    missed = 0
    for hands, pictures in ((chosen.hands, False), (chosen.pictures_hands, True)):
        if hands:
            print("with pictures" if pictures else "in text")
            samples = run_event_loop(soak(hands, chosen.every, chosen.tables, chosen.rate, pictures=pictures))
            missed += report(samples, chosen.tables, memory=not pictures)
    return missed


if __name__ == "__main__":
    sys.exit(main())
