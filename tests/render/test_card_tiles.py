"""Every card has a tile, which is small, square and named in words."""

import struct

import pytest

from bot.engine import cards
from bot.render.card_tiles import CARDS, tile_name, tile_names, tile_png
from bot.text.cards import EMOJI_NAMES

PNG = b"\x89PNG\r\n\x1a\n"
PALETTE = 3


def test_every_card_the_joker_and_the_back_have_a_tile() -> None:
    names = tile_names()
    assert names[:54] == EMOJI_NAMES
    assert len(names) == len(set(names)) == 54 + 26
    assert {"ace_of_hearts", "ten_of_clubs", "joker", "card_back", "ace_of_diamonds_2c"} <= set(names)
    assert {path.stem for path in CARDS.glob("*.png")} == set(names), "a file too many or too few"


@pytest.mark.parametrize("name", tile_names())
def test_a_tile_is_a_small_square_palette_png(name: str) -> None:
    """Discord takes emojis up to 256 KiB. Eighty tiles of 4 KB are uploaded together at the first start."""
    png = tile_png(name)
    assert png.startswith(PNG)
    width, height, depth, kind = struct.unpack(">IIBB", png[16:26])
    assert (width, height, kind) == (128, 128, PALETTE)
    assert depth <= 8
    assert len(png) < 4096


def test_tile_names_are_valid_for_discord() -> None:
    """A name has two to thirty-two letters, digits and underscores."""
    for name in tile_names():
        assert 2 <= len(name) <= 32
        assert name.replace("_", "").isalnum()


def test_two_colours_change_only_diamonds_and_clubs() -> None:
    for card in cards.WITH_JOKER_53:
        one, two = tile_name(card), tile_name(card, two_colour=True)
        if card != cards.JOKER and cards.suit_of(card) in {cards.CLUBS, cards.DIAMONDS}:
            assert two == f"{one}_2c"
            assert tile_png(one) != tile_png(two)
        else:
            assert two == one


def test_no_two_tiles_look_the_same() -> None:
    assert len({tile_png(name) for name in tile_names()}) == len(tile_names())


def test_an_unknown_tile_is_refused() -> None:
    """A name never becomes a path."""
    with pytest.raises(KeyError):
        tile_png("../../LICENSE")
