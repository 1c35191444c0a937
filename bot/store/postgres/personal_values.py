"""Values of persons in all servers, in the house: a `ValueStorage` that several dealers write to, and in which each sees all changes.

The changes have numbers, in the order in which they were saved. A dealer remembers up to which one it has read. A value that is deleted
leaves its number, without a value, until all have had the time to see that.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

import psycopg

from bot.runtime.saved_values import PersonalChanges
from bot.runtime.store_errors import StoreFailed
from bot.store.database import Database
from bot.store.house_copy import HouseCopy
from bot.store.postgres.connecting import connect, unreachable
from bot.store.postgres.fence import Fence
from bot.store.postgres.house import House, make_house

FORGET_SECONDS = 60.0
"""So long a deletion can be seen. Whoever has not looked for longer reads everything anew."""
_KEEP = """
    WITH mine AS (
        SELECT 1 FROM "{schema}".owner WHERE epoch = :epoch FOR KEY SHARE
    ), counted AS (
        UPDATE personal_change SET number = number + 1 WHERE EXISTS (SELECT 1 FROM mine) RETURNING number
    )
    INSERT INTO personal_value (key, value, change, at)
    SELECT CAST(:key AS TEXT), CAST(:value AS BYTEA), number, clock_timestamp() FROM counted
    ON CONFLICT (key) DO UPDATE SET value = excluded.value, change = excluded.change, at = excluded.at
    RETURNING change
"""
"""Whoever changes a value holds the row of the number until the change is saved: so nobody sees a number before a smaller one."""
_KEEP_IF = """
    WITH mine AS (
        SELECT 1 FROM "{schema}".owner WHERE epoch = :epoch FOR KEY SHARE
    ), counted AS (
        UPDATE personal_change SET number = number + 1 WHERE EXISTS (SELECT 1 FROM mine) RETURNING number
    ), kept AS (
        INSERT INTO personal_value (key, value, change, at)
        SELECT CAST(:key AS TEXT), CAST(:value AS BYTEA), number, clock_timestamp() FROM counted
        WHERE CAST(:before AS BYTEA) IS NULL OR EXISTS (SELECT 1 FROM personal_value WHERE key = :key AND value = :before)
        ON CONFLICT (key) DO UPDATE SET value = excluded.value, change = excluded.change, at = excluded.at
        WHERE personal_value.value IS NOT DISTINCT FROM CAST(:before AS BYTEA)
        RETURNING change
    )
    SELECT (SELECT number FROM counted), (SELECT change FROM kept)
"""
"""What others have saved while this one waited for the row of the number is seen where the rows meet: there the value is compared again."""
_FORGET = """
    WITH gone AS (
        DELETE FROM personal_value WHERE value IS NULL AND at < clock_timestamp() - make_interval(secs => :seconds) RETURNING change
    )
    UPDATE personal_change SET forgotten = greatest(forgotten, (SELECT max(change) FROM gone)) WHERE EXISTS (SELECT 1 FROM gone)
