"""The card tiles as application emojis: existing ones are used, missing ones are uploaded one by one in the background."""

from __future__ import annotations

import asyncio
import logging

import aiohttp
import discord

from bot.render.card_tiles import TWO_COLOUR, tile_names, tile_png
from bot.text.cards import Emojis
from cogs.ui.discord_api import DiscordApi
from cogs.ui.request_queue import HOUSE_LINE, Priority
from cogs.ui.scenes import EmojiDecks

log = logging.getLogger(__name__)


async def upload_card_emojis(client: discord.Client, discord_api: DiscordApi, emoji_decks: EmojiDecks) -> None:
    """List the application's emojis, upload the missing tiles, and write cards with them as soon as a whole deck is uploaded."""
    try:
        ids = {emoji.name: emoji.id for emoji in await client.fetch_application_emojis()}
        _apply_emojis(emoji_decks, ids)
        for name in tile_names():
            if name not in ids:
                picture = await asyncio.to_thread(tile_png, name)
                await discord_api.wait_for_slot(HOUSE_LINE, Priority.BACKGROUND)
                ids[name] = (await client.create_application_emoji(name=name, image=picture)).id
                if not emoji_decks.four_colour.marks:
                    _apply_emojis(emoji_decks, ids)
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        log.warning("card_emoji_upload_failed", extra={"error": repr(error)})
        return
    _apply_emojis(emoji_decks, ids)
    log.info("card_emojis_ready", extra={"emojis": len(ids)})


def _apply_emojis(emoji_decks: EmojiDecks, ids: dict[str, int]) -> None:
    emoji_decks.four_colour = Emojis.of(ids)
    emoji_decks.two_colour = Emojis.of(ids, TWO_COLOUR)
