"""The evaluators that hands use are built before the first hand is dealt."""

import pytest

from bot.engine import rules_in_force
from bot.engine.ranking.evaluator import evaluator
from bot.pictures import coverage, names
from bot.variants import CATALOGUE, game
from bot.warmup import catalogue_evaluators, warm_up
from tests.variants.play_hand import DealtHand


@pytest.fixture
def cold() -> None:
    """No evaluator and no rules have been used before; both are remembered by their values."""
    evaluator.cache_clear()
    rules_in_force._cached_rules.cache_clear()
    rules_in_force._RECENT_RULES.clear()


def test_warm_up_builds_every_evaluator_that_hands_use(cold: None) -> None:
    warm_up.cache_clear()
    warm_up()
    rules_in_force._cached_rules.cache_clear()
    rules_in_force._RECENT_RULES.clear()
    for card in CATALOGUE:
        built = evaluator.cache_info().misses
        rules = DealtHand(card, 2).hand.rules
        assert evaluator.cache_info().misses == built, card.key
        assert {*rules.evaluators, rules.showing_evaluator} <= {*catalogue_evaluators()}


def test_warm_up_fills_omaha_evaluator_caches() -> None:
    """A first decision in Omaha evaluates hundreds of hands, most of which have been evaluated before."""
    omaha = DealtHand(game("omaha"), 2).hand.rules.evaluators[0]
    omaha.clear_caches()
    warm_up.cache_clear()
    warm_up()
    assert len(omaha.caches.by_ranks) > 3_000


def test_evaluators_of_all_games_fit_the_caches() -> None:
    assert len({one.rules for one in catalogue_evaluators()}) < 64


def test_after_warm_up_no_name_reads_a_font() -> None:
    for cached in (names.clean_name, coverage.coverage, coverage.font_for):
        cached.cache_clear()
    warm_up.cache_clear()
    warm_up()
    read = coverage.coverage.cache_info().misses
    assert read == 1 + len(coverage.FALLBACKS)
    assert names.clean_name("Ωmega 김민준 陳偉 สมชาย नरेन्द्र") and coverage.coverage.cache_info().misses == read
