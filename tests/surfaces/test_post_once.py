"""A message that is sent once: its caller learns that it is there, or why it never will be."""

from __future__ import annotations

from typing import Any, cast

import pytest

from bot.line.api import DiscordApi
from bot.line.failures import DiscordFailed, FileRefused, NotAllowed, OutcomeUnknown
from bot.line.payloads import AttachedFile
from bot.line.request_queue import RequestLine
from bot.surfaces.keeper import Drawing, Keeper, Location
from bot.surfaces.post_once import PostOnce
from tests.runtime.manual_clock import ManualClock

FILE = AttachedFile("podium.webp", b"", "image/webp", "")
PLAIN, PICTURED = Drawing({"content": "Ann won"}), Drawing({"content": "Ann won!"}, FILE, names_picture=True)


class Channel:
    """A channel to which requests fail in turn; the others arrive."""

    def __init__(self, *failures: DiscordFailed) -> None:
        self.failures = list(failures)
        self.sent: list[tuple[str, str]] = []
        self.slots = self

    async def wait(self, *_: object) -> None:
        """There is always a slot."""

    async def send(self, line: RequestLine, channel: int, data: dict[str, Any], *, nonce: str, **_: object) -> int:
        self.sent.append((data["content"], nonce))
        if self.failures:
            raise self.failures.pop(0)
        return 77


class Clock(ManualClock):
    """Nobody has to wait."""

    def call_at(self, at: int, call: Any) -> Any:
        self._now = max(self._now, at)
        alarm = super().call_at(at, lambda: None)
        call()
        return alarm


async def post(channel: Channel, saved: list[Location], *drawings: Drawing) -> int:
    async def save(location: Location) -> None:
        saved.append(location)

    keeper = Keeper(cast("DiscordApi", channel), Clock())
    try:
        return await PostOnce(keeper, RequestLine(1), Location(5), drawings, save).send()
    finally:
        await keeper.tasks.finish(1.0)


async def test_message_is_noted_before_and_after_it_is_sent() -> None:
    channel, saved = Channel(), list[Location]()
    assert await post(channel, saved, PLAIN) == 77
    ((_, nonce),) = channel.sent
    assert [(one.nonce, one.message) for one in saved] == [(nonce, 0), ("", 77)]


async def test_lost_reply_is_sent_again_under_its_nonce() -> None:
    channel = Channel(OutcomeUnknown())
    await post(channel, [], PLAIN)
    assert len(channel.sent) == 2 and len(set(channel.sent)) == 1


async def test_message_goes_without_a_picture_that_discord_refuses() -> None:
    channel = Channel(FileRefused(status=413))
    await post(channel, [], PICTURED, PLAIN)
    assert [content for content, _ in channel.sent] == ["Ann won!", "Ann won"]


async def test_refusal_reaches_the_caller_and_is_saved() -> None:
    channel, saved = Channel(NotAllowed(status=403)), list[Location]()
    with pytest.raises(NotAllowed):
        await post(channel, saved, PLAIN)
    assert saved[-1] == Location(5) and len(channel.sent) == 1
