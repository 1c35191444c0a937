"""Cards in text: as application emojis where the bot has them, else as signs in inline code, and always also in words.

Bare suit signs are never written outside code: Discord draws them dark grey, which nobody can see on a dark theme.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from bot.engine import cards
from bot.text.formatting import join_list
from bot.text.language import message, remembered, t
from bot.text.word_table import word_table

_RANKS, _RANK_PLURALS = [
    row.messages
    for row in word_table("""
        one | deuce | three | four | five | six | seven | eight | nine | ten | jack | queen | king | ace
        several | deuces | threes | fours | fives | sixes | sevens | eights | nines | tens | jacks | queens | kings | aces
    """)
]
_SUITS = (message("clubs"), message("diamonds"), message("hearts"), message("spades"))
_CARD = message("{rank} of {suit}")  # Translators: ace of spades
_JOKER = message("joker")
_JOKER_SIGN = message("Joker")  # Translators: the joker in a row of cards such as A♥ K♦

CARD_BACK = "card_back"


def rank_name(rank: int) -> str:
    """Name a rank: ``deuce``, ``king``."""
    return t(_RANKS[rank])


def rank_plural(rank: int) -> str:
    """Name several cards of a rank: ``deuces``, ``kings``."""
    return t(_RANK_PLURALS[rank])


def suit_name(suit: int) -> str:
    """Name a suit: ``clubs``."""
    return t(_SUITS[suit])


@remembered(maximum=1024)
def card_name(card: int) -> str:
    """Name a card in words: ``ace of spades``, ``joker``."""
    return t(_JOKER) if card >= cards.JOKER else t(_CARD, rank=t(_RANKS[card >> 2]), suit=t(_SUITS[card & 3]))


def cards_in_words(row: Iterable[int]) -> str:
    """Name cards in words: ``ace of clubs, nine of hearts``."""
    return join_list([card_name(card) for card in row])


def cards_in_signs(row: Iterable[int]) -> str:
    """Write cards by their signs, for a text without markdown: ``A♣ 9♥``."""
    return " ".join([_sign(card) for card in row])


def _sign(card: int | None) -> str:
    if card is None:
        return "▮"
    return t(_JOKER_SIGN) if card >= cards.JOKER else _SIGNS[card]


_SIGNS = tuple(cards.card_symbol(card) for card in cards.STANDARD_52)


def emoji_name(card: int) -> str:
    """The name of a card's application emoji: ``ace_of_hearts``, ``joker``. It is the same in every language."""
    return cards.card_name(card).replace(" ", "_")


EMOJI_NAMES = (*(emoji_name(card) for card in cards.WITH_JOKER_53), CARD_BACK)


def _mark_index(card: int | None) -> int:
    """Where a card's emoji stands in `EMOJI_NAMES`: the back comes last, and jokers look alike."""
    return len(EMOJI_NAMES) - 1 if card is None else min(card, cards.JOKER)


class Emojis(Struct, frozen=True):
    """How cards are written in one text.

    Attributes:
        marks: the emojis by card number, the back of a card at the end. Without them cards are written as signs.
    """

    marks: tuple[str, ...] = ()

    @classmethod
    def of(cls, ids: Mapping[str, int], suffix: str = "") -> Emojis:
        """Build a deck from the application's emojis.

        A deck with a gap would mix two ways of writing in one line, so it counts as missing.

        Args:
            ids: the ids of the emojis by name.
            suffix: names another deck, such as ``"_2c"``; where it has no card of its own, the default deck's is used.
        """
        marks: list[str] = []
        for name in EMOJI_NAMES:
            own = name + suffix if suffix and name + suffix in ids else name
            if own not in ids:
                return cls()
            marks.append(f"<:{own}:{ids[own]}>")
        return cls(tuple(marks))

    def write(self, row: Iterable[int | None]) -> str:
        """Write cards one after another. None is a card face down. An empty row is an empty text."""
        if self.marks:
            return "".join([self.marks[_mark_index(card)] for card in row])
        signs = " ".join([_sign(card) for card in row])
        return f"`{signs}`" if signs else ""

    def write_one(self, card: int | None) -> str:
        """Write one card. None is a card face down."""
        return self.write((card,))

    def for_option(self, card: int) -> str:
        """The emoji beside an option of a select. It is empty without emojis, because an option has no markdown."""
        return self.marks[card] if self.marks else ""

    def button_label(self, card: int) -> str:
        """What stands on a card's button: its rank beside the emoji, its sign where there is no emoji."""
        return _sign(card)[:-1] if self.marks and card != cards.JOKER else _sign(card)


SIGNS = Emojis()
"""Cards as signs in inline code: what is written until the emojis are there, and where emojis would be too long."""
