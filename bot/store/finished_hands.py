"""Exchange the journal rows of a hand that is over for one compressed row, and drop what only a repeated click needs.

Every exchange is checked in its own transaction: the blob is decoded and compared with the rows that it replaces, byte for byte, before
those are deleted. If anything differs the hand stays as it is. The triggers of the schema refuse every other way to delete an event: they
ask `may_exchange`, a function that only this connection has, and that says yes only for what is being exchanged at this moment.
"""

import itertools
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from bot.runtime.store_errors import StoreUnusable
from bot.store.database import Database
from bot.store.hand_blob import (
    DICTIONARY,
    FORMAT,
    JournalRow,
    PackedHand,
    StoredCause,
    UnpackedHand,
    names_person,
    pack_hand,
    part_digest,
    shipped_dictionary,
    unpack_hand,
)

log = logging.getLogger(__name__)

MAX_ROWS = 500
"""So many rows are exchanged at once, if a hand has more."""
KEY_MS = 24 * 3_600_000
"""A repeated click is known for so long. Discord lets a click be answered for 15 minutes."""
KEYS_AT_ONCE = 200
_IS_NEEDED = """
    (EXISTS (SELECT 1 FROM transfer WHERE transfer.guild = cause.guild AND transfer.cause = cause.id)
     OR EXISTS (SELECT 1 FROM staff_log WHERE staff_log.cause = cause.id))
"""
KEEP_VALUE = "INSERT INTO kept (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
KEYS_DROPPED_TO = "store.keys_dropped_to"
"""The key of a kept value: up to this cause keys have been dropped."""


class ExchangeFailed(Exception):
    """A hand cannot be exchanged. It stays as it is."""


def store_dictionary(db: Database) -> None:
    """Keep the dictionary of new blobs in the data file.

    Raises:
        StoreUnusable: the file has another dictionary of that number: the program has been changed.
    """
    shipped = shipped_dictionary()
    row = db.execute("SELECT blob FROM dictionary WHERE id = ?", (DICTIONARY,)).fetchone()
    if row is None:
        db.execute("INSERT INTO dictionary (id, blob) VALUES (?, ?)", (DICTIONARY, shipped))
    elif row[0] != shipped:
        raise StoreUnusable(f"dictionary {DICTIONARY} differs from the one in the data file; use an unchanged program")


# reading both forms


def journal_rows(db: Database, table: int, first: int, end: int | None) -> list[JournalRow]:
    """Return the rows of a table's journal that hold events from number `first` up to but not including `end`, in order.

    A row holds a whole commit, so the first one can begin before `first` and the last one can end after `end`.

    Raises:
        BlobUnreadable: a finished hand is damaged.
    """
    limits = {"table": table, "first": first, "end": 2**62 if end is None else end}
    rows = [
        row
        for seq, format_, dictionary, blob, card in db.execute(
            """
            SELECT seq, format, dictionary.blob, finished_hand.blob, stored_part.blob FROM finished_hand
            JOIN dictionary ON dictionary.id = dictionary LEFT JOIN stored_part ON stored_part.id = card
            WHERE table_id = :table AND seq < :end AND seq >= (
                SELECT coalesce(max(seq), :first) FROM finished_hand WHERE table_id = :table AND seq <= :first
            ) ORDER BY seq
            """,
            limits,
        )
        for row in unpack_hand(seq, PackedHand(blob, card), dictionary, format_).rows
    ]
    rows += map(
        JournalRow._make,
        db.execute(
            """
            SELECT seq, count, cause, blob FROM event WHERE table_id = :table AND seq < :end
            AND seq >= (SELECT coalesce(max(seq), :first) FROM event WHERE table_id = :table AND seq <= :first) ORDER BY seq
            """,
            limits,
        ),
    )
    return [row for row in rows if row.seq + row.size > first and row.seq < limits["end"]]


def journal_end(db: Database, table: int) -> int:
    """Return the number of the table's next event."""
    ends = db.execute(
        """
        SELECT (SELECT seq + count FROM event WHERE table_id = :table ORDER BY seq DESC LIMIT 1),
               (SELECT seq + count FROM finished_hand WHERE table_id = :table ORDER BY seq DESC LIMIT 1)
        """,
        {"table": table},
    ).fetchone()
    return max(end or 1 for end in ends)


