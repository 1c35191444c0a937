"""``cardroom move --to WHERE``: bring chips, tables and hands from a file into a PostgreSQL database, or back.

``cardroom move --slots N`` deals the servers of a database out to more slots.
"""

import argparse
import sys

from bot.text import cli as cli_words
from bot.text import upkeep as words
from bot.text.language import t


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the subcommand takes."""
    parser.description = t(words.MOVE_DESCRIPTION)
    parser.add_argument("--to", nargs="?", const="file", metavar="WHERE", help=t(words.MOVE_TO))
    parser.add_argument("--slots", type=int, choices=(1, 2, 4, 8, 16), help=t(words.MOVE_SLOTS))


def run(options: argparse.Namespace) -> int:
    """Move. Returns 1 if it failed, 2 if nothing is to be moved."""
    from bot.operation.move import deal_out_to_more, move_data

    if options.to is None:
        if options.slots is None:
            print(t(cli_words.ERROR, command="move", error=t(words.NOTHING_TO_MOVE)), file=sys.stderr)
            return 2
        return deal_out_to_more(options.slots)
    return move_data(options.to, options.slots)
