"""How often a table is redrawn, by a click's token and without one, and when a drawing is repeated."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.surfaces.keeper import Location
from bot.surfaces.table import pace
from bot.surfaces.table.pace import MESSAGE_AGE_MAX_MS, MOVE_MS, Drawn, Moment, TablePace, TablePosition

SNAPSHOT = cast("Any", SimpleNamespace(hand_running=True))
PRE_FLOP, FLOP = Drawn(1, (1, 3), "pre-flop"), Drawn(1, (1, 4), "flop")


class StandingClock:
    """A clock that a test sets. Its alarms ring when it is set."""

    def __init__(self) -> None:
        self.time = 1_000_000
        self.alarms: list[tuple[int, Callable[[], None]]] = []

    def now(self) -> int:
        return self.time

    def call_at(self, at: int, call: Callable[[], None]) -> Any:
        alarm = (at, call)
        self.alarms.append(alarm)
        return SimpleNamespace(cancel=lambda: self.alarms.remove(alarm) if alarm in self.alarms else None)

    def pass_ms(self, milliseconds: int) -> None:
        self.time += milliseconds
        due = [alarm for alarm in self.alarms if alarm[0] <= self.time]
        self.alarms = [alarm for alarm in self.alarms if alarm not in due]
        for _, call in due:
            call()


@pytest.fixture
def clock() -> StandingClock:
    return StandingClock()


@pytest.fixture
def states(monkeypatch: pytest.MonkeyPatch) -> list[Drawn]:
    """What is to be drawn: the last one of these."""
    found = [PRE_FLOP]
    monkeypatch.setattr(pace, "drawn", lambda snapshot, hand: found[-1])
    monkeypatch.setattr(pace, "edit_seconds", lambda line, queue: 1.1)
    monkeypatch.setattr(pace, "line_of", lambda snapshot: None)
    return found


def table_pace(clock: StandingClock, settle: Callable[[], None] = lambda: None) -> TablePace:
    return TablePace(clock, cast("Any", None), settle)


def wait(table: TablePace, clock: StandingClock, *, by_token: bool = False) -> int:
    return table.possible_at(clock.now(), SNAPSHOT, 1, by_token=by_token) - clock.now()


def test_action_waits_twenty_seconds_without_a_token(clock: StandingClock, states: list[Drawn]) -> None:
    table = table_pace(clock)
    table.goes(PRE_FLOP, is_new=False, by_token=False)
    states.append(Drawn(1, (1, 4), "pre-flop"))
    assert wait(table, clock) == 20_000
    clock.pass_ms(6_000)
    assert wait(table, clock) == 14_000
    assert wait(table, clock, by_token=True) == 0


def test_street_is_shown_at_once_without_a_token(clock: StandingClock, states: list[Drawn]) -> None:
    table = table_pace(clock)
    table.goes(PRE_FLOP, is_new=False, by_token=False)
    states.append(FLOP)
    assert wait(table, clock) == 1_100
    clock.pass_ms(1_100)
    assert wait(table, clock) == 0


def test_what_is_no_action_does_not_wait(clock: StandingClock, states: list[Drawn]) -> None:
    """A proposal, a seat, the time bank: the decision is the same."""
    table = table_pace(clock)
    table.goes(PRE_FLOP, is_new=False, by_token=False)
    assert wait(table, clock) == 1_100
    states.append(Drawn(1, (1, 4), "pre-flop"))
    table.hurry()
    assert wait(table, clock) == 1_100


def test_two_quick_drawings_are_settled_once(clock: StandingClock) -> None:
    settled: list[int] = []
    table = table_pace(clock, lambda: settled.append(clock.now()))
    table.goes(PRE_FLOP, is_new=False, by_token=True)
    clock.pass_ms(1_500)
    table.goes(FLOP, is_new=False, by_token=True)
    clock.pass_ms(1_500)
    table.goes(FLOP, is_new=False, by_token=True)
    last = clock.now()
    clock.pass_ms(2_000)
    assert settled == [last + 2_000]
    table.goes(FLOP, is_new=False, by_token=True)
    clock.pass_ms(5_000)
    assert len(settled) == 1


BETWEEN, IN_A_HAND = Moment(is_between_hands=True), Moment(is_between_hands=False)


@pytest.mark.parametrize(
    ("moment", "below", "moves"), [(BETWEEN, 2, False), (BETWEEN, 3, True), (IN_A_HAND, 5, False), (IN_A_HAND, 6, True)]
)
def test_messages_of_people_move_the_table(clock: StandingClock, moment: Moment, below: int, moves: bool) -> None:
    position, place = TablePosition(clock, lambda: None), Location(1, 2, clock.now())
    for _ in range(below):
        position.person_wrote()
    assert position.is_move_due(place, moment) is moves


def test_table_that_moved_moves_again_thirty_seconds_later(clock: StandingClock) -> None:
    woken: list[int] = []
    position, place = TablePosition(clock, lambda: woken.append(clock.now())), Location(1, 2, clock.now())
    position.moved(was_there=True)
    for _ in range(6):
        position.person_wrote()
    assert position.look(IN_A_HAND) and not position.is_move_due(place, IN_A_HAND)
    clock.pass_ms(MOVE_MS)
    assert woken == [clock.now()] and position.is_move_due(place, IN_A_HAND)


def test_old_message_moves_unless_discord_takes_no_new_one(clock: StandingClock) -> None:
    position, place = TablePosition(clock, lambda: None), Location(1, 2, clock.now())
    clock.pass_ms(MESSAGE_AGE_MAX_MS + 1)
    assert position.is_move_due(place, IN_A_HAND)
    position.cannot_move()
    assert not position.is_move_due(place, IN_A_HAND) and not position.must_move()


def test_click_moves_only_the_table_that_gains_a_token(clock: StandingClock) -> None:
    position, place = TablePosition(clock, lambda: None), Location(1, 2, clock.now())
    assert not position.is_move_due(place, BETWEEN)
    assert position.is_move_due(place, Moment(is_between_hands=True, gains_token=True))


@pytest.mark.parametrize(
    ("is_practice", "waits", "seconds"),
    [
        (True, pace.LONG_LINE_SECONDS + 0.1, pace.PRACTICE_EDIT_SECONDS),
        (True, pace.LONG_LINE_SECONDS, pace.EDIT_SECONDS),
        (False, pace.LONG_LINE_SECONDS + 0.1, pace.EDIT_SECONDS),
    ],
)
def test_practice_tables_make_way_while_requests_wait_long(is_practice: bool, waits: float, seconds: float) -> None:
    line, queue = SimpleNamespace(is_practice=is_practice), SimpleNamespace(seconds=waits)
    assert pace.edit_seconds(cast("Any", line), cast("Any", queue)) == seconds