def stored_part(db: Database, part: bytes) -> int:
    """Return the id of a part that is stored once, and store it if it is new."""
    digest = part_digest(part)
    row = db.execute("SELECT id FROM stored_part WHERE sha256 = ?", (digest,)).fetchone()
    if row is not None:
        return int(row[0])
    (new,) = db.execute("INSERT INTO stored_part (sha256, blob) VALUES (?, ?) RETURNING id", (digest, part)).fetchone()
    return int(new)


class RewrittenHand(NamedTuple):
    """A finished hand with other words in its events, to take the place of the one whose blob is `old`."""

    id: int
    table: int
    seq: int
    old: bytes
    packed: PackedHand


def rewritten_hand(
    db: Database,
    id_: int,
    change_events: Callable[[bytes], bytes],
    change_cause: Callable[[StoredCause], StoredCause] = lambda cause: cause,
) -> RewrittenHand | None:
    """Work out a finished hand with other words in its events, and check it. It only reads. None if nothing would change.

    Raises:
        ExchangeFailed: a blob does not give the changed rows.
        BlobUnreadable: a blob is damaged.
    """
    dictionary = shipped_dictionary()
    seq, old = read_hand(db, id_)
    rows = tuple(row._replace(blob=change_events(row.blob)) for row in old.rows)
    new = UnpackedHand(rows, tuple(change_cause(cause) for cause in old.causes))
    if new == old:
        return None
    packed = pack_hand(new.rows, new.causes, dictionary)
    if unpack_hand(seq, packed, dictionary) != new:
        raise ExchangeFailed(f"finished hand {id_}: the blob does not give the same rows")
    table, blob = db.execute("SELECT table_id, blob FROM finished_hand WHERE id = ?", (id_,)).fetchone()
    return RewrittenHand(id_, table, seq, blob, packed)


def replace_hand(db: Database, hand: RewrittenHand) -> None:
    """Write a rewritten hand in the place of the old one. The caller holds the transaction, and has the triggers' permission.

    Raises:
        ExchangeFailed: the old one is not there any more.
    """
    card = stored_part(db, hand.packed.card) if hand.packed.card is not None else None
    replaced = db.execute(
        "UPDATE finished_hand SET format = ?, dictionary = ?, card = ?, blob = ? WHERE id = ? AND blob = ?",
        (FORMAT, DICTIONARY, card, hand.packed.blob, hand.id, hand.old),
    ).rowcount
    if replaced != 1:
        raise ExchangeFailed(f"finished hand {hand.id} has changed meanwhile")


def rewrite_hands(
    db: Database,
    ids: Iterable[int],
    change_events: Callable[[bytes], bytes],
    change_cause: Callable[[StoredCause], StoredCause] = lambda cause: cause,
) -> int:
    """Write finished hands again with other words in their events, each checked before it takes the old one's place.

    The caller holds the transaction, and has the triggers' permission.

    Returns:
        how many have changed.

    Raises:
        ExchangeFailed: a blob does not give the changed rows.
        BlobUnreadable: a blob is damaged.
    """
    changed = 0
    store_dictionary(db)
    for id_ in ids:
        hand = rewritten_hand(db, id_, change_events, change_cause)
        if hand is not None:
            replace_hand(db, hand)
            changed += 1
    return changed


def hand_names(db: Database, id_: int, user: int) -> bool:
    """Return whether a person's id stands in a finished hand.

    Raises:
        BlobUnreadable: a blob is damaged.
    """
    format_, dictionary, blob = db.execute(
        "SELECT format, dictionary.blob, finished_hand.blob FROM finished_hand JOIN dictionary ON dictionary.id = dictionary"
        " WHERE finished_hand.id = ?",
        (id_,),
    ).fetchone()
    return names_person(blob, dictionary, user, format_)


def complete_saved_states(db: Database) -> None:
    """Put the part that is stored once back into each saved state: whoever changes states by hand finds them whole."""
    for table, state, at, part in db.execute(
        "SELECT table_id, snapshot.blob, part_at, stored_part.blob FROM snapshot JOIN stored_part ON stored_part.id = part"
    ).fetchall():
        whole = state[:at] + part + state[at:]
        db.execute("UPDATE snapshot SET blob = ?, part = NULL, part_at = 0 WHERE table_id = ?", (whole, table))


