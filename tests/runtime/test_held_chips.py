"""Chips that were won from young Discord accounts are held until those are older: ten of them are made in an hour, and lose on purpose."""

import pytest

from bot.ledger.gifts import DAY_MS, DISCORD_EPOCH_MS
from bot.ledger.refusals import ChipsHeld
from bot.runtime.store_types import Cause, Commit, Forgetting
from bot.table.commands import Consent, LeaveTable, ProposeStackAdjustment, TakeSeat, TopUp
from bot.table.state import StackChange
from tests.runtime.evening import GUILD, USERS, Evening, settings

ANN, BO, CY = USERS["Ann"], USERS["Bo"], USERS["Cy"]
TEN_DAYS = 10 * DAY_MS


@pytest.fixture
def newt(evening: Evening) -> int:
    """An account that is ten days old: the house has given it 10,000."""
    return (evening.clock.now() - TEN_DAYS - DISCORD_EPOCH_MS) << 22


async def give(evening: Evening, giver: int, taker: int, chips: int) -> None:
    """Let a hand that counted move chips from one to another, as the store keeps it."""
    evening.tells_every_way = False
    key = f"flow{giver}{taker}{chips}{evening.clock.now()}"
    flows = ((taker, giver, chips),)
    await evening.store.commit(Commit(guild=GUILD, cause=Cause(key, 0, evening.clock.now(), "hand"), flows=flows))
    await evening.bank.grant(evening.request("Ida", staff=True), taker, chips, "won")


async def test_chips_won_from_young_accounts_wait(evening: Evening, newt: int) -> None:
    await evening.open()
    assert (await evening.bank.holdings(GUILD, ANN)).wallet == 10_000
    await give(evening, newt, ANN, 9_000)
    held = await evening.bank.held(GUILD, ANN)
    assert (held.chips, held.until) == (7_000, evening.clock.now() + 50 * DAY_MS)
    with pytest.raises(ChipsHeld) as refused:
        await evening.ask("Ann", TakeSeat(ANN, "Ann", 12_001))
    assert (refused.value.available, refused.value.until) == (12_000, held.until)
    await evening.ask("Ann", TakeSeat(ANN, "Ann", 12_000))
    with pytest.raises(ChipsHeld):
        await evening.ask("Ann", TopUp, 1)
    evening.clock.move_to(held.until)
    assert (await evening.bank.held(GUILD, ANN)).chips == 0
    await evening.ask("Ann", TopUp, 5_000)


async def test_small_wins_and_old_accounts_hold_nothing(evening: Evening, newt: int) -> None:
    await give(evening, newt, ANN, 2_000)
    await give(evening, BO, ANN, 500_000)
    assert (await evening.bank.held(GUILD, ANN)).chips == 0
    await give(evening, ANN, newt, 2_000)
    await give(evening, newt, ANN, 2_000)
    assert (await evening.bank.held(GUILD, ANN)).chips == 0, "what was lost to them in turn is taken off"


async def test_passing_chips_on_does_not_free_them(evening: Evening, newt: int) -> None:
    await give(evening, newt, BO, 50_000)
    await give(evening, BO, ANN, 30_000)
    await give(evening, CY, ANN, 30_000)
    assert (await evening.bank.held(GUILD, ANN)).chips == 28_000
    assert (await evening.bank.held(GUILD, BO)).chips == 48_000


async def test_staff_can_hold_nothing(evening: Evening, newt: int) -> None:
    await give(evening, newt, ANN, 50_000)
    await evening.bank.change_house_rules(evening.request("Ida", staff=True), young_chips=20_000)
    assert (await evening.bank.held(GUILD, ANN)).chips == 30_000
    await evening.bank.change_house_rules(evening.request("Ida", staff=True), young_days=0)
    assert (await evening.bank.held(GUILD, ANN)).chips == 0


async def test_hands_and_corrections_tell_who_won_from_whom(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await evening.deal()
    await evening.next_player_acts("raises to 1000", "folds", "folds")
    stacks = evening.stacks()
    everybody = 0
    won = {name: await evening.store.won_from_young(GUILD, USERS[name], everybody, 0) for name in stacks}
    winner = max(stacks, key=lambda name: stacks[name])
    assert sorted(chips for _, chips in won.pop(winner)) == [50, 100]
    assert set(won.values()) == {()}
    loser = min(stacks, key=lambda name: stacks[name])
    change = (StackChange(USERS[winner], -100), StackChange(USERS[loser], 100))
    await evening.ask(winner, ProposeStackAdjustment(USERS[winner], change))
    for name in stacks:
        await evening.ask(name, Consent)
    assert [chips for _, chips in await evening.store.won_from_young(GUILD, USERS[winner], everybody, 0)] == [50]
    await evening.ask(loser, LeaveTable)


async def test_practice_hands_hold_nothing(evening: Evening) -> None:
    await evening.open(settings(practice=True))
    for name in ("Ann", "Bo"):
        await evening.ask(name, TakeSeat(USERS[name], name, 10_000))
    await evening.deal()
    await evening.next_player_acts("folds")
    assert [await evening.store.won_from_young(GUILD, user, 0, 0) for user in (ANN, BO)] == [(), ()]


async def test_deleting_a_young_account_frees_no_chips(evening: Evening, newt: int) -> None:
    """What stays of it is the day on which it was made."""
    await give(evening, newt, ANN, 9_000)
    await evening.tables.forget(
        Forgetting(
            guild=GUILD,
            user=newt,
            cause=Cause("gone", newt, evening.clock.now(), "data deleted"),
            marks=(b"a", b"b"),
        )
    )
    held = await evening.bank.held(GUILD, ANN)
    assert held.chips == 7_000
    assert 0 <= evening.clock.now() + 50 * DAY_MS - held.until < DAY_MS
    ((source, _),) = await evening.store.won_from_young(GUILD, ANN, 1, 0)
    assert source != newt
