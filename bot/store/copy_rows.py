"""Copy every row from one open database to others, whatever engines they are: a move, a backup of a schema, a restore into one.

Rows go in the order of references, some thousands at a time, from one state of the source. What is made by triggers is copied as it is:
whoever opens the targets has left their triggers out until the rows are there.
"""

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from bot.runtime.store_types import ROLLED_BACK_KEY
from bot.store.connection import connect
from bot.store.database import Database
from bot.store.migrate import Migration, apply_migrations

ROWS_AT_ONCE = 5_000
_VALUES, _FLOORS = "kept", "claim_floor"
_OF_ALL = frozenset({"migration", "dictionary", "stored_part", _FLOORS})
"""Tables whose rows are of no server: every target has all of them."""
_HAS_PART = {"finished_hand": "card", "snapshot": "part"}
"""Tables whose rows name a part that is stored once, and in which column."""
_SUMS = {
    "transfer": "SELECT guild, count(*), sum(chips) FROM transfer GROUP BY guild",
    "balance": "SELECT guild, kind, count(*), sum(chips), sum(staked) FROM balance GROUP BY guild, kind",
    "player_total": "SELECT guild, book, count(*), sum(total) FROM player_total GROUP BY guild, book",
}
"""By table what must be the same on both sides, each server for itself. Data of an old version has not all of these tables."""


class ServerSplit(NamedTuple):
    """Which part of the data each of several targets gets.

    Attributes:
        of_server: returns the number of the target that gets a server.
        of_value: returns those that get a kept value, by its key.
    """

    of_server: Callable[[int], int]
    of_value: Callable[[str], Sequence[int]]


class CopiedTable(NamedTuple):
    """A table as the copier sees it.

    Attributes:
        columns: their names.
        key: the columns of its primary key, in their order.
        server_at: the index of the column that names a server; None if there is none.
        table_at: the index of the column that names a card table; None if there is none.
    """

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    server_at: int | None
    table_at: int | None

    @property
    def is_numbered(self) -> bool:
        """Whether the database can number its rows."""
        return self.key == ("id",)


class Copied(NamedTuple):
    """What was copied: for each target the number of rows by table, and by table the largest number that a row has in any of them."""

    counts: tuple[dict[str, int], ...]
    largest: dict[str, int]


class CopyFailed(Exception):
    """What has arrived is not what was there."""


@cache
def copied_tables(steps: tuple[Migration, ...]) -> tuple[CopiedTable, ...]:
    """Return the tables that these migrations make, each after those that it refers to.

    Raises:
        CopyFailed: nobody has said which servers the rows of one of them are of.
    """
    with contextlib.closing(connect(":memory:")) as db:
        apply_migrations(db, Path(":memory:"), steps, 0)
        waiting = {name: db.references(name) - {name} for name in db.tables()}
        found: list[CopiedTable] = []
        while waiting:
            for name in [name for name, others in waiting.items() if not others & waiting.keys()]:
                del waiting[name]
                columns = db.columns(name)
                key = tuple([column.name for column in sorted(columns, key=lambda column: column.key) if column.key])
                found.append(_copied_table(name, tuple([column.name for column in columns]), key))
        return tuple(found)


def _copied_table(name: str, columns: tuple[str, ...], key: tuple[str, ...]) -> CopiedTable:
    of_server = "id" if name == "guild" else "guild"
    server_at = columns.index(of_server) if of_server in columns else None
    table_at = columns.index("table_id") if server_at is None and "table_id" in columns else None
    if not key or (server_at is None and table_at is None and name not in _OF_ALL | {_VALUES}):
        raise CopyFailed(f"nobody has said which servers the rows of {name} are of, or it has no key")
    return CopiedTable(name, columns, key, server_at, table_at)


