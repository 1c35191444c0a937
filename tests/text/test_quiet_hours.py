"""Quiet hours are read as people type them, and hold from their start until their end, also over midnight."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.house import quiet_hours
from bot.house.quiet_hours import QuietHours, load_time_zones, written_quiet_hours
from bot.text.quiet_hours import UnknownTimeZone, UnreadableQuietHours, hours_text, parse_quiet_hours
from bot.text.refusals.wording import NO_NAMES, explain

HOUR_MS = 3_600_000
MINUTE_MS = 60_000


@pytest.fixture(autouse=True, scope="module")
def time_zones() -> None:
    load_time_zones()


def at(text: str, zone: str = "UTC", fold: int = 0) -> int:
    """A time by the clock of a place, in ms."""
    return round(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold).timestamp() * 1000)


@pytest.mark.parametrize("typed", ["UTC", "utc", "GMT", "Europe/Berlin", "europe/berlin"])
def test_time_zones_are_known_before_their_names_are_read(typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quiet_hours._KNOWN, "names", {})
    assert quiet_hours.time_zone_called(typed).casefold() == typed.casefold()


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("22:00-08:00 +01:00", "22:00-08:00 +01:00"),
        ("22-8", "22:00-08:00 +00:00"),
        (" 22:30 – 7 UTC+5:30 ", "22:30-07:00 +05:30"),
        ("0:00 to 6:15 −8", "00:00-06:15 -08:00"),
        ("22.00-24 utc", "22:00-00:00 +00:00"),
        ("23h30-7h00 +0200", "23:30-07:00 +02:00"),
        ("22:00-08:00 Berlin", "22:00-08:00 Europe/Berlin"),
        ("22-8 in new york time", "22:00-08:00 America/New_York"),
        ("22-8, europe/berlin", "22:00-08:00 Europe/Berlin"),
        ("23-7 america/argentina/buenos aires", "23:00-07:00 America/Argentina/Buenos_Aires"),
    ],
)
def test_hours_are_read_as_people_type_them(typed: str, written: str) -> None:
    hours = parse_quiet_hours(typed)
    assert str(hours) == written and written_quiet_hours(written) == hours


@pytest.mark.parametrize("typed", ["off", "None", " no "])
def test_quiet_hours_can_be_ended(typed: str) -> None:
    assert parse_quiet_hours(typed) is None


@pytest.mark.parametrize(
    "typed",
    ["", "late", "22", "22-22", "25-8", "22:60-8", "22-8 +15", "22-8 -13", "22-8 +1:60", "٢٢-٨", "-1-5", "9" * 5_000],
)
def test_what_is_no_span_of_hours_is_refused(typed: str) -> None:
    with pytest.raises(UnreadableQuietHours):
        parse_quiet_hours(typed)


def test_quiet_hours_hold_over_midnight() -> None:
    hours = QuietHours(22 * 60, 8 * 60, 60)  # 21:00 to 07:00 UTC
    day = 20_000 * 24 * HOUR_MS
    assert not hours.until(day + 21 * HOUR_MS - 1)
    assert hours.until(day + 21 * HOUR_MS) == day + 31 * HOUR_MS
    assert hours.until(day + 31 * HOUR_MS - 1) == day + 31 * HOUR_MS
    assert not hours.until(day + 31 * HOUR_MS)
    assert hours.until(day + 2 * HOUR_MS) == day + 7 * HOUR_MS


def test_hours_are_written_for_people() -> None:
    assert hours_text("22:00-08:00 +01:00") == "22:00–08:00, UTC+01:00"
    assert hours_text("") == hours_text("nonsense") == "none"
    assert hours_text("22:00-08:00 America/New_York") == "22:00–08:00, America/New York time"


@pytest.mark.parametrize(
    "typed", ["22-8 Berlln", "22-8 Europe", "22-8 ../../etc/passwd", "22-8 factory", "22-8 localtime"]
)
def test_a_place_that_is_none_is_refused(typed: str) -> None:
    with pytest.raises((UnknownTimeZone, UnreadableQuietHours)):
        parse_quiet_hours(typed)


@pytest.mark.parametrize(
    ("typed", "meant"), [("Europe/Berln", "Europe/Berlin"), ("berln", "Berlin"), ("new yrok", "New York")]
)
def test_a_misspelt_city_finds_the_one_that_was_meant(typed: str, meant: str) -> None:
    with pytest.raises(UnknownTimeZone) as refused:
        parse_quiet_hours(f"22-8 {typed}")
    assert f"Did you mean {meant}" in explain(refused.value, NO_NAMES)
    assert parse_quiet_hours(f"22-8 {meant}") is not None


def test_quiet_hours_of_a_place_follow_daylight_saving() -> None:
    hours = QuietHours(22 * 60, 8 * 60, zone="Europe/Berlin")
    assert hours.until(at("2026-01-15 23:00")) == at("2026-01-16 07:00"), "an hour ahead of UTC"
    assert hours.until(at("2026-07-15 23:00")) == at("2026-07-16 06:00"), "two hours ahead"
    assert hours.until(at("2026-03-28 21:00")) == at("2026-03-29 06:00"), "this night is an hour shorter"
    assert hours.until(at("2026-10-24 20:00")) == at("2026-10-25 07:00"), "this one an hour longer"
    assert not hours.until(at("2026-07-15 19:59")) and hours.until(at("2026-01-15 21:00"))


@given(
    start=st.integers(0, 1439),
    minutes=st.integers(1, 1439),
    zone=st.sampled_from(("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "UTC")),
    day=st.sampled_from(
        ("2026-03-08", "2026-03-29", "2026-04-05", "2026-10-04", "2026-10-25", "2026-11-01", "2026-06-01")
    ),
    minute=st.integers(-1440, 2880),
)
def test_a_clock_on_the_wall_agrees(start: int, minutes: int, zone: str, day: str, minute: int) -> None:
    """They hold exactly while the clock of the place shows a time in them, and end later than now."""
    hours, time = QuietHours(start, (start + minutes) % 1440, zone=zone), at(day) + minute * MINUTE_MS
    wall = datetime.fromtimestamp(time / 1000, UTC).astimezone(ZoneInfo(zone))
    is_quiet = (wall.hour * 60 + wall.minute - start) % 1440 < minutes
    until = hours.until(time)
    assert bool(until) == is_quiet
    assert not until or time < until <= time + (timedelta(minutes=minutes) + timedelta(hours=2)).total_seconds() * 1000


def test_a_zone_nobody_knows_is_read_as_utc() -> None:
    hours = written_quiet_hours("22:00-08:00 Europe/Atlantis")
    assert hours is not None and hours.until(at("2026-07-15 23:00")) == at("2026-07-16 08:00")
