"""Wild cards: three methods and the bug."""

import pytest

from bot.engine.cards import JACK, KING, TWO, parse_card, parse_cards
from bot.engine.ranking import Ranking, Scale, WildMethod, WildPolicy, evaluator
from tests.engine.ranking.support import beats, mixed, name_of, suited, ties, with_wild

BUG = Ranking(wild=WildPolicy(method=WildMethod.BUG))
FREE = Ranking(wild=WildPolicy(method=WildMethod.FREE))
NO_DUPLICATE = Ranking(wild=WildPolicy(method=WildMethod.NO_DUPLICATE))
DEUCES = Ranking(wild=WildPolicy(method=WildMethod.FREE, ranks=(TWO,)))
EVERY_METHOD = (BUG, FREE, NO_DUPLICATE)


@pytest.mark.law("AT-12", "R-2", "W-9", "W-3", "W-4")
@pytest.mark.parametrize("ranking", EVERY_METHOD)
def test_four_aces_and_the_joker_are_five_aces(ranking: Ranking) -> None:
    assert name_of("AcAdAhAsJk", ranking) == "five of a kind, aces"
    assert beats("AcAdAhAsJk", suited("AKQJT"), ranking)


@pytest.mark.law("AT-12", "W-4")
def test_the_bug_with_two_pair_is_an_ace() -> None:
    assert name_of("KcKdQhQsJk", BUG) == "two pair, kings and queens"
    assert ties("KcKdQhQsJk", "KcKdQhQsAc", BUG)
    assert beats("KcKdQhQsJk", "KcKdQhQsJc", BUG)
    assert name_of("KcKdKhKsJk", BUG) == "four of a kind, kings"


@pytest.mark.law("AT-12", "W-3")
def test_no_duplicate_takes_the_best_card_not_held() -> None:
    assert ties("AcKc9c6cJk", "AcKcQc9c6c", NO_DUPLICATE)


@pytest.mark.law("W-4")
def test_the_bug_completes_a_flush_with_a_card_not_held() -> None:
    assert ties("AcKc9c6cJk", "AcKcQc9c6c", BUG)
    assert ties("KcQc9c6cJk", "AcKcQc9c6c", BUG)


@pytest.mark.law("AT-12", "W-5")
def test_free_makes_a_double_ace_high_flush() -> None:
    assert beats("AcKc9c6cJk", "AsKsQsJs9s", FREE)
    game_evaluator = evaluator(FREE)
    assert game_evaluator.name(game_evaluator.value(parse_cards("AcKc9c6cJk"))).ranks == (12, 12, 11, 7, 4)


@pytest.mark.law("AT-12")
@pytest.mark.parametrize("ranking", EVERY_METHOD)
@pytest.mark.parametrize(("four", "name"), [("QJT9", "straight, king high"), ("T976", "straight, ten high")])
def test_a_wild_card_completes_the_highest_straight(ranking: Ranking, four: str, name: str) -> None:
    assert name_of(mixed(four + "2").removesuffix("2c") + "Jk", ranking) == name


@pytest.mark.law("W-4")
def test_the_bug_completes_only_straights_and_flushes() -> None:
    assert name_of("QsJsTs9sJk", BUG) == "straight flush, king high"
    assert name_of("AsKsQsJsJk", BUG) == "royal flush"
    assert name_of("4d3c2sAhJk", BUG) == "straight, five high"
    assert name_of("9c9dKh5s Jk", BUG) == "a pair of nines"
    assert name_of("Ac9dKh5s Jk", BUG) == "a pair of aces"
    assert name_of("8c9dKh5s Jk", BUG) == "no pair, ace high"


@pytest.mark.law("W-1", "VC-25")
def test_deuces_wild() -> None:
    assert name_of("9h9dKc4s2s", DEUCES) == "three of a kind, nines"
    assert name_of("2c2d2h2s3c", DEUCES) == "five of a kind, threes"
    assert name_of("2c2d9c9d4h", DEUCES) == "four of a kind, nines"
    assert name_of("AsKsQs2c2d", DEUCES) == "royal flush"
    assert name_of("2c2d2h4s9h3c7d", DEUCES) == "four of a kind, nines"
    assert name_of("2c2d2h2s", DEUCES) == "four of a kind, aces"


@pytest.mark.law("W-1")
def test_single_wild_cards_go_with_a_joker_as_bug() -> None:
    one_eyed = Ranking(
        wild=WildPolicy(method=WildMethod.FREE, cards=(parse_card("Jh"), parse_card("Js")), joker=WildMethod.BUG),
    )
    assert name_of("Jh9c9dKc4s", one_eyed) == "three of a kind, nines"
    assert name_of("Jc9c9dKc4s", one_eyed) == "a pair of nines"
    assert name_of("Jk9c9dKc4s", one_eyed) == "a pair of nines"
    assert name_of("JkJh9c9d9s", one_eyed) == "four of a kind, nines"
    assert one_eyed.wild.method_of(JACK * 4) is WildMethod.NONE


@pytest.mark.law("W-6", "T-3", "T-5")
def test_a_wild_card_ranks_exactly_as_the_natural_one() -> None:
    assert ties("9c9dJkKc4s", "9c9d9hKc4s", FREE)
    assert beats("9c9dJkKc4s", "9c9d9hQc4s", FREE)
    assert beats("KcKdKhJk5s", "KcKdKhKs4s", FREE)


@pytest.mark.law("W-9")
def test_five_of_a_kind_is_the_top_hand() -> None:
    assert beats("3c3d3h3sJk", suited("AKQJT"), FREE)
    assert beats("4c4d4h4sJk", "3c3d3h3sJk", FREE)


@pytest.mark.law("W-8")
def test_each_half_of_a_pot_has_its_own_best_card() -> None:
    hand = parse_cards("As 2d 3c 4h Jk")
    high, low = evaluator(FREE), evaluator(Ranking(scale=Scale.ACE_TO_FIVE, wild=FREE.wild))
    assert high.name(high.value(hand)).ranks == (3,)
    assert low.name(low.value(hand)).ranks == (3, 2, 1, 0, 12)


@pytest.mark.law("VC-22")
def test_the_joker_can_be_wild_or_a_bug_per_seat() -> None:
    hand = parse_cards("KcKdQhQsJk")
    down, up = evaluator(FREE), evaluator(with_wild(FREE, joker=WildMethod.BUG))
    assert down.value(hand) > up.value(hand)
    assert down.name(down.value(hand)).ranks == (KING, KING - 1)


@pytest.mark.law("VC-24")
def test_baseball_with_eleven_cards() -> None:
    baseball = Ranking(wild=WildPolicy(method=WildMethod.FREE, ranks=(1, 7)))
    assert name_of("3c3d3h3s9c9d9h9s4c4d4h", baseball) == "five of a kind, aces"
    assert name_of("3c 4c4d4h4s 5s6d7h8d Td Kd", baseball) == "five of a kind, fours"
    assert name_of("5s6d7h8d Tc Ks Ac Qh 2c 2d 9c", baseball) == "straight, ace high"
