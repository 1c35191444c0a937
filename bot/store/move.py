"""Move all data from a file into a database, or back.

Nothing is destroyed: what was moved away stays where it was, with a mark by which a dealer that is started on it refuses and says where
the data is. `bot.store.moved` says why a move that is killed at any moment can be begun again.
"""

from collections.abc import Callable
from enum import Enum
from typing import NamedTuple, TypeAlias

from bot.runtime.store_errors import StoreError, StoreUnusable
from bot.store.backup import DataCheck
from bot.store.copy_rows import CopyFailed, copy_rows
from bot.store.home import DataHome, steps_of
from bot.store.moved import MOVED_FROM, MOVED_TO, MoveMark, MoveMarks, mark, marks_of, unmark


class TargetNotEmpty(StoreError):
    """There are chips and hands where others shall be moved to."""


class MoveStage(Enum):
    """What a move is doing."""

    CHECKING = "checking"
    COPYING = "copying"
    COMPARING = "comparing"


Tell: TypeAlias = Callable[[MoveStage, int], None]
"""Is told what a move is doing and, while it copies, now and then how many rows of all tables are there."""


class Moved(NamedTuple):
    """What a move has done.

    Attributes:
        contents: what was moved, as the check of the target has found it.
        aside: where what was there before is kept, in words; "" if there was nothing.
        was_begun: an earlier move had come so far that only its marks were left to write.
    """

    contents: DataCheck
    aside: str
    was_begun: bool


def move(source: DataHome, target: DataHome, now: int, tell: Tell = lambda stage, rows: None) -> Moved:
    """Move all data of one house. No dealer can run with it meanwhile.

    Args:
        now: ms since the epoch; the number of the move, and in the name of what is kept aside.

    Raises:
        TargetNotEmpty: there are chips in the target that were never moved away.
        StoreInUse: a dealer runs with one of them.
        StoreUnusable: the source is not sound, has been moved away already, or was made by a newer program.
        StoreFailed: one of them cannot be read or written.
    """
    with source.owned(), target.owned():
        if not source.is_there():
            raise StoreUnusable(f"there is no data in {source.name}")
        source.bring_up_to_date()
        gone, arrived = _marks(source), _marks(target)
        if gone.moved_to is not None:
            if arrived.moved_from is None or arrived.moved_from.move != gone.moved_to.move:
                raise StoreUnusable(
                    f"chips and hands of {source.name} have been moved to {gone.moved_to.where} already"
                )
            found = target.check()
            _release(target)
            return Moved(found, "", was_begun=True)
        if gone.moved_from is not None:
            raise StoreUnusable(f"{source.name} is being filled from {gone.moved_from.where}; end that move first")
        if arrived == MoveMarks() and _has_chips(target):
            raise TargetNotEmpty(f"there are chips and hands in {target.name} already; nothing has been moved")
        tell(MoveStage.CHECKING, 0)
        was_there = source.check()
        if was_there.problems:
            raise StoreUnusable(f"{source.name} is not sound: {'; '.join(was_there.problems)}")
        ending = f".replaced-{now}" if target.is_there() and arrived.moved_from is None else ""
        _copy(source, target, ending, MoveMark(str(now), source.name), tell)
        tell(MoveStage.COMPARING, 0)
        arrived_there = target.check()
        if arrived_there != was_there:
            problems = "; ".join(arrived_there.problems) or "the books differ"
            raise StoreUnusable(f"what has arrived in {target.name} is not what was there: {problems}")
        with source.writing() as db:
            mark(db, MOVED_TO, MoveMark(str(now), target.name))
        _release(target)
    return Moved(arrived_there, target.aside(ending) if ending else "", was_begun=False)


def _copy(source: DataHome, target: DataHome, ending: str, arriving: MoveMark, tell: Tell) -> None:
    counts: dict[str, int] = {}

    def tell_rows(table: str, rows: int) -> None:
        counts[table] = rows
        tell(MoveStage.COPYING, sum(counts.values()))

    with source.reading() as rows:
        steps = steps_of(rows, source.name)
        rows.begin_reading()
        try:
            with target.filling(steps, ending) as filled:
                copy_rows(rows, (filled,), steps, tell=tell_rows)
                unmark(filled)
                mark(filled, MOVED_FROM, arriving)
        except CopyFailed as error:
            raise StoreUnusable(f"{source.name} could not be copied: {error}; nothing has changed") from error
        finally:
            rows.rollback()


def _marks(home: DataHome) -> MoveMarks:
    if not home.is_there():
        return MoveMarks()
    with home.reading() as db:
        return marks_of(db) if "kept" in db.tables() else MoveMarks()


def _has_chips(home: DataHome) -> bool:
    """Return whether anything has ever happened there: a dealer that was started by mistake makes empty tables."""
    if not home.is_there():
        return False
    with home.reading() as db:
        return "cause" not in db.tables() or db.execute("SELECT 1 FROM cause LIMIT 1").fetchone() is not None


def _release(target: DataHome) -> None:
    with target.writing() as db:
        unmark(db)
