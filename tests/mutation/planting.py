"""A copy of the repository in which faults are planted: the repository itself is never changed, whatever ends the run."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from tests.mutation.mutants import Mutant, plant
from tests.mutation.rooms import ROOT

_LONGEST = 3600
"""Seconds for the tests of one fault: each test has limits of its own."""
_KILLED_BY_LIMIT = {-signal.SIGALRM, -signal.SIGPROF, 128 + signal.SIGALRM, 128 + signal.SIGPROF}


class Verdict(StrEnum):
    """What became of a fault."""

    CAUGHT = "caught"
    HUNG = "hung"
    SURVIVED = "survived"


@dataclass(frozen=True)
class TimedTest:
    """A test and what it took without any fault, in seconds."""

    name: str
    wall: float
    cpu: float

    @property
    def file(self) -> str:
        """The file in which it stands."""
        return self.name.partition("::")[0]

    @property
    def limits(self) -> tuple[float, float]:
        """After so many seconds it hangs: by the clock, of the processor. Others share the machine."""
        return 60 + 20 * self.wall, 10 + 6 * self.cpu


class Copy:
    """A copy of the repository. One fault at a time is planted in it.

    Args:
        folder: where it is made; what is there is made equal.
        through: a command that runs each process, such as ``nice -n 10``.
    """

    def __init__(self, folder: Path, through: Sequence[str] = ()) -> None:
        self.root = folder / "tree"
        self._notes, self._through = folder, through
        self._times = itertools.count(1_000_000_000)
        shutil.rmtree(self.root, ignore_errors=True)
        for file in _files_of_repository():
            target = self.root / file
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / file, target)

    def judge(self, mutant: Mutant, tests: Sequence[TimedTest]) -> tuple[Verdict, str]:
        """Run tests with a fault in the copy until one fails. Returns what became of it, and which test saw it."""
        path = self.root / mutant.file
        text = plant(ROOT, mutant)
        shown = path.read_bytes()
        try:
            self._write(path, text.encode())
            return self._run(tests)
        finally:
            self._write(path, shown)

    def _write(self, path: Path, content: bytes) -> None:
        """Write a file with a time that it never had: bytecode is taken for that of a file of the same size and second."""
        path.write_bytes(content)
        now = next(self._times)
        os.utime(path, (now, now))

    def _run(self, tests: Sequence[TimedTest]) -> tuple[Verdict, str]:
        chosen, running = self._notes / "chosen.json", self._notes / "running"
        chosen.write_text(json.dumps({test.name: test.limits for test in tests}), encoding="utf-8")
        running.write_text("while tests are collected", encoding="utf-8")
        ended = self.pytest(
            ["-x", "-p", "tests.mutation.chosen", *dict.fromkeys(test.file for test in tests)],
            {"MUTATION_CHOSEN": str(chosen), "MUTATION_RUNNING": str(running)},
        )
        seen_by = running.read_text(encoding="utf-8")
        if ended in _KILLED_BY_LIMIT:
            return Verdict.HUNG, seen_by
        return (Verdict.SURVIVED, "") if ended == 0 else (Verdict.CAUGHT, seen_by)

    def pytest(self, arguments: Sequence[str], environment: dict[str, str]) -> int:
        """Run pytest in the copy. Returns how it ended; what it printed is kept in `output`."""
        command = [*self._through, sys.executable, "-m", "pytest", "-n0", "--tb=line", *arguments]
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        with (self._notes / "output").open("wb") as output:
            process = subprocess.Popen(
                command,
                cwd=self.root,
                env={**inherited, "PYTHONPATH": str(self.root), **environment},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                return process.wait(_LONGEST)
            except subprocess.TimeoutExpired:
                return -signal.SIGALRM
            finally:  # with what its tests started
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    @property
    def output(self) -> str:
        """What the last run printed."""
        return (self._notes / "output").read_text(encoding="utf-8", errors="replace")


def _files_of_repository() -> list[str]:
    """The files that git knows or would add."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    return [file for file in listed if file and (ROOT / file).is_file()]
