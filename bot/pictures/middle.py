"""The middle of the table: board, pot, street, and the hands that won."""

from __future__ import annotations

from collections.abc import Iterator

from bot.pictures.geometry import STRIP_HEIGHT, WIDTH, Box
from bot.pictures.items import CARD_RATIO, FONTS, FRAME, Item, Kind, card_width, fit_text, text_width
from bot.pictures.types import Canvas, CardMark, PictureBoard, TablePicture

BOARD_TOP, BOARD_ROOM = 344, 658
"""Where a single board begins, and how wide five cards of it are with their gaps."""

BOARD_CARD, SMALL_BOARD_CARD = (122, 168), (108, 149)
"""Width and height of the cards of a single board; the smaller ones leave room for five or more cards of each seat."""

MIDDLE_WIDTH = 536
"""How wide words in the middle can be between the plates of the seats."""

BANNER_HEIGHT = 46
"""How high a banner is that lies before a seat."""

SMALLEST_BANNER = 27

POTS_BETWEEN = "·"
"""What stands between two pots; a line that is too long is broken there."""

STRIP_BOARD_ROOM = 642
"""How wide five cards of a single board are on a strip."""
STRIP_SIDE, STRIP_SIDE_WIDTH, STRIP_SIDE_HEIGHT = 132, 178, 224
"""What stands beside that board: how far its middle lies from the edge of the picture, how wide its lines can be, and how high it is."""

STRIP_SMALL_BOARD_CARD = (84, 116)
"""A single board on a strip, where open cards lie before the seats."""

RAISE = 10
"""A card of the board that plays lies so much higher."""

CHIP = 44
"""The chip beside the pot; the one beside a bet is as high as its words."""

BOARD_HEIGHTS = (127, 116, 104, 92, 80, 72, 64, 56)
"""How high the cards of several boards can be."""


