"""Vacations reach the tables: at once, from other dealers, and at the next start (WT-1)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, cast

import pytest

from bot.house.vacations import DAY_MS, Vacation, VacationRunning, VacationTooLong
from bot.runtime.saved_values import PersonalNews, PersonalStorage, SavedKind
from bot.runtime.store_errors import StoreFailed
from bot.runtime.tables import Tables
from bot.surfaces.waiting.vacations import Vacations
from tests.runtime.manual_clock import ManualClock

ANN, BO = 101, 102


class TablesOfAnn:
    """Notes what tables are told."""

    def __init__(self) -> None:
        self.told: list[tuple[int, int, int]] = []
        self.fails = 0

    async def set_vacation(self, user: int, began_at: int, until: int) -> None:
        if self.fails:
            self.fails -= 1
            raise StoreFailed(reason="disk full")
        self.told.append((user, began_at, until))


class Memory:
    """Keeps values of persons in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}
        self.fails = 0

    async def value(self, key: str) -> bytes | None:
        value = self.kept.get(key)
        await asyncio.sleep(0)  # others have a turn, as they do while the answer of a database is on its way
        return value

    async def values(self, prefix: str) -> dict[str, bytes]:
        return {key: value for key, value in self.kept.items() if key.startswith(prefix)}

    async def keep(self, key: str, value: bytes | None) -> None:
        if value is None:
            self.kept.pop(key, None)
        else:
            self.kept[key] = value

    async def keep_if(self, key: str, value: bytes | None, before: bytes | None) -> bool:
        await asyncio.sleep(0)
        if self.fails:
            self.fails -= 1
            raise StoreFailed(reason="disk full")
        if self.kept.get(key) != before:
            return False
        await self.keep(key, value)
        return True


class News:
    """Tells what another dealer has changed."""

    def follow(
        self, kind: SavedKind[int, Any], tell: Callable[[int, Any], None], load: Callable[[], Awaitable[None]]
    ) -> None:
        self.tell = tell


async def started(tables: TablesOfAnn, memory: Memory, clock: ManualClock, news: News | None = None) -> Vacations:
    vacations = Vacations(
        cast(Tables, tables), cast(PersonalStorage, memory), clock, cast(PersonalNews, news) if news else None
    )
    await vacations.load()
    await vacations.open()
    await vacations.wait_until_idle()
    return vacations


@pytest.mark.law("WT-1")
async def test_vacation_is_told_at_once_and_again_after_a_restart() -> None:
    tables, memory, clock = TablesOfAnn(), Memory(), ManualClock()
    now = clock.now()
    vacations = await started(tables, memory, clock)
    await vacations.begin(ANN, 5)
    assert tables.told == [(ANN, now, now + 5 * DAY_MS)]
    clock.move_to(now + DAY_MS)
    vacations = await started(tables, memory, clock)
    assert tables.told[1:] == [(ANN, now, now + 5 * DAY_MS)]
    await vacations.end(ANN)
    assert tables.told[2:] == [(ANN, 0, 0)] and vacations.days_left(ANN) == 13
    with pytest.raises(VacationTooLong):
        await vacations.begin(ANN, 14)


@pytest.mark.law("WT-1")
async def test_vacation_is_taken_once_at_two_dealers() -> None:
    """Somebody presses in two servers at once, and neither dealer has heard of the other's answer."""
    memory, clock = Memory(), ManualClock()
    dealers = [await started(TablesOfAnn(), memory, clock) for _ in range(2)]
    answers = await asyncio.gather(*[one.begin(ANN, 14) for one in dealers], return_exceptions=True)
    assert [type(one) for one in answers if one is not None] == [VacationRunning]
    assert len({one.running(ANN) for one in dealers}) == 2, "the news comes by itself"


@pytest.mark.law("WT-1")
async def test_vacations_that_count_no_longer_are_forgotten() -> None:
    tables, memory, clock = TablesOfAnn(), Memory(), ManualClock()
    vacations = await started(tables, memory, clock)
    await vacations.begin(ANN, 5)
    await vacations.begin(BO, 14)
    clock.move_to(clock.now() + 95 * DAY_MS + 1)
    vacations = await started(tables, memory, clock)
    await vacations.wait_until_idle()
    assert list(memory.kept) == [f"vacation.{BO}"]


@pytest.mark.law("WT-1")
async def test_vacation_taken_in_another_server_holds_here() -> None:
    tables, clock, news = TablesOfAnn(), ManualClock(), News()
    vacations = await started(tables, Memory(), clock, news)
    taken = Vacation(clock.now(), clock.now() + DAY_MS)
    news.tell(BO, (taken,))
    await vacations.wait_until_idle()
    assert tables.told == [(BO, taken.begins_at, taken.ends_at)] and vacations.running(BO) == taken
    news.tell(BO, None)
    await vacations.wait_until_idle()
    assert tables.told[1:] == [(BO, 0, 0)] and vacations.days_left(BO) == 14


@pytest.mark.law("WT-1")
async def test_kill_before_the_tables_hear_keeps_nobody_on_vacation() -> None:
    memory, clock = Memory(), ManualClock()
    vacations = await started(TablesOfAnn(), memory, clock)
    await vacations.begin(ANN, 5)
    clock.move_to(clock.now() + DAY_MS)
    await vacations.end(ANN)
    tables = TablesOfAnn()
    await started(tables, memory, clock)
    assert tables.told == [(ANN, 0, 0)], "it is saved that they are back, and the tables have not heard it"
    clock.move_to(clock.now() + 20 * DAY_MS)
    tables = TablesOfAnn()
    await started(tables, memory, clock)
    assert tables.told == [], "by now every table has ended it by itself"


@pytest.mark.law("WT-1")
async def test_tables_that_could_not_save_a_vacation_are_told_again() -> None:
    tables, clock = TablesOfAnn(), ManualClock()
    vacations = await started(tables, Memory(), clock)
    tables.fails = 1
    await vacations.begin(ANN, 5)
    assert tables.told == []
    until = clock.now() + 5 * DAY_MS
    clock.move_to(clock.now() + 60_000)
    clock.ring_due()
    await vacations.wait_until_idle()
    assert [told[2] for told in tables.told] == [until]