"""


class SharedValues:
    """See the module.

    Args:
        fence: returns what this dealer owns. Nothing is saved for one that owns it no more.
    """

    def __init__(self, house: House, fence: Callable[[], Fence]) -> None:
        self._house, self._fence = house, fence
        self._own: dict[str, int] = {}
        self._being_saved: Counter[str] = Counter()

    async def value(self, key: str) -> bytes | None:
        """Return the value under a key; None for none."""
        return await self._house.run_in_thread(lambda db: personal_value(db, key))

    async def values(self, prefix: str) -> dict[str, bytes]:
        """Return all values whose keys begin with a prefix."""
        return await self._house.run_in_thread(partial(_values, prefix))

    async def keep(self, key: str, value: bytes | None) -> None:
        """Keep a value under a key; None deletes it.

        Raises:
            StoreFailed: it could not be saved, or another process has taken over what this one owned.
        """
        with self._saving(key):
            self._own[key] = await self._house.run_in_thread(partial(_keep, key, value, self._fence()))

    async def keep_if(self, key: str, value: bytes | None, before: bytes | None) -> bool:
        """Keep a value under a key, where it still is what it was before; None for none. Returns whether it was. Errors as in `keep`.

        Where the answer of the database was lost, False can be said of a value that was kept.
        """
        with self._saving(key):
            change = await self._house.run_in_thread(partial(_keep_if, key, value, before, self._fence()))
            if change:
                self._own[key] = change
        return change > 0

    @contextmanager
    def _saving(self, key: str) -> Iterator[None]:
        self._being_saved[key] += 1
        try:
            yield
        finally:
            self._being_saved[key] -= 1
            if not self._being_saved[key]:
                del self._being_saved[key]

    async def newest_change(self) -> int:
        """Return the number of the newest change."""
        return await self._house.run_in_thread(_newest)

    async def changes_since(self, number: int) -> PersonalChanges:
        """Return what others have changed since a number. What this dealer has changed later itself is not among it."""
        found, changed = await self._house.run_in_thread(partial(_changes, number))
        if changed is None:
            return PersonalChanges(found, None)
        others = {
            key: value
            for key, value, change in changed
            if key not in self._being_saved and change > self._own.get(key, 0)
        }
        self._own = {key: change for key, change in self._own.items() if change > found}
        return PersonalChanges(found, others)


def personal_value(db: Database, key: str) -> bytes | None:
    """Return the value under a key; None for none."""
    row = db.execute("SELECT value FROM personal_value WHERE key = ?", (key,)).fetchone()
    return row[0] if row is not None else None


def _values(prefix: str, db: Database) -> dict[str, bytes]:
    end = prefix[:-1] + chr(ord(prefix[-1]) + 1)
    return dict(
        db.execute(
            "SELECT key, value FROM personal_value WHERE key >= ? AND key < ? AND value IS NOT NULL ORDER BY key",
            (prefix, end),
        ).fetchall()
    )


def _keep(key: str, value: bytes | None, fence: Fence, db: Database) -> int:
    row = db.execute(_KEEP.format(schema=fence.schema), {"key": key, "value": value, "epoch": fence.epoch}).fetchone()
    if row is None:
        raise StoreFailed(reason="another process has taken the data over")
    return int(row[0])


def _keep_if(key: str, value: bytes | None, before: bytes | None, fence: Fence, db: Database) -> int:
    """Keep a value. Returns the number of the change; 0 where it was another one than before."""
    named = {"key": key, "value": value, "before": before, "epoch": fence.epoch}
    ((counted, change),) = db.execute(_KEEP_IF.format(schema=fence.schema), named).fetchall()
    if counted is None:
        raise StoreFailed(reason="another process has taken the data over")
    return int(change or 0)


def _newest(db: Database) -> int:
    return int(db.execute("SELECT number FROM personal_change").fetchone()[0])


def _changes(since: int, db: Database) -> tuple[int, list[Any] | None]:
    db.execute(_FORGET, {"seconds": FORGET_SECONDS})
    rows = db.execute(
        """
        SELECT number, forgotten, key, value, change FROM personal_change LEFT JOIN personal_value ON change > ? ORDER BY change
        """,
        (since,),
    ).fetchall()
    number, forgotten = rows[0][:2]
    if forgotten > since:
        return number, None
    return number, [row[2:] for row in rows if row[2] is not None]


def put_back_all(address: str, house: str, copy: HouseCopy) -> bool:
    """Put values about persons back from a copy, where the house has been lost. Errors as in `make_house`.

    Returns:
        False if the house keeps its own: people have changed something there, or it was put back from a copy that is as new.
    """
    make_house(address, house)
    try:
        with connect(address, house, "cardroom restore") as db, db.transaction():
            ((number, put_back, copied_at),) = db.execute(
                "SELECT number, put_back, copied_at FROM personal_change FOR UPDATE"
            ).fetchall()
            if number != put_back or copied_at >= copy.mark.at:
                return False
            _replace(db, copy.values)
            db.execute("UPDATE personal_change SET put_back = number, copied_at = %s", (copy.mark.at,))
            return True
    except psycopg.Error as error:
        raise unreachable(error) from error


def replace_all(address: str, house: str, values: Mapping[str, bytes]) -> None:
    """Keep these values about persons in the house, and no others, while no dealer runs. Errors as in `make_house`."""
    make_house(address, house)
    try:
        with connect(address, house, "cardroom move") as db, db.transaction():
            _replace(db, values)
    except psycopg.Error as error:
        raise unreachable(error) from error


def _replace(db: "psycopg.Connection[Any]", values: Mapping[str, bytes]) -> None:
    ((number,),) = db.execute(
        "UPDATE personal_change SET number = number + 1, forgotten = number + 1 RETURNING number"
    ).fetchall()
    db.execute("DELETE FROM personal_value")
    db.cursor().executemany(
        "INSERT INTO personal_value (key, value, change, at) VALUES (%s, %s, %s, clock_timestamp())",
        [(key, value, number) for key, value in values.items()],
    )
