"""What the evaluator remembers: shared between wild sets, bounded, and never wrong for being full."""

import pytest

from bot.engine.cards import QUEEN, THREE, parse_all
from bot.engine.ranking import Ranking, Wild, WildMethod, evaluator
from bot.engine.ranking.evaluator import REMEMBERED, Evaluator


@pytest.mark.law("VC-23")
def test_rankings_that_differ_only_in_what_is_wild_share_their_memory() -> None:
    queens = Ranking(wild=Wild(method=WildMethod.FREE, ranks=(QUEEN,)))
    assert evaluator(queens).memories is evaluator(queens.with_wild(ranks=(QUEEN, THREE))).memories
    assert evaluator(queens).memories is not evaluator(Ranking()).memories


def test_a_full_memory_starts_afresh() -> None:
    judge = Evaluator(Ranking(size=5, ranks=tuple(range(1, 13))))
    memory = judge.memories.by_ranks
    before = judge.value(parse_all("AsAh9d7c4s"))
    memory.update({-number: 0 for number in range(1, REMEMBERED + 1)})
    assert judge.value(parse_all("KsKh9d7c4s")) < before
    assert len(memory) == 1
    assert judge.value(parse_all("AsAh9d7c4s")) == before


def test_forgetting_changes_nothing() -> None:
    judge = evaluator(Ranking())
    hand = parse_all("AsAh9d9c9sKd2h")
    before = judge.value(hand)
    judge.forget()
    assert judge.value(hand) == before
