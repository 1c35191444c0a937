"""The parts that cogs use, a click on its way to an answer, and how every interaction is handled: carried out, answered, refused."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from bot.allowances import REMEMBERED_MAX, WORK, Allowance
from bot.engine.errors import TableError
from bot.line.api import DiscordApi
from bot.line.interaction import InteractionInfo
from bot.line.site import DealerSite
from bot.measures import InteractionMeasures
from bot.render.hand import private_panels
from bot.render.message.custom_ids import FormSubmission, PagePress, Press
from bot.runtime.bank import Bank
from bot.runtime.buy_ins import BuyIns
from bot.runtime.clock import AlarmClock
from bot.runtime.errors import OneMoment, WorkTimeUsed
from bot.runtime.flow_alarms import FlowAlarms
from bot.runtime.house_games import HouseGames
from bot.runtime.listed_people import ListedPeople
from bot.runtime.nights import Nights
from bot.runtime.privacy import Privacy
from bot.runtime.request import INTERACTION, Request
from bot.runtime.seasons import Seasons
from bot.runtime.snapshot import TableSnapshot
from bot.runtime.tables import Tables
from bot.store.statistics.statistics import Statistics
from bot.surfaces.achievements.lines import AchievementLines
from bot.surfaces.answer_pictures import AnswerPictures
from bot.surfaces.direct_messages.hole_cards import DirectMessages
from bot.surfaces.evenings.calls import ReturnCalls
from bot.surfaces.evenings.sheets import EveningSheets
from bot.surfaces.events.calls import DuelCalls
from bot.surfaces.imports.hand_imports import HandImports
from bot.surfaces.lobby.boards import LobbyBoards
from bot.surfaces.lobby.pings import SeatPings, TableCalls
from bot.surfaces.my_hand.panels import HandPanels
from bot.surfaces.nights.host_news import HostNews
from bot.surfaces.nights.own_nights import OwnNights
from bot.surfaces.nights.posts import NightPosts
from bot.surfaces.part import Parts
from bot.surfaces.people.full_deletions import FullDeletions
from bot.surfaces.people.profiles import DisplayNames, Preferences
from bot.surfaces.private_answers import PrivateAnswers
from bot.surfaces.replies import Reply, answers_first
from bot.surfaces.rooms.room_maker import RoomMaker
from bot.surfaces.scenes import EmojiDecks
from bot.surfaces.seasons.news import SeasonNews
from bot.surfaces.seasons.trophies import Trophies
from bot.surfaces.sheets.session_sheets import SessionSheets
from bot.surfaces.staff.channel import StaffChannel
from bot.surfaces.table.display import TableDisplay
from bot.surfaces.waiting.next_table import NextTables
from bot.surfaces.waiting.vacations import Vacations
from bot.text.cards import Emojis
from bot.text.escape import names_by_seat
from bot.text.language import language_for, reading
from cogs.support.did_you_mean import Corrections


class Effort(Enum):
    """What people ask for: how much of it at once, and how many seconds until one more."""

    def __init__(self, at_once: int, seconds: float) -> None:
        self.at_once, self.seconds = at_once, seconds

    __hash__ = object.__hash__  # each is there once, and every click asks for it: Enum's own calls Python code

    REQUEST = (100, 1 / 40)
    """Any command, click or form. Nobody's hand is quicker, at four tables either."""
    COMPLETION = (20, 1 / 5)
    FILE = (5, 12.0)
    """A file that has to be made and uploaded: five in a minute."""
    MANY_HANDS = (4, 30.0)
    """A file with all hands of an evening, or more."""
    IMPORT = (3, 20.0)
    """A file of hands that has to be read and played."""
    FILE_OF_SERVER = (30, 2.0)
    STATISTICS = (10, 1.0)
    """A page of statistics with its chart."""
    SHARED_STATISTICS = (2, 30.0)
    """Statistics that are shown to everybody in a channel."""
    LEADERBOARD = (15, 1.0)
    """A page of a leaderboard or of a season's results: names can have to be looked up."""
    REPLAY = (30, 1 / 2)
    """A step of a replay, with its picture."""
    SEARCH = (12, 1.0)
    """A page of hands that are looked for: eight hands are read."""
    ROOM = (3, 120.0)
    """A thread for a table."""
    ROOM_OF_SERVER = (15, 40.0)
    INVITATION = (20, 20.0)
    """Somebody who is called to a private table."""
    CHALLENGE = (4, 90.0)
    """A challenge to a duel, which calls somebody."""
    SHARED_HAND = (1, 60.0)
    """A hand that is shown to everybody in a channel."""
    SECONDS = (20, 10.0)
    """Seconds of reading, writing and drawing for what a person asks: counted once they are used (`bot.allowances`)."""


