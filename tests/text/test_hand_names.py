"""Hands in words."""

import pytest

from bot.engine.ranking import Category, HandName
from bot.text.hand_names import hand_name, hand_won_with
from tests.render.sample_hands import best_hand


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


@pytest.mark.parametrize(
    ("held", "others", "name"),
    [
        ("6s 6h Ad 9c 4s", ["6d 6c Jd 9h 4c"], "a pair of sixes, ace kicker"),
        ("6d 6c Jd 9h 4c", ["6s 6h Ad 9c 4s"], "a pair of sixes, jack kicker"),
        ("6s 6h Ad Kc 4s", ["6d 6c Ac Qh 4c"], "a pair of sixes, ace-king kickers"),
        ("6s 6h Ad Kc 4s", ["6d 6c Ac Kh 4c"], "a pair of sixes"),
        ("6s 6h Ad Kc 4s", ["7d 7c Ac Kh 4c"], "a pair of sixes"),
        ("As Ah 3d 3c 9s", ["Ad Ac 3s 3h Ts"], "two pair, aces and threes, nine kicker"),
        ("7s 7h 7d Kc 4s", ["7s 7h 7d Kd 5s", "7s 7h 7d Qd 5s"], "three of a kind, sevens, king-four kickers"),
        ("9s 9h 9d 9c 4s", ["9s 9h 9d 9c As"], "four of a kind, nines, four kicker"),
        ("As Js 9s 4s 2s", ["Ah Th 9h 4h 2h"], "flush, ace-jack high"),
        ("As Kd Js 4s 2s", ["Ah Kh Jd 5d 2h"], "no pair, ace-king-jack-four high"),
        ("9s 8h 7d 6c 5s", ["9h 8d 7c 6s 5d"], "straight, nine high"),
    ],
)
def test_kickers_tell_hands_of_one_name_apart(held: str, others: list[str], name: str) -> None:
    assert hand_name(best_hand(held), [best_hand(held), *map(best_hand, others)]) == name


@pytest.mark.parametrize(
    ("held", "name"),
    [
        ("Ks Kh Kd 9c 9s", "kings full of nines"),
        ("As Ks Qs Js Ts", "a royal flush"),
        ("9s 9h 9d 9c 4s", "four nines"),
        ("9s 9h 9d Ac 4s", "three nines"),
        ("9s 9h 4d 4c 2s", "nines and fours"),
        ("9s 9h 4d Ac 2s", "a pair of nines"),
        ("9s Jh 4d Ac 2s", "ace high"),
        ("As Js 9s 4s 2s", "a flush, ace high"),
    ],
)
def test_a_hand_somebody_won_with_is_named_shortly(held: str, name: str) -> None:
    assert hand_won_with(best_hand(held)) == name
