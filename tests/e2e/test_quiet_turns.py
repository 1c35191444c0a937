"""Turns at tables that wait, in somebody's quiet hours: nothing makes a sound then, and they're called when these are over."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.text.quiet_hours import parse_quiet_hours
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.test_choices_survive_restart import restarting_bot
from tests.e2e.test_faults import live_messages
from tests.e2e.test_waiting_tables import DAY, after, reminders, waiting_table
from tests.support.discord_double import Player

HOUR = 3600
SILENT = 1 << 12


async def be_quiet(room: BotSession, player: Player, hours: int) -> None:
    """Let the quiet hours of a player be the full hours from this one on."""
    hour = room.clock.now() // 1000 // HOUR
    span = parse_quiet_hours(f"{hour % 24}:00-{(hour + hours) % 24}:00")
    await room.dealer.services.preferences.set_quiet_hours(int(player.me["id"]), str(span))


async def until_quiet_ends(room: BotSession, hours: int, begun: int) -> None:
    """Let the time pass until a minute after quiet hours that began in the full hour of a time, in ms since the epoch."""
    end = (begun // 1000 // HOUR + hours) * HOUR
    await after(room, end + 60 - room.clock.now() / 1000)


def call_in_thread(room: BotSession, player: Player, thread: str) -> dict[str, Any]:
    """The table's message, as it calls."""
    (live,) = live_messages(room, player)
    (message,) = [one for one in player.visible(thread) if one["id"] == live]
    return message


async def first_and_other(room: BotSession, *people: Player) -> tuple[Player, Player]:
    one, two = people
    return (one, two) if room.to_act(*people) is one else (two, one)


