"""Measure the whole path of an action: decided by the engine, saved durably, remembered and shown; memory per table; restoring open hands.

Every table is played to the end of hand after hand by six players who check, call, bet and fold; each waits for their own answer before
the next one acts, as at a table. Deals are saved too and not counted.

    python -m tests.benchmarks.bench_runtime [--seconds 3] [--folder WHERE] [--tables 1 10 100 1000] [--open 200 1000]
"""

import argparse
import asyncio
import gc
import itertools
import random
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.engine import commands as c
from bot.engine.decide import legal
from bot.engine.stakes import Stakes
from bot.ledger.accounts import Transfer, TransferReason, mint_account, wallet_account
from bot.runtime.journal import JournalEvent
from bot.runtime.request import Request
from bot.runtime.session import TableSession
from bot.runtime.snapshot import TableUpdate
from bot.runtime.store_types import Cause, Commit
from bot.runtime.tables import Tables
from bot.store.codec import EventCodec
from bot.store.store import Store
from bot.table.commands import TakeSeat, TopUp
from bot.table.settings import TableSettings
from bot.variants import game
from tests.benchmarks.bench_store import fsync_rate

TABLES = (1, 10, 100, 1_000)
OPEN = (200, 1_000)
PLAYERS = 6
STACK = 20_000
MASTER = b"m" * 32
CARD = game("holdem")
SETTINGS = TableSettings(
    rule_card=CARD, options=CARD.options, stakes=Stakes(small_blind=50, big_blind=100, turn_seconds=30, bank_seconds=60), pause_seconds=0
)  # fmt: skip


class House:
    """Tables on a store, each in its own server, with six players who have enough chips."""

    def __init__(self, folder: Path, name: str) -> None:
        self.path = folder / f"{name}.db"
        self.dealt: dict[int, asyncio.Event] = {}
        self.changes = 0
        self._number = itertools.count(1_300_000_000_000_000_000)

    async def begin(self) -> None:
        await self.open_store()
        await self.take_up()

    async def open_store(self) -> None:
        self.store = Store(self.path, EventCodec(JournalEvent))
        await self.store.open()

    async def take_up(self) -> None:
        self.tables = Tables(self.store, MASTER, on_update=self._shown, rng=random.Random(1))
        await self.tables.restore()

    async def end(self) -> None:
        await self.tables.drain()
        await self.store.close()

    def _shown(self, update: TableUpdate) -> None:
        self.changes += 1
        if update.snapshot.hand_running and update.snapshot.id in self.dealt:
            self.dealt[update.snapshot.id].set()

    def asked(self, guild: int, user: int, table: int = 0, channel: int = 0) -> Request:
        return Request(
            key=str(next(self._number)), guild=guild, channel=channel or guild, user=user, name=f"Player {user}", table=table
        )  # fmt: skip

    async def open(
        self, guild: int, settings: TableSettings = SETTINGS, *, channel: int = 0, first_user: int = 0
    ) -> int:
        """Open a table with everybody seated, by default people who play in no other server. Returns its id."""
        first_user = first_user or guild * PLAYERS
        users = range(first_user, first_user + PLAYERS)
        outcome = await self.tables.open(self.asked(guild, first_user, channel=channel), settings)
        table = outcome.snapshot.id
        self.dealt[table] = asyncio.Event()
        chips = tuple(Transfer(mint_account(), wallet_account(user), 10**9, TransferReason.GRANT) for user in users)
        await self.store.commit(Commit(guild=guild, cause=Cause(f"chips{table}", 0, 0, "chips"), transfers=chips))
        for seat_number, user in enumerate(users, 1):
            await self.tables.ask(self.asked(guild, user, table), TakeSeat(user, f"P{user}", STACK, seat_number))
        return table

    def session(self, table: int) -> TableSession:
        return self.tables._sessions[table]

    async def hand_begins(self, table: int) -> None:
        """Wait for the next hand. Players without chips buy in again."""
        standing = self.session(table).state
        place = self.session(table).address
        for seat in standing.table.seats:
            if not seat.stack:
                await self.tables.ask(self.asked(place.guild, seat.player, table), TopUp(seat.player, STACK))
        while not self.tables.snapshot(table).hand_running:
            self.dealt[table].clear()
            if not self.tables.snapshot(table).hand_running:
                await self.dealt[table].wait()

    async def act(self, table: int, choose: Callable[[], float]) -> None:
        """Let the player to act do something lawful."""
        session = self.session(table)
        standing = session.state
        hand, due = standing.hand, standing.current_turn
        assert hand is not None and due is not None
        may = legal(hand, hand.to_act)
        at = choose()
        command: c.HandCommand
        if may.check:
            command = (
                c.Check()
                if at < 0.65 or not may.max_to
                else c.Bet(may.min_to)
                if may.opening
                else c.RaiseTo(may.min_to)
            )
        elif at < 0.22:
            command = c.Fold()
        else:
            command = c.Call() if at < 0.85 or not may.max_to else c.RaiseTo(may.min_to)
        await self.tables.ask(self.asked(session.address.guild, due.user, table), command)


