"""Every call that writes a message fills exactly the placeholders that the message has."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from bot.text import build
from bot.text.language import Plural, message, plural, t

ROOT = Path(__file__).resolve().parents[2]
FILES = [
    path
    for room in ("bot", "cogs")
    for path in sorted((ROOT / room).rglob("*.py"))
    if "bot/local/" not in path.as_posix() and path.name != "__main__.py"
]


def placeholders(sentence: str | Plural) -> set[str]:
    """Return the names of the values that a message needs."""
    texts = (sentence.one, sentence.many, "{count}") if isinstance(sentence, Plural) else (sentence,)
    return {name.partition(".")[0] for text in texts for _, name, _, _ in Formatter().parse(text) if name}


def messages_of(node: ast.expr, names: dict[str, Any]) -> Iterator[str | Plural]:
    """Return the messages that an expression can be; none where only a running program knows."""
    match node:
        case ast.IfExp(body=body, orelse=orelse):
            yield from messages_of(body, names)
            yield from messages_of(orelse, names)
            return
        case ast.Subscript(value=ast.Name() | ast.Attribute() as table):
            found = _value(table, names)
            yield from (
                each for each in (found.values() if isinstance(found, dict) else ()) if isinstance(each, str | Plural)
            )
            return
    found = _value(node, names)
    if isinstance(found, str | Plural):
        yield found


def _value(node: ast.expr, names: dict[str, Any]) -> Any:
    """Return the value of a module's name, of an attribute of one, or of a declaration in place."""
    match node:
        case ast.Name(id=name):
            return names.get(name)
        case ast.Attribute(value=value, attr=attr):
            return getattr(_value(value, names), attr, None)
        case ast.Call(func=ast.Name(id="message"), args=[ast.Constant(value=english)]):
            return message(str(english))
        case ast.Call(func=ast.Name(id="plural"), args=[ast.Constant(value=one), ast.Constant(value=many)]):
            return plural(str(one), str(many))
    return None


def wrong_calls(tree: ast.Module, names: dict[str, Any]) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="t"), args=[sentence], keywords=keywords) if names.get("t") is t:
                given = {keyword.arg for keyword in keywords}
                for each in messages_of(sentence, names):
                    if None not in given and placeholders(each) != given:
                        yield f"line {node.lineno}: {each!r} is given {sorted(map(str, given))}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_calls_fill_exactly_the_placeholders(path: Path) -> None:
    parts = path.relative_to(ROOT).with_suffix("").parts
    module = importlib.import_module(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    if vars(module).get("t") is not t:
        return  # nothing in it is worded
    wrong = list(wrong_calls(ast.parse(path.read_text(encoding="utf-8")), vars(module)))
    assert not wrong, "\n".join(wrong)


def test_template_for_translators_is_up_to_date() -> None:
    """``python -m bot.text.build`` writes it."""
    is_current = build.TEMPLATE.read_bytes() == build.written(build.template())
    assert is_current, "sentences have changed: run `python -m bot.text.build`, and commit what it writes"


def test_a_wrong_call_is_found() -> None:
    names = {"t": t, "POT": message("Pot {chips:,}"), "CARDS": plural("{count} card", "{count} cards")}
    tree = ast.parse(
        't(POT)\nt(POT, chips=1)\nt(CARDS, count=1)\nt(CARDS if a else POT, count=1)\nt(message("{a}"), b=1)\n'
    )
    assert len(list(wrong_calls(tree, names))) == 3
