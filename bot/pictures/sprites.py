"""The tools with which a picture is drawn: sprites and words in the colours of a look, drawn once and kept.

What is kept is bounded in number and in memory; what was not used for longest goes first.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from typing import Generic, Literal, TypeVar

from PIL import Image

from bot.engine.cards import STANDARD_52
from bot.pictures.avatars import read_avatar
from bot.pictures.cards import CardSize, draw_card, draw_slot
from bot.pictures.coverage import Weight
from bot.pictures.sketch import Sketch, Sprite, with_glow, with_shadow
from bot.pictures.text import CAP_HEIGHT, PAD, TextMask, fit_text, text_mask
from bot.pictures.theme import Label, theme
from bot.pictures.types import CardMark, Look, PictureCard
from bot.table.picture_colours import Deck

SPRITES_MAX, SPRITES_BYTES_MAX = 1_400, 50_000_000
WORDS_MAX, WORDS_BYTES_MAX = 600, 4_000_000
OVER = 14
"""Pixels around a panel for its shadow and its glow."""

Kept = TypeVar("Kept", Sprite, TextMask)


class PictureStore(Generic[Kept]):
    """Small pictures by what they show."""

    def __init__(self, count: int, size: int) -> None:
        """`count`: the most pictures kept; `size`: the most bytes of pixels kept."""
        self._count, self._size = count, size
        self._kept: OrderedDict[Hashable, Kept] = OrderedDict()
        self._memory = 0

    def __len__(self) -> int:
        """Return how many pictures are kept."""
        return len(self._kept)

    @property
    def memory(self) -> int:
        """How many bytes the kept pixels take."""
        return self._memory

    def get(self, key: Hashable, make: Callable[[], Kept]) -> Kept:
        """Return what is kept under a key, or make it and keep it. The key must say everything that it shows."""
        kept = self._kept.get(key)
        if kept is not None:
            self._kept.move_to_end(key)
            return kept
        made = make()
        self._kept[key] = made
        self._memory += _bytes(made)
        while len(self._kept) > self._count or (self._memory > self._size and len(self._kept) > 1):
            self._memory -= _bytes(self._kept.popitem(last=False)[1])
        return made


def _bytes(kept: Sprite | TextMask) -> int:
    image = kept.image if isinstance(kept, Sprite) else kept.ink
    return image.width * image.height * len(image.getbands())


SPRITES: PictureStore[Sprite] = PictureStore(SPRITES_MAX, SPRITES_BYTES_MAX)
"""The sprites of this process, for all looks."""
WORDS: PictureStore[TextMask] = PictureStore(WORDS_MAX, WORDS_BYTES_MAX)
"""The words of this process, without their colours."""


def memory_kept() -> int:
    """Return how many bytes of pixels are kept in this process; at most 38 million."""
    return SPRITES.memory + WORDS.memory


class Sprites:
    """Everything small on a picture, in the colours of one look. Making one is cheap: what it draws is kept for the process."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self.theme = theme(look.theme)

    def sprite(self, key: Hashable, make: Callable[[], Sprite]) -> Sprite:
        """Return a sprite of the caller's own making, kept under a key beside the theme's."""
        return SPRITES.get((self.theme.name, key), make)

    def card(self, card: PictureCard, size: CardSize) -> Sprite:
        """Return a card with its shadow, its star or what it stands for, and its frame or shade."""
        deck = self.look.deck if card.card is not None else Deck.FOUR_COLOURS
        key = ("card", deck, card.card, card.is_wild, card.stands_for, card.mark, size)
        return self.sprite(key, lambda: draw_card(self.theme, deck, card, size))

    def warm_up(self, size: CardSize) -> Iterator[None]:
        """Draw the back and every card of the deck in one size, one a step."""
        self.back(size)
        for card in STANDARD_52:
            self.card(PictureCard(card), size)
            yield

    def back(self, size: CardSize, mark: CardMark = CardMark.NONE) -> Sprite:
        """Return the back of a card."""
        return self.card(PictureCard(None, mark=mark), size)

    def slot(self, size: CardSize) -> Sprite:
        """Return the outline of a card that is to come."""
        return self.sprite(("slot", size), lambda: draw_slot(self.theme, size))

    def panel(
        self,
        width: int,
        height: int,
        radius: int,
        top: str,
        bottom: str | None = None,
        *,
        border: str | None = None,
        line: float = 2,
        glow: str | None = None,
        shadow: bool = True,
    ) -> Sprite:
        """Return a rectangle with round corners: a plate, a banner, a note.

        Args:
            top: its colour; with `bottom`, the colour at its upper edge.
            line: the border's width, within the rectangle.
            glow: the colour of a soft light around it.
        """

        def draw() -> Sprite:
            sketch = Sketch(width, height, OVER if shadow or glow else 0)
            whole = (0.0, 0.0, float(width), float(height))
            sketch.box(whole, radius, top, bottom)
            if border:
                sketch.frame(whole, radius, border, line)
            drawn = sketch.sprite()
            if glow:
                drawn = with_glow(drawn, glow, 5)
            return with_shadow(drawn, self.theme.cards.shadow, 4, 3) if shadow else drawn

        return self.sprite(("panel", width, height, radius, top, bottom, border, line, glow, shadow), draw)

    def pill(self, label: Label, width: int, height: int, line: float = 2) -> Sprite:
        """Return the shape behind a note, a bet or a banner, round at its ends."""
        return self.panel(width, height, height // 2, label.fill, border=label.border, line=line, shadow=False)

    def chip(self, kind: Literal["pot", "bet"], size: int) -> Sprite:
        """Return a chip seen from above, `size` pixels across."""
        colours = self.theme.chips
        fill = colours.pot if kind == "pot" else colours.bet

        def draw() -> Sprite:
            sketch = Sketch(size, size, 4)
            middle, radius = (size / 2, size / 2), size / 2
            sketch.disc(middle, radius, fill)
            for turn in range(4):
                sketch.wedge(middle, radius, turn * 90 - 16, 32, colours.stripe)
            sketch.disc(middle, radius * 0.68, colours.stripe)
            sketch.disc(middle, radius * 0.60, fill)
            sketch.disc(middle, radius * 0.30, colours.stripe)
            sketch.frame((0, 0, size, size), radius, "#00000060", max(1.0, size * 0.03))
            return with_shadow(sketch.sprite(), self.theme.cards.shadow, 1.5, 1)

        return self.sprite(("chip", kind, size), draw)

    def dealer(self, size: int, letter: str = "D") -> Sprite:
        """Return the dealer button, `size` pixels across."""
        return self._disc("dealer", self.theme.dealer, letter, size, 0.56)

    def badge(self, number: int, size: int) -> Sprite:
        """Return a seat's number in a circle, `size` pixels across."""
        return self._disc("badge", self.theme.badge, str(number), size, 0.66)

    def _disc(self, kind: str, label: Label, text: str, size: int, part: float) -> Sprite:
        def draw() -> Sprite:
            sketch = Sketch(size, size, 4)
            middle, letters = (size / 2, size / 2), size * part
            sketch.disc(middle, size / 2, label.border)
            sketch.disc(middle, size / 2 - max(1.5, size * 0.06), label.fill)
            top = (size - letters * CAP_HEIGHT) / 2
            sketch.word(text, (size / 2, top), letters, label.text, widest=size * 0.62, anchor="m")
            return with_shadow(sketch.sprite(), self.theme.cards.shadow, 1.5, 1)

        return self.sprite((kind, text, size), draw)

    def face(self, seat: int, size: int, *, is_dimmed: bool = False) -> Sprite:
        """Return the disc on which a player's initials stand (`write` them), in the colour of the seat number."""
        colour = self.theme.faces.of(seat)

        def draw() -> Sprite:
            sketch = Sketch(size, size)
            sketch.disc((size / 2, size / 2), size / 2, colour)
            sketch.frame((0, 0, size, size), size / 2, "#FFFFFF38", 1.5)
            if is_dimmed:
                sketch.disc((size / 2, size / 2), size / 2, self.theme.cards.shade)
            return sketch.sprite()

        return self.sprite(("face", colour, size, is_dimmed), draw)

    def avatar(self, file: bytes, seat: int, size: int, *, is_dimmed: bool = False) -> Sprite:
        """Return the disc with a player's own picture; where that is clear, the colour of the seat number is seen."""
        colour = self.theme.faces.of(seat)

        def draw() -> Sprite:
            sketch = Sketch(size, size)
            middle, radius = (size / 2, size / 2), size / 2
            sketch.disc(middle, radius, "#FFFFFF")
            mask = sketch.sprite().image.getchannel("A")
            face = Image.new("RGBA", (size, size), colour)
            face.alpha_composite(read_avatar(file, size))
            face.putalpha(mask)
            rim = Sketch(size, size)
            rim.frame((0, 0, size, size), radius, "#FFFFFF38", 1.5)
            if is_dimmed:
                rim.disc(middle, radius, self.theme.cards.shade)
            face.alpha_composite(rim.sprite().image)
            return Sprite(face)

        return self.sprite(("avatar", file, colour, size, is_dimmed), draw)

    def write(
        self,
        canvas: Image.Image,
        x: int,
        y: int,
        text: str,
        size: int,
        colour: str,
        *,
        weight: Weight = Weight.BOLD,
        anchor: Literal["l", "m", "r"] = "l",
        widest: int | None = None,
    ) -> int:
        """Write a line onto an RGB picture and return its width in pixels.

        Args:
            x: its left end, its middle ("m") or its right end ("r").
            y: the middle of its capitals and figures.
            widest: the width at which it is cut with "…".
        """
        mask = self._mask(text, size, weight, widest)
        left = x - {"l": 0, "m": mask.width // 2, "r": mask.width}[anchor]
        canvas.paste(colour, (left - PAD, y + round(size * CAP_HEIGHT / 2) - mask.baseline), mask.ink)
        return mask.width

    def width(self, text: str, size: int, *, weight: Weight = Weight.BOLD, widest: int | None = None) -> int:
        """Return how wide `write` would write a line, in pixels."""
        return self._mask(text, size, weight, widest).width

    def size_that_fits(self, text: str, largest: int, smallest: int, widest: int) -> int:
        """Return the largest size at which a line is no wider than so many pixels; the smallest one where none is."""
        sizes = range(largest, smallest, -2)
        return next((size for size in sizes if self.width(text, size) <= widest), smallest)

    @staticmethod
    def _mask(text: str, size: int, weight: Weight, widest: int | None) -> TextMask:
        def draw() -> TextMask:
            return text_mask(text if widest is None else fit_text(text, size, weight, widest), size, weight)

        return WORDS.get((text, size, weight, widest), draw)
