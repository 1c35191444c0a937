"""A player's own cards, large enough to be read at a glance on a phone."""

from collections.abc import Iterator

from PIL import Image

from bot.pictures.cards import CardSize
from bot.pictures.cloth import cloth
from bot.pictures.coverage import Weight
from bot.pictures.sprites import Sprites
from bot.pictures.types import HandPicture, Look, PictureCard

WIDTH = 1100
MARGIN, GAP = 28, 12
CARD_HEIGHT, BOARD_HEIGHT = 252, 112
SHAPE = 122 / 168
"""The width of a card as a part of its height."""
GROUPS_GAP = 44
"""Between the cards that only their owner sees and those that lie open."""
LABEL_HEIGHT = 44
LINE_HEIGHT, LETTERS, LETTERS_MIN = 52, 44, 30


def hand_image(picture: HandPicture) -> Image.Image:
    """Draw a player's hand: 1100 pixels wide, and as high as its boards and words need."""
    sprites = Sprites(picture.look)
    words = [line for hand in picture.hands for line in _broken(sprites, hand, _words_width(picture))]
    lower = max(_boards_height(picture) if _beside(picture) else 0, len(words) * LINE_HEIGHT)
    above = 0 if _beside(picture) else _boards_height(picture)
    height = _top(picture) + CARD_HEIGHT + (MARGIN + above if above else 0) + (MARGIN + lower if lower else 0) + MARGIN
    canvas = cloth(sprites.theme, picture.look.felt, WIDTH, height).copy()
    _own_cards(canvas, sprites, picture)
    top = _top(picture) + CARD_HEIGHT + MARGIN
    left = MARGIN
    for board in picture.boards:
        size = _board_size(picture)
        for at in range(board.size):
            x = left + at * (size.width + GAP // 2)
            if at < len(board.cards):
                sprites.card(board.cards[at], size).onto(canvas, x, top)
            else:
                sprites.slot(size).onto(canvas, x, top)
        left += board.size * (size.width + GAP // 2) + MARGIN
    if words:
        x = left if _beside(picture) else MARGIN
        middle = top + (above + MARGIN if above else 0) + lower // 2
        first = middle - (len(words) - 1) * LINE_HEIGHT // 2
        for at, line in enumerate(words):
            size_of_line = sprites.size_that_fits(line, LETTERS, LETTERS_MIN, _words_width(picture))
            sprites.write(
                canvas,
                x if picture.boards and _beside(picture) else WIDTH // 2,
                first + at * LINE_HEIGHT,
                line,
                size_of_line,
                sprites.theme.felt_texts.large,
                weight=Weight.BOLD,
                anchor="l" if picture.boards and _beside(picture) else "m",
                widest=_words_width(picture),
            )
    return canvas


def warm_up_hands(look: Look) -> Iterator[None]:
    """Draw every card as it lies in a hand of up to five cards and on a single board, one a step."""
    for height in (CARD_HEIGHT, BOARD_HEIGHT):
        yield from Sprites(look).warm_up(CardSize(round(height * SHAPE), height))


def _top(picture: HandPicture) -> int:
    """Where the cards begin: lower where a word stands above some of them."""
    return MARGIN + LABEL_HEIGHT if picture.cards and picture.open_cards else MARGIN


def _beside(picture: HandPicture) -> bool:
    """Whether the words stand beside the board; with two boards they stand under them."""
    return len(picture.boards) < 2


def _board_size(picture: HandPicture) -> CardSize:
    count = sum(board.size for board in picture.boards)
    width = round(BOARD_HEIGHT * SHAPE)
    room = (WIDTH - 2 * MARGIN - (len(picture.boards) - 1) * MARGIN) // max(1, count) - GAP // 2
    width = min(width, room)
    return CardSize(width, round(width / SHAPE))


def _boards_height(picture: HandPicture) -> int:
    return _board_size(picture).height if picture.boards else 0


def _words_width(picture: HandPicture) -> int:
    if not picture.boards or not _beside(picture):
        return WIDTH - 2 * MARGIN
    size = _board_size(picture)
    return WIDTH - 3 * MARGIN - picture.boards[0].size * (size.width + GAP // 2)


def _own_cards(canvas: Image.Image, sprites: Sprites, picture: HandPicture) -> None:
    """Draw the cards in one row, in the middle; those that lie open stand apart under their word."""
    groups = [group for group in (picture.cards, picture.open_cards) if group]
    count = sum(map(len, groups))
    between = GROUPS_GAP if len(groups) > 1 else 0
    room = WIDTH - 2 * MARGIN - between
    width = min(round(CARD_HEIGHT * SHAPE), (room + GAP) // max(1, count) - GAP)
    size = CardSize(width, min(CARD_HEIGHT, round(width / SHAPE)))
    x = (WIDTH - count * (width + GAP) + GAP - between) // 2
    y = _top(picture) + (CARD_HEIGHT - size.height) // 2
    for card, left in _laid_out(groups, x, width + GAP, between):
        sprites.card(card, size).onto(canvas, left, y)
    if picture.open_label and len(groups) > 1:
        first = x + len(groups[0]) * (width + GAP) + between
        _label(canvas, sprites, picture.open_label, first + (len(groups[1]) * (width + GAP) - GAP) // 2, y)


def _laid_out(
    groups: list[tuple[PictureCard, ...]], x: int, step: int, between: int
) -> Iterator[tuple[PictureCard, int]]:
    for group in groups:
        for card in group:
            yield card, x
            x += step
        x += between


def _label(canvas: Image.Image, sprites: Sprites, text: str, middle: int, top: int) -> None:
    """Write a word on a pill above the cards."""
    note = sprites.theme.note
    width = sprites.width(text, 34) + 40
    sprites.pill(note, width, LABEL_HEIGHT).onto(canvas, middle - width // 2, top - LABEL_HEIGHT - GAP)
    sprites.write(canvas, middle, top - LABEL_HEIGHT // 2 - GAP, text, 34, note.text, anchor="m")


def _broken(sprites: Sprites, hand: str, widest: int) -> list[str]:
    """Break a line that is too wide at its first comma: what kind of hand, and of which cards."""
    first, comma, rest = hand.partition(", ")
    if not comma or sprites.width(hand, LETTERS_MIN + 6) <= widest:
        return [hand]
    return [first + ",", rest]
