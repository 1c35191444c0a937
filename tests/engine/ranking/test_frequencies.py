"""Exact frequency tables of the decks and scales, against published figures.

Sources: [W] Wikipedia, "Poker probability" (five cards, seven cards, five- and seven-card lowball with the ace low) and "Three-card
poker"; [J] datagenetics.com, "Poker odds with wild cards", and fennaixelphox.dreamwidth.org/1543 (53 cards with a wild joker);
[B] pokergeekmn.blogspot.com, January 2010, "Four card badugi combinations". Where no published table was at hand the test says so
and works the figure out by itself.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb

import pytest

from bot.engine.cards import MEXICAN_41, STANDARD_52, STRIPPED_36, TWO, WITH_JOKER_53
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
from tests.engine.ranking import hand_counts, naive_evaluator

SHORT_RANKS = tuple(range(4, 13))
MEXICAN_RANKS = (0, 1, 2, 3, 4, 5, 9, 10, 11, 12)
FREE = WildPolicy(method=WildMethod.FREE)
BUG = Ranking(wild=WildPolicy(method=WildMethod.BUG))
DEUCES = Ranking(wild=WildPolicy(method=WildMethod.FREE, ranks=(TWO,)))

FIVE_OF_52 = {
    "STRAIGHT_FLUSH": 40,
    "FOUR_OF_A_KIND": 624,
    "FULL_HOUSE": 3_744,
    "FLUSH": 5_108,
    "STRAIGHT": 10_200,
    "THREE_OF_A_KIND": 54_912,
    "TWO_PAIR": 123_552,
    "PAIR": 1_098_240,
    "HIGH_CARD": 1_302_540,
}
SEVEN_OF_52 = {
    "STRAIGHT_FLUSH": 41_584,
    "FOUR_OF_A_KIND": 224_848,
    "FULL_HOUSE": 3_473_184,
    "FLUSH": 4_047_644,
    "STRAIGHT": 6_180_020,
    "THREE_OF_A_KIND": 6_461_620,
    "TWO_PAIR": 31_433_400,
    "PAIR": 58_627_800,
    "HIGH_CARD": 23_294_460,
}


@pytest.mark.law("R-3", "R-4", "R-5", "R-6", "R-7", "R-9", "R-10", "R-11", "R-12")
def test_all_five_card_hands_one_by_one() -> None:
    """[W] 2,598,960 hands."""
    assert hand_counts.count_one_by_one(Ranking(), STANDARD_52) == FIVE_OF_52


def test_five_cards_by_signature() -> None:
    """[W] The short way of counting gives what counting one by one gives; 7,462 values are different."""
    assert hand_counts.count_categories(Ranking(), STANDARD_52) == FIVE_OF_52
    assert len(hand_counts.count_values(Ranking(), STANDARD_52)) == 7_462


@pytest.mark.law("R-1")
def test_seven_cards_by_signature() -> None:
    """[W] 133,784,560 hands, 4,824 different values, 4,324 of them royal flushes."""
    hand_values = hand_counts.count_values(Ranking(), STANDARD_52, 7)
    game_evaluator = evaluator(Ranking())
    by_class: Counter[str] = Counter()
    for hand_value, times in hand_values.items():
        by_class[game_evaluator.name(hand_value).category.name] += times
    assert by_class == SEVEN_OF_52
    assert by_class.total() == 133_784_560
    assert len(hand_values) == 4_824
    assert hand_values[max(hand_values)] == 4_324


@pytest.mark.full
@pytest.mark.law("R-1")
def test_all_seven_card_hands_one_by_one() -> None:
    """[W] Every one of 133,784,560; some minutes."""
    assert hand_counts.count_one_by_one(Ranking(), STANDARD_52, 7) == SEVEN_OF_52


@pytest.mark.law("W-5", "W-9", "VB-9")
@pytest.mark.parametrize("method", [WildMethod.FREE, WildMethod.NO_DUPLICATE])
def test_a_wild_joker(method: WildMethod) -> None:
    """[J] 2,869,685 hands; the method changes ranks inside a flush, not its number."""
    assert hand_counts.count_categories(Ranking(wild=WildPolicy(method=method)), WITH_JOKER_53) == {
        "FIVE_OF_A_KIND": 13,
        "STRAIGHT_FLUSH": 204,
        "FOUR_OF_A_KIND": 3_120,
        "FULL_HOUSE": 6_552,
        "FLUSH": 7_804,
        "STRAIGHT": 20_532,
        "THREE_OF_A_KIND": 137_280,
        "TWO_PAIR": 123_552,
        "PAIR": 1_268_088,
        "HIGH_CARD": 1_302_540,
    }


@pytest.mark.law("W-4", "VB-9")
def test_a_bug() -> None:
    """No published table at hand. Straights and flushes are a wild joker's [J]; the rest is a fifth ace's, worked out here."""
    classes = hand_counts.count_categories(BUG, WITH_JOKER_53)
    assert sum(classes.values()) == comb(53, 5)
    assert (classes["STRAIGHT_FLUSH"], classes["FLUSH"], classes["STRAIGHT"]) == (204, 7_804, 20_532)
    assert classes["FIVE_OF_A_KIND"] == 1
    three_aces = comb(4, 3) * 48  # and the bug: four aces
    other_fours = 12  # K-K-K-K and the bug
    assert classes["FOUR_OF_A_KIND"] == 624 + three_aces + other_fours == 828
    aces_over = comb(4, 2) * 12 * comb(4, 2)  # A-A-K-K and the bug: aces full
    kings_over = 12 * comb(4, 3) * 4  # K-K-K-A and the bug: kings full of aces
    assert classes["FULL_HOUSE"] == 3_744 + aces_over + kings_over == 4_368
    two_aces = comb(4, 2) * comb(12, 2) * 16  # and the bug: three aces
    other_threes = 12 * comb(4, 3) * 44  # K-K-K-x and the bug
    assert classes["THREE_OF_A_KIND"] == 54_912 + two_aces + other_threes == 63_360
    both_kings = comb(12, 2) * comb(4, 2) ** 2  # K-K-Q-Q and the bug: kings up
    aces_up = 12 * comb(4, 2) * 4 * 44  # K-K-A-x and the bug
    assert classes["TWO_PAIR"] == 123_552 + both_kings + aces_up == 138_600
    runs = [frozenset((rank - 1) % 13 for rank in range(at, at + 5)) for at in range(10)]
    sets = [frozenset(four) for four in combinations(range(13), 4) if not any(run >= set(four) for run in runs)]
    with_ace = sum(12 in four for four in sets)
    other_pairs = 12 * comb(4, 2) * comb(11, 2) * 16  # K-K-x-y and the bug, an ace beside them
    assert classes["PAIR"] == 1_098_240 + other_pairs + with_ace * (4**4 - 4) == 1_215_024
    assert classes["HIGH_CARD"] == 1_302_540 + (len(sets) - with_ace) * (4**4 - 4) == 1_418_964


@pytest.mark.law("VC-25", "W-1", "W-9")
def test_deuces_wild() -> None:
    """No published table at hand; the figures that are easily worked out are, and the naive game_evaluator has the others (`full`)."""
    classes = hand_counts.count_categories(DEUCES, STANDARD_52)
    assert classes == DEUCES_WILD
    assert sum(classes.values()) == comb(52, 5)
    fives = 48 + 12 * (comb(4, 3) * comb(4, 2) + comb(4, 2) * comb(4, 3) + 4)  # four deuces; three, two, one of them
    assert classes["FIVE_OF_A_KIND"] == fives
    assert classes["TWO_PAIR"] == comb(12, 2) * 36 * 40
    assert classes["FULL_HOUSE"] == 12 * 4 * 11 * 6 + 4 * comb(12, 2) * 36
    assert classes["HIGH_CARD"] == (comb(12, 5) - 8) * (4**5 - 4)  # no deuce: eight straights left


DEUCES_WILD = {
    "FIVE_OF_A_KIND": 672,
    "STRAIGHT_FLUSH": 2_552,
    "FOUR_OF_A_KIND": 31_552,
    "FULL_HOUSE": 12_672,
    "FLUSH": 14_472,
    "STRAIGHT": 62_232,
    "THREE_OF_A_KIND": 355_080,
    "TWO_PAIR": 95_040,
    "PAIR": 1_225_008,
    "HIGH_CARD": 799_680,
}


@pytest.mark.full
@pytest.mark.parametrize(
    ("ranking", "deck"),
    [(BUG, WITH_JOKER_53), (DEUCES, STANDARD_52), (Ranking(wild=FREE), WITH_JOKER_53)],
    ids=["bug", "deuces", "joker"],
)
def test_wild_frequencies_by_the_naive_evaluator(ranking: Ranking, deck: tuple[int, ...]) -> None:
    """The same tables by the judge that tries every card. With three deuces or more it says five or four of a kind by itself."""
    order = naive_evaluator.ORDERS[ranking.order]
    words = {"five": "FIVE_OF_A_KIND", "sf": "STRAIGHT_FLUSH", "quads": "FOUR_OF_A_KIND", "full": "FULL_HOUSE"}
    words |= {"trips": "THREE_OF_A_KIND", "two pair": "TWO_PAIR", "high": "HIGH_CARD"}
    found: Counter[str] = Counter()
    expected: Counter[str] = Counter()
    game_evaluator = evaluator(ranking)
    for hand, times in hand_counts.hands_by_signature(ranking, deck, 5):
        if sum(ranking.wild.method_of(card) is not WildMethod.NONE for card in hand) > 2:
            continue
        category = order[naive_evaluator.naive_key(hand, ranking)[0]]
        found[words.get(category, category.upper())] += times
        expected[game_evaluator.name(game_evaluator.value(hand)).category.name] += times
    assert found == expected


SHORT_CLASSES = {
    "STRAIGHT_FLUSH": 24,
    "FOUR_OF_A_KIND": 288,
    "FULL_HOUSE": 1_728,
    "FLUSH": 480,
    "STRAIGHT": 6_120,
    "THREE_OF_A_KIND": 16_128,
    "TWO_PAIR": 36_288,
    "PAIR": 193_536,
    "HIGH_CARD": 122_400,
}


@pytest.mark.law("VC-17")
@pytest.mark.parametrize("order", [CategoryOrder.SHORT_DECK, CategoryOrder.SHORT_DECK_TRIPS])
def test_five_cards_of_the_short_deck(order: CategoryOrder) -> None:
    """376,992 hands. No published table at hand; each class by the formulas of [W] with 9 ranks and 6 straights."""
    classes = hand_counts.count_categories(Ranking(order=order, ranks=SHORT_RANKS), STRIPPED_36)
    assert classes == SHORT_CLASSES
    assert classes == {
        "STRAIGHT_FLUSH": 6 * 4,
        "FOUR_OF_A_KIND": 9 * 32,
        "FULL_HOUSE": 9 * 4 * 8 * 6,
        "FLUSH": (comb(9, 5) - 6) * 4,
        "STRAIGHT": 6 * (4**5 - 4),
        "THREE_OF_A_KIND": 9 * 4 * comb(8, 2) * 16,
        "TWO_PAIR": comb(9, 2) * 36 * 28,
        "PAIR": 9 * 6 * comb(8, 3) * 64,
        "HIGH_CARD": (comb(9, 5) - 6) * (4**5 - 4),
    }
    assert sum(classes.values()) == comb(36, 5)


@pytest.mark.law("VC-17")
def test_seven_cards_of_the_short_deck_in_both_orders() -> None:
    """8,347,680 hands. No published table at hand; the orders move only hands that hold both a straight and three of a kind."""
    plain = hand_counts.count_categories(Ranking(order=CategoryOrder.SHORT_DECK, ranks=SHORT_RANKS), STRIPPED_36, 7)
    trips = hand_counts.count_categories(
        Ranking(order=CategoryOrder.SHORT_DECK_TRIPS, ranks=SHORT_RANKS), STRIPPED_36, 7
    )
    assert sum(plain.values()) == sum(trips.values()) == comb(36, 7)
    moved = trips["THREE_OF_A_KIND"] - plain["THREE_OF_A_KIND"]
    assert moved == plain["STRAIGHT"] - trips["STRAIGHT"] == 30_360
    for category in plain.keys() - {"STRAIGHT", "THREE_OF_A_KIND"}:
        assert plain[category] == trips[category]


@pytest.mark.full
def test_seven_cards_of_the_short_deck_one_by_one() -> None:
    ranking = Ranking(order=CategoryOrder.SHORT_DECK_TRIPS, ranks=SHORT_RANKS)
    assert hand_counts.count_one_by_one(ranking, STRIPPED_36, 7) == hand_counts.count_categories(
        ranking, STRIPPED_36, 7
    )


@pytest.mark.law("VB-10")
def test_the_stripped_deck_has_five_straights() -> None:
    """Worked out: as the short deck, without A-9-8-7-6."""
    classes = hand_counts.count_categories(Ranking(ace_straight=AceStraight.HIGH_ONLY, ranks=SHORT_RANKS), STRIPPED_36)
    assert (classes["STRAIGHT"], classes["STRAIGHT_FLUSH"]) == (5 * (4**5 - 4), 5 * 4)
    assert classes["FLUSH"] == (comb(9, 5) - 5) * 4


@pytest.mark.law("VC-22")
def test_mexican_stud_has_seven_straights() -> None:
    """Worked out for the forty natural cards: ten ranks, from A-2-3-4-5 by way of 5-6-7-J-Q to 7-J-Q-K-A."""
    ranking = Ranking(order=CategoryOrder.SHORT_DECK, ranks=MEXICAN_RANKS, wild=FREE)
    natural = hand_counts.count_categories(ranking, MEXICAN_41[:-1])
    assert (natural["STRAIGHT"], natural["STRAIGHT_FLUSH"]) == (7 * (4**5 - 4), 7 * 4)
    with_joker = hand_counts.count_categories(ranking, MEXICAN_41)
    assert with_joker["FIVE_OF_A_KIND"] == 10
    assert sum(with_joker.values()) == comb(41, 5)


@pytest.mark.law("LO-5")
def test_ace_to_five() -> None:
    """[W] five-card lowball; 1,317,888 hands without a pair."""
    assert hand_counts.count_top_ranks(Ranking(scale=Scale.ACE_TO_FIVE), STANDARD_52) == {
        "5": 1_024,
        "6": 5_120,
        "7": 15_360,
        "8": 35_840,
        "9": 71_680,
        "T": 129_024,
        "J": 215_040,
        "Q": 337_920,
        "K": 506_880,
    }


@pytest.mark.law("LO-5", "VC-7")
def test_ace_to_five_of_seven_cards() -> None:
    """[W] seven-card lowball; 127,615,488 of 133,784,560 hands have a low without a pair."""
    assert hand_counts.count_top_ranks(Ranking(scale=Scale.ACE_TO_FIVE), STANDARD_52, 7) == {
        "5": 781_824,
        "6": 3_151_360,
        "7": 7_426_560,
        "8": 13_171_200,
        "9": 19_174_400,
        "T": 23_675_904,
        "J": 24_837_120,
        "Q": 21_457_920,
        "K": 13_939_200,
    }


@pytest.mark.law("LO-5", "LO-1", "LO-2", "VC-8", "VC-13")
@pytest.mark.parametrize(
    ("scale", "straights"),
    [(Scale.DEUCE_TO_SEVEN, 9), (Scale.LOW_ACE_LOW, 9), (Scale.LOW_ACE_HIGH, 10)],
)
def test_lows_that_count_straights_and_flushes(scale: Scale, straights: int) -> None:
    """No published table at hand. Under a top of the n-th rank there are C(n-1, 4) hands, but one straight, in 4^5 - 4 suits each."""
    tops = hand_counts.count_top_ranks(Ranking(scale=scale), STANDARD_52)
    order = "A23456789TJQK" if scale is Scale.LOW_ACE_LOW else "23456789TJQKA"
    expected = {}
    for at, top in enumerate(order):
        ranks = comb(at, 4) - (1 if at >= 4 else 0)
        if top == "A" and scale is Scale.LOW_ACE_HIGH:
            ranks -= 1  # 5-4-3-2-A
        if ranks > 0:
            expected[top] = ranks * (4**5 - 4)
    assert tops == expected
    assert sum(tops.values()) == (comb(13, 5) - straights) * (4**5 - 4)


@pytest.mark.full
@pytest.mark.parametrize("scale", [Scale.DEUCE_TO_SEVEN, Scale.LOW_ACE_LOW, Scale.LOW_ACE_HIGH, Scale.ACE_TO_FIVE])
def test_lows_one_by_one(scale: Scale) -> None:
    ranking = Ranking(scale=scale)
    assert hand_counts.count_one_by_one(ranking, STANDARD_52) == hand_counts.count_categories(ranking, STANDARD_52)


@pytest.mark.law("VC-15")
def test_badugi() -> None:
    """[B] 17,160 four-card badugis by top card of 270,725 hands; fewer cards worked out, no published table at hand."""
    game_evaluator = evaluator(Ranking(scale=Scale.BADUGI))
    by_value = Counter(map(game_evaluator.value, combinations(STANDARD_52, 4)))
    cards: Counter[int] = Counter()
    tops: Counter[int] = Counter()
    for hand_value, times in by_value.items():
        name = game_evaluator.name(hand_value)
        assert name.category is Category.BADUGI
        cards[len(name.ranks)] += times
        if len(name.ranks) == 4 and name.ranks[0] is not None:
            tops[name.ranks[0]] += times
    assert cards == {4: 17_160, 3: 154_440, 2: 96_252, 1: 2_873}
    assert cards[1] == 13 + 4 * comb(13, 4)  # four of a rank, or four of a suit
    assert [tops[rank] for rank in range(2, 12)] == [24, 96, 240, 480, 840, 1_344, 2_016, 2_880, 3_960, 5_280]


@pytest.mark.law("VC-27")
def test_three_cards() -> None:
    """[W] "Three-card poker": 22,100 hands."""
    assert hand_counts.count_categories(Ranking(order=CategoryOrder.THREE_CARD, size=3), STANDARD_52, 3) == {
        "STRAIGHT_FLUSH": 48,
        "THREE_OF_A_KIND": 52,
        "STRAIGHT": 720,
        "FLUSH": 1_096,
        "PAIR": 3_744,
        "HIGH_CARD": 16_440,
    }


@pytest.mark.law("VB-11", "SP-1")
def test_cats_and_dogs() -> None:
    """The law book gives 4,080 hands to each class (VB-11); they come out of the no-pair hands."""
    classes = hand_counts.count_categories(Ranking(special=SpecialHands.CATS_DOGS), STANDARD_52)
    specials = ("LITTLE_DOG", "BIG_DOG", "LITTLE_CAT", "BIG_CAT")
    assert [classes.pop(special) for special in specials] == [4_080] * 4
    assert classes == FIVE_OF_52 | {"HIGH_CARD": 1_302_540 - 4 * 4_080}
