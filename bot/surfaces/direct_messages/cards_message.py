"""The direct message of one player's cards at one table."""

from __future__ import annotations

import logging
from enum import Enum, auto
from typing import Protocol

from msgspec import Struct

from bot.line.by_token import Token
from bot.line.dm_channels import DmChannels
from bot.line.failures import ChannelGone, ChannelsLimited, DiscordFailed
from bot.line.interaction import InteractionInfo
from bot.line.payloads import message_data
from bot.line.request_queue import HOUSE_LINE, Priority, RequestLine, line_of
from bot.render.hand import private_panels
from bot.render.message.panel import Panel, payload
from bot.runtime.snapshot import TableSnapshot
from bot.surfaces.keeper import NOWHERE, Drawing, Keeper, LiveMessage, Location, Surface
from bot.surfaces.people.profiles import Preferences
from bot.surfaces.private_answers import LivePanels, PrivateMessage
from bot.surfaces.replies import Reply
from bot.surfaces.scenes import EmojiDecks, scene_of
from bot.text.language import reading

log = logging.getLogger(__name__)

MESSAGE_AGE_MAX_MS = 50 * 60 * 1000
"""A message this old is replaced by a new one, because Discord throttles edits of messages older than an hour (30046)."""


def is_old(sent_at: int, now: int) -> bool:
    """Return whether a message is too old to be edited at each deal."""
    return now - sent_at > MESSAGE_AGE_MAX_MS


class SavedSessionMessage(Struct, frozen=True):
    """A player's DM at a table, as it is saved between runs: as in `Location`."""

    channel: int
    message: int
    sent_at: int
    nonce: str = ""
    outdated: tuple[int, ...] = ()

    @classmethod
    def of(cls, location: Location) -> SavedSessionMessage:
        """Return what is saved of where a message is."""
        return cls(location.channel, location.message, location.sent_at, location.nonce, location.outdated)

    @property
    def location(self) -> Location:
        return Location(self.channel, self.message, self.sent_at, self.nonce, self.outdated)

    @property
    def is_kept(self) -> bool:
        """Whether there is anything to know."""
        return bool(self.message or self.nonce or self.outdated)


class SleepingCards(Struct, frozen=True, array_like=True):
    """What is kept in memory of a player's DM while the table sleeps.

    Attributes:
        shown: what Discord shows of it (`Drawing.seen`).
        hand: the hand whose cards it has had.
        panel: what is known of the player's panel.
    """

    user: int
    saved: SavedSessionMessage
    shown: bytes
    hand: int
    panel: tuple[bool, bool, int]


class _Says(Enum):
    """What the message says beside the cards."""

    CARDS = auto()
    IN_PANEL = auto()
    OFFERED = auto()
    """Its player has chosen nothing where *My hand* comes first: it leads there, and offers the cards. That is so in every hand."""
    NOT_DEALT_IN = auto()
    CLOSED = auto()


class CardsOwner(Protocol):
    """What keeps these messages (`bot.surfaces.direct_messages.hole_cards.DirectMessages`)."""

    keeper: Keeper
    preferences: Preferences
    live_panels: LivePanels
    emoji_decks: EmojiDecks
    channels: DmChannels
    link: str
    is_open: bool

    def snapshot(self, table: int) -> TableSnapshot | None: ...
    async def save(self, key: tuple[int, int], saved: SavedSessionMessage) -> None: ...
    def say_goodbye(self, key: tuple[int, int]) -> None: ...
    def send_later(self, snapshot: TableSnapshot, user: int, *, is_limited: bool) -> None: ...
    async def on_refused(self, snapshot: TableSnapshot, user: int, error: DiscordFailed) -> bool: ...


