"""A dealer that cannot start says in a sentence what is wrong, where, and what to do, and never prints a traceback."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot.dealer import Dealer
from bot.fair.deck_order import MissingSecret
from bot.foundation import DealerOptions
from bot.operation.runner import CannotRun, describe_error
from bot.runtime.journal import JournalEvent
from bot.runtime.store_errors import StoreFailed, StoreInUse
from bot.settings import Settings
from bot.store.codec import EventCodec
from bot.store.connection import connect
from bot.store.migrate import apply_migrations, migrations
from bot.store.store import Store
from tests.e2e.local_process import ROOT
from tests.support.discord_double import discord_double


def started(data: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Start `cardroom` where it cannot start, and wait for its end."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("CARDROOM_", "DISCORD_"))}
    return subprocess.run(
        [sys.executable, "-m", "bot", "--no-browser", "--port", "0", *arguments],
        env=clean | {"CARDROOM_DATA": str(data)} | environment,
        cwd=ROOT, capture_output=True, text=True, timeout=30, check=False,
    )  # fmt: skip


def words_of(ended: subprocess.CompletedProcess[str], code: int = 1) -> str:
    """Return the one line that the process ended with."""
    assert ended.returncode == code, ended.stderr
    assert "Traceback" not in ended.stderr
    said = [line for line in ended.stderr.splitlines() if " INFO " not in line]
    assert len(said) == 1, ended.stderr
    return said[0]


def test_a_damaged_key_is_kept_and_explained(tmp_path: Path) -> None:
    key = tmp_path / "local" / "master.key"
    key.parent.mkdir()
    key.write_text("hello")
    said = words_of(started(tmp_path))
    assert f"{key} holds 5 bytes, not 32" in said
    assert "backup" in said
    assert said.endswith("running hands are cancelled and their bets are returned.")
    assert key.read_text() == "hello"


def test_data_of_a_newer_version_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "local" / "cardroom.db"
    path.parent.mkdir()
    db = connect(str(path))
    apply_migrations(db, path, migrations())
    db.execute("INSERT INTO migration VALUES (9999, '9999_tomorrow.sql', 'x', 0)")
    db.close()
    assert "written by a newer version (9999_tomorrow.sql); update the program" in words_of(started(tmp_path))


def test_damaged_stand_in_data_is_reported(tmp_path: Path) -> None:
    folder = tmp_path / "local" / "standin"
    folder.mkdir(parents=True)
    (folder / "discord.sqlite3").write_bytes(b"Dear diary, " * 1000)
    said = words_of(started(tmp_path))
    assert str(folder) in said
    assert "cannot be read: file is not a database" in said


def test_an_address_that_is_not_ours_cannot_be_listened_on(tmp_path: Path) -> None:
    said = words_of(started(tmp_path, "--host", "192.0.2.1"))
    assert said.startswith("The local cardroom cannot listen on 192.0.2.1 port 0: ")
    assert "--host" in said


@pytest.mark.parametrize("port", ["99999", "-1", "http"])
def test_a_port_that_is_none_is_refused(tmp_path: Path, port: str) -> None:
    ended = started(tmp_path, f"--port={port}")
    assert ended.returncode == 2
    assert f"{port!r} is not a port; write 0 to 65535" in ended.stderr


@pytest.mark.real_time
async def test_unknown_token_is_reported(tmp_path: Path) -> None:
    async with discord_double(tmp_path / "discord") as there:
        stand_in = there.stand_in
        endpoints = {
            "CARDROOM_REST": stand_in.rest_url, "CARDROOM_GATEWAY": stand_in.gateway_url, "CARDROOM_CDN": stand_in.cdn_url,
        }  # fmt: skip
        ended = await asyncio.to_thread(started, tmp_path / "data", DISCORD_TOKEN="somebody.elses.token", **endpoints)
    assert "Discord does not know this token" in words_of(ended)


def test_unreachable_discord_is_reported(tmp_path: Path) -> None:
    nowhere = "127.0.0.1:9"
    endpoints = {
        "CARDROOM_REST": f"http://{nowhere}", "CARDROOM_GATEWAY": f"ws://{nowhere}", "CARDROOM_CDN": f"http://{nowhere}",
    }  # fmt: skip
    said = words_of(started(tmp_path, DISCORD_TOKEN="somebody.elses.token", **endpoints))
    assert said.startswith("Discord cannot be reached: ")


async def test_full_disk_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite may call it something else if the write-ahead log finds no room."""
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: SimpleNamespace(free=0))
    store = Store(tmp_path / "cardroom.db", EventCodec(JournalEvent))
    store.path.write_bytes(b"Dear diary, " * 1000)
    with pytest.raises(StoreFailed, match=r"cardroom\.db cannot be opened: the disk is full\. Nothing has changed\."):
        await store.open()


