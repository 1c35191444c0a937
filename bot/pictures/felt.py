"""The empty table: the room around it, the rim, and the cloth. It is the same under every picture of one look."""

from functools import lru_cache

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from bot.pictures.geometry import CANVAS_BOXES, Box
from bot.pictures.theme import Theme
from bot.pictures.types import Canvas
from bot.table.picture_colours import Felt

SCALE = 4
"""Edges are drawn so much larger and reduced, which makes them smooth."""

RIMS = {Canvas.FULL: Box(44, 54, 1056, 768), Canvas.STRIP: Box(2, -130, 1098, 610)}
"""The table. A strip shows its middle, so upper and lower edge lie outside the picture."""

CLOTH, LINE = 34, 62
"""So far inside the rim begins the cloth, and the line on it."""

_ROUND = 318
"""The radius of the corners of the rim, in pixels."""


@lru_cache(maxsize=8)
def felt(theme: Theme, cloth: Felt, canvas: Canvas) -> Image.Image:
    """Return the empty table as an RGB picture of a whole canvas. It is shared: draw on a copy."""
    colours, rim = theme.felt(cloth), RIMS[canvas]
    size = (CANVAS_BOXES[canvas].width, CANVAS_BOXES[canvas].height)
    picture = _shaded(size, theme.room.top, theme.room.bottom)
    shadow = _mask(size, rim, -4).filter(ImageFilter.GaussianBlur(14))
    picture.paste("#000000", (0, 8), shadow.point([level * 140 // 255 for level in range(256)]))
    picture.paste(_shaded(size, colours.rim_top, colours.rim_bottom), (0, 0), _mask(size, rim, 0))
    _edge(picture, rim, 2, 3, "#FFFFFF", 26)
    _edge(picture, rim, CLOTH - 12, 2, "#000000", 60)
    picture.paste("#000000", (0, 0), _mask(size, rim, CLOTH - 4).point([level * 150 // 255 for level in range(256)]))
    picture.paste(_glowing(size, rim, colours.centre, colours.edge), (0, 0), _mask(size, rim, CLOTH))
    _edge(picture, rim, LINE, 2, colours.line[:7], int(colours.line[7:] or "FF", 16))
    return picture


def _mask(size: tuple[int, int], rim: Box, inset: int) -> Image.Image:
    """Return which pixels lie so far within the rim."""
    mask = Image.new("L", (size[0] * SCALE, size[1] * SCALE))
    left, top, right, bottom = (edge * SCALE for edge in rim.grown(-inset))
    ImageDraw.Draw(mask).rounded_rectangle((left, top, right - 1, bottom - 1), (_ROUND - inset) * SCALE, fill=255)
    return mask.resize(size, Image.Resampling.BOX)


def _edge(picture: Image.Image, rim: Box, inset: int, width: int, colour: str, strength: int) -> None:
    """Draw a line along the inside of an outline; `strength` is how much of it shows, 0 to 255."""
    line = ImageChops.subtract(_mask(picture.size, rim, inset), _mask(picture.size, rim, inset + width))
    picture.paste(colour, (0, 0), line.point([level * strength // 255 for level in range(256)]))


def _shaded(size: tuple[int, int], top: str, bottom: str) -> Image.Image:
    """Return a picture whose colour runs from top to bottom."""
    fade = Image.linear_gradient("L").resize(size, Image.Resampling.BICUBIC)
    return Image.composite(Image.new("RGB", size, bottom[:7]), Image.new("RGB", size, top[:7]), fade)


def _glowing(size: tuple[int, int], rim: Box, centre: str, edge: str) -> Image.Image:
    """Return the cloth: bright in the middle, darker towards the rim."""
    cloth = rim.grown(-CLOTH)
    width, height = cloth.width * 5 // 4, cloth.height * 5 // 4
    fade = Image.new("L", size, 255)
    fade.paste(
        Image.radial_gradient("L").resize((width, height), Image.Resampling.BICUBIC),
        ((size[0] - width) // 2, (size[1] - height) // 2),
    )
    # Not straight: the middle stays even where cards and numbers lie.
    fade = fade.point([round(255 * (level / 255) ** 1.4) for level in range(256)])
    return Image.composite(Image.new("RGB", size, edge[:7]), Image.new("RGB", size, centre[:7]), fade)
