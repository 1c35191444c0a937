"""Every law that applies to the games dealt now has a test that carries its id."""

from pathlib import Path

import pytest

from bot.laws import laws
from tests.laws.coverage import (
    HOLDEM,
    cited_laws,
    laws_for_games,
    main,
    tda_numbers_of_tournaments,
    unknown_citations,
    untested_laws,
)


@pytest.fixture
def citations() -> dict[str, tuple[str, ...]]:
    return cited_laws()


def test_tests_cite_laws_of_the_book(citations: dict[str, tuple[str, ...]]) -> None:
    assert unknown_citations(citations) == {}


@pytest.mark.parametrize(
    "games", [HOLDEM, frozenset(mark for one in laws() for mark in one.games)], ids=["hold'em", "all"]
)
def test_every_law_has_a_test(games: frozenset[str], citations: dict[str, tuple[str, ...]]) -> None:
    assert [one.id for one in untested_laws(games, citations)] == []


def test_every_tda_number_of_tournaments_has_a_test(citations: dict[str, tuple[str, ...]]) -> None:
    numbers = tda_numbers_of_tournaments()
    assert {"TDA 7", "TDA 8-A", "TDA 23", "TDA 34-B", "TDA RP-11"} <= numbers.keys() and "TDA 43" not in numbers
    assert {number: ids for number, ids in numbers.items() if number not in citations} == {}


def test_citations_are_found_everywhere(tmp_path: Path) -> None:
    (tmp_path / "test_deep.py").write_text(
        "import pytest\n"
        "pytestmark = pytest.mark.law('B-1')\n"
        "@pytest.mark.law('B-2', 'B-3')\n"
        "def test_one(): ...\n"
        "@pytest.mark.parametrize('x', [pytest.param(1, marks=pytest.mark.law('B-4'))])\n"
        "def test_two(x): ...\n"
        "@pytest.mark.law('B-2', 'B-99')\n"
        "class TestThree: ...\n",
        encoding="utf-8",
    )
    found = cited_laws(tmp_path)
    assert found == {
        "B-1": ("test_deep.py:2",),
        "B-2": ("test_deep.py:3", "test_deep.py:7"),
        "B-3": ("test_deep.py:3",),
        "B-4": ("test_deep.py:5",),
        "B-99": ("test_deep.py:7",),
    }
    assert set(unknown_citations(found)) == {"B-99"}


def test_an_id_that_is_not_written_out_is_refused(tmp_path: Path) -> None:
    (tmp_path / "test_vague.py").write_text("@pytest.mark.law(*IDS)\ndef test_one(): ...\n", encoding="utf-8")
    with pytest.raises(ValueError, match="written out"):
        cited_laws(tmp_path)


@pytest.mark.parametrize("games", ["holdem", "all"])
def test_the_list_is_printed(games: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--games", games]) == 0
    assert "laws have a test" in capsys.readouterr().out


def test_marks_select_the_laws_of_a_game() -> None:
    holdem = {one.id for one in laws_for_games({"every", "holdem", "table"})}
    assert {"B-8", "M-3", "TL-1", "VB-6", "AT-16"} <= holdem
    assert not {"A-4", "F-6", "W-4", "LO-3", "VB-1", "AT-2"} & holdem
    assert laws_for_games(()) == ()
