"""A bot in very many servers is not told of messages. Its own are missed at the next redraw, and a buried table is found at a deal."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.surfaces.table.message import TableMessage
from bot.surfaces.table.pace import LOOK_BELOW_MS
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.test_faults import chat, live_messages, poker
from tests.e2e.test_lobby import board, until_board
from tests.surfaces.test_table_moves import deal, end_token, fold, new_messages, shown, two


@asynccontextmanager
async def evening(tmp_path: Path) -> AsyncIterator[BotSession]:
    async with bot_session(tmp_path, message_events=0) as room:
        assert not room.dealer.services.discord_api.servers.hears_messages
        yield room


def looked_below(room: BotSession) -> int:
    """How often the messages below the table were asked for."""
    return sum(one.method == "GET" and one.path.endswith("/messages") for one in room.discord.requests)


async def test_few_servers_tell_of_their_messages(tmp_path: Path) -> None:
    async with bot_session(tmp_path, message_events=1) as room:
        assert room.dealer.services.discord_api.servers.hears_messages
        assert room.dealer.client.intents.guild_messages


@pytest.mark.parametrize("has_token", [True, False], ids=["click's token", "bot's token"])
async def test_deleted_table_comes_back_at_the_next_redraw(has_token: bool, tmp_path: Path) -> None:
    async with evening(tmp_path) as room:
        ann, bo = await two(room)
        (table,) = live_messages(room, ann)
        if not has_token:
            end_token(room)
        await room.discord.controls.delete_message(poker(room), table)
        await ann.wait_for(lambda: not live_messages(room, ann), "the table to go")
        turn = room.to_act(ann, bo)
        assert turn is not None
        await turn.slash("fold")
        await room.wait_for_text("Next hand")
        await room.wait_until_idle()
        (again,) = live_messages(room, ann)
        assert again != table


async def test_buried_table_is_found_at_a_deal(tmp_path: Path) -> None:
    """Two messages of people below it are borne; three are not. It looks every three minutes, and not in the middle of a hand."""
    async with evening(tmp_path) as room:
        ann, bo = await two(room)
        (table,) = live_messages(room, ann)
        await chat(room, ann, "one", "two")
        await fold(room, ann, bo)
        room.discord.forget_requests()
        room.clock.skip(LOOK_BELOW_MS / 1000)
        await room.wait_until(lambda: room.now.hand_running)
        await room.wait_until_idle()
        assert live_messages(room, ann) == [table] and looked_below(room) == 1
        await chat(room, ann, "three")
        await fold(room, ann, bo)
        await deal(room)
        assert live_messages(room, ann) == [table] and looked_below(room) == 1, "it looked a moment ago"
        await fold(room, ann, bo)
        room.clock.skip(LOOK_BELOW_MS / 1000)
        await room.wait_until(lambda: room.now.hand_running)
        await room.wait_until_idle()
        (moved,) = live_messages(room, ann)
        assert moved != table and looked_below(room) == 2


async def test_table_whose_channel_it_cannot_read_stays(tmp_path: Path) -> None:
    async with evening(tmp_path) as room:
        ann, bo = await two(room)
        (table,) = live_messages(room, ann)
        await chat(room, ann, "one", "two", "three")
        await fold(room, ann, bo)
        room.discord.fails(
            "GET", rf"/channels/{poker(room)}/messages", status=403, body={"code": 50013, "message": "Missing"}
        )
        room.clock.skip(LOOK_BELOW_MS / 1000)
        await room.wait_until(lambda: room.now.hand_running)
        await room.wait_for_text("Hand #2")
        await room.wait_until_idle()
        assert live_messages(room, ann) == [table]


async def test_deleted_board_comes_back_with_the_next_change(tmp_path: Path) -> None:
    async with evening(tmp_path) as room:
        lobby = room.discord.channel("lobby")
        room.discord.controls.add_channel("other")
        (ann,) = await room.people("Ann")
        await room.discord.you.go("lobby").slash("house", page="lobby")
        await until_board(room, ann, "No table is open")
        first = board(ann)
        assert first is not None
        await room.discord.controls.delete_message(lobby, first["id"])
        await ann.wait_for(lambda: board(ann) is None, "the board to go")
        room.clock.skip(20)
        await ann.go("other").slash("play", sit=False)
        room.clock.skip(20)
        await until_board(room, ann, "Table 1 · ")


@pytest.mark.parametrize("is_done", [True, False], ids=["reply lost", "request lost"])
async def test_lost_follow_up_is_found_in_the_history(
    is_done: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No echo tells of it. One table is left, not two and not none."""
    monkeypatch.setattr(TableMessage, "retry_ms", 100)
    async with evening(tmp_path) as room:
        ann, bo = await two(room)
        (first,) = live_messages(room, ann)
        await fold(room, ann, bo)
        await chat(room, ann, "one", "two", "three")
        shown(room).person_wrote()
        for _ in range(2):
            shown(room).person_wrote()
        room.discord.fails("POST", r"/webhooks/[^/]+/[^/]+", drop=True, after=is_done)
        await room.next_hand()
        room.clock.skip(2)
        await room.wait_until_idle()
        (second,) = live_messages(room, ann)
        assert second != first and len(new_messages(room)) > 1
        assert looked_below(room) >= 1
