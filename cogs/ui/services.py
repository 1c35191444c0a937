"""The parts that cogs use, and how every interaction is handled: carried out, answered, and explained if it is refused."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from bot.engine.errors import TableError
from bot.ledger.accounts import Book
from bot.measures import InteractionMeasures
from bot.render.hand import private_panels
from bot.runtime.bank import Bank
from bot.runtime.clock import AlarmClock
from bot.runtime.errors import OneMoment
from bot.runtime.house_games import HouseGames
from bot.runtime.privacy import Privacy
from bot.runtime.request import INTERACTION, Request
from bot.runtime.seasons import Seasons
from bot.runtime.snapshot import TableSnapshot
from bot.runtime.statistics_protocol import Statistics
from bot.runtime.table_settings import default_buy_in
from bot.runtime.tables import Tables
from bot.text import escape
from bot.text.cards import Emojis
from bot.text.language import language_for, reading
from cogs.ui.achievement_lines import AchievementLines
from cogs.ui.answer_pictures import AnswerPictures
from cogs.ui.did_you_mean import Corrections
from cogs.ui.direct_messages import DirectMessages
from cogs.ui.discord_api import DiscordApi
from cogs.ui.display_names import DisplayNames
from cogs.ui.dm_channels import DmChannels
from cogs.ui.hand_imports import HandImports
from cogs.ui.hand_panels import HandPanels
from cogs.ui.interaction import InteractionInfo
from cogs.ui.lobby_boards import LobbyBoards
from cogs.ui.person_limits import Effort, PersonLimits
from cogs.ui.preferences import Preferences
from cogs.ui.private_answers import PrivateAnswers
from cogs.ui.replies import Reply
from cogs.ui.rooms import Rooms
from cogs.ui.scenes import EmojiDecks
from cogs.ui.season_news import SeasonNews
from cogs.ui.seat_pings import SeatPings, TableCalls
from cogs.ui.session_sheets import SessionSheets
from cogs.ui.staff_channel import StaffChannel
from cogs.ui.table_display import TableDisplay
from cogs.ui.trophies import Trophies

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Services:
    """The parts that cogs use."""

    tables: Tables
    bank: Bank
    display: TableDisplay
    direct_messages: DirectMessages
    hand_panels: HandPanels
    private_answers: PrivateAnswers
    preferences: Preferences
    discord_api: DiscordApi
    emoji_decks: EmojiDecks
    clock: AlarmClock
    house_games: HouseGames
    corrections: Corrections
    staff_channel: StaffChannel
    privacy: Privacy
    dm_channels: DmChannels
    pictures: AnswerPictures
    display_names: DisplayNames
    rooms: Rooms
    lobby: LobbyBoards
    seat_pings: SeatPings
    table_calls: TableCalls
    statistics: Statistics
    seasons: Seasons
    season_news: SeasonNews
    trophies: Trophies
    sheets: SessionSheets
    achievements: AchievementLines
    imports: HandImports
    local: bool = False
    limits: PersonLimits = field(default_factory=PersonLimits)
    measures: InteractionMeasures = field(default_factory=InteractionMeasures)

    async def forget(self, guild: int, user: int) -> None:
        """Forget what is remembered about a person whose data in a server was deleted."""
        self.seat_pings.forget_person(user)
        self.table_calls.forget_person(guild, user)
        self.preferences.forget(user)
        self.dm_channels.forget(user)
        self.display_names.forget(user)
        self.private_answers.forget_token(user)
        self.achievements.forget(guild, user)
        self.imports.forget(user)
        await self.rooms.forget(user)

    async def request(self, info: InteractionInfo, *, table: int = 0, hand: int = -1, turn: int = -1) -> Request:
        """Return a request that says whether the user is staff."""
        rules = await self.bank.house_rules(info.guild)
        return info.request(staff=info.is_staff(rules.staff_role), table=table, hand=hand, turn=turn)

    def table_here(self, info: InteractionInfo) -> TableSnapshot:
        """Return the channel's table.

        Raises:
            NoTableHere: there is none.
        """
        return self.tables.table_for(info.request())

    async def available_chips(self, guild: int, user: int, snapshot: TableSnapshot) -> int:
        """Return the chips that a player can bring. Practice chips are free: a player with too few gets the opening grant again."""
        holdings = await self.bank.holdings(guild, user, self.book_of(snapshot))
        minimum = snapshot.settings.min_buyin
        if not snapshot.settings.practice:
            return max(0, holdings.wallet - (await self.bank.held(guild, user)).chips)
        if holdings.wallet >= minimum:
            return holdings.wallet
        return max((await self.bank.house_rules(guild)).opening_grant, minimum)

    async def usual_buy_in(self, snapshot: TableSnapshot, user: int) -> int:
        """Return the chips for which a player can buy in with one press; 0 where their wallet has less than the minimum."""
        settings = snapshot.settings
        chips = await self.available_chips(snapshot.address.guild, user, snapshot)
        return (
            default_buy_in(settings, settings.min_buyin, settings.max_buyin, chips)
            if chips >= settings.min_buyin
            else 0
        )

    def emojis_for(self, user: int) -> Emojis:
        """Return the cards as this player wants to see them, for messages that only they see."""
        return self.emoji_decks.choose(two_colour=self.preferences.wants_two_colours(user))

    def book_of(self, snapshot: TableSnapshot) -> Book:
        """Return the book that a table is kept in: practice chips are apart from the others."""
        return Book.PRACTICE if snapshot.settings.practice else Book.PEOPLE

    def names_by_seat(self, info: InteractionInfo, table: int = 0) -> Mapping[int, str]:
        """Return names by seat number, safe for markdown, for refusals that name a player."""
        try:
            snapshot = self.tables.snapshot(table) if table else self.tables.table_in_channel(info.guild, info.channel)
        except TableError:
            return {}
        players = snapshot.players_by_seat if snapshot is not None else {}
        return {seat_number: escape.name(player.name) for seat_number, player in players.items()}

    def spend(self, effort: Effort, who: int) -> None:
        """Count something that a person or a server asks for, and that is much work.

        Raises:
            OneMoment: they have to wait first.
        """
        self.limits.spend(effort, who, asyncio.get_running_loop().time())

    async def refuse_flood(self, info: InteractionInfo) -> bool:
        """Return whether a person asks for more than anybody can answer. They are told so once in a second, and nothing else is done."""
        now = asyncio.get_running_loop().time()
        wait = self.limits.wait_seconds(Effort.REQUEST, info.user, now)
        if not wait:
            return False
        if self.limits.is_to_be_told(info.user, now):
            log.warning("person_floods", extra={"guild": info.guild, "user": info.user})
            reply = Reply(self.discord_api, info, self.private_answers)
            with reading(language_for(info.locale)):
                await reply.refuse(OneMoment(seconds=math.ceil(wait)))
                await reply.close()
        return True

    async def handle(
        self,
        info: InteractionInfo,
        reply: Reply,
        work: Awaitable[None],
        table: int = 0,
        refuse: Callable[[TableError], Awaitable[None]] | None = None,
    ) -> None:
        """Handle an interaction in its reader's language.

        A refusal is explained, a fault of ours is logged and admitted, and there is an answer whatever happens.

        Args:
            refuse: explains a refusal, instead of a private answer.
        """
        self.private_answers.remember_token(info.user, info.token)
        self.display_names.remember(info.guild, info.user, info.name)
        if info.avatar:
            self.display_names.remember_avatar(info.guild, info.user, info.avatar)
        outside = INTERACTION.set(str(info.id))
        began_at = time.monotonic()
        with reading(language_for(info.locale)):
            try:
                await self.preferences.remember_locale(info.user, info.locale)
                await self._carry_out(info, reply, work, table, refuse)
            except Exception:
                log.exception("interaction_failed", extra={"user": info.user, "custom_id": info.custom_id})
                self.measures.failed += 1
                await reply.admit_fault()
            finally:
                await reply.close()
                self._measure(reply, began_at)
                INTERACTION.reset(outside)
            if self.direct_messages.take_dm_closed_notice(info.user):
                await reply.private(private_panels.dm_refused_panel())

    def _measure(self, reply: Reply, began_at: float) -> None:
        if reply.lost:
            self.measures.late += 1
        else:
            self.measures.answered += 1
        self.measures.seconds.add(time.monotonic() - began_at)

    async def _carry_out(
        self,
        info: InteractionInfo,
        reply: Reply,
        work: Awaitable[None],
        table: int,
        refuse: Callable[[TableError], Awaitable[None]] | None,
    ) -> None:
        try:
            await work
        except TableError as error:
            if refuse is not None:
                await refuse(error)
            else:
                await reply.refuse(error, self.names_by_seat(info, table))

    def in_server_language(self, guild: int) -> AbstractContextManager[None]:
        """Write everything inside the ``with`` block in the language of a server: what everybody there reads."""
        return reading(self.discord_api.server_language(guild))
