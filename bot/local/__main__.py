"""``python -m bot.local``: the stand-in as a process of its own. Prints one line of JSON when it is ready.

Exit codes: 0 after SIGTERM or SIGINT; 3 if another stand-in has the data directory (its ready line is printed, with
``"running": true``, so that a restarted bot can go on with it); 4 if no port could be had; 5 if the data cannot be read.
"""

from __future__ import annotations

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

from bot.local.standin import StandIn
from bot.local.storage import StorageInUse

NOTE = "ready.json"  # the ready line of the one that runs on a directory, readable by its user only
IN_USE, NO_PORT, NO_DATA = 3, 4, 5


def already_running(data: Path) -> dict[str, Any] | None:
    """The ready line of the stand-in that holds this directory, marked ``running``; None if it left none."""
    try:
        return {**json.loads((data / NOTE).read_text()), "running": True}
    except (OSError, ValueError):
        return None


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bot.local", description="A stand-in for Discord on this machine.")
    parser.add_argument("--port", type=int, default=0, help="the wished port, or the next free one; 0 takes any")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on; 0.0.0.0 lets the local network in")
    parser.add_argument("--data", type=Path, required=True, help="directory that keeps everything between runs")
    parser.add_argument("--token", default="", help="the bot's token; without it a random one is made and printed")
    parser.add_argument("--no-limits", action="store_true", help="switch Discord's rate limits off")
    return parser


def build(options: argparse.Namespace, kind: type[StandIn] = StandIn) -> StandIn:
    """The stand-in that the options describe, not yet started. Needs a running event loop."""
    return kind(options.data, token=options.token, host=options.host, port=options.port, limits=not options.no_limits)


async def serve(stand_in: StandIn, data: Path) -> int:
    """Run until SIGTERM or SIGINT; the exit code."""
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(number, stopped.set)
        except NotImplementedError:  # Windows has no loop signals
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stopped.set))
    try:
        async with stand_in:
            line = json.dumps(stand_in.ready())
            note = data / NOTE
            note.touch(mode=0o600)
            note.write_text(line)
            print(line, flush=True)
            await stopped.wait()
            note.unlink(missing_ok=True)
    except StorageInUse as error:
        running = already_running(data)
        if running:
            print(json.dumps(running), flush=True)
        print(f"Another local cardroom is using {error}.", file=sys.stderr)
        return IN_USE
    except sqlite3.Error as error:
        print(
            f"The local cardroom's data in {data} cannot be read: {error}. Restore a backup, or delete it.",
            file=sys.stderr,
        )
        return NO_DATA
    except OSError as error:
        said = error.strerror or error
        if error.filename is not None:
            print(f"The local cardroom cannot use {error.filename}: {said}.", file=sys.stderr)
            return NO_DATA
        where = f"{stand_in.host} port {stand_in.port}"
        print(f"The local cardroom cannot listen on {where}: {said}. Choose --host and --port.", file=sys.stderr)
        return NO_PORT
    return 0


def run(main: Coroutine[Any, Any, int]) -> int:
    """Run on the fastest event loop at hand."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    try:
        import uvloop
    except ImportError:
        return asyncio.run(main)
    return uvloop.run(main)


async def _main(options: argparse.Namespace) -> int:
    return await serve(build(options), options.data)


if __name__ == "__main__":
    sys.exit(run(_main(parser().parse_args())))
