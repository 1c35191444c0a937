"""Wild cards as a table chooses them: any card or class of cards, read from words and written as a list (`WILD_CARDS`, W-1).

>>> chosen = parse_wild_cards("queen of spades, black twos, one-eyed jacks")
>>> wild_cards_code(chosen)
'one-eyed J, black 2, Qs'
"""

import re
from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache

from msgspec import Struct

from bot.engine.cards import (
    CLUBS,
    DIAMONDS,
    HEARTS,
    JACK,
    KING,
    RANK_NAMES,
    RANK_PLURALS,
    RANKS,
    SPADES,
    STANDARD_52,
    SUIT_NAMES,
    SUITS,
    card_text,
    parse_card,
)
from bot.engine.errors import LawError, UnknownCard

ONE_EYED_JACKS = (JACK * 4 + HEARTS, JACK * 4 + SPADES)
ONE_EYES = (*ONE_EYED_JACKS, KING * 4 + DIAMONDS)
NO_WILD_CARDS = "none"
_LENGTH_MAX = 200
_SUIT_SIZE = len(RANKS)


class UnknownWildCards(LawError, law="W-1"):
    """Words that name no card and no class of cards."""

    word: str


class WildCards(Struct, frozen=True):
    """What a table has made wild.

    Attributes:
        ranks: ranks of which every card is wild.
        cards: the other wild cards.
    """

    ranks: tuple[int, ...] = ()
    cards: tuple[int, ...] = ()


class WildClassKind(StrEnum):
    """What a class of wild cards has in common."""

    RANK = "rank"
    SUIT = "suit"
    ONE_EYES = "one_eyes"
    ONE_EYED_JACKS = "one_eyed_jacks"
    RED_RANK = "red_rank"
    BLACK_RANK = "black_rank"
    CARD = "card"


class WildClass(Struct, frozen=True):
    """A class of wild cards, or one card. `number` is its rank, its suit or its card; 0 for one-eyed cards."""

    kind: WildClassKind
    number: int = 0

    @property
    def cards(self) -> tuple[int, ...]:
        """The cards of the class."""
        rank = self.number * 4
        match self.kind:
            case WildClassKind.RANK:
                return tuple(range(rank, rank + 4))
            case WildClassKind.SUIT:
                return tuple(card for card in STANDARD_52 if card & 3 == self.number)
            case WildClassKind.ONE_EYES:
                return ONE_EYES
            case WildClassKind.ONE_EYED_JACKS:
                return ONE_EYED_JACKS
            case WildClassKind.RED_RANK:
                return rank + DIAMONDS, rank + HEARTS
            case WildClassKind.BLACK_RANK:
                return rank + CLUBS, rank + SPADES
            case WildClassKind.CARD:
                return (self.number,)

    @property
    def code(self) -> str:
        """The class as `parse_wild_cards` reads it: ``2``, ``hearts``, ``black 2``, ``one-eyed J``, ``Qs``."""
        match self.kind:
            case WildClassKind.RANK:
                return _rank_code(self.number)
            case WildClassKind.SUIT:
                return SUIT_NAMES[self.number]
            case WildClassKind.ONE_EYES:
                return "one-eyed"
            case WildClassKind.ONE_EYED_JACKS:
                return "one-eyed J"
            case WildClassKind.RED_RANK:
                return f"red {_rank_code(self.number)}"
            case WildClassKind.BLACK_RANK:
                return f"black {_rank_code(self.number)}"
            case WildClassKind.CARD:
                return card_text(self.number)


def parse_wild_cards(text: str) -> WildCards:
    """Read cards and classes of cards as people name them: ``deuces``, ``Qs, 2c 2s``, ``red kings and hearts``, ``none``.

    Raises:
        UnknownWildCards: something in the text names no card and no class.
    """
    if len(text) > _LENGTH_MAX:
        raise UnknownWildCards(word=text[:_LENGTH_MAX])
    parts = [" ".join(part.split()) for part in _SEPARATORS.split(_plain(text))]
    found: set[int] = set()
    for part in filter(None, parts):
        if part != NO_WILD_CARDS:
            found |= _cards_of(part)
    return _wild_cards(found)


@lru_cache(256)
def wild_classes(wild: WildCards) -> tuple[WildClass, ...]:
    """Return the fewest classes that name these cards: whole ranks and suits first, single cards last."""
    left = {card for rank in wild.ranks for card in range(rank * 4, rank * 4 + 4)} | {*wild.cards}
    found = [
        WildClass(WildClassKind.RANK, rank) for rank in range(_SUIT_SIZE) if _holds(left, range(rank * 4, rank * 4 + 4))
    ]
    suits = (WildClass(WildClassKind.SUIT, suit) for suit in range(4))
    found += [one for one in suits if _holds(left, one.cards)]
    left -= {card for one in found for card in one.cards}
    others = [WildClass(WildClassKind.ONE_EYES), WildClass(WildClassKind.ONE_EYED_JACKS)]
    others += [
        WildClass(kind, rank)
        for rank in range(_SUIT_SIZE)
        for kind in (WildClassKind.RED_RANK, WildClassKind.BLACK_RANK)
    ]
    for one in others:
        if _holds(left, one.cards):
            found.append(one)
            left -= {*one.cards}
    return (*found, *(WildClass(WildClassKind.CARD, card) for card in sorted(left)))


