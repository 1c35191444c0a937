"""``python -m bot.local``: the stand-in as its own process. It prints one line of JSON when it is ready.

Exit codes: 0 after SIGTERM or SIGINT; 3 if another stand-in uses the data directory (then its ready line is printed
with ``"running": true``, so that a restarted bot can continue with it); 4 if no port is free; 5 if the data cannot be
read.
"""

import argparse
import asyncio
import json
import logging
import signal
import sqlite3
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from bot.local.stand_in import DiscordStandIn
from bot.local.storage import StorageInUse

if sys.platform == "win32":
    from asyncio import run as run_event_loop
else:
    from uvloop import run as run_event_loop

READY_FILE = "ready.json"  # holds the ready line while the stand-in runs; only its user can read it
EXIT_IN_USE, EXIT_NO_PORT, EXIT_NO_DATA = 3, 4, 5

_STANDARD_ATTRIBUTES = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName"}


class FieldFormatter(logging.Formatter):
    """Writes the fields of a log record, given with ``extra``, after its message."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name is logging's
        fields = {name: value for name, value in record.__dict__.items() if name not in _STANDARD_ATTRIBUTES}
        return " ".join([super().formatMessage(record), *(f"{name}={value!r}" for name, value in fields.items())])


def running_ready_data(data: Path) -> dict[str, Any] | None:
    """Return the ready line of the stand-in that uses this directory, marked ``running``; None if it left none."""
    try:
        return {**json.loads((data / READY_FILE).read_text()), "running": True}
    except (OSError, ValueError):
        return None


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bot.local", description="A stand-in for Discord on this machine.")
    port_help = "preferred port; if it is taken, the next free one is used; 0 means any free port"
    parser.add_argument("--port", type=int, default=0, help=port_help)
    host_help = "address to listen on; 0.0.0.0 lets other computers in the network connect"
    parser.add_argument("--host", default="127.0.0.1", help=host_help)
    parser.add_argument("--data", type=Path, required=True, help="directory that keeps everything between runs")
    parser.add_argument("--token", default="", help="the bot's token; if it is empty, a random one is made and printed")
    parser.add_argument("--no-limits", action="store_true", help="switch Discord's rate limits off")
    return parser


def build(options: argparse.Namespace, stand_in_class: type[DiscordStandIn] = DiscordStandIn) -> DiscordStandIn:
    """Return the stand-in for these options, not yet started. Needs a running event loop."""
    return stand_in_class(
        options.data,
        token=options.token,
        host=options.host,
        port=options.port,
        limits=not options.no_limits,
        avatars=True,
    )


async def serve(stand_in: DiscordStandIn, data: Path) -> int:
    """Run until SIGTERM or SIGINT. Returns the exit code."""
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(number, stopped.set)
        except NotImplementedError:  # the event loop on Windows handles no signals
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stopped.set))
    try:
        async with stand_in:
            line = json.dumps(stand_in.ready_data())
            ready_file = data / READY_FILE
            ready_file.touch(mode=0o600)
            ready_file.write_text(line)
            print(line, flush=True)
            await stopped.wait()
            ready_file.unlink(missing_ok=True)
    except StorageInUse as error:
        running = running_ready_data(data)
        if running:
            print(json.dumps(running), flush=True)
        print(f"Another local cardroom is using {error}.", file=sys.stderr)
        return EXIT_IN_USE
    except sqlite3.Error as error:
        message = f"The local cardroom's data in {data} cannot be read: {error}. Restore a backup, or delete it."
        print(message, file=sys.stderr)
        return EXIT_NO_DATA
    except OSError as error:
        reason = error.strerror or error
        if error.filename is not None:
            print(f"The local cardroom cannot use {error.filename}: {reason}.", file=sys.stderr)
            return EXIT_NO_DATA
        address = f"{stand_in.host} port {stand_in.port}"
        message = f"The local cardroom cannot listen on {address}: {reason}. Choose --host and --port."
        print(message, file=sys.stderr)
        return EXIT_NO_PORT
    return 0


def run(main: Coroutine[Any, Any, int]) -> int:
    """Set up logging and run. Returns the exit code."""
    handler = logging.StreamHandler()
    handler.setFormatter(FieldFormatter())
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    return run_event_loop(main)


async def _main(options: argparse.Namespace) -> int:
    return await serve(build(options), options.data)


if __name__ == "__main__":
    sys.exit(run(_main(make_parser().parse_args())))
