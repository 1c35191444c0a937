"""What a player can do stands in one place: in their panel while they have one, else on the table. Nobody is ever without it."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.test_my_hand import dealt, panel, press
from tests.support.discord_double import Player

ACTIONS = {"Fold", "Check", "Call 50", "Call 100", "Bet…", "Raise…"}


def on_table(room: BotSession, player: Player) -> set[str]:
    """The actions that the table offers."""
    return {label for label, _ in room.table_buttons(player)} & ACTIONS


def in_panel(player: Player) -> set[str]:
    return {label for label in ACTIONS if f"[{label}]" in panel(player)}


async def test_opening_ones_panel_takes_the_actions_off_the_table(tmp_path: Path) -> None:
    """They come back for the next player, who has none."""
    async with bot_session(tmp_path) as room:
        first, second = await dealt(room, "Ann", "Bo", seconds=3599)
        assert on_table(room, second) == {"Fold", "Call 50", "Raise…"}
        await first.click("👁", within="▶ `")
        await room.wait_until_idle()
        assert on_table(room, second) == set() and in_panel(first) == {"Fold", "Call 50", "Raise…"}
        assert "ends" not in second.screen() and "ends" in panel(first), "the clock stands there too"
        await press(first, "Call 50")
        await room.wait_until_idle()
        assert on_table(room, second) == {"Fold", "Check", "Raise…"}
        assert in_panel(first) <= {"Fold"}, "what can be decided ahead"
        room.check_leaks()


async def test_no_action_is_ever_offered_twice_or_not_at_all(tmp_path: Path) -> None:
    """Ann and Bo play in panels, Cy and Di at the table; two hands, every decision."""
    async with bot_session(tmp_path) as room:
        people = await room.people("Ann", "Bo", "Cy", "Di")
        await room.open_and_sit(*people, seconds=3599, seats=4)
        for hand in (1, 2):
            await room.next_hand()
            if hand == 1:
                for player in people[:2]:
                    await player.click("👁", within="▶ `")
            while room.now.hand_running:
                player = room.to_act(*people)
                assert player is not None
                await room.until_own_buttons(player)
                await room.wait_until_idle()
                has_panel = player in people[:2]
                assert bool(on_table(room, player)) is not has_panel, player.screen()
                labels = room.own_buttons(player)
                assert len(labels) == len(set(labels)) and {"Fold"} <= set(labels)
                await room.check_or_call(player)
            await room.wait_until_idle()
        room.check_leaks()


async def test_actions_come_back_when_the_panel_ends(tmp_path: Path) -> None:
    """Its token is over 14 minutes after the last click: then nothing can redraw it."""
    async with bot_session(tmp_path) as room:
        first, second = await dealt(room, "Ann", "Bo", seconds=3599)
        await first.click("👁", within="▶ `")
        await room.wait_until_idle()
        assert on_table(room, second) == set()
        room.clock.skip(14 * 60 + 1)
        await second.wait_for(
            lambda: on_table(room, second) == {"Fold", "Call 50", "Raise…"}, "the actions on the table"
        )


async def test_actions_come_back_when_discord_has_closed_the_panel(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        first, second = await dealt(room, "Ann", "Bo", seconds=3599)
        await second.click("👁", within="▶ `")
        await room.wait_until_idle()
        room.discord.fails("PATCH", r"/webhooks/.*", status=404, body={"message": "Unknown Message", "code": 10008})
        await first.slash("call")
        await room.wait_until_idle()
        assert on_table(room, second) >= {"Check"}


async def test_player_without_panel_waits_for_no_token(tmp_path: Path) -> None:
    """No click's token can redraw the table, and an action that ends no street waits for twenty seconds: buttons do not."""
    async with bot_session(tmp_path) as room:
        people = await room.people("Ann", "Bo", "Cy")
        await room.open_and_sit(*people, seconds=3599)
        await room.next_hand()
        await room.wait_until_idle()
        first = room.to_act(*people)
        assert first is not None
        await first.slash("myhand")
        await room.wait_until_idle()
        assert on_table(room, first) == set()
        await press(first, "Call 100")
        await room.wait_until_idle()
        assert on_table(room, first) == {"Fold", "Call 50", "Raise…"}
