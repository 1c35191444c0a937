"""Cards as sprites: faces, backs, the joker, the star of a wild card, what it stands for, and whether a card plays."""

from typing import NamedTuple

from PIL import Image

from bot.engine import cards
from bot.pictures.outlines import DIAMOND, STAR, SUITS, Point
from bot.pictures.sketch import SCALE, Sketch, Sprite, with_glow, with_shadow
from bot.pictures.theme import FilledColours, SuitColours, Theme
from bot.pictures.types import CardMark, PictureCard
from bot.table.picture_colours import Deck

OVER, OVER_FRAME = 12, 20
"""Pixels around a card for its shadow, and for its frame and the light of it."""

FRAME = 5
"""How wide the gold frame is, outside the card."""


class CardSize(NamedTuple):
    """How large a card is, in pixels, and which face it has.

    Attributes:
        is_narrow: the suit stands under the rank at the left edge, for rows in which cards overlap.
    """

    width: int
    height: int
    is_narrow: bool = False

    @property
    def strip(self) -> int:
        """How many pixels at the left edge must stay visible so that an overlapped narrow card can be read."""
        return round(self.width * STRIP) if self.is_narrow else self.width


STRIP = 0.5

BOARD = CardSize(122, 168)
"""One board."""
TWO_BOARDS = CardSize(92, 127)
"""Each of two boards."""
PAIR = CardSize(84, 104)
"""Two cards of a seat."""
ROW = CardSize(84, 104, is_narrow=True)
"""More than two cards of a seat, overlapping."""
SMALL_ROW = CardSize(66, 88, is_narrow=True)
"""Many cards of a seat, overlapping."""
BACK = CardSize(48, 64)
"""Hidden cards of a seat."""


class _Ink(NamedTuple):
    """What one card is written with."""

    colour: str
    top: str
    bottom: str
    border: str


def _ink(theme: Theme, suits: SuitColours, card: int) -> _Ink:
    colour = theme.wild.fill if card >= cards.JOKER else suits.of(cards.suit_of(card))
    if card < cards.JOKER and isinstance(suits, FilledColours):
        return _Ink(suits.ink, colour, colour, suits.border)
    bottom = theme.cards.joker_bottom if card >= cards.JOKER else theme.cards.bottom
    return _Ink(colour, theme.cards.top, bottom, theme.cards.border)


def rank_text(card: int) -> str:
    """Return what stands on a card for its rank."""
    return cards.RANKS[cards.rank_of(card)].replace("T", "10")


def draw_card(theme: Theme, deck: Deck, card: PictureCard, size: CardSize) -> Sprite:
    """Draw a card with its shadow, and its frame or shade."""
    sketch = Sketch(size.width, size.height, OVER_FRAME if card.mark is CardMark.PLAYS else OVER)
    radius = max(5.0, size.width * 0.085)
    if card.mark is CardMark.PLAYS:
        _frame(sketch, theme, radius)
    if card.card is None:
        _back(sketch, theme, radius)
    else:
        _face(sketch, theme, deck, card, card.card, size, radius)
    if card.mark is CardMark.DIMMED:
        sketch.box((0, 0, size.width, size.height), radius, theme.cards.shade)
    sprite = sketch.sprite()
    if card.mark is CardMark.PLAYS:
        return with_shadow(with_glow(sprite, theme.frame.glow, 4), theme.cards.shadow, 3, 3)
    return with_shadow(sprite, theme.cards.shadow, 2.5, 3)


def draw_slot(theme: Theme, size: CardSize) -> Sprite:
    """Draw the outline of a card that is to come."""
    sketch = Sketch(size.width, size.height)
    radius, whole = max(5.0, size.width * 0.085), (0, 0, size.width, size.height)
    sketch.box(whole, radius, theme.cards.slot)
    sketch.frame(whole, radius, theme.cards.slot_border, 2)
    return sketch.sprite()


def _frame(sketch: Sketch, theme: Theme, radius: float) -> None:
    sketch.box((-FRAME, -FRAME, sketch.width + FRAME, sketch.height + FRAME), radius + FRAME, theme.frame.line)


def _back(sketch: Sketch, theme: Theme, radius: float) -> None:
    """Draw a field with a line and a diamond, without a figure that looks like a rank."""
    width, height = sketch.width, sketch.height
    sketch.box((0, 0, width, height), radius, theme.cards.border)
    sketch.box((1, 1, width - 1, height - 1), radius - 1, theme.back.margin)
    margin = max(3.0, width * 0.055)
    sketch.box((margin, margin, width - margin, height - margin), radius * 0.75, theme.back.top, theme.back.bottom)
    inner = margin + width * 0.07
    sketch.frame((inner, inner, width - inner, height - inner), radius * 0.5, theme.back.line, max(1.0, width * 0.016))
    sketch.shape((DIAMOND,), (width / 2, height / 2), width * 0.17, theme.back.figure)


def _face(
    sketch: Sketch, theme: Theme, deck: Deck, card: PictureCard, index: int, size: CardSize, radius: float
) -> None:
    suits = theme.suits.of(deck)
    ink = _ink(theme, suits, index)
    width, height = size.width, size.height
    sketch.box((0, 0, width, height), radius, ink.border)
    line = 1.0 if width < 70 else 1.5
    sketch.box((line, line, width - line, height - line), radius - line, ink.top, ink.bottom)
    stands_for = card.stands_for if card.stands_for != index else None
    if index >= cards.JOKER:
        (_narrow_joker if size.is_narrow else _joker)(sketch, theme, stands_for is not None)
    elif size.is_narrow:
        _narrow_face(sketch, theme, index, ink.colour, card.is_wild, stands_for is not None)
    else:
        _wide_face(sketch, theme, index, ink.colour, card.is_wild, stands_for is not None)
    if stands_for is not None:
        _declared(sketch, theme, theme.suits.of(deck), stands_for, size)


