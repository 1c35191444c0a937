"""The stand-in as a process of its own, driven over its control address. For benchmarks and tests of the process.

async with stand_in_process(directory, core=0) as discord:
    await discord.do("load", lanes=[{"channel": channel, "pick": ["^call"], "user": ann}], seconds=5)
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


class StandInProcess:
    """A running stand-in; `ready` is what its ready line says."""

    def __init__(
        self, child: asyncio.subprocess.Process, ready: dict[str, Any], session: aiohttp.ClientSession
    ) -> None:
        self.child = child
        self.ready = ready
        self._session = session

    async def do(self, name: str, /, **arguments: Any) -> Any:
        """Call a method of `tests.support.control.Controls`; fails loudly if it does."""
        body = {"do": name, **arguments}
        async with self._session.post(self.ready["control"], json=body, headers={"X-Control-Key": KEY}) as response:
            answer = await response.json()
            assert response.status == 200, answer
            return answer

    def cpu_seconds(self) -> float:
        """Processor time it has used so far. Linux only."""
        fields = Path(f"/proc/{self.child.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    async def stop(self, number: int = signal.SIGTERM) -> int:
        """End it; the exit code."""
        self.child.send_signal(number)
        return await asyncio.wait_for(self.child.wait(), 10)


@asynccontextmanager
async def stand_in_process(
    data: Path, *more: str, limits: bool = False, core: int | None = None
) -> AsyncIterator[StandInProcess]:
    """Start it, on one core if asked, and kill it at the end if it still runs."""
    options = ["--data", str(data), "--control", KEY, *([] if limits else ["--no-limits"]), *more]
    command = (sys.executable, "-m", "tests.support.controlled_stand_in", *options)
    child = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE, cwd=ROOT)
    if core is not None:
        os.sched_setaffinity(child.pid, {core})
    assert child.stdout is not None
    try:
        line = await asyncio.wait_for(child.stdout.readline(), 20)
        async with aiohttp.ClientSession() as session:
            yield StandInProcess(child, json.loads(line or b"{}"), session)
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
