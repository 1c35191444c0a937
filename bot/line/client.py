"""Discord's own client: it logs in, keeps the gateway's connections, and tells what happens to servers, channels and roles."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.line.by_token import make_connector, response_trace
from bot.line.gateway import (
    Echoes,
    HeldEvents,
    leave_out_messages,
    use_dealer_websocket,
    watch_messages,
    watch_scheduled_events,
)
from bot.line.identify_turns import IdentifyTurns
from bot.line.servers import is_for_everybody
from bot.signals import ChannelChanged, ChannelDeleted, GuildJoined, GuildLeft, RolesChanged, Signals

log = logging.getLogger(__name__)

GUILD_READY_SECONDS = 0.25
"""How long after the last server to wait for another one. The bot keeps no members, so a server that comes later misses nothing."""


HEARS_MESSAGES_UP_TO = 25_000
"""With more servers, Discord is not asked to tell of every message in them. A message costs some 8 µs, and each server is thought to write
`WRITTEN_PER_SECOND`; ten times as lively, 25,000 of them take a tenth of a core."""
WRITTEN_PER_SECOND = 0.05
GONE_MAX = 100
"""Of so many deleted channels it is known whether everybody could read them: their threads are told of afterwards."""
CONNECT_SECONDS = 180.0
"""How long a shard can take until it is connected."""
TURN_AND_CONNECT_SECONDS = 3_600.0
"""The same where it waits for its turn first: five seconds for every shard of all processes, in the worst case."""
SESSIONS_LEFT = 100
"""The operator is told when Discord lets no more sessions than this be begun on that day, of a thousand."""


async def all_shards(recommended: int) -> tuple[int, Sequence[int]]:
    """Choose as many connections as Discord recommends, all of them in this process."""
    return recommended, range(recommended)


class DiscordClient(commands.AutoShardedBot):
    """The client. It must be made in the event loop.

    Args:
        tree: the class of the tree of commands.
        hears_messages_up_to: in how many servers, by Discord's count at the login, it is told of messages at most.
        guild_ready_seconds: how long after connecting to wait for one more server before the bot counts as ready.
        count: is told of the status of every response to a request by the bot's token.
        turns: when a shard can begin a session, where other processes begin some with the bot's token too.
        choose_shards: is given how many connections to the gateway Discord recommends. Returns how many the bot has in all its processes,
            and the numbers of this one's. Chosen here, for discord.py would connect to where Discord says, also with a proxy in between.
    """

    def __init__(
        self,
        signals: Signals,
        tree: type[app_commands.CommandTree[Any]] = app_commands.CommandTree,
        *,
        hears_messages_up_to: int = HEARS_MESSAGES_UP_TO,
        guild_ready_seconds: float = GUILD_READY_SECONDS,
        count: Callable[[int], None] | None = None,
        turns: IdentifyTurns | None = None,
        choose_shards: Callable[[int], Awaitable[tuple[int, Sequence[int]]]] = all_shards,
    ) -> None:
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # the bot does not use voice
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            tree_cls=tree,
            intents=discord.Intents(guilds=True, guild_messages=True, guild_scheduled_events=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            guild_ready_timeout=guild_ready_seconds,
            shard_connect_timeout=CONNECT_SECONDS if turns is None else TURN_AND_CONNECT_SECONDS,
            connector=make_connector(),
            http_trace=response_trace(count) if count is not None else None,  # type: ignore[arg-type]  # discord.py takes None
        )
        self._signals, self._hears_messages_up_to = signals, hears_messages_up_to
        self._turns, self._choose_shards = turns, choose_shards
        self._after_login: list[Callable[[], Awaitable[object]]] = []
        self._stands_by = False
        self._held: HeldEvents | None = None
        self._gone_open: deque[int] = deque(maxlen=GONE_MAX)
        self._logged_in = asyncio.Event()
        watch_scheduled_events(self._connection.parsers, self._tell)

    @property
    def is_connected(self) -> bool:
        """Whether every shard is connected, and all servers are known."""
        shards = self.shards.values()
        return self.is_ready() and bool(shards) and not any(shard.is_closed() for shard in shards)

    def after_login(self, call: Callable[[], Awaitable[object]]) -> None:
        """Call back after the login, before the gateway is connected, in the order of the callbacks."""
        self._after_login.append(call)

    def stand_by(self) -> None:
        """Tell of nothing and answer nothing until `go_live`. It must be called before the login."""
        self._stands_by = True

    async def go_live(self, note_held: Callable[[frozenset[int]], None]) -> None:
        """Do what waits for the login, and handle what can still be answered of what people did meanwhile.

        Args:
            note_held: is told of those interactions before any of them is handled.
        """
        await self._logged_in.wait()
        self._stands_by = False
        for call in self._after_login:
            await call()
        if self._held is not None:
            self._held.release(note_held)

    def read(self, event: str, parser: Callable[[Any], None]) -> None:
        """Let a function read an event of the gateway instead of discord.py."""
        self._connection.parsers[event] = parser

    def watch_messages(self, echoes: Echoes) -> None:
        """Tell of messages by signals; those of bots go to the echoes."""
        watch_messages(self._connection.parsers, echoes, self._signals)

    def _choose_intents(self) -> None:
        """Do without the events of messages where they would be too many. What needs them looks at Discord instead, now and then."""
        servers = self.application.approximate_guild_count if self.application is not None else 0
        if servers > self._hears_messages_up_to:
            leave_out_messages(self)
            log.info("message_events_left_out", extra={"servers": servers})

    async def _look_at_gateway(self) -> None:
        """Ask Discord how many connections it recommends, and how many of them can begin a session at the same time."""
        recommended, _, limits = await self.http.get_bot_gateway()
        if self._turns is not None:
            self._turns.set_groups(limits["max_concurrency"])
        if limits["remaining"] < SESSIONS_LEFT:
            log.warning("sessions_nearly_used_up", extra={"left": limits["remaining"], "of": limits["total"]})
        self.shard_count, numbers = await self._choose_shards(recommended)
        self.shard_ids = list(numbers)

    async def before_connecting(self, shard: int) -> None:
        """A shard will begin a session: wait for its turn, where there are turns."""
        if self._turns is not None:
            await self._turns.wait(shard)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        if self._turns is None or shard_id is None:
            await super().before_identify_hook(shard_id, initial=initial)
        else:
            await self._turns.use(shard_id)

    async def setup_hook(self) -> None:
        self._choose_intents()
        await self._look_at_gateway()
        for call in self._after_login if not self._stands_by else ():
            await call()
        use_dealer_websocket(self)
        if self._stands_by:
            self._held = HeldEvents(self._connection.parsers)
        self._logged_in.set()

    def _tell(self, signal: object) -> None:
        if not self._stands_by:
            self._signals.send(signal)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        self._tell(GuildJoined(guild.id))

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        self._tell(GuildLeft(guild.id))

    async def on_guild_channel_update(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        self._tell(ChannelChanged(after.guild.id, after.id))

    async def on_raw_thread_update(self, thread: discord.RawThreadUpdateEvent) -> None:
        archived = thread.data.get("thread_metadata", {}).get("archived", False)
        self._tell(ChannelChanged(thread.guild_id, thread.thread_id, archived))

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        self._tell(RolesChanged(after.guild.id))

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        was_open = is_for_everybody(channel)
        if was_open:
            self._gone_open.append(channel.id)
        self._tell(ChannelDeleted(channel.guild.id, channel.id, was_open))

    async def on_raw_thread_delete(self, thread: discord.RawThreadDeleteEvent) -> None:
        server = self.get_guild(thread.guild_id)
        above = server.get_channel(thread.parent_id) if server is not None else None
        was_above_open = is_for_everybody(above) if above is not None else thread.parent_id in self._gone_open
        was_open = was_above_open and thread.thread_type is not discord.ChannelType.private_thread
        self._tell(ChannelDeleted(thread.guild_id, thread.thread_id, was_open))

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        log.exception("discord_event_failed", extra={"event": event_method})
