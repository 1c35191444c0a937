"""`cardroom statistics rebuild` counts every hand again, and `cardroom doctor` says whether the numbers agree."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.store.backup import copy_data, lock_of
from bot.store.statistics.statistics import rebuild_request
from tests.runtime.evening import MASTER, Evening


async def test_statistics_are_counted_again_and_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CARDROOM_DATA", str(tmp_path))
    monkeypatch.setenv("DISCORD_TOKEN", "")
    monkeypatch.setenv("CARDROOM_PICTURES", "off")
    local = tmp_path / "local"
    local.mkdir()
    evening = await Evening(tmp_path).begin()
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000)
    for _ in range(3):
        await evening.deal()
        await evening.next_player_acts("raises to 300", "calls", "bets 500", "folds")
    data, statistics = local / "cardroom.db", local / "statistics.sqlite3"
    await asyncio.to_thread(copy_data, evening.path, data)
    (local / "master.key").write_bytes(MASTER)
    await evening.end()

    def says(*words: str) -> str:
        main(list(words))
        return " ".join(capsys.readouterr())

    said = await asyncio.to_thread(says, "doctor")
    assert "The statistics agree with the hands, in a sample" in said
    assert "the next start counts the hands" in said
    assert "3 hands have been counted." in await asyncio.to_thread(says, "statistics", "rebuild")
    said = await asyncio.to_thread(says, "doctor")
    assert "next start counts" not in said and "differ" not in said

    with closing(sqlite3.connect(statistics)) as db, db:
        db.execute("UPDATE player_hand SET net = net + 1 WHERE seat = 0")
    assert "`cardroom statistics rebuild` counts every hand again" in await asyncio.to_thread(says, "doctor")
    lock = lock_of(data)
    lock.acquire()
    try:
        assert "The dealer is running" in await asyncio.to_thread(says, "statistics", "rebuild")
    finally:
        lock.release()
    assert rebuild_request(statistics).exists()
    statistics.write_bytes(b"no database" * 500)
    assert "3 hands have been counted." in await asyncio.to_thread(says, "statistics", "rebuild")
    assert "differ" not in await asyncio.to_thread(says, "doctor")
    assert main(["statistics", "forget"]) == 2

    statistics.unlink()
    monkeypatch.setenv("CARDROOM_KEEP_HANDS", "1")
    await asyncio.to_thread(says, "doctor", "--vacuum")
    with closing(sqlite3.connect(data)) as db:
        assert db.execute("SELECT number FROM hand").fetchall() == [(2,), (3,)], "the first one was too old"
    with closing(sqlite3.connect(statistics)) as db:
        assert db.execute("SELECT count(*) FROM counted_hand").fetchall() == [(3,)], "it was counted before"
    statistics.unlink()
    statistics.mkdir()
    assert "Old hands stay for now" in await asyncio.to_thread(says, "doctor", "--vacuum")
