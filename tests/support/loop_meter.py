"""How long the event loop is held: the meter of benchmarks and tests."""

import asyncio
import time
from collections.abc import Sequence
from types import TracebackType


class LoopMeter:
    """Looks at the running loop every millisecond, and remembers the longest time that it came too late.

    Attributes:
        longest_ms: the longest time by which it was late. Another process that is busy counts too.
        longest_cpu_ms: the most processor time that the loop's thread used between two looks. What other threads or processes take does
            not count.
    """

    TICK_SECONDS = 0.001

    def __init__(self) -> None:
        self.longest_ms = self.longest_cpu_ms = 0.0
        self._timer: asyncio.TimerHandle | None = None

    async def __aenter__(self) -> "LoopMeter":
        self._loop = asyncio.get_running_loop()
        await asyncio.sleep(0)  # what had been scheduled before is not counted
        self._due, self._cpu = time.perf_counter(), time.thread_time()
        self._look()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.sleep(self.TICK_SECONDS)
        assert self._timer is not None
        self._timer.cancel()
        self._look()

    def _look(self) -> None:
        now, cpu = time.perf_counter(), time.thread_time()
        self.longest_ms = max(self.longest_ms, (now - self._due) * 1000)
        self.longest_cpu_ms = max(self.longest_cpu_ms, (cpu - self._cpu) * 1000)
        self._due, self._cpu = now + self.TICK_SECONDS, cpu
        self._timer = self._loop.call_later(self.TICK_SECONDS, self._look)


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the value that so many percent do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]
