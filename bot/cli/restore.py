"""``cardroom restore FILE``: put a copy of the data in its place. What was there is moved aside."""

import argparse
from pathlib import Path

from bot.text import upkeep as words
from bot.text.language import t


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the subcommand takes."""
    parser.description = t(words.RESTORE_DESCRIPTION)
    parser.add_argument("file", type=Path, metavar="FILE", help=t(words.RESTORE_FILE))
    parser.add_argument("--key", type=Path, metavar="FILE", help=t(words.RESTORE_KEY))
    parser.add_argument("--slot", type=int, metavar="N", help=t(words.RESTORE_SLOT))


def run(options: argparse.Namespace) -> int:
    """Restore. Returns 1 if it failed."""
    from bot.operation.upkeep import restore_backup

    return restore_backup(options.file, options.key, options.slot)
