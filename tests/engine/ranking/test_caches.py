"""The evaluator's caches are shared between wild sets, bounded, and never make it wrong."""

import pytest

from bot.engine.cards import QUEEN, THREE, parse_cards
from bot.engine.ranking import Ranking, WildMethod, WildPolicy, evaluator
from bot.engine.ranking.evaluator import MAX_CACHED_VALUES, Evaluator
from tests.engine.ranking.support import with_wild


@pytest.mark.law("VC-23")
def test_rankings_that_differ_only_in_wild_cards_share_caches() -> None:
    queens = Ranking(wild=WildPolicy(method=WildMethod.FREE, ranks=(QUEEN,)))
    assert evaluator(queens).caches is evaluator(with_wild(queens, ranks=(QUEEN, THREE))).caches
    assert evaluator(queens).caches is not evaluator(Ranking()).caches


def test_a_full_cache_starts_afresh() -> None:
    game_evaluator = Evaluator(Ranking(size=5, ranks=tuple(range(1, 13))))
    cache = game_evaluator.caches.by_ranks
    before = game_evaluator.value(parse_cards("AsAh9d7c4s"))
    cache.update({-number: 0 for number in range(1, MAX_CACHED_VALUES + 1)})
    assert game_evaluator.value(parse_cards("KsKh9d7c4s")) < before
    assert len(cache) == 1
    assert game_evaluator.value(parse_cards("AsAh9d7c4s")) == before


def test_clearing_caches_changes_no_value() -> None:
    game_evaluator = evaluator(Ranking())
    hand = parse_cards("AsAh9d9c9sKd2h")
    before = game_evaluator.value(hand)
    game_evaluator.clear_caches()
    assert game_evaluator.value(hand) == before
