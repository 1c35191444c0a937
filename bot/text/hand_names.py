"""Poker hands in words: ``full house, kings full of nines``.

Source: laws R-2 to R-12 (how hands are named), AT-5, VC-2, VC-15.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.engine.cards import ACE, JOKER, RANKS, TEN
from bot.engine.ranking import Category, HandName
from bot.text.cards import card_name, rank_name, rank_plural
from bot.text.language import Message, message, plural, remembered, t

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
_WITH_KICKERS = plural("{hand}, {ranks} kicker", "{hand}, {ranks} kickers")
_FULL_NAMES = {**_OF_ONE_RANK, **_OF_TWO_RANKS, **_BY_TOP_CARD}
_SHORT_NAMES: dict[Category, Message] = {
    **_FULL_NAMES,
    Category.FIVE_OF_A_KIND: message("five {ranks}"),
    Category.FOUR_OF_A_KIND: message("four {ranks}"),
    Category.FULL_HOUSE: message("{ranks} full of {others}"),
    Category.THREE_OF_A_KIND: message("three {ranks}"),
    Category.TWO_PAIR: message("{ranks} and {others}"),
    Category.STRAIGHT_FLUSH: message("a straight flush, {rank} high"),
    Category.FLUSH: message("a flush, {rank} high"),
    Category.STRAIGHT: message("a straight, {rank} high"),
    Category.HIGH_CARD: message("{rank} high"),
}
_THE_LOW = message("the low {hand}")
_WON_WITH_BADUGIS = (
    message("no badugi"),
    message("a one-card badugi, {cards}"),
    message("a two-card badugi, {cards}"),
    message("a three-card badugi, {cards}"),
    message("a four-card badugi, {cards}"),
)
_WITH_ROYAL_FLUSH = message("a royal flush")


def hand_name(hand: HandName, others: Iterable[HandName] = ()) -> str:
    """Name a hand in full: ``full house, kings full of nines``, ``two pair, aces and threes``, ``8-6-4-3-2``.

    Args:
        others: hands that it was compared with. Where one of them has the same name and is better or worse, the name
            goes on until it tells them apart: ``a pair of sixes, ace kicker``, ``flush, ace-jack high``.
    """
    return _name(hand, _ranks_to_name(hand, others), False)


def hand_won_with(hand: HandName, others: Iterable[HandName] = (), *, low_half: bool = False) -> str:
    """Name a hand as what somebody won with: ``kings full of nines``, ``a flush, ace high``. `others` as in `hand_name`.

    Args:
        low_half: the pot was shared, so that a low is called one: ``the low 7-5-4-3-A``.
    """
    name = _name(hand, _ranks_to_name(hand, others), True)
    is_numbers = hand.is_low and hand.category is Category.HIGH_CARD
    return t(_THE_LOW, hand=name) if low_half and is_numbers else name


@remembered(maximum=4096)
def _name(hand: HandName, count: int, short: bool) -> str:
    """Name a hand by its first `count` ranks; `short` as what somebody won with."""
    names = _SHORT_NAMES if short else _FULL_NAMES
    category = hand.category
    first, second = (*hand.ranks, None, None)[:2]
    if category is Category.BADUGI:
        badugis = _WON_WITH_BADUGIS if short else _BADUGIS
        return t(badugis[len(hand.ranks)], cards=_dashed_ranks(hand))
    if category in _SPECIAL:
        return t(_SPECIAL[category], cards=_dashed_ranks(hand))
    if category is Category.HIGH_CARD and hand.is_low:
        return _dashed_ranks(hand)
    if category is Category.STRAIGHT_FLUSH and first == ACE and hand.size == 5:
        return t(_WITH_ROYAL_FLUSH if short else _ROYAL_FLUSH)
    if category in _BY_TOP_CARD:
        return t(names[category], rank="-".join([_rank(rank) for rank in hand.ranks[:count]]))
    if category in _OF_TWO_RANKS:
        name = t(names[category], ranks=_plural(first), others=_plural(second))
    else:
        name = t(names[category], ranks=_plural(first))
    kickers = [_rank(rank) for rank in hand.ranks[_ranks_in_name(hand) : count]]
    return t(_WITH_KICKERS, count=len(kickers), hand=name, ranks="-".join(kickers)) if kickers else name


def _ranks_in_name(hand: HandName) -> int:
    return 2 if hand.category in _OF_TWO_RANKS else 1


def _ranks_to_name(hand: HandName, others: Iterable[HandName]) -> int:
    """Return how many ranks have to be named, so that no better or worse hand among `others` has the same name."""
    count = _ranks_in_name(hand)
    for other in others:
        if (other.category, other.is_low) == (hand.category, hand.is_low) and other.ranks[:count] == hand.ranks[:count]:
            pairs = enumerate(zip(hand.ranks, other.ranks, strict=False), 1)
            count = next((at for at, (own, others_rank) in pairs if own != others_rank), count)
    return count


def _dashed_ranks(hand: HandName) -> str:
    """The ranks from the top: ``8-6-4-3-2``."""
    return "-".join([card_name(JOKER) if rank is None else "10" if rank == TEN else RANKS[rank] for rank in hand.ranks])


def _rank(rank: int | None) -> str:
    return card_name(JOKER) if rank is None else rank_name(rank)


def _plural(rank: int | None) -> str:
    assert rank is not None, "a joker that stands for nothing pairs nothing"
    return rank_plural(rank)
