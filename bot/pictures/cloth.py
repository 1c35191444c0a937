"""A piece of cloth to lay cards on: the ground of every picture that shows no table."""

from functools import lru_cache

from PIL import Image

from bot.pictures.sketch import vertical
from bot.pictures.theme import Theme
from bot.table.picture_colours import Felt


@lru_cache(maxsize=16)
def cloth(theme: Theme, felt: Felt, width: int, height: int) -> Image.Image:
    """Return an RGB picture of cloth, darker towards its lower edge. It is shared: draw on a copy."""
    colours = theme.felt(felt)
    return vertical((width, height), colours.centre, colours.edge).convert("RGB")
