"""A schema of a database as what data is moved, copied and put back into: a `bot.store.home.DataHome`."""

import contextlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import psycopg
from psycopg.conninfo import conninfo_to_dict

from bot.runtime.store_errors import StoreFailed
from bot.store.backup import DataCheck, check_contents
from bot.store.database import DatabaseFailed
from bot.store.migrate import Migration
from bot.store.newest_cause import NewestCause
from bot.store.postgres.connecting import COPY_SILENCE_MS, connect, connect_owner
from bot.store.postgres.data import PostgresData
from bot.store.postgres.database import PostgresDatabase
from bot.store.postgres.ownership import Ownership, end_process, writer_name
from bot.store.postgres.schema import schema_text

LEASE_SECONDS = 20.0
"""A move that was killed keeps others out for so long. It loads the server and this machine, so renewing can take its time."""
_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = ? AND tablename <> 'owner' ORDER BY tablename"
_FUNCTIONS = """
    SELECT format('%I(%s)', proname, pg_get_function_identity_arguments(oid)) FROM pg_proc WHERE pronamespace = to_regnamespace(?)
"""


class SchemaHome:
    """A schema. One that nobody else knows of can be filled without being owned.

    Args:
        address: as ``postgresql://…``.
        folder: where a dealer of this machine remembers how far it was written.
        lease, lost: see `Ownership`.
    """

    def __init__(
        self,
        address: str,
        schema: str,
        folder: Path,
        *,
        lease: float = LEASE_SECONDS,
        lost: Callable[[], None] = end_process,
    ) -> None:
        self._address, self._schema, self._folder = address, schema, folder
        self._lease, self._lost = lease, lost
        self._epoch = 0

    @property
    def name(self) -> str:
        found = conninfo_to_dict(self._address)
        return f"schema {self._schema} of the database {found.get('dbname', '')} at {found.get('host', 'this machine')}"

    @contextlib.contextmanager
    def owned(self) -> Iterator[None]:
        ownership = Ownership(
            partial(connect_owner, self._address, self._schema), self._schema, self._lease, self._lost
        )
        try:
            ownership.take()
            ownership.keep()
            self._epoch = ownership.epoch
            yield
        except (psycopg.Error, DatabaseFailed) as error:
            first, *_ = str(error).strip().splitlines() or ["no answer"]
            raise StoreFailed(reason=f"{self.name} cannot be used: {first}. What was there is still there.") from error
        finally:
            ownership.give_up()

    def is_there(self) -> bool:
        with self.reading() as db:
            return "migration" in db.tables()

    def bring_up_to_date(self) -> None:
        """Nothing to do."""

    def check(self) -> DataCheck:
        with contextlib.closing(PostgresData(self._address, self._schema).connect_to_audit()) as db:
            return check_contents(db)

    @contextlib.contextmanager
    def reading(self) -> Iterator[PostgresDatabase]:
        with contextlib.closing(PostgresData(self._address, self._schema).connect_to_copy()) as db:
            yield db

    @contextlib.contextmanager
    def writing(self) -> Iterator[PostgresDatabase]:
        with contextlib.closing(self._writer()) as db, db.transaction():
            yield db
            if self._epoch:
                db.require_owner(self._epoch)

    @contextlib.contextmanager
    def filling(self, steps: tuple[Migration, ...], aside: str) -> Iterator[PostgresDatabase]:
        text = schema_text(steps)
        with contextlib.closing(self._writer()) as db, db.transaction():
            self._clear(db, aside)
            db.make(text.tables)
            yield db
            db.make(text.rest)
            # or the first questions would be answered the long way round
            db.make([f"ANALYZE {', '.join(db.tables())}"])
            if self._epoch:
                db.require_owner(self._epoch)
        NewestCause(self._folder / self._schema).forget()

    def aside(self, ending: str) -> str:
        return f"schema {self._name_aside(ending)}"

    def _name_aside(self, ending: str) -> str:
        return self._schema + ending.replace(".", "_").replace("-", "_")

    @property
    def epoch(self) -> int:
        """What this process has been given when it took the schema over; 0 if it does not own it."""
        return self._epoch

    def _clear(self, db: PostgresDatabase, aside: str) -> None:
        """Move the tables and functions that are there into a schema of their own; with no name for it they go. The owner stays."""
        if aside:
            move_tables(db, self._schema, self._name_aside(aside))
            return
        tables, functions = tables_and_functions(db, self._schema)
        db.make([f'DROP TABLE "{name}" CASCADE' for name in tables])
        db.make([f"DROP FUNCTION {name}" for name in functions])

    def _writer(self) -> PostgresDatabase:
        name = writer_name(self._schema, self._epoch)
        return PostgresDatabase(
            partial(connect, self._address, self._schema, name, idle_ms=0, silence_ms=COPY_SILENCE_MS)
        )


def tables_and_functions(db: PostgresDatabase, schema: str) -> tuple[list[str], list[str]]:
    """Return the tables of a schema but for its owner's, and its functions with their arguments."""
    tables = [name for (name,) in db.execute(_TABLES, (schema,))]
    return tables, [name for (name,) in db.execute(_FUNCTIONS, (f'"{schema}"',))]


def move_tables(db: PostgresDatabase, schema: str, to: str) -> None:
    """Move all tables and functions of a schema into another one, which is made where it is missing. The owners stay."""
    tables, functions = tables_and_functions(db, schema)
    if not tables:
        return
    db.make([f'CREATE SCHEMA IF NOT EXISTS "{to}"'])
    db.make([f'ALTER TABLE "{schema}"."{name}" SET SCHEMA "{to}"' for name in tables])
    db.make([f'ALTER FUNCTION "{schema}".{name} SET SCHEMA "{to}"' for name in functions])
