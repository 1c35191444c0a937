"""What all dealers of a bot share: a schema beside those of the slots, for what concerns no server alone.

Its tables are made by numbered texts, the files of `house_steps`. A step only ever adds, and its name says which older programs can go on
beside it, as that of a migration does (`bot.store.migrate.goes_with`): a dealer that cannot is refused where a newer one has been, and a
newer one while such a dealer runs. Nothing here is on the way of an action.
"""

import asyncio
import time
from collections.abc import Callable, Collection
from functools import cache, partial
from importlib import resources
from typing import Any, TypeVar

import psycopg
from msgspec import Struct

from bot.runtime.store_errors import StoreInUse, StoreUnusable
from bot.store.database import ConnectionLost, Database, DatabaseFailed
from bot.store.migrate import goes_with, step_number
from bot.store.postgres.connecting import WRITER_IDLE_MS, connect, require_usable, unreachable
from bot.store.postgres.database import PostgresDatabase
from bot.store.postgres.engine import PostgresConnection
from bot.store.postgres.ownership import make_once
from bot.version import VERSION

T = TypeVar("T")

SLOT_COUNTS = (1, 2, 4, 8, 16)
_STEP = """
    CREATE TABLE IF NOT EXISTS step (
        name TEXT PRIMARY KEY, made_at BIGINT NOT NULL  -- ms since the epoch
    )
"""


_SAYS_WHAT_IT_KNOWS = "0015_known_with_0014.sql"
_TOO_OLD = """
    SELECT name, version FROM process
    WHERE seen > clock_timestamp() - make_interval(secs => %s) AND knows_house < %s ORDER BY knows_house, name LIMIT 1
"""
SEEN_SECONDS = 10.0
"""Who has said nothing for so long has ended, or cannot reach the database."""


class HouseFacts(Struct, frozen=True):
    """What all dealers agree on.

    Attributes:
        slots: into how many slots the servers are dealt out.
        shards: how many connections to the gateway there are in all; 0 if nobody has asked Discord yet.
        secret: the fingerprint of the master secret; None if nobody has dealt yet.
    """

    slots: int
    shards: int
    secret: bytes | None


class House:
    """The schema that all dealers share, on a connection with a thread of its own. One that is lost is made anew.

    Args:
        address: as ``postgresql://…``.
        schema: its name. It is made where it is missing.
    """

    def __init__(self, address: str, schema: str) -> None:
        self._connection = PostgresConnection("house", PostgresDatabase(partial(_connect, address, schema)))
        self._address, self._schema = address, schema

    async def open(self) -> None:
        """Connect, and make what is missing. Errors as in `make_house`."""
        await asyncio.to_thread(make_house, self._address, self._schema)
        await self.run_in_thread(read_facts)

    async def close(self) -> None:
        """Close the connection, after what is under way."""
        await self._connection.close()

    async def run_in_thread(self, work: Callable[[Database], T]) -> T:
        """Run `work` on the house's thread, with nothing else in between.

        It is done once more, on a new connection, if the connection was lost: what it does twice must be as good as once. A statement is
        a transaction of its own, unless `work` opens one.

        Raises:
            StoreFailed: the database cannot be reached, or refuses.
        """
        try:
            try:
                return await self._connection.run_in_thread(work)
            except ConnectionLost:
                return await self._connection.run_in_thread(work)
        except DatabaseFailed as error:
            raise unreachable(error) from error

    async def facts(self) -> HouseFacts:
        """Return what all dealers agree on. Errors as in `run_in_thread`."""
        return await self.run_in_thread(read_facts)

    async def agree_on_shards(self, recommended: int) -> int:
        """Return how many connections to the gateway there are in all. Their number is a multiple of the slots, and never gets smaller.

        Args:
            recommended: how many Discord thinks right.
        """
        return await self.run_in_thread(partial(_agree_on_shards, recommended))

    async def agree_on_secret(self, fingerprint: bytes) -> None:
        """Let the first dealer's master secret be that of all.

        Raises:
            StoreUnusable: the others deal from another one.
        """
        await self.run_in_thread(partial(_agree_on_secret, fingerprint))


def _connect(address: str, schema: str) -> "psycopg.Connection[Any]":
    return connect(address, schema, "cardroom house", idle_ms=WRITER_IDLE_MS)


