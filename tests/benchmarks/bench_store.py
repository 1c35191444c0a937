"""Measure durable actions per second through the real store, beside what the disk itself can do.

An action is what a call at the table writes: three small events, one transfer, one cause. Every table waits for its own commit before it
asks for the next, as a table does.

    python -m tests.benchmarks.bench_store [--seconds 3] [--folder WHERE] [--tables 1 10 100 1000]
    python -m tests.benchmarks.bench_store --postgresql [--turns 5]     SQLite and PostgreSQL in turns; the server in the temporary folder
    python -m tests.benchmarks.bench_store --postgresql --processes 2    the tables are shared out to so many dealers
    python -m tests.benchmarks.bench_store --postgresql --every 3        each table acts once in so many seconds
"""

import argparse
import asyncio
import itertools
import multiprocessing
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from bot.engine.events import ActionOn, BettingRoundClosed, Called
from bot.ledger.accounts import Transfer, TransferReason, mint_account, pot_account, seat_account, wallet_account
from bot.runtime.store_types import Cause, Commit, NewHand, NewTable
from bot.store.codec import EventCodec
from bot.store.engine import Engine
from bot.store.store import Store

TABLES = (1, 10, 100, 1_000)
PLAYERS = 6
FIRST_INTERACTION = 1_300_000_000_000_000_000  # interaction ids are snowflakes: long, and growing with time


def fsync_rate(folder: Path, seconds: float) -> float:
    """Return how many appends of 4 KiB are made durable one at a time per second: the best rate of a store without group commit."""
    page = os.urandom(4096)
    count = 0
    with (folder / "fsync.bin").open("wb", buffering=0) as file:
        begun = time.perf_counter()
        while time.perf_counter() - begun < seconds:
            file.write(page)
            os.fsync(file.fileno())
            count += 1
        return count / (time.perf_counter() - begun)


async def durable_actions(
    data: Path | Engine,
    tables: int,
    seconds: float,
    *,
    every: float = 0.0,
    others_ready: Callable[[], object] | None = None,
) -> tuple[float, list[float], int]:
    """Return actions per second at so many tables, each in its own server, every latency in ms, and how often a server was waited for.

    Args:
        every: a table begins its actions so many seconds apart; 0 for at once after each other.
        others_ready: waits until other processes have come as far.
    """
    store = Store(data, EventCodec(ActionOn | Called | BettingRoundClosed))
    await store.open()
    number = itertools.count(FIRST_INTERACTION)
    latencies: list[float] = []

    def cause(what: str) -> Cause:
        return Cause(str(next(number)), 1, 1_700_000_000_000, what)

    async def opened(guild: int) -> int:
        table = (await store.commit(Commit(guild=guild, cause=cause("open"), new_table=NewTable(guild, b"{}")))).table
        seated = [
            transfer
            for user in range(1, PLAYERS + 1)
            for transfer in (
                Transfer(mint_account(), wallet_account(user), 10**9, TransferReason.GRANT),
                Transfer(wallet_account(user), seat_account(table, user), 10**9, TransferReason.BUY_IN),
            )
        ]
        await store.commit(Commit(guild=guild, cause=cause("sit"), table=table, seq=1, transfers=tuple(seated)))
        return table

    async def play(guild: int, table: int, until: float) -> None:
        seq = 1
        due = until - seconds + every * guild / tables
        for turn in itertools.count():
            user = turn % PLAYERS
            if every:
                await asyncio.sleep(due - time.perf_counter())
                due += every
            begun = time.perf_counter()
            if begun >= until:
                return
            receipt = await store.commit(
                Commit(
                    guild=guild,
                    cause=cause("call"),
                    table=table,
                    seq=seq,
                    events=(Called(user, 100), BettingRoundClosed(), ActionOn((user + 1) % PLAYERS)),
                    transfers=(Transfer(seat_account(table, user + 1), pot_account(table), 100, TransferReason.BET),),
                )
            )
            latencies.append((time.perf_counter() - begun) * 1000)
            seq = receipt.seq

    try:
        ids = await asyncio.gather(*(opened(guild) for guild in range(1, tables + 1)))
        if others_ready is not None:
            await asyncio.to_thread(others_ready)
        trips_before = getattr(store.engine, "trips", 0)
        begun = time.perf_counter()
        await asyncio.gather(*(play(guild, table, begun + seconds) for guild, table in enumerate(ids, 1)))
        took = time.perf_counter() - begun
        trips = getattr(store.engine, "trips", 0) - trips_before
        sample = await store.audit(1)
        assert not sample.faults
    finally:
        await store.close()
    return len(latencies) / took, latencies, trips


