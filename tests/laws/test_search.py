"""Laws are found by what people type."""

import pytest

from bot.laws import laws, search_laws


@pytest.mark.parametrize("typed", ["TL-4", "tl4", "tl 4", " Tl-4 "])
def test_an_id_comes_first(typed: str) -> None:
    assert search_laws(typed)[0].id == "TL-4"


def test_the_beginning_of_an_id_lists_its_family() -> None:
    assert [one.id for one in search_laws("vb")][:3] == ["VB-1", "VB-2", "VB-3"]


@pytest.mark.parametrize(
    ("typed", "id_"),
    [
        ("side pots", "TL-15"),
        ("dead button", "TL-9"),
        ("Heads-up", "TL-8"),
        ("heads up", "TL-8"),
        ("run it twice", "TL-25"),
        ("founders' cap", "P-3"),
        ("all in less", "TL-3"),
        ("rabbit", "TL-26"),
    ],
)
def test_words_find_the_law_by_its_title(typed: str, id_: str) -> None:
    assert search_laws(typed)[0].id == id_


def test_words_of_the_text_find_it_too() -> None:
    assert "B-8" in [one.id for one in search_laws("one or more chips")]
    assert search_laws("no such words anywhere") == ()


def test_an_empty_search_lists_the_book() -> None:
    assert search_laws("  ") == laws()
