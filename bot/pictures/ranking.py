"""What beats what in a game: a list of hands with five example cards each, the best first."""

from collections.abc import Iterator

from PIL import Image

from bot.pictures.cards import CardSize
from bot.pictures.cloth import cloth
from bot.pictures.coverage import Weight
from bot.pictures.sprites import Sprites
from bot.pictures.types import Look, RankingPicture, RankingRow

WIDTH = 800
"""Narrower than other pictures: a list of fourteen hands stays below 80 KB."""
MARGIN, GAP = 22, 6
CARD = CardSize(51, 61)
CARDS_MAX = 5
ROW_HEIGHT, HEADING_HEIGHT, SECTION_HEIGHT = 68, 94, 44
LETTERS, LETTERS_MIN = 35, 22


def ranking_image(picture: RankingPicture) -> Image.Image:
    """Draw the hands of a game's ranking: 800 pixels wide, and as high as there are rows."""
    sprites = Sprites(picture.look)
    theme = sprites.theme
    rows = sum(len(section.rows) for section in picture.sections)
    headings = sum(bool(section.heading) for section in picture.sections)
    height = HEADING_HEIGHT + rows * ROW_HEIGHT + headings * SECTION_HEIGHT + MARGIN
    canvas = cloth(theme, picture.look.felt, WIDTH, height).copy()
    widest = WIDTH - 2 * MARGIN
    size = sprites.size_that_fits(picture.heading, 42, LETTERS_MIN, widest)
    colours = theme.felt_texts
    sprites.write(canvas, MARGIN, 36, picture.heading, size, colours.large, weight=Weight.EXTRABOLD, widest=widest)
    size = sprites.size_that_fits(picture.small_print, 26, LETTERS_MIN, widest)
    sprites.write(canvas, MARGIN, 73, picture.small_print, size, colours.small, weight=Weight.SEMIBOLD, widest=widest)
    y = HEADING_HEIGHT
    for section in picture.sections:
        if section.heading:
            sprites.write(canvas, MARGIN, y + SECTION_HEIGHT // 2 + 3, section.heading, 33, theme.felt_texts.large)
            y += SECTION_HEIGHT
        for row in section.rows:
            _row(canvas, sprites, row, y)
            y += ROW_HEIGHT
    return canvas


def warm_up_rankings(look: Look) -> Iterator[None]:
    """Draw every card as it lies in a row, one a step."""
    yield from Sprites(look).warm_up(CARD)


def _row(canvas: Image.Image, sprites: Sprites, row: RankingRow, y: int) -> None:
    label = sprites.theme.note
    sprites.panel(WIDTH - MARGIN, ROW_HEIGHT - 4, 14, label.fill, border=label.border, shadow=False).onto(
        canvas, MARGIN // 2, y
    )
    cards = CARDS_MAX * (CARD.width + GAP)
    widest = WIDTH - 2 * MARGIN - cards - GAP
    size = sprites.size_that_fits(row.name, LETTERS, LETTERS_MIN, widest)
    sprites.write(canvas, MARGIN, y + ROW_HEIGHT // 2 - 2, row.name, size, label.text, widest=widest)
    x = WIDTH - MARGIN - cards + GAP
    for card in row.cards:
        sprites.card(card, CARD).onto(canvas, x, y + (ROW_HEIGHT - 4 - CARD.height) // 2)
        x += CARD.width + GAP
