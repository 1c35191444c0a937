"""Who is on vacation from the tables that wait for days: it holds at all of them, in every server.

Law: WT-1.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial

from bot.background_tasks import BackgroundTasks
from bot.house.vacations import DAY_MS, DAYS_MAX, Vacation, counted, days_left, ended, running, taken
from bot.runtime.clock import AlarmClock
from bot.runtime.saved_values import PERSONAL, PersonalNews, PersonalStorage, PersonalValues, SavedKind
from bot.runtime.store_errors import StoreError
from bot.runtime.tables import Tables
from bot.surfaces.part import Part
from bot.text.waiting import vacations_text

log = logging.getLogger(__name__)

RETRY_MS = 30_000
"""So long after a table could not save that somebody is on vacation, or back, it is told again."""

_VACATIONS = SavedKind[int, tuple[Vacation, ...]](
    "vacation.",
    PERSONAL,
    tuple[Vacation, ...],
    told=lambda vacations: vacations_text([(one.begins_at, one.ends_at) for one in vacations]),
)


class Vacations(Part):
    """The vacations of all people. Each is saved first; then every table of theirs begins it after the hand that they are in.

    Args:
        news: tells what was changed by the dealers of other servers, where there are any.
    """

    def __init__(
        self, tables: Tables, storage: PersonalStorage, clock: AlarmClock, news: PersonalNews | None = None
    ) -> None:
        self._tables, self._clock = tables, clock
        self._saved = PersonalValues(_VACATIONS, storage)
        self._of: dict[int, tuple[Vacation, ...]] = {}
        self.tasks = BackgroundTasks()
        self._is_open = False
        if news is not None:
            news.follow(_VACATIONS, self._hear, self.load)

    async def load(self) -> None:
        self._of = await self._saved.load()

    async def open(self) -> None:
        """Let tables know what a dealer did not live to tell them: of vacations that run, and of those that ended early."""
        self._is_open = True
        since = self._clock.now() - DAYS_MAX * DAY_MS  # what began earlier has ended at every table
        for user in [user for user, own in self._of.items() if any(one.begins_at > since for one in own)]:
            self._apply_soon(user)
        now = self._clock.now()
        if old := [user for user, own in self._of.items() if not counted(own, now)]:
            self.tasks.run(self._forget_old(old), "old-vacations")

    async def _forget_old(self, users: list[int]) -> None:
        """Keep nothing of people whose vacations count no longer."""
        for user in users:
            try:
                await self._change(user, lambda own: counted(own, self._clock.now()))
            except StoreError as error:  # the next start does it
                log.warning("vacation_not_forgotten", extra={"user": user, "error": repr(error)})

    async def close(self) -> None:
        self._is_open = False
        await self.tasks.finish(3.0)

    async def forget(self, guild: int, user: int) -> None:
        self._of.pop(user, None)

    def running(self, user: int) -> Vacation | None:
        """Return the vacation that somebody is on; None for none."""
        return running(self._of.get(user, ()), self._clock.now())

    def days_left(self, user: int) -> int:
        """Return how many days of vacation somebody can take now."""
        return days_left(self._of.get(user, ()), self._clock.now())

    async def begin(self, user: int, days: int) -> None:
        """Let somebody go on vacation.

        Raises:
            VacationRunning, VacationTooLong.
        """
        await self._change(user, lambda own: taken(own, days, self._clock.now()))
        await self._apply(user)

    async def end(self, user: int) -> None:
        """Let somebody be back before their vacation is over.

        Raises:
            NoVacation.
        """
        await self._change(user, lambda own: ended(own, self._clock.now()))
        await self._apply(user)

    async def _change(self, user: int, change: Callable[[tuple[Vacation, ...]], tuple[Vacation, ...]]) -> None:
        """Save what becomes of somebody's vacations. What another dealer has saved in this moment counts."""
        after: tuple[Vacation, ...] = ()

        def changed(own: tuple[Vacation, ...] | None) -> tuple[Vacation, ...] | None:
            nonlocal after
            after = change(own or ())
            return after or None

        await self._saved.change(user, changed)
        if after:
            self._of[user] = after
        else:
            self._of.pop(user, None)

    def _hear(self, user: int, vacations: tuple[Vacation, ...] | None) -> None:
        """Another dealer has changed something."""
        if vacations is None:
            self._of.pop(user, None)
        else:
            self._of[user] = vacations
        self._apply_soon(user)

    def _apply_soon(self, user: int) -> None:
        if self._is_open:
            self.tasks.run(self._apply(user), f"vacation-{user}")

    async def _apply(self, user: int) -> None:
        """Tell the tables."""
        own = self.running(user)
        apply = partial(self._tables.set_vacation, user)
        try:
            await (apply(own.begins_at, own.ends_at) if own is not None else apply(0, 0))
        except StoreError as error:
            log.warning("vacation_not_applied", extra={"user": user, "error": repr(error)})
            self._clock.call_at(self._clock.now() + RETRY_MS, partial(self._apply_soon, user))
