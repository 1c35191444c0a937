"""An interaction gets one answer, at once or deferred in time. What comes later follows privately."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.render.message.notice import notice_panel
from bot.runtime.clock import SystemClock
from cogs.ui import replies
from cogs.ui.discord_api import DEFER, DEFER_UPDATE, EPHEMERAL, MESSAGE, UPDATE, Raw
from cogs.ui.interaction import InteractionInfo
from cogs.ui.private_answers import PrivateAnswers
from cogs.ui.replies import Reply

DONE_PANEL = notice_panel("Done.")


class FakeDiscordApi:
    """Records what would be sent."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, Any]] = []

    async def answer(
        self, interaction: int, token: str, kind: int, data: Raw | None = None, file: object = None
    ) -> None:
        self.sent.append(("answer", kind))

    async def answer_with_message(self, interaction: int, token: str, data: Raw, file: object = None) -> int:
        self.sent.append(("answer", MESSAGE))
        return 77

    async def follow_up(self, token: str, data: Raw, file: object = None) -> int:
        self.sent.append(("follow up", data["flags"] & EPHEMERAL))
        return 78

    async def edit_original(self, token: str, data: Raw, file: object = None) -> int:
        self.sent.append(("edit", token))
        return 79


def interaction_of(*, message: int = 0) -> InteractionInfo:
    return InteractionInfo(id=1, token="t", guild=1, channel=2, user=3, name="Ann", message=message)


def reply_to(discord_api: FakeDiscordApi, info: InteractionInfo) -> Reply:
    return Reply(discord_api, info, PrivateAnswers(discord_api, SystemClock()))  # type: ignore[arg-type]


async def test_first_message_answers_and_later_ones_follow_privately() -> None:
    wire = FakeDiscordApi()
    reply = reply_to(wire, interaction_of())
    await reply.private(DONE_PANEL)
    await reply.private(DONE_PANEL)
    await reply.close()
    assert wire.sent == [("answer", MESSAGE), ("follow up", EPHEMERAL)]


@pytest.fixture
def no_deferral_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replies, "DEFER_SECONDS", 0.0)


async def test_slow_command_is_deferred_then_filled_in(no_deferral_wait: None) -> None:
    wire = FakeDiscordApi()
    reply = reply_to(wire, interaction_of())
    await asyncio.sleep(0.001)
    await reply.private(DONE_PANEL)
    await reply.close()
    assert wire.sent == [("answer", DEFER), ("edit", "t")]


async def test_slow_click_is_acknowledged_and_its_message_edited(no_deferral_wait: None) -> None:
    wire = FakeDiscordApi()
    reply = reply_to(wire, interaction_of(message=5))
    await asyncio.sleep(0.001)
    await reply.redraw([])
    await reply.private(DONE_PANEL)
    await reply.close()
    assert wire.sent == [("answer", DEFER_UPDATE), ("edit", "t"), ("follow up", EPHEMERAL)]


async def test_public_message_follows_a_deferred_private_answer(no_deferral_wait: None) -> None:
    wire = FakeDiscordApi()
    reply = reply_to(wire, interaction_of())
    await asyncio.sleep(0.001)
    assert await reply.public(DONE_PANEL) == 78
    await reply.close()
    assert wire.sent == [("answer", DEFER), ("edit", "t"), ("follow up", 0)]


async def test_every_interaction_gets_an_answer() -> None:
    for message, expected in ((0, MESSAGE), (5, DEFER_UPDATE)):
        wire = FakeDiscordApi()
        reply = reply_to(wire, interaction_of(message=message))
        await reply.close()
        assert wire.sent == [("answer", expected)]


async def test_a_redraw_is_the_answer_to_a_click() -> None:
    wire = FakeDiscordApi()
    reply = reply_to(wire, interaction_of(message=5))
    assert await reply.redraw([])
    await reply.close()
    assert wire.sent == [("answer", UPDATE)]
