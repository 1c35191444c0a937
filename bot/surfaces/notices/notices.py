"""What one person has to be told unasked: that they ran out of time or chips, that a seat is kept for them, that they lost theirs.

A notice goes to the person's open private panel; else by direct message; else as one public mention. It is taken away as soon as it is
no longer true, also by the next run, and a newer one replaces it, so that notices never pile up.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from enum import StrEnum
from functools import partial
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from bot.events.sit_and_go.state import SitAndGo
from bot.line.api import DiscordApi
from bot.line.by_token import Token
from bot.line.failures import ChannelsLimited, DiscordFailed, DmClosed, TryLater
from bot.line.payloads import COMPONENTS_V2, SUPPRESS_NOTIFICATIONS, message_data
from bot.line.request_queue import RequestLine, line_of
from bot.render.message.panel import Block, Buttons, Panel, Raw, Text, payload
from bot.render.table import book, own_menu, sit_and_go
from bot.render.table.rebuys import is_asked, question_panel
from bot.render.table.way_on import is_out_of_chips
from bot.runtime.buy_ins import BuyIns
from bot.runtime.clock import Alarm, AlarmClock
from bot.runtime.keyed_locks import KeyedLocks
from bot.runtime.request import Request
from bot.runtime.saved_values import AT_A_TABLE, SavedKind, SavedValues, ValueStorage
from bot.runtime.snapshot import TableSnapshot, TableUpdate
from bot.surfaces.direct_messages.hole_cards import DirectMessages
from bot.surfaces.keeper import Drawing, Keeper, LiveMessage, Location, Surface
from bot.surfaces.my_hand.panels import HandPanels
from bot.surfaces.part import Part
from bot.surfaces.people.profiles import Preferences
from bot.surfaces.people.quiet_times import QuietTimes
from bot.surfaces.people.seat_situation import has_offer
from bot.surfaces.sheets.session_sheets import SessionSheets
from bot.surfaces.table.display import TableDisplay
from bot.table.events import (
    LeaveReason,
    PlayerBusted,
    PlayerKeptOut,
    RebuyAnswered,
    RebuyAsked,
    RebuyPassedOn,
    RebuyTimeBegan,
    SeatLeft,
    SeatOffered,
    TurnTimedOut,
)
from bot.table.state import AfterHand, SeatStatus
from bot.text.language import reading

log = logging.getLogger(__name__)


class Concern(StrEnum):
    """What a notice is about: it is true as long as this is. The words are stored."""

    ABSENCE = "absence"  # they have to come back, or to buy in
    OFFER = "offer"  # a seat is kept for them
    FREE_SEAT = "free seat"  # they asked to be told
    LOST_SEAT = "lost seat"
    LEAVING = "leaving"  # they leave after this hand
    REBUY = "rebuy"  # somebody asks them for a rebuy
    OWN_REBUY = "own rebuy"  # they are asked whether they rebuy in an event
    TURN = "turn"  # it is still their turn, where turns can take hours (`bot.surfaces.waiting.reminders`)


class Notice(Struct, frozen=True):
    """Something that one person has to be told.

    Attributes:
        draw: draws it in the language that is being read.
        until: when it is taken away at the latest, in ms since the epoch; 0 for never.
        personal: told to nobody else: it is not said in the channel to somebody who takes no direct messages.
        for_user_only: draws what stands below it where nobody else reads it.
    """

    draw: Callable[[], Panel]
    concern: Concern
    until: int = 0
    personal: bool = False
    for_user_only: Callable[[], tuple[Block, ...]] = tuple

    def is_true(self, snapshot: TableSnapshot, user: int) -> bool:
        """Whether it still is so for this person."""
        return _IS_TRUE[self.concern](snapshot, user)


class SentNotice(Struct, frozen=True):
    """A notice that is sent as a message of its own, as it is saved between runs: channel and below as in `Location`."""

    channel: int
    message: int
    concern: Concern
    guild: int = 0
    until: int = 0
    nonce: str = ""
    outdated: tuple[int, ...] = ()

    @property
    def location(self) -> Location:
        return Location(self.channel, self.message, nonce=self.nonce, outdated=self.outdated)


_NOTICES = SavedKind[tuple[int, int], SentNotice]("notice.", AT_A_TABLE, SentNotice)


class NoticeOwner(Protocol):
    """What a notice's message asks for."""

    keeper: Keeper

    async def dm_channel(self, snapshot: TableSnapshot, user: int) -> int:
        """Return the channel of a person's direct messages. Raises `DiscordFailed`; `DmClosed` also where they want none."""

    async def on_refused(self, snapshot: TableSnapshot, user: int, error: DiscordFailed) -> None:
        """Discord has refused a direct message, or its reader wants none."""

    async def save(self, key: tuple[int, int], sent: SentNotice) -> None:
        """Save where a notice is."""

    def ended(self, message: NoticeMessage) -> None:
        """A notice has been taken away, or cannot be sent."""


