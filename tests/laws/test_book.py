"""The law book is complete and says what the written one says."""

import re
from collections import Counter

import pytest

from bot.engine.options.register import REGISTER
from bot.laws import Law, UnknownLaw, acceptance_tests, clauses, game_marks, glossary, law, laws, sheets, sources
from bot.variants.sheet_options import SHEET_OPTIONS
from tests.support.data import LAW_BOOK

FAMILIES = {
    "H": 6, "P": 12, "K": 6, "W": 9, "SP": 1, "R": 12, "T": 11, "D": 13, "A": 13, "B": 19, "L": 10, "C": 5, "F": 7,
    "X": 7, "S": 5, "M": 5, "Z": 5, "Q": 4, "I": 10, "N": 3, "E": 2, "LO": 5, "TL": 43,
    "TC": 9, "BO": 2, "SG": 16, "WT": 3,
}  # fmt: skip


@pytest.fixture(scope="module")
def written() -> str:
    return LAW_BOOK.read_text(encoding="utf-8")


def test_every_family_has_its_clauses() -> None:
    """Counts as the book states them in 0.4; numbers run from 1 without a gap."""
    assert Counter(one.family for one in clauses()) == FAMILIES
    assert Counter(one.part for one in clauses()) == {"A": 170, "D": 43, "E": 30}
    assert Counter(one.family for one in sheets()) == {"VB": 13, "VC": 30}
    assert Counter(one.part for one in acceptance_tests()) == {"A": 15, "D": 9}
    for family, count in {**FAMILIES, "VB": 13, "VC": 30, "AT": 24}.items():
        numbers = range(1, count + 1)
        assert [one.id for one in laws() if one.family == family] == [f"{family}-{n}" for n in numbers]


@pytest.mark.parametrize("one", laws(), ids=lambda one: one.id)
def test_every_law_is_complete(one: Law) -> None:
    assert one.title
    assert len(one.title) <= 50
    assert not one.title.endswith(".")
    assert one.text
    assert one.source
    assert re.fullmatch(r"(adv|[PHE](/[PHE])*|sheet|test)", one.kind)
    assert one.games
    assert set(one.games) <= set(game_marks())


def test_titles_tell_laws_apart() -> None:
    titles = Counter(one.title for one in clauses())
    twice = {title for title, count in titles.items() if count > 1}
    assert twice == set()


def test_a_law_is_found_by_id_in_any_case() -> None:
    assert law("tl-4") is law("TL-4")
    with pytest.raises(UnknownLaw) as refusal:
        law("TL-99")
    assert refusal.value.law_id == "TL-99"


def test_sources_and_glossary_terms_are_explained() -> None:
    assert [one.tag for one in sources()][:5] == ["000", "001", "002", "003", "004"]
    assert {one.word for one in glossary()} >= {"left", "dealer", "interval", "live", "level", "owe", "put in", "to"}


def test_options_cite_known_laws() -> None:
    ids = {one.id for one in laws()}
    for option in (*REGISTER, *(one.option for one in SHEET_OPTIONS)):
        assert set(option.laws) <= ids, option.name


def test_ids_are_those_of_the_written_book(written: str) -> None:
    rows = re.findall(r"^\| ([A-Z]{1,2}-\d+) \|", written, re.MULTILINE)
    bold = re.findall(r"\*\*((?:VB|VC|AT)-\d+)", written)
    assert sorted(one.id for one in laws()) == sorted({*rows, *bold})


def test_clauses_match_the_written_book(written: str) -> None:
    """The texts match word for word. Of a ruling only letters of its kind and marks between its parts are left over."""
    compared = []
    for line in written.splitlines():
        if re.match(r"\| [A-Z]{1,2}-\d+ \|", line):
            cells = [cell.strip() for cell in line.strip("| ").split(" | ")]
            id_, *sources_, text, ruling = cells if len(cells) > 2 else (*cells, "")
            ours = law(id_)
            source = sources_[0] if sources_ else "house"  # Part E names its authority once
            assert (ours.source, ours.text) == (source, text)
            assert ours.valid in ruling
            assert ours.refusal in ruling
            left_over = ruling.replace(ours.valid, "", 1).replace(ours.refusal, "", 1)
            assert re.fullmatch(r"(adv|[PHE]|->|[:;,/\s])*", left_over), f"{id_} leaves out: {left_over}"
            compared.append(id_)
    assert len(compared) == len(clauses())


def test_sheets_and_acceptance_tests_match_the_written_book(written: str) -> None:
    """The texts match word for word, from one bold id to the next, apart from line breaks, emphasis and list marks."""
    texts = {}
    for paragraph in re.split(r"(?=\*\*(?:VB|VC|AT)-\d+ )|^#.*$", written, flags=re.MULTILINE):
        if found := re.match(r"\*\*((?:VB|VC|AT)-\d+) ", paragraph):
            texts[found[1]] = "".join(paragraph.replace("*", "").split()).rstrip("-;")
    ours = {one.id: "".join([one.id, *one.text.replace("*", "").split()]) for one in (*sheets(), *acceptance_tests())}
    assert texts == ours
