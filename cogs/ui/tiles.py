"""The card tiles as application emojis: what is there is used, what is missing is uploaded, one after another, in the background.

Source: ui §2; discord.md §4.
"""

from __future__ import annotations

import asyncio
import logging

import aiohttp
import discord

from bot.render.cards import Emojis
from bot.render.tiles import TWO_COLOUR, tile_names, tile_png
from cogs.ui.scenes import Deck
from cogs.ui.wire import Wire

log = logging.getLogger(__name__)


async def hang_tiles(client: discord.Client, wire: Wire, deck: Deck) -> None:
    """List the application's emojis, upload the missing tiles, and write cards with them as soon as a whole pack is there."""
    try:
        ids = {emoji.name: emoji.id for emoji in await client.fetch_application_emojis()}
        _use(deck, ids)
        for name in tile_names():
            if name not in ids:
                picture = await asyncio.to_thread(tile_png, name)
                await wire.turn()
                ids[name] = (await client.create_application_emoji(name=name, image=picture)).id
                if not deck.emojis.marks:
                    _use(deck, ids)
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        log.warning("card emojis could not be uploaded, cards are written as signs: %r", error)
        return
    _use(deck, ids)
    log.info("card emojis are there", extra={"emojis": len(ids)})


def _use(deck: Deck, ids: dict[str, int]) -> None:
    deck.emojis = Emojis.of(ids)
    deck.two_colour = Emojis.of(ids, TWO_COLOUR)
