"""What players agree on for a table of their own, through the real bot: wild cards in words, house notes, the number of seats."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.pictures.types import Look
from bot.table.picture_colours import Deck, Felt
from bot.text.options import option_name
from tests.e2e.bot_session import bot_session
from tests.e2e.test_pictures import check_street, until_picture, until_text
from tests.support.menus import full_rules, set_rules
from tests.support.pictures import Painter

WILD, NOTES = option_name("wild_cards"), option_name("notes")


@pytest.mark.law("W-1")
async def test_wild_cards_are_written_in_words(tmp_path: Path) -> None:
    """The host makes three cards wild; the table, its laws and each player's own cards say so."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("play", sit=False, game="five-card draw")
        await ann.slash("table", page="settings")
        await ann.click("House rules")
        await ann.select("Change a house rule…", WILD)
        assert ann.form is not None and "black deuces, hearts" in str(ann.form)
        assert "names no card" in await ann.submit({WILD: "the purple cards"})
        await ann.slash("table", page="settings")
        await ann.click("House rules")
        await ann.select("Change a house rule…", WILD)
        changed = await ann.submit({WILD: "Queen of spades, black twos, hearts"})
        assert "Changed: Wild cards **hearts, black deuces, the queen of spades**" in changed
        assert "Wild cards: hearts, black deuces, the queen of spades (standard: no wild cards)" in await ann.slash(
            "laws"
        )
        await ann.click("Full rules")
        assert "Wild: hearts, black deuces, the queen of spades." in await ann.select("More laws…", "Special rules")
        for seat, player in enumerate((ann, bo), 1):
            await player.slash("sit", seat=seat)
        await room.next_hand()
        await room.wait_for_text("Wild: hearts, black deuces, the queen of spades")
        await room.wait_until_idle()
        room.check_leaks()


async def test_host_chooses_the_raise_buttons(tmp_path: Path) -> None:
    """One select with a tick at each part of the pot; the table, the own panel and the form follow, and it is kept."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await ann.slash("table", page="settings")
        assert "Now **½ pot · pot**." in await ann.select("Change…", "Raise buttons")
        changed = await ann.select("Raise buttons…", "pot", "⅔ pot", "⅓ pot")
        assert "Changed: Raise buttons **⅓ pot · ⅔ pot · pot**." in changed
        await room.next_hand()
        first = room.to_act(ann, bo)
        assert first is not None
        sizes = ["⅔ pot 233", "Pot 300"]  # of 150 in the middle and 50 to call; a third is below the minimum
        await room.open_panel(first)
        await room.until_own_buttons(first)
        assert [label for label in room.own_buttons(first) if "ot " in label] == sizes
        await room.press_own(first, "Raise…")
        assert "⅔ pot · 233" in str(first.form)
        assert "raise to 233" in await first.submit({"…or pick a size": "2/3"})
        await ann.slash("table", page="settings")
        await ann.select("Change…", "Raise buttons")
        assert "Changed: Raise buttons **none**." in await ann.select("Raise buttons…")
        await room.wait_until_idle()
        assert not [label for label, _ in room.table_buttons(ann) if "ot " in label]


async def test_host_chooses_how_the_table_is_drawn(tmp_path: Path) -> None:
    """In plain words and without anybody's consent. It counts from the next picture on, and a hand can end without one."""
    async with bot_session(tmp_path, pictures=(painter := Painter())) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        await until_picture(ann, "Pre-flop")
        assert "Pictures: **per street**" in await bo.slash("table", page="settings")
        for name, question, now, value in (
            ("Cards in the picture", "Which colours do the suits have", "four colours", "two colours"),
            ("Felt", "Which colour does the table have", "green", "blue"),
        ):
            await ann.slash("table", page="settings")
            asked = await ann.select("Change…", name)
            assert question in asked and f"Now **{now}**." in asked
            assert f"Changed: {name} **{value}**." in await ann.select(f"{name}…", value)
        assert "**light (" in await set_rules(room.discord.you, "house", theme="light")
        await check_street(room, ann, bo)
        await until_picture(ann, "Flop")
        looks = [picture.look for picture in painter.drawn]
        assert looks == [Look(), Look("light", Deck.TWO_COLOURS, Felt.TOURNAMENT)]
        await ann.slash("table", page="settings")
        await ann.select("Change…", "Pictures")
        assert "Changed: Pictures **text only**." in await ann.select("Pictures…", "text only")
        await until_text(ann, "Flop")
        await check_street(room, ann, bo)
        await until_text(ann, "Turn")
        assert len(painter.drawn) == 2


