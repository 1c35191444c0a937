"""Tells an achievement in one line under the result of the hand: at most one a hand, and each of a person's once.

What somebody has been told is saved before it is told. What was achieved while nobody was told is not told later.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence

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
        """Look up at once everybody in hands that were counted together: a look each would wake another thread six times a hand."""
        since = self._clock.now() - RECENT_MS
        can_be = [(hand, dict(self._watch.changed_by(hand))) for hand in signal.hands if hand.at >= since]
        hands = [(hand, people) for hand, people in can_be if people]
        if hands:
            self.tasks.run(self._look_at(hands), "achievements")

    async def forget(self, guild: int, user: int) -> None:
        self._told.pop((guild, user), None)

    async def _look_at(self, hands: Sequence[tuple[CountedHand, Mapping[int, Sequence[Achievement]]]]) -> None:
        try:
            can_be: dict[tuple[int, int], set[Achievement]] = {}
            for hand, people in hands:
                for user, achievements in people.items():
                    can_be.setdefault((hand.guild, user), set()).update(achievements)
            new = await self._new(can_be)
            for hand, people in hands:
                found = [
                    (one.achievement, user)
                    for user in people
                    for one in new.get((hand.guild, user), ())
                    if (one.hand.table, one.hand.number) == (hand.table, hand.number)
                ]
                await self._tell(hand, found)
        except TableError as error:  # the statistics or the disk: the hand goes on without a line
            log.info("achievements_not_told", extra={"guild": hands[0][0].guild, "error": str(error)})

    async def _tell(self, hand: CountedHand, found: Sequence[tuple[Achievement, int]]) -> None:
        """Tell the foremost of what was achieved in a hand."""
        wanted = [one for one in found if self._preferences.hears_of_achievements(one[1])]
        if not wanted or not (await self._bank.house_rules(hand.guild)).achievements:
            return
        achievement, user = min(wanted, key=lambda one: _ORDER[one[0]])
        self._display.add_to_result(
            hand.table, hand.number, user, lambda name: achieved_line(achievement, escape.name(name))
        )

    async def _new(
        self, can_be: Mapping[tuple[int, int], Collection[Achievement]]
    ) -> Mapping[tuple[int, int], Sequence[Earned]]:
        """Return what people have achieved and have not been told, and save that they have been told of all of it."""
        told = {person: await self._told_to(person) for person in can_be}
        asked = {person: [one for one in can_be[person] if one not in told[person]] for person in can_be}
        asked = {person: wanted for person, wanted in asked.items() if wanted}
        new = await self._statistics.achievements_of_many(asked) if asked else {}
        for person, earned in new.items():
            told[person] |= {one.achievement.value for one in earned}
            await self._saved.keep(person, ",".join(sorted(told[person])))
        if len(self._told) > REMEMBERED_MAX:
            self._told.clear()
        self._told |= told
        return new

    async def _told_to(self, person: tuple[int, int]) -> frozenset[str]:
        told = self._told.get(person)
        if told is None:
            saved = await self._saved.get(person)
            told = frozenset(saved.split(",")) if saved else frozenset()
        return told
