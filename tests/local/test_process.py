"""``python -m bot.local`` as a process: its ready line, its port, and how it ends."""

from __future__ import annotations

import asyncio
import signal
import socket
from pathlib import Path

import aiohttp
import pytest

from tests.support.stand_in_process import stand_in_process


async def test_process_prints_ready_line_and_exits_with_0(tmp_path: Path) -> None:
    async with stand_in_process(tmp_path / "deeper" / "down") as discord, aiohttp.ClientSession() as web:
        assert discord.ready["ready"] is True
        headers = {"Authorization": f"Bot {discord.ready['token']}"}
        async with web.get(discord.ready["rest"] + "/users/@me", headers=headers) as response:
            assert (await response.json())["username"] == "Dealer"
        ready_file = tmp_path / "deeper" / "down" / "ready.json"
        assert ready_file.stat().st_mode & 0o077 == 0, "the file has the token, so only its user can read it"
        assert await discord.stop(signal.SIGTERM) == 0
        assert not ready_file.exists()


async def test_process_takes_next_free_port_and_requires_key(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        preferred_port = taken.getsockname()[1]
        async with stand_in_process(tmp_path, "--port", str(preferred_port)) as discord:
            assert preferred_port < discord.ready["port"] <= preferred_port + 50
            assert [person["name"] for person in await discord.call("people")] == ["Guest"]
            url = discord.ready["control"]
            async with aiohttp.ClientSession() as web:
                for key in ("wrong", ""):
                    async with web.post(url, json={"do": "people"}, headers={"X-Control-Key": key}) as response:
                        assert response.status == 403
            for name in ("serve", "_guild", "nothing", "__init__"):
                with pytest.raises(AssertionError, match="there is no method"):
                    await discord.call(name)
            assert await discord.stop(signal.SIGINT) == 0


async def test_killed_stand_in_keeps_its_data(tmp_path: Path) -> None:
    async with stand_in_process(tmp_path) as discord:
        bo = await discord.call("add_person", name="Bo")
        await asyncio.sleep(0.5)  # longer than the storage waits before it writes
        await discord.stop(signal.SIGKILL)
    async with stand_in_process(tmp_path) as again:
        assert again.ready["page"].rpartition("/")[2] == discord.ready["page"].rpartition("/")[2]
        assert bo["link"] in {person["link"] for person in await again.call("people")}


async def test_second_stand_in_reports_first_one(tmp_path: Path) -> None:
    async with stand_in_process(tmp_path) as first, stand_in_process(tmp_path) as second:
        assert second.ready == {**first.ready, "running": True}, "a restarted bot can continue with it"
        assert await asyncio.wait_for(second.process.wait(), 10) == 3
