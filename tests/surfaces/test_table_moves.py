"""The table stays where it is: the next hand goes on in its message. It moves between hands where people have written below it.

In a hand it moves only if it must.
"""

from __future__ import annotations

import asyncio
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from bot.house.rules import HouseRules
from bot.players import PracticePlayers
from bot.runtime.commands import SeatPracticePlayers
from bot.runtime.request import Request
from bot.runtime.table_settings import NewTableRequest, default_table_settings
from bot.surfaces.table.message import TableMessage
from bot.surfaces.table.saved import SAVED_MESSAGES, SavedMessage
from bot.variants import game
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.test_choices_survive_restart import restarting_bot
from tests.e2e.test_faults import chat, live_messages, poker
from tests.support.discord_double import Player


def shown(room: BotSession) -> TableMessage:
    message = room.dealer.services.display.message_of(room.now.id)
    assert message is not None
    return message


def end_token(room: BotSession) -> None:
    """The token of the last click on the table is over."""
    token = shown(room).live.token
    assert token is not None
    token.end()


async def fold(room: BotSession, *players: Player) -> None:
    """The player to act folds: the hand is over."""
    await room.act("Fold", *players)
    await room.wait_until(lambda: not room.now.hand_running)
    await room.wait_until_idle()


async def deal(room: BotSession) -> None:
    await room.next_hand()
    await room.wait_until_idle()


async def two(room: BotSession) -> tuple[Player, Player]:
    ann, bo = await room.people("Ann", "Bo")
    await room.open_and_sit(ann, bo)
    await deal(room)
    return ann, bo


def new_messages(room: BotSession) -> list[str]:
    """How new messages of the table have come: the route of each."""
    posts = [one for one in room.discord.requests if one.method == "POST" and one.path.split("/")[-1] != "callback"]
    by_token = ["follow-up" for one in posts if one.path.startswith("/webhooks/")]
    return by_token + ["message" for one in posts if one.path == f"/channels/{one.path.split('/')[2]}/messages"]


async def test_next_hands_go_on_in_the_same_message(tmp_path: Path) -> None:
    """It tells how the last hand ended, and costs no request by the bot's own token."""
    async with bot_session(tmp_path) as room:
        ann, bo = await two(room)
        (table,) = live_messages(room, ann)
        for number in (2, 3, 4):
            await fold(room, ann, bo)
            room.discord.forget_requests()
            await deal(room)
            assert live_messages(room, ann) == [table]
            assert re.search(rf"Hand #{number}\n(?s:.+)-# Last hand: (Ann|Bo) won 100 · no showdown\n", ann.screen())
            assert not [one for one in room.discord.requests if one.path.startswith(f"/channels/{poker(room)}/")]


async def test_table_moves_at_the_deal_below_three_messages(tmp_path: Path) -> None:
    """Two are borne; three move it, not before the hand is over, and at most once in thirty seconds."""
    async with bot_session(tmp_path) as room:
        ann, bo = await two(room)
        (first,) = live_messages(room, ann)
        await chat(room, ann, "one", "two")
        await fold(room, ann, bo)
        await deal(room)
        assert live_messages(room, ann) == [first]
        await chat(room, bo, "three")
        await room.wait_until_idle()
        assert live_messages(room, ann) == [first], "a hand is being played"
        await fold(room, ann, bo)
        assert live_messages(room, ann) == [first], "the next hand follows"
        await deal(room)
        (second,) = live_messages(room, ann)
        assert second != first
        left = next(ann.render(one) for one in ann.visible() if one["id"] == first)
        assert left == "**Hands #1–2** · no showdown\n[Replay]"
        room.discord.controls.advance(6)  # people can write again
        await chat(room, ann, "four", "five", "six")
        await fold(room, ann, bo)
        await deal(room)
        assert live_messages(room, ann) == [second], "it moved a moment ago"
        await fold(room, ann, bo)
        room.clock.skip(30)
        await deal(room)
        assert live_messages(room, ann) not in ([], [second])


