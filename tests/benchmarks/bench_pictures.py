"""Pictures: what drawing one costs, what it does to the event loop and to clicks, and how long anybody waits for one.

    python -m tests.benchmarks.bench_pictures [drawing] [loop] [waiting] [clicks] [--tiny]

Each part takes at most two minutes; without a name all are measured. The goal stands beside each figure.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import random
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.operation.runner import let_threads_take_turns, run_event_loop
from bot.pictures.draw import draw, warm_up
from bot.pictures.maker import PictureMaker
from bot.pictures.sprites import memory_kept
from bot.pictures.types import TablePicture
from tests.benchmarks.bench_clicks import WARM_UP_CLICKS, RunningBot, running_bot
from tests.pictures.states import STATES
from tests.support.loop_meter import percentile
from tests.support.processor_time import processor_seconds

CPU_P50_MS, CPU_P99_MS, BYTES, SPRITE_MB = 30.0, 60.0, 80_000, 55.0
BEAT_SECONDS, LOAD = 0.001, 0.5
LOOP_P999_MS = 5.0
CLICKS_A_SECOND, WAIT_SECONDS, CLICKS_RATIO = 10.0, 2.0, 1.25


@dataclass(frozen=True)
class Sizes:
    """How much is measured. With the second set of numbers a run takes seconds and shows only that it still works."""

    pictures: tuple[TablePicture, ...] = tuple(STATES.values())
    rounds: int = 4
    beats: int = 10_000
    loop_passes: int = 5
    tables: int = 100
    waits: int = 100
    click_passes: int = 5
    pass_seconds: float = 8.0
    warm_up_clicks: int = WARM_UP_CLICKS


TINY = Sizes(
    pictures=tuple(STATES.values())[:3], rounds=1, beats=50, loop_passes=1, tables=2, waits=4, click_passes=1,
    pass_seconds=1.0, warm_up_clicks=5,
)  # fmt: skip


def measure_drawing(sizes: Sizes) -> None:
    """Draw every state in this process, as the drawing process does."""
    began = time.process_time()
    warm_up()
    print(
        f"  warming up: {time.process_time() - began:.2f} s CPU, in the drawing process, once nobody has asked for a while"
    )
    first = [_cpu_ms(picture) for picture in sizes.pictures]
    again = [_cpu_ms(picture) for _ in range(sizes.rounds) for picture in sizes.pictures]
    for name, values in (("first time", first), ("warm", again)):
        goal = f"   (goals {CPU_P50_MS:.0f} and {CPU_P99_MS:.0f})" if name == "warm" else ""
        print(
            f"  CPU a picture, {name:10} p50 {percentile(values, 50):6.1f}  p99 {percentile(values, 99):6.1f}  "
            f"max {max(values):6.1f} ms{goal}"
        )
    files = [len(draw(picture)) for picture in sizes.pictures]
    print(f"  a file: p50 {percentile(files, 50):,.0f}  max {max(files):,} bytes   (goal {BYTES:,})")
    print(f"  sprites kept after {len(sizes.pictures)} states: {memory_kept() / 1e6:.1f} MB   (goal {SPRITE_MB:.0f})")


def _cpu_ms(picture: TablePicture) -> float:
    began = time.process_time()
    draw(picture)
    return (time.process_time() - began) * 1000


@contextlib.asynccontextmanager
async def warm_maker(pictures: Sequence[TablePicture]) -> AsyncIterator[PictureMaker]:
    """The drawing process, in which every state was drawn once."""
    maker = PictureMaker(limit_seconds=60)
    began = time.monotonic()
    maker.start()
    started = time.monotonic() - began
    await maker.wait_until_ready()
    print(
        f"  the drawing process: asked for in {started * 1000:.1f} ms, ready after {time.monotonic() - began:.2f} s",
        end="",
    )
    if maker.worker_pid is not None and sys.platform == "linux":
        before = processor_seconds(maker.worker_pid)
        began = time.monotonic()
        await maker.draw(pictures[0])
        print(
            f" and {before:.2f} s of CPU; its first picture after {1000 * (time.monotonic() - began):.0f} ms more"
            f" ({processor_seconds(maker.worker_pid) - before:.2f} s)",
            end="",
        )
    print()
    try:
        for picture in pictures:
            assert await maker.draw(picture) is not None
        yield maker
    finally:
        await maker.close()


async def measure_loop(sizes: Sizes) -> None:
    """Let the loop beat every millisecond while nothing, a process or a thread draws half of the time. All three take turns."""
    let_threads_take_turns()
    warm_up()
    late: dict[str, list[float]] = {"without drawing": [], "a process": [], "a thread": []}
    pictures = sizes.pictures
    async with warm_maker(pictures) as maker:

        async def in_process(number: int) -> None:
            await maker.draw(pictures[number % len(pictures)])

        async def in_thread(number: int) -> None:
            await asyncio.to_thread(draw, pictures[number % len(pictures)])

        for number in range(len(pictures)):
            await in_thread(number)
        works: dict[str, Callable[[int], Awaitable[None]] | None] = {
            "without drawing": None, "a process": in_process, "a thread": in_thread,
        }  # fmt: skip
        for _ in range(sizes.loop_passes):
            for name, work in works.items():
                load = asyncio.create_task(_draw_half_of_the_time(work)) if work is not None else None
                late[name] += await _beat(sizes.beats // sizes.loop_passes)
                if load is not None:
                    load.cancel()
                    await asyncio.wait({load})
        status = Path(f"/proc/{maker.worker_pid}/status")
        if status.exists():
            print(
                f"  the drawing process holds {int(status.read_text().partition('VmRSS:')[2].split()[0]) / 1024:.0f} MB"
            )
    base = late["without drawing"]
    for name, values in late.items():
        extra = percentile(values, 99.9) - percentile(base, 99.9)
        goal = f"   p99.9 {extra:+.2f} ms (goal at most {LOOP_P999_MS:+.0f})" if values is not base else ""
        print(
            f"  {name:16} {len(values):,} beats late by p50 {percentile(values, 50):5.2f}  p99 {percentile(values, 99):5.2f}  "
            f"p99.9 {percentile(values, 99.9):5.2f}  max {max(values):5.2f} ms{goal}"
        )


async def _draw_half_of_the_time(work: Callable[[int], Awaitable[None]]) -> None:
    for number in itertools.count():
        began = time.perf_counter()
        await work(number)
        await asyncio.sleep((time.perf_counter() - began) * (1 - LOAD) / LOAD)


async def _beat(beats: int) -> list[float]:
    """Return by how many milliseconds each beat was late."""
    found: list[float] = []
    for _ in range(beats):
        due = time.perf_counter() + BEAT_SECONDS
        await asyncio.sleep(BEAT_SECONDS)
        found.append((time.perf_counter() - due) * 1000)
    return found


async def measure_waiting(sizes: Sizes) -> None:
    """Ask for a picture at every click of many tables at random times, and then for those of all tables at once."""
    pictures = sizes.pictures
    async with warm_maker(pictures) as warm:
        dice = random.Random(1)
        waits: list[float] = []
        without = 0

        async def ask(table: int, picture: int) -> None:
            nonlocal without
            began = time.monotonic()
            async with asyncio.timeout(60):
                file = await warm.draw(pictures[picture % len(pictures)], table)
            if file is None:
                without += 1
            else:
                waits.append(time.monotonic() - began)

        async with asyncio.TaskGroup() as group:
            for number in range(sizes.waits):
                group.create_task(ask(number % sizes.tables, number))
                await asyncio.sleep(dice.expovariate(CLICKS_A_SECOND))
        print(
            f"  {CLICKS_A_SECOND:.0f} pictures a second: waited p50 {percentile(waits, 50) * 1000:.0f}  "
            f"p99 {percentile(waits, 99) * 1000:.0f}  max {max(waits) * 1000:.0f} ms   "
            f"(goal {WAIT_SECONDS * 1000:,.0f}); {without} went without"
        )
    maker = PictureMaker()
    maker.start()
    await maker.wait_until_ready()
    for picture in pictures:
        await maker.draw(picture)
    waits, without = [], 0
    began = time.monotonic()

    async def ask_at_once(table: int) -> None:
        nonlocal without
        if await maker.draw(pictures[table % len(pictures)], table) is None:
            without += 1
        else:
            waits.append(time.monotonic() - began)

    await asyncio.gather(*map(ask_at_once, range(sizes.tables)))
    await maker.close()
    print(
        f"  {sizes.tables} tables in the same moment: {len(waits)} drawn, the last after {max(waits, default=0):.2f} s   "
        f"(goal {WAIT_SECONDS:.0f}); "
        f"{without} went on in text"
    )


async def measure_clicks(sizes: Sizes) -> None:
    """Click at many tables at six actions a minute each, with pictures and in text alone, in turns."""
    kinds = {"dealer": "text only", "dealer-pictures": "with pictures"}
    bots: dict[str, RunningBot] = {}
    async with contextlib.AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for kind in kinds:
            bots[kind] = await stack.enter_async_context(
                running_bot(kind, folder, sizes.tables, is_pinned=False, warm_up=sizes.warm_up_clicks)
            )
        for _ in range(sizes.click_passes):
            for bot in bots.values():
                bot.at_rate.append(await bot.click_at_rate(CLICKS_A_SECOND, sizes.pass_seconds))
        pictures = bots["dealer-pictures"]
        newest = [(await pictures.discord.call("messages", channel=str(each)))[-1] for each in pictures.place.channels]
        print(
            f"  {sum(bool(message.get('attachments')) for message in newest)} of {sizes.tables} tables show a picture at the end"
        )
    for kind, name in kinds.items():
        passes = bots[kind].at_rate
        p99s = [one["p99_ms"] for one in passes]
        line = (
            f"  {name:14} p50 {statistics.median(one['p50_ms'] for one in passes):5.1f}  p99 {statistics.median(p99s):5.1f} "
            f"({min(p99s):.1f}–{max(p99s):.1f})  max {max(one['max_ms'] for one in passes):5.1f} ms"
        )
        if kind == "dealer-pictures":
            ratios = [own["p99_ms"] / text["p99_ms"] for own, text in zip(passes, bots["dealer"].at_rate, strict=True)]
            line += f"   p99 {statistics.median(ratios):.2f} × text only ({min(ratios):.2f}–{max(ratios):.2f}; goal {CLICKS_RATIO})"
        print(line)


PARTS: dict[str, tuple[str, Callable[[Sizes], Awaitable[None] | None]]] = {
    "drawing": ("what a picture costs", measure_drawing),
    "loop": (f"the event loop while pictures are drawn {LOAD:.0%} of the time", measure_loop),
    "waiting": ("how long a picture is waited for", measure_waiting),
    "clicks": (
        f"clicks at {Sizes.tables} tables, {CLICKS_A_SECOND:.0f} a second, {Sizes.click_passes} passes in turns",
        measure_clicks,
    ),
}


def main(chosen: list[str], sizes: Sizes) -> None:
    """Measure and print the chosen parts, or all."""
    for name in chosen or PARTS:
        title, measure = PARTS[name]
        print(f"{name}: {title}", flush=True)
        measuring = measure(sizes)
        if measuring is not None:
            run_event_loop(measuring)  # type: ignore[arg-type]


@pytest.mark.bench
def test_pictures() -> None:
    """The figures are printed and not judged: a busy machine is slow."""
    main([], Sizes())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", help=" ".join(PARTS))
    parser.add_argument("--tiny", action="store_true", help="only see that it works")
    given = parser.parse_args()
    wanted = given.parts
    if unknown := set(wanted) - set(PARTS):
        sys.exit(f"There is no {', '.join(sorted(unknown))}. There are: {', '.join(PARTS)}.")
    main(wanted, TINY if given.tiny else Sizes())
