"""What the frames between the bot and its drawing process hold; `bot.child_process` says what a frame is.

A request is a picture as msgpack. An answer begins with a byte that says what it is.
"""

from enum import IntEnum

import msgspec

from bot.pictures.types import Picture


class AnswerKind(IntEnum):
    """The first byte of an answer, and what follows it."""

    READY = 1
    """The process takes pictures; nothing follows."""
    DRAWN = 2
    """A WebP file."""
    FAILED = 3
    """The kind of error and where it was raised: no values, because these can be cards."""
    UNPREPARED = 4
    """As `FAILED`, of what the process makes ready unasked. The answer to the request follows."""


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Picture)


def encode_picture(picture: Picture) -> bytes:
    """Return a picture as bytes. Equal pictures give equal bytes."""
    return _encoder.encode(picture)


def decode_picture(body: bytes) -> Picture:
    """Return the picture of a request.

    Raises:
        msgspec.DecodeError: the bytes are no picture.
    """
    picture: Picture = _decoder.decode(body)
    return picture
