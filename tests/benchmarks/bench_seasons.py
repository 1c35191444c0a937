"""Measure what the end of a season costs everybody else, in a server with many wallets.

Somebody buys in and cashes out, as fast as it is saved, and somebody reads a wallet and the leaderboard. It prints how long
those saves and reads took without a season's end, while everybody kept their chips, and while all chips changed; and the longest time that
one piece of work held the writing connection.

    python -m tests.benchmarks.bench_seasons [--wallets 10000] [--pairs 10] [--at-once 10000] [--folder FOLDER]

With `--at-once` as large as the server, all is written at once.
"""

import argparse
import asyncio
import itertools
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from bot.engine.events import Checked
from bot.house.seasons import SeasonChips
from bot.ledger.accounts import TransferReason, mint_account, seat_account, transfers_for, wallet_account
from bot.operation.runner import freeze_gc, let_threads_take_turns, run_event_loop
from bot.runtime.staff_log_types import StaffLogEntry, StaffLogKind
from bot.runtime.store_types import Cause, Commit, SeasonEnd
from bot.statistics.seasons import Season, SeasonResult
from bot.store import season_resets, seasons
from bot.store.connection import connect
from bot.store.store import Store
from tests.benchmarks.bench_deletion import Writes
from tests.store.desk import ANN, GUILD, Desk, sqlite_store
from tests.support.loop_meter import LoopMeter, percentile

FIRST = 1_574_118_484_827_176_960
WALLET = 20_000


async def fill(store: Store, wallets: int, pairs: int) -> None:
    """Give everybody chips, and let everybody have won from so many others."""
    for first in range(0, wallets, 1_000):
        users = range(FIRST + first, FIRST + min(first + 1_000, wallets))
        granted = [
            part
            for user in users
            for part in transfers_for(mint_account(), wallet_account(user), WALLET + user % 977, TransferReason.GRANT)
        ]
        cause = Cause(f"fill{first}", 0, 1, "grant")
        await store.commit(Commit(guild=GUILD, cause=cause, transfers=tuple(granted)))
    with closing(connect(str(store.path))) as db:
        db.execute("BEGIN")
        for at in range(wallets):
            rows = [(GUILD, FIRST + at, FIRST + (at + 1 + other) % wallets, 100 + other) for other in range(pairs)]
            db.executemany("INSERT OR REPLACE INTO flow VALUES (?, ?, ?, ?)", rows)
        db.execute("COMMIT")


class Beside:
    """What others do meanwhile: one plays, one reads."""

    def __init__(self, store: Store, wallets: int) -> None:
        self.store, self.desk, self.wallets = store, Desk(store), wallets
        self.times: dict[str, list[float]] = {"save": [], "wallet": [], "board": []}
        self.table = 0
        self.is_over = False

    async def open(self) -> None:
        self.table = await self.desk.open(1)
        await self.desk.sit(self.table, ANN, 10**9)

    async def timed(self, kind: str, work: Awaitable[Any]) -> None:
        begun = time.perf_counter()
        await work
        self.times[kind].append((time.perf_counter() - begun) * 1000)

    async def play(self) -> None:
        for at in itertools.count():
            if self.is_over:
                return
            user = FIRST + at * 7_919 % self.wallets
            seat, wallet = seat_account(self.table, user), wallet_account(user)
            for ends, reason in (((wallet, seat), TransferReason.BUY_IN), ((seat, wallet), TransferReason.CASH_OUT)):
                moved = transfers_for(*ends, 10, reason)
                commit = self.desk.acted(self.table, Checked(0), transfers=moved)
                await self.timed("save", self.desk.save(commit))
                await asyncio.sleep(0.001)

    async def read(self) -> None:
        for at in itertools.count():
            if self.is_over:
                return
            await self.timed("wallet", self.store.holdings(GUILD, FIRST + at * 104_729 % self.wallets))
            if not at % 10:
                await self.timed("board", self.store.leaderboard(GUILD, user=FIRST))
            await asyncio.sleep(0.002)


