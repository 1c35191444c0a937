"""Move all data from a file into a database, or back.

Nothing is destroyed: what was moved away stays where it was, with a mark by which a dealer that is started on it refuses and says where
the data is. `bot.store.moved` says why a move that is killed at any moment can be begun again.
"""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import NamedTuple, TypeAlias

from bot.runtime.store_errors import StoreError, StoreUnusable
from bot.store.backup import DataCheck
from bot.store.copy_rows import CopyFailed, ServerSplit, copy_rows, join_rows, servers_of_tables
from bot.store.finished_hands import KEEP_VALUE
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


SplitOf: TypeAlias = Callable[[Mapping[int, int]], ServerSplit]
"""Says which target gets what, by the server of each table."""


class Moved(NamedTuple):
    """What a move has done.

    Attributes:
        contents: what was moved, as the check of the target has found it.
        aside: where what was there before is kept, in words.
        was_begun: an earlier move had come so far that only its marks were left to write.
    """

    contents: DataCheck
    aside: tuple[str, ...]
    was_begun: bool


def move(source: DataHome, target: DataHome, now: int, tell: Tell = lambda stage, rows: None) -> Moved:
    """Move all data of one house. No dealer can run with it meanwhile. Arguments and errors as in `deal_out`."""
    return deal_out(source, (target,), None, now, tell)


def deal_out(
    source: DataHome,
    targets: Sequence[DataHome],
    split_of: SplitOf | None,
    now: int,
    tell: Tell = lambda stage, rows: None,
) -> Moved:
    """Move all data of one house, and deal its servers out to several targets.

    Args:
        split_of: says which target gets what; None where there is but one.
        now: ms since the epoch; the number of the move, and in the name of what is kept aside.

    Raises:
        TargetNotEmpty: there are chips in a target that were never moved away.
        StoreInUse: a dealer runs with one of them.
        StoreUnusable: the source is not sound, has been moved away already, or was made by a newer program.
        StoreFailed: one of them cannot be read or written.
    """
    with contextlib.ExitStack() as owned:
        for home in (source, *targets):
            owned.enter_context(home.owned())
        if not source.is_there():
            raise StoreUnusable(f"there is no data in {source.name}")
        source.bring_up_to_date()
        gone, arrived = _marks(source), [_marks(target) for target in targets]
        if gone.moved_to is not None:
            if not any(one.moved_from and one.moved_from.move == gone.moved_to.move for one in arrived):
                raise StoreUnusable(
                    f"chips and hands of {source.name} have been moved to {gone.moved_to.where} already"
                )
            found = contents_of(targets)
            _release(targets)
            return Moved(found, (), was_begun=True)
        if gone.moved_from is not None:
            raise StoreUnusable(f"{source.name} is being filled from {gone.moved_from.where}; end that move first")
        for target, marks in zip(targets, arrived, strict=True):
            if marks == MoveMarks() and _has_chips(target):
                raise TargetNotEmpty(f"there are chips and hands in {target.name} already; nothing has been moved")
        tell(MoveStage.CHECKING, 0)
        was_there = source.check()
        if was_there.problems:
            raise StoreUnusable(f"{source.name} is not sound: {'; '.join(was_there.problems)}")
        endings = [
            f".replaced-{now}" if target.is_there() and marks.moved_from is None else ""
            for target, marks in zip(targets, arrived, strict=True)
        ]
        _copy(source, list(zip(targets, endings, strict=True)), split_of, str(now), tell)
        tell(MoveStage.COMPARING, 0)
        found = contents_of(targets)
        if found != was_there:
            problems = "; ".join(found.problems) or "the books differ"
            raise StoreUnusable(f"what has arrived in {_names(targets)} is not what was there: {problems}")
        with source.writing() as db:
            mark(db, MOVED_TO, MoveMark(str(now), _names(targets)))
        _release(targets)
    kept = [target.aside(ending) for target, ending in zip(targets, endings, strict=True) if ending]
    return Moved(found, tuple(kept), was_begun=False)


