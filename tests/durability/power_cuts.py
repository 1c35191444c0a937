"""Power cuts beneath the store: everything goes on in a house, and the disk is what a power cut at some moment leaves of it.

A house (`tests.durability.house`) plays in a process of its own on a recorded disk. Then the state after a cut is made for many moments of
it, each beginning with what lay there before, opened, and checked as after a kill: nothing that was acknowledged is lost, the books are
exact, every open table goes on. Each tenth is checked whole, with copies and statistics. The next house goes on from the last cut.

    python -m tests.durability cuts [--count 10000] [--seed 1] [--cuts-each 250]
"""

from __future__ import annotations

import asyncio
import logging
import os
import random
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from bot.store import connection
from bot.store import store as stores
from tests.durability.house import House
from tests.durability.recorded_disk import Cuts, Recorder, load, save
from tests.store.killer import READY, ROOT

LINES = 150
WHOLE_CHECK_EACH = 10
CHECKPOINT_PAGES = (20, 60, 4_000)
"""By turns: with few pages the log is written back to the file all the time."""


class _Enough(Exception):
    pass


async def record(folder: Path, seed: int, to: Path, lines: int) -> None:
    """Let a house play on a recorded disk until it has acknowledged so much, and end the process as it stands."""
    connection.WAL_CHECKPOINT_PAGES = CHECKPOINT_PAGES[seed % len(CHECKPOINT_PAGES)]
    stores.SPARE_TIME_PAUSE = 0.0
    recorder = Recorder(folder)
    done = asyncio.Event()
    told = 0

    def acknowledge(line: str) -> None:
        nonlocal told
        recorder.acknowledge(line)
        told += 1
        if told == lines:
            done.set()

    playing = asyncio.create_task(House().drive(folder, seed, acknowledge))
    ended = asyncio.create_task(done.wait())
    await asyncio.wait({playing, ended}, return_when=asyncio.FIRST_COMPLETED)
    if playing.done():
        playing.result()
    save(recorder.recording, to)
    os._exit(0)


class PowerCuts:
    """Records houses and cuts their power.

    Args:
        folder: empty; what is recorded and the states after cuts lie there.
        lies: the disk says of a sync that it is done, and does nothing; so it is shown that lost data is noticed.
    """

    def __init__(self, folder: Path, seed: int, *, lies: bool = False) -> None:
        self.lies = lies
        self.folder, self.rng, self.seed = folder, random.Random(seed), seed
        self.acknowledged: list[str] = []
        self.results: list[tuple[object, ...]] = []
        self.state = folder / "state"
        self.state.mkdir()
        self.counts: Counter[str] = Counter()
        self.faults: list[str] = []

    def record(self, lines: int = LINES) -> Cuts:
        """Let a house go on from the last state. Returns the cuts of what it did."""
        to = self.folder / "recording"
        number = self.counts["recordings"] = self.counts["recordings"] + 1
        told = (str(self.state), str(self.seed * 1000 + number), str(to), str(lines))
        command = [sys.executable, "-m", "tests.durability.power_cuts", *told]
        subprocess.run(command, cwd=ROOT, check=True)
        return Cuts(*load(to), lies=self.lies)

    async def cut_often(self, count: int, lines: int = LINES) -> None:
        """Record a house, and cut its power at so many moments."""
        cuts = self.record(lines)
        moments = sorted(self.rng.randrange(len(cuts.steps) + 1) for _ in range(count))
        for moment in moments:
            cuts.go_to(moment)
            house = House(self.results)
            self.counts["cuts"] += 1
            state = Path(tempfile.mkdtemp(dir=self.folder))
            cuts.cut(self.rng, state)
            acknowledged = self.acknowledged + [line for line in cuts.acknowledged if line != READY]
            if (state / "cardroom.sqlite").exists() or acknowledged:
                await self.check(house, state, acknowledged, moment)
            self.remove(self.state)
            self.state = state
        self.acknowledged, self.results = acknowledged, house.results
        self.counts["writes"] += cuts.writes
        self.counts["syncs"] += cuts.syncs

    async def check(self, house: House, state: Path, acknowledged: list[str], moment: int) -> None:
        is_whole = self.counts["cuts"] % WHOLE_CHECK_EACH == 0
        try:
            await (house.check if is_whole else house.check_data)(state, acknowledged)
            self.counts["checked whole"] += is_whole
        except Exception:
            kept = self.folder / f"fault-{len(self.faults)}"
            state.rename(kept)
            state.mkdir()
            self.faults.append(
                f"recording {self.counts['recordings']}, step {moment}, in {kept}: {traceback.format_exc()}"
            )

    def remove(self, folder: Path) -> None:
        for path in sorted(folder.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        folder.rmdir()

    def told(self) -> str:
        kinds = Counter(line.split()[0] if " " in line else "requests" for line in self.acknowledged)
        return (
            f"{self.counts['cuts']:,} power cuts in {self.counts['recordings']:,} recordings ({self.counts['writes']:,} writes, "
            f"{self.counts['syncs']:,} syncs; {self.counts['checked whole']:,} checked with copies and statistics); acknowledged: "
            f"{', '.join(f'{count:,} {kind}' for kind, count in kinds.most_common())}; faults: {len(self.faults)}"
        )


def main(count: int, seed: int, cuts_each: int, say: Callable[[str], None] = print) -> int:
    """Cut, and say what was cut. Returns the number of faults."""
    logging.disable(logging.WARNING)
    folder = Path(tempfile.mkdtemp(prefix="cuts-", dir="/dev/shm" if Path("/dev/shm").is_dir() else None))
    power = PowerCuts(folder, seed)
    while power.counts["cuts"] < count and not power.faults:
        asyncio.run(power.cut_often(min(cuts_each, count - power.counts["cuts"])))
    for fault in power.faults:
        say(fault)
    say(f"seed {seed}: {power.told()}")
    if not power.faults:
        power.remove(folder)
    return len(power.faults)


if __name__ == "__main__":
    asyncio.run(record(Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4])))
