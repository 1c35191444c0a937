"""A folded hand that was shuffled back belongs to nobody: its cards can come to others or to the board (X-7)."""

import random

import pytest

from bot.engine import commands as c
from bot.engine import events as e
from bot.engine.betting.posts import regular_posts
from bot.engine.cards import STANDARD_52
from bot.engine.decide import decide_and_evolve, legal, start
from bot.engine.hand import Hand
from bot.engine.legal import Decision
from bot.engine.usual_stakes import usual_stakes
from bot.engine.view.build import view
from bot.engine.view.redact import ALL_KNOWING
from bot.history.game_of_record import differences, replay
from bot.history.record import record_hand
from bot.variants import game
from tests.benchmarks.bench_games import started_of


def _decides(rng: random.Random, hand: Hand) -> c.HandCommand:
    """Let everybody change as many cards as they can, so that the deck runs out. A few fold."""
    may = legal(hand, hand.to_act)
    if may.decision is Decision.DRAW:
        return c.ChooseCards(hand.down_indices[may.seat][: may.max_cards])
    if may.fold and hand.live_seats.bit_count() > 2 and rng.random() < 0.3:
        return c.Fold()
    return c.Check() if may.check else c.Call()


@pytest.mark.law("X-7")
def test_folded_hand_with_reshuffled_cards_is_not_shown() -> None:
    gone = 0
    for seed in range(12):
        rng = random.Random(seed)
        hand = start(*started_of(rng, game("drawmaha")))[1]
        while not hand.over:
            hand = decide_and_evolve(hand, hand.to_act, _decides(rng, hand))[1]
            for seat in range(hand.seat_count):
                own = view(hand, seat).seats[seat]
                if not hand.reshuffled_indices.isdisjoint(hand.down_indices[seat]):
                    gone += 1
                    assert (own.made_hand, own.made_by_share) == (None, ())
    assert gone > 20


@pytest.mark.law("X-7", "VC-29")
def test_deck_that_runs_out_between_boards_replays_the_same() -> None:
    """Five players change sixteen cards, so one is left to burn before the river: both of its cards are reshuffled ones."""
    for seed in range(5):
        rng = random.Random(seed)
        deck = list(STANDARD_52)
        rng.shuffle(deck)
        events, hand = start(_started(5), tuple(deck))
        while not hand.over:
            may = legal(hand, hand.to_act)
            draws = c.ChooseCards(hand.down_indices[may.seat][: 4 if may.seat == 4 else 3])
            stays = c.Check() if may.check else c.Call()
            happened, hand = decide_and_evolve(hand, may.seat, draws if may.decision is Decision.DRAW else stays)
            events += happened
        at = next(at for at, event in enumerate(events) if isinstance(event, e.Reshuffled))
        assert [event.board_index for event in events[at + 1 : at + 3] if isinstance(event, e.DealtBoard)] == [0, 1]
        record = record_hand(events, hand.deck, ALL_KNOWING)
        again = replay(record)
        assert list(differences(record, again)) == []
        assert list(map(type, again.events)) == list(map(type, events))


def _started(players: int) -> e.HandStarted:
    """Return the first event of Drawmaha on two boards."""
    card = game("drawmaha + double board")
    stakes = usual_stakes(card)
    posts = regular_posts(card, card.options, stakes, players)
    seats = tuple(range(1, players + 1))
    return e.HandStarted(card, card.options, stakes, seats, (10_000,) * players, posts, players)
