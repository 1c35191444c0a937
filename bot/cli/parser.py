"""The parser of `cardroom` with its subcommands.

A subcommand is a module of this package with two functions: `add_arguments(parser)` and `run(options)`, which returns the exit code. Its
module is imported only once it is chosen, so that `cardroom --help` answers at once.
"""

import argparse
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Any

from bot.text import cli as words
from bot.text.fleet import FLEET_HELP
from bot.text.formatting import join_or
from bot.text.language import t
from bot.version import VERSION

SUBCOMMANDS = {
    "games": words.GAMES_HELP,
    "rank": words.RANK_HELP,
    "replay": words.REPLAY_HELP,
    "doctor": words.DOCTOR_HELP,
    "health": words.HEALTH_HELP,
    "backup": words.BACKUP_HELP,
    "restore": words.RESTORE_HELP,
    "move": words.MOVE_HELP,
    "export": words.EXPORT_HELP,
    "statistics": words.STATISTICS_HELP,
    "fleet": FLEET_HELP,
}

SUGGESTIONS_MAX = 3
SIMILAR = 0.6


class _Parser(argparse.ArgumentParser):
    """A parser that says what somebody probably meant by a subcommand or a choice that does not exist."""

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and isinstance(value, str) and value not in action.choices:
            similar = get_close_matches(value, [str(choice) for choice in action.choices], SUGGESTIONS_MAX, SIMILAR)
            if similar:
                self.error(t(words.DID_YOU_MEAN, typed=value, known=join_or(similar)))
        super()._check_value(action, value)

    def check_option_names(self, arguments: Sequence[str]) -> None:
        """Say what somebody probably meant by an option that does not exist, before it is taken for something else."""
        known = [name for name in self._option_string_actions if name.startswith("--")]
        for argument in arguments:
            if argument == "--" or argument in SUBCOMMANDS:
                return
            typed = argument.partition("=")[0]
            if typed.startswith("--") and not any(name.startswith(typed) for name in known):
                similar = get_close_matches(typed, known, SUGGESTIONS_MAX, SIMILAR)
                if similar:
                    self.error(t(words.DID_YOU_MEAN, typed=typed, known=join_or(similar)))


class _Command(_Parser):
    """Parses what comes before a subcommand."""

    def parse_known_args(  # type: ignore[override]  # the overloads of typeshed differ from version to version
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[Any, list[str]]:
        self.check_option_names(sys.argv[1:] if args is None else args)
        return super().parse_known_args(args, namespace)


class _Subcommand(_Parser):
    """Parses one subcommand."""

    def parse_known_args(  # type: ignore[override]  # the overloads of typeshed differ from version to version
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[Any, list[str]]:
        module = import_module(f"bot.cli.{self.prog.rpartition(' ')[2]}")
        module.add_arguments(self)
        self.set_defaults(run=module.run)
        self.check_option_names(args or ())
        return super().parse_known_args(args, namespace)


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line. Parsed options hold `run` where a subcommand was chosen, otherwise None."""
    parser = _Command(
        prog="cardroom",
        description=t(words.DESCRIPTION),
        epilog=t(words.EPILOG),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--no-browser", action="store_true", help=t(words.NO_BROWSER))
    parser.add_argument("--host", default="127.0.0.1", help=t(words.HOST))
    parser.add_argument("--port", type=_port_number, default=8765, help=t(words.PORT))
    parser.add_argument("--version", action="version", version=f"Cardroom {VERSION}", help=t(words.VERSION))
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