def read_hand(db: Database, id_: int) -> tuple[int, UnpackedHand]:
    """Return the number of the first event of a finished hand, and its rows."""
    seq, format_, dictionary, blob, card = db.execute(
        """
        SELECT seq, format, dictionary.blob, finished_hand.blob, stored_part.blob FROM finished_hand
        JOIN dictionary ON dictionary.id = dictionary LEFT JOIN stored_part ON stored_part.id = card
        WHERE finished_hand.id = ?
        """,
        (id_,),
    ).fetchone()
    return seq, unpack_hand(seq, PackedHand(blob, card), dictionary, format_)


# exchanging


def tables_with_rows(db: Database) -> list[int]:
    """Return the tables whose journals hold rows."""
    rows = db.execute("SELECT id FROM card_table WHERE EXISTS (SELECT 1 FROM event WHERE table_id = card_table.id)")
    return [table for (table,) in rows]


def exchange_hand(db: Database, table: int) -> bool:
    """Exchange the rows of the oldest hand of a table that nobody needs any more. Returns False if there is none.

    A running hand is needed, and so is the one before it until the table's state has been saved again: a restart begins there. All rows
    of a closed table can go.

    Raises:
        ExchangeFailed: the blob does not give the same rows; nothing has changed.
        sqlite3.Error: the disk refused; nothing has changed.
    """
    with exchange_transaction(db):
        rows = _rows_to_exchange(db, table)
        if not rows:
            return False
        causes = _causes_of(db, rows)
        first, count = rows[0].seq, sum(row.size for row in rows)
        (dictionary,) = db.execute("SELECT blob FROM dictionary WHERE id = ?", (DICTIONARY,)).fetchone()
        try:
            packed = pack_hand(rows, causes, dictionary)
            again = unpack_hand(first, packed, dictionary)
        except Exception as error:  # whatever it is, the rows stay as they are
            raise ExchangeFailed(f"hand at {first} of table {table}: {error}") from error
        if again != UnpackedHand(tuple(rows), tuple(causes)):
            raise ExchangeFailed(f"hand at {first} of table {table}: the blob does not give the same rows")
        card = stored_part(db, packed.card) if packed.card is not None else None
        forgotten = _causes_without_key(db, causes)
        allowed = [("hand", table, first), *(("event", table, row.seq) for row in rows)]
        with db.allowing([*allowed, *(("cause", cause, 0) for cause in forgotten)]):
            db.execute(
                "INSERT INTO finished_hand (table_id, seq, count, format, dictionary, card, blob) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (table, first, count, FORMAT, DICTIONARY, card, packed.blob),
            )
            deleted = db.execute(
                "DELETE FROM event WHERE table_id = ? AND seq BETWEEN ? AND ?", (table, first, rows[-1].seq)
            ).rowcount
            _delete_causes(db, forgotten)
        if deleted != len(rows):
            raise ExchangeFailed(f"hand at {first} of table {table}: {deleted} rows instead of {len(rows)}")
    return True


def _rows_to_exchange(db: Database, table: int) -> list[JournalRow]:
    """Return the rows of the oldest hand that can be exchanged, and those until the next hand; none if there is no such hand."""
    state = db.execute("SELECT state FROM card_table WHERE id = ?", (table,)).fetchone()
    oldest = db.execute("SELECT seq, count FROM event WHERE table_id = ? ORDER BY seq LIMIT 1", (table,)).fetchone()
    if state is None or oldest is None:
        return []
    (following,) = db.execute(
        """
        SELECT max(seq) FROM event WHERE table_id = :table AND seq <= (
            SELECT min(seq) FROM hand WHERE table_id = :table AND seq >= :after
        )
        """,
        {"table": table, "after": sum(oldest)},
    ).fetchone()
    if state[0] == "open":
        saved = db.execute("SELECT seq FROM snapshot WHERE table_id = ?", (table,)).fetchone()
        if following is None or saved is None or following > saved[0]:
            return []
    rows = db.execute(
        "SELECT seq, count, cause, blob FROM event WHERE table_id = ? AND seq < ? ORDER BY seq LIMIT ?",
        (table, 2**62 if following is None else following, MAX_ROWS),
    )
    return list(map(JournalRow._make, rows))


def _causes_of(db: Database, rows: Sequence[JournalRow]) -> list[StoredCause]:
    found = [db.execute("SELECT id, who, at, what FROM cause WHERE id = ?", (row.cause,)).fetchone() for row in rows]
    return [StoredCause._make(row) for row in found]


