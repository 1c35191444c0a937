"""Measure what statistics cost: bytes and CPU a hand, every answer with many hands stored, how long the loop is held, counting anew, and
how answers grow with the hands of a person and of a server.

The hands of the answers are made up and written straight into the file: a few people play in most of them, as in life. What is counted
anew, and live, are hands of 22 actions that were played.

    python -m tests.benchmarks.bench_statistics [--hands 1000000] [--players 10000] [--asks 300]
        [--played 300] [--copies 200] [--keep FOLDER]

Only how answers grow, from ten thousand hands of one person to a million: `--growth`. It says MISSED where an exponent is above the goal.
"""

import argparse
import asyncio
import contextlib
import random
import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import pytest

from bot.operation.runner import let_threads_take_turns
from bot.runtime.journal import JournalEvent
from bot.runtime.statistics_events import statistics_decoder
from bot.statistics.periods import period_at
from bot.statistics.types import (
    CountedChips,
    CountedHand,
    CountedSeat,
    Counts,
    HandQuery,
    Period,
    PeriodKind,
    RankingOrder,
    RankingQuery,
    Scope,
)
from bot.store.codec import EventCodec
from bot.store.statistics import achievements, answers
from bot.store.statistics.journal import JournalTable
from bot.store.statistics.keeper import COMPLETE, INDEXES, TABLES, VERSION, StatisticsKeeper, create_file
from bot.store.statistics.rebuild import rebuild
from bot.store.statistics.statistics import Statistics
from bot.store.store import Store
from tests.benchmarks.bench_growth import play_hands, put_away
from tests.benchmarks.exponents import GOAL_EXPONENT, slope
from tests.support.loop_meter import LoopMeter, percentile

GUILD = 712_345_678_901_234_567
FIRST_USER = 201_234_567_890_123_456
NOW = 1_790_000_000_000
YEAR_MS = 365 * 86_400_000
GAMES = ("holdem", "pot_limit_omaha", "stud", "razz", "badugi", "limit_holdem", "omaha8", "five_card_draw")
STAKES = ("1/2", "5/10", "50/100", "500/1,000")
HANDS_OF_TABLE = 200


def made_up(hands: int, players: int, rng: random.Random) -> Iterator[CountedHand]:
    """Return hands by the time they ended. The first player is in a tenth of them, and most play a hundred."""
    weights = [1 / (rank + 9) for rank in range(players)]
    step = YEAR_MS // hands
    everybody = [FIRST_USER + number * 10**9 for number in range(players)]
    drawn: Iterator[int] = iter(())
    for number in range(hands):
        table, hand = divmod(number, HANDS_OF_TABLE)
        if not hand:
            drawn = iter(rng.choices(everybody, weights, k=HANDS_OF_TABLE * 12))
            game, stakes = rng.choices(GAMES, (40, 20, 8, 4, 2, 8, 4, 1))[0], rng.choice(STAKES)
        seated: set[int] = set()
        while len(seated) < 6:
            more = list(islice(drawn, 6 - len(seated)))
            seated.update(more or rng.choices(everybody, weights, k=6 - len(seated)))
        paid = rng.choices((0, 0, 0, 100, 300, 1_000, 5_000), k=6)
        winner, pot = rng.randrange(6), sum(paid)
        seats = tuple(
            CountedSeat(
                user,
                Counts(
                    1, (pot if seat == winner else 0) - paid[seat], int(paid[seat] > 0), 1, int(paid[seat] > 300), seat % 2, 0,
                    int(paid[seat] > 100), int(paid[seat] > 100), int(paid[seat] > 300), int(seat == winner and paid[seat] > 300),
                    int(seat == winner),
                ),
                pot if seat == winner else 0,
                *((rng.randrange(1 << 24), 0, rng.randrange(1 << 24)) if seat == winner and paid[seat] > 300 else ()),
            )
            for seat, user in enumerate(sorted(seated)[:6])
        )  # fmt: skip
        at = NOW - YEAR_MS + number * step
        yield CountedHand(
            GUILD, table + 1, hand + 1, at, game, game, "no_limit", stakes, CountedChips.SERVER, pot, seats
        )