def middle(picture: TablePicture) -> list[Item]:
    """Return what lies between the seats: board, pot, street, and the hands that won."""
    if picture.canvas is Canvas.STRIP:
        return list(_middle_of_strip(picture))
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
    banners = [words for words in (board.banner, *picture.banners) if words]
    if banners:
        for number, words in enumerate(banners):
            yield banner(
                words, 555 if len(banners) == 1 else 548 + 50 * number, MIDDLE_WIDTH, 50 if len(banners) == 1 else 46
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
            yield banner(board.banner, at + FRAME * 2 + height + 2 + banner_height // 2, 500, banner_height - 2)
    for number, words in enumerate(banners):
        yield banner(words, bottom + 26 + 48 * number, 520, 44)
    for words in footer:
        yield _words(Kind.HEADING, words, bottom + 24, 500)


def _middle_without_board(picture: TablePicture) -> Iterator[Item]:
    rows: list[tuple[Kind, str, int]] = [(Kind.POT, "", 62)] if picture.pot_chips else []
    rows += [(Kind.POTS, line, 42) for line in _pot_lines(picture.pots)]
    banners = picture.banners
    rows += [(Kind.BANNER, words, 50 if len(banners) > 1 else 56) for words in banners]
    if not banners:
        rows += [(Kind.HEADING, picture.heading, 54)] if picture.heading else []
        rows += [(Kind.SMALL_PRINT, picture.small_print, 38)] if picture.small_print else []
    y = 402 - sum(height for _, _, height in rows) // 2
    for kind, words, height in rows:
        at = y + height // 2
        if kind is Kind.POT:
            yield from _pot(picture, at, 54)
        elif kind is Kind.BANNER:
            yield banner(words, at, 600, 46 if len(banners) > 1 else 50)
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


def _pot(picture: TablePicture, y: int, size: int, left: int | None = None) -> Iterator[Item]:
    """The chip, the word and the number, side by side; from `left` on, or centred together."""
    if not picture.pot_chips:
        return
    weight, label_size = FONTS[Kind.POT]
    label = text_width(picture.pot, label_size, weight)
    number = text_width(picture.pot_chips, size, FONTS[Kind.POT_CHIPS][0])
    x = WIDTH // 2 - (CHIP + 14 + label + 16 + number) // 2 if left is None else left
    yield Item(Kind.POT_CHIP, Box(x, y - CHIP // 2, x + CHIP, y + CHIP // 2))
    x += CHIP + 14
    yield Item(Kind.POT, Box(x, y - 16, x + label, y + 16), picture.pot, label_size)
    x += label + 16
    yield Item(Kind.POT_CHIPS, Box(x, y - size // 2, x + number, y + size // 2), picture.pot_chips, size)


def _words(kind: Kind, words: str, y: int, widest: int, x: int = WIDTH // 2) -> Item:
    """Words that are centred in the middle of the table, or elsewhere."""
    weight, size = FONTS[kind]
    while text_width(words, size, weight) > widest and size > 25:
        size -= 1
    words = fit_text(words, size, weight, widest)
    return Item(kind, Box.around(x, y, text_width(words, size, weight), size + 2), words, size)


def smallest_banner(words: str, height: int) -> int:
    """Return how wide a hand in words is in the smallest type."""
    return text_width(words, SMALLEST_BANNER, FONTS[Kind.BANNER][0]) + height


def banner(words: str, y: int, widest: int, height: int, x: int = WIDTH // 2) -> Item:
    """A hand in words. Where it does not fit in small type, the words after the last comma are left out, such as a kicker."""
    weight, largest = FONTS[Kind.BANNER]
    largest = min(largest, height - 8)
    sizes = range(largest, min(largest, SMALLEST_BANNER) - 1, -1)
    room = widest - height
    fitting = next((size for size in sizes if text_width(words, size, weight) <= room), None)
    if fitting is None and ", " in words:
        return banner(words.rpartition(", ")[0], y, widest, height, x)
    size = fitting or sizes[-1]
    words = fit_text(words, size, weight, room)
    return Item(Kind.BANNER, Box.around(x, y, text_width(words, size, weight) + height, height), words, size)


def _board(
    board: PictureBoard, top: int, width: int, height: int, gap: int, lift: int, middle: int = WIDTH // 2
) -> Iterator[Item]:
    count = max(board.size, len(board.cards))
    left = middle - (count * width + (count - 1) * gap) // 2
    for number in range(count):
        x = left + number * (width + gap)
        card = board.cards[number] if number < len(board.cards) else None
        y = top - lift if card is not None and card.mark is CardMark.PLAYS else top
        yield Item(Kind.CARD if card else Kind.SLOT, Box(x, y, x + width, y + height), card=card)


# The middle of a strip


def _middle_of_strip(picture: TablePicture) -> Iterator[Item]:
    """One board between pot and street, several side by side below them, and without a board both in one line."""
    has_open = any(card.card is not None for seat in picture.seats for card in seat.cards)
    middle = STRIP_HEIGHT // 2
    if len(picture.boards) == 1:
        yield from _board_of_strip(picture, picture.boards[0], is_small=has_open)
    elif picture.boards:
        yield from _boards_of_strip(picture, is_small=has_open)
    else:
        below = [(Kind.POTS, line) for line in _pot_lines(picture.pots)]
        if not below and not has_open and picture.small_print:
            below = [(Kind.SMALL_PRINT, picture.small_print)]
        top = middle - 17 * len(below)
        yield from _pot_and_street(picture, top, 54)
        for number, (kind, words) in enumerate(below):
            yield _words(kind, words, top + 46 + 34 * number, MIDDLE_WIDTH)


def _pot_and_street(picture: TablePicture, y: int, size: int) -> Iterator[Item]:
    """The pot and the street in one line, centred together."""
    pot = list(_pot(picture, y, size, 0))
    between = 44 if pot and picture.heading else 0
    taken = (pot[-1].box.right if pot else 0) + between
    heading = _words(Kind.HEADING, picture.heading, y, WIDTH - 40 - taken)
    left = (WIDTH - taken - heading.box.width) // 2
    yield from _pot(picture, y, size, left)
    if picture.heading:
        yield heading._replace(box=heading.box.moved(left + taken - heading.box.left))


def _board_of_strip(picture: TablePicture, board: PictureBoard, *, is_small: bool) -> Iterator[Item]:
    middle, gap = STRIP_HEIGHT // 2, 8
    width, height = STRIP_SMALL_BOARD_CARD if is_small else BOARD_CARD
    if board.size > 5:
        width = (STRIP_BOARD_ROOM - gap * (board.size - 1)) // board.size
        height = min(height, width * BOARD_CARD[1] // BOARD_CARD[0])
    yield from _board(board, middle - height // 2, width, height, gap, 0)
    room = height + 16 if is_small else STRIP_SIDE_HEIGHT
    pot = _lines(Kind.POT, picture.pot) + _lines(Kind.POT_CHIPS, picture.pot_chips)
    pots = [(Kind.POTS, part.strip()) for part in picture.pots.split(POTS_BETWEEN) if part.strip()]
    if sum(map(_line_height, [*pot, *pots])) > room:
        pots = []  # no number can be cut; the text has them
    street = _lines(Kind.HEADING, picture.heading)
    small = [line for part in picture.small_print.split(POTS_BETWEEN) for line in _lines(Kind.SMALL_PRINT, part)]
    yield from _column(STRIP_SIDE, room, [*pot, *pots])
    yield from _column(WIDTH - STRIP_SIDE, room, [*street, *small])


def _boards_of_strip(picture: TablePicture, *, is_small: bool) -> Iterator[Item]:
    """Several boards side by side, each with its name below it, and pot and street above them."""
    top, bottom = (170, 310) if is_small else (128, 352)
    count, sizes = len(picture.boards), max(board.size for board in picture.boards)
    yield from _pot_and_street(picture, top + 25, 48)
    top += 52
    each, name_height = (WIDTH - 20) // count, 0 if is_small else 38
    width = (each - 40 - 8 * (sizes - 1)) // sizes
    fitting = min(bottom - top - name_height - 4, round(width / CARD_RATIO))
    height = next((height for height in BOARD_HEIGHTS if height <= fitting), BOARD_HEIGHTS[-1])
    for number, board in enumerate(picture.boards):
        x = 10 + each * number + each // 2
        yield from _board(board, top, min(width, card_width(height)), height, 8, 0, x)
        if board.banner and not is_small:
            yield banner(board.banner, top + height + 3 + name_height // 2, each - 40, name_height - 2, x)


def _lines(kind: Kind, words: str) -> list[tuple[Kind, str]]:
    """Return words as lines that fit beside the board of a strip, broken between words."""
    weight, largest = FONTS[kind]
    if text_width(words.strip(), min(largest, 27), weight) <= STRIP_SIDE_WIDTH:
        return [(kind, words.strip())] if words.strip() else []
    lines = _broken(kind, words, STRIP_SIDE_WIDTH)
    for widest in range(STRIP_SIDE_WIDTH, 40, -8):  # lines of about the same length
        narrower = _broken(kind, words, widest)
        if len(narrower) > len(lines):
            break
        lines = narrower
    return [(kind, line) for line in lines]


def _broken(kind: Kind, words: str, widest: int) -> list[str]:
    """Return words as lines, as many on each as fit."""
    weight, size = FONTS[kind]
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size, weight) > widest:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _line_height(line: tuple[Kind, str]) -> int:
    kind, _ = line
    return FONTS[kind][1] + (2 if kind is Kind.POTS else 8)


def _column(x: int, room: int, lines: list[tuple[Kind, str]]) -> Iterator[Item]:
    """Words below each other, half-way down a strip, as many lines of them as there is room for."""
    heights = [_line_height(line) for line in lines]
    while sum(heights) > room:
        heights.pop()
    y = (STRIP_HEIGHT - sum(heights)) // 2
    for (kind, words), height in zip(lines, heights, strict=False):
        at = y + height // 2
        if kind is Kind.POT:
            chip = _words(kind, words, at, STRIP_SIDE_WIDTH, x + CHIP // 2)
            yield Item(Kind.POT_CHIP, Box.around(chip.box.left - CHIP // 2 - 5, at, CHIP - 8, CHIP - 8))
            yield chip
        else:
            yield _words(kind, words, at, STRIP_SIDE_WIDTH, x)
        y += height
