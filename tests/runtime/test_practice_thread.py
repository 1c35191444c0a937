"""Practice players think beside the event loop: nobody waits for them, and a choice that comes too late changes nothing."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from random import Random

import pytest

from bot.engine import commands as c
from bot.engine.view.types import HandView
from bot.players import policies
from bot.runtime.commands import SeatPracticePlayers, VoidHand
from bot.runtime.practice import PracticePolicy
from bot.table.commands import SitOut, TakeSeat
from tests.runtime.evening import Evening, settings

pytestmark = pytest.mark.real_time  # a thread thinks, and the test tells it when

TIMEOUT_SECONDS = 10.0
"""Tests wait so many seconds only when something is broken."""


class SlowPolicy:
    """A practice player who calls, but not before a test lets them."""

    def __init__(self) -> None:
        self.began, self.may_end = threading.Event(), threading.Event()
        self.threads: set[str] = set()
        self.seen: list[HandView] = []
        self.choice: Callable[[HandView], c.HandCommand] = lambda seen: (
            c.Call() if seen.legal and seen.legal.call_chips else c.Check()
        )

    def policy(self, _player: int) -> PracticePolicy:
        return self

    def names(self) -> tuple[str, ...]:
        return ("SlowPolicy",)

    def think_ms(self, _seen: HandView, _dice: Random) -> int:
        return 1_000

    def choose(self, seen: HandView, _dice: Random) -> c.HandCommand:
        self.threads.add(threading.current_thread().name)
        self.seen.append(seen)
        self.began.set()
        assert self.may_end.wait(TIMEOUT_SECONDS), "nobody let the practice player end"
        return self.choice(seen)


@pytest.fixture
def muser() -> SlowPolicy:
    return SlowPolicy()


@pytest.fixture
async def evening(tmp_path: Path, muser: SlowPolicy) -> AsyncIterator[Evening]:
    """Ann against one practice player who is to act, and has been seen thinking long enough."""
    opened = await Evening(tmp_path, policies=muser).begin()
    await opened.open(settings(practice=True))
    await opened.ask("Ann", TakeSeat, 5_000, 1)
    await opened.ask("Ann", SeatPracticePlayers(1))
    await opened.deal()
    if opened.to_act == "Ann":
        await opened.acts("Ann calls")
    yield opened
    muser.may_end.set()
    await opened.end()


async def think(evening: Evening, muser: SlowPolicy) -> None:
    """Wait until the practice player has begun to choose."""
    evening.clock.move_to(evening.clock.next_at())
    while evening.clock.ring_due():
        pass
    assert await asyncio.to_thread(muser.began.wait, TIMEOUT_SECONDS), "nobody thinks"


async def test_the_table_answers_while_a_practice_player_thinks(evening: Evening, muser: SlowPolicy) -> None:
    turn = evening.snapshot.decision_number
    await think(evening, muser)
    await evening.ask("Ann", SitOut)
    assert evening.snapshot.decision_number == turn
    muser.may_end.set()
    await evening.tables.wait_until_idle()
    assert evening.snapshot.decision_number == turn + 1
    assert not any(name.startswith("MainThread") for name in muser.threads)
    await evening.audit()


async def test_practice_player_sees_their_own_cards_alone(evening: Evening, muser: SlowPolicy) -> None:
    await think(evening, muser)
    (seen,), hand = muser.seen, evening.session.state.hand
    assert hand is not None and seen.viewer == hand.to_act
    known = {seat.seat_index for seat in seen.seats if any(one.card is not None for one in seat.cards)}
    assert known == {hand.to_act}


async def test_choice_for_a_finished_turn_is_ignored(evening: Evening, muser: SlowPolicy) -> None:
    """A practice player who thinks too long runs out of time like anybody. Their late choice changes nothing."""
    await think(evening, muser)
    due = evening.snapshot.current_turn
    assert due is not None
    evening.clock.move_to(due.bank_ends_at + 1)
    while evening.clock.ring_due():
        if evening.session._worker is not None:
            await asyncio.wait({evening.session._worker})
    timed_out = [change for change in evening.updates if change.timed_out_seat]
    assert [change.timed_out_seat for change in timed_out] == [due.seat_number]
    seq = evening.snapshot.seq
    muser.may_end.set()
    await evening.tables.wait_until_idle()
    assert evening.snapshot.seq == seq
    await evening.audit()


async def test_a_hand_that_staff_void_meanwhile_stays_void(evening: Evening, muser: SlowPolicy) -> None:
    await think(evening, muser)
    await evening.ask("Ida", VoidHand("a drill"), staff=True)
    seq = evening.snapshot.seq
    muser.may_end.set()
    await evening.tables.wait_until_idle()
    assert evening.snapshot.seq == seq


async def test_dealer_stops_without_waiting_for_a_practice_choice(evening: Evening, muser: SlowPolicy) -> None:
    seq = evening.snapshot.seq
    await think(evening, muser)
    await evening.tables.drain()
    assert not muser.may_end.is_set()
    muser.may_end.set()
    assert evening.snapshot.seq == seq


async def test_practice_player_chooses_again_after_crash(evening: Evening, muser: SlowPolicy) -> None:
    turn = evening.snapshot.decision_number
    await think(evening, muser)
    await evening.tables.drain()
    await evening.crash(60_000)
    assert evening.snapshot.decision_number == turn
    muser.may_end.set()
    await evening.wait(2)
    assert evening.snapshot.decision_number > turn
    await evening.audit()


async def test_failing_practice_player_does_not_block_the_hand(evening: Evening, muser: SlowPolicy) -> None:
    """After three faults of the program the hand is voided and paid back (I-1)."""

    def falter(_seen: HandView) -> c.HandCommand:
        raise RuntimeError("no idea")

    muser.choice = falter
    muser.may_end.set()
    await evening.wait(8)
    assert any(change.snapshot.hand is not None and change.snapshot.hand.voided for change in evening.updates)
    await evening.audit()


async def test_same_seed_gives_same_practice_choices(tmp_path: Path) -> None:
    """The random numbers are drawn before the thread starts: the choice does not depend on when it is made."""
    evenings: list[list[object]] = []
    for again in ("first", "again"):
        folder = tmp_path / again
        folder.mkdir()
        evening = await Evening(folder, policies=policies()).begin()
        await evening.open(settings(practice=True))
        await evening.ask("Ann", TakeSeat, 5_000, 1)
        await evening.ask("Ann", SeatPracticePlayers(2))
        await evening.deal()
        for _ in range(12):
            await evening.wait(40)
        evenings.append([event for change in evening.updates for event in change.events])
        await evening.end()
    assert len(evenings[0]) > 30
    assert evenings[0] == evenings[1]
