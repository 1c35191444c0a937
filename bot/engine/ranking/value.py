"""How the worth of a hand is packed into one whole number, and what it says when it is unpacked.

A packed hand is the place of its category followed by up to five ranks in order of importance, four bits each. A high
hand's value is that number; a low hand's value is `LOW_TOP` minus that number, so the higher value is always the better
hand and 0 is no hand at all. Numbers of the scales `ace_high` and `ace_low` may be compared with each other, and so may
those of `high` and `high_ace_low`: that is how an aces-low hand meets an aces-high hand (LO-3).
"""

from __future__ import annotations

import enum
from collections.abc import Iterable

from bot.engine.cards import ACE
from bot.engine.ranking.spec import Order, Ranking, Special


class Category(enum.IntEnum):
    """Classes of hands (R-2 to R-12, SP-1, VC-15). The numbers are names, not the order: that is `category_order`."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    LITTLE_DOG = 5
    BIG_DOG = 6
    LITTLE_CAT = 7
    BIG_CAT = 8
    FLUSH = 9
    FULL_HOUSE = 10
    FOUR_OF_A_KIND = 11
    STRAIGHT_FLUSH = 12
    FIVE_OF_A_KIND = 13
    BADUGI = 14


C = Category
_BELOW = (C.HIGH_CARD, C.PAIR, C.TWO_PAIR)
_SPECIAL = (C.LITTLE_DOG, C.BIG_DOG, C.LITTLE_CAT, C.BIG_CAT)
_ABOVE = (C.FOUR_OF_A_KIND, C.STRAIGHT_FLUSH, C.FIVE_OF_A_KIND)
_ORDERS: dict[Order, tuple[Category, ...]] = {
    Order.STANDARD: (*_BELOW, C.THREE_OF_A_KIND, C.STRAIGHT, *_SPECIAL, C.FLUSH, C.FULL_HOUSE, *_ABOVE),
    Order.SHORT_DECK: (*_BELOW, C.THREE_OF_A_KIND, C.STRAIGHT, *_SPECIAL, C.FULL_HOUSE, C.FLUSH, *_ABOVE),
    Order.SHORT_DECK_TRIPS: (*_BELOW, C.STRAIGHT, C.THREE_OF_A_KIND, *_SPECIAL, C.FULL_HOUSE, C.FLUSH, *_ABOVE),
    Order.THREE_CARD: (C.HIGH_CARD, C.PAIR, C.FLUSH, C.STRAIGHT, C.THREE_OF_A_KIND, C.STRAIGHT_FLUSH),
    Order.SETS_ONLY: (*_BELOW, C.THREE_OF_A_KIND, C.FULL_HOUSE, C.FOUR_OF_A_KIND, C.FIVE_OF_A_KIND),
}

LOW_TOP = 1 << 25
HEARTS_BITS = 5
"""Under `hearts_first` a value carries five more bits: one for each rank in order of importance, set if its heart is
held (T-11).
"""

ABSENT, NOTHING, ACE_LOW = 0, 1, 2
"""Faces below the deuce's 3: a card that is not there, a joker that stands for nothing (W-7), a low ace."""
ACE_HIGH = 15


def category_order(ranking: Ranking) -> tuple[Category, ...]:
    """Return the categories of a five- or three-card hand from the lowest to the highest."""
    order = _ORDERS[ranking.order]
    if ranking.special is Special.OFF:
        order = tuple(category for category in order if category not in _SPECIAL)
    return order


def place(category: Category, ranking: Ranking) -> int:
    """Return the category's place in a packed hand, from 1.

    A place is counted with the special hands in, so that values of one order mean the same with and without them.
    """
    return _ORDERS[ranking.order].index(category) + 1


def category_at(category_place: int, ranking: Ranking) -> Category:
    """Return the category at a place; the inverse of `place`."""
    return _ORDERS[ranking.order][category_place - 1]


def face(rank: int, *, ace_is_low: bool) -> int:
    """Return the four bits a rank is compared by: 3 to 14 for deuce to king, and 2 or 15 for the ace."""
    return ACE_LOW if rank == ACE and ace_is_low else rank + 3


def rank_of_face(number: int) -> int | None:
    """Return the rank a face stands for, None for a card that stands for nothing."""
    if number == NOTHING:
        return None
    return ACE if number in (ACE_LOW, ACE_HIGH) else number - 3


def pack(category_place: int, faces: Iterable[int]) -> int:
    """Pack a category's place and at most five faces, the most important first."""
    packed, shift = category_place << 20, 16
    for number in faces:
        packed |= number << shift
        shift -= 4
    return packed


def unpack(packed: int) -> tuple[int, tuple[int, ...]]:
    """Return the category's place and the faces of a packed hand."""
    faces = tuple(packed >> shift & 15 for shift in (16, 12, 8, 4, 0))
    return packed >> 20, tuple(number for number in faces if number != ABSENT)
