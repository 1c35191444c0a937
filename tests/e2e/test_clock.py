"""The table shows the clock of a turn: the player to act, the time bank, and what happens when it is spent."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.bot_session import bot_session


@pytest.mark.law("TL-30", "TL-31", "TL-32")
async def test_running_time_bank_is_shown_before_time_is_up(tmp_path: Path) -> None:
    """After thirty seconds and a time bank of sixty a silent player who faces a bet folds. The table says so and goes on."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        slow = room.to_act(ann, bo)
        assert slow is not None
        assert "time bank 60 s" in slow.screen()
        room.clock.skip(9)
        await room.wait_for_text(f"@{slow.name}, your turn — 50 to call")
        room.clock.skip(22)
        await room.wait_for_text(f"@{slow.name}, your turn — 50 to call · time bank ends")
        await room.wait_for_text("to call · time bank ends")
        room.clock.skip(61)
        await room.wait_for_text(f"Time is up: {slow.name} folds")
        await room.wait_for_text("wins")
        assert "sits out" not in await slow.slash("table info"), "one missed turn sits nobody out"
        assert "You're back in" in await slow.slash("back")
        room.check_leaks()


@pytest.mark.law("TL-31")
async def test_player_can_ask_for_the_time_bank(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        slow = room.to_act(ann, bo)
        assert slow is not None
        assert "Your time bank of 1 min" in await slow.slash("time")
        other = bo if slow is ann else ann
        assert "You can add time when it's yours." in await other.slash("time")


async def test_an_idle_table_closes_and_pays_everybody(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        await room.open_and_sit(ann)
        room.clock.skip(11 * 60)
        await room.wait_for_text("is closed")
        assert "Closed because nobody was playing." in ann.screen()
        assert "on tables **0**" in await ann.slash("chips balance")
