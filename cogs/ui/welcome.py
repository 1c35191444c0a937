"""The local cardroom receives its first visitor: a table with practice players waits in the first channel.

Source: issue 2 "Local".
"""

from __future__ import annotations

import logging
from collections.abc import Iterable

import discord
from msgspec.structs import replace

from bot import variants
from bot.engine.errors import TableError
from bot.runtime.asked import Asked
from bot.runtime.house_table import Wishes, house_settings
from cogs.ui.room import Room

log = logging.getLogger(__name__)

SEATS, PLAYERS = 6, 4


class Welcome:
    """Opens a practice table where none is open."""

    def __init__(self, room: Room) -> None:
        self._room = room

    async def open_tables(self, guilds: Iterable[discord.Guild]) -> None:
        """Open a table in the first channel of each server that has no table at all."""
        for guild in guilds:
            if not self._room.tables.tables(guild.id) and guild.text_channels and guild.me is not None:
                try:
                    await self._open(guild.id, guild.text_channels[0].id, guild.owner_id or guild.me.id)
                except TableError as error:
                    log.warning("no table could be opened for the first visitor: %s", error)

    async def _open(self, guild: int, channel: int, host: int) -> None:
        room = self._room
        key = f"welcome:{guild}:{len(room.tables.tables(guild))}:{discord.utils.time_snowflake(discord.utils.utcnow())}"
        asked = Asked(key=key, guild=guild, channel=channel, user=host)
        rules = await room.bank.house_rules(guild)
        settings = replace(
            house_settings(variants.game("holdem"), rules, Wishes(seats=SEATS, practice=True)),
            idle_minutes=0,  # it waits for whoever comes, however late
        )
        opened = (await room.tables.open(asked, settings)).now
        seating = Asked(key=f"{key}:practice", guild=guild, channel=channel, user=host, table=opened.id)
        await room.tables.seat_practice(seating, PLAYERS)
