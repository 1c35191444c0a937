"""An evaluator that shares nothing with the one under test: it tries every five cards, and every card that a wild card can stand for.

It answers with a tuple; the greater tuple is the better hand of its game. It knows the laws and takes its time.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement, product

from bot.engine.cards import JOKER
from bot.engine.ranking import AceStraight, CategoryOrder, Ranking, Scale, SpecialHands, WildMethod

NaiveKey = tuple[int, ...]

HIGH_ORDER = ["high", "pair", "two pair", "trips", "straight", "special", "flush", "full", "quads", "sf", "five"]
ORDERS = {
    CategoryOrder.STANDARD: HIGH_ORDER,
    CategoryOrder.SHORT_DECK: ["high", "pair", "two pair", "trips", "straight", "special", "full", "flush", "quads", "sf", "five"],
    CategoryOrder.SHORT_DECK_TRIPS: [
        "high", "pair", "two pair", "straight", "trips", "special", "full", "flush", "quads", "sf", "five",
    ],
    CategoryOrder.THREE_CARD: ["high", "pair", "flush", "straight", "trips", "sf"],
    CategoryOrder.SETS_ONLY: ["high", "pair", "two pair", "trips", "full", "quads", "five"],
}  # fmt: skip
COUNTS = {
    (5,): "five", (4, 1): "quads", (3, 2): "full", (3, 1, 1): "trips", (2, 2, 1): "two pair", (2, 1, 1, 1): "pair",
    (1, 1, 1, 1, 1): "high", (3,): "trips", (2, 1): "pair", (1, 1, 1): "high",
}  # fmt: skip
COMPLETED = {"straight", "flush", "sf", "special"}
NO_HAND: NaiveKey = (-1,)


def naive_key(cards: Sequence[int], ranking: Ranking) -> NaiveKey:
    """Return how good the best hand out of these cards is."""
    if ranking.is_badugi:
        return _badugi_key(cards, ranking)
    keys = [_five_card_key(five, ranking) for five in combinations(cards, ranking.size)]
    return max(keys)


def _method(card: int, ranking: Ranking) -> WildMethod:
    wild = ranking.wild
    if card == JOKER:
        return wild.joker or wild.method
    return wild.method if card in wild.cards or card // 4 in wild.ranks else WildMethod.NONE


def _five_card_key(five: Sequence[int], ranking: Ranking) -> NaiveKey:
    natural = [card for card in five if _method(card, ranking) is WildMethod.NONE]
    wild = [_method(card, ranking) for card in five if _method(card, ranking) is not WildMethod.NONE]
    cards = [rank * 4 + suit for rank in ranking.ranks for suit in range(4)]
    best = NO_HAND
    alike = len(set(wild)) <= 1  # then it does not matter which wild card stands for which
    for chosen in combinations_with_replacement(cards, len(wild)) if alike else product(cards, repeat=len(wild)):
        key, category = natural_key((*natural, *chosen), ranking)
        if key > best and _is_lawful(natural, list(zip(wild, chosen, strict=True)), category, ranking):
            best = key
    return best


def _is_lawful(natural: list[int], designated: list[tuple[WildMethod, int]], category: str, ranking: Ranking) -> bool:
    """W-3: no card twice, but for five of a kind; W-5: a free card can repeat any; W-4: a bug is an ace or completes."""
    strict = [card for method, card in designated if method is not WildMethod.FREE]
    if category != "five" and any([*natural, *strict].count(card) > 1 for card in strict):
        return False
    bugs = [card for method, card in designated if method is WildMethod.BUG]
    return ranking.is_low or category in COMPLETED or all(card // 4 == 12 for card in bugs)


def natural_key(cards: Sequence[int], ranking: Ranking) -> tuple[NaiveKey, str]:
    """Return how good cards are that stand for themselves, and their category."""
    return _keys_of(ranking)(tuple(sorted([card // 4 for card in cards])), len({card % 4 for card in cards}) == 1)


@functools.cache
def _keys_of(ranking: Ranking) -> Callable[[tuple[int, ...], bool], tuple[NaiveKey, str]]:
    """Return a function that remembers what it has said of ranks, lowest first, in one suit or in several: other suits say nothing."""
    return functools.lru_cache(20_000)(functools.partial(_key_of_ranks, ranking))


def _key_of_ranks(ranking: Ranking, held: tuple[int, ...], in_one_suit: bool) -> tuple[NaiveKey, str]:
    low_ace = ranking.scale in (Scale.HIGH_ACE_LOW, Scale.LOW_ACE_LOW, Scale.ACE_TO_FIVE)
    low = ranking.is_low
    points = {rank: -1 if low_ace and rank == 12 else rank for rank in range(13)}
    counted = Counter(held)
    groups = sorted(counted.items(), key=lambda item: (item[1], points[item[0]]), reverse=True)
    category = COUNTS[tuple(count for _, count in groups)]
    order = ORDERS[ranking.order]
    numbers = [points[rank] for rank, _ in groups]
    one_suit = in_one_suit and ranking.scale is not Scale.ACE_TO_FIVE and "flush" in order
    ranks = sorted(counted)
    # A flush can hold the same rank twice (W-5), so suits are looked at before sets.
    top = _sequence_top(ranks, ranking) if category == "high" and "straight" in order else None
    if top is not None:
        category, numbers = ("sf" if one_suit else "straight"), [top]
    elif one_suit and category != "five" and order.index("flush") > order.index(category):
        category, numbers = "flush", sorted((points[rank] for rank in held), reverse=True)
    elif category == "high" and ranking.special is SpecialHands.CATS_DOGS and not one_suit:
        ends = {(0, 5): 1, (7, 12): 2, (1, 6): 3, (6, 11): 4}
        if (ranks[0], ranks[-1]) in ends:
            category, numbers = "special", [ends[ranks[0], ranks[-1]], *numbers]
    key = (order.index(category), *numbers)
    if not low:
        return key, category
    if ranking.qualifier is not None and (category != "high" or numbers[0] > points[ranking.qualifier]):
        return NO_HAND, category
    return (0, *(-number for number in key)), category


def _sequence_top(ranks: list[int], ranking: Ranking) -> int | None:
    if ranking.scale is Scale.ACE_TO_FIVE:
        return None
    ace = {
        Scale.LOW_ACE_LOW: AceStraight.LOW_ONLY,
        Scale.HIGH_ACE_LOW: AceStraight.LOW_ONLY,
        Scale.LOW_ACE_HIGH: AceStraight.BOTH,
        Scale.DEUCE_TO_SEVEN: AceStraight.HIGH_ONLY,
    }.get(ranking.scale, ranking.ace_straight)
    ladder = list(ranking.ranks)
    low_ladder = [12, *ladder[:-1]]
    ladders = {
        AceStraight.BOTH: [ladder, low_ladder],
        AceStraight.HIGH_ONLY: [ladder],
        AceStraight.LOW_ONLY: [low_ladder],
    }
    for steps in ladders[ace]:
        positions = sorted(steps.index(rank) for rank in ranks)
        if positions[-1] - positions[0] == len(ranks) - 1:
            return steps[positions[-1]]
    return None


def _subsets(cards: Sequence[int]) -> Iterator[Sequence[int]]:
    for size in range(1, 5):
        yield from combinations(cards, size)


def _badugi_key(cards: Sequence[int], ranking: Ranking) -> NaiveKey:
    best = NO_HAND
    for chosen in _subsets(cards):
        if len({card // 4 for card in chosen}) == len({card % 4 for card in chosen}) == len(chosen):
            low_ace = ranking.scale is Scale.BADUGI
            numbers = sorted((-1 if low_ace and card // 4 == 12 else card // 4 for card in chosen), reverse=True)
            best = max(best, (len(chosen), *(-number for number in numbers)))
    return best
