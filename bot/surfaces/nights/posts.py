"""The posts of game nights: one message for each series that shows who comes to its next night.

Each night has a post of its own; that of a night that is over shrinks to a line. After a night the post of the next one comes below its
sheet.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from msgspec import Struct

from bot.allowances import in_thread
from bot.engine.errors import TableError
from bot.events.nights.events import NightClosed
from bot.events.nights.state import NightSeries
from bot.line.api import DiscordApi
from bot.line.by_token import Token
from bot.line.failures import ChannelGone, DiscordFailed, NotAllowed, ThreadArchived, TryLater
from bot.line.interaction import InteractionInfo
from bot.line.payloads import message_data
from bot.line.request_queue import Priority, RequestLine
from bot.render.message.panel import Panel, payload
from bot.render.table import nights as panels
from bot.runtime.clock import AlarmClock
from bot.runtime.nights import Nights, NightsBack, NightsChanged, PlannedSeries
from bot.runtime.saved_values import SavedKind, SavedValues, ValueStorage
from bot.runtime.tables import Tables
from bot.signals import (
    ChannelChanged,
    GuildLeft,
    LastMessageShown,
    MessagesDeleted,
    RolesChanged,
    Signals,
    TablePosted,
)
from bot.surfaces.keeper import Drawing, Keeper, LiveMessage, Location, Surface
from bot.surfaces.nights.threads import open_thread
from bot.surfaces.part import Part
from bot.surfaces.replies import Reply
from bot.surfaces.table.display import TableDisplay
from bot.text.language import reading

log = logging.getLogger(__name__)

AFTER_SHEET_MS = 20_000
"""So long at most the post of the next night waits for the sheet of the last one."""


class SavedPost(Struct, frozen=True):
    """A post as it is saved between runs.

    Attributes:
        channel, message, sent_at, nonce, outdated: as in `Location`.
        number: the night that it shows.
    """

    channel: int = 0
    message: int = 0
    sent_at: int = 0
    nonce: str = ""
    outdated: tuple[int, ...] = ()
    number: int = 0

    @property
    def location(self) -> Location:
        return Location(self.channel, self.message, self.sent_at, self.nonce, self.outdated)


_POSTS = SavedKind[tuple[int, int], SavedPost]("nightpost.", ("server", "occasion"), SavedPost)


class NightPost(Surface):
    """The post of one series."""

    new_message = Priority.PRIVATE
    replaces_old = False

    def __init__(self, owner: NightPosts, id_: int, guild: int, series: NightSeries, saved: SavedPost) -> None:
        self._owner, self.id, self.guild, self.series, self.saved = owner, id_, guild, series, saved
        self.waits_for = self.not_before = 0
        self.best: panels.ShownBest | None = None
        self._knows_best = False
        self.live = LiveMessage(owner.keeper, self, saved.location)

    @property
    def line(self) -> RequestLine:
        return RequestLine(self.guild)

    @property
    def number(self) -> int:
        """The night that is to be shown; that of the last post once there is none."""
        return self.series.night.number if self.series.night is not None else self.saved.number

    async def find_channel(self) -> int:
        return self.series.channel

    def is_new_due(self, location: Location) -> bool:
        if self.series.has_ended:
            return False
        return not location.message or self.saved.number != self.number or location.channel != self.series.channel

    def new_possible_at(self, now: int) -> int:
        return max(now, self.not_before)

    async def prepare(self, location: Location) -> None:
        if not self._knows_best:  # its game stays the same
            self.best, self._knows_best = await in_thread(panels.best_low_hand, self.series.terms.settings), True

    def draw(self, location: Location) -> Drawing | None:
        if self.series.has_ended and not location.message:
            return None
        return Drawing(message_data(payload(self._owner.panel(self)), keeps_files=False))

    async def save(self, location: Location, token: Token | None) -> None:
        number = self.number if location.message or location.nonce else self.saved.number
        self.saved = SavedPost(
            location.channel, location.message, location.sent_at, location.nonce, location.outdated, number
        )
        await self._owner.save(self)

    def arrived(self, drawing: Drawing, location: Location) -> None:
        if self.series.has_ended and not location.outdated:
            self._owner.finish(self)

    async def take_away(self, location: Location, message: int) -> None:
        with reading(self._owner.keeper.discord_api.servers.language(self.guild)):
            data = message_data(payload(panels.over_panel(self.series)), keeps_files=False)
        await self._owner.keeper.discord_api.edit(self.line, location.channel, message, data)

    async def failed(self, error: DiscordFailed) -> bool:
        if isinstance(error, ThreadArchived):
            return await self._open_thread()
        if not isinstance(error, NotAllowed | ChannelGone):
            return False
        if self.series.has_ended and isinstance(error, ChannelGone):
            self._owner.finish(self)
            return True
        log.info("night_post_refused", extra={"guild": self.guild, "occasion": self.id, "error": repr(error)})
        self.live.work.stop()  # until the bot can do more there, or the nights go on elsewhere
        return True

    async def _open_thread(self) -> bool:
        """Open the archived thread, so that the post can be edited: a new one would say that the night of the old one is over."""
        try:
            await open_thread(self._owner.keeper.discord_api, self.guild, self.live.location.channel)
        except TryLater:
            self.live.work.wake_later(self.retry_ms)
            return True
        except DiscordFailed as error:
            log.info("night_thread_not_opened", extra={"guild": self.guild, "occasion": self.id, "error": repr(error)})
            self.live.work.stop()  # until the thread is open
            return True
        self.live.work.mark_due()
        return True


class NightPosts(Part):
    """The posts of all series."""

    def __init__(
        self,
        nights: Nights,
        tables: Tables,
        display: TableDisplay,
        discord_api: DiscordApi,
        storage: ValueStorage,
        clock: AlarmClock,
        signals: Signals,
    ) -> None:
        self._nights, self._tables, self._display, self._clock = nights, tables, display, clock
        self.keeper = Keeper(discord_api, clock)
        self.tasks = self.keeper.tasks
        self._saved = SavedValues(_POSTS, storage)
        self._posts: dict[int, NightPost] = {}
        self._is_open = False
        signals.on(NightsChanged, self._on_changed)
        signals.on(TablePosted, lambda signal: self._on_table_posted(signal.table))
        signals.on(LastMessageShown, lambda signal: self._on_sheet_shown(signal.table))
        signals.on(MessagesDeleted, self._on_messages_deleted)
        signals.on(ChannelChanged, lambda signal: self._try_again(signal.guild))
        signals.on(RolesChanged, lambda signal: self._try_again(signal.guild))
        signals.on(GuildLeft, self._on_guild_left)
        signals.on(NightsBack, self._on_back)

    async def open(self) -> None:
        """Take up the posts of an earlier run."""
        if self._is_open:
            return
        saved = await self._saved.load()
        self._is_open = True  # not before: a night that changes meanwhile would have a second post
        for one in self._nights.all():
            self._show(one, saved.get((one.guild, one.id), SavedPost()))
        for guild, id_ in saved:
            if id_ not in self._posts:
                await self._take_up_over(guild, id_, saved[guild, id_])

    async def _take_up_over(self, guild: int, id_: int, saved: SavedPost) -> None:
        """Show that a series has ended which an earlier run has not shown."""
        past = await self._nights.past(id_)
        if past is None or not saved.message:
            await self._saved.forget((guild, id_))
        elif past.series.has_ended:
            self._show(past, saved)

    async def close(self) -> None:
        self._is_open = False
        for post in self._posts.values():
            post.live.work.stop()
        await self.tasks.finish(seconds=1.0)

    async def forget(self, guild: int, user: int) -> None:
        """Somebody's data was deleted: `GameNights` has read the journals again."""
        for one in self._nights.of_server(guild):
            self._update(one)

    def _show(self, one: PlannedSeries, saved: SavedPost) -> None:
        post = self._posts[one.id] = NightPost(self, one.id, one.guild, one.series, saved)
        post.live.work.wake()
        post.live.work.start()

    # what posts ask for

    def panel(self, post: NightPost) -> Panel:
        """Draw a post as it should be."""
        night = post.series.night
        with reading(self.keeper.discord_api.servers.language(post.guild)):
            if night is None:
                return panels.ended_panel(post.id, post.series)
            return panels.post_panel(post.id, post.series, night, self._link(night.table), post.best)

    def _link(self, table: int) -> str:
        if not table:
            return ""
        try:
            return self._display.message_link(self._tables.snapshot(table))
        except TableError:
            return ""

    async def save(self, post: NightPost) -> None:
        """Save where a post is. Raises `StoreError`."""
        await self._saved.keep((post.guild, post.id), post.saved)

    def finish(self, post: NightPost) -> None:
        """The last post of a series shows that it has ended."""
        self._posts.pop(post.id, None)
        post.live.work.stop()
        self.tasks.run(self._saved.forget((post.guild, post.id)), f"forget-night-post-{post.id}")

    # what happens

    def _on_changed(self, signal: NightsChanged) -> None:
        one = signal.planned
        post = self._posts.get(one.id)
        played = any(isinstance(event, NightClosed) for event in signal.events)
        if post is not None and played and post.series.night is not None:
            post.waits_for, post.not_before = post.series.night.table, self._clock.now() + AFTER_SHEET_MS
        self._update(one)

    def _update(self, one: PlannedSeries) -> None:
        post = self._posts.get(one.id)
        if post is not None:
            post.series = one.series
            if one.series.has_ended and not (post.live.location.message or post.live.location.nonce):
                self.finish(post)
                return
            post.live.work.wake()
            if self._is_open and not post.live.work.runs:
                post.live.work.start()
        elif self._is_open and not one.series.has_ended:
            self._show(one, SavedPost())

    def _on_table_posted(self, table: int) -> None:
        one = self._nights.at_table(table)
        if one is not None and one.id in self._posts:
            self._posts[one.id].live.work.wake()

    def _on_sheet_shown(self, table: int) -> None:
        for post in self._posts.values():
            if post.waits_for == table != 0:
                post.waits_for = post.not_before = 0
                post.live.work.wake()

    def _on_messages_deleted(self, signal: MessagesDeleted) -> None:
        for post in tuple(self._posts.values()):
            if post.live.location.message in signal.messages:
                if post.series.has_ended:
                    self.finish(post)
                else:
                    post.live.lose()

    def _try_again(self, guild: int) -> None:
        for post in self._posts.values():
            if post.guild == guild and self._is_open:
                post.live.work.start()
                post.live.work.wake()

    def _on_guild_left(self, signal: GuildLeft) -> None:
        """Its posts stay where they are, and are taken up if it invites the bot again."""
        for post in self._posts.values():
            if post.guild == signal.guild:
                post.live.work.stop()

    def _on_back(self, signal: NightsBack) -> None:
        for one in self._nights.of_server(signal.guild):
            self._update(one)

    # clicks on posts

    async def answer(
        self, id_: int, reply: Reply, info: InteractionInfo, work: Callable[[], Awaitable[object]]
    ) -> None:
        """Do what a click on a post asks for, and answer it by redrawing the post."""
        post = self._posts.get(id_)
        if post is None or post.live.location.message != info.message:
            await work()
            await reply.acknowledge()
            return
        application = self.keeper.discord_api.by_token.application
        token = Token(application, info.id, info.token, self._clock.now(), info.channel, info.message)
        with post.live.answering():
            await work()
            drawing = await post.live.draw_answer()
            if drawing is not None:
                arrived = False
                try:
                    arrived = await reply.redraw_table(drawing)
                finally:
                    post.live.answered(drawing, token, arrived=arrived, refused=reply.refusal)
        if drawing is None:
            await reply.acknowledge()
