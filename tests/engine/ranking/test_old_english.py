"""The ranking of source 002: the ace low in sequences, and hearts before other suits."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine.cards import HEARTS, cards_text, parse_cards
from bot.engine.ranking import AceStraight, Ranking, SuitRank, WildMethod, WildPolicy, evaluator
from bot.engine.ranking.layout import hand_layout
from tests.engine.ranking.support import beats, mixed, name_of, suited, ties

OLD = Ranking(ace_straight=AceStraight.LOW_ONLY, suit_rank=SuitRank.HEARTS_FIRST)


@pytest.mark.law("AT-6", "R-8")
def test_the_ace_is_low_in_sequences_only() -> None:
    assert name_of(mixed("AKQJT"), OLD) == "no pair, ace high"
    assert name_of(suited("AKQJT"), OLD) == "flush, ace high"
    assert name_of(mixed("KQJT9"), OLD) == "straight, king high"
    assert beats(mixed("KQJT9"), mixed("QJT98"), OLD)
    assert name_of(mixed("5432A"), OLD) == "straight, five high"
    assert beats(mixed("65432"), mixed("5432A"), OLD)
    assert beats(mixed("A9743"), mixed("KQJ74"), OLD)


@pytest.mark.law("AT-6", "T-11")
def test_the_heart_decides_at_the_first_rank_that_has_one() -> None:
    assert beats("AhKc9d5s3c", "AsKh9c5d3h", OLD)
    assert beats("9h9sKc7d4c", "9d9cKh7h4h", OLD)


@pytest.mark.law("AT-6", "T-11")
def test_without_a_heart_in_the_tied_ranks_hands_tie() -> None:
    assert ties("AdKc9d5s3c", "AsKd9c5d3s", OLD)
    assert ties("9d9sKc7d4c", "9c9dKs7s4s", OLD) is ties("9d9sKc7d4c", "9cKs9d7s4s", OLD)


@pytest.mark.law("T-11")
def test_the_heart_never_beats_a_higher_hand() -> None:
    assert beats("AdKc9d5s4c", "AhKh9h5h3c", OLD)


@pytest.mark.law("T-11")
def test_hearts_beat_other_flushes_and_straights_go_by_their_top() -> None:
    assert beats(suited("KJ952", "h"), suited("KJ952", "s"), OLD)
    assert ties(suited("KJ952", "d"), suited("KJ952", "s"), OLD)
    assert beats("9h8c7d6s5c", "9s8h7h6h5h", OLD)
    assert beats("5h4c3d2sAc", "5s4h3h2hAh", OLD)


@pytest.mark.law("T-11")
def test_hearts_are_compared_in_sets_before_odd_cards() -> None:
    assert beats("QcQhKd8c4s", "QsQdKh8h4h", OLD)
    assert beats("QcQdKh8c4s", "QsQhKd8h4h", OLD) is False  # the pair acts before the king
    assert beats("QcQd8h8c4s", "QsQc8d8s4h", OLD)
    assert beats("7c7d7sKhKc", "7c7d7sKdKs", OLD)


@pytest.mark.law("T-11", "W-6")
def test_a_wild_card_can_be_the_heart() -> None:
    wild = Ranking(suit_rank=SuitRank.HEARTS_FIRST, wild=WildPolicy(method=WildMethod.NO_DUPLICATE))
    assert beats("JkKs9c7d4c", "KdKc9h7h4h", wild)  # the joker is the king of hearts
    assert ties("JkKs9c7d4c", "KhKs9c7d4c", wild)


@pytest.mark.law("T-11")
def test_the_laid_out_hand_has_the_reported_value() -> None:
    game_evaluator = evaluator(OLD)
    hole, board = parse_cards("9s9h"), parse_cards("9dKcKh4s2h")
    laid = hand_layout(game_evaluator, hole, board)
    assert game_evaluator.value(laid.cards) == game_evaluator.best(hole, board) == laid.value
    assert game_evaluator.name(laid.value).ranks == (7, 11)


def value_by_walk(one: list[int], other: list[int]) -> int:
    """Walk the tied ranks as T-11 says: 1 if the first hand wins, -1 if the other does, 0 if neither."""
    held = Counter(card >> 2 for card in one)
    ranks = sorted(held, key=lambda rank: (held[rank], rank), reverse=True)
    if ranks == [12, 3, 2, 1, 0]:  # 5-4-3-2-A, a straight or a straight flush
        ranks = [3, 2, 1, 0, 12]
    for rank in ranks:
        heart = rank * 4 + HEARTS
        if (heart in one) != (heart in other):
            return 1 if heart in one else -1
    return 0


@pytest.mark.law("T-11")
@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_hands_of_equal_ranks_compare_heart_by_heart(data: st.DataObject) -> None:
    ranks = data.draw(st.lists(st.sampled_from(range(13)), min_size=5, max_size=5))
    held = Counter(ranks)
    if max(held.values()) > 2:
        ranks = list(data.draw(st.permutations(range(13))))[:5]
        held = Counter(ranks)
    one, other = list[int](), list[int]()
    for rank, count in held.items():
        suits = data.draw(st.permutations(range(4)))
        one += [rank * 4 + suit for suit in suits[:count]]
        other += [rank * 4 + suit for suit in suits[count : 2 * count]]
    first, second = evaluator(OLD).value(one), evaluator(OLD).value(other)
    plain = evaluator(Ranking(ace_straight=AceStraight.LOW_ONLY))
    if plain.value(one) == plain.value(other):  # one of them can be a flush
        assert (first > second) - (first < second) == value_by_walk(one, other), (
            f"{cards_text(one)} against {cards_text(other)}"
        )
    else:
        assert (first > second) == (plain.value(one) > plain.value(other))
