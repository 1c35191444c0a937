"""The house's bank handles grants, gifts, history, the leaderboard, staff's commands and the audit."""

import asyncio

import pytest

from bot.ledger.accounts import Book, TransferReason
from bot.ledger.refusals import ClaimTooEarly, NotEnoughChips, StillHasChips
from bot.runtime.store_types import TableChips
from bot.table.refusals import ReasonMissing, StaffOnly
from tests.runtime.evening import GUILD, USERS, Evening, settings
from tests.runtime.manual_clock import MINUTE

ANN, BO = USERS["Ann"], USERS["Bo"]
DAY = 24 * 60 * MINUTE


async def test_new_player_gets_opening_grant_once(evening: Evening) -> None:
    all_held = await asyncio.gather(*(evening.bank.holdings(GUILD, ANN) for _ in range(3)))
    assert [held.wallet for held in all_held] == [10_000] * 3
    await evening.crash()
    assert (await evening.bank.holdings(GUILD, ANN)).wallet == 10_000
    await evening.audit()


async def test_daily_chips_come_once_a_day_and_grow_with_streak(evening: Evening) -> None:
    first = await evening.bank.daily(evening.request("Ann"))
    assert (first.chips, first.streak, first.holdings.wallet) == (1_000, 1, 11_000)
    with pytest.raises(ClaimTooEarly):
        await evening.bank.daily(evening.request("Ann"))
    evening.clock.move_to(evening.clock.now() + DAY)
    second = await evening.bank.daily(evening.request("Ann"))
    assert (second.chips, second.streak) == (1_100, 2)


async def test_simultaneous_claims_give_one_gift_and_repeat_is_answered(evening: Evening) -> None:
    answers = await asyncio.gather(
        *(evening.bank.daily(evening.request("Ann")) for _ in range(3)), return_exceptions=True
    )
    assert sum(isinstance(answer, ClaimTooEarly) for answer in answers) == 2
    daily_request = evening.request("Bo", key="same")
    assert not (await evening.bank.daily(daily_request)).repeated
    assert (await evening.bank.daily(daily_request)).repeated
    assert (await evening.bank.holdings(GUILD, BO)).wallet == 11_000


