"""What a picture consists of and where each part lies: from the values of a table to a list of items with their boxes, without painting.

The middle of the table is laid out first, then every seat in the room that is left to it, then what fits beside them: the dealer button and
the hands in words. One way serves all games; a game shows only in what the values hold.
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.pictures.geometry import (
    GAP,
    PLATE_HEIGHT,
    ROW_HEIGHT,
    TUCK,
    WIDTH,
    Box,
    Room,
    Seating,
    Side,
    seat_rooms,
    seating,
)
from bot.pictures.items import FONTS, FRAME, NARROW_FACE, PILL_HEIGHT, Item, Kind, fit_text, text_width
from bot.pictures.large_hands import BACK_PEEK, WON_HEIGHT, Plan, large_hands, won_width
from bot.pictures.middle import BANNER_HEIGHT, banner, middle
from bot.pictures.names import clean_name
from bot.pictures.rows import Row, backs, frame_width, is_open, least_width, open_row, pills_of, pills_width
from bot.pictures.types import Canvas, PictureSeat, SeatState, TablePicture

DEALER = 42
BADGE = 34
CHIPS_LEAST = 22
"""Beside a dealer button on a strip's plate there is no room for five figures as large as others. Small ones are better than cut ones."""
HEIGHTS = {Canvas.FULL: (92, ROW_HEIGHT, 72, 62), Canvas.STRIP: (112, 92, ROW_HEIGHT, 72, 62)}
"""How high the open cards of the seats can be. There are few heights, so that cards that were drawn before can be used again."""


def lay_out(picture: TablePicture) -> tuple[Item, ...]:
    """Return all items of a picture in the order in which they are painted.

    Raises:
        ValueError: the number of seats, or the number of a seat, is none that pictures have.
    """
    table = seating(picture.canvas, picture.seat_count)
    if any(not 1 <= seat.number <= picture.seat_count for seat in picture.seats):
        raise ValueError("a seat's number is higher than the number of seats")
    between, rooms, height, is_told = large_hands(picture, table) or _in_usual_rooms(picture, table)
    seats: list[Item] = []
    taken = [item.box for item in between] + [table.plates[seat.number - 1] for seat in picture.seats]
    for seat in picture.seats:
        room = rooms[seat.number - 1]
        before = list(_before_seat(seat, room, room.height or height))
        if is_told and seat.won:
            before += _told(seat, room, before)
        seats += before
        taken += [item.box for item in before]
    for seat in picture.seats:
        if seat.is_dealer:
            seats += _dealer(seat, table, rooms[seat.number - 1].side, taken)
            taken.append(seats[-1].box)
    for put in (_won, _hand):
        for seat in sorted(picture.seats, key=lambda seat: not seat.won):
            cards = [item.box for item in seats if item.seat is seat and item.kind is Kind.CARD]
            if not any(item.seat is seat and item.kind is Kind.BANNER for item in seats):
                found = list(put(seat, rooms[seat.number - 1], cards, taken))
                seats += found
                taken += [item.box for item in found]
    plates = [item for seat in picture.seats for item in _plate(seat, table.plates[seat.number - 1], seats)]
    under = [item for item in seats if _is_tucked(item, rooms)]
    over = [item for item in seats if not _is_tucked(item, rooms)]
    return (
        *between,
        *under,
        *(item for item in plates if item.kind is Kind.PLATE),
        *(item for item in over if item.kind is Kind.CARD),
        *(item for item in plates if item.kind is not Kind.PLATE),
        *(item for item in over if item.kind is not Kind.CARD),
    )


def _is_tucked(item: Item, rooms: tuple[Room, ...]) -> bool:
    """Tell whether an item lies under the plate: backs always, and open cards of the seats at the bottom, whose faces begin at the top."""
    if item.kind is not Kind.CARD or item.seat is None:
        return False
    return not is_open(item.seat) or rooms[item.seat.number - 1].side is Side.ABOVE


def _in_usual_rooms(picture: TablePicture, table: Seating) -> Plan:
    """Share the felt among the seats as it is for most hands, whoever has cards."""
    between = middle(picture)
    rooms = seat_rooms(table, tuple(item.box for item in between))
    return Plan(between, rooms, _card_height(picture, rooms), is_told_at_seats=False)


def _card_height(picture: TablePicture, rooms: tuple[Room, ...]) -> int:
    """Return the height of open cards, the same at all seats: the largest at which every seat's cards can be read."""
    near = [(seat, rooms[seat.number - 1]) for seat in picture.seats if seat.cards]
    heights = HEIGHTS[picture.canvas]
    return next((height for height in heights if all(_fits(seat, room, height) for seat, room in near)), heights[-1])


