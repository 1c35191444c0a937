"""The channel of nights is gone and could not be read by everybody: the host is told, whatever stands in the way."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.test_choices_survive_restart import restarting_bot
from tests.e2e.test_nights import Mortal, plan
from tests.e2e.test_nights_bad_days import guild_of, soon
from tests.support.discord_double import Player

GONE = "The channel of **Friday game** is gone, so there are no more of these nights."


async def plan_in_hidden_channel(room: BotSession) -> tuple[Player, str]:
    """Ann plans a night in a channel that only its members can read. Returns her, and the channel."""
    controls = room.discord.controls
    controls.add_channel("club")
    (host,) = await room.people("Ann")
    first = host.here
    member = controls.add_role("member")["id"]
    controls.give_role(host.me["id"], member)
    host.go("club")
    club = host.here
    controls.set_overwrite(club, allow=["view_channel"])
    controls.set_overwrite(club, member, allow=["view_channel"])
    controls.set_overwrite(club, guild_of(room), deny=["view_channel"])
    await plan(room, host, name="Friday game")
    await room.wait_until_idle()
    host.here = first
    return host, club


async def lose_channel(room: BotSession, club: str) -> None:
    room.discord.controls.delete_channel(club)
    await soon(lambda: all(one.series.has_ended for one in room.dealer.services.nights.all()))
    await asyncio.sleep(0.03)
    await room.wait_until_idle()


@pytest.mark.parametrize("command", ["night", "me"])
@pytest.mark.parametrize("wanted", [True, False])
async def test_host_without_direct_messages_hears_it_next(tmp_path: Path, command: str, *, wanted: bool) -> None:
    """They want no direct messages, or Discord takes none."""
    async with bot_session(tmp_path) as room:
        ann, club = await plan_in_hidden_channel(room)
        if wanted:
            room.discord.controls.set_dms_open(ann.me["id"], open=False)
        else:
            await room.dealer.services.preferences.set_dms(int(ann.me["id"]), wanted=False)
        await lose_channel(room, club)
        assert GONE not in ann.dms()
        assert GONE in await ann.slash(command)
        await soon(lambda: room.dealer.services.nights.all() == ())
        answer = await ann.slash("me")
        assert GONE not in answer


async def test_host_who_was_told_is_not_told_again(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, club = await plan_in_hidden_channel(room)
        await lose_channel(room, club)
        await ann.until(GONE)
        assert room.dealer.services.nights.all() == ()
        assert GONE not in await ann.slash("me")
        assert await room.dealer.store.values("nightpost.") == {}


@pytest.mark.parametrize("dies_at", [1, 2, 3])
@pytest.mark.parametrize("saved", [False, True])
async def test_killed_dealer_tells_the_host_once(tmp_path: Path, dies_at: int, *, saved: bool) -> None:
    async with restarting_bot(tmp_path) as told:
        async with told.life(waits=False) as room:
            ann, club = await plan_in_hidden_channel(room)
            mortal = Mortal(room, dies_at, saved=saved)
            room.discord.controls.delete_channel(club)
            async with asyncio.timeout(5):
                await mortal.died.wait()
        async with told.life() as room:
            await room.wait_until_idle()
            if (dies_at, saved) == (1, False):
                return  # nothing was noted: whether everybody could read the channel is not known any more
            await ann.until(GONE)
            await room.wait_until_idle()
            assert ann.dms().count(GONE) == 1
            assert room.dealer.services.nights.all() == ()