class NoticeMessage(Surface):
    """A notice as a message: a direct one, or where that is refused a public one, once.

    Args:
        data: writes the message; `public`: for the channel. None of an earlier run's, of which only the concern is known.
        where: the table and the server.

    Attributes:
        settled: it has been sent, or cannot be.
        gone: it has been taken away, or cannot be sent.
    """

    returns = False
    replaces_old = False

    def __init__(
        self,
        owner: NoticeOwner,
        key: tuple[int, int],
        sent: SentNotice,
        data: Callable[[bool], Raw] | None = None,
        snapshot: TableSnapshot | None = None,
        *,
        personal: bool = False,
    ) -> None:
        self._owner, self.key, self.sent = owner, key, sent
        self._data, self._snapshot = data, snapshot
        self._personal, self._is_public = personal, False
        self.live = LiveMessage(owner.keeper, self, sent.location)
        self.settled, self.gone = asyncio.Event(), asyncio.Event()
        self.live.work.start()

    @property
    def line(self) -> RequestLine:
        return line_of(self._snapshot) if self._snapshot is not None else RequestLine(self.sent.guild)

    async def find_channel(self) -> int:
        if self._snapshot is None or self._is_public:
            return self.sent.channel
        return await self._owner.dm_channel(self._snapshot, self.key[1])

    def is_new_due(self, location: Location) -> bool:
        return not location.message and self._data is not None

    def draw(self, location: Location) -> Drawing | None:
        """Draw it once: what it says does not change."""
        return Drawing(self._data(self._is_public)) if self._data is not None and not location.message else None

    async def save(self, location: Location, token: Token | None) -> None:
        self.sent = replace(
            self.sent,
            channel=location.channel,
            message=location.message,
            nonce=location.nonce,
            outdated=location.outdated,
        )
        await self._owner.save(self.key, self.sent)

    def arrived(self, drawing: Drawing, location: Location) -> None:
        self.settled.set()

    async def take_away(self, location: Location, message: int) -> None:
        await self._owner.keeper.discord_api.delete(self.line, location.channel, message)

    def ended(self) -> None:
        self.settled.set()
        self.gone.set()
        self._owner.ended(self)

    async def failed(self, error: DiscordFailed) -> bool:
        fields = {"table": self.key[0], "user": self.key[1], "error": repr(error)}
        log.info("notice_failed", extra=fields)
        if isinstance(error, TryLater) and not isinstance(error, ChannelsLimited):
            return False
        if self._snapshot is not None and not self._is_public and not self.live.location.message:
            await self._owner.on_refused(self._snapshot, self.key[1], error)
            if not self._personal:
                self._is_public = True
                self.sent = replace(self.sent, channel=self._snapshot.address.channel)
                self.live.work.wake()
                return True
        self.live.work.stop()
        self.ended()
        return True


