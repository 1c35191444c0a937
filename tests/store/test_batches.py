"""Commits of one transaction share the disk's failure, and nothing else."""

import asyncio
import itertools
import random
import sqlite3
import threading
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import Any

import pytest

from bot.engine.errors import TableError
from bot.engine.events import Called, Checked
from bot.house.rules import HouseRules
from bot.ledger.accounts import TransferReason, mint_account, wallet_account
from bot.ledger.gifts import GiftClaims, claim_daily
from bot.ledger.refusals import NotEnoughChips
from bot.runtime.store_errors import ChannelTaken, StaleClaims, StaleVersion, StoreFailed
from bot.runtime.store_types import Cause, ClaimChange, Commit, NewTable, Receipt
from bot.store import write_batch
from bot.store.connection import SqliteDatabase, connect
from bot.store.store import Store
from tests.store.desk import ANN, BO, GUILD, NOON, Desk, sqlite_store


class Disk:
    """The disk under the writing connection: it counts transactions, can be held up, and can fail at a chosen statement."""

    def __init__(self) -> None:
        self.transactions = 0
        self.fails_in: int | None = None  # statements until one fails; None: never
        self.rolls_back = True
        self.turning = threading.Event()
        self.turning.set()

    def meet(self, sql: str) -> None:
        if sql == "BEGIN IMMEDIATE":
            self.turning.wait(20)
            self.transactions += 1
        if sql == "ROLLBACK":
            if not self.rolls_back:
                raise sqlite3.OperationalError("disk I/O error")
            return
        if self.fails_in is not None:
            if self.fails_in == 0:
                raise sqlite3.OperationalError("disk I/O error")
            self.fails_in -= 1

    def connect(self, path: str) -> SqliteDatabase:
        disk = self

        class OnThisDisk(SqliteDatabase):
            def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
                disk.meet(sql)
                return super().execute(sql, parameters)

            def executemany(self, sql: str, parameters: Iterable[Any], /) -> sqlite3.Cursor:
                disk.meet(sql)
                return super().executemany(sql, parameters)

        return connect(path, factory=OnThisDisk)


@pytest.fixture
def disk() -> Disk:
    return Disk()


@pytest.fixture
async def store(tmp_path: Path, disk: Disk) -> AsyncIterator[Store]:
    opened = sqlite_store(tmp_path, disk.connect)
    await opened.open()
    yield opened
    disk.fails_in = None
    disk.turning.set()
    await opened.close()


async def all_at_once(store: Store, disk: Disk, *commits: Commit) -> list[Receipt | BaseException]:
    """Save commits in one batch: they gather while an earlier transaction is being written. Returns the answers, errors included."""
    disk.turning.clear()
    earlier = asyncio.ensure_future(store.keep("earlier", b""))
    await asyncio.sleep(0)
    waiting = asyncio.gather(*(store.commit(commit) for commit in commits), return_exceptions=True)
    await asyncio.sleep(0)
    disk.turning.set()
    await earlier
    return await waiting


async def test_commits_that_wait_share_one_transaction(store: Store, disk: Disk) -> None:
    desk = Desk(store)
    before = disk.transactions
    answers = await all_at_once(
        store,
        disk,
        *(desk.move(mint_account(), wallet_account(user), 100, TransferReason.GRANT) for user in range(1, 51)),
    )
    assert all(isinstance(answer, Receipt) for answer in answers)
    assert disk.transactions == before + 2
    assert (await store.audit(GUILD)).minted == 5_000


async def test_a_refusal_is_for_one_commit_of_the_batch(store: Store, disk: Disk) -> None:
    desk = Desk(store)
    table = await desk.open(channel=7)
    await desk.sit(table, ANN, 100)
    good = desk.acted(table, Checked(0), key="good")
    desk.seqs[table] = 2
    answers = await all_at_once(
        store,
        disk,
        good,
        good,  # the same click twice
        desk.acted(table, Called(0, 101), transfers=(desk.bet(table, ANN, 101),)),
        desk.acted(table, Checked(9)),  # right after `good`, in the same transaction
        desk.acted(table, Checked(1)),  # and one that comes too late
        desk.move(mint_account(), wallet_account(BO), 5, TransferReason.GRANT),
    )
    assert [type(answer) for answer in answers] == [Receipt, Receipt, NotEnoughChips, Receipt, StaleVersion, Receipt]
    first, second = answers[:2]
    assert isinstance(first, Receipt)
    assert isinstance(second, Receipt)
    assert (first.repeated, second.repeated) == (False, True)
    assert (await store.open_tables())[0].events == (Checked(0), Checked(9))
    assert (await store.holdings(GUILD, BO)).wallet == 5


