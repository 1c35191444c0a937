"""Whether the dealer is well: `/livez`, `/readyz` and `/metrics` on this machine, and a watchdog for the event loop.

`/livez` says that the event loop turns, `/readyz` that the dealer is logged in with its data open and its tables restored. Both answer
200 or 503 with a line of JSON. Nothing here names a person, a server or a card.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
import sys
import threading
import time
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from bot.measures import SECONDS, Distribution
from bot.settings import ListenAddress, SettingsError, load
from bot.text import cli as words
from bot.text.language import t

if TYPE_CHECKING:
    from aiohttp import web

log = logging.getLogger(__name__)

TICK_SECONDS = 0.5
STUCK_SECONDS = 5.0
"""After so long without a tick of the event loop the watchdog says so, once, and where the loop is."""
ASK_SECONDS = 5.0
CLOSE_SECONDS = 1.0
STACK_LINES = 8
STANDS_BY = "STATUS=standby"
"""What a process that waits for a slot of a database tells."""

Conditions: TypeAlias = Callable[[], Mapping[str, bool | str]]
"""What must hold for the dealer to be ready, by name. A sentence in the place of yes or no says what does not hold."""
Figures: TypeAlias = Callable[[], Awaitable[tuple[bytes, str]]]
"""The figures as Prometheus reads them, and their content type."""


class CannotListen(Exception):
    """The address is not free, or not one of this machine. The text says so."""


class LoopWatchdog:
    """Measures how late the event loop is, and says in the log when it is stuck: a thread notices what the loop itself cannot.

    The service manager is told of each tick, if it asked for that (``Type=notify`` with ``WatchdogSec=``): it starts a dealer again
    whose loop stands still.

    Args:
        each_tick: is called at each tick. It must be short.

    Attributes:
        lag: by how much each tick was late, in seconds.
    """

    def __init__(
        self,
        tick_seconds: float = TICK_SECONDS,
        stuck_seconds: float = STUCK_SECONDS,
        each_tick: Callable[[], None] | None = None,
    ) -> None:
        self.lag = Distribution(SECONDS)
        self._each_tick = each_tick
        self._tick_seconds, self._stuck_seconds = tick_seconds, stuck_seconds
        self._ticked_at = time.monotonic()
        self._timer: asyncio.TimerHandle | None = None
        self._stopped = threading.Event()
        self._loop_thread = 0
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)

    @property
    def is_alive(self) -> bool:
        """Whether the loop has ticked lately."""
        return time.monotonic() - self._ticked_at < self._stuck_seconds

    def start(self) -> None:
        """Begin to tick and to watch."""
        self._loop_thread = threading.get_ident()
        self._tick()
        self._thread.start()

    def stop(self) -> None:
        """End both."""
        if self._timer is not None:
            self._timer.cancel()
        self._stopped.set()

    def _tick(self) -> None:
        now = time.monotonic()
        if self._timer is not None:
            self.lag.add(max(0.0, now - self._ticked_at - self._tick_seconds))
        self._ticked_at = now
        self._timer = asyncio.get_running_loop().call_later(self._tick_seconds, self._tick)
        tell_service_manager("WATCHDOG=1")
        if self._each_tick is not None:
            self._each_tick()

    def _watch(self) -> None:
        """In the thread: say once, for each time that the loop is stuck, where it is. The lines of code hold no values."""
        told_of = 0.0
        while not self._stopped.wait(self._stuck_seconds / 5):
            ticked_at = self._ticked_at
            if self.is_alive or told_of == ticked_at:
                continue
            told_of = ticked_at
            frame = sys._current_frames().get(self._loop_thread)
            stack = traceback.extract_stack(frame)[-STACK_LINES:]
            where = " < ".join(f"{each.filename}:{each.lineno} {each.name}" for each in reversed(stack))
            log.error(
                "event_loop_stuck", extra={"late_ms": round((time.monotonic() - ticked_at) * 1000), "where": where}
            )


def tell_service_manager(state: str) -> None:
    """Tell systemd a state, ``READY=1``; nothing where no service manager asked for it (`NOTIFY_SOCKET`, see sd_notify(3))."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as told:
        told.setblocking(False)
        told.sendto(state.encode(), "\0" + address[1:] if address.startswith("@") else address)


@asynccontextmanager
async def health_served(
    at: ListenAddress, watchdog: LoopWatchdog, conditions: Conditions, figures: Figures
) -> AsyncIterator[None]:
    """Answer at this address inside the ``async with`` block.

    Raises:
        CannotListen: the address is not free.
    """
    from aiohttp import web  # a dealer that nobody asks starts without a web server

    def verdict(conditions: Mapping[str, bool | str]) -> web.Response:
        status = 200 if all(held is True for held in conditions.values()) else 503
        body = msgspec.json.encode(conditions) + b"\n"
        return web.Response(body=body, status=status, content_type="application/json")

    async def livez(_: web.Request) -> web.Response:
        return verdict({"loop": watchdog.is_alive})

    async def readyz(_: web.Request) -> web.Response:
        return verdict(conditions())

    async def metrics(_: web.Request) -> web.Response:
        body, content_type = await figures()
        return web.Response(body=body, headers={"Content-Type": content_type})

    app = web.Application()
    app.add_routes([web.get("/livez", livez), web.get("/readyz", readyz), web.get("/metrics", metrics)])
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=CLOSE_SECONDS)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, at.host, at.port).start()
            port = runner.addresses[0][1]
        except OSError as error:
            reason = error.strerror or str(error)
            raise CannotListen(t(words.CANNOT_LISTEN, host=at.host, port=at.port, error=reason)) from error
        if at.is_loopback:
            log.info("metrics_served", extra={"host": at.host, "port": port})
        else:
            log.warning("metrics_open_to_other_machines", extra={"host": at.host, "port": port})
        yield
    finally:
        await runner.cleanup()


def ask_health(*, ready: bool) -> int:
    """Ask the dealer that runs with these settings, and print its answer. Returns 0 if it is well, else 1."""
    try:
        settings = load()
    except SettingsError as error:
        return _complain(str(error))
    if settings.metrics is None:
        return _complain(t(words.NO_METRICS))
    import urllib.error
    import urllib.request

    url = settings.metrics.url + ("/readyz" if ready else "/livez")
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({})
    )  # this machine, whatever proxy the environment names
    try:
        with opener.open(url, timeout=ASK_SECONDS) as answer:
            sys.stdout.write(answer.read().decode())
    except urllib.error.HTTPError as error:
        return _complain(error.read().decode(errors="replace").strip())
    except OSError as error:
        return _complain(t(words.NO_HEALTH, url=url, error=getattr(error, "reason", error)))
    return 0


def _complain(reason: str) -> int:
    sys.stderr.write(reason + "\n")
    return 1
