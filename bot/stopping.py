"""Stop in time, whatever hangs: every stage has a time limit of its own, and a thread ends a process that is still there after all.

Nothing that was acknowledged can be lost by this: it has been saved before anybody was told.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any

log = logging.getLogger(__name__)

STOP_SECONDS = 9.0
"""From the first signal until the process is ended as it is: compose and systemd allow more, an impatient operator about ten."""
AT_ONCE_EXIT = 128 + signal.SIGTERM


async def run_stage(name: str, work: Coroutine[Any, Any, object], seconds: float) -> bool:
    """Do one part of stopping, and log how long it took. Returns whether it ended in time and without an error.

    What takes longer is cancelled, and nobody waits for it to notice.
    """
    began_at = time.monotonic()
    task = asyncio.ensure_future(work)
    done, _ = await asyncio.wait({task}, timeout=seconds)
    fields = {"stage": name, "took_ms": round((time.monotonic() - began_at) * 1000)}
    if not done:
        task.cancel()
        task.add_done_callback(lambda late: late.cancelled() or late.exception())  # its end concerns nobody any more
        log.warning("stop_stage_late", extra=fields)
        return False
    if task.cancelled() or task.exception() is not None:
        log.error("stop_stage_failed", exc_info=None if task.cancelled() else task.exception(), extra=fields)
        return False
    log.info("stop_stage_done", extra=fields)
    return True


class StopSignals:
    """SIGTERM and SIGINT: the first one asks to stop, the second one ends the process at once, and so does the time limit.

    Attributes:
        stopped: set by the first signal.

    Args:
        before_exit: is called before the process is ended as it is.
    """

    def __init__(self, seconds: float = STOP_SECONDS, *, before_exit: Callable[[], None] | None = None) -> None:
        self.stopped = asyncio.Event()
        self._before_exit = before_exit
        self._seconds = seconds
        self._asked_at = 0.0
        self._deadline: threading.Timer | None = None
        self._signal_is_due = False

    def take_along(self, kill: Callable[[], None]) -> None:
        """Call this before the process is ended as it is."""
        self._before_exit = kill

    @property
    def seconds_left(self) -> float:
        """How long until the process is ended as it is."""
        return max(0.0, self._asked_at + self._seconds - time.monotonic()) if self._asked_at else self._seconds

    def listen(self) -> None:
        """Take over both signals."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            try:
                loop.add_signal_handler(number, self._on_signal, number)
            except NotImplementedError:  # Windows has no loop signals
                signal.signal(number, lambda received, _: loop.call_soon_threadsafe(self._on_signal, received))

    def ask(self, reason: str) -> None:
        """Ask to stop in another way than by a signal, unless somebody has. A signal that comes beside it ends nothing at once."""
        if not self._asked_at:
            self._signal_is_due = True
            self._ask(reason)

    def _ask(self, reason: str) -> None:
        log.info("stop_asked", extra={"signal": reason})
        self.begin()
        self.stopped.set()

    def begin(self) -> None:
        """Start the time limit: the dealer stops, for whatever reason."""
        if self._asked_at:
            return
        self._asked_at = time.monotonic()
        self._deadline = threading.Timer(self._seconds, self._on_deadline)
        self._deadline.daemon = True  # a process that ends by itself does not wait for it
        self._deadline.start()

    def end(self) -> None:
        """Everything has ended: the time limit is no more."""
        if self._deadline is not None:
            self._deadline.cancel()

    def _on_signal(self, number: int) -> None:
        if self._signal_is_due:
            self._signal_is_due = False
            return
        if self._asked_at:
            log.warning("stopped_at_once", extra={"signal": signal.Signals(number).name})
            self.leave(AT_ONCE_EXIT)
        self._ask(signal.Signals(number).name)

    def _on_deadline(self) -> None:
        log.error("stop_deadline_passed", extra={"seconds": self._seconds})
        self.leave(1)

    def leave(self, code: int) -> None:
        """End the process as it is."""
        if self._before_exit is not None:
            self._before_exit()
        logging.shutdown()
        os._exit(code)
