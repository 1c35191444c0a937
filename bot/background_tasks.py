"""Work that somebody starts and nobody awaits."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

log = logging.getLogger(__name__)


class BackgroundTasks:
    """Keeps tasks alive until they are done; the loop alone would not."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def run(self, work: Coroutine[Any, Any, Any], name: str) -> asyncio.Task[Any]:
        """Start a task."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    @property
    def pending(self) -> set[asyncio.Task[Any]]:
        """The tasks that are not done."""
        return set(self._tasks)

    async def finish(self, seconds: float) -> None:
        """Wait for what is under way, and for what that starts; cancel what takes longer."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        while self._tasks and (left := deadline - loop.time()) > 0:
            await asyncio.wait(self._tasks, timeout=left)
        self.cancel()

    def cancel(self) -> None:
        """Cancel what is under way."""
        for task in self._tasks:
            task.cancel()

    async def stop(self) -> None:
        """Cancel what is under way, and wait until it has ended."""
        self.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)


class Workers(BackgroundTasks):
    """At most one task for each server. One that is woken while it works goes round once more.

    Args:
        work: does what is due in a server. What it raises is logged, and tried again when the worker is woken next.
        name: of the work, in the log.
    """

    def __init__(self, work: Callable[[int], Awaitable[None]], name: str) -> None:
        super().__init__()
        self._work, self._name = work, name
        self._due: set[int] = set()
        self._busy: set[int] = set()

    def wake(self, guild: int) -> None:
        """Something is due in a server. Returns at once."""
        self._due.add(guild)
        if guild not in self._busy:
            self._busy.add(guild)
            self.run(self._work_off(guild), f"{self._name}-{guild}")

    def is_busy(self, guild: int) -> bool:
        """Return whether a server's worker is under way."""
        return guild in self._busy

    async def _work_off(self, guild: int) -> None:
        try:
            while guild in self._due:
                self._due.discard(guild)
                await self._work(guild)
        except Exception:
            log.exception("work_for_server_failed", extra={"work": self._name, "guild": guild})
        finally:
            self._busy.discard(guild)
