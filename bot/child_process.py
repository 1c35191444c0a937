"""A process of the bot's own that works out what takes long: what it is started with, and what goes over its pipes.

In both directions go frames: a length and so many bytes.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

LENGTH_BYTES = 4
LARGEST_FRAME = 4_000_000
"""No frame is longer. A length above it means that the other side writes something else."""
NOT_FOR_A_CHILD = ("DISCORD_", "CARDROOM_")
"""The settings of the bot, its token among them."""


class ChildFailed(Exception):
    """The process cannot be used any more. The text says why, for the log."""


# In the bot


async def start_child(command: Sequence[str]) -> asyncio.subprocess.Process:
    """Start a process that reads requests and writes answers.

    Raises:
        ChildFailed: it cannot be started.
    """
    try:
        return await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,  # a traceback can hold cards
            # It needs no token. It stays in the bot's session: Linux weighs niceness only inside of one.
            env={name: value for name, value in os.environ.items() if not name.startswith(NOT_FOR_A_CHILD)},
        )
    except OSError as error:
        raise ChildFailed(f"cannot be started: {error.strerror}") from error


def send_frame(process: asyncio.subprocess.Process, body: bytes) -> None:
    """Send a request.

    Raises:
        ChildFailed: the process has ended.
    """
    assert process.stdin is not None
    try:
        process.stdin.write(write_frame(body))
    except (OSError, RuntimeError):  # uvloop refuses to write to a closed pipe, where Python's own loop does nothing
        raise ChildFailed("ended") from None


async def read_frame(process: asyncio.subprocess.Process, seconds: float) -> bytes:
    """Return the next frame that a process writes.

    Raises:
        ChildFailed: there is none within the time, or it is no frame.
    """
    assert process.stdout is not None
    try:
        async with asyncio.timeout(seconds):
            return await process.stdout.readexactly(read_length(await process.stdout.readexactly(LENGTH_BYTES)))
    except TimeoutError:
        raise ChildFailed("took too long") from None
    except asyncio.IncompleteReadError:
        raise ChildFailed("ended") from None
    except ValueError:
        raise ChildFailed("wrote something that is no answer") from None


async def end_child(process: asyncio.subprocess.Process) -> None:
    """End a process, if it has not ended yet, and wait for it.

    What it wrote last is read and thrown away: Python's own event loop also waits for the end of the pipes, and does not see that while
    much is unread, so it would wait for ever.
    """
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    if process.stdout is not None:
        with contextlib.suppress(RuntimeError):  # somebody else is reading: then it is read on
            while await process.stdout.read(1 << 16):
                pass
    await process.wait()


# In the process


def prepare_child(niceness: int) -> None:
    """Let the process end when the bot closes its pipes, and with no signal before, and give way to the bot until then."""
    for number in (
        signal.SIGINT,
        signal.SIGTERM,
    ):  # Ctrl-C and service managers signal the bot, too, which ends this process last
        signal.signal(number, signal.SIG_IGN)
    if sys.platform != "win32":
        with contextlib.suppress(OSError):  # a sandbox can refuse it; the work is done all the same
            os.nice(niceness)


def set_alarm(seconds: int) -> None:
    """End the process in so many seconds; 0 for not at all."""
    if sys.platform != "win32":
        signal.alarm(seconds)


def describe_error(error: BaseException) -> str:
    """Return what an error is and where it was raised, without its message, which can name a card."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{where}"


# On both sides


def write_frame(body: bytes) -> bytes:
    """Return a frame with its length before it."""
    return len(body).to_bytes(LENGTH_BYTES, "big") + body


def read_length(header: bytes) -> int:
    """Return the length of the frame that follows.

    Raises:
        ValueError: no frame is so long, or so short.
    """
    length = int.from_bytes(header, "big")
    if not 0 < length <= LARGEST_FRAME:
        raise ValueError("no frame has this length")
    return length
