"""An operator runs two slots: two dealers and a standby of one command. One is killed, and another process follows it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.e2e.local_process import ROOT
from tests.support.stand_in_process import StandInProcess, stand_in_process

pytestmark = pytest.mark.real_time
START_SECONDS = 90.0


class Command:
    """The command `cardroom` with the settings of an operator."""

    def __init__(self, discord: StandInProcess, data: Path, address: str, tree: Path = ROOT, **more: str) -> None:
        ready = discord.ready
        self._tree = tree
        self._environment = os.environ | {
            "CARDROOM_DATA": str(data),
            "CARDROOM_DATABASE": address,
            "CARDROOM_PICTURES": "no",
            "DISCORD_TOKEN": ready["token"],
            "CARDROOM_REST": ready["rest"],
            "CARDROOM_GATEWAY": ready["gateway"],
            "CARDROOM_CDN": ready["cdn"],
            **more,
        }

    async def _start(self, *arguments: str) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot", *arguments),
            stdout=asyncio.subprocess.PIPE,
            env=self._environment,
            cwd=self._tree,
        )

    async def says(self, *arguments: str) -> tuple[int | None, str]:
        """Return how a subcommand ends, and what it prints."""
        process = await self._start(*arguments)
        out, _ = await asyncio.wait_for(process.communicate(), START_SECONDS)
        return process.returncode, out.decode()

    @asynccontextmanager
    async def running(self, until: str) -> AsyncIterator[asyncio.subprocess.Process]:
        """Run the dealers. They have printed this line when the block begins, and end within the time of a service manager."""
        process = await self._start()
        try:
            await line_with(process, until)
            yield process
            process.send_signal(signal.SIGTERM)
            assert await asyncio.wait_for(process.wait(), 15) == 0
        finally:
            if process.returncode is None:
                process.kill()


async def line_with(process: asyncio.subprocess.Process, text: str) -> str:
    """Wait until a process prints a line."""
    assert process.stdout is not None
    async with asyncio.timeout(START_SECONDS):
        async for raw in process.stdout:
            if text in raw.decode():
                return raw.decode()
    raise AssertionError(f"it has ended without {text!r}")


async def test_slot_of_a_killed_dealer_is_served_again(postgres: str, tmp_path: Path) -> None:
    async with stand_in_process(tmp_path / "discord") as discord:
        command = Command(discord, tmp_path / "data", postgres, CARDROOM_STANDBYS="1")
        code, said = await command.says("fleet")
        assert (code, said) == (1, "")
        assert await command.says("fleet", "--slots", "2") == (0, "The database has 2 slots.\n")
        async with command.running("The dealers are in."):
            code, said = await command.says("fleet")
            assert code == 0 and "Stands by, warm for slot " in said and "no dealer" not in said
            row = next(line for line in said.splitlines() if line.startswith("1 "))
            os.kill(int(row.split()[2]), signal.SIGKILL)
            async with asyncio.timeout(START_SECONDS):
                while row.endswith("1") or code:
                    code, said = await command.says("fleet")
                    row = next(line for line in said.splitlines() if line.startswith("1 "))
            assert row.endswith("2"), "its second owner"
        code, said = await command.says("fleet")
        assert code == 1 and "Slots 0 and 1 have no dealer: their servers are unserved." in said
