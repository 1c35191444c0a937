"""Make a data file as small as it can be, while no dealer runs with it."""

import contextlib
import sqlite3
from collections.abc import Callable
from pathlib import Path

from filelock import Timeout

from bot.runtime.store_errors import StoreFailed, StoreInUse, StoreUnusable
from bot.store.backup import lock_of
from bot.store.connection import connect
from bot.store.migrate import check_format, migrations
from bot.store.old_hands import DropPermit, Retention, delete_unused_parts
from bot.store.spare_time import SpareTime


def shrink(
    path: Path,
    keep_hands: Retention | None = None,
    count_hands: Callable[[], frozenset[tuple[int, int]] | None] = frozenset,
) -> tuple[int, int]:
    """Put away every hand that is over, drop what is older than `keep_hands` or used by nothing, and give free pages back to the disk.

    Returns the bytes before and after.

    SQLite writes the whole file again beside it and changes over at the end, so it needs as much free space, and loses nothing when it is
    killed. It would hold up every save meanwhile; that is why no dealer may run. Free pages are used again by a running dealer anyway.

    Args:
        count_hands: is called before old hands are dropped, and returns table and number of those that are still needed; None if
            all are.

    Raises:
        StoreInUse: a dealer runs with the file.
        StoreUnusable: the file is damaged, or of another version; a start of this version's dealer brings an older one up to date.
        StoreFailed: the disk refused, or is too full.
    """
    lock = lock_of(path)
    try:
        lock.acquire()
    except Timeout:
        raise StoreInUse(f"{path} is open in another process; stop the dealer first") from None
    try:
        with contextlib.closing(connect(str(path))) as db:
            steps = migrations()
            if check_format(db, path, steps) != steps[-1].number:
                raise StoreUnusable(f"{path} was written by an older version; start the dealer once, and stop it again")
            db.merge_log(waits=True)
            before = path.stat().st_size
            spare_time = SpareTime(keep_hands)
            spare_time.begin(db)
            while spare_time.has_work or (keep_hands is not None and spare_time.needs_drop_permit):
                if spare_time.has_work:
                    spare_time.step(db)
                elif keep_hands is not None:
                    now, needed = keep_hands.now(), count_hands()
                    spare_time.drop_permit = DropPermit(now, needed) if needed is not None else None
                    if needed is None:
                        spare_time.put_off_old_hands()
            delete_unused_parts(db)
            db.execute("VACUUM")
            db.merge_log(waits=True)
        return before, path.stat().st_size
    except (OSError, sqlite3.Error) as error:
        raise StoreFailed(reason=f"{path} cannot be made smaller: {error}") from error
    finally:
        lock.release()