class _Answer:
    def __init__(self, status: int = 503, reason: str = "Service Unavailable") -> None:
        self.status, self.reason = status, reason


def _closed(code: int) -> discord.ConnectionClosed:
    socket: Any = SimpleNamespace(close_code=code)
    return discord.ConnectionClosed(socket, shard_id=0)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (CannotRun("Data cannot be kept."), "Data cannot be kept."),
        (StoreInUse("It is open in another process."), "It is open in another process."),
        (MissingSecret("key holds 5 bytes"), "key holds 5 bytes"),
        (discord.LoginFailure("Improper token"), "Discord does not know this token"),
        (discord.PrivilegedIntentsRequired(0), "Privileged Gateway Intents"),
        (_closed(4004), "Discord does not know this token"),
        (_closed(4013), "(code 4013)"),
        (discord.HTTPException(_Answer(), "unavailable"), "(503)"),
        (aiohttp.ServerDisconnectedError(), "Discord cannot be reached"),
        (ConnectionResetError(104, "Connection reset by peer"), "Discord cannot be reached"),
        (TimeoutError(), "Discord cannot be reached: no answer"),
        (PermissionError(13, "Permission denied", "/data/master.key"), "/data/master.key: Permission denied"),
        (OSError(30, "Read-only file system"), "Read-only file system"),
    ],
)
def test_start_failure_is_explained(error: Exception, words: str) -> None:
    said = describe_error(error, Settings())
    assert said is not None
    assert words in said
    assert "\n" not in said


def test_internal_fault_keeps_its_traceback() -> None:
    assert describe_error(ZeroDivisionError(), Settings()) is None
    assert describe_error(discord.HTTPException(_Answer(400, "Bad Request"), "Invalid Form Body"), Settings()) is None


async def test_start_that_is_told_to_stop_goes_no_further(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables are being restored when the dealer is stopped. Nothing is opened behind its back, and it does not log in."""
    async with discord_double(tmp_path / "discord"):
        dealer = Dealer(DealerOptions(tmp_path))
        await dealer.store.open()
        restored, logged_in = asyncio.Event(), list[str]()
        monkeypatch.setattr(dealer.tables, "restore", restored.wait)

        async def log_in(token: str) -> None:
            logged_in.append(token)

        monkeypatch.setattr(dealer.client, "start", log_in)
        playing = asyncio.create_task(dealer.start_playing("token"))
        await asyncio.sleep(0.1)
        assert await dealer.stop_playing()
        restored.set()
        await asyncio.wait({playing})
        assert not logged_in and not dealer.store.is_open


async def test_connection_that_does_not_end_keeps_no_standby(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dealer = Dealer(DealerOptions(tmp_path))
    ends = asyncio.Event()

    async def connect_for_ever(token: str) -> None:
        while not ends.is_set():
            with contextlib.suppress(asyncio.CancelledError):
                await ends.wait()

    monkeypatch.setattr(dealer.client, "start", connect_for_ever)
    connected = dealer.stand_by("token")
    await asyncio.sleep(0)
    try:
        assert not await asyncio.wait_for(dealer.stop_playing(), 3)
    finally:
        ends.set()
        await connected
