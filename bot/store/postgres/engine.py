"""A store in PostgreSQL: a schema holds what a data file holds, and one process at a time owns it.

Ownership is a row with a time of the database's clock. Whoever takes it over gets the next epoch, which every transaction that writes checks:
a former owner that comes back writes nothing.
"""

import asyncio
import contextlib
import logging
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

import psycopg
from psycopg.adapt import Dumper, Loader
from psycopg.types.numeric import Int8BinaryDumper, Int8Dumper

from bot.allowances import WORK, counted
from bot.runtime.store_errors import StoreFailed, StoreInUse, StoreUnusable
from bot.store.database import Database
from bot.store.engine import Connections
from bot.store.migrate import migrations
from bot.store.postgres.database import PostgresDatabase
from bot.store.postgres.schema import schema_statements

T = TypeVar("T")
log = logging.getLogger(__name__)

LEASE_SECONDS = 3.0
"""A process that has not renewed its ownership for so long has lost it."""
WRITER = "cardroom writer {schema} {epoch}"
"""What the writing connection calls itself. Whoever takes over ends the former owner's by this name: a batch that was sent by half
holds its locks for longer than any time limit of the server."""
_OWNER = """
    CREATE TABLE IF NOT EXISTS owner (
        one INTEGER PRIMARY KEY CHECK (one = 1), epoch BIGINT NOT NULL, holder TEXT NOT NULL, until TIMESTAMPTZ NOT NULL
    )
"""
_TAKE = """
    UPDATE owner SET epoch = epoch + 1, holder = %s, until = clock_timestamp() + %s * interval '1 s'
    WHERE until < clock_timestamp() RETURNING epoch
"""
_RENEW = "UPDATE owner SET until = clock_timestamp() + %s * interval '1 s' WHERE epoch = %s RETURNING 1"


class _WholeNumber(Loader):
    """`sum` of whole numbers is a whole number in SQLite; PostgreSQL calls it numeric."""

    def load(self, data: Any) -> int | float:
        text = bytes(data).decode()
        return float(text) if "." in text else int(text)


def _connect(address: str, schema: str, name: str) -> "psycopg.Connection[Any]":
    opened = psycopg.connect(
        address,
        autocommit=True,
        prepare_threshold=2,
        connect_timeout=5,
        application_name=name,
        options=f"-c search_path={schema} -c idle_in_transaction_session_timeout=2000 -c client_min_messages=warning",
    )
    numbers: list[type[Dumper]] = [Int8Dumper, Int8BinaryDumper]
    for dumper in numbers:  # of one type always, or a statement would be prepared several times
        opened.adapters.register_dumper(int, dumper)
    opened.adapters.register_loader("numeric", _WholeNumber)
    return opened


