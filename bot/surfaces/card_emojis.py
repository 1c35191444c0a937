"""The card tiles as application emojis: existing ones are used, missing ones are uploaded one by one in the background.

With several dealers one of them uploads, and the others look again until all are there.
"""

from __future__ import annotations

import asyncio
import logging

from bot.allowances import in_thread
from bot.background_tasks import BackgroundTasks
from bot.line.api import DiscordApi
from bot.line.client import DiscordClient
from bot.line.failures import DiscordFailed
from bot.line.site import BotDuties
from bot.render.card_tiles import TWO_COLOUR, tile_names, tile_png
from bot.surfaces.part import Part
from bot.surfaces.scenes import EmojiDecks
from bot.text.cards import Emojis

log = logging.getLogger(__name__)


LOOK_AGAIN_SECONDS = 60.0
"""So often a dealer that does not upload looks whether all are there."""


class CardEmojis(Part):
    """Has cards written with emojis once the application has them."""

    def __init__(
        self, client: DiscordClient, discord_api: DiscordApi, emoji_decks: EmojiDecks, duties: BotDuties
    ) -> None:
        self._discord_api, self._emoji_decks = discord_api, emoji_decks
        self._take = upload_card_emojis if duties.are_mine else wait_for_card_emojis
        self.tasks = BackgroundTasks()
        client.after_login(self._begin)

    async def _begin(self) -> None:
        self.tasks.run(self._take(self._discord_api, self._emoji_decks), "tiles")

    async def close(self) -> None:
        await self.tasks.finish(0)


async def upload_card_emojis(discord_api: DiscordApi, emoji_decks: EmojiDecks) -> None:
    """List the application's emojis, upload the missing tiles, and write cards with them as soon as a whole deck is uploaded."""
    try:
        ids = await discord_api.application_emojis()
        _apply_emojis(emoji_decks, ids)
        for name in tile_names():
            if name not in ids:
                picture = await in_thread(tile_png, name)
                ids[name] = await discord_api.create_application_emoji(name, picture)
                if not emoji_decks.four_colour.marks:
                    _apply_emojis(emoji_decks, ids)
    except DiscordFailed as error:
        log.warning("card_emoji_upload_failed", extra={"error": repr(error)})
        return
    _apply_emojis(emoji_decks, ids)
    log.info("card_emojis_ready", extra={"emojis": len(ids)})


async def wait_for_card_emojis(discord_api: DiscordApi, emoji_decks: EmojiDecks) -> None:
    """List the application's emojis until another dealer has uploaded them all, and write cards with them."""
    while True:
        try:
            ids = await discord_api.application_emojis()
        except DiscordFailed as error:
            log.warning("card_emojis_not_listed", extra={"error": repr(error)})
        else:
            _apply_emojis(emoji_decks, ids)
            if all(name in ids for name in tile_names()):
                return
        await asyncio.sleep(LOOK_AGAIN_SECONDS)


def _apply_emojis(emoji_decks: EmojiDecks, ids: dict[str, int]) -> None:
    emoji_decks.set(Emojis.of(ids), Emojis.of(ids, TWO_COLOUR))