def join(
    sources: Sequence[DataHome],
    target: DataHome,
    split_of: SplitOf,
    now: int,
    tell: Tell = lambda stage, rows: None,
    shared: Callable[[], Mapping[str, bytes]] = dict,
) -> Moved:
    """Move all data of several slots to one target. Other arguments and errors as in `deal_out`.

    Args:
        shared: returns the values that are kept outside of the slots, for all of them.

    If it is killed before all slots have their mark, it begins anew: a dealer may have gone on with one that had none.
    """
    with contextlib.ExitStack() as owned:
        for home in (*sources, target):
            owned.enter_context(home.owned())
        there = [source for source in sources if source.is_there()]
        gone, arrived = [_marks(source).moved_to for source in there], _marks(target)
        if there and all(gone):
            if arrived.moved_from is None or any(one and one.move != arrived.moved_from.move for one in gone):
                raise StoreUnusable(f"chips and hands of {_names(there)} have been moved already")
            _release([target])
            return Moved(target.check(), (), was_begun=True)
        if any(gone) and (
            arrived.moved_from is None or any(one and one.move != arrived.moved_from.move for one in gone)
        ):
            raise StoreUnusable(f"chips and hands of a part of {_names(there)} have been moved already")
        _release(there)
        if arrived == MoveMarks() and _has_chips(target):
            raise TargetNotEmpty(f"there are chips and hands in {target.name} already; nothing has been moved")
        tell(MoveStage.CHECKING, 0)
        was_there = contents_of(there)
        if was_there.problems:
            raise StoreUnusable(f"{_names(there)} are not sound: {'; '.join(was_there.problems)}")
        ending = f".replaced-{now}" if target.is_there() and arrived.moved_from is None else ""
        _join(
            there,
            [sources.index(source) for source in there],
            target,
            ending,
            split_of,
            MoveMark(str(now), _names(there)),
            tell,
            shared,
        )
        tell(MoveStage.COMPARING, 0)
        found = target.check()
        if found != was_there:
            problems = "; ".join(found.problems) or "the books differ"
            raise StoreUnusable(f"what has arrived in {target.name} is not what was there: {problems}")
        for source in there:
            with source.writing() as db:
                mark(db, MOVED_TO, MoveMark(str(now), target.name))
        _release([target])
    return Moved(found, (target.aside(ending),) if ending else (), was_begun=False)


def move_slots(
    sources: Sequence[DataHome],
    targets: Sequence[DataHome],
    now: int,
    tell: Tell = lambda stage, rows: None,
    share: Callable[[], None] = lambda: None,
) -> Moved:
    """Move all data of several slots to as many others, each to the one of its number. Other arguments and errors as in `deal_out`.

    Args:
        share: brings over what is kept outside of the slots, before any target can be dealt with.

    If it is killed before all slots have their mark, it begins anew, as `join` does. One that nobody has dealt with yet stays as it is.
    """
    with contextlib.ExitStack() as owned:
        for home in (*sources, *targets):
            owned.enter_context(home.owned())
        pairs = [(source, target) for source, target in zip(sources, targets, strict=True) if source.is_there()]
        there, into = [source for source, _ in pairs], [target for _, target in pairs]
        gone, arrived = [_marks(source).moved_to for source in there], [_marks(target) for target in into]
        same = [
            bool(went and came.moved_from and went.move == came.moved_from.move)
            for went, came in zip(gone, arrived, strict=True)
        ]
        if pairs and all(gone):
            if not any(same):
                raise StoreUnusable(f"chips and hands of {_names(there)} have been moved already")
            _release(into)
            return Moved(contents_of(into), (), was_begun=True)
        if any(went is not None and not it_is for went, it_is in zip(gone, same, strict=True)):
            raise StoreUnusable(f"chips and hands of a part of {_names(there)} have been moved already")
        _release(there)
        for target in targets:
            if _marks(target) == MoveMarks() and _has_chips(target):
                raise TargetNotEmpty(f"there are chips and hands in {target.name} already; nothing has been moved")
        if not pairs:
            raise StoreUnusable(f"there is no data in {_names(sources)}")
        tell(MoveStage.CHECKING, 0)
        was_there = contents_of(there)
        if was_there.problems:
            raise StoreUnusable(f"{_names(there)} are not sound: {'; '.join(was_there.problems)}")
        endings = [
            f".replaced-{now}" if target.is_there() and marks.moved_from is None else ""
            for target, marks in zip(into, arrived, strict=True)
        ]
        copied = _Copied(tell)
        for source, target, ending in zip(there, into, endings, strict=True):
            _copy(source, [(target, ending)], None, str(now), copied.of(source.name))
        tell(MoveStage.COMPARING, 0)
        found = contents_of(into)
        if found != was_there:
            problems = "; ".join(found.problems) or "the books differ"
            raise StoreUnusable(f"what has arrived in {_names(into)} is not what was there: {problems}")
        share()
        for source, target in pairs:
            with source.writing() as db:
                mark(db, MOVED_TO, MoveMark(str(now), target.name))
        _release(into)
    kept = [target.aside(ending) for target, ending in zip(into, endings, strict=True) if ending]
    return Moved(found, tuple(kept), was_begun=False)


