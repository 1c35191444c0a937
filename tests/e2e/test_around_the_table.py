"""People use everything around the hands: seats, chips, laws, help, staff's house, settings."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest

from bot.history import phh
from bot.surfaces.card_emojis import CardEmojis
from bot.surfaces.people.profiles import Preferences
from tests.e2e.bot_session import bot_session
from tests.e2e.played_before import have_played
from tests.support.discord_double import Player
from tests.support.menus import choose_for_oneself
from tests.support.pokerstars_reader import read_hand


async def test_closed_direct_messages_delay_nobody_and_are_reported_once(tmp_path: Path) -> None:
    """The deal does not wait. Whoever has closed their DMs is told to use My hand, and gets no more until they turn them on (50007)."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await bo.dms_open(value=False)
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        await bo.until("Use **My hand** on the table message")
        assert "My hand #1" in await bo.click("👁")
        await ann.wait_for(lambda: "Hand #1" in ann.dms(), "the hole cards")
        await room.check_down(ann, bo)
        room.discord.forget_requests()
        await room.next_hand()
        await room.wait_until_idle()
        dms = [
            one for one in room.discord.requests if one.method == "POST" and one.path.split("/")[2] in bo.dm_channels
        ]
        assert not dms
        await bo.dms_open(value=True)
        await bo.slash("leave")
        assert bo.dms() == ""


