"""An interaction gets one answer, at once or deferred in time. What comes later follows privately."""

from __future__ import annotations

import asyncio
from typing import Any

from msgspec.structs import replace

from bot.line.by_token import DISCORD_EPOCH_MS, WINDOW_MS, DiscordTime, made_at
from bot.line.interaction import InteractionInfo
from bot.line.payloads import DEFER, DEFER_UPDATE, EPHEMERAL, MESSAGE, UPDATE, Raw
from bot.render.message.notice import notice_panel
from bot.runtime.clock import SystemClock
from bot.surfaces.private_answers import PrivateAnswers
from bot.surfaces.replies import Reply

DONE_PANEL = notice_panel("Done.")


class FakeDiscordApi:
    """Records what would be sent."""

    def __init__(self, seconds_left: float = 2.0) -> None:
        self.sent: list[tuple[str, Any]] = []
        self.left = seconds_left
        self.by_token = self

    def seconds_left(self, interaction: int) -> float:
        return self.left

    async def answer(
        self, interaction: int, token: str, kind: int, data: Raw | None = None, file: object = None
    ) -> None:
        self.sent.append(("answer", kind))

    async def answer_with_message(self, interaction: int, token: str, data: Raw, file: object = None) -> int:
        self.sent.append(("answer", MESSAGE))
        return 77

    async def follow_up_privately(self, token: str, channel: int, data: Raw, file: object = None) -> int:
        self.sent.append(("follow up", data["flags"] & EPHEMERAL))
        return 78

    async def follow_up_publicly(
        self, line: object, interaction: int, token: str, channel: int, data: Raw, file: object = None
    ) -> int:
        return await self.follow_up_privately(token, channel, data)

    async def edit_original(self, token: str, data: Raw, file: object = None) -> int:
        self.sent.append(("edit", token))
        return 79


def interaction_of(*, message: int = 0) -> InteractionInfo:
    return InteractionInfo(id=1, token="t", guild=1, channel=2, user=3, name="Ann", message=message)


def reply_to(discord_api: FakeDiscordApi, info: InteractionInfo) -> Reply:
    return Reply(discord_api, info, PrivateAnswers(discord_api, None, SystemClock(), None))  # type: ignore[arg-type]


async def test_first_message_answers_and_later_ones_follow_privately() -> None:
    wire = FakeDiscordApi()
    reply = reply_to(wire, interaction_of())
    await reply.private(DONE_PANEL)
    await reply.private(DONE_PANEL)
    await reply.close()
    assert wire.sent == [("answer", MESSAGE), ("follow up", EPHEMERAL)]


async def test_slow_command_is_deferred_then_filled_in() -> None:
    wire = FakeDiscordApi(seconds_left=0.0005)
    reply = reply_to(wire, interaction_of())
    await asyncio.sleep(0.001)
    await reply.private(DONE_PANEL)
    await reply.close()
    assert wire.sent == [("answer", DEFER), ("edit", "t")]


async def test_slow_click_is_acknowledged_and_its_message_edited() -> None:
    wire = FakeDiscordApi(seconds_left=0.0005)
    reply = reply_to(wire, interaction_of(message=5))
    await asyncio.sleep(0.001)
    await reply.redraw([])
    await reply.private(DONE_PANEL)
    await reply.close()
    assert wire.sent == [("answer", DEFER_UPDATE), ("edit", "t"), ("follow up", EPHEMERAL)]


async def test_public_message_follows_a_deferred_private_answer() -> None:
    wire = FakeDiscordApi(seconds_left=0.0005)
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


class LateDiscord(FakeDiscordApi):
    """Discord on a clock that only this moves. Notes how old each interaction is when it is answered, in ms."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = 1_800_000_000_000
        self.time = DiscordTime(lambda: self.clock)
        self.ages: dict[int, int] = {}

    def interaction(self, late: int) -> InteractionInfo:
        """Somebody presses a button; the event arrives so many ms later."""
        self.clock += 60_000
        made, self.clock = self.clock, self.clock + late
        return replace(interaction_of(message=5), id=(made - DISCORD_EPOCH_MS) << 22)

    def seconds_left(self, interaction: int) -> float:
        return self.time.seconds_left(interaction)

    async def answer(
        self, interaction: int, token: str, kind: int, data: Raw | None = None, file: object = None
    ) -> None:
        self.ages[interaction] = self.clock - made_at(interaction)


async def test_late_events_are_answered_before_anything_is_thought_about() -> None:
    """Each event comes 2.4 s late, and its handler takes ten seconds more."""
    wire = LateDiscord()
    for _ in range(50):
        reply = reply_to(wire, wire.interaction(late=2_400))
        await asyncio.sleep(0)  # the handler thinks
        wire.clock += 10_000
        await reply.redraw([])
        await reply.close()
    unanswered = [age for age in wire.ages.values() if age >= WINDOW_MS]
    assert len(wire.ages) == 50 and not unanswered
