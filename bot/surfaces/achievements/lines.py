"""Tells an achievement in one line under the result of the hand: at most one a hand, and each of a person's once.

What somebody has been told is saved before it is told. What was achieved while nobody was told is not told later.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

from bot.background_tasks import BackgroundTasks
from bot.engine.errors import TableError
from bot.runtime.bank import Bank
from bot.runtime.clock import AlarmClock
from bot.runtime.saved_values import IN_A_SERVER, SavedKind, SavedValues, ValueStorage
from bot.signals import Signals
from bot.statistics.achievements import Achievement, AchievementWatch, Earned
from bot.statistics.types import CountedHand, HandsCounted
from bot.store.statistics.statistics import Statistics
from bot.surfaces.part import Part
from bot.surfaces.people.profiles import Preferences
from bot.surfaces.table.display import TableDisplay
from bot.text import escape
from bot.text.achievements import achieved_line

log = logging.getLogger(__name__)

_ACHIEVED = SavedKind[tuple[int, int], str]("achieved.", IN_A_SERVER, str)
"""What somebody has been told, separated by commas."""
RECENT_MS = 60_000
"""A hand that ended longer ago is not told of any more: it is counted again, or the dealer was away."""
REMEMBERED_MAX = 50_000
_ORDER = {achievement: at for at, achievement in enumerate(Achievement)}


class AchievementLines(Part):
    """Looks at hands that have been counted, and tells what was achieved in them."""

    def __init__(
        self,
        statistics: Statistics,
        bank: Bank,
        preferences: Preferences,
        display: TableDisplay,
        storage: ValueStorage,
        clock: AlarmClock,
        signals: Signals,
    ) -> None:
        self._statistics, self._bank, self._preferences = statistics, bank, preferences
        self._display, self._saved, self._clock = display, SavedValues(_ACHIEVED, storage), clock
        self._watch = AchievementWatch()
        self._told: dict[tuple[int, int], frozenset[str]] = {}
        self.tasks = BackgroundTasks()
        signals.on(HandsCounted, self._on_counted)

    async def close(self) -> None:
        await self.tasks.finish(0)

    def _on_counted(self, signal: HandsCounted) -> None:
        for hand in signal.hands:
            if self._clock.now() - hand.at > RECENT_MS:
                continue
            people = dict(self._watch.changed_by(hand))
            if people:
                self.tasks.run(self._look_at(hand, people), f"achievements-{hand.table}")

    async def forget(self, guild: int, user: int) -> None:
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
            saved = await self._saved.get(person)
            told = frozenset(saved.split(",")) if saved else frozenset()
        wanted = [one for one in can_be if one not in told]
        new = await self._statistics.achievements(hand.guild, user, wanted) if wanted else ()
        if new:
            told |= {one.achievement.value for one in new}
            await self._saved.keep(person, ",".join(sorted(told)))
        if len(self._told) > REMEMBERED_MAX:
            self._told.clear()
        self._told[person] = told
        return [one for one in new if (one.hand.table, one.hand.number) == (hand.table, hand.number)]
