"""Nights of a server that removes the bot and invites it again: nothing is told, made or lost twice."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bot.signals import GuildJoined, GuildLeft, Signals
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.test_nights import choose, events, plan, play_a_hand, until_night
from tests.e2e.test_nights_bad_days import guild_of, nets, soon
from tests.support.discord_double import Player


async def leave(room: BotSession) -> None:
    """The server removes the bot."""
    room.dealer.parts.get(Signals).send(GuildLeft(int(guild_of(room))))
    await room.wait_until_idle()


async def come_back(room: BotSession) -> None:
    """It invites the bot again."""
    room.dealer.parts.get(Signals).send(GuildJoined(int(guild_of(room))))
    await soon(lambda: bool(room.dealer.services.nights.all()))
    await asyncio.sleep(0.03)
    await room.wait_until_idle()


def posts(player: Player) -> int:
    return player.screen().count("[I'm in]")


async def test_post_and_event_of_before_are_found_again(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await plan(room, ann, name="Friday game")
        await room.wait_until_idle()
        (event,) = events(room)
        await leave(room)
        assert room.dealer.services.nights.all() == ()
        await come_back(room)
        await bo.click("I'm in")
        await bo.until("Seats 2 of")
        await room.wait_until_idle()
        assert posts(ann) == 1
        assert [one["id"] for one in events(room)] == [event["id"]]
        await choose(ann, "Cancel the nights")
        await ann.click("Cancel all nights of it")
        await ann.until("There are no more of these nights. `/night` plans new ones.")
        await room.wait_until_idle()
        assert (posts(ann), events(room)) == (0, [])


async def test_event_that_is_gone_meanwhile_is_made_anew(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        await plan(room, ann, name="Friday game")
        await room.wait_until_idle()
        await leave(room)
        room.discord.controls.delete_event(events(room)[0]["id"])
        await room.wait_until_idle()
        assert events(room) == []
        await come_back(room)
        await soon(lambda: len(events(room)) == 1)
        assert "is gone from the list" not in ann.screen()


async def test_night_in_the_middle_counts_and_the_next_comes(tmp_path: Path) -> None:
    """The bot's tables close when it is removed; what was played until then is a night of the series."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await plan(room, ann, name="Friday game", players=2, hands=9)
        await until_night(room, "19:56")
        for player in (ann, bo):
            await player.slash("sit")
        room.clock.skip(300)
        await play_a_hand(room, ann, bo)
        await leave(room)
        await soon(lambda: not room.dealer.tables.all_tables())
        await room.wait_until_idle()
        await come_back(room)
        room.clock.skip(30)
        await ann.until("this night is over. The next one has a post of its own.")
        await room.wait_until_idle()
        assert sorted(nets(room).values()) == [-50, 50]
        assert posts(ann) == 1
        assert "The table of **Friday game** is open" not in ann.screen()


async def test_other_servers_hear_of_nights_that_came_back(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        await plan(room, ann, name="Friday game")
        await room.wait_until_idle()
        own = f"ownnights.{ann.me['id']}"
        assert await room.dealer.store.value(own)
        await leave(room)
        assert await room.dealer.store.value(own) is None
        await come_back(room)
        assert await room.dealer.store.value(own)
