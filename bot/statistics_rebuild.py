"""Count every hand of a data file anew, in a process of its own: ``python -m bot.statistics_rebuild DATA NEW OLD``.

The dealer starts it, and takes the new file over once it has ended well. It ends itself when the dealer is gone.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from bot.runtime.statistics_events import statistics_decoder
from bot.store.statistics.rebuild import RebuildFailed, rebuild

PLAY_FIRST = 10
"""How much nicer than the dealer the process is: a click has the processor before it."""


def main(arguments: list[str] | None = None) -> int:
    """Count, and print how many hands there are. Returns 1, and prints why, if it could not be done."""
    data, new, old = map(Path, sys.argv[1:] if arguments is None else arguments)
    parent = os.getppid()
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(PLAY_FIRST)
    try:
        hands = rebuild(
            data, new, statistics_decoder(), old=old if old.is_file() else None, go_on=lambda: os.getppid() == parent
        )
    except RebuildFailed as error:
        print(error)
        return 1
    print(hands)
    return 0


if __name__ == "__main__":
    sys.exit(main())
