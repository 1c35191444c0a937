"""Count every hand of a data file anew, into a new statistics file, while a dealer plays on.

It reads the data a little at a time, so the dealer's write-ahead log can be merged into the file in between. What the journal no longer
has is taken over from the old file: hands that were dropped because they were too old, and luck, which is long to work out.
"""

import contextlib
import logging
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

from filelock import Timeout

from bot.runtime.store_errors import StoreInUse
from bot.statistics.count_hand import UndoneHand
from bot.statistics.events import DecodeEvents
from bot.statistics.types import CountedChips, CountedHand, CountedSeat, Counts
from bot.store.backup import lock_of
from bot.store.connection import create_private_file, sync_file
from bot.store.data_source import DataSource
from bot.store.database import DATABASE_FAILED, Database
from bot.store.statistics.journal import (
    JournalTable,
    hands_dropped_for_age,
    journal_reaches,
    journal_tables,
)
from bot.store.statistics.keeper import (
    COMPLETE,
    INDEXES,
    TABLES,
    VERSION,
    StatisticsKeeper,
    is_damage,
    is_usable,
    is_whole,
    statistics_files,
)
from bot.store.statistics.write import COUNTS, LUCK_DUE, hands_without_luck, make_all_stretches, time_of

log = logging.getLogger(__name__)

HANDS_AT_ONCE = 400
"""So many hands of a table are read in one go."""
HANDS_PER_TRANSACTION = 4_000
_PRAGMAS = ("journal_mode = OFF", "synchronous = OFF", "cache_size = -131072", "locking_mode = EXCLUSIVE")


class RebuildFailed(Exception):
    """The file could not be made. The text says why."""


def rebuild(
    data: DataSource,
    path: Path,
    decode: DecodeEvents,
    *,
    old: Path | None = None,
    go_on: Callable[[], bool] = lambda: True,
) -> int:
    """Count all hands of a data file into a new file at `path`.

    Args:
        old: the statistics file until now; None if there is none that can be read.
        go_on: is asked now and then.

    Returns:
        how many hands there are.

    Raises:
        RebuildFailed: the disk failed, or `go_on` said so.
    """
    try:
        return _rebuild(data, path, decode, old, go_on)
    except (*DATABASE_FAILED, OSError) as error:
        raise RebuildFailed(f"{type(error).__name__}: {error}") from error


def _rebuild(data: DataSource, path: Path, decode: DecodeEvents, old: Path | None, go_on: Callable[[], bool]) -> int:
    for file in statistics_files(path):
        file.unlink(missing_ok=True)
    create_private_file(path)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.executescript(f"BEGIN; {TABLES} PRAGMA user_version = {VERSION}; COMMIT;")
    keeper = StatisticsKeeper(path, data, decode, pragmas=_PRAGMAS)
    try:
        hands = _Rebuild(path, keeper, go_on).run(old)
    finally:
        keeper.close()
    sync_file(path)
    return hands


def rebuild_alone(path: Path, data: Path, decode: DecodeEvents) -> int:
    """Count all hands of a data file with which no dealer runs, and put the new statistics file in the place of the old one.

    Returns:
        how many hands there are.

    Raises:
        StoreInUse: a dealer runs with the data.
        RebuildFailed: the disk failed. The old file is as it was.
    """
    lock = lock_of(data)
    try:
        lock.acquire()
    except Timeout:
        raise StoreInUse(f"{data} is open in another process") from None
    try:
        return _rebuild_and_replace(path, data, decode)
    finally:
        lock.release()


def _rebuild_and_replace(path: Path, data: Path, decode: DecodeEvents) -> int:
    new = path.with_name(f"{path.name}.new")
    hands = rebuild(data, new, decode, old=path if path.is_file() else None)
    for file in statistics_files(path)[1:]:
        file.unlink(missing_ok=True)
    new.replace(path)
    sync_file(path.parent)
    return hands


