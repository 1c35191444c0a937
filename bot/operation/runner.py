"""Run the dealer until it is told to stop: in Discord, or in a local cardroom that it starts beside itself.

The stand-in for Discord is a process of its own. It outlives a bot that was killed; the next start finds it, or its data, again.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import signal
import sys
import threading
import webbrowser
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import aiohttp
import discord
import msgspec

from bot.fair.deck_order import MissingSecret
from bot.ledger.books import BookFault
from bot.log import set_up_logging
from bot.measures import RequestMeasures
from bot.operation.errors import CannotRun
from bot.operation.health import CannotListen, LoopWatchdog, health_served, tell_service_manager
from bot.operation.slots import Role, TakenSlot, roles_of, slot_taken
from bot.pictures.maker import PictureMaker
from bot.players import PracticePlayers
from bot.runtime.store_errors import StoreError
from bot.settings import DATA_FILE, STAND_IN_FOLDER, ListenAddress, LogFormat, Settings, SettingsError, load
from bot.stopping import StopSignals, run_stage
from bot.store.data_source import moved_elsewhere
from bot.store.slots import ALL_SERVERS
from bot.text import cli as words
from bot.text.house import BOOK_PROBLEMS
from bot.text.language import t

if TYPE_CHECKING:
    from bot.dealer import Dealer
    from bot.operation.fleet_watch import FleetWatch
if sys.platform == "win32":
    from asyncio import run as run_event_loop
else:
    from uvloop import run as run_event_loop

log = logging.getLogger(__name__)

STAND_IN_STOP_SECONDS = 1.5
"""How long it can take to save everything and end."""
STAND_IN_START_SECONDS = 30.0
MOST_NEW_OBJECTS = 5_000
"""So many new objects are looked over for garbage at once, unless there was a moment for it before."""
OBJECTS_WORTH_A_LOOK = 500
"""How long the stand-in can take until it is ready."""


@dataclass(frozen=True, slots=True)
class LocalOptions:
    """Options of the command line for a local cardroom: whether to open a browser, and the address to listen on."""

    browser: bool = True
    host: str = "127.0.0.1"
    port: int = 8765


class StandInReady(msgspec.Struct, frozen=True):
    """The line that the stand-in prints when it is ready. `running`: it was already running with this data."""

    rest: str
    gateway: str
    cdn: str
    page: str
    token: str
    port: int
    pid: int
    running: bool = False


def run(local_options: LocalOptions) -> int:
    """Run until SIGTERM or SIGINT. Returns the exit code."""
    settings = prepare()
    if settings is None:
        return 1
    return explained(settings, partial(_run, settings, local_options))


def prepare() -> Settings | None:
    """Read the settings, and prepare the process for dealing; None if the settings cannot be used, which has been said."""
    try:
        settings = load()
    except SettingsError as error:
        _fail(str(error))
        return None
    set_up_logging(
        settings.log,
        secrets=settings.secrets,
        as_json=settings.log_format is LogFormat.JSON,
    )
    postpone_gc()
    let_threads_take_turns()
    threading.excepthook = _log_thread_failure
    return settings


def explained(settings: Settings, work: Callable[[], int]) -> int:
    """Do something that returns the exit code. If it cannot be done, say why."""
    try:
        return work()
    except Exception as error:
        explanation = describe_error(error, settings)
        if explanation is None:  # the fault is ours: the traceback helps, and the log hides what is secret in it
            log.critical("dealer_failed", exc_info=error)
            return 1
        log.debug("dealer_start_failed", exc_info=error)
        return _fail(explanation)


def _run(settings: Settings, local_options: LocalOptions) -> int:
    file = settings.folder / DATA_FILE
    if settings.database.reveal() and file.exists() and not moved_elsewhere(file, str(file)):
        raise CannotRun(t(words.DATA_IN_FILE, file=file))
    roles = roles_of(settings)
    if roles.count > 1 and not settings.local:
        from bot.operation.supervisor import Supervisor

        return run_event_loop(Supervisor(settings, roles.count).run())
    role = Role(waits=roles.wait)
    signals = StopSignals()
    if settings.local:
        return run_event_loop(_left(_run_locally(settings, local_options, role, signals), signals))
    return run_event_loop(_left(run_in_discord(settings, role, signals), signals))


def describe_error(error: Exception, settings: Settings) -> str | None:
    """Why the dealer cannot start or go on, and what to do, in a sentence or two. None for a fault of the program itself."""
    match error:
        case CannotRun() | CannotListen() | StoreError():
            return str(error)
        case MissingSecret():
            return t(words.KEY_DAMAGED, error=error)
        case discord.LoginFailure() | discord.ConnectionClosed(code=4004):
            return t(words.UNKNOWN_TOKEN)
        case discord.PrivilegedIntentsRequired():
            return t(words.INTENTS_REFUSED)
        case discord.ConnectionClosed(code=code):
            return t(words.CONNECTION_CLOSED, code=code)
        case discord.HTTPException(status=status) if status == 429 or status >= 500:  # any other is the bot's own fault
            return t(words.DISCORD_ERROR, status=status)
        case discord.GatewayNotFound():
            return t(words.NO_GATEWAY)
        case aiohttp.ClientError() | TimeoutError() | ConnectionError():
            return t(words.UNREACHABLE, error=error) if str(error) else t(words.UNREACHABLE_WITHOUT_ANSWER)
        case OSError(strerror=reason, filename=file):
            return t(words.CANNOT_KEEP_DATA, folder=file or settings.folder, error=reason or error)
    return None


def _log_thread_failure(failed: threading.ExceptHookArgs) -> None:
    """Log the traceback instead of printing it: the log hides what is secret in it."""
    error = failed.exc_value or failed.exc_type()
    log.error(
        "thread_failed", exc_info=error, extra={"thread": failed.thread.name if failed.thread is not None else ""}
    )


def _fail(explanation: str) -> int:
    sys.stderr.write(explanation + "\n")
    return 1


async def run_in_discord(settings: Settings, role: Role, signals: StopSignals) -> int:
    """Deal until told to stop. Returns the exit code."""
    from bot.line.site import Endpoints

    if settings.rest and settings.gateway and settings.cdn:
        Endpoints(settings.rest, settings.gateway, settings.cdn).use()
    requests = RequestMeasures()
    make = partial(_make_dealer, settings, requests, role)
    async with slot_taken(settings, signals, role, make) as taken:
        if signals.stopped.is_set():
            return 0
        dealer = await _opened(taken.warm if taken is not None and taken.warm is not None else make(taken))
        signals.listen()
        async with _watched(dealer, settings.metrics, requests, taken):
            try:
                await _run_until(signals.stopped, dealer.start_playing(settings.discord_token.reveal()))
            finally:
                await _stop(dealer, signals)
    return 0


async def _run_locally(settings: Settings, local_options: LocalOptions, role: Role, signals: StopSignals) -> int:
    """Deal in a local cardroom: the same bot with other addresses."""
    from bot.line.site import Endpoints

    requests = RequestMeasures()
    async with slot_taken(settings, signals, role) as taken:
        if signals.stopped.is_set():
            return 0
        # the data's lock keeps other dealers away, so a stand-in found with this data is free to use
        dealer = await _opened(_make_dealer(settings, requests, role, taken))
        signals.listen()
        try:
            async with _watched(dealer, settings.metrics, requests, taken):
                local = await StandInProcess.start(settings.folder / STAND_IN_FOLDER, local_options)
                signals.take_along(local.kill)
                try:
                    Endpoints(local.ready.rest, local.ready.gateway, local.ready.cdn).use()
                    _print_line(t(words.YOUR_SEAT, page=local.ready.page))
                    if local_options.browser and _has_display():
                        webbrowser.open(local.ready.page)
                    await _run_until(signals.stopped, dealer.start_playing(local.ready.token), local.wait_until_ended())
                finally:
                    await _stop(dealer, signals)
                    if not await run_stage("stand_in", local.stop(), min(STAND_IN_STOP_SECONDS, signals.seconds_left)):
                        local.kill()
        finally:
            await _stop(dealer, signals)
    return 0


def _make_dealer(settings: Settings, requests: RequestMeasures, role: Role, taken: TakenSlot | None) -> Dealer:
    """Make a dealer as the settings say."""
    from bot.dealer import Dealer
    from bot.foundation import DealerOptions
    from bot.line.client import GUILD_READY_SECONDS
    from bot.line.site import DealerSite

    slot = taken.slot if taken is not None else ALL_SERVERS
    options = DealerOptions(
        _make_private_directory(settings.folder),
        database=settings.database,
        slot=slot,
        house=taken.house if taken is not None else None,
        owned=taken.ownership if taken is not None else None,
        site=DealerSite(local=settings.local),
        guild_ready_seconds=0.1 if settings.local else GUILD_READY_SECONDS,
        policies=PracticePlayers(),
        backups=settings.backups,
        keep_hands=settings.keep_hands,
        my_hand_first=settings.my_hand_first,
        message_events=settings.message_events,
        pictures=PictureMaker() if settings.pictures else None,
        tells_luck=True,
        count_response=requests.count if settings.metrics is not None else None,
        ready=partial(_on_ready, slot.number) if role.is_supervised else _on_ready,
        warm=freeze_gc,
        books_disagree=_on_books_disagree,
    )
    return Dealer(options)


async def _opened(dealer: Dealer) -> Dealer:
    """Open a dealer's data. Say if it is older than it was."""
    await dealer.store.open()
    if dealer.store.lost_changes:
        _print_line(t(words.ROLLED_BACK, changes=dealer.store.lost_changes))
    return dealer


