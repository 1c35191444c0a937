"""Hands without a board at the end: the felt is empty, so they lie large on what is free of it, and the winner is told where they sit."""

from __future__ import annotations

from enum import Enum, auto
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from msgspec.structs import replace

from bot.pictures.geometry import GAP, ROW_HEIGHT, TUCK, WIDTH, Box, Room, Seating, Side, seat_rooms
from bot.pictures.items import FONTS, FRAME, PILL_HEIGHT, Item, Kind, text_width
from bot.pictures.middle import BANNER_HEIGHT, banner, middle, smallest_banner
from bot.pictures.rows import backs, frame_width, is_open, least_width, open_row, pills_of
from bot.pictures.types import Canvas, PictureSeat, TablePicture

LARGE_HEIGHTS = (148, 128, 112, 92)
"""How high cards can be that lie wherever the felt is free. The winners' can be higher than the others'."""

LOSERS_HEIGHT = 128
"""Beside a winner, the others' cards are no higher."""

CROWDED = 5
"""With more open hands than this there is no felt to spare before a winner."""

BACK_PEEK = 40
"""So much of a hidden card looks out from under the plate."""

WON_HEIGHT = 48
"""How high the gold pill is with what a seat has won."""

WIDEST_BANNER = 520
_MARGIN, _STEP, _TOUCH = 8, 12, 48
"""From the edge of the picture; from one place that is tried to the next; how much of its plate a hand lies along."""


class Order(Enum):
    """Who finds a place first. Where hands are tight, their cards overlap as far as they can be read, which leaves felt for the next."""

    WINNERS_FIRST = auto()
    TIGHT = auto()
    TIGHT_WINNERS_LAST = auto()


class _How(NamedTuple):
    """One way to try.

    Attributes:
        winner, loser: how low and how high their cards can be.
        at_seats: winners are told at their seats.
        is_named: there is to be room for the others' hands in words.
    """

    winner: tuple[int, int]
    loser: tuple[int, int]
    order: Order
    at_seats: bool
    is_named: bool


class Plan(NamedTuple):
    """Where hands lie.

    Attributes:
        between: what lies in the middle.
        rooms: the felt of each seat.
        height: of the open cards of a seat whose room has no height of its own.
        is_told_at_seats: winners have what they won, and their hands in words, in front of them, and not in the middle.
    """

    between: list[Item]
    rooms: tuple[Room, ...]
    height: int
    is_told_at_seats: bool


def won_width(words: str) -> int:
    """Return how wide the gold pill is, with its chip."""
    weight, size = FONTS[Kind.WON]
    return text_width(words, size, weight) + WON_HEIGHT + 22


def large_hands(picture: TablePicture, table: Seating) -> Plan | None:
    """Return where open hands lie as large as they can; None with a board, on a strip, and where there are too many of them."""
    if picture.boards or picture.canvas is Canvas.STRIP or not any(map(is_open, picture.seats)):
        return None
    winners = [seat for seat in picture.seats if seat.won]
    bare = replace(picture, banners=(), heading="", small_print="")
    told: list[TablePicture] = []
    is_crowded = sum(map(is_open, picture.seats)) > CROWDED
    if winners and all(seat.banners for seat in winners) and not is_crowded:
        told = [bare, replace(bare, pot_chips="", pots="")]  # without the pot, there is more felt
    for is_named, lowest, between, highest, order in product(
        (True, False), LARGE_HEIGHTS[-2:], map(middle, told), LARGE_HEIGHTS, Order
    ):
        if highest < lowest:
            continue
        winner, loser = (lowest, highest), (ROW_HEIGHT, min(highest, LOSERS_HEIGHT))
        how = _How(winner, loser, order, at_seats=True, is_named=is_named)
        rooms = _rooms_for(picture, table, between, how)
        if rooms is not None:
            return Plan(between, rooms, lowest, is_told_at_seats=True)
    between = middle(picture)
    for is_named, height, order in product((True, False), (*LARGE_HEIGHTS, ROW_HEIGHT), Order):
        how = _How((height, height), (height, height), order, at_seats=False, is_named=is_named)
        rooms = _rooms_for(picture, table, between, how)
        if rooms is not None:
            return Plan(between, rooms, height, is_told_at_seats=False)
    return None


