"""Pictures in the process of a test: drawn by the program's own drawing, without a process to wait for."""

import asyncio
import hashlib
import struct
from collections.abc import Hashable

import msgspec

from bot.pictures.avatars import avatar_file
from bot.pictures.draw import draw
from bot.pictures.geometry import CANVAS_BOXES
from bot.pictures.maker import PictureMaker
from bot.pictures.types import AvatarPicture, Picture, TablePicture


class InProcessMaker(PictureMaker):
    """Draws at once, in this process, whoever asks.

    Attributes:
        drawn: every picture that was asked for, in order.
        fails: nothing can be drawn, as when the drawing process has died.
    """

    def __init__(self) -> None:
        super().__init__()
        self.drawn: list[Picture] = []
        self.fails = False
        self._runs = False

    @property
    def can_draw(self) -> bool:
        return self._runs

    @property
    def is_ready(self) -> bool:
        return self._runs

    def start(self) -> None:
        self._runs = True

    async def draw(self, picture: Picture, key: Hashable | None = None) -> bytes | None:
        if not self._runs or self.fails:
            return None
        self.drawn.append(picture)
        return draw(picture)

    async def close(self) -> None:
        self._runs = False


USUAL_BYTES = 65_000


class Painter(PictureMaker):
    """Draws nothing, but makes a file of the usual size for each picture, which depends on what is shown, on nothing else.

    Attributes:
        drawn: the pictures of tables that were asked for, in order.
        rests: as a drawing process that has died too often.
        fault: what happens to the next pictures instead of drawing them: an error that is raised, or None for no picture.
        gate: pictures wait until it is open.
        warms_up: as a drawing process that has just been started.
    """

    def __init__(self) -> None:
        super().__init__()
        self.drawn: list[TablePicture] = []
        self.rests = self.warms_up = False
        self.fault: Exception | str | None = None
        self.gate = asyncio.Event()
        self.gate.set()

    @property
    def can_draw(self) -> bool:
        return not self.rests

    @property
    def is_ready(self) -> bool:
        return not self.warms_up

    def start(self) -> None:
        """It is ready at once."""

    async def close(self) -> None:
        self.gate.set()

    async def draw(self, picture: Picture, key: Hashable | None = None) -> bytes | None:
        """Return the file, once the gate is open."""
        if isinstance(picture, AvatarPicture):
            return avatar_file(picture.content)
        if isinstance(picture, TablePicture):
            self.drawn.append(picture)
        await self.gate.wait()
        if isinstance(self.fault, Exception):
            raise self.fault
        return None if self.fault is not None else picture_file(picture)


def picture_file(picture: Picture) -> bytes:
    """Return the file of a picture: a WebP header, then the digest of what it shows."""
    height = CANVAS_BOXES[picture.canvas].height if isinstance(picture, TablePicture) else 820
    size = struct.pack("<I", 1099)[:3] + struct.pack("<I", height - 1)[:3]
    digest = hashlib.sha256(msgspec.msgpack.encode(picture)).digest()
    body = b"WEBPVP8X" + bytes(8) + size + digest * (USUAL_BYTES // len(digest))
    return b"RIFF" + struct.pack("<I", len(body)) + body
