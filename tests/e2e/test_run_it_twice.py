"""All-in with cards to come, at a table that asks whether the rest is dealt twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.text.options import option_name
from tests.e2e.bot_session import BotSession, bot_session
from tests.support.discord_double import Player

RUN_TWICE = option_name("run_twice")


async def all_in(room: BotSession, *players: Player, asks: bool = True) -> None:
    await players[0].slash("play", sit=False)
    if asks:
        await players[0].slash("table", page="settings")
        await players[0].click("House rules")
        await players[0].select("Change a house rule…", RUN_TWICE)
        assert f"Changed: {RUN_TWICE} **on**" in await players[0].select(f"{RUN_TWICE}…", "on")
    for seat, player in enumerate(players, 1):
        await player.slash("sit", seat=seat)
    await room.next_hand()
    await room.act("All-in", *players)
    await room.act("Call", *players)


@pytest.mark.law("TL-25")
async def test_nobody_is_asked_unless_the_table_says_so(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        await all_in(room, *await room.people("Ann", "Bo"), asks=False)
        assert not room.now.hand_running
        assert room.now.hand is not None and len(room.now.hand.boards) == 1


@pytest.mark.law("TL-25")
async def test_whoever_wanted_it_once_is_named(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await all_in(room, ann, bo)
        await room.wait_for_text("deal the rest once or twice?")
        assert {"Once", "Twice"} <= {label for label, _ in room.table_buttons(ann)}
        await room.press_at_table(ann, "Twice")
        await room.press_at_table(bo, "Once")
        await room.wait_for_text("Bo wanted it once.")
        assert not room.now.hand_running


@pytest.mark.law("TL-25", "TL-41")
async def test_after_ten_silent_seconds_it_is_dealt_once(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await all_in(room, ann, bo)
        await room.press_at_table(bo, "Twice")
        room.clock.skip(9)
        assert room.now.hand_running
        room.clock.skip(1.5)
        await room.wait_for_text("Ann didn't answer, so it's dealt once.")
        assert not room.now.hand_running
        assert "ran out of time" not in ann.screen()
