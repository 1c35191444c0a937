"""What teaches a game to people who never played it: on the open table, at a change of game, and under *Rules*."""

from __future__ import annotations

import random
from pathlib import Path

from bot.text.introductions import introduction
from bot.variants import game
from tests.e2e.bot_session import bot_session
from tests.e2e.play_by_buttons import play_hand
from tests.e2e.test_choices_survive_restart import restarting_bot

HOLDEM, BADUGI = introduction(game("limit_holdem")), introduction(game("badugi"))


async def test_open_table_teaches_its_game_and_the_hand_does_not(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        assert BADUGI in await ann.slash("play", sit=False, game="badugi")
        for player in (ann, bo):
            await player.slash("sit")
        await room.next_hand()
        await ann.until_gone(BADUGI)


async def test_each_new_game_of_a_mixture_is_taught_once(tmp_path: Path) -> None:
    """The dealer is killed while badugi is taught; that changes nothing."""
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            ann, bo = await room.people("Ann", "Bo")
            shown = await ann.slash("play", sit=False, game="limit holdem / badugi", change="deals", every=1)
            assert f"**Limit Hold'em:** {HOLDEM}" in shown
            for player in (ann, bo):
                await player.slash("sit")
            await room.next_hand()
            await ann.until_gone(HOLDEM)
            await play_hand(room, [ann, bo], random.Random(1))
            await room.next_hand()
            await ann.until(BADUGI)
        async with told.life() as room:
            await room.wait_until_idle()
            assert BADUGI in ann.screen()
            while room.now.hand is not None and room.now.hand.street == "before the draw":
                await room.act("Call" if "Call" in str(ann.buttons()) else "Check", ann, bo)
            await play_hand(room, [ann, bo], random.Random(2))
            await ann.until_gone(BADUGI)
            for at in (3, 4):
                await room.next_hand()
                assert HOLDEM not in ann.screen() and BADUGI not in ann.screen()
                await play_hand(room, [ann, bo], random.Random(at))


async def test_rules_are_short_and_lead_to_the_full_rules(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("play", sit=False, game="baseball")
        short = await ann.click("Rules")
        assert introduction(game("baseball")) in short and "Laws at this table" not in short
        full = await ann.click("Full rules")
        assert "### Laws at this table" in full
        assert "[Full rules]" not in ann.screen(), "the full rules took the place of the short ones"
        await ann.click("Rules")
        await ann.click("Show here")
        await bo.until("[Full rules]")
        assert "### Laws at this table" in await bo.click("Full rules"), "in private, below what everybody reads"
