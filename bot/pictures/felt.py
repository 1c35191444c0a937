"""The empty table: the room around it, the rim, and the cloth. It is the same under every picture of one look."""

from functools import lru_cache

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from bot.pictures.geometry import HEIGHT, WIDTH, Box
from bot.pictures.theme import Theme
from bot.table.picture_colours import Felt

SCALE = 4
"""Edges are drawn so much larger and reduced, which makes them smooth."""

RIM = Box(44, 54, 1056, 768)
CLOTH = RIM.grown(-34)
LINE = CLOTH.grown(-28)
"""The table from outside to inside: its rim, its cloth, the line on the cloth."""

_ROUND = 318
"""The radius of the corners of the rim, in pixels."""


@lru_cache(maxsize=8)
def felt(theme: Theme, cloth: Felt) -> Image.Image:
    """Return the empty table as an RGB picture of the canvas. It is shared: draw on a copy."""
    colours = theme.felt(cloth)
    canvas = _shaded((WIDTH, HEIGHT), theme.room.top, theme.room.bottom)
    shadow = _mask(RIM.grown(4)).filter(ImageFilter.GaussianBlur(14))
    canvas.paste("#000000", (0, 8), shadow.point([level * 140 // 255 for level in range(256)]))
    canvas.paste(_shaded((WIDTH, HEIGHT), colours.rim_top, colours.rim_bottom), (0, 0), _mask(RIM))
    _edge(canvas, RIM.grown(-2), 3, "#FFFFFF", 26)
    _edge(canvas, CLOTH.grown(12), 2, "#000000", 60)
    canvas.paste("#000000", (0, 0), _mask(CLOTH.grown(4)).point([level * 150 // 255 for level in range(256)]))
    canvas.paste(_glowing(colours.centre, colours.edge), (0, 0), _mask(CLOTH))
    _edge(canvas, LINE, 2, colours.line[:7], int(colours.line[7:] or "FF", 16))
    return canvas


def _mask(box: Box) -> Image.Image:
    """Return which pixels of the canvas lie within the table's outline at this box."""
    mask = Image.new("L", (WIDTH * SCALE, HEIGHT * SCALE))
    inset = box.left - RIM.left
    corners = [edge * SCALE for edge in box]
    ImageDraw.Draw(mask).rounded_rectangle(
        (corners[0], corners[1], corners[2] - 1, corners[3] - 1), (_ROUND - inset) * SCALE, fill=255
    )
    return mask.resize((WIDTH, HEIGHT), Image.Resampling.BOX)


def _edge(canvas: Image.Image, box: Box, width: int, colour: str, strength: int) -> None:
    """Draw a line along the inside of an outline; `strength` is how much of it shows, 0 to 255."""
    line = ImageChops.subtract(_mask(box), _mask(box.grown(-width)))
    canvas.paste(colour, (0, 0), line.point([level * strength // 255 for level in range(256)]))


def _shaded(size: tuple[int, int], top: str, bottom: str) -> Image.Image:
    """Return a picture whose colour runs from top to bottom."""
    fade = Image.linear_gradient("L").resize(size, Image.Resampling.BICUBIC)
    return Image.composite(Image.new("RGB", size, bottom[:7]), Image.new("RGB", size, top[:7]), fade)


def _glowing(centre: str, edge: str) -> Image.Image:
    """Return the cloth: bright in the middle, darker towards the rim."""
    width, height = CLOTH.width * 5 // 4, CLOTH.height * 5 // 4
    fade = Image.new("L", (WIDTH, HEIGHT), 255)
    fade.paste(
        Image.radial_gradient("L").resize((width, height), Image.Resampling.BICUBIC),
        ((WIDTH - width) // 2, (HEIGHT - height) // 2),
    )
    # Not straight: the middle stays even where cards and numbers lie.
    fade = fade.point([round(255 * (level / 255) ** 1.4) for level in range(256)])
    return Image.composite(
        Image.new("RGB", (WIDTH, HEIGHT), edge[:7]), Image.new("RGB", (WIDTH, HEIGHT), centre[:7]), fade
    )
