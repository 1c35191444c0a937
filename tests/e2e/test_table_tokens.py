"""How a table that people play at from their panels keeps a click's token, and what it spares without one."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.line.by_token import TOKEN_MS
from bot.line.request_queue import RequestQueue
from tests.e2e.bot_session import NO_FLOORS, BotSession, bot_session
from tests.e2e.test_budget import requests_spent
from tests.support.discord_double import Player
from tests.surfaces.test_table_moves import shown

BY_STREET = "Shown street by street. Press **My hand** here to see every action again."
UNCALLED = replace(NO_FLOORS, nudge_seconds=-1)
"""Nobody is called to act: a call is a request too."""


async def two_with_panels(room: BotSession) -> tuple[Player, Player]:
    ann, bo = await room.people("Ann", "Bo")
    await room.open_and_sit(ann, bo, seconds=3599)
    await room.next_hand()
    for player in (ann, bo):
        await room.open_panel(player)
    await room.wait_until_idle()
    return ann, bo


async def act_in_panel(room: BotSession, label: str, *players: Player) -> None:
    """The player to act presses a button of their panel, whose token each press renews."""
    await room.act(label, *players)
    await room.wait_until_idle()


async def test_any_private_press_renews_the_token_of_its_table(tmp_path: Path) -> None:
    """Ann and Bo play from panels for longer than a token lasts. Dee asks at the table whether there is a seat: that is enough."""
    async with bot_session(tmp_path, default_rules=UNCALLED) as room:
        ann, bo = await two_with_panels(room)
        (dee,) = await room.people("Dee")
        room.clock.skip(TOKEN_MS / 1000 - 60)
        await room.press_at_table(dee, "Join table")
        assert "Table 1" in dee.screen()
        await act_in_panel(room, "Call", ann, bo)
        room.clock.skip(120)
        message = shown(room).message
        room.discord.forget_requests()
        await act_in_panel(room, "Check", ann, bo)
        await act_in_panel(room, "Check", ann, bo)
        spent = requests_spent(room)
        assert spent["table edits by token"] and not spent["edits"] and not spent["new messages"]
        assert shown(room).message == message and BY_STREET not in ann.screen()


async def test_young_token_is_left_to_its_table(tmp_path: Path) -> None:
    """A press that is answered privately then costs one request, as ever."""
    async with bot_session(tmp_path, default_rules=UNCALLED) as room:
        await two_with_panels(room)
        (dee,) = await room.people("Dee")
        room.discord.forget_requests()
        await room.press_at_table(dee, "Join table")
        await room.wait_until_idle()
        assert not [one for one in room.discord.requests if one.method == "POST" and "/webhooks/" in one.path]


async def test_table_without_token_says_how_to_get_one(tmp_path: Path) -> None:
    async with bot_session(tmp_path, default_rules=UNCALLED) as room:
        ann, bo = await two_with_panels(room)
        shown(room).live.token.end()  # type: ignore[union-attr]
        await act_in_panel(room, "Call", ann, bo)
        await act_in_panel(room, "Check", ann, bo)
        await room.wait_for_text(BY_STREET)
        await room.press_at_table(bo, "👁️ My hand")
        await bo.until_gone(BY_STREET)
        room.discord.forget_requests()
        await act_in_panel(room, "Check", ann, bo)
        assert requests_spent(room)["table edits by token"] >= 1 and not requests_spent(room)["edits"]


async def test_busy_dealer_shows_deal_and_result_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No token, both play from panels, and the bot's requests wait: in twenty seconds nobody needs the streets of this message."""
    async with bot_session(tmp_path, default_rules=UNCALLED) as room:
        ann, bo = await two_with_panels(room)
        shown(room).live.token.end()  # type: ignore[union-attr]
        monkeypatch.setattr(RequestQueue, "seconds", 1.0)
        room.discord.forget_requests()
        for label in ("Call", "Check", "Check", "Check", "Check", "Check", "Check"):
            await act_in_panel(room, label, ann, bo)
            room.clock.skip(2)
        assert requests_spent(room)["edits"] == 0
        await act_in_panel(room, "Check", ann, bo)
        await room.wait_for_text("Next hand")
        await room.wait_until_idle()
        assert requests_spent(room)["edits"] == 1


async def test_table_without_token_is_redrawn_at_streets(tmp_path: Path) -> None:
    """All play from panels, and each takes eight seconds: a deal, three streets and a result are five edits."""
    async with bot_session(tmp_path, default_rules=UNCALLED) as room:
        ann, bo = await two_with_panels(room)
        await act_in_panel(room, "Call", ann, bo)
        for label in ("Check",) * 7:
            await act_in_panel(room, label, ann, bo)
        shown(room).live.token.end()  # type: ignore[union-attr]
        shown(room).live.clicks.forget()
        await room.wait_until_idle()
        room.discord.forget_requests()
        await room.next_hand()
        await room.wait_until_idle()
        for label in ("Call", *["Check"] * 7):
            room.clock.skip(8)
            await act_in_panel(room, label, ann, bo)
        await room.wait_for_text("Next hand")
        await room.wait_until_idle()
        assert requests_spent(room)["edits"] == 5
