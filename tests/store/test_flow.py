"""The report of who gives chips to whom reads the transfers of one server and of some days, in steps."""

import sqlite3

import pytest

from bot.ledger.accounts import Book, Transfer, TransferReason, pot_account, seat_account
from bot.runtime.store_types import Commit
from bot.store import flow
from bot.store.store import Store
from tests.store.desk import ANN, BO, GUILD, NOON, Desk


async def lose(store: Store, desk: Desk, table: int, chips: int, book: Book = Book.PEOPLE) -> None:
    """Ann and Bo put chips in, and Bo wins them."""
    pot = pot_account(table, book)
    moves = [Transfer(seat_account(table, user, book), pot, chips, TransferReason.BET) for user in (ANN, BO)]
    moves.append(Transfer(pot, seat_account(table, BO, book), 2 * chips, TransferReason.WON))
    await store.commit(Commit(guild=desk.guild, cause=desk.cause(), table=table, transfers=tuple(moves), seq=1))


async def test_flow_is_the_same_however_many_steps_it_takes(
    store: Store, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    for book, channel in ((Book.PEOPLE, 7), (Book.PRACTICE, 8)):
        table = await desk.open(channel=channel)
        for user in (ANN, BO):
            await desk.sit(table, user, 5_000, book)
        for chips in (100, 200, 300):
            await lose(store, desk, table, chips, book)
    (whole,) = await store.flow(GUILD, since=0)
    assert (whole.giver, whole.taker, whole.chips, whole.hands) == (ANN, BO, 600, 3), "practice chips are left out"
    monkeypatch.setattr(flow, "STEP_TRANSFERS", 2)
    assert await store.flow(GUILD, since=0) == (whole,)
    assert await store.flow(GUILD, since=NOON + 1) == () == await store.flow(GUILD + 1, since=0)


@pytest.mark.parametrize(
    ("since", "expected"), [(0, [10, 20, 30]), (100, [10, 20, 30]), (101, [30]), (300, [30]), (301, [])]
)
def test_first_cause_of_a_time_is_found_among_gaps(since: int, expected: list[int]) -> None:
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE cause (id INTEGER PRIMARY KEY, at INTEGER NOT NULL)")
    db.executemany("INSERT INTO cause VALUES (?, ?)", [(10, 100), (20, 100), (30, 300)])
    assert [one for one in (10, 20, 30) if one >= flow.first_cause_since(db, since)] == expected
