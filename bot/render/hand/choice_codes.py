"""Private choices on their way through a button's id: an order of cards, a set of cards, what wild cards stand for.

An id has room for one whole number (`bot.render.message.custom_ids`), for the meanings of 26 wild cards in a form of its own. No hand
has more than 16, six of a player's own and ten on two boards, so nothing is kept in memory between two clicks. The ids stand only in
messages that their player alone sees.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from bot.engine.cards import JOKER

_INDEX_BITS = 4
_CARD_BITS, _WORD_BITS = 6, 2
_FACE_VALUE = JOKER + 2
"""The code of a wild card that keeps its face value. 0 is a card without a meaning yet; any other code is the meaning plus one."""


def encode_set(chosen: Iterable[int]) -> int:
    """Write a set of small numbers."""
    return sum({1 << number for number in chosen})


def decode_set(code: int) -> tuple[int, ...]:
    """Read a set of small numbers, lowest first."""
    return tuple([number for number in range(code.bit_length()) if code >> number & 1])


def encode_order(order: Sequence[int]) -> int:
    """Write an order of numbers from 0 to 14."""
    code = 0
    for number in reversed(order):
        code = code << _INDEX_BITS | number + 1
    return code


def decode_order(code: int) -> tuple[int, ...]:
    """Read an order, up to the first number that `encode_order` cannot have written."""
    order: list[int] = []
    while code and code & 15:
        order.append((code & 15) - 1)
        code >>= _INDEX_BITS
    return tuple(order)


class WildMeanings(Struct, frozen=True):
    """What a player has chosen at the show so far.

    Attributes:
        cards: for each wild card, in the order of `LegalActions.designable_indices`: the card it stands for, -1 for its face value,
            None while nothing is chosen.
        word_number: which word on aces, from 1; 0 for none.
    """

    cards: tuple[int | None, ...]
    word_number: int = 0

    @property
    def code(self) -> int:
        """The same as one number."""
        code = 0
        for card in reversed(self.cards):
            code = code << _CARD_BITS | (0 if card is None else _FACE_VALUE if card < 0 else card + 1)
        return code << _WORD_BITS | self.word_number

    @property
    def next_index(self) -> int:
        """The first wild card without a meaning; -1 where every one has a meaning."""
        return next((index for index, card in enumerate(self.cards) if card is None), -1)

    def with_meaning(self, index: int, card: int) -> WildMeanings:
        """Return the same with one more meaning; -1 for the face value."""
        return WildMeanings((*self.cards[:index], card, *self.cards[index + 1 :]), self.word_number)


def decode_meanings(code: int, count: int) -> WildMeanings:
    """Read what has been chosen for `count` wild cards."""
    word_number = code & 3
    code >>= _WORD_BITS
    meanings: list[int | None] = []
    for _ in range(count):
        meaning = code & 63
        meanings.append(None if not meaning else -1 if meaning >= _FACE_VALUE else meaning - 1)
        code >>= _CARD_BITS
    return WildMeanings(tuple(meanings), word_number)