async def test_a_bug_in_one_commit_is_not_the_others_trouble(store: Store, disk: Disk) -> None:
    desk = Desk(store)
    table = await desk.open(channel=7)
    unknown = Commit(guild=GUILD, cause=desk.cause(), table=table, seq=1, events=(object(),))  # type: ignore[arg-type]
    answers = await all_at_once(
        store, disk, unknown, desk.move(mint_account(), wallet_account(BO), 5, TransferReason.GRANT)
    )
    assert [type(answer) for answer in answers] == [TypeError, Receipt]


async def test_a_number_that_no_file_can_hold_leaves_nothing_behind(store: Store, disk: Disk) -> None:
    desk = Desk(store)
    late = Commit(guild=GUILD, cause=Cause("late", ANN, 2**63, "daily"))
    answers = await all_at_once(
        store, disk, desk.move(mint_account(), wallet_account(BO), 5, TransferReason.GRANT), late
    )
    assert all(isinstance(answer, StoreFailed) for answer in answers)
    assert (await store.audit(GUILD)).transfers == 0
    await desk.grant(BO, 5)
    assert not (await store.audit(GUILD)).faults


async def test_commit_can_spend_chips_from_earlier_commit_in_batch(store: Store, disk: Disk) -> None:
    desk = Desk(store)
    answers = await all_at_once(
        store,
        disk,
        desk.move(mint_account(), wallet_account(ANN), 100, TransferReason.GRANT),
        desk.move(wallet_account(ANN), mint_account(), 60, TransferReason.STAFF_TAKE),
        desk.move(wallet_account(ANN), mint_account(), 60, TransferReason.STAFF_TAKE),
    )
    assert [type(answer) for answer in answers] == [Receipt, Receipt, NotEnoughChips]
    assert (await store.holdings(GUILD, ANN)).wallet == 40


async def test_batch_accepts_one_table_per_channel_and_one_gift(store: Store, disk: Disk) -> None:
    desk = Desk(store)
    gift = claim_daily(HouseRules(), GiftClaims(), ANN, NOON)
    change = ClaimChange(ANN, GiftClaims(), gift.claims)

    def claim() -> Commit:
        return Commit(guild=GUILD, cause=desk.cause(), transfers=gift.transfers, claims=(change,))

    def opening(channel: int) -> Commit:
        return Commit(guild=GUILD, cause=desk.cause(), new_table=NewTable(channel, b""))

    answers = await all_at_once(store, disk, opening(7), opening(7), claim(), claim(), opening(8))
    assert [type(answer) for answer in answers] == [Receipt, ChannelTaken, Receipt, StaleClaims, Receipt]
    assert [saved.record.number for saved in await store.open_tables()] == [1, 2]
    assert (await store.holdings(GUILD, ANN)).wallet == 1_000


async def test_failure_of_any_statement_leaves_nothing_of_the_batch(store: Store, disk: Disk) -> None:
    """The disk fails at every statement in turn, BEGIN and COMMIT included. Then the same commits succeed."""
    desk = Desk(store)
    one, two = await desk.open(channel=1), await desk.open(channel=2)
    await desk.sit(one, ANN, 500)
    await desk.sit(two, BO, 500)
    batch = (
        desk.acted(one, Called(0, 50), transfers=(desk.bet(one, ANN, 50),), saved_state=b"s"),
        desk.acted(two, Called(0, 70), transfers=(desk.bet(two, BO, 70),)),
        Commit(guild=GUILD, cause=desk.cause(), new_table=NewTable(3, b"")),
    )
    before = await store.open_tables(), await store.audit(GUILD)
    for statements in itertools.count():
        disk.fails_in = statements
        answers = await asyncio.gather(*(store.commit(commit) for commit in batch), return_exceptions=True)
        disk.fails_in = None
        if all(isinstance(answer, Receipt) for answer in answers):
            break
        assert all(isinstance(answer, StoreFailed) for answer in answers)
        assert isinstance(answers[0], TableError)  # a player can be told
        assert (await store.open_tables(), await store.audit(GUILD)) == before
    assert statements > 12
    assert not any(answer.repeated for answer in answers if isinstance(answer, Receipt))
    assert [saved.chips.pot for saved in await store.open_tables()] == [50, 70, 0]
    assert not (await store.audit(GUILD)).faults


async def test_failed_rollback_is_repaired_by_next_batch(store: Store, disk: Disk) -> None:
    desk = Desk(store)
    commit = desk.move(mint_account(), wallet_account(ANN), 100, TransferReason.GRANT)
    disk.fails_in, disk.rolls_back = 3, False
    with pytest.raises(StoreFailed):
        await store.commit(commit)
    disk.fails_in, disk.rolls_back = None, True
    assert not (await store.commit(commit)).repeated
    assert (await store.holdings(GUILD, ANN)).wallet == 100


