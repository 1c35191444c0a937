"""One answer to one interaction: at once, or deferred in time; what comes after it follows privately."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.render import wording
from cogs.ui import replies
from cogs.ui.deed import Deed
from cogs.ui.replies import Reply
from cogs.ui.wire import DEFER, DEFER_UPDATE, EPHEMERAL, MESSAGE, UPDATE, Raw

SAID = wording.notice("Done.")


class Wire:
    """Notes what would be sent."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, Any]] = []

    async def answer(self, interaction: int, token: str, kind: int, data: Raw | None = None) -> None:
        self.sent.append(("answer", kind))

    async def answer_shown(self, interaction: int, token: str, data: Raw) -> int:
        self.sent.append(("answer", MESSAGE))
        return 77

    async def follow_up(self, token: str, data: Raw) -> int:
        self.sent.append(("follow up", data["flags"] & EPHEMERAL))
        return 78

    async def edit_original(self, token: str, data: Raw) -> int:
        self.sent.append(("edit", token))
        return 79


def a_deed(*, message: int = 0) -> Deed:
    return Deed(id=1, token="t", guild=1, channel=2, user=3, name="Ann", message=message)


def a_reply(wire: Wire, deed: Deed) -> Reply:
    return Reply(wire, deed)  # type: ignore[arg-type]


async def test_the_first_word_is_the_answer_and_the_next_follows_privately() -> None:
    wire = Wire()
    reply = a_reply(wire, a_deed())
    await reply.private(SAID)
    await reply.private(SAID)
    await reply.close()
    assert wire.sent == [("answer", MESSAGE), ("follow up", EPHEMERAL)]


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replies, "DEFER_SECONDS", 0.0)


async def test_a_command_that_takes_long_is_deferred_and_then_filled_in(hurried: None) -> None:
    wire = Wire()
    reply = a_reply(wire, a_deed())
    await asyncio.sleep(0.001)
    await reply.private(SAID)
    await reply.close()
    assert wire.sent == [("answer", DEFER), ("edit", "t")]


async def test_a_click_that_takes_long_is_noted_and_its_message_edited(hurried: None) -> None:
    wire = Wire()
    reply = a_reply(wire, a_deed(message=5))
    await asyncio.sleep(0.001)
    await reply.redraw([])
    await reply.private(SAID)
    await reply.close()
    assert wire.sent == [("answer", DEFER_UPDATE), ("edit", "t"), ("follow up", EPHEMERAL)]


async def test_a_deferred_answer_is_private_so_what_all_shall_see_follows_it(hurried: None) -> None:
    wire = Wire()
    reply = a_reply(wire, a_deed())
    await asyncio.sleep(0.001)
    assert await reply.public(SAID) == 78
    await reply.close()
    assert wire.sent == [("answer", DEFER), ("edit", "t"), ("follow up", 0)]


async def test_nobody_is_left_without_an_answer() -> None:
    for message, expected in ((0, MESSAGE), (5, DEFER_UPDATE)):
        wire = Wire()
        reply = a_reply(wire, a_deed(message=message))
        await reply.close()
        assert wire.sent == [("answer", expected)]


async def test_a_redraw_is_the_answer_to_a_click() -> None:
    wire = Wire()
    reply = a_reply(wire, a_deed(message=5))
    assert await reply.redraw([])
    await reply.close()
    assert wire.sent == [("answer", UPDATE)]
