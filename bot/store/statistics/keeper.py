"""Keep the statistics file: open it, count what is new, take out what no longer counts. Plain functions on one thread.

The file can be lost or damaged at any moment: everything in it is counted again from the journal. So its transactions are whole, but
nobody waits until they are on the disk.
"""

import contextlib
import logging
import re
import secrets
import sqlite3
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from bot.statistics.count_hand import UndoneHand
from bot.statistics.events import DecodeEvents
from bot.statistics.seasons import season_spans
from bot.statistics.types import CountedChips, CountedHand, RankingQuery
from bot.store import queries
from bot.store.board import split_full_blocks
from bot.store.connection import BUSY_TIMEOUT_MS
from bot.store.data_source import DataSource
from bot.store.migrate import statements_of
from bot.store.statistics.answers import ranking_key
from bot.store.statistics.journal import (
    EndedHand,
    JournalReader,
    JournalTable,
    closed_among,
    connect_to_journal,
    deletions_under_way,
    journal_tables,
    newest_deletion,
    positions_ahead,
    uncounted_since,
)
from bot.store.statistics.long_rankings import RANKED, begin_ranking, extend_rankings
from bot.store.statistics.write import (
    COUNTS,
    NOTE_SEASON,
    HandWriter,
    first_id,
    forget_season,
    hands_without_luck,
    recount_season,
    release_table,
    rename_person,
    take_out,
    time_of,
    write_luck,
)

T = TypeVar("T")
log = logging.getLogger(__name__)


def _without_comments(statement: str) -> str:
    return " ".join(re.sub(r"--.*", "", statement).rstrip(";\n").split())


VERSION = 3
"""What the numbers of the file mean: raise it when one is counted in another way than before. A file of another version is thrown away and
counted again. So is one of another layout, but what it alone knows is taken over: a further number needs no other version."""
HANDS_PER_TRANSACTION = 50
TABLES_REMEMBERED = 1_000
COMPLETE = "complete"
"""The key that a file has once everything up to its positions is in it."""
_SCHEMA = (
    (Path(__file__).parent / "schema.sql")
    .read_text(encoding="utf-8")
    .replace("    -- COUNTS\n", "".join(f"    {name} INTEGER NOT NULL,\n" for name in COUNTS))
)
_STATEMENTS = tuple(statements_of(_SCHEMA))
INDEXES = tuple(
    statement
    for statement in _STATEMENTS
    if "CREATE TRIGGER" in statement
    or any(f"INDEX {name} " in statement for name in ("hand_of_game", "player_of_hand", "weeks_of_person"))
)
"""They are made last where many hands are written, and so are the triggers."""
TABLES = "\n".join(one for one in _STATEMENTS if one not in INDEXES)
LAYOUT = frozenset(map(_without_comments, _STATEMENTS))
"""The tables and indexes of the file, as `layout_of` tells them."""
_FOLLOWED = "application_id"
"""The number in the header of the file that holds the newest pseudonym it has been told of. It changes with a transaction, and no table."""
_PRAGMAS = (
    "journal_mode = WAL",
    "synchronous = NORMAL",
    f"busy_timeout = {BUSY_TIMEOUT_MS}",
    "cache_size = -16000",
    "journal_size_limit = 16777216",
    "temp_store = MEMORY",
    "secure_delete = ON",  # some builds of SQLite leave an id where its row was
)
_NOTE_RENAMED = """
    INSERT INTO renamed (guild, "user", pseudonym) VALUES (?, ?, ?)
    ON CONFLICT (guild, "user") DO UPDATE SET pseudonym = excluded.pseudonym
"""
_COUNT_SYNC = (
    "INSERT INTO about (key, value) VALUES ('synced', 1) ON CONFLICT (key) DO UPDATE SET value = about.value + 1"
)
_NEVER = 1 << 42
"""The end of a season whose end nobody knows."""


def create_file(db: sqlite3.Connection) -> None:
    """Lay down the tables of an empty file."""
    complete = f"INSERT INTO about (key, value) VALUES ('{COMPLETE}', 1);"
    db.executescript(f"BEGIN; {_SCHEMA} {complete} PRAGMA user_version = {VERSION}; COMMIT;")


