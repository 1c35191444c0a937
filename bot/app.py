"""The bot, put together: store, secret, tables, bank, and everything that shows them in Discord.

Start: open the store, migrate, restore the tables, log in. Stop: refuse new hands, finish saves, close in reverse order. This is the only
file of the package that imports discord.

Source: design §1, §3, §5; style §8.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import discord
import msgspec
import yarl
from discord.ext import commands

from bot.engine.errors import TableError
from bot.fair.secrets import master_secret
from bot.runtime.bank import Bank
from bot.runtime.clock import Clock, SystemClock
from bot.runtime.house_games import HouseGames
from bot.runtime.journal import JournalEvent
from bot.runtime.outcome import Change
from bot.runtime.policies import Policies
from bot.runtime.tables import Tables
from bot.store.codec import EventCodec
from bot.store.sqlite import SqliteStore
from bot.warming import warm
from cogs import Cogs, cogs_of
from cogs.ui.commands import CommandTree
from cogs.ui.controls import Controls
from cogs.ui.letters import Letters
from cogs.ui.preferences import Preferences
from cogs.ui.room import Room
from cogs.ui.scenes import Deck
from cogs.ui.surface import Surface
from cogs.ui.tiles import hang_tiles
from cogs.ui.welcome import Welcome
from cogs.ui.wire import PER_SECOND, Wire

log = logging.getLogger(__name__)

DATA, SECRET = "cardroom.db", "master.key"
SYNCED = "discord.commands"
GUILD_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Endpoints:
    """Where Discord is. The local cardroom speaks the same protocol at other addresses."""

    rest: str
    gateway: str
    cdn: str

    def use(self) -> None:
        """Point discord.py at them, for this process."""
        discord.http.Route.BASE = self.rest
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(self.gateway)
        discord.asset.Asset.BASE = self.cdn


class Dealer(commands.AutoShardedBot):
    """The bot.

    Args:
        data: the directory that keeps chips, hands and the master secret.
        policies: how practice players play; None where there are none.
        clock: the hour, for everything; the machine's own unless a test brings one.
        dice: lots; no card comes from it.
        guild_seconds: how long after connecting to wait for a further server before calling oneself ready.
        local: it plays in a local cardroom: a table is opened for who comes first.
        link: what leads to a channel, before ``/server/channel``.
        per_second: requests with the bot's token; Discord allows 50.
        ready: called whenever the bot is logged in and its tables are shown.
    """

    def __init__(
        self,
        data: Path,
        *,
        policies: Policies | None = None,
        clock: Clock | None = None,
        dice: random.Random | None = None,
        guild_seconds: float = GUILD_SECONDS,
        local: bool = False,
        link: str = "https://discord.com/channels",
        per_second: float = PER_SECOND,
        ready: Callable[[], None] | None = None,
    ) -> None:
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # nobody speaks here
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            tree_cls=CommandTree,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            guild_ready_timeout=guild_seconds,
        )
        self._data = data
        self._when_ready = ready
        self._open = self._shown = False
        self._tasks: set[asyncio.Task[Any]] = set()
        self.store = SqliteStore(data / DATA, EventCodec(JournalEvent))
        self.wire = Wire(self, per_second)
        deck = Deck()
        preferences = Preferences(self.store)
        self.letters = Letters(self.wire, deck, preferences, link)
        clock = clock or SystemClock()
        self.surface = Surface(self.wire, self.letters, deck, self.store, clock)
        data.mkdir(parents=True, exist_ok=True)
        secret = master_secret(data / SECRET, create=True)
        self.tables = Tables(self.store, secret, sink=self._take, clock=clock, policies=policies, dice=dice)
        self.bank = Bank(self.store, self.tables, clock)
        house_games = HouseGames(self.store, clock)
        self.room = Room(
            self.tables, self.bank, self.surface, self.letters, preferences, self.wire, deck, clock, house_games, local=local
        )  # fmt: skip
        self.surface.channel_gone = self.close_table
        self.letters.left = self.tables.person_left
        self.welcome = Welcome(self.room)

    # starting

    async def open_store(self) -> None:
        """Open the data, which locks it: nobody else can deal from it.

        Raises:
            StoreError: it cannot be opened.
        """
        await self.store.open()

    async def start_playing(self, token: str) -> None:
        """Take up the tables and play until closed. The store is open.

        Raises:
            discord.LoginFailure: Discord does not know the token.
        """
        await self.room.preferences.load()
        await self.tables.restore()
        self._open = True
        self.keep(asyncio.to_thread(warm), "warming")
        await self.start(token)

    async def setup_hook(self) -> None:
        """Logged in: add the commands, and tell Discord of them where they are new."""
        await self.wire.open()
        made = cogs_of(self.room)
        await self._add(made)
        await self._sync()
        self.keep(hang_tiles(self, self.wire, self.room.deck), "tiles")

    async def _add(self, made: Cogs) -> None:
        await self.add_cog(Controls(self.room, made.pages, made.forms))
        for cog in made.cogs:
            await self.add_cog(cog)

    async def _sync(self) -> None:
        payload = [command.to_dict(self.tree) for command in self.tree.get_commands()]
        digest = hashlib.sha256(msgspec.json.encode(payload, order="deterministic")).digest()
        mark = b"%d " % (self.application_id or 0) + digest
        if await self.store.value(SYNCED) == mark:
            return
        await self.tree.sync()
        await self.store.keep(SYNCED, mark)
        log.info("commands synced", extra={"commands": len(payload)})

    async def on_ready(self) -> None:
        """Connected, with all servers there; again after a connection that could not be resumed."""
        if self._shown:
            return
        self._shown = True
        await self.surface.open()
        if self.room.local:
            await self.welcome.open_tables(self.guilds)
        if self._when_ready is not None:
            self._when_ready()

    # what happens around the tables

    def _take(self, change: Change) -> None:
        self.surface.take(change)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        await self._channel_gone(channel.guild.id, channel.id)

    async def on_raw_thread_delete(self, thread: discord.RawThreadDeleteEvent) -> None:
        await self._channel_gone(thread.guild_id, thread.thread_id)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The bot is no longer in a server: its tables close, everybody is paid out."""
        for now in self.tables.tables(guild.id):
            await self.close_table(now.id)

    async def _channel_gone(self, guild: int, channel: int) -> None:
        now = self.tables.table_in_channel(guild, channel)
        if now is not None:
            await self.close_table(now.id)

    async def close_table(self, table: int) -> None:
        """Close a table that nobody can play at any more."""
        try:
            await self.tables.close_by_dealer(table)
        except TableError as error:
            log.info("a table could not be closed: %s", error, extra={"table": table})

    # stopping

    async def stop_playing(self) -> None:
        """Refuse new hands, finish saves, say what is due, hang up, close the store. May be called twice."""
        if not self._open:
            await self.store.close()
            return
        self._open = False
        await self.tables.drain()
        for task in self._tasks:
            task.cancel()
        await self.surface.close()
        if not self.is_closed():
            await self.close()
        await self.wire.close()
        await self.store.close()

    def keep(self, work: Any, name: str) -> None:
        """Let something run beside the rest, for as long as the bot does."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        log.exception("an event could not be taken", extra={"event": event_method})
