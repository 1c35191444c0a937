"""``cardroom doctor``: check the data on this machine, or in a channel what the dealer expects of Discord."""

import argparse
import re
import sys

from bot.text import cli as cli_words
from bot.text import doctor as words
from bot.text import upkeep as upkeep_words
from bot.text.language import t

_CHANNEL = re.compile(r"(?:https?://\S+/channels/\d+/)?(\d{15,20})")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the subcommand takes."""
    parser.description = t(upkeep_words.DOCTOR_DESCRIPTION)
    parser.add_argument("--discord", metavar="CHANNEL", help=t(words.CHANNEL_OPTION))
    parser.add_argument("--vacuum", action="store_true", help=t(upkeep_words.VACUUM_OPTION))


def run(options: argparse.Namespace) -> int:
    """Check. Returns 1 if something failed, 2 with no real channel or without a token."""
    if options.vacuum:
        from bot.operation.upkeep import shrink_data

        return shrink_data()
    if options.discord is None:
        from bot.operation.upkeep import examine_installation

        return examine_installation()
    found = _CHANNEL.fullmatch(options.discord)
    if found is None:
        print(t(cli_words.ERROR, command="doctor", error=t(words.NO_CHANNEL, typed=options.discord)), file=sys.stderr)
        return 2
    from bot.operation.doctor import check_discord

    return check_discord(int(found[1]))