async def _stop(dealer: Dealer, signals: StopSignals) -> None:
    """Stop in time, whatever hangs."""
    signals.begin()
    tell_service_manager("STOPPING=1")
    await dealer.stop_playing()


async def _left(work: Coroutine[Any, Any, int], signals: StopSignals) -> int:
    """Deal, and end the process with what that returns.

    All is saved and closed then. What did not end in time, such as a backup that is being made, keeps nobody waiting, and neither does a
    thread that still warms up: Python itself would wait for both.
    """
    code = await work
    signals.leave(code)
    return code


@contextlib.asynccontextmanager
async def _watched(
    dealer: Dealer, at: ListenAddress | None, requests: RequestMeasures, taken: TakenSlot | None
) -> AsyncIterator[None]:
    """Watch the event loop and, where the settings name an address, answer questions about health there."""
    watchdog = LoopWatchdog(each_tick=look_for_garbage)
    watchdog.start()
    try:
        async with contextlib.AsyncExitStack() as stack:
            fleet = _fleet_watch(dealer, taken) if taken is not None else None
            if fleet is not None:
                await stack.enter_async_context(fleet.watching())
            if at is not None:
                from bot.operation.metrics import DealerFigures

                figures = DealerFigures(dealer, watchdog, requests, fleet)
                conditions = partial(_conditions, dealer, fleet)
                await stack.enter_async_context(health_served(at, watchdog, conditions, figures.read))
            yield
    finally:
        watchdog.stop()


