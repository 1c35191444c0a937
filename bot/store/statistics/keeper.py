"""Keep the statistics file: open it, count what is new, take out what no longer counts. Plain functions on one thread.

The file can be lost or damaged at any moment: everything in it is counted again from the journal. So its transactions are whole, but
nobody waits until they are on the disk.
"""

import logging
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path

from bot.statistics.count_hand import UndoneHand
from bot.statistics.events import DecodeEvents
from bot.statistics.seasons import season_spans
from bot.statistics.types import CountedHand
from bot.store import queries
from bot.store.connection import BUSY_TIMEOUT_MS
from bot.store.statistics.journal import (
    EndedHand,
    JournalReader,
    JournalTable,
    connect_to_journal,
    journal_tables,
    positions_ahead,
)
from bot.store.statistics.write import (
    HandWriter,
    first_id,
    forget_season,
    hands_without_luck,
    recount_season,
    take_out,
    time_of,
    write_luck,
)

log = logging.getLogger(__name__)

VERSION = 1
"""The version of the file. One of another version is thrown away and counted again."""
HANDS_PER_TRANSACTION = 50
_SCHEMA = (Path(__file__).parent / "schema.sql").read_text(encoding="utf-8")
_PRAGMAS = (
    "journal_mode = WAL",
    "synchronous = NORMAL",
    f"busy_timeout = {BUSY_TIMEOUT_MS}",
    "cache_size = -16000",
    "journal_size_limit = 16777216",
    "temp_store = MEMORY",
)


def create_file(db: sqlite3.Connection) -> None:
    """Lay down the tables of an empty file."""
    db.executescript(f"BEGIN; {_SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")


def connect_to_statistics(path: Path) -> sqlite3.Connection:
    """Return a connection that writes."""
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=BUSY_TIMEOUT_MS / 1000)
    for pragma in _PRAGMAS:
        db.execute(f"PRAGMA {pragma}").fetchall()
    return db


