"""``cardroom statistics rebuild``: count every hand again. A running dealer does it itself, and plays on."""

import argparse

from bot.text import upkeep as words
from bot.text.language import t


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the subcommand takes."""
    parser.description = t(words.STATISTICS_DESCRIPTION)
    parser.add_argument("what", choices=("rebuild",), metavar="rebuild", help=t(words.STATISTICS_REBUILD))


def run(options: argparse.Namespace) -> int:
    """Count. Returns 1 if it failed."""
    from bot.operation.upkeep import rebuild_statistics

    return rebuild_statistics()