@pytest.mark.law("W-1")
async def test_wild_cards_come_with_the_name_of_a_game(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("play", sit=False, game="hoyle draw with the suicide king wild")
        assert room.now.settings.rule_card.key == "hoyle_draw+kh_wild"
        assert "Hoyle Draw, King of hearts wild" in ann.screen()
        assert "In this version: The king of hearts is wild." in ann.screen()
        assert await bo.autocomplete("play", "game", "razz + Qs") == ["Limit Razz, Queen of spades wild"]


@pytest.mark.law("K-3", "W-4")
async def test_the_bug_gets_a_method_beside_wild_cards(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        await ann.slash("play", sit=False, game="five_card_draw + deuces wild + two jokers")
        await ann.slash("table", page="settings")
        joker = option_name("joker_method")
        await ann.click("House rules")
        await ann.select("Change a house rule…", joker)
        assert f"Changed: {joker} **the bug**" in await ann.select(f"{joker}…", "bug")
        options = room.now.settings.options
        assert (options.deck, options.wild_method, options.joker_method) == ("54", "free", "bug")
        assert "The joker stands for: the bug" in await ann.slash("laws")
        laws = await full_rules(ann)
        assert "A joker is the bug" in laws and "Wild: deuces." in laws


@pytest.mark.law("H-2")
async def test_house_notes_are_written_shown_and_kept(tmp_path: Path) -> None:
    """Notes are one a line, harmless, shown with the laws and by `/table page:info`, and kept by a house game."""
    async with bot_session(tmp_path) as room:
        you, ann = room.discord.you, (await room.people("Ann"))[0]
        await you.slash("play", sit=False)
        await you.slash("table", page="notes")
        saved = await you.submit({NOTES: "No phones\n\n- The winner buys **@everyone** a drink"})
        assert "Changed: House notes **" in saved
        assert room.now.settings.notes == ("No phones", "The winner buys **@everyone** a drink")
        for shown in (await ann.slash("laws"), await ann.click("Full rules"), await ann.slash("table", page="info")):
            assert "House notes" in shown and "No phones" in shown
            assert "**@everyone**" not in shown and "@everyone" not in shown.replace("@\u200b", "")
        await you.fill_in("house", page="save", name="Friday")
        await you.close_table()
        await you.slash("play", sit=False, game="Friday")
        assert room.now.settings.notes == ("No phones", "The winner buys **@everyone** a drink")
        await you.slash("table", page="notes")
        assert "at most 150 letters" in await you.submit({NOTES: "x" * 151})
        await you.slash("table", page="notes")
        assert "at most 10" in await you.submit({NOTES: "\n".join("abcdefghijk")})
        await you.slash("table", page="notes")
        assert "**none**" in await you.submit({NOTES: ""})
        assert room.now.settings.notes == ()


@pytest.mark.law("H-1", "P-3")
async def test_seats_are_limited_by_agreement(tmp_path: Path) -> None:
    """After the first hand Ann proposes six seats; with Bo's consent the table has six. Fewer than are taken is not offered."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("play", sit=False, seats=9)
        await ann.slash("sit", seat=1)
        await bo.slash("sit", seat=3)
        await room.next_hand()
        await room.act("Fold", ann, bo)
        await ann.slash("table", page="settings")
        await ann.select("Change…", "max_seats")
        proposed = await ann.select("Seats…", "6")
        assert "Proposed: Seats **6**" in proposed
        await bo.until("Seats: 9 → **6**")
        assert "it's done" in await bo.click("Agree")
        assert room.now.settings.seat_count == 6
        await ann.slash("table", page="settings")
        await ann.select("Change…", "max_seats")
        with pytest.raises(AssertionError, match="not on the list"):
            await ann.select("Seats…", "2")
