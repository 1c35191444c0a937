"""Panels are edited so many times in a minute, and own turns last longest."""

from bot.line.budgets import MinuteBudget


def test_kept_edits_are_for_own_turns_alone() -> None:
    budget = MinuteBudget(per_minute=5)
    for at in (1000, 2000, 3000):
        assert budget.possible_at(at, kept=2) == at
        budget.spend(at)
    assert budget.possible_at(4000, kept=2) == 61_000
    for at in (4000, 5000):
        assert budget.possible_at(at) == at
        budget.spend(at)
    assert budget.possible_at(6000) == 61_000
    assert budget.possible_at(61_000) == 61_000
    assert budget.possible_at(61_000, kept=2) == 63_000, (
        "three must be free: the edits of 2,000 and of 3,000 count no longer"
    )
    assert not budget.is_unused(64_999) and budget.is_unused(65_000)