def copy_rows(
    source: Database,
    targets: Sequence[Database],
    steps: tuple[Migration, ...],
    split: ServerSplit | None = None,
    tell: Callable[[str, int], None] = lambda table, rows: None,
) -> Copied:
    """Copy every row, check that as many have arrived with the same sums, and let new rows be numbered after them.

    The caller has begun a transaction that reads the source, and one that writes to each target.

    Args:
        steps: the migrations that the source has had, and that have made the targets. What it has of others stays behind.
        split: which target gets what; None where there is but one.
        tell: is told now and then how many rows of a table have been copied.

    Raises:
        CopyFailed: something else has arrived.
    """
    dealt_out = _DealtOut(split, len(targets))
    counts: tuple[dict[str, int], ...] = tuple({} for _ in targets)
    largest: dict[str, int] = {}
    known = {step.number for step in steps}
    for table in copied_tables(steps):
        done = 0
        for counted in counts:
            counted[table.name] = 0
        for page in _pages(source, table):
            rows = [row for row in page if row[0] in known] if table.name == "migration" else page
            for at, some in enumerate(dealt_out.of(table, rows)):
                if some:
                    targets[at].add_rows(table.name, table.columns, some)
                    counts[at][table.name] += len(some)
            if table.is_numbered:
                largest[table.name] = int(rows[-1][table.columns.index("id")])
            done += len(rows)
            tell(table.name, done)
        if table.is_numbered:  # what was numbered and is somewhere else now keeps its number
            largest[table.name] = max(largest.get(table.name, 0), source.last_number(table.name))
    for target, counted in zip(targets, counts, strict=True):
        for name, number in largest.items():
            if number:
                target.number_after(name, number)
        _require_counts(target, counted)
    for table in copied_tables(steps):
        if table.name in _SUMS:
            _require_sums(_SUMS[table.name], [source], targets)
    return Copied(counts, largest)


def join_rows(
    sources: Sequence[Database],
    target: Database,
    steps: tuple[Migration, ...],
    splits: Sequence[ServerSplit],
    tell: Callable[[str, int], None] = lambda table, rows: None,
) -> None:
    """Copy the rows of several slots to one target, check that all have arrived, and let new rows be numbered after them.

    What is stored once in each slot is stored once; a value that several of them keep is the first one's. Transactions as in `copy_rows`.

    Args:
        splits: for each source which one's values count.

    Raises:
        CopyFailed: something else has arrived.
    """
    joined = _Joined()
    counts: dict[str, int] = {}
    for table in copied_tables(steps):
        largest = counts[table.name] = 0
        for at, source in enumerate(sources):
            for rows in _pages(source, table):
                if table.name == _FLOORS:
                    joined.note_floors(rows)
                    continue
                new = joined.of(at, table, rows, splits[at])
                target.add_rows(table.name, table.columns, new)
                counts[table.name] += len(new)
                tell(table.name, counts[table.name])
                if table.is_numbered:
                    largest = max(largest, rows[-1][table.columns.index("id")])
            if table.is_numbered:
                largest = max(largest, source.last_number(table.name))
        if table.name == _FLOORS and joined.floors:
            target.add_rows(table.name, table.columns, list(joined.floors.values()))
            counts[table.name] = len(joined.floors)
        if largest:
            target.number_after(table.name, largest)
    _require_counts(target, counts)
    for table in copied_tables(steps):
        if table.name in _SUMS:
            _require_sums(_SUMS[table.name], sources, [target])


