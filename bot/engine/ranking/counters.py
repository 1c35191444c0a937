"""Cards as small counters in one number, so that a hand is the sum of its cards.

From the low end: four suit counters of four bits, a counter of free wild cards of four, thirteen rank counters of three, and one of
bugs. The suit counters of a hand start so high that the fourth bit of one says "enough of this suit to play"; a wild card counts for
every suit. Without its suits the sum is a *signature*: all that matters of a hand that can be no flush. Sums of up to eleven cards
hold (baseball deals seven and up to four more), and those without a second bug fit two of Python's digits, which keeps adding quick.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.engine.cards import JOKER
from bot.engine.ranking.spec import WildMethod

SUITS = 16
"""Bits of the suit counters: a sum shifted right by these is the signature."""
EVERY_SUIT = 0x1111
ENOUGH = 0x8888

_FREE = SUITS
_RANKS = _FREE + 4
_BUG = _RANKS + 3 * 13
_SUIT_FREE, _SUIT_BUG = 13, 17


def key_of(card: int, method: WildMethod, *, suits: bool, wild_in_suits: bool) -> int:
    """Return a card's counters. A joker without a method counts for nothing.

    Args:
        card: the card.
        method: what it may stand for.
        suits: whether suits matter in this game.
        wild_in_suits: whether a wild card counts for every suit; on a low scale it never has to.
    """
    if method is WildMethod.NONE:
        if card == JOKER:
            return 0
        return (1 << _RANKS + 3 * (card >> 2)) + (1 << 4 * (card & 3) if suits else 0)
    return (1 << (_BUG if method is WildMethod.BUG else _FREE)) + (EVERY_SUIT if suits and wild_in_suits else 0)


def signature_of(ranks: Iterable[int]) -> int:
    """Return the signature of natural cards of these ranks."""
    return sum(1 << _RANKS - SUITS + 3 * rank for rank in ranks)


def read(signature: int) -> tuple[list[int], int, int]:
    """Return the natural cards of each rank, the free wild cards and the bugs."""
    counts = [signature >> _RANKS - SUITS + 3 * rank & 7 for rank in range(13)]
    return counts, signature & 15, signature >> _BUG - SUITS


def has_wild(signature: int) -> bool:
    """Whether a wild card is among the cards."""
    return bool(signature & 15 or signature >> _BUG - SUITS)


def suit_key_of(card: int, method: WildMethod, suit: int) -> int:
    """Return what a card is to one suit: a bit for its rank if it is of that suit, or one more wild card."""
    if method is WildMethod.NONE:
        return 1 << (card >> 2) if card != JOKER and card & 3 == suit else 0
    return 1 << (_SUIT_BUG if method is WildMethod.BUG else _SUIT_FREE)


def read_suit(total: int) -> tuple[int, int, int]:
    """Return the ranks held in the suit, a bit each, the free wild cards and the bugs."""
    return total & 0x1FFF, total >> _SUIT_FREE & 15, total >> _SUIT_BUG
