"""Troubles of the machine that a house lives through, or refuses to begin with.

- The clock jumps by up to an hour, forward and back, while everything goes on; each round ends with a kill.
- The disk is full again and again, for a moment; each round ends with a kill.
- Pages of the data file are overwritten: it is refused, or found by the check, or says what it said.
- A folder in which nothing can be written, a second process, and a file of a newer version are refused, and nothing changes.

    python -m tests.durability troubles [--rounds 20] [--pages 200] [--seed 1]
"""

from __future__ import annotations

import asyncio
import logging
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from bot.runtime.clock import SystemClock
from bot.runtime.journal import JournalEvent
from bot.runtime.store_errors import StoreError
from bot.store.backup import check_data, copy_data
from bot.store.codec import EventCodec
from bot.store.store import Store
from tests.durability.house import DATA, House
from tests.durability.recorded_disk import Recorder
from tests.store.killer import READY, ROOT, Killer

HOUR_MS = 3_600_000
PAGE = 4_096
NOBODY = 65_534


class JumpingClock(SystemClock):
    """A clock that somebody puts forward and back."""

    ahead = 0

    def now(self) -> int:
        return super().now() + self.ahead


class JumpingHouse(House):
    """A house whose clock jumps by up to an hour, several times a second."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = JumpingClock()

    def make_clock(self) -> SystemClock:
        return self.clock

    async def drive(self, folder: Path, seed: int, acknowledge: Callable[[str], None]) -> None:
        rng = random.Random(seed)

        async def jump() -> None:
            while True:
                await asyncio.sleep(rng.uniform(0, 0.2))
                self.clock.ahead = rng.randint(-HOUR_MS, HOUR_MS)

        jumping = asyncio.create_task(jump())
        await super().drive(folder, seed, acknowledge)
        jumping.cancel()


class FullHouse(House):
    """A house whose disk is full for moments."""

    async def drive(self, folder: Path, seed: int, acknowledge: Callable[[str], None]) -> None:
        rng, disk = random.Random(seed), Recorder(folder)

        async def fill() -> None:
            while True:
                await asyncio.sleep(rng.uniform(0, 0.15))
                disk.is_full = True
                await asyncio.sleep(rng.uniform(0, 0.1))
                disk.is_full = False
                disk.recording.steps.clear()

        filling: list[asyncio.Task[None]] = []

        def acknowledge_and_begin(line: str) -> None:
            if line == READY:
                filling.append(asyncio.create_task(fill()))
            acknowledge(line)

        logging.disable(logging.CRITICAL)
        await super().drive(folder, seed, acknowledge_and_begin)


jumping, full = JumpingHouse(), FullHouse()


def live_through(what: str, folder: Path, rounds: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Let a house live through one of the troubles, and kill it at the end of each round."""
    folder.mkdir()
    killer = Killer(f"tests.durability.troubles:{what}", folder, seed=seed, lines=40, moments=0.8)
    for _ in range(rounds):
        killer.play_and_kill()
        try:
            asyncio.run(killer.check())
        except Exception:
            return Counter(), [f"{what}: {traceback.format_exc()}"]
    return Counter(line.split()[0] if " " in line else "requests" for line in killer.acknowledged), []


def overwrite_pages(data: Path, count: int, seed: int) -> Counter[str]:
    """Overwrite one page of a sound file after another with noise. Returns how that was noticed, and what was not.

    SQLite keeps no sums of its pages: a page that holds nothing but the middle of a long value is noticed by nobody but its reader.
    """
    rng, whole, before = random.Random(seed), data.read_bytes(), _dump(data)
    damaged, noticed = data.with_name("damaged.db"), Counter[str]()
    for _ in range(count):
        page = rng.randrange(1, len(whole) // PAGE)
        damaged.write_bytes(whole[: page * PAGE] + rng.randbytes(PAGE) + whole[(page + 1) * PAGE :])
        if check_data(damaged).problems:
            noticed["found"] += 1
            continue
        try:
            noticed["unharmed" if _dump(damaged) == before else "inside a long value"] += 1
        except sqlite3.Error:
            noticed["found by whoever reads it"] += 1
    damaged.unlink()
    return noticed


def _dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as db:
        return list(db.iterdump())


async def refused(path: Path) -> str:
    """Return why a store cannot be opened; "" if it can."""
    store = Store(path, EventCodec(JournalEvent))
    try:
        await store.open()
    except StoreError as error:
        return str(error) or type(error).__name__
    await store.close()
    return ""


def refusals(folder: Path, data: Path) -> list[str]:
    """Try a folder that cannot be written, a second process and a newer file. Returns what was not refused, or changed something."""
    faults = []
    newer = folder / "newer.sqlite"
    shutil.copy(data, newer)
    with closing(sqlite3.connect(newer, isolation_level=None)) as db:
        db.execute("INSERT INTO migration SELECT max(number) + 1, 'later', sha256, applied_at FROM migration")
    kept = _dump(newer)
    if "newer version" not in asyncio.run(refused(newer)) or _dump(newer) != kept:
        faults.append("a newer file is opened")
    program = (
        "import asyncio, sys, pathlib; from tests.durability import troubles as t; "
        "print(asyncio.run(t.refused(pathlib.Path(sys.argv[1]))))"
    )
    second = [sys.executable, "-c", program, str(data)]

    async def while_open() -> str:
        store = Store(data, EventCodec(JournalEvent))
        await store.open()
        said = await asyncio.to_thread(subprocess.run, second, cwd=ROOT, capture_output=True, text=True, check=True)
        await store.close()
        return said.stdout

    if "is open in another process" not in asyncio.run(while_open()):
        faults.append("a second process opens the data")
    locked = folder / "locked"
    locked.mkdir()
    shutil.copy(data, locked / DATA)
    locked.chmod(0o555)
    (locked / DATA).chmod(0o444)
    child = os.fork()
    if not child:
        os.environ.clear()
        if os.getuid() == 0:
            os.setuid(NOBODY)
        os._exit(0 if asyncio.run(refused(locked / DATA)) else 1)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) or _dump(locked / DATA) != _dump(data):
        faults.append("a folder that cannot be written is used")
    locked.chmod(0o755)
    return faults


def main(rounds: int, pages: int, seed: int) -> int:
    """Try everything, and say how it went. Returns the number of faults."""
    logging.disable(logging.CRITICAL)
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        for what, words in (("jumping", "the clock jumps"), ("full", "the disk is full")):
            acknowledged, found = live_through(what, folder / what, rounds, seed)
            told = ", ".join(f"{number:,} {kind}" for kind, number in acknowledged.most_common())
            print(f"{words}: {rounds} rounds; acknowledged: {told}; faults: {len(found)}", flush=True)
            faults += found
        data = folder / DATA
        copy_data(folder / "jumping" / DATA, data)
        noticed = overwrite_pages(data, pages, seed)
        print(
            f"a page is overwritten: {', '.join(f'{number} {how}' for how, number in noticed.most_common())}",
            flush=True,
        )
        found = refusals(folder, data)
        print(f"newer file, second process, locked folder: {3 - len(found)} of 3 refused with nothing changed")
        faults += found
    for fault in faults:
        print(fault)
    return len(faults)
