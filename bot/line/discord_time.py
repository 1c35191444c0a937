"""How long an interaction can still be answered: counted from when Discord made it, which its id tells.

Discord waits three seconds from the moment somebody presses. The gateway can bring the event late, and the machine's clock can be wrong:
then everything would look late, or early, for ever. So the clock is compared with what cannot be: nothing arrives before it was made, the
dealer's own messages are made after it has sent them, and what arrives after three seconds cannot be answered anyway.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

DISCORD_EPOCH_MS = 1_420_070_400_000
ANSWER_MS, WINDOW_MS = 2_300, 3_000
"""When an interaction is answered at the latest, after Discord made it, and how long Discord waits. The rest is for the way there."""
SEEN = 16
"""How many of the newest ids the clock is compared with. After a clock has been set, so many answers are early or late at most."""


def made_at(snowflake: int) -> int:
    """Return when Discord made what has this id, in ms since the epoch, by Discord's clock."""
    return (snowflake >> 22) + DISCORD_EPOCH_MS


def machine_ms() -> int:
    """Return the time of the machine's clock, in ms since the epoch."""
    return time.time_ns() // 1_000_000


class DiscordTime:
    """Compares the machine's clock with Discord's.

    Args:
        now: the machine's clock.
    """

    def __init__(self, now: Callable[[], int] = machine_ms) -> None:
        self.now = now
        self._ages: deque[int] = deque(maxlen=SEEN)
        self._leads: deque[int] = deque((0,), maxlen=SEEN)

    def seconds_left(self, interaction: int) -> float:
        """Return in how many seconds an interaction that has just arrived must be answered; 0 for at once."""
        age = self.now() - made_at(interaction)
        ages = self._ages
        ages.append(age)
        return max(0, ANSWER_MS - max(0, age - self._ahead(min(ages)))) / 1000

    def note_own(self, message: int, sent_at: int) -> None:
        """Compare with a message of the dealer's own that Discord has just taken, `sent_at` ms by the machine's clock."""
        made = made_at(message)
        self._ages.append(self.now() - made)
        self._leads.append(sent_at - made)

    def _ahead(self, youngest: int) -> int:
        """Return how many ms the machine's clock is ahead of Discord's; less than 0 if it is behind. 0 if it can be right."""
        if youngest < 0:  # nothing arrives before it was made
            return youngest
        if (lead := max(self._leads)) > 0:  # nothing is made before it was sent
            return lead
        return youngest if youngest > WINDOW_MS else 0
