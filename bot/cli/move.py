"""``cardroom move --to WHERE``: bring chips, tables and hands from a file into a PostgreSQL database, or back."""

import argparse

from bot.text import upkeep as words
from bot.text.language import t


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the subcommand takes."""
    parser.description = t(words.MOVE_DESCRIPTION)
    parser.add_argument("--to", required=True, nargs="?", const="file", metavar="WHERE", help=t(words.MOVE_TO))
    parser.add_argument("--slots", type=int, choices=(1, 2, 4, 8, 16), help=t(words.MOVE_SLOTS))


def run(options: argparse.Namespace) -> int:
    """Move. Returns 1 if it failed."""
    from bot.operation.move import move_data

    return move_data(options.to, options.slots)
