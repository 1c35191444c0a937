"""Finds out what a sheet tells: reads the evening back from its hands, and has its picture drawn."""

from __future__ import annotations

import asyncio
import logging

from bot.line.api import DiscordApi
from bot.pictures.types import LinesPicture
from bot.render.pictures.evening import evening_picture
from bot.render.table.sheet import HANDS_MIN
from bot.runtime.evening import Evening
from bot.runtime.luck_teller import LuckTeller
from bot.runtime.snapshot import TableAddress
from bot.runtime.store_errors import StoreError
from bot.runtime.tables import Tables
from bot.surfaces.answer_pictures import DRAWING_SECONDS, AnswerPictures, describe_safely
from bot.table.ended_game import EndedGame
from bot.text.language import reading
from bot.text.people import is_former

log = logging.getLogger(__name__)

PAUSES_SECONDS = (0.0, 2.0, 10.0)
"""How long before each try to read an evening, or to draw it."""
START_SECONDS = 60.0
"""So long after the dealer has started its pictures can be on their way."""


def is_behind(game: EndedGame, evening: Evening) -> bool:
    """Return whether somebody has left the standings of a game, and not yet its hands: their data is being deleted at this moment."""
    followed = {curve.player for curve in evening.curves}
    return bool(followed) and any(is_former(one.player) and one.player not in followed for one in game.standings)


class EveningTeller:
    """Reads evenings and draws them. Nothing waits for it for long."""

    def __init__(self, tables: Tables, luck: LuckTeller, discord_api: DiscordApi, pictures: AnswerPictures) -> None:
        self._tables, self._luck, self._servers, self._pictures = tables, luck, discord_api.servers, pictures
        self._opened_at = 0.0

    def open(self) -> None:
        """The dealer has started."""
        self._opened_at = asyncio.get_running_loop().time()

    async def read(self, address: TableAddress, game: EndedGame) -> Evening:
        """Return what an evening was like; nothing where too little was played, or where it cannot be read."""
        if game.hands < HANDS_MIN and not game.finishes:
            return Evening()
        evening = Evening()
        for pause in PAUSES_SECONDS:
            await asyncio.sleep(pause)
            try:
                evening = await self._tables.read_evening(address, game, self._luck.luck_of)
            except StoreError as error:
                log.warning("evening_not_read", extra={"table": address.id, "error": repr(error)})
            else:
                if not is_behind(game, evening):
                    break
        return evening

    async def draw(self, address: TableAddress, game: EndedGame, evening: Evening) -> bytes:
        """Return the picture of an evening as a file; empty where there is none."""
        if not evening.curves or not self._servers.can_attach_files(address.guild, address.channel):
            return b""
        look = await self._pictures.look(address.guild)

        def describe() -> LinesPicture | None:
            with reading(self._servers.language(address.guild)):
                return evening_picture(game, evening.curves, look)

        picture = describe_safely(describe)
        if picture is None:
            return b""
        for pause in PAUSES_SECONDS:
            await asyncio.sleep(pause)
            if not self._pictures.can_draw and not self._is_starting:
                break
            drawn = await self._pictures.draw(picture, DRAWING_SECONDS)
            if drawn is not None:
                return drawn
        log.info("evening_not_drawn", extra={"table": address.id})
        return b""

    @property
    def _is_starting(self) -> bool:
        return asyncio.get_running_loop().time() < self._opened_at + START_SECONDS
