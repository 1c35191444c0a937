"""Read the hands of the data file for the statistics, on a connection that cannot write."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from bot.statistics.count_hand import HandCounter, TableFacts, UndoneHand
from bot.statistics.events import DecodeEvents
from bot.statistics.terms import TermsReader
from bot.statistics.types import CountedHand
from bot.store.connection import BUSY_TIMEOUT_MS
from bot.store.finished_hands import journal_end, journal_rows

HANDS_AT_ONCE = 20
"""So many finished hands are unpacked at once."""


class _TableSettings(msgspec.Struct, gc=False):
    """Of a table's settings what the statistics need."""

    practice: bool = False


_decode_settings = msgspec.msgpack.Decoder(_TableSettings).decode


class JournalTable(NamedTuple):
    """A table of the data file. `number`: in its server; `opened_at` in ms."""

    id: int
    guild: int
    number: int
    practice: bool
    opened_at: int


class EndedHand(NamedTuple):
    """A hand that has ended, and the number of the first event after its end."""

    position: int
    hand: CountedHand | UndoneHand


def connect_to_journal(path: Path) -> sqlite3.Connection:
    """Return a connection to the data file that cannot write."""
    db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None, check_same_thread=False)
    db.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
    db.execute("PRAGMA query_only = ON")
    return db


def journal_tables(db: sqlite3.Connection, ids: Sequence[int] = ()) -> Iterator[JournalTable]:
    """Return tables by their ids, or all of them."""
    query = "SELECT id, guild, number, settings, opened_at FROM card_table"
    if ids:
        query += f" WHERE id IN ({', '.join('?' * len(ids))})"
    for id_, guild, number, settings, opened_at in db.execute(query, tuple(ids)):
        yield JournalTable(id_, guild, number, _decode_settings(settings).practice, opened_at)


def positions_ahead(db: sqlite3.Connection, positions: Mapping[int, tuple[int, int]]) -> list[int]:
    """Return the tables that have been counted further than their journal goes: another data file has been put in its place.

    Args:
        positions: by table, when it was opened and how far it has been counted.
    """
    opened = dict(db.execute("SELECT id, opened_at FROM card_table"))
    return [
        table
        for table, (opened_at, position) in positions.items()
        if opened.get(table) != opened_at or (position > 1 and not _reaches(db, table, position))
    ]


def _reaches(db: sqlite3.Connection, table: int, position: int) -> bool:
    """Return whether the journal has the event before a position, or had it: old hands are dropped, the last ones are not."""
    end = journal_end(db, table)
    if end >= position:
        return True
    dropped = end == 1 and db.execute("SELECT 1 FROM event WHERE table_id = ?", (table,)).fetchone() is None
    return dropped and db.execute("SELECT state FROM card_table WHERE id = ?", (table,)).fetchone() == ("closed",)


class JournalReader:
    """Reads the hands that have ended in a journal.

    Args:
        decode: decodes a row of the journal; see `bot.statistics.events`.
    """

    def __init__(self, decode: DecodeEvents) -> None:
        self._decode, self._terms = decode, TermsReader()

    def ended_hands(
        self, db: sqlite3.Connection, table: JournalTable, position: int, end: int | None = None
    ) -> Iterator[EndedHand]:
        """Return the hands of a table that ended from a position on, up to but not including event number `end`, in order.

        Raises:
            BlobUnreadable: a finished hand is damaged.
        """
        counter = HandCounter(TableFacts(table.guild, table.id, table.practice), self._terms)
        first: int | None = position
        while first is not None:
            following = _some_hands_later(db, table.id, first, end)
            for row in journal_rows(db, table.id, first, end if following is None else following):
                events, seq = self._decode(row.blob), row.seq
                if seq < first:  # it holds the end of a hand that has been counted
                    events, seq = events[first - seq :], first
                for count, hand in counter.read(events):
                    yield EndedHand(seq + count, hand)
                last = seq + len(events)
            first = None if following is None else max(following, last)


def _some_hands_later(db: sqlite3.Connection, table: int, first: int, end: int | None) -> int | None:
    """Return where reading can pause: a table's journal can be too long to be read at once. None near its end."""
    row = db.execute(
        "SELECT seq FROM finished_hand WHERE table_id = ? AND seq > ? AND seq < ? ORDER BY seq LIMIT 1 OFFSET ?",
        (table, first, 1 << 62 if end is None else end, HANDS_AT_ONCE),
    ).fetchone()
    return int(row[0]) if row is not None else None
