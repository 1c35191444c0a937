"""Where chips and hands are, for those who read them beside the dealer: the statistics, the doctor, an export."""

import contextlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Protocol, TypeAlias

import msgspec

from bot.store.backup import reading_data
from bot.store.database import DATABASE_FAILED, Database
from bot.store.house_copy import HouseCopy
from bot.store.moved import where_else
from bot.store.postgres.names import ADDRESS, SCHEME
from bot.store.queries import value


class DataElsewhere(Protocol):
    """Data that is no file: whoever reads it is given this in the place of a path."""

    @property
    def environment(self) -> Mapping[str, str]:
        """What a process finds in its environment that is told of this data by its text (`str`): passwords are in no command line."""

    def connect(self) -> Database:
        """Return a connection that cannot write."""

    def connect_to_audit(self) -> Database:
        """Return a connection that only reads, and can have temporary tables."""

    def connect_to_copy(self) -> Database:
        """Return a connection that only reads, for as long as the other side of a copy takes."""

    def house_copy(self) -> HouseCopy | None:
        """Return what a copy holds of the house that this data shares with others; None where it has everything itself.

        Raises:
            StoreError: the database cannot be reached.
        """


DataSource: TypeAlias = Path | DataElsewhere
"""The path of a data file, or data that is no file."""


def source_of(file: Path, address: str, schema: str, house: str = "") -> DataSource:
    """Return a schema of the database at an address, or the file where there is no address.

    Args:
        house: the schema that it shares with those of other slots; empty for none.
    """
    if not address:
        return file
    from bot.store.postgres.data import PostgresData  # which needs psycopg

    return PostgresData(address, schema, house)


def source_named(text: str) -> DataSource:
    """Return the data that a process is told of by this text."""
    if not text.startswith(SCHEME):
        return Path(text)
    schema, _, house = text.removeprefix(SCHEME).partition("+")
    return source_of(Path(), os.environ[ADDRESS], schema, house)


@contextlib.contextmanager
def reading(source: DataSource) -> Iterator[Database]:
    """Read the data beside a dealer that runs.

    Raises:
        DATABASE_FAILED: it is not there, or cannot be read.
    """
    if isinstance(source, Path):
        with reading_data(source) as file:
            yield file
    else:
        with contextlib.closing(source.connect_to_audit()) as db:
            yield db


def moved_elsewhere(source: DataSource, name: str) -> str:
    """Return in a sentence where data has been moved to; "" if it is here, or nothing can be read here."""
    try:
        with reading(source) as db:
            return where_else(db, name)
    except DATABASE_FAILED:
        return ""


def is_made(source: DataSource) -> bool:
    """Return whether a dealer has made the tables yet."""
    with reading(source) as db:
        return "card_table" in db.tables()


def kept_value(source: DataSource, key: str) -> bytes | None:
    """Return a kept value of data that no store of this process has open; None if there is none."""
    with reading(source) as db:
        return value(db, key)


def channels_with_tables(source: DataSource) -> tuple[int, ...]:
    """Return the channels that have an open table in data that no store of this process has open."""
    with reading(source) as db:
        rows = db.execute("SELECT channel FROM card_table WHERE state = 'open' ORDER BY channel").fetchall()
    return tuple([channel for (channel,) in rows])


def forums_of_tables(source: DataSource) -> tuple[int, ...]:
    """Return the forums in which servers have their tables become posts, in data that no store of this process has open."""
    with reading(source) as db:
        found = db.execute("SELECT rules FROM guild WHERE rules IS NOT NULL ORDER BY id").fetchall()
    forums = [msgspec.json.decode(rules).get("forum_channel", 0) for (rules,) in found]
    return tuple([forum for forum in forums if forum])
