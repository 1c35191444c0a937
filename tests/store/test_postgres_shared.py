"""What dealers write down for each other in the house: seats and tables of persons, and clicks on their way."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.runtime.awaited import AwaitedTurn
from bot.runtime.passed_clicks import PassedClick
from bot.runtime.store_errors import StoreFailed
from bot.runtime.taken import Taken, TakenKind
from tests.store.desk import ANN, BO

if importlib.util.find_spec("psycopg") is None and os.environ.get("CI") != "true":
    pytest.skip("psycopg is not installed: pip install -e '.[postgres]'", allow_module_level=True)

from bot.store.postgres import shared_clicks
from tests.support.house_dealers import Dealer, two_dealers
from tests.support.postgres_store import asking

SEAT, TABLE = Taken(ANN, TakenKind.SEAT, 1, 11), Taken(ANN, TakenKind.TABLE, 1, 11)
OTHER_SEAT = Taken(BO, TakenKind.SLOW_SEAT, 2, 12)
CLICK = PassedClick(5, 1, b'{"id":"5"}')


@pytest.fixture
async def dealers(postgres: str, tmp_path: Path) -> AsyncIterator[list[Dealer]]:
    async with two_dealers(postgres, tmp_path) as made:
        yield made


def take_over(address: str, dealer: Dealer) -> None:
    """Let another process take a dealer's slot over."""
    with asking(address, dealer.fence.schema) as db:
        db.execute("UPDATE owner SET epoch = epoch + 1")


async def test_dealers_see_what_people_have_with_the_others(dealers: list[Dealer]) -> None:
    one, other = dealers
    await one.taken.change([SEAT, TABLE], [])
    await one.taken.change([SEAT], [])  # the answer was lost on the way
    await other.taken.change([OTHER_SEAT], [])
    assert await other.taken.of_others(ANN) == (SEAT, TABLE)
    assert await one.taken.of_others(ANN) == ()
    assert await one.taken.of_others(BO) == (OTHER_SEAT,)
    await one.taken.change([], [SEAT])
    assert await other.taken.of_others(ANN) == (TABLE,)


async def test_dealer_that_starts_replaces_its_own_rows_alone(dealers: list[Dealer]) -> None:
    one, other = dealers
    await one.taken.change([SEAT], [])
    await other.taken.change([OTHER_SEAT], [])
    await one.taken.replace([TABLE])
    assert await other.taken.of_others(ANN) == (TABLE,)
    assert await one.taken.of_others(BO) == (OTHER_SEAT,)
    await one.taken.replace([])
    assert await other.taken.of_others(ANN) == ()


async def test_former_owner_writes_no_seat_and_takes_no_click(postgres: str, dealers: list[Dealer]) -> None:
    one, other = dealers
    take_over(postgres, other)
    with pytest.raises(StoreFailed, match="taken the data over"):
        await other.taken.change([OTHER_SEAT], [])
    with pytest.raises(StoreFailed, match="taken the data over"):
        await other.taken.replace([OTHER_SEAT])
    assert await one.taken.of_others(BO) == ()
    await one.clicks.pass_on(CLICK)
    assert not await other.clicks.take(CLICK.interaction)


async def test_click_is_taken_once_by_its_dealer(dealers: list[Dealer]) -> None:
    one, other = dealers
    await one.clicks.pass_on(CLICK)
    await one.clicks.pass_on(CLICK)
    assert await one.clicks.waiting() == [] and await other.clicks.waiting() == [CLICK]
    assert [await other.clicks.take(5), await other.clicks.take(5)] == [True, False]
    assert not await one.clicks.take_back(5)
    unknown = PassedClick(6, None, b"{}")
    await one.clicks.pass_on(unknown)
    assert await one.clicks.waiting() == await other.clicks.waiting() == [unknown]
    assert await one.clicks.take_back(6) and await other.clicks.waiting() == []


async def test_click_that_comes_too_late_is_not_taken(dealers: list[Dealer], monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = dealers
    await one.clicks.pass_on(CLICK)
    monkeypatch.setattr(shared_clicks, "OPEN_SECONDS", 0.0)
    assert await other.clicks.waiting() == [] and not await other.clicks.take(5)
    monkeypatch.setattr(shared_clicks, "KEPT_SECONDS", 0.0)
    await one.clicks.pass_on(PassedClick(7, 0, b"{}"))
    assert not await one.clicks.take_back(5), "nothing of it is kept"


async def test_turns_are_told_to_the_other_dealer(postgres: str, dealers: list[Dealer]) -> None:
    one, other = dealers
    late, soon = AwaitedTurn(ANN, 5, 7, 70, 2_000), AwaitedTurn(ANN, 6, 7, 71, 1_000)
    await one.awaited.change(5, [late, AwaitedTurn(BO, 5, 7, 70, 2_000)])
    await one.awaited.change(6, [soon])
    await one.awaited.change(6, [soon])  # the answer was lost on the way
    assert await other.awaited.of_others(ANN) == (soon, late)
    assert await one.awaited.of_others(ANN) == ()
    await one.awaited.change(6, [])
    assert await other.awaited.of_others(ANN) == (late,)
    await one.awaited.replace([soon])
    assert await other.awaited.of_others(ANN) == (soon,) and await other.awaited.of_others(BO) == ()
    take_over(postgres, one)
    with pytest.raises(StoreFailed, match="taken the data over"):
        await one.awaited.change(6, [])
    assert await other.awaited.of_others(ANN) == (soon,)
