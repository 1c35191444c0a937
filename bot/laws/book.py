"""Laws as values, read once from the package's own data files.

Source: laws 0.1, 0.2, 0.3 and Parts A to E.
"""

import tomllib
from functools import cache
from importlib import resources
from types import MappingProxyType

import msgspec

from bot.engine.errors import TableError


class Law(msgspec.Struct, frozen=True, kw_only=True):
    """One clause, game sheet or acceptance test of the law book.

    Attributes:
        id: what refusals cite, ``"B-8"``.
        title: its name in a few words, which are ours.
        text: the clause, in the book's words.
        source: where it comes from, ``"000 001 002 003"`` or ``"TDA 47-A; WSOP-L 171"``.
        part: ``"A"`` founding texts, ``"B"`` their games, ``"C"`` modern games, ``"D"`` table law, ``"E"`` games of the
            house.
        kind: ``"P"``: a player enters it; ``"H"``: the host sets it; ``"E"``: the engine does it; ``"adv"``: it is advice; several as
            ``"E/P"``; ``"sheet"``: it is the rule sheet of a game; ``"test"``: it is an acceptance test.
        valid: what is accepted; empty where nobody enters anything.
        refusal: the answer to anything else; empty where nothing is refused.
        games: the kinds of games it applies to; `game_marks` explains them.
    """

    id: str
    title: str
    text: str
    source: str
    part: str
    kind: str
    valid: str
    refusal: str
    games: tuple[str, ...]

    @property
    def family(self) -> str:
        """The letters of the id: ``"B"`` for betting, ``"TL"`` for table law."""
        return self.id.partition("-")[0]


class CitedSource(msgspec.Struct, frozen=True):
    """A text that the book cites: its tag, its title, and what kind of text it is."""

    tag: str
    title: str
    character: str


class GlossaryTerm(msgspec.Struct, frozen=True):
    """A word of the book and what it means there."""

    word: str
    meaning: str


class UnknownLaw(TableError):
    """No law has that id."""

    law_id: str


class _Clause(msgspec.Struct, frozen=True):
    """A law as it stands in its file. The file says which part it belongs to."""

    id: str
    title: str
    source: str
    kind: str
    text: str
    valid: str
    refusal: str
    games: tuple[str, ...]


class _GameMark(msgspec.Struct, frozen=True):
    mark: str
    meaning: str


class _BookFile(msgspec.Struct, frozen=True):
    source: tuple[CitedSource, ...]
    word: tuple[GlossaryTerm, ...]
    mark: tuple[_GameMark, ...]


class _PartFile(msgspec.Struct, frozen=True):
    law: tuple[_Clause, ...]


_FILES = (("A", "part_a"), ("B", "part_b"), ("C", "part_c"), ("D", "part_d"), ("E", "part_e"))
_LAST_ACCEPTANCE_TEST_OF_PART_A = 15


@cache
def laws() -> tuple[Law, ...]:
    """Return every law in the book's order: Parts A to E, then the acceptance tests."""
    found = [_law_from_clause(clause, part) for part, file in _FILES for clause in _read_clauses(file)]
    for clause in _read_clauses("acceptance"):
        number = int(clause.id.partition("-")[2])
        found.append(_law_from_clause(clause, "A" if number <= _LAST_ACCEPTANCE_TEST_OF_PART_A else "D"))
    return tuple(found)


def law(id_: str) -> Law:
    """Return one law by its id, in any case: ``law("tl-4")``.

    Raises:
        UnknownLaw: no law has that id.
    """
    found = _laws_by_id().get(id_.strip().upper())
    if found is None:
        raise UnknownLaw(law_id=id_)
    return found


def clauses() -> tuple[Law, ...]:
    """Return the clauses of Parts A, D and E, without sheets and acceptance tests."""
    return tuple(one for one in laws() if one.kind not in {"sheet", "test"})


def sheets() -> tuple[Law, ...]:
    """Return the rule sheets of the games, VB-1 to VC-30."""
    return tuple(one for one in laws() if one.kind == "sheet")


def acceptance_tests() -> tuple[Law, ...]:
    """Return the acceptance tests, AT-1 to AT-24."""
    return tuple(one for one in laws() if one.kind == "test")


def sources() -> tuple[CitedSource, ...]:
    """Return the texts that the book cites (0.1)."""
    return _book_file().source


def glossary() -> tuple[GlossaryTerm, ...]:
    """Return the words of the book (0.2)."""
    return _book_file().word


@cache
def game_marks() -> MappingProxyType[str, str]:
    """Return the marks that `Law.games` uses, each with its meaning."""
    return MappingProxyType({one.mark: one.meaning for one in _book_file().mark})


@cache
def _laws_by_id() -> dict[str, Law]:
    return {one.id: one for one in laws()}


@cache
def _book_file() -> _BookFile:
    return msgspec.convert(_read_toml("book"), _BookFile)


def _read_clauses(file: str) -> tuple[_Clause, ...]:
    return msgspec.convert(_read_toml(file), _PartFile).law


def _read_toml(file: str) -> dict[str, object]:
    return tomllib.loads(resources.files("bot.laws").joinpath(f"{file}.toml").read_text(encoding="utf-8"))


def _law_from_clause(clause: _Clause, part: str) -> Law:
    return Law(
        id=clause.id,
        title=clause.title,
        text=clause.text.strip(),
        source=clause.source,
        part=part,
        kind=clause.kind,
        valid=clause.valid,
        refusal=clause.refusal,
        games=clause.games,
    )
