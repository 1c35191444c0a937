"""No event changes an earlier state of a hand, and no printed state names a card."""

import random

import pytest
from msgspec.structs import asdict

from bot.engine import commands as c
from bot.engine.cards import STANDARD_52, card_text
from bot.engine.decide import decide_and_evolve, legal, start
from bot.engine.hand import Hand
from bot.engine.rule_card import RuleCard
from bot.variants import CATALOGUE
from tests.benchmarks.bench_games import choose, started_of
from tests.engine.test_short_stacks import deal


def _noted(hand: Hand) -> dict[str, object]:
    """Return every field as it is now, with lists copied, so that a change made in place shows later."""
    return {name: value.copy() if isinstance(value, list) else value for name, value in asdict(hand).items()}


@pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)
def test_events_do_not_change_earlier_hands(card: RuleCard) -> None:
    rng = random.Random(card.key)
    for _ in range(3):
        hand = start(*started_of(rng, card))[1]
        kept = [(hand, _noted(hand))]
        while not hand.over:
            hand = decide_and_evolve(hand, hand.to_act, choose(rng, hand, legal(hand, hand.to_act)))[1]
            kept.append((hand, _noted(hand)))
        assert all(asdict(before) == noted for before, noted in kept)


@pytest.mark.law("TL-37")
def test_a_hand_in_a_log_shows_no_card() -> None:
    hand = deal("holdem", (500, 500, 500), small=5, big=10)
    assert repr(hand) == "<Hand of holdem, pre-flop, pot 15, seat 2 to act>"
    later = decide_and_evolve(decide_and_evolve(hand, 2, c.Fold())[1], 0, c.Fold())[1]
    assert repr(later) == "<Hand of holdem, pre-flop, pot 0, over>"
    for shown in (repr(hand), str(hand), f"{later}"):
        assert not any(card_text(card) in shown for card in STANDARD_52)