def _conditions(dealer: Dealer, fleet: FleetWatch | None) -> dict[str, bool | str]:
    return {**dealer.conditions(), **(fleet.conditions() if fleet is not None else {})}


def _fleet_watch(dealer: Dealer, taken: TakenSlot) -> FleetWatch:
    from bot.operation.fleet_watch import FleetWatch  # which needs psycopg

    def counts() -> tuple[int, int]:
        tables, hands, _ = dealer.tables.counts()
        return tables, hands

    return FleetWatch(taken.house, taken.schemas, slot=taken.slot.number, ownership=taken.ownership, counts=counts)


class StandInProcess:
    """The stand-in's process: started by this dealer, or left by one that was killed."""

    def __init__(self, ready: StandInReady, process: asyncio.subprocess.Process) -> None:
        self.ready = ready
        self._process = process

    @classmethod
    async def start(cls, data: Path, local_options: LocalOptions) -> StandInProcess:
        """Start the process, or take over the one that still runs with this data.

        Raises:
            CannotRun: the stand-in did not start.
        """
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot.local", "--data", str(_make_private_directory(data))),
            *("--host", local_options.host, "--port", str(local_options.port)),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,  # Ctrl-C in the terminal reaches the dealer, which stops it last
        )
        assert process.stdout is not None and process.stderr is not None
        try:
            line = await asyncio.wait_for(process.stdout.readline(), STAND_IN_START_SECONDS)
        except TimeoutError:
            process.kill()
            raise CannotRun(t(words.STAND_IN_LATE)) from None
        if not line:
            output = (await process.stderr.read()).decode(errors="replace").strip()
            raise CannotRun(output or t(words.STAND_IN_FAILED))
        ready = msgspec.json.decode(line, type=StandInReady)
        if ready.running:
            log.info("stand_in_already_running", extra={"port": ready.port})
        return cls(ready, process)

    async def wait_until_ended(self) -> None:
        """Wait until the process has ended by itself."""
        if self.ready.running:  # left by another dealer: its end shows as a lost connection
            await asyncio.Event().wait()
        assert self._process.stderr is not None
        async for line in self._process.stderr:
            sys.stderr.write(line.decode(errors="replace"))
        await self._process.wait()
        raise CannotRun(t(words.STAND_IN_ENDED))

    async def stop(self) -> None:
        """Let the process save everything and end."""
        if self.ready.running:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.ready.pid, signal.SIGTERM)
        elif self._process.returncode is None:
            self._process.terminate()
        await self._process.wait()

    def kill(self) -> None:
        """End the process as it is. It saves what it keeps as it goes."""
        if self._process.returncode is not None and not self.ready.running:
            return
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.ready.pid, getattr(signal, "SIGKILL", signal.SIGTERM))


