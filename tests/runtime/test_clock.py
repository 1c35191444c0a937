"""A turn has a clock, a time bank behind it, and a default action for a player who is silent."""

import pytest
from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine.options.values import Misses
from bot.engine.refusals import NotYourTurn
from bot.engine.view.types import HandSeatState
from bot.runtime.journal import TimeUp
from bot.runtime.store_types import Cause, Commit
from bot.table.commands import CallTime, ComeBack, LeaveTable
from bot.table.refusals import CallTimeNotYourTurn, TimeBankEmpty
from bot.table.state import AfterHand
from bot.table.state import SeatStatus as TableState
from bot.table.view import SeatedPlayerView
from tests.runtime.evening import GUILD, Evening, settings
from tests.runtime.manual_clock import SECOND


def _state(evening: Evening, name: str) -> HandSeatState:
    number = next(seat.number for seat in evening.snapshot.table.seats if seat.name == name)
    return next(seat.state for seat in evening.hand.seats if seat.seat_number == number)


def _line(evening: Evening, name: str) -> SeatedPlayerView:
    return next(seat for seat in evening.snapshot.table.seats if seat.name == name)


@pytest.mark.law("TL-30", "TL-32", "TL-41")
async def test_timeout_facing_a_bet_folds_and_sits_out(evening: Evening) -> None:
    await evening.open(settings(options=replace(settings().options, misses=Misses.ONE)))
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await evening.deal()
    sleeper = evening.to_act
    await evening.wait(90)
    assert evening.to_act == sleeper, "the very last moment is still in time"
    await evening.wait(1)
    assert evening.to_act != sleeper
    assert _state(evening, sleeper) is HandSeatState.FOLDED
    change = evening.updates[-1]
    assert change.timed_out_seat and any(isinstance(event, TimeUp) for event in change.events)
    line = next(seat for seat in evening.snapshot.table.seats if seat.name == sleeper)
    assert line.after_hand is AfterHand.SIT_OUT
    assert line.bank_seconds == 0
    await evening.next_player_acts("folds")
    line = next(seat for seat in evening.snapshot.table.seats if seat.name == sleeper)
    assert line.status is TableState.SITTING_OUT
    await evening.audit()


