"""In a local cardroom, a table with practice players waits for the first visitor in the first channel."""

import logging

import discord
from msgspec.structs import replace

from bot import variants
from bot.engine.errors import TableError
from bot.runtime.commands import SeatPracticePlayers
from bot.runtime.request import Request
from bot.runtime.table_settings import NewTableRequest, default_table_settings
from bot.surfaces.part import Part
from cogs.support.services import Services

log = logging.getLogger(__name__)

SEATS, PLAYERS = 6, 4


class WelcomeTables(Part):
    """Opens a practice table in the first channel of each server that has none, in a local cardroom."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def open(self) -> None:
        for guild in self._services.discord_api.servers.all() if self._services.site.local else ():
            if not self._services.tables.tables_in_guild(guild.id) and guild.text_channels and guild.me is not None:
                try:
                    await self._open_table(guild.id, guild.text_channels[0].id, guild.owner_id or guild.me.id)
                except TableError as error:
                    log.warning("welcome_table_open_failed", extra={"guild": guild.id, "error": str(error)})

    async def _open_table(self, guild: int, channel: int, host: int) -> None:
        services = self._services
        time_id = discord.utils.time_snowflake(discord.utils.utcnow())
        key = f"welcome:{guild}:{len(services.tables.tables_in_guild(guild))}:{time_id}"
        rules = await services.bank.house_rules(guild)
        settings = replace(
            default_table_settings(variants.game("holdem"), rules, NewTableRequest(seats=SEATS, practice=True)),
            idle_minutes=0,  # the table waits for the first visitor, however late they come
        )
        opening = Request(key=key, guild=guild, channel=channel, user=host, staff=True)
        opened = (await services.tables.open(opening, settings)).snapshot
        seating = replace(opening, key=f"{key}:practice", table=opened.id)
        await services.tables.ask(seating, SeatPracticePlayers(PLAYERS))