async def _run_until(stopped: asyncio.Event, playing: Awaitable[None], *watching: Awaitable[None]) -> None:
    """Play until told to stop, or until one of the tasks ends, whose error is raised. The caller then ends the play."""
    others = [asyncio.ensure_future(stopped.wait()), *map(asyncio.ensure_future, watching)]
    play = asyncio.ensure_future(playing)
    play.add_done_callback(_retrieve_exception)
    done, _ = await asyncio.wait([play, *others], return_when=asyncio.FIRST_COMPLETED)
    for other in others:
        other.cancel()
    for task in done:
        task.result()


def _retrieve_exception(task: asyncio.Future[None]) -> None:
    if not task.cancelled() and task.exception() is not None:
        log.debug("play_ended", extra={"error": repr(task.exception())})


def _make_private_directory(directory: Path) -> Path:
    """Make the directory of one cardroom, for its owner alone.

    Raises:
        CannotRun: it cannot be made.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
        if os.name == "posix":
            directory.chmod(0o700)
    except OSError as error:
        raise CannotRun(t(words.CANNOT_KEEP_DATA, folder=directory, error=error.strerror)) from error
    return directory


def _has_display() -> bool:
    """Return whether this is a terminal on a machine with a screen."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    return sys.platform in {"win32", "darwin"} or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _on_ready(slot: int | None = None) -> None:
    """Say that the dealer is in.

    Args:
        slot: which it serves, if it is one of several of this command.
    """
    tell_service_manager("READY=1")
    _print_line(t(words.DEALER_IS_IN) if slot is None else t(words.DEALER_OF_SLOT_IS_IN, slot=slot))


def _on_books_disagree(server: int, faults: tuple[BookFault, ...]) -> None:
    _print_line(t(words.BOOKS_DISAGREE, server=server, problem=t(BOOK_PROBLEMS[faults[0].problem])))


def let_threads_take_turns() -> None:
    """Let a thread that computes give the event loop its turn after a millisecond, and not after Python's five.

    A click changes threads some times on its way to the disk and back, and would wait so long each time.
    """
    sys.setswitchinterval(0.001)


def postpone_gc() -> None:
    """Let the garbage collector wait while the program starts: nearly everything that is made then stays.

    With a thousand running hands to restore, each look over all of it held the event loop for a tenth of a second.
    """
    gc.set_threshold(5_000_000, 20, 100)


def freeze_gc() -> None:
    """Freeze start-up objects and relax the thresholds of the garbage collector.

    The objects of a click are freed by their reference counts. Collecting over the whole program again and again cost a fifth of the time
    of a click. What little garbage the start has made is frozen too: looking for it would hold the event loop. New objects are looked
    over 5,000 at a time: each look holds the loop for three to seven milliseconds, and with a hundred clicks under way they take 20 µs of
    each. Of 2,000 they took 40 µs; 20,000 held the loop for ten milliseconds and more. `look_for_garbage` comes before that at most times.
    """
    gc.freeze()
    gc.set_threshold(MOST_NEW_OBJECTS, 200, 100)


def look_for_garbage() -> None:
    """Look for garbage among the new objects, if there are enough for that and the program has started.

    A look takes as long as there are objects. Twice a second it holds the loop for a tenth of a millisecond or two where people play, and
    is over before 5,000 have gathered. A look over all objects is left to the interpreter: it knows whether that is worth its time.
    """
    new, looks, older_looks = gc.get_count()
    most_new, most_looks, most_older_looks = gc.get_threshold()
    if new >= OBJECTS_WORTH_A_LOOK and most_new == MOST_NEW_OBJECTS and older_looks <= most_older_looks:
        gc.collect(1 if looks > most_looks else 0)


def _print_line(line: str) -> None:
    print(line, flush=True)
