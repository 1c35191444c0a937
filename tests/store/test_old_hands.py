"""Hands that are older than the house keeps them go, with what only they need; chips, reports and running hands stay."""

import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.runtime.errors import HandDeleted
from bot.runtime.journal import JournalEvent
from bot.store import old_hands
from bot.store.backup import check_data
from bot.store.codec import EventCodec
from bot.store.connection import Connector, SqliteDatabase, connect
from bot.store.engine import SqliteEngine
from bot.store.hand_blob import BlobUnreadable
from bot.store.old_hands import Retention, count_old_hands
from bot.store.shrink import shrink
from bot.store.spare_time import SpareTime
from bot.store.store import Store
from bot.text.refusals import runtime as _sentences  # noqa: F401  # they are registered by it
from bot.text.refusals.explain import explain
from tests.runtime.evening import Evening
from tests.store.test_finished_hands import DAY_MS, later, play, put_away, rows, store_of

KEPT_DAYS = 30


def keeping(folder: Path, days: int = KEPT_DAYS, connector: Connector = connect) -> Evening:
    """A house that keeps hands for so many days."""

    def store(path: Path) -> Store:
        retention = Retention(days, evening.clock.now)
        return Store(SqliteEngine(path, connector), EventCodec(JournalEvent), keep_hands=retention)

    evening = Evening(folder, store=store)
    return evening


@pytest.fixture
async def evening(tmp_path: Path) -> AsyncIterator[Evening]:
    evening = await keeping(tmp_path).begin()
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    yield evening
    await evening.end()


async def hands_kept(evening: Evening, last: int) -> list[int]:
    return [number for number in range(1, last + 1) if await evening.store.hand(evening.table, number) is not None]


async def days_pass(evening: Evening, days: int) -> None:
    await later(evening, days * DAY_MS)


TRANSFERS = "SELECT transfer.*, who, at, what FROM transfer JOIN cause ON cause.id = cause ORDER BY cause, part"


async def test_only_hands_older_than_the_days_go(evening: Evening) -> None:
    await play(evening, 3)
    await days_pass(evening, 20)
    young = await play(evening, 2)
    await days_pass(evening, 20)
    await play(evening, 2)
    await evening.deal()
    transfers = rows(evening, TRANSFERS)
    await later(evening, 3_600_000)
    assert await hands_kept(evening, 8) == [4, 5, 6, 7, 8]
    for before in young:
        after = await evening.store.hand(evening.table, before.number)
        assert after is not None
        assert after.events[: len(before.events)] == before.events
    assert rows(evening, TRANSFERS) == transfers, "who moved chips, when and why stays"
    ((blobs, oldest),) = rows(evening, "SELECT count(*), min(seq) FROM finished_hand")
    assert (blobs, oldest) == (4, young[0].seq)
    moved_nothing = f"SELECT count(*) FROM cause WHERE at < {young[0].started_at} AND what IN ('fold', 'check', 'call')"
    moved_nothing += " AND id NOT IN (SELECT cause FROM transfer)"
    assert rows(evening, moved_nothing) == [(0,)], "who folded went with the hand"
    await evening.audit()
    evening.clock.move_to(evening.clock.now() + 60_000)
    await evening.crash()
    assert store_of(evening).lost_changes == 0
    await evening.next_player_acts("calls", "folds", "checks")
    assert check_data(evening.path).problems == ()


async def test_hand_command_says_that_a_hand_is_deleted(evening: Evening) -> None:
    await play(evening, 3)
    await days_pass(evening, 31)
    for asked in (
        evening.tables.read_hand_log(evening.request("Ann"), 1),
        evening.tables.read_hand_record(evening.request("Ann"), 1),
        evening.tables.find_hand(evening.request("Ann"), 0, 1),
        evening.tables.read_public_hand(evening.request("Ann"), evening.table, 1),
    ):
        with pytest.raises(HandDeleted) as refused:
            await asked
        said = explain(refused.value, {})
        assert said == "Hand #1 was too old to keep and has been deleted. Choose a newer one."
    assert await evening.tables.finished_hand(evening.table, 1) is None
    assert (await evening.tables.read_hand_log(evening.request("Ann"))).number == 3


async def test_reported_hand_waits_for_staff(evening: Evening) -> None:
    await play(evening, 5)
    log = evening.tables.staff_log
    await log.report(evening.request("Cy"), evening.table, 2, "Bo folds to Ann, always.")
    await days_pass(evening, 40)
    assert await hands_kept(evening, 5) == [2, 3, 4, 5], "with the one after it, which can hold its end"
    staff = evening.request("Ida", staff=True)
    (line,), _ = await log.open_reports(staff)
    await log.settle_report(staff, line.id)
    await later(evening, 3_600_000)
    assert await hands_kept(evening, 5) == [4, 5]
    await evening.audit()


async def test_closed_table_loses_its_last_hand_and_keeps_its_count(evening: Evening) -> None:
    await play(evening, 3)
    await evening.tables.close_without_channel(evening.table)
    await days_pass(evening, 29)
    assert await hands_kept(evening, 3) == [1, 2, 3]
    await days_pass(evening, 2)
    assert await hands_kept(evening, 3) == []
    for table in ("finished_hand", "event", "snapshot"):
        assert rows(evening, f"SELECT count(*) FROM {table}") == [(0,)]
    record = await evening.store.table(evening.table)
    assert record is not None
    assert record.hand_count == 3
    with pytest.raises(HandDeleted):
        await evening.tables.read_public_hand(evening.request("Ann"), record.id, 3)
    await evening.audit()
    with closing(connect(str(evening.path))) as db:
        assert count_old_hands(db, Retention(KEPT_DAYS, evening.clock.now)) == 0


