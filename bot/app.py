"""Wire the bot: store, secret, tables, bank, and everything that shows them in Discord.

Start: open the store, migrate, restore the tables, log in. Stop: refuse new hands, finish saves, close in reverse order.
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

import aiohttp
import discord
import msgspec
import yarl
from discord.ext import commands

from bot.backups import Backups
from bot.engine.errors import TableError
from bot.fair.deck_order import master_secret
from bot.ledger.books import BookFault
from bot.ledger.house import LOCAL_HOUSE_RULES, HouseRules
from bot.pictures.maker import PictureMaker
from bot.runtime.bank import Bank
from bot.runtime.clock import AlarmClock, SystemClock
from bot.runtime.house_games import HouseGames
from bot.runtime.journal import JournalEvent
from bot.runtime.luck_teller import LuckTeller
from bot.runtime.practice import PracticePolicies
from bot.runtime.privacy import KeptAboutPeople, Privacy
from bot.runtime.seasons import Seasons
from bot.runtime.statistics_events import statistics_decoder
from bot.runtime.tables import Tables
from bot.runtime.updates import TableUpdate
from bot.settings import DATA_FILE, SECRET_FILE, STATISTICS_FILE
from bot.stopping import run_stage
from bot.store.codec import EventCodec
from bot.store.old_hands import Retention
from bot.store.sealed_values import SealedValues
from bot.store.sqlite import SqliteStore
from bot.store.statistics.sqlite import SqliteStatistics
from bot.table.events import HandFinished, HandUndone
from bot.text.language import ENGLISH, language_for
from bot.warmup import warm_up
from cogs import Cogs, create_cogs
from cogs.ui import hand_imports
from cogs.ui.achievement_lines import ACHIEVED_KEY, AchievementLines
from cogs.ui.answer_pictures import AnswerPictures
from cogs.ui.card_emojis import upload_card_emojis
from cogs.ui.click_listener import ClickListener
from cogs.ui.commands import CommandTranslator, CommandTree
from cogs.ui.did_you_mean import Corrections
from cogs.ui.direct_messages import DirectMessages
from cogs.ui.discord_api import REQUESTS_PER_SECOND, DiscordApi, make_connector
from cogs.ui.display_names import DisplayNames
from cogs.ui.dm_channels import DmChannels
from cogs.ui.gateway import CLICK, use_dealer_websocket
from cogs.ui.greeter import Greeter, channel_to_greet
from cogs.ui.hand_panels import HandPanels
from cogs.ui.lobby_boards import LobbyBoards
from cogs.ui.members import Members
from cogs.ui.message_events import watch_messages
from cogs.ui.preferences import Preferences
from cogs.ui.private_answers import PrivateAnswers
from cogs.ui.private_notices import PrivateNotices, seat_situation
from cogs.ui.quiet_times import QuietTimes
from cogs.ui.rooms import Rooms
from cogs.ui.scenes import EmojiDecks
from cogs.ui.season_news import SeasonNews
from cogs.ui.seat_pings import SeatPings, TableCalls
from cogs.ui.services import Services
from cogs.ui.session_sheets import SESSION_KEY, SessionSheets
from cogs.ui.staff_channel import StaffChannel
from cogs.ui.table_display import TableDisplay
from cogs.ui.trophies import Trophies
from cogs.ui.welcome_table import WelcomeTableOpener

log = logging.getLogger(__name__)

STOP_LIMITS = {
    "tables": 2.0,
    "messages": 3.0,
    "discord": 1.0,
    "answers": 0.3,
    "backups": 0.5,
    "luck": 0.1,
    "statistics": 0.3,
    "store": 1.5,
}
"""How long each stage of stopping can take, in seconds."""
SYNCED_COMMANDS_KEY = "discord.commands"
KEPT_ABOUT_PEOPLE = KeptAboutPeople(
    personal=(
        "dm.",
        "deck.",
        "size.",
        "locale.",
        "statistics.",
        "quiet.",
        "achievements.",
        "dmchannel.",
        hand_imports.KEY,
    ),
    at_tables=("panel.", "notice.", "cards_dm.", "seatping.", SESSION_KEY),
    in_servers=("opens.", ACHIEVED_KEY),
    of_tables=("room.",),
    told={hand_imports.KEY: hand_imports.told},
)
"""What `cogs.ui` keeps about people: preferences and the channels of their DMs, tokens of panels, notices and DMs at tables, sessions
that they are to be told of, what they asked to be told of, who has been told of an invitation, and files that they gave to `/import`."""
GUILD_READY_SECONDS = 0.25
"""How long after the last server to wait for another one. The bot keeps no members, so a server that comes later misses nothing."""


@dataclass(frozen=True, slots=True)
class Endpoints:
    """The addresses of Discord, or of the local cardroom, which speaks the same protocol."""

    rest: str
    gateway: str
    cdn: str

    def use(self) -> None:
        """Point discord.py at these addresses, for this process."""
        discord.http.Route.BASE = self.rest
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(self.gateway)
        discord.asset.Asset.BASE = self.cdn


class Dealer(commands.AutoShardedBot):
    """The bot.

    Args:
        data: the directory that keeps chips, hands and the master secret.
        policies: how practice players play; None for no practice players.
        clock: the time, for everything; the machine's own unless a test passes one.
        rng: random draws other than cards.
        guild_ready_seconds: how long after connecting to wait for one more server before the bot counts as ready.
        local: the bot plays in a local cardroom, and opens a table for whoever comes first.
        default_rules: the rules of a house whose staff have changed none; None for the usual ones.
        link: the address of a channel, before ``/server/channel``.
        requests_per_second: how many requests are made with the bot's token; Discord allows 50.
        backups: how many hourly backups are kept; 0 for none.
        keep_hands: how many days finished hands are kept; None for good.
        pictures: draws the table; None for tables in text alone.
        tells_luck: the luck of all-in hands is told, in a process of its own; otherwise it stays due.
        trace: is told of every request to Discord and its response.
        ready: called once the bot is logged in and its tables are shown.
        warm: called once everything that can be prepared is prepared.
        books_disagree: called for each server whose books do not agree after the start, with what is wrong.
    """

    def __init__(
        self,
        data: Path,
        *,
        policies: PracticePolicies | None = None,
        clock: AlarmClock | None = None,
        rng: random.Random | None = None,
        guild_ready_seconds: float = GUILD_READY_SECONDS,
        local: bool = False,
        default_rules: HouseRules | None = None,
        link: str = "https://discord.com/channels",
        requests_per_second: float = REQUESTS_PER_SECOND,
        backups: int = 0,
        keep_hands: int | None = None,
        pictures: PictureMaker | None = None,
        tells_luck: bool = False,
        trace: aiohttp.TraceConfig | None = None,
        ready: Callable[[], None] | None = None,
        warm: Callable[[], None] | None = None,
        books_disagree: Callable[[int, tuple[BookFault, ...]], None] | None = None,
    ) -> None:
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # the bot does not use voice
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            tree_cls=CommandTree,
            intents=discord.Intents(guilds=True, guild_messages=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            guild_ready_timeout=guild_ready_seconds,
        )
        if trace is not None:
            self.http.http_trace = trace
        self._data = data
        self._when_ready, self._when_warm, self._books_disagree = ready, warm, books_disagree
        self._open = self._shown = False
        self._background_tasks: set[asyncio.Task[Any]] = set()
        codec = EventCodec(JournalEvent)
        default_rules = default_rules or (LOCAL_HOUSE_RULES if local else HouseRules())
        clock = clock or SystemClock()
        retention = Retention(keep_hands, clock.now) if keep_hands is not None else None
        self.store = SqliteStore(data / DATA_FILE, codec, default_rules=default_rules, keep_hands=retention)
        self._draws_pictures, self.pictures = pictures is not None, pictures or PictureMaker()
        self.wire = DiscordApi(self, requests_per_second)
        deck = EmojiDecks()
        preferences = Preferences(self.store)
        answers = PrivateAnswers(self.wire, clock)
        self.dm_channels = DmChannels(self.wire, self.store, clock)
        members = Members(self.wire, clock)
        self.direct_messages = DirectMessages(
            self.wire, answers, deck, preferences, self.dm_channels, members, self.store, link
        )
        self.notices = PrivateNotices(self.wire, self.direct_messages, preferences, self.store, clock)
        data.mkdir(parents=True, exist_ok=True)
        secret = master_secret(data / SECRET_FILE, create=True)
        self.tables = Tables(
            self.store, secret, on_update=self._show_update, clock=clock, policies=policies, rng=rng, show_run_outs=True
        )
        self.bank = Bank(self.store, self.tables, clock)
        self.statistics = SqliteStatistics(
            data / STATISTICS_FILE,
            data / DATA_FILE,
            statistics_decoder(),
            unshown=self.tables.unshown_hands,
            now=clock.now,
        )
        self.store.count_hands = self.statistics.count_all
        self._tells_luck, self.luck = tells_luck, LuckTeller(self.statistics, self.store, lambda: self.tables.context)
        self.tables.follow_deletions = self.statistics.follow_deletions
        self.surface = TableDisplay(
            self.wire, self.direct_messages, deck, self.store, clock, link, self.tables.finished_hand,
            self.bank.house_rules, self.pictures,
        )  # fmt: skip
        answer_pictures = AnswerPictures(self.pictures, self.bank.house_rules)
        self.panels = HandPanels(
            self.wire, answers, deck, preferences, self.tables.snapshot, clock, self.surface.is_end_shown,
            SealedValues(self.store, secret), answer_pictures,
        )  # fmt: skip
        self.staff_channel = StaffChannel(self.wire, self.bank, self.store, clock)
        self.tables.staff_log.on_written = self.staff_channel.wake
        quiet = QuietTimes(self.bank.house_rules, preferences, clock)
        self.notices.is_quiet = quiet.are_now
        self.surface.keep_quiet(quiet.are_now)
        self.seat_pings = SeatPings(self.tables, self.notices, quiet, self.store, clock, link)
        self.table_calls = TableCalls(
            self.tables, self.wire, self.direct_messages, preferences, quiet, self.store, clock, link
        )
        self.lobby = LobbyBoards(self.wire, self.tables, self.store, clock)
        self.lobby.link_of, self.surface.on_posted = self.surface.message_link, self.lobby.on_message_posted
        self.rooms = Rooms(self.wire, self.tables, self.store, clock)
        self.sheets = SessionSheets(
            self.statistics, self.wire, answers, self.panels, self.direct_messages, preferences, answer_pictures,
            self.surface.until_end_shown, self.store, clock,
        )  # fmt: skip
        self.notices.session_of = self.sheets.below_notice
        self.rooms.is_quiet = quiet.are_now
        house_games = HouseGames(self.store, clock, self.tables.staff_log)
        self.seasons = Seasons(self.store, self.tables, self.bank, self.statistics, clock)
        names = DisplayNames(self.wire, clock)
        self.season_news = SeasonNews(
            self.wire, self.seasons, self.bank, self.store, clock, answer_pictures, names, self._usual_channel
        )
        self.trophies = Trophies(self.wire, self.seasons, self.bank, self.store, clock)
        self.seasons.on_change = self._season_changed
        self.achievements = AchievementLines(self.statistics, self.bank, preferences, self.surface, self.store, clock)
        self.statistics.on_counted = self.achievements.on_counted
        self.imports = hand_imports.HandImports(self.store, clock)
        self.room = Services(
            self.tables, self.bank, self.surface, self.direct_messages, self.panels, answers, preferences, self.wire, deck, clock,
            house_games, Corrections(), self.staff_channel,
            Privacy(self.store, self.tables, clock, KEPT_ABOUT_PEOPLE, self.statistics), self.dm_channels, answer_pictures,
            names, self.rooms, self.lobby, self.seat_pings, self.table_calls, self.statistics, self.seasons,
            self.season_news, self.trophies, self.sheets, self.achievements, self.imports, local=local,
        )  # fmt: skip
        self.surface.on_end_shown = self.panels.table_shown
        self.surface.on_time_bank = self.panels.time_bank_started
        self.backups = Backups(self.store, codec, clock, backups)
        self.surface.channel_gone = self.close_table
        members.on_left = self.tables.member_left
        self.direct_messages.open_panel = self.panels.open_unasked
        self.direct_messages.snapshot_of = self.tables.snapshot
        watch_messages(self._connection.parsers, self.surface, self.lobby)
        use_dealer_websocket()
        self.notices.usual_buy_in = self.room.usual_buy_in
        answers.situation_of = lambda table, user: seat_situation(self.tables.snapshot(table), user)
        self.notices.until_end_shown = self.surface.until_end_shown
        self.notices.show_in_panel = self.panels.show_notice
        self.wire.trace = trace
        self.welcome = WelcomeTableOpener(self.room)
        self.greeter = Greeter(self.room, self.store)

    # starting

    async def open_store(self) -> None:
        """Open the data and lock it, so that nobody else can deal from it.

        Raises:
            StoreError: it cannot be opened.
        """
        await self.store.open()

    async def start_playing(self, token: str) -> None:
        """Restore the tables and play until closed. The store must be open.

        Raises:
            discord.LoginFailure: Discord does not know the token.
        """
        await self.room.preferences.load()
        await self.dm_channels.load()
        await self.direct_messages.load()
        await self.statistics.open()
        await self.tables.restore()
        await self.backups.open()
        self._open = True
        self.http.connector = make_connector()
        await self.start(token)

    async def setup_hook(self) -> None:
        """After the login: add the commands, and register them with Discord where they have changed."""
        await self.wire.open()
        made = create_cogs(self.room)
        await self._add_cogs(made)
        await self._sync_commands()
        self.run_in_background(upload_card_emojis(self, self.wire, self.room.emoji_decks), "tiles")

    async def _add_cogs(self, made: Cogs) -> None:
        self.clicks = ClickListener(self.room, made.pages, made.forms)
        self._connection.parsers[CLICK] = self.clicks.on_click
        for cog in made.cogs:
            await self.add_cog(cog)
        for menu in made.menus:
            self.tree.add_command(menu)

    async def _sync_commands(self) -> None:
        registered = self.tree.get_commands()
        if any(language_for(str(locale)) is not ENGLISH for locale in discord.Locale):
            translator = CommandTranslator()
            await self.tree.set_translator(translator)
            payload = [await command.get_translated_payload(self.tree, translator) for command in registered]
        else:  # each text would be looked up in every language of Discord: more than half the work of a start
            payload = [command.to_dict(self.tree) for command in registered]
        digest = hashlib.sha256(msgspec.json.encode(payload, order="deterministic")).digest()
        mark = b"%d " % (self.application_id or 0) + digest
        if await self.store.value(SYNCED_COMMANDS_KEY) == mark:
            return
        await self.tree.sync()
        await self.store.keep(SYNCED_COMMANDS_KEY, mark)
        log.info("commands_synced", extra={"commands": len(payload)})

    async def on_ready(self) -> None:
        """Show the tables once all servers are known. Discord calls this again after a connection that could not be resumed."""
        if self._shown:
            return
        self._shown = True
        await self.surface.open()
        await self.notices.open()
        await self.rooms.open()
        await self.panels.open()
        await self.sheets.open()
        await self.staff_channel.open()
        for server in await self.seasons.open():
            self._season_changed(server)
        await self.lobby.open()
        await self.seat_pings.open()
        await self.table_calls.open()
        self.run_in_background(self.imports.load(), "imports")
        if self.room.local:
            await self.welcome.open_tables(self.guilds)
        else:
            self.run_in_background(self.greeter.greet_new(self.guilds), "greeting")
        if self._when_ready is not None:
            self._when_ready()
        if self._draws_pictures:
            self.pictures.start()
        self.run_in_background(self._warm_up(), "warming")

    async def _warm_up(self) -> None:
        """Do what makes the first hands quick, then check the books, once the dealer is in: a start does not wait for it."""
        await asyncio.to_thread(warm_up)
        if self._tells_luck:
            self.luck.start()
        if self._when_warm is not None:
            self._when_warm()
        await self.bank.check_books(self._books_disagree)

    def conditions(self) -> dict[str, bool]:
        """Return what must hold for the dealer to be ready, by name."""
        shards = self.shards.values()
        return {
            "discord": self.is_ready() and bool(shards) and not any(shard.is_closed() for shard in shards),
            "store": self.store.is_open,
            "tables": self._shown and not self.tables.stopping,
        }

    def _season_changed(self, guild: int) -> None:
        if self._shown:
            self.season_news.wake(guild)
            self.trophies.wake(guild)

    def _usual_channel(self, guild: int) -> int:
        """Return the channel in which a server is told what everybody shall read; 0 for none."""
        found = self.get_guild(guild)
        channel = channel_to_greet(found) if found is not None else None
        return channel.id if channel is not None else 0

    # channels and servers that disappear

    def _show_update(self, update: TableUpdate) -> None:
        self.sheets.on_change(update)  # before panels and messages forget a table that has closed
        self.surface.on_change(update)
        self.panels.on_change(update)
        self.notices.on_change(update)
        self.rooms.on_change(update)
        self.lobby.on_change(update)
        self.seat_pings.on_change(update)
        self.table_calls.on_change(update)
        self.seasons.on_update(update)
        self.luck.on_change(update)
        snapshot, answers = update.snapshot, self.room.private_answers
        if any(isinstance(event, HandFinished | HandUndone) for event in update.events):
            self.statistics.note(snapshot.id)
        if answers.is_about_seats(snapshot.id):
            answers.seats_changed(snapshot.id, lambda user: seat_situation(snapshot, user))

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """A server has added the bot: say what it is and how to begin."""
        if not self.room.local:
            await self.greeter.greet(guild)

    async def on_guild_channel_update(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        await self.greeter.permissions_changed(after.guild)
        self.lobby.on_permissions_changed(after.guild.id)
        self._redraw_table_in_channel(after.guild.id, after.id)

    async def on_raw_thread_update(self, thread: discord.RawThreadUpdateEvent) -> None:
        self.lobby.on_permissions_changed(thread.guild_id)
        self._redraw_table_in_channel(thread.guild_id, thread.thread_id)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        await self.greeter.permissions_changed(after.guild)
        self.lobby.on_permissions_changed(after.guild.id)
        self.trophies.permissions_changed(after.guild.id)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        for table in self.rooms.tables_under(channel.guild.id, channel.id):  # its threads went with it
            await self.close_table(table)
        await self._close_table_in_channel(channel.guild.id, channel.id)
        await self.lobby.on_channel_deleted(channel.guild.id, channel.id)

    async def on_raw_thread_delete(self, thread: discord.RawThreadDeleteEvent) -> None:
        await self._close_table_in_channel(thread.guild_id, thread.thread_id)
        await self.lobby.on_channel_deleted(thread.guild_id, thread.thread_id)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The bot is no longer in a server: close its tables and pay everybody out."""
        for now in self.tables.tables_in_guild(guild.id):
            await self.close_table(now.id)
        await self.greeter.forget(guild.id)
        await self.lobby.forget(guild.id)

    def _redraw_table_in_channel(self, guild: int, channel: int) -> None:
        """Show a table that could not be shown while its thread was locked, or while the bot lacked a permission."""
        now = self.tables.table_in_channel(guild, channel)
        if now is not None:
            self.surface.redraw(now.id)

    async def _close_table_in_channel(self, guild: int, channel: int) -> None:
        now = self.tables.table_in_channel(guild, channel)
        if now is not None:
            await self.close_table(now.id)

    async def close_table(self, table: int) -> None:
        """Close a table that nobody can play at any more."""
        try:
            await self.tables.close_without_channel(table)
        except TableError as error:
            log.info("table_close_failed", extra={"table": table, "error": str(error)})

    # stopping

    async def stop_playing(self) -> bool:
        """Refuse new hands, finish saves, send what is due, disconnect, close the store. Can be called twice.

        What hangs is left behind when its time is over: all stages together take less than `bot.stopping.STOP_SECONDS`.

        Returns:
            whether everything ended in time.
        """
        was_open, self._open = self._open, False
        in_time = True
        if was_open:
            await self.seasons.close()
            for name, close in (
                ("tables", self.tables.drain),
                ("messages", self._close_messages),
                ("discord", self.close),
                ("answers", self.wire.close),
                ("backups", self.backups.close),
                ("luck", self.luck.close),
            ):
                in_time &= await run_stage(name, close(), STOP_LIMITS[name])
        # A start that failed has begun to count, and a thread that reads would keep the process from ending.
        in_time &= await run_stage("statistics", self.statistics.close(), STOP_LIMITS["statistics"])
        if self.store.is_open:
            in_time &= await run_stage("store", self.store.close(), STOP_LIMITS["store"])
        return in_time

    async def _close_messages(self) -> None:
        for task in self._background_tasks:
            task.cancel()
        await self.sheets.close()
        await self.pictures.close()  # whoever waits for a picture goes on in text
        await self.panels.close()
        await self.surface.close()
        await self.notices.close()
        await self.rooms.close()
        await self.lobby.close()
        await self.seat_pings.close()
        await self.table_calls.close()
        await self.staff_channel.close()
        await self.season_news.close()
        await self.achievements.tasks.finish(0)
        await self.trophies.close()
        await self.imports.close()

    def run_in_background(self, coroutine: Any, name: str) -> None:
        """Run a coroutine as a task that is cancelled when the bot stops."""
        task = asyncio.get_running_loop().create_task(coroutine, name=name)
        self._background_tasks.add(task)
        task.add_done_callback(self._background_tasks.discard)

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        log.exception("discord_event_failed", extra={"event": event_method})
