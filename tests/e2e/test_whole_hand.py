"""People play whole hands at one table with the real bot and the real discord.py."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from tests.e2e.bot_session import bot_session


async def test_two_people_play_a_hand_to_its_end(tmp_path: Path) -> None:
    """They go from `/play` to a paid pot by buttons alone."""
    async with bot_session(tmp_path, first_evening=True) as room:
        ann, bo = await room.people("Ann", "Bo")
        assert "Waiting for 2 players" in await ann.slash("play", sit=False)
        assert "You're in seat" in await ann.click("Take a seat")
        assert "Your cards come by DM" in await bo.click("Take a seat")
        await room.next_hand()
        assert "Pre-flop · Pot 150" in ann.screen()
        assert await room.check_down(ann, bo) == 8
        await room.wait_for_text("Next hand")
        assert re.search(r"(Ann|Bo) wins \d+", ann.screen())
        room.check_leaks()


async def test_the_cards_come_by_direct_message_and_in_my_hand(tmp_path: Path) -> None:
    async with bot_session(tmp_path, first_evening=True) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        for player in (ann, bo):
            await player.wait_for(lambda player=player: "Hand #1" in player.dms(), "the hole cards")  # type: ignore[misc]
            assert "Only you can see this" in await player.click("👁")
            assert "You have" not in player.screen()
        assert ann.dms() != bo.dms()
        room.check_leaks()


async def test_six_play_with_raises_side_pots_and_an_all_in(tmp_path: Path) -> None:
    async with bot_session(tmp_path, first_evening=True) as room:
        six = await room.people("Ann", "Bo", "Cy", "Dee", "Eve", "Flo")
        await six[0].slash("play", sit=False, seats=6)
        for number, (player, chips) in enumerate(
            zip(six, (2_000, 4_000, 6_000, 8_000, 10_000, 10_000), strict=True), 1
        ):
            assert f"**{chips:,}**" in await player.slash("sit", chips=str(chips), seat=number)
        await room.next_hand()
        first = room.to_act(*six)
        assert first is not None, "nobody is to act"
        await first.click("Raise…")
        await first.submit({"Raise to": "400"})
        await room.wait_for_text("raise to 400")
        await room.act("All-in", *six)
        while room.now.hand_running:
            caller = room.to_act(*six)
            assert caller is not None, "nobody is to act"
            calls = [label for label in caller.buttons() if label.startswith("Call") or label in {"Check", "Once"}]
            await caller.click(calls[-1])
        await room.wait_for_text("Next hand")
        view = room.now.hand
        assert view is not None and sum(seat.won for seat in view.seats) + (view.uncalled_bet_returned or (0, 0))[1] > 0
        assert sum(line.stack for line in room.now.table.seats) == 40_000
        room.check_leaks()


@pytest.mark.law("TL-35")
async def test_a_stale_button_and_a_double_click_do_nothing(tmp_path: Path) -> None:
    async with bot_session(tmp_path, first_evening=True) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        player = room.to_act(ann, bo)
        assert player is not None
        message = next(m for m in reversed(player.visible()) if "▶ `" in player.render(m))
        call = next(id_ for id_ in _ids(message) if ":call:" in id_)
        await player.press(message, call)
        turn = room.now.decision_number
        await room.late_click(player, message, call)
        await player.until("That was for an earlier action")
        assert room.now.decision_number == turn
        room.check_leaks()


def _ids(message: dict[str, object]) -> list[str]:
    return re.findall(r'"custom_id":"([^"]+)"', msgspec.json.encode(message).decode())
