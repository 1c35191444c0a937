"""Which cards to keep: every way to keep some is filled up from the unseen cards a few times, and held against random hands.

The same serves a draw for high or low, the cards dropped in pineapple and the cards passed in anaconda.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import combinations
from random import Random

from bot.engine.ranking import Evaluator
from bot.engine.view import HandView
from bot.players.sight import judges, own_cards, unseen

WAYS_MAX = 24
"""Ways to keep cards that are looked at closely."""
RANDOM_HANDS, FILLS = 40, 8


def keep_exactly(view: HandView, rng: Random, count: int) -> tuple[int, ...]:
    """The `count` cards to keep when the rest must be given up."""
    return _best(view, rng, combinations(own_cards(view), count), 0)


def keep_any(view: HandView, rng: Random, most: int) -> tuple[int, ...]:
    """The cards to keep when up to `most` of them may be changed for new ones."""
    held = own_cards(view)
    ways = (kept for changed in range(min(most, len(held)) + 1) for kept in combinations(held, len(held) - changed))
    return _best(view, rng, ways, len(held))


def standing(view: HandView, rng: Random) -> list[float]:
    """Where the viewer's hand stands among random ones, for each share of the pot, from 0 to 1."""
    mine, stub = own_cards(view), unseen(view)
    board = view.boards[0] if view.boards else ()
    return [
        _place(judge.best(mine, board), _random_hands(judge, stub, len(mine), board, view.to_come[1], rng))
        for judge in judges(view)
    ]


def _best(view: HandView, rng: Random, ways: Iterable[tuple[int, ...]], size: int) -> tuple[int, ...]:
    """The way that does best on average, filled up to `size` cards."""
    shares, stub = judges(view), unseen(view)
    board = view.boards[0] if view.boards else ()
    more = view.to_come[1]
    looked_at = _promising(shares, board, list(ways), size)
    whole = size or max(map(len, looked_at))
    scales = [_random_hands(judge, stub, whole, board, more, rng) for judge in shares]
    found, best = looked_at[0], -1.0
    for kept in looked_at:
        new = size - len(kept) if size else 0
        fills = FILLS if new or more else 1
        score = 0.0
        for _ in range(fills):
            fresh = rng.sample(stub, min(len(stub), new + more))
            hand, common = (*kept, *fresh[:new]), (*board, *fresh[new:])
            score += sum([_place(judge.best(hand, common), scale) for judge, scale in zip(shares, scales, strict=True)])
        if score / fills > best:
            found, best = kept, score / fills
    return found


def _promising(
    shares: Sequence[Evaluator], board: Sequence[int], ways: list[tuple[int, ...]], size: int
) -> list[tuple[int, ...]]:
    """Of many ways those that are worth most as they lie, some of each length."""
    if len(ways) <= WAYS_MAX:
        return ways
    lengths = sorted({len(kept) for kept in ways}, reverse=True)
    each = max(4, WAYS_MAX // len(lengths))
    found: list[tuple[int, ...]] = []
    for length in lengths:
        same = [kept for kept in ways if len(kept) == length]
        for judge in shares:
            same.sort(key=lambda kept: judge.best(kept, board) if kept else 0, reverse=True)
            found += same[: each if size else WAYS_MAX]
    return list(dict.fromkeys(found))


def _random_hands(
    judge: Evaluator, stub: Sequence[int], size: int, board: Sequence[int], more: int, rng: Random
) -> list[int]:
    """Worths of random hands, lowest first."""
    found: list[int] = []
    for _ in range(RANDOM_HANDS):
        fresh = rng.sample(stub, min(len(stub), size + more))
        found.append(judge.best(fresh[:size], (*board, *fresh[size:])))
    return sorted(found)


def _place(worth: int, scale: Sequence[int]) -> float:
    """Where a worth stands among others, from 0 to 1."""
    return (bisect_left(scale, worth) + bisect_right(scale, worth)) / 2 / len(scale) if worth > 0 else 0.0
