"""``python -m bot.local`` as a process: its ready line, its port, its end."""

from __future__ import annotations

import asyncio
import signal
import socket
from pathlib import Path

import aiohttp
import pytest

from tests.support.stand_in_process import stand_in_process


async def test_it_says_where_it_is_and_ends_with_0(tmp_path: Path) -> None:
    async with stand_in_process(tmp_path / "deeper" / "down") as discord, aiohttp.ClientSession() as web:
        assert discord.ready["ready"] is True
        headers = {"Authorization": f"Bot {discord.ready['token']}"}
        async with web.get(discord.ready["rest"] + "/users/@me", headers=headers) as response:
            assert (await response.json())["username"] == "Dealer"
        note = tmp_path / "deeper" / "down" / "ready.json"
        assert note.stat().st_mode & 0o077 == 0, "it holds the token"
        assert await discord.stop(signal.SIGTERM) == 0
        assert not note.exists()


async def test_it_takes_the_next_free_port_and_obeys_its_key(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        wished = taken.getsockname()[1]
        async with stand_in_process(tmp_path, "--port", str(wished)) as discord:
            assert wished < discord.ready["port"] <= wished + 50
            assert [person["name"] for person in await discord.do("people")] == ["Guest"]
            url = discord.ready["control"]
            async with aiohttp.ClientSession() as web:
                for key in ("wrong", ""):
                    async with web.post(url, json={"do": "people"}, headers={"X-Control-Key": key}) as response:
                        assert response.status == 403
            for name in ("serve", "_guild", "nothing", "__init__"):
                with pytest.raises(AssertionError, match="there is no"):
                    await discord.do(name)
            assert await discord.stop(signal.SIGINT) == 0


async def test_a_killed_one_comes_back_as_it_was(tmp_path: Path) -> None:
    async with stand_in_process(tmp_path) as discord:
        bo = await discord.do("add_person", name="Bo")
        await asyncio.sleep(0.5)  # longer than the store waits before it writes
        await discord.stop(signal.SIGKILL)
    async with stand_in_process(tmp_path) as again:
        assert again.ready["page"].rpartition("/")[2] == discord.ready["page"].rpartition("/")[2]
        assert bo["link"] in {person["link"] for person in await again.do("people")}


async def test_a_second_one_on_the_same_directory_says_so(tmp_path: Path) -> None:
    async with stand_in_process(tmp_path) as first, stand_in_process(tmp_path) as second:
        assert second.ready == {**first.ready, "running": True}, "so that a bot which was killed can go on with it"
        assert await asyncio.wait_for(second.child.wait(), 10) == 3