async def durable_actions(folder: Path, count: int, seconds: float) -> tuple[float, list[float]]:
    """Return actions per second at so many tables, and every latency in ms."""
    house = House(folder, f"runtime-{count}")
    await house.begin()
    latencies: list[float] = []

    async def play(table: int, until: float) -> None:
        choose = random.Random(table).random
        while True:
            await house.hand_begins(table)
            while house.session(table).state.current_turn is not None:
                begun = time.perf_counter()
                if begun >= until:
                    return
                await house.act(table, choose)
                latencies.append((time.perf_counter() - begun) * 1000)

    try:
        tables = await asyncio.gather(*(house.open(guild) for guild in range(1, count + 1)))
        gc.collect()
        begun = time.perf_counter()
        await asyncio.gather(*(play(table, begun + seconds) for table in tables))
        took = time.perf_counter() - begun
        assert not await house.tables.audit(1)
    finally:
        await house.end()
    return len(latencies) / took, latencies


def measure(folder: Path, seconds: float, tables: tuple[int, ...] = TABLES) -> dict[int, float]:
    """Print a line for each number of tables. Returns the actions per second by number of tables."""
    rates: dict[int, float] = {}
    print(f"\n{'tables':>6} {'actions/s':>10} {'× fsync':>8} {'median ms':>10} {'p99 ms':>8}")
    for count in tables:
        disk = fsync_rate(folder, min(1.0, seconds / 2))
        rate, latencies = asyncio.run(durable_actions(folder, count, seconds))
        latencies.sort()
        median, p99 = latencies[len(latencies) // 2], latencies[len(latencies) * 99 // 100]
        rates[count] = rate
        print(
            f"{count:>6,} {rate:>10,.0f} {rate / disk:>8.2f} {median:>10.2f} {p99:>8.2f}   (disk: {disk:,.0f} fsync/s)"
        )
    return rates


async def _open_hands(house: House, count: int) -> list[int]:
    """Return a number of tables with a hand on its flop or near it."""
    tables = await asyncio.gather(*(house.open(guild) for guild in range(1, count + 1)))

    async def play(table: int) -> None:
        await house.hand_begins(table)
        for _ in range(6):
            if house.session(table).state.current_turn is not None:
                await house.act(table, lambda: 0.5)

    await asyncio.gather(*(play(table) for table in tables))
    return list(tables)


async def memory_per_table(folder: Path, count: int) -> float:
    """Return the KiB of a live table with six players and a running hand, the store's memory of its accounts included."""
    house = House(folder, "memory")
    await house.begin()
    await house.open(10**6)  # whatever is made once is made now
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    await _open_hands(house, count)
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    await house.end()
    return (after - before) / count / 1024


async def restore_time(folder: Path, count: int) -> float:
    """Return the ms from a killed dealer's start until all hands go on: store open, decks derived, chips compared, clocks running."""
    house = House(folder, "restore")
    await house.begin()
    tables = await _open_hands(house, count)
    running = sum(house.tables.snapshot(table).hand_running for table in tables)
    await house.store.close()  # nothing else: no drain
    again = House(folder, "restore")
    begun = time.perf_counter()
    await again.begin()
    took = (time.perf_counter() - begun) * 1000
    assert sum(now.hand_running for now in again.tables.all_tables()) == running
    await again.end()
    return took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--tables", type=int, nargs="+", default=list(TABLES))
    parser.add_argument(
        "--open", type=int, nargs=2, default=OPEN, help="how many tables are weighed, and how many hands restored"
    )
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
        report(Path(folder), chosen.seconds, tuple(chosen.tables), tuple(chosen.open))


def report(
    folder: Path, seconds: float, tables: tuple[int, ...] = TABLES, counts: tuple[int, ...] = OPEN
) -> dict[int, float]:
    rates = measure(folder, seconds, tables)
    weighed, restored = counts
    print(f"memory per live table: {asyncio.run(memory_per_table(folder, weighed)):.1f} KiB")
    print(f"{restored:,} open hands restored in {asyncio.run(restore_time(folder, restored)):,.0f} ms")
    return rates


@pytest.mark.bench
def test_actions_through_the_runtime(tmp_path: Path) -> None:
    rates = report(tmp_path, 2.0)
    assert rates[100] > 0


if __name__ == "__main__":
    main()
