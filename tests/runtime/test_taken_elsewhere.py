"""A person is counted in all servers together, also where their tables are with another dealer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.engine.errors import TableError
from bot.runtime.errors import SeatsElsewhere, TooManyHostedTables
from bot.runtime.store_errors import StoreFailed
from bot.runtime.taken import Taken, TakenKind
from bot.table.commands import CloseTable, LeaveTable, TakeSeat
from bot.table.settings import TableSettings
from tests.runtime.evening import USERS, Evening, settings

ANN, BO = USERS["Ann"], USERS["Bo"]


class Lists:
    """What two dealers have written down."""

    def __init__(self) -> None:
        self.slots: list[set[Taken]] = [set(), set()]
        self.is_away = False


class OwnList:
    """The list as one of the dealers sees it."""

    def __init__(self, lists: Lists, slot: int) -> None:
        self.lists, self.slot = lists, slot

    @property
    def own(self) -> set[Taken]:
        if self.lists.is_away:
            raise StoreFailed(reason="the database is away")
        return self.lists.slots[self.slot]

    async def replace(self, taken: Collection[Taken]) -> None:
        self.own.clear()
        self.own.update(taken)

    async def change(self, added: Collection[Taken], removed: Collection[Taken]) -> None:
        self.own.difference_update(removed)
        self.own.update(added)
        await asyncio.sleep(0)

    async def of_others(self, user: int) -> tuple[Taken, ...]:
        assert self.own is not None
        return tuple(one for one in self.lists.slots[1 - self.slot] if one.user == user)


@pytest.fixture
def lists() -> Lists:
    return Lists()


@pytest.fixture
async def dealers(tmp_path: Path, lists: Lists) -> AsyncIterator[tuple[Evening, Evening]]:
    """Two dealers of one bot."""
    begun = [await Evening(tmp_path / str(slot), taken=OwnList(lists, slot)).begin() for slot in range(2)]
    yield begun[0], begun[1]
    for one in begun:
        await one.end()


async def opens(dealer: Evening, name: str, channel: int, chosen: TableSettings | None = None) -> int:
    return (await dealer.tables.open(dealer.request(name, channel=channel), chosen or settings())).snapshot.id


async def sits(dealer: Evening, name: str, table: int, seat: int) -> None:
    await dealer.tables.ask(replace(dealer.request(name), table=table), TakeSeat(USERS[name], name, 5_000, seat))


async def leaves(dealer: Evening, name: str, table: int) -> None:
    await dealer.tables.ask(replace(dealer.request(name), table=table), LeaveTable(USERS[name]))


async def written(dealer: Evening) -> None:
    """Wait until what has changed is written down."""
    assert dealer.tables._elsewhere is not None
    await dealer.tables._elsewhere.end()


async def test_host_has_two_tables_with_all_dealers_together(dealers: tuple[Evening, Evening]) -> None:
    one, other = dealers
    first = await opens(one, "Ann", 11)
    await opens(other, "Ann", 21)
    for dealer in dealers:
        with pytest.raises(TooManyHostedTables) as refused:
            await opens(dealer, "Ann", 31)
        assert refused.value.table_count == 2 and set(refused.value.channels) == {11, 21}
    await opens(other, "Bo", 22)
    await one.tables.ask(replace(one.request("Ann"), table=first), CloseTable(ANN))
    await written(one)
    await opens(other, "Ann", 23)


async def test_seats_count_with_all_dealers_together(dealers: tuple[Evening, Evening], lists: Lists) -> None:
    one, other = dealers
    for dealer in dealers:
        for name in ("Ann", "Bo"):
            await dealer.fund(name, 50_000)
    rules = await one.store.house_rules(7)
    tables = [await opens(one, name, 40 + at) for at, name in enumerate(("Ann", "Cy", "Dee", "Eve", "Flo"))]
    for table in tables[: rules.seats_per_person - 1]:
        await sits(one, "Bo", table, 1)
    there = [await opens(other, name, 50 + at) for at, name in enumerate(("Ann", "Cy"))]
    await sits(other, "Bo", there[0], 1)
    with pytest.raises(SeatsElsewhere) as refused:
        await sits(other, "Bo", there[1], 1)
    assert refused.value.seat_count == rules.seats_per_person
    await leaves(one, "Bo", tables[0])
    await written(one)
    await sits(other, "Bo", there[1], 1)
    assert sum(one.user == BO and one.kind is TakenKind.SEAT for one in lists.slots[1]) == 2


async def test_refused_seat_is_not_counted(dealers: tuple[Evening, Evening], lists: Lists) -> None:
    one, _ = dealers
    table = await opens(one, "Ann", 11)
    await one.fund("Bo", 50_000)
    await sits(one, "Bo", table, 1)
    await one.fund("Cy", 50_000)
    with pytest.raises(TableError):
        await sits(one, "Cy", table, 1)
    await written(one)
    assert {(taken.user, taken.kind) for taken in lists.slots[0]} == {(ANN, TakenKind.TABLE), (BO, TakenKind.SEAT)}


async def test_two_dealers_asked_at_once_do_not_both_say_yes(dealers: tuple[Evening, Evening]) -> None:
    one, other = dealers
    await opens(one, "Ann", 11)
    asked = [opens(one, "Ann", 12), opens(other, "Ann", 22)]
    answers = await asyncio.gather(*asked, return_exceptions=True)
    assert TooManyHostedTables in map(type, answers)


async def test_start_replaces_what_an_earlier_run_left(dealers: tuple[Evening, Evening], lists: Lists) -> None:
    one, _ = dealers
    await opens(one, "Ann", 11)
    lists.slots[0].add(Taken(BO, TakenKind.SEAT, 99, 12))
    await one.crash()
    assert {(taken.user, taken.kind) for taken in lists.slots[0]} == {(ANN, TakenKind.TABLE)}


async def test_nobody_sits_down_while_others_cannot_be_asked(dealers: tuple[Evening, Evening], lists: Lists) -> None:
    one, _ = dealers
    lists.is_away = True
    with pytest.raises(StoreFailed):
        await opens(one, "Ann", 11)
    lists.is_away = False
    await opens(one, "Ann", 11)
