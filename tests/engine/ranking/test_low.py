"""Low hands on every scale, and aces low or high in high-low."""

import pytest

from bot.engine.cards import EIGHT
from bot.engine.ranking import EXACTLY_TWO, Ranking, Scale, WildMethod, WildPolicy, evaluator
from tests.engine.ranking.support import beats, mixed, name_of, suited, ties, value_of

ACE_HIGH = Ranking(scale=Scale.LOW_ACE_HIGH)
ACE_LOW = Ranking(scale=Scale.LOW_ACE_LOW)
A5 = Ranking(scale=Scale.ACE_TO_FIVE)
DEUCE = Ranking(scale=Scale.DEUCE_TO_SEVEN)
EIGHT_OR_BETTER = Ranking(scale=Scale.ACE_TO_FIVE, qualifier=EIGHT)


@pytest.mark.law("AT-13", "LO-1", "LO-5")
def test_the_best_low_with_aces_high() -> None:
    best = mixed("75432")
    for hand in ("76432", "65432", "5432A", "6432A", "22345"):
        assert beats(best, mixed(hand, 1), ACE_HIGH)
    assert beats(best, suited("75432"), ACE_HIGH)
    assert name_of(mixed("5432A"), ACE_HIGH) == "straight, five high"
    assert beats("2s2h3d4c5s", "AsAh3d4c5s", ACE_HIGH)
    assert beats(mixed("K8432"), mixed("A6432"), ACE_HIGH)


@pytest.mark.law("AT-13", "LO-2", "LO-5", "VB-7", "VC-13")
def test_the_best_low_with_aces_low() -> None:
    best = mixed("6432A")
    for hand in ("6532A", "75432", "5432A", "65432"):
        assert beats(best, mixed(hand, 1), ACE_LOW)
    assert beats(best, suited("6432A"), ACE_LOW)
    assert beats("AsAh3d4c5s", "2s2h3d4c5s", ACE_LOW)
    assert name_of(mixed("AKQJT"), ACE_LOW) == "K-Q-J-10-A"


@pytest.mark.law("LO-5", "VC-10", "VC-11", "VC-7")
def test_ace_to_five_ignores_straights_and_flushes() -> None:
    assert name_of(suited("5432A"), A5) == "5-4-3-2-A"
    assert ties(suited("5432A"), mixed("5432A"), A5)
    assert beats(mixed("6432A"), mixed("65432", 1), A5)
    assert beats(mixed("KQJT9"), mixed("AA234"), A5)
    assert beats("AsAh3d4c5s", "2s2h3d4c5s", A5)
    assert name_of("2s2h3d3c7s7h9c", A5) == "a pair of deuces"
    assert name_of("8s6d4h3c2s", A5) == "8-6-4-3-2"


@pytest.mark.law("LO-5", "VC-8", "VC-9", "VC-12")
def test_deuce_to_seven_has_the_ace_high_and_no_wheel() -> None:
    best = mixed("75432")
    for hand in ("76432", "65432", "5432A", "6432A"):
        assert beats(best, mixed(hand, 1), DEUCE)
    assert name_of(mixed("5432A"), DEUCE) == "A-5-4-3-2"
    assert beats(mixed("5432A"), mixed("6432A", 1), DEUCE)
    assert beats(mixed("KQJT8"), mixed("5432A"), DEUCE)
    assert beats("2s2h3d4c5s", mixed("65432"), DEUCE)
    assert beats(mixed("65432"), suited("97542"), DEUCE)


@pytest.mark.law("LO-5")
@pytest.mark.parametrize("ranking", [ACE_HIGH, ACE_LOW, DEUCE])
def test_seven_cards_avoid_straights_and_flushes_where_they_can(ranking: Ranking) -> None:
    assert name_of("2s3s4s5s7s8d9h", ranking) == "8-5-4-3-2"
    assert name_of("2s3s4s5s7s7d9h", ranking) == "7-5-4-3-2"
    assert name_of("2s3s4s5s7s", ranking) == "flush, seven high"
    assert name_of("2s3s4s5s6s7s8s", ranking) == "flush, seven high"


