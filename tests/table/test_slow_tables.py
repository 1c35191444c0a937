"""Tables whose turns can take hours or days: nobody is thrown out for sleeping, and no other clock is quicker than the turn's."""

import pytest

from bot.engine.stakes import Stakes
from bot.table import commands as c
from bot.table import events as e
from bot.table.refusals import SettingOutOfBounds
from bot.table.settings import SLOW_CLOCK_SECONDS
from tests.table.evening import MINUTE_MS, SECOND_MS, Evening, player_id, settings

HOUR_MS, DAY_MS = 60 * MINUTE_MS, 24 * 60 * MINUTE_MS
DAY = 86_400


def slow(seconds: int = DAY) -> Evening:
    evening = Evening(stakes=Stakes(small_blind=50, big_blind=100, turn_seconds=seconds))
    evening.sit_all(Ann=1, Bo=2, Cy=3)
    return evening


@pytest.mark.law("TL-32")
def test_clocks_last_up_to_seven_days() -> None:
    assert Evening(stakes=Stakes(small_blind=50, big_blind=100, turn_seconds=7 * DAY)).table.settings.is_slow
    with pytest.raises(SettingOutOfBounds):
        Evening(stakes=Stakes(small_blind=50, big_blind=100, turn_seconds=7 * DAY + 1))
    assert settings(stakes=Stakes(small_blind=50, big_blind=100, turn_seconds=SLOW_CLOCK_SECONDS)).is_slow
    assert not settings(stakes=Stakes(small_blind=50, big_blind=100, turn_seconds=SLOW_CLOCK_SECONDS - 1)).is_slow


@pytest.mark.law("TL-32")
def test_slow_table_never_closes_for_being_idle() -> None:
    evening = slow()
    for name in ("Ann", "Bo", "Cy"):
        evening.leave(name)
    evening.now += 30 * DAY_MS
    assert evening.ask(c.Tick()) == ()


@pytest.mark.law("TL-32")
def test_sitting_out_through_a_night_costs_no_seat() -> None:
    evening = slow(3600)
    evening.sit_out("Ann")
    for _ in range(9):
        evening.play_hand()
    evening.now += 23 * HOUR_MS
    evening.ask(c.Tick())
    assert evening.is_seated("Ann")
    evening.now += 2 * HOUR_MS
    evening.ask(c.Tick())
    assert not evening.is_seated("Ann"), "nobody waits for ever for a free seat"


@pytest.mark.law("TL-32")
def test_seat_without_chips_is_kept_as_long_as_a_turn() -> None:
    evening = slow(3 * DAY)
    evening.begin_hand()
    lost = evening.end_hand({"Ann": -10_000, "Bo": 10_000})
    (busted,) = [event for event in lost if isinstance(event, e.PlayerBusted)]
    assert busted.until - evening.now == 3 * DAY_MS
    evening.now += 3 * DAY_MS - SECOND_MS
    evening.ask(c.Tick())
    assert evening.is_seated("Ann")


@pytest.mark.law("TL-32")
def test_free_seat_is_offered_as_long_as_a_turn() -> None:
    evening = Evening(stakes=Stakes(small_blind=50, big_blind=100, turn_seconds=DAY))
    for seat, name in enumerate(("Ann", "Bo", "Cy", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Jan"), 1):
        evening.sit(name, seat)
    evening.ask(c.JoinWaitingList(player_id("Joe"), "Joe"))
    (offer,) = [event for event in evening.leave("Ann") if isinstance(event, e.SeatOffered)]
    assert offer.until - evening.now == DAY_MS
