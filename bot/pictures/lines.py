"""Charts of several people: a line each, with its name at its end."""

from collections.abc import Callable, Sequence

from PIL import Image, ImageDraw

from bot.pictures.chart import (
    BOTTOM,
    DASH,
    DASH_GAP,
    LABEL_GAP,
    LETTERS,
    LETTERS_MIN,
    MARGIN,
    START_LINE,
    TOP,
    WIDTH,
    Mask,
    headed,
    level_line,
    paint,
    stroke,
)
from bot.pictures.coverage import Weight
from bot.pictures.names import clean_name
from bot.pictures.sprites import Sprites
from bot.pictures.types import ChartLine, LinesPicture

LINE, GREY_LINE = 6, 3
NAME_WIDTH, NAME_GAP = 230, 40
"""How much room names have beside the chart, and how far below each other they stand at least."""
NOTE_WIDTH, NOTE_GAP = 130, 12
"""The same of what stands after a name."""
SIGN = 13
"""Half the width of the sign at the end of a line, and before its name."""
RING, RING_LINE = 12, 5
Point = tuple[float, float]


def lines_image(picture: LinesPicture) -> Image.Image:
    """Draw a line for each person, 1100 × 620 pixels: told apart by colour, and by the sign at their end and before their name."""
    sprites = Sprites(picture.look)
    colours = sprites.theme.chart
    canvas = headed(sprites, picture.heading, picture.small_print)
    widest = max((sprites.width(level.label, LETTERS, weight=Weight.SEMIBOLD) for level in picture.levels), default=0)
    named = [line for line in picture.lines if line.name][: len(colours.people)]
    names = max((_name_width(sprites, line) for line in named), default=0)
    left, right = MARGIN + widest + LABEL_GAP, WIDTH - MARGIN - names - 4 * SIGN - LABEL_GAP
    along = [at for line in picture.lines for at, _ in line.points]
    first, last = min(along), max(along)
    values = [level.at for level in picture.levels] + [chips for line in picture.lines for _, chips in line.points]
    low, high = min(values), max(values)

    def pixel(at: int, chips: int) -> Point:
        x = left + (right - left) * ((at - first) / (last - first) if last > first else 0.5)
        return x, BOTTOM - (BOTTOM - TOP) * ((chips - low) / (high - low) if high > low else 0.5)

    for level in picture.levels:
        across = round(pixel(first, level.at)[1])
        level_line(canvas, colours.grid, (left, across), (right, across))
        sprites.write(
            canvas, left - LABEL_GAP, across, level.label, LETTERS, colours.label, weight=Weight.SEMIBOLD, anchor="r"
        )
    even = round(pixel(first, picture.even)[1])
    for dash in range(left, right, DASH + DASH_GAP):
        level_line(canvas, colours.start, (dash, even), (min(dash + DASH, right), even), START_LINE)
    for line in picture.lines:
        if line not in named:
            paint(canvas, colours.nobody, stroke([pixel(*point) for point in line.points], GREY_LINE))
    for at in reversed(range(len(named))):  # whoever is first lies on top
        _draw_line(canvas, named[at], colours.people[at], colours.top, pixel)
    _write_names(canvas, sprites, named, right, lambda line: pixel(*line.points[-1]))
    for at, mark in enumerate(picture.marks):
        half = sprites.width(mark.label, LETTERS, weight=Weight.SEMIBOLD) // 2
        middle = min(max(round(pixel(mark.at, 0)[0]), left + half), right + SIGN - half)
        if at == 0 and len(picture.marks) > 1:
            middle = left + half
        sprites.write(
            canvas, middle, BOTTOM + 40, mark.label, LETTERS, colours.label, weight=Weight.SEMIBOLD, anchor="m"
        )
    return canvas


def _draw_line(
    canvas: Image.Image, line: ChartLine, colour: str, ground: str, pixel: Callable[[int, int], Point]
) -> None:
    paint(canvas, colour, stroke([pixel(*point) for point in line.points], LINE))
    for point in line.rings:
        x, y = pixel(*point)
        paint(canvas, colour, _disc(x, y, RING))
        paint(canvas, ground, _disc(x, y, RING - RING_LINE))