def _rooms_for(picture: TablePicture, table: Seating, between: list[Item], how: _How) -> tuple[Room, ...] | None:
    """Find a free place along its plate for what lies before each seat, one after another, each as large as it can be."""
    rooms = list(seat_rooms(table, tuple(item.box for item in between)))
    taken = [item.box.grown(GAP) for item in between]
    plates = [(seat, _with_gaps(table.plates[seat.number - 1])) for seat in picture.seats]
    for seat in sorted(picture.seats, key=lambda seat: bool(seat.won) is (how.order is Order.TIGHT_WINNERS_LAST)):
        room, plate = rooms[seat.number - 1], table.plates[seat.number - 1]
        others = [box for other, box in plates if other is not seat]
        lowest, highest = how.winner if seat.won else how.loser
        sizes = [
            (height, width, depth)
            for height in (*LARGE_HEIGHTS, ROW_HEIGHT)
            if lowest <= height <= highest
            for widths, depth in (_size(seat, height, how.at_seats, how.is_named),)
            for width in (widths if how.order is Order.WINNERS_FIRST else widths[-1:])
            if depth
        ]
        for height, width, depth in sizes:
            box = _free(plate, room, width, depth, [*taken, *others])
            if box is not None:
                taken.append(box.grown(GAP))
                rooms[seat.number - 1] = room._replace(
                    box=_touching(box, room.side), anchor=box.centre[0], spread=width - 2 * FRAME, height=height
                )
                break
        else:
            if sizes:
                return None
    return tuple(rooms)


def _with_gaps(plate: Box) -> Box:
    """Return what nothing can lie on beside a plate."""
    return Box(plate.left - GAP, plate.top, plate.right + GAP, plate.bottom)


@lru_cache(maxsize=256)
def _size(seat: PictureSeat, height: int, at_seats: bool, is_named: bool) -> tuple[list[int], int]:
    """Return the widths that will do for what lies before a seat, the best first, and how far it reaches from the plate."""
    pills = list(pills_of(seat, WIDEST_BANNER))
    widest, depth = sum(pill.box.width + GAP for pill in pills), PILL_HEIGHT + GAP + TUCK if pills else 0
    widths = [0]
    if is_open(seat):
        spread, overlapping = open_row(seat, height, WIDTH).width, open_row(seat, height).width
        frame = 2 * frame_width(seat)
        widths = [spread + frame, overlapping + frame, least_width(seat, height)]
        depth += height
    elif seat.cards:
        widths = [backs(seat).width]
        depth += BACK_PEEK + GAP
    if at_seats and seat.won:
        widest = max(widest, won_width(seat.won))
        large = max(banner(words, 0, WIDEST_BANNER, BANNER_HEIGHT).box.width for words in seat.banners)
        small = max(smallest_banner(words, BANNER_HEIGHT) for words in seat.banners)
        widths = [max(width, banner_width) for banner_width in (large, small) for width in widths]
        depth += FRAME + GAP + WON_HEIGHT + (GAP + BANNER_HEIGHT) * len(seat.banners)
    elif seat.hand and is_named:
        depth += FRAME + GAP + PILL_HEIGHT
    return [max(width, widest) for width in widths], depth


def _touching(box: Box, side: Side) -> Box:
    """Return a place as far as rooms of seats reach: those above a plate a little over its edge."""
    return box if side is Side.BELOW else box._replace(bottom=box.bottom + TUCK)


def _free(plate: Box, room: Room, width: int, depth: int, taken: list[Box]) -> Box | None:
    """Return the place of this size along a plate, on its side of the felt and nearest to its middle, where nothing else lies."""
    top = plate.bottom if room.side is Side.BELOW else plate.top - depth
    bottom = top + depth
    first, last = max(_MARGIN, plate.left + _TOUCH - width), min(WIDTH - _MARGIN - width, plate.right - _TOUCH)
    best = min(max(plate.centre[0] - width // 2, first), last)
    if first > last:
        return None
    lefts = [best, last, *range(first, last + 1, _STEP)]
    for other in taken:
        if other.top < bottom and top < other.bottom:
            start, end = other.left - width, other.right
            lefts = [left for left in lefts if not start < left < end]
    if not lefts:
        return None
    left = best if lefts[0] == best else min(lefts, key=lambda left: abs(left - best))
    return Box(left, top, left + width, bottom)
