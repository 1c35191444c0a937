"""The command that names and values hands."""

import pytest

from bot.__main__ import main


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert main(["rank", *arguments]) == 0
    return capsys.readouterr().out.splitlines()


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["rank", *arguments]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    return shown.err


def test_one_hand_is_named_and_laid_out(capsys: pytest.CaptureFixture[str]) -> None:
    lines = output(capsys, "Ks Kd 9h 9c Kc")
    assert lines[0] == "Ks Kd 9h 9c Kc: full house, kings full of nines"
    assert lines[1] == "    plays Ks Kd Kc 9h 9c"


def test_the_winner_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    lines = output(capsys, "AsKs", "AdQd", "--board", "Ah 9c 4d 3s 2h")
    assert lines[0].endswith(", wins")
    assert "wins" not in lines[2]
    assert lines[2].startswith("Ad Qd: a pair of aces")


def test_hands_that_share_cards_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    lines = output(capsys, "AsAd", "AsKs", "--board", "Ah Kd 9c 4d 2h")
    assert lines[0].endswith("three of a kind, aces, wins")
    assert lines[2].endswith("two pair, aces and kings")


@pytest.mark.law("T-9")
def test_equal_hands_tie(capsys: pytest.CaptureFixture[str]) -> None:
    lines = output(capsys, "As2s", "Ad2d", "3c4d", "--board", "KhQcJdTs9c")
    assert [line.endswith(", ties") for line in lines[::2]] == [True, True, False]


def test_low_games_and_hands_that_do_not_qualify(capsys: pytest.CaptureFixture[str]) -> None:
    assert "7-5-4-3-2" in output(capsys, "7c5d4h3s2s", "--game", "27")[0]
    assert output(capsys, "9c5d4h3s2s", "--game", "8") == ["9c 5d 4h 3s 2s: does not qualify"]
    assert "four-card badugi, 7-5-3-2" in output(capsys, "7s5d3h2c", "--game", "badugi")[0]


def test_omaha_plays_two_hole_cards(capsys: pytest.CaptureFixture[str]) -> None:
    lines = output(capsys, "As Kd Qc Jh", "--board", "2s3s4s5s9d", "--game", "omaha")
    assert lines[1] == "    plays As Kd 9d 5s 4s"


@pytest.mark.law("W-4", "W-5", "W-8")
def test_wild_cards(capsys: pytest.CaptureFixture[str]) -> None:
    lines = output(capsys, "9h 9d Kc 4s 2s", "--wild", "2")
    assert "three of a kind, nines" in lines[0]
    assert lines[1] == "    plays 9h 9d 2s=9s Kc 4s"
    assert "kings and queens" in output(capsys, "KcKdQhQsJk", "--wild", "joker", "--method", "bug")[0]
    assert "kings full" in output(capsys, "KcKdQhQsJk", "--deck", "53")[0]
    assert "three of a kind, nines" in output(capsys, "9h 9d Kc 4s Jh", "--wild", "Jh Js")[0]
    assert "a pair of nines" in output(capsys, "9h 9d Kc 4s Jd", "--wild", "Jh,Js")[0]


@pytest.mark.law("VB-10", "VC-17", "VC-22")
def test_other_decks(capsys: pytest.CaptureFixture[str]) -> None:
    assert "straight, nine high" in output(capsys, "As9d8c7h6s", "--game", "short_deck")[0]
    assert "no pair, ace high" in output(capsys, "As9d8c7h6s", "--deck", "36")[0]
    assert "straight, jack high" in output(capsys, "4s5d6h7cJs", "--game", "mexican")[0]
    assert "four of a kind" in output(capsys, "KsKdKh3cJk", "--game", "mexican")[0]
    assert "three of a kind" in output(capsys, "KsKdKh3cJk", "--game", "mexican", "--method", "bug")[0]


@pytest.mark.law("K-6", "K-3", "K-4")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["AsAs"], "the ace of spades is there twice"),
        (["AsKd", "--board", "As"], "the ace of spades is there twice"),
        (["As2d", "--deck", "36"], "the deuce of diamonds is not in this deck of 36"),
        (["AsJk"], "a joker needs --deck 53 or --wild joker"),
        (["AsXx"], "“Xx” isn't a card."),
        ([""], "a hand needs a card"),
        (["As", "--game", "omaha", "--board", "KdQc"], "plays 2 hole cards"),
        (["AsKd", "--method", "bug"], "--method needs --wild"),
        (["2s3s4s5s6s7s8s9sTsJsQsKs"], "at most eleven cards"),
        (["AsKd", "--game", "bridge"], "invalid choice"),
        ([], "HAND"),
    ],
)
def test_what_cannot_be_read_is_explained(capsys: pytest.CaptureFixture[str], arguments: list[str], said: str) -> None:
    assert said in refusal(capsys, *arguments)


def test_help_is_no_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rank", "--help"]) == 0
    assert "cardroom rank" in capsys.readouterr().out


def test_card_missing_from_stripped_deck_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rank", "4d5dJdQdAd2dAs", "--game", "stripped", "--deck", "53"]) == 2
    assert "the four of diamonds is not in this deck of 37" in capsys.readouterr().err
