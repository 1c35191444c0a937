"""What a picture of a table consists of: its items, with the sizes and the fonts of each kind."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from bot.pictures import text
from bot.pictures.coverage import Weight
from bot.pictures.geometry import Box
from bot.pictures.types import PictureCard, PictureSeat, Pill

FRAME = 5
"""How far the frame of a card that plays reaches beyond the card."""

PILL_HEIGHT = 36
"""How high the shape behind a note or a bet is."""

NARROW_FACE = 0.84
"""Rank and suit of a narrow face fill so much of the card's height; the rest can lie under the plate."""

CARD_RATIO = 0.726
"""A card's width by its height."""


def card_width(height: int) -> int:
    """Return how wide a card of this height is."""
    return round(height * CARD_RATIO)


text_width = lru_cache(maxsize=4096)(text.text_width)
fit_text = lru_cache(maxsize=4096)(text.fit_text)
"""Most words of a picture stood on an earlier one too; measuring them is half of the time of a layout."""


class Kind(StrEnum):
    """What an item is."""

    CARD = "card"
    SLOT = "slot"
    PLATE = "plate"
    AVATAR = "avatar"
    BADGE = "badge"
    NAME = "name"
    CHIPS = "chips"
    PILL = "pill"
    HAND = "hand"
    WON = "won"
    COUNT = "count"
    DEALER = "dealer"
    POT_CHIP = "pot chip"
    POT = "pot"
    POT_CHIPS = "pot chips"
    POTS = "pots"
    HEADING = "heading"
    SMALL_PRINT = "small print"
    BANNER = "banner"


FONTS: dict[Kind, tuple[Weight, int]] = {
    Kind.NAME: (Weight.SEMIBOLD, 30),
    Kind.CHIPS: (Weight.BOLD, 36),
    Kind.WON: (Weight.EXTRABOLD, 38),
    Kind.HAND: (Weight.SEMIBOLD, 27),
    Kind.COUNT: (Weight.BOLD, 28),
    Kind.BADGE: (Weight.BOLD, 27),
    Kind.AVATAR: (Weight.BOLD, 32),
    Kind.DEALER: (Weight.EXTRABOLD, 28),
    Kind.POT: (Weight.SEMIBOLD, 32),
    Kind.POT_CHIPS: (Weight.EXTRABOLD, 54),
    Kind.POTS: (Weight.SEMIBOLD, 30),
    Kind.HEADING: (Weight.EXTRABOLD, 36),
    Kind.SMALL_PRINT: (Weight.SEMIBOLD, 27),
    Kind.BANNER: (Weight.BOLD, 34),
}
"""Weight and size in pixels of the words of an item."""


class Item(NamedTuple):
    """One thing that is painted, in its place.

    Attributes:
        box: what it covers, without shadow or glow. The words of a picture are centred in their box, except names and chips, which begin
            at its left edge.
        words: its words, already cut to fit; empty for none.
        size: the size of the words in pixels.
        seat: the seat that it belongs to; None in the middle.
        card: what card it is, for cards.
        is_narrow: whether the card is drawn with its suit under the rank, because another one covers its right part.
        pill: how it is drawn, for pills.
    """

    kind: Kind
    box: Box
    words: str = ""
    size: int = 0
    seat: PictureSeat | None = None
    card: PictureCard | None = None
    is_narrow: bool = False
    pill: Pill | None = None

    @property
    def weight(self) -> Weight:
        """How bold its words are."""
        return pill_weight(self.pill) if self.pill is not None else FONTS[self.kind][0]


def pill_weight(pill: Pill) -> Weight:
    return Weight.BOLD if pill.is_bold else Weight.SEMIBOLD
