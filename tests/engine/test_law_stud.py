"""The laws of five-card stud: who opens, what is on show, what stays hidden (S-1 to S-5, F-6, F-7, VB-4, VB-5, AT-14)."""

import pytest

from bot.engine.events import BettingRoundOpened
from bot.engine.refusals import CannotCheck, MustOpen, RaiseTooSmall, WrongSize
from bot.engine.stakes import Stakes
from tests.support.told import Told, deal

SEEN_IN_AT_14 = {"A": "Th Kd 2c", "B": "Ts 4c 4h", "C": "Jh 9d Ac", "D": "Js 4d Kh"}
"""Hole card, then door cards K 4 9 4 from the dealer's left, then K-2, 4-4, 9-A, 4-K."""


def low_opens(**more: object) -> Told:
    return deal(
        "stud_low", button="D", stacks=dict.fromkeys("ABCD", 500), cards=SEEN_IN_AT_14,
        stakes=Stakes(ante=2, small_bet=10, big_bet=20), options=more,
    )  # fmt: skip


def high_opens(**more: object) -> Told:
    return deal(
        "stud_high", button="D", stacks=dict.fromkeys("ABCD", 500), cards=SEEN_IN_AT_14,
        stakes=Stakes(ante=2, limit=20, min_bet=5), options=more,
    )  # fmt: skip


@pytest.mark.law("AT-14", "F-6", "VB-4", "C-3", "TL-41")
def test_the_lowest_card_must_open() -> None:
    """Of the two fours the one nearest the dealer's left; they can neither check nor fold, and the default puts the minimum in."""
    hand = low_opens()
    assert (hand.to_act, hand.options) == ("B", {"bet 10"})
    hand.refuses("B checks", MustOpen, law="F-6")
    hand.refuses("B folds", MustOpen, law="F-6")
    hand.play("B says nothing")
    assert hand.bets == {"B": 10}
    assert hand.options == {"fold", "call 10", "raise to 20"}, "on it all else is call, raise or fold"
    hand.refuses("C checks", CannotCheck, law="B-12")


@pytest.mark.law("AT-14", "F-6", "S-3", "C-1")
def test_later_rounds_start_left_of_dealer_and_can_check() -> None:
    hand = low_opens()
    hand.play("B bets 10", "C calls", "D calls", "A calls")
    assert (hand.to_act, hand.options) == ("A", {"fold", "check", "bet 10"})
    hand.play("A checks", "B folds", "C bets 10")
    assert hand.options == {"fold", "call 10", "raise to 20"}


@pytest.mark.law("AT-14", "F-7", "VB-5", "S-5")
def test_highest_card_opens_and_best_showing_acts_first_later() -> None:
    hand = high_opens()
    assert (hand.to_act, hand.options) == ("A", {"bet 5..20"})
    hand.refuses("A checks", MustOpen, law="F-7")
    hand.refuses("A bets 4", RaiseTooSmall)
    hand.play("A bets 5", "B calls", "C calls", "D calls")
    assert hand.to_act == "B", "a pair of fours shows"
    assert "check" in hand.options


@pytest.mark.law("S-1", "S-2", "VB-4")
def test_one_down_four_up_with_betting_after_each() -> None:
    hand = low_opens()
    counts: list[tuple[str, int, int]] = []
    while not hand.over:
        if hand.street not in [street for street, _, _ in counts]:
            counts.append((hand.street, len(hand.hand.down_indices[0]), len(hand.hand.up_indices[0])))
        hand.play(f"{hand.to_act} {'bets 10' if 'bet 10' in hand.options and 'check' not in hand.options else 'calls'}")
    assert [(down, up) for _, down, up in counts] == [(1, 1), (1, 2), (1, 3), (1, 4)]
    assert len(hand.events_of(BettingRoundOpened)) == 4
    assert hand.hand.burn_indices == (), "the source burns nothing"


@pytest.mark.law("S-2", "B-3")
def test_folded_player_gets_no_more_cards() -> None:
    hand = low_opens()
    hand.play("B bets 10", "C folds", "D calls", "A calls")
    assert [len(up) for up in hand.hand.up_indices] == [2, 2, 1, 2]


@pytest.mark.law("S-1", "TL-37")
def test_up_cards_are_public_and_hole_cards_private() -> None:
    hand = low_opens()
    for viewer in (None, *"ABCD"):
        for seat in hand.view(viewer).seats:
            hole, door = seat.cards
            assert door.card == hand.hand.deck[hand.hand.up_indices[seat.seat_index][0]]
            assert (hole.card is not None) == (viewer == hand.names[seat.seat_index])


@pytest.mark.law("S-4", "B-18")
def test_uncontested_winner_keeps_the_hole_card_hidden() -> None:
    hand = low_opens()
    hand.play("B bets 10", "C folds", "D folds", "A folds")
    assert hand.wins == {"B": 8}
    assert hand.view("A").seats[1].cards[0].card is None


@pytest.mark.law("VB-4", "L-7")
def test_limit_stud_plays_small_small_big_big() -> None:
    hand = low_opens()
    hand.play("B bets 10", "C calls", "D calls", "A calls")
    for size in (10, 20, 20):
        wrong = 30 - size
        hand.refuses(f"A bets {wrong}", WrongSize, law="L-7")
        hand.play(f"A bets {size}", "B calls", "C calls", "D calls")
    assert hand.over
    assert set(hand.shown) == set("ABCD"), "all hands are shown"


@pytest.mark.law("VB-5", "L-9", "Q-3")
def test_where_high_opens_a_raise_matches_the_call() -> None:
    hand = high_opens()
    hand.play("A bets 10")
    hand.refuses("B raises to 19", RaiseTooSmall, law="L-9")
    hand.play("B raises to 20", "C folds", "D folds")
    assert hand.options == {"fold", "call 10", "raise to 21..40"}, "two alone can raise by a chip"


@pytest.mark.law("TL-42", "F-6")
def test_player_all_in_for_the_ante_does_not_open() -> None:
    """The low card has no chips left: the next live player opens or folds, and cannot check."""
    hand = deal(
        "stud_low", button="D", stacks=dict.fromkeys("ABCD", 500) | {"B": 2}, cards=SEEN_IN_AT_14,
        stakes=Stakes(ante=2, small_bet=10, big_bet=20),
    )  # fmt: skip
    assert (hand.to_act, hand.options) == ("C", {"fold", "bet 10"})
    hand.refuses("C checks", MustOpen)
