"""``cardroom fleet``: which dealers serve which slots of a database, and how many slots there are."""

import argparse

from bot.text import fleet as words
from bot.text.language import t


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the subcommand takes."""
    parser.description = t(words.FLEET_DESCRIPTION)
    parser.add_argument("--slots", type=int, choices=(1, 2, 4, 8, 16), help=t(words.SLOTS_OPTION))
    parser.add_argument("--forget-key", action="store_true", help=t(words.FORGET_KEY_OPTION))


def run(options: argparse.Namespace) -> int:
    """Show or change it. Returns 1 if a slot has no dealer, or if it could not be done."""
    from bot.operation.fleet import choose_slot_count, forget_key, show_fleet

    if options.slots is not None:
        return choose_slot_count(options.slots)
    return forget_key() if options.forget_key else show_fleet()