async def test_table_without_a_hand_is_forgotten_too(evening: Evening) -> None:
    await evening.tables.close_without_channel(evening.table)
    await days_pass(evening, 29)
    assert rows(evening, "SELECT count(*) FROM finished_hand") == [(1,)]
    await days_pass(evening, 2)
    assert rows(evening, "SELECT count(*) FROM finished_hand") == [(0,)]


async def test_a_kill_between_two_statements_leaves_whole_hands(tmp_path: Path) -> None:
    """The files are copied before each statement that writes, as a kill would leave them, and each copy goes on to the same end."""
    copies: list[Path] = []
    watching = False
    last: list[str] = []

    def watched(path: str) -> SqliteDatabase:
        db = connect(path)
        db.set_trace_callback(keep)
        return db

    def keep(sql: str) -> None:
        nonlocal last
        before, last = last, sql.split()[:3]
        if watching and last[0] in {"BEGIN", "DELETE", "COMMIT"} and last != before:  # one of the many causes is enough
            copies.append(tmp_path / f"copy{len(copies)}")
            copies[-1].mkdir()
            for suffix in ("", "-wal"):
                shutil.copy(f"{evening.path}{suffix}", copies[-1] / f"cardroom.sqlite{suffix}")

    evening = await keeping(tmp_path, connector=watched).begin()
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await play(evening, 4)
    await put_away(evening)
    evening.clock.move_to(evening.clock.now() + 40 * DAY_MS)
    watching = True
    await put_away(evening)
    watching = False
    end = rows(evening, "SELECT table_id, seq, blob FROM finished_hand"), rows(evening, "SELECT * FROM hand")
    causes = rows(evening, "SELECT id FROM cause")
    retention = Retention(KEPT_DAYS, evening.clock.now)
    await evening.end()
    assert len(copies) > 8
    for folder in copies:
        again = Store(folder / "cardroom.sqlite", EventCodec(JournalEvent), keep_hands=retention)
        await again.open()
        for number in range(1, 5):
            hand = await again.hand(evening.table, number)
            assert hand is None or hand.events[-1] is not None
        await again.finish_spare_time_work()
        await again.close()
        with closing(sqlite3.connect(again.path)) as db:
            found = [
                db.execute(sql).fetchall()
                for sql in ("SELECT table_id, seq, blob FROM finished_hand", "SELECT * FROM hand")
            ]
            assert tuple(found) == end
            assert db.execute("SELECT id FROM cause").fetchall() == causes
        assert check_data(again.path).problems == ()


async def test_a_damaged_old_hand_stays_and_is_told(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def damaged(*_: Any) -> Any:
        raise BlobUnreadable("it is damaged")

    await play(evening, 4)
    with monkeypatch.context() as broken:
        broken.setattr(old_hands, "read_hand", damaged)
        await days_pass(evening, 40)
    assert "old_hand_not_dropped" in caplog.messages
    assert await hands_kept(evening, 4) == [1, 2, 3, 4]
    await later(evening, 3_600_000)
    assert await hands_kept(evening, 4) == [3, 4], "an hour later it is tried again"


async def test_nothing_is_dropped_where_hands_are_kept_for_good(tmp_path: Path) -> None:
    evening = await Evening(tmp_path).begin()
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await play(evening, 3)
    await evening.tables.close_without_channel(evening.table)
    await days_pass(evening, 4_000)
    assert await hands_kept(evening, 3) == [1, 2, 3]
    await evening.end()
    now = evening.clock.now
    with closing(connect(str(evening.path))) as db:
        assert count_old_hands(db, Retention(KEPT_DAYS, now)) == 3
        (parts,) = db.execute("SELECT count(*) FROM stored_part").fetchone()
    assert parts > 0
    shrink(evening.path)
    with closing(connect(str(evening.path))) as db:
        assert (
            db.execute("SELECT count(*) FROM stored_part WHERE id IN (SELECT card FROM finished_hand)").fetchone()[0]
            > 0
        )
    shrink(evening.path, Retention(KEPT_DAYS, now))
    with closing(connect(str(evening.path))) as db:
        for table in ("finished_hand", "stored_part"):
            assert db.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,), (
                "nothing refers to the rule card any more"
            )
    assert check_data(evening.path).problems == ()


async def test_reads_go_on_in_a_step_that_drops(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """A step drops one hand: nobody's save waits for more."""
    steps: list[int] = []
    step = SpareTime.step

    def counted(spare_time: SpareTime, db: sqlite3.Connection, *, is_quiet: bool = True) -> None:
        (before,) = db.execute("SELECT count(*) FROM hand").fetchone()
        step(spare_time, db, is_quiet=is_quiet)
        steps.append(before - db.execute("SELECT count(*) FROM hand").fetchone()[0])

    await play(evening, 5)
    monkeypatch.setattr(SpareTime, "step", counted)
    await days_pass(evening, 40)
    assert max(steps) == 1
    assert sum(steps) == 3
