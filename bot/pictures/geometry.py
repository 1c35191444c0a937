"""Where things lie on the canvas: boxes, the centres of the seats, and the room that each seat has on the felt.

All lengths are pixels of the canvas, with the origin in its upper left corner.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

from bot.pictures.types import Canvas

WIDTH, HEIGHT, STRIP_HEIGHT = 1100, 820, 480
"""Of a canvas: both are equally wide, and the strip is lower."""
PLATE_WIDTH, PLATE_HEIGHT = 270, 96
STRIP_PLATES = {1: (270, 80), 2: (270, 80), 3: (270, 80), 4: (250, 80), 5: (200, 80)}
"""Width and height of the plates of a strip, by how many lie in its longer row."""
GAP = 4
"""Between two things that do not belong together."""

ROW_WIDTH, ROW_HEIGHT = 278, 80
"""The room that seven open cards need."""

TUCK = 4
"""The cards of a seat touch its plate by so much."""

_MARGIN = 8
_STRIP_MARGIN = 5
"""Between a strip's plates and its upper and lower edge."""


class Box(NamedTuple):
    """A rectangle; the right and the lower edge lie outside it."""

    left: int
    top: int
    right: int
    bottom: int

    @classmethod
    def around(cls, x: int, y: int, width: int, height: int) -> Box:
        """Return the box of this size whose centre lies at x, y."""
        left, top = x - width // 2, y - height // 2
        return cls(left, top, left + width, top + height)

    @property
    def width(self) -> int:
        return self.right - self.left

    @property
    def height(self) -> int:
        return self.bottom - self.top

    @property
    def centre(self) -> tuple[int, int]:
        return (self.left + self.right) // 2, (self.top + self.bottom) // 2

    def overlaps(self, other: Box) -> bool:
        """Tell whether the two share a pixel."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def grown(self, by: int) -> Box:
        """Return the box with so much more on each side."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def moved(self, across: int, down: int = 0) -> Box:
        """Return the box so much further right, and lower."""
        return Box(self.left + across, self.top + down, self.right + across, self.bottom + down)

    def is_inside(self, other: Box) -> bool:
        """Tell whether no pixel lies outside the other box."""
        return (
            self.left >= other.left
            and self.top >= other.top
            and self.right <= other.right
            and self.bottom <= other.bottom
        )


CANVAS_BOXES = {Canvas.FULL: Box(0, 0, WIDTH, HEIGHT), Canvas.STRIP: Box(0, 0, WIDTH, STRIP_HEIGHT)}
"""The whole of a picture."""


class Side(StrEnum):
    """On which side of its plate a seat has the felt."""

    BELOW = "below"
    ABOVE = "above"


_BOTTOM, _TOP = (550, 754), (550, 72)
_LOW_LEFT, _HIGH_LEFT, _HIGH_RIGHT, _LOW_RIGHT = (143, 610), (143, 246), (957, 246), (957, 610)
_BOTTOM_LEFT, _BOTTOM_RIGHT = (345, 754), (755, 754)

_CENTRES: dict[int, tuple[tuple[int, int], ...]] = {
    2: (_BOTTOM, _TOP),
    3: (_BOTTOM, _HIGH_LEFT, _HIGH_RIGHT),
    4: (_LOW_LEFT, _HIGH_LEFT, _HIGH_RIGHT, _LOW_RIGHT),
    5: (_BOTTOM, _LOW_LEFT, _HIGH_LEFT, _HIGH_RIGHT, _LOW_RIGHT),
    6: (_BOTTOM, _LOW_LEFT, _HIGH_LEFT, _TOP, _HIGH_RIGHT, _LOW_RIGHT),
    7: (_BOTTOM_LEFT, _LOW_LEFT, _HIGH_LEFT, _TOP, _HIGH_RIGHT, _LOW_RIGHT, _BOTTOM_RIGHT),
    8: (_BOTTOM_LEFT, _LOW_LEFT, _HIGH_LEFT, (345, 72), (755, 72), _HIGH_RIGHT, _LOW_RIGHT, _BOTTOM_RIGHT),
    9: (_BOTTOM_LEFT, _LOW_LEFT, _HIGH_LEFT, (203, 72), _TOP, (897, 72), _HIGH_RIGHT, _LOW_RIGHT, _BOTTOM_RIGHT),
    10: (
        (203, 754),
        (143, 594),
        _HIGH_LEFT,
        (203, 72),
        _TOP,
        (897, 72),
        _HIGH_RIGHT,
        (957, 594),
        (897, 754),
        _BOTTOM,
    ),
}
"""The centres of the plates, clockwise from the bottom, by the number of seats. The table is symmetrical whenever it can be."""

