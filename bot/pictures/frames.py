"""What goes over the pipes between the bot and its drawing process: a length and so many bytes, in both directions.

A request is a picture as msgpack. An answer begins with a byte that says what it is.
"""

from __future__ import annotations

from enum import IntEnum

import msgspec

from bot.pictures.types import Picture

LENGTH_BYTES = 4
LARGEST_FRAME = 4_000_000
"""No frame is longer. A length above it means that the other side writes something else."""


class AnswerKind(IntEnum):
    """The first byte of an answer, and what follows it."""

    READY = 1
    """The process is warmed up; nothing follows."""
    DRAWN = 2
    """A WebP file."""
    FAILED = 3
    """The kind of error and where it was raised: no values, because these can be cards."""
    UNPREPARED = 4
    """As `FAILED`, of what the process makes ready unasked. The answer to the request follows."""


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Picture)


def write_frame(body: bytes) -> bytes:
    """Return a frame with its length before it."""
    return len(body).to_bytes(LENGTH_BYTES, "big") + body


def read_length(header: bytes) -> int:
    """Return the length of the frame that follows.

    Raises:
        ValueError: no frame is so long, or so short.
    """
    length = int.from_bytes(header, "big")
    if not 0 < length <= LARGEST_FRAME:
        raise ValueError("no frame has this length")
    return length


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
