"""Tables whose turns can take hours or days: nobody is thrown out for sleeping, and no other clock is quicker than the turn's."""

import pytest

from bot.engine.options.types import Options
from bot.engine.stakes import Stakes
from bot.table import commands as c
from bot.table import events as e
from bot.table.refusals import SettingOutOfBounds
from bot.table.settings import SLOW_CLOCK_SECONDS
from bot.table.state import AfterHand, SeatStatus
from tests.table.evening import MINUTE_MS, SECOND_MS, Evening, player_id, settings

HOUR_MS, DAY_MS = 60 * MINUTE_MS, 24 * 60 * MINUTE_MS
DAY = 86_400


def slow(seconds: int = DAY) -> Evening:
    evening = Evening(stakes=Stakes(small_blind=50, big_blind=100, turn_seconds=seconds))
    evening.sit_all(Ann=1, Bo=2, Cy=3)
    return evening


@pytest.mark.law("WT-1")
def test_clocks_last_up_to_seven_days() -> None:
    assert Evening(stakes=Stakes(small_blind=50, big_blind=100, turn_seconds=7 * DAY)).table.settings.is_slow
    with pytest.raises(SettingOutOfBounds):
        Evening(stakes=Stakes(small_blind=50, big_blind=100, turn_seconds=7 * DAY + 1))
    assert settings(stakes=Stakes(small_blind=50, big_blind=100, turn_seconds=SLOW_CLOCK_SECONDS)).is_slow
    assert not settings(stakes=Stakes(small_blind=50, big_blind=100, turn_seconds=SLOW_CLOCK_SECONDS - 1)).is_slow


@pytest.mark.law("WT-1")
def test_slow_table_never_closes_for_being_idle() -> None:
    evening = slow()
    for name in ("Ann", "Bo", "Cy"):
        evening.leave(name)
    evening.now += 30 * DAY_MS
    assert evening.ask(c.Tick()) == ()


@pytest.mark.law("WT-1")
def test_sitting_out_through_a_weekend_costs_no_seat() -> None:
    evening = slow(3600)
    evening.sit_out("Ann")
    for _ in range(9):
        evening.play_hand()
    evening.now += 71 * HOUR_MS
    evening.ask(c.Tick())
    assert evening.is_seated("Ann")
    evening.now += 2 * HOUR_MS
    evening.ask(c.Tick())
    assert not evening.is_seated("Ann"), "nobody waits for ever for a free seat"


@pytest.mark.law("WT-1")
def test_seat_without_chips_is_kept_as_long_as_a_turn() -> None:
    evening = slow(3 * DAY)
    evening.begin_hand()
    lost = evening.end_hand({"Ann": -10_000, "Bo": 10_000})
    (busted,) = [event for event in lost if isinstance(event, e.PlayerBusted)]
    assert busted.until - evening.now == 3 * DAY_MS
    evening.now += 3 * DAY_MS - SECOND_MS
    evening.ask(c.Tick())
    assert evening.is_seated("Ann")


def on_vacation(evening: Evening, name: str, days: int = 14) -> tuple[e.TableEvent, ...]:
    return evening.ask(c.StartVacation(player_id(name), evening.now, evening.now + days * DAY_MS))


@pytest.mark.law("WT-1", "TL-33")
def test_vacation_begins_after_the_hand_and_ends_by_itself() -> None:
    evening = slow()
    evening.play_hand()
    evening.begin_hand()
    on_vacation(evening, "Ann")
    assert evening.seat("Ann").after_hand is AfterHand.SIT_OUT, "the hand that she is in goes on"
    evening.end_hand()
    assert evening.seat("Ann").status is SeatStatus.SITTING_OUT
    for _ in range(4):
        assert evening.seat("Ann").number not in evening.play_hand().started.seat_numbers
    evening.now += 13 * DAY_MS
    evening.ask(c.Tick())
    assert evening.seat("Ann").status is SeatStatus.SITTING_OUT, "no clock of hers has run"
    evening.now = evening.seat("Ann").vacation_until
    evening.ask(c.Tick())
    assert evening.seat("Ann").wants_next_hand
    evening.assert_replays()


@pytest.mark.law("WT-1")
def test_vacation_stops_the_time_for_a_rebuy() -> None:
    evening = slow()
    evening.begin_hand()
    evening.end_hand({"Ann": -10_000, "Bo": 10_000})
    on_vacation(evening, "Ann", days=7)
    evening.now += 9 * DAY_MS + 12 * HOUR_MS
    evening.ask(c.Tick())
    assert evening.is_seated("Ann") and evening.seat("Ann").status is SeatStatus.SITTING_OUT
    evening.now += 13 * HOUR_MS
    evening.ask(c.Tick())
    assert not evening.is_seated("Ann")


