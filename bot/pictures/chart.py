"""Charts: chips over time as a line, and numbers beside each other as bars."""

from functools import lru_cache

from PIL import Image, ImageDraw

from bot.pictures.coverage import Weight
from bot.pictures.sketch import vertical
from bot.pictures.sprites import Sprites
from bot.pictures.theme import ChartColours
from bot.pictures.types import BarsPicture, ChartBar, CurvePicture

WIDTH, HEIGHT = 1100, 620
MARGIN = 30
HEADING_LETTERS, LETTERS, LETTERS_MIN = 46, 34, 28
"""The smallest letters can still be read on a phone."""
TOP, BOTTOM = 150, 552
"""Between them lies the chart itself."""
LABEL_GAP = 16
FINER = 2
"""How much larger lines are drawn than they are shown, so that they are smooth."""
LINE, START_LINE, DASH, DASH_GAP, DOT = 5, 3, 14, 10, 12
NAME_WIDTH, NUMBER_WIDTH, BAR_HEIGHT_MAX, ROW_HEIGHT_MAX = 360, 230, 46, 92


Mask = tuple[Image.Image, tuple[int, int]]
"""How much of each pixel is covered, and where its top left corner lies."""


@lru_cache(maxsize=4)
def _ground(colours: ChartColours) -> Image.Image:
    """Return what a chart is drawn on. It is shared: draw on a copy."""
    return vertical((WIDTH, HEIGHT), colours.top, colours.bottom).convert("RGB")


def curve_image(picture: CurvePicture) -> Image.Image:
    """Draw a line of chips, 1100 × 620 pixels."""
    sprites = Sprites(picture.look)
    colours = sprites.theme.chart
    canvas = headed(sprites, picture.heading, picture.small_print)
    widest = max((sprites.width(level.label, LETTERS, weight=Weight.SEMIBOLD) for level in picture.levels), default=0)
    left, right = MARGIN + widest + LABEL_GAP, WIDTH - MARGIN - DOT
    first, last = picture.points[0][0], picture.points[-1][0]
    values = [*[level.at for level in picture.levels], *[chips for _, chips in picture.points]]
    low, high = min(values), max(values)

    def x_of(along: int) -> float:
        return left + (right - left) * ((along - first) / (last - first) if last > first else 0.5)

    def y_of(chips: int) -> float:
        return BOTTOM - (BOTTOM - TOP) * ((chips - low) / (high - low) if high > low else 0.5)

    for level in picture.levels:
        across = round(y_of(level.at))
        level_line(canvas, colours.grid, (left, across), (right, across))
        sprites.write(
            canvas, left - LABEL_GAP, across, level.label, LETTERS, colours.label, weight=Weight.SEMIBOLD, anchor="r"
        )
    points = [(x_of(along), y_of(chips)) for along, chips in picture.points]
    start = y_of(picture.start)
    paint(canvas, colours.fill, _below(points, start))
    for dash in range(left, right, DASH + DASH_GAP):
        level_line(canvas, colours.start, (dash, round(start)), (min(dash + DASH, right), round(start)), START_LINE)
    paint(canvas, colours.line, stroke(points))
    x, y = points[-1]
    paint(canvas, colours.heading, _dot(x, y, DOT))
    paint(canvas, colours.line, _dot(x, y, DOT - 4))
    for at, mark in enumerate(picture.marks):
        half = sprites.width(mark.label, LETTERS, weight=Weight.SEMIBOLD) // 2
        middle = min(max(round(x_of(mark.at)), left + half), WIDTH - MARGIN - half)
        if at == 0 and len(picture.marks) > 1:
            middle = left + half
        sprites.write(
            canvas, middle, BOTTOM + 40, mark.label, LETTERS, colours.label, weight=Weight.SEMIBOLD, anchor="m"
        )
    return canvas