def _fits(seat: PictureSeat, room: Room, height: int) -> bool:
    """Tell whether the cards of a seat can be read at a height: enough of each looks out from under the next card and the plate."""
    width = room.box.width
    if is_open(seat) and not _is_deep(room, height):
        width -= pills_width(list(pills_of(seat, width)))
    face = 1.0 if any(card.is_wild for card in seat.cards) else NARROW_FACE
    seen = height if room.side is Side.BELOW else height * face + TUCK
    return least_width(seat, height) <= width and seen <= room.box.height


def _is_deep(room: Room, height: int) -> bool:
    """Tell whether a bet or a note has room beyond cards of this height."""
    return height + TUCK + GAP + PILL_HEIGHT <= room.box.height


def _before_seat(seat: PictureSeat, room: Room, height: int) -> Iterator[Item]:
    """Return the cards of a seat and its pills."""
    cards = open_row(seat, height, room.spread) if is_open(seat) else backs(seat)
    pills = list(pills_of(seat, room.box.width))
    box = room.box
    row_height = min(cards.height if is_open(seat) else BACK_PEEK + 4, box.height)
    if not seat.cards:
        yield from _pills_in(pills, box, room, stacked=True)
    elif not pills:
        yield from _row(seat, cards, box, room, centred=is_open(seat))
    elif is_open(seat) and _is_deep(room, row_height):
        yield from _row(seat, cards, box, room, centred=True)
        yield from _pills_in(pills, _beyond(box, room, row_height + TUCK), room, stacked=False)
    elif not is_open(seat) and _is_deep(room, BACK_PEEK) and pills_width(pills) + cards.width > box.width:
        both = sum(pill.box.width + GAP for pill in pills) <= box.width
        yield from _row(seat, cards, box, room, centred=True)
        yield from _pills_in(pills if both else pills[-1:], _beyond(box, room, BACK_PEEK + GAP), room, stacked=False)
    else:
        # Side by side: the cards on the side of the table's middle, the words on the outer side.
        pills = (
            pills[-1:] if box.height - TUCK < 2 * PILL_HEIGHT + GAP else pills
        )  # the note is the news; a posted blind is in the text too
        widest = max(pill.box.width for pill in pills)
        inner_left = room.anchor <= WIDTH // 2
        columns = _columns(box, room, cards, widest)
        outer = (
            columns._replace(right=columns.left + widest)
            if inner_left
            else columns._replace(left=columns.right - widest)
        )
        inner = columns._replace(left=outer.right + GAP) if inner_left else columns._replace(right=outer.left - GAP)
        yield from _row(seat, cards, inner, room, centred=False)
        yield from _pills_in(pills, outer, room, stacked=True)


