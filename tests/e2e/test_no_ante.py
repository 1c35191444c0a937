"""A table where nobody antes is made by the selects of `/table page:settings` and played by clicks to a paid pot."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bot.surfaces.table import pace
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.play_by_buttons import play_hand
from tests.support.discord_double import Player


async def opened(room: BotSession, game: str, *players: Player) -> None:
    """Open a table whose host wants no antes, and seat everybody."""
    await players[0].slash("play", sit=False, game=game)
    await players[0].slash("table", page="settings")
    await players[0].click("House rules")
    await players[0].select("Change a house rule…", "Blinds or antes")
    assert "Changed: Blinds or antes **no ante**" in await players[0].select("Blinds or antes…", "none")
    for number, player in enumerate(players, 1):
        await player.slash("sit", seat=number)


@pytest.mark.law("H-1", "H-2", "H-4", "B-18")
@pytest.mark.parametrize("game", ["holdem", "stud"])
async def test_hands_without_an_ante_are_played_by_clicks(
    tmp_path: Path, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pace, "EDIT_SECONDS", 0.01)  # what is private is told the table at once
    dice = random.Random(game)
    async with bot_session(tmp_path) as room:
        players = await room.people("Ann", "Bo", "Cy")
        await opened(room, game, *players)
        assert "no ante" in await players[0].slash("laws")
        chips = sum(line.stack for line in room.now.table.seats)
        await room.next_hand()
        assert room.now.hand is not None
        assert room.now.hand.pot == 0
        assert "no ante" in players[0].screen()
        await play_hand(room, players, dice)
        await room.wait_until_idle()
        view = room.now.hand
        assert view is not None and view.over and not view.voided
        assert sum(line.stack for line in room.now.table.seats) == chips
        room.check_leaks()


@pytest.mark.law("N-2", "B-6", "TL-36")
async def test_empty_pot_is_checked_down_and_folded_for(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        people = await room.people("Ann", "Bo")
        await opened(room, "holdem", *people)
        await room.next_hand()
        assert room.now.hand is not None and room.now.hand.pot == 0
        for _ in range(8):
            player = room.to_act(*people)
            assert player is not None
            await player.click("Check")
        await room.wait_until_idle()
        view = room.now.hand
        assert view is not None and view.over
        assert len({line.stack for line in room.now.table.seats}) == 1, "nobody has won a chip"
        room.check_leaks()
