"""The clock of a turn, as the table shows it: who is due, the time bank behind, and what happens when it is spent."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.evening import evening


@pytest.mark.law("TL-30", "TL-31", "TL-32")
async def test_the_time_bank_is_shown_when_it_runs_and_then_time_is_up(tmp_path: Path) -> None:
    """Thirty seconds, then the bank of sixty, then silence folds who faces a bet; the table says so and goes on."""
    async with evening(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.seat(ann, bo)
        await room.dealt()
        slow = room.to_act(ann, bo)
        assert slow is not None
        assert "Time bank 60 s" in slow.screen()
        room.clock.skip(9)
        await room.seen(f"@{slow.name} your turn — 50 to call")
        room.clock.skip(22)
        await room.seen(f"@{slow.name} your turn — 50 to call · time bank ends")
        await room.seen("to call · time bank ends")
        room.clock.skip(61)
        await room.seen(f"Time is up: {slow.name} folds")
        await room.seen("wins")
        assert "sits out" in await slow.slash("table info") or "sitting out" in slow.screen()
        assert "back in the game" in await slow.slash("back")
        room.check()


@pytest.mark.law("TL-31")
async def test_the_time_bank_may_be_called_for(tmp_path: Path) -> None:
    async with evening(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.seat(ann, bo)
        await room.dealt()
        slow = room.to_act(ann, bo)
        assert slow is not None
        assert "Your time bank of 1 min" in await slow.slash("time")
        other = bo if slow is ann else ann
        assert "Law TL-31" in await other.slash("time")


async def test_an_idle_table_closes_and_pays_everybody(tmp_path: Path) -> None:
    async with evening(tmp_path) as room:
        (ann,) = await room.people("Ann")
        await room.seat(ann)
        room.clock.skip(11 * 60)
        await room.seen("is closed")
        assert "It was idle" in ann.screen()
        assert "on tables **0**" in await ann.slash("chips balance")
