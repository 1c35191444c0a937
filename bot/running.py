"""Running the dealer until it is told to stop: in Discord, or in a local cardroom that it starts beside itself.

The stand-in for Discord is a process of its own. It outlives a bot that was killed; the next start finds it, or its data, again.

Source: issue 2 "Local", "Command line"; design §5.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import signal
import sys
import webbrowser
from collections.abc import AsyncIterator, Awaitable
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import discord
import msgspec

from bot.fair.secrets import MissingSecret
from bot.log import set_up
from bot.players import PracticePlayers
from bot.runtime.ports import StoreError
from bot.settings import Settings, SettingsError, load

log = logging.getLogger(__name__)

START_SECONDS = 30.0
"""How long the stand-in may take to say that it is ready."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command line asks of a local cardroom."""

    browser: bool = True
    host: str = "127.0.0.1"
    port: int = 8765


class Ready(msgspec.Struct, frozen=True):
    """What the stand-in says when it is ready; `running`: it was, on this data, before we came."""

    rest: str
    gateway: str
    cdn: str
    page: str
    token: str
    port: int
    pid: int
    running: bool = False


class CannotRun(Exception):
    """The dealer cannot start. The words are plain enough to be printed."""


def run(wanted: Wanted) -> int:
    """Run until SIGTERM or SIGINT. Returns the exit code."""
    try:
        settings = load()
    except SettingsError as error:
        return _sorry(str(error))
    set_up(settings.log, secrets=(settings.discord_token.get_secret_value(),))
    running = _locally(settings, wanted) if settings.local else _in_discord(settings)
    try:
        try:
            import uvloop
        except ImportError:
            return asyncio.run(running)
        return uvloop.run(running)
    except Exception as error:
        words = plain_words(error, settings)
        if words is None:
            raise  # a fault of ours: the traceback is what helps
        log.debug("the dealer could not go on", exc_info=error)
        return _sorry(words)


def plain_words(error: Exception, settings: Settings) -> str | None:
    """What is wrong where the dealer cannot start or go on, in a sentence or two: what, where, what to do. None for a fault of ours."""
    match error:
        case CannotRun() | StoreError():
            return str(error)
        case MissingSecret():
            return (
                f"The key of the decks is damaged: {error}. Put the file back from a backup; without one, delete it: "
                "a new key is made then, running hands are void and their bets returned. Nothing has changed."
            )
        case discord.LoginFailure():
            return "Discord does not know this token. Copy it again from the developer portal (Bot, Reset Token)."
        case discord.PrivilegedIntentsRequired():
            return "Discord refuses the intents this bot asks for. Look at Privileged Gateway Intents in the developer portal (Bot)."
        case discord.ConnectionClosed(code=4004):
            return (
                "Discord does not know this token any more. Copy it again from the developer portal (Bot, Reset Token)."
            )
        case discord.ConnectionClosed(code=code):
            return f"Discord has ended the connection for good (code {code}). Chips and hands are saved; start again in a while."
        case discord.HTTPException(status=status) if (
            status == 429 or status >= 500
        ):  # any other one is about what we asked
            return f"Discord answered with an error ({status}). Chips and hands are saved; start again in a while."
        case discord.GatewayNotFound():
            return "Discord does not say where to connect. Start again in a while."
        case aiohttp.ClientError() | TimeoutError() | ConnectionError():
            return f"Discord cannot be reached: {str(error) or 'no answer'}. Look at the network connection."
        case OSError(strerror=reason, filename=file):
            return f"Data cannot be kept in {file or settings.folder}: {reason or error}. Set CARDROOM_DATA. Nothing has changed."
    return None


def _sorry(words: str) -> int:
    sys.stderr.write(words + "\n")
    return 1


async def _in_discord(settings: Settings) -> int:
    """Deal in Discord."""
    from bot.app import Dealer, Endpoints

    if settings.rest and settings.gateway and settings.cdn:
        Endpoints(settings.rest, settings.gateway, settings.cdn).use()
    dealer = Dealer(_room(settings.folder), policies=PracticePlayers(), ready=_say_ready)
    await dealer.open_store()
    async with _stopping() as stopped:
        try:
            await _until(stopped, dealer.start_playing(settings.discord_token.get_secret_value()))
        finally:
            await dealer.stop_playing()
    return 0


