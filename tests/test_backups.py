"""Backups while the dealer runs: hourly, the newest and the last of each day kept, and a drill a day."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from bot.__main__ import main
from bot.backups import (
    DRILL_KEY,
    HOUR_MS,
    Backups,
    DrillResult,
    backup_name,
    backup_time,
    backups_in,
    run_drill,
    superseded,
)
from bot.fair.deck_order import master_secret
from bot.runtime.journal import JournalEvent
from bot.settings import DATA_FILE, SECRET_FILE
from bot.store import migrate
from bot.store.backup import copy_data, lock_of
from bot.store.codec import EventCodec
from bot.store.store import Store
from tests.runtime.evening import Evening
from tests.runtime.manual_clock import START

CODEC = EventCodec(JournalEvent)


async def test_backups_are_hourly_checked_and_pruned(tmp_path: Path) -> None:
    evening = await Evening(tmp_path).begin()
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.deal()
    backups = Backups(evening.store, CODEC, evening.clock, newest_kept=2)
    await backups.open()
    made = []
    for _ in range(4):
        await evening.next_player_acts("calls" if not made else "checks")
        evening.clock.move_to(evening.clock.now() + HOUR_MS)
        made.append(await backups.back_up())
    assert all(made)
    assert backups_in(backups.folder) == [made[0], *made[-2:]], "the two newest, and the last one of the day before"
    assert await backups.back_up() is None, "nothing has changed since"
    kept = await evening.store.value(DRILL_KEY)
    assert kept is not None
    drill = msgspec.msgpack.decode(kept, type=DrillResult)
    assert drill.problems == ()
    assert drill.backup == made[0].name  # type: ignore[union-attr]
    await backups.close()
    await evening.end()


async def test_alarm_makes_backup_and_sets_the_next(tmp_path: Path) -> None:
    evening = await Evening(tmp_path).begin()
    await evening.open()
    backups = Backups(evening.store, CODEC, evening.clock, newest_kept=2)
    await backups.open()
    backups._start()
    assert backups._task is not None
    await backups._task
    assert len(backups_in(backups.folder)) == 1
    await backups.close()
    await evening.end()


async def test_full_disk_stops_no_play(tmp_path: Path) -> None:
    evening = await Evening(tmp_path).begin()
    await evening.open()
    backups = Backups(evening.store, CODEC, evening.clock, newest_kept=2)
    backups.folder.write_text("a file where the folder should be")
    assert await backups.back_up() is None
    await evening.end()


def test_newest_and_last_of_each_day_are_kept() -> None:
    names = [backup_name(START + hours * HOUR_MS) for hours in range(24 * 10)]
    backups = [Path(name) for name in names]
    kept = [path for path in backups if path not in superseded(backups, 24)]
    days = {path.name[:17] for path in kept}
    assert len(days) == 7
    assert kept[-24:] == backups[-24:]
    assert len(kept) <= 24 + 7
    assert backup_time(backups[0]) == START // 1000 * 1000
    assert backup_time(Path("cardroom.db")) is None


async def test_drill_names_what_is_wrong(tmp_path: Path) -> None:
    evening = await Evening(tmp_path).begin()
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.deal()
    backups = Backups(evening.store, CODEC, evening.clock, newest_kept=2)
    made = await backups.back_up()
    assert made is not None
    await evening.end()
    assert run_drill(made, CODEC) == ()
    with contextlib.closing(sqlite3.connect(made, isolation_level=None)) as db:
        (guard,) = db.execute("SELECT sql FROM sqlite_master WHERE name = 'event_stays'").fetchone()
        db.execute("DROP TRIGGER event_stays")
        db.execute("DELETE FROM event WHERE seq = (SELECT max(seq) FROM event)")
        db.execute("UPDATE balance SET chips = chips + 5 WHERE kind = 3")
        db.execute(guard)
    problems = run_drill(made, CODEC)
    assert any("differ" in problem or "sum" in problem for problem in problems)
    assert run_drill(tmp_path / "missing.db", CODEC)


# the command line


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder of a local cardroom in which a hand runs."""
    monkeypatch.setenv("CARDROOM_DATA", str(tmp_path))
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    monkeypatch.chdir(tmp_path)
    local = tmp_path / "local"
    local.mkdir(mode=0o700)

    async def play() -> None:
        evening = Evening(tmp_path)
        evening.path = local / DATA_FILE
        evening.master = master_secret(local / SECRET_FILE, create=True)
        await evening.begin()
        await evening.open()
        await evening.seat(Ann=10_000, Bo=10_000)
        await evening.deal()
        await evening.end()

    asyncio.run(play())
    return local


