"""Run the command `cardroom` as a process of its own, as a newcomer starts it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 20.0


class Running:
    """A started `cardroom`."""

    def __init__(self, child: asyncio.subprocess.Process) -> None:
        self.child = child
        self.page = ""
        self.output_lines: list[str] = []

    async def ready(self) -> str:
        """Wait until the dealer is logged in. Returns the link to one's seat."""
        assert self.child.stdout is not None
        async with asyncio.timeout(START_SECONDS):
            async for raw in self.child.stdout:
                line = raw.decode().strip()
                self.output_lines.append(line)
                if "http://" in line:
                    self.page = line[line.index("http://") :]
                if "The dealer is in" in line:
                    return self.page
        raise AssertionError("\n".join(self.output_lines))

    async def next_line(self) -> str:
        """Wait until it prints one more line. Returns the line."""
        assert self.child.stdout is not None
        async with asyncio.timeout(START_SECONDS):
            return (await self.child.stdout.readline()).decode()

    async def stop(self, number: int = signal.SIGTERM) -> int:
        """End the process. Returns the exit code."""
        self.child.send_signal(number)
        return await asyncio.wait_for(self.child.wait(), 15)


@asynccontextmanager
async def cardroom(
    data: Path,
    *arguments: str,
    log_level: str = "INFO",
    log_format: str = "text",
    pictures: bool = False,
    planted: str = "",
) -> AsyncIterator[Running]:
    """Start the process with its data in a directory. It is killed at the end if it still runs.

    Args:
        planted: statements that the process carries out first.
    """
    program = (
        ("-m", "bot")
        if not planted
        else ("-c", f"{planted}\nimport runpy\nrunpy.run_module('bot', run_name='__main__')")
    )
    environment = os.environ | {
        "CARDROOM_DATA": str(data),
        "DISCORD_TOKEN": "",
        "CARDROOM_PICTURES": "yes" if pictures else "no",
        "CARDROOM_LOG": log_level,
        "CARDROOM_LOG_FORMAT": log_format,
    }
    with (data.parent / "cardroom.log").open("ab") as log:
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, *program, "--no-browser", "--port", "0", *arguments),
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            env=environment,
            cwd=ROOT,
        )
    try:
        yield Running(child)
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()


def end_stand_in(data: Path) -> None:
    """End the stand-in that a killed dealer left behind."""
    note = data / "local" / "standin" / "ready.json"
    if note.is_file():
        with contextlib.suppress(ProcessLookupError):
            os.kill(json.loads(note.read_text())["pid"], signal.SIGTERM)
