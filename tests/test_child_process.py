"""Processes of the bot's own that die: on the event loop that the dealer runs on, which says so in its own way."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from bot.child_process import ChildFailed, end_child, read_frame, send_frame, start_child
from bot.pictures.maker import PictureMaker
from bot.pictures.types import Picture
from bot.runtime.luck_teller import LUCK_WORKER
from bot.runtime.luck_worker import LuckAnswer
from tests.pictures.states import STATES

PATIENCE = 20.0
STRANGE = (sys.executable, "-m", "tests.pictures.strange_worker")


def loops() -> list[Callable[[Coroutine[Any, Any, None]], None]]:
    """Return what runs a coroutine: Python's own loop, and the one that the dealer uses where it is installed."""
    found: list[Callable[[Coroutine[Any, Any, None]], None]] = [asyncio.run]
    if sys.platform != "win32":
        import uvloop

        found.append(uvloop.run)
    return found


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("run", loops(), ids=lambda run: run.__module__)
def test_writing_to_a_dead_process_says_that_it_ended(run: Callable[[Coroutine[Any, Any, None]], None]) -> None:
    async def scenario() -> None:
        process = await start_child(LUCK_WORKER)
        assert (await read_frame(process, PATIENCE))[0] == LuckAnswer.READY
        os.kill(process.pid, signal.SIGKILL)
        await process.wait()
        await asyncio.sleep(0.05)
        with pytest.raises(ChildFailed, match="ended"):
            send_frame(process, b"a request")
            await read_frame(process, PATIENCE)
        await end_child(process)

    run(scenario())


@pytest.mark.parametrize("run", loops(), ids=lambda run: run.__module__)
def test_pictures_go_on_after_a_kill_while_nothing_was_drawn(run: Callable[[Coroutine[Any, Any, None]], None]) -> None:
    picture: Picture = next(iter(STATES.values()))

    async def scenario() -> None:
        pictures = PictureMaker(STRANGE, pauses_seconds=(0.0, 0.0))
        pictures.start()
        await pictures.wait_until_ready()
        assert await pictures.draw(picture) is not None
        killed = pictures.worker_pid
        assert killed is not None
        os.kill(killed, signal.SIGKILL)
        await asyncio.sleep(0.1)
        await pictures.draw(picture)  # this one finds the process dead
        await until(lambda: pictures.worker_pid not in (None, killed) and pictures.is_ready)
        assert await pictures.draw(picture) is not None
        await pictures.close()

    run(scenario())


@pytest.mark.parametrize("run", loops(), ids=lambda run: run.__module__)
def test_child_with_much_unread_is_ended(run: Callable[[Coroutine[Any, Any, None]], None]) -> None:
    """Nobody reads what it writes, and the event loop has stopped reading on."""

    async def end_it() -> None:
        process = await start_child(
            [sys.executable, "-c", "import sys, time; sys.stdout.write('x' * 9_000_000); time.sleep(60)"]
        )
        reading = process._transport.get_pipe_transport(1)  # type: ignore[attr-defined]
        await until(lambda: not reading.is_reading())
        async with asyncio.timeout(PATIENCE):
            await end_child(process)
        assert process.returncode == -signal.SIGKILL

    run(end_it())
