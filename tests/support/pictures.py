"""Pictures in the process of a test: drawn by the program's own drawing, without a process to wait for."""

from collections.abc import Hashable

from bot.pictures.draw import draw
from bot.pictures.maker import PictureMaker
from bot.pictures.types import Picture


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

    def start(self) -> None:
        self._runs = True

    async def draw(self, picture: Picture, key: Hashable | None = None) -> bytes | None:
        if not self._runs or self.fails:
            return None
        self.drawn.append(picture)
        return draw(picture)

    async def close(self) -> None:
        self._runs = False
