"""What became of each fault, kept while a run goes on: one that is stopped goes on where it was.

What is kept holds as long as nothing that it rests on has changed: for a fault that was caught, the file of the program and the file of the
test that saw it; for one that survived, the file of the program and all tests of its room, and how long they had.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.mutation.executed import digest
from tests.mutation.mutants import Mutant
from tests.mutation.planting import Verdict
from tests.mutation.rooms import ROOT, Room


@dataclass(frozen=True)
class Result:
    """What became of a fault.

    Attributes:
        seen_by: the test that saw it, or hung.
        seconds: how long that took.
        stamp: what it rests on.
    """

    verdict: Verdict
    seen_by: str
    seconds: float
    stamp: str


class Results:
    """A file of results."""

    def __init__(self, path: Path, most_seconds: float) -> None:
        self._path, self._most_seconds = path, most_seconds
        self._kept: dict[str, Result] = {}
        if path.exists():
            kept = json.loads(path.read_text(encoding="utf-8"))
            self._kept = {key: Result(**{**one, "verdict": Verdict(one["verdict"])}) for key, one in kept.items()}

    def get(self, room: Room, mutant: Mutant) -> Result | None:
        """Return what is known of a fault; None if it is to be planted."""
        result = self._kept.get(_key(mutant))
        return result if result is not None and result.stamp == self._stamp(room, mutant, result.seen_by) else None

    def killer(self, mutant: Mutant) -> str:
        """Return the test that saw a fault at another time, which is the first to ask now; empty if there is none."""
        result = self._kept.get(_key(mutant))
        return result.seen_by if result is not None and result.verdict is Verdict.CAUGHT else ""

    def keep(self, room: Room, mutant: Mutant, verdict: Verdict, seen_by: str, seconds: float) -> Result:
        """Keep what became of a fault."""
        result = Result(verdict, seen_by, round(seconds, 1), self._stamp(room, mutant, seen_by))
        self._kept[_key(mutant)] = result
        draft = self._path.with_suffix(".draft")
        draft.write_text(json.dumps({key: asdict(one) for key, one in self._kept.items()}), encoding="utf-8")
        draft.replace(self._path)
        return result

    def _stamp(self, room: Room, mutant: Mutant, seen_by: str) -> str:
        file = seen_by.partition("::")[0]
        if (ROOT / file).is_file():
            return digest([mutant.file, file])
        return f"{digest([mutant.file, *room.test_files()])} {self._most_seconds:g}"


def _key(mutant: Mutant) -> str:
    return hashlib.sha256(mutant.key.encode()).hexdigest()[:16]