async def test_table_without_token_moves_by_a_fresh_click(tmp_path: Path) -> None:
    """Its token is over. It stays, and the bot's token redraws it, until somebody clicks another public message of the channel."""
    async with bot_session(tmp_path) as room:
        ann, bo = await two(room)
        await fold(room, ann, bo)
        await chat(room, ann, "one", "two", "three")
        await deal(room)  # the message with the first hand stays above, with its button
        (table,) = live_messages(room, ann)
        await fold(room, ann, bo)
        room.clock.skip(3 * 60)
        end_token(room)
        room.discord.forget_requests()
        await deal(room)
        assert live_messages(room, ann) == [table] and not new_messages(room)
        await fold(room, ann, bo)
        end_token(room)
        await ann.click("Replay", within="**Hand #1**")
        room.discord.forget_requests()
        await deal(room)
        (moved,) = live_messages(room, ann)
        assert moved != table and new_messages(room) == ["follow-up"]
        room.discord.forget_requests()
        turn = room.to_act(ann, bo)
        assert turn is not None
        await turn.slash("call")
        await room.wait_for_text("[Check]")
        await room.wait_until_idle()
        edits = [one.path.split("/")[1] for one in room.discord.requests if one.method == "PATCH"]
        assert edits and set(edits) == {"webhooks"}