class PostgresConnection:
    """A connection to PostgreSQL on a thread of its own."""

    def __init__(self, name: str) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._connection: psycopg.Connection[Any] | None = None
        self._db: PostgresDatabase | None = None

    async def open(self, connect: Callable[[], "psycopg.Connection[Any]"], epoch: int | None = None) -> None:
        """Connect. `epoch`: what its transactions check."""

        def connect_in_thread() -> None:
            self._connection = connect()
            self._db = PostgresDatabase(self._connection, epoch)

        await self._run(connect_in_thread)

    async def run_in_thread(self, work: Callable[[Database], T]) -> T:
        """Run `work` on the connection's thread, with nothing else in between. A caller who is cancelled does not stop it."""
        assert self._db is not None, "it is not open"
        return await self._run(partial(work if WORK.get() is None else counted(work), self._db))

    async def _run(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def interrupt(self) -> None:
        """Break off what is being read."""
        if self._connection is not None:
            with contextlib.suppress(psycopg.Error):
                await asyncio.to_thread(self._connection.cancel_safe, timeout=2.0)

    async def close(self) -> None:
        """Close, after what has been handed over."""
        if self._connection is not None:
            await self._run(self._connection.close)
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
        lost: called in a thread when another process has taken over, or may have; it must end this process.
    """

    def __init__(
        self, address: str, schema: str, *, lease: float = LEASE_SECONDS, lost: Callable[[], None] = lambda: os._exit(1)
    ) -> None:
        self.name = f"schema {schema} of the database"
        self.lost_changes = 0
        self._address, self._schema, self._lease, self._lost = address, schema, lease, lost
        self._opened: list[PostgresConnection] = []
        self._owning: psycopg.Connection[Any] | None = None
        self._epoch = 0
        self._ending = threading.Event()
        self._renewing: threading.Thread | None = None

    async def open(self) -> Connections:
        """Take the schema over, bring it up to date and connect. Errors as in `bot.store.engine.Engine.open`."""
        try:
            await asyncio.to_thread(self._take_over)
            names = (WRITER.format(schema=self._schema, epoch=self._epoch), "cardroom reader", "cardroom long reader")
            for name in names:
                opened = PostgresConnection(name)
                self._opened.append(opened)
                connect = partial(_connect, self._address, self._schema, name)
                await opened.open(connect, self._epoch if name == names[0] else None)
        except BaseException as error:
            await self.close()
            if isinstance(error, psycopg.Error):
                raise StoreFailed(reason=f"the database cannot be opened: {error}. Nothing has changed.") from error
            raise
        return Connections(*self._opened)

    async def close(self) -> None:
        """Close the connections, the writing one last, and let others take over at once."""
        opened, self._opened = self._opened, []
        for reading in opened[1:]:
            await reading.break_off()
        for writing in opened[:1]:
            await writing.close()
        await asyncio.to_thread(self._give_up)

    def note_saved(self, cause: int) -> None:
        """Nothing to do: a database that lost changes is noticed by its own means."""

    def _take_over(self) -> None:
        owning = self._owning = _connect(self._address, self._schema, f"cardroom owner {self._schema}")
        owning.execute(f'CREATE SCHEMA IF NOT EXISTS "{self._schema}"'.encode())
        owning.execute(_OWNER)
        owning.execute("INSERT INTO owner VALUES (1, 0, '', '-infinity') ON CONFLICT DO NOTHING")
        former = owning.execute("SELECT epoch FROM owner WHERE until < clock_timestamp()").fetchone()
        if former is None:
            raise StoreInUse(f"{self.name} is in use by another process; stop that one first")
        owning.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s",
            (WRITER.format(schema=self._schema, epoch=former[0]),),
        )
        taken = owning.execute(_TAKE, (f"process {os.getpid()}", self._lease)).fetchone()
        if taken is None:
            raise StoreInUse(f"{self.name} is in use by another process; stop that one first")
        self._epoch = taken[0]
        self._ending.clear()
        self._renewing = threading.Thread(target=self._renew, name="store-owner", daemon=True)
        self._renewing.start()
        self._bring_up_to_date(owning)

    def _bring_up_to_date(self, owning: "psycopg.Connection[Any]") -> None:
        steps = migrations()
        known = owning.execute("SELECT to_regclass('migration') IS NOT NULL").fetchone()
        if known == (True,):
            done = owning.execute("SELECT number, name, sha256 FROM migration ORDER BY number").fetchall()
            by_number = {step.number: step for step in steps}
            for number, name, sha256 in done:
                if number not in by_number:
                    raise StoreUnusable(
                        f"{self.name} was written by a newer version ({name}); update the program to open it"
                    )
                if by_number[number].sha256 != sha256:
                    raise StoreUnusable(
                        f"migration {name} differs from the one that made {self.name}; use an unchanged program"
                    )
            if len(done) < len(steps):
                raise StoreUnusable(f"{self.name} was written by an older version, which cannot be brought up to date")
            return
        now = int(time.time() * 1000)
        with owning.transaction(), owning.pipeline():
            for statement in schema_statements(steps):
                owning.execute(statement.encode())
            owning.cursor().executemany(
                "INSERT INTO migration (number, name, sha256, applied_at) VALUES (%s, %s, %s, %s)",
                [(step.number, step.name, step.sha256, now) for step in steps],
            )

    def _renew(self) -> None:
        """Renew the ownership three times a lease; end this process where that cannot be done."""
        renewed_at = time.monotonic()
        while not self._ending.wait(self._lease / 3):
            owning, began_at = self._owning, time.monotonic()
            try:
                kept = owning is not None and owning.execute(_RENEW, (self._lease, self._epoch)).fetchone() is not None
            except psycopg.Error as error:
                log.warning("ownership_not_renewed", extra={"error": str(error)})
                kept = time.monotonic() < renewed_at + self._lease
            else:
                renewed_at = began_at if kept else renewed_at
            if not kept and not self._ending.is_set():
                log.error("ownership_lost", extra={"schema": self._schema, "epoch": self._epoch})
                self._lost()
                return

    def _give_up(self) -> None:
        self._ending.set()
        renewing, self._renewing = self._renewing, None
        if renewing is not None:
            renewing.join()
        owning, self._owning = self._owning, None
        if owning is not None:
            with contextlib.suppress(psycopg.Error), owning:
                owning.execute("UPDATE owner SET until = clock_timestamp() WHERE epoch = %s", (self._epoch,))