def count_alone(path: Path, data: Path, decode: DecodeEvents) -> frozenset[tuple[int, int]]:
    """Count what has not been counted of a data file with which no dealer runs. The caller holds the lock.

    Returns:
        table and number of hands whose luck is to be told.

    Raises:
        RebuildFailed: the disk failed.
    """
    try:
        if not is_usable(path) or _is_ahead(path, data, decode):
            _rebuild_and_replace(path, data, decode)
        keeper = StatisticsKeeper(path, data, decode)
        try:
            keeper.note_deletions()
            left = set(keeper.tables_to_count())
            while left:
                left = keeper.count(left, {})
            keeper.bring_to_disk()
            return frozenset(hands_without_luck(keeper.db, -1))
        finally:
            keeper.close()
    except (sqlite3.Error, OSError) as error:
        raise RebuildFailed(f"{type(error).__name__}: {error}") from error


def _is_ahead(path: Path, data: Path, decode: DecodeEvents) -> bool:
    keeper = StatisticsKeeper(path, data, decode)
    try:
        return keeper.is_ahead()
    finally:
        keeper.close()


class _Rebuild:
    """The work, a transaction of some thousands of hands at a time."""

    def __init__(self, path: Path, keeper: StatisticsKeeper, go_on: Callable[[], bool]) -> None:
        self._path, self._keeper, self._go_on = path, keeper, go_on
        self._waiting: list[CountedHand] = []
        self._tables: list[tuple[JournalTable, int]] = []
        self._hands = 0

    def run(self, old: Path | None) -> int:
        keeper = self._keeper
        for table in list(journal_tables(keeper.journal)):
            self._count(table)
        self._write()
        for statement in INDEXES:
            keeper.db.execute(statement)
        if old is not None:
            try:
                with (
                    keeper.transaction(),
                    contextlib.closing(sqlite3.connect(f"{old.absolute().as_uri()}?mode=ro", uri=True)) as before,
                ):
                    self._take_over(before)
            except sqlite3.DatabaseError as error:
                if not is_damage(error):
                    raise
                log.warning("old_statistics_unusable", extra={"file": str(old), "error": str(error)})
        with keeper.transaction():
            keeper.note_all_seasons()
            make_all_stretches(keeper.db)
            keeper.db.execute("INSERT INTO about (key, value) VALUES (?, 1)", (COMPLETE,))
        return self._hands

    def _count(self, table: JournalTable) -> None:
        position, last = 1, 0
        while True:
            if not self._go_on():
                raise RebuildFailed("nobody waits for it any more")
            found = self._keeper.ended_hands(table, position, HANDS_AT_ONCE)
            if not found:
                return
            position, table = found[-1].position, table._replace(chips=found[-1].chips)
            for ended in found:
                if isinstance(ended.hand, UndoneHand):
                    if last == ended.hand.number:  # it had been counted, and is taken out again
                        self._waiting = [
                            hand for hand in self._waiting if (hand.table, hand.number) != (table.id, ended.hand.number)
                        ]
                else:
                    self._waiting.append(ended.hand)
                    last = ended.hand.number
            self._tables.append((table, position))
            if len(self._waiting) >= HANDS_PER_TRANSACTION:
                self._write()
            if len(found) < HANDS_AT_ONCE:
                return

    def _write(self) -> None:
        with self._keeper.transaction():
            self._keeper.add(self._waiting, make_stretches=False)
            for table, position in self._tables:
                self._keeper.write_position(table, position)
        self._hands += len(self._waiting)
        self._waiting, self._tables = [], []
        sync_file(self._path)  # much at once at the end would hold up the dealer's disk

    # what the old file alone knows

    def _take_over(self, before: sqlite3.Connection) -> None:
        if not is_whole(before):
            return
        before.execute("BEGIN")
        for table, chips, opened_at, position in before.execute(
            f"SELECT id, {_chips_column(before)}, opened_at, position FROM counted_table"
        ).fetchall():
            journal = self._keeper.journal
            if journal.execute("SELECT opened_at FROM card_table WHERE id = ?", (table,)).fetchone() != (opened_at,):
                continue  # it is another table's number now: the data file is another one
            dropped = list(_hands_no_longer_there(before, journal, table))
            if dropped:
                if not self._keeper.db.execute("SELECT 1 FROM counted_table WHERE id = ?", (table,)).fetchone():
                    counted_to = position if journal_reaches(journal, table, position) else 1
                    (known,) = journal_tables(journal, [table])
                    self._keeper.write_position(known._replace(chips=CountedChips(chips)), counted_to)
                self._keeper.add([hand for hand, _ in dropped], make_stretches=False)
                for hand, luck in dropped:
                    self._keeper.db.execute(
                        "UPDATE counted_hand SET luck = ? WHERE table_id = ? AND number = ?", (luck, table, hand.number)
                    )
                self._hands += len(dropped)
            self._take_over_luck(before, table)

    def _take_over_luck(self, before: sqlite3.Connection, table: int) -> None:
        due = self._keeper.db.execute(
            "SELECT number FROM counted_hand WHERE luck = ? AND table_id = ?", (LUCK_DUE, table)
        ).fetchall()
        for (number,) in due:
            row = before.execute(
                "SELECT id, luck FROM counted_hand WHERE table_id = ? AND number = ?", (table, number)
            ).fetchone()
            if row is None or row[1] == LUCK_DUE:
                continue
            told = before.execute(
                "SELECT seat, luck, estimated_hands FROM player_hand WHERE hand = ? AND lucky_hands = 1", (row[0],)
            ).fetchall()
            luck = {seat: luck for seat, luck, _ in told} if row[1] else None
            self._keeper.write_luck_of(table, number, luck, is_estimate=any(estimate for *_, estimate in told))