@pytest.mark.law("WT-1")
def test_vacation_leaves_those_who_sat_out_where_they_are() -> None:
    evening = slow()
    evening.sit_out("Ann")
    on_vacation(evening, "Ann", days=1)
    on_vacation(evening, "Bo", days=1)
    evening.ask(c.EndVacation(player_id("Bo")))
    assert evening.seat("Bo").wants_next_hand
    evening.now += DAY_MS
    evening.ask(c.Tick())
    assert evening.seat("Ann").status is SeatStatus.SITTING_OUT


@pytest.mark.law("WT-1")
def test_vacation_that_ended_while_the_dealer_was_down() -> None:
    """The time in which somebody can sit out is over too, when the dealer looks again. Ann plays on all the same."""
    evening = slow()
    on_vacation(evening, "Ann", days=7)
    evening.now += 12 * DAY_MS
    for _ in range(2):
        evening.ask(c.Tick())
    assert evening.seat("Ann").wants_next_hand


@pytest.mark.law("WT-1")
def test_who_sat_out_before_a_vacation_has_time_after_it() -> None:
    evening = slow()
    evening.sit_out("Ann")
    on_vacation(evening, "Ann", days=7)
    evening.now += 7 * DAY_MS + 12 * HOUR_MS
    for _ in range(2):
        evening.ask(c.Tick())
    assert evening.is_seated("Ann"), "no clock of hers has run"
    evening.now += 7 * DAY_MS
    evening.ask(c.Tick())
    assert not evening.is_seated("Ann")
    evening.assert_replays()


@pytest.mark.law("WT-1")
def test_player_can_come_back_before_their_vacation_ends() -> None:
    evening = slow()
    on_vacation(evening, "Ann", days=2)
    evening.come_back("Ann")
    assert on_vacation(evening, "Ann", days=2) == (), "told again, as after a restart, it changes nothing"
    evening.now += 2 * DAY_MS
    assert [type(one) for one in evening.ask(c.Tick()) if isinstance(one, e.CameBack | e.SatOut)] == []


def test_vacation_is_for_slow_tables_and_seats_of_before() -> None:
    quick = Evening()
    quick.sit_all(Ann=1, Bo=2)
    assert on_vacation(quick, "Ann") == ()
    evening = slow()
    began_at = evening.now - 1
    assert evening.ask(c.StartVacation(player_id("Ann"), began_at, began_at + DAY_MS)) == ()


@pytest.mark.law("WT-1")
def test_free_seat_is_offered_as_long_as_a_turn() -> None:
    evening = Evening(stakes=Stakes(small_blind=50, big_blind=100, turn_seconds=DAY))
    for seat, name in enumerate(("Ann", "Bo", "Cy", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Jan"), 1):
        evening.sit(name, seat)
    evening.ask(c.JoinWaitingList(player_id("Joe"), "Joe"))
    (offer,) = [event for event in evening.leave("Ann") if isinstance(event, e.SeatOffered)]
    assert offer.until - evening.now == DAY_MS


@pytest.mark.law("WT-1")
def test_vacation_keeps_the_place_on_the_waiting_list() -> None:
    evening = Evening(stakes=Stakes(small_blind=50, big_blind=100, turn_seconds=DAY), options=Options(max_seats=2))
    evening.sit_all(Ann=1, Bo=2)
    for name in ("Cy", "Dee"):
        evening.ask(c.JoinWaitingList(player_id(name), name))
    evening.now += 1
    evening.leave("Bo")
    assert [one.player for one in evening.table.waiting_with_offer] == [player_id("Cy")]
    until = evening.now + 3 * DAY_MS
    evening.ask(c.StartVacation(player_id("Cy"), evening.now, until))
    assert [one.player for one in evening.table.waiting] == [player_id("Cy"), player_id("Dee")], "they keep their place"
    assert [one.player for one in evening.table.waiting_with_offer] == [player_id("Dee")], "the seat goes to the next"
    evening.ask(c.LeaveWaitingList(player_id("Dee")))
    assert not evening.table.waiting_with_offer
    evening.now = until
    evening.ask(c.Tick())
    assert [one.player for one in evening.table.waiting_with_offer] == [player_id("Cy")]
    assert evening.table.waiting[0].offered_until > until


@pytest.mark.law("WT-1")
def test_back_early_a_waiting_player_is_offered_a_seat() -> None:
    evening = Evening(stakes=Stakes(small_blind=50, big_blind=100, turn_seconds=DAY), options=Options(max_seats=2))
    evening.sit_all(Ann=1, Bo=2)
    evening.ask(c.JoinWaitingList(player_id("Cy"), "Cy"))
    evening.now += 1
    evening.ask(c.StartVacation(player_id("Cy"), evening.now, evening.now + DAY_MS))
    evening.leave("Bo")
    assert not evening.table.waiting_with_offer
    evening.ask(c.EndVacation(player_id("Cy")))
    assert [one.player for one in evening.table.waiting_with_offer] == [player_id("Cy")]
