"""List the laws without a test: read every ``pytest.mark.law(...)`` of the tests and compare it with the law book.

Tournament law cites numbers of the Tournament Directors Association (TDA). A test carries one as it carries a law:
``law("SG-2", "TDA 23")``.

Run ``python -m tests.laws.coverage`` for the laws of the games dealt now, ``--games all`` for the whole book.
"""

import argparse
import ast
import re
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

from bot.laws import Law, laws

TESTS = Path(__file__).resolve().parents[1]
HOLDEM = frozenset({"every", "holdem", "table"})
"""The marks of what applies to hold'em in its three limits."""
TOURNAMENTS = "SG"
"""The family of laws of sit-and-gos."""
_NUMBER = r"(?:RP-)?\d+(?:-[A-Z\d]+)?"
_TDA, _TABLE_LAW = re.compile(rf"TDA ({_NUMBER}(?:, {_NUMBER})*)"), re.compile(r"\bTL-\d+")


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
    """Return the citations of ids and TDA numbers that the book does not have."""
    known = {one.id for one in laws()}.union(*[tda_numbers(one) for one in laws()])
    return {id_: locations for id_, locations in citations.items() if id_ not in known}


def laws_for_games(games: Collection[str]) -> tuple[Law, ...]:
    """Return the laws that apply where games of these marks are dealt."""
    wanted = frozenset(games)
    return tuple(one for one in laws() if wanted.intersection(one.games))


def tda_numbers(one: Law) -> tuple[str, ...]:
    """Return the numbers of the TDA that a law rests on, as tests write them: ``("TDA 32", "TDA 34")``."""
    told = _TDA.findall(f"{one.source} {one.text}")
    return tuple([f"TDA {number}" for numbers in told for number in numbers.split(", ")])


def tda_numbers_of_tournaments() -> dict[str, tuple[str, ...]]:
    """Return the TDA numbers of sit-and-gos, each with the laws that rest on it: theirs, and the table laws that they cite."""
    own = [one for one in laws() if one.family == TOURNAMENTS]
    cited = {id_ for one in own for id_ in _TABLE_LAW.findall(f"{one.source} {one.text}")}
    found: dict[str, list[str]] = {}
    for one in (*own, *[one for one in laws() if one.id in cited]):
        for number in tda_numbers(one):
            found.setdefault(number, []).append(one.id)
    return {number: tuple(ids) for number, ids in found.items()}


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
    for number, ids in tda_numbers_of_tournaments().items():
        if number not in citations:
            print(f"{number:<9} of {', '.join(ids)} has no test")
    missing = untested_laws(games, citations)
    for one in missing:
        print(f"{one.id:<6} {one.kind:<5} {one.title}")
    print(
        f"{len(laws_for_games(games)) - len(missing)} of {len(laws_for_games(games))} laws have a test; {len(missing)} have none."
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
