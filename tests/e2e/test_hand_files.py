"""Hands leave as files and come back through the form: played by the rules, told street by street, and counted nowhere."""

from __future__ import annotations

import asyncio
from pathlib import Path
from unittest.mock import ANY

import pytest

from bot.text.checked_hands import CheckedFile
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.test_choices_survive_restart import restarting_bot
from tests.support.discord_double import Player
from tests.support.pokerstars_reader import read_hands

FIELD = "File with hands"
BAD_RAISE = """
variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [2000, 3000]
players = ['Ann', 'Bo']
actions = [
  'd dh p1 AsKd',
  'd dh p2 ????',
  'p2 cbr 150',
  'p1 f',
]
"""


async def give(person: Player, name: str, content: bytes | str) -> str:
    """Give a file through the form of `/import`. Returns the screen."""
    await person.slash("hand", hands="import")
    chosen = await person.choose_file(name, content)
    return await person.submit({FIELD: [chosen]})


async def played(room: BotSession, *people: Player) -> None:
    await room.open_and_sit(*people)
    await room.next_hand()
    await room.check_down(*people)


@pytest.mark.real_time
async def test_exported_hand_comes_back_through_the_form(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await played(room, ann, bo)
        chips = await ann.slash("me", page="chips")
        for form, kind, name in (("phh", "PHH", "hand-1.phh"), ("pokerstars", "PokerStars text", "hand-1.txt")):
            await ann.slash("hand", number=1, file=form)
            told = await give(ann, name, await ann.attached_text())
            assert f"**{name}** · {kind} · 1 hand" in told, told
            assert "1 hand plays by the rules." in told
            told = await ann.select("Look at a hand…", "1", within=kind)
            assert "Replay · Hand #1 · step 1 of " in told and "Your file · No-Limit Hold'em 50/100" in told, told
            assert "Every action is lawful, and it ends as the file says." in told
            assert "`file-1-2`" in await ann.click("Next", within="Your file")
            assert "Flop" in await ann.select("Jump to a street…", "Flop", within="Your file")
            told = await ann.click("Text log", within="Your file")
            assert "**The deal**" in told and "Ann posts small blind" in told and "Dealt to Ann \\[" in told
            assert "Every action is lawful, and it ends as the file says." in told
            assert "Pre-flop" in await ann.click("Next", within="The deal")
            assert "Summary" in await ann.click("Last", within="Pre-flop")
            assert "step 1 of " in await ann.click("Replay", within="Summary")
            await ann.click("All hands", within="step 1 of ")
        made_up = await room.late_click(ann, ann.visible()[-1], "p:import:stepnext:of_old")
        assert "That file has expired." in made_up
        assert await ann.slash("me", page="chips") == chips
        assert "Hand #1" in await ann.slash("hand") and room.dealer.tables.all_tables()[0].hand_number == 1

        # a law is named with its line, and what is no hand gets a friendly answer
        told = await give(ann, "bad.phh", BAD_RAISE)
        assert "1 hand breaks a rule." in told
        assert (
            "Line 11, action 3: Bo bets or raises to 150, but: The minimum raise is to 200. Law L-8 (no limit)." in told
        ), told
        assert "There's no street to show" in await ann.select("Look at a hand…", "1", within="bad")
        for name, content, answer in (
            ("a.txt", b"\x00\xff" * 500, "That file isn't text."),
            ("b.txt", "What a hand that was", "There's no hand in that file."),
            ("c.phh", "variant = 'NT'\nstarting_stacks = " + "[" * 50_000, "1 hand can't be read."),
        ):
            told = await give(bo, name, content)
            assert answer in told, told
        assert "One moment: that was a lot at once." in await give(bo, "d.txt", "again")

        # nobody opens another's file
        private = next(one for one in reversed(bo.visible()) if "One moment" in bo.render(one))
        file = await room.dealer.services.imports.find(0, int(ann.me["id"]))
        for verb in ("next", "steplog", "stepnext", "stepopen", "stepstreet"):
            told = await room.late_click(bo, private, f"p:import:{verb}:{file.id}.1:1")
            assert "That file has expired." in told
        assert "it nests deeper than any hand does" in await bo.slash("hand", number="file-1-3"), "their own newest one"
        room.check_leaks()


@pytest.mark.real_time
async def test_an_evening_is_one_file(tmp_path: Path) -> None:
    """Three hands: Ann has them as PokerStars text, as PHHS and as text; Cy, who only watches, sees no hole cards of the table's."""
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        assert "You haven't played a hand yet." in await cy.slash("hand", hands="evening")
        await room.open_and_sit(ann, bo)
        for hand in (1, 2, 3):
            await room.next_hand(hand)
            await room.act("Fold", ann, bo)
        assert "3 hands, with the cards you can see." in await ann.slash("hand", hands="evening")
        read = read_hands(await ann.attached_text())
        assert [one.number % 1_000_000 for one in read] == [1, 2, 3]
        assert all(set(one.dealt) == {"Ann"} for one in read)
        assert "3 hands" in await bo.slash("hand", hands="evening", file="phh", date="today")
        evening = await bo.attached_text()
        assert evening.startswith("[1]\n") and "\n[3]\n" in evening
        told = await give(bo, "evening.phhs", evening)
        assert "3 hands play by the rules." in told, told
        assert "3 hands" in await cy.slash("hand", hands="table", file="text")
        text = await cy.attached_text()
        assert text.count("Dealt to Ann 2 cards") == 3 and "Dealt to Ann [" not in text
        assert "You played no hand there and then." in await cy.slash("hand", hands="mine", table=1)
        await cy.slash("hand", hands="evening")
        assert "One moment" in await cy.slash("hand", hands="evening")
        room.check_leaks()


@pytest.mark.real_time
async def test_a_kill_while_a_file_is_checked_changes_nothing(tmp_path: Path) -> None:
    """The bot is killed while it reads Bo's file. After the restart the table is as it was, and the buttons of Ann's file go on."""
    async with restarting_bot(tmp_path) as told:
        async with told.life(waits=False) as room:
            ann, bo = await room.people("Ann", "Bo")
            await played(room, ann, bo)
            await ann.slash("seat", what="sit out")
            chips = await ann.slash("me", page="chips")
            await ann.slash("hand", number=1, file="phh")
            assert "1 hand plays by the rules." in await give(ann, "hand.phh", await ann.attached_text())
            await ann.select("Look at a hand…", "1", within="plays by the rules")
            begun = asyncio.Event()

            async def hang(content: bytes, language: str) -> CheckedFile:
                begun.set()
                await asyncio.Event().wait()
                raise AssertionError

            room.dealer.services.imports._check = hang  # type: ignore[method-assign]
            given = asyncio.create_task(give(bo, "bad.phh", BAD_RAISE))
            await begun.wait()
        given.cancel()
        await asyncio.gather(given, return_exceptions=True)
        async with told.life(is_killed=False) as room:
            assert await ann.slash("me", page="chips") == chips
            assert room.dealer.tables.all_tables()[0].hand_number == 1
            assert "Hand #1" in await ann.slash("hand", number=1)
            assert "step 2 of " in await ann.click("Next", within="Your file")
            assert "step 4 of " in await ann.slash("hand", number="file-1-4")
            room.check_leaks()
            assert "1 hand breaks a rule." in await give(bo, "bad.phh", BAD_RAISE)
            assert "That file has expired." in await bo.slash("hand", number="file-2")
            for person in (ann, bo):
                await person.slash("leave")
            await ann.slash("me", page="export")
            assert "hand.phh, a file of hands, given on" in await ann.attached_text("cardroom-data.txt")
            await ann.slash("me", page="delete")
            await ann.click("Delete it all")
            assert "That file has expired." in await ann.slash("hand", number="file-1-4")
            assert await room.dealer.store.values("import.") == {f"import.{bo.me['id']}": ANY}
