"""A hand that is over becomes one row that says the same; nothing else can take an event away, and no chip and no click is forgotten."""

import shutil
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine.mixes import Game, Rotation
from bot.runtime.journal import JournalEvent
from bot.runtime.store_types import Cause, Commit, SavedHand
from bot.store import finished_hands, hand_blob
from bot.store import store as stores
from bot.store.codec import EventCodec
from bot.store.connection import SqliteDatabase, connect
from bot.store.engine import SqliteEngine
from bot.store.migrate import Migration, apply_migrations, migrations
from bot.store.newest_cause import newest_cause_in
from bot.store.spare_time import SpareTime
from bot.store.store import Store
from bot.table.state import Table
from tests.runtime.evening import GUILD, USERS, Evening, settings
from tests.store.desk import ANN, Desk, sqlite_store

DAY_MS = 24 * 3_600_000


@pytest.fixture
async def evening(tmp_path: Path) -> AsyncIterator[Evening]:
    evening = await Evening(tmp_path).begin()
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    yield evening
    await evening.end()


async def play(evening: Evening, hands: int) -> list[SavedHand]:
    """Deal hands and let everybody fold to the big blind. Returns them as the journal has them when they are over."""
    played = []
    for _ in range(hands):
        await evening.deal()
        await evening.next_player_acts("calls", "folds", "checks")
        while evening.playing():
            await evening.next_player_acts("checks")
        hand = await store_of(evening).hand(evening.table)
        assert hand is not None
        played.append(hand)
    return played


def store_of(evening: Evening) -> Store:
    return evening.store


async def put_away(evening: Evening) -> None:
    await store_of(evening).finish_spare_time_work()


def rows(evening: Evening, sql: str) -> list[Any]:
    with closing(sqlite3.connect(evening.path)) as db:
        return db.execute(sql).fetchall()


async def test_finished_hands_become_one_row_each_and_read_the_same(evening: Evening) -> None:
    played = await play(evening, 3)
    await evening.deal()  # the fourth hand runs: the others can go
    await put_away(evening)
    assert rows(evening, "SELECT count(*) FROM finished_hand") == [(4,)], (
        "what was before the first hand, and three hands"
    )
    ((first_row,),) = rows(evening, "SELECT min(seq) FROM event")
    assert first_row > played[2].seq, "only the running hand is there in rows"
    for before in played:
        after = await evening.store.hand(evening.table, before.number)
        assert after is not None
        assert after.events[: len(before.events)] == before.events
        assert (after.nonce, after.seq, after.started_at) == (before.nonce, before.seq, before.started_at)
    log = await evening.tables.read_hand_log(evening.request("Ann"), 1)
    assert {player.name for player in log.players_by_seat.values()} == {"Ann", "Bo", "Cy"}
    ((cards,),) = rows(evening, "SELECT count(DISTINCT card) FROM finished_hand WHERE card IS NOT NULL")
    assert cards == 1, "the rule card lies there once"
    await evening.audit()


@pytest.mark.parametrize(("overdue", "done"), [(3600.0, False), (0.0, True)])
async def test_hands_wait_for_a_pause_but_not_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, overdue: float, done: bool
) -> None:
    """A pause never comes here: saves follow each other. What has waited too long is done between two of them."""
    monkeypatch.setattr(stores, "SPARE_TIME_PAUSE", 3600.0)
    monkeypatch.setattr(stores, "SPARE_TIME_OVERDUE", overdue)
    merged: list[object] = []

    def merge(db: SqliteDatabase, *, waits: bool, **_how: object) -> None:
        if not waits:  # an opening does
            merged.append(db)

    monkeypatch.setattr(SqliteDatabase, "merge_log", merge)
    evening = await Evening(tmp_path).begin()
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await play(evening, 2)
    await evening.deal()
    ((put_away_so_far,),) = rows(evening, "SELECT count(*) FROM finished_hand")
    assert (put_away_so_far > 0) is done
    assert not merged, "the log is merged in a pause only"
    await evening.end()


async def test_dealer_goes_on_after_an_exchange_and_a_crash(evening: Evening) -> None:
    await play(evening, 3)
    await evening.deal()
    await evening.next_player_acts("calls")
    stacks = evening.stacks()
    await put_away(evening)
    await evening.crash()
    assert evening.stacks() == stacks
    await evening.next_player_acts("folds", "checks")
    while evening.playing():
        await evening.next_player_acts("checks")
    await play(evening, 1)
    await put_away(evening)
    await evening.audit()


