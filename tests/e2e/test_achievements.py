"""Achievements through the real bot: one line under the result, once, and for nobody who does not want it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.store.statistics import achievements
from tests.e2e.bot_session import BotSession
from tests.e2e.chosen_decks import no_two_tie, stack_next_deck
from tests.e2e.test_choices_survive_restart import restarting_bot
from tests.support.discord_double import Player
from tests.support.menus import choose_for_oneself, set_rules

MEDAL = "🏅"


async def showdown(room: BotSession, *players: Player) -> None:
    """Play a hand to the showdown, which one of them wins alone, and wait until it has been counted and looked at."""
    stack_next_deck(room, no_two_tie(len(players)))
    await room.next_hand()
    await room.check_down(*players)
    await room.wait_until_idle()
    await room.dealer.statistics.games(room.now.address.guild)
    await room.dealer.services.achievements.wait_until_idle()
    await room.wait_until_idle()


def lines(player: Player) -> list[str]:
    """Return the lines about achievements that stand in public."""
    public = [player.render(message) for message in player.visible() if not message["flags"] & 64]
    return [line for text in public for line in text.splitlines() if MEDAL in line]


async def test_an_achievement_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two people have their second showdown in one hand: one line. A restart, and counting anew, tell nothing again."""
    monkeypatch.setattr(achievements, "SHOWDOWNS", 2)
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            ann, bo = await room.people("Ann", "Bo")
            assert "`–` **Hundred showdowns**" in await ann.slash("stats", page="achievements")
            await room.open_and_sit(ann, bo)
            await showdown(room, ann, bo)
            assert not lines(ann)
            await showdown(room, ann, bo)
            await ann.until(MEDAL)
            assert len(lines(ann)) == 1 and "The hundredth showdown of " in lines(ann)[0]
            mine = await ann.slash("stats", page="achievements")
            assert f"{MEDAL} **Hundred showdowns**" in mine and "hand #2 of table 1" in mine
            assert f"{MEDAL} **Hundred showdowns**" in await bo.slash("stats", page="achievements", player=ann)
        for file in (tmp_path / "data").glob("statistics*"):
            file.unlink()
        async with told.life(is_killed=False) as room:
            assert f"{MEDAL} **Hundred showdowns**" in await bo.slash("stats", page="achievements")
            await showdown(room, ann, bo)
            assert not lines(ann), "the result of the third hand tells nothing"


async def test_what_a_table_does_together_names_nobody(tmp_path: Path) -> None:
    """Four people show down: one line for all of them. At the second showdown of the same four there is none."""
    async with restarting_bot(tmp_path) as told, told.life(is_killed=False) as room:
        people = await room.people("Ann", "Bo", "Cy", "Dee")
        ann = people[0]
        await room.open_and_sit(*people)
        assert "**Hundred showdowns**: showed down a hundred hands · **0** of 100" in await ann.slash(
            "stats", page="achievements"
        )
        await showdown(room, *people)
        await ann.until(MEDAL)
        assert lines(ann) == [f"-# {MEDAL} Nobody has left: the whole table shows down"]
        await showdown(room, *people)
        for player in people:
            mine = await player.slash("stats", page="achievements")
            assert (
                f"{MEDAL} **Nobody leaves**: showed down with the whole table" in mine and "hand #1 of table 1" in mine
            )
            assert "**Hundred showdowns**: showed down a hundred hands · **2** of 100" in mine
            assert "**Full table**: played where every seat was taken, of at least six\n" in mine
        assert not any(
            "of 100" in line for line in (await people[1].slash("stats", page="achievements", player=ann)).splitlines()
        )
        assert len(lines(ann)) <= 1, "the second hand has no line of theirs"


async def test_nobody_is_told_who_does_not_want_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(achievements, "SHOWDOWNS", 1)
    async with restarting_bot(tmp_path) as told, told.life(is_killed=False) as room:
        you = room.discord.you
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        assert "Achievements under a result · **off**" in await choose_for_oneself(ann, tell=False)
        assert "You aren't told after hands." in await ann.slash("stats", page="achievements")
        await choose_for_oneself(bo, tell=False)
        await room.open_and_sit(ann, bo)
        await showdown(room, ann, bo)
        assert not lines(ann)
        await choose_for_oneself(ann, tell=True)
        assert "Achievements under a result: **off**" in await set_rules(you, "house", achievements="0")
        await cy.slash("sit", seat=3)
        await showdown(room, ann, bo, cy)
        assert not lines(ann), "what was achieved before is not told later"
        assert "In this server nobody is told after hands." in await ann.slash("stats", page="achievements")
