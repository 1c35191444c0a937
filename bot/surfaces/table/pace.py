"""When a table's message is redrawn, and when it moves to the bottom of its channel.

It is redrawn after every action by the token of a click, more rarely by the bot's own.

The table stays where it is: the next hand goes on in the same message. It moves between hands, at most once in thirty seconds, where people
have written below it, or where a new message can be edited by a click's token and the old one cannot; in the middle of a hand only if it is
deep under what people wrote. Discord allows few edits of messages older than an hour, so one of fifty minutes moves anyway.

Where a turn can take hours, the table moves with each action instead: a new message opens its thread again, marks it unread and calls the
player to act.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from bot.engine.view.types import HandSeatState
from bot.line.api import DiscordApi
from bot.line.failures import DiscordFailed
from bot.line.request_queue import LONG_LINE_SECONDS, RequestLine, RequestQueue, line_of
from bot.render.pictures.moment import picture_moment
from bot.runtime.clock import Alarm, AlarmClock, MovingAlarm
from bot.runtime.snapshot import TableSnapshot
from bot.surfaces.keeper import Location

log = logging.getLogger(__name__)

EDIT_SECONDS = 1.1
"""The time between two edits of a table with the bot's token."""
PRACTICE_EDIT_SECONDS = 3.0
"""The same for a practice table while the bot's requests wait long."""
QUIET_SECONDS = 20.0
"""The same for what can wait: an action that ends no street. With the token of a click, every action is shown at once. While the bot's
requests wait long, and whoever is to act does so in a panel, streets wait as well."""
TOKEN_EDIT_SECONDS = 0.5
"""The time between two edits with the token of a click."""
SETTLE_MS = 2_000
"""Two redraws within this time are followed by one more, as much later: clients have been seen to fall back to an older drawing."""
MESSAGE_AGE_MAX_MS = 50 * 60_000
"""A message this old is replaced (30046)."""
MOVE_MS = 30_000
"""The time between two moves, also where somebody keeps deleting the message."""
STAYS_MS = 10 * 60_000
"""So long after Discord has taken no new message the old one goes on."""
BELOW_BETWEEN_HANDS, BELOW_IN_A_HAND = 2, 5
"""With more messages of people than this below it, a table moves."""
LOOK_BELOW_MS = 3 * 60_000
"""Where the gateway does not tell of messages, a table looks for those below it at a deal, so long after the last time at least."""
CLICK_MS = 2 * 60_000
"""A click is this old at most if a message that could stay moves because of its token."""


def edit_seconds(line: RequestLine, queue: RequestQueue[Any]) -> float:
    """Return the time between two edits of a table with the bot's token."""
    return PRACTICE_EDIT_SECONDS if line.is_practice and queue.seconds > LONG_LINE_SECONDS else EDIT_SECONDS


class Drawn(Struct, frozen=True):
    """What a drawing shows of a table's play.

    Attributes:
        hand: the hand; `NO_HAND` for the open table.
        decision: the number of the hand, and of the decision in it.
        stage: what it has come to: its street, and how many are all-in. It does not change with an action that ends no street.
    """

    hand: int
    decision: tuple[int, int]
    stage: object


def drawn(snapshot: TableSnapshot, hand: int) -> Drawn:
    """Return what a drawing of this state shows, for the hand that is to be shown."""
    view = snapshot.hand if snapshot.hand_running else None
    stage = None
    if view is not None:
        stage = picture_moment(view), [seat.state for seat in view.seats].count(HandSeatState.ALL_IN)
    return Drawn(hand, (snapshot.hand_number, snapshot.decision_number), stage)


class TablePace:
    """When one table's message can be redrawn. Times are in ms since the epoch.

    Args:
        queue: where requests by the bot's token wait.
        settle: draws once more what is shown.
    """

    def __init__(self, clock: AlarmClock, queue: RequestQueue[Any], settle: Callable[[], None]) -> None:
        self._clock, self._queue = clock, queue
        self._drawn: Drawn | None = None
        self._drawn_at = self._drawn_by_bot_at = 0
        self._hurries = self._stops = False
        self._settling = MovingAlarm(clock, settle)

    def hurry(self) -> None:
        """Something else than play is to be shown."""
        self._hurries = True

    @property
    def is_quiet(self) -> bool:
        """Whether nothing is drawn once more before long."""
        return not self._settling.at

    def stop(self) -> None:
        """Wait for nothing any more: the dealer goes."""
        self._stops = True
        self._settling.stop()

    def possible_at(
        self, now: int, snapshot: TableSnapshot, hand: int, *, by_token: bool, acts_in_panel: bool = False
    ) -> int:
        """Return when this state can be drawn; `now` if at once. `acts_in_panel`: whoever is to act has the buttons in their own panel."""
        if self._stops:
            return now
        if by_token:
            return max(now, self._drawn_at + round(1000 * TOKEN_EDIT_SECONDS))
        spares_streets = acts_in_panel and self._queue.seconds > LONG_LINE_SECONDS
        if self._hurries or self._has_come_on(snapshot, hand, streets=not spares_streets):
            return max(now, self._drawn_by_bot_at + round(1000 * edit_seconds(line_of(snapshot), self._queue)))
        return max(now, self._drawn_at + round(1000 * QUIET_SECONDS))

    def _has_come_on(self, snapshot: TableSnapshot, hand: int, *, streets: bool) -> bool:
        """Return whether there is more to show than one action after another: a deal, a result, no play at all; a street or an all-in."""
        shown = self._drawn
        if shown is None or not snapshot.hand_running or hand != shown.hand:
            return True
        now = drawn(snapshot, hand)
        return now.decision == shown.decision or (streets and now.stage != shown.stage)

    def goes(self, drawing: Drawn, *, is_new: bool, by_token: bool) -> None:
        """A drawing is sent. `is_new`: as a new message."""
        now = self._clock.now()
        if not is_new and now - self._drawn_at < SETTLE_MS and not self._stops:
            self._settling.set(now + SETTLE_MS)
        self._drawn, self._hurries, self._drawn_at = drawing, False, now
        if not by_token and not is_new:
            self._drawn_by_bot_at = now


