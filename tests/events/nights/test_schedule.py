"""Dates of a series by the clock on the wall, also where it is put forward or back."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.events.nights.schedule import LOCAL_FORMAT, Recurrence, Schedule, is_skipped, local_time, moment, read_local

BERLIN, NEW_YORK, LORD_HOWE = "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"
ZONES = (BERLIN, NEW_YORK, LORD_HOWE, "Asia/Kathmandu", "Africa/Casablanca", "America/Santiago", "Pacific/Apia", "UTC")


def test_a_weekly_night_stays_at_its_hour_in_summer() -> None:
    fridays = Schedule(BERLIN, "2027-03-19T20:00", Recurrence.WEEKLY)
    assert fridays.after("2027-03-26T20:00") == "2027-04-02T20:00"
    assert fridays.at("2027-04-02T20:00") - fridays.at("2027-03-26T20:00") == (7 * 24 - 1) * 3_600_000


def test_a_skipped_hour_makes_it_later_by_the_jump() -> None:
    late = Schedule(BERLIN, "2027-03-21T02:30", Recurrence.WEEKLY)
    assert is_skipped(BERLIN, late.after(late.first))
    assert local_time(BERLIN, late.at("2027-03-28T02:30")) == "2027-03-28T03:30"
    assert local_time(BERLIN, late.at(late.after("2027-03-28T02:30"))) == "2027-04-04T02:30"


def test_half_an_hour_of_lord_howe_is_skipped_by_half() -> None:
    assert local_time(LORD_HOWE, moment(LORD_HOWE, "2026-10-04T02:15")) == "2026-10-04T02:45"


def test_of_a_doubled_hour_the_first_is_meant() -> None:
    at = moment(NEW_YORK, "2026-11-01T01:30")
    assert datetime.fromtimestamp(at / 1000, ZoneInfo(NEW_YORK)).utcoffset() == timedelta(hours=-4)
    assert local_time(NEW_YORK, at + 3_600_000) == "2026-11-01T01:30"


def test_a_day_that_samoa_left_out_is_the_next_one() -> None:
    assert local_time("Pacific/Apia", moment("Pacific/Apia", "2011-12-30T20:00")) == "2011-12-31T20:00"


def test_monthly_is_the_same_weekday_of_the_month() -> None:
    second = Schedule(BERLIN, "2026-12-11T20:00", Recurrence.MONTHLY)
    assert [second.after("2026-12-11T20:00"), second.after("2027-01-08T20:00")] == [
        "2027-01-08T20:00",
        "2027-02-12T20:00",
    ]
    assert Schedule(BERLIN, "2027-01-29T20:00", Recurrence.MONTHLY).after("2027-01-29T20:00") == "2027-02-26T20:00"


def test_a_single_night_has_no_second() -> None:
    assert Schedule(BERLIN, "2026-12-11T20:00").after("2026-12-11T20:00") == ""


@settings(max_examples=40, deadline=None)
@given(
    zone=st.sampled_from(ZONES),
    first=st.datetimes(datetime(2026, 1, 1), datetime(2028, 12, 31)),  # noqa: DTZ001  the clock on the wall
    recurrence=st.sampled_from([one for one in Recurrence if one is not Recurrence.ONCE]),
    nights=st.integers(1, 30),
)
def test_dates_go_forward_and_show_their_hour(zone: str, first: datetime, recurrence: Recurrence, nights: int) -> None:
    """Counted again without the library: weeks by adding days, months by their weekday, instants by asking the zone."""
    schedule = Schedule(zone, first.strftime(LOCAL_FORMAT), recurrence)
    local, at = schedule.first, schedule.at(schedule.first)
    for _ in range(nights):
        following = schedule.after(local)
        before, after = read_local(local), read_local(following)
        assert (after.hour, after.minute, after.weekday()) == (before.hour, before.minute, before.weekday())
        days = (after - before).days
        assert days in {Recurrence.WEEKLY: {7}, Recurrence.FORTNIGHTLY: {14}}.get(recurrence, {28, 35})
        if recurrence is Recurrence.MONTHLY:
            assert (after.year * 12 + after.month) - (before.year * 12 + before.month) == 1
        assert schedule.at(following) > at
        shown = read_local(local_time(zone, schedule.at(following)))
        if shown != after:  # the clock leaves this hour out
            jump = _offset(zone, schedule.at(following)) - _offset(zone, schedule.at(following) - 26 * 3_600_000)
            assert shown - after == jump > timedelta(0)
        else:
            earlier = schedule.at(following) - 3_600_000
            assert local_time(zone, earlier) != following, "of an hour shown twice, the first"
        local, at = following, schedule.at(following)


def _offset(zone: str, at: int) -> timedelta:
    offset = datetime.fromtimestamp(at / 1000, ZoneInfo(zone)).utcoffset()
    assert offset is not None
    return offset
