"""With its chips in a database the command looks there, and says what to use instead of what works on a file."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import msgspec
import pytest

from bot.__main__ import main
from bot.backups import FOLDER, HOUR_MS, Backups, backups_in, run_drill
from bot.operation.runner import LocalOptions, run
from bot.runtime.journal import JournalEvent
from bot.runtime.statistics_events import statistics_decoder
from bot.runtime.store_errors import StoreUnusable
from bot.settings import DATA_FILE, SECRET_FILE, STATISTICS_FILE, schema_of
from bot.statistics.types import CountedChips
from bot.store.backup import check_data
from bot.store.codec import EventCodec
from bot.store.connection import connect
from bot.store.data_source import source_named, source_of
from bot.store.migrate import apply_migrations, migrations, newest_migration
from bot.store.slots import ServerSlot, slot_of
from bot.store.statistics.statistics import Statistics
from bot.store.store import Store
from bot.text import upkeep as words
from bot.text.language import t
from bot.version import VERSION
from tests.runtime.evening import GUILD, MASTER, USERS, Evening
from tests.store.desk import ANN, CODEC, Desk

pytestmark = pytest.mark.postgresql
KEPT = Path(__file__).parents[1] / "data" / "v0_1_0"
SCHEMA = "cardroom_local"


@pytest.fixture
def folder(tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a local cardroom whose chips are in a database."""
    from tests.support.postgres_store import drop

    for name, value in (("DATABASE", postgres), ("DATA", str(tmp_path)), ("PICTURES", "no")):
        monkeypatch.setenv(f"CARDROOM_{name}", value)
    monkeypatch.setenv("DISCORD_TOKEN", "")
    yield tmp_path / "local"
    for schema in (SCHEMA, f"{SCHEMA}_1", f"{SCHEMA}_house"):
        drop(postgres, schema)


async def _play(folder: Path, address: str, schema: str = SCHEMA) -> Evening:
    """Play a hand to its end and begin another one."""
    from tests.support.postgres_store import postgres_engine

    folder.mkdir(mode=0o700)
    (folder / SECRET_FILE).write_bytes(MASTER)
    evening = Evening(
        folder, store=lambda path: Store(postgres_engine(address, schema, folder), EventCodec(JournalEvent))
    )
    evening.tells_every_way = False
    await evening.begin()
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.deal()
    await evening.next_player_acts("folds")
    await evening.deal()
    return evening


