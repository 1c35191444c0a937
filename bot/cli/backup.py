"""``cardroom backup [FILE]``: copy the data to one checked file, also while the dealer runs."""

import argparse
from pathlib import Path

from bot.text import upkeep as words
from bot.text.language import t


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the subcommand takes."""
    parser.description = t(words.BACKUP_DESCRIPTION)
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help=t(words.BACKUP_FILE))
    parser.add_argument("--key", type=Path, metavar="FILE", help=t(words.BACKUP_KEY))


def run(options: argparse.Namespace) -> int:
    """Copy. Returns 1 if it failed."""
    from bot.operation.upkeep import make_backup

    return make_backup(options.file, options.key)
