"""Draw any picture: the one way in for the drawing process and for tests."""

from __future__ import annotations

from io import BytesIO

from PIL import Image

from bot.pictures.types import Felt, Picture, TablePicture

SIZE = (1100, 820)
QUALITY, METHOD = 80, 2
FELTS = {Felt.CASH: "#1E7852", Felt.TOURNAMENT: "#225C8C"}


def draw(picture: Picture) -> bytes:
    """Return the picture as a WebP file. Equal pictures give equal bytes."""
    match picture:
        case TablePicture():
            image = Image.new("RGB", SIZE, FELTS[picture.look.felt])
    file = BytesIO()
    image.save(file, "WEBP", quality=QUALITY, method=METHOD)
    return file.getvalue()


def warm_up() -> None:
    """Make what the first pictures need, so that they take no longer than later ones."""
    Image.preinit()
