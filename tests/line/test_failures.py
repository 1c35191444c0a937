"""Whatever goes wrong with a request comes out of the line as one tree."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot.line import failures
from bot.line.failures import (
    ChannelGone,
    ChannelsLimited,
    DiscordFailed,
    DmClosed,
    EditsLimited,
    FileRefused,
    Gone,
    NotAllowed,
    OutcomeUnknown,
    Quarantined,
    Rejected,
    ThreadArchived,
    ThreadLocked,
    TokenEnded,
    TooLate,
    TryLater,
    failure_from,
)


def refused(status: int, code: int = 0, method: str = "PATCH", **headers: str) -> discord.HTTPException:
    """What discord.py raises for a response."""
    response: Any = SimpleNamespace(status=status, reason="", method=method, headers=headers)
    return discord.HTTPException(response, {"code": code, "message": "refused"})


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (refused(404, 10003), ChannelGone),
        (refused(404, 10008), Gone),
        (refused(404), Gone),
        (refused(404, 10015), TokenEnded),
        (refused(401, 50027), TokenEnded),
        (refused(404, 10062), TooLate),
        (refused(400, 40060), TooLate),
        (refused(403, 50001), NotAllowed),
        (refused(403, 50013), NotAllowed),
        (refused(403, 50007), DmClosed),
        (refused(400, 40003), ChannelsLimited),
        (refused(400, 20026), Quarantined),
        (refused(403, 20026), Quarantined),
        (refused(429, 30046), EditsLimited),
        (refused(400, 50083), ThreadArchived),
        (refused(400, 50083, "POST"), ThreadLocked),
        (refused(400, 50035), Rejected),
        (refused(413, 40005), FileRefused),
        (refused(413), FileRefused),
        (refused(429), TryLater),
        (refused(503), OutcomeUnknown),
        (ConnectionResetError(), OutcomeUnknown),
        (TimeoutError(), OutcomeUnknown),
        (aiohttp.ServerDisconnectedError(), OutcomeUnknown),
        (aiohttp.ClientConnectorError(SimpleNamespace(ssl=None, host="", port=0), OSError()), TryLater),  # type: ignore[arg-type]
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else None,
)
def test_every_failure_has_one_kind(error: Exception, kind: type[DiscordFailed]) -> None:
    assert type(failure_from(error)) is kind


def test_limited_request_says_when_to_try_again() -> None:
    failure = failure_from(refused(429, **{"Retry-After": "2.5"}))
    assert isinstance(failure, TryLater) and failure.retry_after == 2.5


def test_only_a_lost_outcome_may_have_had_an_effect() -> None:
    lost = {kind for kind in vars(failures).values() if isinstance(kind, type) and issubclass(kind, OutcomeUnknown)}
    assert lost == {OutcomeUnknown}


def test_refusal_can_be_about_a_file() -> None:
    refusals = [(413, 40005), (403, 50013), (400, 50035), (404, 10008), (400, 40060), (400, 50083), (500, 0)]
    can_be = [failure_from(refused(status, code)).can_be_about_files for status, code in refusals]
    assert can_be == [True, True, True, False, False, False, False]
