"""Deal the servers of a database out to twice as many slots, or more: no dealer can run meanwhile.

Each slot's servers are copied to new schemas, which nobody knows of yet, and checked there. Then one transaction puts all of them in the
place of the old ones, which are kept aside, and says how many slots there are. A process that is killed before has changed nothing.
"""

import contextlib
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from bot.runtime.store_errors import StoreUnusable
from bot.store.backup import DataCheck
from bot.store.copy_rows import CopyFailed, ServerSplit, copy_rows, servers_of_tables
from bot.store.home import steps_of
from bot.store.move import MoveStage, SplitOf, Tell, contents_of
from bot.store.moved import require_here
from bot.store.newest_cause import NewestCause
from bot.store.postgres.connecting import COPY_SILENCE_MS, connect
from bot.store.postgres.database import PostgresDatabase
from bot.store.postgres.home import LEASE_SECONDS, SchemaHome, move_tables

NEW = "_new"
"""Ends the name of a schema that is being filled."""


class NotAMultiple(StoreUnusable):
    """The servers of one slot would go to others than a new one each."""


class Slots(NamedTuple):
    """The slots of a database.

    Attributes:
        house: the schema that all dealers share.
        schemas: of as many slots as there are to be.
        folders: what a dealer of each keeps on this machine.
        before: how many slots there are now.
        lease: see `Ownership`.
    """

    address: str
    house: str
    schemas: Sequence[str]
    folders: Sequence[Path]
    before: int
    lease: float = LEASE_SECONDS

    def home(self, number: int, ending: str = "") -> SchemaHome:
        return SchemaHome(self.address, self.schemas[number] + ending, self.folders[number], lease=self.lease)


def deal_out_again(slots: Slots, split_of: SplitOf, now: int, tell: Tell = lambda stage, rows: None) -> DataCheck:
    """Deal the servers out to more slots.

    Args:
        split_of: says which of all slots gets what.
        now: ms since the epoch, for the names of what is kept aside.

    Returns:
        what all slots hold.

    Raises:
        NotAMultiple: of what there is now.
        StoreInUse: a dealer runs.
        StoreUnusable: a slot is not sound, has been moved away, or was made by a newer program.
        StoreFailed: the database cannot be used. Nothing has changed.
    """
    count = len(slots.schemas)
    if count <= slots.before or count % slots.before:
        raise NotAMultiple(f"there are {slots.before} slots; a multiple of that can be chosen. Nothing has changed.")
    with contextlib.ExitStack() as owned:
        homes = [slots.home(number) for number in range(count)]
        for home in homes:
            owned.enter_context(home.owned())
        olds = [number for number in range(slots.before) if homes[number].is_there()]
        tell(MoveStage.CHECKING, 0)
        found = [_checked(homes[number]) for number in olds]
        news = {number: range(number, count, slots.before) for number in olds}
        made = [number for old in olds for number in news[old]]
        with _asking(slots) as db:
            db.make([f'DROP SCHEMA IF EXISTS "{slots.schemas[number]}{NEW}" CASCADE' for number in made])
            db.make([f'CREATE SCHEMA "{slots.schemas[number]}{NEW}"' for number in made])
        copied = _Counted(tell)
        for old in olds:
            _copy(slots, homes[old], news[old], split_of, copied)
        tell(MoveStage.COMPARING, 0)
        for old, was_there in zip(olds, found, strict=True):
            if contents_of([slots.home(number, NEW) for number in news[old]]) != was_there:
                raise StoreUnusable(
                    f"what was dealt out of {homes[old].name} is not what was there. Nothing has changed."
                )
        _put_in(slots, homes, made, now)
    for number in range(count):
        NewestCause(slots.folders[number] / slots.schemas[number]).forget()
    return contents_of([homes[number] for number in made])


def _checked(home: SchemaHome) -> DataCheck:
    with home.reading() as db:
        require_here(db, home.name)
    found = home.check()
    if found.problems:
        raise StoreUnusable(f"{home.name} is not sound: {'; '.join(found.problems)}")
    return found


class _Counted:
    """Tells how many rows of all tables of all slots are there."""

    def __init__(self, tell: Tell) -> None:
        self._tell, self._counts = tell, dict[tuple[str, str], int]()

    def tell(self, home: str, table: str, rows: int) -> None:
        self._counts[home, table] = rows
        self._tell(MoveStage.COPYING, sum(self._counts.values()))


def _copy(slots: Slots, source: SchemaHome, numbers: Sequence[int], split_of: SplitOf, copied: _Counted) -> None:
    """Copy what one slot has to new schemas."""
    with source.reading() as rows:
        steps = steps_of(rows, source.name)
        rows.begin_reading()
        split = split_of(servers_of_tables(rows))
        part = ServerSplit(
            lambda server: numbers.index(split.of_server(server)),
            lambda key: [numbers.index(number) for number in split.of_value(key) if number in numbers],
        )
        try:
            with contextlib.ExitStack() as filling:
                filled = [filling.enter_context(slots.home(number, NEW).filling(steps, "")) for number in numbers]
                copy_rows(rows, filled, steps, part, partial(copied.tell, source.name))
        except CopyFailed as error:
            raise StoreUnusable(f"{source.name} could not be copied: {error}. Nothing has changed.") from error
        finally:
            rows.rollback()


def _put_in(slots: Slots, homes: Sequence[SchemaHome], made: Sequence[int], now: int) -> None:
    """Put the new schemas in the place of the old ones, in one transaction."""
    count = len(slots.schemas)
    with _asking(slots) as db:
        with db.transaction():
            for number, schema in enumerate(slots.schemas):
                move_tables(db, schema, f"{schema}_replaced_{now}")
                if number in made:
                    move_tables(db, f"{schema}{NEW}", schema)
            db.make(
                [
                    f'UPDATE "{slots.house}".fact SET slots = {count}, shards = ((shards + {count - 1}) / {count}) * {count}'
                ]
            )
            for home, schema in zip(homes, slots.schemas, strict=True):
                db.require_owner(home.epoch, schema)
        db.make([f'DROP SCHEMA "{slots.schemas[number]}{NEW}"' for number in made])


@contextlib.contextmanager
def _asking(slots: Slots) -> Iterator[PostgresDatabase]:
    """Connect to what is of no slot alone."""
    opens = partial(connect, slots.address, slots.house, "cardroom move", idle_ms=0, silence_ms=COPY_SILENCE_MS)
    with contextlib.closing(PostgresDatabase(opens)) as db:
        yield db
