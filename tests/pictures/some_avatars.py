"""Pictures that people could have uploaded, drawn here: nobody's."""

from __future__ import annotations

import random
from io import BytesIO

from PIL import Image, ImageDraw

COLOURS = ("#C94F4F", "#4F83C9", "#5BA35B", "#C9A24F", "#8A5BC9", "#3FA7A0", "#C96F9F", "#6F7FC9", "#A0673F", "#4F6F5F")


def avatar_image(number: int = 1, size: int = 128) -> Image.Image:
    """Return a face of two colours, another one for each number."""
    image = Image.new("RGB", (size, size), COLOURS[number % len(COLOURS)])
    pen = ImageDraw.Draw(image)
    ink, part = COLOURS[(number + 3) % len(COLOURS)], size / 16
    pen.ellipse((3 * part, 2 * part, 13 * part, 12 * part), fill="#F1D3B3")
    pen.pieslice((3 * part, part, 13 * part, 12 * part), 180, 360, fill=ink)
    pen.ellipse((6 * part, 7 * part, 7 * part, 8 * part), fill="#201810")
    pen.ellipse((9 * part, 7 * part, 10 * part, 8 * part), fill="#201810")
    pen.ellipse((part, 12 * part, 15 * part, 22 * part), fill=ink)
    return image


def noise_image(number: int = 1, size: int = 128) -> Image.Image:
    """Return what no format makes small."""
    return Image.frombytes("RGB", (size, size), random.Random(number).randbytes(3 * size * size))


def some_avatar(number: int = 1, kind: str = "PNG", image: Image.Image | None = None) -> bytes:
    """Return a picture as a file."""
    file = BytesIO()
    (image or avatar_image(number)).save(file, kind)
    return file.getvalue()
