"""Draw any picture: the one way in for the drawing process and for tests."""

from collections import deque
from collections.abc import Iterator
from io import BytesIO

from PIL import Image

from bot.pictures.avatars import avatar_file
from bot.pictures.chart import bars_image, curve_image
from bot.pictures.hand import hand_image, warm_up_hands
from bot.pictures.lines import lines_image
from bot.pictures.podium import podium_image
from bot.pictures.ranking import ranking_image, warm_up_rankings
from bot.pictures.table import table_image, warm_up_tables
from bot.pictures.types import (
    AvatarPicture,
    BarsPicture,
    CurvePicture,
    HandPicture,
    LinesPicture,
    Look,
    OwnPicture,
    Picture,
    PodiumPicture,
    RankingPicture,
    TablePicture,
)

LARGEST_BYTES = 80_000
"""No file is larger: what is uploaded for every street must arrive within a moment."""
FAST, SMALL = 0, 2
"""Two of WebP's methods. The small one takes twice the time and saves a sixth of the bytes."""
QUALITY, LOWER_QUALITIES = 78, (64, 48, 32, 16)
CROWDED_CARDS = 40
"""With so many open cards a picture is written small at once, because the fast way would make it too large."""


def draw(picture: Picture) -> bytes:
    """Return the picture as a WebP file of at most `LARGEST_BYTES`. Equal pictures give equal bytes. Of an avatar that is none it is empty.

    Raises:
        ValueError: the picture cannot be laid out, or is too large at any quality, which takes twice as much as any game shows.
    """
    if isinstance(picture, AvatarPicture):
        return avatar_file(picture.content)
    image = drawn(picture)
    tries = [(QUALITY, FAST), (QUALITY, SMALL), *((quality, SMALL) for quality in LOWER_QUALITIES)]
    for quality, method in tries[1:] if _is_crowded(picture) else tries:
        if len(file := _encoded(image, quality, method)) <= LARGEST_BYTES:
            return file
    raise ValueError("no quality makes this picture small enough")


def drawn(picture: OwnPicture) -> Image.Image:
    """Return the pixels of a picture, before it is written as a file.

    Raises:
        ValueError: the picture cannot be laid out.
    """
    match picture:
        case TablePicture():
            return table_image(picture)
        case HandPicture():
            return hand_image(picture)
        case PodiumPicture():
            return podium_image(picture)
        case RankingPicture():
            return ranking_image(picture)
        case CurvePicture():
            return curve_image(picture)
        case BarsPicture():
            return bars_image(picture)
        case LinesPicture():
            return lines_image(picture)


def _is_crowded(picture: Picture) -> bool:
    if not isinstance(picture, TablePicture):
        return False
    open_cards = sum(card.card is not None for seat in picture.seats for card in seat.cards)
    return open_cards + sum(len(board.cards) for board in picture.boards) >= CROWDED_CARDS


def _encoded(image: Image.Image, quality: int, method: int) -> bytes:
    file = BytesIO()
    image.save(file, "WEBP", quality=quality, method=method)
    return file.getvalue()


def preparations() -> Iterator[None]:
    """Make what the first tables need, then what the first own hands and rankings need, a card a step: at most 30 ms, for moments in which
    no picture waits."""
    yield from warm_up_tables(Look())
    yield from warm_up_answers()


def warm_up() -> None:
    """Make what the first tables need at once, so that they take no longer than later ones."""
    deque(warm_up_tables(Look()), maxlen=0)


def warm_up_answers() -> Iterator[None]:
    """Make what the first own hands and rankings need, a card a step."""
    yield from warm_up_hands(Look())
    yield from warm_up_rankings(Look())
    warm_up()  # which draws nothing again, and keeps them longest when room is needed
