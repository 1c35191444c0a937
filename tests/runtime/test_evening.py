"""Whole hands at one table: players sit down, play, and take their chips back to the wallet."""

from bot.table.commands import LeaveTable
from tests.runtime.evening import GUILD, USERS, Evening


async def test_a_hand_is_dealt_played_and_paid(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await evening.deal()
    assert evening.hand.street == "pre-flop"
    assert evening.hand.pot == 150
    first, second, third = evening.to_act, "", ""
    await evening.acts(f"{first} raises to 300")
    second = evening.to_act
    await evening.acts(f"{second} folds")
    third = evening.to_act
    await evening.acts(f"{third} folds")
    assert not evening.snapshot.hand_running
    assert evening.stacks()[first] == 10_150
    assert sum(evening.stacks().values()) == 30_000
    await evening.audit()


async def test_next_hand_starts_automatically_and_idle_table_pays_out(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.deal()
    await evening.next_player_acts("folds")
    await evening.deal()
    assert evening.snapshot.hand_number == 2
    await evening.next_player_acts("folds")
    await evening.ask("Bo", LeaveTable)
    await evening.wait(31 * 60)
    assert evening.tables.all_tables() == ()
    assert evening.updates[-1].closed
    ann, bo = [await evening.bank.holdings(GUILD, USERS[name]) for name in ("Ann", "Bo")]
    assert ann.wallet + bo.wallet == 20_000
    assert ann.on_tables == bo.on_tables == 0
    await evening.audit()
