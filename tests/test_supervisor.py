"""Several dealers of one command: each is started again when it ends, and all end together."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.operation import slots
from bot.operation.slots import Role, slot_taken
from bot.operation.supervisor import Supervisor
from bot.settings import Secret, Settings
from bot.stopping import StopSignals
from tests.e2e.test_operations import lines_written

pytestmark = [
    pytest.mark.real_time,
    pytest.mark.skipif(os.name != "posix", reason="several dealers of one command need Linux or macOS"),
]

SAY = """
import os, socket, sys, time
def say(state):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.sendto(state.encode(), os.environ["NOTIFY_SOCKET"])
"""
DEALS = SAY + "say('READY=1'); sys.stdin.read()"
"""Deals until it is told to stop."""


def _supervisor(script: str, count: int = 2, **more: float) -> Supervisor:
    command = (sys.executable, "-S", "-E", "-c", script)
    return Supervisor(Settings(), count, command=command, pauses=(0.02,), **more)


@asynccontextmanager
async def _running(supervisor: Supervisor) -> AsyncIterator[None]:
    """Run it, and stop it at the end, which takes no time."""
    task = asyncio.create_task(supervisor.run())
    try:
        yield
    finally:
        supervisor.stop()
        assert await asyncio.wait_for(task, 5) == 0


async def _until_there_are(supervisor: Supervisor, count: int) -> tuple[int, ...]:
    async with asyncio.timeout(5):
        while len(supervisor.processes) < count:
            await asyncio.sleep(0.01)
    return supervisor.processes


async def test_killed_dealer_is_followed_by_another(capsys: pytest.CaptureFixture[str]) -> None:
    supervisor = _supervisor(DEALS)
    async with _running(supervisor):
        first = await _until_there_are(supervisor, 2)
        async with asyncio.timeout(5):
            while "The dealers are in." not in capsys.readouterr().out:
                await asyncio.sleep(0.01)
        os.kill(first[0], signal.SIGKILL)
        async with asyncio.timeout(5):
            while first[0] in supervisor.processes or len(supervisor.processes) < 2:
                await asyncio.sleep(0.01)
        assert first[1] in supervisor.processes, "the other one deals on"


async def test_all_end_when_one_cannot_start() -> None:
    supervisor = _supervisor("import sys; sys.exit(3 if sys.argv[1] == '1' else sys.stdin.read() and 0)")
    assert await asyncio.wait_for(supervisor.run(), 5) == 3
    assert supervisor.processes == ()


async def test_dealer_that_never_starts_again_ends_all(tmp_path: Path) -> None:
    """Discord no longer knows the token: logging in again and again would only make that worse."""
    note = tmp_path / "began"
    once = f"first = not os.path.exists({str(note)!r} + sys.argv[1]); open({str(note)!r} + sys.argv[1], 'w')\n"
    supervisor = _supervisor(SAY + once + "if first: say('READY=1'); time.sleep(0.1)\nsys.exit(1)")
    assert await asyncio.wait_for(supervisor.run(), 10) == 1


async def test_dealer_that_stands_still_is_ended() -> None:
    supervisor = _supervisor(DEALS, 1, silent_seconds=0.2)
    with lines_written() as lines:
        async with _running(supervisor):
            first = await _until_there_are(supervisor, 1)
            async with asyncio.timeout(5):
                while set(first) & set(supervisor.processes):
                    await asyncio.sleep(0.01)
    assert any("dealer_stands_still" in line for line in lines)


async def test_dealers_end_with_a_supervisor_that_is_killed(tmp_path: Path) -> None:
    note = tmp_path / "ended"
    deals = DEALS + f"; open({str(note)!r}, 'w')"
    code = (
        "import asyncio, sys; from bot.operation.supervisor import Supervisor; from bot.settings import Settings\n"
        f"asyncio.run(Supervisor(Settings(), 1, command=(sys.executable, '-S', '-E', '-c', {deals!r})).run())"
    )
    killed = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE)
    assert killed.stdout is not None
    assert b"The dealers are in." in await asyncio.wait_for(killed.stdout.readline(), 10)
    killed.kill()
    await killed.wait()
    until = time.monotonic() + 5
    while not note.exists() and time.monotonic() < until:
        await asyncio.sleep(0.01)
    assert note.exists()


async def test_dealer_of_several_waits_for_a_database_that_is_away(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A restart of the database that takes long ends nobody for good, whatever a service manager thinks of many starts."""
    pytest.importorskip("psycopg", reason="psycopg is not installed: pip install -e '.[postgres]'")
    settings = Settings(
        discord_token=Secret("of nobody"), data=tmp_path, database=Secret(f"postgresql://x@/y?host={tmp_path}")
    )
    signals = StopSignals()

    async def served() -> object:
        async with slot_taken(settings, signals, Role(waits=True, is_supervised=True)) as taken:
            return taken

    serving = asyncio.create_task(served())
    async with asyncio.timeout(5):
        while not any(record.message == "house_not_opened" for record in caplog.records):
            await asyncio.sleep(0.01)
    signals.ask("STOP")
    assert await asyncio.wait_for(serving, 1) is None
    signals.end()


def test_dealers_that_start_together_make_one_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings, agreed = Settings(discord_token=Secret("of nobody"), data=tmp_path), list[bytes]()
    sync = os.fsync

    def slow_disk(file: int) -> None:
        time.sleep(0.05)
        sync(file)

    class House:
        async def agree_on_secret(self, fingerprint: bytes) -> None:
            agreed.append(fingerprint)

    monkeypatch.setattr("bot.fair.deck_order.os.fsync", slow_disk)
    house: Any = House()
    with ThreadPoolExecutor(2) as threads:
        starts = [threads.submit(lambda: asyncio.run(slots._agree_on_secret(settings, house, None))) for _ in range(2)]
        for start in starts:
            start.result()
    assert len(agreed) == 2 and len(set(agreed)) == 1
