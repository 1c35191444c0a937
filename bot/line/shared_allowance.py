"""How many requests by the bot's token can go, where several processes share Discord's limit: one bucket of tokens for all of them.

A token is asked for only when a request waits, and goes to whoever asks: what one process does not use is there for the others at once.
While the bucket cannot be reached, each process lets its own share go.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections import deque
from collections.abc import Callable
from typing import Protocol

from bot.runtime.store_errors import StoreError

log = logging.getLogger(__name__)

AT_ONCE = 2
"""The most tokens of one ask: a process that has many requests waiting takes no more from the others."""
ASKS_PER_SECOND = 80
"""How often all processes together ask while there are no tokens left."""
CREDIT = 10
"""The most tokens of its share that a process can catch up on after it was quiet: the cards of one deal go out together."""
EAGER = 5
"""So many times as often it asks while it does."""
ANSWER_SECONDS = 0.5
"""A bucket that has not answered for so long cannot be reached."""
ASK_AGAIN_SECONDS = 1.0
"""So often a bucket that has refused to answer is asked again."""
LATE_SECONDS = 0.25
"""Tokens that come so late are not used: together with newer ones they would be too many."""
SHARE_SECONDS = 1.0
"""What a process gets of the limit is counted over this time."""


class TokenBucket(Protocol):
    """Where the tokens of all processes are."""

    async def take(self, most: int) -> int:
        """Take so many tokens at most. Returns how many there were.

        Raises:
            StoreError: the bucket cannot be reached.
        """

    async def close(self) -> None:
        """Give it up."""


class SharedAllowance:
    """Lets requests go as the bucket of all processes allows it.

    Args:
        bucket: where the tokens are.
        processes: how many share it.
        per_second, burst: of all processes together.
    """

    def __init__(self, bucket: TokenBucket, processes: int, per_second: float, burst: float) -> None:
        self.is_shared = True
        """Whether the bucket answers. Otherwise this process keeps to its own share."""
        self._bucket, self._processes, self._rate, self._burst = bucket, processes, per_second, burst
        self._wanted = asyncio.Event()
        self._asked: asyncio.Task[tuple[int, float]] | None = None
        self._serving: asyncio.Task[None] | None = None
        self._own_next_at = self._busy_since = self._credit_at = 0.0
        self._credit = float(CREDIT)
        self._went_at: deque[float] = deque()

    def open(self, waiting: Callable[[], int], let_go: Callable[[int], None]) -> None:
        """Begin.

        Args:
            waiting: returns how many requests wait.
            let_go: lets so many of them go.
        """
        self._serving = asyncio.create_task(self._serve(waiting, let_go), name="request-allowance")

    async def close(self) -> None:
        """Let nothing go any more."""
        for task in (self._serving, self._asked):
            if task is not None:
                task.cancel()
        await self._bucket.close()

    def want(self) -> None:
        """A request waits."""
        self._wanted.set()

    @property
    def per_second(self) -> float:
        """How many requests of this process go in a second: all of the limit, unless others have lately been using it too."""
        now = asyncio.get_running_loop().time()
        if not self._wanted.is_set() or now - self._busy_since < SHARE_SECONDS:
            return self._rate
        self._forget_old(now)
        return max(len(self._went_at) / SHARE_SECONDS, self._rate / self._processes)

    async def _serve(self, waiting: Callable[[], int], let_go: Callable[[int], None]) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await self._wanted.wait()
            self._busy_since = loop.time()
            while count := waiting():
                wanted, asked_at = min(AT_ONCE, count), loop.time()
                got = await self._take(wanted)
                self._note(got)
                let_go(got)
                if got < wanted and self.is_shared:
                    await asyncio.sleep(max(0.0, asked_at + self._pause() - loop.time()))
            self._wanted.clear()

    async def _take(self, wanted: int) -> int:
        """Return how many requests can go: as the bucket says or, while it says nothing, of this process's own share."""
        loop = asyncio.get_running_loop()
        if self._asked is None:
            self._asked = asyncio.create_task(self._ask(wanted), name="request-tokens")
        own_at = max(self._own_next_at, loop.time() - self._burst / self._rate)
        patience = ANSWER_SECONDS if self.is_shared else max(own_at - loop.time(), 0)
        await asyncio.wait({self._asked}, timeout=patience)
        if self._asked.done():
            (got, at), self._asked = self._asked.result(), None
            return got if loop.time() - at < LATE_SECONDS else 0
        if self.is_shared:
            log.warning("request_limit_not_shared", extra={"per_second": self._rate / self._processes})
            self.is_shared, self._own_next_at = False, loop.time()
            return 0
        self._own_next_at = own_at + self._processes / self._rate
        return 1

    async def _ask(self, wanted: int) -> tuple[int, float]:
        """Return the bucket's answer, when there is one, and the time of it."""
        while True:
            try:
                got = await self._bucket.take(wanted)
            except StoreError as error:
                log.debug("request_tokens_unavailable", extra={"error": str(error)})
                await asyncio.sleep(ASK_AGAIN_SECONDS)
                continue
            except Exception:  # a fault of ours must not keep back everything that the bot sends
                log.exception("request_tokens_failed")
                await asyncio.sleep(ASK_AGAIN_SECONDS)
                continue
            if not self.is_shared:
                log.info("request_limit_shared")
                self.is_shared = True
            return got, asyncio.get_running_loop().time()

    def _pause(self) -> float:
        """Return how long it is from one ask to the next, in seconds."""
        pause = random.uniform(0.5, 1.5) * self._processes / ASKS_PER_SECOND
        return pause / EAGER if self._credit >= AT_ONCE else pause

    def _note(self, count: int) -> None:
        now = asyncio.get_running_loop().time()
        self._credit += (now - self._credit_at) * self._rate / self._processes
        self._credit, self._credit_at = max(0.0, min(CREDIT, self._credit) - count), now
        self._went_at.extend([now] * count)
        self._forget_old(now)

    def _forget_old(self, now: float) -> None:
        while self._went_at and self._went_at[0] < now - SHARE_SECONDS:
            self._went_at.popleft()
