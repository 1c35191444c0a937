"""The law book is whole, and says what the written one says."""

import re
from collections import Counter
from pathlib import Path

import pytest

from bot.engine.register_entries import REGISTER
from bot.laws import Law, UnknownLaw, clauses, law, laws, marks, sheets, sources, trials, words

WRITTEN = Path(__file__).resolve().parents[2].parent / "shared" / "laws.md"

FAMILIES = {
    "H": 6, "P": 12, "K": 6, "W": 9, "SP": 1, "R": 12, "T": 11, "D": 13, "A": 13, "B": 19, "L": 10, "C": 5, "F": 7,
    "X": 7, "S": 5, "M": 5, "Z": 5, "Q": 4, "I": 10, "N": 3, "E": 2, "LO": 5, "TL": 43,
}  # fmt: skip


@pytest.fixture(scope="module")
def written() -> str:
    if not WRITTEN.is_file():
        pytest.skip("the written law book is not beside this repository")
    return WRITTEN.read_text(encoding="utf-8")


def test_every_family_has_its_clauses() -> None:
    """Counts as the book states them in 0.4; numbers run from 1 without a gap."""
    assert Counter(one.family for one in clauses()) == FAMILIES
    assert Counter(one.part for one in clauses()) == {"A": 170, "D": 43}
    assert Counter(one.family for one in sheets()) == {"VB": 13, "VC": 30}
    assert Counter(one.part for one in trials()) == {"A": 15, "D": 9}
    for family, count in {**FAMILIES, "VB": 13, "VC": 30, "AT": 24}.items():
        assert [one.id for one in laws() if one.family == family] == [f"{family}-{n}" for n in range(1, count + 1)]


@pytest.mark.parametrize("one", laws(), ids=lambda one: one.id)
def test_every_law_is_complete(one: Law) -> None:
    assert one.title
    assert len(one.title) <= 50
    assert not one.title.endswith(".")
    assert one.text
    assert one.source
    assert re.fullmatch(r"(adv|[PHE](/[PHE])*|sheet|test)", one.kind)
    assert one.games
    assert set(one.games) <= set(marks())


def test_titles_tell_laws_apart() -> None:
    titles = Counter(one.title for one in clauses())
    twice = {title for title, count in titles.items() if count > 1}
    assert twice == set()


def test_a_law_is_found_by_its_id_in_any_case() -> None:
    assert law("tl-4") is law("TL-4")
    with pytest.raises(UnknownLaw) as refusal:
        law("TL-99")
    assert refusal.value.id == "TL-99"


def test_sources_and_words_are_explained() -> None:
    assert [one.tag for one in sources()][:5] == ["000", "001", "002", "003", "004"]
    assert {one.word for one in words()} >= {"left", "dealer", "interval", "live", "level", "owe", "put in", "to"}


def test_options_use_the_marks_and_cite_the_laws_of_the_book() -> None:
    ids = {one.id for one in laws()}
    for entry in REGISTER:
        assert set(entry.marks) <= set(marks()), entry.name
        assert set(entry.laws) <= ids, entry.name


def test_ids_are_those_of_the_written_book(written: str) -> None:
    rows = re.findall(r"^\| ([A-Z]{1,2}-\d+) \|", written, re.MULTILINE)
    bold = re.findall(r"\*\*((?:VB|VC|AT)-\d+)", written)
    assert sorted(one.id for one in laws()) == sorted({*rows, *bold})


def test_clauses_say_what_the_written_book_says(written: str) -> None:
    for line in written.splitlines():
        if re.match(r"\| [A-Z]{1,2}-\d+ \|", line):
            id_, source, text, ruling = (cell.strip() for cell in line.strip("| ").split(" | "))
            ours = law(id_)
            assert (ours.source, ours.text) == (source, text)
            assert ours.valid in ruling
            assert ours.refusal in ruling


def test_sheets_and_trials_say_what_the_written_book_says(written: str) -> None:
    """Word for word, apart from line breaks and the emphasis around the name."""
    book = "".join(written.replace("*", "").split())
    for one in (*sheets(), *trials()):
        body = one.text.partition(": ")[2] if one.family == "VC" else one.text[len(one.text) // 4 :]
        assert "".join(body.replace("*", "").split())[-200:] in book, one.id