def make_house(address: str, schema: str) -> None:
    """Make the schema and those of its tables that are missing, once, however many processes start together.

    Raises:
        StoreFailed: the database cannot be reached, is too old, or has another clock.
        StoreUnusable: a newer program has been here that this one cannot run beside.
        StoreInUse: a dealer of an older program runs that cannot run beside this one.
    """
    try:
        with _connect(address, schema) as db:
            require_usable(db)
            make_once(db, f'CREATE SCHEMA IF NOT EXISTS "{schema}"')
            make_once(db, _STEP)
            with db.transaction():
                db.execute("LOCK TABLE step IN SHARE ROW EXCLUSIVE MODE")
                made = {name for (name,) in db.execute("SELECT name FROM step ORDER BY name")}
                missing = [(name, text) for name, text in house_steps() if name not in made]
                _require_not_too_new(made)
                _require_none_too_old(db, made, [name for name, _ in missing])
                for name, text in missing:
                    db.execute(text.encode(), prepare=False)
                    db.execute("INSERT INTO step VALUES (%s, %s)", (name, int(time.time() * 1000)))
    except psycopg.Error as error:
        raise unreachable(error) from error


def _require_not_too_new(made: Collection[str]) -> None:
    known = newest_house_step()
    too_new = next((name for name in sorted(made) if step_number(name) > known and goes_with(name) > known), None)
    if too_new is not None:
        raise StoreUnusable(
            f"a newer version has changed what all dealers of this database share ({too_new}), and version {VERSION} cannot run beside "
            "it; update the program. Nothing has changed."
        )


def _require_none_too_old(db: "psycopg.Connection[Any]", made: Collection[str], missing: Collection[str]) -> None:
    needed = max(map(goes_with, missing), default=0)
    if _SAYS_WHAT_IT_KNOWS not in made:  # whoever runs there knows all that there was before
        return
    found = db.execute(_TOO_OLD, (SEEN_SECONDS, needed)).fetchone()
    if found is not None:
        name, version = found
        raise StoreInUse(
            f"{name} (version {version}) runs with this database, and version {VERSION} is too new to run beside it. Stop the dealers of "
            "that version first, or bring them to a version in between. Nothing has changed."
        )


def newest_house_step() -> int:
    """Return the number of the last step that this program knows."""
    return max(step_number(name) for name, _ in house_steps())


@cache
def house_steps() -> tuple[tuple[str, str], ...]:
    """Return name and text of every step, in order. The number that a name begins with says no more than what comes before it."""
    folder = resources.files("bot.store.postgres") / "house_steps"
    files = [file for file in folder.iterdir() if file.name.endswith(".sql")]
    return tuple([(file.name, file.read_text(encoding="utf-8")) for file in sorted(files, key=lambda file: file.name)])


def slot_count(address: str, schema: str) -> int:
    """Return into how many slots the servers are dealt out. The house is made where it is missing. Errors as in `make_house`."""
    make_house(address, schema)
    try:
        with _connect(address, schema) as db:
            ((count,),) = db.execute("SELECT slots FROM fact").fetchall()
            return int(count)
    except psycopg.Error as error:
        raise unreachable(error) from error


def slots_there(address: str, schema: str) -> int:
    """Return into how many slots the servers are dealt out; 1 where there is no house yet. It changes nothing.

    Raises:
        StoreFailed: the database cannot be reached.
    """
    try:
        with connect(address, schema, "cardroom doctor", reads_only=True) as db:
            if db.execute("SELECT to_regclass('fact') IS NULL").fetchone() == (True,):
                return 1
            ((count,),) = db.execute("SELECT slots FROM fact").fetchall()
            return int(count)
    except psycopg.Error as error:
        raise unreachable(error) from error


def forget_secret(address: str, schema: str) -> None:
    """Let the next dealer that starts say whose master secret all deal from. Errors as in `make_house`."""
    make_house(address, schema)
    try:
        with _connect(address, schema) as db:
            db.execute("UPDATE fact SET secret = NULL")
    except psycopg.Error as error:
        raise unreachable(error) from error


def read_facts(db: Database) -> HouseFacts:
    """Return what all dealers agree on."""
    slots, shards, secret = db.execute("SELECT slots, shards, secret FROM fact").fetchone()
    return HouseFacts(slots, shards, secret)


def _agree_on_shards(recommended: int, db: Database) -> int:
    needed = "((? + slots - 1) / slots) * slots"
    row = db.execute(
        f"UPDATE fact SET shards = CASE WHEN shards < {needed} THEN {needed} ELSE shards END RETURNING shards",
        (recommended, recommended),
    ).fetchone()
    return int(row[0])


def _agree_on_secret(fingerprint: bytes, db: Database) -> None:
    row = db.execute("UPDATE fact SET secret = coalesce(secret, ?) RETURNING secret", (fingerprint,)).fetchone()
    if row[0] != fingerprint:
        raise StoreUnusable(OTHER_SECRET)


OTHER_SECRET = (
    "the master.key of this machine is another one than that of the dealers who share this database: hands that they began could not "
    "go on here. Copy theirs into the data folder of this machine, and start again. Nothing has changed."
)