async def _locally(settings: Settings, wanted: Wanted) -> int:
    """Deal in a local cardroom: the very same bot, at other addresses."""
    from bot.app import Dealer, Endpoints

    data = _room(settings.folder)
    dealer = Dealer(data, policies=PracticePlayers(), local=True, guild_seconds=0.1, ready=_say_ready)
    await (
        dealer.open_store()
    )  # first: it is locked, so no other dealer plays with this data, and a stand-in found there is ours
    try:
        async with _stopping() as stopped:
            local = await StandIn.start(data / "standin", wanted)
            try:
                Endpoints(local.ready.rest, local.ready.gateway, local.ready.cdn).use()
                _say(f"Your seat: {local.ready.page}")
                if wanted.browser and _graphical():
                    webbrowser.open(local.ready.page)
                await _until(stopped, dealer.start_playing(local.ready.token), local.gone())
            finally:
                await dealer.stop_playing()
                await local.stop()
    finally:
        await dealer.stop_playing()
    return 0


class StandIn:
    """The stand-in's process: started by us, or left by a dealer that was killed."""

    def __init__(self, ready: Ready, process: asyncio.subprocess.Process) -> None:
        self.ready = ready
        self._process = process

    @classmethod
    async def start(cls, data: Path, wanted: Wanted) -> StandIn:
        """Start it, or take over the one that still runs with this data.

        Raises:
            CannotRun: neither could be done.
        """
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot.local", "--data", str(_room(data))),
            *("--host", wanted.host, "--port", str(wanted.port)),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,  # a Ctrl-C in the terminal is ours to hand on, after the dealer has finished
        )
        assert process.stdout is not None and process.stderr is not None
        try:
            line = await asyncio.wait_for(process.stdout.readline(), START_SECONDS)
        except TimeoutError:
            process.kill()
            raise CannotRun("The local cardroom did not start in time.") from None
        if not line:
            said = (await process.stderr.read()).decode(errors="replace").strip()
            raise CannotRun(said or "The local cardroom could not be started.")
        ready = msgspec.json.decode(line, type=Ready)
        if ready.running:
            log.info("a local cardroom was still open", extra={"port": ready.port})
        return cls(ready, process)

    async def gone(self) -> None:
        """Wait until it has ended by itself."""
        if self.ready.running:  # left by another dealer: its end shows as a broken line
            await asyncio.Event().wait()
        assert self._process.stderr is not None
        async for line in self._process.stderr:
            sys.stderr.write(line.decode(errors="replace"))
        await self._process.wait()
        raise CannotRun("The local cardroom has ended.")

    async def stop(self) -> None:
        """Let it write everything down, and end."""
        if self.ready.running:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.ready.pid, signal.SIGTERM)
        elif self._process.returncode is None:
            self._process.terminate()
        await self._process.wait()


@contextlib.asynccontextmanager
async def _stopping() -> AsyncIterator[asyncio.Event]:
    """An event that SIGTERM and SIGINT set."""
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(number, stopped.set)
        except NotImplementedError:  # Windows has no loop signals
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stopped.set))
    yield stopped


async def _until(stopped: asyncio.Event, playing: Awaitable[None], *watching: Awaitable[None]) -> None:
    """Play until told to stop, or until one of the works ends; its error is raised. Who called ends the play then."""
    others = [asyncio.ensure_future(stopped.wait()), *map(asyncio.ensure_future, watching)]
    play = asyncio.ensure_future(playing)
    play.add_done_callback(_seen)
    done, _ = await asyncio.wait([play, *others], return_when=asyncio.FIRST_COMPLETED)
    for other in others:
        other.cancel()
    for task in done:
        task.result()


def _seen(task: asyncio.Future[None]) -> None:
    if not task.cancelled() and task.exception() is not None:
        log.debug("the play ended with %r", task.exception())


def _room(room: Path) -> Path:
    """The directory of one cardroom, made for its owner alone.

    Raises:
        CannotRun: it cannot be made.
    """
    try:
        room.mkdir(parents=True, exist_ok=True)
        if os.name == "posix":
            room.chmod(0o700)
    except OSError as error:
        raise CannotRun(f"Data cannot be kept in {room}: {error.strerror}. Set CARDROOM_DATA.") from error
    return room


def _graphical() -> bool:
    """Whether this is a terminal on a machine with a screen."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    return sys.platform in {"win32", "darwin"} or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _say_ready() -> None:
    settle()
    _say("The dealer is in. Ctrl-C stops.")


def settle() -> None:
    """Once everything stands, look through it for rubbish no more, and through what is new less often.

    What a click makes is gone with its answer, without the collector; going through the whole house again and again cost a fifth of a
    click.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)


def _say(words: str) -> None:
    print(words, flush=True)
