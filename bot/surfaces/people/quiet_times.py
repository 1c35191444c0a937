"""When nobody is to be disturbed: in the quiet hours of their server, and in their own."""

from __future__ import annotations

from bot.house.quiet_hours import written_quiet_hours
from bot.runtime.bank import Bank
from bot.runtime.clock import AlarmClock
from bot.surfaces.people.profiles import Preferences

_ROUNDS = 4
"""Quiet hours of a server and a person can follow each other: after so many looks somebody can be pinged at some time."""


class QuietTimes:
    """Tells whom a ping would disturb.

    A turn of seconds is no ping: it is called however late it is. One that can take hours can wait for the morning.
    """

    def __init__(self, bank: Bank, preferences: Preferences, clock: AlarmClock) -> None:
        self._bank = bank
        self._preferences = preferences
        self._clock = clock

    async def until(self, guild: int, user: int) -> int:
        """Return when somebody can be pinged again about a server, in ms since the epoch; 0 where they can be now."""
        return self._until((await self._bank.house_rules(guild)).quiet_hours, user)

    async def learn(self, guild: int) -> None:
        """Read the quiet hours of a server, for `known_now`.

        Raises:
            StoreError: they cannot be read now.
        """
        await self._bank.house_rules(guild)

    def known_now(self, guild: int, user: int) -> bool:
        """Whether a ping about a server would disturb somebody now, as far as is known without asking the store."""
        rules = self._bank.known_house_rules(guild)
        return bool(self._until(rules.quiet_hours if rules is not None else "", user))

    def _until(self, of_server: str, user: int) -> int:
        texts = of_server, self._preferences.quiet_hours(user)
        spans = [span for text in texts if (span := written_quiet_hours(text)) is not None]
        found = 0
        for _ in range(_ROUNDS):
            later = max((span.until(found or self._clock.now()) for span in spans), default=0)
            if not later:
                break
            found = later
        return found

    async def are_now(self, guild: int, user: int) -> bool:
        """Whether a ping about a server would disturb somebody now."""
        return bool(await self.until(guild, user))
