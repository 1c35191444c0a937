"""Panels are edited so many times in a minute, and own turns last longest."""

from bot.line.edit_budget import EditBudget


def test_kept_edits_are_for_own_turns_alone() -> None:
    budget = EditBudget(per_minute=5, kept=2)
    for at in (1000, 2000, 3000):
        assert budget.possible_at(at, own_turn=False) == at
        budget.spend(at)
    assert budget.possible_at(4000, own_turn=False) == 61_001
    for at in (4000, 5000):
        assert budget.possible_at(at, own_turn=True) == at
        budget.spend(at)
    assert budget.possible_at(6000, own_turn=True) == 61_001
    assert budget.possible_at(61_001, own_turn=True) == 61_001
    assert budget.possible_at(61_001, own_turn=False) == 62_001
    assert not budget.is_unused(64_999) and budget.is_unused(65_000)
