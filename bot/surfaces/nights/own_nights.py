"""What a person is in for, in all servers: whoever says that they come is told what else they come to at that hour.

Each dealer writes it down for the nights of its servers, where all of them see it. It decides nothing: people can change their mind.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial

from msgspec import Struct

from bot.background_tasks import BackgroundTasks
from bot.events.nights.state import HOUR_MS, NightAnswer, NightSeries
from bot.runtime.clock import AlarmClock
from bot.runtime.nights import Nights, NightsBack, NightsChanged, PlannedSeries
from bot.runtime.saved_values import PERSONAL, PersonalStorage, PersonalValues, SavedKind
from bot.runtime.store_errors import StoreError
from bot.signals import GuildLeft, Signals
from bot.surfaces.part import Part
from bot.text.nights import own_nights_text

log = logging.getLogger(__name__)

TOGETHER_MS = 2 * HOUR_MS
"""Of two nights that begin within so long, nobody can play both."""
RETRY_MS = 60_000
"""So long after something could not be saved it is tried again."""
OVER_MS = 24 * HOUR_MS
"""So long after its start a night that nobody has taken back is forgotten: its dealer is gone."""


class OwnNight(Struct, frozen=True):
    """A night that somebody is in for. `occasion` is the id of its series."""

    server: int
    occasion: int
    name: str
    starts_at: int


_OWN_NIGHTS = SavedKind[int, tuple[OwnNight, ...]](
    "ownnights.",
    PERSONAL,
    tuple[OwnNight, ...],
    told=lambda nights: own_nights_text([(one.name, one.starts_at) for one in nights]),
)


class OwnNights(Part):
    """Keeps it, and tells it."""

    def __init__(self, nights: Nights, storage: PersonalStorage, clock: AlarmClock, signals: Signals) -> None:
        self._nights, self._clock = nights, clock
        self._saved = PersonalValues(_OWN_NIGHTS, storage)
        self._written: dict[tuple[int, int], dict[int, OwnNight]] = {}
        self._lock = asyncio.Lock()
        self.tasks = BackgroundTasks()
        self._is_open = False
        signals.on(NightsChanged, lambda signal: self._look(signal.planned))
        signals.on(NightsBack, lambda signal: self._look_at_server(signal.guild))
        signals.on(GuildLeft, lambda signal: self._on_guild_left(signal.guild))

    async def load(self) -> None:
        """Read what earlier runs have written of the nights of this dealer."""
        for user, nights in (await self._saved.load()).items():
            for one in nights:
                planned = self._nights.find(one.occasion)
                if planned is not None and planned.guild == one.server:
                    self._written.setdefault((one.server, one.occasion), {})[user] = one

    async def open(self) -> None:
        self._is_open = True
        for one in self._nights.all():
            self._look(one)

    async def close(self) -> None:
        self._is_open = False
        await self.tasks.finish(seconds=2.0)

    async def at_that_hour(self, user: int, server: int, occasion: int) -> tuple[OwnNight, ...]:
        """Return the other nights that somebody is in for and that begin about when the next one of a series does."""
        planned = self._nights.find(occasion)
        night = planned.series.night if planned is not None else None
        if night is None:
            return ()
        try:
            own = await self._saved.get(user) or ()
        except StoreError as error:  # they have their answer, and this was only to help them
            log.info("own_nights_not_read", extra={"user": user, "error": repr(error)})
            return ()
        others = [one for one in own if (one.server, one.occasion) != (server, occasion)]
        return tuple([one for one in others if abs(one.starts_at - night.starts_at) < TOGETHER_MS])

    def _look(self, one: PlannedSeries) -> None:
        if self._is_open:
            self._write_soon((one.guild, one.id), _who_is_in(one))

    def _look_at_server(self, guild: int) -> None:
        for one in self._nights.of_server(guild):
            self._look(one)

    def _on_guild_left(self, guild: int) -> None:
        for key in [key for key in self._written if key[0] == guild]:
            self._write_soon(key, {})

    def _write_soon(self, key: tuple[int, int], wanted: dict[int, OwnNight]) -> None:
        written = self._written.get(key, {})
        changed = [user for user in {**written, **wanted} if written.get(user) != wanted.get(user)]
        if changed:
            self._written[key] = wanted
            if not wanted:
                del self._written[key]
            self.tasks.run(self._write(key, wanted, changed), f"own-nights-{key[1]}")

    async def _write(self, key: tuple[int, int], wanted: dict[int, OwnNight], users: list[int]) -> None:
        for user in users:
            try:
                await self._write_for(user, key, wanted.get(user))
            except StoreError as error:
                log.warning("own_nights_not_written", extra={"user": user, "error": repr(error)})
                self._clock.call_at(self._clock.now() + RETRY_MS, partial(self._write_again, key, user))

    def _write_again(self, key: tuple[int, int], user: int) -> None:
        """Write for somebody what could not be written, as it is by now."""
        planned = self._nights.find(key[1])
        is_there = planned is not None and planned.guild == key[0]
        if self._is_open:  # else the next start writes it
            wanted = _who_is_in(planned) if planned is not None and is_there else {}
            self.tasks.run(self._write(key, wanted, [user]), f"own-nights-{key[1]}")

    async def _write_for(self, user: int, key: tuple[int, int], night: OwnNight | None) -> None:
        over = self._clock.now() - OVER_MS

        def change(before: tuple[OwnNight, ...] | None) -> tuple[OwnNight, ...] | None:
            others = [one for one in before or () if (one.server, one.occasion) != key and one.starts_at > over]
            return (*others, *([night] if night is not None else [])) or None

        async with self._lock:
            await self._saved.change(user, change)


def _who_is_in(planned: PlannedSeries) -> dict[int, OwnNight]:
    """Return who is in for the next night of a series, also on its waiting list."""
    series: NightSeries = planned.series
    if series.night is None:
        return {}
    own = OwnNight(planned.guild, planned.id, series.terms.name, series.night.starts_at)
    return dict.fromkeys([one.player for one in series.night.said(NightAnswer.IN)], own)
