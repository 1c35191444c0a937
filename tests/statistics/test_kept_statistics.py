"""The statistics file stays right, whatever happens to the dealer, to the file and to the data."""

import asyncio
import contextlib
import hashlib
import logging
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from bot.engine import commands as c
from bot.runtime.commands import VoidHand
from bot.runtime.journal import JournalEvent
from bot.runtime.privacy import Privacy
from bot.runtime.request import Request
from bot.runtime.saved_values import declared_kinds
from bot.runtime.statistics_events import statistics_decoder
from bot.runtime.store_errors import StatisticsBeingCounted, StatisticsUnavailable
from bot.runtime.store_types import FIRST_FORMER_PLAYER, LAST_FORMER_PLAYER
from bot.statistics.achievements import Achievement
from bot.statistics.types import CountedChips, CountedHand, HandQuery, Period, PeriodKind, RankingQuery, Scope
from bot.store.backup import copy_data
from bot.store.codec import EventCodec
from bot.store.old_hands import Retention
from bot.store.statistics import keeper as keeper_module
from bot.store.statistics.achievements import earned
from bot.store.statistics.journal import JournalReader, connect_to_journal, journal_tables
from bot.store.statistics.keeper import StatisticsKeeper
from bot.store.statistics.rebuild import rebuild
from bot.store.statistics.statistics import rebuild_request
from bot.store.statistics.write import HandWriter
from bot.store.store import Store
from bot.table.commands import LeaveTable, TakeSeat
from tests.runtime import evening as evenings
from tests.runtime.evening import CHANNEL, GUILD, USERS
from tests.statistics.evening_with_statistics import CountedEvening, kept_in
from tests.support.engines import allow, data_at, environment_of, opened, source_at

ANN, BO = USERS["Ann"], USERS["Bo"]
CY = 1_574_118_484_827_176_960


@pytest.fixture(autouse=True)
def ids_as_discord_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(USERS, "Cy", CY)
    monkeypatch.setattr(evenings, "name_of", lambda user: next(name for name, one in USERS.items() if one == user))


@pytest.fixture
async def evening(tmp_path: Path) -> AsyncIterator[CountedEvening]:
    opened = CountedEvening(tmp_path)
    await opened.begin()
    await opened.open()
    await opened.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    yield opened
    await opened.end()


async def numbers(evening: CountedEvening) -> list[tuple[object, ...]]:
    """Return all that is kept, once everything shown has been counted."""
    await evening.statistics.games(GUILD)
    return kept_in(evening.statistics_path)


def counted_anew(evening: CountedEvening, old: Path | None = None) -> list[tuple[object, ...]]:
    new = evening.path.with_name("anew.sqlite3")
    rebuild(source_at(evening.path), new, statistics_decoder(), old=old)
    return kept_in(new)


async def test_hands_are_counted_once_and_alike_when_counted_anew(evening: CountedEvening) -> None:
    rng = random.Random(1)
    for _ in range(12):
        await evening.play_hand(rng)
        if rng.random() < 0.3:
            await evening.crash()
    found = await evening.statistics.find_hands(HandQuery(GUILD, limit=50))
    assert [one.hand.number for one in found.hands] == list(range(12, 0, -1))
    assert await numbers(evening) == counted_anew(evening)
    await evening.store.finish_spare_time_work()
    assert await numbers(evening) == counted_anew(evening)
    for name in ("Ann", "Bo", "Cy"):
        player = await evening.statistics.player(GUILD, USERS[name], Scope())
        assert player.counts.net == evening.stacks()[name] - evening.bought.get(name, 0) - 10_000
        assert player.counts.hands == 12


async def test_all_in_hand_is_counted_once_its_end_is_shown(evening: CountedEvening) -> None:
    await evening.deal()
    await evening.next_player_acts("is all-in", "calls", "folds")
    assert evening.session.run_out is not None
    evening.statistics.note(evening.table)
    assert (await evening.statistics.find_hands(HandQuery(GUILD))).hands == ()
    assert (await evening.statistics.player(GUILD, ANN, Scope())).counts.hands == 0
    await evening.show_end()
    (hand,) = (await evening.statistics.find_hands(HandQuery(GUILD))).hands
    assert hand.pot == sum(chips for _, chips in hand.winners) >= 20_000
    assert await evening.statistics.hands_without_luck() == ((evening.table, 1),)


