"""Long reads have a connection of their own: whoever asks for a balance, or plays, does not wait behind an audit."""

import asyncio
import random
import sqlite3
import threading
from collections.abc import AsyncIterator, Generator
from contextlib import closing
from pathlib import Path

import pytest

from bot.ledger.accounts import Account, AccountKind, Book, TransferReason, mint_account, wallet_account
from bot.ledger.books import Balance, BookProblem, compare_balances
from bot.runtime.store_errors import StoreClosed
from bot.runtime.store_types import LedgerAudit, UnshownChips
from bot.store.audit import audit_books, audit_in_steps
from bot.store.connection import connect
from bot.store.long_reads import LongReads
from bot.store.queries import read_consistently
from bot.store.store import Store
from tests.ledger.plain_audit import audit_balances
from tests.store.desk import ANN, BO, CY, GUILD, Desk, sqlite_store

DOG = -1  # a practice player
PLAYERS = (ANN, BO, CY, 104, 105, 106)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = sqlite_store(tmp_path)
    await store.open()
    yield store
    await store.close()


@pytest.fixture
def desk(store: Store) -> Desk:
    return Desk(store)


def long_reads(store: Store) -> LongReads:
    assert store.long_reads is not None
    return store.long_reads


async def test_balances_and_clicks_pass_a_long_read(store: Store, desk: Desk) -> None:
    begun, go_on, count = threading.Event(), threading.Event(), 0

    def slow(db: sqlite3.Connection) -> Generator[None, None, int]:
        nonlocal count
        count += 1
        begun.set()
        go_on.wait(10)
        yield
        return count

    reads = [asyncio.create_task(long_reads(store).run(GUILD, "slow", slow)) for _ in range(3)]
    await asyncio.to_thread(begun.wait)
    await desk.grant(ANN, 500)
    assert (await store.holdings(GUILD, ANN)).wallet == 500
    reads[0].cancel()  # whoever asked first does not wait any more; the others have their answer all the same
    assert not any(read.done() for read in reads[1:])
    go_on.set()
    assert await asyncio.gather(*reads[1:]) == [1, 1], "three who ask the same share one reading"
    assert await long_reads(store).run(GUILD, "slow", slow) == 2, "and who asks later has a fresh one"


async def test_long_reads_take_turns_and_each_kind_has_one(store: Store) -> None:
    steps: list[str] = []

    def read(name: str, count: int) -> Generator[None, None, str]:
        for number in range(count):
            steps.append(f"{name}{number}")
            yield
        return name

    answers = [
        long_reads(store).run(guild, kind, lambda _, name=name, count=count: read(name, count), details=name)
        for guild, kind, name, count in (
            (GUILD, "audit", "a", 3),
            (GUILD, "audit", "b", 1),
            (GUILD + 1, "audit", "c", 2),
            (GUILD, "leaderboard", "d", 1),
        )
    ]
    assert await asyncio.gather(*answers) == ["a", "b", "c", "d"]
    assert steps == ["a0", "c0", "d0", "a1", "c1", "a2", "b0"]


async def test_failed_long_read_blocks_nobody(store: Store) -> None:
    def broken(db: sqlite3.Connection) -> Generator[None, None, None]:
        yield
        db.execute("SELECT * FROM nothing")

    for _ in range(2):
        with pytest.raises(sqlite3.OperationalError):
            await long_reads(store).run(GUILD, "broken", broken)
    assert (await store.audit(GUILD)).faults == ()


async def test_a_closing_store_interrupts_a_long_read(tmp_path: Path) -> None:
    store = sqlite_store(tmp_path)
    await store.open()
    begun, late = threading.Event(), threading.Event()

    def endless(db: sqlite3.Connection) -> Generator[None, None, None]:
        begun.set()
        late.wait()
        db.execute(
            "WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number) SELECT max(n) FROM number"
        )
        yield

    reads = long_reads(store)
    reading = asyncio.create_task(reads.run(GUILD, "endless", endless))
    await asyncio.to_thread(begun.wait)
    closing = asyncio.create_task(store.close())
    while not reads._closing:
        await asyncio.sleep(0)
    late.set()  # the first interrupt comes before the statement that it should interrupt
    await closing
    with pytest.raises(StoreClosed):
        await reading
    with pytest.raises(StoreClosed):
        await store.audit(GUILD)


