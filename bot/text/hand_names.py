"""Poker hands in words: ``full house, kings full of nines``.

Source: laws R-2 to R-12 (how hands are named), AT-5, VC-2, VC-15.
"""

from __future__ import annotations

from bot.engine.cards import ACE, JOKER, RANKS, TEN
from bot.engine.ranking import Category, HandName
from bot.text.cards import card_name, rank_name, rank_plural
from bot.text.language import Message, message, remembered, t

_ROYAL_FLUSH = message("royal flush")
_OF_ONE_RANK: dict[Category, Message] = {
    Category.FIVE_OF_A_KIND: message("five of a kind, {ranks}"),
    Category.FOUR_OF_A_KIND: message("four of a kind, {ranks}"),
    Category.THREE_OF_A_KIND: message("three of a kind, {ranks}"),
    Category.PAIR: message("a pair of {ranks}"),
}
_OF_TWO_RANKS: dict[Category, Message] = {
    Category.FULL_HOUSE: message("full house, {ranks} full of {others}"),
    Category.TWO_PAIR: message("two pair, {ranks} and {others}"),
}
_BY_TOP_CARD: dict[Category, Message] = {
    Category.STRAIGHT_FLUSH: message("straight flush, {rank} high"),
    Category.FLUSH: message("flush, {rank} high"),
    Category.STRAIGHT: message("straight, {rank} high"),
    Category.HIGH_CARD: message("no pair, {rank} high"),
}
_SPECIAL: dict[Category, Message] = {
    Category.LITTLE_DOG: message("little dog, {cards}"),
    Category.BIG_DOG: message("big dog, {cards}"),
    Category.LITTLE_CAT: message("little cat, {cards}"),
    Category.BIG_CAT: message("big cat, {cards}"),
}
_BADUGIS = (
    message("no badugi"),
    message("one-card badugi, {cards}"),
    message("two-card badugi, {cards}"),
    message("three-card badugi, {cards}"),
    message("four-card badugi, {cards}"),
)
"""By how many cards count."""


@remembered(maximum=4096)
def hand_name(hand: HandName) -> str:
    """Name a hand in full: ``full house, kings full of nines``, ``two pair, aces and threes``, ``8-6-4-3-2``."""
    category = hand.category
    first, second = (*hand.ranks, None, None)[:2]
    if category in _OF_ONE_RANK:
        return t(_OF_ONE_RANK[category], ranks=_plural(first))
    if category in _OF_TWO_RANKS:
        return t(_OF_TWO_RANKS[category], ranks=_plural(first), others=_plural(second))
    if category is Category.BADUGI:
        return t(_BADUGIS[len(hand.ranks)], cards=_dashed_ranks(hand))
    if category in _SPECIAL:
        return t(_SPECIAL[category], cards=_dashed_ranks(hand))
    if category is Category.HIGH_CARD and hand.is_low:
        return _dashed_ranks(hand)
    if category is Category.STRAIGHT_FLUSH and first == ACE and hand.size == 5:
        return t(_ROYAL_FLUSH)
    return t(_BY_TOP_CARD[category], rank=card_name(JOKER) if first is None else rank_name(first))


def _dashed_ranks(hand: HandName) -> str:
    """The ranks from the top: ``8-6-4-3-2``."""
    return "-".join([card_name(JOKER) if rank is None else "10" if rank == TEN else RANKS[rank] for rank in hand.ranks])


def _plural(rank: int | None) -> str:
    assert rank is not None, "a joker that stands for nothing pairs nothing"
    return rank_plural(rank)
