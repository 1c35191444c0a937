"""Cards on show: who opens at stud. Exposed cards compare as partial hands, door cards by rank and, if the table says
so, suit.

Wild cards on show count at their best lawful value. Every function returns the places (0, 1, …) of all that are equal;
who of them opens is the table's `STUD_TIE`.

Source: laws S-5, F-6, F-7, VB-9, VC-5, VC-7, VC-22; AT-14.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile

from bot.engine.cards import ACE, SPADES
from bot.engine.ranking.evaluator import Evaluator
from bot.engine.ranking.spec import WildMethod
from bot.engine.ranking.value import HEARTS_BITS, LOW_TOP, face, unpack


def high_showing(judge: Evaluator, shown: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return who shows the highest cards. Fewer cards that are equal as far as they go tie (S-5).

    Args:
        judge: of a high ranking.
        shown: each player's exposed cards, at least one.
    """
    hearts = HEARTS_BITS if judge.ranks_hearts else 0  # suits break ties of whole hands only
    hands = [unpack(judge.value(cards) >> hearts) for cards in shown]
    return _unbeaten(hands, _beats)


def low_showing(judge: Evaluator, shown: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return who shows the lowest cards.

    Args:
        judge: of a low ranking without a qualifier; razz is `A5` (VC-7).
        shown: each player's exposed cards, at least one.
    """
    hands = [unpack(LOW_TOP - judge.value(cards)) for cards in shown]
    return _unbeaten(hands, lambda one, other: _beats(other, one))


def lowest_card(judge: Evaluator, doors: Sequence[int], *, by_suit: bool) -> tuple[int, ...]:
    """Return who shows the lowest door card: ace high, and clubs the lowest suit if suits decide (F-6, VC-5)."""
    return _extreme(judge, doors, by_suit=by_suit, pick=min)


def highest_card(judge: Evaluator, doors: Sequence[int], *, by_suit: bool) -> tuple[int, ...]:
    """Return who shows the highest door card; on an ace-low scale the ace is the lowest (F-7, VC-7)."""
    return _extreme(judge, doors, by_suit=by_suit, pick=max)


_Hand = tuple[int, tuple[int, ...]]


def _beats(one: _Hand, other: _Hand) -> bool:
    """Whether one partial hand is higher than another, as far as both go."""
    if one[0] != other[0]:
        return one[0] > other[0]
    equal = list(takewhile(lambda pair: pair[0] == pair[1], zip(one[1], other[1], strict=False)))
    at = len(equal)
    return at < min(len(one[1]), len(other[1])) and one[1][at] > other[1][at]


def _unbeaten(hands: Sequence[_Hand], beats: Callable[[_Hand, _Hand], bool]) -> tuple[int, ...]:
    return tuple(at for at, hand in enumerate(hands) if not any(beats(other, hand) for other in hands))


def _extreme(
    judge: Evaluator,
    doors: Sequence[int],
    *,
    by_suit: bool,
    pick: Callable[[Sequence[tuple[int, int]]], tuple[int, int]],
) -> tuple[int, ...]:
    ace_is_low = judge.ranking.ace_is_low

    def key(card: int) -> tuple[int, int]:
        if judge.ranking.wild.method_of(card) is not WildMethod.NONE:
            return face(ACE, ace_is_low=ace_is_low), SPADES if by_suit else 0
        return face(card >> 2, ace_is_low=ace_is_low), card & 3 if by_suit else 0

    keys = [key(card) for card in doors]
    found = pick(keys)
    return tuple(at for at, each in enumerate(keys) if each == found)
