"""One person has a fair share of the bot: so many tables as host, so many seats, so many practice tables; a server so many tables."""

import asyncio

import pytest
from msgspec.structs import replace

from bot.runtime.errors import (
    NeverClosesForStaffOnly,
    NotInServer,
    SeatsElsewhere,
    TooManyHostedTables,
    TooManyPracticeTables,
    TooManyTables,
)
from bot.table.commands import ChangeSettings, CloseTable, LeaveTable, TakeSeat
from bot.table.settings import TableSettings
from tests.runtime.evening import GUILD, USERS, Evening, settings

SLOW = settings()
SLOW = replace(SLOW, stakes=replace(SLOW.stakes, turn_seconds=3600))


async def opens(evening: Evening, name: str, channel: int, chosen: TableSettings | None = None, **how: int) -> int:
    request = replace(evening.request(name, channel=channel), **how)
    return (await evening.tables.open(request, chosen or settings())).snapshot.id


async def test_host_has_two_tables_in_all_servers_together(evening: Evening) -> None:
    first = await opens(evening, "Ann", 1)
    await opens(evening, "Ann", 2, guild=GUILD + 1)
    with pytest.raises(TooManyHostedTables) as refused:
        await opens(evening, "Ann", 3)
    assert (refused.value.table_count, refused.value.channels) == (2, (1, 2))
    with pytest.raises(TooManyHostedTables):
        await evening.tables.open(evening.request("Ann", channel=3, staff=True), settings())
    await opens(evening, "Bo", 3)
    await evening.crash()
    with pytest.raises(TooManyHostedTables):
        await opens(evening, "Ann", 4)
    await evening.tables.ask(replace(evening.request("Ann"), table=first), CloseTable(USERS["Ann"]))
    await opens(evening, "Ann", 4)


async def test_no_table_opens_in_direct_messages(evening: Evening) -> None:
    """Discord does not offer the command there; a forged request gets no further."""
    with pytest.raises(NotInServer):
        await opens(evening, "Ann", 1, guild=0)
    assert not evening.tables.all_tables()


async def test_two_requests_at_once_do_not_pass_the_cap(evening: Evening) -> None:
    asked = [opens(evening, "Ann", channel) for channel in range(1, 6)]
    answers = await asyncio.gather(*asked, return_exceptions=True)
    assert [type(answer) for answer in answers].count(TooManyHostedTables) == 3
    assert len(evening.tables.all_tables()) == 2


async def test_repeated_request_is_answered_as_before(evening: Evening) -> None:
    await opens(evening, "Ann", 1)
    request = evening.request("Ann", channel=2)
    opened = await evening.tables.open(request, settings())
    again = await evening.tables.open(request, settings())
    assert again.repeated and again.snapshot.id == opened.snapshot.id


async def test_slow_tables_count_apart_and_stay_slow(evening: Evening) -> None:
    await evening.bank.change_house_rules(evening.request("Ida", staff=True), tables_per_server=3)
    slow = [await opens(evening, "Ann", channel, SLOW) for channel in range(1, 26)]
    with pytest.raises(TooManyHostedTables):
        await opens(evening, "Ann", 26, SLOW)
    await opens(evening, "Ann", 31)
    await opens(evening, "Ann", 32)
    request = replace(evening.request("Ann"), table=slow[0])
    with pytest.raises(TooManyHostedTables):
        await evening.tables.ask(request, ChangeSettings(USERS["Ann"], settings()))


async def test_practice_table_is_one_a_member(evening: Evening) -> None:
    await opens(evening, "Ann", 1, settings(practice=True))
    with pytest.raises(TooManyPracticeTables) as refused:
        await opens(evening, "Ann", 2, settings(practice=True))
    assert refused.value.channels == (1,)
    await opens(evening, "Ann", 2)
    await opens(evening, "Bo", 3, settings(practice=True))


