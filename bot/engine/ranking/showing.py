"""Cards on show: who opens at stud. Exposed cards compare as partial hands, door cards by rank and, if the table says
so, suit.

Wild cards on show count at their best lawful value. Every function returns the places (0, 1, …) of all that are equal;
who of them opens is the table's `STUD_TIE`.

Source: laws S-5, F-6, F-7, VB-9, VC-5, VC-7, VC-22; AT-14.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import takewhile

from bot.engine.cards import ACE, JOKER, SPADES
from bot.engine.ranking.evaluator import Evaluator
from bot.engine.ranking.spec import WildMethod
from bot.engine.ranking.value import HEARTS_BITS, LOW_TOP, face, unpack


def high_showing(judge: Evaluator, shown: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return who shows the highest cards. Fewer cards that are equal as far as they go tie (S-5).

    Args:
        judge: of a high ranking.
        shown: each player's exposed cards, at least one.
    """
    worths = list(map(judge.value, shown))
    if judge.ranks_hearts:  # suits break ties of whole hands only
        worths = [worth >> HEARTS_BITS for worth in worths]
    if _as_many(shown):
        return _all_of(worths, max(worths))
    return _unbeaten(list(map(unpack, worths)), _beats)


def low_showing(judge: Evaluator, shown: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return who shows the lowest cards.

    Args:
        judge: of a low ranking without a qualifier; razz is `A5` (VC-7).
        shown: each player's exposed cards, at least one.
    """
    worths = list(map(judge.value, shown))
    if _as_many(shown):
        return _all_of(worths, max(worths))
    return _unbeaten([unpack(LOW_TOP - worth) for worth in worths], lambda one, other: _beats(other, one))


def lowest_card(judge: Evaluator, doors: Sequence[int], *, by_suit: bool) -> tuple[int, ...]:
    """Return who shows the lowest door card: ace high, and clubs the lowest suit if suits decide (F-6, VC-5)."""
    return _extreme(judge, doors, by_suit=by_suit, pick=min)


def highest_card(judge: Evaluator, doors: Sequence[int], *, by_suit: bool) -> tuple[int, ...]:
    """Return who shows the highest door card; on an ace-low scale the ace is the lowest (F-7, VC-7)."""
    return _extreme(judge, doors, by_suit=by_suit, pick=max)


def _as_many(shown: Sequence[Sequence[int]]) -> bool:
    """Whether everybody shows as many cards: then worths compare as they are, and the higher is the better on low scales too."""
    count = len(shown[0])
    return all(len(cards) == count for cards in shown)


def _all_of(worths: Sequence[int], found: int) -> tuple[int, ...]:
    return tuple([at for at, worth in enumerate(worths) if worth == found])


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
    pick: Callable[[Sequence[int]], int],
) -> tuple[int, ...]:
    order = _door_order(judge, by_suit)
    places = [order[card] for card in doors]
    return _all_of(places, pick(places))


@lru_cache(maxsize=256)
def _door_order(judge: Evaluator, by_suit: bool) -> tuple[int, ...]:
    """The place of every card, by its number, in the order that door cards have."""
    ace_is_low = judge.ranking.ace_is_low

    def place(card: int) -> int:
        wild = judge.ranking.wild.method_of(card) is not WildMethod.NONE
        rank, suit = (ACE, SPADES) if wild else (card >> 2, card & 3)
        return 4 * face(rank, ace_is_low=ace_is_low) + (suit if by_suit else 0)

    return tuple([place(card) for card in range(JOKER + 1)])
