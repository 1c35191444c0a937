"""A command that could not be used is answered, to its user alone."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest
from discord import app_commands

from bot.text.refusals import wording
from cogs.support.commands import CommandTree


class Response:
    def __init__(self, *, answered: bool = False) -> None:
        self.sent: list[tuple[str, bool]] = []
        self._answered = answered

    def is_done(self) -> bool:
        return self._answered

    async def send_message(self, text: str, *, ephemeral: bool = False) -> None:
        self.sent.append((text, ephemeral))


async def answers_to(
    error: Exception, kind: discord.InteractionType = discord.InteractionType.application_command, **how: bool
) -> list[tuple[str, bool]]:
    response = Response(**how)
    interaction = SimpleNamespace(type=kind, response=response, locale="en-US")
    await CommandTree.on_error(cast("Any", None), cast("Any", interaction), cast("Any", error))
    return response.sent


async def test_fault_of_a_command_is_told_to_its_user_alone(caplog: pytest.LogCaptureFixture) -> None:
    assert await answers_to(RuntimeError("no idea")) == [(wording.INTERNAL_FAULT, True)]
    assert "command_failed" in caplog.messages


async def test_command_that_cannot_be_used_is_no_fault(caplog: pytest.LogCaptureFixture) -> None:
    ((text, alone),) = await answers_to(app_commands.CheckFailure())
    assert text != wording.INTERNAL_FAULT and alone and not caplog.messages


async def test_completion_and_answered_command_get_nothing_more() -> None:
    assert await answers_to(RuntimeError(), discord.InteractionType.autocomplete) == []
    assert await answers_to(RuntimeError(), answered=True) == []