class PrivateNotices(Part):
    """Tells people what concerns them alone. In quiet hours it comes without a sound."""

    def __init__(
        self,
        discord_api: DiscordApi,
        direct_messages: DirectMessages,
        preferences: Preferences,
        quiet: QuietTimes,
        display: TableDisplay,
        panels: HandPanels,
        sheets: SessionSheets,
        buy_ins: BuyIns,
        storage: ValueStorage,
        clock: AlarmClock,
    ) -> None:
        self._saved = SavedValues(_NOTICES, storage)
        self.keeper = Keeper(discord_api, clock)
        self._direct_messages = direct_messages
        self._preferences = preferences
        self._messages: dict[tuple[int, int], NoticeMessage] = {}
        self._alarms: dict[tuple[int, int], Alarm] = {}
        self._locks = KeyedLocks[tuple[int, int]]()
        self.tasks = self.keeper.tasks
        self._quiet, self._display, self._panels = quiet, display, panels
        self._sheets, self._buy_ins = sheets, buy_ins

    def on_update(self, change: TableUpdate) -> None:
        """Tell the people whom a change concerns, and take away what is no longer true. This is called under the table's lock."""
        snapshot = change.snapshot
        for key, message in tuple(self._messages.items()):
            if key[0] == snapshot.id and (change.closed or not _IS_TRUE[message.sent.concern](snapshot, key[1])):
                message.live.end()
        if change.closed:
            return
        for event in change.events:
            match event:
                case TurnTimedOut(seat_number):
                    self._tell_timed_out(snapshot, snapshot.players_by_seat[seat_number].user)
                case PlayerBusted(seat_number):
                    user = snapshot.players_by_seat[seat_number].user
                    if user > 0:
                        self.tasks.run(self._tell_out_of_chips(snapshot, user), f"out-of-chips-{user}")
                case SeatOffered(user, until, seat_number, by):
                    panel = partial(own_menu.seat_offered_panel, snapshot.id, snapshot.table, until, seat_number, by)
                    self.notify(snapshot, user, Notice(panel, Concern.OFFER))
                case SeatLeft(player=user, chips=chips, reason=LeaveReason.ABSENT | LeaveReason.BUSTED):
                    panel = partial(own_menu.seat_lost_panel, snapshot.id, snapshot.table, chips)
                    self._tell_seat_lost(snapshot, user, panel)
                case SeatLeft(player=user, reason=LeaveReason.OUT) if (event_now := snapshot.sit_and_go) is not None:
                    panel = partial(sit_and_go.out_panel, snapshot.table.number, event_now, user)
                    self.notify(snapshot, user, Notice(panel, Concern.LOST_SEAT))
                case SeatLeft(player=user, chips=chips, reason=LeaveReason.KEPT_OUT):
                    panel = partial(own_menu.kept_out_panel, snapshot.table, chips)
                    self._tell_seat_lost(snapshot, user, panel, personal=True)
                case RebuyTimeBegan() if (event_now := snapshot.sit_and_go) is not None and event_now.rebuy_question:
                    for user in event_now.rebuy_question.waiting:
                        self.tasks.run(self._ask_whether_they_rebuy(snapshot, event_now, user), f"own-rebuy-{user}")
                case RebuyAsked(player=asker) | RebuyPassedOn(player=asker):
                    self._ask_for_rebuy(snapshot, asker, again=isinstance(event, RebuyAsked))
                    if isinstance(event, RebuyAsked) and _is_out_of_chips(snapshot, asker):
                        self.tasks.run(self._tell_out_of_chips(snapshot, asker), f"rebuy-asked-{asker}")
                case RebuyAnswered(player=user, refused_until=until) if until:
                    panel = partial(book.refused_panel, snapshot.table, until)
                    has_seat = not _has_no_seat(snapshot, user)
                    self.notify(snapshot, user, Notice(panel, Concern.ABSENCE if has_seat else Concern.LOST_SEAT))
                case RebuyAnswered(player=user) if _has_no_seat(snapshot, user):
                    panel = partial(book.granted_seat_panel, snapshot.id, snapshot.table)
                    self.notify(snapshot, user, Notice(panel, Concern.LOST_SEAT))
                case PlayerKeptOut(player=user) if snapshot.known_name(user):
                    panel = partial(own_menu.leaves_for_host_panel, snapshot.table)
                    self.notify(snapshot, user, Notice(panel, Concern.LEAVING, personal=True))
                case _:
                    pass

    def notify(self, snapshot: TableSnapshot, user: int, notice: Notice) -> None:
        """Tell one person something. Nobody waits for it; practice players need not be told."""
        if user > 0:
            self.tasks.run(self.deliver(snapshot, user, notice), f"notice-{user}")

    def is_told(self, table: int, user: int, concern: Concern) -> bool:
        """Whether a notice about this stands as a message of its own."""
        message = self._messages.get((table, user))
        return message is not None and message.sent.concern is concern

    def _ask_for_rebuy(self, snapshot: TableSnapshot, asker: int, *, again: bool) -> None:
        """Ask those who can answer a rebuy. `again`: also those who are being asked for another one."""
        view = snapshot.table
        for user in [user for one in view.rebuy_questions if one.player == asker for user in one.can_grant]:
            if again or not self.is_told(snapshot.id, user, Concern.REBUY):
                panel = partial(book.questions_panel, snapshot.id, view, user)
                self.notify(snapshot, user, Notice(panel, Concern.REBUY))

    def _tell_timed_out(self, snapshot: TableSnapshot, user: int) -> None:
        seat = next((seat for seat in snapshot.table.seats if seat.player == user), None)
        if seat is not None:
            panel = partial(own_menu.timed_out_panel, snapshot.id, snapshot.table, seat)
            self.notify(snapshot, user, Notice(panel, Concern.ABSENCE))

    async def open(self) -> None:
        """Take up the notices of an earlier run: those that are no longer true go away."""
        for key, sent in (await self._saved.load()).items():
            if key in self._messages:
                continue
            message = self._messages[key] = NoticeMessage(self, key, sent)
            if self._is_true(key, sent.concern) and sent.message and not sent.outdated:
                self._set_alarm(message)
            else:
                message.live.end()

    async def close(self) -> None:
        """Wait a little for notices that are on their way."""
        for alarm in self._alarms.values():
            alarm.cancel()
        await self.tasks.finish(3.0)
        for message in self._messages.values():
            message.live.work.stop()

    async def _tell_out_of_chips(self, snapshot: TableSnapshot, user: int) -> None:
        address = snapshot.address
        seat = next((seat for seat in snapshot.table.seats if seat.player == user), None)
        if seat is not None and snapshot.settings.has_table_chips:
            panel = partial(own_menu.rebuy_panel, snapshot.id, snapshot.table, seat)
        else:
            ways = await self._buy_ins.ways(
                snapshot, Request(key="", guild=address.guild, channel=address.channel, user=user)
            )
            panel = partial(own_menu.out_of_chips_panel, snapshot.id, snapshot.table, ways)
        await self.deliver(snapshot, user, Notice(panel, Concern.ABSENCE))

    async def _ask_whether_they_rebuy(self, snapshot: TableSnapshot, event: SitAndGo, user: int) -> None:
        wallet = await self._buy_ins.in_wallet(snapshot.address.guild, user)
        panel = partial(question_panel, snapshot.id, snapshot.table.number, event, wallet)
        await self.deliver(snapshot, user, Notice(panel, Concern.OWN_REBUY))

    def _tell_seat_lost(
        self, snapshot: TableSnapshot, user: int, panel: Callable[[], Panel], *, personal: bool = False
    ) -> None:
        """Tell a player that their seat is lost, and what the session came to."""

        async def tell() -> None:
            async with self._sheets.below_notice(snapshot, user) as session:
                notice = Notice(panel, Concern.LOST_SEAT, personal=personal, for_user_only=session)
                await self.deliver(snapshot, user, notice)

        if user > 0:
            self.tasks.run(tell(), f"seat-lost-{user}")

    async def deliver(self, snapshot: TableSnapshot, user: int, notice: Notice) -> None:
        """Send a notice the first way that works; an earlier one goes away."""
        key = snapshot.id, user
        async with self._locks.of(key):
            await self._display.until_end_shown(snapshot)
            if (earlier := self._messages.get(key)) is not None:
                earlier.live.end()
                await earlier.gone.wait()
            if not self._is_true(key, notice.concern):
                return
            private = replace(notice, draw=lambda: _below(notice.draw(), notice.for_user_only()))
            if self._panels.show_notice(snapshot, user, private):
                return
            if notice.personal and not self._preferences.wants_dms(user):
                return
            is_quiet = await self._quiet.are_now(snapshot.address.guild, user)
            data = partial(self._data, snapshot, user, notice, private, is_quiet)
            sent = SentNotice(0, 0, notice.concern, snapshot.address.guild, notice.until)
            message = NoticeMessage(self, key, sent, data, snapshot, personal=notice.personal)
            self._messages[key] = message
            message.live.work.wake()
            await message.settled.wait()
            if not self._is_true(key, notice.concern):  # it was put right while the notice was on its way
                message.live.end()
            else:
                self._set_alarm(message)

    def _set_alarm(self, message: NoticeMessage) -> None:
        """Take a notice away when its time is over."""
        if message.sent.until and self._messages.get(message.key) is message:
            self._alarms[message.key] = self.keeper.clock.call_at(message.sent.until, message.live.end)

    def _is_true(self, key: tuple[int, int], concern: Concern) -> bool:
        table, user = key
        newest = self._direct_messages.snapshot(table)
        return newest is not None and _IS_TRUE[concern](newest, user)

    def _data(
        self, snapshot: TableSnapshot, user: int, notice: Notice, private: Notice, is_quiet: bool, is_public: bool
    ) -> Raw:
        """Write a notice as a direct message, or as a mention with the same buttons, which open their own menu for everybody else."""
        silent: Raw = {"flags": SUPPRESS_NOTIFICATIONS} if is_quiet else {}
        if not is_public:
            with reading(self._preferences.language(user)):
                data = message_data(payload(private.draw()))
            return data | ({"flags": COMPONENTS_V2 | SUPPRESS_NOTIFICATIONS} if is_quiet else {})
        with reading(self.keeper.discord_api.servers.language(snapshot.address.guild)):
            panel = notice.draw()
        lines = [block.content for block in panel.blocks if isinstance(block, Text)]
        return silent | {
            "content": f"<@{user}> {' '.join(lines)}",
            "components": [block.raw() for block in panel.blocks if isinstance(block, Buttons)],
            "allowed_mentions": {"parse": [], "users": [] if is_quiet else [str(user)]},
        }

    # what a message asks for

    async def dm_channel(self, snapshot: TableSnapshot, user: int) -> int:
        """Return the channel of a person's direct messages. Raises `DiscordFailed`; `DmClosed` also where they want none."""
        if not self._preferences.wants_dms(user):
            raise DmClosed
        return await self._direct_messages.channels.channel(user, line_of(snapshot))

    async def on_refused(self, snapshot: TableSnapshot, user: int, error: DiscordFailed) -> None:
        """Discord has refused a direct message, or its reader wants none."""
        if self._preferences.wants_dms(user):
            await self._direct_messages.on_refused(snapshot, user, error)

    async def save(self, key: tuple[int, int], sent: SentNotice) -> None:
        """Save where a notice is."""
        if sent.message or sent.nonce or sent.outdated:
            await self._saved.keep(key, sent)
        else:
            await self._saved.forget(key)

    def ended(self, message: NoticeMessage) -> None:
        """A notice has been taken away, or cannot be sent."""
        if self._messages.get(message.key) is message:
            del self._messages[message.key]
            if (alarm := self._alarms.pop(message.key, None)) is not None:
                alarm.cancel()