def _wide_face(sketch: Sketch, theme: Theme, index: int, colour: str, is_wild: bool, is_declared: bool) -> None:
    """Draw the rank at the top left and the suit at the bottom right."""
    width, height = sketch.width, sketch.height
    letters = min(0.69 * width, 0.53 * height)
    widest = (0.55 if is_wild else 0.62) * width
    sketch.word(rank_text(index), (0.085 * width, 0.085 * height), letters, colour, widest=widest)
    reach = min(0.27 * width, 0.21 * height)
    centre = (width - reach - 0.085 * width, height - reach - 0.065 * height)
    if is_declared:
        reach *= 0.62
        centre = (width - reach - 0.1 * width, 0.53 * height)
    sketch.shape(SUITS[cards.suit_of(index)], centre, reach, colour)
    if is_wild:
        star = 0.175 * width
        _star(sketch, theme, (width - star - 0.035 * width, star + 0.03 * width), star)


def _narrow_face(sketch: Sketch, theme: Theme, index: int, colour: str, is_wild: bool, is_declared: bool) -> None:
    """Draw rank, suit and star one under the other, within the strip that stays visible."""
    width, height = sketch.width, sketch.height
    middle = STRIP * width / 2 + 0.01 * width
    has_more = is_wild or is_declared
    letters = 0.5 * height if not has_more else 0.46 * height
    cap = letters * 0.727
    top = 0.07 * height
    sketch.word(rank_text(index), (middle, top), letters, colour, widest=0.45 * width, anchor="m")
    reach = (0.2 if not has_more else 0.145) * height
    reach = min(reach, 0.21 * width)
    y = top + cap + reach + (0.075 if not has_more else 0.045) * height
    if is_wild and is_declared:  # beside each other, because what the card stands for takes the place below
        reach, y = 0.12 * width, min(y, 0.54 * height)
        _star(sketch, theme, (0.38 * width, y), reach)
        middle = 0.15 * width
    sketch.shape(SUITS[cards.suit_of(index)], (middle, y), reach, colour)
    if is_wild and not is_declared:
        star = min(0.13 * height, 0.19 * width)
        _star(sketch, theme, (middle, height - star - 0.03 * height), star)


def _star(sketch: Sketch, theme: Theme, centre: Point, radius: float) -> None:
    sketch.disc(centre, radius, theme.cards.top)
    sketch.disc(centre, radius * 0.92, theme.wild.fill)
    sketch.shape((STAR,), (centre[0], centre[1] + radius * 0.04), radius * 0.66, theme.wild.star)


def _joker(sketch: Sketch, theme: Theme, is_declared: bool) -> None:
    """Draw a large star over the word."""
    width, height = sketch.width, sketch.height
    y = 0.33 * height if is_declared else 0.37 * height
    sketch.shape((STAR,), (width / 2, y), 0.37 * width, theme.wild.fill)
    if not is_declared:
        sketch.word("JOKER", (width / 2, 0.75 * height), 0.215 * width, theme.wild.fill, anchor="m")


def _narrow_joker(sketch: Sketch, theme: Theme, is_declared: bool) -> None:
    """Draw a star, and the word from bottom to top, within the strip."""
    width, height = sketch.width, sketch.height
    middle = STRIP * width / 2 + 0.01 * width
    reach = 0.2 * width
    sketch.shape((STAR,), (middle, reach + 0.05 * height), reach, theme.wild.fill)
    room = height * (0.62 if not is_declared else 0.34)
    label = Sketch(round(room), round(STRIP * width))
    label.word(
        "JOKER", (room / 2, 0.12 * STRIP * width), STRIP * width, theme.wild.fill, widest=room * 0.94, anchor="m"
    )
    turned = label.image.transpose(Image.Transpose.ROTATE_90)
    left = (sketch.over + middle) * SCALE - turned.width / 2
    top = (sketch.over + reach * 2 + 0.06 * height) * SCALE
    sketch.image.alpha_composite(turned, (round(left), round(top)))


def _declared(sketch: Sketch, theme: Theme, suits: SuitColours, card: int, size: CardSize) -> None:
    """Draw the card that a wild one was declared to be as a small label on its lower edge."""
    width, height = sketch.width, sketch.height
    colour = suits.of(cards.suit_of(card))
    high = 0.3 * height
    right = 0.53 * width if size.is_narrow else width - 0.05 * width
    box = (0.035 * width, height - high - 0.03 * height, right, height - 0.03 * height)
    line = max(1.5, width * 0.03)
    sketch.box(box, high * 0.3, theme.wild.fill)
    sketch.box((box[0] + line, box[1] + line, box[2] - line, box[3] - line), high * 0.3 - line, "#FFFFFF")
    wide = box[2] - box[0]
    letters = min(high * 0.95, wide * 0.72)
    cap = letters * 0.727
    y = (box[1] + box[3]) / 2
    sketch.word(rank_text(card), (box[0] + wide * 0.3, y - cap / 2), letters, colour, widest=wide * 0.4, anchor="m")
    sketch.shape(SUITS[cards.suit_of(card)], (box[0] + wide * 0.7, y), min(high * 0.3, wide * 0.18), colour)
