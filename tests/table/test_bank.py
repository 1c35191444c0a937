"""Clocks and time banks."""

import pytest
from msgspec.structs import replace

from bot.engine.stakes import Stakes
from bot.table import commands as c
from bot.table import errors
from bot.table import events as e
from bot.table.bank import Clock, clock, overdue, refill, restored, spending, spent
from tests.table.story import SECOND, Evening, player, settings


def playing() -> Evening:
    evening = Evening()
    evening.seats(Ann=1, Bo=2)
    evening.begin()
    return evening


@pytest.mark.law("TL-31")
def test_the_bank_runs_by_itself_after_the_clock() -> None:
    evening = playing()
    running = clock(evening.table.settings, evening.seat("Ann"), 1_000_000)
    assert running == Clock(1_000_000, 1_030_000, 1_090_000)
    assert spent(running, 1_030_000) == 0
    assert spent(running, 1_042_500) == 12_500
    assert spent(running, 9_999_999) == 60_000


@pytest.mark.law("TL-30")
def test_a_tie_goes_to_the_player() -> None:
    running = Clock(0, 30_000, 90_000)
    assert not overdue(running, 90_000)
    assert overdue(running, 90_001)


@pytest.mark.law("TL-31")
def test_what_a_turn_used_is_gone() -> None:
    evening = playing()
    running = clock(evening.table.settings, evening.seat("Ann"), 0)
    evening.happen(*spending(evening.seat("Ann"), running, 45_000))
    assert evening.seat("Ann").bank_ms == 45_000
    assert spending(evening.seat("Ann"), running, 10_000) == ()
    assert clock(evening.table.settings, evening.seat("Ann"), 0).ends == 75_000


@pytest.mark.law("TL-31")
def test_it_flows_back_every_ten_hands() -> None:
    evening = Evening()
    evening.seats(Ann=1, Bo=2)
    evening.happen(e.BankSpent(1, 25_000))
    for _ in range(10):
        evening.hand()
    assert evening.seat("Ann").bank_ms == 45_000
    assert evening.seat("Bo").bank_ms == 60_000
    for _ in range(30):
        evening.hand()
    assert evening.seat("Ann").bank_ms == 60_000  # never more than the table gives


@pytest.mark.law("TL-31")
def test_no_refill_where_the_table_has_none() -> None:
    evening = playing()
    seat = replace(evening.seat("Ann"), bank_ms=0, bank_hands=100)
    assert refill(settings(bank_refill_hands=0), seat) == 0
    assert refill(settings(stakes=Stakes(small_blind=1, big_blind=2)), seat) == 0
    assert refill(settings(), seat) == 10_000


@pytest.mark.law("TL-32", "TL-40")
def test_no_bank_for_the_silent_and_no_time_for_the_gone() -> None:
    evening = playing()
    evening.ask(c.TimedOut(1))
    assert clock(evening.table.settings, evening.seat("Ann"), 0) == Clock(0, 30_000, 30_000)
    evening.leave("Bo")
    assert clock(evening.table.settings, evening.seat("Bo"), 0) == Clock(0, 0, 0)


@pytest.mark.law("TL-31")
def test_time_is_called_in_turn_and_with_something_in_the_bank() -> None:
    evening = playing()
    assert evening.refuses(c.CallTime(player("Ann"), to_act=2), errors.TimeNotYours).value.to_act == 2
    assert evening.ask(c.CallTime(player("Bo"), to_act=2)) == (e.TimeCalled(2, 60 * SECOND, evening.now),)
    evening.happen(e.BankSpent(2, 60_000))
    evening.refuses(c.CallTime(player("Bo"), to_act=2), errors.BankEmpty)


@pytest.mark.law("TL-32")
def test_a_restart_leaves_the_time_that_was_left_and_at_least_fifteen_seconds() -> None:
    running = Clock(0, 30_000, 90_000)
    assert restored(running, stopped_at=10_000, now=500_000) == Clock(500_000, 520_000, 580_000)
    assert restored(running, stopped_at=40_000, now=500_000) == Clock(500_000, 500_000, 550_000)
    assert restored(running, stopped_at=85_000, now=500_000) == Clock(500_000, 510_000, 515_000)
    assert restored(Clock(0, 30_000, 30_000), stopped_at=29_000, now=500_000) == Clock(500_000, 515_000, 515_000)
