"""Hands in words."""

import pytest

from bot.engine.ranking import Category, HandName
from bot.text.hand_names import hand_name


@pytest.mark.law("R-2", "R-3", "R-5", "R-10", "R-12", "W-7")
@pytest.mark.parametrize(
    ("hand", "name"),
    [
        (HandName(Category.FIVE_OF_A_KIND, (12,)), "five of a kind, aces"),
        (HandName(Category.STRAIGHT_FLUSH, (12,)), "royal flush"),
        (HandName(Category.STRAIGHT_FLUSH, (12,), size=3), "straight flush, ace high"),
        (HandName(Category.FULL_HOUSE, (11, 7)), "full house, kings full of nines"),
        (HandName(Category.TWO_PAIR, (12, 1, 5)), "two pair, aces and threes"),
        (HandName(Category.PAIR, (7, 5, 3, 2)), "a pair of nines"),
        (HandName(Category.HIGH_CARD, (12, 5)), "no pair, ace high"),
        (HandName(Category.HIGH_CARD, (6, 4, 2, 1, 0), is_low=True), "8-6-4-3-2"),
        (HandName(Category.HIGH_CARD, (8, 4, 2, 1, 12), is_low=True), "10-6-4-3-A"),
        (HandName(Category.HIGH_CARD, (8,), is_low=True), "10"),
        (HandName(Category.HIGH_CARD, (12, 8, None), is_low=True), "A-10-joker"),
        (HandName(Category.HIGH_CARD, (None,)), "no pair, joker high"),
        (HandName(Category.BADUGI, (5, 3, 1, 0), is_low=True), "four-card badugi, 7-5-3-2"),
        (HandName(Category.BADUGI, (5, 3, 1), is_low=True), "three-card badugi, 7-5-3"),
        (HandName(Category.LITTLE_DOG, (5, 3, 2, 1, 0)), "little dog, 7-5-4-3-2"),
    ],
)
def test_hands_have_names(hand: HandName, name: str) -> None:
    assert hand_name(hand) == name