def connect_to_statistics(path: Path, pragmas: Iterable[str] = _PRAGMAS) -> sqlite3.Connection:
    """Return a connection that writes."""
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=BUSY_TIMEOUT_MS / 1000)
    for pragma in pragmas:
        db.execute(f"PRAGMA {pragma}").fetchall()
    return db


def statistics_files(path: Path) -> tuple[Path, ...]:
    """Return the statistics file and what SQLite puts beside it."""
    return (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm"))


def is_whole(db: sqlite3.Connection) -> bool:
    """Return whether everything up to its positions is in a file, and its numbers mean what they mean here."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    return version == VERSION and bool(db.execute("SELECT 1 FROM about WHERE key = ?", (COMPLETE,)).fetchone())


def layout_of(db: sqlite3.Connection) -> frozenset[str]:
    """Return the tables and indexes of a file, by the statements that make them."""
    rows = db.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
    return frozenset(_without_comments(statement) for (statement,) in rows)


def is_usable(path: Path) -> bool:
    """Return whether a file is there that this version can go on with."""
    return _look_into(path, lambda db: is_whole(db) and layout_of(db) == LAYOUT, nothing=False)


def hands_of_other_layout(path: Path) -> int:
    """Return how many hands a file holds that this version can only take over: it was made with other tables or columns."""

    def count(db: sqlite3.Connection) -> int:
        return _hand_count(db) if is_whole(db) and layout_of(db) != LAYOUT else 0

    return _look_into(path, count, nothing=0)


def _look_into(path: Path, look: Callable[[sqlite3.Connection], T], nothing: T) -> T:
    if not path.exists():
        return nothing
    try:
        with contextlib.closing(sqlite3.connect(path)) as db:
            return look(db)
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        log.warning("statistics_unusable", extra={"file": str(path), "error": str(error)})
        return nothing


def is_damage(error: Exception) -> bool:
    """Return whether SQLite says that the file itself is wrong, and not the disk or the moment."""
    return isinstance(error, sqlite3.DatabaseError) and (
        getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
        or str(error).startswith(("no such table", "no such column"))
    )


def _hand_count(db: sqlite3.Connection) -> int:
    (count,) = db.execute("SELECT count(*) FROM counted_hand").fetchone()
    return int(count)


class StatisticsKeeper:
    """The only one who writes the file. Use it on one thread at a time.

    Args:
        path: the statistics file. It must exist.
        data: the data file, or what stands for it.
        decode: see `bot.statistics.events`.
    """

    def __init__(
        self, path: Path, data: DataSource, decode: DecodeEvents, *, pragmas: Iterable[str] = _PRAGMAS
    ) -> None:
        self.db = connect_to_statistics(path, pragmas)
        self.journal = connect_to_journal(data)
        self._reader = JournalReader(self.journal, decode)
        self._spans: dict[int, tuple[tuple[int, int, int], ...]] = {}
        self._until: dict[int, int] = {}
        self._tables: dict[int, JournalTable] = {}
        self._reached: dict[int, tuple[int, CountedChips]] = {}
        self._writer: HandWriter | None = None
        self._counted: deque[CountedHand] = deque(maxlen=HANDS_PER_TRANSACTION)

    def take_counted(self) -> tuple[CountedHand, ...]:
        """Return the newest hands that have been counted since this was asked last."""
        taken = tuple(self._counted)
        self._counted.clear()
        return taken

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

    def has_missed_deletions(self) -> bool:
        """Return whether people may be in the file whose data was deleted while somebody else counted: with a database any machine can."""
        (followed,) = self.db.execute(f"PRAGMA {_FOLLOWED}").fetchone()
        return newest_deletion(self.journal, ended=True) > int(followed)

    def hand_count(self) -> int:
        """Return how many hands are in the file."""
        return _hand_count(self.db)

    def tables_to_count(self) -> list[int]:
        """Return the tables at which something has happened since they were counted."""
        positions = self.positions()
        rows = self.journal.execute(
            """
            SELECT id, (SELECT seq + count FROM event WHERE table_id = card_table.id ORDER BY seq DESC LIMIT 1),
                (SELECT seq + count FROM finished_hand WHERE table_id = card_table.id ORDER BY seq DESC LIMIT 1)
            FROM card_table
            """
        )
        return [table for table, *ends in rows if max(end or 1 for end in ends) > positions.get(table, (0, 1))[1]]

    # counting

    def count(self, tables: Iterable[int], unshown: Mapping[int, int]) -> set[int]:
        """Count some hands of these tables, in one transaction.

        Args:
            unshown: by table the number of the first hand whose end nobody has seen; it and later ones are not counted.

        Returns:
            the tables at which there can be more to count.
        """
        self.release_closed()
        left = set(tables)
        budget = HANDS_PER_TRANSACTION
        some = sorted(left)[:HANDS_PER_TRANSACTION]
        if not some:
            return left
        known = self._known_tables(some)
        left.difference_update(set(some) - known.keys())
        ended: list[tuple[JournalTable, list[EndedHand]]] = []
        done: set[int] = set()
        for id_, table in known.items():
            position, chips = self._reached_at(table)
            found = self.ended_hands(table._replace(chips=chips), position, budget, unshown.get(id_, 0))
            if found:
                ended.append((table, found))
            if len(found) < budget:
                done.add(id_)
            budget -= len(found)
            if not budget:
                break
        if ended:
            self._write(ended)
        return left - done

    def _known_tables(self, ids: Sequence[int]) -> dict[int, JournalTable]:
        """Return tables by their id. Of what is read only `chips` can change: how far a table is counted says what they are there."""
        new = [id_ for id_ in ids if id_ not in self._tables]
        if new:
            if len(self._tables) >= TABLES_REMEMBERED:
                self._tables.clear()
                new = list(ids)
            self._tables.update({table.id: table for table in journal_tables(self.journal, new)})
        return {id_: self._tables[id_] for id_ in ids if id_ in self._tables}

    def _reached_at(self, table: JournalTable) -> tuple[int, CountedChips]:
        """Return the number of the first event of a table that has not been counted, and what its hands count as there."""
        found = self._reached.get(table.id)
        if found is None:
            row = self.db.execute("SELECT position, chips FROM counted_table WHERE id = ?", (table.id,)).fetchone()
            found = (row[0], CountedChips(row[1])) if row is not None else (1, table.chips)
        return found

    def ended_hands(self, table: JournalTable, position: int, limit: int, unshown: int = 0) -> list[EndedHand]:
        """Return some hands that ended at a table from a position on, those before the one that is not shown yet."""
        found: list[EndedHand] = []
        self.journal.begin_reading()
        try:
            with contextlib.closing(self._reader.ended_hands(table, position)) as ended_hands:
                for ended in ended_hands:
                    if unshown and ended.hand.number >= unshown:
                        break
                    found.append(ended)
                    if len(found) >= limit:
                        break
        finally:
            self.journal.rollback()
        return found

    def _write(self, ended: list[tuple[JournalTable, list[EndedHand]]]) -> None:
        """Write hands and how far their tables have been counted, in one transaction."""
        with self.transaction():
            hands: list[CountedHand] = []
            for table, found in ended:
                for one in found:
                    if isinstance(one.hand, UndoneHand):
                        undone = table.id, one.hand.number
                        hands = [hand for hand in hands if (hand.table, hand.number) != undone]
                        take_out(self.db, *undone, self.season_at)
                    else:
                        hands.append(one.hand)
            hands = self.add(hands)
            for table, found in ended:
                self.write_position(table._replace(chips=found[-1].chips), found[-1].position)
        if len(self._reached) >= TABLES_REMEMBERED:
            self._reached.clear()
        self._reached.update({table.id: (found[-1].position, found[-1].chips) for table, found in ended})
        self._counted.extend(hands)

    @property
    def writer(self) -> HandWriter:
        if self._writer is None:
            self._writer = HandWriter(self.db, self.season_at)
        return self._writer

    def add(self, hands: Sequence[CountedHand], *, make_stretches: bool = True) -> list[CountedHand]:
        """Add hands, in the caller's transaction. Returns those that were not in the file.

        Those of a private table that is still open go into no sum until it has closed: nobody learns from one who plays there now.
        """
        ended_at: dict[int, int] = {}
        for hand in hands:
            ended_at[hand.guild] = max(hand.at, ended_at.get(hand.guild, 0))
        for guild, at in ended_at.items():
            self.note_seasons(guild, at)
        return self.writer.add(hands, self._held({hand.table for hand in hands}), make_stretches=make_stretches)

    def _held(self, tables: set[int]) -> frozenset[int]:
        """Return those of some tables whose hands go into no sum yet. What has been noted of a table first holds until it is released."""
        find = "SELECT held FROM counted_table WHERE id = ?"
        for table in tables:
            if self.db.execute(find, (table,)).fetchone() is None and (known := self._known_tables([table])):
                self.write_position(known[table], 1)
        noted = ((table, self.db.execute(find, (table,)).fetchone()) for table in tables)
        return frozenset(table for table, row in noted if row is not None and row[0])

    def release_closed(self) -> None:
        """Put the hands of private tables that have closed into the sums, except where the host keeps the game out of all figures."""
        held = [table for (table,) in self.db.execute("SELECT id FROM counted_table WHERE held = 1")]
        closed = closed_among(self.journal, held)
        if not closed:
            return
        with self.transaction():
            for table in closed:
                (guild,) = self.db.execute(
                    "SELECT guild FROM counted_table JOIN server ON server.id = server WHERE counted_table.id = ?",
                    (table,),
                ).fetchone()
                known = next(journal_tables(self.journal, [table]), None)
                if known is None or known.chips is CountedChips.NOTHING:
                    self.db.execute("UPDATE counted_table SET held = 2 WHERE id = ?", (table,))
                    continue
                self.note_seasons(guild, 0)
                release_table(self.db, table, self.season_at)

    def write_position(self, table: JournalTable, position: int) -> None:
        """Write down how far a table has been counted, in the caller's transaction."""
        server = self.writer.server(table.guild)
        self.db.execute(
            """
            INSERT INTO counted_table (id, server, number, chips, opened_at, position, private, held)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET position = excluded.position, chips = excluded.chips
            """,
            (
                *(table.id, server, table.number, table.chips, table.opened_at, position),
                *(table.private, table.private and table.is_open),
            ),
        )

    # seasons

    def note_seasons(self, guild: int, until: int) -> None:
        """Look up the seasons of a server in the data file, and count again those whose hands have changed. In the caller's transaction."""
        until = self._until[guild] = max(until, self._until.get(guild) or self._counted_until(guild))
        spans = season_spans(queries.seasons(self.journal, guild), until)
        if spans == self._spans.get(guild):
            return
        self._spans[guild] = spans
        server = self.writer.server(guild)
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

    def note_all_seasons(self) -> None:
        """Look up the seasons of every server, in the caller's transaction."""
        for (guild,) in self.db.execute("SELECT guild FROM server").fetchall():
            self.note_seasons(guild, 0)

    def refresh_seasons(self, guild: int, now: int) -> None:
        """Look up the seasons of a server, in a transaction of its own if they have changed."""
        if season_spans(queries.seasons(self.journal, guild), now) != self._spans.get(guild, ()):
            with self.transaction():
                self.note_seasons(guild, now)

    def _note_season(self, server: int, number: int, new: tuple[int, int], old: tuple[int, int] | None) -> None:
        if new == old:
            return
        changed = [new] if old is None else [sorted(pair) for pair in zip(old, new, strict=True)]
        query = "SELECT 1 FROM counted_hand INDEXED BY hand_of_server WHERE server = ? AND id >= ? AND id < ? LIMIT 1"
        if any(self.db.execute(query, (server, first_id(begin), first_id(end))).fetchone() for begin, end in changed):
            recount_season(self.db, server, number, *new)
        else:
            self.db.execute(NOTE_SEASON, (server, number, *new))

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

    # what does not count for a place

    def follow_uncounted(self, guild: int, until: int) -> None:
        """Take over what does not count of people's net chips (BO-1), as far as it had changed before a time in ms."""
        row = self.db.execute("SELECT uncounted_at FROM server WHERE guild = ?", (guild,)).fetchone()
        rows, last = uncounted_since(self.journal, guild, row[0], until) if row is not None else ([], 0)
        if rows:
            with self.transaction():
                self.writer.note_uncounted(guild, rows)
                self.db.execute("UPDATE server SET uncounted_at = ? WHERE guild = ?", (last, guild))

    # who has played enough hands to be on the leaderboard by chips (BO-2)

    def begin_listing(self, guild: int, min_hands: int) -> None:
        """From now on note who comes to have played so many hands for server chips, or no longer has. It begins a new epoch."""
        with self.transaction():
            self.db.execute(
                "UPDATE server SET listed_from = ?, epoch = ? WHERE guild = ?", (min_hands, secrets.randbits(62), guild)
            )

    # rankings of many people

    def begin_ranking(self, query: RankingQuery) -> None:
        """Keep a ranking in its order from now on: see `bot.store.statistics.long_rankings`."""
        with self.transaction():
            begin_ranking(self.db, ranking_key(self.db, query))

    def extend_rankings(self) -> bool:
        """Bring a ranking nearer to its end, in a short transaction. Returns whether there can be more to do."""
        with self.transaction():
            return extend_rankings(self.db)

    # luck

    def has_luck_to_tell(self) -> bool:
        """Return whether there are hands whose luck is to be told."""
        return bool(hands_without_luck(self.db, 1))

    def hands_without_luck(self, ended_before: int) -> frozenset[tuple[int, int]]:
        """Return table and number of all hands that ended before a time, in ms, and whose luck is to be told."""
        return frozenset(hands_without_luck(self.db, -1, first_id(ended_before)))

    def write_luck(self, table: int, number: int, luck: Mapping[int, int] | None, *, is_estimate: bool) -> None:
        """Write down the luck of a hand; see `bot.store.statistics.write.write_luck`."""
        with self.transaction():
            self.write_luck_of(table, number, luck, is_estimate=is_estimate)

    def write_luck_of(self, table: int, number: int, luck: Mapping[int, int] | None, *, is_estimate: bool) -> None:
        """Write down the luck of a hand, in the caller's transaction."""
        row = self.db.execute(
            "SELECT guild FROM counted_table JOIN server ON server.id = server WHERE counted_table.id = ?", (table,)
        ).fetchone()
        if row is not None:
            self.note_seasons(row[0], 0)
            write_luck(self.db, table, number, luck, self.season_at, is_estimate=is_estimate)

    # people whose data is deleted

    def note_deletions(self) -> None:
        """Let pseudonyms stand for people whose data is being deleted, and forget those with whom that is done.

        It waits until that is on the disk. Once a deletion has ended, nothing else knows whom a file that a power cut took back would have
        to forget.
        """
        newest, under_way = newest_deletion(self.journal, ended=False), deletions_under_way(self.journal)
        with self.transaction():
            self.db.execute(f"PRAGMA {_FOLLOWED} = {newest}")
            known = self.db.execute('SELECT guild, "user" FROM renamed').fetchall()
            self.db.executemany('DELETE FROM renamed WHERE guild = ? AND "user" = ?', set(known) - under_way.keys())
            for (guild, user), pseudonym in under_way.items():
                self._rename(guild, user, pseudonym)
                self.db.execute(_NOTE_RENAMED, (guild, user, pseudonym))
            self._writer = None
        if under_way:
            self.bring_to_disk()

    def rename(self, guild: int, user: int, pseudonym: int) -> None:
        """Let a pseudonym stand for a person in what has been counted."""
        with self.transaction():
            self._rename(guild, user, pseudonym)
            self._writer = None

    def _rename(self, guild: int, user: int, pseudonym: int) -> None:
        for chips in CountedChips:
            rename_person(self.db, guild, user, pseudonym, chips)

    # transactions

    def bring_to_disk(self) -> None:
        """Wait until everything that has been written is on the disk."""
        self.db.execute("PRAGMA synchronous = FULL")
        try:
            with self.transaction():
                self.db.execute(_COUNT_SYNC)
        finally:
            self.db.execute("PRAGMA synchronous = NORMAL")

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Run a block in one transaction. If it fails, what was remembered of it is forgotten too."""
        self.db.execute("BEGIN IMMEDIATE")
        try:
            yield
            split_full_blocks(self.db, RANKED)
            self.db.execute("COMMIT")
        except BaseException:
            if self.db.in_transaction:
                self.db.execute("ROLLBACK")
            self._writer = None
            self._spans, self._until, self._reached = {}, {}, {}
            raise
