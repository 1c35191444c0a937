"""Drop hands that are older than they are kept, one at a time, with what only they need.

A hand goes once it began longer ago than the days of `Retention` and nobody needs it: not the last two hands of an open table, of which
one can be running, none with a report that waits for staff and not the one after it, and none whose clicks could still be repeated. With
it go its blob, its row, and the causes that moved no chips; with the last hand of a closed table also the table's saved state. Transfers,
the staff log and the number of a table's last hand stay, so the books stay exact and hands are counted as before.

The statistics are asked first (`DropPermit`): what a hand adds up to is counted, and on the disk, before it goes.

A process that is killed between two hands goes on with the next one: nothing but the data says what is old.
"""

import logging
from collections.abc import Callable
from typing import NamedTuple

from bot.store.database import Database
from bot.store.finished_hands import (
    KEY_MS,
    delete_causes_moving_nothing,
    exchange_transaction,
    read_hand,
)
from bot.store.hand_blob import BlobUnreadable
from bot.store.staff_log import reported_hands

log = logging.getLogger(__name__)

DAY_MS = 24 * 3_600_000
LOOKS_AT_ONCE = 20
"""So many hands or tables are looked at in one step, if nothing is dropped."""
_END_OF_TABLE = 2**62


class Retention(NamedTuple):
    """How many days hands are kept, and a clock in ms since the epoch."""

    days: int
    now: Callable[[], int]

    @property
    def kept_since(self) -> int:
        """Hands that began before this time, in ms, are old."""
        return self.since(self.now())

    def since(self, at: int) -> int:
        """Return what `kept_since` is at a time."""
        return at - self.days * DAY_MS


class DropPermit(NamedTuple):
    """Everything that had ended at a time in ms has been counted: what was old then can go, but for these hands, by table and number."""

    at: int
    staying: frozenset[tuple[int, int]] = frozenset()


class _OldHand(NamedTuple):
    """A hand to drop: the events from number `first` up to but not including `end`; with `end` 2^62 the rest of a closed table.

    `number` is 0 for what is left of a table at which no hand was dealt.
    """

    table: int
    number: int
    first: int
    end: int


class OldHands:
    """Goes through all tables again and again, oldest hand first, and remembers how far it has come."""

    def __init__(self, retention: Retention) -> None:
        self._retention = retention
        self._table = self._looked_at = 0

    def step(self, db: Database, permit: DropPermit) -> bool:
        """Drop one hand, or look at some that stay. Returns False once every table has been looked at.

        Raises:
            sqlite3.Error: the disk refused; nothing has changed.
        """
        for _ in range(LOOKS_AT_ONCE):
            query = "SELECT min(table_id) FROM finished_hand WHERE table_id >= ?"
            (table,) = db.execute(query, (self._table,)).fetchone()
            if table != self._table:
                self._table, self._looked_at = table or 0, 0
            if table is None:
                return False
            found = self._next_old_hand(db, table, permit)
            if found is None:
                self._table, self._looked_at = table + 1, 0
            elif isinstance(found, int):
                self._looked_at = found
            else:
                self._looked_at = found.number
                if not found.number:
                    self._table += 1
                try:
                    _drop_hand(db, found)
                except BlobUnreadable as error:
                    log.error("old_hand_not_dropped", extra={"table": table, "hand": found.number, "error": str(error)})
                return True
        return True

    def _next_old_hand(self, db: Database, table: int, permit: DropPermit) -> _OldHand | int | None:
        """Return the table's next hand if it can be dropped, its number if it stays, None if no other hand of the table is old."""
        kept_since = self._retention.since(permit.at)
        is_open, guild, closed_at = db.execute(
            "SELECT state = 'open', guild, closed_at FROM card_table WHERE id = ?", (table,)
        ).fetchone()
        rows = db.execute(
            "SELECT number, seq, started_at FROM hand WHERE table_id = ? AND number > ? ORDER BY number LIMIT 3",
            (table, self._looked_at),
        ).fetchall()
        if is_open and len(rows) < 3:  # the last two hands of an open table stay
            return None
        if not rows:
            is_rest = not self._looked_at and closed_at < kept_since
            return _OldHand(table, 0, 0, _END_OF_TABLE) if is_rest else None
        number, seq, began_at = rows[0]
        _, end, over_at = rows[1] if len(rows) > 1 else (0, _END_OF_TABLE, closed_at)
        if (over_at if end == _END_OF_TABLE else began_at) >= kept_since:
            return None
        reported = reported_hands(db, guild, table)
        # The next hand's first commit can hold the end of a hand that stays.
        is_needed = reported & {number, number - 1} or permit.staying & {(table, number), (table, number - 1)}
        if over_at >= permit.at - KEY_MS or is_needed:
            return int(number)
        if db.execute("SELECT 1 FROM event WHERE table_id = ? AND seq < ? LIMIT 1", (table, end)).fetchone():
            return None  # it is not put away yet
        earlier = db.execute("SELECT 1 FROM hand WHERE table_id = ? AND number < ?", (table, number)).fetchone()
        return _OldHand(table, number, seq if earlier else 0, end)


def _drop_hand(db: Database, old: _OldHand) -> None:
    """Drop a hand in one transaction. What is dropped is written over in the file.

    Raises:
        BlobUnreadable: its blob is damaged; nothing has changed.
    """
    with db.erasing(), exchange_transaction(db):
        blobs = db.execute(
            "SELECT id, seq FROM finished_hand WHERE table_id = ? AND seq < ? AND seq + count > ? AND seq + count <= ?",
            (old.table, old.end, old.first, old.end),
        ).fetchall()
        causes = [cause for id_, _ in blobs for cause in read_hand(db, id_)[1].causes]
        with db.allowing(("old hand", old.table, seq) for _, seq in blobs):
            db.executemany("DELETE FROM finished_hand WHERE id = ?", [(id_,) for id_, _ in blobs])
        delete_causes_moving_nothing(db, causes)
        db.execute(
            """
            DELETE FROM hand WHERE table_id = :table AND number = :number
            AND number < (SELECT max(number) FROM hand WHERE table_id = :table)
            """,
            {"table": old.table, "number": old.number},
        )
        if old.end == _END_OF_TABLE:
            db.execute("DELETE FROM snapshot WHERE table_id = ?", (old.table,))


def count_old_hands(db: Database, retention: Retention) -> int:
    """Return how many hands are older than they are kept, and are still there."""
    (count,) = db.execute(
        """
        SELECT count(*) FROM hand WHERE started_at < ?
        AND table_id IN (SELECT table_id FROM finished_hand UNION SELECT table_id FROM event)
        """,
        (retention.kept_since,),
    ).fetchone()
    return int(count)


def delete_unused_parts(db: Database) -> None:
    """Delete rule cards and settings that nothing refers to any more. No dealer can run meanwhile: it remembers their numbers."""
    db.execute(
        """
        DELETE FROM stored_part
        WHERE id NOT IN (SELECT card FROM finished_hand WHERE card IS NOT NULL)
        AND id NOT IN (SELECT part FROM snapshot WHERE part IS NOT NULL)
        """
    )
