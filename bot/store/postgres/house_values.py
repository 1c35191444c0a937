"""What the house keeps about persons, for whoever moves or copies it. It changes nothing."""

import psycopg

from bot.store.house_copy import HouseCopy, HouseMark
from bot.store.postgres.connecting import connect, unreachable


def all_values(address: str, house: str) -> dict[str, bytes]:
    """Return what the house keeps about persons, by key, while no dealer runs; nothing where there is no house.

    Raises:
        StoreFailed: the database cannot be used.
    """
    try:
        with connect(address, house, "cardroom move", reads_only=True) as db:
            if db.execute("SELECT to_regclass('personal_value') IS NULL").fetchone() == (True,):
                return {}
            rows = db.execute("SELECT key, value FROM personal_value WHERE value IS NOT NULL").fetchall()
            return {key: bytes(value) for key, value in rows}
    except psycopg.Error as error:
        raise unreachable(error) from error


def copy_of_house(address: str, house: str) -> HouseCopy | None:
    """Return what the house keeps about persons, for a copy of a slot; None where there is no house. Errors as in `all_values`."""
    try:
        with connect(address, house, "cardroom copy", reads_only=True) as db:
            if db.execute("SELECT to_regclass('personal_value') IS NULL").fetchone() == (True,):
                return None
            ((slots, at),) = db.execute(
                "SELECT slots, CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) FROM fact"
            ).fetchall()
            rows = db.execute("SELECT key, value FROM personal_value WHERE value IS NOT NULL").fetchall()
            return HouseCopy(HouseMark(slots, at), {key: bytes(value) for key, value in rows})
    except psycopg.Error as error:
        raise unreachable(error) from error
