"""Who won chips from whom by what happened at a table."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.runtime.flows import flows_of_event
from bot.table.events import HandFinished
from bot.table.state import BookLine
from tests.runtime.evening import USERS, Evening

ANN, BO, CY = USERS["Ann"], USERS["Bo"], USERS["Cy"]


@pytest.fixture
async def evening(tmp_path: Path) -> AsyncIterator[Evening]:
    opened = await Evening(tmp_path).begin()
    yield opened
    await opened.end()


@pytest.mark.law("BO-1", "TC-6")
async def test_carried_share_is_paid_though_its_owner_left(evening: Evening) -> None:
    """A pot of 600, half of it Cy's, was carried on. Cy has left; Ann wins it with 200 of Bo's."""
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.deal()
    table = evening.session.state.table
    table = replace(table, book=(BookLine(ANN, "Ann", in_pot=300), BookLine(CY, "Cy", in_pot=300)))
    number = {seat.player: seat.number for seat in table.seats}
    after = ((number[ANN], 10_800), (number[BO], 9_800))
    won = HandFinished(1, after, evening.clock.now(), put_in=((number[ANN], 200), (number[BO], 200)))
    assert set(flows_of_event(table, won)) == {(ANN, BO, 200), (ANN, CY, 300)}
