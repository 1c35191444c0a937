"""A store in PostgreSQL: a schema holds what a data file holds, and one process at a time owns it (`ownership.py`)."""

import asyncio
import contextlib
import logging
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import psycopg

from bot.allowances import WORK, counted
from bot.runtime.store_errors import StoreFailed, StoreUnusable
from bot.store import queries
from bot.store.copies import write_file
from bot.store.copy_rows import CopyFailed, copied_tables
from bot.store.database import ConnectionLost, Database, DatabaseFailed
from bot.store.engine import Connections
from bot.store.migrate import STEPS_HAD, Migration, goes_with, migrations, steps_had
from bot.store.moved import require_here
from bot.store.newest_cause import NewestCause, notice_rollback
from bot.store.postgres.connecting import COPY_SILENCE_MS, WRITER_IDLE_MS, connect, connect_owner, unreachable
from bot.store.postgres.data import PostgresData
from bot.store.postgres.database import PostgresDatabase
from bot.store.postgres.ownership import LEASE_SECONDS, Ownership, end_process, end_writers, writer_name
from bot.store.postgres.schema import schema_text
from bot.store.postgres.upgrade import apply_to_schema
from bot.store.slots import ALL_SERVERS, ServerSlot, slot_of

T = TypeVar("T")
log = logging.getLogger(__name__)

CONNECT_AGAIN_SECONDS = 0.1
"""So often a lost writing connection is made anew, until the ownership is lost."""


