"""When the running program looks for garbage, and over how much of it at once."""

import asyncio
import gc
import weakref
from collections.abc import Iterator

import pytest

from bot.operation.health import LoopWatchdog
from bot.operation.runner import MOST_NEW_OBJECTS, OBJECTS_WORTH_A_LOOK, look_for_garbage

NOBODY_LOOKS = 1_000_000_000
ENOUGH = 2 * OBJECTS_WORTH_A_LOOK


class Ring:
    """Something that only the garbage collector can free."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def started() -> Iterator[None]:
    """A program that has started. The interpreter looks for nothing by itself here."""
    thresholds, was_on = gc.get_threshold(), gc.isenabled()
    gc.disable()
    gc.collect(1)
    gc.set_threshold(MOST_NEW_OBJECTS, 200, 100)
    yield
    gc.set_threshold(*thresholds)
    if was_on:
        gc.enable()


def garbage(objects: int) -> weakref.ref[Ring]:
    """Leave so many objects that nobody knows any more. Returns how to see whether the first of them is freed."""
    rings = [Ring() for _ in range(objects)]
    return weakref.ref(rings[0])


def test_garbage_goes_long_before_5000_objects(started: None) -> None:
    first = garbage(ENOUGH)
    look_for_garbage()
    assert first() is None


def test_a_few_objects_are_not_worth_a_look(started: None) -> None:
    first = garbage(OBJECTS_WORTH_A_LOOK // 5)
    look_for_garbage()
    assert first() is not None


def test_nothing_is_looked_over_while_the_program_starts(started: None) -> None:
    gc.set_threshold(NOBODY_LOOKS, 200, 100)
    first = garbage(ENOUGH)
    look_for_garbage()
    assert first() is not None


def test_what_survived_many_looks_has_its_turn(started: None) -> None:
    gc.set_threshold(MOST_NEW_OBJECTS, 3, 100)
    kept = [Ring() for _ in range(ENOUGH)]
    first = weakref.ref(kept[0])
    look_for_garbage()
    kept.clear()
    for _ in range(3):
        assert first() is not None, "it is not new any more"
        more = [Ring() for _ in range(ENOUGH)]
        look_for_garbage()
        del more
    for _ in range(2):
        garbage(ENOUGH)
        look_for_garbage()
    assert first() is None


def test_a_look_over_everything_is_left_to_the_interpreter(started: None) -> None:
    gc.set_threshold(MOST_NEW_OBJECTS, 200, 0)
    gc.collect(1)  # the next look by the interpreter is one over everything
    first = garbage(ENOUGH)
    look_for_garbage()
    assert first() is not None


async def test_each_tick_of_the_loop_is_a_moment_for_it() -> None:
    ticked = asyncio.Event()
    watchdog = LoopWatchdog(tick_seconds=0.001, each_tick=ticked.set)
    watchdog.start()
    try:
        await asyncio.wait_for(ticked.wait(), 10)
    finally:
        watchdog.stop()