async def test_direct_messages_are_turned_off_and_on_again(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        await ann.wait_for(lambda: "Hand #1" in ann.dms(), "the hole cards")
        assert "No more DMs" in await ann.click("Stop sending DMs", within="Hand #1")
        await room.check_down(ann, bo)
        await room.next_hand()
        await room.wait_until_idle()
        assert "Hand #2" not in ann.dms()
        assert "Your cards will come by DM" in await ann.click("Send DMs again")


async def test_an_answer_about_a_seat_loses_its_buttons(tmp_path: Path) -> None:
    """It is edited once it is no longer true, and stays: nothing is deleted for that."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await bo.slash("seat", what="sit out")
        assert "[I'm back]" in bo.screen()
        room.discord.forget_requests()
        assert "You're back in" in await bo.slash("seat", what="back")
        await bo.until("That was for an earlier action.")
        await room.wait_until_idle()
        assert "You're back in" in bo.screen() and "[I'm back]" not in bo.screen()
        assert not [one for one in room.discord.requests if one.method == "DELETE"]


async def test_menu_loses_its_buttons_though_one_opened_a_form(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        assert "[Add chips…] [Sit out] [Leave]" in await bo.click("Join table")
        await bo.click("Add chips…")
        await room.discord.you.fill_in("house", page="remove", player=bo, why="")
        await bo.until("That was for an earlier action.")
        assert "[Add chips…]" not in bo.screen()


async def test_sitting_pausing_adding_leaving(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await ann.slash("play", sit=False, seats=2)
        assert "You're in seat 1 with **5,000** chips" in await ann.slash("sit", chips="5k", seat=1)
        assert "You're already sitting here (seat 1)." in await ann.slash("sit")
        await bo.click("Take a seat")
        await room.wait_for_text("**10,000**")
        assert "waiting list" in await cy.slash("seat", what="waiting list")
        assert "You're sitting out" in await bo.slash("seat", what="sit out")
        await bo.until("[I'm back]")
        assert "You're back in" in await bo.click("I'm back")
        assert "Your stack is **7,000**" in await ann.slash("rebuy", chips="2000")
        assert "The maximum on the table is 20,000." in await ann.slash("rebuy", chips="15001")
        await room.next_hand()
        assert "You'll leave after this hand" in await bo.slash("leave")
        await room.check_down(ann, bo)
        await room.wait_for_text("Waiting for one more player")
        assert "on tables **0**" in await bo.slash("me", page="chips")


async def test_leaving_by_a_form_with_a_chosen_number_of_chips(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        await ann.slash("play", sit=False)
        await ann.click("Buy-in…")
        assert "**2,500** chips" in await ann.submit({"Chips to sit down with": "2.5k"})
        assert "seat" in await ann.slash("table", page="info")
        await ann.until("[Leave]")
        assert "You've left the table" in await ann.click("Leave")
        await ann.select("Choose a seat number…", "Seat 7")
        await ann.until("You're in seat 7")


async def test_chips_daily_relief_history_and_leaderboard(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        assert "Your chips: 10,000" in await ann.slash("me", page="chips")
        assert "[Daily 1,000]" in await ann.slash("me")
        assert "+1,000" in await ann.slash("me", page="daily")
        assert "+1,000" not in await ann.slash("me", page="daily")
        assert "[Daily " not in await ann.slash("me")
        assert "11,000" in await ann.slash("me", page="free")
        assert "starting chips" in await ann.slash("me", page="history")
        await bo.slash("me", page="chips")
        assert "You have played no hands here." in await bo.slash("stats", page="leaderboard", by="chips")
        await have_played(room, {ann: 300, bo: -300})
        board = await bo.slash("stats", page="leaderboard", by="chips")
        assert "🥇" in board and "@Ann" in board and "You: **2nd** of 2" in board
        await bo.click("Show here", within="Leaderboard")
        await ann.until("🥈")
        (cy,) = await room.people("Cy")
        await cy.slash("me", page="chips")
        for chips in ("10,000", "2,000"):
            await room.discord.you.fill_in("house", page="take", player=cy, chips=chips, reason="a test")
            told = await cy.slash("me", page="free")
        (again,) = re.findall(r"<t:(\d+)", await cy.slash("me", page="chips"))
        assert 86_300 < int(again) - room.clock.now() / 1000 <= 86_401, told
        room.check_leaks()


async def test_laws_help_and_the_last_hand(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        assert "No-Limit Hold'em" in await ann.slash("laws")
        assert "Law TL-4" in await ann.slash("laws", law="tl-4")
        assert "There's no table 9." in await ann.slash("hand", table=9, game="holdem")
        assert "Laws: raise" in await ann.slash("laws", law="raise")
        assert any(name.startswith("TL-4 ") for name in await ann.autocomplete("laws", "law", "tl4"))
        assert "/play" in await ann.slash("help")
        assert "There's no table in this channel." in await ann.slash("hand")
        await room.open_and_sit(ann, bo)
        assert "No hand has been dealt" in await ann.slash("hand")
        await room.next_hand()
        await room.check_down(ann, bo)
        told = await ann.slash("hand")
        assert "Pre-flop" in told and "Your cards" in told
        shown = await ann.click("Show here", within="Your cards")
        assert "Your cards" not in shown
        room.check_leaks()


async def test_hand_as_a_file_shows_only_own_cards(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        await room.act("Fold", ann, bo)
        records = []
        for person in (ann, bo, cy):
            assert "Hand #1" in await person.slash("hand", file="phh")
            record = phh.parse(await person.attached_text())
            dealt = [line for line in record.actions if isinstance(line, phh.RecordedHoleCards)]
            known = [line.player for line in dealt if None not in line.cards]
            assert len(dealt) == 2 and len(known) == (0 if person is cy else 1)
            records.append(known)
        assert records[0] != records[1]
        assert "Hand #1" in await ann.slash("hand", number=1, file="text")
        text = await ann.attached_text()
        assert text.startswith("Hand #1: No-Limit Hold'em") and "Dealt to Bo 2 cards" in text
        assert "Hand #1" in await ann.slash("hand", number=1, file="pokerstars")
        read = read_hand(await ann.attached_text())
        assert (read.game, set(read.seats), set(read.dealt)) == ("Hold'em", {"Ann", "Bo"}, {"Ann"})
        room.check_leaks()


async def test_staff_manage_the_house(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        you = room.discord.you
        with pytest.raises(AssertionError, match="finds no /house"):
            await ann.slash("house", page="books")
        assert "House rules" in await you.slash("house", page="rules")
        await you.select("Change a rule…", "daily")
        assert "Changed: Daily chips **500**" in await you.submit({"Daily chips": "500"})
        assert "@Ann: **+5,000** chips" in await you.fill_in(
            "house", page="grant", player=ann, chips="5k", reason="a prize"
        )
        assert "**−1,000** chips" in await you.fill_in("house", page="take", player=ann, chips="1k", reason="a mistake")
        assert "The books agree" in await you.slash("house", page="books")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        assert "is cancelled" in await you.fill_in("house", page="cancel", reason="a test")
        await room.wait_for_text("was cancelled")
        assert "The books agree" in await you.slash("house", page="books")


async def test_tables_are_listed_set_and_closed(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("play", sit=False, game="limit_holdem", big_blind="200", seconds=60)
        assert "Limit Hold'em" in await bo.slash("lobby")
        assert "is open in this channel. Close it, or" in await bo.slash("play", sit=False)
        assert "1 min per action" in await bo.slash("table", page="info")
        assert "settings" in await ann.slash("table", page="settings")
        await ann.select("Change…", "pause_seconds")
        assert "Changed: Pause between hands **10 s**" in await ann.submit({"Pause between hands": "10"})
        await ann.slash("sit")
        assert "host" in await bo.slash("table", page="close")
        assert "Everyone is paid out" in await ann.close_table()
        await room.wait_for_text("is closed")
        assert "Your chips: 10,000" in await ann.slash("me", page="chips")


async def test_a_table_that_closes_after_the_hand_offers_no_seat(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        await ann.until("[Join table]")
        assert "Last hand. Then table 1 closes" in await ann.close_table()
        await room.act("Call", ann, bo)
        await ann.until_gone("[Join table]")
        await ann.until_gone("Take a seat]")


@pytest.mark.law("TL-36")
async def test_a_fold_where_checking_is_free_is_asked_once(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        await room.act("Call", ann, bo)
        free = room.to_act(ann, bo)
        assert free is not None
        assert "Fold anyway?" in await free.click("Fold")
        await free.click("Fold anyway")
        await room.wait_for_text("wins")


async def test_everything_is_also_a_command(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        first = room.to_act(ann, bo)
        assert first is not None
        other = bo if first is ann else ann
        assert f"It's **{first.name}**'s turn" in await other.slash("bet", to="300")
        assert "You raise to 300" in await first.slash("raise", to="300")
        assert "You call 200" in await other.slash("call")
        assert "You check" in await other.slash("check")
        assert "You bet 400" in await first.slash("bet", to="⅔")
        assert "You fold" in await other.slash("fold")
        await room.wait_for_text("wins")
        assert await first.autocomplete("raise", "to", "po") == ["po", "⅓ pot", "½ pot", "⅔ pot", "¾ pot", "Pot"]
        assert "Only you can see this" in await first.slash("myhand")
        room.check_leaks()


async def test_players_choose_the_colours_of_their_own_cards(tmp_path: Path) -> None:
    """In the player's direct messages and in My hand; the public table and everybody else keep four colours. Kept over a restart."""
    async with bot_session(tmp_path, first_evening=True) as room:
        await room.dealer.parts.get(CardEmojis).wait_until_idle()  # the emojis are there
        ann, bo = await room.people("Ann", "Bo")
        assert ":ace_of_clubs:" in await choose_for_oneself(ann)
        said = await choose_for_oneself(ann, colours="two")
        assert "Two colours, black and red" in said
        assert ":ace_of_clubs_2c:" in said
        assert ":ace_of_spades:" in said
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        for player, two in ((ann, True), (bo, False)):
            await player.wait_for(partial(_has_cards, player), "the hole cards")
            for shown in (player.dms(), await player.slash("myhand")):
                differing = [name for name in names(shown) if "clubs" in name or "diamonds" in name]
                assert all(name.endswith("_2c") is two for name in differing), shown
        assert "Cards by DM · **off**" in await choose_for_oneself(bo, dms=False)
        again = Preferences(room.dealer.store)
        await again.load()
        users = [int(player.me["id"]) for player in (ann, bo)]
        assert [again.wants_two_colours(user) for user in users] == [True, False]
        assert [again.wants_dms(user) for user in users] == [True, False]
        assert "Four colours" in await choose_for_oneself(ann, colours="four")


def _has_cards(player: Player) -> bool:
    return "Hand #1" in player.dms()


def names(shown: str) -> list[str]:
    """Return the names of the card emojis in a text."""
    return re.findall(r":([a-z]+_of_[a-z0-9_]+):", shown)