def bars_image(picture: BarsPicture) -> Image.Image:
    """Draw bars from top to bottom, 1100 × 620 pixels."""
    sprites = Sprites(picture.look)
    colours = sprites.theme.chart
    canvas = headed(sprites, picture.heading, picture.small_print)
    left, right = MARGIN + NAME_WIDTH, WIDTH - MARGIN - NUMBER_WIDTH
    low, high = min(0, *[bar.value for bar in picture.bars]), max(0, *[bar.value for bar in picture.bars])
    span = max(1, high - low)

    def x_of(value: int) -> int:
        return round(left + (right - left) * (value - low) / span)

    height = min(ROW_HEIGHT_MAX, (HEIGHT - MARGIN // 2 - TOP) // len(picture.bars))
    for at, bar in enumerate(picture.bars):
        _bar(canvas, sprites, bar, (x_of(0), x_of(bar.value)), TOP + at * height + height // 2, height)
    level_line(canvas, colours.start, (x_of(0), TOP), (x_of(0), TOP + height * len(picture.bars)), START_LINE)
    return canvas


def _bar(canvas: Image.Image, sprites: Sprites, bar: ChartBar, ends: tuple[int, int], y: int, height: int) -> None:
    colours = sprites.theme.chart
    widest = NAME_WIDTH - LABEL_GAP
    size = sprites.size_that_fits(bar.name, LETTERS, LETTERS_MIN, widest)
    sprites.write(canvas, MARGIN, y, bar.name, size, colours.label, weight=Weight.SEMIBOLD, widest=widest)
    thick = min(BAR_HEIGHT_MAX, height - 12)
    from_x, to_x = min(ends), max(*ends, min(ends) + 1)
    colour = colours.loss if bar.value < 0 else colours.gain
    canvas.paste(colour, (from_x, y - thick // 2, to_x, y + thick - thick // 2))
    widest = NUMBER_WIDTH - LABEL_GAP
    size = sprites.size_that_fits(bar.label, LETTERS, LETTERS_MIN, widest)
    sprites.write(canvas, WIDTH - MARGIN, y, bar.label, size, colours.heading, anchor="r", widest=widest)


def headed(sprites: Sprites, heading: str, small_print: str) -> Image.Image:
    """Return the ground of a chart, with its heading and small print."""
    colours = sprites.theme.chart
    canvas = _ground(colours).copy()
    widest = WIDTH - 2 * MARGIN
    sprites.write(canvas, MARGIN, 42, heading, HEADING_LETTERS, colours.heading, weight=Weight.EXTRABOLD, widest=widest)
    sprites.write(canvas, MARGIN, 92, small_print, LETTERS, colours.label, weight=Weight.SEMIBOLD, widest=widest)
    return canvas


# lines, drawn larger as masks and reduced


def level_line(canvas: Image.Image, colour: str, start: tuple[int, int], end: tuple[int, int], thick: int = 2) -> None:
    """Draw a level or upright line, possibly translucent."""
    (x, y), (to_x, to_y) = start, end
    size = (max(thick, to_x - x), max(thick, to_y - y))
    paint(canvas, colour, (Image.new("L", size, 255), (x - (thick // 2 if x == to_x else 0), y - thick // 2)))


def paint(canvas: Image.Image, colour: str, mask: Mask) -> None:
    """Lay a colour, possibly translucent, where a mask is."""
    cover, corner = mask
    alpha = int(colour[7:9] or "FF", 16)
    if alpha < 255:
        cover = cover.point([level * alpha // 255 for level in range(256)])
    canvas.paste(colour[:7], corner, cover)


def _whole() -> tuple[Image.Image, ImageDraw.ImageDraw]:
    mask = Image.new("L", (WIDTH * FINER, HEIGHT * FINER))
    return mask, ImageDraw.Draw(mask)


def _finer(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    return [(x * FINER, y * FINER) for x, y in points]


def stroke(points: list[tuple[float, float]], thick: int = LINE) -> Mask:
    """A line through these points. Its mask is no larger than it is: that costs most of the time."""
    left = int(min([x for x, _ in points])) - thick
    top = int(min([y for _, y in points])) - thick
    width = int(max([x for x, _ in points])) + 2 * thick - left
    height = int(max([y for _, y in points])) + 2 * thick - top
    mask = Image.new("L", (width * FINER, height * FINER))
    if len(points) > 1:
        within = [((x - left) * FINER, (y - top) * FINER) for x, y in points]
        ImageDraw.Draw(mask).line(within, 255, thick * FINER, joint="curve")
    return mask.reduce(FINER), (left, top)


def _below(points: list[tuple[float, float]], start: float) -> Mask:
    """What lies between a line and the level where it began."""
    mask, pencil = _whole()
    if len(points) > 1:
        pencil.polygon(_finer([(points[0][0], start), *points, (points[-1][0], start)]), 255)
    return mask.reduce(FINER), (0, 0)


def _dot(x: float, y: float, radius: int) -> Mask:
    size, finer = 2 * radius + 2, 4
    mask = Image.new("L", (size * finer, size * finer))
    ImageDraw.Draw(mask).ellipse((finer, finer, (size - 1) * finer, (size - 1) * finer), 255)
    return mask.reduce(finer), (round(x) - radius - 1, round(y) - radius - 1)
