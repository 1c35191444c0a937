"""What one person has to be told unasked: that they ran out of time or chips, that a seat is kept for them, that they lost theirs.

A notice goes to the person's open private panel; else by direct message; else as one public mention. It is taken away as soon as it is
no longer true, and a newer one replaces it, so that notices never pile up.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from enum import StrEnum
from functools import partial
from typing import Any

import aiohttp
import discord
import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bot.render.message.panel import Block, Buttons, Panel, Raw, Text
from bot.render.table import own_menu
from bot.render.table.way_on import is_out_of_chips
from bot.runtime.clock import Alarm, AlarmClock
from bot.runtime.snapshot import TableSnapshot
from bot.runtime.updates import TableUpdate
from bot.table.events import LeaveReason, PlayerBusted, PlayerKeptOut, SeatLeft, SeatOffered, TurnTimedOut
from bot.table.state import AfterHand, SeatStatus
from bot.text.language import reading
from cogs.ui.direct_messages import DirectMessages
from cogs.ui.discord_api import SUPPRESS_NOTIFICATIONS, DiscordApi
from cogs.ui.preferences import Preferences, PreferenceStorage
from cogs.ui.request_queue import RequestLine, line_of

log = logging.getLogger(__name__)


_KEY = "notice."


class Concern(StrEnum):
    """What a notice is about: it is true as long as this is. The words are stored."""

    ABSENCE = "absence"  # they have to come back, or to buy in
    OFFER = "offer"  # a seat is kept for them
    FREE_SEAT = "free seat"  # they asked to be told
    LOST_SEAT = "lost seat"
    LEAVING = "leaving"  # they leave after this hand


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
    """A notice that was sent as a message of its own, as it is saved between runs."""

    channel: int
    message: int
    concern: Concern
    guild: int = 0
    until: int = 0


class PrivateNotices:
    """Tells people what concerns them alone.

    Attributes:
        show_in_panel: shows a notice in the person's open panel, as long as it is true; returns False if none is open.
        session_of: while the seat's loss is told, gives what draws the session that has ended below that, for the player alone.
        until_end_shown: waits until the table tells how a hand that is over ended: no notice tells it before.
        usual_buy_in: the chips for which a player can buy in with one press; 0 where their wallet has too few.
        is_quiet: whether a ping about a server would disturb somebody now. Then a notice comes without a sound.
    """

    def __init__(
        self,
        discord_api: DiscordApi,
        direct_messages: DirectMessages,
        preferences: Preferences,
        storage: PreferenceStorage,
        clock: AlarmClock,
    ) -> None:
        self._storage = storage
        self._discord_api = discord_api
        self._direct_messages = direct_messages
        self._preferences = preferences
        self._clock = clock
        self._sent: dict[tuple[int, int], SentNotice] = {}
        self._alarms: dict[tuple[int, int], Alarm] = {}
        self._locks: dict[tuple[int, int], asyncio.Lock] = {}
        self._newest: dict[int, TableSnapshot] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self.show_in_panel: Callable[[TableSnapshot, int, Notice], bool] | None = None
        self.until_end_shown: Callable[[TableSnapshot], Awaitable[None]] | None = None
        self.usual_buy_in: Callable[[TableSnapshot, int], Awaitable[int]] | None = None
        self.is_quiet: Callable[[int, int], Awaitable[bool]] | None = None
        self.session_of: (
            Callable[[TableSnapshot, int], AbstractAsyncContextManager[Callable[[], tuple[Block, ...]]]] | None
        ) = None

    @property
    def pending_tasks(self) -> set[asyncio.Task[Any]]:
        """Notices that are on their way."""
        return set(self._tasks)

    def on_change(self, change: TableUpdate) -> None:
        """Tell the people whom a change concerns, and take away what is no longer true. This is called under the table's lock."""
        snapshot = change.snapshot
        self._newest[snapshot.id] = snapshot
        for key, sent in self._sent.items():
            if key[0] == snapshot.id and (change.closed or not _IS_TRUE[sent.concern](snapshot, key[1])):
                self._spawn(self._take_away(key), f"notice-over-{key[1]}")
        if change.closed:
            del self._newest[snapshot.id]
            return
        for event in change.events:
            match event:
                case TurnTimedOut(seat_number):
                    self._tell_timed_out(snapshot, snapshot.players_by_seat[seat_number].user)
                case PlayerBusted(seat_number):
                    user = snapshot.players_by_seat[seat_number].user
                    if user > 0:
                        self._spawn(self._tell_out_of_chips(snapshot, user), f"out-of-chips-{user}")
                case SeatOffered(user, until):
                    panel = partial(own_menu.seat_offered_panel, snapshot.id, snapshot.table, until)
                    self.notify(snapshot, user, Notice(panel, Concern.OFFER))
                case SeatLeft(player=user, chips=chips, reason=LeaveReason.ABSENT | LeaveReason.BUSTED):
                    panel = partial(own_menu.seat_lost_panel, snapshot.id, snapshot.table, chips)
                    self._tell_seat_lost(snapshot, user, panel)
                case SeatLeft(player=user, chips=chips, reason=LeaveReason.KEPT_OUT):
                    panel = partial(own_menu.kept_out_panel, snapshot.table, chips)
                    self._tell_seat_lost(snapshot, user, panel, personal=True)
                case PlayerKeptOut(player=user) if snapshot.known_name(user):
                    panel = partial(own_menu.leaves_for_host_panel, snapshot.table)
                    self.notify(snapshot, user, Notice(panel, Concern.LEAVING, personal=True))
                case _:
                    pass

    def notify(self, snapshot: TableSnapshot, user: int, notice: Notice) -> None:
        """Tell one person something. Nobody waits for it; practice players need not be told."""
        if user > 0:
            self._spawn(self.deliver(snapshot, user, notice), f"notice-{user}")

    def is_told(self, table: int, user: int, concern: Concern) -> bool:
        """Whether a notice about this stands as a message of its own."""
        sent = self._sent.get((table, user))
        return sent is not None and sent.concern is concern

    def _tell_timed_out(self, snapshot: TableSnapshot, user: int) -> None:
        seat = next((seat for seat in snapshot.table.seats if seat.player == user), None)
        if seat is not None:
            panel = partial(own_menu.timed_out_panel, snapshot.id, snapshot.table, seat)
            self.notify(snapshot, user, Notice(panel, Concern.ABSENCE))

    async def open(self) -> None:
        """Take up the notices of an earlier run: those that are no longer true go away."""
        for name, value in (await self._storage.values(_KEY)).items():
            table, user = name.removeprefix(_KEY).split(".")
            key = int(table), int(user)
            self._sent.setdefault(key, msgspec.msgpack.decode(value, type=SentNotice))
            await self._take_away(key)
            self._set_alarm(key)

    async def close(self) -> None:
        """Wait a little for notices that are on their way."""
        for alarm in self._alarms.values():
            alarm.cancel()
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=3.0)
            for task in late:
                task.cancel()

    async def _tell_out_of_chips(self, snapshot: TableSnapshot, user: int) -> None:
        assert self.usual_buy_in is not None, "the notices are not connected to the bank"
        buy_in = await self.usual_buy_in(snapshot, user)
        panel = partial(own_menu.out_of_chips_panel, snapshot.id, snapshot.table, buy_in=buy_in)
        await self.deliver(snapshot, user, Notice(panel, Concern.ABSENCE))

    def _tell_seat_lost(
        self, snapshot: TableSnapshot, user: int, panel: Callable[[], Panel], *, personal: bool = False
    ) -> None:
        """Tell a player that their seat is lost, and what the session came to."""

        async def tell() -> None:
            assert self.session_of is not None, "the notices are not connected to the sheets of sessions"
            async with self.session_of(snapshot, user) as session:
                notice = Notice(panel, Concern.LOST_SEAT, personal=personal, for_user_only=session)
                await self.deliver(snapshot, user, notice)

        if user > 0:
            self._spawn(tell(), f"seat-lost-{user}")

    async def deliver(self, snapshot: TableSnapshot, user: int, notice: Notice) -> None:
        """Send a notice the first way that works; an earlier one goes away."""
        key = snapshot.id, user
        async with self._locks.setdefault(key, asyncio.Lock()):
            if self.until_end_shown is not None:
                await self.until_end_shown(snapshot)
            await self._delete_sent(key)
            if not self._is_true(key, notice.concern):
                return
            private = replace(notice, draw=lambda: _below(notice.draw(), notice.for_user_only()))
            if self.show_in_panel is not None and self.show_in_panel(snapshot, user, private):
                return
            with reading(self._preferences.language(user)):
                panel = private.draw()
            is_quiet = self.is_quiet is not None and await self.is_quiet(snapshot.address.guild, user)
            sent = await self._direct_messages.send_notice(snapshot, user, panel, is_silent=is_quiet)
            if sent is None and not notice.personal:
                sent = await self._mention(snapshot, user, notice, is_silent=is_quiet)
            if sent is not None:
                self._sent[key] = SentNotice(*sent, notice.concern, snapshot.address.guild, notice.until)
                await self._storage.keep(_storage_key(key), msgspec.msgpack.encode(self._sent[key]))
                self._set_alarm(key)
            if not self._is_true(key, notice.concern):  # it was put right while the notice was on its way
                await self._delete_sent(key)

    def _set_alarm(self, key: tuple[int, int]) -> None:
        """Take a notice away when its time is over, unless a newer one has replaced it."""
        sent = self._sent.get(key)
        if sent is not None and sent.until:
            self._alarms[key] = self._clock.call_at(
                sent.until, lambda: self._spawn(self._end(key, sent), f"notice-over-{key[1]}")
            )

    async def _end(self, key: tuple[int, int], sent: SentNotice) -> None:
        async with self._locks.setdefault(key, asyncio.Lock()):
            if self._sent.get(key) is sent:
                await self._delete_sent(key)

    def _is_true(self, key: tuple[int, int], concern: Concern) -> bool:
        table, user = key
        newest = self._newest.get(table)
        return newest is not None and _IS_TRUE[concern](newest, user)

    async def _mention(
        self, snapshot: TableSnapshot, user: int, notice: Notice, *, is_silent: bool
    ) -> tuple[int, int] | None:
        """Tell it in public: a mention with the same buttons, which open their own menu for everybody else."""
        channel = snapshot.address.channel
        with reading(self._discord_api.server_language(snapshot.address.guild)):
            panel = notice.draw()
        lines = [block.content for block in panel.blocks if isinstance(block, Text)]
        data: Raw = {
            "content": f"<@{user}> {' '.join(lines)}",
            "components": [block.raw() for block in panel.blocks if isinstance(block, Buttons)],
            "allowed_mentions": {"parse": [], "users": [] if is_silent else [str(user)]},
        }
        if is_silent:
            data["flags"] = SUPPRESS_NOTIFICATIONS
        try:
            return channel, await self._discord_api.send(line_of(snapshot), channel, data)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.warning("notice_mention_failed", extra={"table": snapshot.id, "user": user, "error": repr(error)})
            return None

    async def _take_away(self, key: tuple[int, int]) -> None:
        async with self._locks.setdefault(key, asyncio.Lock()):
            sent = self._sent.get(key)
            if sent is not None and not self._is_true(key, sent.concern):
                await self._delete_sent(key)
        if key[0] not in self._newest:  # the table is closed
            self._locks.pop(key, None)

    async def _delete_sent(self, key: tuple[int, int]) -> None:
        sent, alarm = self._sent.pop(key, None), self._alarms.pop(key, None)
        if alarm is not None:
            alarm.cancel()
        if sent is None:
            return
        await self._storage.keep(_storage_key(key), None)
        try:
            await self._discord_api.delete(RequestLine(sent.guild), sent.channel, sent.message)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("notice_delete_failed", extra={"channel": sent.channel, "error": repr(error)})

    def _spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


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


