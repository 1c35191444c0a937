"""The command `cardroom`: play locally, deal in Discord, list games, rank hands, replay recorded hands."""

from __future__ import annotations

import gc
import sys

from bot.cli.parser import make_parser
from bot.text.language import language_for, reading, terminal_locale


def main(arguments: list[str] | None = None) -> int:
    """Run the command. Returns the exit code; 2 for arguments that cannot be read."""
    with reading(language_for(terminal_locale())):
        try:
            options = make_parser().parse_args(arguments)
        except SystemExit as end:  # how argparse ends after --help and after an error
            return end.code if isinstance(end.code, int) else 2
        if options.run is not None:
            code: int = options.run(options)
            return code
        gc.disable()  # nearly all that imports make stays: looking through it for garbage took a tenth of the start
        from bot.operation.runner import LocalOptions, run

        gc.enable()
        return run(LocalOptions(browser=not options.no_browser, host=options.host, port=options.port))


if __name__ == "__main__":
    sys.exit(main())