class CardsMessage(Surface):
    """The DM of one player at one table. It is drawn from the newest state of the table."""

    redraw = Priority.PRIVATE
    is_silent = True
    retry_ms = 2_000

    def __init__(self, owner: CardsOwner, table: int, user: int, saved: SavedSessionMessage | None = None) -> None:
        self._owner, self.table, self.user = owner, table, user
        self.live = LiveMessage(owner.keeper, self, saved.location if saved is not None else Location())
        self._hand = self._panel_until = 0
        self._pressed = self._in_panel = False
        if owner.is_open:
            self.live.work.start()

    def deal(self, hand: int) -> None:
        """Its player has new private cards. Who has played from their panel since the deal before finds them there."""
        if hand != self._hand:
            self._in_panel, self._hand, self._pressed = self._pressed, hand, False
        elif self._pressed:
            self._in_panel = True
        self.live.work.wake()

    def play_in_panel(self, until: int) -> None:
        """Its player has pressed a button of their panel, which can be edited until then; 0: it can no longer be."""
        self._pressed, self._panel_until = until > 0, until
        if not until and (self._in_panel or not self._owner.preferences.gets_cards_by_dm(self.user)):
            self.live.work.wake()

    async def answer(self, reply: Reply, info: InteractionInfo) -> None:
        """Answer a click on the message by showing the cards in it."""
        self._pressed = self._in_panel = False
        if info.message != self.live.location.message:  # an earlier one, of which nothing is known
            drawing = self.draw(Location(message=info.message))
            if drawing is not None:
                await reply.redraw_table(drawing)
            return
        with self.live.answering():
            drawing = await self.live.draw_answer()
            if drawing is not None:
                now = self._owner.keeper.clock.now()
                token = PrivateMessage(info.token, info.message, is_original=True, at=now).access
                arrived = False
                try:
                    arrived = await reply.redraw_table(drawing)
                finally:
                    self.live.answered(drawing, token, arrived=arrived, refused=reply.refusal)

    # while its table sleeps

    def kept_asleep(self) -> SleepingCards | None:
        """Return what is to be kept while the table sleeps; None while there is something to do."""
        live = self.live
        if (
            not live.work.is_quiet
            or live.live_token is not None
            or not (live.location.is_settled or live.location == NOWHERE)
        ):
            return None
        panel = self._pressed, self._in_panel, self._panel_until
        return SleepingCards(self.user, SavedSessionMessage.of(live.location), live.shown, self._hand, panel)

    def take_up(self, kept: SleepingCards) -> None:
        """Go on as it was when the table fell asleep."""
        self.live.take_up(kept.saved.location, kept.shown)
        self._hand, (self._pressed, self._in_panel, self._panel_until) = kept.hand, kept.panel

    # as a surface

    @property
    def line(self) -> RequestLine:
        snapshot = self._owner.snapshot(self.table)
        return line_of(snapshot) if snapshot is not None else HOUSE_LINE

    async def find_channel(self) -> int:
        return await self._owner.channels.channel(self.user, self.line)

    def is_new_due(self, location: Location) -> bool:
        snapshot = self._owner.snapshot(self.table)
        match self._says(snapshot):
            case _Says.CARDS:
                return not location.message or is_old(location.sent_at, self._owner.keeper.clock.now())
            case _Says.OFFERED if snapshot is not None and not location.message:
                is_dealt_in = self.user in snapshot.dealt_users
                return is_dealt_in and not self._owner.live_panels.has_live_panel(self.table, self.user)
            case _:
                return False

    def _says(self, snapshot: TableSnapshot | None) -> _Says:
        preferences = self._owner.preferences
        if snapshot is None:
            return _Says.CLOSED
        if preferences.wants_dms(self.user) and not preferences.gets_cards_by_dm(self.user):
            return _Says.OFFERED
        if self.user not in snapshot.dealt_users:
            return _Says.NOT_DEALT_IN
        is_in_panel = self._in_panel and self._owner.keeper.clock.now() < self._panel_until
        is_in_panel = is_in_panel and not preferences.wants_every_dm(self.user)
        return _Says.IN_PANEL if is_in_panel or not preferences.wants_dms(self.user) else _Says.CARDS

    def draw(self, location: Location) -> Drawing | None:
        snapshot = self._owner.snapshot(self.table)
        says = self._says(snapshot)
        if not location.message and not self.is_new_due(location):
            return None
        with reading(self._owner.preferences.language(self.user)):
            panel = self._panel(snapshot, says)
        return Drawing(message_data(payload(panel)), mark=says) if panel is not None else None

    def _panel(self, snapshot: TableSnapshot | None, says: _Says) -> Panel | None:
        if snapshot is None:
            return private_panels.table_closed_dm()
        number, address = snapshot.address.number, snapshot.address
        link = f"{self._owner.link}/{address.guild}/{address.channel}"
        if says is _Says.NOT_DEALT_IN:
            return private_panels.not_dealt_in_dm(number, link)
        if says in {_Says.IN_PANEL, _Says.OFFERED}:
            return private_panels.cards_in_panel_dm(snapshot.id, number, link, offered=says is _Says.OFFERED)
        own = snapshot.seen_by(self.user)
        if own is None or (own.viewer is not None and not own.seats[own.viewer].cards):
            return None  # straddles come before the cards
        emojis = self._owner.emoji_decks.choose(two_colour=self._owner.preferences.wants_two_colours(self.user))
        return private_panels.hole_cards_dm(scene_of(snapshot, own, emojis, 0), link)

    async def prepare(self, location: Location) -> None:
        self._go_without_message(location)

    async def save(self, location: Location, token: Token | None) -> None:
        await self._owner.save((self.table, self.user), SavedSessionMessage.of(location))
        self._go_without_message(location)

    def _go_without_message(self, location: Location) -> None:
        """Where no message was sent, none says that the table has closed."""
        if not (location.message or location.nonce) and self._owner.snapshot(self.table) is None:
            self.live.work.stop()
            self._owner.say_goodbye((self.table, self.user))

    def arrived(self, drawing: Drawing, location: Location) -> None:
        if drawing.mark is _Says.CLOSED:
            self.live.work.stop()
            self._owner.say_goodbye((self.table, self.user))

    async def take_away(self, location: Location, message: int) -> None:
        await self._owner.keeper.discord_api.delete(self.line, location.channel, message)

    async def failed(self, error: DiscordFailed) -> bool:
        fields = {"table": self.table, "user": self.user, "error": repr(error)}
        snapshot = self._owner.snapshot(self.table)
        if snapshot is None:
            log.info("dm_of_closed_table_failed", extra=fields)
            self._owner.say_goodbye((self.table, self.user))
            return True
        if await self._owner.on_refused(snapshot, self.user, error):
            log.info("dm_refused", extra=fields)
            return True
        is_limited = isinstance(error, ChannelsLimited)
        self._owner.send_later(snapshot, self.user, is_limited=is_limited)
        if isinstance(error, ChannelGone):
            self.live.lose()  # the next one goes to another channel
        return is_limited or isinstance(error, ChannelGone)
