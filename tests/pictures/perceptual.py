"""How different two pictures look: in the worst place, not on average, so that one wrong card counts however large the picture is."""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

from PIL import Image, ImageChops, ImageCms, ImageFilter

Seen: TypeAlias = tuple[Image.Image, ...]
"""The three channels of a picture, see `as_seen`."""

BLUR = 0.8
"""How far pixels are mixed before they are compared: edges that another version of a font library draws a little elsewhere are alike."""
TILE_RADIUS = 3
"""A tile is a square of this many pixels to each side: about a digit, a small suit or a star."""


@cache
def _to_lab() -> ImageCms.ImageCmsTransform:
    return ImageCms.buildTransform(ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB"), "RGB", "LAB")


def as_seen(picture: Image.Image) -> Seen:
    """Return lightness, and how red or green and yellow or blue it is, as people see differences."""
    found = ImageCms.applyTransform(picture.convert("RGB").filter(ImageFilter.GaussianBlur(BLUR)), _to_lab())
    assert found is not None
    return found.split()


def differences(one: Seen, other: Seen) -> Image.Image:
    """Return by how much the surroundings of each pixel differ, as a grey picture."""
    channels = [ImageChops.difference(*pair) for pair in zip(one, other, strict=True)]
    lightness, *colours = channels
    # Lightness is kept in 255 steps and colours in about 1 per step of what an eye can tell, so all three weigh about the same.
    whole = lightness
    for colour in colours:
        whole = ImageChops.add(whole, colour)
    return whole.filter(ImageFilter.BoxBlur(TILE_RADIUS))


def difference(one: Seen, other: Seen) -> int:
    """Return the largest difference of any tile, 0 to 255; 255 for pictures of different sizes."""
    if one[0].size != other[0].size:
        return 255
    lowest_and_highest = differences(one, other).getextrema()
    assert isinstance(lowest_and_highest[1], int)
    return lowest_and_highest[1]
