"""Every law that applies to the games dealt now has a test that carries its id."""

from pathlib import Path

import pytest

from bot.laws import law
from tests.laws.coverage import DEALT_NOW, cited, main, unknown, untested

_MISSING_IDS = """
    H-6 P-5 P-6 P-7 P-11 K-2 K-5 K-6 R-1 R-3 R-4 R-5 R-6 R-7 R-9 R-10 R-11 R-12 T-1 T-2 T-3 T-4 T-5 T-6 T-7 T-8 T-9
    D-4 D-9 D-11 D-12 D-13 A-1 A-13 B-1 B-2 B-3 B-4 B-5 B-6 B-7 B-8 B-9 B-10 B-11 B-12 B-13 B-14 B-18 L-6 L-7 L-8
    L-10 C-1 C-3 F-4 M-1 M-2 M-3 M-4 M-5 Z-1 Z-2 Z-3 Z-4 Z-5 Q-1 Q-2 Q-3 Q-4 I-1 I-2 I-4 I-5 I-6 I-7 I-8 N-2 N-3 E-1
    E-2 VB-6 TL-1 TL-2 TL-3 TL-4 TL-5 TL-6 TL-7 TL-8 TL-9 TL-10 TL-11 TL-12 TL-13 TL-14 TL-15 TL-16 TL-17 TL-18
    TL-19 TL-20 TL-21 TL-22 TL-23 TL-24 TL-25 TL-26 TL-27 TL-28 TL-29 TL-30 TL-31 TL-32 TL-33 TL-34 TL-35 TL-36
    TL-37 TL-38 TL-39 TL-40 TL-41 TL-42 AT-4 AT-5 AT-7 AT-8 AT-9 AT-10 AT-16 AT-17 AT-18 AT-19 AT-20 AT-21 AT-22
"""
MISSING = tuple(_MISSING_IDS.split())
"""Laws that may still be without a test. At the end only TL-25 and TL-26 may stand here."""


@pytest.fixture(scope="module")
def citations() -> dict[str, tuple[str, ...]]:
    return cited()


def test_tests_cite_laws_of_the_book(citations: dict[str, tuple[str, ...]]) -> None:
    assert unknown(citations) == {}


def test_every_law_of_the_games_dealt_now_has_a_test(citations: dict[str, tuple[str, ...]]) -> None:
    without = [one.id for one in untested(DEALT_NOW, citations)]
    assert sorted(set(without) - set(MISSING)) == []


def test_laws_that_may_be_missing_are_laws() -> None:
    assert [law(id_).id for id_ in MISSING] == list(MISSING)


def test_citations_are_found_wherever_they_stand(tmp_path: Path) -> None:
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
    found = cited(tmp_path)
    assert found == {
        "B-1": ("test_deep.py:2",),
        "B-2": ("test_deep.py:3", "test_deep.py:7"),
        "B-3": ("test_deep.py:3",),
        "B-4": ("test_deep.py:5",),
        "B-99": ("test_deep.py:7",),
    }
    assert set(unknown(found)) == {"B-99"}


def test_an_id_that_is_not_written_out_is_refused(tmp_path: Path) -> None:
    (tmp_path / "test_vague.py").write_text("@pytest.mark.law(*IDS)\ndef test_one(): ...\n", encoding="utf-8")
    with pytest.raises(ValueError, match="written out"):
        cited(tmp_path)


@pytest.mark.parametrize("games", ["holdem", "all"])
def test_the_list_is_printed(games: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--games", games]) == 0
    assert "laws have a test" in capsys.readouterr().out