class Moment(Struct, frozen=True):
    """What counts for whether a table moves now.

    Attributes:
        is_between_hands: a hand is about to be shown for the first time, or none is played and none follows by itself.
        gains_token: a hand is about to be shown, no token can edit the message, and a click has just been made that can post a new one.
        is_slow: turns can take hours: the table moves with each action, not because its message is old.
        calls_anew: it waits for people whom this message has not called.
    """

    is_between_hands: bool
    gains_token: bool = False
    is_slow: bool = False
    calls_anew: bool = False

    @property
    def below_max(self) -> int:
        """How many messages of people below it a table bears."""
        return BELOW_BETWEEN_HANDS if self.is_between_hands else BELOW_IN_A_HAND


class TablePosition:
    """Where a table's message stands in its channel. Times are in ms since the epoch.

    Args:
        wake: called when a message that is buried can move.

    Attributes:
        written_below: how many messages people have written below it.
    """

    def __init__(self, clock: AlarmClock, wake: Callable[[], None]) -> None:
        self._clock, self._wake = clock, wake
        self.written_below = self._moved_at = self._stays_until = self._looked_at = 0
        self._must_move = False
        self._alarm: Alarm | None = None

    def person_wrote(self) -> None:
        """Somebody has written below the message."""
        self.written_below += 1

    @property
    def is_quiet(self) -> bool:
        """Whether the message stays where it is, whatever has been tried."""
        return self._alarm is None and not self._must_move and self._clock.now() >= self._stays_until

    async def look_below(self, api: DiscordApi, line: RequestLine, location: Location, moment: Moment) -> None:
        """Find out at a deal, now and then, how deep the message is under what people have written. Nothing tells of that.

        It can be spared while the bot's requests wait long.
        """
        now = self._clock.now()
        is_due = location.message and moment.is_between_hands and now >= self._looked_at + LOOK_BELOW_MS
        if not is_due or api.slots.queue.seconds > LONG_LINE_SECONDS:
            return
        self._looked_at = now
        try:
            self.written_below = await api.people_below(line, location.channel, location.message)
        except (
            DiscordFailed
        ) as error:  # also where the dealer must not read the history: the table moves for its age alone
            log.info("table_not_looked_below", extra={"channel": location.channel, "error": repr(error)})

    def moved(self, *, was_there: bool) -> None:
        """There is a new message. `was_there`: it replaces one."""
        self.written_below, self._must_move, self._looked_at = 0, False, self._clock.now()
        self._moved_at = self._clock.now() if was_there else self._moved_at

    def must_move(self) -> bool:
        """Only a new message can be edited. Returns whether Discord may take one."""
        self._must_move = self._clock.now() >= self._stays_until
        return self._must_move

    def cannot_move(self) -> None:
        """Discord takes no new message: the old one goes on."""
        self._stays_until, self._must_move = self._clock.now() + STAYS_MS, False

    def possible_at(self, now: int) -> int:
        """Return when the message can move, or come back after somebody has deleted it; `now` if at once."""
        return max(now, self._moved_at + MOVE_MS)

    def look(self, moment: Moment) -> bool:
        """Return whether people have written so much below the message that it is to move; `wake` is called once it can."""
        if self.written_below <= moment.below_max:
            return False
        now = self._clock.now()
        if self.possible_at(now) > now and self._alarm is None:
            self._alarm = self._clock.call_at(self.possible_at(now), self._ring)
        return True

    def is_move_due(self, location: Location, moment: Moment) -> bool:
        """Return whether a message that is there is to move now."""
        now = self._clock.now()
        if self._must_move or now < self._stays_until:
            return self._must_move
        if moment.calls_anew or (now - location.sent_at > MESSAGE_AGE_MAX_MS and not moment.is_slow):
            return True
        return self.possible_at(now) <= now and (self.written_below > moment.below_max or moment.gains_token)

    def stop(self) -> None:
        """Wake nobody any more."""
        if self._alarm is not None:
            self._alarm.cancel()

    def _ring(self) -> None:
        self._alarm = None
        self._wake()
