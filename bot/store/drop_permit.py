"""Let the statistics count hands before these are dropped for their age, and do not wait for ever for statistics that fail."""

import logging
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from bot.runtime.saved_values import OF_THE_BOT, SavedKind, SavedValues, ValueStorage
from bot.runtime.store_errors import StatisticsUnavailable
from bot.store.old_hands import DAY_MS, DropPermit

log = logging.getLogger(__name__)

CountHands: TypeAlias = Callable[[int], Awaitable[frozenset[tuple[int, int]]]]
"""Counts every hand that has ended, and waits until that is on the disk. Returns table and number of those that ended before the given
time, in ms, and are still needed. Raises `StatisticsUnavailable`."""
LONGEST_WAIT_MS = 7 * DAY_MS
"""So long statistics can fail before hands are dropped without them: whoever sets how long hands are kept has promised it to people."""
_WAITING_SINCE = SavedKind[tuple[()], int]("store.old_hands_waiting", OF_THE_BOT, int)


async def permit_to_drop(store: ValueStorage, count_hands: CountHands, now: int) -> DropPermit | None:
    """Return what can be dropped now; None if nothing can.

    How long it has been waited lies in the data, so that restarts do not lengthen it.

    Raises:
        StoreError: the data cannot be read or written.
    """
    saved = SavedValues(_WAITING_SINCE, store)
    kept = await saved.get(())
    try:
        staying = await count_hands(now - DAY_MS)
    except StatisticsUnavailable:
        staying = None
    if staying is not None and not staying:
        if kept is not None:
            await saved.forget(())
        return DropPermit(now)
    since = min(kept, now) if kept is not None else now
    if since <= now - LONGEST_WAIT_MS:
        log.error("old_hands_dropped_without_statistics", extra={"waited_since": since})
        return DropPermit(now)
    if kept is None:
        await saved.keep((), now)
    log.warning("old_hands_wait_for_statistics", extra={"since": since, "without_luck": len(staying or ())})
    return DropPermit(now, staying) if staying is not None else None
