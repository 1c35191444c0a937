"""``cardroom health``: ask the dealer that runs here whether it is well, for a container's or a service's own check."""

import argparse

from bot.text import cli as words
from bot.text.language import t


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the subcommand takes."""
    parser.description = t(words.HEALTH_DESCRIPTION)
    parser.add_argument("--ready", action="store_true", help=t(words.READY_OPTION))


def run(options: argparse.Namespace) -> int:
    """Ask. Returns 1 if it is not well, or does not answer."""
    from bot.operation.health import ask_health

    return ask_health(ready=options.ready)
