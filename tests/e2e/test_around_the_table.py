"""What people ask for around the hands: seats, chips, laws, help, staff's house, settings."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest

from cogs.ui.preferences import Preferences
from tests.e2e.evening import evening
from tests.support.discord_double import Player


async def test_closed_direct_messages_slow_nobody_and_are_told_once(tmp_path: Path) -> None:
    """The deal does not wait; who has closed his is told privately to use Peek, and no more are sent until he turns them on (50007)."""
    async with evening(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await bo.dms_open(value=False)
        await room.seat(ann, bo)
        await room.dealt()
        await bo.until("Use **Peek** on the table message")
        assert "Your cards · Hand #1" in await bo.click("👁")
        await ann.wait_for(lambda: "Hand #1" in ann.dms(), "the hole cards")
        await room.check_down(ann, bo)
        room.discord.forget_requests()
        await room.dealt()
        await room.quiet()
        dms = [
            one for one in room.discord.requests if one.method == "POST" and one.path.split("/")[2] in bo.dm_channels
        ]
        assert not dms
        await bo.dms_open(value=True)
        await bo.slash("leave")
        assert bo.dms() == ""


async def test_direct_messages_are_turned_off_and_on_again(tmp_path: Path) -> None:
    async with evening(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.seat(ann, bo)
        await room.dealt()
        await ann.wait_for(lambda: "Hand #1" in ann.dms(), "the hole cards")
        assert "No more DMs" in await ann.click("Stop sending DMs", within="Hand #1")
        await room.check_down(ann, bo)
        await room.dealt()
        await room.quiet()
        assert "Hand #2" not in ann.dms()
        assert "Your hole cards will come by DM" in await ann.click("Send DMs again")


async def test_sitting_pausing_adding_leaving(tmp_path: Path) -> None:
    async with evening(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await ann.slash("table open", seats=2)
        assert "You are in seat 1 with **5,000** chips" in await ann.slash("sit", chips="5k", seat=1)
        assert "Law E-1" in await ann.slash("sit")
        await bo.click("Take a seat")
        await room.seen("**10,000**")
        assert "waiting list" in await cy.slash("waitinglist")
        assert "You sit out" in await bo.slash("sitout")
        await bo.until("[I'm back]")
        assert "You are back in the game" in await bo.click("I'm back")
        assert "**7,000** in front of you" in await ann.slash("rebuy", chips="2000")
        assert "Law TL-1" in await ann.slash("rebuy", chips="15001")
        await room.dealt()
        assert "You leave after this hand" in await bo.slash("leave")
        await room.check_down(ann, bo)
        await room.seen("Waiting for one more player")
        assert "on tables **0**" in await bo.slash("chips balance")


async def test_leaving_by_a_form_with_a_chosen_number_of_chips(tmp_path: Path) -> None:
    async with evening(tmp_path) as room:
        (ann,) = await room.people("Ann")
        await ann.slash("table open")
        await ann.click("Buy-in…")
        assert "**2,500** chips" in await ann.submit({"Chips to sit down with": "2.5k"})
        assert "seat" in await ann.slash("table info")
        await ann.until("[Leave]")
        assert "You have left the table" in await ann.click("Leave")
        await ann.select("Choose a seat number…", "Seat 7")
        await ann.until("You are in seat 7")


async def test_chips_daily_relief_history_and_leaderboard(tmp_path: Path) -> None:
    async with evening(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        assert "Your chips: 10,000" in await ann.slash("chips balance")
        assert "+1,000" in await ann.slash("chips daily")
        assert "+1,000" not in await ann.slash("chips daily")
        assert "11,000" in await ann.slash("chips relief")
        assert "opening chips" in await ann.slash("chips history")
        await bo.slash("chips balance")
        board = await bo.slash("leaderboard")
        assert "🥇" in board and "@Ann" in board and "You: **2nd** of 2" in board
        await bo.click("Show here", within="Leaderboard")
        await ann.until("🥈")
        room.check()


async def test_laws_help_and_the_last_hand(tmp_path: Path) -> None:
    async with evening(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        assert "No-Limit Hold'em" in await ann.slash("laws")
        assert "Law TL-4" in await ann.slash("laws", law="tl-4")
        assert "Laws: raise" in await ann.slash("laws", law="raise")
        assert any(name.startswith("TL-4 ") for name in await ann.autocomplete("laws", "law", "tl4"))
        assert "/table open" in await ann.slash("help")
        assert "No table is open" in await ann.slash("hand")
        await room.seat(ann, bo)
        assert "nothing has been dealt yet" in await ann.slash("hand")
        await room.dealt()
        await room.check_down(ann, bo)
        told = await ann.slash("hand")
        assert "Pre-flop" in told and "Your cards" in told
        shown = await ann.click("Show here", within="Your cards")
        assert "Your cards" not in shown
        room.check()


async def test_staff_keep_the_house(tmp_path: Path) -> None:
    async with evening(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        you = room.discord.you
        with pytest.raises(AssertionError, match="finds no /house"):
            await ann.slash("house audit")
        assert "House rules" in await you.slash("house settings")
        await you.select("Change a rule…", "daily")
        assert "is now **500**" in await you.submit({"Daily": "500"})
        assert "Granted to @Ann" in await you.slash("house grant", player=ann, chips="5k", reason="a prize")
        assert "Taken from" in await you.slash("house take", player=ann, chips="1k", reason="a mistake")
        assert "The books agree" in await you.slash("house audit")
        await room.seat(ann, bo)
        await room.dealt()
        assert "is cancelled" in await you.slash("house void", reason="a test")
        await room.seen("was cancelled")
        assert "The books agree" in await you.slash("house audit")


async def test_tables_are_listed_set_and_closed(tmp_path: Path) -> None:
    async with evening(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("table open", game="limit_holdem", big_blind="200", seconds=60)
        assert "Limit Hold'em" in await bo.slash("table list")
        assert "one channel, one table" in await bo.slash("table open")
        assert "1 min per action" in await bo.slash("table info")
        assert "settings" in await ann.slash("table settings")
        await ann.select("Change…", "pause_seconds")
        assert "is now **10 s**" in await ann.submit({"Pause between hands": "10"})
        await ann.slash("sit")
        assert "host" in await bo.slash("table close")
        assert "Everybody is paid out" in await ann.slash("table close")
        await room.seen("is closed")
        assert "Your chips: 10,000" in await ann.slash("chips balance")


async def test_a_table_that_closes_after_the_hand_offers_no_seat(tmp_path: Path) -> None:
    async with evening(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.seat(ann, bo)
        await room.dealt()
        assert "Take a seat]" in ann.screen()
        assert "closes after this hand" in await ann.slash("table close")
        await room.act("Call", ann, bo)
        await room.seen("Peek]")
        await ann.until_gone("Take a seat]")


@pytest.mark.law("TL-36")
async def test_a_fold_where_checking_is_free_is_asked_once(tmp_path: Path) -> None:
    async with evening(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.seat(ann, bo)
        await room.dealt()
        await room.act("Call", ann, bo)
        free = room.to_act(ann, bo)
        assert free is not None
        assert "Fold anyway?" in await free.click("Fold")
        await free.click("Fold anyway")
        await room.seen("wins")


async def test_everything_is_also_a_command(tmp_path: Path) -> None:
    async with evening(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.seat(ann, bo)
        await room.dealt()
        first = room.to_act(ann, bo)
        assert first is not None
        other = bo if first is ann else ann
        assert f"It is **{first.name}**'s turn" in await other.slash("bet", to="300")
        assert "You raise to 300" in await first.slash("raise", to="300")
        assert "You call 200" in await other.slash("call")
        assert "You check" in await other.slash("check")
        assert "You bet 300" in await first.slash("bet", to="½")
        assert "You fold" in await other.slash("fold")
        await room.seen("wins")
        assert await first.autocomplete("raise", "to", "po") == ["po", "½ pot", "Pot"]
        assert "Only you can see this" in await first.slash("peek")
        room.check()


async def test_a_player_chooses_the_colours_of_his_own_cards(tmp_path: Path) -> None:
    """In his direct messages and in Peek; the public table and everybody else keep four colours. Kept over a restart."""
    async with evening(tmp_path) as room:
        for task in list(room.dealer._tasks):
            await task  # the emojis are there
        ann, bo = await room.people("Ann", "Bo")
        assert ":ace_of_clubs:" in await ann.slash("cards")
        said = await ann.slash("cards", colours="two")
        assert "two colours, black and red" in said
        assert ":ace_of_clubs_2c:" in said
        assert ":ace_of_spades:" in said
        await room.seat(ann, bo)
        await room.dealt()
        for player, two in ((ann, True), (bo, False)):
            await player.wait_for(partial(_has_cards, player), "the hole cards")
            for shown in (player.dms(), await player.slash("peek")):
                differing = [name for name in names(shown) if "clubs" in name or "diamonds" in name]
                assert all(name.endswith("_2c") is two for name in differing), shown
        assert "by **Peek** alone" in await bo.slash("cards", dms=False)
        again = Preferences(room.dealer.store)
        await again.load()
        users = [int(player.me["id"]) for player in (ann, bo)]
        assert [again.two_colour(user) for user in users] == [True, False]
        assert [again.by_dm(user) for user in users] == [True, False]
        assert "four colours" in await ann.slash("cards", colours="four")


def _has_cards(player: Player) -> bool:
    return "Hand #1" in player.dms()


def names(shown: str) -> list[str]:
    """The names of the card emojis in a text."""
    return re.findall(r":([a-z]+_of_[a-z0-9_]+):", shown)
