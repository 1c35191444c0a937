"""What a copy of one slot holds of the house that all dealers share: the values of persons, so that they outlive the loss of a database.

They lie among the kept values of the copy, as a dealer who is alone keeps them; a mark says how many slots there were, and when it was.
Nothing else of the house is worth a copy: seats are written down anew by each dealer, and the rest is of the moment.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import msgspec

from bot.runtime.saved_values import SavedKind
from bot.store.database import Database
from bot.store.finished_hands import KEEP_VALUE
from bot.store.queries import value, values

HOUSE_COPY_KEY = "store.house_copy"


class HouseMark(msgspec.Struct, frozen=True):
    """Of which house a copy holds the values of persons.

    Attributes:
        slots: into how many the servers were dealt out.
        at: when it was copied, in ms since the epoch by the database's clock.
    """

    slots: int
    at: int


class HouseCopy(msgspec.Struct, frozen=True):
    """The values of persons in a house, by key, at one moment."""

    mark: HouseMark
    values: Mapping[str, bytes]


def write_house_copy(db: Database, copy: HouseCopy) -> None:
    """Write the values of persons into a copy of a slot, in the caller's transaction."""
    db.executemany(KEEP_VALUE, [*copy.values.items(), (HOUSE_COPY_KEY, msgspec.json.encode(copy.mark))])


def house_mark(db: Database) -> HouseMark | None:
    """Return of which house a copy holds values; None if it is no copy of one of several slots."""
    stored = value(db, HOUSE_COPY_KEY)
    return msgspec.json.decode(stored, type=HouseMark) if stored is not None else None


def without_house(db: Database, keys: Collection[str] = ()) -> None:
    """Take the mark away, and the values of persons under these keys, in the caller's transaction: they are kept in the house."""
    db.executemany("DELETE FROM kept WHERE key = ?", [(key,) for key in (HOUSE_COPY_KEY, *keys)])


def personal_values(db: Database, kinds: Iterable[SavedKind[Any, Any]]) -> dict[str, bytes]:
    """Return the kept values that hold in all servers, by key."""
    found = [(kind, values(db, kind.prefix)) for kind in kinds if kind.is_personal]
    return {key: kept for kind, some in found for key, kept in some.items() if kind.owns(key)}


def unreadable_personal(db: Database, kinds: Iterable[SavedKind[Any, Any]]) -> tuple[str, ...]:
    """Return what is wrong with the values that hold in all servers, a sentence for each kind with some that cannot be read."""
    problems = []
    for kind in kinds:
        stored = personal_values(db, (kind,)).values()
        unreadable = sum(not _is_readable(kind, kept) for kept in stored)
        if unreadable:
            problems.append(f"{unreadable} of {len(stored)} values of {kind.name} cannot be read")
    return tuple(problems)


def _is_readable(kind: SavedKind[Any, Any], stored: bytes) -> bool:
    try:
        kind.decode(stored)
    except (ValueError, msgspec.MsgspecError):
        return False
    return True
