"""Hands in words, long for the table and short for a sentence.

Source: laws R-2 to R-12 (how hands are named), AT-5, VC-2, VC-15.
"""

from __future__ import annotations

import msgspec

from bot.engine.cards import RANK_NAMES, RANK_PLURALS, RANKS
from bot.engine.ranking.value import Category

_COUNT_WORDS = ("no", "one", "two", "three", "four")
_SPECIAL_WORDS = {
    Category.LITTLE_DOG: "little dog",
    Category.BIG_DOG: "big dog",
    Category.LITTLE_CAT: "little cat",
    Category.BIG_CAT: "big cat",
}
_TEN = 8
_ACE = 12


class HandName(msgspec.Struct, frozen=True):
    """What a hand is, as facts.

    Attributes:
        category: its class.
        ranks: what decides it, the most important first: the sets' ranks, then the odd cards; of a straight its top;
            None stands for a joker that nobody designated.
        is_low: whether it was ranked for low.
        size: cards in a hand of this game; only five make a royal flush.
    """

    category: Category
    ranks: tuple[int | None, ...]
    is_low: bool = False
    size: int = 5


def long_name(hand: HandName) -> str:
    """Name a hand in full: "full house, kings full of nines", "two pair, aces and threes", "8-6-4-3-2"."""
    first, second = (*hand.ranks, None, None)[:2]
    match hand.category:
        case Category.FIVE_OF_A_KIND | Category.FOUR_OF_A_KIND | Category.THREE_OF_A_KIND:
            return f"{_of_a_kind(hand.category)} of a kind, {_plural(first)}"
        case Category.STRAIGHT_FLUSH:
            return "royal flush" if first == _ACE and hand.size == 5 else f"straight flush, {_one(first)} high"
        case Category.FULL_HOUSE:
            return f"full house, {_plural(first)} full of {_plural(second)}"
        case Category.FLUSH:
            return f"flush, {_one(first)} high"
        case Category.STRAIGHT:
            return f"straight, {_one(first)} high"
        case Category.TWO_PAIR:
            return f"two pair, {_plural(first)} and {_plural(second)}"
        case Category.PAIR:
            return f"a pair of {_plural(first)}"
        case Category.HIGH_CARD:
            return dashed(hand) if hand.is_low else f"no pair, {_one(first)} high"
        case Category.BADUGI:
            count = len(hand.ranks)
            return f"{_COUNT_WORDS[count]}-card badugi, {dashed(hand)}"
        case _:
            return f"{_SPECIAL_WORDS[hand.category]}, {dashed(hand)}"


def short_name(hand: HandName) -> str:
    """Name a hand as players do: "kings full", "queens up", "jack-high flush", "three nines", "eight-six low"."""
    first, second = (*hand.ranks, None, None)[:2]
    match hand.category:
        case Category.FIVE_OF_A_KIND | Category.FOUR_OF_A_KIND | Category.THREE_OF_A_KIND:
            return f"{_of_a_kind(hand.category)} {_plural(first)}"
        case Category.STRAIGHT_FLUSH:
            return "royal flush" if first == _ACE and hand.size == 5 else f"{_one(first)}-high straight flush"
        case Category.FULL_HOUSE:
            return f"{_plural(first)} full"
        case Category.FLUSH:
            return f"{_one(first)}-high flush"
        case Category.STRAIGHT:
            return f"{_one(first)}-high straight"
        case Category.TWO_PAIR:
            return f"{_plural(first)} up"
        case Category.PAIR:
            return f"a pair of {_plural(first)}"
        case Category.HIGH_CARD:
            if not hand.is_low:
                return f"{_one(first)} high"
            return f"{_one(first)} low" if len(hand.ranks) == 1 else f"{_one(first)}-{_one(second)} low"
        case Category.BADUGI:
            count = len(hand.ranks)
            return f"{_one(first)} badugi" if count == 4 else f"{_COUNT_WORDS[count]}-card {_one(first)}"
        case _:
            return _SPECIAL_WORDS[hand.category]


def dashed(hand: HandName) -> str:
    """Write the ranks from the top: "8-6-4-3-2", "10-7-5-3-A"."""
    return "-".join("joker" if rank is None else "10" if rank == _TEN else RANKS[rank] for rank in hand.ranks)


def _of_a_kind(category: Category) -> str:
    return {Category.FIVE_OF_A_KIND: "five", Category.FOUR_OF_A_KIND: "four"}.get(category, "three")


def _one(rank: int | None) -> str:
    return "joker" if rank is None else RANK_NAMES[rank]


def _plural(rank: int | None) -> str:
    assert rank is not None, "a joker that stands for nothing pairs nothing"
    return RANK_PLURALS[rank]
