"""People's own pictures: whatever they have uploaded to Discord becomes a small square, or nothing.

What comes in is made by strangers. It is looked at in the drawing process alone, which holds no secret and can be replaced: size before
pixels, two formats, one frame.
"""

from __future__ import annotations

import warnings
from io import BytesIO

from PIL import Image, PngImagePlugin, WebPImagePlugin

AVATAR_PIXELS = 74
"""Of a side: the disc on the plate of a full table. On a strip it is drawn smaller."""
PIXELS_MAX = 1024 * 1024
"""Of what comes in. The dealer asks for 128 × 128; a file of some kilobytes can claim to have billions."""
FORMATS = (PngImagePlugin.PngImageFile.format, WebPImagePlugin.WebPImageFile.format)
_QUALITY = 88


def avatar_file(content: bytes) -> bytes:
    """Return somebody's picture as a square WebP file of 74 × 74 pixels; empty for what is no picture, or too large.

    Of one that moves it is the first frame, and of one that is no square the middle.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(BytesIO(content), formats=FORMATS) as opened:
                if not 0 < opened.width * opened.height <= PIXELS_MAX:
                    return b""
                image = opened.convert("RGBA")
    except Exception:  # a stranger's bytes can make a decoder raise anything
        return b""
    side = min(image.size)
    left, top = (image.width - side) // 2, (image.height - side) // 2
    square = (AVATAR_PIXELS, AVATAR_PIXELS)
    small = image.resize(square, Image.Resampling.LANCZOS, (left, top, left + side, top + side))
    file = BytesIO()
    small.save(file, "WEBP", quality=_QUALITY, method=4)
    return file.getvalue()


def read_avatar(file: bytes, size: int) -> Image.Image:
    """Return what `avatar_file` has made as an RGBA picture of so many pixels a side."""
    with Image.open(BytesIO(file), formats=FORMATS) as opened:
        return opened.convert("RGBA").resize((size, size), Image.Resampling.LANCZOS)
