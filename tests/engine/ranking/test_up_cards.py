"""Up cards: which players are high, which are low, and whose door card opens."""

import pytest

from bot.engine.cards import QUEEN, parse_cards
from bot.engine.ranking import Ranking, Scale, SuitRank, WildMethod, WildPolicy, evaluator
from bot.engine.ranking.up_cards import highest_door_cards, highest_up_hands, lowest_door_cards, lowest_up_hands
from tests.engine.ranking.support import with_wild

HIGH = evaluator(Ranking())
RAZZ = evaluator(Ranking(scale=Scale.ACE_TO_FIVE))


def parse_shown_hands(*hands: str) -> list[tuple[int, ...]]:
    return [parse_cards(hand) for hand in hands]


@pytest.mark.law("AT-14", "F-6", "F-7")
def test_the_openers_of_the_law() -> None:
    doors = parse_cards("Kc4s9d4h")
    assert lowest_door_cards(HIGH, doors, by_suit=False) == (1, 3)
    assert highest_door_cards(HIGH, doors, by_suit=False) == (0,)
    assert highest_up_hands(HIGH, parse_shown_hands("Kc2d", "4s4c", "9dAh", "4hKs")) == (1,)


@pytest.mark.law("S-5")
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("4s4c4d4h", "AsAcAdKh"),
        ("4s4c4d", "AsAcKd"),
        ("4s4c3d3h", "AsAcKdQh"),
        ("2s2c", "AsKd"),
        ("AsKd", "AcQd"),
        ("AsKd3c", "AcKh2c"),
        ("As3c", "KsQs"),
        ("7h2d", "6s5s"),
    ],
)
def test_up_cards_rank_as_partial_hands(better: str, worse: str) -> None:
    assert highest_up_hands(HIGH, parse_shown_hands(worse, better)) == (1,)


@pytest.mark.law("S-5")
def test_four_up_cards_make_no_straight_or_flush() -> None:
    assert highest_up_hands(HIGH, parse_shown_hands("9s8s7s6s", "TsTd2c3c")) == (1,)
    assert highest_up_hands(HIGH, parse_shown_hands("9s8s7s6s", "Td4d3c2c")) == (1,)


@pytest.mark.law("S-5", "VC-24")
def test_five_up_cards_make_straights_and_flushes() -> None:
    assert highest_up_hands(HIGH, parse_shown_hands("9s8s7s6s5s", "TsTdTh3c2c")) == (0,)


@pytest.mark.law("S-5", "T-9")
def test_fewer_equal_up_cards_tie_whatever_their_suits() -> None:
    assert highest_up_hands(HIGH, parse_shown_hands("AsKd", "AcKh", "AdQs")) == (0, 1)
    assert highest_up_hands(HIGH, parse_shown_hands("AsKd", "AcKh2d")) == (0, 1)
    assert highest_up_hands(HIGH, parse_shown_hands("9s9d", "9c9h4d")) == (0, 1)
    assert highest_up_hands(HIGH, parse_shown_hands("9s9d", "AcKhQd")) == (0,)
    assert highest_up_hands(HIGH, parse_shown_hands("AsQd", "AcKh2d")) == (1,)


@pytest.mark.law("S-5", "T-11")
def test_hearts_break_no_ties_of_up_cards() -> None:
    hearts = evaluator(Ranking(suit_rank=SuitRank.HEARTS_FIRST))
    assert highest_up_hands(hearts, parse_shown_hands("AhKd", "AcKs", "KhQh")) == (0, 1)


@pytest.mark.law("VB-9", "VC-22", "W-4", "S-5")
def test_wild_up_cards_count_at_their_best() -> None:
    bug = evaluator(Ranking(wild=WildPolicy(method=WildMethod.BUG)))
    assert highest_up_hands(bug, parse_shown_hands("JkKd", "AcQh")) == (0,)
    assert highest_up_hands(bug, parse_shown_hands("JkKd", "AcKh")) == (0, 1)
    assert highest_door_cards(bug, parse_cards("Jk Kd"), by_suit=True) == (0,)
    assert lowest_door_cards(bug, parse_cards("Jk Kd"), by_suit=True) == (1,)
    queens = evaluator(Ranking(wild=WildPolicy(method=WildMethod.FREE, ranks=(QUEEN,))))
    assert highest_up_hands(queens, parse_shown_hands("QsKd", "AcJh")) == (0,)
    assert highest_up_hands(queens, parse_shown_hands("Qs9d9h", "KcKhAd")) == (0,)


@pytest.mark.law("VC-23")
def test_up_cards_are_ranked_again_when_wild_ranks_change() -> None:
    queens = Ranking(wild=WildPolicy(method=WildMethod.FREE, ranks=(QUEEN,)))
    hands = parse_shown_hands("3sKd", "9c9h")
    assert highest_up_hands(evaluator(queens), hands) == (1,)
    assert highest_up_hands(evaluator(with_wild(queens, ranks=(QUEEN, 1))), hands) == (0,)


@pytest.mark.law("VC-5")
def test_the_bring_in_goes_to_the_lowest_card_by_suit() -> None:
    assert lowest_door_cards(HIGH, parse_cards("2d 2c As"), by_suit=True) == (1,)
    assert lowest_door_cards(HIGH, parse_cards("3c 2s As"), by_suit=True) == (1,)
    assert lowest_door_cards(HIGH, parse_cards("Ac Ks"), by_suit=True) == (1,)
    assert highest_door_cards(HIGH, parse_cards("Ac Ah Ks"), by_suit=True) == (1,)


@pytest.mark.law("VC-7")
def test_razz_high_card_brings_in_and_low_hand_acts_first() -> None:
    assert highest_door_cards(RAZZ, parse_cards("Kh Ks As"), by_suit=True) == (1,)
    assert highest_door_cards(RAZZ, parse_cards("2c As"), by_suit=True) == (0,)
    assert lowest_up_hands(RAZZ, parse_shown_hands("As2d", "3c2h", "4s4d")) == (0,)
    assert lowest_up_hands(RAZZ, parse_shown_hands("KsQd", "AcAh")) == (0,)
    assert lowest_up_hands(RAZZ, parse_shown_hands("As4d", "4cAh", "5s2d")) == (0, 1)
    assert lowest_up_hands(RAZZ, parse_shown_hands("8s4d3c", "8c4h2c")) == (1,)
    assert lowest_up_hands(RAZZ, parse_shown_hands("5s4s3s2s", "6c4h2cAd")) == (0,)


@pytest.mark.law("VC-6")
def test_the_lowest_hand_where_aces_are_high() -> None:
    high_aces = evaluator(Ranking(scale=Scale.LOW_ACE_HIGH))
    assert lowest_up_hands(high_aces, parse_shown_hands("As2d", "KcQh")) == (1,)
