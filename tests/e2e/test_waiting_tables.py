"""Tables that wait for days, through the real bot: a thread of their own, one new message an action, and reminders."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.runtime.store_errors import StoreFailed
from bot.surfaces.waiting.reminders import TurnReminders
from bot.table.state import AfterHand, SeatStatus
from bot.text.quiet_hours import parse_quiet_hours
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.test_choices_survive_restart import restarting_bot
from tests.e2e.test_faults import live_messages
from tests.e2e.test_preselection import _SECRET, texts_shown_to
from tests.e2e.test_rooms import follow, threads
from tests.support.discord_double import Player
from tests.support.failing import fail_once, hang
from tests.surfaces.test_table_moves import new_messages

DAY = 86_400


async def waiting_table(room: BotSession, *players: Player, seconds: int = DAY, deals: bool = True) -> str:
    """Open a table whose turns can take days; its people sit down. Returns its thread."""
    first, *others = players
    first.go("poker")
    await first.slash("play", seconds=seconds, big_blind="20")
    thread = threads(room)[-1]["id"]
    await follow(thread, *players, room.discord.you)
    for player in others:
        await player.slash("sit")
    if deals:
        await room.next_hand()
        await room.wait_until_idle()
    return str(thread)


@pytest.mark.law("WT-1")
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


@pytest.mark.law("WT-1")
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


@pytest.mark.law("WT-3", "TL-41")
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


async def test_reminder_outlives_ones_data_of_another_server(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await waiting_table(room, ann, bo)
        first = room.to_act(ann, bo)
        assert first is not None
        await after(room, DAY / 2 + 60)
        assert len(reminders(first)) == 1
        await room.dealer.parts.get(TurnReminders).forget(1, int(first.me["id"]))
        await room.press_at_table(first, "Call")
        await after(room, 1)
        assert not reminders(first)


@pytest.mark.law("WT-1")
async def test_new_message_is_not_drawn_again_at_once(tmp_path: Path) -> None:
    """Whom it called is nothing that anybody sees, so its next drawing is the same."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await waiting_table(room, ann, bo)
        first = room.to_act(ann, bo)
        assert first is not None
        await room.press_at_table(first, "Call")
        await room.wait_until_idle()
        room.discord.forget_requests()
        room.dealer.services.display.redraw(room.now.id)
        await after(room, 5)
        assert not room.discord.counts


@pytest.mark.law("WT-3")
@pytest.mark.parametrize("fails_at", [2, 3])
async def test_reminder_that_cannot_be_noted_costs_not_the_next_one(tmp_path: Path, fails_at: int) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await waiting_table(room, ann, bo)
        first = room.to_act(ann, bo)
        assert first is not None
        keep, notes = room.dealer.store.keep, list[str]()

        async def keep_but_once(key: str, value: bytes | None) -> None:
            notes.append(key.partition(".")[0])
            if key.startswith("reminder.") and notes.count("reminder") == fails_at:
                raise StoreFailed(reason="disk full")
            await keep(key, value)

        room.dealer.store.keep = keep_but_once  # type: ignore[method-assign]
        await after(room, DAY / 2 + 60)
        (half,) = reminders(first)
        await after(room, DAY / 2 - 3600)
        (last,) = reminders(first)
        assert last != half


@pytest.mark.law("WT-3")
async def test_last_reminder_is_sent_after_a_passing_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await waiting_table(room, ann, bo, seconds=3600)
        first = room.to_act(ann, bo)
        assert first is not None
        fail_once(monkeypatch, room.dealer.services.bank, "house_rules")
        await after(room, 1801)
        assert not reminders(first)
        await after(room, 61)
        assert len(reminders(first)) == 1
        await after(room, 600)
        assert len(reminders(first)) == 1


@pytest.mark.law("WT-3")
@pytest.mark.parametrize("saved", [False, True])
async def test_reminder_of_a_killed_dealer_comes_once(tmp_path: Path, *, saved: bool) -> None:
    """It was noted that it is about to be sent, or it was sent and that was not noted."""
    async with restarting_bot(tmp_path) as told:
        async with told.life(waits=False) as room:
            ann, bo = await room.people("Ann", "Bo")
            await waiting_table(room, ann, bo)
            first = room.to_act(ann, bo)
            assert first is not None
            keep, died = room.dealer.store.keep, asyncio.Event()

            async def keep_once(key: str, value: bytes | None) -> None:
                if key.startswith("reminder.") and (died.is_set() or saved):
                    died.set()
                    await hang()
                await keep(key, value)
                if key.startswith("reminder."):
                    died.set()
                    await hang()

            async def keep_the_note(key: str, value: bytes | None) -> None:
                await keep(key, value)
                if key.startswith("reminder."):
                    room.dealer.store.keep = keep_once  # type: ignore[method-assign]

            room.dealer.store.keep = keep_the_note if saved else keep_once  # type: ignore[method-assign]
            room.clock.skip(DAY / 2 + 60)
            await asyncio.wait_for(died.wait(), 10)
        async with told.life() as room:
            await after(room, 120)
            assert len(reminders(first)) == 1
            await after(room, 600)
            assert len(reminders(first)) == 1


