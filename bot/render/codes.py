"""Private choices on their way through a button's id: an order of cards, a set of cards, what wild cards stand for.

An id has room for one whole number (`bot.render.ids`), and that is enough: nothing is kept in memory between two clicks. The numbers are
public like any id, but only in messages that their player alone sees.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from bot.engine.cards import JOKER

_PLACE_BITS = 4
_CARD_BITS, _WORD_BITS = 6, 2
_FACE = JOKER + 2
"""A wild card that is to keep its face value; 0 is one nothing has been said of, else the card and one."""


def set_code(chosen: Iterable[int]) -> int:
    """Write a set of small numbers."""
    return sum({1 << at for at in chosen})


def read_set(code: int) -> tuple[int, ...]:
    """Read a set of small numbers, lowest first."""
    return tuple(at for at in range(code.bit_length()) if code >> at & 1)


def order_code(order: Sequence[int]) -> int:
    """Write an order of numbers from 0 to 14."""
    code = 0
    for at in reversed(order):
        code = code << _PLACE_BITS | at + 1
    return code


def read_order(code: int) -> tuple[int, ...]:
    """Read an order; what nobody can have written ends it."""
    order: list[int] = []
    while code and code & 15:
        order.append((code & 15) - 1)
        code >>= _PLACE_BITS
    return tuple(order)


class Meanings(Struct, frozen=True):
    """What has been said at the show so far.

    Attributes:
        cards: for each wild card, in the order of `Legal.designate`: the card it stands for, -1 for its face value, None while nothing
            has been said of it.
        word: number of the word on aces, from 1; 0 for none.
    """

    cards: tuple[int | None, ...]
    word: int = 0

    @property
    def code(self) -> int:
        """The same as a number."""
        code = 0
        for card in reversed(self.cards):
            code = code << _CARD_BITS | (0 if card is None else _FACE if card < 0 else card + 1)
        return code << _WORD_BITS | self.word

    @property
    def asked(self) -> int:
        """The first wild card nothing has been said of; -1 when all is said."""
        return next((at for at, card in enumerate(self.cards) if card is None), -1)

    def say(self, at: int, card: int) -> Meanings:
        """The same with one more said; -1 for the face value."""
        return Meanings((*self.cards[:at], card, *self.cards[at + 1 :]), self.word)


def read_meanings(code: int, count: int) -> Meanings:
    """Read what has been said of so many wild cards."""
    word = code & 3
    code >>= _WORD_BITS
    found: list[int | None] = []
    for _ in range(count):
        said = code & 63
        found.append(None if not said else -1 if said >= _FACE else said - 1)
        code >>= _CARD_BITS
    return Meanings(tuple(found), word)
