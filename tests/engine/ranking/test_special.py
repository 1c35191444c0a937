"""Cats and dogs, and the decks and orders of other games."""

import itertools

import pytest

from bot.engine.cards import TWO
from bot.engine.ranking import (
    AceStraight,
    Category,
    CategoryOrder,
    Ranking,
    Scale,
    SpecialHands,
    WildMethod,
    WildPolicy,
    evaluator,
)
from tests.engine.ranking.support import beats, mixed, name_of, suited, value_of, with_wild

CATS_DOGS = Ranking(special=SpecialHands.CATS_DOGS)
SHORT_RANKS = tuple(range(4, 13))
SHORT = Ranking(order=CategoryOrder.SHORT_DECK, ranks=SHORT_RANKS)
SHORT_TRIPS = Ranking(order=CategoryOrder.SHORT_DECK_TRIPS, ranks=SHORT_RANKS)
STRIPPED = Ranking(ace_straight=AceStraight.HIGH_ONLY, ranks=SHORT_RANKS)
MEXICAN_RANKS = (0, 1, 2, 3, 4, 5, 9, 10, 11, 12)
MEXICAN = Ranking(order=CategoryOrder.SHORT_DECK, ranks=MEXICAN_RANKS, wild=WildPolicy(method=WildMethod.FREE))
THREE = Ranking(order=CategoryOrder.THREE_CARD, size=3)


@pytest.mark.law("SP-1", "VB-11")
def test_cats_and_dogs_stand_between_straight_and_flush() -> None:
    ladder = [
        suited("97543"),
        mixed("KQT98"),  # big cat
        mixed("87543"),  # little cat
        mixed("AQJT9"),  # big dog
        mixed("75432"),  # little dog
        mixed("AKQJT"),
        mixed("AAA23"),
    ]
    names = [name_of(hand, CATS_DOGS) for hand in ladder]
    assert names[1] == "big cat, K-Q-10-9-8"
    assert names[2] == "little cat, 8-7-5-4-3"
    assert names[3] == "big dog, A-Q-J-10-9"
    assert names[4] == "little dog, 7-5-4-3-2"
    for better, worse in itertools.pairwise(ladder):
        assert beats(better, worse, CATS_DOGS)


@pytest.mark.law("SP-1", "LO-1")
@pytest.mark.parametrize("scale", [Scale.LOW_ACE_HIGH, Scale.LOW_ACE_LOW, Scale.DEUCE_TO_SEVEN, Scale.ACE_TO_FIVE])
def test_cats_and_dogs_are_no_hands_for_low(scale: Scale) -> None:
    """What beats a straight for high stays what it is for low: without a pair, in one suit or in several."""
    plain, special = Ranking(scale=scale), Ranking(scale=scale, special=SpecialHands.CATS_DOGS)
    for hand in ("KQT98", "87543", "AQJT9", "75432"):
        for cards in (mixed(hand), suited(hand)):
            assert value_of(cards, special) == value_of(cards, plain)


@pytest.mark.law("AT-4", "T-10")
def test_little_dogs_go_by_their_cards() -> None:
    assert beats(mixed("76432"), mixed("75432", 1), CATS_DOGS)


@pytest.mark.law("VB-11")
def test_suited_dogs_are_flushes_and_paired_hands_no_dogs() -> None:
    assert name_of(suited("75432"), CATS_DOGS) == "flush, seven high"
    assert name_of("7s7d5h3c2s", CATS_DOGS) == "a pair of sevens"
    assert name_of("7s6d5h4c3s", CATS_DOGS) == "straight, seven high"
    assert name_of(mixed("75432"), Ranking()) == "no pair, seven high"


@pytest.mark.law("SP-1", "W-4")
def test_a_bug_can_complete_a_special_hand() -> None:
    bug = Ranking(special=SpecialHands.CATS_DOGS, wild=WildPolicy(method=WildMethod.BUG))
    assert name_of("7s5d4h2cJk", bug) == "little dog, 7-6-5-4-2"
    assert name_of("KsQdTh9cJk", bug) == "big cat, K-Q-10-9-8"
    assert evaluator(bug).name(value_of("KsQdTh8cJk", bug)).category is Category.BIG_CAT


@pytest.mark.law("VB-11")
def test_special_hands_leave_other_values_alone() -> None:
    for hand in (mixed("AAKK2"), mixed("65432"), suited("K9742"), mixed("KQJ32")):
        assert value_of(hand, CATS_DOGS) == value_of(hand, Ranking())


