"""A person's last private answer becomes the next one where that can be; what cannot be edited does not stay beside it."""

from __future__ import annotations

from typing import Any, cast

import pytest

from bot.line.by_token import Token, TokenRequests
from bot.line.failures import DiscordFailed, Gone, OutcomeUnknown, TokenEnded, TryLater
from bot.render.message.notice import notice_panel
from bot.runtime.tables import Tables
from bot.surfaces.people.profiles import Preferences
from bot.surfaces.private_answers import PrivateAnswers, PrivateMessage
from tests.runtime.manual_clock import ManualClock

ANN = 3


class Screen:
    """The private messages that a person has. Requests fail as they are told to."""

    def __init__(self, failure: DiscordFailed | None) -> None:
        self.messages, self._failure = {77}, failure

    async def edit(self, token: Token, message: int, data: object, file: object = None) -> None:
        if self._failure is not None:
            raise self._failure

    async def follow_up_privately(self, token: str, channel: int, data: dict[str, Any], file: object = None) -> int:
        self.messages.add(78)
        return 78

    async def delete(self, token: Token, message: int) -> None:
        self.messages.discard(message)


@pytest.mark.parametrize(
    ("failure", "left"),
    [
        (None, {77}),
        (TryLater(status=500), {78}),
        (OutcomeUnknown(), {78}),
        (TokenEnded(status=404), {77, 78}),
        (Gone(status=404), {77, 78}),
    ],
    ids=["edited", "refused for now", "reply lost", "token ended", "taken away by its reader"],
)
async def test_one_answer_is_left_where_it_can_be_changed(failure: DiscordFailed | None, left: set[int]) -> None:
    """One that nothing can change any more, or that is gone, is left alone."""
    screen, clock = Screen(failure), ManualClock()
    answers = PrivateAnswers(cast("TokenRequests", screen), cast("Tables", None), clock, cast("Preferences", None))
    answers.remember_token(ANN, "token", 2)
    answers.replace(ANN, (PrivateMessage("token", 77, is_original=True, at=clock.now()),))
    assert await answers.show(ANN, notice_panel("Done."))
    await answers.tasks.finish(1.0)
    assert screen.messages == left
