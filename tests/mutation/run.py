"""A run: faults are drawn, planted in copies of the repository, and judged by the tests of their own room."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from threading import Lock

from tests.mutation.equivalents import equivalents, known_by
from tests.mutation.executed import Executed
from tests.mutation.mutants import Mutant
from tests.mutation.planting import Copy, Verdict
from tests.mutation.results import Result, Results
from tests.mutation.rooms import ROOT, Room, draw

KEPT = ROOT / ".mutation"
"""Where results lie; git ignores it."""


@dataclass
class Tally:
    """What became of the faults of one room."""

    room: Room
    planted: int = 0
    caught: int = 0
    argued: int = 0
    hung: list[tuple[Mutant, Result]] = field(default_factory=list)
    survivors: list[Mutant] = field(default_factory=list)

    @property
    def share(self) -> float:
        """The share that was seen. One that hangs is seen too."""
        return (self.caught + len(self.hung)) / self.planted if self.planted else 1.0

    def add(self, mutant: Mutant, result: Result) -> None:
        """Count one."""
        self.planted += 1
        match result.verdict:
            case Verdict.CAUGHT:
                self.caught += 1
            case Verdict.HUNG:
                self.hung.append((mutant, result))
            case Verdict.SURVIVED:
                self.survivors.append(mutant)


def run(
    rooms: Sequence[Room],
    count: int,
    seed: int,
    *,
    most_seconds: float = 20,
    workers: int = 2,
    through: Sequence[str] = (),
    kept: Path = KEPT,
) -> list[Tally]:
    """Plant so many faults in each room. Returns what became of them.

    Args:
        most_seconds: of the processor, for the tests of one fault. What they do not see by then counts as not seen.
        workers: processes at a time.
        through: a command that runs each of them.
        kept: the folder where results lie.
    """
    kept.mkdir(parents=True, exist_ok=True)
    results, argued = Results(kept / "results.json", most_seconds), equivalents()
    tallies = {room.name: Tally(room) for room in rooms}
    to_plant: dict[str, list[Mutant]] = {room.name: [] for room in rooms}
    for room in rooms:
        for mutant in draw(room, count, seed):
            if known_by(mutant) in argued:
                tallies[room.name].argued += 1
            elif (result := results.get(room, mutant)) is not None:
                tallies[room.name].add(mutant, result)
            else:
                to_plant[room.name].append(mutant)
    rooms = [room for room in rooms if to_plant[room.name]]
    with tempfile.TemporaryDirectory(prefix="mutation-") as folder, ThreadPoolExecutor(workers) as pool:
        copies = [Copy(Path(folder) / str(number), through) for number in range(workers if rooms else 0)]
        judges = _Judges(copies, Executed(kept / "executed"), results, most_seconds)
        judges.count = sum(map(len, to_plant.values()))
        judged: list[Future[None]] = []
        measured = [pool.submit(judges.measure, room) for room in rooms[:1]]
        for at, room in enumerate(
            rooms
        ):  # while the faults of a room are judged, the tests of the next one are measured
            measured += [pool.submit(judges.measure, other) for other in rooms[at + 1 : at + 2]]
            judged += [
                pool.submit(judges.judge, tallies[room.name], mutant, measured[at]) for mutant in to_plant[room.name]
            ]
        try:
            for future in judged:
                future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return list(tallies.values())


class _Judges:
    """Judge one fault in each copy at a time."""

    def __init__(self, copies: Sequence[Copy], executed: Executed, results: Results, most_seconds: float) -> None:
        self._executed, self._results, self._most_seconds = executed, results, most_seconds
        self.count = self._done = 0
        self._free: SimpleQueue[Copy] = SimpleQueue()
        for copy in copies:
            self._free.put(copy)
        self._lock = Lock()

    @contextmanager
    def _copy(self) -> Iterator[Copy]:
        copy = self._free.get()
        try:
            yield copy
        finally:
            self._free.put(copy)

    def measure(self, room: Room) -> None:
        """Measure which lines the tests of a room execute."""
        with self._copy() as copy:
            for name in self._executed.measure(room, copy):
                print(f"{room.name:10} fails without any fault, and judges nothing: {name}", flush=True)

    def judge(self, tally: Tally, mutant: Mutant, measured: Future[None]) -> None:
        """Find out whether the tests of a room see a fault."""
        measured.result()
        verdict, seen_by = Verdict.SURVIVED, ""
        killer = self._results.killer(mutant)
        with self._copy() as copy:
            began = time.monotonic()
            for tests in self._executed.tests_for(tally.room, mutant, self._most_seconds):
                verdict, seen_by = copy.judge(mutant, sorted(tests, key=lambda test: test.name != killer))
                if verdict is not Verdict.SURVIVED:
                    break
            seconds = time.monotonic() - began
        with self._lock:
            self._done += 1
            tally.add(mutant, self._results.keep(tally.room, mutant, verdict, seen_by, seconds))
            where = f"{mutant.file}:{mutant.first}"
            said = f"{tally.room.name:10} {verdict:8} {seconds:5.1f} s  {where}  {mutant.operator}  {seen_by}"
            print(f"[{self._done:3}/{self.count}] {said}", flush=True)
