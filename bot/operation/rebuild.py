"""Count every hand of a data file anew, in a process of its own: ``python -m bot.operation.rebuild DATA NEW OLD``.

The dealer starts it, and takes the new file over once it has ended well. It ends itself when the dealer is gone.
"""

import contextlib
import os
import sys
from pathlib import Path

LEAST_PRIORITY = 19


def main(arguments: list[str] | None = None) -> int:
    """Count, and print how many hands there are. Returns 1, and prints why, if it could not be done."""
    let_clicks_go_first()
    from bot.runtime.statistics_events import statistics_decoder
    from bot.store.data_source import source_named
    from bot.store.statistics.rebuild import RebuildFailed, rebuild

    data, new, old = sys.argv[1:] if arguments is None else arguments
    parent = os.getppid()
    try:
        hands = rebuild(
            source_named(data),
            Path(new),
            statistics_decoder(),
            old=Path(old) if Path(old).is_file() else None,
            go_on=lambda: os.getppid() == parent,
        )
    except RebuildFailed as error:
        print(error)
        return 1
    print(hands)
    return 0


def let_clicks_go_first() -> None:
    """Use only the time of the processor that nobody else wants. Where that cannot be had, take as little as can be asked for.

    A process that is only nice still has its turn of some milliseconds when a click arrives.
    """
    with contextlib.suppress(OSError):
        if hasattr(os, "SCHED_IDLE"):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        elif hasattr(os, "nice"):
            os.nice(LEAST_PRIORITY)


if __name__ == "__main__":
    sys.exit(main())
