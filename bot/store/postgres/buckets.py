"""What Discord limits and all dealers share: buckets of tokens that fill up by the database's clock, rows of the house."""

from functools import partial
from typing import Any

import psycopg

from bot.runtime.store_errors import StoreFailed
from bot.store.database import ConnectionLost, Database, DatabaseFailed
from bot.store.postgres.connecting import WRITER_IDLE_MS, connect
from bot.store.postgres.database import PostgresDatabase
from bot.store.postgres.engine import PostgresConnection
from bot.store.postgres.house import House

REQUESTS, DM_CHANNELS = "requests", "dm channels"
"""The names of the buckets."""
WAIT_MS = 1_000
"""Whoever waits longer for the row is refused: a dealer that was stopped holds it, and nobody's requests can wait for that one."""
_TAKE = """
    WITH seen AS (
        SELECT least(:burst, tokens + :rate * abs(CAST(extract(epoch FROM clock_timestamp() - at) AS DOUBLE PRECISION))) AS tokens,
            clock_timestamp() AS at
        FROM bucket WHERE name = :name FOR UPDATE
    ), given AS (
        SELECT tokens, at, CAST(greatest(0, least(:most, floor(tokens))) AS BIGINT) AS count FROM seen
    ), kept AS (
        UPDATE bucket SET tokens = given.tokens - given.count, at = given.at FROM given
        WHERE name = :name AND given.count > 0 RETURNING 1
    )
    SELECT count FROM given
"""
"""A clock that was set back fills the bucket, once; without `abs` there would be no tokens until it has come to the old time again."""
_HOLD = """
    INSERT INTO bucket VALUES (:name, -:seconds * :rate, clock_timestamp())
    ON CONFLICT (name) DO UPDATE SET tokens = excluded.tokens, at = excluded.at
"""
_PUT_BACK = "INSERT INTO bucket VALUES (?, 0, clock_timestamp()) ON CONFLICT DO NOTHING"


class RequestTokens:
    """The bucket of requests by the bot's token, on a connection with a thread of its own: a request waits for nothing else.

    Args:
        address: as ``postgresql://…``.
        schema: the house's.
        per_second: how many tokens come in a second.
        burst: how many there are at most.
    """

    def __init__(self, address: str, schema: str, per_second: float, burst: float) -> None:
        self._connection = PostgresConnection("request-tokens", PostgresDatabase(partial(_connect, address, schema)))
        self._take = partial(_take, REQUESTS, per_second, burst)

    async def take(self, most: int) -> int:
        """Take so many tokens at most. Returns how many there were.

        Raises:
            StoreFailed: the database cannot be reached, or somebody holds the bucket.
        """
        work = partial(self._take, most)
        try:
            try:
                return await self._connection.run_in_thread(work)
            except ConnectionLost:  # the server was restarted: what was taken then is lost
                return await self._connection.run_in_thread(work)
        except DatabaseFailed as error:
            raise StoreFailed(reason=str(error)) from error

    async def close(self) -> None:
        """Close the connection."""
        await self._connection.close()


class SharedBucket:
    """A bucket that is seldom asked.

    Args:
        name: of the bucket.
        per_second, burst: see `RequestTokens`.
    """

    def __init__(self, house: House, name: str, per_second: float, burst: float) -> None:
        self._house, self._name, self._rate = house, name, per_second
        self._take = partial(_take, name, per_second, burst)

    async def take(self, most: int) -> int:
        """Take so many tokens at most. Returns how many there were.

        Raises:
            StoreFailed: the database cannot be reached.
        """
        return await self._house.run_in_thread(partial(self._take, most))

    async def hold(self, seconds: float) -> None:
        """Let nobody take any for so long.

        Raises:
            StoreFailed: the database cannot be reached.
        """
        values = {"name": self._name, "seconds": float(seconds), "rate": float(self._rate)}
        await self._house.run_in_thread(lambda db: db.execute(_HOLD, values).rowcount)


def _connect(address: str, schema: str) -> "psycopg.Connection[Any]":
    opened = connect(address, schema, "cardroom request tokens", idle_ms=WRITER_IDLE_MS)
    opened.execute("SET synchronous_commit = off")
    opened.execute(f"SET lock_timeout = {WAIT_MS}".encode())
    return opened


def _take(name: str, rate: float, burst: float, most: int, db: Database) -> int:
    values = {"name": name, "rate": float(rate), "burst": float(burst), "most": most}
    row = db.execute(_TAKE, values).fetchone()
    if row is None:
        db.execute(_PUT_BACK, (name,))
        return 0
    return int(row[0])