def _below(panel: Panel, blocks: tuple[Block, ...]) -> Panel:
    """Return a panel with more below its text, and its buttons at the end."""
    buttons = [block for block in panel.blocks if isinstance(block, Buttons)]
    others = [block for block in panel.blocks if not isinstance(block, Buttons)]
    return Panel(panel.accent, (*others, *blocks, *buttons)) if blocks else panel


def _waits_for(snapshot: TableSnapshot, user: int) -> bool:
    """Whether a seated player has to do something before they play again."""
    view = snapshot.table
    seat = next((seat for seat in view.seats if seat.player == user), None)
    return seat is not None and (
        seat.missed_turns > 0 or seat.status is SeatStatus.SITTING_OUT or is_out_of_chips(view, seat)
    )


def _is_out_of_chips(snapshot: TableSnapshot, user: int) -> bool:
    """Whether a seated player has no chips. What they were told of it changes once they have asked for a rebuy."""
    view = snapshot.table
    return any(seat.player == user and is_out_of_chips(view, seat) for seat in view.seats)


def _has_no_seat(snapshot: TableSnapshot, user: int) -> bool:
    return all(seat.player != user for seat in snapshot.table.seats)


def _can_sit_down(snapshot: TableSnapshot, user: int) -> bool:
    return bool(snapshot.seats_for_newcomers) and _has_no_seat(snapshot, user)


def _leaves(snapshot: TableSnapshot, user: int) -> bool:
    seat = next((seat for seat in snapshot.table.seats if seat.player == user), None)
    return seat is not None and seat.after_hand is AfterHand.LEAVE


def _is_asked_for_rebuy(snapshot: TableSnapshot, user: int) -> bool:
    return any(user in one.can_grant for one in snapshot.table.rebuy_questions)


_IS_TRUE: dict[Concern, Callable[[TableSnapshot, int], bool]] = {
    Concern.ABSENCE: _waits_for,
    Concern.OFFER: has_offer,
    Concern.LOST_SEAT: _has_no_seat,
    Concern.FREE_SEAT: _can_sit_down,
    Concern.LEAVING: _leaves,
    Concern.REBUY: _is_asked_for_rebuy,
    Concern.OWN_REBUY: lambda snapshot, user: snapshot.sit_and_go is not None and is_asked(snapshot.sit_and_go, user),
    Concern.TURN: lambda _snapshot, _user: False,  # those of its own kind know
}
