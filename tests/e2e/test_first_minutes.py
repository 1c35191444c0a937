"""The dealer comes to a server: from the invitation to the first card."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from bot.house.rules import HouseRules
from bot.players.practice import PracticePlayers
from tests.e2e.bot_session import BotSession, bot_session, logged_in_bot
from tests.e2e.movable_clock import MovableClock
from tests.support.discord_double import Player, discord_double


async def invite(room: BotSession, *channels: str, name: str = "Friends", **how: Any) -> tuple[Player, str]:
    """The owner of a new server adds the dealer to it. Returns them, before the first channel, and the server."""
    you = room.discord.you
    added = room.discord.controls.add_guild(name, you.me["id"], list(channels), **how)
    await you.open_page()
    return you.go(channels[0]), added["id"]


async def test_first_card_takes_four_clicks_from_the_invitation(tmp_path: Path) -> None:
    async with bot_session(tmp_path, first_evening=True) as room:
        clicks = 1  # the dealer is added to the server
        you, server = await invite(room, "general", "poker")
        assert "The dealer is here" in await you.until("Everybody starts with **10,000** chips")
        assert "still needs" not in you.screen()
        assert "Alone? Type `/play`" in you.screen()

        clicks += 1
        await you.click("Open a table here")
        await you.until("You're in seat")

        bo = (await room.discord.person("Bo", guild=server)).go("general")
        clicks += 1
        await bo.click("Take a seat")
        await bo.until("You're in seat")
        await room.deal()
        await bo.until("▶ `")
        clicks += 1
        assert "My hand #" in await room.press_at_table(bo, "👁️ My hand")
        assert clicks <= 4


async def test_second_press_takes_a_seat_at_the_same_table(tmp_path: Path) -> None:
    async with bot_session(tmp_path, first_evening=True) as room:
        you, server = await invite(room, "general")
        await you.until("The dealer is here")
        bo = (await room.discord.person("Bo", guild=server)).go("general")
        await you.click("Open a table here")
        await bo.click("Open a table here")
        await bo.until("You're in seat")
        assert "Add chips…" in await bo.click("Open a table here")
        await room.deal()
        assert len(room.now.table.seats) == 2


async def test_greeting_names_missing_permissions_and_the_remedy(tmp_path: Path) -> None:
    async with bot_session(tmp_path, first_evening=True) as room:
        you, _ = await invite(room, "general", deny=["attach_files", "read_message_history"])
        screen = await you.until("The dealer is here")
        assert "still needs **Read Message History** and **Attach Files** in this channel" in screen
        assert "Server Settings → Roles → **Dealer**" in screen and "tables in threads" not in screen

        lacking = ["create_private_threads", "send_messages_in_threads"]
        you, _ = await invite(room, "lounge", deny=lacking, name="Without threads")
        screen = await you.go("lounge").until("The dealer is here")
        assert (
            "Only for tables in threads it also needs **Create Private Threads** and **Send Messages in Threads**"
            in screen
        )
        assert "still needs" not in screen and "game nights" not in screen

        you, _ = await invite(room, "tavern", without=["create_events"], name="Without events")
        screen = await you.go("tavern").until("The dealer is here")
        assert "Only for game nights in this server's list of events it also needs **Create Events**" in screen
        assert "still needs" not in screen and "tables in threads" not in screen


async def test_owner_is_told_by_dm_where_nothing_can_be_written(tmp_path: Path) -> None:
    async with bot_session(tmp_path, first_evening=True) as room:
        you, _ = await invite(room, "general", deny=["send_messages"], name="Silent house")
        await you.until("can't write in any channel")
        assert "Then type `/play`" in you.dms()
        assert "The dealer has joined **Silent house**" in you.dms()
        assert "Server Settings → Roles" in you.dms()
        assert "The dealer is here" not in you.screen()
        room.discord.controls.set_overwrite(you.here)
        await you.until("The dealer is here")


@pytest.mark.parametrize("late", [{"drop": True, "after": True}, {"delay": 3.0}], ids=["reply lost", "not there yet"])
async def test_channel_that_opens_while_the_owner_is_told_is_greeted(tmp_path: Path, late: dict[str, Any]) -> None:
    async with bot_session(tmp_path, first_evening=True) as room:
        room.discord.fails("POST", r"/channels/\d+/messages$", **late)
        you, server = await invite(room, "general", deny=["send_messages"])
        await asyncio.sleep(0.5)  # the message to the owner is on its way
        room.discord.controls.set_overwrite(you.here)
        await you.until("The dealer is here")
        await asyncio.sleep(5)
        assert you.screen().count("The dealer is here") == 1
        assert "can't write in any channel" in you.dms()
        assert (await room.dealer.store.values("greeted."))[f"greeted.{server}"] == b"1", "it is not greeted again"


async def test_channel_that_opens_after_a_kill_is_greeted(tmp_path: Path) -> None:
    """The dealer was killed before it noted that the owner had been told."""
    async with discord_double(tmp_path / "discord") as discord:
        clock, you = MovableClock(), discord.you
        async with logged_in_bot(discord, tmp_path / "data", clock) as dealer:
            server = discord.controls.add_guild("Friends", you.me["id"], ["general"], deny=["send_messages"])["id"]
            await you.open_page()
            await you.go("general").until("can't write in any channel")
            await asyncio.sleep(5)
            sent = [one for held in discord.stand_in.world.messages.values() for one in held.values()]
            (nonce,) = [one["nonce"] for one in sent if "can't write in any channel" in str(one)]
            await dealer.store.keep(f"greeted.{server}", f"owner.{nonce}".encode())
        discord.controls.set_overwrite(you.here)
        async with logged_in_bot(discord, tmp_path / "data", clock, greets=True):
            await you.until("The dealer is here")


async def test_owner_with_closed_dms_sees_the_greeting_once_possible(tmp_path: Path) -> None:
    async with bot_session(tmp_path, first_evening=True) as room:
        await room.discord.you.dms_open(value=False)
        you, _ = await invite(room, "general", deny=["send_messages"])
        await asyncio.sleep(5)  # nobody can be told, and that is noted
        room.discord.controls.set_overwrite(you.here)
        await you.until("The dealer is here")
        assert not you.dms()


async def test_greeting_goes_where_everybody_can_write(tmp_path: Path) -> None:
    """First where Discord welcomes people; never where the dealer alone can write, unless it can write nowhere else."""
    async with bot_session(tmp_path, first_evening=True) as room:
        servers: dict[str, dict[str, Any]] = {
            "hall": {"channels": ["general", "hall"], "system_channel": "hall"},
            "tables": {"channels": ["doors", "tables"], "deny": ["send_messages:doors"], "system_channel": "doors"},
            "cards": {"channels": ["rules", "cards"], "bot_only": ["rules"], "system_channel": "rules"},
            "news": {"channels": ["hidden", "news"], "deny": ["view_channel:hidden"], "bot_only": ["news"]},
        }
        for greeted, how in servers.items():
            you, _ = await invite(room, *how.pop("channels"), **how)
            await you.go(greeted).until("The dealer is here")
        assert (
            sum("The dealer is here" in you.render(one) for held in you.messages.values() for one in held.values()) == 4
        )


async def test_server_that_added_a_stopped_dealer_is_greeted_once(tmp_path: Path) -> None:
    async with bot_session(tmp_path, first_evening=True, greets=True) as room:
        you = room.discord.you
        you.go(next(iter(you.channels.values()))["name"])
        await you.until("The dealer is here")
        room.discord.controls.drop_gateway()
        await room.discord.bot_gone()
        await room.discord.bot_ready(15)
        assert you.screen().count("The dealer is here") == 1


async def test_button_says_when_the_dealer_lost_its_permission(tmp_path: Path) -> None:
    async with bot_session(tmp_path, first_evening=True) as room:
        you, _ = await invite(room, "general")
        await you.until("The dealer is here")
        room.discord.controls.set_overwrite(you.here, deny=["send_messages"])
        assert "Edit Channel → Permissions" in await you.click("Open a table here")
        assert not room.dealer.tables.all_tables()


async def test_newcomer_is_told_when_and_practises_at_once(tmp_path: Path) -> None:
    async with bot_session(
        tmp_path, first_evening=True, default_rules=HouseRules(), policies=PracticePlayers()
    ) as room:
        (newt,) = await room.people("Newt")
        assert "You're new here: you get chips in 7 days" in re.sub(
            r"<t:\d+:R>", "in 7 days", await newt.slash("me", page="daily")
        )
        assert "Starting chips **10,000** in 7 days" in re.sub(
            r"<t:\d+:R>", "in 7 days", await newt.slash("me", page="chips")
        )
        await room.discord.you.slash("play", sit=False)
        assert "You're new here" in await newt.click("Take a seat")
        await room.discord.you.close_table()
        await newt.slash("play")
        assert "You're new here" in await newt.submit()
        await newt.click("Practice now")
        assert "You're in seat" in await newt.until("You're in seat")
        (table,) = room.dealer.tables.all_tables()
        assert table.settings.practice
        room.clock.skip(7 * 86_400)
        assert "Daily chips: +1,000" in await newt.slash("me", page="daily")
        assert "Your chips: 11,000" in await newt.slash("me", page="chips")
