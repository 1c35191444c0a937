"""The dealer is a list of parts that know little of each other: what each may write, how large it is, and that the list is complete."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import bot.surfaces
from bot.app import PARTS
from bot.engine.events import Folded
from bot.engine.units import SeatIndex
from bot.runtime.snapshot import TableUpdate
from bot.surfaces.part import MissingPart, Part, Parts
from bot.table.events import ActedAgain
from bot.table.state import SeatNumber

ROOT = Path(__file__).parents[1]
ROOMS = ("bot/line", "bot/surfaces", "bot/house", "bot/operation", "cogs")
"""The rooms above the rules of the game, and below the list of parts."""
WIRING = tuple(ROOT / f"bot/{name}.py" for name in ("app", "dealer", "foundation"))
FILES = sorted((*(path for room in ROOMS for path in (ROOT / room).rglob("*.py")), *WIRING))
APP_LINES_MAX, CLASS_LINES_MAX, METHODS_MAX = 150, 400, 25

LIBRARIES = ("discord", "sys", "threading")
"""Their settings can be set."""


class Function:
    """What a function has made itself: it can fill what it made."""

    def __init__(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.own = {"self", "cls"}
        for inner in ast.walk(node):
            match inner:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=made)) if _is_class(made):
                    self.own.add(name)
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.Call(func=made)) if _is_class(made):
                    self.own.add(name)


def _is_class(made: ast.expr) -> bool:
    name = ast.unparse(made).rpartition(".")[2].lstrip("_")
    return name[:1].isupper()


def settings_of_others(path: Path, text: str | None = None) -> Iterator[str]:
    """Return where a file sets an attribute of an object that is neither `self` nor made in the same function."""
    tree = ast.parse(text if text is not None else path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            own = Function(node).own
            for inner in ast.walk(node):
                for target in _targets(inner):
                    owner = ast.unparse(target.value)
                    if (
                        owner not in own
                        and owner.partition(".")[0] not in LIBRARIES
                        and not target.attr.startswith("__")
                    ):
                        yield f"{path.name}:{inner.lineno} {ast.unparse(target)}"


def _targets(node: ast.AST) -> Iterator[ast.Attribute]:
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.AugAssign | ast.AnnAssign):
        targets = [node.target]
    for target in targets:
        for inner in target.elts if isinstance(target, ast.Tuple | ast.List) else [target]:
            if isinstance(inner, ast.Attribute):
                yield inner


def declared_in(path: Path) -> set[str]:
    """Return the attributes that the classes of a file declare."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef):
            for inner in ast.walk(node):
                for target in _targets(inner):
                    if isinstance(target.value, ast.Name) and target.value.id == "self":
                        found.add(target.attr)
                if isinstance(inner, ast.AnnAssign) and isinstance(inner.target, ast.Name):
                    found.add(inner.target.id)
    return found


def large_classes() -> dict[str, str]:
    """Return the classes that are too large, with their size."""
    found: dict[str, str] = {}
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                lines = (node.end_lineno or 0) - node.lineno + 1
                methods = sum(isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) for one in node.body)
                if lines > CLASS_LINES_MAX or methods > METHODS_MAX:
                    found[node.name] = f"{path.relative_to(ROOT)}: {lines} lines, {methods} methods"
    return found


def test_app_is_a_short_list() -> None:
    assert len((ROOT / "bot/app.py").read_text(encoding="utf-8").splitlines()) <= APP_LINES_MAX


def test_no_class_is_too_large() -> None:
    assert large_classes() == {}


def test_nobody_sets_an_attribute_of_another_part() -> None:
    """Also of a state object: it is written in its own file alone."""
    wrong: dict[str, list[str]] = {}
    for path in FILES:
        own = declared_in(path)
        found = [one for one in settings_of_others(path) if one.rpartition(".")[2] not in own]
        if found:
            wrong[path.relative_to(ROOT).as_posix()] = found
    assert wrong == {}


def test_settings_of_others_are_found() -> None:
    """Also one that goes to a part of a part, to a list of names, or adds."""
    text = (
        "def wire(self, notices, quiet):\n"
        "    notices.is_quiet = quiet.are_now\n"
        "    self.tables.staff_log.on_written = self.staff.wake\n"
        "    a, notices.b = 1, 2\n"
        "    notices.count += 1\n"
        "    self.own = made = Thing()\n"
        "    thing = Thing()\n"
        "    thing.field = 1\n"
    )
    found = [one.partition(" ")[2] for one in settings_of_others(Path("wrong.py"), text)]
    assert found == ["notices.is_quiet", "self.tables.staff_log.on_written", "notices.b", "notices.count"]


def parts_of_surfaces() -> set[type[Part]]:
    """Return every class of `bot.surfaces` that is a part."""
    found: set[type[Part]] = set()
    for module in pkgutil.walk_packages(bot.surfaces.__path__, "bot.surfaces."):
        of = importlib.import_module(module.name)
        found |= {
            one
            for one in vars(of).values()
            if isinstance(one, type) and issubclass(one, Part) and one is not Part and one.__module__ == module.name
        }
    return found


def test_every_part_is_in_the_list() -> None:
    missing = [f"{one.__module__}.{one.__name__}" for one in parts_of_surfaces() if one not in PARTS]
    assert missing == [], "a part that is in no list is never made: add its import and its line to PARTS in bot/app.py"


class Clock:
    pass


class Quiet:
    def __init__(self, clock: Clock, seconds: int = 5) -> None:
        self.clock, self.seconds = clock, seconds


class Pings:
    def __init__(self, quiet: Quiet | None = None) -> None:
        self.quiet = quiet


def made_quiet(clock: Clock) -> Quiet:
    return Quiet(clock, 7)


def test_parts_are_made_of_those_before_them() -> None:
    parts = Parts(Clock())
    parts.make([Quiet, Pings])
    assert parts.get(Pings).quiet is parts.get(Quiet)
    assert parts.get(Quiet).clock is parts.get(Clock) and parts.get(Quiet).seconds == 5


def test_a_function_can_make_a_part() -> None:
    parts = Parts(Clock())
    parts.make([made_quiet])
    assert parts.get(Quiet).seconds == 7


def test_part_that_comes_too_early_is_named() -> None:
    with pytest.raises(MissingPart, match="Quiet needs a Clock, which no part before it is"):
        Parts().make([Quiet, Clock])


def test_fold_is_told_only_to_parts_that_follow_play() -> None:
    """A table's seats, settings and chips between hands change with events of the table alone."""
    snapshot: Any = None
    fold, again = Folded(SeatIndex(0)), ActedAgain(SeatNumber(1))
    assert TableUpdate(snapshot, (fold,)).is_play
    assert not TableUpdate(snapshot, (fold, again)).is_play
    assert not TableUpdate(snapshot, (fold,), closed=True).is_play
    assert not TableUpdate(snapshot, (), street_shown=True).is_play
