"""No check of data is an ``assert``: ``python -O`` removes those. Chips, views and stored values are guarded by errors that are raised."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

from tests.test_architecture import FILES, ROOT


def only_narrows(test: ast.expr) -> bool:
    """Whether an assertion tells only of what type a value is. If it is not, the next line fails by itself: ``None`` has no attributes."""
    match test:
        case ast.BoolOp(op=ast.And(), values=values):
            return all(only_narrows(value) for value in values)
        case ast.Compare(ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return True
        case ast.Call(func=ast.Name(id="isinstance")):
            return True
    return False


def test_no_assertion_guards_data() -> None:
    guards = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)}"
        for path in FILES
        if "assert" in (text := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Assert) and not only_narrows(node.test)
    ]
    assert not guards, "raise BrokenInvariant instead:\n" + "\n".join(guards)


def test_planted_imbalances_are_refused_without_assertions(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-O", "-m", "tests.planted_imbalances", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert ended.stdout.splitlines() == [
        "chips out of nothing in a hand: BrokenInvariant, books []",
        "a stack for a seat that was not dealt in: BrokenInvariant",
        "more chips than an account holds: NotEnoughChips",
        "a table that closes with chips on it: InvalidCommit, books []",
        "a balance below zero: IntegrityError",
        "own cards in a public message: BrokenInvariant",
    ]
