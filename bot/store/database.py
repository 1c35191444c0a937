"""What the store asks of a database, whichever engine it is.

Statements keep to the SQL that SQLite and PostgreSQL both take. What engines do each in its own way has a method here;
`bot.store.connection` has SQLite's.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol, TypeAlias

Parameters: TypeAlias = Sequence[Any] | Mapping[str, Any]


class DatabaseFailed(Exception):
    """Another engine than SQLite failed or refused."""


class ConnectionLost(DatabaseFailed):
    """The server is out of reach. What was being committed may be there, or not: look before it is done again."""


class KeyTaken(DatabaseFailed):
    """A row was to be added whose key is there. Nothing of the transaction is kept."""


DATABASE_FAILED = (sqlite3.Error, DatabaseFailed)
"""What an engine raises where it fails or refuses."""


class Column(NamedTuple):
    """A column of a table.

    Attributes:
        name: its name.
        is_blob: whether it holds bytes.
        key: its place in the primary key, from 1; 0 where it is not in it.
    """

    name: str
    is_blob: bool
    key: int


class Rows(Protocol):
    """The answer to a statement."""

    @property
    def rowcount(self) -> int:
        """How many rows were changed."""

    def fetchone(self) -> Any:
        """Return the next row; None if there is none."""

    def fetchall(self) -> list[Any]:
        """Return all rows that are left."""

    def __iter__(self) -> Iterator[Any]: ...


class Database(Protocol):
    """A connection to a database, used by one thread at a time.

    Attributes:
        is_far: each question is a journey to a server: what is mostly not needed is asked only where it is.
    """

    is_far: bool

    def execute(self, sql: str, parameters: Parameters = ..., /) -> Rows:
        """Carry out one statement."""

    def executemany(self, sql: str, parameters: Iterable[Parameters], /) -> Rows:
        """Carry out one statement for each of several rows."""

    # transactions

    def begin(self) -> None:
        """Begin a transaction that writes: nobody else writes until it has ended."""

    def begin_reading(self) -> None:
        """Begin a transaction that reads: all of it sees one state."""

    def commit(self) -> None:
        """End a transaction: what it wrote is kept for good."""

    def rollback(self) -> None:
        """End a transaction, if one is open: nothing of it is kept."""

    def transaction(self) -> AbstractContextManager[None]:
        """Run a block in one transaction that writes. If the block or its commit fails, nothing of it is kept."""

    # what lasts for a block

    def allowing(self, what: Iterable[tuple[str, int, int]]) -> AbstractContextManager[None]:
        """Let the triggers of the schema pass exactly these changes of what is otherwise never changed, in a block."""

    def without_triggers(self, names: Iterable[str]) -> AbstractContextManager[frozenset[str]]:
        """Do without some triggers in a block within a transaction. Yields those of them that are there."""

    def relaxed(self) -> AbstractContextManager[None]:
        """Commit in a block without waiting until it is on the disk: a power cut can undo it. Nobody is told anything by it."""

    def erasing(self) -> AbstractContextManager[None]:
        """Write over what is deleted in a block: it is nobody's business afterwards."""

    def without_keys(self) -> AbstractContextManager[None]:
        """Check no reference between tables in a block, which holds whole transactions."""

    def writing_temporary(self) -> AbstractContextManager[None]:
        """Let a connection that cannot write have temporary tables in a block."""

    # many rows

    def add_rows(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        """Add many rows, all as they are, within a transaction that writes."""

    def number_after(self, table: str, largest: int) -> None:
        """Let the database number the next row of a table with more than this, and than what it has."""

    def last_number(self, table: str) -> int:
        """Return the last number that the database has given to a row of a table, or was told not to give; 0 if it remembers none."""

    # the rest

    def numbers(self, name: str) -> str:
        """Return a SELECT of the numbers that a named parameter holds, as a list in JSON."""

    def merge_log(self, *, waits: bool, longer_than: int = 0) -> None:
        """Bring what is written beside the data to where it belongs.

        Args:
            waits: for those who read at this moment; without it the rest is left where it is.
            longer_than: does nothing if there are not so many bytes of it.
        """

    def tables(self) -> tuple[str, ...]:
        """Return the names of all tables, in their order."""

    def columns(self, table: str) -> tuple[Column, ...]:
        """Return the columns of a table."""

    def broken_references(self) -> Iterator[str]:
        """Return a sentence for each row that refers to one that is not there."""

    def close(self) -> None:
        """Close the connection."""
