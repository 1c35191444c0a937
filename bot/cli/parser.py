"""The parser of `cardroom` with its subcommands.

A subcommand is a module of this package with two functions: `add_arguments(parser)` and `run(options)`, which returns the exit code. Its
module is imported only once it is chosen, so that `cardroom --help` answers at once.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from bot.text import cli as words
from bot.text.language import t

SUBCOMMANDS = {"games": words.GAMES_HELP, "rank": words.RANK_HELP, "replay": words.REPLAY_HELP}


class _Subcommand(argparse.ArgumentParser):
    """Parses one subcommand."""

    def parse_known_args(  # type: ignore[override]  # the overloads of typeshed differ from version to version
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[Any, list[str]]:
        module = import_module(f"bot.cli.{self.prog.rpartition(' ')[2]}")
        module.add_arguments(self)
        self.set_defaults(run=module.run)
        return super().parse_known_args(args, namespace)


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line. Parsed options hold `run` where a subcommand was chosen, otherwise None."""
    parser = argparse.ArgumentParser(
        prog="cardroom",
        description=t(words.DESCRIPTION),
        epilog=t(words.EPILOG),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--no-browser", action="store_true", help=t(words.NO_BROWSER))
    parser.add_argument("--host", default="127.0.0.1", help=t(words.HOST))
    parser.add_argument("--port", type=_port_number, default=8765, help=t(words.PORT))
    parser.set_defaults(run=None)
    commands = parser.add_subparsers(metavar="COMMAND", parser_class=_Subcommand)
    for name, help_text in SUBCOMMANDS.items():
        commands.add_parser(name, prog=f"cardroom {name}", help=t(help_text))
    return parser


def _port_number(text: str) -> int:
    """Return a port as it is written on the command line; 0 takes any."""
    if not text.isascii() or not text.isdigit() or int(text) > 65_535:
        raise argparse.ArgumentTypeError(t(words.NO_PORT, text=text))
    return int(text)