def _columns(box: Box, room: Room, cards: Row, widest: int) -> Box:
    """Return the columns around the seat's own plate that words and cards need side by side."""
    needed = max(2 * 130, widest + GAP + cards.width)
    if needed >= box.width:
        return box
    left = min(max(room.anchor - needed // 2, box.left), box.right - needed)
    return box._replace(left=left, right=left + needed)


def _beyond(box: Box, room: Room, by: int) -> Box:
    """Return what is left of a room on the far side of the cards."""
    return box._replace(top=box.top + by) if room.side is Side.BELOW else box._replace(bottom=box.bottom - by)


def _row(seat: PictureSeat, cards: Row, box: Box, room: Room, *, centred: bool) -> Iterator[Item]:
    """Place cards at the plate's edge of a box."""
    lies_open = is_open(seat)
    frame = frame_width(seat) if lies_open else 0
    cards = cards.squeezed(box.width - 2 * frame)
    margin = frame if cards.width + 2 * frame <= box.width else 0
    if centred:
        x = room.anchor - cards.width // 2
    else:
        reach = room.reach - (39 if seat.is_dealer else 13)  # the dealer button lies in the corner of the plate
        inner = min(box.right - cards.width - margin, room.anchor + reach - cards.width)
        x = inner if room.anchor <= WIDTH // 2 else max(box.left + margin, room.anchor - room.reach + 13)
    x = min(max(x, box.left + margin), box.right - cards.width - margin)
    if lies_open:
        y = box.top if room.side is Side.BELOW else max(box.bottom - TUCK - cards.height, box.top)
    else:
        y = box.top + BACK_PEEK - cards.height if room.side is Side.BELOW else box.bottom - BACK_PEEK
    is_narrow = lies_open and (cards.is_narrow or (room.side is Side.ABOVE and cards.height > box.height - TUCK))
    lefts = [x + sum(cards.steps[:number]) for number in range(len(cards.cards))]
    for card, left in zip(cards.cards, lefts, strict=True):
        yield Item(
            Kind.CARD,
            Box(left, y, left + cards.card_width, y + cards.height),
            seat=seat,
            card=card,
            is_narrow=is_narrow,
        )
    hidden = [left for card, left in zip(cards.cards, lefts, strict=True) if card.card is None]
    if seat.hidden_count and hidden:
        weight, size = FONTS[Kind.COUNT]
        wide = max(32, text_width(str(seat.hidden_count), size, weight) + 12)
        top = min(y + cards.height, box.bottom - TUCK) - 34 if lies_open or room.side is Side.BELOW else y + 3
        yield Item(
            Kind.COUNT, Box(hidden[0] + 3, top, hidden[0] + 3 + wide, top + 32), str(seat.hidden_count), size, seat
        )


def _pills_in(pills: list[Item], box: Box, room: Room, *, stacked: bool) -> Iterator[Item]:
    """Place shapes beginning at the plate: below each other, or side by side."""
    if not pills:
        return
    below = room.side is Side.BELOW
    height = len(pills) * (PILL_HEIGHT + GAP) - GAP if stacked else PILL_HEIGHT
    away = min(TUCK + 6, max(TUCK, box.height - height))  # a little away from the plate, if there is space
    first = box.top + away if below else box.bottom - away - PILL_HEIGHT
    if stacked or len(pills) == 1:
        for number, pill in enumerate(pills):
            offset = number * (PILL_HEIGHT + GAP)
            y = first + offset if below else first - offset
            x = min(max(room.anchor - pill.box.width // 2, box.left), max(box.right - pill.box.width, box.left))
            yield pill._replace(box=Box(x, y, x + pill.box.width, y + PILL_HEIGHT))
        return
    whole = sum(pill.box.width for pill in pills) + GAP * (len(pills) - 1)
    x = min(max(room.anchor - whole // 2, box.left), max(box.right - whole, box.left))
    for pill in pills:
        yield pill._replace(box=Box(x, first, x + pill.box.width, first + PILL_HEIGHT))
        x += pill.box.width + GAP


def _dealer(seat: PictureSeat, table: Seating, side: Side, taken: list[Box]) -> Iterator[Item]:
    """Place the dealer button on the first corner of the plate that is free, those at the felt first."""
    own, (x, y) = table.plates[seat.number - 1], table.centres[seat.number - 1]
    dx, dy = own.width // 2 - 14, own.height // 2 - 7
    below, inward = side is Side.BELOW, 1 if x <= WIDTH // 2 else -1
    # The number badge lies in the lower left corner.
    lower = [(1, 1), (inward, -1)] if inward > 0 or own.top < own.height else [(inward, -1), (1, 1)]
    corners = [*lower, (-inward, -1)] if below else [(inward, -1), (-inward, -1), (1, 1)]
    boxes = [Box.around(x + across * dx, y + down * dy, DEALER, DEALER) for across, down in corners]
    free = [
        box
        for box in boxes
        if box.is_inside(table.canvas) and not any(box.grown(GAP).overlaps(other) for other in taken if other != own)
    ]
    over_avatar = Box(own.left + 2, own.top, own.left + 2 + DEALER, own.top + DEALER)
    yield Item(Kind.DEALER, (free or [over_avatar])[0], "D", FONTS[Kind.DEALER][1], seat)


def _plate(seat: PictureSeat, box: Box, others: list[Item]) -> Iterator[Item]:
    y = box.centre[1]
    button = next((item.box for item in others if item.kind is Kind.DEALER and item.seat is seat), None)
    yield Item(Kind.PLATE, box, seat=seat)
    avatar = box.height - 22
    disc = box.left + (14 if box.width > 240 else 6) + avatar // 2
    name = clean_name(seat.name) or f"#{seat.number}"
    initials = "" if seat.avatar else _initials(name)
    yield Item(Kind.AVATAR, Box.around(disc, y, avatar, avatar), initials, FONTS[Kind.AVATAR][1], seat)
    corner = Box.around(disc - 27, y + (box.height - 36) // 2, BADGE, BADGE)
    yield Item(Kind.BADGE, corner, str(seat.number), FONTS[Kind.BADGE][1], seat)
    margin = 12 if box.width > 240 else 6
    is_low = box.height < PLATE_HEIGHT
    is_told = any(item.kind is Kind.WON and item.seat is seat for item in others)
    chips = seat.chips if is_told or not seat.won else seat.won
    for kind, whole, at in (
        (Kind.NAME, name, y - (17 if is_low else 19)),
        (Kind.CHIPS, chips, y + (17 if is_low else 20)),
    ):
        weight, size = FONTS[kind]
        if kind is Kind.CHIPS and seat.state in {SeatState.FOLDED, SeatState.AWAY, SeatState.EMPTY} and not seat.won:
            weight, size = FONTS[Kind.NAME]
        height = size if is_low else size + 4
        line = Box(disc + avatar // 2 + 9, at - height // 2, box.right - margin, at - height // 2 + height)
        if button is not None and button.overlaps(line):
            line = line._replace(right=button.left - 2)
        least = 27 if kind is Kind.NAME else CHIPS_LEAST
        while text_width(whole, size, weight) > line.width and size > least:
            size -= 1
        words = fit_text(whole, size, weight, line.width)
        yield Item(kind, line._replace(right=line.left + text_width(words, size, weight)), words, size, seat)


def _initials(name: str) -> str:
    """Return one or two first letters of a name."""
    words = [word for word in name.split() if word[0].isalnum()]
    letters = [word[0] for word in words[:2]] or [character for character in name if character.isalnum()][:1]
    return "".join(letters).upper()


def _told(seat: PictureSeat, room: Room, before: list[Item]) -> Iterator[Item]:
    """Tell what a seat has won, and with which hands, in front of what lies before it."""
    below = room.side is Side.BELOW
    y = max(item.box.bottom for item in before) if below else min(item.box.top for item in before)
    box = Box.around(room.anchor, 0, won_width(seat.won), WON_HEIGHT)
    y += (FRAME + GAP) if below else -(FRAME + GAP + WON_HEIGHT)
    yield Item(Kind.WON, box.moved(0, y - box.top), seat.won, FONTS[Kind.WON][1], seat)
    y += WON_HEIGHT + GAP if below else -GAP
    for words in seat.banners if below else reversed(seat.banners):
        at = y + BANNER_HEIGHT // 2 if below else y - BANNER_HEIGHT // 2
        shown = banner(words, at, room.box.width, BANNER_HEIGHT, room.anchor)
        yield shown._replace(seat=seat)
        y += BANNER_HEIGHT + GAP if below else -(BANNER_HEIGHT + GAP)


def _won(seat: PictureSeat, room: Room, cards: list[Box], taken: list[Box]) -> Iterator[Item]:
    """Lay what a seat has won in front of it, where there is a free place for it; else its plate tells it."""
    if not seat.won:
        return
    below, width = room.side is Side.BELOW, won_width(seat.won)
    edge = room.box.top + TUCK if below else room.box.bottom - TUCK
    if cards:
        edge = max(box.bottom for box in cards) if below else min(box.top for box in cards)
    y = edge + FRAME + GAP if below else edge - FRAME - GAP - WON_HEIGHT
    for shift in (0, 30, -30, 60, -60, 90, -90, 120, -120):
        left = room.anchor + shift - width // 2
        box = Box(left, y, left + width, y + WON_HEIGHT)
        if box.is_inside(room.box) and not any(box.overlaps(other) for other in taken):
            yield Item(Kind.WON, box, seat.won, FONTS[Kind.WON][1], seat)
            return


def _hand(seat: PictureSeat, room: Room, cards: list[Box], taken: list[Box]) -> Iterator[Item]:
    """Name the hand of a seat beside its cards, where there is a free place for it."""
    if not seat.hand or not cards:
        return
    weight, size = FONTS[Kind.HAND]
    below = room.side is Side.BELOW
    middle = (cards[0].left + cards[-1].right) // 2
    for words in dict.fromkeys((seat.hand, seat.hand.split(",")[0])):
        width = text_width(words, size, weight) + 26
        for row in (0, 1):
            away = FRAME + GAP + row * (PILL_HEIGHT + GAP)
            y = cards[0].bottom + away if below else cards[0].top - away - PILL_HEIGHT
            for shift in (0, 30, -30, 60, -60, 90, -90, 120, -120):
                box = Box(middle - width // 2 + shift, y, middle - width // 2 + shift + width, y + PILL_HEIGHT)
                if box.is_inside(room.box) and not any(box.overlaps(other) for other in taken):
                    yield Item(Kind.HAND, box, words, size, seat)
                    return
