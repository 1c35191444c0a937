"""Nobody is locked out at a table for server chips: the house's gifts and the buy-in are one step, and lower stakes are in reach."""

import asyncio

import pytest

from bot.ledger.gifts import WaysToPlay
from bot.ledger.refusals import NotEnoughChips
from bot.runtime.buy_ins import BuyIns
from bot.table.commands import TakeSeat, TopUp
from tests.runtime.evening import GUILD, USERS, Evening, settings
from tests.runtime.manual_clock import MINUTE

ANN, BO = USERS["Ann"], USERS["Bo"]
DAY = 24 * 60 * MINUTE


async def bust(evening: Evening, *, blinds: tuple[int, int] = (50, 100)) -> str:
    """Let one of two players lose everything in one hand. Returns their name."""
    await evening.open(settings(blinds=blinds))
    chips = max(10_000, 20 * blinds[1])
    await evening.seat(Ann=chips, Bo=chips)
    for _ in range(20):
        await evening.deal()
        await evening.next_player_acts("is all-in", "is all-in")
        await evening.wait(1)
        broke = next((name for name, stack in evening.stacks().items() if not stack), "")
        if broke:
            return broke
    raise AssertionError("nobody went broke")


async def ways(evening: Evening, name: str) -> WaysToPlay:
    return await BuyIns(evening.bank, evening.tables).ways(evening.snapshot, evening.request(name))


async def wallet(evening: Evening, name: str) -> int:
    return (await evening.bank.holdings(GUILD, USERS[name])).wallet


async def test_free_chips_come_with_the_buy_in(evening: Evening) -> None:
    broke = await bust(evening)
    way = await ways(evening, broke)
    assert (way.buy_in, way.gift) == (2_000, 2_000)

    await evening.bank.buy_in_with_gifts(evening.request(broke), TopUp(USERS[broke], way.buy_in))

    assert evening.stacks()[broke] == 2_000
    assert await wallet(evening, broke) == 0
    await evening.audit()


async def test_daily_chips_taken_first_leave_the_free_ones(evening: Evening) -> None:
    broke = await bust(evening)
    await evening.bank.daily(evening.request(broke))
    way = await ways(evening, broke)
    assert (way.buy_in, way.gift) == (3_000, 2_000)
    await evening.bank.buy_in_with_gifts(evening.request(broke), TopUp(USERS[broke], way.buy_in))
    assert evening.stacks()[broke] == 3_000
    await evening.audit()


async def test_both_gifts_are_taken_where_one_is_too_little(evening: Evening) -> None:
    broke = await bust(evening, blinds=(75, 150))
    way = await ways(evening, broke)
    assert (way.buy_in, way.gift) == (3_000, 3_000)
    await evening.bank.buy_in_with_gifts(evening.request(broke), TopUp(USERS[broke], way.buy_in))
    assert evening.stacks()[broke] == 3_000
    assert (await evening.bank.next_gifts(GUILD, USERS[broke], joined_at=1)).now == 0
    await evening.audit()


async def test_repeated_click_is_answered_and_gives_nothing(evening: Evening) -> None:
    broke = await bust(evening)
    click, command = evening.request(broke, key="click"), TopUp(USERS[broke], 2_000)
    assert not (await evening.bank.buy_in_with_gifts(click, command)).repeated
    assert (await evening.bank.buy_in_with_gifts(click, command)).repeated
    await evening.crash()
    assert (await evening.bank.buy_in_with_gifts(click, command)).repeated
    assert (evening.stacks()[broke], await wallet(evening, broke)) == (2_000, 0)
    await evening.audit()


async def test_two_clicks_at_once_give_one_gift(evening: Evening) -> None:
    broke = await bust(evening)
    command = TopUp(USERS[broke], 2_000)
    answers = await asyncio.gather(
        *(evening.bank.buy_in_with_gifts(evening.request(broke), command) for _ in range(2)), return_exceptions=True
    )
    assert [type(answer) for answer in answers if isinstance(answer, Exception)] == [NotEnoughChips]
    assert evening.stacks()[broke] == 2_000
    await evening.audit()


async def test_refused_buy_in_keeps_the_gift(evening: Evening) -> None:
    broke = await bust(evening)
    with pytest.raises(NotEnoughChips):
        await evening.bank.buy_in_with_gifts(evening.request(broke), TopUp(USERS[broke], 9_000))
    assert (await evening.bank.next_gifts(GUILD, USERS[broke], joined_at=1)).now == 3_000
    await evening.audit()


async def test_a_visitor_without_chips_sits_down_with_free_ones(evening: Evening) -> None:
    await evening.open()
    await evening.bank.holdings(GUILD, BO)
    await evening.bank.take(evening.request("Ida", staff=True), BO, 10_000, "a new start")
    way = await ways(evening, "Bo")
    assert (way.buy_in, way.gift) == (2_000, 2_000)
    await evening.bank.buy_in_with_gifts(evening.request("Bo"), TakeSeat(BO, "Bo", way.buy_in))
    assert evening.stacks()["Bo"] == 2_000
    await evening.audit()


async def test_whoever_had_all_gifts_is_told_when_the_next_come(evening: Evening) -> None:
    broke = await bust(evening)
    await evening.bank.relief(evening.request(broke))
    await evening.bank.daily(evening.request(broke))
    await evening.bank.take(evening.request("Ida", staff=True), USERS[broke], 3_000, "gone again")
    way = await ways(evening, broke)
    tomorrow = (evening.clock.now() // DAY + 1) * DAY
    assert (way.buy_in, way.gift, way.lower, way.next_gift_at) == (0, 0, False, tomorrow)


async def test_a_table_for_lower_stakes_is_within_reach(evening: Evening) -> None:
    broke = await bust(evening, blinds=(500, 1_000))
    way = await ways(evening, broke)
    assert (way.buy_in, way.lower) == (0, True)
    high = evening.snapshot
    other = "Bo" if broke == "Ann" else "Ann"
    low = (await evening.tables.open(evening.request(other, channel=71), settings(blinds=(5, 10)))).snapshot
    found = await BuyIns(evening.bank, evening.tables).lower_table(high, evening.request(broke))
    assert found is not None
    assert found.id == low.id