async def test_a_full_disk_loses_nothing_and_can_be_emptied(tmp_path: Path) -> None:
    """SQLite's own limit of pages makes the disk full."""
    pages: list[SqliteDatabase] = []

    def remember(path: str) -> SqliteDatabase:
        pages.append(connect(path, any_thread=True))
        return pages[0]

    store = sqlite_store(tmp_path, remember)
    await store.open()
    try:
        desk = Desk(store)
        (count,) = pages[0].execute("PRAGMA page_count").fetchone()
        pages[0].execute(f"PRAGMA max_page_count = {count + 3}")
        saved = 0
        with pytest.raises(StoreFailed, match="full"):
            for _ in range(5_000):
                await desk.grant(ANN, 10)
                saved += 1
        audit = await store.audit(GUILD)
        assert (audit.minted, audit.faults) == (10 * saved, ())
        pages[0].execute("PRAGMA max_page_count = 1000000")
        await desk.grant(ANN, 10)
        assert (await store.holdings(GUILD, ANN)).wallet == 10 * (saved + 1)
    finally:
        await store.close()


@pytest.mark.parametrize("steps", range(6))
async def test_cancelled_caller_does_not_stop_the_save(store: Store, steps: int) -> None:
    desk = Desk(store)
    table = await desk.open(channel=7)
    await desk.sit(table, ANN, 500)
    click = desk.acted(table, Called(0, 50), transfers=(desk.bet(table, ANN, 50),))
    asking = asyncio.create_task(store.commit(click))
    other = asyncio.create_task(desk.grant(BO, 5))
    for _ in range(steps + 1):
        await asyncio.sleep(0)
    asking.cancel()
    await other
    again = await store.commit(click)
    assert again.repeated
    assert (await store.table_chips(table)).pot == 50


async def test_closing_finishes_what_waits(store: Store, disk: Disk) -> None:
    desk = Desk(store)
    disk.turning.clear()
    waiting = [asyncio.create_task(desk.grant(ANN, 10)) for _ in range(20)]
    await asyncio.sleep(0)
    closing = asyncio.create_task(store.close())
    await asyncio.sleep(0)
    disk.turning.set()
    await closing
    assert all(not receipt.repeated for receipt in await asyncio.gather(*waiting))
    await store.open()
    assert (await store.holdings(GUILD, ANN)).wallet == 200


@pytest.mark.parametrize("remembers", [3, 100_000])
async def test_any_mixture_of_commits_and_failures_keeps_the_books_right(
    store: Store, disk: Disk, remembers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fixed random evening runs on a disk that sometimes fails. What was acknowledged is there once, and nothing else is."""
    monkeypatch.setattr(write_batch, "MAX_CACHED_ACCOUNTS", remembers)
    rng = random.Random(20)
    desk = Desk(store)
    tables = [await desk.open(channel) for channel in range(1, 5)]
    for table in tables:
        for user in (ANN, BO):
            await desk.sit(table, user, 2_000)
    bets, given = dict.fromkeys(tables, 0), 0

    async def play(table: int) -> None:
        chips, user = rng.randint(1, 300), rng.choice((ANN, BO))
        commit = desk.acted(table, Called(0, chips), transfers=(desk.bet(table, user, chips),))
        if bets[table] and rng.random() < 0.3:
            commit = desk.acted(table, Checked(0), transfers=(desk.won(table, user, bets[table]),))
        try:
            await desk.save(commit)
        except (NotEnoughChips, StoreFailed):
            return
        bets[table] = bets[table] + chips if commit.transfers[0].reason is TransferReason.BET else 0

    async def give() -> None:
        nonlocal given
        commit = desk.move(mint_account(), wallet_account(ANN), 7, TransferReason.GRANT)
        for _ in range(2):  # an impatient click
            try:
                given += 0 if (await store.commit(commit)).repeated else 7
            except StoreFailed:
                continue

    for _ in range(60):
        disk.fails_in = rng.randint(0, 30) if rng.random() < 0.4 else None
        await asyncio.gather(give(), *(play(table) for table in rng.sample(tables, 3)))
    disk.fails_in = None
    assert [(await store.table_chips(table)).pot for table in tables] == list(bets.values())
    assert [saved.seq for saved in await store.open_tables()] == [desk.seqs[table] for table in tables]
    audit = await store.audit(GUILD)
    assert (audit.minted, audit.faults) == (4 * 2 * 2_000 + given, ())
