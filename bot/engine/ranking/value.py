"""The value of a hand as one whole number: how it is packed and unpacked.

A packed hand is the position of its category followed by up to five ranks in order of importance, four bits each. The value of a high
hand is that number; the value of a low hand is `LOW_VALUE_BASE` minus that number. So the higher value is always the better hand, and
0 is no hand at all. Values of the scales `ace_high` and `ace_low` can be compared with each other, and so can those of `high` and
`high_ace_low`: that is how an aces-low hand meets an aces-high hand (LO-3).
"""

from __future__ import annotations

import enum
from collections.abc import Iterable

from msgspec import Struct

from bot.engine.cards import ACE
from bot.engine.ranking.spec import CategoryOrder, Ranking, SpecialHands


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
_LOWEST_CATEGORIES = (C.HIGH_CARD, C.PAIR, C.TWO_PAIR)
_SPECIAL_CATEGORIES = (C.LITTLE_DOG, C.BIG_DOG, C.LITTLE_CAT, C.BIG_CAT)
_HIGHEST_CATEGORIES = (C.FOUR_OF_A_KIND, C.STRAIGHT_FLUSH, C.FIVE_OF_A_KIND)
_CATEGORY_ORDERS: dict[CategoryOrder, tuple[Category, ...]] = {
    CategoryOrder.STANDARD: (
        *_LOWEST_CATEGORIES,
        C.THREE_OF_A_KIND,
        C.STRAIGHT,
        *_SPECIAL_CATEGORIES,
        C.FLUSH,
        C.FULL_HOUSE,
        *_HIGHEST_CATEGORIES,
    ),
    CategoryOrder.SHORT_DECK: (
        *_LOWEST_CATEGORIES,
        C.THREE_OF_A_KIND,
        C.STRAIGHT,
        *_SPECIAL_CATEGORIES,
        C.FULL_HOUSE,
        C.FLUSH,
        *_HIGHEST_CATEGORIES,
    ),
    CategoryOrder.SHORT_DECK_TRIPS: (
        *_LOWEST_CATEGORIES,
        C.STRAIGHT,
        C.THREE_OF_A_KIND,
        *_SPECIAL_CATEGORIES,
        C.FULL_HOUSE,
        C.FLUSH,
        *_HIGHEST_CATEGORIES,
    ),
    CategoryOrder.THREE_CARD: (C.HIGH_CARD, C.PAIR, C.FLUSH, C.STRAIGHT, C.THREE_OF_A_KIND, C.STRAIGHT_FLUSH),
    CategoryOrder.SETS_ONLY: (*_LOWEST_CATEGORIES, C.THREE_OF_A_KIND, C.FULL_HOUSE, C.FOUR_OF_A_KIND, C.FIVE_OF_A_KIND),
}


class HandName(Struct, frozen=True):
    """What a hand is, as facts.

    Attributes:
        category: the class of the hand.
        ranks: the ranks that decide, the most important first: those of pairs and sets, then the single cards; of a straight its top.
            None stands for a joker without a name.
        is_low: whether it was ranked for low.
        size: the number of cards in a hand of this game; only five make a royal flush.
    """

    category: Category
    ranks: tuple[int | None, ...]
    is_low: bool = False
    size: int = 5


def is_rarest(hand: HandName, *, with_wild_cards: bool) -> bool:
    """Return whether a hand is of the rarest classes: a straight flush, five of a kind, or four of a kind without wild cards in the game.

    It is so whatever the cards and the order of the classes. A hand that was ranked for low never is: there these are the worst.
    """
    is_common = with_wild_cards and hand.category is Category.FOUR_OF_A_KIND
    return hand.category in _HIGHEST_CATEGORIES and not hand.is_low and not is_common


LOW_VALUE_BASE = 1 << 25
HEARTS_BITS = 5
"""Under `hearts_first` a value has five more bits: one for each rank in order of importance, set if its heart is held (T-11)."""

ABSENT_FACE, JOKER_FACE, LOW_ACE_FACE = 0, 1, 2
"""Faces below the deuce's 3: a card that is not there, a joker that stands for nothing (W-7), a low ace."""
HIGH_ACE_FACE = 15


def category_order(ranking: Ranking) -> tuple[Category, ...]:
    """Return the categories of a five- or three-card hand from the lowest to the highest."""
    order = _CATEGORY_ORDERS[ranking.order]
    if ranking.special is SpecialHands.OFF:
        order = tuple(category for category in order if category not in _SPECIAL_CATEGORIES)
    return order


def category_position(category: Category, ranking: Ranking) -> int:
    """Return the category's position in a packed hand, from 1.

    Positions count the special hands, so that values of one order mean the same with and without them.
    """
    return _CATEGORY_ORDERS[ranking.order].index(category) + 1


def category_at_position(position: int, ranking: Ranking) -> Category:
    """Return the category at a position; the inverse of `category_position`."""
    return _CATEGORY_ORDERS[ranking.order][position - 1]


def face_of(rank: int, *, ace_is_low: bool) -> int:
    """Return the four bits that a rank is compared by: 3 to 14 for deuce to king, and 2 or 15 for the ace."""
    return LOW_ACE_FACE if rank == ACE and ace_is_low else rank + 3


def rank_of_face(number: int) -> int | None:
    """Return the rank that a face stands for; None for a card that stands for nothing."""
    if number == JOKER_FACE:
        return None
    return ACE if number in (LOW_ACE_FACE, HIGH_ACE_FACE) else number - 3


def pack_value(position: int, faces: Iterable[int]) -> int:
    """Pack a category's position and at most five faces, the most important first."""
    packed, shift = position << 20, 16
    for number in faces:
        packed |= number << shift
        shift -= 4
    return packed


def unpack_value(packed: int) -> tuple[int, tuple[int, ...]]:
    """Return the category's position and the faces of a packed hand."""
    faces = tuple(packed >> shift & 15 for shift in (16, 12, 8, 4, 0))
    return packed >> 20, tuple(number for number in faces if number != ABSENT_FACE)
