"""How many requests of a kind there can be in a minute, with some of them kept for what cannot wait. Times are in ms since the epoch."""

from __future__ import annotations

from collections import deque
from enum import IntEnum

MINUTE_MS = 60_000
FOLLOW_UPS_PER_MINUTE = 20
"""Follow-ups of a channel. Discord counts them over all interactions, private ones too, and was seen to allow thirty."""
REMEMBERED_MAX = 1_000
"""How many channels or servers are remembered at least."""


class MinuteBudget:
    """Counts requests.

    Args:
        per_minute: the most in any minute.
    """

    def __init__(self, per_minute: int) -> None:
        self._per_minute = per_minute
        self._spent: deque[int] = deque()

    def possible_at(self, now: int, *, kept: int = 0) -> int:
        """Return when there can be one more that leaves so many of a minute's to others; `now` if at once."""
        left = self.left(now) - kept
        return now if left > 0 else self._spent[-left] + MINUTE_MS

    def left(self, now: int) -> int:
        """Return how many there can still be in this minute."""
        self._forget_old(now)
        return self._per_minute - len(self._spent)

    def spend(self, now: int) -> None:
        """Count one."""
        self._forget_old(now)
        self._spent.append(now)

    def is_unused(self, now: int) -> bool:
        """Whether there was none within the last minute."""
        self._forget_old(now)
        return not self._spent

    def _forget_old(self, now: int) -> None:
        while self._spent and self._spent[0] <= now - MINUTE_MS:
            self._spent.popleft()


class MinuteBudgets:
    """Budgets by channel or server. Beyond `REMEMBERED_MAX`, those that were quiet for a minute are forgotten."""

    def __init__(self, per_minute: int) -> None:
        self._per_minute = per_minute
        self._known: dict[int, MinuteBudget] = {}

    def of(self, key: int, now: int) -> MinuteBudget:
        """Return the budget of a channel or server."""
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= REMEMBERED_MAX:
                self._known = {each: budget for each, budget in self._known.items() if not budget.is_unused(now)}
            found = self._known[key] = MinuteBudget(self._per_minute)
        return found


class FollowUp(IntEnum):
    """What a follow-up is for, the most important first. The value is how many of a minute's follow-ups it leaves to the others."""

    TABLE = 0
    ACTING = 4
    REST = 10


class FollowUpBudget:
    """Counts follow-ups by channel."""

    def __init__(self) -> None:
        self._channels = MinuteBudgets(FOLLOW_UPS_PER_MINUTE)

    def possible_at(self, channel: int, kind: FollowUp, now: int) -> int:
        """Return when a follow-up can be sent; `now` if at once."""
        return self._channels.of(channel, now).possible_at(now, kept=kind)

    def spend(self, channel: int, now: int) -> None:
        """Count a follow-up."""
        self._channels.of(channel, now).spend(now)
