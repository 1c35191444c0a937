"""When a table's message moves to the bottom of its channel.

The table stays where it is: the next hand goes on in the same message. It moves between hands, at most once in thirty seconds, where people
have written below it, or where a new message can be edited by a click's token and the old one cannot; in the middle of a hand only if it is
deep under what people wrote. Discord allows few edits of messages older than an hour, so one of fifty minutes moves anyway.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from bot.runtime.clock import Alarm, AlarmClock
from bot.surfaces.keeper import Location

MESSAGE_AGE_MAX_MS = 50 * 60_000
"""A message this old is replaced (30046)."""
MOVE_MS = 30_000
"""The time between two moves, also where somebody keeps deleting the message."""
STAYS_MS = 10 * 60_000
"""So long after Discord has taken no new message the old one goes on."""
BELOW_BETWEEN_HANDS, BELOW_IN_A_HAND = 2, 5
"""With more messages of people than this below it, a table moves."""
CLICK_MS = 2 * 60_000
"""A click is this old at most if a message that could stay moves because of its token."""


class Moment(Struct, frozen=True):
    """What counts for whether a table moves now.

    Attributes:
        is_between_hands: a hand is about to be shown for the first time, or none is played and none follows by itself.
        gains_token: a hand is about to be shown, no token can edit the message, and a click has just been made that can post a new one.
    """

    is_between_hands: bool
    gains_token: bool = False

    @property
    def below_max(self) -> int:
        """How many messages of people below it a table bears."""
        return BELOW_BETWEEN_HANDS if self.is_between_hands else BELOW_IN_A_HAND


class TablePosition:
    """Where a table's message stands in its channel. Times are in ms since the epoch.

    Args:
        wake: called when a message that is buried can move.
    """

    def __init__(self, clock: AlarmClock, wake: Callable[[], None]) -> None:
        self._clock, self._wake = clock, wake
        self._written_below = self._moved_at = self._stays_until = 0
        self._must_move = False
        self._alarm: Alarm | None = None

    def person_wrote(self) -> None:
        """Somebody has written below the message."""
        self._written_below += 1

    def moved(self, *, was_there: bool) -> None:
        """There is a new message. `was_there`: it replaces one."""
        self._written_below, self._must_move = 0, False
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
        if self._written_below <= moment.below_max:
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
        if now - location.sent_at > MESSAGE_AGE_MAX_MS:
            return True
        return self.possible_at(now) <= now and (self._written_below > moment.below_max or moment.gains_token)

    def stop(self) -> None:
        """Wake nobody any more."""
        if self._alarm is not None:
            self._alarm.cancel()

    def _ring(self) -> None:
        self._alarm = None
        self._wake()
