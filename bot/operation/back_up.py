"""Copy the data of a database to a checked file, in a process of its own: ``python -m bot.operation.back_up DATA FILE``.

The dealer starts it: rows that are copied in a thread would hold up its clicks. It ends itself when the dealer is gone.
"""

import os
import sys
import threading
from pathlib import Path

import msgspec

from bot.operation.rebuild import let_clicks_go_first

LOOK_SECONDS = 1.0
"""So often it is looked whether the dealer is still there."""


def main(arguments: list[str] | None = None) -> int:
    """Copy, and print what the copy holds, as JSON. Returns 1, and prints why, if it could not be done."""
    let_clicks_go_first()
    from bot.runtime.store_errors import StoreError
    from bot.store.copies import copy_source
    from bot.store.data_source import source_named

    data, to = sys.argv[1:] if arguments is None else arguments
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    try:
        found = copy_source(source_named(data), Path(to))
    except StoreError as error:
        print(error)
        return 1
    print(msgspec.json.encode(found).decode())
    return 0


def _end_with(parent: int) -> None:
    """End this process once its parent has ended. What it leaves of the copy is deleted at the dealer's next start."""
    ended = threading.Event()
    while os.getppid() == parent:
        ended.wait(LOOK_SECONDS)
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
