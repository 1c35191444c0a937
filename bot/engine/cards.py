"""Cards: how they are numbered, named and written.

A card is a small whole number, ``rank * 4 + suit``: ranks 0 to 12 are deuce to ace, suits 0 to 3 are clubs, diamonds,
hearts, spades, the order that breaks ties for the bring-in (TDA RP-10). 52 is the joker, 53 the second one. Numbers
make cards free to copy, to compare and to index by.

Laws: K-1, K-2, K-3, K-4.
"""

import re
from collections.abc import Iterable

from bot.engine.errors import UnknownCard

RANKS = "23456789TJQKA"
SUITS = "cdhs"
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE = range(13)
JOKER, SECOND_JOKER = 52, 53
"""Every number from `JOKER` on is a joker."""

RANK_NAMES = ("deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
RANK_PLURALS = (
    "deuces", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens", "jacks", "queens", "kings", "aces",
)  # fmt: skip
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
SUIT_SYMBOLS = "♣♦♥♠"

STANDARD_52 = tuple(range(52))
WITH_JOKER_53 = (*STANDARD_52, JOKER)
ALL_CARDS = (*STANDARD_52, JOKER, SECOND_JOKER)
STRIPPED_36 = tuple(card for card in STANDARD_52 if card >> 2 >= SIX)
STRIPPED_32 = tuple(card for card in STANDARD_52 if card >> 2 >= SEVEN)
MEXICAN_41 = (*(card for card in STANDARD_52 if not EIGHT <= card >> 2 <= TEN), JOKER)

_BY_TEXT = {RANKS[card >> 2] + SUITS[card & 3]: card for card in STANDARD_52} | {"Jk": JOKER, "Jo": SECOND_JOKER}
_EMOJI_SELECTOR = "\ufe0f"  # phones write ♠ with this character behind it
_TEXTS = {card: text for text, card in _BY_TEXT.items()}


def rank_of(card: int) -> int:
    """Return the rank, 0 (deuce) to 12 (ace). A joker has none: 13."""
    return card >> 2


def suit_of(card: int) -> int:
    """Return the suit, 0 to 3 as clubs, diamonds, hearts, spades."""
    return card & 3


def card_text(card: int) -> str:
    """Write a card in two letters, as hand histories do: ``As``, ``Td``, ``Jk`` for the joker, ``Jo`` for a second one."""
    return _TEXTS[card]


def cards_text(cards: Iterable[int]) -> str:
    """Write cards one after another: ``AsKd``."""
    return "".join(_TEXTS[card] for card in cards)


def card_symbol(card: int) -> str:
    """Write a card with its suit's sign: ``A♠``; ``Joker`` for the joker."""
    return "Joker" if card >= JOKER else RANKS[card >> 2].replace("T", "10") + SUIT_SYMBOLS[card & 3]


def card_name(card: int) -> str:
    """Name a card in words: ``ace of spades``, ``joker``."""
    return "joker" if card >= JOKER else f"{RANK_NAMES[card >> 2]} of {SUIT_NAMES[card & 3]}"


def parse_card(word: str) -> int:
    """Read one card as ``As``, ``as``, ``10h``, ``A♠`` or ``Jk``/``Joker``.

    Raises:
        UnknownCard: the word names no card.
    """
    plain = word.strip().replace("10", "T").replace(_EMOJI_SELECTOR, "")
    if plain.lower() in {"jk", "joker", "*"}:
        return JOKER
    if plain.lower() == "jo":
        return SECOND_JOKER
    if len(plain) == 2:
        suit = "cdhs"[SUIT_SYMBOLS.index(plain[1])] if plain[1] in SUIT_SYMBOLS else plain[1].lower()
        found = _BY_TEXT.get(plain[0].upper() + suit)
        if found is not None:
            return found
    raise UnknownCard(word=word)


def parse_cards(line: str) -> tuple[int, ...]:
    """Read cards written together or apart: ``AsKd``, ``As Kd``, ``10h, Jk``, ``A♠K♦``.

    Raises:
        UnknownCard: something in the line names no card.
    """
    plain = line.replace(",", " ").replace("10", "T").replace("*", " Jk ").replace(_EMOJI_SELECTOR, "")
    plain = re.sub("joker", "Jk", plain, flags=re.IGNORECASE)
    found: list[int] = []
    for word in plain.split():
        if len(word) % 2:
            raise UnknownCard(word=word)
        found += [parse_card(word[at : at + 2]) for at in range(0, len(word), 2)]
    return tuple(found)
