"""What a picture consists of and where each part lies: from the values of a table to a list of items with their boxes, without painting.

The middle of the table is laid out first, then every seat in the room that is left to it, then what fits beside them: the dealer button and
the hands in words. One way serves all games; a game shows only in what the values hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from bot.pictures import text
from bot.pictures.cards import STRIP
from bot.pictures.coverage import Weight
from bot.pictures.geometry import (
    CANVAS,
    GAP,
    PLATE_HEIGHT,
    ROW_HEIGHT,
    TUCK,
    WIDTH,
    Box,
    Room,
    Side,
    plate_box,
    seat_centres,
    seat_rooms,
)
from bot.pictures.names import clean_name
from bot.pictures.types import PILLS, CardMark, PictureBoard, PictureCard, PictureSeat, Pill, SeatState, TablePicture

BOARD_TOP, BOARD_ROOM = 344, 658
"""Where a single board begins, and how wide five cards of it are with their gaps."""

BOARD_CARD, SMALL_BOARD_CARD = (122, 168), (108, 149)
"""Width and height of the cards of a single board; the smaller ones leave room for five or more cards of each seat."""

MIDDLE_WIDTH = 536
"""How wide words in the middle can be between the plates of the seats."""

POTS_BETWEEN = "·"
"""What stands between two pots; a line that is too long is broken there."""

FRAME = 5
"""How far the frame of a card that plays reaches beyond the card."""

RAISE = 10
"""A card of the board that plays lies so much higher."""

CHIP = 44
"""The chip beside the pot; the one beside a bet is as high as its words."""

PILL_HEIGHT = 36
DEALER = 42
AVATAR = 74
BADGE = 34
BACK_PEEK = 40
"""So much of a hidden card looks out from under the plate."""

HEIGHTS = (92, ROW_HEIGHT, 72, 62)
"""How high the open cards of the seats can be. There are few heights, so that cards that were drawn before can be used again."""

BOARD_HEIGHTS = (127, 116, 104, 92, 80, 72, 64, 56)
"""How high the cards of several boards can be."""

NARROW_FACE = 0.84
"""Rank and suit of a narrow face fill so much of the card's height; the rest can lie under the plate."""

CARD_RATIO = 0.726
"""A card's width by its height."""


def card_width(height: int) -> int:
    """Return how wide a card of this height is."""
    return round(height * CARD_RATIO)


text_width = lru_cache(maxsize=4096)(text.text_width)
fit_text = lru_cache(maxsize=4096)(text.fit_text)
"""Most words of a picture stood on an earlier one too; measuring them is half of the time of a layout."""


class Kind(StrEnum):
    """What an item is."""

    CARD = "card"
    SLOT = "slot"
    PLATE = "plate"
    AVATAR = "avatar"
    BADGE = "badge"
    NAME = "name"
    CHIPS = "chips"
    PILL = "pill"
    HAND = "hand"
    COUNT = "count"
    DEALER = "dealer"
    POT_CHIP = "pot chip"
    POT = "pot"
    POT_CHIPS = "pot chips"
    POTS = "pots"
    HEADING = "heading"
    SMALL_PRINT = "small print"
    BANNER = "banner"


FONTS: dict[Kind, tuple[Weight, int]] = {
    Kind.NAME: (Weight.SEMIBOLD, 30),
    Kind.CHIPS: (Weight.BOLD, 36),
    Kind.HAND: (Weight.SEMIBOLD, 27),
    Kind.COUNT: (Weight.BOLD, 28),
    Kind.BADGE: (Weight.BOLD, 27),
    Kind.AVATAR: (Weight.BOLD, 32),
    Kind.DEALER: (Weight.EXTRABOLD, 28),
    Kind.POT: (Weight.SEMIBOLD, 32),
    Kind.POT_CHIPS: (Weight.EXTRABOLD, 54),
    Kind.POTS: (Weight.SEMIBOLD, 30),
    Kind.HEADING: (Weight.EXTRABOLD, 36),
    Kind.SMALL_PRINT: (Weight.SEMIBOLD, 27),
    Kind.BANNER: (Weight.BOLD, 34),
}
"""Weight and size in pixels of the words of an item."""


