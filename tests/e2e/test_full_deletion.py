"""People have everything deleted that is kept about them, in all servers at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.runtime.full_deletions import DeletionOrder, FullDeletionOrders
from bot.surfaces.people import full_deletions
from bot.surfaces.people.full_deletions import FullDeletions
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.test_choices_survive_restart import restarting_bot
from tests.e2e.test_privacy import rows_that_name, user_of
from tests.support.discord_double import Discord, Player
from tests.support.menus import choose_for_oneself

BUTTON, CONFIRM = "Delete it in all servers…", "Delete it in all servers"
DONE = "Your data is deleted in all servers"


async def member_of_both(discord: Discord, name: str) -> Player:
    """Somebody who is in the server of the evening, and in the club, where the channel is called so."""
    clubs = [guild.id for guild in discord.stand_in.world.guilds.values() if guild.name == "Club"]
    club = clubs[0] if clubs else discord.controls.add_guild("Club", discord.stand_in.owner.id, ["club"])["id"]
    added = discord.controls.add_person(name)
    discord.controls.add_member(added["id"], club)
    return await discord._open(added["page"], name)


async def played_in_both(room: BotSession) -> Player:
    """Zebediah plays a hand in one server, opens a table in the other one, and has left both."""
    zeb = await member_of_both(room.discord, "Zebediah")
    ann, bo = await room.people("Ann", "Bo")
    zeb.here = ann.here
    await room.open_and_sit(ann, bo, zeb)
    await room.next_hand()
    await room.check_down(ann, bo, zeb)
    await zeb.slash("leave")
    await choose_for_oneself(zeb, colours="two")
    await zeb.go("club").slash("play", sit=False)
    await zeb.slash("sit", seat=1)
    await zeb.slash("leave")
    await room.wait_until_idle()
    assert len(await room.dealer.services.privacy.servers_of(user_of(zeb))) == 2
    return zeb


async def books_agree(room: BotSession) -> bool:
    guilds = [guild.id for guild in room.dealer.client.guilds]
    faults = [(await room.dealer.store.audit(guild)).faults for guild in guilds]
    return not any(faults) and not any([await room.dealer.tables.audit(guild) for guild in guilds])


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[BotSession]:
    async with bot_session(tmp_path) as made:
        yield made


async def test_everything_goes_in_all_servers_by_one_press(room: BotSession) -> None:
    zeb = await played_in_both(room)
    await zeb.slash("me", page="privacy")
    asked = await zeb.click(BUTTON)
    assert "every server" in asked and "Leave your tables first" in asked
    await zeb.click(CONFIRM)
    told = await zeb.until(DONE)
    assert "kept in 2 servers" in told
    await room.wait_until_idle()
    assert rows_that_name(room.dealer.store.path, user_of(zeb), "Zebediah") == []
    assert await books_agree(room)
    assert "a former player" in await room.discord.you.slash("hand", number="1")
    assert "Your chips: 0" in await zeb.slash("me", page="chips"), "no second starting chips"


async def test_it_can_be_asked_for_in_a_direct_message(room: BotSession) -> None:
    zeb = await played_in_both(room)
    zeb.here = room.discord.controls.dm_channel(zeb.me["id"])
    assert "about one server" in await zeb.slash("me", page="chips")
    assert "In each server where you've played" in await zeb.slash("me")
    await zeb.click(BUTTON)
    await zeb.click(CONFIRM)
    assert "kept in 2 servers" in await zeb.until(DONE)
    await room.wait_until_idle()
    assert rows_that_name(room.dealer.store.path, user_of(zeb), "Zebediah") == []


async def test_person_with_a_seat_is_told_where_to_leave(room: BotSession) -> None:
    zeb = await played_in_both(room)
    await zeb.slash("sit", seat=1)
    await zeb.slash("me", page="privacy")
    await zeb.click(BUTTON)
    assert f"You have a seat: <#{zeb.here}>. Press **Leave** there first." in await zeb.click(CONFIRM)
    assert rows_that_name(room.dealer.store.path, user_of(zeb), "Zebediah")
    await zeb.slash("leave")
    assert "seat 1" in await zeb.slash("sit", seat=1), "nothing has begun"


async def test_banned_person_keeps_only_what_the_ban_needs(room: BotSession) -> None:
    zeb, guild = await played_in_both(room), room.dealer.client.guilds[0].id
    await room.discord.you.fill_in("house", page="ban", player=zeb, reason="shouts")
    await zeb.slash("me", page="privacy")
    await zeb.click(BUTTON)
    await zeb.click(CONFIRM)
    told = await zeb.until(DONE)
    assert "kept in 1 server." in told and "Staff of 1 server have banned you" in told
    assert await room.dealer.services.privacy.servers_of(user_of(zeb)) == (guild,)


@pytest.mark.real_time
async def test_full_deletion_goes_on_after_a_kill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed between two servers. Nobody can sit down while it is under way, and it can be asked how far it is."""
    monkeypatch.setattr(full_deletions, "PAUSE_SECONDS", 0.05)
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            zeb = await played_in_both(room)
            user, privacy = user_of(zeb), room.dealer.services.privacy
            delete_in, reached = privacy.delete_in, asyncio.Event()

            async def killed_at_second(guild: int, person: int, key: str) -> object:
                if (await room.dealer.services.full_deletions.state(person)).deleted:  # type: ignore[union-attr]
                    reached.set()
                    await asyncio.Event().wait()
                return await delete_in(guild, person, key)

            monkeypatch.setattr(privacy, "delete_in", killed_at_second)
            await zeb.slash("me", page="privacy")
            await zeb.click(BUTTON)
            assert "being deleted in all servers" in await zeb.click(CONFIRM)
            await asyncio.wait_for(reached.wait(), 10)
            assert "being deleted right now" in await zeb.slash("sit", seat=1)
            await zeb.slash("me", page="privacy")
            assert "1 server is done so far" in await zeb.click(BUTTON)
        told._ahead += full_deletions.ANSWER_MS
        async with told.life(is_killed=False) as room:
            await zeb.wait_for(lambda: DONE in zeb.dms(), "the direct message", 20)
            assert "kept in 2 servers" in zeb.dms()
            while room.dealer.parts.get(FullDeletions).pending:
                await asyncio.sleep(0.05)
            await room.wait_until_idle()
            assert rows_that_name(room.dealer.store.path, user, "Zebediah") == []
            assert await books_agree(room)