class _Joined:
    """Puts together what several slots have each for themselves."""

    def __init__(self) -> None:
        self._is_rolled_back = False
        self.floors: dict[bytes, tuple[Any, ...]] = {}
        self._seen: dict[str, set[Any]] = {}
        self._part_of_digest: dict[bytes, int] = {}
        self._parts: dict[tuple[int, int], int] = {}

    def is_first_mark(self, key: str) -> bool:
        """Return whether a kept value is the mark of data that was put back, for the first time: whichever slot it was, it stays."""
        is_first = key == ROLLED_BACK_KEY and not self._is_rolled_back
        self._is_rolled_back |= is_first
        return is_first

    def note_floors(self, rows: list[tuple[Any, ...]]) -> None:
        """Take of each person the latest time of each kind of gift: the slot of their server alone knows it."""
        for mark, *times in rows:
            _, *others = self.floors.get(mark, (mark, *times))
            self.floors[mark] = (mark, *map(max, times, others))

    def of(self, at: int, table: CopiedTable, rows: list[tuple[Any, ...]], split: ServerSplit) -> list[tuple[Any, ...]]:
        """Return what is new of some rows of a slot, with the numbers that the target has for parts which are stored once."""
        if table.name == _VALUES:
            return [row for row in rows if self.is_first_mark(row[0]) or at in split.of_value(row[0])[:1]]
        if table.name == "stored_part":
            new = []
            for id_, digest, blob in rows:
                if digest not in self._part_of_digest:
                    self._part_of_digest[digest] = id_
                    new.append((id_, digest, blob))
                self._parts[at, id_] = self._part_of_digest[digest]
            return new
        if table.name in _OF_ALL:
            key = [table.columns.index(column) for column in table.key]
            seen = self._seen.setdefault(table.name, set())
            new = [row for row in rows if tuple([row[column] for column in key]) not in seen]
            seen.update(tuple([row[column] for column in key]) for row in new)
            return new
        if table.name in _HAS_PART:
            part = table.columns.index(_HAS_PART[table.name])
            return [
                row if row[part] is None else (*row[:part], self._parts[at, row[part]], *row[part + 1 :])
                for row in rows
            ]
        return rows


def servers_of_tables(db: Database) -> dict[int, int]:
    """Return the server of each table."""
    return dict(db.execute("SELECT id, guild FROM card_table").fetchall())


class _DealtOut:
    """Says which target gets a row."""

    def __init__(self, split: ServerSplit | None, count: int) -> None:
        self._split, self._count = split, count
        self._of_table: dict[int, int] = {}

    def of(self, table: CopiedTable, rows: list[tuple[Any, ...]]) -> Sequence[list[tuple[Any, ...]]]:
        """Return for each target its part of some rows."""
        split = self._split
        if split is None:
            return (rows,)
        if table.name in _OF_ALL:
            return [rows] * self._count
        parts: list[list[tuple[Any, ...]]] = [[] for _ in range(self._count)]
        for row in rows:
            if table.name == _VALUES:
                for at in split.of_value(row[table.columns.index("key")]):
                    parts[at].append(row)
            elif table.server_at is not None:
                parts[split.of_server(row[table.server_at])].append(row)
            elif table.table_at is not None:
                parts[self._of_table[row[table.table_at]]].append(row)
        if table.name == "card_table":
            self._of_table.update((row[0], at) for at, part in enumerate(parts) for row in part)
        return parts


def _pages(db: Database, table: CopiedTable) -> Iterator[list[tuple[Any, ...]]]:
    """Return the rows in the order of their keys, page by page."""
    columns, key = (", ".join([f'"{name}"' for name in names]) for names in (table.columns, table.key))
    at = [table.columns.index(name) for name in table.key]
    marks = ", ".join("?" * len(at))
    first = f'SELECT {columns} FROM "{table.name}" ORDER BY {key} LIMIT {ROWS_AT_ONCE}'
    following = f'SELECT {columns} FROM "{table.name}" WHERE ({key}) > ({marks}) ORDER BY {key} LIMIT {ROWS_AT_ONCE}'
    rows = db.execute(first).fetchall()
    while rows:
        yield rows
        if len(rows) < ROWS_AT_ONCE:
            return
        rows = db.execute(following, [rows[-1][column] for column in at]).fetchall()


def _require_counts(target: Database, expected: Mapping[str, int]) -> None:
    for name, count in expected.items():
        (found,) = target.execute(f'SELECT count(*) FROM "{name}"').fetchone()
        if found != count:
            raise CopyFailed(f"{found} rows of {name} have arrived instead of {count}")


def _require_sums(query: str, sources: Sequence[Database], targets: Sequence[Database]) -> None:
    expected = sorted(tuple(row) for source in sources for row in source.execute(query))
    found = sorted(tuple(row) for target in targets for row in target.execute(query))
    if found != expected:
        wrong = next(iter(set(expected) ^ set(found)))
        raise CopyFailed(f"the chips of server {wrong[0]} have not arrived as they were")
