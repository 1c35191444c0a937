"""The clock of a turn: time-outs, the time bank, and what silence stands for."""

import pytest
from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine.refusals import NotYourTurn
from bot.engine.view import SeatState
from bot.runtime.journal import TimeUp
from bot.table.errors import BankEmpty, TimeNotYours
from bot.table.state import AfterHand
from bot.table.state import SeatState as TableState
from tests.runtime.evening import Evening, settings


def _state(evening: Evening, name: str) -> SeatState:
    number = next(seat.number for seat in evening.now.table.seats if seat.name == name)
    return next(seat.state for seat in evening.hand.seats if seat.number == number)


@pytest.mark.law("TL-30", "TL-32", "TL-41")
async def test_who_lets_his_time_pass_facing_a_bet_is_dropped_and_sits_out(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await evening.deal()
    sleeper = evening.to_act
    await evening.wait(90)
    assert evening.to_act == sleeper, "at the very last moment he is still in time"
    await evening.wait(1)
    assert evening.to_act != sleeper
    assert _state(evening, sleeper) is SeatState.FOLDED
    change = evening.changes[-1]
    assert change.timed_out and any(isinstance(event, TimeUp) for event in change.events)
    line = next(seat for seat in evening.now.table.seats if seat.name == sleeper)
    assert line.after is AfterHand.SIT_OUT
    assert line.bank_seconds == 0
    await evening.goes("folds")
    line = next(seat for seat in evening.now.table.seats if seat.name == sleeper)
    assert line.state is TableState.OUT
    await evening.audit()


@pytest.mark.law("TL-30", "TL-41")
async def test_silence_is_a_check_where_nothing_is_owed(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.deal()
    await evening.goes("calls", "checks")
    assert evening.hand.street == "flop"
    sleeper = evening.to_act
    await evening.wait(91)
    assert _state(evening, sleeper) is SeatState.LIVE
    assert evening.hand.actions[-1].verb == "check"
    assert evening.to_act != sleeper


@pytest.mark.law("TL-31")
async def test_the_time_bank_is_spent_by_itself_once_the_clock_has_run_out(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.deal()
    slow = evening.to_act
    await evening.wait(50)
    await evening.acts(f"{slow} calls")
    assert next(seat.bank_seconds for seat in evening.now.table.seats if seat.name == slow) == 40
    assert next(seat.bank_seconds for seat in evening.now.table.seats if seat.name != slow) == 60


@pytest.mark.law("TL-31")
async def test_time_is_called_by_who_is_to_act_and_has_some(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.deal()
    slow = evening.to_act
    other = "Bo" if slow == "Ann" else "Ann"
    await evening.tables.time(evening.asked(slow))
    with pytest.raises(TimeNotYours):
        await evening.tables.time(evening.asked(other))
    await evening.wait(90)
    await evening.acts(f"{slow} calls", f"{other} checks")
    while evening.to_act != slow:
        await evening.goes("checks")
    with pytest.raises(BankEmpty):
        await evening.tables.time(evening.asked(slow))


@pytest.mark.law("TL-32")
async def test_who_let_a_turn_pass_has_no_bank_for_the_rest_of_the_hand(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.deal()
    await evening.goes("calls")
    sleeper = evening.to_act
    await evening.wait(91)
    while evening.to_act != sleeper:
        await evening.goes("checks")
    due = evening.now.due
    assert due is not None and due.ends == due.turn_ends


async def test_an_action_in_time_stops_the_clock_of_that_turn(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.deal()
    await evening.wait(89)
    first = evening.to_act
    await evening.acts(f"{first} calls")
    await evening.wait(89)
    assert evening.to_act != first and evening.hand.street == "pre-flop"


@pytest.mark.law("TL-40")
async def test_who_leaves_in_the_middle_of_a_hand_is_dropped_at_his_turn_at_once(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await evening.deal()
    first = evening.to_act
    leaver = next(name for name in ("Ann", "Bo", "Cy") if name != first)
    await evening.tables.leave(evening.asked(leaver))
    assert _state(evening, leaver) is SeatState.LIVE
    await evening.acts(f"{first} calls")
    while evening.playing():
        assert evening.to_act != leaver
        await evening.goes("folds")
    assert leaver not in evening.stacks()
    await evening.audit()


@pytest.mark.law("TL-40")
async def test_who_leaves_at_his_turn_is_dropped_there_and_then(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await evening.deal()
    leaver = evening.to_act
    outcome = await evening.tables.leave(evening.asked(leaver))
    assert outcome.now.running
    assert _state(evening, leaver) is SeatState.FOLDED
    with pytest.raises(NotYourTurn):
        later = next(name for name in ("Ann", "Bo", "Cy") if name not in (leaver, evening.to_act))
        await evening.act(later, c.Fold())


@pytest.mark.law("TL-30", "TL-41")
async def test_at_the_show_silence_shows_the_winner_and_mucks_the_beaten(evening: Evening) -> None:
    await evening.open(settings(ask_show=True))
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.deal()
    await evening.goes("calls")
    while evening.hand.acting is not None and evening.hand.acting.check:
        await evening.goes("checks")
    assert evening.playing() and evening.hand.acting is not None and evening.hand.acting.show
    await evening.wait(91)
    await evening.wait(91)
    assert not evening.playing()
    assert all(seat.after is AfterHand.STAY and seat.state is TableState.IN for seat in evening.now.table.seats)
    await evening.audit()


@pytest.mark.law("AT-22", "TL-30")
async def test_the_clock_of_the_law_book(evening: Evening) -> None:
    """Owing nothing at 30 s: checked; owing 10: dropped and nothing taken; for who is all-in no clock starts."""
    stakes = replace(settings().stakes, small_blind=5, big_blind=10, bank_seconds=0)
    await evening.open(replace(settings(), stakes=stakes))
    await evening.seat(Ann=2_000, Bo=2_000, Cy=200)
    await evening.deal()
    late = evening.to_act
    stack = evening.stacks()[late]
    await evening.wait(31)
    assert _state(evening, late) is SeatState.FOLDED
    assert evening.stacks()[late] == stack
    await evening.goes("calls", "checks")
    second = evening.to_act
    await evening.wait(31)
    assert evening.hand.actions[-1].verb == "check" and evening.to_act != second
    while evening.playing():
        await evening.goes("checks" if evening.hand.acting is not None and evening.hand.acting.check else "calls")
    for name in ("Ann", "Bo", "Cy"):
        if late == name:
            await evening.tables.back(evening.asked(name))
    await evening.deal()
    while evening.playing():
        assert evening.hand.seats[evening.hand.to_act].state is SeatState.LIVE
        assert evening.now.due is not None and evening.now.due.ends == evening.now.due.turn_ends
        await evening.goes("is all-in")
    await evening.audit()