def _write_names(
    canvas: Image.Image,
    sprites: Sprites,
    named: Sequence[ChartLine],
    right: int,
    end_of: Callable[[ChartLine], Point],
) -> None:
    """Write each name beside the end of its line; where ends lie close together, a thin line leads to it."""
    colours = sprites.theme.chart
    order = sorted(range(len(named)), key=lambda at: end_of(named[at])[1])
    heights = spread([end_of(named[at])[1] for at in order], NAME_GAP, TOP - 20, BOTTOM)
    x_sign = right + 3 * SIGN
    for at, height in zip(order, heights, strict=True):
        colour, (x, y) = colours.people[at], end_of(named[at])
        paint(canvas, colour, stroke([(x, y), (x_sign - SIGN, height)], 2))
        paint(canvas, colour, _sign(x, y, at))
        paint(canvas, colour, _sign(x_sign, height, at))
        name, x_name = clean_name(named[at].name) or "?", x_sign + SIGN + 8
        size = sprites.size_that_fits(name, LETTERS, LETTERS_MIN, NAME_WIDTH)
        written = sprites.write(
            canvas, x_name, round(height), name, size, colour, weight=Weight.BOLD, widest=NAME_WIDTH
        )
        if note := named[at].note:
            x_note = x_name + written + NOTE_GAP
            sprites.write(
                canvas, x_note, round(height), note, LETTERS_MIN, colours.label, weight=Weight.BOLD, widest=NOTE_WIDTH
            )


def _name_width(sprites: Sprites, line: ChartLine) -> int:
    """Return how much room a name and its note have."""
    name = min(sprites.width(line.name, LETTERS, weight=Weight.BOLD), NAME_WIDTH)
    if not line.note:
        return name
    return name + NOTE_GAP + sprites.width(line.note, LETTERS_MIN, weight=Weight.BOLD, widest=NOTE_WIDTH)


def spread(wanted: Sequence[float], gap: float, top: float, bottom: float) -> list[float]:
    """Return heights in the same order, at least `gap` apart and within bounds, as near to what is wanted as that allows.

    >>> spread([100, 105, 300], 40, 0, 600)
    [82.5, 122.5, 300]
    >>> spread([590, 595], 40, 0, 600)
    [560, 600]
    """
    groups: list[tuple[float, int]] = []  # the middle of what stands together, and how many they are
    for one in wanted:
        middle, count = one, 1
        while True:
            half = gap * (count - 1) / 2
            middle = min(max(middle, top + half), bottom - half)
            if not groups or groups[-1][0] + gap * (groups[-1][1] - 1) / 2 + gap <= middle - half:
                break
            other, others = groups.pop()
            middle, count = (other * others + middle * count) / (others + count), others + count
        groups.append((middle, count))
    return [middle + gap * (at - (count - 1) / 2) for middle, count in groups for at in range(count)]


# signs, drawn larger as masks and reduced


def _disc(x: float, y: float, radius: int) -> Mask:
    return _shape(x, y, radius, lambda pencil, size: pencil.ellipse((0, 0, size, size), 255))


def _sign(x: float, y: float, number: int) -> Mask:
    """One of ten signs: five shapes, filled and hollow."""
    return _shape(x, y, SIGN, lambda pencil, size: _draw_sign(pencil, size, number))


def _draw_sign(pencil: ImageDraw.ImageDraw, size: int, number: int) -> None:
    for inset, ink in ((0, 255), (size * 0.3, 0)) if number >= len(_SHAPES) else ((0, 255),):
        corners = _SHAPES[number % len(_SHAPES)]
        scale = size - 2 * inset
        if not corners:
            pencil.ellipse((inset, inset, size - inset, size - inset), ink)
        else:
            pencil.polygon([(inset + across * scale, inset + down * scale) for across, down in corners], ink)


_SHAPES: tuple[tuple[Point, ...], ...] = (
    (),  # a disc
    ((0.08, 0.08), (0.92, 0.08), (0.92, 0.92), (0.08, 0.92)),
    ((0.5, 0.0), (1.0, 0.95), (0.0, 0.95)),
    ((0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.0, 0.5)),
    ((0.0, 0.05), (1.0, 0.05), (0.5, 1.0)),
)


def _shape(x: float, y: float, radius: int, draw: Callable[[ImageDraw.ImageDraw, int], None]) -> Mask:
    size, larger = 2 * radius, 4
    mask = Image.new("L", (size * larger, size * larger))
    draw(ImageDraw.Draw(mask), size * larger - 1)
    return mask.reduce(larger), (round(x) - radius, round(y) - radius)
