"""Before the first hand is dealt, everything that is worked out once has been."""

from bot.engine.ranking.evaluator import evaluator
from bot.variants import CATALOGUE, game
from bot.warming import rankings, warm


def test_every_judge_of_the_catalogue_is_built_at_the_start() -> None:
    warm()
    built = evaluator.cache_info()
    for card in CATALOGUE:
        for share in card.shares:
            evaluator(share.ranking)
    assert evaluator.cache_info().misses == built.misses


def test_the_judges_of_omaha_have_seen_hands() -> None:
    """A first choice in Omaha asks about hundreds of hands; most of them have been judged before."""
    judge = evaluator(game("omaha").shares[0].ranking)
    judge.forget()
    warm()
    assert len(judge.memories.by_ranks) > 3_000
    assert len(rankings()) < 64, "the judges of all games fit what is remembered of them"
