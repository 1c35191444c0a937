"""Plant faults drawn at random, and count those that the tests of their own room see.

python -m tests.mutation --count 320 --seed 1 [--room store …] [--through 'nice -n 10']

Each is planted in a copy of the repository and judged by a process of its own. A run that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import difflib
import shlex
import sys
from collections.abc import Iterable, Sequence

from tests.mutation.mutants import Mutant
from tests.mutation.rooms import ROOMS
from tests.mutation.run import Tally, run

REQUIRED = 0.95
"""The share of the faults in each room that its own tests see."""


def difference(mutant: Mutant) -> str:
    """What a fault changes."""
    lines = difflib.unified_diff(mutant.before.splitlines(), mutant.after.splitlines(), lineterm="", n=1)
    return "\n".join(f"    {line}" for line in lines if not line.startswith(("---", "+++", "@@")))


def report(tallies: Iterable[Tally]) -> str:
    """A table of the rooms, then what survived in each."""
    tallies = list(tallies)
    lines = [f"{'room':10} {'planted':>8} {'caught':>7} {'hung':>5} {'survive':>8} {'argued':>7}   seen"]
    lines += [
        f"{one.room.name:10} {one.planted:8} {one.caught:7} {len(one.hung):5} {len(one.survivors):8} {one.argued:7}  {one.share:5.1%}"
        for one in tallies
    ]
    for one in tallies:
        for mutant in sorted(one.survivors, key=lambda mutant: (mutant.file, mutant.first)):
            where = f"{mutant.file}:{mutant.first} {mutant.function}"
            lines.append(f"\n{one.room.name} does not see ({mutant.operator}) {where}\n{difference(mutant)}")
        for mutant, result in one.hung:
            where = f"{mutant.file}:{mutant.first} {mutant.function}"
            lines.append(f"\n{one.room.name} hangs in {result.seen_by}: {where}\n{difference(mutant)}")
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    """Returns 0 if every room sees what it has to."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description="Plants faults drawn at random.")
    parser.add_argument("--count", type=int, default=320, help="faults in all rooms together (320)")
    parser.add_argument("--seed", type=int, default=1, help="another number draws other faults (1)")
    parser.add_argument("--room", action="append", choices=[room.name for room in ROOMS], help="only these rooms")
    parser.add_argument("--workers", type=int, default=2, help="processes at a time (2)")
    parser.add_argument("--seconds", type=float, default=20, help="of the processor, for the tests of one fault (20)")
    parser.add_argument("--through", default="", help="a command that runs each process, such as 'nice -n 10'")
    chosen = parser.parse_args(arguments)
    if not hasattr(sys, "monitoring"):
        print("This needs Python 3.12, which says what lines a test executes.")
        return 2
    rooms = [room for room in ROOMS if not chosen.room or room.name in chosen.room]
    count = -(-chosen.count // len(rooms))
    tallies = run(
        rooms,
        count,
        chosen.seed,
        most_seconds=chosen.seconds,
        workers=chosen.workers,
        through=shlex.split(chosen.through),
    )
    print(report(tallies))
    return int(any(one.share < REQUIRED for one in tallies))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
