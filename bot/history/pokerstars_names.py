"""Hands as PokerStars' hand histories call them: ``two pair, Aces and Kings``, ``HI: a flush, Ace high; LO: 8,6,4,2,A``.

These names are part of a file format, in English whatever the reader's language. What people read stands in `bot.text.hand_names`.
"""

from collections.abc import Sequence

from bot.engine.cards import ACE, RANK_NAMES, RANK_PLURALS, RANKS
from bot.engine.ranking import Category, HandName

_NAMES = tuple(name.capitalize() for name in RANK_NAMES)
_PLURALS = tuple(name.capitalize() for name in RANK_PLURALS)
_LOWEST_IN_STRAIGHT = 4


def hand_in_words(names: Sequence[HandName | None]) -> str:
    """Name what a player has, for one share of the pot or for high and low; None where they do not qualify."""
    if len(names) == 1:
        return _named(names[0])
    high, low = names[0], names[1]
    return f"HI: {_named(high)}" + (f"; LO: {_named(low)}" if low is not None else "")


def _named(hand: HandName | None) -> str:
    if hand is None:
        return "no hand"
    if hand.category is Category.BADUGI or (hand.is_low and hand.category is Category.HIGH_CARD):
        return ",".join(RANKS[rank] for rank in hand.ranks if rank is not None)
    return _high_name(hand)


def _high_name(hand: HandName) -> str:
    ranks = [rank for rank in hand.ranks if rank is not None]
    first, second = (*ranks, 0, 0)[:2]
    match hand.category:
        case Category.PAIR:
            return f"a pair of {_PLURALS[first]}"
        case Category.TWO_PAIR:
            return f"two pair, {_PLURALS[first]} and {_PLURALS[second]}"
        case Category.THREE_OF_A_KIND:
            return f"three of a kind, {_PLURALS[first]}"
        case Category.STRAIGHT:
            return f"a straight, {_from_to(first)}"
        case Category.FLUSH:
            return f"a flush, {_NAMES[first]} high"
        case Category.FULL_HOUSE:
            return f"a full house, {_PLURALS[first]} full of {_PLURALS[second]}"
        case Category.FOUR_OF_A_KIND:
            return f"four of a kind, {_PLURALS[first]}"
        case Category.STRAIGHT_FLUSH:
            return "a Royal Flush" if first == ACE else f"a straight flush, {_from_to(first)}"
        case _:
            return f"high card {_NAMES[first]}"


def _from_to(top: int) -> str:
    """The ends of a straight; an ace is its lowest card below a five."""
    return f"{_NAMES[(top - _LOWEST_IN_STRAIGHT) % 13]} to {_NAMES[top]}"
