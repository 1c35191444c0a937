"""Nobody notices the limits but who asks for more than anybody can do with."""

import asyncio
from collections.abc import Hashable
from typing import cast

import discord
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot import allowances
from bot.allowances import WORK, counted
from bot.line.interaction import InteractionInfo
from bot.pictures.types import Look, Picture, RankingPicture
from bot.runtime.bank import Bank
from bot.runtime.errors import OneMoment, WorkTimeUsed
from bot.surfaces.answer_pictures import WAITING_MAX, AnswerPictures
from cogs.support import services
from cogs.support.services import Effort, PersonLimits
from tests.support.pictures import InProcessMaker

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


def test_completions_come_twenty_at_once_and_five_a_second() -> None:
    """Somebody who types fast gets one for each letter."""
    limits = PersonLimits()
    assert sum(not limits.wait_seconds(Effort.COMPLETION, ANN, 100.0) for _ in range(30)) == 20
    assert sum(not limits.wait_seconds(Effort.COMPLETION, ANN, 101.0) for _ in range(30)) == 5


def test_a_flood_is_told_once_in_a_second() -> None:
    limits = PersonLimits()
    told = sum(limits.is_to_be_told(ANN, 10 + request / 400) for request in range(1200))
    assert told == 3


def test_people_who_have_left_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (allowances, services):
        monkeypatch.setattr(module, "REMEMBERED_MAX", 10)
    limits = PersonLimits()
    for user in range(1000):
        limits.spend(Effort.REQUEST, user, now=float(user))
        assert limits.is_to_be_told(user, float(user))
    assert limits.remembered <= 10 and len(limits._told_at) <= 10


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


def test_seconds_that_were_used_come_back_in_time() -> None:
    limits = PersonLimits()
    at_once, seconds = Effort.SECONDS.value
    limits.require_time(ANN, now=100.0)
    limits.count_seconds(ANN, 100.0, at_once + 4)
    with pytest.raises(WorkTimeUsed) as refused:
        limits.require_time(ANN, now=100.0)
    assert (refused.value.used, refused.value.seconds) == (24, 5 * seconds)
    limits.require_time(BO, now=100.0)
    limits.require_time(ANN, now=100.0 + 5 * seconds)


def test_clock_put_back_makes_nobody_wait_for_long() -> None:
    limits = PersonLimits()
    limits.count_seconds(ANN, 1_000_000.0, 1)
    with pytest.raises(WorkTimeUsed) as refused:
        limits.require_time(ANN, now=1_000.0)
    at_once, seconds = Effort.SECONDS.value
    assert refused.value.seconds <= 2 * at_once * seconds


def test_work_is_counted_for_whoever_it_is_done() -> None:
    used: list[float] = []
    assert counted(len)("abc") == 3 and not used, "nobody's work"
    token = WORK.set(used.append)
    try:
        assert counted(len)("abc") == 3
        with pytest.raises(ZeroDivisionError):
            counted(lambda: 1 // 0)()
    finally:
        WORK.reset(token)
    assert len(used) == 2, "what fails was work, too"


async def test_one_account_takes_only_a_few_turns_of_drawing() -> None:
    """It asks for as many answers with pictures as it can, all at once: the tables' pictures keep their turns."""
    may_draw = asyncio.Event()

    class Slow(InProcessMaker):
        async def draw(self, picture: Picture, key: Hashable | None = None) -> bytes | None:
            await may_draw.wait()
            return b"drawn"

    maker = Slow()
    maker.start()
    pictures = AnswerPictures(maker, cast(Bank, None))
    can_attach = discord.Permissions(attach_files=True)
    of_ann, of_bo = (
        InteractionInfo(id=1, token="t", guild=1, channel=2, user=user, name="x", bot_permissions=can_attach)
        for user in (ANN, BO)
    )
    described = RankingPicture(Look(), "", "", ()), "a.webp", "A picture."
    asked = [await pictures.answer(of_ann, lambda: described) for _ in range(60)]
    assert sum(one is not None for one in asked) == WAITING_MAX
    asked.append(await pictures.answer(of_bo, lambda: described))
    assert asked[-1] is not None
    may_draw.set()
    assert all([await one.file.drawn() is not None for one in asked if one is not None])
    assert await pictures.answer(of_ann, lambda: described) is not None, "they have their turns again"
