"""Whatever people have uploaded becomes a small square or nothing, and a plate shows the disc in place of initials."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO

import pytest
from msgspec.structs import replace
from PIL import Image

from bot.pictures.avatars import AVATAR_PIXELS, avatar_file
from bot.pictures.draw import LARGEST_BYTES, draw
from bot.pictures.frames import decode_picture, encode_picture
from bot.pictures.items import Kind
from bot.pictures.layout import lay_out
from bot.pictures.table import table_image
from bot.pictures.types import AvatarPicture, Canvas, PictureSeat, SeatState, TablePicture
from tests.pictures.some_avatars import avatar_image, noise_image, some_avatar
from tests.pictures.states import FULL, TURN

NOTHING = b""


def opened(file: bytes) -> Image.Image:
    image = Image.open(BytesIO(file))
    image.load()
    return image


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
@pytest.mark.parametrize("size", [1, 16, 128, 1024])
def test_picture_becomes_a_small_square(kind: str, size: int) -> None:
    file = avatar_file(some_avatar(kind=kind, image=avatar_image(size=size)))
    assert opened(file).size == (AVATAR_PIXELS, AVATAR_PIXELS)
    assert len(file) < 4_000
    assert draw(AvatarPicture(some_avatar(kind=kind, image=avatar_image(size=size)))) == file, "the same each time"


def test_middle_of_a_wide_picture_is_kept() -> None:
    image = Image.new("RGB", (300, 100), "#FF0000")
    image.paste("#00FF00", (100, 0, 200, 100))
    red, green, _ = opened(avatar_file(some_avatar(image=image))).convert("RGB").getpixel((4, 37))  # type: ignore[misc]
    assert green > 200 and red < 60


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_first_frame_of_one_that_moves_is_kept(kind: str) -> None:
    frames = [Image.new("RGB", (64, 64), colour) for colour in ("#FF0000", "#0000FF")]
    file = BytesIO()
    frames[0].save(file, kind, save_all=True, append_images=frames[1:] * 50, duration=40)
    red, _, blue = opened(avatar_file(file.getvalue())).convert("RGB").getpixel((37, 37))  # type: ignore[misc]
    assert red > 200 and blue < 60


def png(width: int, height: int, pixels: bytes = b"") -> bytes:
    """Return a PNG file that claims this size."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b"")


HOSTILE = {
    "nothing": b"",
    "text": b"<html>no picture</html>",
    "garbage": bytes(range(256)) * 40,
    "cut off": some_avatar()[:200],
    "damaged": some_avatar()[:60] + b"\xff" * 40 + some_avatar()[100:],
    "a bomb of 40,000 x 40,000": png(40_000, 40_000, bytes(1_000_000)),
    "a bomb of 2,000 x 2,000": png(2_000, 2_000, bytes(12_002_000)),
    "no pixels": png(128, 128),
    "no size": png(0, 128),
    "another format": some_avatar(kind="GIF"),
    "bytes behind a signature": b"RIFF\xff\xff\xff\x7fWEBPVP8X" + bytes(4_000),
    "an icon": b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_what_is_no_picture_is_nothing(content: bytes) -> None:
    assert draw(AvatarPicture(content)) == NOTHING


def test_avatar_travels_to_the_drawing_process_and_names_nothing() -> None:
    sent = AvatarPicture(some_avatar())
    assert decode_picture(encode_picture(sent)) == sent
    assert repr(sent) == f"<avatar of {len(sent.content)} bytes>"


def everybody_with_avatars(picture: TablePicture, *, noise: bool = False) -> TablePicture:
    def of(seat: PictureSeat) -> bytes:
        return avatar_file(some_avatar(image=noise_image(seat.number) if noise else avatar_image(seat.number)))

    return replace(picture, seats=tuple([replace(seat, avatar=of(seat)) for seat in picture.seats]))


@pytest.mark.parametrize("canvas", Canvas)
def test_disc_lies_where_initials_would_stand(canvas: Canvas) -> None:
    plain = replace(TURN, canvas=canvas)
    before = [item for item in lay_out(plain) if item.kind is Kind.AVATAR]
    after = [item for item in lay_out(everybody_with_avatars(plain)) if item.kind is Kind.AVATAR]
    assert [item.box for item in after] == [item.box for item in before]
    assert all(item.words for item in before) and not any(item.words for item in after)
    others = [item.box for item in lay_out(plain) if item.kind is not Kind.AVATAR]
    assert others == [item.box for item in lay_out(everybody_with_avatars(plain)) if item.kind is not Kind.AVATAR]


def test_disc_is_round_and_dimmed_for_who_has_folded() -> None:
    image = Image.new("RGB", (128, 128), "#FF00FF")
    seat = replace(TURN.seats[1], avatar=avatar_file(some_avatar(image=image)))
    folded = replace(seat, state=SeatState.FOLDED, cards=())
    box = next(item.box for item in lay_out(replace(TURN, seats=(seat,))) if item.kind is Kind.AVATAR)
    shown, dimmed = (table_image(replace(TURN, seats=(one,))) for one in (seat, folded))
    colour, darker = (one.getpixel(box.centre) for one in (shown, dimmed))
    assert isinstance(colour, tuple) and isinstance(darker, tuple)
    assert colour[0] > 240 and colour[1] < 20 and sum(darker) < sum(colour)
    corner = shown.getpixel((box.left, box.top))
    assert isinstance(corner, tuple) and corner[0] < 100, "the plate is seen beside the disc"


def test_clear_parts_show_the_colour_of_the_seat() -> None:
    clear = Image.new("RGBA", (128, 128), (0, 0, 0, 0))
    seat = replace(TURN.seats[1], avatar=avatar_file(some_avatar(image=clear)))
    box = next(item.box for item in lay_out(replace(TURN, seats=(seat,))) if item.kind is Kind.AVATAR)
    with_disc = table_image(replace(TURN, seats=(seat,))).getpixel(box.centre)
    with_initials = table_image(replace(TURN, seats=(TURN.seats[1],))).getpixel((box.centre[0], box.top + 8))
    assert with_disc == with_initials


@pytest.mark.parametrize("name", ["showdown_two_pots", "omaha_showdown_ten", "deal_10_seats"])
def test_pictures_with_the_worst_avatars_stay_small(name: str) -> None:
    assert len(draw(everybody_with_avatars(FULL[name], noise=True))) <= LARGEST_BYTES
