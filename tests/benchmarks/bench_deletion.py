"""Measure what a person costs everybody else whose data is deleted: a server of many finished hands, of which they played some.

The hands are a played one, stored again and again at closed tables under other ids. It prints the longest time that one piece of work of
the deletion held the writing connection, by the clock and in processor time, and the longest hold of the event loop, while somebody saves
a small value every five milliseconds.

    python -m tests.benchmarks.bench_deletion [--hands 10000] [--played 3000] [--folder FOLDER]
"""

import argparse
import asyncio
import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from bot.engine.refusals import CannotCheck
from bot.operation.runner import freeze_gc, let_threads_take_turns, run_event_loop
from bot.runtime.journal import JournalEvent
from bot.runtime.store_types import Cause, Forgetting
from bot.store.codec import EventCodec
from bot.store.connection import SqliteConnection, connect
from bot.store.finished_hands import read_hand
from bot.store.hand_blob import StoredCause, pack_hand, shipped_dictionary
from bot.store.store import Store
from bot.table.commands import LeaveTable
from tests.runtime import evening as evenings
from tests.runtime.evening import GUILD, Evening
from tests.support.loop_meter import LoopMeter, percentile

GONE, OTHER = 1_574_118_484_827_176_960, 1_574_118_484_827_176_961
HANDS_A_TABLE = 500
CAUSES_A_HAND = 8


async def play(folder: Path) -> Evening:
    """Play a hand in which the person bets, and put it away."""
    evenings.USERS["Cy"] = GONE
    evening = await Evening(folder).begin()
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000, Dee=10_000, Eve=10_000, Flo=10_000)
    await evening.deal()
    while evening.snapshot.hand_running:
        due = evening.snapshot.current_turn
        assert due is not None
        name = next(name for name, user in evenings.USERS.items() if user == due.user)
        try:
            await evening.acts(f"{name} checks")
        except CannotCheck:
            await evening.acts(f"{name} calls")
    await evening.ask("Cy", LeaveTable)
    for _ in range(2):
        await evening.deal()
        while evening.snapshot.hand_running:
            await evening.next_player_acts("folds")
    await evening.store.finish_spare_time_work()
    await evening.end()
    return evening


def store_hands(path: Path, hands: int, played: int) -> None:
    """Store the first hand so many times; the person has played in some, somebody else in the others."""
    with closing(connect(str(path))) as db:
        db.create_function("may_exchange", 3, lambda *_: True)
        db.execute("PRAGMA synchronous = OFF")
        db.execute("PRAGMA foreign_keys = OFF")
        db.execute("BEGIN")
        for (first,) in db.execute("SELECT id FROM finished_hand ORDER BY id").fetchall():
            seq, hand = read_hand(db, first)
            if any(b"DealtIn" in row.blob for row in hand.rows):
                break
        dictionary, count = shipped_dictionary(), sum(row.size for row in hand.rows)
        packed: dict[int, bytes] = {}
        for user in (GONE, OTHER):
            old, new = msgspec.msgpack.encode(GONE), msgspec.msgpack.encode(user)
            rows = [row._replace(blob=row.blob.replace(old, new)) for row in hand.rows]
            causes = [
                StoredCause(one.id, user if one.who == GONE else one.who, one.at, one.what) for one in hand.causes
            ]
            packed[user] = pack_hand(rows, causes, dictionary).blob
        (table,) = db.execute("SELECT max(id) FROM card_table").fetchone()
        (cause,) = db.execute("SELECT max(id) FROM cause").fetchone()
        for number in range(hands):
            at = number % HANDS_A_TABLE
            if not at:
                table += 1
                db.execute(
                    "INSERT INTO card_table SELECT ?, guild, ?, ?, settings, 'closed', 1, 2, 0 FROM card_table LIMIT 1",
                    (table, table, table),
                )
            user = GONE if number * played // hands != (number + 1) * played // hands else OTHER
            db.execute(
                "INSERT INTO finished_hand (table_id, seq, count, format, dictionary, card, blob)"
                " SELECT ?, ?, ?, format, dictionary, card, ? FROM finished_hand WHERE id = ?",
                (table, seq + at * count, count, packed[user], first),
            )
            for one in range(CAUSES_A_HAND):
                cause += 1
                who = user if one < 3 else 105 + one
                db.execute(
                    "INSERT INTO cause SELECT ?, NULL, guild, ?, at, 'call', ?, 0, 0 FROM cause LIMIT 1",
                    (cause, who, table),
                )
                bet = (GUILD, cause, 0, 100, "bet", 4, table, who, 5, table, 0, "", 0, 0)
                won = (GUILD, cause, 1, 100, "won", 5, table, 0, 4, table, who, "", 0, 0)
                db.executemany(f"INSERT INTO transfer VALUES ({', '.join('?' * 14)})", [bet, won])
        db.execute("COMMIT")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