class SlowReader:
    """Decodes events, and waits before the first one for as long as it is held."""

    def __init__(self) -> None:
        self._decode, self._loop = statistics_decoder(), asyncio.get_running_loop()
        self.waits, self._free = asyncio.Event(), threading.Event()
        self._free.set()

    def __call__(self, blob: bytes) -> list[Any]:
        if not self._free.is_set():
            self._loop.call_soon_threadsafe(self.waits.set)
            assert self._free.wait(60)
        return self._decode(blob)

    def hold(self) -> None:
        self._free.clear()

    def release(self) -> None:
        self._free.set()


async def test_all_in_hand_saved_while_others_are_counted_waits(tmp_path: Path) -> None:
    """While a hand of the first table is read, Ann and Bo are all-in at the second, whose hands are read next."""
    evening, reader = CountedEvening(tmp_path), SlowReader()
    vars(evening)["decode"] = reader
    await evening.begin()
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.statistics.games(GUILD)  # the file is open
    await evening.deal()
    await evening.next_player_acts("folds")

    second = await evening.open(channel=CHANNEL + 1)
    for name in ("Ann", "Bo"):
        await evening.fund(name, 10_000)
        await evening.ask(name, TakeSeat, 10_000, channel=CHANNEL + 1)
    await evening.deal()
    await evening.ask(evening.to_act, c.Fold(), channel=CHANNEL + 1)
    await evening.deal()
    reader.hold()
    evening.tell()
    counting = asyncio.create_task(evening.statistics.find_hands(HandQuery(GUILD)))
    await reader.waits.wait()
    for _ in range(2):
        await evening.ask(evening.to_act, c.AllIn(), channel=CHANNEL + 1)
    reader.release()
    assert (second, 2) not in {(one.hand.table, one.hand.number) for one in (await counting).hands}
    assert await evening.statistics.hands_without_luck() == ()
    await evening.show_end()
    assert await evening.statistics.hands_without_luck() == ((second, 2),)
    await evening.end()


async def test_answers_come_while_hands_end_all_the_time(evening: CountedEvening) -> None:
    rng = random.Random(14)
    await evening.play_hand(rng)
    busy = True

    async def end_hands() -> None:
        while busy:
            evening.statistics.note(evening.table)
            await asyncio.sleep(0)

    others = asyncio.create_task(end_hands())
    for _ in range(5):
        assert (await evening.statistics.player(GUILD, ANN, Scope())).counts.hands == 1
    busy = False
    await others


async def test_hand_that_staff_void_does_not_count(evening: CountedEvening) -> None:
    rng = random.Random(2)
    await evening.play_hand(rng)
    before = await numbers(evening)
    await evening.deal()
    await evening.next_player_acts("calls")
    await evening.ask("Ida", VoidHand("a card fell"), staff=True)
    evening.tell()
    after = await numbers(evening)
    assert after[1:] == before[1:]  # but for how far the table has been counted
    assert after == counted_anew(evening)


async def test_luck_is_added_once_and_kept_when_counted_anew(evening: CountedEvening) -> None:
    await evening.deal()
    await evening.next_player_acts("is all-in", "calls", "folds")
    await evening.show_end()
    (due,) = await evening.statistics.hands_without_luck()
    await evening.statistics.write_luck(*due, {0: 1_500, 1: -1_500}, is_estimate=True)
    await evening.statistics.write_luck(*due, {0: 7, 1: -7})
    assert await evening.statistics.hands_without_luck() == ()
    counts = [(await evening.statistics.player(GUILD, user, Scope())).counts for user in (ANN, BO, CY)]
    assert sorted((one.lucky_hands, one.luck, one.estimated_hands) for one in counts) == [
        (0, 0, 0), (1, -1_500, 1), (1, 1_500, 1),
    ]  # fmt: skip
    kept = await numbers(evening)
    assert counted_anew(evening, evening.statistics_path) == kept
    assert counted_anew(evening) != kept, "without the old file it is due again"


async def test_hands_put_away_end_at_the_same_events(evening: CountedEvening, monkeypatch: pytest.MonkeyPatch) -> None:
    """The counting goes on behind the last of them, whether it lies in rows or in one compressed row, and from within one too."""
    rng = random.Random(4)
    for _ in range(3):
        await evening.play_hand(rng)

    def ends(first: int) -> list[int]:
        with contextlib.closing(connect_to_journal(source_at(evening.path))) as db:
            (table,) = journal_tables(db, [evening.table])
            return [one.position for one in JournalReader(db, statistics_decoder()).ended_hands(table, first)]

    in_rows = await asyncio.to_thread(ends, 0)
    assert len(in_rows) == 3
    await evening.store.finish_spare_time_work()
    assert await asyncio.to_thread(ends, 0) == in_rows
    assert await asyncio.to_thread(ends, in_rows[0]) == in_rows[1:]
    assert await asyncio.to_thread(ends, in_rows[0] - 3) == in_rows[1:]