async def test_server_has_twenty_tables_until_staff_allow_more(evening: Evening) -> None:
    for number, name in enumerate(list(USERS)[:8]):
        await opens(evening, name, 10 * number + 1)
        await opens(evening, name, 10 * number + 2)
    for number, name in enumerate(list(USERS)[:4]):
        await opens(evening, name, 10 * number + 3, settings(practice=True))
    with pytest.raises(TooManyTables) as refused:
        await opens(evening, "Ida", 99)
    assert refused.value.table_count == 20
    await opens(evening, "Ida", 99, guild=GUILD + 1)
    await evening.bank.change_house_rules(evening.request("Ida", staff=True), tables_per_server=21)
    await opens(evening, "Ida", 99)


async def test_fifth_seat_is_refused_until_one_is_left(evening: Evening) -> None:
    names = ("Cy", "Dee", "Eve")
    tables = [await opens(evening, name, 10 * n + k) for n, name in enumerate(names, 1) for k in (1, 2)]
    await evening.fund("Ann", 30_000)

    async def sits(table: int) -> None:
        await evening.tables.ask(replace(evening.request("Ann"), table=table), TakeSeat(USERS["Ann"], "Ann", 2_000))

    answers = await asyncio.gather(*(sits(table) for table in tables), return_exceptions=True)
    assert [type(answer) for answer in answers] == [type(None)] * 4 + [SeatsElsewhere] * 2
    with pytest.raises(SeatsElsewhere) as refused:
        await sits(tables[4])
    assert refused.value.seat_count == 4
    slow = await opens(evening, "Flo", 90, SLOW)
    await sits(slow)
    await evening.crash()
    with pytest.raises(SeatsElsewhere):
        await sits(tables[4])
    await evening.tables.ask(replace(evening.request("Ann"), table=tables[0]), LeaveTable(USERS["Ann"]))
    await sits(tables[4])
    assert len(evening.tables.tables_with_player(GUILD, USERS["Ann"])) == 5


async def test_seats_in_other_servers_count(evening: Evening) -> None:
    await evening.bank.change_house_rules(evening.request("Ida", staff=True), seats_per_person=1)
    elsewhere = await opens(evening, "Bo", 1, guild=GUILD + 1)
    here = await opens(evening, "Cy", 2)
    await evening.tables.ask(
        replace(evening.request("Ann"), guild=GUILD + 1, table=elsewhere), TakeSeat(USERS["Ann"], "Ann", 2_000)
    )
    with pytest.raises(SeatsElsewhere) as refused:
        await evening.tables.ask(replace(evening.request("Ann"), table=here), TakeSeat(USERS["Ann"], "Ann", 2_000))
    assert (refused.value.seat_count, refused.value.channels) == (1, (1,))


async def test_lowered_caps_take_nothing_away(evening: Evening) -> None:
    await opens(evening, "Ann", 1)
    second = await opens(evening, "Ann", 2)
    await evening.bank.change_house_rules(evening.request("Ida", staff=True), tables_per_host=1, tables_per_server=1)
    await evening.crash()
    assert len(evening.tables.all_tables()) == 2
    await evening.tables.ask(replace(evening.request("Ann"), table=second), TakeSeat(USERS["Ann"], "Ann", 2_000))


async def test_only_staff_keep_an_idle_table_open(evening: Evening) -> None:
    for_ever = replace(settings(), idle_minutes=0)
    table = await opens(evening, "Ann", 1, for_ever)
    assert evening.tables.snapshot(table).settings.idle_minutes == 10, "as after a house game that staff have saved"
    request = replace(evening.request("Ann"), table=table)
    with pytest.raises(NeverClosesForStaffOnly):
        await evening.tables.ask(request, ChangeSettings(USERS["Ann"], for_ever))
    staff = replace(evening.request("Ida", staff=True), table=table)
    await evening.tables.ask(staff, ChangeSettings(USERS["Ida"], for_ever, staff=True))
    assert evening.tables.snapshot(table).settings.idle_minutes == 0
    await evening.tables.ask(request, ChangeSettings(USERS["Ann"], replace(for_ever, pause_seconds=9)))
