"""The fonts of the package and the characters that each of them has. Nothing here draws."""

import struct
from bisect import bisect_right
from enum import StrEnum
from functools import cache, lru_cache
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
    with (FOLDER / font).open("rb") as file:
        (tables,) = struct.unpack_from(">H", file.read(12), 4)
        directory = struct.iter_unpack(">4sLLL", file.read(16 * tables))
        start, size = next((offset, length) for tag, _, offset, length in directory if tag == b"cmap")
        file.seek(start)
        data = file.read(size)
    (count,) = struct.unpack_from(">H", data, 2)
    ranges: list[tuple[int, int]] = []
    for at in range(count):
        _, _, offset = struct.unpack_from(">HHL", data, 4 + 8 * at)
        (layout,) = struct.unpack_from(">H", data, offset)
        if layout == 12:
            ranges = _ranges_of_all_planes(data, offset)
            break
        if layout == 4:
            ranges = _ranges_of_first_plane(data, offset)
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


@lru_cache(maxsize=4096)
def font_for(letters: str, weight: Weight) -> str | None:
    """Return the first font that can draw all of some letters; None if no font can."""
    chain = (weight.value, *FALLBACKS)
    return next((font for font in chain if all(coverage(font).has(letter) for letter in letters)), None)
