"""Practice players think beside the event loop: nobody waits for a thought, and a thought that comes too late changes nothing."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from random import Random

import pytest

from bot.engine import commands as c
from bot.engine.view import HandView
from bot.players import policies
from bot.runtime.policies import Policy
from tests.runtime.evening import Evening, settings

PATIENCE = 10.0
"""Seconds, only ever waited where something is broken."""


class Muser:
    """A practice player who calls, but not before he is let."""

    def __init__(self) -> None:
        self.began, self.may_end = threading.Event(), threading.Event()
        self.threads: set[str] = set()
        self.choice: Callable[[HandView], c.Command] = lambda seen: (
            c.Call() if seen.legal and seen.legal.call else c.Check()
        )

    def policy(self, _player: int) -> Policy:
        return self

    def names(self) -> tuple[str, ...]:
        return ("Muser",)

    def think_ms(self, _seen: HandView, _dice: Random) -> int:
        return 1_000

    def choose(self, seen: HandView, _dice: Random) -> c.Command:
        self.threads.add(threading.current_thread().name)
        self.began.set()
        assert self.may_end.wait(PATIENCE), "nobody let him end"
        return self.choice(seen)


@pytest.fixture
def muser() -> Muser:
    return Muser()


@pytest.fixture
async def evening(tmp_path: Path, muser: Muser) -> AsyncIterator[Evening]:
    """Ann against one practice player who is to act, and has been seen thinking long enough."""
    told = await Evening(tmp_path, policies=muser).begin()
    await told.open(settings(practice=True))
    await told.tables.sit(told.asked("Ann"), 5_000, 1)
    await told.tables.seat_practice(told.asked("Ann"), 1)
    await told.deal()
    if told.to_act == "Ann":
        await told.acts("Ann calls")
    yield told
    muser.may_end.set()
    await told.end()


async def think(evening: Evening, muser: Muser) -> None:
    """The practice player begins to choose, and is at it."""
    evening.clock.move_to(evening.clock.next_at())
    while evening.clock.ring_due():
        pass
    assert await asyncio.to_thread(muser.began.wait, PATIENCE), "nobody thinks"


async def test_the_table_answers_while_a_practice_player_thinks(evening: Evening, muser: Muser) -> None:
    turn = evening.now.turn
    await think(evening, muser)
    await evening.tables.sit_out(evening.asked("Ann"))
    assert evening.now.turn == turn
    muser.may_end.set()
    await evening.tables.quiet()
    assert evening.now.turn == turn + 1
    assert not any(name.startswith("MainThread") for name in muser.threads)
    await evening.audit()


async def test_a_thought_about_a_turn_that_is_over_is_dropped(evening: Evening, muser: Muser) -> None:
    """Who thinks too long is out of time like anybody; what he comes to then changes nothing."""
    await think(evening, muser)
    due = evening.now.due
    assert due is not None
    evening.clock.move_to(due.ends + 1)
    while evening.clock.ring_due():
        if evening.session._worker is not None:
            await asyncio.wait({evening.session._worker})
    timed_out = [change for change in evening.changes if change.timed_out]
    assert [change.timed_out for change in timed_out] == [due.seat]
    seq = evening.now.seq
    muser.may_end.set()
    await evening.tables.quiet()
    assert evening.now.seq == seq
    await evening.audit()


async def test_a_hand_that_staff_void_meanwhile_stays_void(evening: Evening, muser: Muser) -> None:
    await think(evening, muser)
    await evening.tables.void(evening.asked("Ida", staff=True), "a drill")
    seq = evening.now.seq
    muser.may_end.set()
    await evening.tables.quiet()
    assert evening.now.seq == seq


async def test_the_dealer_goes_home_without_waiting_for_a_thought(evening: Evening, muser: Muser) -> None:
    seq = evening.now.seq
    await think(evening, muser)
    await evening.tables.drain()
    assert not muser.may_end.is_set()
    muser.may_end.set()
    assert evening.now.seq == seq


async def test_after_a_crash_in_mid_thought_he_thinks_again(evening: Evening, muser: Muser) -> None:
    turn = evening.now.turn
    await think(evening, muser)
    await evening.tables.drain()
    await evening.crash(60_000)
    assert evening.now.turn == turn
    muser.may_end.set()
    await evening.wait(2)
    assert evening.now.turn > turn
    await evening.audit()


async def test_a_practice_player_who_cannot_choose_does_not_hold_the_hand_up(evening: Evening, muser: Muser) -> None:
    """A fault of ours, three times over: the hand is voided and paid back (I-1)."""

    def falter(_seen: HandView) -> c.Command:
        raise RuntimeError("no idea")

    muser.choice = falter
    muser.may_end.set()
    await evening.wait(8)
    assert any(change.now.hand is not None and change.now.hand.voided for change in evening.changes)
    await evening.audit()


async def test_the_same_evening_is_thought_the_same_way_again(tmp_path: Path) -> None:
    """Dice are thrown before the thought begins: what a thought comes to does not depend on when it is thought."""
    told: list[list[object]] = []
    for again in ("first", "again"):
        folder = tmp_path / again
        folder.mkdir()
        evening = await Evening(folder, policies=policies()).begin()
        await evening.open(settings(practice=True))
        await evening.tables.sit(evening.asked("Ann"), 5_000, 1)
        await evening.tables.seat_practice(evening.asked("Ann"), 2)
        await evening.deal()
        for _ in range(12):
            await evening.wait(40)
        told.append([event for change in evening.changes for event in change.events])
        await evening.end()
    assert len(told[0]) > 30
    assert told[0] == told[1]
