"""Tells an achievement in one line under the result of the hand: at most one a hand, and each of a person's once.

What somebody has been told is saved before it is told. What was achieved while nobody was told is not told later.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Protocol

from bot.engine.errors import TableError
from bot.runtime.bank import Bank
from bot.runtime.clock import AlarmClock
from bot.runtime.statistics_protocol import Statistics
from bot.statistics.achievements import Achievement, AchievementWatch, Earned
from bot.statistics.types import CountedHand
from bot.text import escape
from bot.text.achievements import achieved_line
from cogs.ui.background_tasks import BackgroundTasks
from cogs.ui.preferences import Preferences
from cogs.ui.table_display import TableDisplay

log = logging.getLogger(__name__)

ACHIEVED_KEY = "achieved."
"""What somebody has been told is kept under this, and ``server.person``."""
RECENT_MS = 60_000
"""A hand that ended longer ago is not told of any more: it is counted again, or the dealer was away."""
REMEMBERED_MAX = 50_000
_ORDER = {achievement: at for at, achievement in enumerate(Achievement)}


class ToldStorage(Protocol):
    """Where it is saved what somebody was told. The store is one."""

    async def value(self, key: str) -> bytes | None: ...

    async def keep(self, key: str, value: bytes | None) -> None: ...


class AchievementLines:
    """Looks at hands that have been counted, and tells what was achieved in them."""

    def __init__(
        self,
        statistics: Statistics,
        bank: Bank,
        preferences: Preferences,
        display: TableDisplay,
        storage: ToldStorage,
        clock: AlarmClock,
    ) -> None:
        self._statistics, self._bank, self._preferences = statistics, bank, preferences
        self._display, self._storage, self._clock = display, storage, clock
        self._watch = AchievementWatch()
        self._told: dict[tuple[int, int], frozenset[str]] = {}
        self.tasks = BackgroundTasks()

    def on_counted(self, hands: Sequence[CountedHand]) -> None:
        """Hands have been counted. Returns at once."""
        for hand in hands:
            if self._clock.now() - hand.at > RECENT_MS:
                continue
            people = dict(self._watch.changed_by(hand))
            if people:
                self.tasks.run(self._look_at(hand, people), f"achievements-{hand.table}")

    def forget(self, guild: int, user: int) -> None:
        """A person's data was deleted."""
        self._told.pop((guild, user), None)

    async def _look_at(self, hand: CountedHand, people: Mapping[int, Sequence[Achievement]]) -> None:
        try:
            found = [(one.achievement, user) for user in people for one in await self._new(hand, user, people[user])]
            rules = await self._bank.house_rules(hand.guild)
        except TableError as error:  # the statistics or the disk: the hand goes on without a line
            log.info("achievements_not_told", extra={"guild": hand.guild, "error": str(error)})
            return
        wanted = [one for one in found if self._preferences.hears_of_achievements(one[1])]
        if not rules.achievements or not wanted:
            return
        achievement, user = min(wanted, key=lambda one: _ORDER[one[0]])
        self._display.add_to_result(
            hand.table, hand.number, user, lambda name: achieved_line(achievement, escape.name(name))
        )

    async def _new(self, hand: CountedHand, user: int, can_be: Sequence[Achievement]) -> list[Earned]:
        """Return what somebody achieved in this hand, and save that they have been told of all that was looked for."""
        person = hand.guild, user
        told = self._told.get(person)
        if told is None:
            kept = await self._storage.value(self._key(person))
            told = frozenset(kept.decode().split(",")) if kept else frozenset()
        wanted = [one for one in can_be if one not in told]
        new = await self._statistics.achievements(hand.guild, user, wanted) if wanted else ()
        if new:
            told |= {one.achievement.value for one in new}
            await self._storage.keep(self._key(person), ",".join(sorted(told)).encode())
        if len(self._told) > REMEMBERED_MAX:
            self._told.clear()
        self._told[person] = told
        return [one for one in new if (one.hand.table, one.hand.number) == (hand.table, hand.number)]

    def _key(self, person: tuple[int, int]) -> str:
        return f"{ACHIEVED_KEY}{person[0]}.{person[1]}"
