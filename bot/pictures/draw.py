"""Draw any picture: the one way in for the drawing process and for tests."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

from PIL import Image

from bot.pictures.hand import hand_image, warm_up_hands
from bot.pictures.podium import podium_image
from bot.pictures.ranking import ranking_image, warm_up_rankings
from bot.pictures.table import table_image, warm_up_tables
from bot.pictures.types import HandPicture, Look, Picture, PodiumPicture, RankingPicture, TablePicture

LARGEST_BYTES = 80_000
"""No file is larger: what is uploaded for every street must arrive within a moment."""
QUALITIES, METHOD = (78, 64, 48, 32, 16), 2
"""How WebP is written. The first quality keeps nearly every picture small enough; the next ones, for the others, cost 40 ms each. Methods 0
and 1 save 8 ms of 27 and add a sixth to the bytes; from 3 on twice the time saves one byte in thirty."""


def draw(picture: Picture) -> bytes:
    """Return the picture as a WebP file of at most `LARGEST_BYTES`. Equal pictures give equal bytes.

    Raises:
        ValueError: the picture cannot be laid out, or is too large at any quality, which takes twice as much as any game shows.
    """
    match picture:
        case TablePicture():
            image = table_image(picture)
        case HandPicture():
            image = hand_image(picture)
        case PodiumPicture():
            image = podium_image(picture)
        case RankingPicture():
            image = ranking_image(picture)
    for quality in QUALITIES:
        if len(file := _encoded(image, quality)) <= LARGEST_BYTES:
            return file
    raise ValueError("no quality makes this picture small enough")


def _encoded(image: Image.Image, quality: int) -> bytes:
    file = BytesIO()
    image.save(file, "WEBP", quality=quality, method=METHOD)
    return file.getvalue()


def warm_up() -> None:
    """Make what the first tables need, so that they take no longer than later ones."""
    Image.preinit()
    warm_up_tables(Look())


def warm_up_answers() -> Iterator[None]:
    """Make what the first own hands and rankings need, a card a step: at most 30 ms, for moments in which no picture waits."""
    yield from warm_up_hands(Look())
    yield from warm_up_rankings(Look())
    warm_up_tables(Look())  # which draws nothing again, and keeps them longest when room is needed
