"""Tables in rooms of their own, through the real bot: threads, private threads, posts of a forum; and the host who keeps order."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest

from bot.surfaces.rooms.room_archive import RoomArchive
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.test_choices_survive_restart import restarting_bot
from tests.e2e.test_faults import live_messages
from tests.support.discord_double import Json, Player
from tests.support.menus import invite, remove, set_rules
from tests.surfaces.test_table_moves import end_token, shown


def threads(room: BotSession) -> list[Json]:
    """Return the threads of the server, the oldest first."""
    (guild,) = room.discord.stand_in.world.guilds
    return sorted(room.discord.stand_in.world.threads(guild), key=lambda thread: int(thread["id"]))


async def follow(thread: str, *players: Player) -> None:
    """Let players turn to a thread that they can see."""
    for player in players:
        await player.wait_for(lambda p=player: thread in p.channels, "the thread")  # type: ignore[misc]
        player.here = thread


async def a_moment_later(room: BotSession, seconds: int = 3) -> None:
    """Let the time pass after which threads of closed tables are archived."""
    room.clock.skip(seconds)
    while room.dealer.parts.get(RoomArchive).waits_to_archive:
        await asyncio.sleep(0.5)
    await room.wait_until_idle()


async def test_table_opens_in_a_thread_and_leaves_it_archived(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("play", where="thread")
        answer = await ann.submit({"Stakes": "50"})
        (thread,) = threads(room)
        assert thread["name"] == "No-Limit Hold'em · 25/50" and thread["type"] == 11
        assert f"Your table is open: <#{thread['id']}>." in answer and "You're in seat" in answer
        await follow(thread["id"], ann, bo, room.discord.you)
        await ann.until("Table 1")
        assert "Table 1" not in "".join(map(bo.render, bo.visible(room.discord.channel("poker")))), (
            "the channel stays free"
        )
        await bo.click("Take a seat")
        await room.next_hand()
        await room.check_down(ann, bo)
        await room.wait_until_idle()

        bo.go("poker")
        for _ in range(2):
            await bo.slash("play", where="here")
            await bo.submit({"Stakes": "2"})
        refused = bo.screen()
        assert "Table 2 is open in this channel" in refused and "[Open it in a new thread]" in refused
        await bo.click("Open it in a new thread")
        await room.wait_until(lambda: len(room.dealer.tables.all_tables()) == 3)

        await ann.close_table()
        await room.wait_until(lambda: len(room.dealer.tables.all_tables()) == 2)
        await room.wait_until_idle()
        assert "Ann closed the table." in ann.screen()
        await a_moment_later(room)
        assert threads(room)[0]["name"] == "closed · No-Limit Hold'em · 25/50"
        assert threads(room)[0]["thread_metadata"]["archived"]
        assert not await room.dealer.store.values("room.1")


async def test_deleted_thread_or_its_channel_closes_the_table(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("play", sit=False, where="thread")
        await bo.slash("play", sit=False, where="thread")
        first, second = (thread["id"] for thread in threads(room))
        for player, thread in ((ann, first), (bo, second)):
            await follow(thread, player)
            await player.slash("sit")
        room.discord.controls.delete_thread(first)
        await room.wait_until(lambda: len(room.dealer.tables.all_tables()) == 1)
        room.discord.controls.delete_channel(room.discord.channel("poker"))
        await room.wait_until(lambda: not room.dealer.tables.all_tables())
        for player in (ann, bo):
            assert "Your chips: 10,000" in await player.go("lobby").slash("me", page="chips")
        await room.wait_until_idle()
        await a_moment_later(room)
        assert not await room.dealer.store.values("room."), "nothing is left to archive"


@pytest.mark.parametrize(("where", "missing"), [("thread", "Public"), ("private", "Private")])
async def test_missing_permissions_are_named_with_the_remedy(tmp_path: Path, where: str, missing: str) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        poker = room.discord.channel("poker")
        room.discord.controls.set_overwrite(poker, deny=[f"create_{missing.lower()}_threads"])
        answer = await ann.slash("play", sit=False, where=where)
        assert f"The dealer needs **Create {missing} Threads** in <#{poker}>" in answer and "Edit Channel" in answer
        room.discord.controls.set_overwrite(poker)
        body = {"message": "Missing Permissions", "code": 50013}
        room.discord.fails("POST", rf"/channels/{poker}/threads", status=403, body=body)  # the cache was behind
        assert f"Create {missing} Threads" in await ann.slash("play", sit=False, where=where)
        assert not threads(room) and not room.dealer.tables.all_tables() and not await room.dealer.store.values("room.")
        assert "No such forum" not in await ann.slash("play", sit=False, where="forum")
        assert "This server has no forum of tables" in ann.screen()


async def test_private_table_is_for_its_guests(tmp_path: Path) -> None:
    """Ann opens it, invites Bo by the select and Cy by the command; Dee finds nothing. Then Bo has to leave in the middle of a hand."""
    async with bot_session(tmp_path) as room:
        ann, bo, cy, dee = await room.people("Ann", "Bo", "Cy", "Dee")
        await ann.slash("play", where="private")
        assert "Only people you invite can find it." in await ann.submit({"Who can sit": "all"})
        (thread,) = threads(room)
        assert thread["type"] == 12 and thread["thread_metadata"]["invitable"] is False
        assert "Invited: @Bo." in await ann.select("Choose people to invite…", bo)
        await follow(thread["id"], ann, bo, room.discord.you)
        await bo.until("@Bo · @Ann invites you to this table.")
        await bo.until("Nobody else here learns of this game while it's played.")
        assert "Invited: @Cy." in await invite(ann, cy, bo)
        assert "They can come already." in await invite(ann, bo)
        await follow(thread["id"], cy)
        await ann.until("private: by invitation")
        await bo.click("Take a seat")
        await cy.until("[Join table]")
        await cy.click("Join table")
        await room.next_hand()

        assert thread["id"] not in dee.channels
        assert "Hold'em" not in await dee.slash("lobby") and "Hold'em" in await bo.slash("lobby")
        assert "Invited: @Bo and @Cy." in await cy.slash("table", page="info")
        assert "There's no table 1" in await dee.slash("table", page="info", number=1)
        assert "Table 1" in await room.discord.you.slash("table", page="info", number=1), "staff know of it"

        assert "leaves after this hand" in await remove(ann, bo)
        await bo.until("The host of Table 1 has asked you to leave after this hand.")
        assert "You were removed from this table" in await bo.slash("seat", what="back")
        await room.check_down(ann, bo, cy)
        await bo.wait_for(lambda: thread["id"] not in bo.channels, "the thread to go")
        await bo.wait_for(lambda: "chips are in your wallet" in bo.dms(), "the notice")
        bo.go("lobby")
        assert "Hold'em" not in await bo.slash("lobby")
        assert room.now.open_seats == 8 and "has left" not in ann.screen()
        for knows, player in ((False, dee), (False, bo), (True, cy), (True, ann), (True, room.discord.you)):
            versus = await player.slash("stats", player=ann, versus=cy)
            assert ("**1** hand together" in versus) is knows, "whoever was removed learns no more either"
        assert "They haven't played a hand here yet." in await dee.slash("stats", player=ann)
        assert "**1** hand" in await ann.slash("stats"), "their own numbers have it at once"
        for order in ("hands", "chips"):
            assert "@Ann" not in await dee.slash("stats", page="leaderboard", by=order)
        await room.next_hand(2)

        await ann.click("Join table")
        await ann.click("Remove a player…")
        assert "Cy leaves after this hand" in (await ann.select("Choose who has to leave…", "Cy")).replace("@", "")
        await room.act("Fold", ann, cy)
        await cy.wait_for(lambda: thread["id"] not in cy.channels, "the thread to go")
        assert "Invited: @Cy." in await invite(ann, cy)
        await follow(thread["id"], cy)
        await cy.slash("sit")
        await ann.close_table()
        await room.wait_until(lambda: not room.dealer.tables.all_tables())
        await room.wait_until_idle()
        guild = int(thread["guild_id"])
        held = [await room.dealer.bank.holdings(guild, int(player.me["id"])) for player in (ann, bo, cy)]
        assert sum(each.wallet for each in held) == 30_000, "everybody is paid in full"
        assert "No hands together yet." in await dee.slash("stats", player=ann, versus=cy)
        assert "**2** hands" in await dee.slash("stats", player=ann), "the game is over: the sums alone"


async def test_host_runs_a_private_table_by_buttons_in_its_room(tmp_path: Path) -> None:
    """Ann invites under the table, changes the stakes and closes from their own menu; whoever else presses gets a menu of their own."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("play", where="private")
        await ann.submit()
        (thread,) = threads(room)
        await follow(thread["id"], ann)
        await ann.until("[Invite…]")
        await ann.click("Invite…")
        assert "Invited: @Bo." in await ann.select("Choose people to invite…", bo)
        await follow(thread["id"], bo)
        await bo.click("Join table")
        assert "You're in seat" in await bo.click("Invite…"), "their own menu: it is not meant for them"
        assert "Close table" not in bo.screen()

        await ann.until("[Join table]")
        await ann.click("Join table")
        menu = ann.screen()
        assert "[Invite…] [Give a seat…] [Remove a player…] [Game and stakes…] [Close table…]" in menu
        await ann.click("Game and stakes…")
        await ann.until("Rules and stakes change between hands")
        await ann.click("Join table")
        await ann.click("Close table…")
        assert "everyone keeps their chips" in ann.screen()
        assert "Table 1 closes." in await ann.click("Close table 1")
        await room.wait_until(lambda: not room.dealer.tables.all_tables())
        await ann.until("Ann ended the game.")
        await room.wait_until_idle()
        await a_moment_later(room)
        assert threads(room)[0]["thread_metadata"]["archived"]
        room.check_leaks()