class Writes:
    """What the writing connection did: how long each piece of work held it, and how much processor time it used."""

    def __init__(self) -> None:
        self.held: list[tuple[float, float]] = []

    def watch(self, writing: SqliteConnection) -> None:
        run = writing.run_in_thread

        async def timed(work: Callable[[sqlite3.Connection], Any]) -> Any:
            def measured(db: sqlite3.Connection) -> Any:
                begun, used = time.perf_counter(), time.thread_time()
                try:
                    return work(db)
                finally:
                    self.held.append(((time.perf_counter() - begun) * 1000, (time.thread_time() - used) * 1000))

            return await run(measured)

        writing.run_in_thread = timed  # type: ignore[method-assign]


async def measure(path: Path) -> None:
    let_threads_take_turns()
    store, writes = Store(path, EventCodec(JournalEvent)), Writes()
    await store.open()
    freeze_gc()
    assert store._write_connection is not None
    writes.watch(store._write_connection)
    saves: list[float] = []

    async def save() -> None:
        while True:
            begun = time.perf_counter()
            await store.keep("bench", b"x")
            saves.append((time.perf_counter() - begun) * 1000)
            await asyncio.sleep(0.005)

    print(
        f"{'':<22} {'seconds':>8} {'writer p50/p99/max ms':>24} {'(cpu max)':>10} {'loop ms':>12} {'save p50/p99/max ms':>24}"
    )
    forgetting = Forgetting(GUILD, GONE, Cause("gone", GONE, 1, "data deleted"), (b"a", b"b"))

    async def delete() -> None:
        await store.begin_deletion(forgetting)
        await store.rewrite_rows_of(GUILD, GONE)
        await store.end_deletion(GUILD, GONE)

    for name, work in (("nothing", lambda: asyncio.sleep(2)), ("a person is deleted", delete)):
        saves.clear()
        writes.held.clear()
        beside = asyncio.create_task(save())
        async with LoopMeter() as meter:
            begun = time.perf_counter()
            await work()
            seconds = time.perf_counter() - begun
        beside.cancel()
        held = [one for one, _ in writes.held]
        print(
            f"{name:<22} {seconds:>8.2f} {_spread(held):>24} {max(cpu for _, cpu in writes.held):>10.1f}"
            f" {f'{meter.longest_ms:.1f} ({meter.longest_cpu_ms:.1f})':>12} {_spread(saves):>24}",
            flush=True,
        )
    assert (await store.audit(GUILD)).faults == ()
    await store.close()
    with closing(sqlite3.connect(path)) as db:
        (transfers,) = db.execute("SELECT count(*) FROM transfer").fetchone()
        (left,) = db.execute("SELECT count(*) FROM cause WHERE who = ?", (GONE,)).fetchone()
        (hands,) = db.execute("SELECT count(*) FROM finished_hand").fetchone()
    print(f"{hands:,} finished hands, {transfers:,} transfers; causes that still name the person: {left}")


def _spread(times: list[float]) -> str:
    return f"{percentile(times, 50):.1f} / {percentile(times, 99):.1f} / {max(times):.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=10_000)
    parser.add_argument("--played", type=int, default=3_000)
    parser.add_argument(
        "--folder", type=Path, help="on the disk to be measured; default: the system's temporary folder"
    )
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
        evening = run_event_loop(play(Path(folder)))
        store_hands(evening.path, chosen.hands, chosen.played)
        run_event_loop(measure(evening.path))


if __name__ == "__main__":
    main()
