"""Choose which cards to keep. Each choice is filled up from the unseen cards a few times and compared with random hands.

This serves draws for high and for low, the cards given up in pineapple and the cards passed in anaconda.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import combinations
from random import Random

from bot.engine.ranking import Evaluator
from bot.engine.view.types import HandView
from bot.players.view_helpers import share_evaluators, unseen_cards, viewer_cards

MAX_WAYS_EXAMINED = 24
"""The number of choices that are examined closely."""
RANDOM_HANDS, FILLS_PER_WAY = 40, 8


def keep_exactly(view: HandView, rng: Random, count: int) -> tuple[int, ...]:
    """Return the `count` cards to keep when the rest must be given up."""
    return _best_way(view, rng, combinations(viewer_cards(view), count), 0)


def keep_any(view: HandView, rng: Random, maximum: int) -> tuple[int, ...]:
    """Return the cards to keep when up to `maximum` of them can be changed for new ones."""
    held = viewer_cards(view)
    ways = (kept for changed in range(min(maximum, len(held)) + 1) for kept in combinations(held, len(held) - changed))
    return _best_way(view, rng, ways, len(held))


def hand_percentiles(view: HandView, rng: Random) -> list[float]:
    """Return the part of random hands that the viewer's hand beats, for each share of the pot, from 0 to 1."""
    mine, stub = viewer_cards(view), unseen_cards(view)
    board = view.boards[0] if view.boards else ()
    return [
        _percentile(
            evaluator.best(mine, board), _random_hands(evaluator, stub, len(mine), board, view.cards_to_come[1], rng)
        )
        for evaluator in share_evaluators(view)
    ]


def _best_way(view: HandView, rng: Random, ways: Iterable[tuple[int, ...]], size: int) -> tuple[int, ...]:
    """Return the choice that does best on average when it is filled up to `size` cards."""
    evaluators, stub = share_evaluators(view), unseen_cards(view)
    board = view.boards[0] if view.boards else ()
    more = view.cards_to_come[1]
    looked_at = _promising(evaluators, board, list(ways), size)
    whole = size or max(map(len, looked_at))
    scales = [_random_hands(evaluator, stub, whole, board, more, rng) for evaluator in evaluators]
    found, best = looked_at[0], -1.0
    for kept in looked_at:
        new = size - len(kept) if size else 0
        fills = FILLS_PER_WAY if new or more else 1
        score = 0.0
        for _ in range(fills):
            fresh = rng.sample(stub, min(len(stub), new + more))
            hand, common = (*kept, *fresh[:new]), (*board, *fresh[new:])
            score += sum(
                [
                    _percentile(evaluator.best(hand, common), scale)
                    for evaluator, scale in zip(evaluators, scales, strict=True)
                ]
            )
        if score / fills > best:
            found, best = kept, score / fills
    return found


def _promising(
    evaluators: Sequence[Evaluator], board: Sequence[int], ways: list[tuple[int, ...]], size: int
) -> list[tuple[int, ...]]:
    """Return the choices that have the highest values as they are, some of each length."""
    if len(ways) <= MAX_WAYS_EXAMINED:
        return ways
    lengths = sorted({len(kept) for kept in ways}, reverse=True)
    each = max(4, MAX_WAYS_EXAMINED // len(lengths))
    found: list[tuple[int, ...]] = []
    for length in lengths:
        same = [kept for kept in ways if len(kept) == length]
        for evaluator in evaluators:
            same.sort(key=lambda kept: evaluator.best(kept, board) if kept else 0, reverse=True)
            found += same[: each if size else MAX_WAYS_EXAMINED]
    return list(dict.fromkeys(found))


def _random_hands(
    evaluator: Evaluator, stub: Sequence[int], size: int, board: Sequence[int], more: int, rng: Random
) -> list[int]:
    """Return the values of random hands, the lowest first."""
    found: list[int] = []
    for _ in range(RANDOM_HANDS):
        fresh = rng.sample(stub, min(len(stub), size + more))
        found.append(evaluator.best(fresh[:size], (*board, *fresh[size:])))
    return sorted(found)


def _percentile(value: int, others: Sequence[int]) -> float:
    """Return the part of sorted values that a value beats, from 0 to 1; a tie counts half."""
    return (bisect_left(others, value) + bisect_right(others, value)) / 2 / len(others) if value > 0 else 0.0