class PostgresConnection:
    """A connection to PostgreSQL on a thread of its own."""

    def __init__(self, name: str, db: PostgresDatabase) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._db = db

    @property
    def trips(self) -> int:
        """How often the server was waited for."""
        return self._db.trips

    async def open(self) -> None:
        """Connect."""
        await self._run(self._db.open)

    async def run_in_thread(self, work: Callable[[Database], T]) -> T:
        """Run `work` on the connection's thread, with nothing else in between. A caller who is cancelled does not stop it."""
        return await self._run(partial(work if WORK.get() is None else counted(work), self._db))

    async def _run(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def interrupt(self) -> None:
        """Break off what is being read."""
        await asyncio.to_thread(self._db.break_off)

    async def close(self) -> None:
        """Close, after what has been handed over."""
        await self._run(self._db.close)
        self._thread.shutdown(wait=False)

    async def break_off(self) -> None:
        """Close, and break off whatever is being read."""
        await self.interrupt()
        await self.close()


class PostgresEngine:
    """A schema of a PostgreSQL database, which one process owns.

    Args:
        address: as ``postgresql://…``.
        schema: its name. It is made where it is missing.
        folder: where this machine remembers how far it was written, so that an older copy in its place is noticed.
        lease, lost: see `Ownership`.
        slot: which servers it has.
        owned: that this process owns it already; None if it has to be taken over.
    """

    def __init__(
        self,
        address: str,
        schema: str,
        folder: Path,
        *,
        lease: float = LEASE_SECONDS,
        lost: Callable[[], None] = end_process,
        slot: ServerSlot = ALL_SERVERS,
        owned: Ownership | None = None,
    ) -> None:
        self.name = f"schema {schema} of the database"
        self.lost_changes = 0
        self._address, self._schema, self._folder, self._lease = address, schema, folder, lease
        self._slot = slot
        self._ownership = owned or Ownership(partial(connect_owner, address, schema), schema, lease, lost)
        self._newest_cause = NewestCause(folder / schema)
        self._opened: list[PostgresConnection] = []
        self._trips = 0

    async def open(self) -> Connections:
        """Take the schema over, bring it up to date and connect. Errors as in `bot.store.engine.Engine.open`."""
        try:
            await asyncio.to_thread(self._take_over)
            writing = PostgresConnection("store-writer", PostgresDatabase(self._connect_writer, self._ownership.epoch))
            readers = [
                PostgresConnection(name, PostgresDatabase(partial(connect, self._address, self._schema, name)))
                for name in ("cardroom reader", "cardroom long reader")
            ]
            self._opened += [writing, *readers]
            for connection in (writing, readers[0]):  # the other one connects when it is needed
                await connection.open()
            await writing.run_in_thread(partial(require_here, name=self.name))
            await readers[0].run_in_thread(partial(_require_own_servers, self.name, self._slot))
            if self._slot.first_id:
                await writing.run_in_thread(partial(_number_after, self._slot.first_id))
            self.lost_changes = await writing.run_in_thread(partial(notice_rollback, self._newest_cause, self.name))
        except BaseException as error:
            await self.close()
            if isinstance(error, psycopg.Error | DatabaseFailed):
                raise unreachable(error) from error
            raise
        return Connections(*self._opened)

    async def close(self) -> None:
        """Close the connections, the writing one last, and let others take over at once."""
        opened, self._opened = self._opened, []
        for reading in opened[1:]:
            await reading.break_off()
        for writing in opened[:1]:
            await writing.close()
            self._trips += writing.trips
        self._newest_cause.close()
        await asyncio.to_thread(self._ownership.give_up)

    @property
    def trips(self) -> int:
        """How often the writing connection has waited for the server."""
        return self._trips + (self._opened[0].trips if self._opened else 0)

    def note_saved(self, cause: int) -> None:
        """Remember in the folder how far it was written."""
        self._newest_cause.write(cause)

    @property
    def ownership(self) -> Ownership:
        """That this process owns it."""
        return self._ownership

    def _take_over(self) -> None:
        if not self._ownership.epoch:
            self._ownership.take()
            self._ownership.keep()
        with contextlib.closing(connect_owner(self._address, self._schema)) as connection:
            missing = self._missing_steps(connection)
        if missing:
            self._bring_up_to_date(missing)

    def _connect_writer(self) -> "psycopg.Connection[Any]":
        """Return a writing connection, once nothing that an earlier one had under way can still come true.

        Raises:
            ConnectionLost: the server cannot be reached for so long that the ownership is lost.
            DatabaseFailed: another process has taken over.
        """
        epoch, give_up_at = self._ownership.epoch, time.monotonic() + self._lease
        while True:
            try:
                opened = connect(self._address, self._schema, writer_name(self._schema, epoch), idle_ms=WRITER_IDLE_MS)
                end_writers(opened, self._schema, epoch)
                mine = opened.execute("SELECT 1 FROM owner WHERE epoch = %s FOR UPDATE", (epoch,)).fetchone()
            except psycopg.OperationalError as error:
                if time.monotonic() > give_up_at:
                    raise ConnectionLost(str(error).strip()) from error
                time.sleep(CONNECT_AGAIN_SECONDS)
            else:
                if mine is None:
                    opened.close()
                    raise DatabaseFailed("another process has taken the data over")
                return opened

    def _missing_steps(self, connection: "psycopg.Connection[Any]") -> tuple[Migration, ...]:
        """Return the migrations that the tables lack. A new schema gets its tables, and lacks none."""
        steps = migrations()
        if connection.execute("SELECT to_regclass('migration') IS NULL").fetchone() == (True,):
            now, text = int(time.time() * 1000), schema_text(steps)
            with connection.transaction(), connection.pipeline():
                for statement in (*text.tables, *text.rest):
                    connection.execute(statement.encode())
                connection.cursor().executemany(
                    "INSERT INTO migration (number, name, sha256, applied_at) VALUES (%s, %s, %s, %s)",
                    [(step.number, step.name, step.sha256, now) for step in steps],
                )
            return ()
        rows = connection.execute(STEPS_HAD).fetchall()
        had = steps_had(rows, self.name, steps, beside_newer=True)
        if len(rows) > len(had):
            log.warning("tables_of_newer_version", extra={"file": self.name, "format": rows[-1][0]})
        return steps[len(had) :]

    def _bring_up_to_date(self, missing: tuple[Migration, ...]) -> None:
        """Apply what tables of an older version lack.

        They are copied first to a file beside the small ones of this machine, unless that version can go on with them as they will be:
        people wait meanwhile, and the way back is that version.
        """
        steps = migrations()
        if any(goes_with(step.name) >= missing[0].number for step in missing):
            self._copy_aside(self._folder / f"{self._schema}.before-{missing[0].number:04}")
        with contextlib.closing(PostgresDatabase(self._connect_upgrader)) as db:
            for step in missing:
                apply_to_schema(db, self.name, steps[: steps.index(step)], step, self._ownership.epoch)
        log.info("schema_migrated", extra={"file": self.name, "migrations": [step.name for step in missing]})

    def _copy_aside(self, to: Path) -> None:
        try:
            write_file(PostgresData(self._address, self._schema), to)
        except (OSError, sqlite3.Error, CopyFailed) as error:
            raise StoreFailed(reason=f"{to} cannot be written: {error}. Nothing has changed.") from error

    def _connect_upgrader(self) -> "psycopg.Connection[Any]":
        name = writer_name(self._schema, self._ownership.epoch)  # whoever takes over ends it
        return connect(self._address, self._schema, name, idle_ms=0, silence_ms=COPY_SILENCE_MS)


def _number_after(first: int, db: Database) -> None:
    """Let what the database numbers in a slot have numbers of that slot alone."""
    for table in copied_tables(migrations()):
        if table.is_numbered and db.last_number(table.name) < first:
            db.number_after(table.name, first)


def _require_own_servers(name: str, slot: ServerSlot, db: Database) -> None:
    """Refuse data of servers of other slots: two dealers would deal to them, each with half of their chips.

    Raises:
        StoreUnusable: it says which server.
    """
    for guild in queries.guilds(db) if slot.count > 1 else ():
        if not slot.has(guild):
            raise StoreUnusable(
                f"{name} is slot {slot.number} of {slot.count}, and holds the chips of server {guild}, which belongs to slot "
                f"{slot_of(guild, slot.count)}. Put the data back as it was before somebody moved it. Nothing has changed."
            )