class PersonLimits:
    """Counts what people ask for, and the processor seconds that their answers take."""

    def __init__(self) -> None:
        self._full_at: dict[tuple[Effort, int], float] = {}
        self._seconds = Allowance(*Effort.SECONDS.value)
        self._told_at: dict[int, float] = {}

    def wait_seconds(self, effort: Effort, who: int, now: float) -> float:
        """Count one more thing that a person or a server asks for. Returns 0 if they can have it.

        Otherwise it does not count, and the return value is in how many seconds they can.
        """
        key, seconds = (effort, who), effort.seconds  # every click comes here: it is one call, and no more
        full_at = max(self._full_at.get(key, now), now) + seconds
        late = full_at - now - effort.at_once * seconds
        if late > 1e-9:
            return late
        if len(self._full_at) >= REMEMBERED_MAX:
            self._full_at = {known: at for known, at in self._full_at.items() if at > now}
        self._full_at[key] = full_at
        return 0.0

    def spend(self, effort: Effort, who: int, now: float) -> None:
        """Count one more thing that a person or a server asks for.

        Raises:
            OneMoment: they have to wait first.
        """
        wait = self.wait_seconds(effort, who, now)
        if wait:
            raise OneMoment(seconds=math.ceil(wait))

    def require_time(self, who: int, now: float) -> None:
        """Refuse somebody whose answers have taken all the processor seconds that a person can have.

        Raises:
            WorkTimeUsed: it says how many that were, and how long they have to wait.
        """
        wait = self._seconds.wait_seconds(who, now)
        if wait:
            raise WorkTimeUsed(used=math.ceil(self._seconds.used(who, now)), seconds=math.ceil(wait))

    def count_seconds(self, who: int, now: float, seconds: float) -> None:
        """Count processor seconds that somebody's answer has taken, also where they are more than they had left."""
        self._seconds.add(who, now, seconds)

    @property
    def remembered(self) -> int:
        """How many people and servers are remembered at most for one thing."""
        return max(len(self._full_at), self._seconds.remembered)

    def is_to_be_told(self, who: int, now: float) -> bool:
        """Whether a person who floods the dealer is told so: once in a second. To tell them each time would be as much work again."""
        if now - self._told_at.get(who, -math.inf) < 1:
            return False
        if len(self._told_at) >= REMEMBERED_MAX:
            self._told_at.clear()
        self._told_at[who] = now
        return True


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
    vacations: Vacations
    next_tables: NextTables
    discord_api: DiscordApi
    emoji_decks: EmojiDecks
    clock: AlarmClock
    house_games: HouseGames
    corrections: Corrections
    staff_channel: StaffChannel
    privacy: Privacy
    pictures: AnswerPictures
    display_names: DisplayNames
    rooms: RoomMaker
    lobby: LobbyBoards
    seat_pings: SeatPings
    table_calls: TableCalls
    statistics: Statistics
    listed_people: ListedPeople
    seasons: Seasons
    flow_alarms: FlowAlarms
    season_news: SeasonNews
    trophies: Trophies
    session_sheets: SessionSheets
    full_deletions: FullDeletions
    achievements: AchievementLines
    imports: HandImports
    parts: Parts
    site: DealerSite
    buy_ins: BuyIns
    sheets: EveningSheets
    return_calls: ReturnCalls
    duel_calls: DuelCalls
    nights: Nights
    night_posts: NightPosts
    own_nights: OwnNights
    host_news: HostNews
    limits: PersonLimits = field(default_factory=PersonLimits)
    measures: InteractionMeasures = field(default_factory=InteractionMeasures)

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

    def emojis_for(self, user: int) -> Emojis:
        """Return the cards as this player wants to see them, for messages that only they see."""
        return self.emoji_decks.choose(two_colour=self.preferences.wants_two_colours(user))

    def names_by_seat(self, info: InteractionInfo, table: int = 0) -> Mapping[int, str]:
        """Return names by seat number, safe for markdown, for refusals that name a player."""
        try:
            snapshot = self.tables.snapshot(table) if table else self.tables.table_in_channel(info.guild, info.channel)
        except TableError:
            return {}
        players = snapshot.players_by_seat if snapshot is not None else {}
        return names_by_seat((seat_number, player.name) for seat_number, player in players.items())

    def spend(self, effort: Effort, who: int) -> None:
        """Count something that a person or a server asks for, and that is much work.

        Raises:
            OneMoment: they have to wait first.
        """
        self.limits.spend(effort, who, asyncio.get_running_loop().time())

    def spend_time(self, effort: Effort, who: int) -> None:
        """Count something that takes much reading. From here on the seconds that this answer takes are counted for the person, too.

        Raises:
            OneMoment: they have asked for much a moment ago.
            WorkTimeUsed: what they asked for took all the time that a person can have.
        """
        loop = asyncio.get_running_loop()
        self.limits.require_time(who, loop.time())
        self.limits.spend(effort, who, loop.time())
        self.count_time(who)

    def count_time(self, who: int) -> None:
        """Count the seconds that this answer takes from here on for a person, and refuse nothing: it is what they always can have."""
        loop = asyncio.get_running_loop()
        WORK.set(lambda seconds: self.limits.count_seconds(who, loop.time(), seconds))

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
        self.private_answers.remember_token(info.user, info.token, info.channel)
        self.display_names.remember(info.guild, info.user, info.name, info.avatar)
        outside = INTERACTION.set(str(info.id))
        began_at = time.monotonic()
        with reading(language_for(info.locale)):
            try:
                await self.preferences.remember_locale(info.user, info.locale)
                await self._carry_out(info, reply, work, table, refuse)
            except Exception:
                log.exception("interaction_failed", extra={"user": info.user, "custom_id": info.custom_id})
                self.measures.count_fault()
                await reply.admit_fault()
            finally:
                await reply.close()
                if not reply.lost:
                    self.hand_panels.note_click(info)
                self.measures.count(time.monotonic() - began_at, lost=reply.lost)
                INTERACTION.reset(outside)
            if self.direct_messages.take_dm_closed_notice(info.user):
                await reply.private(private_panels.dm_refused_panel())

    async def _carry_out(
        self,
        info: InteractionInfo,
        reply: Reply,
        work: Awaitable[None],
        table: int,
        refuse: Callable[[TableError], Awaitable[None]] | None,
    ) -> None:
        if not await answers_first(reply, info, self.discord_api.by_token):
            if isinstance(work, Coroutine):
                work.close()
            return
        try:
            await work
        except TableError as error:
            if refuse is not None:
                await refuse(error)
            else:
                await reply.refuse(error, self.names_by_seat(info, table))

    def in_server_language(self, guild: int) -> AbstractContextManager[None]:
        """Write everything inside the ``with`` block in the language of a server: what everybody there reads."""
        return reading(self.discord_api.servers.language(guild))


