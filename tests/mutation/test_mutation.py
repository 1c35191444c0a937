"""Faults are of every kind, the same for the same seed, and the tests of each room see nearly all of them."""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from tests.mutation.__main__ import REQUIRED, report
from tests.mutation.equivalents import equivalents, known_by
from tests.mutation.mutants import Mutant, mutants_of, plant
from tests.mutation.rooms import ROOMS, ROOT, Room, draw
from tests.mutation.run import run

SAMPLE = 40
PROGRAM = '''
"""A module."""
import logging
log = logging.getLogger(__name__)
LIMIT = 60

def serve(guest: str, age: int, *, seats: int = 4) -> bool:
    """Serve a guest."""
    if age < 18 and guest != "Ann":
        raise ValueError(guest)
    log.info("served", extra={"age": age + 1})
    for at, name in zip(range(seats), "abc", strict=True):
        sit(at, name, quietly=True)
    return age > LIMIT or not guest
'''


def planted(tmp_path: Path, program: str) -> list[Mutant]:
    (tmp_path / "program.py").write_text(program, encoding="utf-8")
    return mutants_of(tmp_path, "program.py")


@pytest.mark.parametrize(
    ("statement", "faults"),
    [
        ("x = a < b", {"x = a <= b", "x = a >= b"}),
        ("x = a and b", {"x = a or b", "x = a", "x = b"}),
        ("x = a + 9", {"x = a - 9", "x = a + 10"}),
        ("x = a * 60", {"x = a // 60", "x = a * 600"}),
        ("x = not a", {"x = a"}),
        ("x = a if b else c", {"x = a if not b else c"}),
        ("x = max(a, b)", {"x = min(a, b)"}),
        ("f(a, b)", {"pass", "f(b, a)"}),
        ("f(a, quiet=True)", {"pass", "f(a)", "f(a, quiet=False)"}),
        ("x.y = a", {"pass"}),
        ("x += a", {"pass", "x -= a"}),
        ("x = [a for a in b if c]", {"x = [a for a in b]"}),
        ("if a:\n    f()", {"if not a:\n    ...", "pass"}),
        ("while a:\n    b = a", {"while not a:\n    ..."}),
        ("with a:\n    b = a", {"if True:\n    ..."}),
        ("try:\n    a = b\nexcept E:\n    a = c", {"except E:\n    raise"}),
        ("match a:\n    case 1 if b:\n        c = a", {"case 1:\n    ..."}),
        ("x = 'SELECT a FROM b WHERE c < 1'", {"x = 'SELECT a FROM b WHERE c <= 1'"}),
    ],
)
def test_every_kind_of_fault_is_planted(tmp_path: Path, statement: str, faults: set[str]) -> None:
    assert {mutant.after for mutant in planted(tmp_path, statement)} == faults


def test_what_a_function_returns_is_another_value(tmp_path: Path) -> None:
    for hint, after in (("bool", "not a"), ("int", "a + 1"), ("tuple[int, ...]", "()"), ("Hand | None", "None")):
        program = f"def f(a) -> {hint}:\n    return a"
        assert [mutant.after for mutant in planted(tmp_path, program)] == [f"return {after}"]


def test_each_fault_changes_one_thing_and_only_what_is_done(tmp_path: Path) -> None:
    faults = planted(tmp_path, PROGRAM)
    assert len({mutant.key for mutant in faults}) == len(faults) > 15
    for mutant in faults:
        text = plant(tmp_path, mutant)
        compile(text, "program.py", "exec")
        assert "log.info('served', extra={'age': age + 1})" in text and "strict=True" in text


def test_a_fault_is_the_same_when_lines_move(tmp_path: Path) -> None:
    keys = [mutant.key for mutant in planted(tmp_path, PROGRAM)]
    moved = planted(tmp_path, f"# a comment\n\n{PROGRAM}\n\ndef other(a: int) -> None:\n    f(a)\n")
    assert [mutant.key for mutant in moved][: len(keys)] == keys
    room = Room("here", ("",), ())
    assert {one.key for one in draw(room, 5, 1, tmp_path)} <= {one.key for one in moved}
    assert draw(room, 5, 1, tmp_path) == draw(room, 5, 1, tmp_path) != draw(room, 5, 2, tmp_path)


def test_what_was_argued_is_there_still() -> None:
    """A line of `equivalents.toml` whose statement has changed has to go, or to be argued again."""
    argued = defaultdict(set)
    for known, why in equivalents().items():
        assert len(why.split()) >= 5, "say why nobody can see it"
        argued[known[0]].add(known)
    gone = {file: known - {known_by(mutant) for mutant in mutants_of(ROOT, file)} for file, known in argued.items()}
    assert not any(gone.values()), gone


@pytest.mark.full
@pytest.mark.skipif(not hasattr(sys, "monitoring"), reason="Python 3.12 says which lines a test executes")
def test_rooms_see_the_faults_in_them() -> None:
    """The same ones each time, so that what fails here has changed; another `MUTATION_SEED` draws others."""
    tallies = run(ROOMS, SAMPLE // len(ROOMS), int(os.environ.get("MUTATION_SEED", "1")))
    assert sum(len(one.survivors) for one in tallies) <= SAMPLE * (1 - REQUIRED), report(tallies)
