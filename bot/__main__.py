"""The command `cardroom`: play locally, deal in Discord, replay recorded hands, rank hands."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

_ABOUT = "A poker dealer for Discord. Without DISCORD_TOKEN it opens a cardroom on this machine, in the browser."
_MORE = """commands:
  cardroom                     run: in Discord with DISCORD_TOKEN, else on this machine
  cardroom replay FILE.phh …   play recorded hands by the law book, one JSON line a file
  cardroom rank "As Kd …"      name hands and compare them
  cardroom games [NAME]        list every game, or tell one with its rule card

environment (or a file .env here):
  DISCORD_TOKEN    the bot's token; without one the cardroom is local
  CARDROOM_DATA    where chips and hands are kept; the user's data directory if empty
  CARDROOM_LOG     DEBUG, INFO, WARNING or ERROR
"""


def main(arguments: list[str] | None = None) -> int:
    """Run the command. Returns the exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    if given and given[0] in _COMMANDS:
        return _COMMANDS[given[0]](given[1:])
    parser = argparse.ArgumentParser(
        prog="cardroom", description=_ABOUT, epilog=_MORE, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser; the link is printed anyway")
    parser.add_argument("--host", default="127.0.0.1", help="local: address to listen on; 0.0.0.0 lets friends in")
    parser.add_argument("--port", type=_port, default=8765, help="local: the wished port, or the next free one")
    options = parser.parse_args(given)
    from bot.running import Wanted, run

    return run(Wanted(browser=not options.no_browser, host=options.host, port=options.port))


def _port(written: str) -> int:
    """A port as it is written on the command line; 0 takes any."""
    if not written.isascii() or not written.isdigit() or int(written) > 65_535:
        raise argparse.ArgumentTypeError(f"{written!r} is no port; write 0 to 65535")
    return int(written)


def _replay(arguments: list[str]) -> int:
    from bot.cli_replay import run

    return run(arguments)


def _rank(arguments: list[str]) -> int:
    from bot.cli_rank import run

    return run(arguments)


def _games(arguments: list[str]) -> int:
    from bot.cli_games import run

    return run(arguments)


_COMMANDS: dict[str, Callable[[list[str]], int]] = {"replay": _replay, "rank": _rank, "games": _games}

if __name__ == "__main__":
    sys.exit(main())
