"""The list of a street's actions: every view shares it, and an action adds one entry to it."""

import random

import pytest

from bot.engine import commands as c
from bot.engine.decide import decide_and_evolve, legal, start
from bot.engine.rule_card import RuleCard
from bot.engine.view import build
from bot.engine.view.build import seen_actions, view
from bot.engine.view.types import ActionVerb, SeenActions
from bot.variants import CATALOGUE
from tests.benchmarks.bench_games import choose, started_of
from tests.benchmarks.bench_view import hand_after


def test_views_of_one_hand_share_their_actions() -> None:
    hand = hand_after(40)
    assert view(hand, 0).street_actions is view(hand, None).street_actions
    assert view(hand.copy(), 1).street_actions[:39] == view(hand, 0).street_actions[:39]


@pytest.mark.parametrize("actions", [5, 500])
def test_view_after_an_action_works_out_one_action(monkeypatch: pytest.MonkeyPatch, actions: int) -> None:
    hand = hand_after(actions)
    worked_out = []
    real = build._seen
    monkeypatch.setattr(build, "_seen", lambda hand, event: worked_out.append(event) or real(hand, event))
    before = view(hand, 0)
    worked_out.clear()
    after = view(decide_and_evolve(hand, hand.to_act, c.Call())[1], 0)
    assert [type(event).__name__ for event in worked_out] == ["Called"]
    assert all(one is other for one, other in zip(before.street_actions, after.street_actions, strict=False))
    assert after.street_actions[-1].verb is ActionVerb.CALL


@pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)
def test_actions_reused_equal_actions_worked_out_anew(card: RuleCard) -> None:
    rng = random.Random(f"seen {card.key}")
    for _ in range(5):
        hand = start(*started_of(rng, card))[1]
        while not hand.over:
            if rng.random() < 0.7:  # some hands are never looked at
                fresh = hand.copy()
                fresh.seen_actions = SeenActions()
                reused, anew = seen_actions(hand), seen_actions(fresh)
                assert (reused.actions, reused.last_by_seat) == (anew.actions, anew.last_by_seat)
            hand = decide_and_evolve(hand, hand.to_act, choose(rng, hand, legal(hand, hand.to_act)))[1]