def season(number: int, closed_at: int = 0) -> Season:
    return Season(GUILD, number, "", number * 10, number * 10 + 5, closed_at=closed_at)


async def close_season(store: Store, number: int, chips: SeasonChips, wallets: int) -> float:
    """Close a season with a result for everybody. Returns how long that took, in ms."""
    await store.commit(Commit(guild=GUILD, cause=Cause(f"open{number}", 0, 1, "season"), season=season(number)))
    results = tuple(SeasonResult(FIRST + at, at + 1, 30, 1_000 - at) for at in range(wallets))
    end = SeasonEnd(
        season=season(number, number * 10 + 6),
        results=results,
        cause=Cause(f"close{number}", 0, 1, "season closed"),
        staff_log=StaffLogEntry(kind=StaffLogKind.SEASON_CLOSED, season=number),
        chips=chips,
    )
    begun = time.perf_counter()
    await store.close_season(end)
    return (time.perf_counter() - begun) * 1000


async def measure(folder: Path, wallets: int, pairs: int) -> None:
    let_threads_take_turns()
    store = sqlite_store(folder)
    await store.open()
    await fill(store, wallets, pairs)
    beside, writes = Beside(store, wallets), Writes()
    await beside.open()
    await store.finish_spare_time_work()
    freeze_gc()
    assert store._write_connection is not None
    writes.watch(store._write_connection)

    async def nothing() -> str:
        await asyncio.sleep(1.0)
        return ""

    def closes(number: int, chips: SeasonChips) -> Callable[[], Awaitable[str]]:
        async def work() -> str:
            closed = await close_season(store, number, chips, wallets)
            begun = time.perf_counter()
            if store._resets:
                await asyncio.wait(store._resets.values())
            return f"closed in {closed:.0f} ms, written {(time.perf_counter() - begun) * 1000:.0f} ms later"

        return work

    print(f"{wallets:,} wallets, {wallets * pairs:,} pairs. In ms: median / longest (in processor time)")
    print(f"{'':<24} {'save':>14} {'wallet':>14} {'leaderboard':>14} {'writer':>14} {'loop':>14}")
    for name, work in (
        ("no season ends", nothing),
        ("all keep their chips", closes(1, SeasonChips())),
        ("half is carried over", closes(2, SeasonChips(carried=50))),
        ("all start with 5,000", closes(3, SeasonChips(start=5_000))),
    ):
        for times in beside.times.values():
            times.clear()
        writes.held.clear()
        beside.is_over = False
        others = [asyncio.create_task(one) for one in (beside.play(), beside.read())]
        async with LoopMeter() as meter:
            told = await work()
        beside.is_over = True
        await asyncio.gather(*others)
        held, used = zip(*writes.held, strict=True)
        told_times = " ".join(f"{spread(times):>14}" for times in (*beside.times.values(), held))
        longest = f"{meter.longest_ms:.1f} ({meter.longest_cpu_ms:.1f})"
        print(f"{name:<24} {told_times} {longest:>14}   writer's processor {max(used):.1f}; {told}", flush=True)
    audit = await store.audit(GUILD)
    assert audit.faults == ()
    print(f"The books agree; {audit.wallets:,} chips in wallets.")
    await store.close()


def spread(times: Any) -> str:
    return f"{percentile(list(times), 50):.1f} / {max(times):.1f}" if times else "-"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wallets", type=int, default=10_000)
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument(
        "--at-once",
        type=int,
        default=0,
        help="people whose chips change in one transaction; default: as the store does",
    )
    parser.add_argument(
        "--folder", type=Path, help="on the disk to be measured; default: the system's temporary folder"
    )
    chosen = parser.parse_args()
    if chosen.at_once:
        season_resets.PEOPLE_AT_ONCE = seasons.RESULTS_AT_ONCE = chosen.at_once
        season_resets.PAIRS_AT_ONCE = chosen.at_once * chosen.pairs * 2
    with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
        run_event_loop(measure(Path(folder), chosen.wallets, chosen.pairs))


if __name__ == "__main__":
    main()
