"""The first three of a leaderboard on a podium."""

from typing import NamedTuple

from PIL import Image

from bot.pictures.cloth import cloth
from bot.pictures.coverage import Weight
from bot.pictures.names import clean_name
from bot.pictures.sprites import Sprites
from bot.pictures.theme import Label
from bot.pictures.types import PodiumPicture, PodiumPlayer

WIDTH, HEIGHT = 1100, 320
STEP_WIDTH, STEP_GAP = 340, 18
NAME_LETTERS, CHIPS_LETTERS, LETTERS_MIN = 44, 54, 34


class _Step(NamedTuple):
    """A step of the podium: where its middle is, how high it stands, and the width of the medal on it."""

    middle: int
    height: int
    medal: int


_MIDDLE, _ASIDE = WIDTH // 2, STEP_WIDTH + STEP_GAP
STEPS = (_Step(_MIDDLE, 230, 128), _Step(_MIDDLE - _ASIDE, 196, 108), _Step(_MIDDLE + _ASIDE, 178, 108))
"""The best stands in the middle, the second to the left of them, the third to the right."""


def podium_image(picture: PodiumPicture) -> Image.Image:
    """Draw a podium of 1100 × 320 pixels."""
    sprites = Sprites(picture.look)
    canvas = cloth(sprites.theme, picture.look.felt, WIDTH, HEIGHT).copy()
    for player, step in zip(picture.players, STEPS, strict=False):
        _player(canvas, sprites, player, step)
    return canvas


def _player(canvas: Image.Image, sprites: Sprites, player: PodiumPlayer, step: _Step) -> None:
    medal = sprites.theme.medals.of(player.rank)
    plate = sprites.theme.plates.normal
    left, top = step.middle - STEP_WIDTH // 2, HEIGHT - step.height
    sprites.panel(STEP_WIDTH, step.height + 40, 24, plate.top, plate.bottom, border=medal.border, line=5).onto(
        canvas, left, top
    )
    _medal(canvas, sprites, medal, player.rank, step, top)
    widest = STEP_WIDTH - 40
    name = clean_name(player.name) or f"#{player.rank}"
    below = top + step.medal // 2
    middle = below + (HEIGHT - below) // 2
    size = sprites.size_that_fits(name, NAME_LETTERS, LETTERS_MIN, widest)
    sprites.write(canvas, step.middle, middle - 27, name, size, plate.name, anchor="m", widest=widest)
    size = sprites.size_that_fits(player.chips, CHIPS_LETTERS, LETTERS_MIN, widest)
    sprites.write(
        canvas, step.middle, middle + 29, player.chips, size, plate.chips, weight=Weight.EXTRABOLD, anchor="m"
    )


def _medal(canvas: Image.Image, sprites: Sprites, medal: Label, rank: int, step: _Step, top: int) -> None:
    """Lay a medal with the rank over the upper edge of a step."""
    left = step.middle - step.medal // 2
    sprites.panel(
        step.medal, step.medal, step.medal // 2, medal.fill, border=medal.border, line=6, glow=medal.fill + "70"
    ).onto(canvas, left, top - step.medal // 2)
    size = step.medal // 2
    sprites.write(canvas, step.middle, top, str(rank), size, medal.text, weight=Weight.EXTRABOLD, anchor="m")