SEAT_COUNTS = tuple(_CENTRES)


@dataclass(frozen=True)
class Seating:
    """Where the plates of a table lie.

    Attributes:
        canvas: the whole picture.
        centres: of the plates of seats 1, 2, … clockwise from the bottom.
    """

    canvas: Box
    centres: tuple[tuple[int, int], ...]
    plate_width: int = PLATE_WIDTH
    plate_height: int = PLATE_HEIGHT

    @cached_property
    def plates(self) -> tuple[Box, ...]:
        """The boxes of the plates, in the order of the seats."""
        return tuple(Box.around(*centre, self.plate_width, self.plate_height) for centre in self.centres)


@cache
def seating(canvas: Canvas, seat_count: int) -> Seating:
    """Return where the plates lie.

    Raises:
        ValueError: pictures have 2 to 10 seats.
    """
    if seat_count not in _CENTRES:
        raise ValueError(f"a picture has 2 to 10 seats, not {seat_count}")
    centres, box = _CENTRES[seat_count], CANVAS_BOXES[canvas]
    return Seating(box, centres) if canvas is Canvas.FULL else _in_two_rows(box, centres)


def _in_two_rows(canvas: Box, centres: tuple[tuple[int, int], ...]) -> Seating:
    """Return the seats of a full table along the upper and the lower edge of a strip, in the same order around it."""
    rows = [sorted(at for at in centres if (at[1] < HEIGHT // 2) is upper) for upper in (True, False)]
    width, height = STRIP_PLATES[max(map(len, rows))]
    edge = _STRIP_MARGIN + height // 2
    found = {}
    for row, y in zip(rows, (edge, canvas.bottom - edge), strict=True):
        columns = max(len(row), 3) if len(row) == 2 else len(row)
        for number, at in enumerate(row):
            column = number * (columns - 1) if len(row) == 2 else number  # two sit in the corners
            found[at] = ((2 * column + 1) * canvas.width // (2 * columns), y)
    return Seating(canvas, tuple(found[at] for at in centres), width, height)


class Room(NamedTuple):
    """The part of the felt that belongs to one seat: its cards, its chips and what is said of it lie here.

    Attributes:
        box: nothing of another seat and nothing of the middle lies here.
        side: on which side of the plate it is.
        anchor: the x around which the cards are centred while there is space.
        reach: how far the plate reaches to each side of it.
        spread: cards that need no more width than this lie side by side without overlapping; 0 for none.
        height: of its open cards; 0 for the height of all.
    """

    box: Box
    side: Side
    anchor: int
    reach: int = PLATE_WIDTH // 2
    spread: int = 0
    height: int = 0


@lru_cache(maxsize=256)
def seat_rooms(seats: Seating, middle: tuple[Box, ...]) -> tuple[Room, ...]:
    """Share the felt around the middle among the seats.

    Args:
        middle: what lies in the middle: board, pot, words.
    """
    room = _room if seats.canvas.height == HEIGHT else _strip_room
    return tuple(room(seat, seats, middle) for seat in range(len(seats.centres)))


def _strip_room(seat: int, seats: Seating, middle: tuple[Box, ...]) -> Room:
    """Begin with the half of the height and the columns up to half-way to the neighbours, and cut away what lies in the middle."""
    (x, y), plate, canvas = seats.centres[seat], seats.plates[seat], seats.canvas
    below = y < canvas.height // 2
    beside = [at[0] for at in seats.centres if at[1] == y]
    left = max([(x + other) // 2 + GAP // 2 for other in beside if other < x], default=GAP)
    right = min([(x + other) // 2 - GAP // 2 for other in beside if other > x], default=WIDTH - GAP)
    half = canvas.height // 2
    box = Box(left, plate.bottom - TUCK, right, half - GAP // 2)
    if not below:
        box = Box(left, half + GAP // 2, right, plate.top + TUCK)
    return Room(_lowered(box, middle, below), Side.BELOW if below else Side.ABOVE, x, plate.width // 2)


def _room(seat: int, seats: Seating, middle: tuple[Box, ...]) -> Room:
    """Begin with a generous box at the felt's side of the plate, and cut away what belongs to others."""
    centres, plates = seats.centres, seats.plates
    (x, y), plate = centres[seat], plates[seat]
    below = y < HEIGHT // 2
    side = Side.BELOW if below else Side.ABOVE
    if _is_at_an_end(y):
        half = _halfway(seat, centres)
        left, right = (_MARGIN, WIDTH // 2 - GAP) if x < WIDTH // 2 else (WIDTH // 2 + GAP, WIDTH - _MARGIN)
        box = (
            Box(left, plate.bottom - TUCK, right, half - GAP)
            if below
            else Box(left, half + GAP, right, plate.top + TUCK)
        )
        return Room(_narrowed(box, middle, x, below), side, x)
    others = [other for number, other in enumerate(plates) if number != seat]
    if below:
        rows = [other.top for other in others if other.top > plate.bottom and _share_columns(other, plate)]
        box = Box(plate.left, plate.bottom - TUCK, plate.right, min([286, *(top - 1 for top in rows)]))
    else:
        rows = [other.bottom for other in others if other.bottom < plate.top and _share_columns(other, plate)]
        box = Box(plate.left, max([572, *(bottom + 1 for bottom in rows)]), plate.right, plate.top + TUCK)
    alone = all(other.top != plate.top for other in others)
    if alone or abs(x - WIDTH // 2) in range(1, 300):
        box = _widened(box, x, alone=alone, below=below)
    return Room(_lowered(box, middle, below), side, x)


def _is_at_an_end(y: int) -> bool:
    """Tell whether a seat is at the left or right end of the table, with its felt below or above it, and not at the top or bottom."""
    return y - PLATE_HEIGHT > PLATE_HEIGHT and y + PLATE_HEIGHT < HEIGHT - PLATE_HEIGHT // 2


def _share_columns(one: Box, other: Box) -> bool:
    return one.left < other.right and other.left < one.right


def _halfway(seat: int, centres: tuple[tuple[int, int], ...]) -> int:
    """Return the height at which the felt of the two seats on one side of the table is divided."""
    x, y = centres[seat]
    other = [at for at in centres if at[0] == x and at[1] != y and _is_at_an_end(at[1])]
    return (y + other[0][1]) // 2 if other else (430 if y < HEIGHT // 2 else 426)


def _widened(box: Box, x: int, *, alone: bool, below: bool) -> Box:
    """Return the room of a seat that reaches further to the middle of the table than its plate.

    At the bottom, where cards must look out over the plate, it begins beside the neighbour's plate instead of under it.
    """
    neighbour = _MARGIN + PLATE_WIDTH + GAP + 2
    if alone:
        return box._replace(left=neighbour, right=WIDTH - neighbour)
    left, right = (box.left, WIDTH // 2 - GAP) if x < WIDTH // 2 else (WIDTH // 2 + GAP, box.right)
    if below:
        return box._replace(left=left, right=right)
    return Box(max(left, neighbour), 572, min(right, WIDTH - neighbour), box.bottom)


def _narrowed(box: Box, middle: tuple[Box, ...], x: int, below: bool) -> Box:
    """Cut away what lies in the middle: by columns, or by rows where many cards would not find enough width."""
    for other in middle:
        if other.overlaps(box):
            lower = _lowered(box, (other,), below)
            narrower = box._replace(right=other.left - GAP) if x < WIDTH // 2 else box._replace(left=other.right + GAP)
            box = lower if narrower.width < ROW_WIDTH and lower.height >= ROW_HEIGHT else narrower
    return box


def _lowered(box: Box, middle: tuple[Box, ...], below: bool) -> Box:
    """Cut away the rows in which something of the middle lies."""
    for other in middle:
        if other.overlaps(box):
            box = box._replace(bottom=other.top - GAP) if below else box._replace(top=other.bottom + GAP)
    return box
