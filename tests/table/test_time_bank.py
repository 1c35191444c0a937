"""Clocks and time banks."""

import pytest
from msgspec.structs import replace

from bot.engine.stakes import Stakes
from bot.table import commands as c
from bot.table import events as e
from bot.table import refusals
from bot.table.time_bank import (
    TurnTimer,
    bank_refill_due,
    bank_time_used,
    restore_turn_timer,
    start_turn_timer,
    turn_time_is_over,
)
from tests.table.evening import SECOND_MS, Evening, player_id, settings


def table_in_play() -> Evening:
    evening = Evening()
    evening.sit_all(Ann=1, Bo=2)
    evening.begin_hand()
    return evening


@pytest.mark.law("TL-31")
def test_time_bank_starts_by_itself_after_the_clock() -> None:
    evening = table_in_play()
    timer = start_turn_timer(evening.table.settings, evening.seat("Ann"), 1_000_000)
    assert timer == TurnTimer(1_000_000, 1_030_000, 1_090_000)
    assert bank_time_used(timer, 1_030_000) == 0
    assert bank_time_used(timer, 1_042_500) == 12_500
    assert bank_time_used(timer, 9_999_999) == 60_000


@pytest.mark.law("TL-30")
def test_action_at_the_last_moment_is_in_time() -> None:
    timer = TurnTimer(0, 30_000, 90_000)
    assert not turn_time_is_over(timer, 90_000)
    assert turn_time_is_over(timer, 90_001)


@pytest.mark.law("TL-31")
def test_bank_time_that_a_turn_used_is_gone() -> None:
    evening = table_in_play()
    timer = start_turn_timer(evening.table.settings, evening.seat("Ann"), 0)
    assert bank_time_used(timer, 10_000) == 0
    evening.apply(e.TimeBankSpent(1, bank_time_used(timer, 45_000)))
    assert evening.seat("Ann").bank_ms == 45_000
    assert start_turn_timer(evening.table.settings, evening.seat("Ann"), 0).bank_ends_at == 75_000


@pytest.mark.law("TL-31")
def test_time_bank_is_refilled_every_ten_hands() -> None:
    evening = Evening()
    evening.sit_all(Ann=1, Bo=2)
    evening.apply(e.TimeBankSpent(1, 25_000))
    for _ in range(10):
        evening.play_hand()
    assert evening.seat("Ann").bank_ms == 45_000
    assert evening.seat("Bo").bank_ms == 60_000
    for _ in range(30):
        evening.play_hand()
    assert evening.seat("Ann").bank_ms == 60_000  # never more than the table gives


@pytest.mark.law("TL-31")
def test_no_refill_at_a_table_without_refills() -> None:
    evening = table_in_play()
    seat = replace(evening.seat("Ann"), bank_ms=0, hands_since_refill=100)
    assert bank_refill_due(settings(bank_refill_hands=0), seat) == 0
    assert bank_refill_due(settings(stakes=Stakes(small_blind=1, big_blind=2)), seat) == 0
    assert bank_refill_due(settings(), seat) == 10_000


@pytest.mark.law("TL-32", "TL-40")
def test_no_time_bank_after_timeout_and_no_time_after_leaving() -> None:
    evening = table_in_play()
    evening.ask(c.TimeOutPlayer(1))
    assert start_turn_timer(evening.table.settings, evening.seat("Ann"), 0) == TurnTimer(0, 30_000, 30_000)
    evening.leave("Bo")
    assert start_turn_timer(evening.table.settings, evening.seat("Bo"), 0) == TurnTimer(0, 0, 0)


@pytest.mark.law("TL-31")
def test_call_time_needs_the_turn_and_a_time_bank() -> None:
    evening = table_in_play()
    refusal = evening.refuses(c.CallTime(player_id("Ann"), seat_number_to_act=2), refusals.CallTimeNotYourTurn)
    assert refusal.value.seat_number_to_act == 2
    events = evening.ask(c.CallTime(player_id("Bo"), seat_number_to_act=2))
    assert events == (e.TimeCalled(2, 60 * SECOND_MS, evening.now),)
    evening.apply(e.TimeBankSpent(2, 60_000))
    evening.refuses(c.CallTime(player_id("Bo"), seat_number_to_act=2), refusals.TimeBankEmpty)


@pytest.mark.law("TL-32")
def test_restart_keeps_remaining_time_and_at_least_fifteen_seconds() -> None:
    timer = TurnTimer(0, 30_000, 90_000)
    assert restore_turn_timer(timer, stopped_at=10_000, now=500_000) == TurnTimer(500_000, 520_000, 580_000)
    assert restore_turn_timer(timer, stopped_at=40_000, now=500_000) == TurnTimer(500_000, 500_000, 550_000)
    assert restore_turn_timer(timer, stopped_at=85_000, now=500_000) == TurnTimer(500_000, 510_000, 515_000)
    assert restore_turn_timer(TurnTimer(0, 30_000, 30_000), stopped_at=29_000, now=500_000) == TurnTimer(
        500_000, 515_000, 515_000
    )
