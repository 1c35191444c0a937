"""Vacations from tables that wait: at most 14 days in any 90 (WT-1)."""

import random

import pytest

from bot.house.vacations import (
    DAY_MS,
    DAYS_MAX,
    WINDOW_DAYS,
    NoVacation,
    Vacation,
    VacationRunning,
    VacationTooLong,
    days_left,
    ended,
    running,
    taken,
)

START = 1_700_000_000_000


@pytest.mark.law("WT-1")
def test_fourteen_days_can_be_taken_in_any_ninety() -> None:
    vacations = taken((), 10, START)
    with pytest.raises(VacationRunning) as refused:
        taken(vacations, 1, START + DAY_MS)
    assert refused.value.until == START + 10 * DAY_MS
    later = START + 20 * DAY_MS
    assert days_left(vacations, later) == 4
    with pytest.raises(VacationTooLong) as too_long:
        taken(vacations, 5, later)
    assert too_long.value.maximum == 4
    assert days_left(vacations, START + 90 * DAY_MS) == 14, "what is taken now ends when the old one counts no more"


@pytest.mark.law("WT-1")
def test_rest_of_an_ended_vacation_can_be_taken_later() -> None:
    vacations = ended(taken((), 14, START), START + 4 * DAY_MS)
    assert running(vacations, START + 4 * DAY_MS) is None
    assert days_left(vacations, START + 5 * DAY_MS) == 10
    with pytest.raises(NoVacation):
        ended(vacations, START + 5 * DAY_MS)


@pytest.mark.law("WT-1")
def test_random_years_never_have_more_in_any_ninety_days() -> None:
    rng = random.Random(21)
    for _ in range(30):
        vacations: tuple[Vacation, ...] = ()
        days = set[int]()
        day = 0
        while day < 500:
            now = START + day * DAY_MS
            if most := days_left(vacations, now):
                length = rng.randint(1, most)
                vacations = taken(vacations, length, now)
                stays = rng.randint(1, length)
                if stays < length:
                    vacations = ended(vacations, now + stays * DAY_MS)
                days |= set(range(day, day + stays))
                day += stays
            day += rng.randrange(12)
        for first in range(500):
            assert len(days & set(range(first, first + WINDOW_DAYS))) <= DAYS_MAX
