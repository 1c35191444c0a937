"""A panel that follows its table down the channel, and what becomes of the message that it leaves.

Discord lets nobody move a message. So a panel goes on in a new one, which the token of its owner's newest click in the channel sends: where
the table has moved below it, and where its own token is about to end and its owner has since clicked elsewhere in the channel. The new
message comes first. Then the old one says for five seconds that it is below, and goes.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from functools import partial
from typing import Protocol

from bot.background_tasks import BackgroundTasks
from bot.line.by_token import Token
from bot.line.payloads import message_data
from bot.render.message.notice import notice_panel
from bot.render.message.panel import payload
from bot.runtime.clock import Alarm, AlarmClock
from bot.runtime.saved_values import AT_A_TABLE, SavedKind, SavedValues, SealedStorage
from bot.runtime.snapshot import TableSnapshot
from bot.surfaces.keeper import NOWHERE, Keeper, LiveMessage, Location, Surface
from bot.surfaces.my_hand.resting import REST_MS, PanelRest
from bot.surfaces.people.profiles import Preferences
from bot.surfaces.private_answers import PrivateAnswers, PrivateMessage
from bot.text import own_cards as words
from bot.text.language import reading, t

BELOW_MS = 5_000
"""How long a panel that was left says that it goes on below."""
STAYS_MS = 30_000
"""So long after Discord has taken no new message a panel stays where it is."""
SETTLED_SECONDS = 1.5
"""How long a click waits for a move that is under way."""
LEFT_MAX = 4
"""The presses on so many of the messages that it left last are answered in the panel."""

PanelKey = tuple[int, int]
"""The table and the person."""
_LEFT_PANELS = SavedKind[PanelKey, PrivateMessage]("leftpanel.", AT_A_TABLE, PrivateMessage)
"""The panel that a newer one has replaced, until it has been taken away: only its own token can do that. Sealed."""


class FollowedTable(Protocol):
    """The table that a panel follows (`bot.surfaces.my_hand.panels.TablePanels`)."""

    id: int
    keeper: Keeper

    def snapshot(self) -> TableSnapshot | None: ...
    def message(self) -> int: ...
    def hides_end(self, snapshot: TableSnapshot) -> bool: ...
    def save(self, user: int, shown: PrivateMessage | None) -> None: ...
    def note_live(self, user: int, shown: PrivateMessage | None) -> None: ...
    def leave(self, user: int, old: PrivateMessage) -> None: ...
    async def move(self, user: int, shown: PrivateMessage, old: PrivateMessage) -> None: ...


def is_player(snapshot: TableSnapshot, user: int) -> bool:
    """Whether somebody plays the hand or sits at the table: only their panel follows it."""
    return user in snapshot.dealt_users or any(seat.player == user for seat in snapshot.table.seats)


class FollowingPanel(Surface):
    """A panel, as far as it follows its table down the channel. It never moves during its owner's turn: a press would meet nothing.

    Attributes:
        live: keeps its message. Its clicks are those of its owner in the channel.
        is_moving: its new message is on the way.
    """

    is_private = True
    returns = False

    def __init__(self, table: FollowedTable, user: int, saved: PrivateMessage | None) -> None:
        self._followed, self.user = table, user
        at, token = (Location(message=saved.message), saved.access) if saved is not None else (NOWHERE, None)
        self.live = LiveMessage(table.keeper, self, at, token)
        if token is not None:
            self.live.clicks.can_follow(token)
        save, note = partial(table.save, user), partial(table.note_live, user)
        self._rest = PanelRest(table.keeper.clock, saved, save, note, self._end_soon)
        self.is_moving = self._ends_soon = self._is_closed = False
        self._leaves: PrivateMessage | None = None
        self._left: deque[int] = deque(maxlen=LEFT_MAX)
        self._stays_until = 0
        self._settled = asyncio.Event()
        self._room_alarm: Alarm | None = None

    @property
    def message(self) -> int:
        """The id of its message; 0 while there is none."""
        return self.live.location.message

    @property
    def shown(self) -> PrivateMessage | None:
        """The message and the token that can edit it; None if none can."""
        token = self.live.live_token
        if token is None:
            return None
        return PrivateMessage(token.token, self.message, self.message == token.original, token.at, token.channel)

    # when

    def can_follow(self, click: Token) -> None:
        """Its owner has clicked in the channel, and has been answered: for a while the click's token can send the panel anew."""
        self.live.clicks.can_follow(click)
        self.look_below()

    def look_below(self) -> None:
        """Move if that is due: the table has moved, its owner's turn is over, or there is a token now."""
        if self.is_new_due(self.live.location):
            self.live.work.wake()

    def is_new_due(self, location: Location) -> bool:
        snapshot = self._followed.snapshot()
        if snapshot is None or self.live.live_token is None or self.live.work.is_held:
            return False
        if not (self._ends_soon or location.message < self._followed.message()):
            return False
        if snapshot.stage_of(self.user).turn >= 0 or not is_player(snapshot, self.user):
            return False
        return not self._followed.hides_end(snapshot) and self._can_send(snapshot)

    def _can_send(self, snapshot: TableSnapshot) -> bool:
        """Whether a click of the owner can send the panel now; if only too many messages have followed, it looks again later."""
        clock, channel = self._followed.keeper.clock, snapshot.address.channel
        now = clock.now()
        if now < self._stays_until or not self.live.clicks.is_fresh(REST_MS):
            return False
        if self.live.clicks.usable(channel, self.follow_up) is not None:
            return True
        at = self._followed.keeper.discord_api.by_token.budget.possible_at(channel, self.follow_up, now)
        if at > now and self._room_alarm is None:
            self._room_alarm = clock.call_at(at, self._look_for_room)
        return False

    def _look_for_room(self) -> None:
        self._room_alarm = None
        self.look_below()

    def _end_soon(self) -> None:
        """Its token is about to end. Where no other can send it anew, it says so and offers the button that draws it again."""
        self._ends_soon = True
        self.live.work.wake()

    # how

    async def find_channel(self) -> int:
        snapshot = self._followed.snapshot()
        return snapshot.address.channel if snapshot is not None else 0

    def moves(self) -> None:
        """Its new message goes. Until that is there, presses come from the old one."""
        self.is_moving, self._leaves = True, self.shown
        self._settled.clear()

    def moved(self, *, arrived: bool) -> None:
        """The new message is there, or Discord has not taken it."""
        if self.is_moving and arrived and self._leaves is not None:
            self._left.append(self._leaves.message)
        elif self.is_moving:
            self._leaves, self._stays_until = None, self._followed.keeper.clock.now() + STAYS_MS
            self._settled.set()
        self.is_moving = False

    async def until_settled(self) -> None:
        """Wait, not for long, until a move that is under way is over."""
        if self._leaves is not None:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._settled.wait(), SETTLED_SECONDS)

    def replaced_by(self, shown: PrivateMessage) -> PrivateMessage | None:
        """Another message becomes the panel. Returns the one that was, if it is to be taken away."""
        old = self.shown
        if self.is_moving:  # the message that is on its way will replace it
            self._leaves = shown
        return old

    async def take_away(self, location: Location, message: int) -> None:
        """Leave the old message. First the new one is saved: a dealer that is killed now leaves one panel, not two and not none."""
        old, shown = self._leaves, self.shown
        if self._is_closed and shown is not None:  # the old one has become something else
            self._followed.leave(self.user, shown)
        elif old is not None and shown is not None:
            await self._followed.move(self.user, shown, old)
            self.begin_token(shown, is_saved=True)
        self._leaves = None
        self._settled.set()

    def has_left(self, message: int) -> bool:
        """Whether a private message was this panel before it moved."""
        return message in self._left

    def begin_token(self, shown: PrivateMessage, *, is_saved: bool = False) -> None:
        """The panel can be edited by the token of a click. `is_saved`: that is saved already."""
        self._ends_soon = False
        self._rest.begin(shown, is_saved=is_saved)

    def stop(self, *, for_good: bool) -> None:
        """Follow the hand no longer; in this run, or `for_good`."""
        self.live.work.stop()
        if self._room_alarm is not None:
            self._room_alarm.cancel()
        self._is_closed = for_good
        if for_good:
            self._rest.end()
        else:
            self._rest.stop()


