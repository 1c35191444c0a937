"""``cardroom export FILE``: write a server, or what is kept about a person, to a file that other programs read."""

import argparse
from pathlib import Path

from bot.text import upkeep as words
from bot.text.language import t


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the subcommand takes."""
    parser.description = t(words.EXPORT_DESCRIPTION)
    parser.add_argument("file", type=Path, metavar="FILE", help=t(words.EXPORT_FILE))
    parser.add_argument("--server", type=int, default=0, metavar="ID", help=t(words.EXPORT_SERVER))
    parser.add_argument("--person", type=int, default=0, metavar="ID", help=t(words.EXPORT_PERSON))
    parser.add_argument("--older-than", type=_days, default=None, metavar="DAYS", help=t(words.EXPORT_OLDER_THAN))


def _days(text: str) -> int:
    """Return a number of days as it is written on the command line."""
    if not text.isascii() or not text.isdigit() or int(text) > 36_500:
        raise argparse.ArgumentTypeError(t(words.NO_DAYS, text=text))
    return int(text)


def run(options: argparse.Namespace) -> int:
    """Write. Returns 1 if it failed."""
    from bot.operation.export import export_data

    return export_data(options.file, options.server, options.person, options.older_than)
