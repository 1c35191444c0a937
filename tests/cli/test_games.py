"""``cardroom games`` lists every game, describes one, and refuses Chinese poker."""

import pytest

from bot.__main__ import main
from bot.engine.mixes import RotationChange
from bot.text.cli import MIX_CHANGES
from bot.text.introductions import introduction
from bot.text.laws import MIXTURES
from bot.variants import CATALOGUE, MIXES, MODIFIERS, game


def test_every_game_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    without_laws = capsys.readouterr().out
    assert all(card.name in without_laws for card in CATALOGUE)
    assert "VC-7" not in without_laws
    assert main(["games", "--laws"]) == 0
    out = capsys.readouterr().out
    assert all(card.name in out and card.law_id in out for card in CATALOGUE)
    assert all(mix.name in out for mix in MIXES)
    assert all(f"+{one.key}" in out for one in MODIFIERS)


@pytest.mark.parametrize("name", ["razz", "Omaha + joker bug", "old english draw"])
def test_game_is_described_with_its_rule_card(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", name]) == 0
    out = capsys.readouterr().out
    assert all(f"\n{heading}: " in out for heading in ("Players", "Deal", "Pot", "Betting", "At the table"))
    assert introduction(game(name)) in out.splitlines()[1]
    assert "At most" not in out.replace("at most", ""), "the line of the players says how many there are"


@pytest.mark.law("VC-28")
def test_mixed_game_is_described_by_its_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "H.O.R.S.E."]) == 0
    assert "Limit Hold'em, Limit Omaha Hi-Lo 8 or Better, Limit Razz" in capsys.readouterr().out


@pytest.mark.law("VC-30", "H-2")
@pytest.mark.parametrize(("name", "says"), [("chinese", "Law VC-30 ("), ("old maid", "No game is called “old maid”.")])
def test_unknown_game_is_refused(name: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", name]) == 1
    assert says in capsys.readouterr().err


def test_unreadable_arguments_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "--nonsense"]) == 2
    assert main(["games", "--help"]) == 0
    assert "cardroom games" in capsys.readouterr().out


def test_similar_games_are_suggested(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "hols"]) == 1
    assert "No-Limit Hold'em" in capsys.readouterr().err
    assert main(["games", "zzzzzz"]) == 1
    assert "`cardroom games` lists them all" in capsys.readouterr().err


def test_every_way_to_change_games_has_words() -> None:
    assert set(MIX_CHANGES) == set(RotationChange)
    assert set(MIXTURES) == set(RotationChange)


def test_terminal_shows_the_list_as_tables(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "160")
    assert main(["games"]) == 0
    shown = capsys.readouterr().out
    assert "\x1b[" in shown
    assert all(card.name in shown for card in CATALOGUE)
