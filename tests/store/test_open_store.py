"""A data file opens for one process, if it is sound and has a schema that this program knows."""

import asyncio
import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.runtime.store_errors import StoreFailed, StoreInUse, StoreUnusable
from bot.store.connection import SqliteDatabase, connect
from bot.store.migrate import Migration, apply_migrations, migrations
from tests.store.desk import ANN, GUILD, Desk, sqlite_store

STEPS = migrations()
SECOND = Migration(STEPS[-1].number + 1, "0999_more.sql", "CREATE TABLE more (id INTEGER PRIMARY KEY);")


@pytest.fixture
def path(disk_folder: Path) -> Path:
    return disk_folder / "cardroom.db"


@pytest.fixture
def db(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(connect(str(path))) as opened:
        yield opened


async def test_only_its_owner_reads_the_data(disk_folder: Path) -> None:
    store = sqlite_store(disk_folder / "new" / "data")
    await store.open()
    await Desk(store).grant(ANN, 5)
    if os.name == "posix":
        assert stat.S_IMODE(store.path.parent.stat().st_mode) == 0o700
        for file in store.path.parent.iterdir():
            assert stat.S_IMODE(file.stat().st_mode) == 0o600, file.name
    await store.close()


async def test_a_second_store_on_the_same_file_is_refused(disk_folder: Path) -> None:
    first, second = sqlite_store(disk_folder), sqlite_store(disk_folder)
    await first.open()
    with pytest.raises(StoreInUse, match="another process"):
        await second.open()
    await first.close()
    await second.open()
    await second.close()


async def test_a_second_process_is_refused(disk_folder: Path) -> None:
    store = sqlite_store(disk_folder)
    await store.open()
    script = (
        "import asyncio, pathlib, sys\n"
        "from tests.store.desk import sqlite_store\n"
        "asyncio.run(sqlite_store(pathlib.Path(sys.argv[1])).open())\n"
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", script, str(disk_folder), stderr=subprocess.PIPE, cwd=Path(__file__).parents[2]
    )
    _, errors = await process.communicate()
    assert process.returncode == 1
    assert b"StoreInUse" in errors
    await Desk(store).grant(ANN, 5)  # the first one is none the worse
    await store.close()


async def test_connection_uses_durable_settings(disk_folder: Path) -> None:
    found: dict[str, object] = {}
    opened: list[SqliteDatabase] = []

    def remember(path: str) -> SqliteDatabase:
        opened.append(connect(path, any_thread=True))
        return opened[0]

    store = sqlite_store(disk_folder, remember)
    await store.open()
    for pragma in ("journal_mode", "synchronous", "foreign_keys"):
        (found[pragma],) = opened[0].execute(f"PRAGMA {pragma}").fetchone()
    assert found == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        await store._read(lambda db: db.execute("DELETE FROM kept"))
    await store.close()


def test_what_has_been_written_cannot_be_changed(db: sqlite3.Connection, path: Path) -> None:
    apply_migrations(db, path, STEPS)
    db.execute("INSERT INTO cause VALUES (1, 'k', 1, 1, 1, 'x', 0, 0, 0)")
    db.execute("INSERT INTO transfer VALUES (1, 1, 0, 5, 'grant', 1, 0, 0, 3, 0, 9, '', 3, 9)")
    for sql in ("UPDATE transfer SET chips = 6", "DELETE FROM transfer"):
        with pytest.raises(sqlite3.IntegrityError, match="never"):
            db.execute(sql)
    with pytest.raises(sqlite3.IntegrityError):  # a wallet below zero
        db.execute("INSERT INTO balance VALUES (1, 3, 0, 9, -1, 0)")
    with pytest.raises(sqlite3.IntegrityError):  # a number that two owners would both give
        db.executescript(
            "INSERT INTO guild VALUES (1, 1, NULL);"
            "INSERT INTO card_table VALUES (1, 1, 1, 7, x'', 'open', 0, NULL, 0);"
            "INSERT INTO event VALUES (1, 1, 2, 1, x''); INSERT INTO event VALUES (1, 1, 1, 1, x'');"
        )


def test_migrations_are_applied_once_and_in_order(db: sqlite3.Connection, path: Path) -> None:
    assert [step.number for step in STEPS] == list(range(1, len(STEPS) + 1))
    assert apply_migrations(db, path, STEPS) == tuple(step.name for step in STEPS)
    assert apply_migrations(db, path, STEPS) == ()
    assert not list(path.parent.glob("*.before-*"))  # nothing was there to back up


def test_a_backup_is_made_before_a_file_is_migrated(db: sqlite3.Connection, path: Path) -> None:
    apply_migrations(db, path, STEPS)
    db.execute("INSERT INTO kept VALUES ('k', x'01')")
    assert apply_migrations(db, path, (*STEPS, SECOND)) == (SECOND.name,)
    (copy,) = path.parent.glob("*.before-*")
    if os.name == "posix":
        assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    with closing(connect(str(copy))) as old:
        assert old.execute("SELECT key FROM kept").fetchall() == [("k",)]
        assert apply_migrations(old, copy, STEPS) == ()  # it opens with the program before


def test_a_newer_file_is_refused(db: sqlite3.Connection, path: Path) -> None:
    apply_migrations(db, path, (*STEPS, SECOND))
    with pytest.raises(StoreUnusable, match=r"newer version.*update the program"):
        apply_migrations(db, path, STEPS)


def test_a_changed_migration_is_refused(db: sqlite3.Connection, path: Path) -> None:
    apply_migrations(db, path, STEPS)
    changed = Migration(STEPS[0].number, STEPS[0].name, STEPS[0].text + "-- a later thought")
    with pytest.raises(StoreUnusable, match="differs"):
        apply_migrations(db, path, (changed, *STEPS[1:]))


def test_a_migration_that_fails_leaves_the_file_as_it_was(db: sqlite3.Connection, path: Path) -> None:
    apply_migrations(db, path, STEPS)
    broken = Migration(SECOND.number, SECOND.name, "CREATE TABLE more (id); INSERT INTO nowhere VALUES (1);")
    with pytest.raises(StoreUnusable, match="nothing of it was applied"):
        apply_migrations(db, path, (*STEPS, broken))
    assert db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'more'").fetchone() == (0,)
    assert apply_migrations(db, path, (*STEPS, SECOND)) == (SECOND.name,)


def test_another_programs_file_is_refused(db: sqlite3.Connection, path: Path) -> None:
    db.execute("CREATE TABLE customers (id)")
    with pytest.raises(StoreUnusable, match="another program"):
        apply_migrations(db, path, STEPS)


async def test_a_file_that_is_no_database_is_refused_and_kept(disk_folder: Path) -> None:
    store = sqlite_store(disk_folder)
    store.path.write_bytes(b"Dear diary, " * 1000)
    with pytest.raises((StoreUnusable, StoreFailed), match=r"cardroom\.db"):
        await store.open()
    assert store.path.read_bytes().startswith(b"Dear diary")


async def test_a_damaged_file_is_refused(disk_folder: Path) -> None:
    store = sqlite_store(disk_folder)
    await store.open()
    desk = Desk(store)
    for user in range(1, 200):
        await desk.grant(user, 5)
    await store.close()
    whole = store.path.read_bytes()
    store.path.write_bytes(whole[:8192] + b"\xff" * 12_288 + whole[20_480:])
    with pytest.raises((StoreUnusable, StoreFailed)):
        await store.open()
    store.path.write_bytes(whole)
    await store.open()  # the lock was given back
    assert (await store.audit(GUILD)).minted == 995
    await store.close()


async def test_folder_that_cannot_be_made_is_explained(disk_folder: Path) -> None:
    (disk_folder / "file").write_text("in the way")
    with pytest.raises(StoreFailed, match="cannot be opened"):
        await sqlite_store(disk_folder / "file").open()


def test_no_two_migrations_have_the_same_number() -> None:
    numbers = [step.number for step in migrations()]
    assert numbers == list(range(1, len(numbers) + 1))
