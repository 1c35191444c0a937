"""Cards in text: as application emojis where the bot has them, else as signs in inline code, and always also in words.

Bare suit signs are never written outside code: Discord draws them dark grey, invisible on dark themes.

Source: ui §2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from bot.engine import cards

CARD_BACK = "card_back"


def emoji_name(card: int) -> str:
    """The name of a card's application emoji, which is what a screen reader says: ``ace_of_hearts``, ``joker``."""
    return cards.name(card).replace(" ", "_")


EMOJI_NAMES = (*(emoji_name(card) for card in cards.WITH_JOKER_53), CARD_BACK)
_SIGNS = tuple(cards.sign(card) for card in cards.WITH_JOKER_53)
_WORDS = tuple(cards.name(card) for card in cards.WITH_JOKER_53)


class Emojis(Struct, frozen=True):
    """How cards are written in one text: `marks` are the emojis by card number, the back at the end; none means signs.

    A pack with a gap would mix two ways of writing in one line, so it counts as missing.
    """

    marks: tuple[str, ...] = ()

    @classmethod
    def of(cls, ids: Mapping[str, int], suffix: str = "") -> Emojis:
        """Build from the application's emojis, name to id. `suffix` names another deck: ``"_2c"``, where it differs."""
        marks: list[str] = []
        for name in EMOJI_NAMES:
            own = name + suffix if suffix and name + suffix in ids else name
            if own not in ids:
                return cls()
            marks.append(f"<:{own}:{ids[own]}>")
        return cls(tuple(marks))

    def row(self, known: Iterable[int | None]) -> str:
        """Write cards one after another; None is a card face down. An empty row is an empty text."""
        if self.marks:
            return "".join([self.marks[53 if card is None else card] for card in known])
        signs = " ".join(["▮" if card is None else _SIGNS[card] for card in known])
        return f"`{signs}`" if signs else ""

    def one(self, card: int | None) -> str:
        """Write one card; None is a card face down."""
        return self.row((card,))

    def for_option(self, card: int) -> str:
        """The emoji beside a select option; empty without emojis, for an option has no markdown."""
        return self.marks[card] if self.marks else ""


SIGNS = Emojis()
"""Cards as signs in inline code: the fallback, and what fits where emojis would be too long."""


def words(known: Iterable[int]) -> str:
    """Name cards in words, the first with a capital: ``Ace of clubs, nine of hearts``."""
    named = ", ".join([_WORDS[card] for card in known])
    return named[:1].upper() + named[1:]


def signs(known: Iterable[int]) -> str:
    """Write cards as bare signs, ``A♥ K♦``: for option labels and logs, never for markdown."""
    return " ".join([_SIGNS[card] for card in known])
