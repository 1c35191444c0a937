"""All-in luck counted once more by hand, with nothing of the program that could share a mistake but the pots' sizes.

Every way in which a few cards can come is dealt out, hands are compared by the naive evaluator of `tests.engine.ranking`, which tries every
five cards and every card that a wild one can stand for, and each pot is shared among whom it belongs to.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, permutations
from math import perm

import pytest
from msgspec.structs import replace

from bot.engine.evolve import replay
from bot.engine.ranking import Ranking
from bot.engine.rules_in_force import rules_in_force
from bot.statistics import luck
from bot.statistics.all_in_hand import NO_BOARD, AllInHand, all_in_hand, seed_of
from bot.statistics.luck import all_in_luck
from bot.variants import game
from tests.engine.ranking.naive_evaluator import NO_HAND, NaiveKey, naive_key
from tests.statistics.all_in_hands import rough_hand


@pytest.mark.parametrize(
    ("name", "players", "pots", "calm_rounds", "folds", "ways"),
    [
        ("holdem", 10, 5, 2, 0.0, 30),
        ("holdem", 10, 5, 1, 0.0, 60),
        ("omaha8", 9, 3, 2, 0.0, 20),
        ("double_board_holdem", 5, 2, 1, 0.0, 60),
        ("double_board_omaha", 4, 2, 2, 0.0, 20),
        ("stud", 3, 2, 3, 0.3, 60),
        ("stud8", 3, 2, 3, 0.3, 60),
        ("razz", 3, 2, 3, 0.3, 60),
        ("hilo_stud", 3, 2, 2, 0.3, 60),
        ("london", 2, 1, 3, 0.5, 60),
        ("holdem + deuces wild", 3, 2, 2, 0.3, 6),
        ("holdem + joker as bug", 4, 2, 2, 0.3, 30),
        ("omaha hi-lo + one-eyed jacks wild", 2, 1, 2, 0.3, 8),
        ("short_deck", 6, 3, 2, 0.0, 20),
    ],
)  # fmt: skip
def test_luck_is_what_a_count_by_hand_says(
    name: str, players: int, pots: int, calm_rounds: int, folds: float, ways: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At least so many players and pots; where somebody folds at stud, the cards that lay open before them cannot come."""
    monkeypatch.setattr(luck, "MAX_EXACT", 10**9)
    rng, card, checked = random.Random(f"{name} {players} {calm_rounds}"), game(name), 0
    for _ in range(200):
        if checked == 2:
            return
        seated = card.seats_max if folds else max(players, card.seats_min)
        events, deck = rough_hand(rng, card, seated, calm_rounds=calm_rounds, folds=folds)
        hand = all_in_hand(events, deck, seed_of(1, checked))
        if hand is None or len(hand.seats) < players or len(hand.pots) < pots:
            continue
        pool = few_cards(rng, hand, ways)
        if not pool:
            continue
        over = replay(events, deck)
        dead = {deck[index] for up in over.up_indices for index in up} - {card for up in hand.up for card in up}
        came_later = {deck[index] for seat in hand.seats for index in over.up_indices[seat]}
        assert (dead - came_later).isdisjoint(hand.unknown)
        checked += 1
        answer = all_in_luck(replace(hand, unknown=pool))
        assert answer is not None
        assert not answer.is_estimate
        for paid, told, expected in zip(hand.paid, answer.luck, counted_by_hand(hand, pool), strict=True):
            assert abs(Fraction(told, 1_000) - (paid - expected)) < Fraction(1, 999)
    pytest.fail("no such hand came up")


def slots_of(hand: AllInHand) -> list[tuple[int, int]]:
    """Who gets each card that is to come: (board, -1), or (-1, player)."""
    found = []
    for deal in hand.to_come:
        receivers = [(NO_BOARD, at) for at in range(len(hand.seats))] if deal.board == NO_BOARD else [(deal.board, -1)]
        found += receivers * deal.count
    return found


def few_cards(rng: random.Random, hand: AllInHand, ways: int) -> tuple[int, ...]:
    """So few of the unknown cards that they can come in at most so many ways, in every order; none if they never are so few."""
    needed = len(slots_of(hand))
    sizes = [size for size in range(needed, len(hand.unknown) + 1) if perm(size, needed) <= ways]
    return tuple(sorted(rng.sample(hand.unknown, sizes[-1]))) if sizes else ()


def counted_by_hand(hand: AllInHand, pool: Sequence[int]) -> list[Fraction]:
    rules = rules_in_force(hand.rule_card, hand.options, hand.stakes)
    rankings = [evaluator.ranking for evaluator in rules.evaluators]
    total, count = [Fraction(0)] * len(hand.seats), 0
    for drawn in permutations(pool, len(slots_of(hand))):
        count += 1
        own = [list(down + up) for down, up in zip(hand.down, hand.up, strict=True)]
        boards = [list(board) for board in hand.boards]
        for (board, player), card in zip(slots_of(hand), drawn, strict=True):
            (boards[board] if board != NO_BOARD else own[player]).append(card)
        for pot in hand.pots:
            eligible = [at for at, seat in enumerate(hand.seats) if pot.eligible_seats >> seat & 1]
            for common in boards:
                won = list(winners_of(own, common, rankings, eligible)) or [eligible]
                for winners in won:
                    for at in winners:
                        total[at] += Fraction(pot.chips, len(boards) * len(won) * len(winners))
    return [chips / count for chips in total]


def winners_of(
    own: Sequence[Sequence[int]], board: Sequence[int], rankings: Sequence[Ranking], eligible: Sequence[int]
) -> Iterator[list[int]]:
    """Who wins each share for which somebody qualifies."""
    for ranking in rankings:
        keys = {at: best_key(tuple(own[at]), tuple(board), ranking) for at in eligible}
        best = max(keys.values())
        if best != NO_HAND:
            yield [at for at, key in keys.items() if key == best]


@lru_cache(100)
def best_key(own: tuple[int, ...], board: tuple[int, ...], ranking: Ranking) -> NaiveKey:
    if ranking.from_hole is None:
        return naive_key((*own, *board), ranking)
    assert ranking.from_hole == (2, 2)
    return max(naive_key((*two, *three), ranking) for two in combinations(own, 2) for three in combinations(board, 3))
