"""The state of a hand: a copy is its own, and nothing of it that is printed names a card."""

import pytest

from bot.engine import commands as c
from bot.engine.cards import STANDARD_52, text
from bot.engine.ruling import rule
from tests.engine.test_short_stacks import deal


def test_a_copy_can_be_changed_without_changing_its_original() -> None:
    hand = deal("holdem", (500, 500, 500), small=5, big=10)
    copied = hand.copy()
    copied.stacks[0] -= 100
    copied.bets[1] += 7
    copied.put_in[2] += 7
    copied.answered[0] = 99
    copied.to_act = 1
    assert (hand.stacks, hand.bets, hand.put_in) == ([495, 490, 500], [5, 10, 0], [5, 10, 0])
    assert (hand.answered[0], hand.to_act) == (0, 2)


@pytest.mark.law("TL-37")
def test_a_hand_in_a_log_shows_no_card() -> None:
    hand = deal("holdem", (500, 500, 500), small=5, big=10)
    assert repr(hand) == "<Hand of holdem, pre-flop, pot 15, seat 2 to act>"
    later = rule(rule(hand, 2, c.Fold())[1], 0, c.Fold())[1]
    assert repr(later) == "<Hand of holdem, pre-flop, pot 0, over>"
    for shown in (repr(hand), str(hand), f"{later}"):
        assert not any(text(card) in shown for card in STANDARD_52)
