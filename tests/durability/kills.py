"""Processes are killed (SIGKILL) at random moments of what they do, again and again on the same data, which is checked each time.

- *house*: play at three tables, one with a book of its own; visitors whose data is deleted; seasons; statistics; copies (`house.py`).
- *play*: nothing but play, as fast as the disk allows (`tests.runtime.killed`).
- *restores*: backups are put back and played on (`restores.py`).
- *seasons*: a dealer dies before chosen statements of a season's end (`tests.runtime.killed_season`).

    python -m tests.durability kills [--count 1000] [--seed 1]
"""

from __future__ import annotations

import asyncio
import logging
import re
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from pathlib import Path

from tests.durability.house import house
from tests.store.killer import ROOT, Killer

SHARES = {"house": 50, "play": 20, "restores": 15, "seasons": 15}
"""Of a hundred kills."""
DRIVERS = {
    "house": ("tests.durability.house:house", {"lines": 40, "moments": 0.8}),
    "play": ("tests.runtime.killed:dealer", {"moments": 0.4}),
    "restores": ("tests.durability.restores:restores", {"lines": 6, "moments": 0.06}),
}
KILLS_ON_ONE_FOLDER = 50


def kill(what: str, count: int, seed: int) -> tuple[int, Counter[str], list[str]]:
    """Kill so many processes. Returns how many were killed, what was acknowledged in all, and the faults."""
    name, how = DRIVERS[what]
    acknowledged: Counter[str] = Counter()
    killed = 0
    with tempfile.TemporaryDirectory() as folder:
        for first in range(0, count, KILLS_ON_ONE_FOLDER):
            data = Path(folder, str(first))
            data.mkdir()
            house.results = []  # of the folder before
            killer = Killer(name, data, seed=seed + first, **how)  # type: ignore[arg-type]
            for _ in range(min(KILLS_ON_ONE_FOLDER, count - first)):
                killer.play_and_kill()
                killed += 1
                try:
                    asyncio.run(killer.check())
                except Exception:
                    return killed, acknowledged, [f"{what}, seed {seed + first}: {traceback.format_exc()}"]
            acknowledged.update(line.split()[0] if " " in line else "requests" for line in killer.acknowledged)
    return killed, acknowledged, []


def kill_in_seasons(count: int, seed: int) -> tuple[int, Counter[str], list[str]]:
    """Kill dealers while they close a season. Each second closing is broken off twice."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tests.runtime.killed_season", folder, str(count * 2 // 3), str(seed)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    said = re.match(r"(\d+) kills in (\d+) closings", done.stdout)
    if done.returncode or said is None:
        return 0, Counter(), [done.stderr]
    return int(said[1]), Counter({"closings": int(said[2])}), []


def main(count: int, seed: int) -> int:
    """Kill, and say what was killed, acknowledged and lost. Returns the number of faults."""
    logging.disable(logging.ERROR)
    total, faults = 0, list[str]()
    for what, share in SHARES.items():
        wanted = count * share // 100
        done = kill_in_seasons(wanted, seed) if what == "seasons" else kill(what, wanted, seed)
        killed, acknowledged, found = done
        total += killed
        faults += found
        told = ", ".join(f"{number:,} {kind}" for kind, number in acknowledged.most_common())
        print(f"{what}: {killed:,} kills; acknowledged: {told}; faults: {len(found)}", flush=True)
        for fault in found:
            print(fault, flush=True)
    print(
        f"seed {seed}: {total:,} kills; nothing acknowledged was lost, books exact, audits clean"
        if not faults
        else "FAULTS"
    )
    return len(faults)
