"""The dealer greets a server that it has come to: one message, with one button that opens a table.

A server can add the dealer while it is not running. Those that have done so lately and were never greeted are greeted at the start.
Where the dealer can write nowhere, the owner is told what is missing, and the server is greeted as soon as that is put right.
"""

from __future__ import annotations

import datetime
import logging
from collections.abc import Coroutine
from typing import Any

import discord

from bot.line.api import DiscordApi
from bot.line.failures import DiscordFailed
from bot.line.payloads import message_data
from bot.line.request_queue import Priority, RequestLine
from bot.line.servers import channel_to_write_in
from bot.line.site import DealerSite
from bot.render.greeting import cannot_write_panel, greeting_panel
from bot.render.message.panel import Raw, payload
from bot.runtime.bank import Bank
from bot.runtime.clock import AlarmClock
from bot.runtime.saved_values import OF_A_SERVER, SavedKind, SavedValues, ValueStorage
from bot.signals import ChannelChanged, GuildJoined, GuildLeft, RolesChanged, Signals
from bot.surfaces.keeper import Drawing, Keeper, Location
from bot.surfaces.part import Part
from bot.surfaces.post_once import PostOnce
from bot.text.greeting import PERMISSIONS, SERVER_PERMISSIONS, THREAD_PERMISSIONS
from bot.text.language import reading

log = logging.getLogger(__name__)

JOINED_LATELY = datetime.timedelta(days=1)
_GREETINGS = SavedKind[int, str]("greeted.", OF_A_SERVER, str)
_GREETED, _OWNER_TOLD = "1", "owner"
_TO_OWNER = f"{_OWNER_TOLD}."
"""Else it is the nonce of a greeting that is about to be sent, or has been by a dealer that was killed then; after this, of what the owner
is told. Discord takes a nonce once, wherever the message goes: what the owner is told and the greeting never share one."""


class Greeter(Part):
    """Greets servers; not in a local cardroom."""

    def __init__(
        self,
        discord_api: DiscordApi,
        bank: Bank,
        storage: ValueStorage,
        site: DealerSite,
        clock: AlarmClock,
        signals: Signals,
    ) -> None:
        self._discord_api, self._bank, self._greets = discord_api, bank, not site.local
        self._keeper = Keeper(discord_api, clock)
        self._saved = SavedValues(_GREETINGS, storage)
        self._silent: set[int] = set()
        self._at_work: set[int] = set()
        self.tasks = self._keeper.tasks
        signals.on(GuildJoined, lambda signal: self._run(self._greet_server(signal.guild)))
        signals.on(GuildLeft, lambda signal: self._run(self._forget_server(signal.guild)))
        signals.on(ChannelChanged, self._permissions_changed)
        signals.on(RolesChanged, self._permissions_changed)

    async def open(self) -> None:
        self._run(self._greet_new())

    async def close(self) -> None:
        await self.tasks.finish(0)

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        if self._greets:
            self.tasks.run(work, "greeting")
        else:
            work.close()

    async def _greet_server(self, guild: int) -> None:
        server = self._discord_api.servers.get(guild)
        if server is not None:
            await self._greet(server)

    async def _greet_new(self) -> None:
        """Greet the servers that have added the dealer while it was not running."""
        for guild in self._discord_api.servers.all():
            joined_at = guild.me.joined_at if guild.me is not None else None
            is_new = joined_at is not None and discord.utils.utcnow() - joined_at < JOINED_LATELY
            known = await self._saved.get(guild.id) or ""
            if known == _OWNER_TOLD or (known.startswith(_TO_OWNER) and not is_new):
                self._silent.add(guild.id)
                await self._greet_if_possible(guild)
            elif known != _GREETED and is_new:
                await self._greet(guild)

    def _permissions_changed(self, signal: ChannelChanged | RolesChanged) -> None:
        server = self._discord_api.servers.get(signal.guild)
        if server is not None and signal.guild in self._silent:
            self._run(self._greet_if_possible(server))

    async def _greet_if_possible(self, guild: discord.Guild) -> None:
        """Greet a server where the dealer could write nowhere, if it can now."""
        while guild.id in self._silent and guild.id not in self._at_work and channel_to_write_in(guild) is not None:
            self._silent.discard(guild.id)
            await self._greet(guild)

    async def _greet(self, guild: discord.Guild) -> None:
        """Greet a server where the dealer can write; where it can write nowhere, tell the owner by DM.

        One thing is told after another: what changes while the owner is being told is looked at once that is noted.
        """
        if guild.id in self._at_work:
            return
        self._at_work.add(guild.id)
        try:
            await self._greet_or_tell_owner(guild)
        finally:
            self._at_work.discard(guild.id)
        await self._greet_if_possible(guild)

    async def _greet_or_tell_owner(self, guild: discord.Guild) -> None:
        role = guild.self_role.name if guild.self_role is not None else guild.me.display_name
        channel = channel_to_write_in(guild)
        try:
            with reading(self._discord_api.servers.language(guild.id)):
                if channel is not None:
                    missing = missing_permissions(channel)
                    grant = (await self._bank.house_rules(guild.id)).opening_grant
                    data = message_data(payload(greeting_panel(grant, missing, role)))
                    await self._send(guild.id, channel.id, data)
                elif guild.text_channels and guild.owner_id is not None:
                    self._silent.add(guild.id)
                    data = message_data(payload(cannot_write_panel(guild.name, role)))
                    owner = await self._discord_api.open_dm(RequestLine(guild.id), guild.owner_id)
                    await self._send(guild.id, owner, data, to_owner=True)
        except DiscordFailed as error:
            log.warning("greeting_failed", extra={"guild": guild.id, "error": repr(error)})

    async def _send(self, guild: int, channel: int, data: Raw, *, to_owner: bool = False) -> None:
        start, told = (_TO_OWNER, _OWNER_TOLD) if to_owner else ("", _GREETED)

        async def save(location: Location) -> None:
            if location.nonce or location.message:
                await self._saved.keep(guild, start + location.nonce if location.nonce else told)
            else:
                await self._saved.forget(guild)

        known = await self._saved.get(guild) or ""
        begun = known not in {"", _GREETED, _OWNER_TOLD} and known.startswith(_TO_OWNER) == to_owner
        at = Location(channel, nonce=known.removeprefix(start) if begun else "")
        await PostOnce(self._keeper, RequestLine(guild), at, [Drawing(data)], save, priority=Priority.PRIVATE).send()

    async def _forget_server(self, guild: int) -> None:
        """A server has removed the dealer: it is greeted again when it comes back."""
        self._silent.discard(guild)
        await self._saved.forget(guild)


def missing_permissions(channel: discord.TextChannel) -> list[str]:
    """Return the permissions that the dealer uses and lacks in a channel."""
    permissions = channel.permissions_for(channel.guild.me)
    lacked = [name for name in (*PERMISSIONS, *THREAD_PERMISSIONS) if not getattr(permissions, name)]
    in_server = channel.guild.me.guild_permissions
    return lacked + [name for name in SERVER_PERMISSIONS if not getattr(in_server, name)]