def _causes_without_key(db: Database, causes: Sequence[StoredCause]) -> list[int]:
    """Return the causes that nothing needs once they are in a blob: their key has been dropped, and they moved no chips."""
    query = (
        f"SELECT 1 FROM cause WHERE id = ? AND key IS NULL AND id < (SELECT max(id) FROM cause) AND NOT {_IS_NEEDED}"
    )
    return [cause.id for cause in causes if db.execute(query, (cause.id,)).fetchone() is not None]


def delete_causes_moving_nothing(db: Database, causes: Iterable[StoredCause]) -> None:
    """Delete causes that were in blobs which are gone, unless they moved chips, stand in the staff log, or are the newest.

    The caller holds the transaction. The causes must be older than `KEY_MS`: a repeated click no longer finds them.
    """
    query = f"SELECT 1 FROM cause WHERE id = ? AND id < (SELECT max(id) FROM cause) AND NOT {_IS_NEEDED}"
    gone = [cause.id for cause in causes if db.execute(query, (cause.id,)).fetchone() is not None]
    with db.allowing([("cause", cause, 0) for cause in gone]):
        _delete_causes(db, gone)


def _delete_causes(db: Database, causes: Sequence[int]) -> None:
    db.executemany("DELETE FROM cause WHERE id = ?", [(cause,) for cause in causes])


def drop_old_keys(db: Database, now: int) -> bool:
    """Drop the keys of causes that are older than a day, a few at once. Causes that are in a blob and moved no chips go as a whole.

    The newest cause is never dropped: its number says how far the file has been written.

    Args:
        now: ms since the epoch.

    Returns:
        whether there can be more to drop.

    Raises:
        sqlite3.Error: the disk refused; nothing has changed.
    """
    row = db.execute("SELECT value FROM kept WHERE key = ?", (KEYS_DROPPED_TO,)).fetchone()
    dropped_to = int(row[0]) if row is not None else 0
    rows = db.execute(
        f"""
        SELECT id, at, table_id, seq, {_IS_NEEDED} FROM cause
        WHERE id > ? AND id < (SELECT max(id) FROM cause) ORDER BY id LIMIT ?
        """,
        (dropped_to, KEYS_AT_ONCE),
    ).fetchall()
    old = list(itertools.takewhile(lambda row: row[1] < now - KEY_MS, rows))
    if not old:
        return False
    with exchange_transaction(db):
        in_blobs = _BlobCauses(db)
        forgotten = [id_ for id_, _, table, seq, needed in old if not needed and in_blobs.hold(id_, table, seq)]
        kept = {id_ for id_, *_ in old}.difference(forgotten)
        with db.allowing([("cause", cause, 0) for cause in forgotten]):
            _delete_causes(db, forgotten)
            db.executemany("UPDATE cause SET key = NULL, number = 0, seq = 0 WHERE id = ?", [(id_,) for id_ in kept])
        db.execute(KEEP_VALUE, (KEYS_DROPPED_TO, b"%d" % old[-1][0]))
    return len(old) == KEYS_AT_ONCE


class _BlobCauses:
    """Says which causes are in a blob. The blob that was read last is remembered: causes of a hand follow one another."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._read: dict[int, frozenset[int]] = {}

    def hold(self, cause: int, table: int, next_seq: int) -> bool:
        """Return whether the events of a cause are in a blob. `next_seq` follows its last event."""
        row = self._db.execute(
            "SELECT id, seq + count FROM finished_hand WHERE table_id = ? AND seq < ? ORDER BY seq DESC LIMIT 1",
            (table, next_seq),
        ).fetchone()
        if row is None or row[1] < next_seq:
            return False
        id_ = row[0]
        if id_ not in self._read:
            self._read = {id_: frozenset(one.id for one in read_hand(self._db, id_)[1].causes)}
        return cause in self._read[id_]


@contextmanager
def exchange_transaction(db: Database) -> Iterator[None]:
    """Run a block in one transaction.

    Foreign keys are not checked in it: for a deleted cause SQLite would read every transfer. The triggers look them up by their key.
    """
    db.rollback()  # what is left over by a rollback that failed: keys cannot be let off within a transaction
    with db.without_keys(), db.transaction():
        yield
