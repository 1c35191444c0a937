"""``python -m bot.local``: the stand-in as a process of its own. Prints one line of JSON when it is ready."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import signal
import sys
from pathlib import Path

from bot.local.standin import StandIn
from bot.local.storage import StorageInUse


def arguments(argv: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bot.local", description="A stand-in for Discord on this machine.")
    parser.add_argument("--port", type=int, default=0, help="the wished port, or the next free one; 0 takes any")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on; 0.0.0.0 lets the local network in")
    parser.add_argument("--data", type=Path, required=True, help="directory that keeps everything between runs")
    parser.add_argument("--token", default="", help="the bot's token; without it a random one is made and printed")
    parser.add_argument("--no-limits", action="store_true", help="switch Discord's rate limits off")
    parser.add_argument(
        "--control", default="", metavar="KEY", help="let tests on this machine control it with this key"
    )
    return parser.parse_args(argv)


async def serve(options: argparse.Namespace) -> int:
    """Run until SIGTERM or SIGINT; the exit code."""
    stand_in = StandIn(
        options.data,
        token=options.token,
        host=options.host,
        port=options.port,
        limits=not options.no_limits,
        control_key=options.control,
    )
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(number, stopped.set)
        except NotImplementedError:  # Windows has no loop signals
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stopped.set))
    try:
        async with stand_in:
            print(json.dumps(stand_in.ready()), flush=True)
            await stopped.wait()
    except StorageInUse as error:
        print(f"Another local cardroom is using {error}.", file=sys.stderr)
        return 3
    except OSError as error:
        print(f"Cannot listen on {options.host}: {error}", file=sys.stderr)
        return 4
    return 0


def main(argv: list[str] | None = None) -> int:
    options = arguments(argv)
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    try:
        import uvloop
    except ImportError:
        return asyncio.run(serve(options))
    return uvloop.run(serve(options))


if __name__ == "__main__":
    sys.exit(main())
