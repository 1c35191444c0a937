"""Quiet hours are read as people type them, and hold from their start until their end, also over midnight."""

import pytest

from bot.ledger.quiet_hours import QuietHours, written_quiet_hours
from bot.text.quiet_hours import UnreadableQuietHours, hours_text, parse_quiet_hours

HOUR_MS = 3_600_000


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("22:00-08:00 +01:00", "22:00-08:00 +01:00"),
        ("22-8", "22:00-08:00 +00:00"),
        (" 22:30 – 7 UTC+5:30 ", "22:30-07:00 +05:30"),
        ("0:00 to 6:15 −8", "00:00-06:15 -08:00"),
        ("22.00-24 utc", "22:00-00:00 +00:00"),
        ("23h30-7h00 +0200", "23:30-07:00 +02:00"),
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
