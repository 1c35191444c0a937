"""Connect to a PostgreSQL server, and say in words why that cannot be done."""

import time
from collections.abc import Mapping
from typing import Any

import psycopg
from psycopg.adapt import Dumper, Loader
from psycopg.types.numeric import Int8BinaryDumper, Int8Dumper

from bot.runtime.store_errors import StoreFailed

OLDEST_VERSION = 15
CONNECT_SECONDS = 5
SILENCE_MS = 2_000
"""A connection whose packets nobody has taken for so long is lost."""
COPY_SILENCE_MS = 60_000
"""The same where much is copied: a server that is busy with it takes nothing for a while."""
WRITER_IDLE_MS, READER_IDLE_MS = 2_000, 60_000
"""A transaction that is open and asks nothing for so long is ended by the server: its process has stopped."""
CLOCKS_DIFFER_SECONDS = 2.0


class _WholeNumber(Loader):
    """`sum` of whole numbers is a whole number in SQLite; PostgreSQL calls it numeric."""

    def load(self, data: Any) -> int | float:
        text = bytes(data).decode()
        return float(text) if "." in text else int(text)


def connect(
    address: str,
    schema: str,
    name: str,
    *,
    idle_ms: int = READER_IDLE_MS,
    silence_ms: int = SILENCE_MS,
    reads_only: bool = False,
) -> "psycopg.Connection[Any]":
    """Return a connection that commits by itself.

    Args:
        schema: where its tables are.
        name: what the server's list of connections says.
        idle_ms: see `WRITER_IDLE_MS`; 0 for as long as the other side of a copy takes.
        silence_ms: see `SILENCE_MS`.
        reads_only: it can write nothing, and have no temporary tables.

    Raises:
        psycopg.Error.
    """
    settings: Mapping[str, object] = {
        "search_path": schema,
        "idle_in_transaction_session_timeout": idle_ms,
        "client_min_messages": "warning",
        "default_transaction_read_only": "on" if reads_only else "off",
        "timezone": "UTC",
    }
    opened = psycopg.connect(
        address,
        autocommit=True,
        prepare_threshold=2,
        connect_timeout=CONNECT_SECONDS,
        tcp_user_timeout=silence_ms,
        application_name=name,
        options=" ".join([f"-c {setting}={value}" for setting, value in settings.items()]),
    )
    numbers: list[type[Dumper]] = [Int8Dumper, Int8BinaryDumper]
    for dumper in numbers:  # of one type always, or a statement would be prepared several times
        opened.adapters.register_dumper(int, dumper)
    opened.adapters.register_loader("numeric", _WholeNumber)
    return opened


def require_usable(connection: "psycopg.Connection[Any]") -> None:
    """Refuse a server that is too old, or whose clock is another one.

    Raises:
        StoreFailed: it says which, and what to do.
    """
    version = connection.info.server_version // 10_000
    if version < OLDEST_VERSION:
        raise StoreFailed(
            reason=f"the database is PostgreSQL {version}; {OLDEST_VERSION} or newer is needed. Nothing has changed."
        )
    apart = clocks_differ_by(connection)
    if abs(apart) > CLOCKS_DIFFER_SECONDS:
        raise StoreFailed(
            reason=f"the clock of this machine is {abs(apart):.0f} s {'ahead of' if apart > 0 else 'behind'} the database's. "
            "Set both by the network's time (NTP), and start again."
        )


def clocks_differ_by(connection: "psycopg.Connection[Any]") -> float:
    """Return by how many seconds the clock of this machine is ahead of the server's."""
    asked_at = time.time()
    row = connection.execute("SELECT CAST(extract(epoch FROM clock_timestamp()) AS DOUBLE PRECISION)").fetchone()
    assert row is not None
    return (asked_at + time.time()) / 2 - float(row[0])


def connect_owner(address: str, schema: str) -> "psycopg.Connection[Any]":
    """Return the connection by which a process owns a schema.

    Raises:
        StoreFailed: the server cannot be used; see `require_usable`.
        psycopg.Error.
    """
    opened = connect(address, schema, f"cardroom owner {schema}", idle_ms=WRITER_IDLE_MS)
    try:
        require_usable(opened)
    except BaseException:
        opened.close()
        raise
    return opened


def unreachable(error: Exception) -> StoreFailed:
    """Return why the database cannot be used, in words. No password is in them."""
    first, *_ = str(error).strip().splitlines() or ["no answer"]
    return StoreFailed(reason=f"the database of CARDROOM_DATABASE cannot be used: {first}. Nothing has changed.")
