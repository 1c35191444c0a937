"""The suits and the star as outlines of our own, so that no font decides what a suit looks like.

They are drawn around (0, 0) and reach about one unit in each direction; y grows downwards.
"""

Point = tuple[float, float]
Outline = list[Point]


def _curve(start: Point, first: Point, second: Point, end: Point, steps: int = 40) -> Outline:
    """Return the points on a cubic Bézier curve, without its start."""
    found = []
    for step in range(1, steps + 1):
        t = step / steps
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        found.append(tuple(a * p + b * q + c * r + d * s for p, q, r, s in zip(start, first, second, end, strict=True)))
    return [(x, y) for x, y in found]


def _path(start: Point, *curves: tuple[Point, Point, Point]) -> Outline:
    """Return an outline of curves, each given by two handles and its end."""
    outline = [start]
    for first, second, end in curves:
        outline += _curve(outline[-1], first, second, end)
    return outline


def _mirrored(right: Outline) -> Outline:
    """Close the right half of an outline, from top middle to bottom middle, with its mirror image."""
    return [*right, *((-x, y) for x, y in reversed(right))]


def _disc(x: float, y: float, radius: float) -> Outline:
    """Return a circle of four curves."""
    k = radius * 0.5523
    return _path(
        (x, y - radius),
        ((x + k, y - radius), (x + radius, y - k), (x + radius, y)),
        ((x + radius, y + k), (x + k, y + radius), (x, y + radius)),
        ((x - k, y + radius), (x - radius, y + k), (x - radius, y)),
        ((x - radius, y - k), (x - k, y - radius), (x, y - radius)),
    )


HEART = _mirrored(
    _path(
        (0, -0.66),
        ((0.10, -0.90), (0.34, -0.98), (0.54, -0.96)),
        ((0.82, -0.93), (1.00, -0.70), (1.00, -0.40)),
        ((1.00, 0.10), (0.44, 0.52), (0, 0.98)),
    )
)
STEM = _mirrored(
    _path(
        (0, 0.10),
        ((0.08, 0.10), (0.08, 0.20), (0.08, 0.30)),
        ((0.09, 0.62), (0.20, 0.86), (0.40, 1.00)),
        ((0.30, 1), (0.10, 1), (0, 1)),
    )
)
SPADE = _mirrored(
    _path(
        (0, -1.00),
        ((0.20, -0.58), (0.96, -0.22), (0.96, 0.32)),
        ((0.96, 0.60), (0.76, 0.78), (0.52, 0.78)),
        ((0.30, 0.78), (0.10, 0.66), (0, 0.46)),
    )
)
DIAMOND = _mirrored(
    _path((0, -1.02), ((0.22, -0.60), (0.48, -0.26), (0.78, 0)), ((0.48, 0.26), (0.22, 0.60), (0, 1.02)))
)
SUITS: tuple[tuple[Outline, ...], ...] = (
    (_disc(0, -0.50, 0.46), _disc(-0.51, 0.24, 0.46), _disc(0.51, 0.24, 0.46), _disc(0, 0.05, 0.25), STEM),
    (DIAMOND,),
    (HEART,),
    (SPADE, STEM),
)
"""The outlines of each suit, in the order of the engine: clubs, diamonds, hearts, spades."""

STAR: Outline = [
    (0.0, -1.0),
    (0.235, -0.324),
    (0.951, -0.309),
    (0.380, 0.124),
    (0.588, 0.809),
    (0.0, 0.4),
    (-0.588, 0.809),
    (-0.380, 0.124),
    (-0.951, -0.309),
    (-0.235, -0.324),
]
