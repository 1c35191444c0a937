"""Pictures that go with an answer: the result of a hand, a player's own cards, the podium, what beats what.

Nothing depends on them: where the bot cannot attach files, or a picture cannot be drawn in time, the answer is its text.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from bot.background_tasks import BackgroundTasks
from bot.child_process import describe_error
from bot.engine.showdown.examples_in_force import examples_in_force
from bot.line.interaction import InteractionInfo
from bot.line.payloads import AttachedFile
from bot.pictures.maker import PictureMaker
from bot.pictures.types import Look, Picture, RankingPicture
from bot.render.message.panel import PICTURE_TEXT_MAX
from bot.render.message.panel import Picture as PictureBlock
from bot.render.pictures.ranking import RANKING_PICTURE, ranking_picture
from bot.runtime.bank import Bank
from bot.table.picture_colours import Deck
from bot.table.settings import TableSettings
from bot.text.game_names import game_name
from bot.text.rankings import picture_text

T = TypeVar("T")
log = logging.getLogger(__name__)

CONTENT_TYPE = "image/webp"
KEPT_MAX = 64
"""The most rankings that are kept drawn: a game's ranking is the same for everybody who asks."""
TEXT_SECONDS = 0.15
"""How long an answer waits for its picture. After that it goes out in text, and the picture follows."""
DRAWING_SECONDS = 2.0
"""How long a picture that somebody has asked for can take."""
PANEL_SECONDS = 1.0
"""How long a panel waits for its picture: its owner plays from it."""
WAITING_MAX = 4
"""So many pictures of one person's answers wait or are drawn at a time: one person's answers never take the tables' turns."""


class FileToCome:
    """A picture that is being drawn.

    Attributes:
        is_taken: the answer has gone out with it, or as it is impossible without it: nothing follows.
    """

    def __init__(self, drawing: asyncio.Task[AttachedFile | None]) -> None:
        self._drawing = drawing
        self.is_taken = False

    async def soon(self) -> AttachedFile | None:
        """Return the file if it is drawn in a moment; None if that takes longer, or is not possible."""
        await asyncio.wait((self._drawing,), timeout=TEXT_SECONDS)
        self.is_taken = self._drawing.done()
        return self._drawing.result() if self.is_taken else None

    async def drawn(self) -> AttachedFile | None:
        """Return the file once it is drawn; None where it cannot be had."""
        return await self._drawing


class AnswerPicture(Struct, frozen=True):
    """A picture, and the block of a panel that shows it."""

    block: PictureBlock
    file: FileToCome


async def ready_file(file: AttachedFile | FileToCome | None) -> AttachedFile | None:
    """Return what an answer can take with it at once."""
    return await file.soon() if isinstance(file, FileToCome) else file


def describe_safely(describe: Callable[[], T | None]) -> T | None:
    """Return what `describe` does; None if that fails, which is logged: an answer never waits for our faults."""
    try:
        return describe()
    except Exception as error:  # its text can name a card, so only where it was is logged (TL-37)
        log.error("picture_not_described", extra={"error": describe_error(error)})
        return None


class AnswerPictures:
    """Draws the pictures of answers. Who asks for many at once gets the others in text."""

    def __init__(self, maker: PictureMaker, bank: Bank) -> None:
        self._maker = maker
        self._bank = bank
        self._tasks = BackgroundTasks()
        self._themes: dict[int, str] = {}
        self._kept: OrderedDict[RankingPicture, bytes] = OrderedDict()
        self._waiting: Counter[int] = Counter()

    @property
    def can_draw(self) -> bool:
        """Whether there are pictures at all."""
        return self._maker.can_draw

    def possible(self, info: InteractionInfo) -> bool:
        """Whether an answer to an interaction can have a picture."""
        return self._maker.can_draw and info.bot_permissions.attach_files

    async def look(self, guild: int, *, deck: Deck = Deck.FOUR_COLOURS) -> Look:
        """Return how pictures are drawn in a server."""
        theme = self._themes[guild] = (await self._bank.house_rules(guild)).theme
        return Look(theme, deck)

    def known_look(self, guild: int, *, deck: Deck = Deck.FOUR_COLOURS) -> Look:
        """Return the same without waiting: in the theme that was read last, or the usual one."""
        return Look(self._themes.get(guild, Look().theme), deck)

    async def answer(
        self, info: InteractionInfo, describe: Callable[[], tuple[Picture, str, str] | None]
    ) -> AnswerPicture | None:
        """Begin to draw the picture of an answer; None for an answer in text.

        Args:
            describe: returns what the picture shows, the name of its file and its description; None for no picture.
        """
        user = info.user
        if not self.possible(info) or self._waiting[user] >= WAITING_MAX:
            return None
        if (described := describe_safely(describe)) is None:
            return None
        picture, name, text = described

        async def draw() -> AttachedFile | None:
            try:
                content = await self.draw(picture, DRAWING_SECONDS)
            finally:
                self._waiting[user] -= 1
                if not self._waiting[user]:
                    del self._waiting[user]
            return AttachedFile(name, content, CONTENT_TYPE, text) if content is not None else None

        self._waiting[user] += 1
        return AnswerPicture(PictureBlock(name, text), FileToCome(self._tasks.run(draw(), "answer-picture")))

    async def draw(self, picture: Picture, seconds: float, key: Hashable | None = None) -> bytes | None:
        """Return a picture as a file; None where it cannot be had within these seconds. Of those with one key only the newest is drawn."""
        if isinstance(picture, RankingPicture) and (kept := self._kept.get(picture)) is not None:
            self._kept.move_to_end(picture)
            return kept
        try:
            async with asyncio.timeout(seconds):
                content = await self._maker.draw(picture, key)
        except TimeoutError:
            return None
        if content is not None and isinstance(picture, RankingPicture):
            self._kept[picture] = content
            if len(self._kept) > KEPT_MAX:
                self._kept.popitem(last=False)
        return content

    async def ranking(self, info: InteractionInfo, settings: TableSettings) -> AnswerPicture | None:
        """Return the picture of what beats what in the game of a table."""
        if not self.possible(info):
            return None
        look = replace(await self.look(info.guild, deck=settings.picture_deck), felt=settings.felt)
        card, options = settings.rule_card, settings.options

        def describe() -> tuple[Picture, str, str]:
            text = picture_text(game_name(card.name), examples_in_force(card, options), PICTURE_TEXT_MAX)
            return ranking_picture(card, options, look), RANKING_PICTURE, text

        return await self.answer(info, describe)