@pytest.mark.law("WT-3")
async def test_turn_in_quiet_hours_is_called_when_they_end(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        people = await room.people("Ann", "Bo")
        thread = await waiting_table(room, *people)
        first, other = await first_and_other(room, *people)
        begun = room.clock.now()
        await be_quiet(room, other, 6)
        await room.press_at_table(first, "Call")
        await after(room, 1)
        silent = call_in_thread(room, other, thread)
        assert not silent["mentions"] and silent["flags"] & SILENT
        await after(room, HOUR)
        assert not reminders(other)
        await until_quiet_ends(room, 6, begun)
        (called,) = [one for one in other.visible(other.dm_channels[-1]) if "still your turn" in other.render(one)]
        assert not called["flags"] & SILENT
        await after(room, DAY / 2 - 4 * HOUR)
        (half,) = reminders(other)
        assert half != called["id"], "the reminder at half the clock comes too"
        while room.to_act(*people) is other:
            await room.press_at_table(other, "Check")
        await after(room, 1)
        assert not reminders(other)
        assert [one["id"] for one in call_in_thread(room, other, thread)["mentions"]] == [first.me["id"]]


@pytest.mark.law("WT-3")
async def test_whoever_acts_in_quiet_hours_is_not_called_later(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        people = await room.people("Ann", "Bo")
        await waiting_table(room, *people)
        first, other = await first_and_other(room, *people)
        begun = room.clock.now()
        await be_quiet(room, other, 6)
        await room.press_at_table(first, "Call")
        await after(room, HOUR)
        while room.to_act(*people) is other:
            await room.press_at_table(other, "Check")
        await until_quiet_ends(room, 6, begun)
        assert not reminders(other)


@pytest.mark.law("WT-3")
async def test_restart_neither_repeats_nor_loses_the_call(tmp_path: Path) -> None:
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            people = await room.people("Ann", "Bo")
            await waiting_table(room, *people)
            first, other = await first_and_other(room, *people)
            begun = room.clock.now()
            await be_quiet(room, other, 6)
            await room.press_at_table(first, "Call")
            await after(room, 1)
            assert not reminders(other)
        async with told.life() as room:
            await until_quiet_ends(room, 6, begun)
            call = reminders(other)
            assert len(call) == 1
        async with told.life() as room:
            await after(room, HOUR)
            assert reminders(other) == call


@pytest.mark.law("WT-3", "TL-41")
async def test_clock_runs_in_quiet_hours(tmp_path: Path) -> None:
    """A clock that ends in them has no later call: the reminder at its half comes without a sound, and the time runs out."""
    async with bot_session(tmp_path) as room:
        people = await room.people("Ann", "Bo")
        await waiting_table(room, *people, seconds=HOUR)
        first, other = await first_and_other(room, *people)
        await be_quiet(room, other, 12)
        await room.press_at_table(first, "Call")
        await after(room, HOUR / 2 + 60)
        (half,) = [one for one in other.visible(other.dm_channels[-1]) if "still your turn" in other.render(one)]
        assert half["flags"] & SILENT
        await after(room, HOUR / 2 + 120)
        await other.until(f"Time is up: {other.name} checks.")


@pytest.mark.law("WT-3")
async def test_player_without_dms_is_called_in_the_thread(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        people = await room.people("Ann", "Bo")
        thread = await waiting_table(room, *people)
        first, other = await first_and_other(room, *people)
        await room.dealer.services.preferences.set_dms(int(other.me["id"]), wanted=False)
        begun = room.clock.now()
        await be_quiet(room, other, 6)
        await room.press_at_table(first, "Call")
        await until_quiet_ends(room, 6, begun)
        (called,) = [one for one in other.visible(thread) if "still your turn" in other.render(one)]
        assert [one["id"] for one in called["mentions"]] == [other.me["id"]] and not called["flags"] & SILENT


@pytest.mark.law("WT-3")
async def test_quiet_hours_of_the_server_hold_too(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        people = await room.people("Ann", "Bo")
        thread = await waiting_table(room, *people)
        first, other = await first_and_other(room, *people)
        begun = room.clock.now()
        hour = begun // 1000 // HOUR
        await room.discord.you.fill_in("house", page="quiet", quiet=f"{hour % 24}:00-{(hour + 6) % 24}:00")
        await room.press_at_table(first, "Call")
        await after(room, 1)
        assert not call_in_thread(room, other, thread)["mentions"]
        await until_quiet_ends(room, 6, begun)
        assert len(reminders(other)) == 1


@pytest.mark.law("WT-2", "WT-3")
async def test_line_that_lapsed_at_night_keeps_the_call(tmp_path: Path) -> None:
    """Its writer reads at once, without a sound, that it came to nothing; they're called when their quiet hours end."""
    async with bot_session(tmp_path) as room:
        people = await room.people("Ann", "Bo")
        await waiting_table(room, *people)
        first, other = await first_and_other(room, *people)
        await other.click("👁")
        await other.click("Check it down", within="My hand #")
        begun = room.clock.now()
        await be_quiet(room, other, 6)
        await first.slash("raise", to="80")
        await after(room, 1)
        (lapsed,) = [one for one in other.visible(other.dm_channels[-1]) if "planned" in other.render(one)]
        assert lapsed["flags"] & SILENT
        await until_quiet_ends(room, 6, begun)
        (called,) = [one for one in other.visible(other.dm_channels[-1]) if "still your turn" in other.render(one)]
        assert called["id"] != lapsed["id"] and not called["flags"] & SILENT


@pytest.mark.law("WT-3")
async def test_call_outlives_a_kill_before_it_is_noted(tmp_path: Path) -> None:
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            people = await room.people("Ann", "Bo")
            await waiting_table(room, *people)
            first, other = await first_and_other(room, *people)
            begun = room.clock.now()
            await be_quiet(room, other, 6)
            keep = room.dealer.store.keep

            async def keep_no_reminder(key: str, value: bytes | None) -> None:
                if not key.startswith("reminder."):
                    await keep(key, value)

            room.dealer.store.keep = keep_no_reminder  # type: ignore[method-assign]
            await room.press_at_table(first, "Call")
            await after(room, 1)
        async with told.life() as room:
            await until_quiet_ends(room, 6, begun)
            assert len(reminders(other)) == 1
