"""A store in PostgreSQL: a schema holds what a data file holds, and one process at a time owns it (`ownership.py`)."""

import asyncio
import contextlib
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import psycopg

from bot.allowances import WORK, counted
from bot.runtime.store_errors import StoreUnusable
from bot.store import queries
from bot.store.database import ConnectionLost, Database, DatabaseFailed
from bot.store.engine import Connections
from bot.store.migrate import Migration, migrations
from bot.store.newest_cause import NewestCause, notice_rollback
from bot.store.postgres.connecting import WRITER_IDLE_MS, connect, require_usable, unreachable
from bot.store.postgres.database import PostgresDatabase
from bot.store.postgres.ownership import LEASE_SECONDS, Ownership, end_writers, writer_name
from bot.store.postgres.schema import schema_statements
from bot.store.slots import ALL_SERVERS, ServerSlot, slot_of

T = TypeVar("T")

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


def end_process() -> None:
    """End this process as it is: another one may own what it would write to."""
    os._exit(1)


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
        self._address, self._schema, self._lease, self._slot = address, schema, lease, slot
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
            await readers[0].run_in_thread(partial(_require_own_servers, self.name, self._slot))
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
            self._bring_up_to_date(connection)

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

    def _bring_up_to_date(self, connection: "psycopg.Connection[Any]") -> None:
        """Make the tables of a new schema; refuse those that another version has made."""
        steps = migrations()
        if connection.execute("SELECT to_regclass('migration') IS NULL").fetchone() == (True,):
            now = int(time.time() * 1000)
            with connection.transaction(), connection.pipeline():
                for statement in schema_statements(steps):
                    connection.execute(statement.encode())
                connection.cursor().executemany(
                    "INSERT INTO migration (number, name, sha256, applied_at) VALUES (%s, %s, %s, %s)",
                    [(step.number, step.name, step.sha256, now) for step in steps],
                )
            return
        require_known_tables(connection, self._schema, steps)


def connect_owner(address: str, schema: str) -> "psycopg.Connection[Any]":
    """Return a connection for what an owner does beside its writing.

    Raises:
        StoreFailed: the server is too old, or has another clock.
        psycopg.Error.
    """
    opened = connect(address, schema, f"cardroom owner {schema}", idle_ms=WRITER_IDLE_MS)
    try:
        require_usable(opened)
    except BaseException:
        opened.close()
        raise
    return opened


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


def require_known_tables(connection: "psycopg.Connection[Any]", schema: str, steps: Sequence[Migration]) -> None:
    """Refuse tables that another version has made.

    Raises:
        StoreUnusable: it says which, and what to do.
    """
    known = {step.number: step for step in steps}
    done = connection.execute("SELECT number, name, sha256 FROM migration ORDER BY number").fetchall()
    where = f"schema {schema} of the database"
    for number, name, sha256 in done:
        if number not in known:
            raise StoreUnusable(f"{where} was written by a newer version ({name}); update the program to open it")
        if known[number].sha256 != sha256:
            raise StoreUnusable(f"migration {name} differs from the one that made {where}; use an unchanged program")
    if len(done) < len(steps):
        raise StoreUnusable(f"{where} was written by an older version, which this one cannot bring up to date")