def seat_situation(snapshot: TableSnapshot, user: int) -> object:
    """What is so of a person's seat, as far as the buttons of an answer about it depend on that."""
    view = snapshot.table
    seat = next((seat for seat in view.seats if seat.player == user), None)
    if seat is None:
        waits = any(waiting.player == user for waiting in view.waiting)
        return waits, _has_offer(snapshot, user), bool(view.free_seats)
    is_away = seat.status is SeatStatus.SITTING_OUT or seat.after_hand is AfterHand.SIT_OUT
    status = SeatStatus.SITTING_OUT if is_away else seat.status
    leaves, needs_chips = seat.after_hand is AfterHand.LEAVE, is_out_of_chips(view, seat)
    return seat.number, status, leaves, seat.missed_turns > 0, needs_chips and not seat.queued_top_up


def _has_offer(snapshot: TableSnapshot, user: int) -> bool:
    return any(waiting.player == user and waiting.offered_until for waiting in snapshot.table.waiting)


def _has_no_seat(snapshot: TableSnapshot, user: int) -> bool:
    return all(seat.player != user for seat in snapshot.table.seats)


def _can_sit_down(snapshot: TableSnapshot, user: int) -> bool:
    return bool(snapshot.seats_for_newcomers) and _has_no_seat(snapshot, user)


def _leaves(snapshot: TableSnapshot, user: int) -> bool:
    seat = next((seat for seat in snapshot.table.seats if seat.player == user), None)
    return seat is not None and seat.after_hand is AfterHand.LEAVE


_IS_TRUE: dict[Concern, Callable[[TableSnapshot, int], bool]] = {
    Concern.ABSENCE: _waits_for,
    Concern.OFFER: _has_offer,
    Concern.LOST_SEAT: _has_no_seat,
    Concern.FREE_SEAT: _can_sit_down,
    Concern.LEAVING: _leaves,
}


def _storage_key(key: tuple[int, int]) -> str:
    return f"{_KEY}{key[0]}.{key[1]}"
