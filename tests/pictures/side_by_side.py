"""Write our pictures beside the mock-ups: `python -m tests.pictures.side_by_side OUT [MOCKUPS]`.

For each state there is one PNG file at each width at which people see pictures: 1,100, 400 and 290 pixels, on Discord's dark and light
background. Without the folder of mock-ups only ours are written.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from PIL import Image

from bot.engine.cards import JOKER, STANDARD_52
from bot.pictures.cards import CardSize
from bot.pictures.draw import draw
from bot.pictures.sprites import Sprites
from bot.pictures.types import Look, PictureCard
from bot.table.picture_colours import Deck
from tests.pictures.states import DRAW, REPLAY, SHOWDOWN, STATES, TURN

WIDTHS = (1100, 400, 290)
BACKGROUNDS = {"dark": "#1A1A1E", "light": "#FFFFFF"}
MARGIN = 24


class Mockup(NamedTuple):
    """A file of the folder of mock-ups, and where our subject lies in it."""

    file: str
    crop: tuple[int, int, int, int]


MOCKUPS = {
    "01_turn": Mockup("01-table-midhand.png", (135, 194, 499, 465)),
    "02_showdown": Mockup("02-showdown.png", (668, 194, 1332, 688)),
    "04_draw": Mockup("04-turn-and-draw.png", (1168, 117, 1580, 447)),
    "07_replay": Mockup("07-replay-fairness.png", (135, 223, 499, 494)),
    "08_cards": Mockup("08-cards.png", (24, 46, 1476, 780)),
}


def table(name: str) -> Image.Image:
    """Return the picture of a state as people get it: written as WebP and read again."""
    states = {"01_turn": TURN, "02_showdown": SHOWDOWN, "04_draw": DRAW, "07_replay": REPLAY, **STATES}
    return Image.open(BytesIO(draw(states[name]))).convert("RGB")


def deck() -> Image.Image:
    """Return all cards in the three decks, the joker, wild cards and the back."""
    sheet = Image.new("RGB", (1830, 980), "#17181C")
    size = CardSize(122, 168)
    sprites = Sprites(Look())
    for card in STANDARD_52:
        x, y = 20 + (12 - card // 4) * 134, 20 + (3 - card % 4) * 182
        sprites.card(PictureCard(card), size).onto(sheet, x, y)
    extras = [
        PictureCard(JOKER),
        PictureCard(1, is_wild=True),
        PictureCard(38, is_wild=True, stands_for=50),
        PictureCard(None),
    ]
    rows = [
        (Look(deck=look), [PictureCard(card) for card in (50, 45, 40, 39)]) for look in (Deck.TWO_COLOURS, Deck.FILLED)
    ] + [(Look(), extras)]
    for at, (look, shown) in enumerate(rows):
        for number, card in enumerate(shown):
            Sprites(look).card(card, size).onto(sheet, 20 + at * 600 + number * 134, 780)
    return sheet


def beside(pictures: Iterable[Image.Image], width: int, background: str) -> Image.Image:
    """Return pictures side by side at one width."""
    scaled = [
        picture.resize((width, round(picture.height * width / picture.width)), Image.Resampling.LANCZOS)
        for picture in pictures
    ]
    sheet = Image.new(
        "RGB",
        (
            MARGIN + sum(picture.width + MARGIN for picture in scaled),
            2 * MARGIN + max(picture.height for picture in scaled),
        ),
        background,
    )
    x = MARGIN
    for picture in scaled:
        sheet.paste(picture, (x, MARGIN))
        x += picture.width + MARGIN
    return sheet


def main(out: Path, mockups: Path | None) -> int:
    """Write the files and return how many they are."""
    out.mkdir(parents=True, exist_ok=True)
    count = 0
    for name in (*MOCKUPS, *STATES):
        pictures = [deck() if name == "08_cards" else table(name)]
        if mockups is not None and name in MOCKUPS:
            with Image.open(mockups / MOCKUPS[name].file) as whole:
                pictures.append(whole.convert("RGB").crop(MOCKUPS[name].crop))
        for width in WIDTHS:
            for theme, background in BACKGROUNDS.items():
                beside(pictures, width, background).save(out / f"{name}_{width}_{theme}.png")
                count += 1
    return count


if __name__ == "__main__":
    if len(sys.argv) not in {2, 3}:
        sys.exit("usage: python -m tests.pictures.side_by_side OUT [MOCKUPS]")
    written = main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) == 3 else None)
    sys.stdout.write(f"{written} files in {sys.argv[1]}\n")