async def test_few_hands_are_no_achievement_of_many_weeks(evening: CountedEvening) -> None:
    rng = random.Random(5)
    await evening.play_hand(rng)
    await numbers(evening)
    with contextlib.closing(sqlite3.connect(evening.statistics_path)) as db:
        assert earned(db, GUILD, ANN, [Achievement.TEN_WEEKS, Achievement.TEN_GAMES, Achievement.HUNDREDTH_HAND]) == ()


async def test_missing_and_damaged_files_are_counted_anew(
    evening: CountedEvening, caplog: pytest.LogCaptureFixture
) -> None:
    rng = random.Random(3)
    for _ in range(4):
        await evening.play_hand(rng)
    right = await numbers(evening)
    for damage in (b"", b"no database at all" * 400, evening.statistics_path.read_bytes()[:5_000]):
        await evening.statistics.close()
        evening.statistics_path.write_bytes(damage)
        await evening.crash()
        assert await numbers(evening) == right
    await evening.statistics.close()
    evening.statistics_path.unlink()
    with contextlib.closing(sqlite3.connect(evening.statistics_path)) as db:
        db.execute("PRAGMA user_version = 99")
    await evening.crash()
    assert await numbers(evening) == right


async def test_house_without_a_table_is_not_behind(tmp_path: Path) -> None:
    evening = CountedEvening(tmp_path)
    await evening.begin()
    try:
        async with asyncio.timeout(5):
            while evening.statistics.waiting_count:
                await asyncio.sleep(0.005)
        assert evening.statistics.behind_seconds == 0
    finally:
        await evening.end()


async def test_whoever_asks_when_damage_is_found_has_their_answer(evening: CountedEvening) -> None:
    """The file is thrown away and counted again before they are answered."""
    rng = random.Random(3)
    await evening.play_hand(rng)
    await numbers(evening)
    with contextlib.closing(sqlite3.connect(evening.statistics_path)) as db:
        db.execute("DROP TABLE total")
    await evening.play_hand(rng)
    assert (await evening.statistics.player(GUILD, ANN, Scope())).counts.hands == 2
    assert await numbers(evening) == counted_anew(evening)


@pytest.mark.sqlite
async def test_backup_in_place_of_the_data_is_noticed(
    evening: CountedEvening, caplog: pytest.LogCaptureFixture
) -> None:
    rng = random.Random(4)
    for _ in range(3):
        await evening.play_hand(rng)
    copy = evening.path.with_name("copy.db")
    await asyncio.to_thread(copy_data, evening.path, copy)
    for _ in range(3):
        await evening.play_hand(rng)
    assert len((await evening.statistics.find_hands(HandQuery(GUILD))).hands) == 6
    await evening.end()
    for name in ("cardroom.sqlite", "cardroom.sqlite-wal", "cardroom.sqlite-shm"):
        evening.path.with_name(name).unlink(missing_ok=True)
    copy.rename(evening.path)
    with caplog.at_level(logging.WARNING):
        await evening.begin()
        assert len((await evening.statistics.find_hands(HandQuery(GUILD))).hands) == 3
    assert "statistics_rolled_back" in caplog.text
    await evening.play_hand(rng)
    assert await numbers(evening) == counted_anew(evening)


async def test_process_counts_anew_while_the_dealer_plays(evening: CountedEvening) -> None:
    rng = random.Random(5)
    for _ in range(3):
        await evening.play_hand(rng)
    right = await numbers(evening)
    await evening.store.finish_spare_time_work()
    await evening.statistics.close()
    evening.statistics_path.unlink()
    evening.rebuild_from = 1
    await evening.crash()
    with pytest.raises(StatisticsBeingCounted):
        await evening.statistics.find_hands(HandQuery(GUILD))
    await evening.play_hand(rng)
    assert evening.statistics._rebuilding is not None
    await evening.statistics._rebuilding
    assert len((await evening.statistics.find_hands(HandQuery(GUILD))).hands) == 4
    hands = [row for row in right if row[0] == "hand"]
    assert [row for row in await numbers(evening) if row[0] == "hand"][:3] == hands
    rebuild_request(evening.statistics_path).touch()
    evening.statistics._look_for_request()
    assert len((await evening.statistics.find_hands(HandQuery(GUILD))).hands) == 4, "the old file answers meanwhile"
    await evening.statistics._rebuilding
    assert await numbers(evening) == counted_anew(evening)


