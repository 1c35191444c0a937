"""Tables in rooms of their own, through the real bot: threads, private threads, posts of a forum; and the host who keeps order."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.e2e.bot_session import BotSession, bot_session
from tests.support.discord_double import Json, Player


def threads(room: BotSession) -> list[Json]:
    """Return the threads of the server, the oldest first."""
    (guild,) = room.discord.stand_in.world.guilds
    return sorted(room.discord.stand_in.world.threads(guild), key=lambda thread: int(thread["id"]))


async def follow(thread: str, *players: Player) -> None:
    """Let players turn to a thread that they can see."""
    for player in players:
        await player.wait_for(lambda p=player: thread in p.channels, "the thread")  # type: ignore[misc]
        player.here = thread


async def ten_minutes_later(room: BotSession) -> None:
    """Let the time pass after which threads of closed tables are archived."""
    room.clock.skip(10 * 60)
    while room.dealer.rooms.waits_to_archive:
        await asyncio.sleep(0)
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

        await ann.slash("table close")
        await room.wait_until(lambda: len(room.dealer.tables.all_tables()) == 2)
        await room.wait_until_idle()
        assert not threads(room)[0]["thread_metadata"]["archived"], "people read how it ended"
        await ten_minutes_later(room)
        assert threads(room)[0]["name"] == "closed · No-Limit Hold'em · 25/50"
        assert threads(room)[0]["thread_metadata"]["archived"]
        assert not await room.dealer.store.values("room.1")


async def test_deleted_thread_or_its_channel_closes_the_table(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("table open", where="thread")
        await bo.slash("table open", where="thread")
        first, second = (thread["id"] for thread in threads(room))
        for player, thread in ((ann, first), (bo, second)):
            await follow(thread, player)
            await player.slash("sit")
        room.discord.controls.delete_thread(first)
        await room.wait_until(lambda: len(room.dealer.tables.all_tables()) == 1)
        room.discord.controls.delete_channel(room.discord.channel("poker"))
        await room.wait_until(lambda: not room.dealer.tables.all_tables())
        for player in (ann, bo):
            assert "Your chips: 10,000" in await player.go("lobby").slash("chips balance")
        await room.wait_until_idle()
        await ten_minutes_later(room)
        assert not await room.dealer.store.values("room."), "nothing is left to archive"


@pytest.mark.parametrize(("where", "missing"), [("thread", "Public"), ("private", "Private")])
async def test_missing_permissions_are_named_with_the_remedy(tmp_path: Path, where: str, missing: str) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        poker = room.discord.channel("poker")
        room.discord.controls.set_overwrite(poker, deny=[f"create_{missing.lower()}_threads"])
        answer = await ann.slash("table open", where=where)
        assert f"The dealer needs **Create {missing} Threads** in <#{poker}>" in answer and "Edit Channel" in answer
        room.discord.controls.set_overwrite(poker)
        body = {"message": "Missing Permissions", "code": 50013}
        room.discord.fails("POST", rf"/channels/{poker}/threads", status=403, body=body)  # the cache was behind
        assert f"Create {missing} Threads" in await ann.slash("table open", where=where)
        assert not threads(room) and not room.dealer.tables.all_tables() and not await room.dealer.store.values("room.")
        assert "No such forum" not in await ann.slash("table open", where="forum")
        assert "This server has no forum of tables" in ann.screen()
