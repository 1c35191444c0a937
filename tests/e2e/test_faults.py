"""When something goes wrong in Discord, nobody loses a chip and play goes on."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.test_choices_survive_restart import restarting_bot
from tests.support.discord_double import EPHEMERAL, Player, Refused


async def two(room: BotSession) -> tuple[Player, Player]:
    """Return Ann and Bo at a table with the first hand dealt."""
    ann, bo = await room.people("Ann", "Bo")
    await room.open_and_sit(ann, bo)
    await room.next_hand()
    await room.wait_until_idle()
    return ann, bo


def poker(room: BotSession) -> str:
    return room.discord.channel("poker")


async def test_deleted_table_message_comes_back_by_itself(tmp_path: Path) -> None:
    """A moderator deletes the table's message in the middle of a hand, and later the one that came instead."""
    async with bot_session(tmp_path) as room:
        ann, bo = await two(room)
        first = _live(ann)
        await room.discord.controls.delete_message(poker(room), first)
        await ann.wait_for(lambda: _live(ann) not in {"", first}, "the table")
        await room.act("Call", ann, bo)
        await room.wait_for_text("[Check]")
        second = _live(ann)
        await room.discord.controls.delete_message(poker(room), second)
        await ann.until_gone("[Check]")
        room.clock.skip(30)
        await ann.wait_for(lambda: _live(ann) not in {"", second}, "the table")
        assert await room.check_down(ann, bo) == 7


async def test_table_buried_under_chat_moves_to_the_bottom(tmp_path: Path) -> None:
    """Five messages below it are borne, the sixth is not; thirty seconds pass before it moves again."""
    async with bot_session(tmp_path) as room:
        ann, bo = await two(room)
        first = _live(ann)
        await chat(room, ann, "one", "two", "three")
        await chat(room, bo, "four", "five")
        await room.wait_until_idle()
        assert _live(ann) == first
        room.discord.forget_requests()
        await chat(room, bo, "six")
        await ann.wait_for(lambda: _live(ann) not in {"", first}, "the table")
        await ann.wait_for(lambda: first not in ann.messages[ann.here], "the old message to go")
        await room.wait_until_idle()
        assert requests_in_channel(room) == ["POST", "DELETE"]
        assert _live(ann) == _newest(ann)["id"]

        second = _live(ann)
        room.discord.controls.advance(6)  # people can write again
        await chat(room, ann, "one", "two", "three")
        await chat(room, bo, "four", "five", "six", "seven")
        await room.wait_until_idle()
        assert _live(ann) == second
        room.clock.skip(30)
        await ann.wait_for(lambda: _live(ann) not in {"", second}, "the table")
        assert await room.check_down(ann, bo) == 8


async def test_waiting_table_moves_only_when_something_happens(tmp_path: Path) -> None:
    """Chat alone leaves it where it is; the table that somebody sits down at comes to the bottom, once in thirty seconds."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("play", sit=False)
        await room.wait_until_idle()
        room.discord.forget_requests()
        await chat(room, ann, "one", "two", "three", "four")
        await chat(room, bo, "one", "two", "three", "four")
        await room.wait_until_idle()
        assert not requests_in_channel(room)

        await bo.slash("sit")
        await room.wait_until_idle()
        assert requests_in_channel(room) == ["POST", "DELETE"]
        assert "Waiting for one more player" in ann.render(_newest(ann))

        room.discord.controls.advance(6)  # people can write again
        await chat(room, ann, "one", "two", "three")
        await chat(room, bo, "four", "five", "six")
        await bo.slash("seat", what="sit out")
        await room.wait_until_idle()
        assert requests_in_channel(room) == ["POST", "DELETE", "PATCH"]
        room.clock.skip(30)
        await ann.wait_for(lambda: "Bo sits out" in ann.render(_newest(ann)), "the table")
        await room.wait_until_idle()
        assert requests_in_channel(room) == ["POST", "DELETE", "PATCH", "POST", "DELETE"]


async def chat(room: BotSession, player: Player, *texts: str) -> None:
    """Write in the table's channel; returns when the dealer has heard of it."""
    for text in texts:
        await player.ask("say", channel_id=poker(room), text=text)
    await player.slash("me", page="chips")  # events come in order


def requests_in_channel(room: BotSession) -> list[str]:
    """The methods of the bot's requests about messages of the table's channel."""
    return [one.method for one in room.discord.requests if one.path.startswith(f"/channels/{poker(room)}/")]


@pytest.mark.law("I-1")
async def test_table_says_that_a_hand_was_lost_with_its_cards(tmp_path: Path) -> None:
    """The secret of the decks is gone, as after a copy was put back without it: the bets are back, and people read so."""
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            ann, _ = await two(room)
        for key in tmp_path.rglob("master.key"):
            key.unlink()
        async with told.life() as room:
            await ann.until("The bot restarted. Hand #1 was cancelled, all bets returned.")
            assert all(seat.stack == 10_000 for seat in room.now.table.seats)