def measure(folder: Path, seconds: float, tables: tuple[int, ...] = TABLES) -> dict[int, float]:
    """Print a line for each number of tables. Returns the actions per second by number of tables."""
    rates: dict[int, float] = {}
    print(f"\n{'tables':>6} {'actions/s':>10} {'× fsync':>8} {'median ms':>10} {'p99 ms':>8}")
    for count in tables:
        disk = fsync_rate(folder, min(1.0, seconds / 2))
        rate, latencies, _ = asyncio.run(durable_actions(folder / f"tables-{count}.db", count, seconds))
        latencies.sort()
        median, p99 = latencies[len(latencies) // 2], latencies[len(latencies) * 99 // 100]
        rates[count] = rate
        print(
            f"{count:>6,} {rate:>10,.0f} {rate / disk:>8.2f} {median:>10.2f} {p99:>8.2f}   (disk: {disk:,.0f} fsync/s)"
        )
    return rates


def measure_engines(
    folder: Path, seconds: float, tables: tuple[int, ...], turns: int, *, processes: int = 1, every: float = 0.0
) -> dict[int, float]:
    """Print a line for each number of tables: SQLite and PostgreSQL in turns. Returns the median of the ratios by number of tables.

    Args:
        processes: PostgreSQL's tables are shared out to so many, each with a schema of its own, as dealers are.
        every: see `durable_actions`.
    """
    from bot.store.postgres.engine import PostgresEngine
    from tests.support.postgres import postgres_server

    ratios: dict[int, float] = {}
    print(f"\n{'tables':>6} {'SQLite':>9} {'PostgreSQL':>11} {'ratio':>7} {'p99 ms':>15} {'trips an action':>16}")
    with postgres_server(fsync="on", full_page_writes="on") as address:
        for count in tables:
            rates: dict[str, list[float]] = {"SQLite": [], "PostgreSQL": []}
            slow: dict[str, list[float]] = {"SQLite": [], "PostgreSQL": []}
            trips: list[float] = []
            for turn in range(turns):
                file, schema = folder / f"{count}-{turn}.db", f"bench_{count}_{turn}"
                found = asyncio.run(durable_actions(file, count, seconds, every=every))
                _note(found, rates["SQLite"], slow["SQLite"])
                if processes > 1:
                    found = _in_processes(address, schema, folder, count, seconds, every, processes)
                else:
                    engine = PostgresEngine(address, schema, folder, lease=60)
                    found = asyncio.run(durable_actions(engine, count, seconds, every=every))
                _note(found, rates["PostgreSQL"], slow["PostgreSQL"])
                trips.append(found[2] / len(found[1]))
            both = zip(rates["PostgreSQL"], rates["SQLite"], strict=True)
            ratios[count] = statistics.median(other / sqlite for other, sqlite in both)
            median = {name: statistics.median(found) for name, found in rates.items()}
            p99 = " / ".join(f"{statistics.median(found):.1f}" for found in slow.values())
            print(
                f"{count:>6,} {median['SQLite']:>9,.0f} {median['PostgreSQL']:>11,.0f} {ratios[count]:>5.2f} ×"
                f" {p99:>15} {statistics.median(trips):>16.2f}"
            )
    return ratios


def _note(found: tuple[float, list[float], int], rates: list[float], slow: list[float]) -> None:
    """Add the actions per second and the slowest hundredth."""
    rate, latencies, _ = found
    rates.append(rate)
    slow.append(sorted(latencies)[len(latencies) * 99 // 100])


def _in_processes(
    address: str, schema: str, folder: Path, tables: int, seconds: float, every: float, processes: int
) -> tuple[float, list[float], int]:
    """Return what `durable_actions` does, of all processes together. They begin at the same moment."""
    spawn = multiprocessing.get_context("spawn")
    begin = spawn.Barrier(processes)
    with spawn.Pool(processes, _set_barrier, (begin,)) as pool:
        tasks = [
            (address, f"{schema}_{number}", folder, tables // processes, seconds, every) for number in range(processes)
        ]
        found = pool.starmap(_one_process, tasks, chunksize=1)
    return sum(one[0] for one in found), [ms for one in found for ms in one[1]], sum(one[2] for one in found)


_barrier: list[Barrier] = []


def _set_barrier(begin: Barrier) -> None:
    _barrier[:] = [begin]


def _one_process(
    address: str, schema: str, folder: Path, tables: int, seconds: float, every: float
) -> tuple[float, list[float], int]:
    from bot.store.postgres.engine import PostgresEngine

    engine = PostgresEngine(address, schema, folder, lease=60)
    return asyncio.run(durable_actions(engine, tables, seconds, every=every, others_ready=_barrier[0].wait))


async def restore(folder: Path, tables: int, commits: int = 12) -> tuple[float, float, int]:
    """Close a store with so many running hands and open it again. Returns ms to open, ms to read every table, bytes of the file."""
    store = Store(folder / "restore.db", EventCodec(ActionOn | Called | BettingRoundClosed))
    await store.open()

    async def play(guild: int) -> None:
        opens = NewTable(guild, b"{}")
        table = (await store.commit(Commit(guild=guild, cause=Cause(f"o{guild}", 1, 0, "open"), new_table=opens))).table
        for turn in range(commits):
            await store.commit(
                Commit(
                    guild=guild,
                    cause=Cause(f"{guild}-{turn}", 1, 0, "call"),
                    table=table,
                    seq=1 + 3 * turn,
                    events=(Called(1, 100), BettingRoundClosed(), ActionOn(2)),
                    new_hand=None if turn else NewHand(1, b"n" * 16),
                    saved_state=None if turn else b"s" * 2_000,
                )
            )

    await asyncio.gather(*(play(guild) for guild in range(1, tables + 1)))
    await store.close()
    begun = time.perf_counter()
    await store.open()
    opened = time.perf_counter()
    saved = await store.open_tables()
    read = time.perf_counter()
    assert len(saved) == tables
    assert all(len(one.events) == 3 * (commits - 1) for one in saved)
    size = store.path.stat().st_size
    await store.close()
    return (opened - begun) * 1000, (read - opened) * 1000, size


def measure_restore(folder: Path, tables: int = 1_000) -> None:
    opened, read, size = asyncio.run(restore(folder, tables))
    print(
        f"{tables:,} hands in play, {size / 1e6:.1f} MB: opened and checked in {opened:,.0f} ms, read in {read:,.0f} ms"
    )


@pytest.mark.bench
@pytest.mark.postgresql
def test_durable_actions_of_both_engines(tmp_path: Path) -> None:
    measure_engines(tmp_path, 3, TABLES, 5)


@pytest.mark.bench
def test_durable_actions(tmp_path: Path) -> None:
    measure(tmp_path, 3)
    measure_restore(tmp_path)


def main() -> None:
    request = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    request.add_argument("--seconds", type=float, default=3, help="for each number of tables")
    request.add_argument(
        "--folder", type=Path, help="on the disk to be measured; default: the system's temporary folder"
    )
    request.add_argument("--tables", type=int, nargs="+", default=TABLES)
    request.add_argument("--postgresql", action="store_true", help="compare both engines")
    request.add_argument("--turns", type=int, default=5, help="so often each engine is measured")
    request.add_argument("--processes", type=int, default=1, help="of PostgreSQL, which share the tables")
    request.add_argument("--every", type=float, default=0.0, help="seconds between the actions of a table")
    given = request.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        if given.postgresql:
            sizes = tuple(given.tables)
            measure_engines(
                Path(folder), given.seconds, sizes, given.turns, processes=given.processes, every=given.every
            )
            return
        measure(Path(folder), given.seconds, tuple(given.tables))
        measure_restore(Path(folder))


if __name__ == "__main__":
    main()
