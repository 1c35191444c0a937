"""Cards as small counters in one number, so that a hand is the sum of its cards.

From the low end: four suit counters of four bits, a counter of free wild cards of four, thirteen rank counters of three, and one of
bugs. The suit counters of a hand start so high that the fourth bit of one means "enough cards of this suit for a flush"; a wild card
counts for every suit. Without its suits the sum is a *signature*: all that matters of a hand that cannot be a flush. Sums of up to
eleven cards fit (baseball deals seven and up to four more), and those without a second bug fit two of Python's digits, which keeps
adding fast.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.engine.cards import JOKER
from bot.engine.ranking.spec import WildMethod

SUIT_BITS = 16
"""Bits of the suit counters: a sum shifted right by these is the signature."""
ONE_OF_EVERY_SUIT = 0x1111
FLUSH_BITS = 0x8888

_FREE_SHIFT = SUIT_BITS
_RANKS_SHIFT = _FREE_SHIFT + 4
_BUG_SHIFT = _RANKS_SHIFT + 3 * 13
_SUIT_FREE_SHIFT, _SUIT_BUG_SHIFT = 13, 17


def card_counters(card: int, method: WildMethod, *, suits: bool, wild_in_suits: bool) -> int:
    """Return a card's counters. A joker without a method counts for nothing.

    Args:
        card: the card.
        method: what it can stand for.
        suits: whether suits matter in this game.
        wild_in_suits: whether a wild card counts for every suit; on a low scale it never has to.
    """
    if method is WildMethod.NONE:
        if card >= JOKER:
            return 0
        return (1 << _RANKS_SHIFT + 3 * (card >> 2)) + (1 << 4 * (card & 3) if suits else 0)
    return (1 << (_BUG_SHIFT if method is WildMethod.BUG else _FREE_SHIFT)) + (
        ONE_OF_EVERY_SUIT if suits and wild_in_suits else 0
    )


def signature_of(ranks: Iterable[int]) -> int:
    """Return the signature of natural cards of these ranks."""
    return sum(1 << _RANKS_SHIFT - SUIT_BITS + 3 * rank for rank in ranks)


def read_signature(signature: int) -> tuple[list[int], int, int]:
    """Return the natural cards of each rank, the free wild cards and the bugs."""
    counts = [signature >> _RANKS_SHIFT - SUIT_BITS + 3 * rank & 7 for rank in range(13)]
    return counts, signature & 15, signature >> _BUG_SHIFT - SUIT_BITS


def has_wild(signature: int) -> bool:
    """Whether a wild card is among the cards."""
    return bool(signature & 15 or signature >> _BUG_SHIFT - SUIT_BITS)


def suit_counters(card: int, method: WildMethod, suit: int) -> int:
    """Return what a card is to one suit: a bit for its rank if it is of that suit, or one more wild card."""
    if method is WildMethod.NONE:
        return 1 << (card >> 2) if card < JOKER and card & 3 == suit else 0
    return 1 << (_SUIT_BUG_SHIFT if method is WildMethod.BUG else _SUIT_FREE_SHIFT)


def read_suit_counters(total: int) -> tuple[int, int, int]:
    """Return the ranks held in the suit, a bit each, the free wild cards and the bugs."""
    return total & 0x1FFF, total >> _SUIT_FREE_SHIFT & 15, total >> _SUIT_BUG_SHIFT
