"""Which tests execute a line: measured once, and again for the test files that have changed since."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from threading import Lock
from typing import Any

from tests.mutation.mutants import Mutant
from tests.mutation.planting import Copy, TimedTest
from tests.mutation.rooms import ROOMS, ROOT, Room

_QUICKEST, _BROADEST = 20, 10
"""So many tests are run first where many execute a line; the others only if these see nothing."""


def digest(files: Iterable[str]) -> str:
    """What files hold, in few letters."""
    found = hashlib.sha256()
    for file in files:
        found.update(file.encode() + (ROOT / file).read_bytes())
    return found.hexdigest()[:16]


class Executed:
    """What the tests of some folders execute.

    Args:
        folder: where it is kept.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._folder.mkdir(parents=True, exist_ok=True)
        self._read: dict[str, dict[str, Any]] = {}
        self._locks: dict[str, Lock] = {}  # evenings are measured once for both rooms that have them

    def measure(self, room: Room, copy: Copy) -> list[str]:
        """Measure what has changed since it was last measured. Returns the tests that fail without any fault; they judge nothing."""
        for folder in room.tests:
            self._measure_folder(folder, room, copy)
        return [
            name
            for file in room.test_files()
            for name, test in self._notes(file)["tests"].items()
            if not test["passed"]
        ]

    def _measure_folder(self, folder: str, room: Room, copy: Copy) -> None:
        with self._locks.setdefault(folder, Lock()):
            rooms = [one for one in ROOMS if folder in one.tests]
            program = digest(file for one in rooms for file in one.files())
            helpers = digest(
                sorted(str(p.relative_to(ROOT)) for p in (ROOT / folder).rglob("*.py") if p.name[:5] != "test_")
            )
            stamps = {
                file: f"{program} {helpers} {digest([file])}"
                for file in room.test_files()
                if file == folder or file.startswith(f"{folder}/")
            }
            stale = [file for file, stamp in stamps.items() if self._notes(file).get("stamp") != stamp]
            if stale:
                self._measure(stale, [name for one in rooms for name in one.program], copy, stamps)

    def _measure(self, files: list[str], folders: list[str], copy: Copy, stamps: dict[str, str]) -> None:
        notes = self._folder / f"{files[0].replace(os.sep, '.')}.notes"
        notes.unlink(missing_ok=True)
        copy.pytest(
            ["-p", "tests.mutation.measuring", *files],
            {"MUTATION_FOLDERS": ",".join(folders), "MUTATION_NOTES": str(notes)},
        )
        if not notes.exists():
            raise RuntimeError(f"The tests cannot be measured:\n{copy.output[-2000:]}")
        measured = json.loads(notes.read_text(encoding="utf-8"))
        notes.unlink()
        for file in files:
            tests = {name: test for name, test in measured["tests"].items() if name.partition("::")[0] == file}
            self._read[file] = {"stamp": stamps[file], "module": measured["module"], "tests": tests}
            self._path(file).write_text(json.dumps(self._read[file]), encoding="utf-8")

    def _path(self, file: str) -> Path:
        return self._folder / f"{file.replace(os.sep, '.')}.json"

    def _notes(self, file: str) -> dict[str, Any]:
        if file not in self._read:
            path = self._path(file)
            self._read[file] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        return self._read[file]

    def tests_for(self, room: Room, mutant: Mutant, most_seconds: float) -> Iterator[list[TimedTest]]:
        """The tests that can see a fault, in turns: likely ones first.

        Those that execute its lines; after them, the others of their files, which can look at what a helper has kept.
        For a line of a module or a class, those that execute anything of that file. If no test executes it, those that
        start processes.
        """
        notes = {file: self._notes(file) for file in room.test_files()}
        tests = {name: test for one in notes.values() for name, test in one["tests"].items() if test["passed"]}
        lines = sum(1 << line for line in range(mutant.first, mutant.last + 1))
        is_of_module = any(int(one["module"].get(mutant.file, "0"), 16) & lines for one in notes.values())
        executing = {name for name, test in tests.items() if int(test["lines"].get(mutant.file, "0"), 16) & lines}
        if is_of_module:
            executing |= {name for name, test in tests.items() if mutant.file in test["lines"]}
            executing = executing or set(tests)
        if not executing:
            executing = {name for name, test in tests.items() if test["processes"]}
        word = re.sub(r"s?\.py$", "", mutant.file.rpartition("/")[2])
        ordered = sorted(executing, key=lambda name: (f"test_{word}" not in name, tests[name]["cpu"]))
        broad = sorted(
            (name for name in executing if tests[name]["cpu"] < 1),
            key=lambda name: -int(tests[name]["lines"].get(mutant.file, "0"), 16).bit_count(),
        )
        files = {name.partition("::")[0] for name in executing}
        others = [name for name in tests if name.partition("::")[0] in files and name not in executing]
        first = list(dict.fromkeys([*ordered[:_QUICKEST], *broad[:_BROADEST]]))
        rest = [name for name in dict.fromkeys([*broad, *ordered, *others]) if name not in first]
        seconds, within = sum(tests[name]["cpu"] for name in first), list[str]()
        for name in rest:
            seconds += tests[name]["cpu"]
            if seconds < most_seconds:
                within.append(name)
        for names in (first, within) if len(within) > _QUICKEST else (first + within,):
            if names:
                yield [TimedTest(name, tests[name]["wall"], tests[name]["cpu"]) for name in names]