def _chips_column(before: sqlite3.Connection) -> str:
    """Return where a file says what kind of chips a table plays with: it had another name when there were but two kinds."""
    columns = {column[0] for column in before.execute("SELECT * FROM counted_table LIMIT 0").description}
    return f"counted_table.{'chips' if 'chips' in columns else 'practice'}"


def _hands_no_longer_there(
    before: sqlite3.Connection, journal: Database, table: int
) -> Iterator[tuple[CountedHand, int]]:
    """Return the hands of a table in an old file that were dropped for their age, each with the state of its luck."""
    numbers = [number for (number,) in before.execute("SELECT number FROM counted_hand WHERE table_id = ?", (table,))]
    dropped = set(hands_dropped_for_age(journal, table, numbers))
    if not dropped:
        return
    columns = {column[0] for column in before.execute("SELECT * FROM player_hand LIMIT 0").description}
    known = [name for name in COUNTS if name in columns]  # in a file of another layout some can be missing
    for id_, guild, hand, key, name, limit, words, chips, pot, counts_, luck in before.execute(
        f"""
        SELECT counted_hand.id, guild, counted_hand.number, key, name, bet_limit, words, {_chips_column(before)}, pot, counts, luck
        FROM counted_hand JOIN server ON server.id = counted_hand.server JOIN counted_table ON counted_table.id = table_id
        JOIN terms ON terms.id = terms JOIN game ON game.id = terms.game JOIN stakes ON stakes.id = terms.stakes
        WHERE table_id = ? ORDER BY counted_hand.number
        """,
        (table,),
    ).fetchall():
        if hand not in dropped:
            continue
        players = before.execute(
            f"""SELECT "user", won, value, share, rarity, {", ".join(known)} FROM player_hand JOIN person ON person.id = person"""
            " WHERE hand = ? ORDER BY seat",
            (id_,),
        ).fetchall()
        seats = tuple(
            [CountedSeat(user, Counts(**dict(zip(known, row[4:], strict=True))), *row[:4]) for user, *row in players]
        )
        yield (
            CountedHand(
                guild,
                table,
                hand,
                time_of(id_),
                key,
                name,
                limit,
                words,
                CountedChips(chips),
                pot,
                seats,
                bool(counts_),
            ),
            luck,
        )