@pytest.mark.parametrize("is_killed", [True, False])
async def test_table_says_that_the_dealer_is_away_and_back(tmp_path: Path, is_killed: bool) -> None:
    """Presses in between fail; afterwards the same button does what it says. A dealer that is stopped, not killed, says so before."""
    away = "The dealer is away. The clocks stand still"
    async with restarting_bot(tmp_path) as told:
        async with told.life(is_killed=is_killed) as room:
            ann, bo = await two(room)
            turn = room.now.current_turn
            assert turn is not None
            caller = room.to_act(ann, bo)
            assert caller is not None
        assert (away in ann.screen()) is not is_killed
        assert "[Call 50]" in ann.screen()
        with pytest.raises(Refused, match="This interaction failed"):
            await caller.click("Call 50")
        async with told.life() as room:
            await ann.until(f"The bot restarted. Hand #1 goes on, it is **{caller.name}**'s turn.")
            await ann.until_gone(away)
            assert room.now.current_turn is not None and room.now.current_turn.turn_ends_at >= turn.turn_ends_at
            await caller.click("Call 50")
            await room.wait_for_text("[Check]")
            assert room.now.decision_number == 1


async def test_a_deleted_channel_closes_its_table_and_pays_everybody(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, _ = await two(room)
        room.discord.controls.delete_channel(poker(room))
        ann.go("lobby")
        await room.wait_until(lambda: not room.dealer.tables.all_tables())
        assert "Your chips: 10,000" in await ann.slash("me", page="chips")
        assert "No table is open" in await ann.slash("lobby")


async def test_thread_archived_in_mid_hand_is_opened_at_once(tmp_path: Path) -> None:
    """Discord says so (THREAD_UPDATE). A new message opens the thread: no edit is tried that Discord refuses, nobody has to act first."""
    async with bot_session(tmp_path) as room:
        people = ann, bo = await room.people("Ann", "Bo")
        found = room.discord.controls.add_thread(poker(room), "high stakes")
        thread = found["id"]
        for player in (room.discord.you, *people):
            await player.wait_for(lambda p=player: thread in p.messages, "the thread")  # type: ignore[misc]
            player.go("high stakes")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        await room.wait_until_idle()
        before, turn = _live(ann), room.now.decision_number
        room.discord.forget_requests()
        room.discord.controls.archive_thread(thread)
        await ann.wait_for(lambda: _live(ann) not in {"", before}, "the table, in the thread that is open again")
        await ann.wait_for(lambda: before not in ann.messages[thread], "the old message to go")
        assert room.now.decision_number == turn and not found["thread_metadata"]["archived"]
        await room.wait_until_idle()
        made = [
            (one.method, one.status)
            for one in room.discord.requests
            if "/messages" in one.path or "webhooks" in one.path
        ]
        assert made == [("POST", 200), ("DELETE", 204)]


async def test_table_in_a_thread_outlives_its_archiving(tmp_path: Path) -> None:
    """An archived thread takes no edits (50083), but a new message opens it again. A locked one takes neither until it is unlocked."""
    closed = {"message": "Thread is archived", "code": 50083}
    async with bot_session(tmp_path) as room:
        people = ann, bo = await room.people("Ann", "Bo")
        thread = room.discord.controls.add_thread(poker(room), "high stakes")["id"]
        for player in (room.discord.you, *people):
            await player.wait_for(lambda p=player: thread in p.messages, "the thread")  # type: ignore[misc]
            player.go("high stakes")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        await room.wait_until_idle()
        before = _live(ann)
        room.discord.controls.archive_thread(thread)
        room.discord.fails("PATCH", rf"/.*/messages/{before}", status=400, body=closed)
        caller = room.to_act(*people)
        assert caller is not None
        await caller.slash("call")
        await ann.wait_for(lambda: _live(ann) not in {"", before}, "the table, in the thread that is open again")
        await ann.wait_for(lambda: before not in ann.messages[thread], "the old message to go")
        await room.check_down(*people)
        await room.wait_until_idle()

        room.discord.controls.archive_thread(thread, locked=True)
        room.discord.fails("PATCH", r"/(channels|webhooks)/.*/messages/.+", status=400, body=closed, times=99)
        room.discord.fails("POST", r"/webhooks/[^/]+/[^/]+", status=400, body=closed, times=99)
        await room.deal()
        await room.wait_until_idle()
        assert not _live(ann)
        room.discord.controls.clear_faults()
        room.discord.controls.archive_thread(thread, archived=False)
        await ann.wait_for(lambda: bool(_live(ann)), "the table, once a moderator has unlocked the thread")
        await room.check_down(*people)
        room.discord.controls.delete_thread(thread)
        await room.wait_until(lambda: not room.dealer.tables.all_tables())
        guild = int(next(iter(room.discord.stand_in.world.guilds)))
        holdings = [await room.dealer.bank.holdings(guild, int(player.me["id"])) for player in people]
        assert sum(each.wallet for each in holdings) == 20_000


async def test_without_permission_to_write_the_old_message_goes_on(tmp_path: Path) -> None:
    """A click still redraws its message, which needs no permission. The next hand takes the message of the last one."""
    async with bot_session(tmp_path) as room:
        ann, bo = await two(room)
        room.discord.controls.set_overwrite(poker(room), deny=["send_messages"])
        await room.check_down(ann, bo)
        await room.wait_for_text("wins")
        await room.next_hand(2)
        assert await room.check_down(ann, bo) == 8
        room.discord.controls.set_overwrite(poker(room))
        await room.next_hand(3)
        assert "no table was opened" not in ann.screen()


async def test_table_does_not_open_without_permission_to_write(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        room.discord.controls.set_overwrite(poker(room), deny=["send_messages"])
        assert "The dealer can't write in this channel" in await ann.slash("play", sit=False)
        assert not room.dealer.tables.all_tables()


async def test_late_answer_is_redrawn_with_the_bot_token(tmp_path: Path) -> None:
    """After error 10062 the click counts, it is saved, and the table is redrawn with the bot's token."""
    async with bot_session(tmp_path) as room:
        ann, bo = await two(room)
        caller = room.to_act(ann, bo)
        assert caller is not None
        gone = {"message": "Unknown interaction", "code": 10062}
        room.discord.fails("POST", r"/interactions/.*/callback", status=404, body=gone)
        message = next(one for one in caller.visible() if "▶ `" in caller.render(one))
        call = next(button for button in _ids(message) if ":call:" in button)
        clicking = asyncio.create_task(caller.press(message, call))
        await room.wait_for_text("[Check]")
        clicking.cancel()
        assert room.now.decision_number == 1


async def test_lost_answer_is_sent_again_in_time(tmp_path: Path) -> None:
    """The connection breaks before or after Discord has the answer: the player sees it, and the action counts once."""
    async with bot_session(tmp_path) as room:
        ann, bo = await two(room)
        room.discord.fails("POST", r"/interactions/.*/callback", drop=True)
        await room.act("Call", ann, bo)
        await room.wait_for_text("[Check]")
        room.discord.fails("POST", r"/interactions/.*/callback", drop=True, after=True)
        await room.act("Check", ann, bo)
        await room.wait_for_text("Flop")
        assert room.now.decision_number == 2
        for after in (False, True):
            room.discord.fails("POST", r"/interactions/.*/callback", drop=True, after=after)
            assert "Your chips" in await ann.slash("me", page="chips")


@pytest.mark.parametrize("after", [False, True], ids=["request lost", "reply lost"])
@pytest.mark.parametrize("echoes", [True, False], ids=["the gateway tells", "the history tells"])
async def test_table_that_is_opened_late_appears_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, after: bool, echoes: bool
) -> None:
    """Every event is late, so the table follows a deferred answer; what becomes of that message stays unknown for a second."""
    async with bot_session(tmp_path) as room:
        line = room.dealer.services.discord_api
        monkeypatch.setattr(line.by_token, "seconds_left", lambda interaction: 0.0)
        if not echoes:
            monkeypatch.setattr(line.echoes, "find", lambda *_: 0)
        (ann,) = await room.people("Ann")
        room.discord.fails("POST", r"/webhooks/.*", drop=True, after=after)
        await ann.slash("play", sit=False, game="hold'em")
        await room.wait_until_idle()
        tables = [message for message in ann.visible() if "Take a seat" in ann.render(message)]
        assert len(tables) == 1
        assert room.dealer.services.display.is_table_message(room.now.address.channel, int(tables[0]["id"])), (
            "it is the one that lives on"
        )


async def test_nudge_follows_a_table_that_moves(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await two(room)
        room.clock.skip(8)
        await ann.until("your turn — 50 to call")
        await chat(room, ann, "one", "two", "three")
        await chat(room, bo, "four", "five", "six")
        await room.wait_until_idle()

        def nudges() -> list[str]:
            return [one["content"] for one in ann.visible() if "your turn" in one["content"]]

        await ann.wait_for(lambda: f"/{poker(room)}/{_live(ann)})" in "".join(nudges()), "the new link")
        assert len(nudges()) == 1


async def test_a_slow_save_is_deferred_in_time(tmp_path: Path) -> None:
    """No click waits three seconds for an answer: it is acknowledged, and its redraw follows."""
    async with bot_session(tmp_path) as room:
        ann, bo = await two(room)
        caller = room.to_act(ann, bo)
        assert caller is not None
        commit = room.dealer.store.commit

        async def slow(saved):  # type: ignore[no-untyped-def]
            await asyncio.sleep(2.4)
            return await commit(saved)

        room.dealer.store.commit = slow  # type: ignore[method-assign]
        await caller.click("Call")
        room.dealer.store.commit = commit  # type: ignore[method-assign]
        await room.wait_for_text("[Check]")
        answers = [one for one in room.discord.requests if one.path.endswith("/callback")]
        assert answers[-1].request_body["type"] == 6


async def test_server_errors_and_rate_limits_do_not_stop_play(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await two(room)
        limited = {"message": "You are being rate limited.", "retry_after": 0.3, "global": False}
        room.discord.fails("POST", r"/channels/\d+/messages", status=429, body=limited, times=2)
        room.discord.fails("PATCH", r"/channels/\d+/messages/\d+", status=502, times=1)
        await room.check_down(ann, bo)
        await room.wait_for_text("wins")
        await room.next_hand(2)
        assert await room.check_down(ann, bo) == 8


async def test_edits_of_an_old_message_move_to_a_new_one(tmp_path: Path) -> None:
    """Discord answers 30046, or a hand lasts more than fifty minutes."""
    async with bot_session(tmp_path) as room:
        ann, bo = await two(room)
        old = {"message": "Maximum number of edits to messages older than 1 hour reached.", "code": 30046}
        before = _live(ann)
        room.discord.fails("PATCH", rf"/.*/messages/{before}", status=400, body=old)
        caller = room.to_act(ann, bo)
        assert caller is not None
        await caller.slash("call")
        await ann.wait_for(lambda: _live(ann) not in {"", before}, "a new message")
        await room.wait_until_idle()
        assert live_messages(room, ann) == [_live(ann)]


async def test_a_hand_of_an_hour_moves_to_a_new_message(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo, seconds=3_599)
        await room.next_hand()
        before = _live(ann)
        room.clock.skip(51 * 60)
        await room.act("Call", ann, bo)
        await ann.wait_for(lambda: _live(ann) not in {"", before}, "a new message")
        await room.wait_until_idle()
        assert sum("▶ `" in ann.render(one) for one in ann.visible()) == 1


async def test_broken_gateway_resumes_without_repeating_anything(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await two(room)
        room.discord.controls.drop_gateway()
        await room.discord.bot_gone()
        await room.discord.bot_ready(15)
        assert await room.check_down(ann, bo) == 8


async def test_a_click_that_is_delivered_twice_counts_once(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await two(room)
        caller = room.to_act(ann, bo)
        assert caller is not None
        message = next(one for one in caller.visible() if "▶ `" in caller.render(one))
        call = next(button for button in _ids(message) if ":call:" in button)
        await room.late_click(caller, message, call, times=3)
        await room.wait_until_idle()
        assert room.now.decision_number == 1


async def test_member_who_left_the_server_leaves_its_tables(tmp_path: Path) -> None:
    """Their first direct message cannot be sent. A later one is an edit; then they are looked up at their turn."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        room.discord.controls.remove_member(bo.me["id"])
        await room.next_hand()
        await room.wait_until_idle()
        if room.now.hand_running and room.to_act(ann) is ann:
            await room.act("Call", ann)
        await room.wait_until(lambda: [seat.name for seat in room.now.table.seats] == ["Ann"])
        await room.wait_for_text("Ann wins")


async def test_internal_fault_is_admitted_and_the_table_continues(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await two(room)
        caller = room.to_act(ann, bo)
        assert caller is not None
        answers = room.dealer.services.display.answers
        answer = answers.answer

        async def broken(*_: Any) -> None:
            answers.answer = answer  # type: ignore[method-assign]
            raise ZeroDivisionError

        answers.answer = broken  # type: ignore[method-assign]
        await caller.click("Call")
        await caller.until("Something went wrong on our side")
        await room.wait_for_text("[Check]")


def _ids(message: dict[str, object]) -> list[str]:
    return re.findall(r'"custom_id":"([^"]+)"', msgspec.json.encode(message).decode())


def _newest(player: Player) -> dict[str, Any]:
    """The newest message that everybody sees."""
    return [one for one in player.visible() if not one["flags"] & EPHEMERAL][-1]


def live_messages(room: BotSession, player: Player) -> list[str]:
    """The messages that carry buttons of the only table."""
    start = f'"t:{room.now.id}:'.encode()
    public = [one for one in player.visible() if not one["flags"] & EPHEMERAL]
    return [one["id"] for one in public if start in msgspec.json.encode(one["components"])]


def _live(player: Player) -> str:
    return next((one["id"] for one in reversed(player.visible()) if "▶ `" in player.render(one)), "")
