"""The table as a picture: what the layout lists, painted onto the felt."""

from collections.abc import Iterator

from msgspec.structs import replace
from PIL import Image

from bot.pictures.cards import CardSize
from bot.pictures.felt import felt
from bot.pictures.geometry import Box
from bot.pictures.items import Item, Kind, card_width
from bot.pictures.layout import HEIGHTS, lay_out
from bot.pictures.middle import BOARD_CARD
from bot.pictures.sprites import Sprites
from bot.pictures.theme import PlateColours
from bot.pictures.types import Canvas, CardMark, Look, PictureCard, PictureSeat, SeatState, TablePicture
from bot.table.picture_colours import Felt


def table_image(picture: TablePicture) -> Image.Image:
    """Draw a table as an RGB picture of 1100 × 820 pixels, or 1100 × 480 for a strip.

    Raises:
        ValueError: the number of seats, or the number of a seat, is none that pictures have.
    """
    items = lay_out(picture)
    sprites = Sprites(picture.look)
    canvas = felt(sprites.theme, picture.look.felt, picture.canvas, is_rare=picture.is_rare).copy()
    for item in items:
        _paint(canvas, sprites, item)
    return canvas


def warm_up_tables(look: Look) -> Iterator[None]:
    """Draw what most tables of a look consist of, one a step: the cloths, and every card as it lies on a board and before a seat."""
    sprites = Sprites(look)
    for cloth in Felt:
        for canvas in Canvas:
            felt(sprites.theme, cloth, canvas)
            yield
    sizes = [CardSize(*BOARD_CARD)] + [
        CardSize(card_width(height), height, is_narrow)
        for height in HEIGHTS[Canvas.FULL][:2]
        for is_narrow in (False, True)
    ]
    sizes += [CardSize(card_width(height), height, is_narrow=True) for height in HEIGHTS[Canvas.STRIP][:1]]
    for size in sizes:
        yield from sprites.warm_up(size)


def _paint(canvas: Image.Image, sprites: Sprites, item: Item) -> None:
    box, theme = item.box, sprites.theme
    match item.kind:
        case Kind.CARD if item.card is not None:
            _paint_card(canvas, sprites, box, item.card, is_narrow=item.is_narrow)
        case Kind.SLOT:
            sprites.slot(CardSize(box.width, box.height)).onto(canvas, box.left, box.top)
        case Kind.PLATE if item.seat is not None:
            _paint_plate(canvas, sprites, box, item.seat)
        case Kind.AVATAR if item.seat is not None:
            is_dimmed = _is_out(item.seat)
            if item.seat.avatar:
                sprites.avatar(item.seat.avatar, item.seat.number, box.width, is_dimmed=is_dimmed).onto(
                    canvas, box.left, box.top
                )
                return
            sprites.face(item.seat.number, box.width, is_dimmed=is_dimmed).onto(canvas, box.left, box.top)
            colour = theme.faces.dimmed_text if is_dimmed else theme.faces.text
            _write(canvas, sprites, item, colour)
        case Kind.BADGE:
            sprites.badge(int(item.words), box.width).onto(canvas, box.left, box.top)
        case Kind.DEALER:
            sprites.dealer(box.width, item.words).onto(canvas, box.left, box.top)
        case Kind.NAME if item.seat is not None:
            _write(canvas, sprites, item, _plate_colours(sprites, item.seat).name)
        case Kind.CHIPS if item.seat is not None:
            is_stack = item.words == item.seat.chips  # what was won lies before the plate then
            colours = theme.plates.normal if item.seat.won and is_stack else _plate_colours(sprites, item.seat)
            _write(canvas, sprites, item, colours.chips)
        case Kind.POT_CHIP:
            sprites.chip("pot", box.width).onto(canvas, box.left, box.top)
        case Kind.POT | Kind.POT_CHIPS | Kind.HEADING:
            _write(canvas, sprites, item, theme.felt_texts.large)
        case Kind.POTS | Kind.SMALL_PRINT:
            _write(canvas, sprites, item, theme.felt_texts.small)
        case Kind.BANNER:
            sprites.pill(theme.banner, box.width, box.height, 2.5).onto(canvas, box.left, box.top)
            _write(canvas, sprites, item, theme.banner.text)
        case Kind.PILL if item.pill is not None and item.pill.has_chip:
            sprites.pill(theme.note, box.width, box.height).onto(canvas, box.left, box.top)
            chip = box.height - 4
            sprites.chip("bet", chip).onto(canvas, box.left + 2, box.top + 2)
            _write(canvas, sprites, item._replace(box=box._replace(left=box.left + chip)), theme.note.text)
        case Kind.WON:
            label, chip = theme.medals.gold, box.height - 8
            sprites.pill(label, box.width, box.height, 3).onto(canvas, box.left, box.top)
            sprites.chip("bet", chip).onto(canvas, box.left + 4, box.top + 4)
            _write(canvas, sprites, item._replace(box=box._replace(left=box.left + chip + 4)), label.text)
        case Kind.PILL | Kind.HAND | Kind.COUNT:
            sprites.pill(theme.note, box.width, box.height).onto(canvas, box.left, box.top)
            _write(canvas, sprites, item, theme.note.text)
        case _:
            raise AssertionError(f"nothing paints a {item.kind}: add a case")


def _paint_card(canvas: Image.Image, sprites: Sprites, box: Box, card: PictureCard, *, is_narrow: bool) -> None:
    """Paint a card. One that is dimmed is the bright one with a shade over it, so that fewer sprites serve all."""
    is_dimmed = card.mark is CardMark.DIMMED
    bright = replace(card, mark=CardMark.NONE) if is_dimmed else card
    sprites.card(bright, CardSize(box.width, box.height, is_narrow)).onto(canvas, box.left, box.top)
    if is_dimmed:
        radius = max(5, round(box.width * 0.085))
        sprites.panel(box.width, box.height, radius, sprites.theme.cards.shade, shadow=False).onto(
            canvas, box.left, box.top
        )


def _paint_plate(canvas: Image.Image, sprites: Sprites, box: Box, seat: PictureSeat) -> None:
    colours = _plate_colours(sprites, seat)
    theme = sprites.theme
    glow = theme.frame.glow if seat.won or seat.is_to_act else None
    line = 4 if seat.won else 3 if seat.state is SeatState.ALL_IN else 2
    panel = sprites.panel(
        box.width,
        box.height,
        30,
        colours.top,
        colours.bottom,
        border=colours.border,
        line=line,
        glow=glow,
        shadow=not _is_out(seat),
    )
    panel.onto(canvas, box.left, box.top)


def _is_out(seat: PictureSeat) -> bool:
    """Tell whether a seat takes no part any more."""
    return seat.state in {SeatState.FOLDED, SeatState.AWAY, SeatState.EMPTY} and not seat.won


def _plate_colours(sprites: Sprites, seat: PictureSeat) -> PlateColours:
    plates = sprites.theme.plates
    if seat.won:
        return plates.won
    if seat.is_to_act:
        return plates.to_act
    if _is_out(seat):
        return plates.folded
    return plates.all_in if seat.state is SeatState.ALL_IN else plates.normal


def _write(canvas: Image.Image, sprites: Sprites, item: Item, colour: str) -> None:
    """Write the words of an item: at the left edge of its box on a plate, in the middle elsewhere."""
    box = item.box
    x, y = box.centre
    is_line = item.kind in {Kind.NAME, Kind.CHIPS}
    left = box.left if is_line else x
    sprites.write(canvas, left, y, item.words, item.size, colour, weight=item.weight, anchor="l" if is_line else "m")