async def test_chips_that_move_during_an_audit_are_no_fault(store: Store, desk: Desk) -> None:
    """They move between any two steps, and the log of the file is merged meanwhile: no transaction outlives its step."""
    table = await desk.open(channel=7)
    for user in PLAYERS:
        await desk.sit(table, user, 1000)
    count = 0
    with closing(connect(str(store.path))) as db, closing(connect(str(store.path))) as other:
        db.execute("PRAGMA query_only = ON")
        steps = audit_in_steps(db, GUILD, step=2)
        while True:
            try:
                read_consistently(db, lambda: next(steps))
            except StopIteration as end:
                audit: LedgerAudit = end.value
                break
            count += 1
            if count < 6:
                await desk.grant(PLAYERS[count], 50)
                await desk.save(desk.acted(table, transfers=(desk.bet(table, ANN, 10),)))
            busy, _, _ = other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            assert not busy
        assert db.execute("SELECT count(*) FROM temp.sqlite_master").fetchone() == (0,)
        with pytest.raises(sqlite3.OperationalError):
            db.execute("DELETE FROM kept")
    assert count == 7
    assert (audit.faults, audit.transfers, audit.pots) == ((), 2 * len(PLAYERS) + 10, 50)


async def play_at_random(desk: Desk, rng: random.Random, hands: int) -> None:
    """Seat everybody at two tables and play hands at random, with practice chips at the second."""
    books = {await desk.open(channel=7): Book.PEOPLE, await desk.open(channel=8): Book.PRACTICE}
    stacks = {(table, user): rng.randrange(1, 5) * 100 for table in books for user in (*PLAYERS[:4], DOG)}
    for (table, user), chips in stacks.items():
        await desk.sit(table, user, chips, books[table])
    for user in PLAYERS:
        await desk.grant(user, rng.randrange(1, 4) * 100)
    for _ in range(hands):
        table = rng.choice(list(books))
        bets = {user: rng.randrange(1, 20) for user in (*PLAYERS[:4], DOG) if stacks[table, user] > 20}
        if len(bets) < 2:
            continue
        winner = rng.choice(list(bets))
        for user, chips in bets.items():
            stacks[table, user] -= chips
            await desk.save(desk.acted(table, transfers=(desk.bet(table, user, chips, books[table]),)))
        stacks[table, winner] += sum(bets.values())
        if rng.random() < 0.9:
            await desk.save(desk.acted(table, transfers=(desk.won(table, winner, sum(bets.values()), books[table]),)))
        else:
            del books[table]  # the last hand goes on
            if not books:
                return


def plain_leaderboard(
    db: sqlite3.Connection, book: Book, unshown: list[UnshownChips]
) -> list[tuple[int, int, int, int]]:
    """Rank, user, total and wallet of everybody, worked out account by account."""
    totals: dict[int, list[int]] = {}
    rows = db.execute(
        "SELECT kind - ?, user, chips, staked FROM balance WHERE guild = ? AND user > 0", (int(book), GUILD)
    )
    for kind, user, chips, staked in rows:
        if kind in {AccountKind.WALLET, AccountKind.SEAT}:
            held = totals.setdefault(user, [0, 0])
            held[0] += chips + staked
            held[1] += chips if kind == AccountKind.WALLET else 0
    for more in unshown:
        totals[more.user][0] += more.total
        totals[more.user][1] += more.wallet
    return [
        (1 + sum(other[0] > total for other in totals.values()), user, total, wallet)
        for user, (total, wallet) in sorted(totals.items(), key=lambda one: (-one[1][0], one[0]))
    ]


