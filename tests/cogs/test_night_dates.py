"""Days and hours of nights as people type them, by the clock of a time zone."""

import pytest

from bot.events.nights.refusals import UnreadableNight
from bot.events.nights.schedule import moment
from cogs.support.night_dates import parse_night

NOW = moment("Europe/Berlin", "2026-11-28T21:00")  # a Saturday; in Auckland it is Sunday already


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Friday 20:00", "2026-12-04T20:00"),
        ("on fri at 8pm", "2026-12-04T20:00"),
        ("saturday 20:00", "2026-12-05T20:00"),
        ("Saturday 21.30", "2026-11-28T21:30"),
        ("tonight 22h", "2026-11-28T22:00"),
        ("tomorrow 12:15 am", "2026-11-29T00:15"),
        ("29 Feb 20:00", "2028-02-29T20:00"),
        ("31.12. 23:59", "2026-12-31T23:59"),
        ("1 Jan 00:00", "2027-01-01T00:00"),
        ("Dec 4th, 2026 8:30 pm", "2026-12-04T20:30"),
        ("2026-12-04 20:00", "2026-12-04T20:00"),
        ("0026-12-04 20:00", "0026-12-04T20:00"),
    ],
)
def test_day_and_hour_is_read(typed: str, meant: str) -> None:
    found = parse_night(typed, "Europe/Berlin", NOW)
    assert found == meant and moment("Europe/Berlin", found)


@pytest.mark.parametrize(
    "typed", ["4/12 20:00", "today 24:00", "31 Nov 20:00", "Friday 8", "4 Dec 2026", "fri 0am", "20:00", ""]
)
def test_what_is_unclear_is_not_guessed(typed: str) -> None:
    with pytest.raises(UnreadableNight):
        parse_night(typed, "Europe/Berlin", NOW)


def test_days_go_by_the_clock_of_the_zone() -> None:
    assert parse_night("today 20:00", "Pacific/Auckland", NOW) == "2026-11-29T20:00"
    assert parse_night("sunday 8:00", "Pacific/Auckland", NOW) == "2026-12-06T08:00", "there it is 9 o'clock on Sunday"
