"""Practice players think in a thread of their own, one after another: some of their choices take longer than the event loop may be held up.

A thought is worked out from a view and dice of its own, so it knows nothing but what it is given and comes out the same on every run.
No table waits for it: who acts meanwhile acts, and a thought about a turn that is over is dropped by whoever asked for it.

Source: issue 2 "Practice players"; design §4 "no blocking work on the event loop".
"""

import asyncio
from collections.abc import Awaitable
from concurrent.futures import ThreadPoolExecutor
from random import Random

from bot.engine.commands import Command
from bot.engine.view import HandView
from bot.runtime.policies import Policy


class Thinking:
    """The thread. It begins with the first thought; `stop` ends it."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="practice")

    def choose(self, policy: Policy, seen: HandView, dice: Random) -> Awaitable[Command]:
        """Have a practice player choose. `seen` is his own view; `dice` belong to this thought alone."""
        return asyncio.get_running_loop().run_in_executor(self._thread, policy.choose, seen, dice)

    def stop(self) -> None:
        """Think of nothing new. The thought being thought comes to its end, and to nothing; it is not waited for."""
        self._thread.shutdown(wait=False, cancel_futures=True)
