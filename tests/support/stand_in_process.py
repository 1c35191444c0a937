"""The stand-in as its own process, controlled over its control address. For benchmarks and tests of the process.

async with stand_in_process(directory, core=0) as discord:
    await discord.call("click_repeatedly", lanes=[{"channel": channel, "buttons": ["^call"], "user": ann}])
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

KEY = "test-control-key"
ROOT = Path(__file__).resolve().parents[2]


class StandInRefused(AssertionError):
    """What was asked of the stand-in could not be done. A test that does not expect that fails."""


class StandInProcess:
    """A running stand-in. `ready` is its ready line."""

    def __init__(
        self, process: asyncio.subprocess.Process, ready: dict[str, Any], session: aiohttp.ClientSession
    ) -> None:
        self.process = process
        self.ready = ready
        self._session = session

    async def call(self, name: str, /, **arguments: Any) -> Any:
        """Call a method of `tests.support.control.StandInControls`.

        Raises:
            StandInRefused: the method failed.
        """
        body = {"do": name, **arguments}
        async with self._session.post(self.ready["control"], json=body, headers={"X-Control-Key": KEY}) as response:
            answer = await response.json()
            if response.status != 200:
                raise StandInRefused(answer)
            return answer

    def cpu_seconds(self) -> float:
        """Return the processor time used so far. This works on Linux only."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    async def stop(self, signal_number: int = signal.SIGTERM) -> int:
        """Send a signal and wait for the end. Returns the exit code."""
        self.process.send_signal(signal_number)
        return await asyncio.wait_for(self.process.wait(), 10)


@asynccontextmanager
async def stand_in_process(
    data: Path, *more: str, limits: bool = False, core: int | None = None
) -> AsyncIterator[StandInProcess]:
    """Start the stand-in, pinned to `core` if that is given. At the end it is killed if it still runs."""
    options = ["--data", str(data), "--control", KEY, *([] if limits else ["--no-limits"]), *more]
    command = (sys.executable, "-m", "tests.support.controlled_stand_in", *options)
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE, cwd=ROOT)
    if core is not None:
        os.sched_setaffinity(process.pid, {core})
    assert process.stdout is not None
    try:
        line = await asyncio.wait_for(process.stdout.readline(), 20)
        async with aiohttp.ClientSession() as session:
            yield StandInProcess(process, json.loads(line or b"{}"), session)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
