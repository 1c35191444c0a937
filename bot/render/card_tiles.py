"""The card tiles: 128×128 PNG squares, uploaded once as application emojis.

They are named in words, so that a screen reader can say them. The files lie in the package; nothing is drawn while
the program runs. There are two decks: four-colour (the default) and two-colour, in which only clubs and diamonds look
different; those carry the suffix ``_2c``.
"""

from pathlib import Path

from bot.engine import cards
from bot.text import cards as card_text

CARDS = Path(__file__).with_name("assets") / "cards"
TWO_COLOUR = "_2c"


def tile_name(card: int, two_colour: bool = False) -> str:
    """Return the name of a card's tile: ``ace_of_hearts``, ``joker``.

    In the two-colour deck ``ace_of_clubs_2c``, but ``ace_of_spades`` as before.
    """
    differs = two_colour and card < cards.JOKER and cards.suit_of(card) in {cards.CLUBS, cards.DIAMONDS}
    return card_text.emoji_name(card) + (TWO_COLOUR if differs else "")


def tile_names() -> tuple[str, ...]:
    """Return every tile, in the order to upload them: the default deck, the joker and the back, then what two colours change."""
    second_deck = (tile_name(card, two_colour=True) for card in cards.STANDARD_52)
    return (*card_text.EMOJI_NAMES, *(name for name in second_deck if name.endswith(TWO_COLOUR)))


def tile_png(name: str) -> bytes:
    """Return the PNG file of one tile.

    Raises:
        KeyError: no tile has that name.
    """
    if name not in tile_names():
        raise KeyError(name)
    return (CARDS / f"{name}.png").read_bytes()
