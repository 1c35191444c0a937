"""A server can let only people with a role play: it can mark adults."""

import pytest
from msgspec.structs import replace

from bot.runtime.errors import PlayerRoleMissing
from bot.table.commands import JoinWaitingList, LeaveTable, TakeSeat
from tests.runtime.evening import USERS, Evening, settings

ADULT, OTHER = 77, 78


async def need_role(evening: Evening) -> None:
    await evening.bank.change_house_rules(evening.request("Ida", staff=True), player_role=ADULT)


async def test_nobody_sits_down_without_the_role(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000)
    await evening.fund("Bo", 10_000)
    await need_role(evening)
    asked = replace(evening.request("Bo", staff=True), table=evening.table, roles=(OTHER,))
    for command in (TakeSeat(USERS["Bo"], "Bo", 10_000, 2), JoinWaitingList(USERS["Bo"], "Bo")):
        with pytest.raises(PlayerRoleMissing) as refused:
            await evening.tables.ask(asked, command)
        assert refused.value.role == ADULT
        asked = replace(asked, key=asked.key + "+")
    await evening.tables.ask(replace(asked, roles=(OTHER, ADULT)), TakeSeat(USERS["Bo"], "Bo", 10_000, 2))
    await evening.ask("Ann", LeaveTable)
    assert [seat.player for seat in evening.snapshot.table.seats] == [USERS["Bo"]], "who sits there can always leave"


async def test_nobody_opens_a_table_without_the_role(evening: Evening) -> None:
    await need_role(evening)
    asked = evening.request("Ann")
    for opening in (evening.tables.require_may_open, evening.tables.open):
        with pytest.raises(PlayerRoleMissing):
            await opening(asked, settings())
    await evening.tables.open(replace(asked, roles=(ADULT,)), settings())