async def test_closed_table_keeps_its_last_hand_as_a_blob(evening: Evening) -> None:
    (last,) = await play(evening, 1)
    await evening.tables.close_without_channel(evening.table)
    await put_away(evening)
    assert rows(evening, "SELECT count(*) FROM event") == [(0,)]
    again = await evening.store.hand(evening.table, 1)
    assert again is not None
    assert again.events[: len(last.events)] == last.events
    await evening.store.close()
    await evening.begin()
    assert await evening.store.hand(evening.table, 1) == again, "also after a restart"


async def test_a_blob_that_differs_leaves_the_hand(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def loses_an_event(*given: Any) -> hand_blob.PackedHand:
        found, *others = given
        return hand_blob.pack_hand(found[:-1], others[0][:-1], others[1])

    monkeypatch.setattr(finished_hands, "pack_hand", loses_an_event)
    played = await play(evening, 3)
    await evening.deal()
    await put_away(evening)
    assert store_of(evening).failed_exchanges == 1
    assert "hand_not_exchanged" in caplog.messages
    assert rows(evening, "SELECT count(*) FROM finished_hand") == [(0,)]
    again = await evening.store.hand(evening.table, 1)
    assert again is not None
    assert again.events[: len(played[0].events)] == played[0].events


FORBIDDEN = (
    "DELETE FROM event",
    "DELETE FROM event WHERE seq = (SELECT min(seq) FROM event)",
    "UPDATE event SET blob = x'90'",
    "INSERT OR REPLACE INTO event SELECT table_id, seq, count, cause, x'90' FROM event",
    "INSERT INTO event VALUES (1, 1, 1, 1, x'90')",
    "DELETE FROM finished_hand",
    "DELETE FROM finished_hand WHERE seq = (SELECT min(seq) FROM finished_hand)",
    "UPDATE finished_hand SET blob = x'00'",
    "INSERT OR REPLACE INTO finished_hand SELECT * FROM finished_hand",
    "INSERT INTO finished_hand SELECT 9999, table_id, seq, count, 1, 1, NULL, blob FROM event",
    "DELETE FROM cause",
    "UPDATE cause SET who = 0",
    "UPDATE cause SET at = 0, key = NULL",
    "DELETE FROM transfer",
)


async def test_nothing_but_the_exchange_takes_events_away(evening: Evening) -> None:
    """Neither the dealer's own connection can, nor another program's."""
    await play(evening, 3)
    await put_away(evening)
    writing = store_of(evening)._write_connection
    assert writing is not None
    before = rows(evening, "SELECT * FROM event"), rows(evening, "SELECT * FROM finished_hand")
    for sql in FORBIDDEN:
        with pytest.raises(sqlite3.IntegrityError):
            await writing.run_in_thread(lambda db, sql=sql: db.execute(sql))
        with closing(sqlite3.connect(evening.path)) as stranger, pytest.raises(sqlite3.DatabaseError):
            stranger.execute(sql)
    assert (rows(evening, "SELECT * FROM event"), rows(evening, "SELECT * FROM finished_hand")) == before


async def test_a_kill_between_two_statements_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files are copied before each statement that writes, as a kill would leave them, and each copy is opened."""
    copies: list[Path] = []

    def watched(path: str) -> SqliteDatabase:
        db = connect(path)
        db.set_trace_callback(keep)
        return db

    def keep(sql: str) -> None:
        if watching and sql.split(maxsplit=1)[0] in {"BEGIN", "INSERT", "DELETE", "UPDATE", "COMMIT"}:
            copies.append(tmp_path / f"copy{len(copies)}")
            copies[-1].mkdir()
            for suffix in ("", "-wal"):
                shutil.copy(f"{evening.path}{suffix}", copies[-1] / f"cardroom.sqlite{suffix}")

    watching = False
    evening = Evening(tmp_path, store=lambda path: Store(SqliteEngine(path, watched), EventCodec(JournalEvent)))
    await evening.begin()
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    with monkeypatch.context() as busy:
        busy.setattr(
            SpareTime, "step", lambda *_: None
        )  # the writing thread has no spare time until the second hand is over
        played = await play(evening, 2)
    watching = True
    await put_away(evening)
    watching = False
    await evening.end()
    assert len(copies) > 8
    for folder in copies:
        again = Store(folder / "cardroom.sqlite", EventCodec(JournalEvent))
        await again.open()
        for before in played:
            after = await again.hand(evening.table, before.number)
            assert after is not None
            assert after.events[: len(before.events)] == before.events
        await again.finish_spare_time_work()
        await again.close()


async def test_a_click_is_known_for_a_day_and_then_forgotten(evening: Evening) -> None:
    await play(evening, 2)
    await evening.deal()
    await evening.ask(evening.to_act, c.Call(), key="click")
    await evening.next_player_acts("folds", "checks")
    while evening.playing():
        await evening.next_player_acts("checks")
    table = await evening.store.table(evening.table)
    assert table is not None
    await later(evening, DAY_MS - 3_600_000)
    receipt = await evening.store.receipt("click")
    assert receipt is not None
    assert receipt.repeated
    before = rows(evening, "SELECT cause, who, at, what FROM transfer JOIN cause ON cause.id = cause ORDER BY 1, part")
    await later(evening, 2 * 3_600_000)
    assert await evening.store.receipt("click") is None
    after = rows(evening, "SELECT cause, who, at, what FROM transfer JOIN cause ON cause.id = cause ORDER BY 1, part")
    assert after[: len(before)] == before, "who moved chips, when and why stays"
    ((folds,),) = rows(evening, "SELECT count(*) FROM cause WHERE what = 'fold' AND key IS NULL")
    assert folds <= 1, "of a hand that is put away, who folded is in its blob"
    await evening.audit()


async def later(evening: Evening, ms: int) -> None:
    """Let so much time pass with nobody at the table, and something small happen then."""
    evening.clock.move_to(evening.clock.now() + ms)
    await evening.store.commit(
        Commit(guild=GUILD, cause=Cause(f"at {evening.clock.now()}", 0, evening.clock.now(), "x"))
    )
    await put_away(evening)


async def test_the_newest_change_is_never_forgotten(tmp_path: Path) -> None:
    """Its number says how far the file has been written: without it the next start would see a rollback."""
    store = sqlite_store(tmp_path)
    await store.open()
    desk = Desk(store)
    await desk.grant(ANN, 5)
    late = Cause("late", 0, 1_700_000_000_000 + 3 * DAY_MS, "x")
    await store.commit(Commit(guild=1, cause=late))
    await store.finish_spare_time_work()
    await store.close()
    with closing(sqlite3.connect(store.path)) as db:
        assert db.execute("SELECT count(*) FROM cause WHERE key IS NULL").fetchone() == (1,)
        assert newest_cause_in(db) == (2, late.at)
    await store.open()
    assert store.lost_changes == 0
    await store.close()


async def test_names_are_changed_in_blobs_too(evening: Evening, tmp_path: Path) -> None:
    await play(evening, 3)
    await put_away(evening)
    before = rows(evening, "SELECT blob FROM finished_hand ORDER BY id")
    await evening.store.close()
    number = migrations()[-1].number + 1
    text = msgspec.json.encode(
        {
            "purpose": "a test",
            "columns": [
                {"table": "event", "key": ["table_id", "seq"], "column": "blob", "form": "msgpack",
                 "type": {"each": {"tagged": True}}},
                {"table": "snapshot", "key": ["table_id"], "column": "blob", "form": "msgpack", "type": {"struct": "Table"}},
            ],
            "structs": {"Folded": {"tag": "LaidDown"}},
        }
    ).decode()  # fmt: skip
    step = Migration(number, f"{number:04}_test.json", text)
    with closing(connect(str(evening.path))) as db:
        apply_migrations(db, evening.path, (*migrations(), step))
        said = b"".join(row.blob for row in finished_hands.journal_rows(db, evening.table, 1, None))
    assert b"LaidDown" in said
    assert b"Folded" not in said
    assert rows(evening, "SELECT blob FROM finished_hand ORDER BY id") != before
    with closing(sqlite3.connect(evening.path)) as db:
        db.execute("DELETE FROM migration WHERE number = ?", (number,))
        db.commit()


def test_every_kind_of_row_comes_back() -> None:
    """Also long lists, times in any order, and bytes that look like times."""
    dictionary = hand_blob.shipped_dictionary()
    pack: Callable[[Any], bytes] = msgspec.msgpack.encode
    stamps = [1_700_000_000_000, 1_600_000_000_000, 2_100_000_000_000, 5, -7, 2**63]
    events = [
        [{"type": "A", "at": at} for at in stamps],
        [{"type": "B", "blob": b"\xcf\x00\x00\x01\xcf\x00\x00\x01"}] * 20,
        [{"type": "HandStarted", "rule_card": {"deck": list(range(300))}, "at": 1_700_000_000_001}],
        [{"type": "C"}] * 70_000,
    ]
    found, seq = [], 9
    for number, some in enumerate(events):
        found.append(hand_blob.JournalRow(seq, len(some), 40 + 3 * number, pack(some)))
        seq += len(some)
    causes = [hand_blob.StoredCause(row.cause, USERS["Ann"], 1_700_000_000_000 - row.cause, "fold") for row in found]
    packed = hand_blob.pack_hand(found, causes, dictionary)
    assert packed.card is not None
    assert hand_blob.unpack_hand(9, packed, dictionary) == (tuple(found), tuple(causes))
    with pytest.raises(hand_blob.BlobUnreadable, match="newer"):
        hand_blob.unpack_hand(9, packed, dictionary, 2)
    with pytest.raises(hand_blob.BlobUnreadable):
        hand_blob.unpack_hand(9, packed._replace(blob=packed.blob[:-3] + b"\0\0\0"), dictionary)


async def test_a_mixture_of_many_games_is_stored_once(tmp_path: Path) -> None:
    """At each hand only what has changed at the table is written, not a quarter of a megabyte of rule cards."""
    evening = await Evening(tmp_path).begin()
    one = settings()
    games = tuple(Game(one.rule_card, replace(one.options, sheet=(("NOTE", str(at)),)), one.stakes) for at in range(60))
    await evening.open(replace(one, rotation=Rotation("Sixty", games, hands=1)))
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    before: list[int] = []
    for _ in range(3):
        await play(evening, 1)
        ((size,),) = rows(evening, "SELECT length(blob) FROM snapshot")
        before.append(size)
    assert max(before) < 12_000
    assert rows(evening, "SELECT count(*) FROM stored_part WHERE length(blob) > 100000") == [(1,)]
    (saved,) = await evening.store.open_tables()
    assert saved.saved_state is not None
    assert msgspec.msgpack.decode(saved.saved_state, type=Table) == evening.session.state.table
    await evening.crash()
    assert evening.snapshot.settings.rotation is not None
    assert len(evening.snapshot.settings.rotation.games) == 60
    await play(evening, 1)
    await evening.end()


async def test_stored_hands_of_a_server_can_forget_a_name(evening: Evening) -> None:
    await play(evening, 3)
    await evening.deal()
    await put_away(evening)
    writing = store_of(evening)._write_connection
    assert writing is not None

    def forget(db: sqlite3.Connection) -> int:
        db.execute("DROP TRIGGER finished_hand_stands")
        return finished_hands.rewrite_hands(
            db,
            [id_ for (id_,) in db.execute("SELECT id FROM finished_hand")],
            lambda events: events.replace(b"\xa2Bo", b"\xa2??"),
            lambda cause: cause._replace(who=9) if cause.who == USERS["Bo"] else cause,
        )

    assert await writing.run_in_thread(forget) == 4
    hand = await evening.store.hand(evening.table, 2)
    assert hand is not None
    assert "'Bo'" not in repr(hand.events)
    assert "'??'" in repr(hand.events)
    assert "'Cy'" in repr(hand.events)


async def test_fault_in_spare_time_keeps_no_save_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work that waits for a pause goes wrong in a way that nobody foresaw; the hands go on, and the next save takes the work up again."""
    evening = await Evening(tmp_path).begin()
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    with monkeypatch.context() as broken:
        broken.setattr("bot.store.spare_time.exchange_hand", lambda *_: 1 // 0)
        await play(evening, 2)
        await store_of(evening).finish_spare_time_work()
        await play(evening, 1)
    await play(evening, 1)
    await store_of(evening).finish_spare_time_work()
    assert rows(evening, "SELECT count(*) FROM finished_hand") != [(0,)]
    await evening.audit()
