"""Tables that wait for days, through the real bot: a thread of their own, one new message an action, and reminders."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.table.state import SeatStatus
from bot.text.quiet_hours import parse_quiet_hours
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.test_choices_survive_restart import restarting_bot
from tests.e2e.test_faults import live_messages
from tests.e2e.test_rooms import follow, threads
from tests.support.discord_double import Player
from tests.surfaces.test_table_moves import new_messages

DAY = 86_400


async def waiting_table(room: BotSession, *players: Player, seconds: int = DAY) -> str:
    """Open a table whose turns can take days; its people sit down. Returns its thread."""
    first, *others = players
    await first.slash("play", seconds=seconds)
    thread = threads(room)[-1]["id"]
    await follow(thread, *players, room.discord.you)
    for player in others:
        await player.slash("sit")
    await room.next_hand()
    await room.wait_until_idle()
    return str(thread)


@pytest.mark.law("TL-32")
async def test_form_offers_days_and_opens_a_thread(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("play")
        answer = await ann.submit({"Time to act": str(3 * DAY)})
        (thread,) = threads(room)
        assert f"Your table is open: <#{thread['id']}>." in answer
        await follow(thread["id"], ann, bo)
        assert "3 days per action" in await bo.slash("table")
        ann.go("poker")
        await ann.slash("play", sit=False, big_blind="2")
        shown = await ann.slash("table", page="settings")
        assert "Time to act: **30 s**" in shown
        await ann.select("Change…", "turn_seconds")
        assert "the table has a thread of its own" in await ann.select("Time to act…", str(DAY))


@pytest.mark.law("TL-32")
async def test_each_action_is_one_new_message_that_calls(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        thread = await waiting_table(room, ann, bo)
        for label in ("Call", "Check", "Check", "Check"):
            (before,) = live_messages(room, ann)
            player = room.to_act(ann, bo)
            assert player is not None
            room.clock.skip(DAY / 3)
            room.discord.forget_requests()
            await room.press_at_table(player, label)
            await room.wait_until_idle()
            (after,) = live_messages(room, ann)
            next_one = room.to_act(ann, bo)
            assert next_one is not None and after != before
            assert len(new_messages(room)) == 1, new_messages(room)
            (message,) = [one for one in ann.visible(thread) if one["id"] == after]
            assert [one["id"] for one in message["mentions"]] == [next_one.me["id"]]


def reminders(player: Player) -> dict[str, str]:
    """What a player is told of their turns in direct messages, by the message."""
    shown = {one["id"]: player.render(one) for channel in player.dm_channels for one in player.visible(channel)}
    return {message: text for message, text in shown.items() if "still your turn" in text}


async def after(room: BotSession, seconds: float) -> None:
    """Let time pass at a table that waits, and everything come that is due."""
    room.clock.skip(seconds)
    await room.wait_until_idle()
    await asyncio.sleep(0.05)
    await room.wait_until_idle()


@pytest.mark.law("TL-41")
async def test_reminders_at_half_the_clock_and_in_its_last_hour(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await waiting_table(room, ann, bo)
        first, other = (ann, bo) if room.to_act(ann, bo) is ann else (bo, ann)
        await after(room, DAY / 2 - 60)
        assert not reminders(first)
        await after(room, 120)
        (half,) = reminders(first).values()
        assert "then the dealer folds your hand. [Go to table](" in half
        await after(room, DAY / 2 - 3600 - 240)
        assert len(reminders(first)) == 1, "the second comes an hour before the end"
        await after(room, 240)
        assert first.dms().count("still your turn") == 1, "the newer one takes the place of the older one"
        await room.press_at_table(first, "Call")
        await after(room, 1)
        assert not reminders(first) and not reminders(other)
        room.clock.skip(DAY + 120)  # with the time bank
        await first.until(f"Time is up: {other.name} checks.")
        assert [seat.status for seat in room.now.table.seats] == [SeatStatus.PLAYING] * 2


@pytest.mark.law("TL-41")
async def test_reminder_waits_for_the_end_of_quiet_hours(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await waiting_table(room, ann, bo)
        first = room.to_act(ann, bo)
        assert first is not None
        half = (room.clock.now() // 1000 + DAY // 2) % DAY
        span = f"{(half - 7200) // 3600 % 24}:00-{(half + 7200) // 3600 % 24}:00"
        await room.dealer.services.preferences.set_quiet_hours(int(first.me["id"]), str(parse_quiet_hours(span)))
        await after(room, DAY / 2 + 60)
        assert not reminders(first)
        await after(room, 2 * 3600)
        assert len(reminders(first)) == 1


@pytest.mark.law("TL-41")
async def test_player_without_dms_is_mentioned_in_the_thread(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await waiting_table(room, ann, bo, seconds=3600)
        first = room.to_act(ann, bo)
        assert first is not None
        await room.dealer.services.preferences.set_dms(int(first.me["id"]), wanted=False)
        await after(room, 1801)
        (told,) = [one for one in first.visible() if "still your turn" in first.render(one)]
        assert [one["id"] for one in told["mentions"]] == [first.me["id"]]
        await room.press_at_table(first, "Call")
        await after(room, 1)
        assert "still your turn" not in first.screen()


@pytest.mark.law("TL-41")
async def test_restart_neither_repeats_nor_loses_a_reminder(tmp_path: Path) -> None:
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            ann, bo = await room.people("Ann", "Bo")
            await waiting_table(room, ann, bo)
            first = room.to_act(ann, bo)
            assert first is not None
            await after(room, DAY / 2 + 60)
            half = reminders(first)
        async with told.life() as room:
            await room.wait_until_idle()
            assert reminders(first) == half
            assert not [one for one in first.visible() if "restart" in first.render(one).lower()]
            turn = room.now.current_turn
            assert turn is not None
            due = (turn.turn_ends_at - room.clock.now()) / 1000 - 3600
            await after(room, due - 30)
            assert reminders(first) == half
            await after(room, 60)
            assert len(reminders(first)) == 1 and reminders(first) != half