def write_made_up(path: Path, data: Path, hands: int, players: int) -> None:
    """Write hands into a new statistics file, and their tables into the data file."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.executescript(f"BEGIN; {TABLES} PRAGMA user_version = {VERSION}; COMMIT;")
    keeper = StatisticsKeeper(
        path, data, statistics_decoder(), pragmas=("journal_mode = OFF", "synchronous = OFF", "cache_size = -131072")
    )
    source = made_up(hands, players, random.Random(1))
    while some := list(islice(source, 5_000)):
        with keeper.transaction():
            keeper.add(some)
    for statement in INDEXES:
        keeper.db.execute(statement)
    with contextlib.closing(sqlite3.connect(data)) as db, db, keeper.transaction():
        db.execute("INSERT OR IGNORE INTO guild (id) VALUES (?)", (GUILD,))
        for table in range(1, hands // HANDS_OF_TABLE + 2):
            db.execute(
                "INSERT INTO card_table (id, guild, number, channel, settings, state, opened_at) VALUES (?, ?, ?, 1, x'80', 'closed', 1)",
                (table, GUILD, table),
            )
            keeper.write_position(JournalTable(table, GUILD, table, CountedChips.SERVER, 1), 1)
        keeper.db.execute("INSERT INTO about (key, value) VALUES (?, 1)", (COMPLETE,))
    keeper.close()


def questions(
    statistics: Statistics, players: int, tables: int, rng: random.Random
) -> dict[str, Callable[[], Awaitable[object]]]:
    """Return what can be asked, by name. Half of it is about one of the hundred people who play most."""

    def user() -> int:
        return FIRST_USER + rng.choice((rng.randrange(100), rng.randrange(players))) * 10**9

    def scope() -> Scope:
        at = NOW - rng.randrange(YEAR_MS)
        return Scope(
            rng.choice((Period(), Period(), period_at(PeriodKind.WEEK, at), period_at(PeriodKind.MONTH, at))),
            rng.choice(("", "", *GAMES)),
            rng.choice(("", "", *STAKES)),
        )

    def found(**how: object) -> Callable[[], Awaitable[object]]:
        def ask() -> Awaitable[object]:
            chosen = {name: value() if callable(value) else value for name, value in how.items()}
            return statistics.find_hands(HandQuery(GUILD, **chosen))  # type: ignore[arg-type]

        return ask

    def table() -> int:
        return rng.randrange(1, max(2, tables))

    def game() -> str:
        return rng.choice(GAMES)

    def before() -> int:
        return NOW - rng.randrange(YEAR_MS) << 20

    def session() -> Awaitable[object]:
        number = table()
        began = NOW - YEAR_MS + (number - 1) * HANDS_OF_TABLE * (YEAR_MS // (tables * HANDS_OF_TABLE))
        return statistics.session(number, FIRST_USER, began, began + YEAR_MS // tables)

    return {
        "hands of the server": found(before=before),
        "hands of a table": found(table_number=table),
        "hands of a game": found(game=game, before=before),
        "hands of a player": found(user=user, before=before),
        "hands of a player in a game": found(user=user, game=game),
        "hands of a player at a table": found(user=user, table_number=table),
        "games": lambda: statistics.games(GUILD),
        "games of a player": lambda: statistics.games(GUILD, user()),
        "player": lambda: statistics.player(GUILD, user(), scope()),
        "player who plays most": lambda: statistics.player(GUILD, FIRST_USER, Scope()),
        "versus": lambda: statistics.versus(GUILD, user(), user(), scope()),
        "versus of those who play most": lambda: statistics.versus(GUILD, FIRST_USER, FIRST_USER + 10**9, Scope()),
        "curve": lambda: statistics.curve(GUILD, user(), scope()),
        "curve of who plays most": lambda: statistics.curve(GUILD, FIRST_USER, Scope()),
        "ranking": lambda: statistics.ranking(
            RankingQuery(
                GUILD,
                scope(),
                rng.choice(list(RankingOrder)),
                rng.choice((1, 50)),
                rng.choice((0, 10, 500)),
                10,
                user(),
            )
        ),
        "session": session,
    }


async def measure_answers(folder: Path, hands: int, players: int, asks: int) -> None:
    data, path = folder / "data.db", folder / "statistics.sqlite3"
    store = Store(data, EventCodec(JournalEvent))
    await store.open()
    await store.close()
    began = time.monotonic()
    await asyncio.to_thread(write_made_up, path, data, hands, players)
    print(f"{hands:,} hands of {players:,} players written in {time.monotonic() - began:.0f} s")
    print(f"  {path.stat().st_size / hands:,.0f} bytes a hand, before gaps of the busy file")
    statistics = Statistics(path, data, statistics_decoder(), now=lambda: NOW)
    await statistics.open()
    let_threads_take_turns()  # as the dealer does
    rng = random.Random(2)
    async with LoopMeter() as meter:
        for name, ask in questions(statistics, players, hands // HANDS_OF_TABLE, rng).items():
            await ask()
            seconds: list[float] = []
            for _ in range(asks):
                began = time.perf_counter()
                await ask()
                seconds.append(time.perf_counter() - began)
            print(
                f"  {name:<32} p50 {1000 * percentile(seconds, 50):7.2f} ms  p99 {1000 * percentile(seconds, 99):7.2f} ms"
            )
    print(f"  the loop was held for {meter.longest_ms:.1f} ms at most, {meter.longest_cpu_ms:.1f} ms by itself")
    await statistics.close()


def copy_tables(data: Path, copies: int) -> None:
    """Give a data file with one table of finished hands so many more tables with the same hands."""
    with contextlib.closing(sqlite3.connect(data)) as db, db:
        db.create_function("may_exchange", 3, lambda *_: True)
        for table in range(2, copies + 1):
            db.execute(
                "INSERT INTO card_table (id, guild, number, channel, settings, state, opened_at, closed_at)"
                " SELECT ?, guild, ?, channel + ?, settings, 'closed', opened_at, 1 FROM card_table WHERE id = 1",
                (table, table, table),
            )
            db.execute(
                "INSERT INTO hand SELECT ?, number, seq, nonce, started_at FROM hand WHERE table_id = 1", (table,)
            )
            db.execute(
                "INSERT INTO finished_hand (table_id, seq, count, format, dictionary, card, blob)"
                " SELECT ?, seq, count, format, dictionary, card, blob FROM finished_hand WHERE table_id = 1",
                (table,),
            )


async def measure_counting(folder: Path, played: int, copies: int) -> None:
    data, path = folder / "played.db", folder / "counted.sqlite3"
    game = await play_hands(data, played)
    with contextlib.closing(sqlite3.connect(path)) as db:
        create_file(db)
    keeper = StatisticsKeeper(path, data, statistics_decoder())
    seconds = await asyncio.to_thread(count_in_batches, keeper, 1)
    print(f"{played:,} hands counted as they end, each alone: {1000 * seconds / played:.3f} ms of CPU a hand")
    keeper.close()
    path.unlink()
    with contextlib.closing(sqlite3.connect(path)) as db:
        create_file(db)
    keeper = StatisticsKeeper(path, data, statistics_decoder())
    seconds = await asyncio.to_thread(count_in_batches, keeper, 20)
    print(f"  twenty that end within a second: {1000 * seconds / played:.3f} ms of CPU a hand")
    keeper.close()
    await put_away(game)
    await game.end()
    await asyncio.to_thread(copy_tables, data, copies)
    for _ in range(2):
        began, cpu = time.perf_counter(), time.process_time()
        hands = await asyncio.to_thread(rebuild, data, folder / "anew.sqlite3", statistics_decoder())
        took, cpu = time.perf_counter() - began, time.process_time() - cpu
        print(f"{hands:,} hands counted anew: {hands / took:,.0f} hands/s, {hands / cpu:,.0f} a second of CPU")


def count_in_batches(keeper: StatisticsKeeper, size: int) -> float:
    """Count the hands of the only table, so many at a time, as if no later one had been played. Returns the seconds of CPU."""
    left = set(keeper.tables_to_count())
    seconds = 0.0
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("bot.store.statistics.keeper.HANDS_PER_TRANSACTION", size)
        while left:
            began = time.thread_time()
            left = keeper.count(left, {})
            seconds += time.thread_time() - began
    return seconds


def hands_of_one(hands: int, others: int, rng: random.Random) -> Iterator[CountedHand]:
    """Return hands of one person against another one at a time, over a year; some of them in each game."""
    step = YEAR_MS // hands
    for number in range(hands):
        table, hand = divmod(number, HANDS_OF_TABLE)
        if not hand:
            game = rng.choices(GAMES, (40, 20, 8, 4, 2, 8, 4, 1))[0]
        won = rng.choice((-300, -100, -100, 200, 500))
        seats = tuple(
            CountedSeat(user, Counts(1, net, 1, 1), max(net, 0), *((rng.randrange(1 << 24), 0, rng.randrange(1 << 24)) if net > 0 else ()))
            for user, net in ((FIRST_USER, won), (FIRST_USER + rng.randrange(1, others) * 10**9, -won))
        )  # fmt: skip
        at = NOW - YEAR_MS + number * step
        yield CountedHand(
            GUILD, table + 1, hand + 1, at, game, game, "no_limit", "1/2", CountedChips.SERVER, abs(won), seats
        )


def growing_questions() -> dict[str, tuple[Callable[[sqlite3.Connection], object], bool]]:
    """Return what is asked as the hands become more, and whether it is to stay flat."""
    week, month = (period_at(kind, NOW - 100 * 86_400_000) for kind in (PeriodKind.WEEK, PeriodKind.MONTH))
    one, other = FIRST_USER, FIRST_USER + 10**9

    def player(scope: Scope) -> tuple[Callable[[sqlite3.Connection], object], bool]:
        return lambda db: answers.player(db, GUILD, one, scope), True

    def ranked(period: Period, order: RankingOrder) -> tuple[Callable[[sqlite3.Connection], object], bool]:
        return lambda db: answers.ranking(db, RankingQuery(GUILD, Scope(period), order, 1, 10, 10, one)), True

    return {
        "player": player(Scope()),
        "player in a game": player(Scope(game="holdem")),
        "player in a rare game": player(Scope(game=GAMES[-1])),
        "player in a month": player(Scope(month)),
        "player in a week and a game": player(Scope(week, "holdem")),
        "curve": (lambda db: answers.curve(db, GUILD, one, Scope(), 200), True),
        "curve in a month": (lambda db: answers.curve(db, GUILD, one, Scope(month), 200), True),
        "ranking by chips": ranked(Period(), RankingOrder.NET),
        "ranking by chips per 100 hands": ranked(month, RankingOrder.NET_PER_100),
        "games of a player": (lambda db: answers.games(db, GUILD, one), True),
        "newest hands of the server": (lambda db: answers.find_hands(db, HandQuery(GUILD)), True),
        "achievements": (lambda db: achievements.earned(db, GUILD, one), False),
        "versus, of who played fewer": (lambda db: answers.versus(db, GUILD, one, other, Scope()), False),
    }


def measure_growth(folder: Path, sizes: Sequence[int], others: int) -> bool:
    """Print what an answer costs by how many hands the person, and the server, has. Returns whether each exponent is within the goal."""
    found: dict[str, list[float]] = {}
    for size in sizes:
        began, path = time.process_time(), folder / f"growth_{size}.sqlite3"
        with contextlib.closing(sqlite3.connect(path)) as db:
            create_file(db)
        keeper = StatisticsKeeper(
            path, folder / "data.db", statistics_decoder(), pragmas=("journal_mode = OFF", "synchronous = OFF")
        )
        source = hands_of_one(size, others, random.Random(1))
        while some := list(islice(source, 2_000)):
            with keeper.transaction():
                for table in sorted({hand.table for hand in some}):
                    keeper.write_position(JournalTable(table, GUILD, table, CountedChips.SERVER, 1), 1)
                keeper.add(some)
        print(
            f"{size:,} hands of one person against {others:,} others, counted in {time.process_time() - began:.0f} s of processor time,"
            f" {path.stat().st_size / size:,.0f} bytes a hand"
        )
        for name, (ask, _) in growing_questions().items():
            ask(keeper.db)
            costs: list[float] = []
            while len(costs) < 5 or (len(costs) < 50 and sum(costs) < 0.5):
                began = time.thread_time()
                ask(keeper.db)
                costs.append(time.thread_time() - began)
            found.setdefault(name, []).append(1000 * percentile(costs, 50))
        keeper.close()
    print(
        f"\n{'ms of processor time, half within':<34}" + "".join(f"{size:>12,}" for size in sizes) + f"{'exponent':>10}"
    )
    held = True
    for name, (_, is_flat) in growing_questions().items():
        exponent = slope(sizes, found[name])
        missed = is_flat and exponent > GOAL_EXPONENT
        held &= not missed
        note = "MISSED" if missed else "" if is_flat else "no goal"
        print(f"  {name:<32}" + "".join(f"{ms:>12.2f}" for ms in found[name]) + f"{exponent:>10.2f} {note}")
    print(f"goal: at most {GOAL_EXPONENT}")
    return held


def data_file(path: Path) -> None:
    """Make a data file in which nothing has happened yet."""

    async def open_once() -> None:
        store = Store(path, EventCodec(JournalEvent))
        await store.open()
        await store.close()

    asyncio.run(open_once())


async def measure(folder: Path, given: argparse.Namespace) -> None:
    await measure_counting(folder, given.played, given.copies)
    await measure_answers(folder, given.hands, given.players, given.asks)


def main() -> None:
    request = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    request.add_argument("--hands", type=int, default=1_000_000)
    request.add_argument("--players", type=int, default=10_000)
    request.add_argument("--asks", type=int, default=300)
    request.add_argument("--played", type=int, default=300)
    request.add_argument("--copies", type=int, default=200)
    request.add_argument("--keep", type=Path, help="a folder for the files")
    request.add_argument("--growth", action="store_true", help="only how answers grow")
    request.add_argument(
        "--sizes", type=int, nargs="+", default=(10_000, 100_000, 1_000_000), help="hands of one person"
    )
    request.add_argument("--others", type=int, default=1_000)
    given = request.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data_file(Path(folder) / "data.db")
        measure_growth(Path(folder), given.sizes, given.others)
    if given.growth:
        return
    if given.keep:
        given.keep.mkdir(parents=True, exist_ok=True)
        asyncio.run(measure(given.keep, given))
        return
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(Path(folder), given))


if __name__ == "__main__":
    main()
