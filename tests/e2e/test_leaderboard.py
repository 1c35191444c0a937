"""Who a leaderboard lists: people who have played enough hands for the server's chips."""

from pathlib import Path

import pytest

from bot.runtime import listed_people
from bot.runtime.listed_people import ListedPeople
from bot.store.statistics import long_rankings
from tests.e2e.bot_session import bot_session
from tests.e2e.played_before import have_played
from tests.support.menus import set_rules


@pytest.mark.law("BO-2")
@pytest.mark.parametrize("few", [2_048, 0], ids=["small server", "large server"])
async def test_nobody_leads_who_has_not_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, few: int) -> None:
    """Zoë has collected chips and played nothing, Bo has practised all evening, Cy has played too little, and Ann has lost.

    In a large server boards are kept in order, after they have been asked for once.
    """
    monkeypatch.setattr(listed_people, "FEW", few)
    monkeypatch.setattr(long_rankings, "LONG", few)
    async with bot_session(tmp_path) as room:
        ann, bo, cy, zoe = await room.people("Ann", "Bo", "Cy", "Zoe")
        await zoe.slash("me", page="daily")
        for player in (ann, bo, cy):
            await player.slash("me", page="chips")
        await have_played(room, {bo: 7_200}, 25, practice=True)
        await have_played(room, {ann: -400}, 15)
        await have_played(room, {ann: -400, cy: 900}, 5, table=2)
        for order in ("net", "per100", "hands", "chips"):
            await zoe.slash("stats", page="leaderboard", by=order)
            await room.dealer.parts.get(ListedPeople).wait_until_idle()
            await room.dealer.statistics.wait_until_idle()
            board = await zoe.slash("stats", page="leaderboard", by=order)
            assert "at least 20 hands (BO-2) · 1 player" in board, board
            first, own = board.split("🥇", 1)[1].split("\n", 1)
            assert "@Ann" in first
            assert "You have played no hands here." in own
            assert not {"@Bo", "@Cy"} & set(board.replace("\u00a0", " ").split())
        assert "You: 5 hands. It takes 20 to be listed here." in await cy.slash("stats", page="leaderboard")
        assert "Net chips won" in await cy.slash("stats", page="leaderboard", period="week")
        await set_rules(room.discord.you, "season", ranking_hands=5)
        assert "You: **1st** of 2" in await cy.slash("stats", page="leaderboard")


async def test_local_cardroom_lists_practice_below_and_apart(tmp_path: Path) -> None:
    """Bo has practised enough, Cy too little. Neither stands among those who have played for the server's chips."""
    async with bot_session(tmp_path, local=True) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await have_played(room, {ann: 300})
        await have_played(room, {bo: 7_200}, 25, practice=True)
        await have_played(room, {cy: 900}, 5, table=2, practice=True)
        board = await bo.slash("stats", page="leaderboard")
        above, below = board.split("### Practice chips")
        assert "@Ann" in above and "@Bo" not in above and "You have played no hands here." in below
        assert "@Bo (you) · +7,200 · 25 hands" in below.replace("\u00a0", " ") and "@Cy" not in board
