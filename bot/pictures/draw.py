"""Draw any picture: the one way in for the drawing process and for tests."""

from __future__ import annotations

from io import BytesIO

from PIL import Image

from bot.pictures.hand import hand_image
from bot.pictures.podium import podium_image
from bot.pictures.ranking import ranking_image
from bot.pictures.table import table_image, warm_up_tables
from bot.pictures.types import HandPicture, Look, Picture, PodiumPicture, RankingPicture, TablePicture

QUALITY, METHOD = 78, 2
"""How WebP is written: quality 78 keeps the fullest table under 80 KB. Methods 0 and 1 save 8 ms of 27 and add a sixth to the bytes; from 3
on twice the time saves one byte in thirty."""


def draw(picture: Picture) -> bytes:
    """Return the picture as a WebP file. Equal pictures give equal bytes."""
    match picture:
        case TablePicture():
            image = table_image(picture)
        case HandPicture():
            image = hand_image(picture)
        case PodiumPicture():
            image = podium_image(picture)
        case RankingPicture():
            image = ranking_image(picture)
    file = BytesIO()
    image.save(file, "WEBP", quality=QUALITY, method=METHOD)
    return file.getvalue()


def warm_up() -> None:
    """Make what the first pictures need, so that they take no longer than later ones."""
    Image.preinit()
    warm_up_tables(Look())