class Click(Struct, frozen=True):
    """A click or a submitted form at a table: what it was, and how to answer."""

    services: Services
    info: InteractionInfo
    reply: Reply
    press: Press | FormSubmission

    @property
    def snapshot(self) -> TableSnapshot:
        """The button's table, as it stands.

        Raises:
            TableGone: it is closed.
        """
        return self.services.tables.snapshot(self.press.table)

    @property
    def request(self) -> Request:
        """A request that is refused once the button's turn is over."""
        return self.info.request(table=self.press.table, hand=self.press.hand, turn=self.press.turn)

    @property
    def request_any_time(self) -> Request:
        """A request that is good at any time, also from a direct message."""
        request, snapshot = self.info.request(table=self.press.table), self.snapshot
        if request.guild:
            return request
        return replace(request, guild=snapshot.address.guild, name=snapshot.known_name(request.user) or request.name)

    @property
    def guild(self) -> int:
        """The server of the button's table."""
        return self.info.guild or self.snapshot.address.guild


class PageClick(Struct, frozen=True):
    """A click on a page, such as the leaderboard."""

    services: Services
    info: InteractionInfo
    reply: Reply
    press: PagePress


Handler: TypeAlias = Callable[[Click], Awaitable[None]]
PageHandler: TypeAlias = Callable[[PageClick], Awaitable[None]]