@pytest.mark.real_time
async def test_server_with_a_seat_waits_until_it_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The order came from another dealer, at the moment in which Zebediah sat down in the club. They take no direct messages."""
    monkeypatch.setattr(full_deletions, "PAUSE_SECONDS", 0.05)
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            zeb = await played_in_both(room)
            await zeb.slash("sit", seat=1)
            await FullDeletionOrders(room.dealer.store).keep(user_of(zeb), DeletionOrder(1))
        async with told.life(is_killed=False, waits=False) as room:
            deletions = room.dealer.services.full_deletions
            await zeb.dms_open(False)
            async with asyncio.timeout(20):
                while (state := await deletions.state(user_of(zeb))) is not None and not state.seated:
                    await asyncio.sleep(0.05)
                await zeb.slash("me", page="privacy")
                assert "You have a seat in 1 server" in await zeb.click(BUTTON)
                await zeb.slash("leave")
                while await deletions.state(user_of(zeb)) is not None:
                    await asyncio.sleep(0.05)
            await room.wait_until_idle()
            assert rows_that_name(room.dealer.store.path, user_of(zeb), "Zebediah") == []
            assert DONE not in zeb.dms() and await books_agree(room)
            assert "You need 2,000 chips" in await zeb.slash("sit", seat=1), "somebody who comes back"