async def test_buried_table_moves_by_the_token_of_the_last_click(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await two(room)
        await fold(room, ann, bo)
        await chat(room, ann, "one", "two", "three")
        room.discord.forget_requests()
        await deal(room)
        assert new_messages(room) == ["follow-up"]
        assert len(live_messages(room, ann)) == 1


async def test_table_of_fifty_minutes_moves_at_the_deal(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await two(room)
        (first,) = live_messages(room, ann)
        await fold(room, ann, bo)
        room.clock.skip(50 * 60 + 1)
        await room.wait_until(lambda: room.now.hand_running)
        await room.wait_for_text("Hand #2")
        await room.wait_until_idle()
        (second,) = live_messages(room, ann)
        assert second != first


@pytest.mark.parametrize("is_done", [True, False], ids=["reply lost", "request lost"])
@pytest.mark.parametrize("by_click", [True, False], ids=["follow-up", "bot's token"])
async def test_lost_reply_leaves_one_live_table(
    by_click: bool, is_done: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection breaks when the table moves: a follow-up is looked for, the bot's own message has a nonce."""
    monkeypatch.setattr(TableMessage, "retry_ms", 100)
    async with bot_session(tmp_path) as room:
        ann, bo = await two(room)
        (first,) = live_messages(room, ann)
        await fold(room, ann, bo)
        await chat(room, ann, "one", "two", "three")
        if not by_click:
            shown(room).live.clicks.forget()
        route = r"/webhooks/[^/]+/[^/]+" if by_click else rf"/channels/{poker(room)}/messages"
        room.discord.fails("POST", route, drop=True, after=is_done)
        await room.next_hand()
        room.clock.skip(2)
        await room.wait_until_idle()
        (second,) = live_messages(room, ann)
        assert second != first and len(new_messages(room)) > 1


async def test_click_after_a_lost_reply_makes_no_second_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot's own message may have arrived, and then somebody clicks: it is sent again under its nonce, not as a follow-up."""
    monkeypatch.setattr(TableMessage, "retry_ms", 1_000)
    async with bot_session(tmp_path) as room:
        ann, bo = await two(room)
        await fold(room, ann, bo)
        await chat(room, ann, "one", "two", "three")
        live = shown(room).live
        token = live.token
        assert token is not None
        live.clicks.forget()
        room.discord.fails("POST", rf"/channels/{poker(room)}/messages", drop=True, after=True)
        await room.next_hand()
        live.clicks.can_follow(token)
        room.clock.skip(2)
        await room.wait_until_idle()
        assert len(live_messages(room, ann)) == 1


async def test_killed_dealer_leaves_no_call_to_act(tmp_path: Path) -> None:
    """Who is called when the dealer is killed is called once afterwards."""
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            ann, _ = await two(room)
            room.clock.skip(8)
            await ann.until("your turn — 50 to call")
            before = [one["id"] for one in ann.visible() if "your turn" in one["content"]]
        async with told.life() as room:
            await ann.wait_for(lambda: before[0] not in ann.messages[ann.here], "the call of then to go")
            room.clock.skip(8)
            await ann.until("your turn — 50 to call")
            await room.wait_until_idle()
            assert len([one for one in ann.visible() if "your turn" in one["content"]]) == 1


async def test_message_of_an_earlier_version_goes_on(tmp_path: Path) -> None:
    """What 73fe2bd has saved of a running hand is taken up. Its messages of earlier hands stay, a passing one goes."""
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            ann, bo = await two(room)
            (table,) = live_messages(room, ann)
            said = await ann.ask("say", channel_id=ann.here, text="an announcement of then")
        with closing(sqlite3.connect(tmp_path / "data" / "cardroom.db")) as db, db:
            key, stored = db.execute("SELECT key, value FROM kept WHERE key LIKE 'stage.%'").fetchone()
            now = msgspec.msgpack.decode(stored, type=SavedMessage)
            then = {
                "channel": now.channel,
                "message": now.message,
                "hand": now.hand,
                "sent_at": now.sent_at,
                "temporary_messages": [],
                "uncontested": {"message": 5, "first": 1, "last": 3},
                "introduced": list(now.introduced),
                "introducing": list(now.introducing),
                "picture": {"is_there": False, "moment": b""},
            }
            db.execute("UPDATE kept SET value = ? WHERE key = ?", (msgspec.msgpack.encode(then), key))
        assert said["t"] == "done"
        async with told.life() as room:
            await room.wait_until_idle()
            assert live_messages(room, ann) == [table]
            await fold(room, ann, bo)
            await deal(room)
            assert live_messages(room, ann) == [table]


async def test_unknown_message_is_found_by_its_buttons(tmp_path: Path) -> None:
    """What was saved of it cannot be read any more."""
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            ann, _ = await two(room)
            (table,) = live_messages(room, ann)
        with closing(sqlite3.connect(tmp_path / "data" / "cardroom.db")) as db, db:
            db.execute("UPDATE kept SET value = ? WHERE key LIKE 'stage.%'", (b"\xc1",))
        async with told.life() as room:
            await room.wait_until_idle()
            assert live_messages(room, ann) == [table]


async def test_quick_drawings_settle_without_the_bots_token(tmp_path: Path) -> None:
    """Two seconds after two quick redraws the message is drawn once more, but only while a click's token can."""
    async with bot_session(tmp_path) as room:
        ann, _ = await two(room)
        room.clock.skip(3)
        await room.wait_until_idle()
        (table,) = live_messages(room, ann)
        for ways in ({"webhooks"}, set()):
            room.discord.forget_requests()
            shown(room).live.settle()
            await room.wait_until_idle()
            edits = [one.path for one in room.discord.requests if one.method == "PATCH" and one.path.endswith(table)]
            assert {path.split("/")[1] for path in edits} == ways
            end_token(room)


async def test_who_sits_down_while_the_message_begins_is_in_it(tmp_path: Path) -> None:
    """Before a message is sent, that is saved. What changes meanwhile is shown as well."""
    async with bot_session(tmp_path, policies=PracticePlayers()) as room:
        (ann,) = await room.people("Ann")
        keep, begins, sits = room.dealer.store.keep, asyncio.Event(), asyncio.Event()

        async def keep_slowly(key: str, value: bytes | None) -> None:
            if key.startswith(SAVED_MESSAGES.prefix):
                begins.set()
                await sits.wait()
            await keep(key, value)

        room.dealer.store.keep = keep_slowly  # type: ignore[method-assign]
        (guild,), tables = room.dealer.client.guilds, room.dealer.tables
        asked = Request(key="1", guild=guild.id, channel=guild.text_channels[0].id, user=int(ann.me["id"]), staff=True)
        settings = default_table_settings(game("holdem"), HouseRules(), NewTableRequest(seats=6, practice=True))
        opened = (await tables.open(asked, settings)).snapshot
        await asyncio.wait_for(begins.wait(), 30)
        await tables.ask(replace(asked, key="2", table=opened.id), SeatPracticePlayers(4))
        sits.set()
        await ann.until("4 of 6 seats taken")