def wild_cards_code(wild: WildCards) -> str:
    """Write wild cards as a list that `parse_wild_cards` reads; ``none`` for none."""
    return ", ".join(one.code for one in wild_classes(wild)) or NO_WILD_CARDS


def _holds(cards: set[int], some: Iterable[int]) -> bool:
    return cards.issuperset(some)


def _wild_cards(cards: set[int]) -> WildCards:
    ranks = tuple(rank for rank in range(_SUIT_SIZE) if _holds(cards, range(rank * 4, rank * 4 + 4)))
    return WildCards(ranks, tuple(sorted(card for card in cards if card >> 2 not in ranks)))


def _rank_code(rank: int) -> str:
    return RANKS[rank].replace("T", "10")


_SEPARATORS = re.compile(r"[,;+&\n]|\band\b")
_FILLERS = frozenset(["the", "all", "every", "any", "each", "of", "with", "wild", "is", "are", "card", "cards", "man"])
_RANK_OF_WORD = (
    {name: rank for rank, name in enumerate(RANK_NAMES)}
    | {name: rank for rank, name in enumerate(RANK_PLURALS)}
    | {letter.lower(): rank for rank, letter in enumerate(RANKS)}
    | {"10": 8, "two": 0, "twos": 0, "trey": 1, "treys": 1}
)
_SUIT_OF_WORD = {name: suit for suit, name in enumerate(SUIT_NAMES)} | {
    name.removesuffix("s"): suit for suit, name in enumerate(SUIT_NAMES)
}
_COLOURS = {"red": (DIAMONDS, HEARTS), "reds": (DIAMONDS, HEARTS), "black": (CLUBS, SPADES), "blacks": (CLUBS, SPADES)}
_NICKNAMES = {
    "one-eyed": ONE_EYES,
    "suicide": (KING * 4 + HEARTS,),
    "axe": (KING * 4 + DIAMONDS,),
    "court": tuple(range(JACK * 4, KING * 4 + 4)),
    "face": tuple(range(JACK * 4, KING * 4 + 4)),
    "picture": tuple(range(JACK * 4, KING * 4 + 4)),
}
"""Cards by a word that people know them by."""
WILD_WORDS = tuple(
    word for word in (*_RANK_OF_WORD, *_SUIT_OF_WORD, *_COLOURS, *_NICKNAMES, *_FILLERS) if len(word) > 1
)
"""The words that cards and classes of cards are named by, apart from letters."""


def _plain(text: str) -> str:
    plain = text.casefold().replace("_", " ")
    for suit, sign in enumerate("♣♦♥♠"):
        plain = plain.replace(sign, SUITS[suit])
    plain = plain.replace("\ufe0f", "")
    return re.sub(r"\bone[- ]?ey(?:ed|es|e)\b", "one-eyed", plain)


def _cards_of(part: str) -> set[int]:
    """The cards that one part of a list names: several by their letters, or those that all its words fit."""
    words = [word for word in part.split() if word not in _FILLERS]
    single = [_card_of_letters(word) for word in words]
    if words and any(card is not None for card in single):
        found: set[int] = set()
        for word, card in zip(words, single, strict=True):
            if card is not None:
                found.add(card)
            elif word in _RANK_OF_WORD:
                found |= {card for card in STANDARD_52 if card >> 2 == _RANK_OF_WORD[word]}
            else:
                raise UnknownWildCards(word=part)
        return found
    ranks: set[int] = set()
    suits: set[int] = set()
    fitting = set(STANDARD_52)
    for word in words:
        if word in _RANK_OF_WORD:
            ranks.add(_RANK_OF_WORD[word])
        elif word in _SUIT_OF_WORD:
            suits.add(_SUIT_OF_WORD[word])
        elif word in _COLOURS:
            fitting = {card for card in fitting if card & 3 in _COLOURS[word]}
        elif word in _NICKNAMES:
            fitting &= {*_NICKNAMES[word]}
        else:
            raise UnknownWildCards(word=part)
    found = {card for card in fitting if (not ranks or card >> 2 in ranks) and (not suits or card & 3 in suits)}
    if not words or not found:
        raise UnknownWildCards(word=part)
    return found


def _card_of_letters(word: str) -> int | None:
    """The card that ``qs`` or ``10h`` writes; None for other words, and for a joker, which the deck brings."""
    try:
        card = parse_card(word)
    except UnknownCard:
        return None
    return card if card in STANDARD_52 else None
