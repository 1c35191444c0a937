"""Runs several dealers of one command, each a process of its own, and starts again what ends. It keeps no data.

A dealer that has lost its slot ends itself; the process that follows it waits for a slot like any standby. What a dealer would tell the
service manager it tells its supervisor, by the same means (sd_notify(3)). It is told to stop by the end of its standard input, so that a
signal that reaches it beside this, from a terminal or a service manager, is not taken for a second one.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.operation.health import STANDS_BY, LoopWatchdog, tell_service_manager
from bot.operation.slots import schemas_of
from bot.settings import Settings, house_schema_of
from bot.stopping import STOP_SECONDS, StopSignals
from bot.text import cli as words
from bot.text.language import t

log = logging.getLogger(__name__)

COMMAND = (sys.executable, "-m", "bot.operation.dealer_process")
"""Runs one dealer. Its number follows."""
SILENT_SECONDS = 30.0
"""A process whose event loop has not ticked for so long is ended: it would hold its slot for ever."""
EXTEND_SECONDS = 30
"""By so long the service manager is asked to wait on while a dealer that starts is alive."""
STARTS_MAX = 5
"""A process that ends so often before it has dealt ends all: something is wrong with all of them, and Discord counts logins."""
PAUSES = (1.0, 2.0, 5.0, 10.0, 30.0)
"""Before a process is started again, by how often that was necessary in a row."""
LOOK_SECONDS = 1.0


@dataclass(slots=True)
class _Dealer:
    """One of the processes.

    Attributes:
        number: from 0.
        process: the one that runs at this moment.
        heard_at: when it told something last, by the monotonic clock; 0 for never.
        is_settled: it deals, or waits for a slot.
        failures: how often in a row it has ended before it was settled.
    """

    number: int
    process: asyncio.subprocess.Process | None = None
    heard_at: float = 0.0
    is_settled: bool = False
    failures: int = 0


class Supervisor:
    """Runs several dealers until it is told to stop.

    Args:
        count: how many.
        command: runs one of them; its number follows.
        pauses: see `PAUSES`.
        silent_seconds: see `SILENT_SECONDS`.
    """

    def __init__(
        self,
        settings: Settings,
        count: int,
        *,
        command: Sequence[str] = COMMAND,
        pauses: Sequence[float] = PAUSES,
        silent_seconds: float = SILENT_SECONDS,
    ) -> None:
        self._settings, self._command, self._pauses, self._silent_seconds = settings, command, pauses, silent_seconds
        self._dealers = [_Dealer(number) for number in range(count)]
        self._signals = StopSignals(STOP_SECONDS + 2, before_exit=self._kill_all)
        self._has_settled = self._has_said_so = False
        self._code = 0

    @property
    def processes(self) -> tuple[int, ...]:
        """The ids of the processes that run at this moment."""
        return tuple([dealer.process.pid for dealer in self._dealers if dealer.process is not None])

    async def run(self) -> int:
        """Run until SIGTERM or SIGINT, or until nobody can deal. Returns the exit code."""
        self._signals.listen()
        with tempfile.TemporaryDirectory(prefix="cardroom-") as folder:
            async with self._watched():
                tasks = [asyncio.create_task(self._run_dealer(dealer, Path(folder))) for dealer in self._dealers]
                await self._signals.stopped.wait()
                tell_service_manager("STOPPING=1")
                await asyncio.gather(*tasks)
        self._signals.end()
        return self._code

    def stop(self) -> None:
        """Let `run` end all and return."""
        self._signals.ask("STOP")

    @asynccontextmanager
    async def _watched(self) -> AsyncIterator[None]:
        """Watch the event loop and, where the settings name an address, answer questions about the health of all."""
        watchdog = LoopWatchdog()
        watchdog.start()
        try:
            if self._settings.metrics is None:
                yield
                return
            from bot.operation.fleet_watch import FleetWatch
            from bot.operation.served_alone import served_alone
            from bot.store.postgres.house import House

            house = House(self._settings.database.reveal(), house_schema_of(local=self._settings.local))
            await house.open()
            try:
                fleet = FleetWatch(house, schemas_of(self._settings, (await house.facts()).slots), is_dealer=False)
                async with fleet.watching(), served_alone(fleet, self._settings.metrics, watchdog, self._conditions):
                    yield
            finally:
                await house.close()
        finally:
            watchdog.stop()

    def _conditions(self) -> dict[str, bool | str]:
        return {"dealers": all(dealer.is_settled for dealer in self._dealers)}

    async def _run_dealer(self, dealer: _Dealer, folder: Path) -> None:
        """Run one of the processes, and another one in its place when it ends, until all are to stop."""
        while not self._signals.stopped.is_set():
            dealer.is_settled, dealer.heard_at = False, 0.0
            code = await self._run_once(dealer, folder)
            if self._signals.stopped.is_set():
                return
            log.warning("dealer_ended", extra={"dealer": dealer.number, "exit_code": code})
            dealer.failures = 0 if dealer.is_settled else dealer.failures + 1
            if not self._has_settled or dealer.failures >= STARTS_MAX:
                self._code = code if code > 0 else 1
                self._signals.ask("DEALER_CANNOT_START")
                return
            pause = self._pauses[min(dealer.failures, len(self._pauses) - 1)]
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._signals.stopped.wait(), pause)

    async def _run_once(self, dealer: _Dealer, folder: Path) -> int:
        """Run one process to its end. Returns its exit code, less than 0 for a signal."""
        path = folder / str(dealer.number)
        with _notifications(path) as told:
            loop = asyncio.get_running_loop()
            loop.add_reader(told, self._hear, dealer, told)
            try:
                dealer.process = process = await asyncio.create_subprocess_exec(
                    *self._command, str(dealer.number), stdin=asyncio.subprocess.PIPE,
                    env={**os.environ, "NOTIFY_SOCKET": str(path)},
                )  # fmt: skip
                watching = asyncio.create_task(self._watch(dealer))
                stopping = asyncio.create_task(self._let_stop(process))
                try:
                    return await process.wait()
                finally:
                    watching.cancel()
                    stopping.cancel()
                    dealer.process = None
            finally:
                loop.remove_reader(told)

    async def _let_stop(self, process: asyncio.subprocess.Process) -> None:
        """Tell a process to stop once all are to stop."""
        await self._signals.stopped.wait()
        assert process.stdin is not None
        process.stdin.close()

    async def _watch(self, dealer: _Dealer) -> None:
        """End a process whose event loop stands still."""
        while True:
            await asyncio.sleep(min(LOOK_SECONDS, self._silent_seconds / 4))
            silent = time.monotonic() - dealer.heard_at
            if dealer.heard_at and silent > self._silent_seconds and dealer.process is not None:
                log.error("dealer_stands_still", extra={"dealer": dealer.number, "seconds": round(silent)})
                dealer.process.kill()
                return

    def _hear(self, dealer: _Dealer, told: socket.socket) -> None:
        """A process tells how it is."""
        with contextlib.suppress(BlockingIOError):
            state = told.recv(4096).decode(errors="replace")
            dealer.heard_at = time.monotonic()
            if state in ("READY=1", STANDS_BY):
                dealer.is_settled = self._has_settled = True
                self._say_once_all_are_settled()
            elif not self._has_said_so:
                tell_service_manager(f"EXTEND_TIMEOUT_USEC={EXTEND_SECONDS * 1_000_000}")

    def _say_once_all_are_settled(self) -> None:
        if not self._has_said_so and all(dealer.is_settled for dealer in self._dealers):
            self._has_said_so = True
            tell_service_manager("READY=1")
            print(t(words.DEALERS_ARE_IN), flush=True)

    def _kill_all(self) -> None:
        for dealer in self._dealers:
            if dealer.process is not None:
                with contextlib.suppress(ProcessLookupError):
                    dealer.process.kill()


@contextlib.contextmanager
def _notifications(path: Path) -> Iterator[socket.socket]:
    """Yield where a process tells how it is."""
    path.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.bind(str(path))
        told.setblocking(False)
        yield told
