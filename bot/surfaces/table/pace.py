"""How often a table is redrawn: after every action by the token of a click, more rarely by the bot's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from bot.engine.view.types import HandSeatState
from bot.line.request_queue import LONG_LINE_SECONDS, RequestLine, RequestQueue, line_of
from bot.render.pictures.moment import picture_moment
from bot.runtime.clock import Alarm, AlarmClock
from bot.runtime.snapshot import TableSnapshot

EDIT_SECONDS = 1.1
"""The time between two edits of a table with the bot's token."""
PRACTICE_EDIT_SECONDS = 3.0
"""The same for a practice table while the bot's requests wait long."""
QUIET_SECONDS = 20.0
"""The same for what can wait: an action that ends no street. With the token of a click, every action is shown at once."""
TOKEN_EDIT_SECONDS = 0.5
"""The time between two edits with the token of a click."""
SETTLE_MS = 2_000
"""Two redraws within this time are followed by one more, as much later: clients have been seen to fall back to an older drawing."""


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
        stage = picture_moment(view), sum(seat.state is HandSeatState.ALL_IN for seat in view.seats)
    return Drawn(hand, (snapshot.hand_number, snapshot.decision_number), stage)


class TablePace:
    """When one table's message can be redrawn. Times are in ms since the epoch.

    Args:
        queue: where requests by the bot's token wait.
        settle: draws once more what is shown.
    """

    def __init__(self, clock: AlarmClock, queue: RequestQueue[Any], settle: Callable[[], None]) -> None:
        self._clock, self._queue, self._settle = clock, queue, settle
        self._drawn: Drawn | None = None
        self._drawn_at = self._drawn_by_bot_at = 0
        self._hurries = self._stops = False
        self._alarm: Alarm | None = None

    def hurry(self) -> None:
        """Something else than play is to be shown."""
        self._hurries = True

    def stop(self) -> None:
        """Wait for nothing any more: the dealer goes."""
        self._stops = True
        if self._alarm is not None:
            self._alarm.cancel()

    def possible_at(self, now: int, snapshot: TableSnapshot, hand: int, *, by_token: bool) -> int:
        """Return when this state can be drawn; `now` if at once."""
        if self._stops:
            return now
        if by_token:
            return max(now, self._drawn_at + round(1000 * TOKEN_EDIT_SECONDS))
        if self._hurries or self._has_come_on(snapshot, hand):
            return max(now, self._drawn_by_bot_at + round(1000 * edit_seconds(line_of(snapshot), self._queue)))
        return max(now, self._drawn_at + round(1000 * QUIET_SECONDS))

    def _has_come_on(self, snapshot: TableSnapshot, hand: int) -> bool:
        """Return whether there is more to show than one action after another: a deal, a street, an all-in, a result, no play at all."""
        shown = self._drawn
        if shown is None or not snapshot.hand_running or hand != shown.hand:
            return True
        now = drawn(snapshot, hand)
        return now.decision == shown.decision or now.stage != shown.stage

    def goes(self, drawing: Drawn, *, is_new: bool, by_token: bool) -> None:
        """A drawing is sent. `is_new`: as a new message."""
        now = self._clock.now()
        if not is_new and now - self._drawn_at < SETTLE_MS and not self._stops:
            if self._alarm is not None:
                self._alarm.cancel()
            self._alarm = self._clock.call_at(now + SETTLE_MS, self._settle)
        self._drawn, self._hurries, self._drawn_at = drawing, False, now
        if not by_token and not is_new:
            self._drawn_by_bot_at = now
