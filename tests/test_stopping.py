"""The dealer stops in time, whatever hangs."""

import asyncio
import signal
import socket
import sqlite3
import threading
from pathlib import Path

import pytest

from bot.dealer import STAGES
from bot.operation.health import LoopWatchdog, tell_service_manager
from bot.operation.slots import CLOSE_SECONDS
from bot.runtime.journal import JournalEvent
from bot.stopping import AT_ONCE_EXIT, STOP_SECONDS, StopSignals, run_stage
from bot.store.codec import EventCodec
from bot.store.store import Store
from tests.e2e.test_operations import ENDLESS, lines_written

SHORT = 0.01


async def test_stage_that_hangs_is_left_behind() -> None:
    """One part waits for ever, one does not even let itself be cancelled, one fails. The next stage is reached each time."""
    let_go = asyncio.Event()

    async def waits() -> None:
        await asyncio.Event().wait()

    async def holds_on() -> None:
        while not let_go.is_set():
            try:
                await let_go.wait()
            except asyncio.CancelledError:
                continue

    async def fails() -> None:
        raise OSError("no way out")

    async def ends() -> None:
        pass

    with lines_written() as lines:
        assert not await run_stage("waits", waits(), SHORT)
        assert not await run_stage("holds_on", holds_on(), SHORT)
        assert not await run_stage("fails", fails(), SHORT)
        assert await run_stage("ends", ends(), SHORT)
    keys = ["stop_stage_late  stage=waits", "stop_stage_late  stage=holds_on", "stop_stage_failed  stage=fails"]
    assert all(any(key in line for line in lines) for key in keys)
    let_go.set()


async def test_second_signal_ends_it_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    codes: list[int] = []
    signals = StopSignals(seconds=86_400)  # its thread would end these tests, too
    monkeypatch.setattr(signals, "leave", codes.append)
    signals._on_signal(signal.SIGTERM)
    assert signals.stopped.is_set() and codes == []
    signals._on_signal(signal.SIGTERM)
    assert codes == [AT_ONCE_EXIT]


async def test_time_limit_ends_it_although_the_loop_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    left = threading.Event()
    signals = StopSignals(SHORT)
    monkeypatch.setattr(signals, "leave", lambda code: left.set() if code == 1 else None)
    signals.begin()
    assert left.wait(10), "the loop does nothing meanwhile"


async def test_long_query_is_broken_off_by_closing(tmp_path: Path) -> None:
    store = Store(tmp_path / "cardroom.db", EventCodec(JournalEvent))
    await store.open()
    reading = asyncio.ensure_future(store._read(lambda db: db.execute(ENDLESS).fetchone()))
    await asyncio.sleep(0)
    await asyncio.wait_for(store.close(), 10)
    with pytest.raises(sqlite3.OperationalError, match="interrupted"):
        await reading


def test_service_manager_is_told_where_it_listens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        tell_service_manager("READY=1")
        assert manager.recv(64) == b"READY=1"
    tell_service_manager("WATCHDOG=1")  # nobody listens any more: nothing happens


async def test_loop_that_stands_still_is_told_with_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    told = threading.Event()
    where: list[str] = []

    def tell(key: str, *, extra: dict[str, str]) -> None:
        where.append(f"{key} {extra['where']}")
        told.set()

    monkeypatch.setattr("bot.operation.health.log.error", tell)
    watchdog = LoopWatchdog(stuck_seconds=SHORT)
    watchdog.start()
    try:
        assert told.wait(10), "the loop stands still here"
        assert not watchdog.is_alive
    finally:
        watchdog.stop()
    assert where[0].startswith("event_loop_stuck ")
    assert "test_loop_that_stands_still_is_told_with_its_place" in where[0]


def test_stages_of_a_dealer_that_plays_end_in_time() -> None:
    playing = sum(STAGES.values()) - STAGES["start"] - STAGES["connection"]
    assert playing + 2 * CLOSE_SECONDS < STOP_SECONDS
