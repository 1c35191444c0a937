"""People open tables of their own making: mixtures, modifiers, house games, and other games by consent."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bot.engine.mixes import RotationChange
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.play_by_buttons import play_hand
from tests.support.discord_double import Player


async def play(room: BotSession, *players: Player) -> str:
    """Deal a hand and play it to its end by clicks. Returns its game."""
    await room.next_hand()
    game = room.now.settings.rule_card.key
    await play_hand(room, list(players), random.Random(room.now.hand_number))
    return game


@pytest.mark.law("VC-28")
async def test_horse_is_opened_by_name_and_changes_after_every_lap(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        assert "H.O.R.S.E." in await ann.autocomplete("play", "game", "hor")
        shown = await ann.slash("play", sit=False, game="horse", big_blind="20", buy_in="2k")
        assert "H.O.R.S.E." in shown
        for player in (ann, bo):
            await player.slash("sit", chips="4000")
        games = [await play(room, ann, bo) for _ in range(4)]
        await room.wait_for_text("-# Table 1 · H.O.R.S.E. · Limit Omaha")
        assert "-# Table 1 · H.O.R.S.E. · Limit Omaha" in await ann.slash("hand", number=4)
        assert games == ["limit_holdem", "limit_holdem", "limit_omaha8", "limit_omaha8"]
        await room.wait_for_text("now **Limit Razz**")


async def test_completed_list_of_games_changes_after_every_hand(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        offered = await ann.autocomplete("play", "game", "holdem / omaha + joker_b")
        assert offered == ["holdem / Pot-Limit Omaha, Joker as Bug"]
        # Limit games: nobody is broke before the round is over.
        mixture = "limit holdem / limit omaha + joker bug / badugi"
        await ann.slash("play", sit=False, game=mixture, change="deals", every=1)
        for player in (ann, bo):
            await player.slash("sit")
        games = [await play(room, ann, bo) for _ in range(4)]
        assert games == ["limit_holdem", "limit_omaha+joker_bug", "badugi", "limit_holdem"]


async def test_incompatible_games_and_options_are_refused_with_their_law(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        assert "at least two games" in await ann.slash("play", sit=False, game="razz", change="deals", every=3)
        assert "No game is called “bridge”" in await ann.slash("play", sit=False, game="holdem / bridge")
        assert "isn't dealt here" in await ann.slash("play", sit=False, game="holdem / ofc")
        assert "has a deck of its own" in await ann.slash("play", sit=False, game="short_deck + 36")
        assert "There are only cards for" in await ann.slash("play", sit=False, game="holdem / baseball", seats=9)
        assert not room.dealer.tables.all_tables()


@pytest.mark.law("H-1")
async def test_another_game_is_proposed_and_played_once_everybody_has_agreed(tmp_path: Path) -> None:
    """Before the first hand the host decides alone. Then all seated players must agree, and nothing changes during a hand."""
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await ann.slash("play", sit=False)
        await ann.slash("table", page="settings")
        await ann.select("Change…", "games")
        assert "Changed: Game **Pot-Limit Omaha**" in await ann.submit(
            {"One game, or several with / between them": "plo"}
        )
        for seat, player in enumerate((ann, bo, cy), 1):
            await player.slash("sit", seat=seat)
        assert await play(room, ann, bo, cy) == "omaha"
        await room.next_hand()
        await bo.slash("table", page="settings")
        await bo.select("Change…", "games")
        proposed = await bo.submit({"One game, or several with / between them": "holdem / razz / stud"})
        assert "It counts once everyone seated agrees" in proposed
        await ann.until("[Agree]")
        await room.wait_for_text("Games: Pot-Limit Omaha → **Mixed")
        assert "You agree" in await ann.click("Agree")
        assert "You agree" in await cy.click("Agree")
        assert room.now.settings.rule_card.key == "omaha", "a hand is being played"
        await play_hand(room, [ann, bo, cy], random.Random(3))
        assert room.now.settings.rotation is not None
        assert await play(room, ann, bo, cy) == "holdem"


async def test_mixed_table_changes_rotation_and_bomb_pot_by_selects(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("play", sit=False, game="holdem / omaha")
        await ann.slash("table", page="settings")
        await ann.select("Change…", "turning")
        assert "Changed: Next game **after 6 hands**" in await ann.select("Next game…", "deals.6")
        await ann.slash("table", page="settings")
        await ann.select("Change…", "bomb")
        assert "Changed: Bomb pot **" in await ann.select("Bomb pot…", "lap.2")
        rotation, bomb = room.now.settings.rotation, room.now.settings.bomb_pot
        assert rotation is not None and rotation.change is RotationChange.HANDS and rotation.hands == 6
        assert bomb is not None and bomb.game.rule_card.boards == 2
        await ann.slash("table", page="settings")
        await ann.click("House rules")
        await ann.select("Change a house rule…", "cut")
        await ann.select("Cutting the deck…", "must")
        assert room.now.settings.options.cut.value == "must"
        rotation = room.now.settings.rotation
        assert rotation is not None and rotation.games[0].options.cut.value == "must"
        assert rotation.games[1].options.cut.value == "may", "the other game keeps its own laws"
        assert (await bo.slash("table", page="info")).count("bomb") <= 1


@pytest.mark.law("H-2")
async def test_server_saves_a_house_game_and_opens_tables_with_it(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        you = room.discord.you
        await you.slash("play", sit=False, game="omaha + joker bug", big_blind="20", buy_in="1k", most="4k", bomb="lap")
        assert "Saved: **Friday**" in await you.fill_in("house", page="save", name="Friday")
        assert "**Friday** Pot-Limit Omaha, Joker as Bug 10/20 · bomb pot once a round · by" in await ann.slash(
            "table", page="games"
        )
        await you.close_table()
        await room.wait_for_text("is closed")
        assert await ann.autocomplete("play", "game", "fri") == ["Friday"]
        assert "at least two games" in await ann.slash("play", sit=False, game="friday", change="lap")
        assert "The big blind has to be" in await ann.slash("play", sit=False, game="friday", big_blind="25")
        assert "20/40" in await ann.slash("play", sit=False, game="friday", big_blind="40", seats=3, bomb="off")
        other = room.now.settings
        assert (other.seat_count, other.min_buyin, other.max_buyin, other.bomb_pot) == (3, 2_000, 8_000, None)
        await ann.close_table()
        await room.wait_until(lambda: not room.dealer.tables.all_tables())
        await ann.slash("play", sit=False, game="friday")
        settings = room.now.settings
        assert (settings.rule_card.key, settings.stakes.big_blind, settings.max_buyin) == ("omaha+joker_bug", 20, 4_000)
        assert settings.bomb_pot is not None
        for player in (ann, bo):
            await player.slash("sit")
        assert await play(room, ann, bo) == "omaha+joker_bug"
        assert "is deleted" in await you.fill_in("house", page="delete", name="FRIDAY")
        assert "No house game is saved" in await ann.slash("table", page="games")
