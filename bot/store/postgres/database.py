"""A connection to PostgreSQL that the store uses as it uses one to SQLite: a `bot.store.database.Database`.

The store is made of plain functions on one connection in one thread; so is psycopg, without `await`. What would cost a journey to the
server for each statement is saved up: in a transaction that writes, inserts and updates are only remembered, and the commit sends them
all in one pipeline. Whoever asks how many rows one has changed, or reads meanwhile, sends what is remembered first.
"""

import contextlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import psycopg

from bot.store.database import Column, ConnectionLost, DatabaseFailed, KeyTaken, Parameters

_PARTS = re.compile(r"('(?:[^']|'')*'|--[^\n]*)")
_NAMED = re.compile(r"(?<![:\w]):(\w+)")
_HINT = re.compile(r"\bINDEXED BY \w+|\bWITHOUT ROWID\b")
"""What SQLite alone is told about how to do something."""
_MANY = re.compile(
    r"\s*INSERT INTO (?P<table>\w+) \((?P<columns>[^)]*)\)\s*VALUES \((?:\?, )*\?\)\s*(?P<rest>(?:ON CONFLICT \((?P<key>[^)]*)\).*)?)",
    re.DOTALL,
)
"""An insertion of rows that can all go in one statement."""
_TYPES = """
    SELECT relname, attname, typname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid JOIN pg_type ON pg_type.oid = atttypid
    WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
"""
_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename"
_COLUMNS = """
    SELECT attname, typname = 'bytea', coalesce(1 + array_position(CAST(indkey AS SMALLINT[]), attnum), 0)
    FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid LEFT JOIN pg_index ON indrelid = attrelid AND indisprimary
    WHERE attrelid = to_regclass(?) AND attnum > 0 AND NOT attisdropped ORDER BY attnum
"""
"""`information_schema` says the same, and takes longer the more tables a server has."""
_TRIGGERS = """
    SELECT tgname, relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
    WHERE relnamespace = current_schema()::regnamespace AND NOT tgisinternal AND tgname = ANY (?) ORDER BY tgname
"""
_WRITES = ("INSERT", "UPDATE", "DELETE")
_REMEMBERED = ("INSERT", "UPDATE")
"""What is sent with the commit; a deletion goes at once, for its number of rows is nearly always asked for."""
_ALLOW = b"SELECT set_config('cardroom.allowed', %s, true)"
_FENCE = b"SELECT 1 / count(*) FROM (SELECT 1 FROM owner WHERE epoch = %s FOR KEY SHARE) AS mine"
"""Fails where another process has taken over: no row is left to divide by. It makes whoever would take over wait for a commit under way."""


class Statement(NamedTuple):
    """A statement as psycopg takes it.

    Attributes:
        writes: whether it changes rows.
        can_wait: whether it can be remembered for the commit.
    """

    text: bytes
    writes: bool
    can_wait: bool


@lru_cache(maxsize=2_000)
def statement_of(sql: str) -> Statement:
    """Return a statement of the store for psycopg: ``?`` and ``:name`` become ``%s`` and ``%(name)s``."""
    text = _translated(sql)
    verb = text.split(None, 1)[0].upper()
    return Statement(text.encode(), verb in _WRITES, verb in _REMEMBERED and "RETURNING" not in text)


class ManyRows(NamedTuple):
    """A statement that inserts many rows, a list for each column.

    Attributes:
        key: which of the columns must not hold the same twice in one statement.
    """

    text: bytes
    key: tuple[int, ...]

    def parts(self, rows: list[Any]) -> list[list[Any]]:
        """Return rows so that no part has a key twice. The order of those with the same key stays."""
        if not self.key:
            return [rows]
        parts: list[list[Any]] = []
        seen: dict[tuple[Any, ...], int] = {}
        for row in rows:
            key = tuple([row[at] for at in self.key])
            part = seen[key] = seen.get(key, -1) + 1
            if part == len(parts):
                parts.append([])
            parts[part].append(row)
        return parts


def _translated(statement: str) -> str:
    parts = _PARTS.split(statement)
    for at in range(0, len(parts), 2):  # those between are texts and comments
        part = _HINT.sub("", parts[at]).replace("temp.", "pg_temp.").replace("%", "%%").replace("?", "%s")
        parts[at] = _NAMED.sub(r"%(\1)s", part)
    for at in range(1, len(parts), 2):
        parts[at] = "" if parts[at].startswith("--") else parts[at].replace("%", "%%")
    return "".join(parts).strip()


