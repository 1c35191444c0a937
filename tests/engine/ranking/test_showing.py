"""Cards on show: who is high, who is low, whose door card opens."""

import pytest

from bot.engine.cards import QUEEN, parse_all
from bot.engine.ranking import Ranking, Scale, SuitRank, Wild, WildMethod, evaluator
from bot.engine.ranking.showing import high_showing, highest_card, low_showing, lowest_card

HIGH = evaluator(Ranking())
RAZZ = evaluator(Ranking(scale=Scale.ACE_TO_FIVE))


def shown(*hands: str) -> list[tuple[int, ...]]:
    return [parse_all(hand) for hand in hands]


@pytest.mark.law("AT-14", "F-6", "F-7")
def test_the_openers_of_the_law() -> None:
    doors = parse_all("Kc4s9d4h")
    assert lowest_card(HIGH, doors, by_suit=False) == (1, 3)
    assert highest_card(HIGH, doors, by_suit=False) == (0,)
    assert high_showing(HIGH, shown("Kc2d", "4s4c", "9dAh", "4hKs")) == (1,)


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
def test_exposed_cards_rank_as_partial_hands(better: str, worse: str) -> None:
    assert high_showing(HIGH, shown(worse, better)) == (1,)


@pytest.mark.law("S-5")
def test_four_cards_make_no_straight_and_no_flush() -> None:
    assert high_showing(HIGH, shown("9s8s7s6s", "TsTd2c3c")) == (1,)
    assert high_showing(HIGH, shown("9s8s7s6s", "Td4d3c2c")) == (1,)


@pytest.mark.law("S-5", "VC-24")
def test_five_cards_on_show_do() -> None:
    assert high_showing(HIGH, shown("9s8s7s6s5s", "TsTdTh3c2c")) == (0,)


@pytest.mark.law("S-5", "T-9")
def test_suits_do_not_matter_and_fewer_cards_tie_as_far_as_they_go() -> None:
    assert high_showing(HIGH, shown("AsKd", "AcKh", "AdQs")) == (0, 1)
    assert high_showing(HIGH, shown("AsKd", "AcKh2d")) == (0, 1)
    assert high_showing(HIGH, shown("9s9d", "9c9h4d")) == (0, 1)
    assert high_showing(HIGH, shown("9s9d", "AcKhQd")) == (0,)
    assert high_showing(HIGH, shown("AsQd", "AcKh2d")) == (1,)


@pytest.mark.law("S-5", "T-11")
def test_hearts_break_no_ties_of_cards_on_show() -> None:
    hearts = evaluator(Ranking(suit_rank=SuitRank.HEARTS_FIRST))
    assert high_showing(hearts, shown("AhKd", "AcKs", "KhQh")) == (0, 1)


@pytest.mark.law("VB-9", "VC-22", "W-4", "S-5")
def test_wild_cards_on_show_count_at_their_best() -> None:
    bug = evaluator(Ranking(wild=Wild(method=WildMethod.BUG)))
    assert high_showing(bug, shown("JkKd", "AcQh")) == (0,)
    assert high_showing(bug, shown("JkKd", "AcKh")) == (0, 1)
    assert highest_card(bug, parse_all("Jk Kd"), by_suit=True) == (0,)
    assert lowest_card(bug, parse_all("Jk Kd"), by_suit=True) == (1,)
    queens = evaluator(Ranking(wild=Wild(method=WildMethod.FREE, ranks=(QUEEN,))))
    assert high_showing(queens, shown("QsKd", "AcJh")) == (0,)
    assert high_showing(queens, shown("Qs9d9h", "KcKhAd")) == (0,)


@pytest.mark.law("VC-23")
def test_showing_hands_are_read_again_when_the_wild_rank_changes() -> None:
    queens = Ranking(wild=Wild(method=WildMethod.FREE, ranks=(QUEEN,)))
    hands = shown("3sKd", "9c9h")
    assert high_showing(evaluator(queens), hands) == (1,)
    assert high_showing(evaluator(queens.with_wild(ranks=(QUEEN, 1))), hands) == (0,)


@pytest.mark.law("VC-5")
def test_the_bring_in_goes_to_the_lowest_card_by_suit() -> None:
    assert lowest_card(HIGH, parse_all("2d 2c As"), by_suit=True) == (1,)
    assert lowest_card(HIGH, parse_all("3c 2s As"), by_suit=True) == (1,)
    assert lowest_card(HIGH, parse_all("Ac Ks"), by_suit=True) == (1,)
    assert highest_card(HIGH, parse_all("Ac Ah Ks"), by_suit=True) == (1,)


@pytest.mark.law("VC-7")
def test_razz_brings_in_with_the_highest_card_and_the_lowest_hand_acts_first() -> None:
    assert highest_card(RAZZ, parse_all("Kh Ks As"), by_suit=True) == (1,)
    assert highest_card(RAZZ, parse_all("2c As"), by_suit=True) == (0,)
    assert low_showing(RAZZ, shown("As2d", "3c2h", "4s4d")) == (0,)
    assert low_showing(RAZZ, shown("KsQd", "AcAh")) == (0,)
    assert low_showing(RAZZ, shown("As4d", "4cAh", "5s2d")) == (0, 1)
    assert low_showing(RAZZ, shown("8s4d3c", "8c4h2c")) == (1,)
    assert low_showing(RAZZ, shown("5s4s3s2s", "6c4h2cAd")) == (0,)


@pytest.mark.law("VC-6")
def test_the_lowest_hand_where_aces_are_high() -> None:
    high_aces = evaluator(Ranking(scale=Scale.LOW_ACE_HIGH))
    assert low_showing(high_aces, shown("As2d", "KcQh")) == (1,)
