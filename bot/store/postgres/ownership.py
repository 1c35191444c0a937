"""Which process owns a schema: a row with a time of the database's clock.

Whoever takes it over gets the next epoch, which every transaction that writes checks: a former owner that comes back writes nothing. The
owner renews the time; one that cannot do so ends itself before anybody else can take over.
"""

import contextlib
import logging
import os
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

import psycopg

from bot.runtime.store_errors import StoreInUse
from bot.version import VERSION

log = logging.getLogger(__name__)

LEASE_SECONDS = 6.0
"""A process that has not renewed its ownership for so long has lost it. A server that is restarted is back by then, mostly."""
ASK_SECONDS = 0.1
_OWNER = """
    CREATE TABLE IF NOT EXISTS "{schema}".owner (
        one INTEGER PRIMARY KEY CHECK (one = 1), epoch BIGINT NOT NULL UNIQUE, holder TEXT NOT NULL, until TIMESTAMPTZ NOT NULL,
        since TIMESTAMPTZ, version TEXT NOT NULL DEFAULT '', take_overs BIGINT NOT NULL DEFAULT 0
    )
"""
"""The epoch is a key, so that a renewal does not wait for a transaction of the owner (`FOR KEY SHARE`), and a take-over does."""
_NOBODY = (
    """INSERT INTO "{schema}".owner (one, epoch, holder, until) VALUES (1, 0, '', '-infinity') ON CONFLICT DO NOTHING"""
)
_LOOK = "SELECT until < clock_timestamp(), epoch, holder, until::text FROM owner"
_TAKE = """
    UPDATE owner SET epoch = epoch + 1, holder = %s, until = clock_timestamp() + make_interval(secs => %s), since = clock_timestamp(),
        version = %s, take_overs = take_overs + CASE holder WHEN '' THEN 0 ELSE 1 END
    WHERE until < clock_timestamp() RETURNING epoch, extract(epoch FROM clock_timestamp())::float8
"""
_RENEW = """
    UPDATE owner SET until = least(clock_timestamp(), to_timestamp(%s)) + make_interval(secs => %s)
    WHERE epoch = %s RETURNING extract(epoch FROM clock_timestamp())::float8
"""
"""A renewal that was held up on the way counts from when it was sent: its owner may have ended since."""
_GIVE_UP = "UPDATE owner SET until = clock_timestamp(), holder = '' WHERE epoch = %s"
"""Whoever gives it up is no holder any more: a take-over is one from a holder that ended without a word."""
_END_WRITERS = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s AND pid <> pg_backend_pid()
"""
_WRITERS = "SELECT count(*) FROM pg_stat_activity WHERE application_name = %s AND pid <> pg_backend_pid()"


_MADE_MEANWHILE = (
    psycopg.errors.UniqueViolation,
    psycopg.errors.DuplicateSchema,
    psycopg.errors.DuplicateTable,
    psycopg.errors.DuplicateObject,
)
"""What PostgreSQL raises where two processes make the same thing in the same moment, ``IF NOT EXISTS`` or not."""


def writer_name(schema: str, epoch: int) -> str:
    """Return what the writing connection of an owner calls itself."""
    return f"cardroom writer {schema} {epoch}"


def end_writers(connection: "psycopg.Connection[Any]", schema: str, epoch: int) -> None:
    """End the writing connections of an owner, and wait until they are gone.

    A batch that was sent by half holds its locks for longer than any time limit of the server.
    """
    name = writer_name(schema, epoch)
    connection.execute(_END_WRITERS, (name,))
    while connection.execute(_WRITERS, (name,)).fetchone() != (0,):
        time.sleep(0.02)


def this_process() -> str:
    """Return how a process is named for people."""
    return f"process {os.getpid()} of {socket.gethostname()}"


def make_once(db: "psycopg.Connection[Any]", statement: str) -> None:
    """Carry out a statement with ``IF NOT EXISTS``, which another process may carry out in the same moment."""
    try:
        db.execute(statement.encode())
    except _MADE_MEANWHILE:
        db.execute(statement.encode())


def make_owned(db: "psycopg.Connection[Any]", schema: str) -> None:
    """Make a schema that one process at a time owns, if there is none, with nothing in it but the row of its owner."""
    if db.execute("SELECT to_regclass(%s) IS NULL", (f'"{schema}".owner',)).fetchone() == (True,):
        make_once(db, f'CREATE SCHEMA IF NOT EXISTS "{schema}"')
        make_once(db, _OWNER.format(schema=schema))
        db.execute(_NOBODY.format(schema=schema).encode())


def end_process() -> None:
    """End this process as it is: another one may own what it would write to."""
    os._exit(1)


class Ownership:
    """A schema that this process owns from `take` to `give_up`. From `keep` on it is renewed.

    Args:
        connect: returns a connection of its own.
        schema: its name. It is made where it is missing.
        lease: in seconds, see `LEASE_SECONDS`.
        lost: called in a thread when another process has taken over, or may have; it must end this process.
    """

    def __init__(
        self, connect: "Callable[[], psycopg.Connection[Any]]", schema: str, lease: float, lost: Callable[[], None]
    ) -> None:
        self.epoch = 0
        self._connect, self._schema, self._lease, self._lost = connect, schema, lease, lost
        self._connection: psycopg.Connection[Any] | None = None
        self._good_until = 0.0
        self._clock_ahead = 0.0
        self._ending = threading.Event()
        self._threads: list[threading.Thread] = []

    def take(self) -> "psycopg.Connection[Any]":
        """Take the schema over, as soon as a former owner that has ended without a word has lost it.

        Returns:
            the owner's connection, for what has to be made before `keep`.

        Raises:
            StoreInUse: another process owns it, and renews that.
            psycopg.Error.
        """
        connection = self._begin()
        seen = ""
        while True:
            holder, until = self._try(connection)
            if self.epoch:
                return connection
            if seen and until != seen:
                raise StoreInUse(f"the data is in use by {holder}; stop that one first")
            seen = until
            time.sleep(ASK_SECONDS)

    def try_to_take(self) -> bool:
        """Take the schema over if nobody owns it at this moment. Returns whether this process owns it now.

        Raises:
            psycopg.Error.
        """
        connection = self._begin()
        try:
            self._try(connection)
        finally:
            if not self.epoch:
                self._connection = None
                connection.close()
        return bool(self.epoch)

    @property
    def renewed_ago(self) -> float:
        """For how many seconds it has not been renewed."""
        return time.monotonic() - (self._good_until - self._lease)

    def keep(self) -> None:
        """Renew the ownership from now on."""
        self._ending.clear()
        for work, name in ((self._renew, "store-owner"), (self._watch, "store-owner-watch")):
            thread = threading.Thread(target=work, name=name, daemon=True)
            thread.start()
            self._threads.append(thread)

    def _begin(self) -> "psycopg.Connection[Any]":
        self._connection = connection = self._connect()
        make_owned(connection, self._schema)
        return connection

    def _try(self, connection: "psycopg.Connection[Any]") -> tuple[str, str]:
        """Take the schema over if nobody owns it. Returns who does, and until when."""
        row = connection.execute(_LOOK).fetchone()
        assert row is not None
        is_free, epoch, holder, until = row
        if is_free:
            end_writers(connection, self._schema, epoch)
            asked_at = time.monotonic()
            taken = connection.execute(_TAKE, (this_process(), self._lease, VERSION)).fetchone()
            if taken is not None:
                self.epoch = int(taken[0])
                self._note_renewed(asked_at, taken[1])
        return holder, until

    def _note_renewed(self, asked_at: float, told: float) -> None:
        """Note when the ownership was asked for, by this process' clock, and what the database's clock said then."""
        self._good_until, self._clock_ahead = asked_at + self._lease, told - asked_at

    def give_up(self) -> None:
        """Let others take over at once."""
        self._ending.set()
        threads, self._threads = self._threads, []
        for thread in threads:
            thread.join()
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(psycopg.Error), connection:
                connection.execute(_GIVE_UP, (self.epoch,))
        self.epoch = 0

    def _renew(self) -> None:
        """Renew the ownership three times a lease."""
        pause = self._lease / 3
        while not self._ending.wait(pause):
            asked_at = time.monotonic()
            try:
                if self._connection is None or self._connection.closed:
                    self._connection = self._connect()
                told = self._connection.execute(
                    _RENEW, (asked_at + self._clock_ahead, self._lease, self.epoch)
                ).fetchone()
            except psycopg.Error as error:
                log.warning("ownership_not_renewed", extra={"schema": self._schema, "error": str(error).strip()})
                pause = self._lease / 20
                continue
            if told is None:
                self._end("another process has taken over")
                return
            self._note_renewed(asked_at, told[0])
            pause = self._lease / 3

    def _watch(self) -> None:
        """End this process in time, also while a renewal hangs."""
        while not self._ending.wait(self._lease / 50):
            if time.monotonic() > self._good_until:
                self._end("it could not be renewed")
                return

    def _end(self, reason: str) -> None:
        if not self._ending.is_set():
            self._ending.set()
            log.error("ownership_lost", extra={"schema": self._schema, "epoch": self.epoch, "error": reason})
            self._lost()
