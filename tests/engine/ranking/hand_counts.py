"""Exact frequencies: how many hands of a deck fall into each class.

Most hands differ only in suits that do not matter. So one hand stands for every *signature* (how many cards of each rank, and which of
them are of a suit that has enough for a flush), is shown to the evaluator under test, and counts for as many hands as have that signature.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod

from bot.engine.cards import RANKS
from bot.engine.ranking import Category, Ranking, WildMethod, evaluator


def count_categories(ranking: Ranking, deck: Sequence[int], size: int = 5) -> dict[str, int]:
    """Count hands by category name; hands without a value are ``"none"``."""
    game_evaluator = evaluator(ranking)
    found: Counter[str] = Counter()
    for hand_value, times in count_values(ranking, deck, size).items():
        found[game_evaluator.name(hand_value).category.name if hand_value else "none"] += times
    return dict(found)


def count_top_ranks(ranking: Ranking, deck: Sequence[int], size: int = 5) -> dict[str, int]:
    """Count the hands that are no pair, straight or flush by their top rank."""
    game_evaluator = evaluator(ranking)
    found: Counter[str] = Counter()
    for hand_value, times in count_values(ranking, deck, size).items():
        name = game_evaluator.name(hand_value)
        if name.category is Category.HIGH_CARD:
            assert name.ranks[0] is not None
            found[RANKS[name.ranks[0]]] += times
    return dict(found)


def count_values(ranking: Ranking, deck: Sequence[int], size: int = 5) -> Counter[int]:
    """Count hands by their value."""
    game_evaluator = evaluator(ranking)
    found: Counter[int] = Counter()
    for hand, times in hands_by_signature(ranking, deck, size):
        found[game_evaluator.value(hand)] += times
    return found


def count_one_by_one(ranking: Ranking, deck: Sequence[int], size: int = 5) -> dict[str, int]:
    """Count by trying every hand, one by one."""
    game_evaluator = evaluator(ranking)
    by_value = Counter(map(game_evaluator.value, combinations(deck, size)))
    found: Counter[str] = Counter()
    for hand_value, times in by_value.items():
        found[game_evaluator.name(hand_value).category.name if hand_value else "none"] += times
    return dict(found)


def hands_by_signature(ranking: Ranking, deck: Sequence[int], size: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Give one hand of every signature, and how many hands share it."""
    wild = [card for card in deck if ranking.wild.method_of(card) is not WildMethod.NONE]
    natural = [card for card in deck if card not in wild]
    ranks = tuple(sorted({card >> 2 for card in natural}))
    for wild_count in range(min(len(wild), size) + 1):
        for hand, times in _natural_hands(ranks, size - wild_count, ranking.size - wild_count):
            yield (*wild[:wild_count], *hand), times * comb(len(wild), wild_count)


@lru_cache(8)
def _natural_hands(ranks: tuple[int, ...], size: int, enough: int) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Give hands without wild cards; `enough` cards of one suit make a flush. Several rankings are asked about the same hands."""
    return tuple(_each_natural_hand(ranks, size, enough))


def _each_natural_hand(ranks: Sequence[int], size: int, enough: int) -> Iterator[tuple[tuple[int, ...], int]]:
    assert size <= 2 * enough - 1 or size <= 1, "two suits could both have enough"
    flushes: Counter[tuple[int, ...]] = Counter()
    if size == 0:
        yield (), 1
        return
    for in_suit in range(max(enough, 1), size + 1):
        beside = list(_cards_beside_a_suit(ranks, size - in_suit))
        for mask in combinations(ranks, in_suit):
            suited = tuple([rank * 4 for rank in mask])
            for others, cards, times in beside:
                flushes[tuple(sorted(mask + others))] += times
                yield suited + cards, times
    for multiset in combinations_with_replacement(ranks, size):
        held = Counter(multiset)
        if max(held.values()) > 4:
            continue
        times = prod([comb(4, count) for count in held.values()]) - flushes[multiset]
        if times:
            yield _cards_in_even_suits(held), times


def _cards_beside_a_suit(ranks: Sequence[int], size: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], int]]:
    """Give the ranks of cards that are not of a suit, cards of those ranks, and how many hands they stand for with it, whichever it is."""
    for others in combinations_with_replacement(ranks, size):
        held = Counter(others)
        if max(held.values(), default=0) <= 3:
            yield others, _cards_in_other_suits(held), 4 * prod(comb(3, count) for count in held.values())


def _cards_in_other_suits(held: Counter[int]) -> tuple[int, ...]:
    """Give cards of these ranks in the other three suits."""
    return tuple(rank * 4 + 1 + suit for rank, count in held.items() for suit in range(count))


def _cards_in_even_suits(held: Counter[int]) -> tuple[int, ...]:
    """Give cards of these ranks in suits as even as can be."""
    used = [0, 0, 0, 0]
    cards: list[int] = []
    for rank, count in held.items():
        for suit in sorted(range(4), key=used.__getitem__)[:count]:
            used[suit] += 1
            cards.append(rank * 4 + suit)
    return tuple(cards)
