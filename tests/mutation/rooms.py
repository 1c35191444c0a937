"""Which tests belong to which room, and which of its faults are drawn."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.mutation.mutants import Mutant, mutants_of

ROOT = Path(__file__).parents[2]
_LARGEST_SHARE = 8
"""One kind of fault is at most an eighth of those drawn: otherwise every fifth would be two arguments swapped, which everything sees."""


@dataclass(frozen=True)
class Room:
    """A package and its own tests.

    Attributes:
        program: its folders.
        without: folders in these that are other rooms.
        tests: their folders, or a file. What Discord sees of the program is tested in evenings, and these are in `tests/e2e`.
    """

    name: str
    program: tuple[str, ...]
    tests: tuple[str, ...]
    without: tuple[str, ...] = ()

    def files(self, root: Path = ROOT) -> Iterator[str]:
        """Its files, from the root of the repository."""
        for folder in self.program:
            for path in sorted((root / folder).rglob("*.py")):
                file = path.relative_to(root).as_posix()
                if not file.startswith(tuple(f"{other}/" for other in self.without)):
                    yield file

    def test_files(self, root: Path = ROOT) -> Iterator[str]:
        """The files of its tests."""
        for one in self.tests:
            files = sorted((root / one).rglob("test_*.py")) if (root / one).is_dir() else [root / one]
            yield from (path.relative_to(root).as_posix() for path in files)


ROOMS = (
    Room("store", ("bot/store",), ("tests/store",), without=("bot/store/statistics",)),
    Room("runtime", ("bot/runtime",), ("tests/runtime",)),
    Room("ledger", ("bot/ledger",), ("tests/ledger",)),
    Room("table", ("bot/table",), ("tests/table",)),
    Room("statistics", ("bot/statistics", "bot/store/statistics"), ("tests/statistics",)),
    Room("history", ("bot/history",), ("tests/history",)),
    Room("surfaces", ("bot/surfaces",), ("tests/surfaces", "tests/test_parts.py", "tests/e2e")),
    Room("cogs", ("cogs",), ("tests/cogs", "tests/e2e")),
)


def draw(room: Room, count: int, seed: int, root: Path = ROOT) -> list[Mutant]:
    """Draw faults of a room. The same seed draws the same ones as long as they are there, also when other lines change."""
    every = [mutant for file in room.files(root) for mutant in mutants_of(root, file)]
    every.sort(key=lambda mutant: hashlib.sha256(f"{seed}\n{mutant.key}".encode()).digest())
    most = -(-count // _LARGEST_SHARE)
    drawn: list[Mutant] = []
    kinds: Counter[str] = Counter()
    for mutant in every:
        if len(drawn) == count:
            break
        if kinds[mutant.operator] < most:
            kinds[mutant.operator] += 1
            drawn.append(mutant)
    return drawn