class Item(NamedTuple):
    """One thing that is painted, in its place.

    Attributes:
        box: what it covers, without shadow or glow. The words of a picture are centred in their box, except names and chips, which begin
            at its left edge.
        words: its words, already cut to fit; empty for none.
        size: the size of the words in pixels.
        seat: the seat that it belongs to; None in the middle.
        card: what card it is, for cards.
        is_narrow: whether the card is drawn with its suit under the rank, because another one covers its right part.
        pill: how it is drawn, for pills.
    """

    kind: Kind
    box: Box
    words: str = ""
    size: int = 0
    seat: PictureSeat | None = None
    card: PictureCard | None = None
    is_narrow: bool = False
    pill: Pill | None = None

    @property
    def weight(self) -> Weight:
        """How bold its words are."""
        return pill_weight(self.pill) if self.pill is not None else FONTS[self.kind][0]


def pill_weight(pill: Pill) -> Weight:
    return Weight.BOLD if pill.is_bold else Weight.SEMIBOLD


def lay_out(picture: TablePicture) -> tuple[Item, ...]:
    """Return all items of a picture in the order in which they are painted.

    Raises:
        ValueError: the number of seats, or the number of a seat, is none that pictures have.
    """
    centres = seat_centres(picture.seat_count)
    if any(not 1 <= seat.number <= picture.seat_count for seat in picture.seats):
        raise ValueError("a seat's number is higher than the number of seats")
    middle = _middle(picture)
    rooms = seat_rooms(picture.seat_count, tuple(item.box for item in middle))
    height = _card_height(picture, rooms)
    seats: list[Item] = []
    taken = [item.box for item in middle] + [plate_box(centres[seat.number - 1]) for seat in picture.seats]
    for seat in picture.seats:
        before = list(_before_seat(seat, rooms[seat.number - 1], height))
        seats += before
        taken += [item.box for item in before]
    for seat in picture.seats:
        if seat.is_dealer:
            seats += _dealer(seat, centres[seat.number - 1], rooms[seat.number - 1].side, taken)
            taken.append(seats[-1].box)
    plates = [item for seat in picture.seats for item in _plate(seat, centres[seat.number - 1], seats)]
    for seat in sorted(picture.seats, key=lambda seat: not seat.has_won):
        cards = [item.box for item in seats if item.seat is seat and item.kind is Kind.CARD]
        named = list(_hand(seat, rooms[seat.number - 1], cards, taken))
        seats += named
        taken += [item.box for item in named]
    under = [item for item in seats if _is_tucked(item, rooms)]
    over = [item for item in seats if not _is_tucked(item, rooms)]
    return (
        *middle,
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
    return not _is_open(item.seat) or rooms[item.seat.number - 1].side is Side.ABOVE


# The middle


def _middle(picture: TablePicture) -> list[Item]:
    if not picture.boards:
        return list(_middle_without_board(picture))
    if len(picture.boards) == 1:
        return list(_middle_with_board(picture))
    return list(_middle_with_boards(picture))


def _middle_with_board(picture: TablePicture) -> Iterator[Item]:
    [board] = picture.boards
    pots = _pot_lines(picture.pots)
    yield from _pot(picture, 250 if len(pots) < 2 else 228, 54)
    for number, line in enumerate(pots, 1 - len(pots)):
        yield _words(Kind.POTS, line, 303 + 33 * number, MIDDLE_WIDTH)
    most = max((len(seat.cards) for seat in picture.seats), default=0)
    (width, height), gap = (BOARD_CARD, 12) if most < 5 else (SMALL_BOARD_CARD, 10)
    if board.size > 5:
        width = (BOARD_ROOM - gap * (board.size - 1)) // board.size
        height = width * BOARD_CARD[1] // BOARD_CARD[0]
    yield from _board(board, BOARD_TOP + (BOARD_CARD[1] - height) // 2, width, height, gap, RAISE)
    banners = [banner for banner in (board.banner, *picture.banners) if banner]
    if banners:
        for number, banner in enumerate(banners):
            yield _banner(
                banner, 555 if len(banners) == 1 else 548 + 50 * number, MIDDLE_WIDTH, 50 if len(banners) == 1 else 46
            )
    else:
        yield from _street(picture, 552)


def _middle_with_boards(picture: TablePicture) -> Iterator[Item]:
    """Two or three boards, each with its banner below it."""
    pots = _pot_lines(picture.pots)
    yield from _pot(picture, 236 if len(pots) < 2 else 226, 48)
    for number, line in enumerate(pots):
        yield _words(Kind.POTS, line, 282 + 34 * number - (14 if len(pots) > 1 else 0), MIDDLE_WIDTH)
    top, bottom = (274 + 32 * len(pots) - (12 if len(pots) > 1 else 0), 632)
    footer = (
        []
        if any(board.banner for board in picture.boards)
        else ([picture.heading] if picture.heading and not picture.banners else [])
    )
    banners = picture.banners
    bottom -= 48 * len(banners) + (46 if footer else 0)
    count = len(picture.boards)
    each = (bottom - top) // count
    banner_height = (44 if count == 2 else 36) if any(board.banner for board in picture.boards) else 0
    space = each - (banner_height + 2 * FRAME + 2 if banner_height else 14)
    height = next((height for height in BOARD_HEIGHTS if height <= space), BOARD_HEIGHTS[-1])
    sizes = max(board.size for board in picture.boards)
    width = min(card_width(height), (500 - 10 * (sizes - 1)) // sizes)
    for number, board in enumerate(picture.boards):
        at = top + number * each
        yield from _board(board, at + FRAME, width, height, 10, 0)
        if board.banner:
            yield _banner(board.banner, at + FRAME * 2 + height + 2 + banner_height // 2, 500, banner_height - 2)
    for number, banner in enumerate(banners):
        yield _banner(banner, bottom + 26 + 48 * number, 520, 44)
    for words in footer:
        yield _words(Kind.HEADING, words, bottom + 24, 500)


def _middle_without_board(picture: TablePicture) -> Iterator[Item]:
    rows: list[tuple[Kind, str, int]] = [(Kind.POT, "", 62)] if picture.pot_chips else []
    rows += [(Kind.POTS, line, 42) for line in _pot_lines(picture.pots)]
    banners = picture.banners
    rows += [(Kind.BANNER, banner, 50 if len(banners) > 1 else 56) for banner in banners]
    if not banners:
        rows += [(Kind.HEADING, picture.heading, 54)] if picture.heading else []
        rows += [(Kind.SMALL_PRINT, picture.small_print, 38)] if picture.small_print else []
    y = 402 - sum(height for _, _, height in rows) // 2
    for kind, words, height in rows:
        at = y + height // 2
        if kind is Kind.POT:
            yield from _pot(picture, at, 54)
        elif kind is Kind.BANNER:
            yield _banner(words, at, 600, 46 if len(banners) > 1 else 50)
        else:
            yield _words(kind, words, at, MIDDLE_WIDTH)
        y += height


def _pot_lines(pots: str) -> tuple[str, ...]:
    """Return the main and side pots as one line, or as two where one is too long, or none where two are, because no number can be cut."""
    if not pots or _pots_size(pots) is not None:
        return (pots,) if pots else ()
    parts = [part.strip() for part in pots.split(POTS_BETWEEN)]
    join = f" {POTS_BETWEEN} ".join
    splits = [(join(parts[:number]), join(parts[number:])) for number in range(1, len(parts))]
    lines = min(splits, key=lambda pair: max(text_width(line, 27, FONTS[Kind.POTS][0]) for line in pair), default=())
    return lines if all(_pots_size(line) is not None for line in lines) else ()


def _pots_size(words: str) -> int | None:
    """Return the largest size at which the line of pots fits; None where it is too long at the smallest one."""
    weight, largest = FONTS[Kind.POTS]
    return next((size for size in range(largest, 24, -1) if text_width(words, size, weight) <= MIDDLE_WIDTH), None)


def _street(picture: TablePicture, y: int) -> Iterator[Item]:
    if picture.heading:
        yield _words(Kind.HEADING, picture.heading, y, 500)
    if picture.small_print:
        yield _words(Kind.SMALL_PRINT, picture.small_print, y + 42, 500)


def _pot(picture: TablePicture, y: int, size: int) -> Iterator[Item]:
    """The chip, the word and the number, side by side and centred together."""
    if not picture.pot_chips:
        return
    weight, label_size = FONTS[Kind.POT]
    label = text_width(picture.pot, label_size, weight)
    number = text_width(picture.pot_chips, size, FONTS[Kind.POT_CHIPS][0])
    x = WIDTH // 2 - (CHIP + 14 + label + 16 + number) // 2
    yield Item(Kind.POT_CHIP, Box(x, y - CHIP // 2, x + CHIP, y + CHIP // 2))
    x += CHIP + 14
    yield Item(Kind.POT, Box(x, y - 16, x + label, y + 16), picture.pot, label_size)
    x += label + 16
    yield Item(Kind.POT_CHIPS, Box(x, y - size // 2, x + number, y + size // 2), picture.pot_chips, size)


def _words(kind: Kind, words: str, y: int, widest: int) -> Item:
    """Words that are centred in the middle of the table."""
    weight, size = FONTS[kind]
    while text_width(words, size, weight) > widest and size > 25:
        size -= 1
    words = fit_text(words, size, weight, widest)
    return Item(kind, Box.around(WIDTH // 2, y, text_width(words, size, weight), size + 2), words, size)


def _banner(words: str, y: int, widest: int, height: int) -> Item:
    """A hand in words. Where it does not fit in small type, the words after the last comma are left out, such as a kicker."""
    weight, largest = FONTS[Kind.BANNER]
    largest = min(largest, height - 8)
    sizes = range(largest, min(largest, 27) - 1, -1)
    room = widest - height
    fitting = next((size for size in sizes if text_width(words, size, weight) <= room), None)
    if fitting is None and ", " in words:
        return _banner(words.rpartition(", ")[0], y, widest, height)
    size = fitting or sizes[-1]
    words = fit_text(words, size, weight, room)
    return Item(Kind.BANNER, Box.around(WIDTH // 2, y, text_width(words, size, weight) + height, height), words, size)


def _board(board: PictureBoard, top: int, width: int, height: int, gap: int, lift: int) -> Iterator[Item]:
    count = max(board.size, len(board.cards))
    left = WIDTH // 2 - (count * width + (count - 1) * gap) // 2
    for number in range(count):
        x = left + number * (width + gap)
        card = board.cards[number] if number < len(board.cards) else None
        y = top - lift if card is not None and card.mark is CardMark.PLAYS else top
        yield Item(Kind.CARD if card else Kind.SLOT, Box(x, y, x + width, y + height), card=card)


# The seats


def _is_open(seat: PictureSeat) -> bool:
    return any(card.card is not None for card in seat.cards)


def _card_height(picture: TablePicture, rooms: tuple[Room, ...]) -> int:
    """Return the height of open cards, the same at all seats: the largest at which every seat's cards can be read."""
    near = [(seat, rooms[seat.number - 1]) for seat in picture.seats if seat.cards]
    return next((height for height in HEIGHTS if all(_fits(seat, room, height) for seat, room in near)), HEIGHTS[-1])


def _fits(seat: PictureSeat, room: Room, height: int) -> bool:
    """Tell whether the cards of a seat can be read at a height: enough of each looks out from under the next card and the plate."""
    more, width = len(seat.cards) - 1, room.box.width - 2 * FRAME
    if _is_open(seat) and not _is_deep(room, height):
        width -= max((pill.box.width + GAP for pill in _pills(seat, room.box.width)), default=0)
    part, gap = (STRIP, 3) if more > 1 else (1.0, 2 * FRAME)
    needed = card_width(height) * (1 + part * more) + gap * more
    face = 1.0 if any(card.is_wild for card in seat.cards) else NARROW_FACE
    seen = height if room.side is Side.BELOW else height * face + TUCK
    return needed <= width and seen <= room.box.height


def _is_deep(room: Room, height: int) -> bool:
    """Tell whether a bet or a note has room beyond cards of this height."""
    return height + TUCK + GAP + PILL_HEIGHT <= room.box.height


def _before_seat(seat: PictureSeat, room: Room, height: int) -> Iterator[Item]:
    """Return the cards of a seat and its pills."""
    cards = _open_row(seat, height) if _is_open(seat) else _backs(seat)
    pills = list(_pills(seat, room.box.width))
    box = room.box
    row_height = min(cards.height if _is_open(seat) else BACK_PEEK + 4, box.height)
    if not seat.cards:
        yield from _pills_in(pills, box, room, stacked=True)
    elif not pills:
        yield from _row(seat, cards, box, room, centred=_is_open(seat))
    elif _is_open(seat) and _is_deep(room, row_height):
        yield from _row(seat, cards, box, room, centred=True)
        yield from _pills_in(pills, _beyond(box, room, row_height + TUCK), room, stacked=False)
    else:
        # Side by side: the cards on the side of the table's middle, the words on the outer side.
        pills = (
            pills[-1:] if box.height - TUCK < 2 * PILL_HEIGHT + GAP else pills
        )  # the note is the news; a posted blind is in the text too
        widest = max(pill.box.width for pill in pills)
        inner_left = room.anchor <= WIDTH // 2
        strip = _strip(box, room, seat, cards, widest)
        outer = strip._replace(right=strip.left + widest) if inner_left else strip._replace(left=strip.right - widest)
        inner = strip._replace(left=outer.right + GAP) if inner_left else strip._replace(right=outer.left - GAP)
        yield from _row(seat, cards, inner, room, centred=False)
        yield from _pills_in(pills, outer, room, stacked=True)


def _strip(box: Box, room: Room, seat: PictureSeat, cards: _Row, widest: int) -> Box:
    """Return the columns around the seat's own plate that words and cards need side by side."""
    needed = max(2 * 130, widest + GAP + cards.width)
    if needed >= box.width:
        return box
    left = min(max(room.anchor - needed // 2, box.left), box.right - needed)
    return box._replace(left=left, right=left + needed)


def _beyond(box: Box, room: Room, by: int) -> Box:
    """Return what is left of a room on the far side of the cards."""
    return box._replace(top=box.top + by) if room.side is Side.BELOW else box._replace(bottom=box.bottom - by)


class _Row(NamedTuple):
    """Cards side by side, before they have a place.

    Attributes:
        steps: from the left edge of each card to that of the next one.
        peek: how much of the cards' height is seen.
    """

    cards: tuple[PictureCard, ...]
    card_width: int
    height: int
    steps: tuple[int, ...]
    is_narrow: bool

    @property
    def width(self) -> int:
        return sum(self.steps) + self.card_width

    def squeezed(self, width: int) -> _Row:
        """Return the row with smaller steps where it is too wide. Steps between open cards and backs shrink alike."""
        if self.width <= width or not self.steps:
            return self
        room = width - self.card_width
        total = sum(self.steps)
        ends = [sum(self.steps[: number + 1]) * room // total for number in range(len(self.steps))]
        return self._replace(
            steps=tuple(after - before for before, after in pairwise((0, *ends))), is_narrow=len(self.cards) > 2
        )


def _open_row(seat: PictureSeat, height: int) -> _Row:
    width = card_width(height)
    narrow = len(seat.cards) > 2
    step = round(width * 0.62) if narrow else width + 2 * FRAME - 2
    steps = tuple(step if card.card is not None else round(width * 0.3) for card in seat.cards[:-1])
    return _Row(seat.cards, width, height, steps, narrow)


def _backs(seat: PictureSeat) -> _Row:
    """Hidden cards: they lie under the plate, and only a part of them looks out."""
    count = len(seat.cards)
    step = 41 if count <= 2 else max(13, min(28, 96 // max(count - 1, 1)))
    return _Row(seat.cards, 42, 58, (step,) * (count - 1), is_narrow=False)


def _row(seat: PictureSeat, cards: _Row, box: Box, room: Room, *, centred: bool) -> Iterator[Item]:
    """Place cards at the plate's edge of a box."""
    is_open = _is_open(seat)
    cards = cards.squeezed(box.width - (2 * FRAME if is_open else 0))
    margin = FRAME if is_open and cards.width + 2 * FRAME <= box.width else 0
    if centred:
        x = room.anchor - cards.width // 2
    else:
        reach = 96 if seat.is_dealer else 122  # the dealer button lies in the corner of the plate
        inner = min(box.right - cards.width - margin, room.anchor + reach - cards.width)
        x = inner if room.anchor <= WIDTH // 2 else max(box.left + margin, room.anchor - 122)
    x = min(max(x, box.left + margin), box.right - cards.width - margin)
    if is_open:
        y = box.top if room.side is Side.BELOW else max(box.bottom - TUCK - cards.height, box.top)
    else:
        y = box.top + BACK_PEEK - cards.height if room.side is Side.BELOW else box.bottom - BACK_PEEK
    is_narrow = is_open and (cards.is_narrow or (room.side is Side.ABOVE and cards.height > box.height - TUCK))
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
        top = min(y + cards.height, box.bottom - TUCK) - 34 if is_open or room.side is Side.BELOW else y + 3
        yield Item(
            Kind.COUNT, Box(hidden[0] + 3, top, hidden[0] + 3 + wide, top + 32), str(seat.hidden_count), size, seat
        )


def _pills(seat: PictureSeat, widest: int) -> Iterator[Item]:
    """The pills of a seat, such as its bet, each as large as its words, at no place yet."""
    for field, pill in PILLS.items():
        words: str = getattr(seat, field)
        if words:
            yield _pill(pill, words, seat, widest)


def _pill(pill: Pill, words: str, seat: PictureSeat, widest: int) -> Item:
    weight, size = pill_weight(pill), pill.size
    around = PILL_HEIGHT + 18 if pill.has_chip else 26
    while text_width(words, size, weight) > widest - around and size > 24:
        size -= 1
    words = fit_text(words, size, weight, widest - around)
    box = Box(0, 0, text_width(words, size, weight) + around, PILL_HEIGHT)
    return Item(Kind.PILL, box, words, size, seat, pill=pill)


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


def _dealer(seat: PictureSeat, centre: tuple[int, int], side: Side, taken: list[Box]) -> Iterator[Item]:
    """Place the dealer button on the first corner of the plate that is free, those at the felt first."""
    (x, y), dx, dy = centre, 121, 41
    below, inward = side is Side.BELOW, 1 if x <= WIDTH // 2 else -1
    # The number badge lies in the lower left corner.
    lower = [(1, 1), (inward, -1)] if inward > 0 or y < PLATE_HEIGHT else [(inward, -1), (1, 1)]
    corners = [*lower, (-inward, -1)] if below else [(inward, -1), (-inward, -1), (1, 1)]
    boxes = [Box.around(x + across * dx, y + down * dy, DEALER, DEALER) for across, down in corners]
    own = plate_box(centre)
    free = [
        box
        for box in boxes
        if box.is_inside(CANVAS) and not any(box.grown(GAP).overlaps(other) for other in taken if other != own)
    ]
    yield Item(Kind.DEALER, (free or boxes)[0], "D", FONTS[Kind.DEALER][1], seat)


def _plate(seat: PictureSeat, centre: tuple[int, int], others: list[Item]) -> Iterator[Item]:
    box = plate_box(centre)
    y = centre[1]
    button = next((item.box for item in others if item.kind is Kind.DEALER and item.seat is seat), None)
    yield Item(Kind.PLATE, box, seat=seat)
    disc = box.left + 51
    name = clean_name(seat.name) or f"#{seat.number}"
    yield Item(Kind.AVATAR, Box.around(disc, y, AVATAR, AVATAR), _initials(name), FONTS[Kind.AVATAR][1], seat)
    yield Item(
        Kind.BADGE, Box.around(box.left + 24, y + 30, BADGE, BADGE), str(seat.number), FONTS[Kind.BADGE][1], seat
    )
    for kind, whole, middle in ((Kind.NAME, name, y - 19), (Kind.CHIPS, seat.chips, y + 20)):
        weight, size = FONTS[kind]
        if (
            kind is Kind.CHIPS
            and seat.state in {SeatState.FOLDED, SeatState.AWAY, SeatState.EMPTY}
            and not seat.has_won
        ):
            weight, size = FONTS[Kind.NAME]
        height = size + 4
        line = Box(box.left + 97, middle - height // 2, box.right - 12, middle - height // 2 + height)
        if button is not None and button.overlaps(line):
            line = line._replace(right=button.left - 2)
        while text_width(whole, size, weight) > line.width and size > 27:
            size -= 1
        words = fit_text(whole, size, weight, line.width)
        yield Item(kind, line._replace(right=line.left + text_width(words, size, weight)), words, size, seat)


def _initials(name: str) -> str:
    """Return one or two first letters of a name."""
    words = [word for word in name.split() if word[0].isalnum()]
    letters = [word[0] for word in words[:2]] or [character for character in name if character.isalnum()][:1]
    return "".join(letters).upper()


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