async def test_doctor_and_export_look_into_the_database(
    folder: Path, postgres: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor"]) == 0
    told = capsys.readouterr().out
    assert "✔ The database can be used (PostgreSQL " in told and "nothing has been played yet" in told
    evening = await _play(folder, postgres)
    assert main(["doctor"]) == 0
    told = capsys.readouterr().out
    for line in (t(words.CLOCK_CHECK), t(words.BOOKS_CHECK), t(words.SECRET_CHECK)):
        assert f"✔ {line}" in told
    assert "✔ A dealer owns the data: process " in told and "no synchronous standby is named" in told
    assert main(["export", str(folder / "all.jsonl")]) == 0
    lines = [msgspec.json.decode(line) for line in (folder / "all.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["hand"] for line in lines if line["line"] == "hand"] == [1]
    assert sum(line["chips"] for line in lines if line["line"] == "balance") == 0
    await evening.end()


def test_what_works_on_a_file_says_what_to_use_instead(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder.mkdir()
    assert main(["doctor", "--vacuum"]) == 1
    assert capsys.readouterr().err == f"cardroom doctor: {t(words.VACUUM_OF_DATABASE)}\n"
    assert main(["statistics", "rebuild"]) == 0
    assert t(words.STATISTICS_REQUESTED_OF_DEALER) in capsys.readouterr().out


@pytest.mark.parametrize("later", [False, True], ids=["with the move", "later"])
async def test_servers_are_dealt_out_to_slots_by_command(
    folder: Path, postgres: str, capsys: pytest.CaptureFixture[str], later: bool
) -> None:
    from tests.support.postgres_store import asking, postgres_engine

    store = Store(folder / DATA_FILE, CODEC)
    await store.open()
    guilds = (GUILD, (1 << 22) + GUILD, (2 << 22) + GUILD)
    for guild in guilds:
        desk = Desk(store, guild, f"{guild}:")
        table = await desk.open(channel=7)
        await desk.sit(table, ANN, 500)
        await store.keep(f"greeted.{guild}", b"yes")
        await store.keep(f"again.{table}", b"call")
    await store.keep("runtime.alive", b"1")
    await store.keep(f"locale.{ANN}", b"de")
    newest = store.newest_cause
    await store.close()
    if later:
        assert main(["move", "--to", "database"]) == 0
        assert main(["move", "--slots", "2"]) == 0
        assert t(words.DEALT_OUT, count=2) in capsys.readouterr().out
        assert main(["move", "--slots", "1"]) == 1
        assert "there are 2 slots; a multiple of that" in capsys.readouterr().err
    else:
        assert main(["move", "--to", "database", "--slots", "2"]) == 0
        assert f"and schema {SCHEMA}_1 of the database" in capsys.readouterr().out
    for number in range(2):
        of, schema = ServerSlot(number, 2), schema_of(local=True, slot=number)
        slot = Store(postgres_engine(postgres, schema, folder / f"slot-{number}", slot=of), CODEC, slot=of)
        await slot.open()
        own = [guild for guild in guilds if slot_of(guild, 2) == number]
        assert list(await slot.guilds()) == own
        assert [not (await slot.audit(guild)).faults for guild in own] == [True] * len(own)
        assert set(await slot.values("")) >= {"runtime.alive", *(f"greeted.{guild}" for guild in own)}
        assert len(await slot.values("again.")) == len(await slot.values("greeted.")) == len(own)
        assert await Desk(slot, own[0], "new").open(channel=8) == (4, (1 << 40) + 1)[number]
        assert slot.newest_cause == (newest, 1 << 40)[number] + 1, "no number is given twice, in whichever slot"
        await slot.close()
    with asking(postgres, f"{SCHEMA}_house") as db:
        assert db.execute("SELECT key, value FROM personal_value").fetchall() == [(f"locale.{ANN}", b"de")]
        db.execute("UPDATE personal_value SET value = 'fr'")
    assert main(["fleet"]) == 1, "no slot has a dealer yet"
    assert main(["backup", str(folder / "copy.db")]) == 0
    copy = str(folder / "copy-slot-1.db")
    capsys.readouterr()
    assert [main(["restore", copy]), main(["restore", copy, "--slot", "0"])] == [1, 1]
    told = capsys.readouterr().err
    assert t(words.WHICH_SLOT, count=2) in told and f"holds server {guilds[1]}, which belongs to slot 1" in told
    assert main(["restore", copy, "--slot", "1"]) == 0
    assert main(["move", "--to", "file"]) == 0
    assert main(["doctor"]) == 1, "the database says where its chips went"
    whole = Store(folder / DATA_FILE, CODEC)
    await whole.open()
    assert sorted(await whole.guilds()) == sorted(guilds)
    assert len(await whole.open_tables()) == len(guilds) + 2
    assert len(await whole.values("again.")) == len(await whole.values("greeted.")) == len(guilds)
    assert (await whole.value("runtime.alive"), await whole.value(f"locale.{ANN}")) == (b"1", b"fr")
    assert await Desk(whole, GUILD, "last").open(channel=9) == (1 << 40) + 2
    await whole.close()
    assert check_data(folder / DATA_FILE).problems == ()


async def test_lost_database_comes_back_with_what_people_chose(
    folder: Path, tmp_path: Path, postgres: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the copies of both slots, of which one is newer, whichever is put back first; a house that lives is let be."""
    from bot.store.postgres.slots import choose_slots
    from tests.support.postgres_store import asking, drop

    store = Store(folder / DATA_FILE, CODEC)
    await store.open()
    for guild in (GUILD, (1 << 22) + GUILD):
        await Desk(store, guild, f"{guild}:").grant(ANN, 500)
    await store.keep(f"locale.{ANN}", b"de")
    await store.keep(f"dmchannel.{ANN}", b"77")
    await store.close()
    assert main(["move", "--to", "database", "--slots", "2"]) == 0
    older, newer = (tmp_path / f"{age}.db" for age in ("older", "newer"))
    assert main(["backup", str(older)]) == 0
    with asking(postgres, f"{SCHEMA}_house") as db:
        db.execute("UPDATE personal_value SET value = 'fr' WHERE value = 'de'")
    assert main(["backup", str(newer)]) == 0
    copies = [tmp_path / "older-slot-0.db", tmp_path / "newer-slot-1.db"]

    def chosen() -> dict[str, bytes]:
        with asking(postgres, f"{SCHEMA}_house") as db:
            return dict(db.execute("SELECT key, value FROM personal_value ORDER BY key").fetchall())

    for order in (copies, copies[::-1]):
        for schema in (SCHEMA, f"{SCHEMA}_1", f"{SCHEMA}_house"):
            drop(postgres, schema)
        assert main(["restore", str(copies[0])]) == 1
        assert "a copy of one of 2 slots, and here there are 1" in capsys.readouterr().err
        choose_slots(postgres, f"{SCHEMA}_house", lambda slot: schema_of(local=True, slot=slot), 2)
        for copy in order:
            assert main(["restore", str(copy), "--slot", copy.stem[-1]]) == 0
        told = capsys.readouterr().out
        assert told.count(t(words.HOUSE_PUT_BACK)) == (2 if order is copies else 1)
        assert chosen() == {f"dmchannel.{ANN}": b"77", f"locale.{ANN}": b"fr"}
    with asking(postgres, f"{SCHEMA}_house") as db:
        db.execute("UPDATE personal_change SET number = number + 1")
        db.execute("DELETE FROM personal_value WHERE key LIKE 'locale%'")  # as a dealer does
    for copy in copies:
        assert main(["restore", str(copy), "--slot", copy.stem[-1]]) == 0
        with asking(postgres, SCHEMA if copy is copies[0] else f"{SCHEMA}_1") as db:
            kept = db.execute("SELECT key FROM kept WHERE key ~ '^(locale|dmchannel|store.house)'").fetchall()
            assert kept == [], "they are in the house"
    assert t(words.HOUSE_STAYS) in capsys.readouterr().out
    assert chosen() == {f"dmchannel.{ANN}": b"77"}
    assert run_drill(copies[1], EventCodec(JournalEvent)) == ()
    monkeypatch.setenv("CARDROOM_DATABASE", "")
    (folder / DATA_FILE).unlink()
    assert main(["restore", str(copies[1])]) == 0
    of_slot = source_of(folder / DATA_FILE, postgres, SCHEMA, f"{SCHEMA}_house")
    monkeypatch.setenv("CARDROOM_DATABASE", postgres)
    assert source_named(str(of_slot)) == of_slot, "the process that copies every hour is told of the house"
    alone = Store(folder / DATA_FILE, CODEC)
    await alone.open()
    assert await alone.value(f"locale.{ANN}") == b"fr", "a slot's copy is a data file like any other"
    await alone.keep(f"quiet.{ANN}", b"\xff")
    await alone.close()
    assert run_drill(folder / DATA_FILE, EventCodec(JournalEvent)) == ("1 of 1 values of quiet cannot be read",)


@pytest.fixture
def other_database(postgres: str) -> Iterator[str]:
    """The address of a second database on the same server."""
    import psycopg

    with psycopg.connect(postgres, autocommit=True) as db:
        db.execute("CREATE DATABASE elsewhere")
        yield postgres.replace("/postgres?", "/elsewhere?")
        db.execute("DROP DATABASE elsewhere")


async def test_several_slots_move_to_another_database(
    folder: Path,
    postgres: str,
    other_database: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from tests.support.postgres_store import asking, postgres_engine

    store, guilds = Store(folder / DATA_FILE, CODEC), (GUILD, (1 << 22) + GUILD)
    await store.open()
    for guild in guilds:
        desk = Desk(store, guild, f"{guild}:")
        await desk.sit(await desk.open(channel=7), ANN, 500)
    await store.keep(f"locale.{ANN}", b"de")
    await store.close()
    assert main(["move", "--to", "database", "--slots", "2"]) == 0
    capsys.readouterr()
    assert main(["move", "--to", other_database, "--slots", "4"]) == 1
    assert t(words.SAME_SLOTS, count=2, wanted=4) in capsys.readouterr().err
    assert main(["move", "--to", other_database]) == 0
    assert f"schema {SCHEMA}_1 of the database elsewhere" in capsys.readouterr().out
    with asking(other_database, f"{SCHEMA}_house") as db:
        assert db.execute("SELECT slots FROM fact").fetchone() == (2,)
        assert db.execute("SELECT key, value FROM personal_value").fetchall() == [(f"locale.{ANN}", b"de")]
    assert main(["move", "--to", other_database]) == 1
    assert "have been moved already" in capsys.readouterr().err
    for number, guild in enumerate(guilds):
        of, schema = ServerSlot(number, 2), schema_of(local=True, slot=number)
        slot = Store(postgres_engine(other_database, schema, folder / f"slot-{number}", slot=of), CODEC, slot=of)
        await slot.open()
        assert list(await slot.guilds()) == [guild]
        assert await Desk(slot, guild, "new").open(channel=8) > (number << 40)
        await slot.close()
        left = Store(postgres_engine(postgres, schema, folder / f"slot-{number}", slot=of), CODEC, slot=of)
        with pytest.raises(StoreUnusable, match="have been moved to"):
            await left.open()
    monkeypatch.setenv("CARDROOM_DATABASE", other_database)
    assert main(["move", "--to", "file"]) == 0
    assert check_data(folder / DATA_FILE).problems == ()


async def test_backup_of_a_database_is_put_back_into_either(
    folder: Path, tmp_path: Path, postgres: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy.db"
    evening = await _play(folder, postgres)
    held = evening.stacks()
    assert main(["backup", str(copy)]) == 0  # also while it is played
    assert "open tables 1" in capsys.readouterr().out
    await evening.next_player_acts("folds")
    assert main(["restore", str(copy)]) == 1
    assert "in use by process" in capsys.readouterr().err
    await evening.end()
    assert main(["restore", str(copy)]) == 0
    assert f"What was there before is now schema {SCHEMA}_replaced_" in capsys.readouterr().out
    await evening.begin()
    assert not evening.playing(), "the hand that ran is cancelled: its cards have been seen"
    assert sum(evening.stacks().values()) == 20_000 and evening.stacks() != held
    await evening.audit()
    await evening.end()
    monkeypatch.setenv("CARDROOM_DATABASE", "")
    assert main(["restore", str(copy)]) == 0
    assert main(["doctor"]) == 0


def test_backup_of_an_older_version_is_brought_up_to_date(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = Path(shutil.copy(KEPT / "discord" / DATA_FILE, tmp_path / "old.db"))
    with contextlib.closing(connect(str(old))) as db:
        apply_migrations(db, old, migrations()[:14])
    assert main(["restore", str(old), "--key", str(KEPT / "discord" / SECRET_FILE)]) == 0
    assert main(["doctor"]) == 0
    assert f"✔ {t(words.BOOKS_CHECK)}" in capsys.readouterr().out
    assert not list(folder.glob("*.restoring*"))


async def test_hourly_backup_is_made_in_a_process(folder: Path, postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    evening = await _play(folder, postgres)
    backups = Backups(
        evening.store, EventCodec(JournalEvent), evening.clock, 2, source_of(folder, postgres, SCHEMA), folder
    )
    await backups.open()
    made = await backups.back_up()
    assert made is not None and backups_in(folder / FOLDER) == [made]
    assert check_data(made).open_tables == 1
    assert backups.drill is not None and backups.drill.problems == ()
    assert await backups.back_up() is None, "nothing has changed since"
    await evening.next_player_acts("folds")
    evening.clock.move_to(evening.clock.now() + HOUR_MS)
    monkeypatch.setattr("bot.backups.COPIER", (sys.executable, "-c", "import time; time.sleep(60)"))
    backups._start()
    while backups._process is None:
        await asyncio.sleep(0.01)
    await asyncio.wait_for(backups.close(), 5)
    assert backups_in(folder / FOLDER) == [made], "a dealer that stops waits for no copy"
    monkeypatch.setattr("bot.backups.COPIER", (sys.executable, "-c", "print('the disk is full'); raise SystemExit(1)"))
    assert await backups.back_up() is None
    await evening.end()


def test_chips_in_a_file_are_not_passed_over(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(_end_soon(Store(folder / DATA_FILE, EventCodec(JournalEvent))))
    assert run(LocalOptions(browser=False)) == 1
    assert "which would not be found. Bring them there with `cardroom move --to database`" in capsys.readouterr().err
    assert main(["move", "--to", "database"]) == 0
    monkeypatch.setenv("CARDROOM_DATABASE", f"postgresql:///chips?host={folder}")  # where there is no server
    assert run(LocalOptions(browser=False)) == 1
    assert "the database of CARDROOM_DATABASE cannot be used" in capsys.readouterr().err
    monkeypatch.setenv("CARDROOM_DATABASE", "")
    assert run(LocalOptions(browser=False)) == 1
    assert f"have been moved to schema {SCHEMA} of the database" in capsys.readouterr().err


async def _end_soon(store: Store) -> None:
    await store.open()
    await store.close()


async def test_everything_moves_by_command_and_back(
    folder: Path, postgres: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = folder / DATA_FILE
    evening = await _play(folder, postgres)
    assert main(["move", "--to"]) == 1
    assert "in use by process" in capsys.readouterr().err
    await evening.end()
    for to, then, stays in (
        ("file", words.DEAL_FROM_FILE, f"schema {SCHEMA} of the database"),
        ("database", words.DEAL_FROM_DATABASE, str(file)),
        ("file", words.DEAL_FROM_FILE, f"schema {SCHEMA} of the database"),
    ):
        assert main(["move", "--to", to]) == 0
        told = capsys.readouterr().out.splitlines()
        assert told[:3] == [t(words.MOVE_STAGES[stage]) for stage in ("checking", "copying", "comparing")]
        assert any(line.startswith("Servers 1 · open tables 1 · transfers ") for line in told)
        assert told[-1].startswith(t(then, source="").partition(".")[0]) and stays in told[-1]
        if to == "database":
            assert main(["doctor"]) == 0
            assert t(words.BOOKS_CHECK) in capsys.readouterr().out
    assert main(["doctor"]) == 1
    assert f"have been moved to {file}" in capsys.readouterr().out
    monkeypatch.setenv("CARDROOM_DATABASE", "")
    assert main(["doctor"]) == 0
    assert main(["move", "--to", "file"]) == 1
    assert t(words.NO_DATABASE_TO_MOVE) in capsys.readouterr().err
    monkeypatch.setattr("bot.operation.move.deal_out", Mock(side_effect=KeyboardInterrupt))
    assert main(["move", "--to", postgres]) == 1
    assert t(words.MOVE_BROKEN_OFF) in capsys.readouterr().err
    assert main(["move", "--to", "mysql://host/chips"]) == 1
    assert "--to: write an address such as postgresql://" in capsys.readouterr().err


async def test_process_counts_every_hand_of_a_database_again(folder: Path, postgres: str) -> None:
    evening = await _play(folder, postgres)
    data = source_of(folder / DATA_FILE, postgres, SCHEMA)
    assert postgres not in str(data), "the address is in no command line"
    statistics = Statistics(folder / STATISTICS_FILE, data, statistics_decoder(), now=evening.clock.now, rebuild_from=0)
    await statistics.open()
    async with asyncio.timeout(30):
        while not statistics.measures.rebuilds:
            await asyncio.sleep(0.05)
    assert await statistics.hands_of(GUILD, USERS["Ann"], CountedChips.SERVER) == 1
    await statistics.close()
    await evening.end()


async def test_doctor_names_a_slot_that_nobody_serves(
    folder: Path, postgres: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two slots: one has a dealer, where Ann and Bo play, and the other one has none."""
    from tests.support.postgres_store import asking, drop

    assert await asyncio.to_thread(main, ["fleet", "--slots", "2"]) == 1
    assert "the local cardroom has one dealer" in capsys.readouterr().err
    monkeypatch.setenv("DISCORD_TOKEN", "a-token-of-nobody")
    folder = folder.with_name("discord")
    schemas = ("cardroom_0", "cardroom_1", "cardroom_house")
    try:
        assert await asyncio.to_thread(main, ["fleet", "--slots", "2"]) == 0
        evening = await _play(folder, postgres, schemas[0])
        capsys.readouterr()
        assert await asyncio.to_thread(main, ["doctor"]) == 1
        told = capsys.readouterr().out
        assert "✔ Slot 0: this version can go on with its tables, and its books agree" in told
        assert "✔ Slot 0: its tables are those of this version (format " in told
        assert "✔ Slot 0 has a dealer: process" in told
        assert "– The last backup is not older than a day (slot 0): there is none" in told
        assert "✘ Slot 1 has a dealer: nobody serves it, while others have one: `cardroom fleet`" in told
        assert await asyncio.to_thread(main, ["fleet"]) == 1
        told = capsys.readouterr().out
        assert "Slot 1 has no dealer: its servers are unserved." in told
        assert "Nobody stands by" in told and "no synchronous standby" in told
        assert "serves slot 0, but says nothing of itself" in told
        newer = newest_migration() + 1
        with asking(postgres, schemas[0]) as db:
            db.execute("INSERT INTO migration VALUES (%s, %s, 'x', 0)", (newer, f"{newer}_with_{newer - 1}.sql"))
        assert await asyncio.to_thread(main, ["doctor"]) == 1
        told = capsys.readouterr().out
        assert (
            f"its tables are those of this version (format {newer - 1}): they are of a newer one (format {newer})"
            in told
        )
        await asyncio.to_thread(main, ["fleet"])
        row = capsys.readouterr().out.splitlines()[1]
        assert row.split()[5:7] == [VERSION, str(newer)]
        assert await asyncio.to_thread(main, ["backup", str(folder / "copy.db")]) == 0
        assert f"format {newer - 1}" in capsys.readouterr().out, "what this version knows"
        assert await asyncio.to_thread(main, ["export", str(folder / "all.jsonl")]) == 0
        assert f'"server":{GUILD}' in (folder / "all.jsonl").read_text()
        await evening.end()
    finally:
        for schema in schemas:
            drop(postgres, schema)
