"""What lies before a seat before it has a place: its cards as a row, and what is said of it on pills."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from bot.pictures.cards import STRIP
from bot.pictures.geometry import GAP, Box
from bot.pictures.items import FRAME, PILL_HEIGHT, Item, Kind, card_width, fit_text, pill_weight, text_width
from bot.pictures.types import PILLS, CardMark, PictureCard, PictureSeat, Pill

BACKS = 0.6
"""So much of a card's width is seen of the hidden cards beside open ones, however many they are: their number stands on them."""
SQUEEZED = 0.8
"""How far the steps from card to card can shrink until only the strips of narrow cards are seen."""


def is_open(seat: PictureSeat) -> bool:
    """Tell whether some of its cards are."""
    return any(card.card is not None for card in seat.cards)


def frame_width(seat: PictureSeat) -> int:
    """Return how far its cards reach to the side with the frames of those that play."""
    return 0 if all(card.mark is CardMark.NONE for card in seat.cards) else FRAME


class Row(NamedTuple):
    """Cards side by side, before they have a place.

    Attributes:
        steps: from the left edge of each card to that of the next one.
        is_narrow: the cards overlap, so that rank and suit stand in the part that is seen.
    """

    cards: tuple[PictureCard, ...]
    card_width: int
    height: int
    steps: tuple[int, ...]
    is_narrow: bool

    @property
    def width(self) -> int:
        return sum(self.steps) + self.card_width

    def squeezed(self, width: int) -> Row:
        """Return the row with smaller steps where it is too wide. Steps between open cards and backs shrink alike."""
        if self.width <= width or not self.steps:
            return self
        room = width - self.card_width
        total = sum(self.steps)
        ends = [sum(self.steps[: number + 1]) * room // total for number in range(len(self.steps))]
        return self._replace(
            steps=tuple(after - before for before, after in pairwise((0, *ends))), is_narrow=len(self.cards) > 2
        )


def open_row(seat: PictureSeat, height: int, spread_within: int = 0) -> Row:
    """Return open cards, with those that are hidden as a pile before them.

    Args:
        spread_within: cards of which more than two are there lie side by side in this width; where they need more they overlap.
    """
    width, whole = card_width(height), card_width(height) + 2 * FRAME - 2
    hidden, shown = ([card for card in seat.cards if (card.card is None) is back] for back in (True, False))
    pile = [round(width * BACKS) // max(1, len(hidden))] * len(hidden)
    is_spread = len(seat.cards) < 3 or sum(pile) + whole * (len(shown) - 1) + width <= spread_within
    step = whole if is_spread else round(width * 0.62)
    return Row((*hidden, *shown), width, height, (*pile, *[step] * (len(shown) - 1)), is_narrow=not is_spread)


def least_width(seat: PictureSeat, height: int) -> int:
    """Return how wide its open cards are at least, with rank and suit of each in sight, and their frames."""
    more, hidden = len(seat.cards) - 1, sum(card.card is None for card in seat.cards)
    part, gap = (STRIP, 3) if more > 1 else (1.0, 2 * FRAME)
    parts = part * more if hidden in (0, len(seat.cards)) else part * (more - hidden) + SQUEEZED * BACKS
    return round(card_width(height) * (1 + parts)) + gap * more + 2 * frame_width(seat)


def backs(seat: PictureSeat) -> Row:
    """Hidden cards: they lie under the plate, and only a part of them looks out."""
    count = len(seat.cards)
    step = 41 if count <= 2 else max(13, min(28, 96 // max(count - 1, 1)))
    return Row(seat.cards, 42, 58, (step,) * (count - 1), is_narrow=False)


def pills_of(seat: PictureSeat, widest: int) -> Iterator[Item]:
    """The pills of a seat, such as its bet, each as large as its words, at no place yet."""
    for field, pill in PILLS.items():
        words: str = getattr(seat, field)
        if words:
            yield _pill(pill, words, seat, widest)


def pills_width(pills: list[Item]) -> int:
    """Return how wide the widest of some pills is, with the gap beside it."""
    return max((pill.box.width + GAP for pill in pills), default=0)


def _pill(pill: Pill, words: str, seat: PictureSeat, widest: int) -> Item:
    weight, size = pill_weight(pill), pill.size
    around = PILL_HEIGHT + 18 if pill.has_chip else 26
    while text_width(words, size, weight) > widest - around and size > 24:
        size -= 1
    words = fit_text(words, size, weight, widest - around)
    box = Box(0, 0, text_width(words, size, weight) + around, PILL_HEIGHT)
    return Item(Kind.PILL, box, words, size, seat, pill=pill)
