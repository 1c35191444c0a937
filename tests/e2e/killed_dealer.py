"""Dealers in processes of their own that kill themselves (SIGKILL) at a step: before or after something is saved, or asked of Discord.

This process loads the program once and forks for each dealer, so that a start costs little. It reads a line of JSON for each, tells that
the dealer is ready, with its process id, and that it is gone.

    python -m tests.e2e.killed_dealer
"""

from __future__ import annotations

import asyncio
import functools
import os
import random
import signal
import sys
import traceback
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec

from bot.dealer import Dealer
from bot.foundation import DealerOptions
from bot.line.api import DiscordApi
from bot.line.site import Endpoints
from bot.runtime.store_types import Commit
from bot.store.store import Store
from tests.e2e.bot_session import NO_FLOORS
from tests.e2e.movable_clock import MovableClock


class Life(msgspec.Struct):
    """How a dealer lives.

    Attributes:
        ahead: so many ms its clock is ahead of the machine's.
        kill_at: it kills itself at this step; 0 for never.
        counts_from: steps are counted from a commit with this label on; empty to count all.
        steps_in: the file that tells how many steps it has taken.
    """

    data: str
    rest: str
    gateway: str
    cdn: str
    token: str
    ahead: int
    kill_at: int
    counts_from: str
    steps_in: str


class Steps:
    """Counts steps, and dies at one."""

    def __init__(self, life: Life) -> None:
        self.life, self.count = life, 0
        self.counts = not life.counts_from
        self.file = os.open(life.steps_in, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)

    def step(self) -> None:
        if self.counts:
            self.count += 1
            os.pwrite(self.file, b"%d" % self.count, 0)
            if self.count == self.life.kill_at:
                os.kill(os.getpid(), signal.SIGKILL)

    def watch(self, owner: type, name: str) -> None:
        """Take a step before and after each call of a method."""
        method: Callable[..., Awaitable[Any]] = getattr(owner, name)

        @functools.wraps(method)
        async def stepped(*arguments: Any, **how: Any) -> Any:
            if any(isinstance(one, Commit) and one.cause.label == self.life.counts_from for one in arguments):
                self.counts = True
            self.step()
            answer = await method(*arguments, **how)
            self.step()
            return answer

        setattr(owner, name, stepped)


async def live(life: Life) -> None:
    steps = Steps(life)
    for name in ("commit", "keep", "_write_between"):
        steps.watch(Store, name)
    steps.watch(DiscordApi, "_request")
    Endpoints(life.rest, life.gateway, life.cdn).use()
    clock = MovableClock()
    clock.skip(life.ahead / 1000)

    def ready() -> None:
        os.write(1, f"ready {os.getpid()}\n".encode())

    options = DealerOptions(
        Path(life.data),
        ready=ready,
        clock=clock,
        rng=random.Random(1),
        guild_ready_seconds=0.05,
        default_rules=NO_FLOORS,
    )
    dealer = Dealer(options)
    await dealer.store.open()
    await dealer.start_playing(life.token)


def main() -> None:
    os.write(1, b"loaded\n")
    for line in sys.stdin:
        life = msgspec.json.decode(line, type=Life)
        child = os.fork()
        if not child:
            try:
                asyncio.run(live(life))
            except BaseException:
                traceback.print_exc()
            os._exit(1)
        _, status = os.waitpid(child, 0)
        os.write(1, b"killed\n" if os.WIFSIGNALED(status) else b"ended by itself\n")


if __name__ == "__main__":
    main()