@pytest.mark.parametrize("seed", range(4))
async def test_the_leaderboard_is_exact_on_every_page(store: Store, desk: Desk, seed: int) -> None:
    """Ties, pages, one's own place, both books, and all-in hands whose end is not shown yet."""
    rng = random.Random(seed)
    await play_at_random(desk, rng, 12)
    not_yet = [[], [UnshownChips(ANN, 0, 100, 0), UnshownChips(BO, 0, -60, -40), UnshownChips(ANN, 100, 0, 0)]]
    with closing(connect(str(store.path))) as db:
        for book, unshown in ((Book.PEOPLE, not_yet[0]), (Book.PEOPLE, not_yet[1]), (Book.PRACTICE, not_yet[0])):
            expected = plain_leaderboard(db, book, unshown)
            for offset in range(len(expected) + 1):
                user = rng.choice((*PLAYERS, 999))
                board = await store.leaderboard(GUILD, offset=offset, limit=2, user=user, book=book, unshown=unshown)
                lines = [(line.rank, line.user, line.total, line.wallet) for line in board.lines]
                assert (lines, board.players) == (expected[offset : offset + 2], len(expected))
                own = board.own and (board.own.rank, board.own.user, board.own.total, board.own.wallet)
                assert own == next((line for line in expected if line[1] == user), None)
    assert (await store.audit(GUILD)).faults == ()


@pytest.mark.parametrize("seed", range(4))
async def test_an_audit_finds_what_was_changed_by_hand(store: Store, desk: Desk, seed: int) -> None:
    """Whatever is written into the file past the dealer, the audit finds exactly what counting account by account finds."""
    rng = random.Random(seed)
    await play_at_random(desk, rng, 6)
    with closing(connect(str(store.path))) as db:
        db.execute("PRAGMA ignore_check_constraints = ON")
        rows = db.execute("SELECT kind, table_id, user FROM balance WHERE guild = ?", (GUILD,)).fetchall()
        for kind, table, user in rng.sample(rows, 4):
            db.execute(
                "UPDATE balance SET chips = chips + ?, staked = staked + ? WHERE (guild, kind, table_id, user) = (?, ?, ?, ?)",
                (rng.choice((-5000, 0, 7)), rng.choice((0, 0, -3, 9)), GUILD, kind, table, user),
            )
        db.execute("DELETE FROM balance WHERE (guild, kind, table_id, user) = (?, ?, ?, ?)", (GUILD, *rng.choice(rows)))
        balances = {
            Account(AccountKind(kind), table, user): Balance(chips, staked)
            for kind, table, user, chips, staked in db.execute(
                "SELECT kind, table_id, user, chips, staked FROM balance"
            )
        }
        sums: dict[Account, int] = {}
        for chips, *ends in db.execute(
            "SELECT chips, debit_kind, debit_table, debit_user, credit_kind, credit_table, credit_user FROM transfer"
        ):
            for end, change in ((ends[:3], -chips), (ends[3:], chips)):
                account = Account(AccountKind(end[0]), *end[1:])
                sums[account] = sums.get(account, 0) + change
        held = {account: balance.chips for account, balance in balances.items()}
        expected = audit_balances(balances) + compare_balances(sums, held, BookProblem.TRANSFERS_DIFFER)
        found = audit_books(db, GUILD).faults
    assert {fault for fault in found if fault.problem is not BookProblem.LEADERBOARD_DIFFERS} == set(expected)
    assert (await store.audit(GUILD)).faults == found


async def test_an_audit_compares_the_leaderboard_with_the_balances(store: Store, desk: Desk) -> None:
    await desk.grant(ANN, 100)
    await store.commit(desk.move(wallet_account(ANN), mint_account(), 100, TransferReason.STAFF_TAKE))
    await desk.grant(BO, 100)
    assert [(line.rank, line.total) for line in (await store.leaderboard(GUILD)).lines] == [(1, 100), (2, 0)]
    with closing(connect(str(store.path))) as db:
        db.execute("UPDATE player_total SET total = total + 1, counted = counted + 1 WHERE user = ?", (BO,))
    (fault,) = (await store.audit(GUILD)).faults
    assert (fault.problem, fault.account, fault.chips) == (BookProblem.LEADERBOARD_DIFFERS, wallet_account(BO), 1)
