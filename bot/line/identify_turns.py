"""When a connection to the gateway can identify itself, where several processes do that with the bot's token.

Discord takes one IDENTIFY in five seconds, of each of `max_concurrency` groups of shards, whichever process sends it, and refuses others.
So the processes take turns. A turn is waited for before the connection is made, because Discord closes one that says nothing, and is held
for as long again in the moment of the IDENTIFY: making the connection can have lasted.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import random
from typing import Protocol

from bot.runtime.store_errors import StoreError

log = logging.getLogger(__name__)

AGAIN_SECONDS = 1.0
"""So often turns that cannot be had, because the database is away, are asked for again."""
SPREAD_SECONDS = 0.05
"""Those who wait for one turn ask within this time."""


class Turns(Protocol):
    """Where all processes see whose turn it is."""

    async def take(self, group: int, holder: str) -> float:
        """Take the turn of a group of shards if it is free, or hold one's own for as long again.

        Returns:
            0 if it is the holder's; otherwise in how many seconds it will be free.

        Raises:
            StoreError: nobody can tell.
        """


class IdentifyTurns:
    """Takes turns for the shards of this process.

    Args:
        turns: of all processes.
        process: what tells this process from the others.

    Attributes:
        groups: how many groups of shards there are; Discord says how many.
    """

    def __init__(self, turns: Turns, process: str) -> None:
        self.groups = 1
        self._turns, self._process = turns, process
        self._numbers = itertools.count()
        self._holders: dict[int, str] = {}

    def set_groups(self, count: int) -> None:
        """Shards are in so many groups."""
        self.groups = count

    async def wait(self, shard: int) -> None:
        """Wait for the turn of a shard that will connect."""
        self._holders[shard] = f"{self._process}, shard {shard}, {next(self._numbers)}"
        await self._take(shard, self._holders[shard])

    async def use(self, shard: int) -> None:
        """The shard identifies itself now, as soon as it is its turn."""
        if shard not in self._holders:
            await self.wait(shard)
        await self._take(shard, self._holders.pop(shard))

    async def _take(self, shard: int, holder: str) -> None:
        while True:
            try:
                seconds = await self._turns.take(shard % self.groups, holder)
            except StoreError as error:
                log.warning("identify_turn_not_known", extra={"shard": shard, "error": repr(error)})
                await asyncio.sleep(AGAIN_SECONDS)
                continue
            if not seconds:
                return
            await asyncio.sleep(seconds + random.uniform(0, SPREAD_SECONDS))
