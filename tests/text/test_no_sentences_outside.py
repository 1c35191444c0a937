"""All sentences for people stand in `bot/text` and in the law book's data; the other packages only name them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from bot.text.commands import COMMANDS
from bot.variants import CATALOGUE, MIXES, MODIFIERS
from bot.variants.catalogue import NO_BETTING_GAMES

ROOT = Path(__file__).resolve().parents[2]

NOT_FOR_PLAYERS = (
    "bot/text/", "bot/laws/",  # where sentences belong
    "bot/local/",  # the stand-in for Discord, a product of its own
    "bot/store/",  # SQL
    "bot/history/pokerstars", "bot/history/read_pokerstars",  # a file format: its lines are the same in every language
    "bot/operation/metrics.py",  # the HELP lines of figures, which Prometheus reads
)  # fmt: skip

SENTENCE = re.compile(r"[A-Za-z]{2,}[,;:.]? +[a-z]{2,}|^[A-Z].*[a-z]{2,}[.!?]$")
SHOWN = frozenset({"label", "title", "content", "description", "placeholder", "text"})
"""Keywords whose values people read."""
LOGGING = frozenset({"debug", "info", "warning", "error", "exception", "critical"})
DEVELOPERS = frozenset(
    {"getLogger", "create_task", "TypeVar", "NewType", "add_argument"}
    | {"Cause", "_cause", "ask_as_dealer"}  # what is kept with a change in the database, for audits
)
"""Calls whose strings only developers read."""


def strings_in(data: object) -> Iterator[str]:
    """Return all strings in plain data."""
    match data:
        case str():
            yield data
        case dict():
            yield from (found for pair in data.items() for each in pair for found in strings_in(each))
        case list() | tuple():
            yield from (found for each in data for found in strings_in(each))


CHOICES = frozenset(value for text in COMMANDS.values() for values in text.choices.values() for value in values)
GAMES = frozenset(strings_in(msgspec.to_builtins((CATALOGUE, MIXES, NO_BETTING_GAMES)))) | frozenset(
    word for one in MODIFIERS for word in (one.name, *one.aliases)
)
NAMES = frozenset(COMMANDS) | CHOICES | GAMES
"""Commands, values of their choices, and what stands on rule cards: names and aliases of games, code words of streets."""


def python_files() -> list[Path]:
    files = (path for room in ("bot", "cogs") for path in sorted((ROOT / room).rglob("*.py")))
    return [path for path in files if not path.relative_to(ROOT).as_posix().startswith(NOT_FOR_PLAYERS)]


def sentences(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Return the strings of a module that people could read, with their lines."""
    nodes = list(ast.walk(tree))
    hidden = set(_developers_strings(nodes))
    shown = set(_shown_strings(nodes))
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in hidden:
            words = re.findall(r"[A-Za-z]{2,}", node.value)
            if node.value in NAMES:
                continue
            if SENTENCE.search(node.value) or (id(node) in shown and words):
                yield node.lineno, node.value


def _developers_strings(nodes: list[ast.AST]) -> Iterator[int]:
    """Docstrings, log keys, what `repr` says, texts of exceptions, names of tasks and types, annotations, values of enums."""
    for node in nodes:
        match node:
            case ast.Expr(value=ast.Constant() as docstring):
                yield id(docstring)
            case ast.Raise() | ast.Assert():
                yield from _constants(node.exc if isinstance(node, ast.Raise) else node.msg)
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) if name in LOGGING | DEVELOPERS:
                yield from _constants(node)
            case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")))):
                yield from _constants(node)
            case ast.ClassDef(bases=[*_, ast.Name(id=base) | ast.Attribute(attr=base)]) if base.endswith("Enum"):
                yield from _constants(node)
            case ast.AnnAssign(annotation=annotation):
                yield from _constants(annotation)
            case ast.FunctionDef(name="__repr__"):
                yield from _constants(node)
            case ast.arg(annotation=annotation) | ast.FunctionDef(returns=annotation):
                yield from _constants(annotation)


def _shown_strings(nodes: list[ast.AST]) -> Iterator[int]:
    for node in nodes:
        if isinstance(node, ast.Call):
            for keyword in node.keywords:
                if keyword.arg in SHOWN and isinstance(keyword.value, ast.Constant | ast.JoinedStr):
                    yield from _constants(keyword.value)


def _constants(node: ast.AST | None) -> Iterator[int]:
    if node is not None:
        yield from (id(each) for each in ast.walk(node) if isinstance(each, ast.Constant))


@pytest.mark.parametrize("path", python_files(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_module_holds_no_sentence_for_people(path: Path) -> None:
    name = path.relative_to(ROOT).as_posix()
    found = [f"{name}:{line} {text!r}" for line, text in sentences(ast.parse(path.read_text(encoding="utf-8")))]
    assert not found, "\n".join(found)


def test_a_sentence_outside_is_found() -> None:
    tree = ast.parse(
        '"""A docstring of a module."""\n'
        'log.warning("not for people")\n'
        'raise LawError("told to developers")\n'
        'Button(label="Fold")\n'
        'notice_panel("You are out.")\n'
        'line = f"{name} to act"\n'
        'key = "check_or_fold"\n'
    )
    assert sorted(line for line, _ in sentences(tree)) == [4, 5, 6]
