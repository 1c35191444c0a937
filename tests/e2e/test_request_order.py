"""Under a backlog of requests: a new hand's message goes before everything else, and what waits is sent in its newest state."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.line.api import DiscordApi
from bot.line.request_queue import Priority
from tests.e2e.bot_session import PATIENCE, bot_session
from tests.e2e.test_faults import chat, live_messages
from tests.surfaces.test_table_moves import end_token

AN_HOUR = 3600.0


@contextmanager
def held_requests(discord_api: DiscordApi) -> Iterator[None]:
    """Inside, no request by the bot's token goes, except by `let_one_go`."""
    queue = discord_api.slots.queue
    queue.hold_until(asyncio.get_running_loop().time() + AN_HOUR)
    yield
    queue._next_at = 0.0
    discord_api.slots.grant()


def let_one_go(discord_api: DiscordApi) -> None:
    queue, now = discord_api.slots.queue, asyncio.get_running_loop().time()
    queue._next_at = now
    discord_api.slots.grant()
    queue.hold_until(now + AN_HOUR)


async def until_waiting(discord_api: DiscordApi, priority: Priority, count: int) -> None:
    """Wait until so many requests of a kind wait for their turn. The queue tells nobody when one comes."""
    async with asyncio.timeout(PATIENCE):
        while discord_api.slots.queue.waiting_by_priority()[priority] < count:
            await asyncio.sleep(0.01)


async def test_new_message_passes_dms_and_its_own_redraw(tmp_path: Path) -> None:
    """Ann times out, so the dealer redraws the table; that redraw still waits, with direct messages, when the next hand is dealt."""
    async with bot_session(tmp_path, first_evening=True) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        await chat(room, ann, "one", "two", "three")
        await room.wait_until_idle()
        end_token(room)
        (table,) = live_messages(room, ann)
        room.discord.forget_requests()
        discord_api = room.dealer.services.discord_api
        with held_requests(discord_api):
            room.clock.skip(8)  # a call by name is due, and still waits when the turn is over
            await until_waiting(discord_api, Priority.PRIVATE, 1)
            room.clock.skip(192)
            await room.wait_until(lambda: not room.now.hand_running)
            await until_waiting(discord_api, Priority.REDRAW, 1)
            await room.deal()
            for _ in range(3):  # as if each had been dealt further cards
                room.dealer.services.direct_messages.send_hole_cards(room.now, room.now.dealt_users)
            await until_waiting(discord_api, Priority.PRIVATE, 1 + 2)  # the call, and a direct message to each
            await until_waiting(discord_api, Priority.TABLE, 1)
            assert discord_api.slots.queue.waiting_by_priority()[Priority.REDRAW] == 0, "the new message replaces it"
            let_one_go(discord_api)
            await room.wait_for_text("Hand #2")
            made = [
                route for route in room.discord.counts if "/emojis" not in route
            ]  # cards are uploaded since the start
            assert made == ["POST /channels/{channel}/messages"]
        await room.wait_until_idle()
        dms = [channel for player in (ann, bo) for channel in player.dm_channels]
        edits = [each.path.split("/")[2] for each in room.discord.requests if each.method == "PATCH"]
        assert sorted(edits) == sorted([*dms, ann.here]), "one direct message each, and the old message shrinks"
        assert len(live_messages(room, ann)) == 1 and live_messages(room, ann) != [table]
        assert all("Hand #2" in player.dms() for player in (ann, bo))
