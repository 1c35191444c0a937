"""A game says how many own cards play: Omaha exactly two, lazy pineapple at most two."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine.cards import EIGHT, STANDARD_52, TWO
from bot.engine.ranking import (
    AT_MOST_TWO,
    EXACTLY_TWO,
    AceStraight,
    Ranking,
    Scale,
    SuitRank,
    WildMethod,
    WildPolicy,
    evaluator,
)
from tests.engine.ranking.support import name_of

OMAHA = Ranking(from_hole=EXACTLY_TWO)
LAZY = Ranking(from_hole=AT_MOST_TWO)


def value_by_enumeration(ranking: Ranking, hole: Sequence[int], board: Sequence[int], counts: Sequence[int]) -> int:
    """Try every lawful choice of five, one by one."""
    value: Callable[[Sequence[int]], int] = evaluator(ranking).value
    return max(
        value(own + common)
        for count in counts
        for own in combinations(hole, count)
        for common in combinations(board, 5 - count)
    )


@pytest.mark.law("VC-1")
def test_omaha_plays_exactly_two_hole_cards() -> None:
    assert name_of("AsKdQcJh", OMAHA, "2s3s4s5s9d") == "no pair, ace high"
    assert name_of("As2dQcJh", OMAHA, "3s4s5s9sKd") == "straight, five high"
    assert name_of("AsKsQcJh", OMAHA, "2s3s4s5s9d") == "flush, ace high"
    assert name_of("AsAdAcAh", OMAHA, "KsKd7c4h2d") == "two pair, aces and kings"
    assert name_of("2c3d4h5s", OMAHA, "AsKsQsJsTs") == "no pair, ace high"


@pytest.mark.law("VC-18")
def test_lazy_pineapple_plays_at_most_two_hole_cards() -> None:
    assert name_of("AsAdAc", LAZY, "KsKd7c4h2d") == "two pair, aces and kings"
    assert name_of("AsAdAc", LAZY, "AhKd7c4h2d") == "three of a kind, aces"
    assert name_of("2c3d4h", LAZY, "AsKsQsJsTs") == "royal flush"
    assert name_of("As4s9s", LAZY, "KsQs2d3d7c") == "no pair, ace high"


@pytest.mark.law("VC-19", "M-4")
def test_any_mix_of_hole_and_board_cards() -> None:
    assert name_of("2c3d", Ranking(), "AsKsQsJsTs") == "royal flush"
    assert name_of("AsAd", Ranking(), "AcAh7c4h2d") == "four of a kind, aces"


@pytest.mark.law("VC-1", "VC-4")
def test_hands_on_a_partial_board_rank_as_partial_hands() -> None:
    assert name_of("AsAdKcKh", OMAHA, "Ac") == "three of a kind, aces"
    assert name_of("AsAdKcKh", OMAHA, "Ac2d3h") == "three of a kind, aces"
    assert name_of("AsAdAcKh", OMAHA) == "a pair of aces"
    assert name_of("AsAdAc", LAZY) == "a pair of aces"


HOLE_GAMES = {
    "omaha": (OMAHA, 4, (2,)),
    "omaha eight": (Ranking(scale=Scale.ACE_TO_FIVE, qualifier=EIGHT, from_hole=EXACTLY_TWO), 4, (2,)),
    "five cards": (OMAHA, 5, (2,)),
    "six cards": (OMAHA, 6, (2,)),
    "omaha, deuces wild": (
        Ranking(from_hole=EXACTLY_TWO, wild=WildPolicy(method=WildMethod.FREE, ranks=(TWO,))),
        4,
        (2,),
    ),
    "omaha for deuce to seven": (Ranking(scale=Scale.DEUCE_TO_SEVEN, from_hole=EXACTLY_TWO), 4, (2,)),
    "omaha, old english": (
        Ranking(from_hole=EXACTLY_TWO, ace_straight=AceStraight.LOW_ONLY, suit_rank=SuitRank.HEARTS_FIRST),
        4,
        (2,),
    ),
    "exactly three": (Ranking(from_hole=(3, 3)), 4, (3,)),
    "lazy pineapple": (LAZY, 3, (0, 1, 2)),
    "one or two": (Ranking(from_hole=(1, 2)), 3, (1, 2)),
}


@pytest.mark.law("VC-1", "VC-2", "VC-3", "VC-18")
@pytest.mark.parametrize("game", HOLE_GAMES)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_fast_values_equal_values_by_enumeration(game: str, data: st.DataObject) -> None:
    ranking, own, counts = HOLE_GAMES[game]
    suits = data.draw(st.sampled_from([(0, 1, 2, 3), (0, 1)]))
    deck = [card for card in STANDARD_52 if card % 4 in suits]
    cards = data.draw(st.lists(st.sampled_from(deck), min_size=5 + 2 * own, max_size=5 + 2 * own, unique=True))
    board, holes = cards[:5], (cards[5 : 5 + own], cards[5 + own :])
    game_evaluator = evaluator(ranking)
    expected = [value_by_enumeration(ranking, hole, board, counts) for hole in holes]
    assert game_evaluator.values(holes, board) == expected
    assert [game_evaluator.best(hole, board) for hole in holes] == expected


def test_board_caches_are_kept_apart_by_hole_card_count() -> None:
    """Two games with the same rules and the same board, but another number of own cards."""
    board, hole = tuple(range(0, 20, 4)), (5, 22, 35, 51)
    for _ in range(2):
        for own in (2, 3):
            ranking = Ranking(from_hole=(own, own))
            assert evaluator(ranking).best(hole, board) == value_by_enumeration(ranking, hole, board, (own,))
