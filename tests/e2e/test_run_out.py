"""All-in before the last card: the dealer shows the streets one after the other, with the hands open."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.text.options import option_name
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.chosen_decks import no_two_tie, stack_next_deck
from tests.e2e.test_choices_survive_restart import restarting_bot
from tests.support.discord_double import Player

STREET = 4.0
"""Seconds between two streets here: longer than a slow machine takes to draw one, and three are over before the open table is shown."""


@pytest.fixture(autouse=True)
def slow_streets(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("bot.runtime.run_out", "bot.runtime.transaction"):
        monkeypatch.setattr(f"{module}.RUN_OUT_STREET_MS", round(1000 * STREET))


async def all_in(room: BotSession, *players: Player) -> None:
    """Both are all-in before the flop, for the same stacks."""
    await room.open_and_sit(*players)
    stack_next_deck(room, no_two_tie(len(players)))
    await room.next_hand()
    await room.act("All-in", *players)
    await room.act("Call", *players)


def tells_the_end(player: Player) -> bool:
    """Whether anything that this player reads names a winner, or says how the hand ended."""
    told = player.screen() + player.dms()
    return bool(re.search(r"(Ann|Bo) (wins|won)|You (win|lose)|Showdown|out of chips", told))


def board_size(player: Player) -> int:
    """How many common cards the table's message shows."""
    table = [text for text in map(player.render, player.visible()) if "Table 1" in text][-1]
    board = re.search(r"\n##? (.+)\n", table)
    return len(re.findall(r"_of_|[♠♥♦♣]", board[1])) if board is not None else 0


async def test_streets_are_shown_one_by_one(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await all_in(room, ann, bo)
        assert not room.now.hand_running
        await room.wait_for_text("All-in · Pot 20,000")
        assert not tells_the_end(ann)
        room.discord.forget_requests()
        for cards in (3, 4):
            room.clock.skip(STREET)
            await ann.wait_for(lambda cards=cards: board_size(ann) == cards, f"{cards} common cards")  # type: ignore[misc]
            assert not tells_the_end(ann) and not tells_the_end(bo)
        room.clock.skip(STREET)
        await room.wait_for_text("Showdown")
        await room.wait_until_idle()
        public = [one for one in room.discord.requests if one.method == "PATCH" and "/channels/" in one.path]
        assert not public, "the token of the last click redraws it"
        assert tells_the_end(ann)
        room.check_leaks()


async def test_private_panel_and_hand_command_wait_for_the_last_card(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await all_in(room, ann, bo)
        assert "You win" not in await ann.click("👁") and "You lose" not in ann.screen()
        assert "still being dealt" in await bo.slash("hand")
        table = next(m for m in reversed(bo.visible()) if f'"t:{room.now.id}:1:' in str(m).replace("'", '"'))
        assert "still being dealt" in await bo.menu("Replay", table)
        assert "still being dealt" in await bo.slash("hand", number="1-1-9")
        assert "No hand like that was found" in await bo.slash("hand", player=ann)
        assert not tells_the_end(ann) and not tells_the_end(bo)
        for cards in (3, 4, 5):
            room.clock.skip(STREET)
            await ann.wait_for(lambda cards=cards: board_size(ann) == cards, f"{cards} common cards")  # type: ignore[misc]
        await room.wait_for_text("Showdown")
        await ann.wait_for(lambda: bool(re.search("You (win|lose)", ann.screen())), "the end in the panel")
        assert "still being dealt" not in await bo.slash("hand")


async def what_commands_tell(player: Player) -> list[str]:
    """What the commands say of which chips could be known, and the menu of a seated player."""
    commands = ("leaderboard", "chips balance", "chips history", "table info", "table list")
    return [await player.slash(command) for command in commands]


async def test_commands_and_menus_tell_nothing_before_the_last_card(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        stack_next_deck(room, no_two_tie(2))
        await room.next_hand()
        await room.act("All-in", ann, bo)
        before = {player.name: await what_commands_tell(player) for player in (ann, bo)}
        menu = {player.name: await room.press_at_table(player, "Join table") for player in (ann, bo)}
        await room.act("Call", ann, bo)
        assert sorted(seat.stack for seat in room.now.table.seats) == [0, 20_000], "the end is saved"
        for player in (ann, bo):
            assert await what_commands_tell(player) == before[player.name]
            assert await room.press_at_table(player, "Join table") == menu[player.name]
        room.clock.skip(3 * STREET)
        await room.wait_for_text("Showdown")
        for player in (ann, bo):
            assert await what_commands_tell(player) != before[player.name]


async def test_next_hand_waits_for_the_run_out(tmp_path: Path) -> None:
    """Three streets are shown before the pause begins; a table that closes meanwhile does not keep them back."""
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await room.open_and_sit(ann, bo, cy)
        stack_next_deck(room, no_two_tie(3))
        await room.next_hand()
        await room.act("All-in", ann, bo, cy)
        await room.act("Call", ann, bo, cy)
        called = room.clock.now()
        await room.act("Fold", ann, bo, cy)
        pause = room.now.settings.pause_seconds
        assert room.now.next_hand_at >= called + 1000 * (pause + 3 * STREET)
        await room.skip_run_out()
        await room.next_hand()
        await room.wait_until_idle()
        assert re.search(r"Last hand: .*(Ann|Bo) won [\d,]+ with ", ann.screen())


async def test_after_a_kill_between_streets_the_result_stands(tmp_path: Path) -> None:
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            ann, bo = await room.people("Ann", "Bo")
            await all_in(room, ann, bo)
            room.clock.skip(STREET)
            await ann.wait_for(lambda: board_size(ann) == 3, "the flop")
        assert not tells_the_end(ann)
        async with told.life() as room:
            assert not room.now.hand_running
            await ann.wait_for(lambda: "Last hand: " in ann.screen(), "the result")
            assert re.search(r"Last hand: (Ann|Bo) won [\d,]+ with ", ann.screen())
            await room.wait_until_idle()


@pytest.mark.law("TL-26")
async def test_undealt_cards_are_open_only_once_the_hand_is_over(tmp_path: Path) -> None:
    """Two boards, RABBIT on: after a fold everybody sees what would have come, also in the log; an all-in hand leaves nothing."""
    rabbit = option_name("rabbit")
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("table open", game="double-board hold'em")
        await ann.slash("table settings")
        await ann.click("House rules")
        await ann.select("Change a house rule…", rabbit)
        assert f"Changed: {rabbit} **on**" in await ann.select(f"{rabbit}…", "on")
        for seat, player in enumerate((ann, bo), 1):
            await player.slash("sit", seat=seat)
        await room.next_hand()
        await room.wait_until_idle()
        room.check_leaks()
        assert "Undealt" not in ann.screen()
        await room.act("Fold", ann, bo)
        await room.wait_for_text("Undealt on board 2")
        assert "Undealt on board 1" in ann.screen() and "Undealt on board 1" in await bo.slash("hand")
        await room.wait_until_idle()
        room.check_leaks()
        await room.next_hand()
        await room.act("All-in", ann, bo)
        await room.act("Call", ann, bo)
        room.clock.skip(3 * STREET)
        await room.wait_for_text("Showdown")
        await room.wait_until_idle()
        result = [text for text in map(ann.render, ann.visible()) if "Showdown" in text][-1]
        assert "Undealt" not in result
        room.check_leaks()