class Answer:
    """The rows of a statement that was sent, or of one that is still remembered: then it is sent when somebody asks."""

    def __init__(self, db: "PostgresDatabase", cursor: "psycopg.Cursor[Any] | None") -> None:
        self._db, self._cursor = db, cursor

    def _sent(self) -> "psycopg.Cursor[Any]":
        if self._cursor is None:
            self._db.send(self)
        assert self._cursor is not None
        return self._cursor

    def came(self, cursor: "psycopg.Cursor[Any]") -> None:
        """The statement has been sent."""
        self._cursor = cursor

    @property
    def rowcount(self) -> int:
        return self._sent().rowcount

    def fetchone(self) -> Any:
        cursor = self._sent()
        return cursor.fetchone() if cursor.description is not None else None

    def fetchall(self) -> list[Any]:
        cursor = self._sent()
        return cursor.fetchall() if cursor.description is not None else []

    def __iter__(self) -> Iterator[Any]:
        return iter(self.fetchall())


class PostgresDatabase:
    """A connection, used by one thread. One that is lost is made anew with the next statement that begins something.

    Args:
        connect: returns a connection that commits by itself, and whose schema is the one that the store's tables are in.
        epoch: what the writing connection's process was given when it took the tables over; None for a connection that only reads.

    Attributes:
        trips: how often the server was waited for.
    """

    is_far = True

    def __init__(self, connect: "Callable[[], psycopg.Connection[Any]]", epoch: int | None = None) -> None:
        self._connect, self._epoch = connect, epoch
        self._opened: psycopg.Connection[Any] | None = None
        self._begun: str = ""
        self._is_sent = False
        self._waiting: list[tuple[bytes, Any, bool, Answer]] = []
        self._is_relaxed = False
        self._types: dict[tuple[str, str], str] = {}
        self._many: dict[str, ManyRows | None] = {}
        self.trips = 0

    @property
    def _connection(self) -> "psycopg.Connection[Any]":
        """The connection. A transaction that was begun on one that is lost cannot go on with another."""
        opened = self._opened
        if opened is None or opened.closed:
            if self._is_sent:
                raise ConnectionLost("the connection to the database is lost")
            opened = self._opened = self._connect()
        return opened

    @contextlib.contextmanager
    def _failures(self) -> Iterator[None]:
        """Raise what psycopg raises as a failure of a database."""
        try:
            yield
        except psycopg.errors.DivisionByZero as error:
            raise DatabaseFailed("another process has taken the data over") from error
        except psycopg.errors.UniqueViolation as error:
            raise KeyTaken(str(error).strip()) from error
        except psycopg.Error as error:
            lost = self._opened is None or self._opened.closed
            raise (ConnectionLost if lost else DatabaseFailed)(str(error).strip()) from error

    def open(self) -> None:
        """Connect, if it is not connected, and learn what is written in each column."""
        with self._failures():
            _ = self._connection
        if self._epoch is not None:
            self._learn_types()

    def _learn_types(self) -> None:
        if not self._types:
            self._types = {(table, column): kind for table, column, kind in self.execute(_TYPES)}

    def close(self) -> None:
        """Close the connection."""
        if self._opened is not None:
            self._opened.close()

    def break_off(self) -> None:
        """Break off, from another thread, what is being carried out."""
        if self._opened is not None and not self._opened.closed:
            with contextlib.suppress(psycopg.Error):
                self._opened.cancel_safe(timeout=2.0)

    # statements

    def execute(self, sql: str, parameters: Parameters = (), /) -> Answer:
        """Carry out one statement, or remember it for the commit."""
        statement, values = statement_of(sql), parameters or None
        if self._begun == "writing":
            if statement.can_wait:
                return self._remember(statement.text, values)
            if statement.writes or self._waiting:
                self._send_waiting()
        self.trips += 1
        with self._failures():
            return Answer(self, self._connection.execute(statement.text, values))

    def executemany(self, sql: str, parameters: Iterable[Parameters], /) -> Answer:
        """Carry out one statement for each of several rows, or remember them for the commit."""
        statement, rows = statement_of(sql), list(parameters)
        if self._begun == "writing":
            if statement.can_wait:
                many = self._many_rows(sql) if len(rows) > 1 else None
                if many is not None:
                    for part in many.parts(rows):
                        answer = self._remember(many.text, [list(column) for column in zip(*part, strict=True)])
                    return answer
                return self._remember(statement.text, rows, several=True)
            self._send_waiting()
        self.trips += 1
        with self._failures():
            cursor = self._connection.cursor()
            cursor.executemany(statement.text, rows)
        return Answer(self, cursor)

    def _many_rows(self, sql: str) -> ManyRows | None:
        """Return a statement that inserts many rows at once; None if this one cannot be made so."""
        try:
            return self._many[sql]
        except KeyError:
            pass
        many, found = None, _MANY.fullmatch(sql.rstrip())
        if found is not None and self._types:
            columns = [column.strip().strip('"') for column in found["columns"].split(",")]
            lists = ", ".join([f"%s::{self._types[found['table'], column]}[]" for column in columns])
            key = [column.strip().strip('"') for column in (found["key"] or "").split(",") if column]
            text = f"INSERT INTO {found['table']} ({found['columns']}) SELECT * FROM unnest({lists}) {found['rest']}"
            many = ManyRows(text.encode(), tuple([columns.index(column) for column in key]))
        self._many[sql] = many
        return many

    def _remember(self, text: bytes, values: Any, *, several: bool = False) -> Answer:
        answer = Answer(self, None)
        self._waiting.append((text, values, several, answer))
        return answer

    def send(self, _answer: Answer) -> None:
        """Send what is remembered: somebody asks what came of it."""
        self._send_waiting()

    def _send_waiting(self, *, commits: bool = False) -> None:
        waiting, self._waiting = self._waiting, []
        if self._is_sent and not waiting and not commits:
            return
        self.trips += 1
        with self._failures():
            connection = self._connection
            with connection.pipeline():
                if not self._is_sent:
                    self._is_sent = True
                    connection.execute("BEGIN")
                    if self._epoch is not None:
                        connection.execute(_FENCE, (self._epoch,))
                    if self._is_relaxed:
                        connection.execute("SET LOCAL synchronous_commit = off")
                for text, values, several, answer in waiting:
                    cursor = connection.cursor()
                    if several:
                        cursor.executemany(text, values)
                    else:
                        cursor.execute(text, values)
                    answer.came(cursor)
                if commits:
                    connection.execute("COMMIT")

    # transactions

    @property
    def in_transaction(self) -> bool:
        return bool(self._begun)

    def begin(self) -> None:
        """Begin a transaction that writes. Until something has to be sent, reads go without it: only the owner writes."""
        self._begun, self._is_sent = "writing", False

    def begin_reading(self) -> None:
        """Begin a transaction in which all reads see one state."""
        try:
            self._begin_reading()
        except ConnectionLost:  # while nobody read: nothing is lost by it
            self._begin_reading()
        self._begun, self._is_sent = "reading", True

    def _begin_reading(self) -> None:
        self.trips += 1
        with self._failures():
            self._connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")

    def commit(self) -> None:
        """End a transaction. What is remembered goes with it, in one pipeline."""
        if self._begun == "reading":
            self.rollback()  # which costs as much, and needs no connection that is lost meanwhile
        elif self._waiting or self._is_sent:
            self._send_waiting(commits=True)
        self._begun, self._is_sent = "", False

    def rollback(self) -> None:
        """End a transaction, if one is open: what is remembered is forgotten."""
        self._waiting = []
        begun, self._begun = self._begun, ""
        sent, self._is_sent = self._is_sent, False
        if begun and sent and self._opened is not None and not self._opened.closed:
            self.trips += 1
            with self._failures():
                self._opened.execute("ROLLBACK")

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Run a block in one transaction that writes. If the block or its commit fails, nothing of it is kept."""
        self.rollback()
        try:
            self.begin()
            yield
            self.commit()
        finally:
            self.rollback()

    # what lasts for a block

    @contextlib.contextmanager
    def allowing(self, what: Iterable[tuple[str, int, int]]) -> Iterator[None]:
        """Let the triggers of the schema pass exactly these changes, in a block within a transaction."""
        self._remember(_ALLOW, ("".join([f";{name}:{first}:{second};" for name, first, second in what]),))
        yield
        self._remember(_ALLOW, ("",))  # after a failure nothing of the transaction is kept anyway

    @contextlib.contextmanager
    def without_triggers(self, names: Iterable[str]) -> Iterator[frozenset[str]]:
        """Do without some triggers in a block within a transaction. Yields those of them that are there."""
        found = self.execute(_TRIGGERS, (list(names),)).fetchall()
        self.make([f"ALTER TABLE {table} DISABLE TRIGGER {name}" for name, table in found])
        yield frozenset([name for name, _ in found])
        self.make([f"ALTER TABLE {table} ENABLE TRIGGER {name}" for name, table in found])

    @contextlib.contextmanager
    def relaxed(self) -> Iterator[None]:
        """Commit in a block without waiting until it is on the disk."""
        self._is_relaxed = True
        try:
            yield
        finally:
            self._is_relaxed = False

    @contextlib.contextmanager
    def erasing(self) -> Iterator[None]:
        """Nothing to do: what is deleted is gone once the server has cleaned up."""
        yield

    @contextlib.contextmanager
    def without_keys(self) -> Iterator[None]:
        """Nothing to do: references are found by an index."""
        yield

    @contextlib.contextmanager
    def writing_temporary(self) -> Iterator[None]:
        """Nothing to do: whoever only reads can have temporary tables."""
        yield

    # what only this engine has

    def require_owner(self, epoch: int, schema: str = "") -> None:
        """Check before the commit of a long transaction that no other process has taken over. Until its end nobody can.

        A connection with an epoch does so when a transaction begins, so that nobody could take over for as long as that goes on.

        Args:
            schema: whose; "" for that of the connection.

        Raises:
            DatabaseFailed: another process has.
        """
        fence = _FENCE.replace(b"FROM owner", f'FROM "{schema}".owner'.encode()) if schema else _FENCE
        with self._failures():
            self._connection.execute(fence, (epoch,))

    def make(self, statements: Iterable[str]) -> None:
        """Carry out statements that are written for this engine, as they are."""
        if self._begun == "writing":
            self._send_waiting()
        self.trips += 1
        with self._failures():
            connection = self._connection
            with connection.pipeline():
                for statement in statements:
                    connection.execute(statement.encode())

    # many rows

    def add_rows(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        """Add many rows, all as they are, within a transaction that writes."""
        self._learn_types()
        names = ", ".join([f'"{column}"' for column in columns])
        if self._begun == "writing":
            self._send_waiting()
        self.trips += 1
        statement = f'COPY "{table}" ({names}) FROM STDIN (FORMAT BINARY)'.encode()
        with self._failures(), self._connection.cursor() as cursor, cursor.copy(statement) as copy:
            copy.set_types([self._types[table, column] for column in columns])
            for row in rows:
                copy.write_row(row)

    def number_after(self, table: str, largest: int) -> None:
        """Let the database number the next row of a table with more than this, and than what it has."""
        (sequence,) = self.execute("SELECT pg_get_serial_sequence(?, 'id')", (table,)).fetchone()
        if sequence is not None:
            self.execute(
                f'SELECT setval(?, greatest(?, (SELECT max(id) FROM "{table}")))', (sequence, largest)
            ).fetchone()

    def last_number(self, table: str) -> int:
        """Return the last number that the database has given to a row of a table, or was told not to give; 0 if it remembers none."""
        last = "pg_sequence_last_value(to_regclass(pg_get_serial_sequence(?, 'id')))"
        return int(self.execute(f"SELECT coalesce({last}, 0)", (table,)).fetchone()[0])

    # the rest

    def numbers(self, name: str) -> str:
        """Return a SELECT of the numbers that a named parameter holds, as a list in JSON."""
        return f"SELECT CAST(value AS BIGINT) FROM json_array_elements_text(CAST(:{name} AS JSON)) AS list (value)"

    def merge_log(self, *, waits: bool, longer_than: int = 0) -> None:
        """Nothing to do: the server does it."""

    def tables(self) -> tuple[str, ...]:
        """Return the names of all tables, in their order."""
        return tuple([name for (name,) in self.execute(_TABLES)])

    def columns(self, table: str) -> tuple[Column, ...]:
        """Return the columns of a table."""
        return tuple([Column(*found) for found in self.execute(_COLUMNS, (table,))])

    def broken_references(self) -> Iterator[str]:
        """Yield nothing: the server lets no reference be broken."""
        yield from ()
