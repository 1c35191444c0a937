"""Data moves from a file into a database and back, byte for byte, and is in one house only whenever the process is killed."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import signal
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.runtime.journal import JournalEvent
from bot.runtime.store_errors import StoreInUse, StoreUnusable
from bot.runtime.store_types import ROLLED_BACK_KEY
from bot.store import move as moving
from bot.store.backup import check_data
from bot.store.codec import EventCodec
from bot.store.connection import connect
from bot.store.copy_rows import CopyFailed, ServerSplit, copied_tables, copy_rows
from bot.store.engine import Engine
from bot.store.home import DataHome, FileHome
from bot.store.migrate import Migration, apply_migrations, migrations
from bot.store.move import TargetNotEmpty, deal_out, join, move, move_slots
from bot.store.store import Store
from tests.runtime.evening import Evening
from tests.store.desk import ANN, BO, CODEC, GUILD, Desk, sqlite_store

if importlib.util.find_spec("psycopg") is None and os.environ.get("CI") != "true":
    pytest.skip("psycopg is not installed: pip install -e '.[postgres]'", allow_module_level=True)

from bot.store.postgres import deal_again
from bot.store.postgres.database import PostgresDatabase
from bot.store.postgres.deal_again import Slots
from bot.store.postgres.home import SchemaHome
from bot.store.postgres.house import make_house
from tests.support.postgres_store import asking, postgres_engine

KEPT = Path(__file__).parents[1] / "data" / "v0_1_0"
LEASE = 0.6
"""Seconds. So long a move that was killed keeps the next one waiting."""


@pytest.fixture
def schema(tmp_path: Path) -> str:
    return f"moved_{zlib.crc32(str(tmp_path).encode())}"


@pytest.fixture
def database(postgres: str, schema: str, tmp_path: Path) -> SchemaHome:
    return SchemaHome(postgres, schema, tmp_path, lease=LEASE, lost=lambda: None)


@pytest.fixture
async def file(tmp_path: Path) -> FileHome:
    """A file in which two servers play."""
    store = sqlite_store(tmp_path)
    await store.open()
    for guild in (GUILD, GUILD + 1):
        desk = Desk(store, guild, f"{guild}:")
        table = await desk.open(channel=7)
        await desk.sit(table, ANN, 500)
        await desk.sit(table, BO, 500)
        await desk.save(
            desk.acted(table, transfers=(desk.bet(table, ANN, 50),), saved_state=b"state", key=f"bet{guild}")
        )
    await store.keep("a.value", b"1")
    await store.close()
    return FileHome(store.path)


def _rows(home: DataHome) -> dict[str, list[str]]:
    """Return every row of every table."""
    with home.reading() as db:
        return {
            table: sorted(map(repr, map(tuple, db.execute(f'SELECT * FROM "{table}"').fetchall())))
            for table in db.tables()
            if table != "owner"
        }


def _engine(home: DataHome, postgres: str, schema: str, folder: Path) -> Path | Engine:
    return Path(home.name) if isinstance(home, FileHome) else postgres_engine(postgres, schema, folder, lease=30.0)


# what arrives


def test_rows_arrive_byte_for_byte_and_come_back(database: SchemaHome, tmp_path: Path) -> None:
    folder = tmp_path / "discord"
    shutil.copytree(KEPT / "discord", folder)  # tables in the middle of hands, as an early version left them
    file, again = FileHome(folder / "cardroom.db"), FileHome(tmp_path / "again.db")
    moved = move(file, database, 1)
    assert file.check().problems == ()
    arrived = _rows(database)
    assert moved.contents.transfers == len(arrived["transfer"]) > 100
    with file.writing() as db:
        moving.unmark(db)
    assert arrived == _rows(file)
    assert move(database, again, 2).contents == moved.contents
    assert _rows(again) == arrived


@pytest.mark.parametrize(
    "wrong", [pytest.param("a row is missing", marks=pytest.mark.full), "a transfer is another one"]
)
def test_what_arrives_otherwise_is_not_taken(
    file: FileHome, database: SchemaHome, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    add_rows = PostgresDatabase.add_rows

    def add_others(db: Any, table: str, columns: Any, rows: Any) -> None:
        if table == "transfer":
            changed = [(*row[:3], row[3] + 1, *row[4:]) for row in rows]
            rows = rows[1:] if wrong == "a row is missing" else changed
        add_rows(db, table, columns, rows)

    monkeypatch.setattr(PostgresDatabase, "add_rows", add_others)
    with pytest.raises(StoreUnusable, match="nothing has changed"):
        move(file, database, 1)
    assert not database.is_there()
    monkeypatch.undo()
    move(file, database, 2)


async def test_half_played_hand_goes_on_with_the_same_cards(
    database: SchemaHome, postgres: str, schema: str, tmp_path: Path
) -> None:
    """Once in a file all the time; once moved into a database on the flop, and back on the next one."""
    ends = []
    for folder in (tmp_path / "stays", tmp_path / "moves"):
        folder.mkdir()
        evening = Evening(folder, store=lambda path: Store(path, EventCodec(JournalEvent)))
        evening.tells_every_way = False
        file = FileHome(evening.path)
        await evening.begin()
        await evening.open()
        await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
        for source, target in ((file, database), (database, file)):
            await evening.deal()
            await evening.next_player_acts("calls", "calls", "checks")
            await evening.end()
            if folder.name == "moves":
                move(source, target, evening.clock.now())
                data = _engine(target, postgres, schema, folder)
                evening._make_store = lambda _, data=data: Store(data, EventCodec(JournalEvent))
            await evening.begin()
            await evening.next_player_acts("bets 300", "calls", "calls", *["checks"] * 6)
            await evening.audit()
        past = [await evening.store.hand(evening.table, number) for number in (1, 2)]
        ends.append((evening.stacks(), [hand and (hand.nonce, hand.events) for hand in past]))
        assert await evening.open(channel=71) == evening.table == 2
        await evening.end()
    assert ends[0] == ends[1]


# one house


async def test_dealer_is_told_where_the_data_went(
    file: FileHome, database: SchemaHome, postgres: str, schema: str, tmp_path: Path
) -> None:
    move(file, database, 1)
    with pytest.raises(StoreUnusable, match=f"have been moved to schema {schema} of the database postgres"):
        await Store(Path(file.name), CODEC).open()
    with pytest.raises(StoreUnusable, match=r"moved to schema .* already"):
        move(file, FileHome(tmp_path / "other.db"), 2)
    store = Store(postgres_engine(postgres, schema, tmp_path, lease=1.0), CODEC)
    await store.open()
    assert (await store.holdings(GUILD, ANN)).stacks == 450
    with pytest.raises(StoreInUse):
        move(database, file, 3)
    await store.close()
    moved = move(database, file, 4)
    assert moved.aside == (f"{file.name}.replaced-4",) and check_data(Path(moved.aside[0])).problems == ()
    with pytest.raises(StoreUnusable, match=r"have been moved to .*cardroom\.db"):
        await store.open()


async def test_chips_that_are_there_are_never_replaced(file: FileHome, database: SchemaHome, tmp_path: Path) -> None:
    other = FileHome(tmp_path / "other" / "cardroom.db")
    with pytest.raises(StoreUnusable, match="there is no data"):
        move(other, database, 1)
    move(file, database, 2)
    shutil.copytree(KEPT / "discord", tmp_path / "discord")
    with pytest.raises(TargetNotEmpty):
        move(FileHome(tmp_path / "discord" / "cardroom.db"), database, 3)
    empty = sqlite_store(tmp_path / "other")
    await empty.open()  # a dealer that was started by mistake
    await empty.close()
    assert move(database, other, 4).aside[0].endswith(".replaced-4")


def test_data_that_is_not_sound_stays(file: FileHome, database: SchemaHome) -> None:
    with file.writing() as db:
        db.execute("UPDATE balance SET chips = chips + 1 WHERE kind = 3")
    with pytest.raises(StoreUnusable, match="is not sound: server"):
        move(file, database, 1)
    assert not database.is_there()


STEPS = ("the last table", "the source's mark", "the target's release")


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # it has threads, and is forked
@pytest.mark.parametrize(
    "back", [False, pytest.param(True, marks=pytest.mark.full)], ids=["into the database", "into the file"]
)
async def test_killed_move_is_in_one_house_and_goes_on(
    file: FileHome, database: SchemaHome, postgres: str, schema: str, tmp_path: Path, back: bool
) -> None:
    source, target = (database, file) if back else (file, database)
    if back:
        move(file, database, 1)
    rows = _rows(source)
    for now, step in enumerate(STEPS, 2):
        _killed(lambda now=now: move(source, target, now), step)
        open_ = []
        for home in (source, target):
            store = Store(_engine(home, postgres, schema, tmp_path), CODEC)
            with contextlib.suppress(StoreUnusable):
                await store.open()
                open_ += [home] if await store.guilds() else []
                await store.close()
        assert open_ == ([] if step == "the target's release" else [source])
    assert move(source, target, 99).was_begun
    assert _rows(target) == rows


def _killed(work: Callable[[], object], step: str) -> None:
    """Do some work in a process that is killed at a step."""
    child = os.fork()
    if not child:
        try:
            _die_at(step)
            work()
        finally:
            os._exit(1)  # it came to its end, or failed earlier
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL


def _die_at(step: str) -> None:
    def die(*_: object, **__: object) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)

    if step == "the source's mark":
        inner = moving.mark
        moving.mark = lambda db, key, found: die() if key == moving.MOVED_TO else inner(db, key, found)
    elif step == "the target's release":
        moving._release = die
    elif step == "the second mark":
        marked, inner = [0], moving.mark

        def mark_one(db: Any, key: str, found: Any) -> None:
            marked[0] += key == moving.MOVED_TO
            return die() if marked[0] == 2 else inner(db, key, found)

        moving.mark = mark_one
    elif step == "the second release after both marks":
        marked, inner, release = [0], moving.mark, moving._release

        def mark_each(db: Any, key: str, found: Any) -> None:
            marked[0] += key == moving.MOVED_TO
            inner(db, key, found)

        moving.mark = mark_each
        moving._release = lambda homes: die(release(homes[:1])) if marked[0] == 2 else release(homes)
    elif step == "the exchange of the schemas":
        moves, move_tables = [0], deal_again.move_tables

        def move_one(*given: Any) -> None:
            moves[0] += 1
            return die() if moves[0] == 3 else move_tables(*given)

        deal_again.move_tables = move_one
    elif step == "the second release":
        release = moving._release
        moving._release = lambda targets: die(release(targets[:1]))
    else:
        moving.copy_rows = lambda *given, **named: die(copy_rows(*given, **named))


# several targets


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_servers_are_dealt_out_whole(file: FileHome, tmp_path: Path) -> None:
    split = ServerSplit(lambda guild: guild % 2, lambda key: (0, 1))
    parts = [FileHome(tmp_path / name / "cardroom.db") for name in ("even", "odd")]
    rows, found = _rows(file), file.check()
    _killed(lambda: deal_out(file, parts, lambda _: split, 1), "the second release")
    moved = deal_out(file, parts, lambda _: split, 2)
    assert moved.was_begun and moved.contents == found
    assert [(one.problems, one.servers, one.open_tables) for one in map(FileHome.check, parts)] == [((), 1, 1)] * 2
    even, odd = map(_rows, parts)
    for table in ("card_table", "event", "snapshot", "transfer", "balance", "cause", "player_total", "board_block"):
        assert sorted(even[table] + odd[table]) == rows[table]
    assert even["kept"] == odd["kept"] == rows["kept"]


def _slot_file(path: Path, number: int) -> FileHome:
    """A file of a slot in which one hand is over. Its part that is stored once is the same in each slot, under another number."""
    with contextlib.closing(connect(str(path))) as db:
        apply_migrations(db, path, migrations())
        guild, table, part = number + 1, (number << 40) + 1, (number << 40) + 9
        with db.transaction(), db.allowing([("hand", table, 1)]):
            db.execute("INSERT INTO guild (id, tables) VALUES (?, 1)", (guild,))
            db.execute(
                "INSERT INTO card_table (id, guild, number, channel, settings, state, opened_at) VALUES (?, ?, 1, 7, x'', 'open', 1)",
                (table, guild),
            )
            db.execute("INSERT INTO dictionary (id, blob) VALUES (1, x'01')")
            db.execute("INSERT INTO stored_part (id, sha256, blob) VALUES (?, x'aa', x'bb')", (part,))
            db.execute(
                "INSERT INTO finished_hand (id, table_id, seq, count, format, dictionary, card, blob) VALUES (?, ?, 1, 1, 1, 1, ?, x'02')",
                ((number << 40) + 3, table, part),
            )
            db.execute(
                "INSERT INTO snapshot (table_id, seq, blob, part, part_at) VALUES (?, 2, x'03', ?, 0)", (table, part)
            )
            db.execute(
                "INSERT INTO claim_floor (mark, granted_at, day, relief_at) VALUES (x'cc', ?, ?, 5)",
                (number, 9 - number),
            )
            for key in ("of.all", f"of.{guild}", f"of.{3 - guild}", *([ROLLED_BACK_KEY] if number else [])):
                db.execute("INSERT INTO kept (key, value) VALUES (?, ?)", (key, str(number).encode()))
    return FileHome(path)


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_slots_are_joined_to_one_file(tmp_path: Path) -> None:
    slots = [_slot_file(tmp_path / f"{number}.db", number) for number in range(2)]
    whole = FileHome(tmp_path / "whole.db")

    def split_of(_: object) -> ServerSplit:
        return ServerSplit(lambda guild: guild - 1, lambda key: (int(key[3:]) - 1,) if key[3:].isdigit() else (0, 1))

    found = moving.contents_of(slots)
    _killed(lambda: join(slots, whole, split_of, 1), "the second mark")
    for home, is_free in ((slots[0], False), (slots[1], True), (whole, False)):
        with home.reading() as db:
            assert (moving.marks_of(db) == moving.MoveMarks()) is is_free, (
                "a dealer can still go on with the second slot"
            )
    moved = join(slots, whole, split_of, 2)
    assert (moved.contents, moved.was_begun) == (found, False)
    with whole.reading() as db:
        assert db.execute("SELECT id FROM stored_part").fetchall() == [(9,)]
        assert db.execute("SELECT card FROM finished_hand UNION ALL SELECT part FROM snapshot").fetchall() == [(9,)] * 4
        assert db.execute("SELECT granted_at, day, relief_at FROM claim_floor").fetchall() == [(1, 9, 5)]
        assert db.execute("SELECT key, value FROM kept ORDER BY key").fetchall() == [
            ("of.1", b"0"), ("of.2", b"1"), ("of.all", b"0"), (ROLLED_BACK_KEY, b"1"),
        ]  # fmt: skip
    with pytest.raises(StoreUnusable, match="have been moved already"):
        join(slots, whole, split_of, 3)


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_slots_move_to_as_many_others(tmp_path: Path) -> None:
    """Killed at each step; at no moment can anybody deal with a slot here and with one there."""
    slots = [_slot_file(tmp_path / f"{number}.db", number) for number in range(2)]
    others = [FileHome(tmp_path / f"other-{number}.db") for number in range(2)]
    rows, found, brought = [_rows(home) for home in slots], moving.contents_of(slots), []
    steps = ("the last table", "the second mark", "the second release after both marks")
    can_be_dealt_with = ([0, 1], [1], [2])
    for now, (step, free) in enumerate(zip(steps, can_be_dealt_with, strict=True), 1):
        _killed(lambda now=now: move_slots(slots, others, now), step)
        homes = [home for home in (*slots, *others) if home.is_there()]
        assert [at for at, home in enumerate(homes) if moving._marks(home) == moving.MoveMarks()] == free
    moved = move_slots(slots, others, 9, share=lambda: brought.append(1))
    assert (moved.contents, moved.was_begun) == (found, True)
    assert [_rows(home) for home in others] == rows
    with pytest.raises(StoreUnusable, match="have been moved already"):
        move_slots(slots, others, 10)
    back = move_slots(others, slots, 11, share=lambda: brought.append(2))
    assert (len(back.aside), back.was_begun, brought) == (2, False, [2])
    assert [_rows(home) for home in slots] == rows


def test_chips_of_other_slots_are_never_replaced(tmp_path: Path) -> None:
    slots = [_slot_file(tmp_path / f"{number}.db", number) for number in range(2)]
    others = [FileHome(tmp_path / f"other-{number}.db") for number in range(2)]
    move_slots(slots[:1], others[1:], 1)
    with pytest.raises(StoreUnusable, match="have been moved already"):
        move_slots(slots, others, 2)
    move_slots(others[1:], slots[:1], 3)
    with slots[1].writing() as db:
        db.execute(
            "INSERT INTO cause (id, guild, who, at, what, table_id, number, seq) VALUES (1, 2, 3, 4, '', 0, 0, 0)"
        )
    with pytest.raises(TargetNotEmpty):
        move_slots(slots[:1], slots[1:], 4)


def test_new_table_must_say_whose_its_rows_are() -> None:
    new = Migration(9_999, "9999_new.sql", "CREATE TABLE thing (id INTEGER PRIMARY KEY, user INTEGER)")
    with pytest.raises(CopyFailed, match="rows of thing"):
        copied_tables((*migrations(), new))


@pytest.mark.full
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_killed_change_of_slots_changes_nothing(file: FileHome, postgres: str, schema: str, tmp_path: Path) -> None:
    names = [f"{schema}_{number}" for number in range(2)]
    make_house(postgres, f"{schema}_house")
    slots = Slots(postgres, f"{schema}_house", names, [tmp_path] * 2, before=1, lease=LEASE)
    split = ServerSplit(lambda guild: guild % 2, lambda key: (0, 1))
    first, second = (SchemaHome(postgres, name, tmp_path, lease=LEASE, lost=lambda: None) for name in names)
    move(file, first, 1)
    rows = _rows(first)
    _killed(lambda: deal_again.deal_out_again(slots, lambda _: split, 2), "the exchange of the schemas")
    assert _rows(first) == rows and not second.is_there()
    deal_again.deal_out_again(slots, lambda _: split, 3)
    for table in ("card_table", "event", "transfer", "balance", "cause"):
        assert sorted(_rows(first)[table] + _rows(second)[table]) == rows[table]
    with asking(postgres, f"{schema}_house") as db:
        assert db.execute("SELECT slots FROM fact").fetchall() == [(2,)]
