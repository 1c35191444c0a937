"""Nobody notices the limits but who asks for more than anybody can do with."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.runtime.errors import OneMoment
from cogs.support import services
from cogs.support.services import Effort, PersonLimits

ANN, BO = 1, 2


def test_files_come_five_at_once_and_then_five_a_minute() -> None:
    limits = PersonLimits()
    for _ in range(5):
        limits.spend(Effort.FILE, ANN, now=100.0)
    with pytest.raises(OneMoment) as refused:
        limits.spend(Effort.FILE, ANN, now=100.0)
    assert refused.value.seconds == 12
    limits.spend(Effort.FILE, BO, now=100.0)
    with pytest.raises(OneMoment):
        limits.spend(Effort.FILE, ANN, now=111.9)
    limits.spend(Effort.FILE, ANN, now=112.0)
    assert sum(not limits.wait_seconds(Effort.FILE, ANN, 112.0 + second) for second in range(1, 61)) == 5


def test_a_flood_is_told_once_in_a_second() -> None:
    limits = PersonLimits()
    told = sum(limits.is_to_be_told(ANN, 10 + request / 400) for request in range(1200))
    assert told == 3


def test_people_who_have_left_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "REMEMBERED_MAX", 10)
    limits = PersonLimits()
    for user in range(1000):
        limits.spend(Effort.REQUEST, user, now=float(user))
        assert limits.is_to_be_told(user, float(user))
    assert len(limits._full_at) <= 10 and len(limits._told_at) <= 10


@settings(max_examples=30)
@given(st.lists(st.floats(0, 0.2), max_size=80))
def test_nobody_gets_more_than_the_burst_and_the_rate(pauses: list[float]) -> None:
    limits, now, had = PersonLimits(), 0.0, 0
    at_once, seconds = Effort.COMPLETION.value
    for pause in pauses:
        now += pause
        had += not limits.wait_seconds(Effort.COMPLETION, ANN, now)
        assert had <= at_once + now / seconds + 1e-6
    assert had >= min(len(pauses), at_once)
