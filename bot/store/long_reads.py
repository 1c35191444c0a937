"""Reads that take long, on a connection of their own: nobody who asks for their balance waits behind one.

A long read is a generator: each `yield` ends a step, and each step is a transaction of its own. Between two steps another server's read
gets its turn, the write-ahead log can be merged into the file, and a store that closes stops waiting.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Generator, Hashable
from typing import Any, TypeVar

from bot.runtime.store_errors import StoreClosed
from bot.store.connection import BREAK_OFF_SECONDS
from bot.store.database import Database
from bot.store.engine import Connection
from bot.store.queries import read_consistently

T = TypeVar("T")


class LongReads:
    """The long reads of a store. A server has one of a kind at a time; who asks for the same one while it runs shares its answer."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._running: dict[tuple[int, str, Hashable], asyncio.Task[Any]] = {}
        self._turns: dict[tuple[int, str], asyncio.Lock] = {}
        self._closing = False

    async def run(
        self,
        guild: int,
        kind: str,
        begin: Callable[[Database], Generator[None, None, T]],
        *,
        details: Hashable = None,
    ) -> T:
        """Return what a long read returns. A caller who stops waiting does not stop it.

        Args:
            kind: says what is read.
            details: everything else that the answer depends on.

        Raises:
            StoreClosed: the store closed before the end.
        """
        if self._closing:
            raise StoreClosed
        key = guild, kind, details
        task: asyncio.Task[T] | None = self._running.get(key)
        if task is None:
            task = self._running[key] = asyncio.create_task(self._read((guild, kind), begin), name=f"long-read-{kind}")
            task.add_done_callback(lambda done: self._ended(key, done))
        return await asyncio.shield(task)

    async def end(self) -> None:
        """Interrupt what is being read. Its connection is somebody else's to close."""
        self._closing = True
        while self._running:  # an interrupt between two statements meets none
            await self._connection.interrupt()
            await asyncio.wait(self._running.values(), timeout=BREAK_OFF_SECONDS)

    def _ended(self, key: tuple[int, str, Hashable], task: "asyncio.Task[Any]") -> None:
        del self._running[key]
        if not any(other[:2] == key[:2] for other in self._running):
            self._turns.pop(key[:2], None)
        if not task.cancelled():
            task.exception()  # whoever still waits has it

    async def _read(self, turn: tuple[int, str], begin: Callable[[Database], Generator[None, None, T]]) -> T:
        async with self._turns.setdefault(turn, asyncio.Lock()):
            steps: Generator[None, None, T] | None = None

            def step(db: Database) -> tuple[T] | None:
                nonlocal steps
                steps = steps or begin(db)
                try:
                    read_consistently(db, lambda: next(steps))
                except StopIteration as end:
                    return (end.value,)
                return None

            try:
                while not self._closing:
                    answer = await self._connection.run_in_thread(step)
                    if answer is not None:
                        return answer[0]
            except sqlite3.OperationalError:
                if not self._closing:
                    raise
            finally:
                if steps is not None:
                    await self._connection.run_in_thread(lambda _: steps.close())
            raise StoreClosed