@pytest.mark.law("TL-32")
async def test_two_missed_turns_in_a_row_sit_a_player_out(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.deal()
    await evening.next_player_acts("calls", "checks")
    sleeper = evening.to_act
    await evening.wait(91)
    await evening.next_player_acts("checks")
    while evening.to_act != sleeper:
        await evening.next_player_acts("checks")
    assert _line(evening, sleeper).after_hand is AfterHand.STAY
    await evening.wait(31)
    assert _line(evening, sleeper).after_hand is AfterHand.SIT_OUT
    await evening.wait(91)
    assert _line(evening, sleeper).out_by_timeout


@pytest.mark.law("TL-32")
async def test_an_action_between_two_missed_turns_keeps_the_seat(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.deal()
    await evening.next_player_acts("calls", "checks")
    sleeper = evening.to_act
    await evening.wait(91)
    await evening.next_player_acts("checks", "checks", "checks")
    assert evening.to_act == sleeper
    await evening.wait(91)
    line = _line(evening, sleeper)
    assert (line.missed_turns, line.after_hand) == (1, AfterHand.STAY)


@pytest.mark.law("TL-30", "TL-41")
async def test_timeout_checks_when_nothing_to_call(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.deal()
    await evening.next_player_acts("calls", "checks")
    assert evening.hand.street == "flop"
    sleeper = evening.to_act
    await evening.wait(91)
    assert _state(evening, sleeper) is HandSeatState.LIVE
    assert evening.hand.street_actions[-1].verb == "check"
    assert evening.to_act != sleeper


@pytest.mark.law("TL-31")
async def test_time_bank_is_spent_automatically_after_the_clock(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.deal()
    slow = evening.to_act
    await evening.wait(50)
    await evening.acts(f"{slow} calls")
    assert next(seat.bank_seconds for seat in evening.snapshot.table.seats if seat.name == slow) == 40
    assert next(seat.bank_seconds for seat in evening.snapshot.table.seats if seat.name != slow) == 60


@pytest.mark.law("TL-31")
async def test_only_player_to_act_with_time_bank_can_call_time(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.deal()
    slow = evening.to_act
    other = "Bo" if slow == "Ann" else "Ann"
    await evening.ask(slow, CallTime)
    with pytest.raises(CallTimeNotYourTurn):
        await evening.ask(other, CallTime)
    await evening.wait(90)
    await evening.acts(f"{slow} calls", f"{other} checks")
    while evening.to_act != slow:
        await evening.next_player_acts("checks")
    with pytest.raises(TimeBankEmpty):
        await evening.ask(slow, CallTime)


@pytest.mark.law("TL-32")
async def test_timed_out_player_has_no_time_bank_until_next_hand(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.deal()
    await evening.next_player_acts("calls")
    sleeper = evening.to_act
    await evening.wait(91)
    while evening.to_act != sleeper:
        await evening.next_player_acts("checks")
    due = evening.snapshot.current_turn
    assert due is not None and due.bank_ends_at == due.turn_ends_at


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
async def test_player_who_leaves_during_hand_folds_when_their_turn_comes(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await evening.deal()
    first = evening.to_act
    leaver = next(name for name in ("Ann", "Bo", "Cy") if name != first)
    await evening.ask(leaver, LeaveTable)
    assert _state(evening, leaver) is HandSeatState.LIVE
    await evening.acts(f"{first} calls")
    while evening.playing():
        assert evening.to_act != leaver
        await evening.next_player_acts("folds")
    assert leaver not in evening.stacks()
    await evening.audit()


@pytest.mark.law("TL-40")
async def test_player_who_leaves_on_their_turn_folds_immediately(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await evening.deal()
    leaver = evening.to_act
    outcome = await evening.ask(leaver, LeaveTable)
    assert outcome.snapshot.hand_running
    assert _state(evening, leaver) is HandSeatState.FOLDED
    with pytest.raises(NotYourTurn):
        later = next(name for name in ("Ann", "Bo", "Cy") if name not in (leaver, evening.to_act))
        await evening.ask(later, c.Fold())


@pytest.mark.law("TL-30", "TL-41")
async def test_showdown_timeout_shows_winner_and_mucks_losers(evening: Evening) -> None:
    await evening.open(settings(ask_show=True))
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.deal()
    await evening.next_player_acts("calls")
    while evening.hand.legal_to_act is not None and evening.hand.legal_to_act.check:
        await evening.next_player_acts("checks")
    assert evening.playing() and evening.hand.legal_to_act is not None and evening.hand.legal_to_act.show
    await evening.wait(91)
    await evening.wait(91)
    assert not evening.playing()
    assert all(
        seat.after_hand is AfterHand.STAY and seat.status is TableState.PLAYING for seat in evening.snapshot.table.seats
    )
    await evening.audit()


@pytest.mark.law("AT-22", "TL-30")
async def test_the_clock_of_the_law_book(evening: Evening) -> None:
    """After 30 s a player who owes nothing checks, and one who owes 10 folds and pays nothing. No clock starts for an all-in player."""
    stakes = replace(settings().stakes, small_blind=5, big_blind=10, bank_seconds=0)
    await evening.open(replace(settings(), stakes=stakes))
    await evening.seat(Ann=2_000, Bo=2_000, Cy=200)
    await evening.deal()
    late = evening.to_act
    stack = evening.stacks()[late]
    await evening.wait(31)
    assert _state(evening, late) is HandSeatState.FOLDED
    assert evening.stacks()[late] == stack
    await evening.next_player_acts("calls", "checks")
    second = evening.to_act
    await evening.wait(31)
    assert evening.hand.street_actions[-1].verb == "check" and evening.to_act != second
    while evening.playing():
        await evening.next_player_acts(
            "checks" if evening.hand.legal_to_act is not None and evening.hand.legal_to_act.check else "calls"
        )
    for name in ("Ann", "Bo", "Cy"):
        if late == name:
            await evening.ask(name, ComeBack)
    await evening.deal()
    while evening.playing():
        assert evening.hand.seats[evening.hand.to_act].state is HandSeatState.LIVE
        assert (
            evening.snapshot.current_turn is not None
            and evening.snapshot.current_turn.bank_ends_at == evening.snapshot.current_turn.turn_ends_at
        )
        await evening.next_player_acts("is all-in")
    await evening.audit()


async def test_a_change_without_events_does_not_stop_the_clock(evening: Evening) -> None:
    """As when a table moves to another channel: saved under the dealer's next key, and the journal is as long as before."""
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await evening.deal()
    sleeper, seq = evening.to_act, evening.session.state.seq
    moved = Cause(f"{evening.table}:{seq}", 0, evening.clock.now(), "move")
    await evening.store.commit(Commit(guild=GUILD, cause=moved, table=evening.table, seq=seq))
    rings = 0
    deadline = evening.clock.now() + 95 * SECOND
    while evening.to_act == sleeper and (at := evening.clock.next_at()) and at <= deadline and rings < 100:
        evening.clock.move_to(at)
        rings += evening.clock.ring_due()
        await evening.tables.wait_until_idle()
    assert rings < 100, "the alarm rings at one moment for ever"
    assert evening.to_act != sleeper, "the turn ran out"
    await evening.audit()
