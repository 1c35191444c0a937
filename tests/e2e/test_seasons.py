"""Seasons and leaderboards through the real bot: told as an evening, with a restart in the middle of a closing."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.line.api import DiscordApi
from bot.store.store import Store
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.test_answer_pictures import Drawer, last, patient, picture_of, words_of_picture
from tests.e2e.test_choices_survive_restart import restarting_bot
from tests.support.discord_double import Player
from tests.support.menus import set_rules

__all__ = ["patient"]  # a fixture
STAFF_ONLY = "Only staff can do that."


async def lose(room: BotSession, loser: Player, *players: Player) -> None:
    """Play a hand that somebody folds at their first turn; the others call."""
    await room.next_hand()
    while room.now.hand_running:
        player = room.to_act(*players)
        assert player is not None
        await room.until_own_buttons(player)
        labels = [label for label, _ in room.table_buttons(player)]
        if player is loser:
            await room.act("Fold", *players)
            if room.now.hand_running and "Fold anyway" in loser.screen():
                await loser.click("Fold anyway")
        else:
            await room.act(next(label for label in labels if label == "Check" or label.startswith("Call")), *players)


async def until(so: Callable[[], bool]) -> None:
    """Wait until something is true that no message tells."""
    async with asyncio.timeout(10):
        while not so():
            await asyncio.sleep(0.01)


def public(player: Player) -> str:
    return "\n\n".join(player.render(message) for message in player.visible() if not message["flags"] & 64)


async def test_a_season_from_its_opening_to_the_hall_of_fame(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        you, controls = room.discord.you, room.discord.controls
        ann, bo = await room.people("Ann", "Bo")
        prize, power = controls.add_role("Champion"), controls.add_role("Bosses", ["manage_guild"])
        for page in ("open", "close", "settings"):
            assert STAFF_ONLY in await ann.slash("season", page=page)
        assert "That role is no prize" in await set_rules(you, "season", season_role=power["id"])
        set_up = await set_rules(you, "season", season_role=prize["id"], ranking_hands=1)
        assert "at least **1** hand" in set_up and "Role of the winner: " in set_up
        status = await ann.slash("season")
        assert "No season is running" in status and "[Hall of fame]" not in status
        assert "Season 1 · Winter Cup begins" in await you.fill_in(
            "season", page="open", name="Winter Cup", order="net"
        )
        await ann.until("Season 1 · Winter Cup begins")
        assert "Season 1 · Winter Cup is still open" not in await you.fill_in(
            "season", page="open", name="Summer", order="net"
        )
        assert "Nobody has played enough hands yet." in await ann.slash("season")

        await room.open_and_sit(ann, bo)
        await lose(room, ann, ann, bo)
        status = await ann.slash("season")
        assert "🥇" in status and "You: **2nd** of 2" in status and "[Close the season…]" not in status
        board = await ann.click("Everyone's place")
        assert (
            "### Leaderboard · Season 1 · Winter Cup" in board
            and "Net chips won · at least 1 hand (BO-2) · 2 players" in board
        )
        board = await ann.select("Order by…", "Net chips per 100 hands")
        assert "per 100 · 1 hand" in board
        board = await ann.select("Period…", "This week")
        assert "### Leaderboard · this week" in board
        board = await ann.select("Game…", "No-Limit Hold'em")
        assert "No-Limit Hold'em" in board
        await ann.click("Show here", within="### Leaderboard")
        await bo.until("### Leaderboard · this week")

        question = await you.slash("season", page="close")
        assert "### Close Season 1 · Winter Cup?" in question and "Now in the lead: 🥇" in question
        assert "The season goes on" in await you.click("Not now") or "Season 1" in you.screen()
        await you.slash("season", page="close")
        assert "Season 1 · Winter Cup is over" in await you.click("Close the season")
        await ann.until("@Bo won it.")
        assert prize["id"] not in controls.roles_of(bo.me["id"])
        status = await you.slash("season")
        assert "I can't give" in status and "Let me manage roles" in status and "[Hall of fame]" in status
        controls.raise_bot(["manage_roles"])
        await until(lambda: prize["id"] in controls.roles_of(bo.me["id"]))
        assert "I can't give" not in await you.slash("season")

        results = await ann.slash("season", page="results")
        assert "### Results of Season 1 · Winter Cup" in results and "You: **2nd** of 2" in results
        hall = await bo.slash("season", page="hall")
        assert "**Season 1 · Winter Cup**" in hall and "🥇" in hall

        await you.fill_in("season", page="open", name="Spring", order="net")
        await lose(room, bo, ann, bo)
        await lose(room, bo, ann, bo)
        await you.slash("season", page="close")
        await you.click("Close the season")
        await until(lambda: prize["id"] in controls.roles_of(ann.me["id"]))
        await until(lambda: prize["id"] not in controls.roles_of(bo.me["id"]))

        await ann.until("[Leave]")  # the table tells how the hand ended
        await ann.click("Leave")
        await ann.slash("me", page="delete")
        await ann.click("Delete it all")
        await bo.slash("season", page="hall")
        assert "🥇\u00a0a former player" in bo.screen()
        assert prize["id"] not in controls.roles_of(ann.me["id"])
        room.check_leaks()
    with closing(sqlite3.connect(tmp_path / "data" / "cardroom.db")) as db:
        assert not db.execute("SELECT 1 FROM season_result WHERE user = ?", (int(ann.me["id"]),)).fetchall()


async def test_a_dealer_killed_while_closing_closes_after_the_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with restarting_bot(tmp_path) as told:
        async with told.life(waits=False) as room:
            you = room.discord.you
            ann, bo = await room.people("Ann", "Bo")
            await set_rules(you, "season", ranking_hands=1, season_start=5_000)
            await you.fill_in("season", page="open", name="Winter", order="net")
            await room.open_and_sit(ann, bo)
            await lose(room, ann, ann, bo)
            question = await you.slash("season", page="close")
            assert "1 open table" in question and "change to **5,000** each" in question
            with monkeypatch.context() as patched:
                reached = []

                async def killed(*_: object) -> None:
                    reached.append(1)
                    raise SystemError("killed")

                patched.setattr(Store, "close_season", killed)
                await you.click("Close the season")
                assert reached
        async with told.life(is_killed=False) as room:
            await room.dealer.services.seasons.wait_until_idle()
            await ann.until("Season 1 · Winter is over")
            assert "@Bo" in public(ann)
            assert "Your chips: 5,000" in await ann.slash("me", page="chips")
            assert "end of the season" in await bo.slash("me", page="history")
            assert not room.dealer.tables.all_tables()
            assert "The books agree" in await room.discord.you.slash("house", page="books")


@pytest.mark.parametrize("minutes_away", [0, 10])
async def test_a_dealer_killed_while_telling_tells_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, minutes_away: int
) -> None:
    """The message arrives, and the dealer is killed before it has remembered that. After ten minutes Discord has forgotten the nonce."""
    async with restarting_bot(tmp_path) as told:
        async with told.life(waits=False) as room:
            (ann,) = await room.people("Ann")
            with monkeypatch.context() as patched:
                send, arrived = DiscordApi.send, asyncio.Event()

                async def killed(*how: Any, **more: Any) -> int:
                    await send(*how, **more)
                    arrived.set()
                    return await asyncio.Event().wait()  # type: ignore[return-value]

                patched.setattr(DiscordApi, "send", killed)
                await room.discord.you.fill_in("season", page="open", name="Winter", order="net")
                await asyncio.wait_for(arrived.wait(), 10)
        told.discord.controls.advance(60 * minutes_away)
        async with told.life() as room:
            await room.discord.you.slash("season", page="close")
            await room.discord.you.click("Close the season")
            await ann.until("Season 1 · Winter is over")
        assert public(ann).count("Season 1 · Winter begins") == 1
        assert public(ann).count("Season 1 · Winter is over") == 1


async def test_people_are_told_a_day_before_their_chips_change(tmp_path: Path) -> None:
    """The calendar closes the season at midnight; a day before, everybody reads what becomes of their chips. All of it once."""
    async with bot_session(tmp_path) as room:
        you = room.discord.you
        (ann,) = await room.people("Ann")
        assert "every quarter" in await set_rules(you, "season", season_carried=50, season_months="3")
        await ann.until("At its end everyone keeps **50 %** of their chips.")
        (server,) = room.discord.stand_in.world.guilds
        (season,) = await room.dealer.services.seasons.seasons(int(server))
        room.clock.skip((season.ends_at - 24 * 3_600_000 - room.clock.now()) / 1000 - 60)
        await asyncio.sleep(0)
        assert ":R>" not in public(ann)
        room.clock.skip(61)
        await ann.until(":R>")
        room.clock.skip(24 * 3600)
        await ann.until("is over")
        await ann.until("Season 2 · ")
        texts = public(ann)
        assert texts.count(":R>") == 1 and texts.count("Season 1 · ") == 3 and texts.count("Season 2 · ") == 1
        assert "Nobody played enough hands to be ranked." in texts


async def test_buttons_that_somebody_made_up_change_nothing(tmp_path: Path) -> None:
    """Each gets a short answer, and nothing of ours fails."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.discord.you.fill_in("season", page="open", name="*Cup* @everyone `x`" + "\u202e", order="net")
        await ann.slash("season")
        message = next(message for message in ann.visible() if message["flags"] & 64)
        assert STAFF_ONLY in await room.late_click(ann, message, "p:season:closenow:1")
        assert STAFF_ONLY in await room.late_click(ann, message, "p:season:close:1")
        for custom_id in (
            "p:season:results:999999999999999999:999999999999999999",
            "p:season:results:0:0",
            "p:season:hall:999999999999999999",
            "p:season:showresults:1:7",
            "p:season:nothing",
            "p:board:page:999999999999999999:n.e.all",
            "p:board:pagenext:1:n.s.deadbeef",
            "p:board:page:1:z.z.z",
            "p:board:page:1:prev",
            "p:board:game:r.w.all",
            "p:board:period",
        ):
            await room.late_click(ann, message, custom_id)
        assert room.dealer.services.measures.failed == 0
        (server,) = room.discord.stand_in.world.guilds
        (season,) = await room.dealer.services.seasons.seasons(int(server))
        assert not season.closed_at
        await bo.until("Season 1 · ")
        assert "@everyone" not in public(bo).replace("@\u200beveryone", "")


async def test_the_end_of_a_season_is_told_with_a_podium(tmp_path: Path) -> None:
    async with bot_session(tmp_path, pictures=Drawer()) as room:
        you = room.discord.you
        ann, bo = await room.people("Ann", "Bo")
        await set_rules(you, "season", ranking_hands=1)
        await you.fill_in("season", page="open", name="Cup", order="net")
        await room.open_and_sit(ann, bo)
        await lose(room, ann, ann, bo)
        await you.slash("season", page="close")
        await you.click("Close the season")
        await ann.until("@Bo won it.")
        told = last(ann, "is over", private=False)
        assert picture_of(told, "podium.webp") and "1: Bo with +50 chips" in words_of_picture(told)
        await bo.slash("season", page="results")
        assert picture_of(last(bo, "### Results of"), "podium.webp")
        await bo.slash("stats", page="leaderboard", by="net")
        assert picture_of(last(bo, "### Leaderboard"), "podium.webp")