@pytest.mark.law("WT-3", "TL-41")
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


@pytest.mark.law("WT-3", "TL-41")
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


@pytest.mark.law("WT-3", "TL-41")
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


@pytest.mark.law("WT-2")
async def test_written_lines_act_later_and_are_shown_to_nobody(tmp_path: Path) -> None:
    """Bo writes, in My hand: call up to 60. The others' pages hear nothing of it, before or after."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await waiting_table(room, ann, bo)
        first, other = (ann, bo) if room.to_act(ann, bo) is ann else (bo, ann)
        since = {player: len(player.frames) for player in (first, room.discord.you)}
        shown = await other.click("👁")
        assert "Nobody else ever sees it." in shown and "[Call up to…]" in shown
        await other.click("Call up to…", within="My hand #")
        noted = await other.submit({"The most chips you put in": "60"})
        assert "**Noted: call up to 60, else fold.**" in noted
        for player, frames in since.items():
            assert texts_shown_to(player, frames) == "", "nobody's page has stirred"
        await first.slash("raise", to="80")
        await room.wait_until_idle()
        assert room.to_act(first, other) is other
        room.clock.skip(300)
        await room.wait_for_text("### Flop")
        assert room.now.hand is not None and room.now.hand.pot == 160
        assert not _SECRET.search(texts_shown_to(room.discord.you, since[room.discord.you]))
        assert "Noted" not in texts_shown_to(first, since[first])
        room.check_leaks()


@pytest.mark.law("WT-2")
async def test_writer_alone_is_told_that_a_line_lapsed(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await waiting_table(room, ann, bo)
        first, other = (ann, bo) if room.to_act(ann, bo) is ann else (bo, ann)
        await other.click("👁")
        assert "**Noted: check it down.**" in await other.click("Check it down", within="My hand #")
        since = {player: len(player.frames) for player in (first, room.discord.you)}
        await first.slash("raise", to="80")
        await after(room, 1)
        assert "You'd planned to check it down, but it's 60 to call now.\nIt's still your turn in <#" in other.dms()
        assert not _SECRET.search(texts_shown_to(room.discord.you, since[room.discord.you]))
        assert "planned" not in texts_shown_to(first, since[first])
        await room.press_own(other, "Fold")
        await after(room, 1)
        assert "planned" not in other.dms(), "what was said of the turn goes with it"


async def test_next_table_that_waits_is_one_press_away(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        first = await waiting_table(room, ann, bo, seconds=DAY)
        second = await waiting_table(room, ann, bo, seconds=3600, deals=False)
        tables = room.dealer.tables.all_tables
        room.clock.skip(10)
        await room.wait_until(lambda: all(one.hand_running for one in tables()))
        await room.wait_until_idle()
        waiting = {one.address.channel: one.current_turn.user for one in tables() if one.current_turn is not None}
        both = {int(first), int(second)}
        assert waiting.keys() == both
        for player in (ann, bo):
            own = [channel for channel, user in waiting.items() if user == int(player.me["id"])]
            page = await player.slash("me")
            assert ("Next table" in page) is bool(own)
            if len(own) == 2:
                assert f"2 tables wait for you. The next is <#{second}>" in page, "the one whose turn ends first"
                player.here = second
                await player.click("Call", within="Pre-flop")
                await room.wait_until_idle()
                assert f"1 table waits for you: <#{first}>" in player.screen()


@pytest.mark.law("WT-1")
async def test_vacation_holds_at_all_tables_that_wait(tmp_path: Path) -> None:
    """Ann goes on vacation from `/me` in the middle of a hand; a restart forgets nothing, and she is back by herself."""
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            ann, bo, cy = await room.people("Ann", "Bo", "Cy")
            await waiting_table(room, ann, bo, cy)
            assert "Vacation · **none**" in await ann.slash("me") and "14 days left" in ann.screen()
            await ann.slash("me", page="vacation")
            assert "Choose from 1 to 14 days" in await ann.submit({"Vacation": "15"})
            await ann.slash("me", page="vacation")
            told_of_it = await ann.submit({"Vacation": "3 days"})
            assert "Vacation · **ends <t:" in told_of_it and "duels and game nights go on without you" in told_of_it
            seat = next(one for one in room.now.table.seats if one.player == int(ann.me["id"]))
            assert seat.after_hand is AfterHand.SIT_OUT
        async with told.life() as room:
            while room.now.hand_running:
                assert await room.act("Fold", ann, bo, cy)
                await room.wait_until_idle()
            await room.next_hand()
            assert int(ann.me["id"]) not in room.now.dealt_users
            room.clock.skip(3 * DAY)
            await room.wait_until(lambda: all(one.status is not SeatStatus.SITTING_OUT for one in room.now.table.seats))
            await room.wait_until_idle()
            assert "11 days left" in await ann.slash("me")
