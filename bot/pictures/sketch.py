"""Shapes with smooth edges: drawn four times as large and reduced, once for each sprite."""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFilter, ImageFont

from bot.pictures.coverage import FOLDER, Weight
from bot.pictures.outlines import Outline, Point
from bot.pictures.text import CAP_HEIGHT

SCALE = 4
"""How much larger shapes are drawn than they are shown."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in pixels of the finished sprite."""


class Sprite(NamedTuple):
    """A small picture with what hangs over the edges of its shape: a shadow, a glow, a frame.

    Attributes:
        image: RGBA.
        left, top: how far the image reaches beyond the shape's top left corner, in pixels.
    """

    image: Image.Image
    left: int = 0
    top: int = 0

    def onto(self, canvas: Image.Image, x: int, y: int) -> None:
        """Paste the sprite so that the top left corner of its shape lies at a point of an RGB picture."""
        canvas.paste(self.image, (x - self.left, y - self.top), self.image)


def rgba(colour: str) -> tuple[int, int, int, int]:
    """Return the four parts of a colour written #RRGGBB or #RRGGBBAA."""
    parts = bytes.fromhex(colour[1:])
    return parts[0], parts[1], parts[2], parts[3] if len(parts) > 3 else 255


@lru_cache(maxsize=64)
def _letters(weight: Weight, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FOLDER / weight, size, layout_engine=ImageFont.Layout.BASIC)


class Sketch:
    """A sprite while it is drawn. Coordinates are pixels of the finished shape, whose top left corner is (0, 0)."""

    def __init__(self, width: int, height: int, over: int = 0) -> None:
        """`over`: pixels that are free on every side for what hangs over the shape."""
        self.width, self.height, self.over = width, height, over
        self.image = Image.new("RGBA", ((width + 2 * over) * SCALE, (height + 2 * over) * SCALE))

    def _place(self, value: float) -> float:
        return (value + self.over) * SCALE

    def _lay(self, mask: Image.Image, top: str, bottom: str | None = None, box: Box | None = None) -> None:
        """Lay a colour, or one that runs from top to bottom of a box, where the mask is."""
        area = mask.getbbox()
        if area is None:  # too small to be seen
            return
        size = (area[2] - area[0], area[3] - area[1])
        if bottom is None or bottom == top or box is None:
            paint = Image.new("RGBA", size, top)
        else:
            first, last = round(self._place(box[1])), round(self._place(box[3]))
            paint = vertical((1, last - first), top, bottom).crop((0, area[1] - first, 1, area[3] - first))
            paint = paint.resize(size, Image.Resampling.NEAREST)
        shape = mask.crop(area)
        if rgba(top)[3] == rgba(bottom or top)[3] == 255:
            self.image.paste(paint, area, shape)
        else:
            layer = Image.new("RGBA", size, (*rgba(top)[:3], 0))
            layer.paste(paint, (0, 0), shape)
            self.image.alpha_composite(layer, area[:2])

    def box(self, box: Box, radius: float, top: str, bottom: str | None = None) -> None:
        """Fill a rectangle with round corners."""
        mask = Image.new("L", self.image.size)
        corners = self._corners(box)
        ImageDraw.Draw(mask).rounded_rectangle(corners, radius * SCALE, fill=255)
        self._lay(mask, top, bottom, box)

    def frame(self, box: Box, radius: float, colour: str, line: float) -> None:
        """Draw a line inside the edges of a rectangle with round corners."""
        mask = Image.new("L", self.image.size)
        ImageDraw.Draw(mask).rounded_rectangle(
            self._corners(box), radius * SCALE, outline=255, width=max(1, round(line * SCALE))
        )
        self._lay(mask, colour)

    def _corners(self, box: Box) -> Box:
        left, top, right, bottom = (self._place(value) for value in box)
        return left, top, right - 1, bottom - 1

    def disc(self, centre: Point, radius: float, top: str, bottom: str | None = None) -> None:
        """Fill a circle."""
        x, y = centre
        self.box((x - radius, y - radius, x + radius, y + radius), radius, top, bottom)

    def wedge(self, centre: Point, radius: float, start: float, angle: float, colour: str) -> None:
        """Fill a slice of a circle, in degrees clockwise from the right."""
        mask = Image.new("L", self.image.size)
        x, y = centre
        corners = self._corners((x - radius, y - radius, x + radius, y + radius))
        ImageDraw.Draw(mask).pieslice(corners, start, start + angle, fill=255)
        self._lay(mask, colour)

    def shape(self, outlines: Iterable[Outline], centre: Point, size: float, colour: str, halo: float = 0) -> None:
        """Fill outlines around a centre, `size` pixels for one unit; with a halo, fill a rim of that width around them instead."""
        mask = Image.new("L", self.image.size)
        pencil = ImageDraw.Draw(mask)
        for outline in outlines:
            points = [(self._place(centre[0] + x * size), self._place(centre[1] + y * size)) for x, y in outline]
            if halo:
                pencil.line([*points, points[0], points[1]], 255, round(2 * halo * SCALE), joint="curve")
            pencil.polygon(points, 255)
        self._lay(mask, colour)

    def word(
        self,
        text: str,
        left_top: Point,
        size: float,
        colour: str,
        *,
        widest: float | None = None,
        weight: Weight = Weight.EXTRABOLD,
        anchor: str = "l",
    ) -> float:
        """Draw Latin letters and figures with their capitals' top at a height; returns how wide they became.

        Args:
            left_top: where the ink begins; with `anchor="m"` its middle, with `anchor="r"` its end.
            widest: what is wider is made narrower.
        """
        font = _letters(weight, round(size * SCALE))
        left, _, right, _ = font.getbbox(text, anchor="ls")
        cap = size * SCALE * CAP_HEIGHT
        below = round(0.3 * cap)
        ink = Image.new("L", (round(right - left), round(cap + below * 2)))
        ImageDraw.Draw(ink).text((-left, cap + below), text, 255, font, "ls")
        if widest is not None and ink.width > widest * SCALE:
            ink = ink.resize((round(widest * SCALE), ink.height), Image.Resampling.LANCZOS)
        shift = {"l": 0.0, "m": ink.width / 2, "r": float(ink.width)}[anchor]
        mask = Image.new("L", self.image.size)
        mask.paste(ink, (round(self._place(left_top[0]) - shift), round(self._place(left_top[1])) - below))
        self._lay(mask, colour)
        return ink.width / SCALE

    def sprite(self) -> Sprite:
        """Reduce the drawing to its final size."""
        size = (self.width + 2 * self.over, self.height + 2 * self.over)
        return Sprite(self.image.resize(size, Image.Resampling.LANCZOS, reducing_gap=2.0), self.over, self.over)


