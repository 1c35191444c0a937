"""Time jumps while nothing happens, and what is killed never runs again."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import aiosqlite
import pytest

from tests.support.quick_loop import Life, QuickLoop, run_quickly


def test_a_long_wait_takes_no_time() -> None:
    async def story(loop: QuickLoop) -> float:
        before = loop.wall_time()
        await asyncio.sleep(600)
        return loop.wall_time() - before

    began_at = time.monotonic()
    assert run_quickly(story) == pytest.approx(600)
    assert time.monotonic() - began_at < 5


def test_what_is_computed_takes_no_time() -> None:
    async def story(loop: QuickLoop) -> float:
        before = loop.wall_time()
        time.sleep(0.1)
        await asyncio.sleep(0.05)
        return loop.wall_time() - before

    assert run_quickly(story) == pytest.approx(0.05, abs=0.001)


def test_time_does_not_jump_while_a_thread_works() -> None:
    async def story(loop: QuickLoop) -> float:
        before = loop.time()
        async with asyncio.timeout(30):
            await loop.run_in_executor(None, time.sleep, 0.05)
        return loop.time() - before

    assert run_quickly(story) < 30


def test_who_is_killed_runs_nothing_more() -> None:
    """Not even what stands in a ``finally``; whatever they wait for comes in vain."""

    async def story(loop: QuickLoop) -> list[str]:
        done: list[str] = []
        come = loop.create_future()

        async def work() -> None:
            try:
                loop.call_later(1, done.append, "rang")
                await asyncio.gather(come, asyncio.sleep(5))
                done.append("woke")
            finally:
                done.append("tidied up")

        life = Life()
        life.start(work())
        await asyncio.sleep(0.5)
        loop.kill(life)
        come.set_result(None)
        await asyncio.sleep(60)
        return list(done)

    assert run_quickly(story) == []


def test_who_is_killed_loses_their_connections() -> None:
    async def story(loop: QuickLoop) -> bytes:
        heard: asyncio.Future[bytes] = loop.create_future()

        async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            heard.set_result(await reader.read())
            writer.close()

        async def talk(port: int) -> None:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"I was going to sa")
            await asyncio.sleep(600)

        async with await asyncio.start_server(listen, "127.0.0.1") as server:
            life = Life()
            life.start(talk(server.sockets[0].getsockname()[1]))
            await asyncio.sleep(1)
            loop.kill(life)
            return await heard

    assert run_quickly(story) == b"I was going to sa"


def test_who_is_killed_while_connecting_holds_up_no_time() -> None:
    """A socket that waits for nobody any more would be ready for ever, and time jumps only while none is."""

    async def story(loop: QuickLoop) -> None:
        async def connect(port: int) -> None:
            await asyncio.open_connection("127.0.0.1", port)

        async with await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1") as server:
            life = Life()
            life.start(connect(server.sockets[0].getsockname()[1]))
            await asyncio.sleep(0)
            loop.kill(life)
            await asyncio.sleep(60)

    began_at = time.monotonic()
    run_quickly(story)
    assert time.monotonic() - began_at < 30


def test_what_is_not_committed_is_lost_with_the_killed(tmp_path: Path) -> None:
    async def story(loop: QuickLoop) -> list[int]:
        async def write() -> None:
            database = await aiosqlite.connect(tmp_path / "numbers", isolation_level=None)
            await database.execute("CREATE TABLE number (value)")
            await database.execute("INSERT INTO number VALUES (1)")
            await database.execute("BEGIN")
            await database.execute("INSERT INTO number VALUES (2)")
            await asyncio.sleep(600)
            await database.execute("COMMIT")

        life = Life()
        life.start(write())
        await asyncio.sleep(60)
        loop.kill(life)
        await loop.release_files(life)
        async with aiosqlite.connect(tmp_path / "numbers") as database:
            return [value for (value,) in await database.execute_fetchall("SELECT value FROM number")]

    assert run_quickly(story) == [1]