@pytest.mark.law("VC-17")
def test_short_deck_has_the_flush_over_the_full_house() -> None:
    assert beats(suited("K9876"), mixed("AAAKK"), SHORT)
    assert beats(mixed("AAAAK"), suited("KQJ96"), SHORT)
    assert beats(mixed("T9876"), mixed("AAAKQ"), SHORT)
    assert beats(mixed("AAAKQ"), mixed("T9876"), SHORT_TRIPS)
    assert beats(suited("K9876"), mixed("AAAKK"), SHORT_TRIPS)


@pytest.mark.law("VC-17")
def test_short_deck_has_the_ace_under_the_six() -> None:
    assert name_of(mixed("A9876"), SHORT) == "straight, nine high"
    assert beats(mixed("T9876"), mixed("9876A", 1), SHORT)
    assert name_of(suited("A9876"), SHORT) == "straight flush, nine high"


@pytest.mark.law("VB-10", "R-7")
def test_the_stripped_deck_keeps_the_old_order() -> None:
    assert beats(mixed("AAAKK"), suited("K9876"), STRIPPED)
    assert name_of(mixed("A9876"), STRIPPED) == "no pair, ace high"
    assert name_of(mixed("T9876"), STRIPPED) == "straight, ten high"
    assert name_of(mixed("AKQJT"), STRIPPED) == "straight, ace high"


@pytest.mark.law("VC-22")
def test_in_mexican_stud_seven_and_jack_adjoin() -> None:
    assert name_of("4s5d6h7cJs", MEXICAN) == "straight, jack high"
    assert name_of("6s7dJhQcKs", MEXICAN) == "straight, king high"
    assert name_of("7sJdQhKcAs", MEXICAN) == "straight, ace high"
    assert name_of("As2d3h4c5s", MEXICAN) == "straight, five high"
    assert beats("4s5d6h7cJs", "3s4d5h6c7s", MEXICAN)
    assert beats("2s4s6sJsKs", "AsAdAhKcKs", MEXICAN)
    assert name_of("AsAdAhAcJk", MEXICAN) == "five of a kind, aces"
    assert name_of("5s6d7hQcJk", MEXICAN) == "straight, queen high"
    assert name_of("4s5s6s7sJk", MEXICAN) == "straight flush, jack high"
    bug = with_wild(MEXICAN, joker=WildMethod.BUG)
    assert name_of("KsKdKh3cJk", bug) == "three of a kind, kings"
    assert name_of("KsKdKh3cJk", MEXICAN) == "four of a kind, kings"


@pytest.mark.law("VC-27")
def test_three_cards() -> None:
    ladder = [
        suited("AKQ"), suited("32A"), "4s4d4h", "AsKdQh", "As2d3h", suited("AJ9"), "AsAdKh", "AsKdJh",
    ]  # fmt: skip
    for better, worse in itertools.pairwise(ladder):
        assert beats(better, worse, THREE)
    assert name_of("AsKdQh", THREE) == "straight, ace high"
    assert name_of("As2d3h", THREE) == "straight, three high"
    assert name_of("4s4d4h", THREE) == "three of a kind, fours"
    assert name_of("4s4d", THREE) == "a pair of fours"


@pytest.mark.law("VC-27", "W-9")
def test_three_cards_with_deuces_wild() -> None:
    wild = Ranking(order=CategoryOrder.THREE_CARD, size=3, wild=WildPolicy(method=WildMethod.FREE, ranks=(TWO,)))
    assert name_of("4s4d2h", wild) == "three of a kind, fours"
    assert name_of("AsQs2h", wild) == "straight flush, ace high"
    assert name_of("2s2d2h", wild) == "straight flush, ace high"


@pytest.mark.law("VC-27")
def test_two_card_guts_and_guts_without_straights() -> None:
    two = Ranking(size=2)
    assert name_of("2s2d", two) == "a pair of deuces"
    assert beats("2s2d", "AsKs", two)
    assert beats("AsKs", "AdQd", two)
    sets = Ranking(order=CategoryOrder.SETS_ONLY, size=3)
    assert beats("2s2d3h", suited("AKQ"), sets)
    assert name_of(suited("AKQ"), sets) == "no pair, ace high"