class _Copied:
    """Tells how many rows of all slots are there."""

    def __init__(self, tell: Tell) -> None:
        self._tell, self._rows = tell, dict[str, int]()

    def of(self, name: str) -> Tell:
        def tell(stage: MoveStage, rows: int) -> None:
            self._rows[name] = rows
            self._tell(stage, sum(self._rows.values()))

        return tell


def _join(
    sources: Sequence[DataHome],
    numbers: Sequence[int],
    target: DataHome,
    ending: str,
    split_of: SplitOf,
    arriving: MoveMark,
    tell: Tell,
    shared: Callable[[], Mapping[str, bytes]],
) -> None:
    counts: dict[str, int] = {}

    def tell_rows(table: str, rows: int) -> None:
        counts[table] = rows
        tell(MoveStage.COPYING, sum(counts.values()))

    with contextlib.ExitStack() as reading:
        rows = [reading.enter_context(source.reading()) for source in sources]
        steps = [steps_of(one, source.name) for one, source in zip(rows, sources, strict=True)]
        if len(set(steps)) > 1:
            raise StoreUnusable(f"{_names(sources)} are of several versions; start a dealer of each once")
        for one in rows:
            one.begin_reading()
        try:
            with target.filling(steps[0], ending) as filled:
                splits = [_within(split_of(servers_of_tables(one)), numbers) for one in rows]
                join_rows(rows, filled, steps[0], splits, tell_rows)
                for kept in shared().items():
                    filled.execute(KEEP_VALUE, kept)
                unmark(filled)
                mark(filled, MOVED_FROM, arriving)
        except CopyFailed as error:
            raise StoreUnusable(f"{_names(sources)} could not be joined: {error}; nothing has changed") from error
        finally:
            for one in rows:
                one.rollback()


def _within(split: ServerSplit, numbers: Sequence[int]) -> ServerSplit:
    """Return the same for some of the slots alone, in their order."""

    def of_value(key: str) -> Sequence[int]:
        return [at for at, number in enumerate(numbers) if number in split.of_value(key)]

    return ServerSplit(lambda server: numbers.index(split.of_server(server)), of_value)


def _names(homes: Sequence[DataHome]) -> str:
    return ", ".join([home.name for home in homes])


def _copy(
    source: DataHome,
    targets: Sequence[tuple[DataHome, str]],
    split_of: SplitOf | None,
    move_number: str,
    tell: Tell,
) -> None:
    """Fill the targets, each with what it keeps aside of before under a name with that ending."""
    counts: dict[str, int] = {}

    def tell_rows(table: str, rows: int) -> None:
        counts[table] = rows
        tell(MoveStage.COPYING, sum(counts.values()))

    with source.reading() as rows:
        steps = steps_of(rows, source.name)
        rows.begin_reading()
        try:
            with contextlib.ExitStack() as filling:
                filled = [filling.enter_context(target.filling(steps, ending)) for target, ending in targets]
                split = split_of(servers_of_tables(rows)) if split_of is not None else None
                copy_rows(rows, filled, steps, split, tell_rows)
                for db in filled:
                    unmark(db)
                    mark(db, MOVED_FROM, MoveMark(move_number, source.name))
        except CopyFailed as error:
            raise StoreUnusable(f"{source.name} could not be copied: {error}; nothing has changed") from error
        finally:
            rows.rollback()


def contents_of(homes: Sequence[DataHome]) -> DataCheck:
    """Return what some houses hold together."""
    found = [home.check() for home in homes]
    newest = max(found, key=lambda one: one.newest_cause)
    return DataCheck(
        problems=tuple([problem for one in found for problem in one.problems]),
        servers=sum(one.servers for one in found),
        open_tables=sum(one.open_tables for one in found),
        transfers=sum(one.transfers for one in found),
        chips=sum(one.chips for one in found),
        newest_cause=newest.newest_cause,
        changed_at=newest.changed_at,
        format=min(one.format for one in found),
    )


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


def _release(targets: Sequence[DataHome]) -> None:
    """Let the targets be dealt with. One that a killed move has released already is let be as it is."""
    for target in targets:
        with target.writing() as db:
            unmark(db)
