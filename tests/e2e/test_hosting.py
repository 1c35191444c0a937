"""A host's hands: seats given to people by name, the menu at a full table in mid-hand, the book and its corrections."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.bot_session import bot_session
from tests.support.menus import set_rules


async def test_host_gives_a_numbered_seat_to_somebody_who_is_told(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo, cy, dee = await room.people("Ann", "Bo", "Cy", "Dee")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        await ann.click("Join table")
        assert "Who gets the seat?" in await ann.click("Give a seat…")
        await ann.select("Choose a seat…", "Seat 4")
        said = await ann.select("Choose a person…", cy)
        assert "Seat 4 is held for @Cy. The offer ends" in said
        await cy.wait_for(lambda: "holds seat 4 for you at Table 1" in cy.dms() + cy.screen(), "the call")
        assert "Seat 4 is held for @Cy" in await dee.slash("sit", seat=4)
        await cy.click("Take a seat")
        await room.wait_until(lambda: len(room.now.table.seats) == 3)
        assert {seat.number: seat.name for seat in room.now.table.seats}[4] == "Cy"
        room.check_leaks()


async def test_whoever_does_not_come_in_two_minutes_has_no_seat(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await room.open_and_sit(ann)
        await ann.click("Take a seat")
        await ann.click("Give a seat…")
        bot = room.discord.stand_in.world.bot.id
        assert "is a bot. Choose a person." in await ann.select("Choose a person…", bot)
        assert "A seat is held for @Cy" in await ann.select("Choose a person…", cy)
        await cy.wait_for(lambda: "holds a seat for you at Table 1" in cy.dms() + cy.screen(), "the call")
        room.clock.skip(121)
        await cy.wait_for(lambda: "holds a seat for you" not in cy.dms(), "the call to go")
        assert "You're in seat" in await bo.slash("sit")


async def test_friend_who_gets_a_seat_finds_the_private_room(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, cy = await room.people("Ann", "Cy")
        await ann.slash("play", where="private")
        await ann.submit()
        (thread,) = [channel["id"] for channel in ann.channels.values() if channel["type"] == 12]
        ann.here = thread
        await ann.until("[Join table]")
        await ann.click("Join table")
        await ann.click("Give a seat…")
        await ann.select("Choose a person…", cy)
        await cy.wait_for(lambda: thread in cy.channels, "the private room")
        await cy.wait_for(lambda: "holds a seat for you" in cy.dms() + cy.screen(), "the call")
        await cy.click("Take a seat")
        await room.wait_until(lambda: any(seat.name == "Cy" for seat in room.now.table.seats))


async def test_full_table_has_the_menu_in_mid_hand(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("play", sit=False, seats=2)
        await ann.slash("sit")
        await bo.slash("sit")
        await room.next_hand()
        await ann.until_gone("[Join table]")
        said = await ann.click("Menu…")
        assert "[Remove a player…]" in said and "[Game and stakes…]" in said and "[Close table…]" in said
        assert "[Give a seat…]" not in said, "there is none to give"
        assert "[Leave]" in said
        assert "[Close table…]" not in await bo.click("Menu…")
        await room.act("Fold", ann, bo)
        await room.wait_for_text("wins")
        assert "[Close table…]" in await room.press_at_table(ann, "Menu…"), "also between hands"
        room.check_leaks()


async def test_typed_close_asks_what_the_button_asks(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        assert "Only the host" in await bo.slash("table", page="close")
        typed = await ann.slash("table", page="close")
        assert "Close table 1? A hand that runs is played to its end" in typed
        assert room.dealer.tables.all_tables(), "nothing is closed yet"
        assert "Everyone is paid out" in await ann.click("Close table 1")
        assert "Close table 1?" not in ann.screen(), "the answer stands where the question stood"


@pytest.mark.law("TC-1")
async def test_book_is_one_press_at_any_time(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("play", sit=False, chips="table")
        for player in (ann, bo):
            await player.slash("sit")
        assert "The book of Table 1" in await ann.click("The book")
        await room.next_hand()
        assert "The book of Table 1" in await room.press_at_table(bo, "The book")
        for player in (ann, bo):
            await room.open_panel(player)
        assert "The book of Table 1" in await room.press_at_table(bo, "The book")
        await room.act("Fold", ann, bo)
        await room.wait_for_text("wins")
        assert "The book of Table 1" in await room.press_at_table(ann, "The book")


@pytest.mark.law("TC-6")
async def test_staff_correct_the_book_of_a_home_game(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        you = room.discord.you
        staff = room.discord.controls.add_channel("staff")["id"]
        await set_rules(you, "house", staff_channel=staff)
        await ann.slash("play", sit=False, chips="table")
        for number, player in enumerate((ann, bo), 1):
            await player.slash("sit", seat=number)
        said = await you.fill_in("house", page="correct", corrections="Ann -500 Bo +500", reason="paid twice")
        assert "Done: Ann −500, Bo +500." in said
        assert "**+500**" in await bo.click("The book")
        await room.wait_for_text("Staff corrected the book: Ann −500, Bo +500 · paid twice")
        await room.next_hand()
        said = await you.fill_in("house", page="correct", corrections="2 +1k", reason="a rebuy was forgotten")
        assert "Done after this hand: Bo +1,000." in said
        await room.act("Fold", ann, bo)
        await room.wait_for_text("Staff corrected the book: Bo +1,000")
        book = {one.name: (one.bought, one.net) for one in room.now.table.standings}
        assert book["Bo"][0] == 11_000 and sum(net for _, net in book.values()) == 0
        assert await room.dealer.store.ledger_sum() == 0
        room.clock.skip(5)
        await you.wait_for(
            lambda: "corrected the book of table 1" in "".join(you.render(one) for one in you.visible(staff)), "the log"
        )
        refused = await you.fill_in("house", page="correct", corrections="Ann +5 Bo +5", reason="x")
        assert "have to add up to zero" in refused