async def test_relief_requires_no_chips_anywhere(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.deal()
    await evening.next_player_acts("is all-in", "is all-in")
    loser = next((name for name, stack in evening.stacks().items() if not stack), "")
    if loser:
        given = await evening.bank.relief(evening.request(loser))
        assert given.chips == 2_000
        with pytest.raises(StillHasChips):
            await evening.bank.relief(evening.request(loser))
    with pytest.raises(StillHasChips):
        await evening.bank.relief(evening.request("Cy"))
    await evening.audit()


async def test_two_days_of_daily_chips_leave_relief_open(evening: Evening) -> None:
    assert (await evening.bank.holdings(GUILD, ANN)).wallet == 10_000
    await evening.bank.take(evening.request("Bo", staff=True), ANN, 10_000, "a new start")
    await evening.bank.daily(evening.request("Ann"))
    evening.clock.move_to(evening.clock.now() + DAY)
    await evening.bank.daily(evening.request("Ann"))

    assert (await evening.bank.next_gifts(GUILD, ANN)).relief == 2_000
    given = await evening.bank.relief(evening.request("Ann"))
    assert (given.chips, given.holdings.wallet) == (2_000, 4_100)
    assert (await evening.bank.next_gifts(GUILD, ANN)).relief == 0
    with pytest.raises(StillHasChips):
        await evening.bank.relief(evening.request("Ann"))
    await evening.audit()


async def test_chips_in_the_pot_keep_a_player_from_relief(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.deal()
    shover = evening.to_act
    await evening.next_player_acts("is all-in")
    assert evening.stacks()[shover] == 0
    with pytest.raises(StillHasChips) as refused:
        await evening.bank.relief(evening.request(shover))
    assert refused.value.total == 10_000


async def test_staff_give_and_take_with_a_reason(evening: Evening) -> None:
    with pytest.raises(StaffOnly):
        await evening.bank.grant(evening.request("Ann"), BO, 500, "please")
    with pytest.raises(ReasonMissing):
        await evening.bank.grant(evening.request("Ann", staff=True), BO, 500, "  ")
    assert (await evening.bank.grant(evening.request("Ann", staff=True), BO, 500, "a prize")).wallet == 10_500
    assert (await evening.bank.take(evening.request("Ann", staff=True), BO, 10_000, "a mistake")).wallet == 500
    with pytest.raises(NotEnoughChips):
        await evening.bank.take(evening.request("Ann", staff=True), BO, 501, "too much")
    history = await evening.bank.history(GUILD, BO)
    assert [(entry.chips, entry.reason, entry.note, entry.requested_by) for entry in history.entries] == [
        (-10_000, TransferReason.STAFF_TAKE, "a mistake", ANN),
        (500, TransferReason.STAFF_GRANT, "a prize", ANN),
        (10_000, TransferReason.GRANT, "", BO),
    ]


async def test_the_leaderboard_counts_wallets_and_tables(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=8_000)
    await evening.fund("Cy", 30_000)
    page = await evening.bank.leaderboard(GUILD, BO)
    assert [(line.rank, line.user, line.total) for line in page.lines] == [
        (1, USERS["Cy"], 30_000),
        (2, ANN, 10_000),
        (2, BO, 10_000),
    ]
    assert page.own is not None and page.own.rank == 2
    assert (await evening.bank.leaderboard(GUILD, BO, page=1, lines=2)).lines[0].user == BO


async def test_only_staff_change_house_rules(evening: Evening) -> None:
    with pytest.raises(StaffOnly):
        await evening.bank.change_house_rules(evening.request("Ann"), opening_grant=5)
    await evening.bank.change_house_rules(evening.request("Ann", staff=True), opening_grant=5)
    assert (await evening.bank.holdings(GUILD, ANN)).wallet == 5
    assert (await evening.bank.house_rules(GUILD)).opening_grant == 5
    assert (await evening.bank.house_rules(GUILD + 1)).opening_grant == 10_000
    await evening.crash()
    assert (await evening.bank.house_rules(GUILD)).opening_grant == 5


async def test_audit_compares_engine_with_ledger_during_hand(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=8_000)
    await evening.deal()
    await evening.next_player_acts("raises to 300")
    with pytest.raises(StaffOnly):
        await evening.bank.audit(evening.request("Ann"))
    assert (evening.bank.audits, evening.bank.audit_faults) == (0, 0)
    audit = await evening.bank.audit(evening.request("Ann", staff=True))
    assert audit.faults == () and (evening.bank.audits, evening.bank.audit_faults) == (1, 0)
    assert audit.pots == 400 and audit.stacks == 17_600
    assert audit.minted == 20_000
    assert audit.practice == 0
    assert (await evening.bank.holdings(GUILD, ANN, Book.PRACTICE)).wallet == 10_000, (
        "practice chips are on books of their own"
    )
    await evening.audit()


async def test_audit_asks_one_table_after_the_other(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a thousand tables, nobody waits behind all of them. One that closes meanwhile has no faults."""
    hosts = ("Ann", "Bo", "Cy", "Dee", "Eve")
    opened = [
        await evening.tables.open(evening.request(host, channel=channel), settings())
        for channel, host in enumerate(hosts, 1)
    ]
    tables = [outcome.snapshot.id for outcome in opened]
    read, asked, at_once = evening.store.table_chips, list[int](), 0

    async def counted(table: int) -> TableChips:
        nonlocal at_once
        at_once += 1
        assert at_once == 1
        asked.append(table)
        if len(asked) == 2:
            await evening.tables.close_without_channel(tables[3])
        chips = await read(table)
        at_once -= 1
        return chips

    monkeypatch.setattr(evening.store, "table_chips", counted)
    await evening.audit()
    assert asked == [*tables[:3], tables[4]]
