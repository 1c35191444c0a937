"""The fonts of the package and the characters that each of them has. Nothing here draws."""

import struct
from bisect import bisect_right
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent / "fonts"


class Weight(StrEnum):
    """How heavy letters are: the file of Inter that has them."""

    SEMIBOLD = "Inter-SemiBold.otf"
    BOLD = "Inter-Bold.otf"
    EXTRABOLD = "Inter-ExtraBold.otf"


FALLBACKS = (
    "DejaVuSansCondensed-Bold.ttf",  # more Latin, Greek and Cyrillic; Armenian, Georgian, Hebrew, Arabic, Lao
    "NotoSansThai-Bold.ttf",
    "NotoSansDevanagari-Bold.ttf",
    "DroidSansFallback.ttf",  # Chinese and Japanese
    "NanumSquareB.ttf",  # Korean
)
"""What is asked, in this order, for a character that Inter lacks. They have one weight."""


class Coverage(NamedTuple):
    """The characters of a font, as ranges in ascending order: a font of 30,000 characters has some hundred ranges."""

    firsts: tuple[int, ...]
    lasts: tuple[int, ...]

    def has(self, character: str) -> bool:
        """Return whether the font can draw a character."""
        at = bisect_right(self.firsts, ord(character)) - 1
        return at >= 0 and ord(character) <= self.lasts[at]


@cache
def coverage(font: str) -> Coverage:
    """Read which characters a font of the package has, from its table `cmap`: Pillow does not tell."""
    data = (FOLDER / font).read_bytes()
    (tables,) = struct.unpack_from(">H", data, 4)
    directory = (struct.unpack_from(">4sLLL", data, 12 + 16 * at) for at in range(tables))
    cmap = next(offset for tag, _, offset, _ in directory if tag == b"cmap")
    (count,) = struct.unpack_from(">H", data, cmap + 2)
    ranges: list[tuple[int, int]] = []
    for at in range(count):
        _, _, offset = struct.unpack_from(">HHL", data, cmap + 4 + 8 * at)
        (layout,) = struct.unpack_from(">H", data, cmap + offset)
        if layout == 12:
            ranges = _ranges_of_all_planes(data, cmap + offset)
            break
        if layout == 4:
            ranges = _ranges_of_first_plane(data, cmap + offset)
    return Coverage(tuple(first for first, _ in ranges), tuple(last for _, last in ranges))


def _ranges_of_all_planes(data: bytes, start: int) -> list[tuple[int, int]]:
    (groups,) = struct.unpack_from(">L", data, start + 12)
    return [struct.unpack_from(">LL", data, start + 16 + 12 * at) for at in range(groups)]


def _ranges_of_first_plane(data: bytes, start: int) -> list[tuple[int, int]]:
    """Return the segments; the last one, 0xFFFF, holds no character."""
    segments = struct.unpack_from(">H", data, start + 6)[0] // 2
    lasts = struct.unpack_from(f">{segments}H", data, start + 14)
    firsts = struct.unpack_from(f">{segments}H", data, start + 16 + 2 * segments)
    return list(zip(firsts, lasts, strict=True))[:-1]


def font_for(letters: str, weight: Weight) -> str | None:
    """Return the first font that can draw all of some letters; None if no font can."""
    chain = (weight.value, *FALLBACKS)
    return next((font for font in chain if all(coverage(font).has(letter) for letter in letters)), None)
