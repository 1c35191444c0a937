"""A flow that raised an alarm does not count on leaderboards until staff have looked; staff are told once (BO-1)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.runtime.errors import NoSuchAlarm
from bot.runtime.flow_alarms import FlowAlarms
from bot.runtime.staff_log_types import StaffLogKind, StaffLogLine
from bot.table.commands import Consent, ProposeStackAdjustment
from bot.table.refusals import StaffOnly
from bot.table.state import StackChange
from tests.runtime.evening import GUILD, USERS
from tests.runtime.seasons_evening import SeasonsEvening, at
from tests.runtime.test_counted_chips import big_hand, board, standing

ANN, BO = USERS["Ann"], USERS["Bo"]
LOOKS = StaffLogKind.FLOW_LOOKED


class Watched(SeasonsEvening):
    """Bo gives up most of a stack to Ann twice, alone with her: staff should look at that."""

    @property
    def alarms(self) -> FlowAlarms:
        return FlowAlarms(self.store, self.tables, self.bank, self.clock)

    async def dump(self) -> None:
        await self.open()
        await self.seat(Ann=20_000, Bo=20_000)
        for chips in (11_000, 7_000):
            await big_hand(self, chips, "Bo")

    async def told(self) -> list[StaffLogLine]:
        lines = await self.store.staff_log(GUILD, after=0, limit=100)
        return [line for line in lines if line.entry.kind.value.startswith("flow")]

    async def counted(self) -> tuple[int, int]:
        """What counts of Ann's chips, and of her net in the season."""
        return (await board(self))["Ann"].counted, (await standing(self))["Ann"].counted


@pytest.fixture
async def evening(tmp_path: Path) -> AsyncIterator[Watched]:
    opened = await Watched(tmp_path).begin()
    opened.clock.move_to(at("2026-11-23 20:00"))
    await opened.open_season("Winter")
    await opened.dump()
    yield opened
    await opened.end()


@pytest.mark.law("BO-1")
async def test_alarm_counts_nothing_until_staff_have_looked(evening: Watched) -> None:
    before = await evening.counted()
    assert before[1] == 5_000
    assert await evening.alarms.check(GUILD) == 1
    assert await evening.counted() == (before[0] - 5_000, 0)
    (line,) = await evening.told()
    assert (line.entry.about, line.who, line.entry.chips) == (ANN, 0, 18_000)
    await evening.alarms.look(evening.request("Ida", staff=True), line.id)
    assert await evening.counted() == before
    assert [one.entry.kind for one in await evening.told()] == [StaffLogKind.FLOW_ALARM, LOOKS]
    await evening.audit()


@pytest.mark.law("BO-1")
async def test_pair_set_aside_counts_nothing_and_can_come_back(evening: Watched) -> None:
    before = await evening.counted()
    await evening.alarms.check(GUILD)
    (line,) = await evening.told()
    staff = evening.request("Ida", staff=True)
    with pytest.raises(StaffOnly):
        await evening.alarms.set_aside(evening.request("Bo"), line.id)
    await evening.alarms.set_aside(staff, line.id)
    assert (await evening.counted())[1] == 0
    await evening.alarms.look(evening.request("Ida", staff=True), line.id)
    assert (await evening.counted())[1] == 0, "to look is not to bring back"
    results = await evening.seasons._everybody((await evening.seasons.seasons(GUILD))[0])
    assert {one.user: one.counted for one in results} == {ANN: 0, BO: -18_000}
    await evening.alarms.count_again(evening.request("Ida", staff=True), line.id)
    assert await evening.counted() == before
    assert [one.entry.kind for one in await evening.told()][1:] == [StaffLogKind.FLOW_ASIDE, LOOKS]


async def test_alarm_is_raised_once_over_restarts(evening: Watched) -> None:
    assert await evening.alarms.check(GUILD) == 1
    await evening.crash()
    assert await evening.alarms.check(GUILD) == 0
    await evening.alarms.look(evening.request("Ida", staff=True), (await evening.told())[0].id)
    assert await evening.alarms.check(GUILD) == 0
    await big_hand(evening, 500, "Bo")
    assert await evening.alarms.check(GUILD) == 0 and len(await evening.told()) == 2


async def test_next_season_asks_about_its_own_hands_alone(evening: Watched) -> None:
    assert await evening.alarms.check(GUILD) == 1
    await evening.close_season()
    await evening.open_season("Spring")
    assert await evening.alarms.check(GUILD) == 0
    for _ in range(2):
        await evening.fund("Bo", 20_000)
        await big_hand(evening, 600, "Bo")
    assert await evening.alarms.check(GUILD) == 0, "little of a stack is no chips given up"


async def test_waiting_alarms_are_listed_until_looked_at(evening: Watched) -> None:
    staff = evening.request("Ida", staff=True)
    assert await evening.alarms.waiting(staff) == ((), 0)
    await evening.alarms.check(GUILD)
    (line,), count = await evening.alarms.waiting(staff)
    assert count == 1
    for number in (0, line.id + 1, 2**63, line.id - 1):
        with pytest.raises(NoSuchAlarm):
            await evening.alarms.look(evening.request("Ida", staff=True), number)
    await evening.alarms.set_aside(evening.request("Ida", staff=True), line.id)
    assert await evening.alarms.waiting(staff) == ((), 0)


@pytest.mark.law("BO-1", "H-3")
async def test_what_was_given_back_is_no_flow(evening: Watched) -> None:
    back = (StackChange(ANN, -9_000), StackChange(BO, 9_000))
    await evening.ask("Ann", ProposeStackAdjustment(ANN, back))
    await evening.ask("Bo", Consent)
    await evening.alarms.check(GUILD)
    assert [line.entry.chips for line in await evening.told()] in ([], [9_000])
