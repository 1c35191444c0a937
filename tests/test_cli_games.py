"""``cardroom games``: every game listed, one told, Chinese refused."""

import pytest

from bot.__main__ import main
from bot.cli_games import run
from bot.variants import CATALOGUE, MIXES, MODIFIERS


def test_every_game_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    out = capsys.readouterr().out
    assert all(card.name in out and card.sheet in out for card in CATALOGUE)
    assert all(mix.name in out for mix in MIXES)
    assert all(f"+{one.word}" in out for one in MODIFIERS)


@pytest.mark.parametrize("name", ["razz", "Omaha + joker bug", "old english draw"])
def test_a_game_is_told_with_its_rule_card(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([name]) == 0
    out = capsys.readouterr().out
    assert all(f"\n{heading}: " in out for heading in ("Players", "Deal", "Pot", "Betting", "At the table"))


@pytest.mark.law("VC-28")
def test_a_mixed_game_is_told_by_its_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["H.O.R.S.E."]) == 0
    assert "Limit Hold'em, Limit Omaha Hi-Lo 8 or Better, Limit Razz" in capsys.readouterr().out


@pytest.mark.law("VC-30", "H-2")
@pytest.mark.parametrize(
    ("name", "says"), [("chinese", "Law VC-30: not a betting game"), ("old maid", "no game is called")]
)
def test_what_is_not_dealt_is_refused(name: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([name]) == 1
    assert says in capsys.readouterr().err


def test_arguments_nobody_can_read_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--nonsense"]) == 2
    assert run(["--help"]) == 0
    assert "cardroom games" in capsys.readouterr().out