class StatisticsKeeper:
    """The only one who writes the file. Use it on one thread at a time.

    Args:
        path: the statistics file. It must exist.
        data: the data file.
        decode: see `bot.statistics.events`.
    """

    def __init__(self, path: Path, data: Path, decode: DecodeEvents) -> None:
        self.db = connect_to_statistics(path)
        self.journal = connect_to_journal(data)
        self._reader = JournalReader(decode)
        self._spans: dict[int, tuple[tuple[int, int, int], ...]] = {}
        self._until: dict[int, int] = {}
        self._writer: HandWriter | None = None

    def close(self) -> None:
        self.journal.close()
        self.db.close()

    # what there is to count

    def positions(self) -> dict[int, tuple[int, int]]:
        """Return for each table when it was opened, and the number of the first event that has not been counted."""
        rows = self.db.execute("SELECT id, opened_at, position FROM counted_table")
        return {table: (opened_at, position) for table, opened_at, position in rows}

    def is_ahead(self) -> bool:
        """Return whether the file knows more than the journal: a backup has been put in the place of the data file."""
        return bool(positions_ahead(self.journal, self.positions()))

    def tables_to_count(self) -> list[int]:
        """Return the tables at which something has happened since they were counted."""
        positions = self.positions()
        rows = self.journal.execute(
            """
            SELECT id, max(
                coalesce((SELECT seq + count FROM event WHERE table_id = card_table.id ORDER BY seq DESC LIMIT 1), 1),
                coalesce((SELECT seq + count FROM finished_hand WHERE table_id = card_table.id ORDER BY seq DESC LIMIT 1), 1)
            ) FROM card_table
            """
        )
        return [table for table, end in rows if end > positions.get(table, (0, 1))[1]]

    # counting

    def count(self, tables: Iterable[int], unshown: Mapping[int, int]) -> set[int]:
        """Count some hands of these tables, in one transaction for each fifty.

        Args:
            unshown: by table the number of the hand whose end is not shown yet; it is not counted.

        Returns:
            the tables at which there is more to count.
        """
        left = set(tables)
        budget = HANDS_PER_TRANSACTION
        known = {table.id: table for table in journal_tables(self.journal, sorted(left)[:500])}
        for id_ in sorted(known):
            table = known[id_]
            found = self._ended_hands(table, budget, unshown.get(id_, 0))
            self._write(table, found)
            if len(found) < budget:
                left.discard(id_)
            budget -= len(found)
            if not budget:
                break
        return left if known else set()

    def _ended_hands(self, table: JournalTable, limit: int, unshown: int) -> list[EndedHand]:
        row = self.db.execute("SELECT position FROM counted_table WHERE id = ?", (table.id,)).fetchone()
        found: list[EndedHand] = []
        self.journal.execute("BEGIN")
        try:
            for ended in self._reader.ended_hands(self.journal, table, row[0] if row is not None else 1):
                if unshown and ended.hand.number >= unshown:
                    break
                found.append(ended)
                if len(found) >= limit:
                    break
        finally:
            self.journal.execute("COMMIT")
        return found

    def _write(self, table: JournalTable, found: list[EndedHand]) -> None:
        """Write hands of one table and how far it has been counted, in one transaction."""
        if not found:
            return
        self.begin()
        try:
            writer = self._writer = self._writer or HandWriter(self.db, self.season_at)
            hands: list[CountedHand] = []
            for ended in found:
                if isinstance(ended.hand, UndoneHand):
                    hands = [hand for hand in hands if hand.number != ended.hand.number]
                    take_out(self.db, table.id, ended.hand.number, self.season_at)
                elif not writer.is_counted(table.id, ended.hand.number):
                    hands.append(ended.hand)
            if hands:
                self.note_seasons(table.guild, max(hand.at for hand in hands))
            writer.add(hands)
            self.db.execute(
                """
                INSERT INTO counted_table (id, server, number, practice, opened_at, position) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET position = excluded.position
                """,
                (
                    table.id,
                    writer.server(table.guild),
                    table.number,
                    table.practice,
                    table.opened_at,
                    found[-1].position,
                ),
            )
            self.db.execute("COMMIT")
        except BaseException:
            self.roll_back()
            raise

    # seasons

    def note_seasons(self, guild: int, until: int) -> None:
        """Look up the seasons of a server in the data file, and count again those whose hands have changed. In the caller's transaction."""
        until = self._until[guild] = max(until, self._until.get(guild) or self._counted_until(guild))
        spans = season_spans(queries.seasons(self.journal, guild), until)
        if spans == self._spans.get(guild):
            return
        row = self.db.execute("SELECT id FROM server WHERE guild = ?", (guild,)).fetchone()
        self._spans[guild] = spans
        if row is None:
            if not spans:
                return
            row = (self.db.execute("INSERT INTO server (guild) VALUES (?)", (guild,)).lastrowid,)
        (server,) = row
        known = {
            number: (begins_at, ends_at)
            for number, begins_at, ends_at in self.db.execute(
                "SELECT number, begins_at, ends_at FROM counted_season WHERE server = ?", (server,)
            )
        }
        for number in known.keys() - {number for number, _, _ in spans}:
            forget_season(self.db, server, number)
        for number, begins_at, ends_at in spans:
            self._note_season(server, number, (begins_at, ends_at or _NEVER), known.get(number))

    def _note_season(self, server: int, number: int, new: tuple[int, int], old: tuple[int, int] | None) -> None:
        if new == old:
            return
        changed = [new] if old is None else [tuple(sorted(pair)) for pair in zip(old, new, strict=True)]
        query = "SELECT 1 FROM counted_hand INDEXED BY hand_of_server WHERE server = ? AND id >= ? AND id < ? LIMIT 1"
        if any(
            self.db.execute(query, (server, first_id(min(first, _NEVER)), first_id(min(end, _NEVER)))).fetchone()
            for first, end in changed
        ):
            recount_season(self.db, server, number, *new)
        else:
            self.db.execute(
                "INSERT OR REPLACE INTO counted_season (server, number, begins_at, ends_at) VALUES (?, ?, ?, ?)",
                (server, number, *new),
            )

    def _counted_until(self, guild: int) -> int:
        """Return when the last hand of a server ended that has been counted."""
        row = self.db.execute(
            """
            SELECT max(counted_hand.id) FROM counted_hand INDEXED BY hand_of_server
            WHERE server = (SELECT id FROM server WHERE guild = ?)
            """,
            (guild,),
        ).fetchone()
        return time_of(row[0]) if row[0] is not None else 0

    def season_at(self, guild: int, at: int) -> int:
        """Return the season that a hand is in which ends at a time; 0 for none."""
        for number, begins_at, ends_at in reversed(self._spans.get(guild, ())):
            if begins_at <= at:
                return number if not ends_at or at < ends_at else 0
        return 0

    def refresh_seasons(self, guild: int, now: int) -> None:
        """Look up the seasons of a server, in a transaction of its own."""
        self.begin()
        try:
            self.note_seasons(guild, now)
            self.db.execute("COMMIT")
        except BaseException:
            self.roll_back()
            raise

    # luck

    def has_luck_to_tell(self) -> bool:
        """Return whether there are hands whose luck is to be told."""
        return bool(hands_without_luck(self.db, 1))

    def write_luck(self, table: int, number: int, luck: Mapping[int, int] | None, *, is_estimate: bool) -> None:
        """Write down the luck of a hand; see `bot.store.statistics.write.write_luck`."""
        self.begin()
        try:
            (guild,) = self.db.execute(
                "SELECT guild FROM counted_table JOIN server ON server.id = server WHERE counted_table.id = ?", (table,)
            ).fetchone() or (0,)
            self.note_seasons(guild, 0)
            write_luck(self.db, table, number, luck, self.season_at, is_estimate=is_estimate)
            self.db.execute("COMMIT")
        except BaseException:
            self.roll_back()
            raise

    # transactions

    def begin(self) -> None:
        self.db.execute("BEGIN IMMEDIATE")

    def roll_back(self) -> None:
        """Undo what has not been committed, and forget what was remembered of it."""
        if self.db.in_transaction:
            self.db.execute("ROLLBACK")
        self._writer = None
        self._spans, self._until = {}, {}


_NEVER = 1 << 42
"""The end of a season whose end nobody knows."""
