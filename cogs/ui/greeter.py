"""The dealer greets a server that it has come to: one message, with one button that opens a table.

A server can add the dealer while it is not running. Those that have done so lately and were never greeted are greeted at the start.
Where the dealer can write nowhere, the owner is told what is missing, and the server is greeted as soon as that is put right.
"""

from __future__ import annotations

import datetime
import logging
from collections.abc import Iterable
from typing import Protocol

import aiohttp
import discord

from bot.render.greeting import cannot_write_panel, greeting_panel
from bot.render.message.panel import payload
from bot.text.greeting import PERMISSIONS, THREAD_PERMISSIONS
from cogs.ui.discord_api import message_data
from cogs.ui.request_queue import RequestLine
from cogs.ui.services import Services

log = logging.getLogger(__name__)

JOINED_LATELY = datetime.timedelta(days=1)
_KEY = "greeted."
_GREETED, _OWNER_TOLD = b"1", b"owner"


class GreetingStorage(Protocol):
    """Where it is remembered which servers have been greeted. The store is one."""

    async def value(self, key: str) -> bytes | None: ...

    async def keep(self, key: str, value: bytes | None) -> None: ...


class Greeter:
    """Greets servers."""

    def __init__(self, services: Services, storage: GreetingStorage) -> None:
        self._services = services
        self._storage = storage
        self._silent: set[int] = set()

    async def greet_new(self, guilds: Iterable[discord.Guild]) -> None:
        """Greet the servers that have added the dealer while it was not running."""
        for guild in guilds:
            joined_at = guild.me.joined_at if guild.me is not None else None
            is_new = joined_at is not None and discord.utils.utcnow() - joined_at < JOINED_LATELY
            known = await self._storage.value(_KEY + str(guild.id))
            if known == _OWNER_TOLD:
                self._silent.add(guild.id)
                await self.permissions_changed(guild)
            elif known is None and is_new:
                await self.greet(guild)

    async def permissions_changed(self, guild: discord.Guild) -> None:
        """Greet a server where the dealer could write nowhere, if it can now."""
        if guild.id in self._silent and channel_to_greet(guild) is not None:
            self._silent.discard(guild.id)
            await self.greet(guild)

    async def greet(self, guild: discord.Guild) -> None:
        """Greet a server where the dealer can write; where it can write nowhere, tell the owner by DM."""
        role = guild.self_role.name if guild.self_role is not None else guild.me.display_name
        channel = channel_to_greet(guild)
        try:
            with self._services.in_server_language(guild.id):
                if channel is not None:
                    missing = missing_permissions(channel)
                    grant = (await self._services.bank.house_rules(guild.id)).opening_grant
                    data = message_data(payload(greeting_panel(grant, missing, role)))
                    await self._services.discord_api.send(RequestLine(guild.id), channel.id, data)
                    await self._storage.keep(_KEY + str(guild.id), _GREETED)
                elif guild.text_channels and guild.owner_id is not None:
                    self._silent.add(guild.id)
                    data = message_data(payload(cannot_write_panel(guild.name, role)))
                    line, discord_api = RequestLine(guild.id), self._services.discord_api
                    await discord_api.send(line, await discord_api.open_dm(line, guild.owner_id), data)
                    await self._storage.keep(_KEY + str(guild.id), _OWNER_TOLD)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.warning("greeting_failed", extra={"guild": guild.id, "error": repr(error)})

    async def forget(self, guild: int) -> None:
        """A server has removed the dealer: it is greeted again when it comes back."""
        self._silent.discard(guild)
        await self._storage.keep(_KEY + str(guild), None)


def channel_to_greet(guild: discord.Guild) -> discord.TextChannel | None:
    """Return the channel to greet a server in: where Discord welcomes people, else the first one; one that everybody can write in if
    there is one. None where the dealer can write nowhere."""
    channels = sorted(guild.text_channels, key=lambda channel: channel != guild.system_channel)
    writable = [channel for channel in channels if _can_write(channel, guild.me)]
    open_to_all = [channel for channel in writable if _can_write(channel, guild.default_role)]
    return next(iter(open_to_all or writable), None)


def _can_write(channel: discord.TextChannel, who: discord.Member | discord.Role) -> bool:
    permissions = channel.permissions_for(who)
    return permissions.view_channel and permissions.send_messages


def missing_permissions(channel: discord.TextChannel) -> list[str]:
    """Return the permissions that the dealer uses and lacks in a channel."""
    permissions = channel.permissions_for(channel.guild.me)
    return [name for name in (*PERMISSIONS, *THREAD_PERMISSIONS) if not getattr(permissions, name)]
