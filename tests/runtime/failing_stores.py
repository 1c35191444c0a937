"""Stores that fail: one that kills the dealer at its n-th commit, before or after the save, and one whose disk fails for a while."""

import asyncio
import os
import signal
from typing import Any

from bot.runtime.store_errors import StoreFailed
from bot.runtime.store_types import Commit, Receipt
from bot.store.store import Store


class DyingStore:
    """The real store, which stops for good at one commit: no call returns any more.

    Args:
        dies_at: the commit to die at, counted from 1; 0 for never.
        saved: whether that commit was saved before the end.
    """

    def __init__(self, store: Store, dies_at: int, *, saved: bool) -> None:
        self.store, self.dies_at, self.saved = store, dies_at, saved
        self.commits = 0
        self.dead = asyncio.Event()

    async def commit(self, commit: Commit) -> Receipt:
        self.commits += 1
        if self.dead.is_set() or self.commits == self.dies_at:
            if not self.dead.is_set() and self.saved:
                await self.store.commit(commit)
            self.dead.set()
            await asyncio.get_running_loop().create_future()  # nobody ever answers
        return await self.store.commit(commit)

    async def keep(self, key: str, value: bytes | None) -> None:
        if not self.dead.is_set():
            await self.store.keep(key, value)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)


class SelfKillingStore:
    """The real store. At its n-th commit the process kills itself, before or after the save, without any clean-up."""

    def __init__(self, store: Store, dies_at: int, *, saved: bool) -> None:
        self.store, self.dies_at, self.saved = store, dies_at, saved
        self.commits = 0

    async def commit(self, commit: Commit) -> Receipt:
        self.commits += 1
        if self.commits == self.dies_at and not self.saved:
            os.kill(os.getpid(), signal.SIGKILL)
        receipt = await self.store.commit(commit)
        if self.commits == self.dies_at:
            os.kill(os.getpid(), signal.SIGKILL)
        return receipt

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)


class FailingStore:
    """The real store, whose disk is full while `full` is true. With `lies`, it saves and reports that it has not."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.full = self.reports_false_failure = False
        self.refused = 0

    async def commit(self, commit: Commit) -> Receipt:
        if self.reports_false_failure:
            await self.store.commit(commit)
        if self.full or self.reports_false_failure:
            self.refused += 1
            raise StoreFailed(reason="could not save: disk full")
        return await self.store.commit(commit)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)
