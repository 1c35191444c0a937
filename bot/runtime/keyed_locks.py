"""Locks by a key: one at a time does something with a table, a person or a server."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

K = TypeVar("K", bound=Hashable)


class KeyedLocks(Generic[K]):
    """A lock for each key, for as long as somebody has it or waits for it. One that nobody holds is as good as a new one."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[K, asyncio.Lock] = WeakValueDictionary()

    def of(self, key: K) -> asyncio.Lock:
        """Return the lock of a key, for an ``async with``, which keeps it until its end."""
        return self._locks.setdefault(key, asyncio.Lock())

    def __len__(self) -> int:
        return len(self._locks)
