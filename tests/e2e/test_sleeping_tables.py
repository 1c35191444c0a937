"""Tables that wait sleep in memory, with what is shown of them, and nobody notices: not by a request, a message or an answer."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.test_faults import live_messages
from tests.e2e.test_waiting_tables import DAY, after, reminders, waiting_table
from tests.support.discord_double import EPHEMERAL
from tests.surfaces.test_table_moves import new_messages


async def fall_asleep(room: BotSession) -> None:
    """Let half an hour pass in which nobody does anything, so that the table sleeps, and its message with it."""
    (session,) = room.dealer.tables._sessions.values()
    for seconds in (1200, *[61] * 12):
        room.clock.skip(seconds)
        await asyncio.sleep(0.01)
    assert session.is_asleep and not list(room.dealer.services.display._tables), "it is awake"


@pytest.mark.law("WT-1")
async def test_nobody_notices_that_a_table_sleeps(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await waiting_table(room, ann, bo)
        for label in ("Call", "Check", "Check"):
            first = room.to_act(ann, bo)
            assert first is not None
            before, decision = first.screen(), room.now.decision_number
            room.discord.forget_requests()
            await fall_asleep(room)
            assert first.screen() == before and not new_messages(room)
            await first.slash("me")
            assert f"/{live_messages(room, ann)[0]}" in str(first.visible()[-1]), (
                "/me leads to the message of a table that slept"
            )
            await fall_asleep(room)
            await room.press_at_table(first, label)
            await room.wait_until_idle()
            assert len(new_messages(room)) == 1 and len(live_messages(room, ann)) == 1
            assert room.now.decision_number == decision + 1


@pytest.mark.law("WT-3")
async def test_reminder_of_a_sleeping_table_goes_with_the_action(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await waiting_table(room, ann, bo)
        first = room.to_act(ann, bo)
        assert first is not None
        await fall_asleep(room)
        await after(room, DAY / 2)
        assert len(reminders(first)) == 1
        await fall_asleep(room)
        assert len(reminders(first)) == 1, "it is there while the table sleeps"
        await room.press_at_table(first, "Call")
        await after(room, 1)
        assert not reminders(first)


async def test_written_messages_count_while_a_table_sleeps(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        thread = await waiting_table(room, ann, bo)
        (before,) = live_messages(room, ann)
        for word in range(7):
            await fall_asleep(room)
            room.discord.controls.advance(6)  # people can write again
            await bo.ask("say", channel_id=thread, text=f"still thinking {word}")
            await room.wait_until_idle()
        (moved,) = live_messages(room, ann)
        assert moved != before, "seven messages below bury a table, however often it has slept between them"


async def test_all_that_is_shown_of_many_tables_is_put_away(tmp_path: Path) -> None:
    """Clicks can edit the messages of three tables when these fall asleep, and some minutes later they cannot any more."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        threads = [await waiting_table(room, ann, bo, deals=False) for _ in range(3)]
        await after(room, 61)
        for thread in threads:
            first = room.at(thread).to_act(ann, bo)
            assert first is not None
            first.here = thread
            await room.at(thread).press_at_table(first, "Call")
        tables = room.dealer.services.display._tables
        for _ in range(6):
            await after(room, 61)
        assert all(one.is_asleep for one in room.sessions) and len(list(tables)) == 3
        for _ in range(24):
            await after(room, 61)
        assert all(one.is_asleep for one in room.sessions) and not list(tables)


async def test_thread_that_is_deleted_meanwhile_closes_the_table(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        thread = await waiting_table(room, ann, bo)
        guild = room.now.address.guild
        await fall_asleep(room)
        room.discord.controls.delete_thread(thread)
        await after(room, 1)
        assert not room.sessions
        for player in (ann, bo):
            assert (await room.dealer.bank.holdings(guild, int(player.me["id"]))).wallet == 10_000


@pytest.mark.law("WT-1")
@pytest.mark.parametrize("locked", [False, True])
async def test_thread_that_is_archived_meanwhile_is_opened(tmp_path: Path, *, locked: bool) -> None:
    """At once where that can be done; a moderator has to unlock a locked one, and the table has slept until then."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        thread = await waiting_table(room, ann, bo)
        (before,) = live_messages(room, ann)
        await fall_asleep(room)
        room.discord.controls.archive_thread(thread, locked=locked)
        await after(room, 30)
        assert (live_messages(room, ann) == [before]) is locked
        if locked:
            await fall_asleep(room)
            room.discord.controls.archive_thread(thread, archived=False)
            await after(room, 30)
        first = room.to_act(ann, bo)
        assert first is not None
        await room.press_at_table(first, "Call")
        await room.wait_until_idle()
        assert len(live_messages(room, ann)) == 1 and room.now.decision_number == 1


@pytest.mark.law("TL-35")
async def test_presses_of_two_people_wake_a_table_once(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await waiting_table(room, ann, bo)
        first, other = (ann, bo) if room.to_act(ann, bo) is ann else (bo, ann)
        message, call = room._table_button(first, "Call")
        _, mine = room._table_button(other, "👁️ My hand")
        await fall_asleep(room)
        await asyncio.gather(
            first.press(message, call),
            other.press(message, mine),
            first.press(message, call),
            other.press(message, call),
        )
        await room.wait_until_idle()
        assert room.now.decision_number == 1 and room.to_act(ann, bo) is other
        assert len(live_messages(room, ann)) == 1 and room.has_panel(other)


async def test_looking_around_wakes_no_table(tmp_path: Path) -> None:
    """A lobby is drawn, lists are read and commands are typed in a server: what they show of a table that sleeps is right."""
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        thread = await waiting_table(room, ann, bo)
        staff = room.discord.you.go("lobby")
        await staff.slash("house", page="lobby")
        link = f"/{thread}/{live_messages(room, ann)[0]}"
        (session,) = room.sessions
        await fall_asleep(room)
        cy.go("lobby")
        assert "Table 1" in await cy.slash("lobby")
        assert "1 day per action" in await cy.click("Watch") and link in str(cy.visible()[-1])
        await ann.go("lobby").slash("me")
        assert f"<#{thread}>" in ann.screen()
        assert f"Go to <#{thread}>" in await cy.slash("help")
        await cy.slash("stats")
        await cy.go("poker").slash("play", sit=False, big_blind="20")
        cy.go("lobby")
        room.clock.skip(11)
        await cy.until("### Tables\n-# 2 tables")
        (board,) = [one for one in cy.visible() if "p:lobby:open" in str(one) and not one["flags"] & EPHEMERAL]
        assert "Table 2" in cy.render(board) and link in str(board)
        assert session.is_asleep and session.id not in room.dealer.services.display._tables._by_id


async def test_press_draws_the_panel_of_a_sleeping_table_anew(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await waiting_table(room, ann, bo)
        first = room.to_act(ann, bo)
        assert first is not None
        await room.open_panel(first)
        await fall_asleep(room)
        panels = room.dealer.services.hand_panels
        assert not panels._tables, "nothing can edit a panel of half an hour ago"
        await room.press_at_table(first, "👁️ My hand")
        await room.until_own_buttons(first)
        assert room.has_panel(first)
        await room.press_own(first, "Call")
        await room.wait_until_idle()
        assert room.to_act(ann, bo) is not first
