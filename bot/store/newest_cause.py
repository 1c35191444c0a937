"""A small file beside the data file that remembers the number of its latest change.

The data alone cannot tell that it is older than it was: an older copy, one whose write-ahead log was lost, or a database that was put back
opens without a word. This file is written after each batch, so data that ends before it has been rolled back.
"""

import contextlib
import logging
import os
from pathlib import Path

from bot.runtime.store_types import ROLLED_BACK_KEY
from bot.store.database import Database
from bot.store.finished_hands import KEEP_VALUE

log = logging.getLogger(__name__)

_WIDTH = 20


class NewestCause:
    """The number of the latest change of a data file, in a file of its own.

    It is not synced: after a power cut it can be behind the data, which is harmless, and never before it.
    """

    def __init__(self, data_file: Path) -> None:
        self._path = data_file.with_name(f"{data_file.name}.newest")
        self._descriptor: int | None = None
        self._written = 0

    def read(self) -> int:
        """Return the number; 0 if there is none, or none that can be read."""
        try:
            return int(self._path.read_text() or 0)
        except (OSError, ValueError):
            return 0

    def write(self, number: int) -> None:
        """Remember a number. A disk that refuses is logged once, and the data itself is not at risk."""
        if number == self._written:
            return
        self._written = number
        try:
            if self._descriptor is None:
                self._descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT, 0o600)
            os.lseek(self._descriptor, 0, os.SEEK_SET)
            os.write(self._descriptor, f"{number:0{_WIDTH}}\n".encode())
        except OSError as error:
            log.warning("newest_cause_not_written", extra={"file": str(self._path), "error": str(error)})

    def forget(self) -> None:
        """Delete the file: the data file was replaced on purpose."""
        self.close()
        self._path.unlink(missing_ok=True)

    def close(self) -> None:
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            with contextlib.suppress(OSError):
                os.close(descriptor)


def newest_cause_in(db: Database) -> tuple[int, int]:
    """Return number and time (ms since the epoch) of the latest change in a data file; zeroes for an empty one."""
    row = db.execute("SELECT id, at FROM cause ORDER BY id DESC LIMIT 1").fetchone()
    return (row[0], row[1]) if row else (0, 0)


def notice_rollback(remembered: NewestCause, name: str, db: Database) -> int:
    """Return how many changes the data has lost since it was last written, and mark it if there are any.

    A main file is brought up to date too: somebody who copies it alone gets no empty house.
    """
    newest, at = newest_cause_in(db)
    lost = max(0, remembered.read() - newest)
    if lost:
        log.error("data_rolled_back", extra={"file": name, "lost_changes": lost, "data_of": at})
        db.execute(KEEP_VALUE, (ROLLED_BACK_KEY, b"%d" % at))
    remembered.write(newest)
    db.merge_log(waits=True)
    return lost
