"""How many follow-ups a channel can have in a minute: Discord counts them over all interactions, and does not say how many it allows."""

from __future__ import annotations

from collections import deque
from enum import IntEnum

PER_MINUTE = 20
"""Discord was seen to allow thirty. Private follow-ups count too."""
MINUTE_MS = 60_000
REMEMBERED_MAX = 1_000
"""How many channels are remembered before those that were quiet for a minute are forgotten."""


class FollowUp(IntEnum):
    """What a follow-up is for, the most important first. The value is how many of a minute's follow-ups it leaves to the others."""

    TABLE = 0
    ACTING = 4
    REST = 10


class FollowUpBudget:
    """Counts follow-ups by channel. Times are in ms since the epoch."""

    def __init__(self) -> None:
        self._sent: dict[int, deque[int]] = {}

    def possible_at(self, channel: int, kind: FollowUp, now: int) -> int:
        """Return when a follow-up can be sent: `now`, or when to ask again."""
        sent = self._forget_old(channel, now)
        left = PER_MINUTE - kind - len(sent)
        return now if left > 0 else sent[-left] + MINUTE_MS

    def spend(self, channel: int, now: int) -> None:
        """Count a follow-up."""
        if len(self._sent) > REMEMBERED_MAX:
            for each in tuple(self._sent):
                self._forget_old(each, now)
        self._sent.setdefault(channel, deque(maxlen=PER_MINUTE)).append(now)

    def _forget_old(self, channel: int, now: int) -> deque[int]:
        sent = self._sent.get(channel)
        if sent is None:
            return deque()
        while sent and sent[0] <= now - MINUTE_MS:
            sent.popleft()
        if not sent:
            del self._sent[channel]
        return sent
