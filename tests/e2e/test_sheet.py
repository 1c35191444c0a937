"""A game that people have played ends with its sheet in the room, whatever happens to the dealer then."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.test_choices_survive_restart import restarting_bot
from tests.support.discord_double import Player


async def play_a_hand(room: BotSession, *players: Player) -> None:
    await room.next_hand()
    folder = room.to_act(*players)
    assert folder is not None
    await folder.slash("fold")
    await room.wait_until_idle()


async def test_last_message_of_a_table_is_its_sheet(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await play_a_hand(room, ann, bo)
        await ann.close_table()
        await ann.until("Table 1 is closed · 1 minute · 1 hand")
        sheet = ann.screen()
        assert "Ann closed the table. All chips are back in wallets." in sheet
        assert sheet.count("🏆") == 1 and "**+50** · 1 buy-in · 1 hand" in sheet and "**−50** · 1 buy-in" in sheet
        assert "**Hand #1** · Table 1" in await bo.click("All hands"), bo.screen()


async def play_to_a_showdown(room: BotSession, *players: Player) -> None:
    """Raise, call, and check down the rest."""
    await room.next_hand()
    raiser = room.to_act(*players)
    assert raiser is not None
    await raiser.slash("raise", to="500")
    await room.check_down(*players)
    await room.wait_until_idle()


async def test_hand_of_the_night_is_the_largest_pot_shown(tmp_path: Path) -> None:
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            ann, bo = await room.people("Ann", "Bo")
            await room.open_and_sit(ann, bo)
            await play_a_hand(room, ann, bo)
            await play_to_a_showdown(room, ann, bo)
        async with told.life(waits=False) as room:
            for _ in range(3):
                await play_a_hand(room, ann, bo)
            room.dealer.tables._on_update = lambda change: None
            await ann.close_table()
        async with told.life() as room:
            await ann.until("Ann closed the table.")
            assert "Hand of the night · #2\n" in ann.screen() and " won 1,000 with " in ann.screen()
            assert "Hand #2" in await bo.click("Replay", within="Hand of the night")


async def test_a_table_where_nobody_has_played_has_none(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await ann.close_table()
        await ann.until("Table 1 is closed")
        assert "no hands played" in ann.screen() and "All hands" not in ann.screen()


@pytest.mark.parametrize("played", [True, False])
async def test_killed_as_the_table_closes(tmp_path: Path, *, played: bool) -> None:
    """What is to be said is saved with the end of the table, and the next start says it, once."""
    async with restarting_bot(tmp_path) as told:
        async with told.life(waits=False) as room:
            ann, bo = await room.people("Ann", "Bo")
            await room.open_and_sit(ann, bo)
            if played:
                await play_a_hand(room, ann, bo)
            room.dealer.tables._on_update = lambda change: None  # killed: nothing but the disk hears of it
            await ann.close_table()
            assert not room.dealer.tables.all_tables()
            assert set(await room.dealer.store.values("ended.")) == {"ended.1"}
        for _ in range(2):
            async with told.life() as room:
                await ann.until("Ann closed the table.")
                await room.wait_until_idle()
                assert not await room.dealer.store.values("ended.") and not await room.dealer.store.values("stage.")
                assert ann.screen().count("Ann closed the table.") == 1, "it is posted once"
                assert ("🏆" in ann.screen()) is played
