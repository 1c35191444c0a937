"""What the writing thread does while nobody waits for a save: one short step at a time, each whole in itself.

Finished hands are exchanged for blobs, keys of old causes and old hands are dropped, and the write-ahead log is merged into the file. A
process that is killed between any two statements loses nothing by it: the next one begins where the data says.
"""

import logging
from collections.abc import Hashable, Iterable

from bot.runtime.store_types import Commit
from bot.store.database import DATABASE_FAILED, Database
from bot.store.finished_hands import (
    ExchangeFailed,
    drop_old_keys,
    exchange_hand,
    store_dictionary,
    tables_with_rows,
)
from bot.store.hand_blob import BlobUnreadable
from bot.store.old_hands import DropPermit, OldHands, Retention

log = logging.getLogger(__name__)

MERGE_BYTES = 1 << 20
"""A write-ahead log of this size is merged into the file in the next pause after a hand; SQLite does it in somebody's click."""
KEYS_EVERY_MS = 10 * 60_000
"""So often keys of old causes are looked for, in the time of the causes."""
OLD_HANDS_EVERY_MS = 3_600_000
"""So often hands are looked for that are older than they are kept."""
PERMIT_MS = 10 * 60_000
"""So long a permit to drop hands is good for: the statistics' file can be lost meanwhile."""


class SpareTime:
    """The work that waits for spare time.

    Args:
        keep_hands: how long hands are kept; None for good.

    Attributes:
        searches: who is being searched for in finished hands; until it is done no old hand is dropped.
        drop_permit: what can be dropped for its age; None as long as nobody has said so.
        failed_exchanges: how many hands have stayed as they are because their blob did not give the same rows.
    """

    def __init__(self, keep_hands: Retention | None = None) -> None:
        self.searches: set[Hashable] = set()
        self._keep_hands = keep_hands
        self._old_hands = OldHands(keep_hands) if keep_hands is not None else None
        self._old_hands_looked_for_at = 0
        self.drop_permit: DropPermit | None = None
        self.failed_exchanges = 0
        self._tables: dict[int, None] = {}
        self._given_up: set[int] = set()
        self._newest_at = self._keys_looked_for_at = 0
        self._merge_due = False
        self._disk_refused = False

    def begin(self, db: Database) -> None:
        """Find what was left to do when the file was last closed.

        Raises:
            StoreUnusable: the dictionary in the file is another one.
        """
        store_dictionary(db)
        self._tables = dict.fromkeys(tables_with_rows(db))

    def note(self, commits: Iterable[Commit]) -> None:
        """Note what has just been saved."""
        self._disk_refused = False
        newest = self._newest_at
        for commit in commits:
            at = commit.cause.at
            newest = max(newest, at)
            if not self._keys_looked_for_at:
                self._keys_looked_for_at = at
            if commit.table and (commit.new_hand is not None or commit.closes):
                self._tables[commit.table] = None
            if commit.saved_state is not None:
                self._merge_due = True
        self._newest_at = newest

    def note_long_log(self) -> None:
        """Note that much may have been written that is no commit."""
        self._merge_due = True

    @property
    def has_work(self) -> bool:
        return not self._disk_refused and (
            bool(self._tables)
            or self._merge_due
            or self._keys_due
            or (self._old_hands is not None and self._old_hands_due and self._may_drop)
        )

    @property
    def needs_drop_permit(self) -> bool:
        """Whether it is time to look for old hands, and nobody has said what can be dropped."""
        return self._old_hands_due and not self._may_drop and not self._disk_refused

    def put_off_old_hands(self) -> None:
        """Look for old hands later: they cannot be dropped now."""
        self._old_hands_looked_for_at = self._now()

    @property
    def _keys_due(self) -> bool:
        return self._newest_at >= self._keys_looked_for_at + KEYS_EVERY_MS

    @property
    def _old_hands_due(self) -> bool:
        return not self.searches and self._now() >= self._old_hands_looked_for_at + OLD_HANDS_EVERY_MS

    @property
    def _may_drop(self) -> bool:
        return self.drop_permit is not None and self._now() < self.drop_permit.at + PERMIT_MS

    def _now(self) -> int:
        return self._keep_hands.now() if self._keep_hands is not None else 0

    def step(self, db: Database, *, is_quiet: bool = True) -> None:
        """Do one piece of work. What fails is logged and changes nothing.

        Args:
            is_quiet: nothing has had to be saved for a while. Only then is the log merged: that can take thirty milliseconds.
        """
        try:
            self._step(db, is_quiet)
        except DATABASE_FAILED as error:  # a full disk: the next save that succeeds lets it go on
            self._disk_refused = True
            log.warning("spare_time_work_failed", extra={"error": str(error)})
        except Exception:  # a fault of ours: nobody's save may wait for it for ever
            self._disk_refused = True
            log.exception("spare_time_work_failed")

    def _step(self, db: Database, is_quiet: bool) -> None:
        if self._merge_due and is_quiet:
            self._merge_due = False
            db.merge_log(waits=False, longer_than=MERGE_BYTES)
        elif self._tables:
            table = next(iter(self._tables))
            if table in self._given_up or not self._exchange(db, table):
                del self._tables[table]
        elif self._keys_due:
            if not self._drop_keys(db):
                self._keys_looked_for_at = self._newest_at
        elif self._old_hands_due and self._may_drop and self._old_hands is not None and self.drop_permit is not None:
            with db.relaxed():
                more = self._old_hands.step(db, self.drop_permit)
            if not more:
                self.drop_permit = None
                self.put_off_old_hands()

    def _exchange(self, db: Database, table: int) -> bool:
        """Exchange one hand."""
        try:
            with db.relaxed():
                return exchange_hand(db, table)
        except ExchangeFailed as error:
            self.failed_exchanges += 1
            self._given_up.add(table)
            log.error("hand_not_exchanged", extra={"table": table, "error": str(error)})
            return False

    def _drop_keys(self, db: Database) -> bool:
        try:
            return drop_old_keys(db, self._newest_at)
        except BlobUnreadable as error:
            log.error("old_keys_not_dropped", extra={"error": str(error)})
            return False
