"""Measure what a big house costs those who play in it: a database of many transfers and players, with running hands at many tables.

Beside each long query people ask for their balance and act at the tables. A line tells how long the query took, the longest time that the
event loop was held, and how long balances and clicks took. The loop is looked at every millisecond: what is called a hold is how much too
late that was, so another busy process counts too; in brackets stands the most processor time the loop itself used in between.

    python -m tests.benchmarks.bench_queries [--transfers 1000000] [--players 10000] [--tables 1000] [--passes 3] [--data FOLDER]

Before that it measures how leaderboards grow, from ten thousand people to a million: that of everybody's chips, and the pages that players
see, which list those with enough hands. Only that: `--growth`. It says MISSED where an exponent is above the goal.
"""

import argparse
import asyncio
import gc
import random
import sqlite3
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, closing
from functools import partial
from pathlib import Path

from bot.backups import run_drill
from bot.engine.refusals import NotYourTurn
from bot.house.rules import HouseRules
from bot.ledger.accounts import Book
from bot.operation.runner import freeze_gc, let_threads_take_turns, postpone_gc, run_event_loop
from bot.runtime.bank import Bank
from bot.runtime.clock import SystemClock
from bot.runtime.journal import JournalEvent
from bot.runtime.listed_people import ListedPeople
from bot.runtime.request import Request
from bot.runtime.statistics_events import statistics_decoder
from bot.runtime.store_types import Cause, Commit
from bot.statistics.types import CountedChips, RankingOrder, RankingQuery, Scope
from bot.store.backup import copy_data, put_back
from bot.store.board import EVERYBODY, LISTED_PEOPLE, split_full_blocks
from bot.store.codec import EventCodec
from bot.store.connection import connect
from bot.store.database import Database
from bot.store.migrate import apply_migrations, migrations
from bot.store.queries import leaderboard
from bot.store.seasons import season_results_page, season_winners
from bot.store.statistics.keeper import create_file
from bot.store.statistics.statistics import Statistics
from bot.store.store import Store
from tests.benchmarks.bench_runtime import House
from tests.benchmarks.exponents import GOAL_EXPONENT, slope
from tests.support.loop_meter import LoopMeter, percentile

GUILD = 1
STEP = 4_194_304
"""Between the ids of two people."""
CLOSED_TABLES = 1_000
"""The tables at which the transfers were played, ten people at each."""
SECONDS = 1.0
"""A short query is asked again and again for so long."""
CODEC = EventCodec(JournalEvent)

_HISTORY = (
    # everybody is granted chips and sits down; then each pair of transfers is a bet and its winning
    "INSERT INTO guild (id, tables) VALUES (:guild, :tables)",
    """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :tables)
    INSERT INTO card_table (id, guild, number, channel, settings, state, opened_at, closed_at)
    SELECT i, :guild, i, i, x'', 'closed', 1, 2 FROM n
    """,
    """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :causes)
    INSERT INTO cause (id, key, guild, who, at, what, table_id, number, seq)
    SELECT i, 1300000000000000000 + i * 7919, :guild, 1, 1700000000000 + i, 'call', 0, 0, 0 FROM n
    """,
    """
    WITH RECURSIVE n(u) AS (SELECT 1 UNION ALL SELECT u + 1 FROM n WHERE u < :players)
    INSERT INTO transfer SELECT :guild, u, 0, 1000000, 'grant', 1, 0, 0, 3, 0, u, '', 3, u FROM n
    UNION ALL SELECT :guild, u, 1, 100000 + u % 977, 'buy-in', 3, 0, u, 4, u % :tables + 1, u, '', 3, u FROM n
    """,
    """
    WITH RECURSIVE n(i) AS (SELECT :players + 1 UNION ALL SELECT i + 1 FROM n WHERE i < :causes), bet(i, u, chips) AS (
        SELECT i, i * 31 % :players + 1, 1 + i * 7919 % 100 FROM n
    )
    INSERT INTO transfer
    SELECT :guild, i, 0, chips, 'bet', 4, u % :tables + 1, u, 5, u % :tables + 1, 0, '', 0, 0 FROM bet UNION ALL
    SELECT :guild, i, 1, chips, 'won', 5, u % :tables + 1, 0, 4, u % :tables + 1, (u + :tables - 1) % :players + 1, '', 0, 0 FROM bet
    """,
    """
    INSERT INTO balance (guild, kind, table_id, user, chips)
    SELECT :guild, kind, at, user, sum(chips) FROM (
        SELECT debit_kind AS kind, debit_table AS at, debit_user AS user, -chips AS chips FROM transfer
        UNION ALL SELECT credit_kind, credit_table, credit_user, chips FROM transfer
    ) GROUP BY 2, 3, 4
    """,
    """
    INSERT INTO claim (guild, book, user, granted_at, day, streak, relief_at)
    SELECT :guild, 0, user, 1, -1, 0, 0 FROM balance WHERE kind = 3
    """,
    """
    INSERT INTO player_total (guild, book, user, total, counted)
    SELECT :guild, 0, user, sum(chips), sum(chips) FROM balance WHERE kind IN (3, 4) GROUP BY user
    """,
)


