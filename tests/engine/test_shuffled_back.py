"""A dropped hand that has been shuffled back is nobody's any more: its cards may lie before others or on the board (X-7)."""

import random

import pytest

from bot.engine import commands as c
from bot.engine.hand import Hand
from bot.engine.legal import Decision
from bot.engine.ruling import legal, rule, start
from bot.engine.seeing import view
from bot.variants import game
from tests.benchmarks.bench_games import started_of


def _decides(rng: random.Random, hand: Hand) -> c.Command:
    """Everybody changes as much as he may, so that the pack runs out; a few drop."""
    may = legal(hand, hand.to_act)
    if may.decision is Decision.DRAW:
        return c.Discard(hand.down[may.seat][: may.most])
    if may.fold and hand.live.bit_count() > 2 and rng.random() < 0.3:
        return c.Fold()
    return c.Check() if may.check else c.Call()


@pytest.mark.law("X-7")
def test_its_holder_is_told_of_no_hand_he_has_with_cards_that_others_hold_now() -> None:
    gone = 0
    for seed in range(12):
        rng = random.Random(seed)
        hand = start(*started_of(rng, game("drawmaha")))[1]
        while not hand.over:
            hand = rule(hand, hand.to_act, _decides(rng, hand))[1]
            for seat in range(hand.number_of):
                own = view(hand, seat).seats[seat]
                if not hand.spent.isdisjoint(hand.down[seat]):
                    gone += 1
                    assert (own.made, own.halves) == (None, ())
    assert gone > 20