async def test_failing_process_leaves_the_counting_to_the_dealer(evening: CountedEvening) -> None:
    rng = random.Random(6)
    await evening.play_hand(rng)
    await evening.play_hand(rng)
    await evening.store.finish_spare_time_work()
    await evening.statistics.close()
    evening.statistics_path.unlink()
    evening.statistics._rebuilder = (sys.executable, "-c", "raise SystemExit(3)")
    evening.statistics._rebuild_from = 1
    await evening.statistics.open()
    while evening.statistics._keeper is None:
        await asyncio.sleep(0)
    assert len((await evening.statistics.find_hands(HandQuery(GUILD))).hands) == 2


async def test_full_disk_makes_statistics_late_and_disturbs_nobody(
    evening: CountedEvening, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(7)
    await evening.play_hand(rng)
    await numbers(evening)
    write = StatisticsKeeper._write

    def refuse(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(StatisticsKeeper, "_write", refuse)
    await evening.play_hand(rng)
    with pytest.raises(StatisticsUnavailable):
        await evening.statistics.player(GUILD, ANN, Scope())
    await evening.play_hand(rng)
    measures = evening.statistics.measures
    assert (measures.hands, measures.failures, evening.statistics.waiting_count) == (1, 1, 2)
    assert evening.statistics.behind_seconds > 0
    monkeypatch.setattr(StatisticsKeeper, "_write", write)
    assert (await evening.statistics.player(GUILD, ANN, Scope())).counts.hands == 3
    assert (measures.hands, evening.statistics.waiting_count, evening.statistics.behind_seconds) == (3, 0, 0)
    assert await numbers(evening) == counted_anew(evening)


async def test_statement_that_fails_anywhere_changes_nothing(
    evening: CountedEvening, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(8)
    for _ in range(6):
        await evening.play_hand(rng)
    await numbers(evening)
    path = evening.path.with_name("broken_off.sqlite3")
    with contextlib.closing(sqlite3.connect(path)) as db:
        keeper_module.create_file(db)
    monkeypatch.setattr(keeper_module, "HANDS_PER_TRANSACTION", 2)
    keeper = StatisticsKeeper(path, source_at(evening.path), statistics_decoder())
    left = set(keeper.tables_to_count())
    broken_off = 0
    while left:
        keeper.db.set_progress_handler(lambda: 1, rng.randrange(50, 4_000))
        try:
            left = keeper.count(left, {})
        except sqlite3.OperationalError:
            broken_off += 1
    keeper.close()
    assert broken_off > 2
    assert kept_in(path) == counted_anew(evening)


def test_hands_that_come_to_one_number_are_both_counted(tmp_path: Path) -> None:
    """The number that a hand is stored under is made of its end, its table and its own number: these two come to the same."""
    path, data = tmp_path / "statistics.sqlite3", tmp_path / "data.sqlite"
    for file in (path, data):
        with contextlib.closing(sqlite3.connect(file)) as db:
            keeper_module.create_file(db)
    keeper = StatisticsKeeper(path, data, statistics_decoder())
    writer = HandWriter(keeper.db, lambda guild, at: 0)
    hands = [
        CountedHand(
            GUILD, table, number, 1_790_000_000_000, "holdem", "Hold'em", "no_limit", "1/2", CountedChips.SERVER, 0, ()
        )
        for table, number in ((1, 7_920), (2, 1), (1, 7_920))
    ]
    with keeper.transaction():
        assert [(hand.table, hand.number) for hand in writer.add(hands)] == [(1, 7_920), (2, 1)]
    assert keeper.hand_count() == 2
    keeper.close()


_COUNT = """
import sys
from pathlib import Path
from bot.runtime.statistics_events import statistics_decoder
from bot.store.data_source import source_named
from bot.store.statistics import keeper
keeper.HANDS_PER_TRANSACTION = 1
one = keeper.StatisticsKeeper(Path(sys.argv[1]), source_named(sys.argv[2]), statistics_decoder())
print("ready", flush=True)
left = set(one.tables_to_count())
while left:
    left = one.count(left, {})
"""


async def test_killed_process_counts_no_hand_twice_and_forgets_none(evening: CountedEvening) -> None:
    rng = random.Random(9)
    for _ in range(8):
        await evening.play_hand(rng)
    await numbers(evening)
    path, data = evening.path.with_name("killed.sqlite3"), source_at(evening.path)
    with contextlib.closing(sqlite3.connect(path)) as db:
        keeper_module.create_file(db)
    for _ in range(3):
        process = subprocess.Popen(
            [sys.executable, "-c", _COUNT, str(path), str(data)],
            env=environment_of(data),
            stdout=subprocess.PIPE,
        )
        assert process.stdout is not None
        process.stdout.readline()
        for _ in range(rng.randrange(400_000)):  # somewhere in the middle
            pass
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
    last = StatisticsKeeper(path, data, statistics_decoder())
    left = set(last.tables_to_count())
    while left:
        left = last.count(left, {})
    last.close()
    assert kept_in(path) == counted_anew(evening)


DAY_MS = 86_400_000


@pytest.fixture
async def month(tmp_path: Path) -> AsyncIterator[CountedEvening]:
    """An evening of a house that keeps hands for thirty days."""

    def store(path: Path) -> Store:
        return Store(data_at(path), EventCodec(JournalEvent), keep_hands=Retention(30, opened.clock.now))

    opened = CountedEvening(tmp_path, store=store)
    await opened.begin()
    await opened.open()
    await opened.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    yield opened
    await opened.end()


async def hands_kept(evening: CountedEvening) -> list[int]:
    """Return which hands are in the data, once the dealer has had time to drop old ones."""
    await evening.store.finish_spare_time_work()
    return [number for number in range(1, 9) if await evening.store.hand(evening.table, number) is not None]


def without_positions(rows: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    return [row for row in rows if row[0] != "table"]


async def test_hands_that_were_dropped_for_age_stay_counted(month: CountedEvening) -> None:
    evening, rng = month, random.Random(13)
    for _ in range(4):
        await evening.play_hand(rng)
    right = await numbers(evening)
    evening.clock.move_to(evening.clock.now() + 60 * DAY_MS)
    await evening.crash()
    assert await hands_kept(evening) == [3, 4]
    assert [row for row in await numbers(evening) if row[0] != "table"] == [row for row in right if row[0] != "table"]
    rebuilt = counted_anew(evening, evening.statistics_path)
    assert [row for row in rebuilt if row[0] != "table"] == [row for row in right if row[0] != "table"]
    assert len([row for row in counted_anew(evening) if row[0] == "hand"]) < 4, "without the old file they are lost"
    evening.statistics.rebuild()
    assert evening.statistics._rebuilding is not None
    await evening.statistics._rebuilding
    assert await numbers(evening) == rebuilt


async def test_luck_of_a_dropped_hand_is_not_due_again(month: CountedEvening) -> None:
    evening, rng = month, random.Random(19)
    await evening.deal()
    await evening.next_player_acts("is all-in", "calls", "folds")
    await evening.show_end()
    (due,) = await evening.statistics.hands_without_luck()
    await evening.statistics.write_luck(*due, {0: 1_500, 1: -1_500}, is_estimate=True)
    for _ in range(3):
        await evening.play_hand(rng)
    right = await numbers(evening)
    await evening.crash(away_ms=60 * DAY_MS)
    assert 1 not in await hands_kept(evening)
    assert without_positions(counted_anew(evening, evening.statistics_path)) == without_positions(right)


async def test_file_of_another_layout_is_counted_anew_and_loses_nothing(month: CountedEvening) -> None:
    """A program that counted neither raises nor showdowns has left its file, with a flag for practice. Half of its hands are gone."""
    evening, rng = month, random.Random(13)
    for _ in range(6):
        await evening.play_hand(rng)
    for due in await evening.statistics.hands_without_luck():
        await evening.statistics.write_luck(*due, {0: 500, 1: -500})
    right = {name: await evening.statistics.player(GUILD, USERS[name], Scope()) for name in ("Ann", "Bo", "Cy")}
    rows = await numbers(evening)
    evening.clock.move_to(evening.clock.now() + 60 * DAY_MS)
    await evening.crash()
    assert await hands_kept(evening) == [5, 6]
    await evening.end()
    with contextlib.closing(sqlite3.connect(evening.statistics_path)) as db:
        for table in ("player_hand", "total"):
            for column in ("raises", "showdowns"):
                db.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
        for table in ("person", "counted_table", "standing"):
            db.execute(f"ALTER TABLE {table} RENAME COLUMN chips TO practice")
    await evening.begin()
    for name, before in right.items():
        after = await evening.statistics.player(GUILD, USERS[name], Scope())
        assert 0 < after.counts.showdowns < before.counts.showdowns, "those of the dropped hands are not known"
        same = replace(after.counts, raises=before.counts.raises, showdowns=before.counts.showdowns)
        assert replace(after, counts=same, by_game=()) == replace(before, by_game=())
    assert [row for row in await numbers(evening) if row[0] == "hand"] == [row for row in rows if row[0] == "hand"]


def test_layout_is_noted_with_its_version() -> None:
    layout = hashlib.sha256("\n".join(sorted(keeper_module.LAYOUT)).encode()).hexdigest()[:16]
    assert (keeper_module.VERSION, layout) == (3, "fa72a2d295787f18"), (
        "The layout of the statistics file has changed: a column of `Counts`, or schema.sql. Every dealer counts its hands anew at its"
        " next start, and takes over what only the old file knows, as far as its columns are called the same. If a number that was"
        " there now means something else, raise VERSION in bot/store/statistics/keeper.py too: then nothing is taken over. Note the"
        f" new layout here: {layout!r}."
    )


async def test_no_hand_is_dropped_before_it_is_counted(month: CountedEvening) -> None:
    """The hands have not been counted when the dealer goes away, and are too old when it comes back."""
    evening, rng = month, random.Random(15)
    await evening.statistics.close()
    for _ in range(3):
        await evening.play_hand(rng)
    await evening.deal()
    await evening.next_player_acts("is all-in", "calls", "folds")
    await evening.show_end()
    for _ in range(2):
        await evening.play_hand(rng)
    right = counted_anew(evening)
    await evening.crash(away_ms=60 * DAY_MS)
    assert await hands_kept(evening) == [4, 5, 6], "luck of the fourth is to be told, and the fifth can hold its end"
    assert without_positions(await numbers(evening)) == without_positions(right)
    await evening.statistics.write_luck(evening.table, 4, {0: 500, 1: -500})
    evening.clock.move_to(evening.clock.now() + 3_600_000)
    assert await hands_kept(evening) == [5, 6]


async def test_hands_wait_a_week_for_statistics_that_fail(
    month: CountedEvening, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    evening, rng = month, random.Random(16)
    for _ in range(4):
        await evening.play_hand(rng)
    right = counted_anew(evening)

    def refuse(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(StatisticsKeeper, "_write", refuse)
        await evening.crash(away_ms=60 * DAY_MS)
        assert await hands_kept(evening) == [1, 2, 3, 4]
        assert "old_hands_wait_for_statistics" in caplog.messages
        await evening.crash(away_ms=6 * DAY_MS)
        assert await hands_kept(evening) == [1, 2, 3, 4]
    evening.clock.move_to(evening.clock.now() + 3_600_000)
    assert await hands_kept(evening) == [3, 4]
    assert without_positions(await numbers(evening)) == without_positions(right)
    assert await evening.store.value("store.old_hands_waiting") is None
    for _ in range(2):
        await evening.play_hand(rng)
    monkeypatch.setattr(StatisticsKeeper, "_write", refuse)
    for days in (60, 6, 1):
        await evening.crash(away_ms=days * DAY_MS)
        kept = await hands_kept(evening)
    assert kept == [5, 6], "people have been promised that hands go"
    assert "old_hands_dropped_without_statistics" in caplog.messages


async def test_hands_dropped_round_a_reported_one_stay_counted(month: CountedEvening) -> None:
    evening, rng = month, random.Random(17)
    for _ in range(7):
        await evening.play_hand(rng)
    for due in await evening.statistics.hands_without_luck():
        await evening.statistics.write_luck(*due, {0: 500, 1: -500})
    right = await numbers(evening)
    await evening.tables.staff_log.report(evening.request("Cy"), evening.table, 3, "Bo folds to Ann, always.")
    await evening.crash(away_ms=60 * DAY_MS)
    assert await hands_kept(evening) == [3, 4, 6, 7]
    assert without_positions(await numbers(evening)) == without_positions(right)
    assert without_positions(counted_anew(evening, evening.statistics_path)) == without_positions(right)


@pytest.mark.sqlite
async def test_dropped_hands_stay_counted_after_a_restore(month: CountedEvening) -> None:
    """The numbers are further than the backup: what it has is counted again, and what was dropped before it was made is taken over."""
    evening, rng = month, random.Random(18)
    for _ in range(4):
        await evening.play_hand(rng)
    for due in await evening.statistics.hands_without_luck():
        await evening.statistics.write_luck(*due, {0: 500, 1: -500})
    right = await numbers(evening)
    await evening.crash(away_ms=60 * DAY_MS)
    assert await hands_kept(evening) == [3, 4]
    copy = evening.path.with_name("copy.db")
    await asyncio.to_thread(copy_data, evening.path, copy)
    for _ in range(2):
        await evening.play_hand(rng)
    assert len((await evening.statistics.find_hands(HandQuery(GUILD))).hands) == 6
    await evening.end()
    for suffix in ("", "-wal", "-shm"):
        evening.path.with_name(evening.path.name + suffix).unlink(missing_ok=True)
    copy.rename(evening.path)
    await evening.begin()
    assert without_positions(await numbers(evening)) == without_positions(right)
    await evening.play_hand(rng)
    assert len((await evening.statistics.find_hands(HandQuery(GUILD))).hands) == 5


async def test_seasons_are_counted_by_what_the_data_says(evening: CountedEvening) -> None:
    rng = random.Random(10)
    for _ in range(2):
        await evening.play_hand(rng)
    ended = evening.clock.now() + 1
    for _ in range(3):
        await evening.play_hand(rng)
    season = Scope(Period(PeriodKind.SEASON, 1))
    assert (await evening.statistics.player(GUILD, ANN, season)).counts.hands == 0

    def open_season(ends_at: int) -> None:
        with opened(evening.path) as db:
            allow(db)
            db.execute(
                "INSERT INTO season VALUES (?, 1, '', 1, ?, 0, 'net', 1, 0, NULL)"
                " ON CONFLICT (guild, number) DO UPDATE SET ends_at = excluded.ends_at",
                (GUILD, ends_at),
            )
            db.commit()

    await asyncio.to_thread(open_season, 0)
    assert (await evening.statistics.player(GUILD, ANN, season)).counts.hands == 5
    await asyncio.to_thread(open_season, ended)
    assert (await evening.statistics.player(GUILD, ANN, season)).counts.hands == 2
    ranked = await evening.statistics.ranking(RankingQuery(GUILD, season))
    assert ranked.players == 3
    assert sum(line.net for line in ranked.lines) == 0
    assert await numbers(evening) == counted_anew(evening)
    await asyncio.to_thread(open_season, 0)
    for _ in range(2):
        await evening.play_hand(rng)
    assert await numbers(evening) == counted_anew(evening), "before anybody asks for the season that goes on"


async def test_person_whose_data_is_deleted_is_a_former_player(evening: CountedEvening) -> None:
    rng = random.Random(11)
    await cy_plays_and_leaves(evening, rng)
    before = await evening.statistics.player(GUILD, CY, Scope())
    assert before.counts.hands > 1
    privacy = Privacy(evening.store, evening.tables, evening.clock, declared_kinds(), evening.statistics)
    export = await privacy.export(asks(evening))
    assert export.statistics["people"] == before
    assert str(before.counts.net) in export.as_json()
    await privacy.delete(asks(evening))
    assert (await evening.statistics.player(GUILD, CY, Scope())).counts.hands == 0
    lines = (await evening.statistics.ranking(RankingQuery(GUILD, Scope()))).lines
    (former,) = [line for line in lines if FIRST_FORMER_PLAYER <= line.user <= LAST_FORMER_PLAYER]
    assert (former.hands, former.net) == (before.counts.hands, before.counts.net)
    assert await numbers(evening) == counted_anew(evening)
    assert str(CY) not in "\n".join(map(str, await numbers(evening)))
    await evening.statistics.close()
    assert CY.to_bytes(8) not in evening.statistics_path.read_bytes(), "not even where a row was"


@pytest.mark.parametrize("steps", range(3))
async def test_deletion_that_a_kill_breaks_off_leaves_no_id(
    evening: CountedEvening, monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    """The dealer dies before the statistics hear of it, between, or before the last word; some hands have not been counted yet."""
    rng = random.Random(12)
    await cy_plays_and_leaves(evening, rng)
    privacy = Privacy(evening.store, evening.tables, evening.clock, declared_kinds(), evening.statistics)
    heard = 0
    died = asyncio.Event()

    async def dies() -> None:
        nonlocal heard
        if heard == steps and not died.is_set():  # the dealer that comes after lives
            died.set()
            await asyncio.Event().wait()
        heard += 1
        await evening.statistics.follow_deletions()

    evening.follow_deletions = dies  # type: ignore[method-assign]
    deleting = asyncio.create_task(privacy.delete(asks(evening)))
    dying = asyncio.create_task(died.wait())
    await asyncio.wait({deleting, dying}, return_when=asyncio.FIRST_COMPLETED)
    dying.cancel()
    assert heard == steps, "it has begun: a dealer that dies before that has promised nothing"
    deleting.cancel()
    await evening.crash()
    while await evening.store.deletions():
        await asyncio.sleep(0.001)
    await evening.wait(1)
    found = await numbers(evening)
    assert str(CY) not in "\n".join(map(str, found))
    assert found == counted_anew(evening)


@pytest.mark.postgresql
async def test_machine_that_missed_a_deletion_counts_anew(evening: CountedEvening) -> None:
    """Cy's data is deleted while another machine deals. The first one deals again, and its statistics know Cy from before."""
    await cy_plays_and_leaves(evening, random.Random(14))
    await numbers(evening)
    await evening.end()
    of_first = evening.statistics_path.read_bytes()
    assert CY.to_bytes(8) in of_first
    await evening.begin()
    await Privacy(evening.store, evening.tables, evening.clock, declared_kinds(), evening.statistics).delete(
        asks(evening)
    )
    await evening.end()
    evening.statistics_path.write_bytes(of_first)
    await evening.begin()
    assert await numbers(evening) == counted_anew(evening)
    await evening.end()
    assert CY.to_bytes(8) not in evening.statistics_path.read_bytes()


async def test_deletion_ends_once_statistics_are_on_disk(
    evening: CountedEvening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A power cut after it takes nothing back: the data no longer knows whom the statistics would have to forget."""
    await cy_plays_and_leaves(evening, random.Random(13))
    await numbers(evening)
    happened: list[str] = []
    sync, end = StatisticsKeeper.bring_to_disk, evening.store.end_deletion

    def synced(keeper: StatisticsKeeper) -> None:
        found = keeper.db.execute('SELECT count(*) FROM person WHERE "user" = ?', (CY,)).fetchone()
        sync(keeper)
        happened.append(f"{found[0]} rows are on the disk")

    async def ended(guild: int, user: int) -> None:
        happened.append("ended")
        await end(guild, user)

    monkeypatch.setattr(StatisticsKeeper, "bring_to_disk", synced)
    monkeypatch.setattr(evening.store, "end_deletion", ended)
    await Privacy(evening.store, evening.tables, evening.clock, declared_kinds(), evening.statistics).delete(
        asks(evening)
    )
    assert happened[:2] == ["0 rows are on the disk", "ended"]


async def test_kill_while_taking_over_brings_no_id_back(
    evening: CountedEvening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process that counted everything again had begun before the deletion."""
    await cy_plays_and_leaves(evening, random.Random(14))
    new = evening.statistics_path.with_name("new.sqlite3")
    rebuild(source_at(evening.path), new, statistics_decoder())
    await Privacy(evening.store, evening.tables, evening.clock, declared_kinds(), evening.statistics).delete(
        asks(evening)
    )
    evening.statistics._renamed_meanwhile = {(GUILD, CY, FIRST_FORMER_PLAYER)}
    replace_file = Path.replace

    def replace_and_die(path: Path, to: Path) -> Path:
        replace_file(path, to)
        raise KeyboardInterrupt

    with monkeypatch.context() as dying:
        dying.setattr(Path, "replace", replace_and_die)
        with pytest.raises(KeyboardInterrupt):
            evening.statistics._take_over(new)
    await evening.crash()
    assert str(CY) not in "\n".join(map(str, await numbers(evening)))


def asks(evening: CountedEvening) -> Request:
    return evening.request("Cy")


async def cy_plays_and_leaves(evening: CountedEvening, rng: random.Random) -> None:
    for _ in range(4):
        await evening.play_hand(rng)
    await evening.ask("Cy", LeaveTable)
    await evening.play_hand(rng)


async def test_closing_waits_for_no_work_behind_it(evening: CountedEvening, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody asks in the moment in which the file is closed. The event loop, which stops all else too, does not wait for that."""
    statistics, answered = evening.statistics, threading.Event()
    close = statistics._close_keeper

    def closed_while_asked() -> None:
        close()
        assert statistics._thread is not None
        statistics._thread.submit(answered.wait, 5)

    monkeypatch.setattr(statistics, "_close_keeper", closed_while_asked)
    began_at = time.monotonic()
    await statistics.close()
    assert time.monotonic() - began_at < 2
    answered.set()