def write_history(path: Path, transfers: int, players: int) -> None:
    """Write a server's books into a new file, straight by SQL: they agree, and nobody owes anything."""
    with closing(connect(str(path))) as db:
        db.execute("PRAGMA journal_mode = WAL").fetchall()
        db.execute("PRAGMA synchronous = OFF")
        apply_migrations(db, path, migrations())
        db.execute("BEGIN")
        tables = max(1, min(CLOSED_TABLES, players // 10))
        numbers = {"guild": GUILD, "tables": tables, "players": players, "causes": transfers // 2}
        for statement in _HISTORY:
            db.execute(statement, numbers)
        db.execute("COMMIT")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


class BigHouse(House):
    """A house whose tables are all in one server, with its bank."""

    async def take_up(self) -> None:
        await super().take_up()
        self.bank = Bank(self.store, self.tables, SystemClock())

    async def open_hands(self, count: int, players: int) -> None:
        """Open tables and play each one's first hand as far as the flop, or near it."""

        async def play(number: int) -> None:
            table = await self.open(GUILD, channel=10_000 + number, first_user=number * 6 % max(1, players - 5) + 1)
            await self.hand_begins(table)
            for _ in range(6):
                if self.session(table).state.current_turn is not None:
                    await self.act(table, lambda: 0.5)

        for start in range(0, count, 50):
            await asyncio.gather(*(play(number) for number in range(start, min(start + 50, count))))

    def staff(self) -> Request:
        return Request(key="", guild=GUILD, channel=0, user=1, staff=True)


class Beside:
    """People who ask for their balance, and people who act at the tables."""

    def __init__(self, house: BigHouse, players: int, rng: random.Random) -> None:
        self._house, self._players, self._rng = house, players, rng
        self.balances: list[float] = []
        self.clicks: list[float] = []

    async def ask_for_balances(self) -> None:
        while True:
            begun = time.perf_counter()
            await self._house.bank.holdings(GUILD, self._rng.randrange(1, self._players + 1))
            self.balances.append((time.perf_counter() - begun) * 1000)
            await asyncio.sleep(0.005)

    async def click(self) -> None:
        tables = [snapshot.id for snapshot in self._house.tables.all_tables()]
        while tables:
            await asyncio.sleep(0.005)
            table = self._rng.choice(tables)
            if self._house.session(table).state.current_turn is not None:
                begun = time.perf_counter()
                try:
                    await self._house.act(table, self._rng.random)
                except NotYourTurn:  # the clock has acted for them meanwhile
                    continue
                self.clicks.append((time.perf_counter() - begun) * 1000)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(work()) for work in (self.ask_for_balances, self.click)]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            for ended in await asyncio.gather(*tasks, return_exceptions=True):
                if not isinstance(ended, asyncio.CancelledError):
                    raise AssertionError("somebody could not ask or click") from ended  # type: ignore[misc]


HEAD = f"{'':<34} {'seconds':>8} {'hold ms':>16} {'balance p50/p99/max ms':>24} {'click p50/p99/max ms':>24}"


async def measure_beside(
    house: BigHouse, players: int, passes: int, name: str, query: Callable[[], Awaitable[object]]
) -> None:
    """Print a line about a query while people ask for balances and click; a short query is repeated."""
    best: tuple[float, str] | None = None
    for number in range(passes):
        beside = Beside(house, players, random.Random(f"{name} {number}"))
        gc.collect()
        times: list[float] = []
        async with beside.running(), LoopMeter() as meter:
            until = time.perf_counter() + SECONDS
            while not times or time.perf_counter() < until:
                begun = time.perf_counter()
                await query()
                times.append(time.perf_counter() - begun)
                await asyncio.sleep(0.005)
        hold = f"{meter.longest_ms:.1f} ({meter.longest_cpu_ms:.1f})"
        line = f"{name:<34} {max(times):>8.3f} {hold:>16} {_spread(beside.balances):>24} {_spread(beside.clicks):>24}"
        best = min(best or (meter.longest_ms, line), (meter.longest_ms, line))
    assert best is not None
    print(best[1], flush=True)


def _spread(latencies: list[float]) -> str:
    if not latencies:
        return "-"
    return f"{percentile(latencies, 50):.1f} / {percentile(latencies, 99):.1f} / {max(latencies):.1f}"


def write_wallets(path: Path, wallets: int) -> None:
    """Write a server's wallets into a new file; a fifth of its people have what everybody is granted."""
    rng = random.Random(1)
    with closing(connect(str(path))) as db:
        db.execute("PRAGMA journal_mode = OFF").fetchall()
        db.execute("PRAGMA synchronous = OFF")
        apply_migrations(db, path, migrations())
        db.execute("BEGIN")
        for first in range(1, wallets + 1, 1_000):
            some = [
                (GUILD, user * STEP, 10_000 if rng.random() < 0.2 else int(rng.lognormvariate(9, 1.5)))
                for user in range(first, min(first + 1_000, wallets + 1))
            ]
            db.executemany('INSERT INTO balance (guild, kind, table_id, "user", chips) VALUES (?, 3, 0, ?, ?)', some)
            db.executemany(
                'INSERT INTO player_total (guild, book, "user", total, counted) VALUES (?, 0, ?, ?, ?)',
                [(*one, one[-1]) for one in some],
            )
            split_full_blocks(db, EVERYBODY, LISTED_PEOPLE)
        db.execute("COMMIT")


def write_standings(path: Path, people: int) -> None:
    """Write into a new statistics file how many hands the people of those wallets have played, and what they won: a third of them have
    played enough for the leaderboards, and many have won as much as somebody else."""
    rng = random.Random(2)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        create_file(db)
        db.execute("BEGIN")
        db.execute("INSERT INTO server (id, guild) VALUES (1, ?)", (GUILD,))
        for person in range(1, people + 1):
            hands = int(5 * rng.paretovariate(0.8))
            net = 50 * int(rng.gauss(0, 2) * hands)
            db.execute('INSERT INTO person (id, server, chips, "user") VALUES (?, 1, 0, ?)', (person, person * STEP))
            db.execute("INSERT INTO standing VALUES (1, 0, 0, 0, 0, ?, ?, ?, ?)", (person, hands, net, net))
        db.execute("COMMIT")


def measure_growth(folder: Path, sizes: Sequence[int]) -> bool:
    """Print what leaderboards cost by how many people a server has. Returns whether each exponent is within the goal."""
    everybody: dict[str, list[float]] = {}
    results: dict[str, list[float]] = {}
    shown: dict[str, list[float]] = {}
    for size in sizes:
        data, statistics = folder / f"wallets_{size}.db", folder / f"statistics_{size}.db"
        write_wallets(data, size)
        with closing(connect(str(data))) as db:
            for name, offset, user in places(size, size // 3 * STEP):

                def ask() -> None:
                    board = leaderboard(db, GUILD, offset=offset, limit=10, user=user, book=Book.PEOPLE)  # noqa: B023
                    assert board.players == size and len(board.lines) == 10 and bool(board.own) == bool(user)  # noqa: B023

                everybody.setdefault(name, []).append(cost(ask))
            for name, milliseconds in measure_results(db, size).items():
                results.setdefault(name, []).append(milliseconds)
        write_standings(statistics, size)
        for name, milliseconds in asyncio.run(measure_shown(data, statistics)).items():
            shown.setdefault(name, []).append(milliseconds)
        data.unlink()
        statistics.unlink()
    held = report_growth("the leaderboard of everybody, ms of CPU", sizes, everybody)
    held &= report_growth("results of a season that is over, ms of CPU", sizes, results)
    return report_growth("what players see, ms of CPU", sizes, shown) and held


def places(people: int, user: int) -> tuple[tuple[str, int, int], ...]:
    """Return which pages are asked for: a name, the first line and whose rank is asked for."""
    return (
        ("first page", 0, 0),
        ("page in the middle", people // 2, 0),
        ("last page", people - 10, 0),
        ("first page and one's own rank", 0, user),
    )


def cost(ask: Callable[[], object]) -> float:
    """Return the ms of processor time that it takes, half of the times within."""
    costs: list[float] = []
    while len(costs) < 5 or (len(costs) < 100 and sum(costs) < 1):
        began = time.thread_time()
        ask()
        costs.append(time.thread_time() - began)
    return 1000 * percentile(costs, 50)


def measure_results(db: Database, people: int) -> dict[str, float]:
    """Return the ms of processor time of pages of the results of a season that is over, by name. Half of the people had too few hands."""
    found: dict[str, float] = {}
    with db.transaction():
        db.execute("INSERT INTO season VALUES (?, 1, '', 1, 2, 0, 'net', 20, 0, NULL)", (GUILD,))
        db.executemany(
            'INSERT INTO season_result (guild, season, "user", rank, hands, net, line) VALUES (?, 1, ?, ?, 30, 0, ?)',
            [(GUILD, line * STEP, line if 2 * line <= people else 0, line) for line in range(1, people + 1)],
        )
        db.execute("UPDATE season SET closed_at = 3")
    for name, offset, user in places(people, people // 3 * STEP):

        def ask() -> None:
            page = season_results_page(db, GUILD, 1, offset=offset, user=user)  # noqa: B023
            assert (page.players, len(page.results)) == (people, 10) and bool(page.own) == bool(user)  # noqa: B023

        found[name] = cost(ask)
    return found | {"the hall of fame": cost(lambda: season_winners(db, GUILD))}


async def measure_shown(data: Path, file: Path) -> dict[str, float]:
    """Return the ms of processor time of the pages of `/stats page:leaderboard`, by name, where a third of the people have played enough.

    It says how long it took until the marks and rankings were kept that make them cheap.
    """
    store, statistics = Store(data, CODEC), Statistics(file, data, statistics_decoder(), now=SystemClock().now)
    await store.open()
    await statistics.open()
    listed, ranking_hands = ListedPeople(store, statistics), HouseRules().ranking_hands
    try:
        began, cpu = time.perf_counter(), time.process_time()
        enough = await listed.named(GUILD, ranking_hands) or ()
        for order in RankingOrder:
            await statistics.ranking(RankingQuery(GUILD, Scope(), order, ranking_hands))
        await listed.wait_until_idle()
        await statistics.wait_until_idle()
        people = await statistics.people_with_hands(GUILD, CountedChips.SERVER, ranking_hands) or ()
        seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
        print(
            f"{len(people):,} people with enough hands: kept after {seconds:.1f} s, {cpu:.1f} s of processor time",
            flush=True,
        )

        async def chips_page(offset: int, user: int) -> None:
            await statistics.hands_of(GUILD, user, CountedChips.SERVER)
            named = await listed.named(GUILD, ranking_hands)
            board = await store.leaderboard(GUILD, offset=offset, user=user, among=named, only_listed=named is None)
            assert (board.players, len(board.lines)) == (len(people), 10) and bool(board.own) == bool(user)

        async def ranking_page(order: RankingOrder, offset: int, user: int) -> None:
            found = await statistics.ranking(RankingQuery(GUILD, Scope(), order, ranking_hands, offset, 10, user))
            assert (found.players, len(found.lines)) == (len(people), 10) and bool(found.own) == bool(user)

        found: dict[str, float] = {}
        for name, offset, user in places(len(people), enough[len(enough) // 3]):
            found[f"by chips: {name}"] = await cost_of(lambda: chips_page(offset, user))  # noqa: B023
            for order in RankingOrder:
                ask = partial(ranking_page, order, offset, user)
                found[f"by {order.value}: {name}"] = await cost_of(ask)
        return found
    finally:
        await listed.close()
        await statistics.close()
        await store.close()


async def cost_of(ask: Callable[[], Awaitable[object]]) -> float:
    """Return the ms of processor time that it takes in all threads, half of the times within."""
    costs: list[float] = []
    while len(costs) < 5 or (len(costs) < 100 and sum(costs) < 1):
        began = time.process_time()
        await ask()
        costs.append(time.process_time() - began)
    return 1000 * percentile(costs, 50)


def report_growth(title: str, sizes: Sequence[int], found: dict[str, list[float]]) -> bool:
    """Print costs by size. Returns whether each exponent is within the goal."""
    head = "".join(f"{size:>12,}" for size in sizes)
    print(f"{title:<46}{head}{'exponent':>10}")
    held = True
    for name, costs in found.items():
        exponent = slope(sizes, costs)
        held &= exponent <= GOAL_EXPONENT
        missed = " MISSED" if exponent > GOAL_EXPONENT else ""
        print(f"  {name:<44}" + "".join(f"{ms:>12.2f}" for ms in costs) + f"{exponent:>10.2f}{missed}")
    print(f"goal: at most {GOAL_EXPONENT}\n", flush=True)
    return held


async def measure_restart(folder: Path) -> BigHouse:
    """Print how long a killed dealer's start takes until all hands go on. Returns the house, which runs."""
    house = BigHouse(folder, "cardroom")
    postpone_gc()
    async with LoopMeter() as meter:
        begun = time.perf_counter()
        await house.open_store()
        opened, cpu = time.perf_counter(), time.process_time()
        await house.take_up()
        taken_up, used = time.perf_counter(), time.process_time() - cpu
    snapshots = house.tables.all_tables()
    print(
        f"opened and checked in {opened - begun:.2f} s; {sum(one.hand_running for one in snapshots):,} running hands of"
        f" {len(snapshots):,} tables taken up in {taken_up - opened:.2f} s ({used:.2f} s of processor time),"
        f" longest hold {meter.longest_ms:.1f} ms ({meter.longest_cpu_ms:.1f} ms of processor time)"
    )
    return house


async def measure_queries(folder: Path, players: int, passes: int) -> None:
    let_threads_take_turns()
    house = await measure_restart(folder)
    freeze_gc()
    for snapshot in house.tables.all_tables():
        house.dealt[snapshot.id] = asyncio.Event()
    bank, last_page = house.bank, max(0, players // 10 - 1)
    rng = random.Random(3)

    async def boards() -> None:
        await asyncio.gather(*(bank.leaderboard(GUILD, rng.randrange(1, players), page=last_page) for _ in range(8)))

    async def copy() -> None:
        assert await asyncio.to_thread(copy_data, house.store.path, folder / "copy.db")

    async def drill() -> None:
        assert await asyncio.to_thread(run_drill, folder / "copy.db", CODEC) == ()

    async def audit() -> None:
        assert not (await bank.audit(house.staff())).faults

    async def three_audits() -> None:
        await asyncio.gather(*(audit() for _ in range(3)))

    print(f"\n{HEAD}")
    queries: tuple[tuple[str, Callable[[], Awaitable[object]]], ...] = (
        ("nothing", lambda: asyncio.sleep(SECONDS)),
        ("audit", audit),
        ("three audits at once", three_audits),
        ("leaderboard, first page", lambda: bank.leaderboard(GUILD, 7)),
        ("leaderboard, last page, 8 at once", boards),
        ("flow of chips, all of them", lambda: bank.flow(house.staff(), 20_000)),
        ("history of a wallet", lambda: bank.history(GUILD, rng.randrange(1, players))),
        ("backup, checked", copy),
        ("restore drill in memory", drill),
    )
    try:
        for name, query in queries:
            await measure_beside(house, players, passes, name, query)
    finally:
        await house.end()
    begun = time.perf_counter()
    put_back(folder / "copy.db", folder / "restored.db", 1)
    print(
        f"\na backup of {(folder / 'copy.db').stat().st_size / 1e6:,.0f} MB put back in {time.perf_counter() - begun:.2f} s"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--transfers", type=int, default=1_000_000)
    parser.add_argument("--players", type=int, default=10_000)
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--tables", type=int, default=1_000, help="with a running hand each")
    parser.add_argument(
        "--folder", type=Path, help="on the disk to be measured; default: the system's temporary folder"
    )
    parser.add_argument("--data", type=Path, help="a folder for the database, built if it is not there, and kept")
    parser.add_argument("--growth", action="store_true", help="only how leaderboards grow")
    parser.add_argument("--sizes", type=int, nargs="+", default=(10_000, 100_000, 1_000_000), help="wallets")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
        measure_growth(Path(folder), chosen.sizes)
    if chosen.growth:
        return
    with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
        data = chosen.data or Path(folder)
        if not (data / "cardroom.db").exists():
            data.mkdir(exist_ok=True)
            begun = time.perf_counter()
            write_history(data / "cardroom.db", chosen.transfers, chosen.players)
            run_event_loop(play_and_die(data, chosen.tables, chosen.players))
            print(
                f"{chosen.transfers:,} transfers of {chosen.players:,} players, and {chosen.tables:,} hands dealt,"
                f" written in {time.perf_counter() - begun:.0f} s"
            )
        gc.collect()
        run_event_loop(measure_queries(data, chosen.players, chosen.passes))


async def play_and_die(folder: Path, tables: int, players: int) -> None:
    """Leave a number of running hands behind, as a dealer that is killed does."""
    house = BigHouse(folder, "cardroom")
    await house.begin()
    rules = HouseRules(tables_per_server=tables + 1)
    await house.store.commit(Commit(guild=GUILD, cause=Cause("rules", 1, 1, "house rules"), rules=rules))
    await house.open_hands(tables, players)
    await house.store.close()


if __name__ == "__main__":
    main()
