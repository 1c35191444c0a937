"""What the dealers of other servers have changed of the values of persons: it is looked for every few seconds."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, TypeVar

import msgspec

from bot.background_tasks import BackgroundTasks
from bot.runtime.saved_values import PersonalNews, SavedKind, SharedPersonalStorage
from bot.runtime.store_errors import StoreError
from bot.surfaces.part import Part

log = logging.getLogger(__name__)

T = TypeVar("T")
PAUSE_SECONDS = 2.0
"""So often it is looked: who changes a preference in one server finds it changed in the others after that."""


class _Follower(NamedTuple):
    kind: SavedKind[int, Any]
    tell: Callable[[int, Any], None]
    load: Callable[[], Awaitable[None]]


class SharedNews(Part):
    """Tells the parts that remember values of persons what others have changed: a `bot.runtime.saved_values.PersonalNews`.

    Args:
        values: that several dealers write to; None where this dealer is the only one: then there is nothing to tell.
    """

    def __init__(self, values: SharedPersonalStorage | None = None) -> None:
        self._values = values
        self._followers: list[_Follower] = []
        self._seen = 0
        self.tasks = BackgroundTasks()

    def follow(
        self, kind: SavedKind[int, T], tell: Callable[[int, T | None], None], load: Callable[[], Awaitable[None]]
    ) -> None:
        """See `PersonalNews`."""
        self._followers.append(_Follower(kind, tell, load))

    async def load(self) -> None:
        """What changes from now on is told; what was there before is read by those who remember it, after this."""
        if self._values is not None:
            self._seen = await self._values.newest_change()

    async def open(self) -> None:
        if self._values is not None:
            self.tasks.run(self._follow(), "personal-news")

    async def close(self) -> None:
        await self.tasks.stop()

    async def look(self) -> None:
        """Tell what has changed since the last look.

        Raises:
            StoreError: it cannot be read now.
        """
        if self._values is None:
            return
        changes = await self._values.changes_since(self._seen)
        if changes.values is None:
            for load in dict.fromkeys([follower.load for follower in self._followers]):
                await load()
        else:
            for key, value in changes.values.items():
                self._tell(key, value)
        self._seen = changes.number

    async def _follow(self) -> None:
        while True:
            await asyncio.sleep(PAUSE_SECONDS)
            try:
                await self.look()
            except StoreError as error:
                log.warning("personal_news_not_read", extra={"error": repr(error)})

    def _tell(self, key: str, value: bytes | None) -> None:
        for kind, tell, _ in self._followers:
            if key.startswith(kind.prefix) and kind.owns(key):
                try:
                    user, told = kind.read_key(key), None if value is None else kind.decode(value)
                except (ValueError, msgspec.MsgspecError):
                    log.warning("saved_value_unreadable", extra={"kind": kind.name, "key": key})
                else:
                    tell(user, told)


def personal_news(made: SharedNews) -> PersonalNews:
    return made