async def test_each_new_table_is_a_post_of_the_forum(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        you = room.discord.you
        forum = room.discord.channel("all-tables")
        answer = await set_rules(you, "house", forum_channel=forum)
        assert f"From now on each new table is a post in <#{forum}>" in answer and "Manage Channel" in answer
        await ann.slash("play", sit=False, game="omaha", big_blind="10")
        (post,) = threads(room)
        assert (post["parent_id"], post["name"], post["applied_tags"]) == (forum, "Pot-Limit Omaha · 5/10", []), (
            "no tags yet"
        )
        await follow(post["id"], ann)
        await ann.until("**Ann** opens this table" if "**Ann**" in ann.screen() else "opens this table")
        await ann.until("Take a seat")

        room.discord.stand_in.world.channels[forum]["flags"] = 1 << 4  # each post must have a tag
        assert "The dealer needs **Manage Channel**" in await bo.slash("play", sit=False)
        room.discord.controls.set_overwrite(
            forum, allow=["send_messages"]
        )  # now the gateway tells what the forum demands
        before = len(room.discord.requests)
        assert "The dealer needs **Manage Channel**" in await bo.slash("play", sit=False)
        tried = [one for one in room.discord.requests[before:] if one.path.endswith("/threads")]
        assert tried == [], "what is known to be refused is not tried"
        room.discord.controls.set_overwrite(forum, allow=["manage_channels"])
        assert "Manage Channel" not in await set_rules(you, "house", forum_channel=forum)
        await bo.slash("play")
        await bo.submit({"Stakes": "50"})
        second = threads(room)[1]
        tags = {tag["id"]: tag["name"] for tag in room.discord.stand_in.world.channels[forum]["available_tags"]}
        assert [tags[tag] for tag in second["applied_tags"]] == ["Hold'em", "Medium stakes"]
        await bo.go("poker").slash("play", sit=False, where="here", practice=1)
        assert len(threads(room)) == 2, "here is here"

        await follow(second["id"], bo)
        await bo.until("Table 2")
        first_message = second["id"]
        await room.wait_until_idle()
        await bo.close_table()
        await room.wait_until_idle()
        await a_moment_later(room)
        assert second["name"] == "closed · No-Limit Hold'em · 25/50" and second["thread_metadata"]["archived"]
        assert first_message in bo.messages[second["id"]], "a post keeps its first message"

        await a_moment_later(room, 10 * 60)  # the other tables close because nobody plays there
        await ann.go("lobby").slash("play", sit=False)
        await room.wait_until(lambda: len(room.dealer.tables.all_tables()) == 1)
        await room.wait_until_idle()
        room.discord.controls.delete_channel(forum)
        await room.wait_until(lambda: not room.dealer.tables.all_tables())
        assert "forum of tables is gone" in await ann.go("lobby").slash("play", sit=False, where="forum")
        await ann.slash("play", sit=False)
        await ann.until("Table 5")
        assert "New tables open where people ask for them." in await set_rules(
            you.go("lobby"), "house", forum_channel=None
        )


async def test_thread_whose_making_was_not_confirmed_is_used(tmp_path: Path) -> None:
    """Discord has made the thread, and its answer is lost: the table opens in it."""
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        room.discord.fails("POST", rf"/channels/{room.discord.channel('poker')}/threads", drop=True, after=True)
        assert "Your table is open: " in await ann.slash("play", sit=False, where="thread")
        (thread,) = threads(room)
        (table,) = room.dealer.tables.all_tables()
        assert table.address.channel == int(thread["id"])
        await room.wait_until_idle()
        assert set(await room.dealer.store.values("room.")) == {f"room.{table.id}"}


async def test_killed_while_a_thread_is_made(tmp_path: Path) -> None:
    """Killed when Discord has made the thread and the dealer does not know it; when it does; and when the table has opened in it."""
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            (ann,) = await room.people("Ann")
            poker = room.discord.channel("poker")
            room.discord.fails("POST", rf"/channels/{poker}/threads", drop=True, after=True)
            room.discord.fails("GET", r"/guilds/\d+/threads/active", status=403)
            assert "Discord didn't let the dealer open a thread" in await ann.slash("play", sit=False, where="thread")
            assert len(threads(room)) == 1 and not room.dealer.tables.all_tables()
        async with told.life() as room:
            assert not threads(room), "the next start takes it away"
            assert not await room.dealer.store.values("room.")

            room.dealer.tables.open = never  # type: ignore[method-assign]
            asking = asyncio.create_task(ann.slash("play", sit=False, where="private"))
            await ann.wait_for(lambda: bool(threads(room)), "the thread")
            while not await room.dealer.store.values("room.empty."):
                await asyncio.sleep(0)
            asking.cancel()
        async with told.life() as room:
            assert not threads(room) and not await room.dealer.store.values("room.")

            keep = room.dealer.store.keep

            async def keep_until_open(key: str, value: bytes | None) -> None:
                await (keep(key, value) if not key.startswith("room.") or "new" in key or "empty" in key else never())

            room.dealer.store.keep = keep_until_open  # type: ignore[method-assign]
            asking = asyncio.create_task(ann.slash("play", sit=False, where="private"))
            await room.wait_until(lambda: bool(room.dealer.tables.all_tables()))
            asking.cancel()
        async with told.life() as room:
            (thread,) = threads(room)
            await follow(thread["id"], ann)
            await ann.until("Table 1")
            assert set(await room.dealer.store.values("room.")) == {"room.1"}
            await ann.close_table()
            await a_moment_later(room)
            assert thread["thread_metadata"]["archived"]


async def never(*asked: object) -> None:
    """Wait until the dealer is killed, as for something whose answer never comes."""
    with suppress(TimeoutError):
        await asyncio.wait_for(asyncio.get_running_loop().create_future(), 3)
    raise ConnectionAbortedError


async def test_killed_between_invitation_and_thread(tmp_path: Path) -> None:
    """The invitation and the removal are saved; Discord hears of them from the next dealer."""
    async with restarting_bot(tmp_path) as told:
        async with told.life(waits=False) as room:
            ann, bo = await room.people("Ann", "Bo")
            await ann.slash("play", sit=False, where="private")
            (thread,) = threads(room)
            await follow(thread["id"], ann)
            room.discord.fails("PUT", r"/channels/\d+/thread-members/\d+", drop=True)
            await invite(ann, bo)
            assert thread["id"] not in bo.channels
        async with told.life(waits=False) as room:
            await follow(thread["id"], bo)
            await bo.until("@Bo · @Ann invites you to this table.")
            await bo.slash("sit")
            await room.wait_until_idle()
            room.discord.fails("DELETE", r"/channels/\d+/thread-members/\d+", drop=True)
            await remove(ann, bo)
        async with told.life() as room:
            await bo.wait_for(lambda: thread["id"] not in bo.channels, "the thread to go")
            assert "Your chips: 10,000" in await bo.go("lobby").slash("me", page="chips")
            await ann.close_table()


async def test_thread_of_a_table_is_locked_and_comes_back(tmp_path: Path) -> None:
    """Archived, the table's next message opens it; locked, it waits for a moderator. Without the right to write there, hands go on too."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("play", sit=False, where="thread")
        thread = threads(room)[0]
        await follow(thread["id"], ann, bo, room.discord.you)
        for player in (ann, bo):
            await player.slash("sit")
        await room.next_hand()
        room.discord.controls.archive_thread(thread["id"])
        await room.check_down(ann, bo)
        await room.wait_until_idle()
        closed = {"message": "Thread is archived", "code": 50083}
        room.discord.fails("PATCH", rf"/.*/messages/{live_messages(room, ann)[0]}", status=400, body=closed)
        end_token(room)
        shown(room).live.clicks.forget()
        await room.next_hand(2)
        assert not thread["thread_metadata"]["archived"]
        await room.wait_until_idle()
        room.discord.controls.archive_thread(thread["id"], locked=True)
        await ann.close_table()
        await room.wait_until_idle()
        room.discord.controls.archive_thread(thread["id"], archived=False)
        await room.act("Fold", ann, bo)
        await room.wait_until(lambda: not room.dealer.tables.all_tables())
        room.discord.controls.set_overwrite(room.discord.channel("poker"), deny=["send_messages_in_threads"])
        await a_moment_later(room)
        assert await room.dealer.store.values("room."), "the thread waits for its sheet"
        room.clock.skip(3 * 24 * 3600)
        await asyncio.sleep(0.5)
        await room.wait_until_idle()
        await a_moment_later(room)
        assert not await room.dealer.store.values("room."), "which is given up"
        guild = int(thread["guild_id"])
        held = [await room.dealer.bank.holdings(guild, int(player.me["id"])) for player in (ann, bo)]
        assert sum(each.wallet for each in held) == 20_000
