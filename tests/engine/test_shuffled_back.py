"""A dropped hand that has been shuffled back is nobody's any more: its cards may lie before others or on the board (X-7)."""

import random

import pytest

from bot.cli_replay import differences, replay
from bot.engine import commands as c
from bot.engine import events as e
from bot.engine.cards import STANDARD_52
from bot.engine.hand import Hand
from bot.engine.legal import Decision
from bot.engine.notation import ALL_KNOWING, recorded
from bot.engine.posts import regular_posts
from bot.engine.ruling import legal, rule, start
from bot.engine.seeing import view
from bot.variants import game
from bot.variants.usual import usual_stakes
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


@pytest.mark.law("X-7", "VC-29")
def test_a_pack_that_runs_out_between_two_boards_reads_back_the_same() -> None:
    """Five change sixteen cards, so that one is left to burn before the river: both its cards are shuffled back ones."""
    for seed in range(5):
        rng = random.Random(seed)
        deck = list(STANDARD_52)
        rng.shuffle(deck)
        events, hand = start(_started(5), tuple(deck))
        while not hand.over:
            may = legal(hand, hand.to_act)
            draws = c.Discard(hand.down[may.seat][: 4 if may.seat == 4 else 3])
            stays = c.Check() if may.check else c.Call()
            happened, hand = rule(hand, may.seat, draws if may.decision is Decision.DRAW else stays)
            events += happened
        at = next(at for at, event in enumerate(events) if isinstance(event, e.Reshuffled))
        assert [event.board for event in events[at + 1 : at + 3] if isinstance(event, e.DealtBoard)] == [0, 1]
        record = recorded(events, hand.deck, ALL_KNOWING)
        again = replay(record)
        assert list(differences(record, again)) == []
        assert list(map(type, again.events)) == list(map(type, events))


def _started(players: int) -> e.HandStarted:
    """Drawmaha on two boards."""
    card = game("drawmaha + double board")
    stakes = usual_stakes(card)
    posts = regular_posts(card, card.options, stakes, players)
    seats = tuple(range(1, players + 1))
    return e.HandStarted(card, card.options, stakes, seats, (10_000,) * players, posts, players)
