"""The documents are true: what they and the code's own texts refer to is in the repository."""

from __future__ import annotations

import importlib
import random
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from bot.engine import events
from bot.engine.evolve import APPLY_EVENT
from bot.engine.hand import Hand
from bot.laws import UnknownLaw, law
from tests.engine.test_all_games_machine import CATALOGUE, UncheckedMachine

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = tuple(
    sorted(
        path
        for path in (
            *ROOT.glob("*.md"),
            *ROOT.glob(".github/**/*.md"),
            *ROOT.glob("bot/**/*.md"),
            *ROOT.glob("cogs/**/*.md"),
        )
        if ".venv" not in path.parts
    )
)
SOURCES = tuple(sorted(path for folder in ("bot", "cogs", "tests") for path in (ROOT / folder).rglob("*.py")))

_PATH = re.compile(r"`((?:bot|cogs|tests|\.github|\.ci)/[\w./-]*)`")
_LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)|(?:src|href)=\"([^\"]+)\"")
_MODULE = re.compile(r"`((?:bot|cogs|tests)(?:\.\w+)+)")
_OUTSIDE = re.compile(
    r"\b(?:design|ui|style) ?§|\b(?:discord|ui|design|style)\.md\b|\bissue \d|\.\./shared|mock-?up \d", re.IGNORECASE
)
_LAW = re.compile(r"(?<![\w-])((?:TL|VA|VB|VC|LO|[A-Z])-\d{1,2})(?![\w-])")
_NOT_LAWS = frozenset({"P-0", "B-99", "TL-99"})


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def prose_of(path: Path) -> str:
    """Return the comments and strings of a source file."""
    with path.open("rb") as file:
        tokens = tokenize.tokenize(file.readline)
        wanted = {tokenize.COMMENT, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}
        return "\n".join(token.string for token in tokens if token.type in wanted)


@pytest.mark.parametrize("document", DOCUMENTS, ids=_name)
def test_paths_and_links_of_a_document_exist(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    missing = [
        path for path in _PATH.findall(text) if "NNNN" not in path and "/de/" not in path and not (ROOT / path).exists()
    ]
    links = [first or second for first, second in _LINK.findall(text)]
    missing += [link for link in links if "://" not in link and not (document.parent / link).exists()]
    missing += [name for name in _MODULE.findall(text) if not resolves(name)]
    assert missing == []


@pytest.mark.parametrize("source", SOURCES, ids=_name)
def test_references_of_a_source_file_resolve(source: Path) -> None:
    """Names in backticks lead somewhere, laws are in the book, and nothing outside the repository is cited."""
    text = source.read_text(encoding="utf-8")
    if not any(one.search(text) for one in (_MODULE, _OUTSIDE, _LAW)):
        return  # it takes longer to find its comments and strings
    prose = prose_of(source)
    wrong = [name for name in _MODULE.findall(prose) if not resolves(name)]
    wrong += _OUTSIDE.findall(prose)
    wrong += [id_ for id_ in set(_LAW.findall(prose)) - _NOT_LAWS if not _is_law(id_)]
    assert wrong == []


@cache
def resolves(name: str) -> bool:
    """Return whether a dotted name is a module, or something in one."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:end]))
        except ImportError:
            continue
        for part in parts[end:]:
            fields = getattr(found, "__annotations__", {})
            if not hasattr(found, part) and part not in fields:
                return False
            found = getattr(found, part, None)
        return True
    return False


@cache
def _is_law(id_: str) -> bool:
    try:
        law(id_)
    except UnknownLaw:
        return False
    return True


def test_every_package_has_a_readme_of_one_screen() -> None:
    packages = [path.parent for path in (ROOT / "bot").glob("*/__init__.py")] + [ROOT / "cogs"]
    lengths = {
        _name(package): len((package / "README.md").read_text(encoding="utf-8").splitlines())
        if (package / "README.md").exists()
        else 0
        for package in packages
    }
    assert {package: lines for package, lines in lengths.items() if not 5 <= lines <= 60} == {}


LONGEST_LINE = 150
"""Of a guide, as an editor shows it; a row of a table and a picture with its description are one line."""


@pytest.mark.parametrize("path", DOCUMENTS, ids=_name)
def test_lines_of_guides_are_short(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    long = [number for number, line in enumerate(lines, 1) if len(line) > LONGEST_LINE]
    assert [number for number in long if not lines[number - 1].startswith(("|", "<img"))] == [], "break these lines"


# The table of .github/HAND.md


def documented_transitions() -> dict[str, tuple[set[str], set[str], set[str]]]:
    """Return for each decision the events that lead to it, keep it, and leave it, as the document lists them."""
    table: dict[str, tuple[set[str], set[str], set[str]]] = {}
    for line in (ROOT / ".github" / "HAND.md").read_text(encoding="utf-8").splitlines():
        if re.match(r"\| `[A-Z_]+` \|", line):
            decision, *cells, _ = [set(re.findall(r"`(\w+)`", cell)) for cell in line.strip("|").split("|")]
            entered, stays, left = cells
            table[decision.pop()] = (entered, stays, left)
    return table


def observed_transitions(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, str, str]]:
    """Return the decision before, the event and the decision after, for hands of every game; ``OVER`` after the last event."""
    seen: set[tuple[str, str, str]] = set()

    def watched(kind: type, apply: object) -> object:
        def apply_and_note(hand: Hand, event: object) -> None:
            before = hand.decision.name
            apply(hand, event)  # type: ignore[operator]
            seen.add((before, kind.__name__, "OVER" if hand.over else hand.decision.name))

        return apply_and_note

    for kind, apply in APPLY_EVENT.items():
        monkeypatch.setitem(APPLY_EVENT, kind, watched(kind, apply))  # type: ignore[arg-type]
    for card in CATALOGUE:
        UncheckedMachine(random.Random(f"{card.key} document"), card).play()
    yield from seen


def test_hand_document_knows_every_transition(monkeypatch: pytest.MonkeyPatch) -> None:
    table = documented_transitions()
    wrong = set()
    for before, event, after in observed_transitions(monkeypatch):
        entered, stays, _ = table.get(after, (set(), set(), set()))
        if before == after:
            fits = event in stays
        elif before == "NONE":
            fits = event in entered or (after == "OVER" and event in table["NONE"][2])
        else:
            fits = event in table[before][2] and (after in ("NONE", "OVER") or event in entered)
        if not fits:
            wrong.add((before, event, after))
    assert wrong == set()


def test_events_that_the_documents_name_exist() -> None:
    named = {name for row in documented_transitions().values() for cell in row for name in cell}
    assert {name for name in named if not hasattr(events, name)} == set()


def test_top_level_holds_nothing_else() -> None:
    """One place for each kind of thing: what has none of its own at the top lies in a folder."""
    allowed = {
        "pyproject.toml",
        "README.md",
        "LICENSE",
        "CHANGELOG.md",
        "requirements.txt",
        "Dockerfile",
        "compose.yaml",
    }
    found = {path.name for path in ROOT.iterdir() if path.is_file() and not path.name.startswith(".")}
    assert found <= allowed
