"""Up cards: who acts first at stud. Up cards compare as partial hands, door cards by rank and, if the table chooses so, by suit.

Wild up cards count at their best lawful value. Every function returns the indices of all players whose cards are equal; `STUD_TIE`
chooses among them.

Source: laws S-5, F-6, F-7, VB-9, VC-5, VC-7, VC-22; AT-14.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import takewhile

from bot.engine.cards import ACE, ALL_CARDS, SPADES
from bot.engine.ranking.evaluator import Evaluator
from bot.engine.ranking.spec import WildMethod
from bot.engine.ranking.value import HEARTS_BITS, LOW_VALUE_BASE, face_of, unpack_value


def highest_up_hands(evaluator: Evaluator, shown: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the players who show the highest cards. Fewer cards that are equal as far as they go tie (S-5).

    Args:
        evaluator: of a high ranking.
        shown: each player's up cards, at least one.
    """
    hand_values = list(map(evaluator.value, shown))
    if evaluator.ranks_hearts:  # suits break ties of whole hands only
        hand_values = [hand_value >> HEARTS_BITS for hand_value in hand_values]
    if _same_card_count(shown):
        return _indexes_equal_to(hand_values, max(hand_values))
    return _unbeaten(list(map(unpack_value, hand_values)), _beats)


def lowest_up_hands(evaluator: Evaluator, shown: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the players who show the lowest cards.

    Args:
        evaluator: of a low ranking without a qualifier; razz is `A5` (VC-7).
        shown: each player's up cards, at least one.
    """
    hand_values = list(map(evaluator.value, shown))
    if _same_card_count(shown):
        return _indexes_equal_to(hand_values, max(hand_values))
    return _unbeaten(
        [unpack_value(LOW_VALUE_BASE - hand_value) for hand_value in hand_values], lambda one, other: _beats(other, one)
    )


def lowest_door_cards(evaluator: Evaluator, doors: Sequence[int], *, by_suit: bool) -> tuple[int, ...]:
    """Return the players who show the lowest door card: the ace is high, and clubs the lowest suit if suits decide (F-6, VC-5)."""
    return _extreme_door_cards(evaluator, doors, by_suit=by_suit, pick=min)


def highest_door_cards(evaluator: Evaluator, doors: Sequence[int], *, by_suit: bool) -> tuple[int, ...]:
    """Return the players who show the highest door card; on an ace-low scale the ace is the lowest (F-7, VC-7)."""
    return _extreme_door_cards(evaluator, doors, by_suit=by_suit, pick=max)


def _same_card_count(shown: Sequence[Sequence[int]]) -> bool:
    """Whether all show the same number of cards. Then values compare as they are, and the higher is better on low scales too."""
    count = len(shown[0])
    return all(len(cards) == count for cards in shown)


def _indexes_equal_to(hand_values: Sequence[int], found: int) -> tuple[int, ...]:
    return tuple([at for at, hand_value in enumerate(hand_values) if hand_value == found])


_PartialHand = tuple[int, tuple[int, ...]]


def _beats(one: _PartialHand, other: _PartialHand) -> bool:
    """Whether one partial hand is higher than another, as far as both go."""
    if one[0] != other[0]:
        return one[0] > other[0]
    equal = list(takewhile(lambda pair: pair[0] == pair[1], zip(one[1], other[1], strict=False)))
    at = len(equal)
    return at < min(len(one[1]), len(other[1])) and one[1][at] > other[1][at]


def _unbeaten(hands: Sequence[_PartialHand], beats: Callable[[_PartialHand, _PartialHand], bool]) -> tuple[int, ...]:
    return tuple(at for at, hand in enumerate(hands) if not any(beats(other, hand) for other in hands))


def _extreme_door_cards(
    evaluator: Evaluator,
    doors: Sequence[int],
    *,
    by_suit: bool,
    pick: Callable[[Sequence[int]], int],
) -> tuple[int, ...]:
    order = _door_card_order(evaluator, by_suit)
    positions = [order[card] for card in doors]
    return _indexes_equal_to(positions, pick(positions))


@lru_cache(maxsize=256)
def _door_card_order(evaluator: Evaluator, by_suit: bool) -> tuple[int, ...]:
    """The position of every card, by its number, in the order of door cards."""
    ace_is_low = evaluator.ranking.ace_is_low

    def position(card: int) -> int:
        wild = evaluator.ranking.wild.method_of(card) is not WildMethod.NONE
        rank, suit = (ACE, SPADES) if wild else (card >> 2, card & 3)
        return 4 * face_of(rank, ace_is_low=ace_is_low) + (suit if by_suit else 0)

    return tuple([position(card) for card in ALL_CARDS])