@pytest.mark.law("VC-2", "VC-6", "TL-43")
def test_eight_or_better() -> None:
    assert value_of(mixed("8765A"), EIGHT_OR_BETTER) > 0
    assert value_of(mixed("9432A"), EIGHT_OR_BETTER) == 0
    assert value_of("8s7s6s5s5d4h4c", EIGHT_OR_BETTER) > 0
    assert value_of("8s7s6s5s5d6h7c", EIGHT_OR_BETTER) == 0
    assert value_of("As2s3s4s", EIGHT_OR_BETTER) == 0
    omaha = Ranking(scale=Scale.ACE_TO_FIVE, qualifier=EIGHT, from_hole=EXACTLY_TWO)
    assert value_of("As2sKdKh", omaha, "3s4s5dQhQd") > 0
    assert value_of("As2sKdKh", omaha, "3s4sQdQhJd") == 0
    assert value_of("AsQsKdKh", omaha, "2s3s4d5h6d") == 0
    assert value_of("AsAd2hKh", omaha, "2s3s4dQh8d") == value_of("AsAd2hKh", omaha, "2d3c4s8h8s")


@pytest.mark.law("AT-13", "LO-3")
def test_the_choice_of_aces_binds_both_halves() -> None:
    """Aces low: A-A loses the high half to 2-2 and wins the low half from it. Aces high: the other way round."""
    aces, deuces, kings = "AsAh9d7c4s", "2s2h9c7d4h", "KsKh9d7c4s"
    high, high_bound = Ranking(), Ranking(scale=Scale.HIGH_ACE_LOW)
    assert value_of(aces, high) > value_of(kings, high)
    assert value_of(aces, high_bound) < value_of(deuces, high)
    assert value_of(aces, ACE_LOW) > value_of(deuces, ACE_LOW)
    assert value_of(aces, ACE_HIGH) < value_of(deuces, ACE_LOW)


@pytest.mark.law("LO-4", "T-10")
def test_hands_without_an_ace_ignore_the_choice_of_aces() -> None:
    for hand in (mixed("KQ874"), mixed("88432"), suited("97432"), mixed("T9876"), mixed("KKK32")):
        assert value_of(hand, Ranking()) == value_of(hand, Ranking(scale=Scale.HIGH_ACE_LOW))
        assert value_of(hand, ACE_LOW) == value_of(hand, ACE_HIGH)


@pytest.mark.law("VB-7")
@pytest.mark.parametrize("method", [WildMethod.FREE, WildMethod.BUG, WildMethod.NO_DUPLICATE])
def test_the_joker_is_the_lowest_rank_not_held(method: WildMethod) -> None:
    wild = WildPolicy(method=method)
    a5 = Ranking(scale=Scale.ACE_TO_FIVE, wild=wild)
    assert name_of("7s5d4h2cJk", a5) == "7-5-4-2-A"
    assert name_of("7s5d4hAcJk", a5) == "7-5-4-2-A"
    assert name_of("7s7d4hAcJk", a5) == "a pair of sevens"
    assert ties("7s7d4hAcJk", "7s7d4hAc2d", a5)
    deuce = Ranking(scale=Scale.DEUCE_TO_SEVEN, wild=wild)
    assert name_of("5s4d3h2cJk", deuce) == "7-5-4-3-2"
    assert name_of("7s4s3s2sJk", deuce) == "7-5-4-3-2"
    assert name_of("9s7s5s3sJk", deuce) == "9-7-5-3-2"
    ace_low = Ranking(scale=Scale.LOW_ACE_LOW, wild=wild)
    assert name_of("5s4d3h2cJk", ace_low) == "7-5-4-3-2"
    assert name_of("6s4s3s2sJk", ace_low) == "6-4-3-2-A"


@pytest.mark.law("VB-7")
def test_a_wild_card_never_has_to_make_a_flush() -> None:
    ranking = Ranking(scale=Scale.DEUCE_TO_SEVEN, wild=WildPolicy(method=WildMethod.FREE))
    assert name_of("7s5s4s3s2sJk", ranking) == "7-5-4-3-2"


def test_fewer_than_five_cards() -> None:
    assert name_of("As2s", A5) == "2-A"
    assert name_of("3s3h", A5) == "a pair of threes"
    assert beats("4s2h", "4d3h", A5)
    assert evaluator(A5).value([8]) > evaluator(A5).value([12])
