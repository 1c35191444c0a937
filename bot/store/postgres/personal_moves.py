"""Values of persons on their way: from the only dealer there was to the house of several, and back into the slot that others are joined to.

With one slot they are kept values of that slot. Whoever deals the servers out leaves a copy of them in each; the first dealer that starts
brings its own into the house, and the others drop theirs.
"""

from collections.abc import Mapping, Sequence

import psycopg

from bot.store.database import Database
from bot.store.postgres.connecting import WRITER_IDLE_MS, connect, unreachable
from bot.store.postgres.fence import Fence

_ADOPT = """
    WITH mine AS (
        SELECT 1 FROM "{schema}".owner WHERE epoch = :epoch FOR SHARE
    ), first AS (
        UPDATE personal_change SET adopted = true, number = number + 1 WHERE NOT adopted AND EXISTS (SELECT 1 FROM mine) RETURNING number
    )
    INSERT INTO personal_value (key, value, change, at)
    SELECT found.key, found.value, first.number, clock_timestamp()
    FROM first, unnest(CAST(:keys AS TEXT[]), CAST(:values AS BYTEA[])) AS found (key, value) ON CONFLICT (key) DO NOTHING
"""


def adopt(found: Mapping[str, bytes], fence: Fence, db: Database) -> None:
    """Keep in the house what a dealer kept by itself, if no other dealer has done so. It is done whole or not at all."""
    values = {"epoch": fence.epoch, "keys": list(found), "values": list(found.values())}
    _ = db.execute(_ADOPT.format(schema=fence.schema), values).rowcount


def put_back(address: str, house: str, slots: Sequence[str], prefixes: Sequence[str]) -> None:
    """Let the first slot that is there keep what the house has, before all are joined. Until then the house has it as well.

    Args:
        slots: their schemas.
        prefixes: what the keys of persons' values begin with.

    Raises:
        StoreFailed: the database cannot be used.
    """
    try:
        with connect(address, house, "cardroom move", idle_ms=WRITER_IDLE_MS) as db, db.transaction():
            if db.execute("SELECT to_regclass('personal_change') IS NULL").fetchone() == (True,):
                return
            if db.execute("SELECT adopted FROM personal_change").fetchone() == (False,):
                return
            there = [
                one for one in slots if db.execute("SELECT to_regclass(%s)", (f'"{one}".kept',)).fetchone() != (None,)
            ]
            for schema in there:
                for prefix in prefixes:
                    db.execute(
                        f'DELETE FROM "{schema}".kept WHERE key >= %s AND key < %s'.encode(),
                        (prefix, f"{prefix}\U0010ffff"),
                    )
            for schema in there[:1]:
                db.execute(
                    f'INSERT INTO "{schema}".kept (key, value) SELECT key, value FROM personal_value WHERE value IS NOT NULL'.encode()
                )
    except psycopg.Error as error:
        raise unreachable(error) from error


def begin_anew(address: str, house: str) -> None:
    """Forget what the house had of an earlier time: what has just been dealt out to the slots counts.

    Raises:
        StoreFailed: the database cannot be used.
    """
    try:
        with connect(address, house, "cardroom move", idle_ms=WRITER_IDLE_MS) as db, db.transaction():
            if db.execute("SELECT to_regclass('personal_change') IS NULL").fetchone() == (False,):
                db.execute("DELETE FROM personal_value")
                db.execute("UPDATE personal_change SET adopted = false, number = number + 1, forgotten = number + 1")
                db.execute("DELETE FROM taken")
    except psycopg.Error as error:
        raise unreachable(error) from error
