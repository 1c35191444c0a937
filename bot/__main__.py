"""The command `cardroom`: play locally, deal in Discord, list games, rank hands, replay recorded hands."""

from __future__ import annotations

import gc
import os
import sys

from bot.cli.parser import make_parser
from bot.text.language import language_for, reading


def main(arguments: list[str] | None = None) -> int:
    """Run the command. Returns the exit code; 2 for arguments that cannot be read."""
    with reading(language_for(_terminal_locale())):
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


def _terminal_locale() -> str:
    """Return the language of the terminal as Discord would name it: ``pt-BR`` for ``pt_BR.UTF-8``; empty for none."""
    named = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    language = named.partition(".")[0].replace("_", "-")
    return "" if language in {"C", "POSIX"} else language


if __name__ == "__main__":
    sys.exit(main())
