"""How much one person, or one server, can ask for in a short time. What is below it nobody notices; a flood is refused in a few words.

One event loop answers everybody, so whoever asks for four hundred things a second would make everybody else wait. Times come in, in
seconds.
"""

from __future__ import annotations

import math
from enum import Enum

from bot.runtime.errors import OneMoment

REMEMBERED_MAX = 20_000
"""When this many people and servers are remembered, those who have all their allowance again are forgotten."""


class Effort(Enum):
    """What people ask for: how much of it at once, and how many seconds until one more."""

    REQUEST = (100, 1 / 40)
    """Any command, click or form. Nobody's hand is quicker, at four tables either."""
    COMPLETION = (20, 1 / 5)
    FILE = (5, 12.0)
    """A file that has to be made and uploaded: five in a minute."""
    MANY_HANDS = (4, 30.0)
    """A file with all hands of an evening, or more."""
    IMPORT = (3, 20.0)
    """A file of hands that has to be read and played."""
    FILE_OF_SERVER = (30, 2.0)
    STATISTICS = (10, 1.0)
    """A page of statistics with its chart."""
    SHARED_STATISTICS = (2, 30.0)
    """Statistics that are shown to everybody in a channel."""
    LEADERBOARD = (15, 1.0)
    """A page of a leaderboard or of a season's results: names can have to be looked up."""
    REPLAY = (30, 1 / 2)
    """A step of a replay, with its picture."""
    SEARCH = (12, 1.0)
    """A page of hands that are looked for: eight hands are read."""
    ROOM = (3, 120.0)
    """A thread for a table."""
    ROOM_OF_SERVER = (15, 40.0)
    INVITATION = (20, 20.0)
    """Somebody who is called to a private table."""
    SHARED_HAND = (1, 60.0)
    """A hand that is shown to everybody in a channel."""


class PersonLimits:
    """Counts what people ask for."""

    def __init__(self) -> None:
        self._full_at: dict[tuple[Effort, int], float] = {}
        self._told_at: dict[int, float] = {}

    def wait_seconds(self, effort: Effort, who: int, now: float) -> float:
        """Count one more thing that a person or a server asks for. Returns 0 if they can have it.

        Otherwise it does not count, and the return value is in how many seconds they can.
        """
        at_once, seconds = effort.value
        full_at = max(self._full_at.get((effort, who), now), now) + seconds
        late = full_at - now - at_once * seconds
        if late > 1e-9:
            return late
        if len(self._full_at) >= REMEMBERED_MAX:
            self._full_at = {key: at for key, at in self._full_at.items() if at > now}
        self._full_at[effort, who] = full_at
        return 0.0

    def spend(self, effort: Effort, who: int, now: float) -> None:
        """Count one more thing that a person or a server asks for.

        Raises:
            OneMoment: they have to wait first.
        """
        wait = self.wait_seconds(effort, who, now)
        if wait:
            raise OneMoment(seconds=math.ceil(wait))

    def is_to_be_told(self, who: int, now: float) -> bool:
        """Whether a person who floods the dealer is told so: once in a second. To tell them each time would be as much work again."""
        if now - self._told_at.get(who, -math.inf) < 1:
            return False
        if len(self._told_at) >= REMEMBERED_MAX:
            self._told_at.clear()
        self._told_at[who] = now
        return True
