"""Marks of data that has been moved away, and of data that has arrived and waits for the end of a move.

Two kept values say so, whatever the engine is. While they are there no dealer deals with the data, so that chips are in one house only:
first the target is written whole, with its mark; then the source gets its own; then the target's mark is taken away. Whenever the process
is killed, at most one of them can be dealt with, and the same command goes on.
"""

import msgspec

from bot.runtime.store_errors import StoreUnusable
from bot.store.database import Database
from bot.store.finished_hands import KEEP_VALUE
from bot.store.queries import value

MOVED_TO, MOVED_FROM = "store.moved_to", "store.moved_from"
"""Keys of kept values: of data that is somewhere else now, and of data whose move has not ended."""


class MoveMark(msgspec.Struct, frozen=True):
    """Which move it was, and where the other side of it is, in words."""

    move: str
    where: str


class MoveMarks(msgspec.Struct, frozen=True):
    """The marks of some data: where it has gone, and from where it is arriving. None: it has not, or is not."""

    moved_to: MoveMark | None = None
    moved_from: MoveMark | None = None


def marks_of(db: Database) -> MoveMarks:
    """Return the marks of some data."""
    return MoveMarks(*[_decoded(value(db, key)) for key in (MOVED_TO, MOVED_FROM)])


def _decoded(stored: bytes | None) -> MoveMark | None:
    return msgspec.json.decode(stored, type=MoveMark) if stored is not None else None


def mark(db: Database, key: str, found: MoveMark) -> None:
    """Write a mark, in the caller's transaction."""
    db.execute(KEEP_VALUE, (key, msgspec.json.encode(found)))


def unmark(db: Database) -> None:
    """Take both marks away, in the caller's transaction."""
    db.execute("DELETE FROM kept WHERE key IN (?, ?)", (MOVED_TO, MOVED_FROM))


def where_else(db: Database, name: str) -> str:
    """Return in a sentence where the data is that has been moved away from here, or has not arrived yet; "" if it is here."""
    marks = marks_of(db)
    if marks.moved_from is not None:
        where = marks.moved_from.where
        return f"{name} is being filled from {where}, and that has not ended; run the same `cardroom move` again"
    if marks.moved_to is not None:
        where = marks.moved_to.where
        return (
            f"chips and hands of {name} have been moved to {where}; deal there, or bring them back with `cardroom move`"
        )
    return ""


def require_here(db: Database, name: str) -> None:
    """Refuse data that has been moved away, or has not arrived yet.

    Raises:
        StoreUnusable: it says where the data is.
    """
    elsewhere = where_else(db, name)
    if elsewhere:
        raise StoreUnusable(elsewhere)
