"""What a table's message shows follows from the table, in each of its parts."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.surfaces.scenes import scene_of
from bot.table.commands import SitOut
from bot.text.cards import SIGNS
from tests.runtime.evening import Evening


@pytest.fixture
async def evening(tmp_path: Path) -> AsyncIterator[Evening]:
    opened = await Evening(tmp_path).begin()
    yield opened
    await opened.end()


async def test_scene_tells_the_clock_and_who_can_come_back(evening: Evening) -> None:
    """Ann and Bo play; Cy sits out. The clock of 30 seconds runs, then the time bank of 60."""
    table = await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await evening.deal()
    snapshot = evening.snapshot
    scene = scene_of(snapshot, evening.hand, SIGNS, evening.clock.now())
    assert (scene.table_id, scene.table_number, scene.hand_number) == (table, 1, 1)
    assert not scene.offers_return and not scene.on_time_bank
    await evening.next_player_acts("folds", "folds")
    await evening.ask("Cy", SitOut)
    await evening.deal()
    turn, snapshot = evening.snapshot.current_turn, evening.snapshot
    assert turn is not None
    scene = scene_of(snapshot, evening.hand, SIGNS, turn.turn_ends_at - 1)
    assert scene.offers_return and not scene.on_time_bank
    assert (scene.deadline, scene.time_bank_seconds) == (-(-turn.turn_ends_at // 1000), 60)
    scene = scene_of(snapshot, evening.hand, SIGNS, turn.turn_ends_at)
    assert scene.on_time_bank and scene.deadline == -(-turn.bank_ends_at // 1000)
    assert scene.open_seats == snapshot.open_seats > 0 and not scene.is_full
