"""List the laws without a test: read every ``pytest.mark.law(...)`` of the tests and compare it with the law book.

Run ``python -m tests.laws.coverage`` for the laws of the games dealt now, ``--games all`` for the whole book.
"""

import argparse
import ast
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

from bot.laws import Law, laws

TESTS = Path(__file__).resolve().parents[1]
HOLDEM = frozenset({"every", "holdem", "table"})
"""The marks of what applies to hold'em in its three limits."""


@cache
def cited_laws(root: Path = TESTS) -> dict[str, tuple[str, ...]]:
    """Return each law id that a test cites, with the locations (``engine/test_pots.py:12``) that cite it."""
    found: dict[str, list[str]] = {}
    for path in sorted(root.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for id_, line in _citations(ast.parse(text, str(path))) if "mark.law(" in text else ():
            found.setdefault(id_, []).append(f"{path.relative_to(root).as_posix()}:{line}")
    return {id_: tuple(locations) for id_, locations in found.items()}


def unknown_citations(citations: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Return the citations of ids that the book does not have."""
    known = {one.id for one in laws()}
    return {id_: locations for id_, locations in citations.items() if id_ not in known}


def laws_for_games(games: Collection[str]) -> tuple[Law, ...]:
    """Return the laws that apply where games of these marks are dealt."""
    wanted = frozenset(games)
    return tuple(one for one in laws() if wanted.intersection(one.games))


def untested_laws(games: frozenset[str], citations: dict[str, tuple[str, ...]]) -> tuple[Law, ...]:
    """Return the laws that apply to these games and that no test cites."""
    return tuple(one for one in laws_for_games(games) if one.id not in citations)


def _citations(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Find ``pytest.mark.law("B-8", "TL-2")`` wherever it stands: on tests, classes, modules or parameters."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="mark"), attr="law"), args=ids):
                for id_ in ids:
                    if not (isinstance(id_, ast.Constant) and isinstance(id_.value, str)):
                        raise ValueError(f"line {node.lineno}: a law is cited by its id, written out")
                    yield id_.value, node.lineno


def main(arguments: list[str] | None = None) -> int:
    """Print the list; the exit code is 0, for the list is information."""
    parser = argparse.ArgumentParser(prog="python -m tests.laws.coverage", description="Laws without a test.")
    parser.add_argument("--games", choices=("holdem", "all"), default="holdem")
    chosen = parser.parse_args(arguments).games
    games = HOLDEM if chosen == "holdem" else frozenset(mark for one in laws() for mark in one.games)
    citations = cited_laws()
    for id_, locations in unknown_citations(citations).items():
        print(f"unknown law {id_}: {', '.join(locations)}")
    missing = untested_laws(games, citations)
    for one in missing:
        print(f"{one.id:<6} {one.kind:<5} {one.title}")
    print(
        f"{len(laws_for_games(games)) - len(missing)} of {len(laws_for_games(games))} laws have a test; {len(missing)} have none."
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