def vertical(size: tuple[int, int], top: str, bottom: str) -> Image.Image:
    """Return an RGBA picture whose colour runs from top to bottom."""
    bands = [
        Image.linear_gradient("L")
        .resize((1, max(1, size[1])))
        .point([round(a + (b - a) * level / 255) for level in range(256)])
        for a, b in zip(rgba(top), rgba(bottom), strict=True)
    ]
    return Image.merge("RGBA", bands).resize(size, Image.Resampling.NEAREST)


def with_shadow(sprite: Sprite, colour: str, blur: float, lower: int) -> Sprite:
    """Return a sprite with a soft shadow of its shape, `lower` pixels lower. It must have room for it."""
    return _with_light(sprite, colour, blur, lower)


def with_glow(sprite: Sprite, colour: str, blur: float) -> Sprite:
    """Return a sprite with a soft light around its shape. It must have room for it."""
    return _with_light(sprite, colour, blur, 0)


def _with_light(sprite: Sprite, colour: str, blur: float, lower: int) -> Sprite:
    red, green, blue, strength = rgba(colour)
    light = Image.new("L", sprite.image.size)
    light.paste(sprite.image.getchannel("A"), (0, lower))
    light = light.filter(ImageFilter.GaussianBlur(blur)).point([round(level * strength / 255) for level in range(256)])
    under = Image.new("RGBA", sprite.image.size, (red, green, blue, 0))
    under.putalpha(light)
    under.alpha_composite(sprite.image)
    return Sprite(under, sprite.left, sprite.top)
