"""How many edits there can be in a minute, with some of them kept for what cannot wait."""

from __future__ import annotations

from collections import deque

MINUTE_MS = 60_000


class EditBudget:
    """Counts edits. Times are in ms since the epoch.

    Args:
        per_minute: the most edits in any minute.
        kept: how many of them only an own turn, or a new hand, can use.
    """

    def __init__(self, per_minute: int, kept: int) -> None:
        self._per_minute, self._kept = per_minute, kept
        self._edits: deque[int] = deque()

    def possible_at(self, now: int, *, own_turn: bool) -> int:
        """Return when to try again; `now` if there can be an edit at once."""
        left = self.left(now) - (0 if own_turn else self._kept)
        return now if left > 0 else self._edits[0] + MINUTE_MS + 1

    def left(self, now: int) -> int:
        """Return how many edits there can still be in this minute."""
        self._forget_old(now)
        return self._per_minute - len(self._edits)

    def spend(self, now: int) -> None:
        """Count an edit."""
        self._edits.append(now)

    def is_unused(self, now: int) -> bool:
        """Whether there was no edit within the last minute."""
        self._forget_old(now)
        return not self._edits

    def _forget_old(self, now: int) -> None:
        while self._edits and self._edits[0] <= now - MINUTE_MS:
            self._edits.popleft()
