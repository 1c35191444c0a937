"""Hands in English, in full and as players say it, for hand histories and the command line.

`bot.text.hand_names` has the same words in the reader's language; a test compares the two.

Source: laws R-2 to R-12 (how hands are named), AT-5, VC-2, VC-15.
"""

from __future__ import annotations

from bot.engine.cards import ACE, RANK_NAMES, RANK_PLURALS, RANKS, TEN
from bot.engine.ranking import Category, HandName

_COUNT_WORDS = ("no", "one", "two", "three", "four")
_SPECIAL_NAMES = {
    Category.LITTLE_DOG: "little dog",
    Category.BIG_DOG: "big dog",
    Category.LITTLE_CAT: "little cat",
    Category.BIG_CAT: "big cat",
}


def long_name(hand: HandName) -> str:
    """Name a hand in full: "full house, kings full of nines", "two pair, aces and threes", "8-6-4-3-2"."""
    first, second = (*hand.ranks, None, None)[:2]
    match hand.category:
        case Category.FIVE_OF_A_KIND | Category.FOUR_OF_A_KIND | Category.THREE_OF_A_KIND:
            return f"{_of_a_kind(hand.category)} of a kind, {_rank_plural(first)}"
        case Category.STRAIGHT_FLUSH:
            return "royal flush" if first == ACE and hand.size == 5 else f"straight flush, {_rank_name(first)} high"
        case Category.FULL_HOUSE:
            return f"full house, {_rank_plural(first)} full of {_rank_plural(second)}"
        case Category.FLUSH:
            return f"flush, {_rank_name(first)} high"
        case Category.STRAIGHT:
            return f"straight, {_rank_name(first)} high"
        case Category.TWO_PAIR:
            return f"two pair, {_rank_plural(first)} and {_rank_plural(second)}"
        case Category.PAIR:
            return f"a pair of {_rank_plural(first)}"
        case Category.HIGH_CARD:
            return dashed_ranks(hand) if hand.is_low else f"no pair, {_rank_name(first)} high"
        case Category.BADUGI:
            count = len(hand.ranks)
            return f"{_COUNT_WORDS[count]}-card badugi, {dashed_ranks(hand)}"
        case _:
            return f"{_SPECIAL_NAMES[hand.category]}, {dashed_ranks(hand)}"


def dashed_ranks(hand: HandName) -> str:
    """Write the ranks from the top: "8-6-4-3-2", "10-7-5-3-A"."""
    return "-".join("joker" if rank is None else "10" if rank == TEN else RANKS[rank] for rank in hand.ranks)


def _of_a_kind(category: Category) -> str:
    return {Category.FIVE_OF_A_KIND: "five", Category.FOUR_OF_A_KIND: "four"}.get(category, "three")


def _rank_name(rank: int | None) -> str:
    return "joker" if rank is None else RANK_NAMES[rank]


def _rank_plural(rank: int | None) -> str:
    assert rank is not None, "a joker that stands for nothing pairs nothing"
    return RANK_PLURALS[rank]
