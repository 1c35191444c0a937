"""The golden pictures: what every picture of `states.py` and `answers.py` looked like when somebody last looked at it.

    python -m tests.pictures.golden_pictures [SHEET]

draws them again and keeps those that look different, by more than another FreeType can cause. SHEET (differences.png without it) then shows
each of them as it was, as it is, and where it differs: look at it before you commit.
"""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw

from bot.pictures.draw import drawn
from bot.pictures.types import OwnPicture
from tests.pictures.answers import ANSWERS
from tests.pictures.perceptual import Seen, as_seen, difference, differences
from tests.pictures.states import STATES

PICTURES: dict[str, OwnPicture] = {**STATES, **ANSWERS}
"""Every picture by its name."""
GOLDEN = Path(__file__).parent / "golden"
REDUCED, QUALITY, METHOD = 2, 95, 4
"""By how much they are smaller than what people see, and how they are written: small in the repository, and a digit can still be read."""
FAST = 0
TOLERANCE = 12
"""The largest difference that passes. Two versions of Pillow and FreeType that lie a year apart differ by up to 5, and the smallest planted
error, the neighbouring rank of a dimmed card in a row of four, by 17; a suit, a digit, a frame or a letter cut off by 38 and more."""


def kept(whole: Image.Image, method: int = METHOD) -> bytes:
    """Return a picture of full size as it is kept here."""
    file = BytesIO()
    whole.reduce(REDUCED).save(file, "WEBP", quality=QUALITY, method=method)
    return file.getvalue()


def seen(whole: Image.Image) -> Seen:
    """Return a picture of full size as people see it in the size that is kept here."""
    return as_seen(whole.reduce(REDUCED))


def look_apart(golden: bytes, whole: Image.Image) -> int:
    """Return by how much a picture of full size differs from a golden one in its worst place.

    A file has fewer colours than pixels, so both come from one; this one is written in less time: larger, and it looks the same.
    """
    return difference(as_seen(opened(golden)), as_seen(opened(kept(whole, FAST))))


def golden_file(name: str) -> Path:
    """Where the golden picture of a name lies."""
    return GOLDEN / f"{name}.webp"


def opened(file: bytes) -> Image.Image:
    """Return the pixels of a file."""
    return Image.open(BytesIO(file)).convert("RGB")


def renew(sheet: Path) -> list[str]:
    """Keep what looks different from its golden picture, and show it on a sheet. Returns the names."""
    GOLDEN.mkdir(exist_ok=True)
    for file in GOLDEN.glob("*.webp"):
        if file.stem not in PICTURES:
            file.unlink()
    rows: list[tuple[str, bytes | None, bytes]] = []
    for name, picture in PICTURES.items():
        file, now = golden_file(name), drawn(picture)
        before = file.read_bytes() if file.exists() else None
        if before is None or look_apart(before, now) > TOLERANCE:
            rows.append((name, before, kept(now)))
            file.write_bytes(kept(now))
    if rows:
        _write_sheet(sheet, rows)
    return [name for name, _, _ in rows]


def _write_sheet(sheet: Path, rows: list[tuple[str, bytes | None, bytes]]) -> None:
    height = max(opened(now).height for _, _, now in rows) + 24
    width = max(opened(now).width for _, _, now in rows)
    canvas = Image.new("RGB", (3 * width, height * len(rows)), "#333333")
    pen = ImageDraw.Draw(canvas)
    for at, (name, before, now) in enumerate(rows):
        was, after = opened(before) if before is not None else None, opened(now)
        worst = difference(as_seen(was), as_seen(after)) if was is not None else 0
        pen.text((6, at * height + 6), f"{name}: {worst}" if was is not None else f"{name}: new", fill="white")
        canvas.paste(after, (width, at * height + 24))
        if was is not None:
            canvas.paste(was, (0, at * height + 24))
            if worst < 255:
                apart = differences(as_seen(was), as_seen(after)).point(lambda v: min(255, 4 * v))
                canvas.paste(apart, (2 * width, at * height + 24))
    canvas.save(sheet)


if __name__ == "__main__":
    chosen = Path(sys.argv[1] if len(sys.argv) > 1 else "differences.png")
    renewed = renew(chosen)
    print(f"{len(renewed)} of {len(PICTURES)} look different" + (f": see {chosen}" if renewed else ""))
