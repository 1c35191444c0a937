"""The empty table: the room around it, the rim, and the cloth. It is the same under every picture of one look."""

import math
from functools import lru_cache

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from bot.pictures.geometry import CANVAS_BOXES, Box
from bot.pictures.outlines import STAR
from bot.pictures.sketch import Sketch
from bot.pictures.theme import Theme
from bot.pictures.types import Canvas
from bot.table.picture_colours import Felt

SCALE = 4
"""Edges are drawn so much larger and reduced, which makes them smooth."""

RIMS = {Canvas.FULL: Box(44, 54, 1056, 768), Canvas.STRIP: Box(2, -130, 1098, 610)}
"""The table. A strip shows its middle, so upper and lower edge lie outside the picture."""

CLOTH = 34
"""So far inside the rim begins the cloth."""
LINES = {Canvas.FULL: 62, Canvas.STRIP: 39}
"""So far inside the rim runs the line on it. On a strip, pot and street stand between it and the board."""

RAYS, STARS, STAR_RADIUS = 24, 36, 11
"""What marks the rarest hands: rays on the cloth, and stars on the rim with their size in pixels."""

_ROUND = 318
"""The radius of the corners of the rim, in pixels."""


@lru_cache(maxsize=12)
def felt(theme: Theme, cloth: Felt, canvas: Canvas, *, is_rare: bool = False) -> Image.Image:
    """Return the empty table as an RGB picture of a whole canvas. It is shared: draw on a copy.

    Args:
        is_rare: the rim is gold with stars on it, and rays lie on the cloth.
    """
    colours, rim = theme.felt(cloth), RIMS[canvas]
    gold = theme.medals.gold
    rim_colours = (gold.border, gold.fill) if is_rare else (colours.rim_top, colours.rim_bottom)
    size = (CANVAS_BOXES[canvas].width, CANVAS_BOXES[canvas].height)
    picture = _shaded(size, theme.room.top, theme.room.bottom)
    shadow = _mask(size, rim, -4).filter(ImageFilter.GaussianBlur(14))
    picture.paste("#000000", (0, 8), shadow.point([level * 140 // 255 for level in range(256)]))
    picture.paste(_shaded(size, *rim_colours), (0, 0), _mask(size, rim, 0))
    _edge(picture, rim, 2, 3, "#FFFFFF", 26)
    _edge(picture, rim, CLOTH - 12, 2, "#000000", 60)
    picture.paste("#000000", (0, 0), _mask(size, rim, CLOTH - 4).point([level * 150 // 255 for level in range(256)]))
    picture.paste(_glowing(size, rim, colours.centre, colours.edge), (0, 0), _mask(size, rim, CLOTH))
    line = LINES[canvas]
    if is_rare:
        _rays(picture, rim, colours.edge)
        _stars(picture, rim, gold.text)
        _edge(picture, rim, line, 5, gold.fill, 255)
    else:
        _edge(picture, rim, line, 2, colours.line[:7], int(colours.line[7:] or "FF", 16))
    return picture


def _rays(picture: Image.Image, rim: Box, colour: str) -> None:
    """Lay rays on the cloth from its middle to the rim, in the colour of its edge, on which every word can be read."""
    mask = Image.new("L", (picture.width * 2, picture.height * 2))
    x, y = picture.width, picture.height
    for turn in range(RAYS):
        ImageDraw.Draw(mask).pieslice(
            (x - 2000, y - 2000, x + 2000, y + 2000), turn * 360 / RAYS, (turn + 0.5) * 360 / RAYS, fill=110
        )
    rays = mask.resize(picture.size, Image.Resampling.BOX)
    picture.paste(colour, (0, 0), ImageChops.multiply(rays, _mask(picture.size, rim, CLOTH)))


def _stars(picture: Image.Image, rim: Box, colour: str) -> None:
    """Set stars on the rim: around its straight sides and its corners, at equal distances."""
    sketch = Sketch(2 * STAR_RADIUS, 2 * STAR_RADIUS)
    sketch.shape((STAR,), (STAR_RADIUS, STAR_RADIUS), STAR_RADIUS, colour)
    star = sketch.sprite()
    path = rim.grown(-CLOTH // 2)
    for turn in range(STARS):
        angle = 2 * math.pi * turn / STARS
        x, y = _on_edge(path, angle)
        star.onto(picture, x - STAR_RADIUS, y - STAR_RADIUS)


def _on_edge(path: Box, angle: float) -> tuple[int, int]:
    """Return where a ray from the middle meets an outline with round corners."""
    radius = _ROUND - CLOTH // 2
    (x, y), across, down = path.centre, math.cos(angle), math.sin(angle)
    inner_x, inner_y = path.width / 2 - radius, path.height / 2 - radius
    far = min(path.width / 2 / max(abs(across), 1e-9), path.height / 2 / max(abs(down), 1e-9))
    if abs(far * across) > inner_x and abs(far * down) > inner_y:  # in a corner: where the ray meets its circle
        along = abs(across) * inner_x + abs(down) * inner_y
        far = along + math.sqrt(max(0.0, along**2 - inner_x**2 - inner_y**2 + radius**2))
    return round(x + far * across), round(y + far * down)


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
