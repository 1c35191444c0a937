"""With its chips in a database the command looks there, and says what to use instead of what works on a file."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from bot.__main__ import main
from bot.operation.runner import LocalOptions, run
from bot.runtime.journal import JournalEvent
from bot.runtime.statistics_events import statistics_decoder
from bot.settings import DATA_FILE, SECRET_FILE, STATISTICS_FILE
from bot.statistics.types import CountedChips
from bot.store.codec import EventCodec
from bot.store.data_source import source_of
from bot.store.statistics.statistics import Statistics
from bot.store.store import Store
from bot.text import upkeep as words
from bot.text.language import t
from tests.runtime.evening import GUILD, MASTER, USERS, Evening

pytestmark = pytest.mark.postgresql
SCHEMA = "cardroom_local"


@pytest.fixture
def folder(tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a local cardroom whose chips are in a database."""
    from tests.support.postgres_store import drop

    for name, value in (("DATABASE", postgres), ("DATA", str(tmp_path)), ("PICTURES", "no")):
        monkeypatch.setenv(f"CARDROOM_{name}", value)
    monkeypatch.setenv("DISCORD_TOKEN", "")
    yield tmp_path / "local"
    drop(postgres, SCHEMA)


async def _play(folder: Path, address: str) -> Evening:
    """Play a hand to its end and begin another one."""
    from tests.support.postgres_store import postgres_engine

    folder.mkdir(mode=0o700)
    (folder / SECRET_FILE).write_bytes(MASTER)
    evening = Evening(
        folder, store=lambda path: Store(postgres_engine(address, SCHEMA, folder), EventCodec(JournalEvent))
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
    assert [main(["backup"]), main(["restore", "copy.db"]), main(["doctor", "--vacuum"])] == [1, 1, 1]
    refused = capsys.readouterr().err.splitlines()
    assert refused == [
        f"cardroom backup: {t(words.BACKUP_OF_DATABASE)}",
        f"cardroom restore: {t(words.RESTORE_OF_DATABASE)}",
        f"cardroom doctor: {t(words.VACUUM_OF_DATABASE)}",
    ]
    assert main(["statistics", "rebuild"]) == 0
    assert t(words.STATISTICS_REQUESTED_OF_DEALER) in capsys.readouterr().out


def test_chips_in_a_file_are_not_passed_over(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder.mkdir()
    (folder / DATA_FILE).touch()
    assert run(LocalOptions(browser=False)) == 1
    assert "which would not be found" in capsys.readouterr().err


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
    folder: Path, postgres: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two slots: one has a dealer, where Ann and Bo play, and the other one has none."""
    from tests.support.postgres_store import drop

    schemas = (SCHEMA, f"{SCHEMA}_1", f"{SCHEMA}_house")
    try:
        assert await asyncio.to_thread(main, ["fleet", "--slots", "2"]) == 0
        evening = await _play(folder, postgres)
        capsys.readouterr()
        assert await asyncio.to_thread(main, ["doctor"]) == 1
        told = capsys.readouterr().out
        assert "✔ Slot 0: its tables are those of this version, and its books agree" in told
        assert "✔ Slot 0 has a dealer: process" in told
        assert "✘ Slot 1 has a dealer: –: nobody serves it, while others have one: `cardroom fleet`" in told
        assert await asyncio.to_thread(main, ["fleet"]) == 1
        told = capsys.readouterr().out
        assert "Slot 1 has no dealer: its servers are unserved." in told
        assert "Nobody stands by" in told and "no synchronous standby" in told
        assert "serves slot 0, but says nothing of itself" in told
        assert await asyncio.to_thread(main, ["export", str(folder / "all.jsonl")]) == 0
        assert f'"server":{GUILD}' in (folder / "all.jsonl").read_text()
        await evening.end()
    finally:
        for schema in schemas:
            drop(postgres, schema)
