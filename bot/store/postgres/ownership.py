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

log = logging.getLogger(__name__)

LEASE_SECONDS = 6.0
"""A process that has not renewed its ownership for so long has lost it. A server that is restarted is back by then, mostly."""
ASK_SECONDS = 0.1
_OWNER = """
    CREATE TABLE IF NOT EXISTS owner (
        one INTEGER PRIMARY KEY CHECK (one = 1), epoch BIGINT NOT NULL UNIQUE, holder TEXT NOT NULL, until TIMESTAMPTZ NOT NULL
    )
"""
"""The epoch is a key, so that a renewal does not wait for a transaction of the owner (`FOR KEY SHARE`), and a take-over does."""
_NOBODY = "INSERT INTO owner VALUES (1, 0, '', '-infinity') ON CONFLICT DO NOTHING"
_LOOK = "SELECT until < clock_timestamp(), epoch, holder, until::text FROM owner"
_TAKE = """
    UPDATE owner SET epoch = epoch + 1, holder = %s, until = clock_timestamp() + make_interval(secs => %s)
    WHERE until < clock_timestamp() RETURNING epoch
"""
_RENEW = "UPDATE owner SET until = clock_timestamp() + make_interval(secs => %s) WHERE epoch = %s RETURNING 1"
_GIVE_UP = "UPDATE owner SET until = clock_timestamp() WHERE epoch = %s"
_END_WRITERS = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s AND pid <> pg_backend_pid()
"""
_WRITERS = "SELECT count(*) FROM pg_stat_activity WHERE application_name = %s AND pid <> pg_backend_pid()"


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
        self._connection = connection = self._connect()
        connection.execute(f'CREATE SCHEMA IF NOT EXISTS "{self._schema}"'.encode())
        connection.execute(_OWNER)
        connection.execute(_NOBODY)
        self.epoch = self._take(connection)
        return connection

    def keep(self) -> None:
        """Renew the ownership from now on."""
        self._ending.clear()
        for work, name in ((self._renew, "store-owner"), (self._watch, "store-owner-watch")):
            thread = threading.Thread(target=work, name=name, daemon=True)
            thread.start()
            self._threads.append(thread)

    def _take(self, connection: "psycopg.Connection[Any]") -> int:
        seen = ""
        while True:
            row = connection.execute(_LOOK).fetchone()
            assert row is not None
            is_free, epoch, holder, until = row
            if is_free:
                end_writers(connection, self._schema, epoch)
                asked_at = time.monotonic()
                mine = f"process {os.getpid()} of {socket.gethostname()}"
                if (taken := connection.execute(_TAKE, (mine, self._lease)).fetchone()) is not None:
                    self._good_until = asked_at + self._lease
                    return int(taken[0])
            if seen and until != seen:
                raise StoreInUse(f"the data is in use by {holder}; stop that one first")
            seen = until
            time.sleep(ASK_SECONDS)

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
                kept = self._connection.execute(_RENEW, (self._lease, self.epoch)).fetchone() is not None
            except psycopg.Error as error:
                log.warning("ownership_not_renewed", extra={"schema": self._schema, "error": str(error).strip()})
                pause = self._lease / 20
                continue
            if not kept:
                self._end("another process has taken over")
                return
            self._good_until, pause = asked_at + self._lease, self._lease / 3

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
