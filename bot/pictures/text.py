"""Words as masks: fonts for every script, cut to a width.

Letters that Inter lacks come from the other fonts, run by run. Left-to-right scripts without joined letters are set the same way
on every machine; the others are set by Raqm where Pillow finds it, and letter by letter where it does not.
"""

import unicodedata
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from PIL import Image, ImageChops, ImageDraw, ImageFont, features

from bot.pictures.coverage import FOLDER, Weight, font_for

ELLIPSIS = "…"
CAP_HEIGHT = 0.727
"""The height of capitals and figures of Inter, as a part of the size. Words are centred on it."""

PAD = 2
"""Pixels left free at both ends of a mask, for letters that reach beyond their width."""

SCALES = {"DejaVuSansCondensed-Bold.ttf": 0.97, "DroidSansFallback.ttf": 0.96}
"""Fonts that look larger than Inter at the same size."""

THIN = frozenset({"DroidSansFallback.ttf", "NanumSquareB.ttf"})
"""Fonts whose letters are thinner than those of Inter: they are drawn twice, a pixel apart."""

RIGHT_TO_LEFT = frozenset({"R", "AL"})
JOINED = frozenset({"NotoSansThai-Bold.ttf", "NotoSansDevanagari-Bold.ttf"})
"""Fonts whose letters and marks change their place and shape beside others."""


class TextMask(NamedTuple):
    """A word, ready to be pasted in any colour.

    Attributes:
        ink: how much of each pixel is covered, with `PAD` free columns at both ends.
        width: how far the word reaches, in pixels, without the pads.
        baseline: the row of `ink` on which the letters stand.
    """

    ink: Image.Image
    width: int
    baseline: int


class _Run(NamedTuple):
    font: str | None
    letters: str
    is_joined: bool


@lru_cache(maxsize=96)
def _font(file: str, size: int, is_joined: bool) -> ImageFont.FreeTypeFont:
    engine = ImageFont.Layout.RAQM if is_joined and features.check("raqm") else ImageFont.Layout.BASIC
    return ImageFont.truetype(FOLDER / file, size * SCALES.get(file, 1.0), layout_engine=engine)


def _clusters(text: str) -> list[str]:
    """Return a text as letters, each with the marks that belong to it."""
    found: list[str] = []
    for character in text:
        if found and unicodedata.category(character).startswith("M"):
            found[-1] += character
        else:
            found.append(character)
    return found


def _direction(letter: str) -> str:
    return unicodedata.bidirectional(letter[0])


def _runs(text: str, weight: Weight) -> list[_Run]:
    """Return the runs of a text from left to right, as they stand on the picture."""
    turns = any(_direction(letter) in RIGHT_TO_LEFT for letter in text)
    if turns and (whole := font_for(text, weight)):
        return [_in_line(whole, text)]
    found = []
    for font, letters in groupby(_clusters(text), lambda letter: font_for(letter, weight)):
        run = "".join(letters)
        found.append(_in_line(font, run) if turns and font else _Run(font, run, font in JOINED))
    first = next((_direction(letter) for letter in text if _direction(letter) in {"L", *RIGHT_TO_LEFT}), "L")
    return found[::-1] if first in RIGHT_TO_LEFT else found


def _in_line(font: str, run: str) -> _Run:
    """Return a run that can hold both directions, its letters turned round if nobody else does it."""
    if features.check("raqm") or not any(_direction(letter) in RIGHT_TO_LEFT for letter in run):
        return _Run(font, run, is_joined=True)
    return _Run(font, "".join(reversed(_clusters(run))), is_joined=False)


def _advance(run: _Run, size: int) -> float:
    return _font(run.font, size, run.is_joined).getlength(run.letters) if run.font else 0.0


def text_width(text: str, size: int, weight: Weight = Weight.BOLD) -> int:
    """Return how many pixels wide a text is at a size in pixels."""
    return round(sum(_advance(run, size) for run in _runs(text, weight)))


def fit_text(text: str, size: int, weight: Weight, width: int) -> str:
    """Return a text, cut with "…" where it is wider than `width` pixels."""
    if text_width(text, size, weight) <= width:
        return text
    letters = _clusters(text)
    low, high = 0, len(letters)
    while low < high:
        middle = (low + high + 1) // 2
        if text_width(_cut(letters, middle), size, weight) <= width:
            low = middle
        else:
            high = middle - 1
    return _cut(letters, low)


def _cut(letters: list[str], count: int) -> str:
    return "".join(letters[:count]).rstrip() + ELLIPSIS


def text_mask(text: str, size: int, weight: Weight = Weight.BOLD) -> TextMask:
    """Draw a text on one line at a size in pixels. What reaches beyond the line, as hostile marks do, is cut off."""
    runs = _runs(text, weight)
    width = round(sum(_advance(run, size) for run in runs))
    baseline = round(size * 1.02)
    ink = Image.new("L", (width + 2 * PAD, round(size * 1.32)), 0)
    pencil = ImageDraw.Draw(ink)
    x = float(PAD)
    for run in runs:
        if run.font is None:
            continue
        font = _font(run.font, size, run.is_joined)
        if run.font in THIN:
            layer = Image.new("L", ink.size, 0)
            ImageDraw.Draw(layer).text((x, baseline), run.letters, 255, font, "ls")
            ink.paste(ImageChops.lighter(ink, ImageChops.lighter(layer, ImageChops.offset(layer, 1, 0))))
        else:
            pencil.text((x, baseline), run.letters, 255, font, "ls")
        x += _advance(run, size)
    return TextMask(ink, width, baseline)