def test_backup_destroyed_disk_and_restore(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy, key = tmp_path / "copy.db", tmp_path / "key"
    assert main(["backup", str(copy), "--key", str(key)]) == 0
    out = capsys.readouterr().out
    assert "open tables 1" in out and str(folder / "standin") in out, (
        "who the people are is Discord's, or the stand-in's"
    )
    assert main(["backup", str(copy)]) == 1
    assert "exists already" in capsys.readouterr().err
    for path in folder.iterdir():
        path.unlink()
    assert main(["restore", str(copy), "--key", str(key)]) == 0
    out = capsys.readouterr().out
    assert "is in place" in out
    assert "secret of the decks is in place too" in out
    assert (folder / SECRET_FILE).read_bytes() == key.read_bytes()
    assert main(["doctor"]) == 0


def test_restore_keeps_what_it_replaces(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["backup", str(tmp_path / "copy.db")]) == 0
    assert main(["restore", str(tmp_path / "copy.db")]) == 0
    assert "What was there before is now" in capsys.readouterr().out
    assert len(list(folder.glob("cardroom.db.replaced-*"))) == 1
    (tmp_path / "words.txt").write_text("hello")
    assert main(["restore", str(tmp_path / "words.txt")]) == 1
    assert main(["restore", str(tmp_path / "copy.db"), "--key", str(tmp_path / "words.txt")]) == 1
    assert "does not hold a secret" in capsys.readouterr().err


def test_doctor_draws_a_picture_and_says_how_long_it_took(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    assert re.search(r"^✔ Pictures of tables can be drawn \(\d+ ms for one\)$", capsys.readouterr().out, re.MULTILINE)


def test_doctor_draws_nothing_where_pictures_are_off(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CARDROOM_PICTURES", "no")
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert "– Tables are shown as pictures: `CARDROOM_PICTURES=no` shows all of them in text" in out
    assert "can be drawn" not in out


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"FONT_FOLDER": Path("nowhere")}, "fonts are missing, so tables go on in text: Inter-SemiBold.otf, "),
        ({"features.check": lambda feature: feature != "webp"}, "Pillow cannot write WebP here"),
        ({"features.check": lambda feature: feature != "raqm"}, "– Names in Thai, Hindi and Arabic are set as they"),
        ({"draw": lambda picture: 1 / 0}, "a try failed with ZeroDivisionError"),
    ],
    ids=["fonts", "webp", "raqm", "drawing"],
)
def test_doctor_says_why_there_are_no_pictures(
    change: dict[str, object],
    said: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, value in change.items():
        monkeypatch.setattr(f"bot.operation.upkeep.{name}", value)
    assert main(["doctor"]) == (0 if "Thai" in said else 1)
    assert said in capsys.readouterr().out


def test_doctor_names_what_is_wrong(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert "✔ The data file is sound, and its books agree" in out
    assert "✔ The secret of the decks belongs to the data" in out
    assert "– The last backup is not older than a day: there is none" in out
    folder.chmod(0o755)
    (folder / SECRET_FILE).write_bytes(b"x" * 32)
    with contextlib.closing(sqlite3.connect(folder / DATA_FILE, isolation_level=None)) as db:
        db.execute("UPDATE balance SET chips = chips + 1000 WHERE kind = 3")
    assert main(["doctor"]) == 1
    out = capsys.readouterr().out
    assert "✘ Only the owner can look into" in out
    assert "✘ The data file is sound" in out


def test_doctor_tells_a_main_file_copied_without_its_log(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody copies `cardroom.db` alone while people play, and puts it back: it opens, and is some changes older."""
    monkeypatch.setenv("CARDROOM_PICTURES", "off")

    async def play() -> None:
        evening = Evening(tmp_path)
        evening.path, evening.master = folder / DATA_FILE, master_secret(folder / SECRET_FILE, create=False)
        await evening.begin()
        await evening.seat(Cy=10_000)
        shutil.copy(evening.path, tmp_path / "alone.db")
        await evening.end()

    asyncio.run(play())
    assert main(["doctor"]) == 0
    assert "✔ The data file has every change that was made" in capsys.readouterr().out
    shutil.copy(tmp_path / "alone.db", folder / DATA_FILE)
    assert main(["doctor"]) == 1
    out = capsys.readouterr().out
    assert re.search(
        r"✘ The data file has every change that was made: it lacks \d+ changes?: it was copied without", out
    )


async def test_drafts_that_a_kill_left_are_deleted(folder: Path, tmp_path: Path) -> None:
    """A draft to which something was written a moment ago can belong to a copy that is being made."""
    left, fresh, foreign = (
        tmp_path / name for name in ("cardroom-1.db.partial", "cardroom-2.db.partial", "film.partial")
    )
    restoring = folder / f"{DATA_FILE}.restoring"
    for draft in (left, fresh, foreign, restoring):
        draft.write_bytes(b"x")
    for draft in (left, foreign):
        os.utime(draft, (0, 0))
    copy_data(folder / DATA_FILE, tmp_path / "copy.db")
    assert (left.exists(), fresh.exists(), foreign.exists()) == (False, True, True)
    store = Store(folder / DATA_FILE, EventCodec(JournalEvent))
    await store.open()
    await store.close()
    assert not restoring.exists()


def test_vacuum_gives_free_space_back(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = folder / DATA_FILE
    with contextlib.closing(sqlite3.connect(data, isolation_level=None)) as db:
        db.execute("INSERT INTO kept VALUES ('old', zeroblob(500000))")
        db.execute("DELETE FROM kept WHERE key = 'old'")
    before = data.stat().st_size
    with lock_of(data):
        assert main(["doctor", "--vacuum"]) == 1
    assert "stop the dealer first" in capsys.readouterr().err
    assert data.stat().st_size == before
    assert main(["doctor", "--vacuum"]) == 0
    assert f"has {data.stat().st_size / 1e6:.1f} MB" in capsys.readouterr().out
    assert data.stat().st_size < before - 400_000
    assert main(["doctor"]) == 0


def test_doctor_tells_how_many_hands_are_too_old(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor"]) == 0
    assert "Hands older than" not in capsys.readouterr().out
    monkeypatch.setenv("CARDROOM_KEEP_HANDS", "90")
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert "– Hands older than 90 days are deleted: 1 is left" in out, "its clock began years ago, and it is running"
    assert main(["doctor", "--vacuum"]) == 0
    assert main(["doctor"]) == 0
    assert "1 is left" in capsys.readouterr().out
    monkeypatch.setenv("CARDROOM_KEEP_HANDS", "36500")
    assert main(["doctor"]) == 0
    assert "✔ Hands older than 36,500 days are deleted" in capsys.readouterr().out
    monkeypatch.setenv("CARDROOM_KEEP_HANDS", "0")
    assert main(["doctor"]) == 1
    assert "CARDROOM_KEEP_HANDS" in capsys.readouterr().err


def test_commands_without_data_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CARDROOM_DATA", str(tmp_path / "nowhere"))
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    monkeypatch.chdir(tmp_path)
    assert main(["backup"]) == 1
    assert "There is no data in" in capsys.readouterr().err
    assert main(["doctor"]) == 0
    assert "nothing has been played yet" in capsys.readouterr().out


OF_THE_DATA = (
    ["doctor"],
    ["doctor", "--vacuum"],
    ["backup"],
    ["restore", "copy.db"],
    ["export", "out.jsonl"],
    ["statistics", "rebuild"],
)
"""Every subcommand that looks into the data folder."""


@pytest.fixture
def discord_folder(folder: Path) -> Path:
    """A folder of Discord's data beside that of the local cardroom."""
    discord = folder.with_name("discord")
    discord.mkdir(mode=0o700)
    (discord / DATA_FILE).write_bytes((folder / DATA_FILE).read_bytes())
    return discord


@pytest.mark.parametrize("command", OF_THE_DATA, ids=" ".join)
def test_discord_data_is_not_overlooked_without_a_token(
    discord_folder: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(discord_folder.parent.rglob("*"))
    assert main(command) == 2
    out, err = capsys.readouterr()
    assert str(discord_folder) in err
    assert "DISCORD_TOKEN" in err
    assert out == ""
    assert sorted(discord_folder.parent.rglob("*")) == before, "nothing is written"


@pytest.mark.parametrize("left", [(SECRET_FILE,), ("backups/cardroom.db",), ()], ids=["secret", "backup", "unreadable"])
def test_what_is_left_of_discord_data_counts(
    folder: Path, left: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    discord = folder.with_name("discord")
    discord.mkdir()
    assert main(["doctor"]) == 0, "an empty folder holds nothing"
    for name in left:
        (discord / name).parent.mkdir(exist_ok=True)
        (discord / name).touch()
    if not left:

        def deny(_: Path) -> Iterator[Path]:
            raise PermissionError

        monkeypatch.setattr(Path, "iterdir", deny)
    assert main(["restore", "copy.db"]) == 2
    assert str(discord) in capsys.readouterr().err


@pytest.mark.parametrize(("token", "chosen"), [("", "local"), ("any", "discord")])
def test_token_in_the_environment_chooses_the_data(
    discord_folder: Path, token: str, chosen: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", token)
    assert main(["backup"]) == 0
    assert f"Copied to {discord_folder.with_name(chosen) / 'backups'}" in capsys.readouterr().out


async def test_backup_is_of_one_moment_while_people_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes to the disk page by page, somebody is granted chips at each of them, and it begins only once."""
    store = Store(tmp_path / DATA_FILE, CODEC)
    await store.open()
    await store.keep("padding", b"x" * 50_000)
    await store.keep("before", b"1")
    synced = migrate.sync_file
    parts: list[int] = []

    def play_on(path: Path) -> None:
        parts.append(path.stat().st_size)
        assert len(parts) < 500, "the copy began anew"
        asyncio.run_coroutine_threadsafe(store.keep(f"later {len(parts)}", b"x" * 5_000), loop).result(10)
        synced(path)

    loop = asyncio.get_running_loop()
    monkeypatch.setattr(migrate, "COPIED_PAGES", 1)
    monkeypatch.setattr(migrate, "sync_file", play_on)
    found = await asyncio.to_thread(copy_data, store.path, tmp_path / "copy.db")
    assert not found.problems
    assert len(parts) > 20
    with contextlib.closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        assert copy.execute("SELECT key FROM kept ORDER BY key").fetchall() == [("before",), ("padding",)]
    assert len(await store.values("later")) == len(parts)
    await store.close()
