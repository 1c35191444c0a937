"""Files of hands that people give: checked in a process of its own, and remembered for a while so that they can look at them.

A file from outside can be anything. So nothing of it is read in the bot's own process: another one, which can take only so much time and
memory, reads the file, plays each hand and writes down what to say (`bot.check_hands`). Nothing of it is saved: imported hands touch no
chips, no statistics and no server's hands, and a restart forgets them.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sys
from collections import OrderedDict
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from bot.runtime.clock import AlarmClock
from bot.runtime.errors import FileTooHard, ImportForgotten, OneMoment
from bot.text.checked_hands import CheckedFile

log = logging.getLogger(__name__)

CHECKER = (sys.executable, "-m", "bot.check_hands")
NOT_FOR_THE_CHECKER = ("DISCORD_", "CARDROOM_")
"""The settings of the bot, its token among them."""
LIMIT_SECONDS = 60.0
"""How long the bot waits for the process, which works for `bot.check_hands.WORK_SECONDS` and waits for the processor, too."""
MAX_ANSWER_BYTES = 8_000_000
MAX_WAITING = 4
FILES_REMEMBERED = 20
REMEMBERED_MS = 30 * 60_000


class ImportedFile(Struct, frozen=True):
    """A file that somebody has given."""

    id: int
    user: int
    name: str
    checked: CheckedFile
    at: int


class HandImports:
    """Has files checked, one at a time, and remembers them.

    Args:
        command: what runs as the checker.
        limit_seconds: see `LIMIT_SECONDS`.
    """

    def __init__(
        self, clock: AlarmClock, command: Sequence[str] = CHECKER, *, limit_seconds: float = LIMIT_SECONDS
    ) -> None:
        self._clock = clock
        self._command, self._limit = tuple(command), limit_seconds
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._files: OrderedDict[int, ImportedFile] = OrderedDict()
        self._next_id = 1

    async def check(self, user: int, name: str, content: bytes, language: str) -> ImportedFile:
        """Have a file checked, and remember it for the person who gave it.

        Args:
            language: in which the checker writes.

        Raises:
            OneMoment: others wait already.
            FileTooHard: it takes too much time or memory.
        """
        if self._waiting >= MAX_WAITING:
            raise OneMoment(seconds=10)
        self._waiting += 1
        try:
            async with self._turn:
                checked = await self._check(content, language)
        finally:
            self._waiting -= 1
        file = ImportedFile(self._next_id, user, name, checked, self._clock.now())
        self._next_id += 1
        self._files[file.id] = file
        while len(self._files) > FILES_REMEMBERED:
            self._files.popitem(last=False)
        return file

    def find(self, id_: int, user: int) -> ImportedFile:
        """Return a file that a person has given.

        Raises:
            ImportForgotten: there is no such file any more, or it is somebody else's.
        """
        file = self._files.get(id_)
        if file is None or file.user != user or self._clock.now() - file.at > REMEMBERED_MS:
            raise ImportForgotten
        return file

    async def _check(self, content: bytes, language: str) -> CheckedFile:
        try:
            process = await asyncio.create_subprocess_exec(
                *self._command,
                language,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,  # a traceback can hold what the file says
                env={name: value for name, value in os.environ.items() if not name.startswith(NOT_FOR_THE_CHECKER)},
            )
        except OSError as error:
            log.warning("check_hands_not_started", extra={"cause": str(error.strerror)})
            raise FileTooHard from error
        try:
            async with asyncio.timeout(self._limit):
                answer = await _exchange(process, content)
        except TimeoutError:
            answer = b""
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        try:
            return await asyncio.to_thread(msgspec.msgpack.decode, answer, type=CheckedFile)
        except (msgspec.DecodeError, msgspec.ValidationError) as error:
            log.info("hand_file_not_checked", extra={"bytes": len(content), "code": process.returncode})
            raise FileTooHard from error


async def _exchange(process: asyncio.subprocess.Process, content: bytes) -> bytes:
    """Give the process the file, and return what it writes; nothing where it writes too much."""
    assert process.stdin is not None and process.stdout is not None
    stdin, stdout = process.stdin, process.stdout

    async def give() -> None:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            stdin.write(content)
            await stdin.drain()
            stdin.close()

    giving = asyncio.create_task(give(), name="hand-file")
    answer = bytearray()
    try:
        while part := await stdout.read(1 << 16):
            answer += part
            if len(answer) > MAX_ANSWER_BYTES:
                return b""
    finally:
        giving.cancel()
    return bytes(answer)
