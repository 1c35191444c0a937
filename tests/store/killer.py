"""Kill a dealer at any moment, and check what is on the disk.

A *driver* plays in a process of its own and says on its standard output what it has had acknowledged, a line each. The
harness kills that process (SIGKILL: no handler, no clean-up) at a random moment, start-up included, and lets the
driver's `check` open the data again. Rounds follow one another on the same data, so each one also restarts from what
the last one left.

    python -m tests.store.killer MODULE:DRIVER FOLDER SEED      # what the harness runs
"""

import asyncio
import importlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol

ROOT = Path(__file__).parents[2]
READY = "ready"


class Driver(Protocol):
    """Something that can be killed: the bare store, or a whole runtime with its engine."""

    async def drive(self, folder: Path, seed: int, acknowledge: Callable[[str], None]) -> None:
        """Open what is in the folder and play until killed. Acknowledge a command only when its save has returned."""

    async def check(self, folder: Path, acknowledged: Sequence[str]) -> None:
        """Open the folder again and assert that everything ever acknowledged is there and nothing is half there."""


class Killer:
    """Plays and kills in rounds on one folder.

    Args:
        driver: ``module:attribute`` of a `Driver`.
        folder: where the data lies; empty at first.
        lines: so many acknowledgements at most are waited for before a kill, however long they take.
        moments: the longest time from there to the kill, in seconds.
    """

    def __init__(self, driver: str, folder: Path, *, seed: int = 1, lines: int = 12, moments: float = 0.05) -> None:
        self.driver, self.folder, self.lines, self.moments = driver, folder, lines, moments
        self.luck = random.Random(seed)
        self.acknowledged: list[str] = []
        self.rounds = self.kills_in_play = 0

    def play_and_kill(self) -> None:
        """Play one round. In one of eight the process is killed somewhere in its start-up, otherwise in play."""
        self.rounds += 1
        process = self.start(self.rounds)
        told = b""
        assert process.stdout is not None
        if self.luck.random() < 1 / 8:
            time.sleep(self.luck.uniform(0, 0.3))
        else:
            assert process.stdout.readline().decode().strip() == READY, "the driver did not start"
            for _ in range(self.luck.randint(0, self.lines)):
                told += process.stdout.readline()
            time.sleep(self.luck.uniform(0, self.moments))
            self.kills_in_play += 1
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGKILL)
        self.hear(process, told)

    def let_it_kill_itself(self, at: int) -> None:
        """Play one round with a driver that kills itself by SIGKILL at its `at`-th step, which it gets as the seed."""
        self.rounds += 1
        process = self.start(at)
        self.hear(process)

    def start(self, seed: int) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [sys.executable, "-m", "tests.store.killer", self.driver, str(self.folder), str(seed)],
            stdout=subprocess.PIPE,
            cwd=ROOT,
        )

    def hear(self, process: "subprocess.Popen[bytes]", before: bytes = b"") -> None:
        """Record what a killed driver has printed, `before` and since. A line that was cut short does not count."""
        told = (before + process.communicate()[0]).decode()
        assert process.returncode == -signal.SIGKILL, f"the driver ended by itself with {process.returncode}"
        lines = told[: told.rfind("\n") + 1].split("\n")
        self.acknowledged += [line for line in lines if line and line != READY]

    async def check(self) -> None:
        await load(self.driver).check(self.folder, self.acknowledged)


def load(name: str) -> Driver:
    module, _, attribute = name.partition(":")
    driver: Driver = getattr(importlib.import_module(module), attribute)
    return driver


def say(line: str) -> None:
    """Tell the harness at once and in one piece."""
    os.write(1, f"{line}\n".encode())


if __name__ == "__main__":
    asyncio.run(load(sys.argv[1]).drive(Path(sys.argv[2]), int(sys.argv[3]), say))