class LeftPanels:
    """The panels that newer ones have replaced, until they are gone. Should the dealer be killed, the next one takes them away."""

    def __init__(
        self,
        clock: AlarmClock,
        answers: PrivateAnswers,
        preferences: Preferences,
        storage: SealedStorage,
        tasks: BackgroundTasks,
    ) -> None:
        self._saved = SavedValues(_LEFT_PANELS, storage)
        self._clock, self._answers, self._preferences, self._tasks = clock, answers, preferences, tasks
        self._noted: dict[PanelKey, int] = {}
        self._alarms: dict[int, Alarm] = {}

    async def open(self, panels: dict[PanelKey, PrivateMessage]) -> None:
        """Take away what an earlier run has left, but what is still the panel, as it was killed before that was saved of the new one."""
        for key, old in (await self._saved.load()).items():
            if key in panels and panels[key].message == old.message:
                await self._saved.forget(key)
            else:
                self.leave(key, old)

    def leave(self, key: PanelKey, old: PrivateMessage) -> None:
        """Take a panel away."""
        self._tasks.run(self._leave(key, old), "leave-panel")

    async def _leave(self, key: PanelKey, old: PrivateMessage) -> None:
        try:
            await self.note(key, old)
        finally:
            await self._take_away(key, old)

    async def note(self, key: PanelKey, old: PrivateMessage) -> None:
        """Save that a panel is to be taken away."""
        self._noted[key] = old.message
        await self._saved.keep(key, old)

    def say_below(self, key: PanelKey, old: PrivateMessage) -> None:
        """Let a panel that was noted say that it goes on below; after five seconds it goes."""
        self._tasks.run(self._say_below(key, old), "panel-below")

    async def _say_below(self, key: PanelKey, old: PrivateMessage) -> None:
        with reading(self._preferences.language(key[1])):
            data = message_data(payload(notice_panel(t(words.PANEL_IS_BELOW))), keeps_files=False)
        if await self._answers.edit(key[1], old, data):
            go = partial(self._go, key, old)
            self._alarms[old.message] = self._clock.call_at(self._clock.now() + BELOW_MS, go)
        else:
            await self._take_away(key, old)

    def _go(self, key: PanelKey, old: PrivateMessage) -> None:
        del self._alarms[old.message]
        self._tasks.run(self._take_away(key, old), "leave-panel")

    async def _take_away(self, key: PanelKey, old: PrivateMessage) -> None:
        await self._answers.take_away(old)
        if self._noted.get(key) == old.message:  # it has left no other since
            del self._noted[key]
            await self._saved.forget(key)

    def stop(self) -> None:
        """Stop. What is left is taken away by the next run."""
        for alarm in self._alarms.values():
            alarm.cancel()
