"""Slash commands: each gets its one answer, deferred in time, and what it raises is explained.

Source: style §5; discord.md §6.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import discord
from discord import app_commands

from bot.render import wording
from cogs.ui.deed import Deed, deed_of
from cogs.ui.replies import Reply
from cogs.ui.room import Room

log = logging.getLogger(__name__)

Interaction: TypeAlias = discord.Interaction[Any]
Work: TypeAlias = Callable[[Deed, Reply], Awaitable[None]]
"""What a command does, given the deed and the way to answer it."""


class CommandTree(app_commands.CommandTree[Any]):
    """What reaches here was not attended to by a command: options that Discord resolved wrongly, or a fault of ours."""

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        if interaction.type is discord.InteractionType.autocomplete:
            log.warning("no completions: %r", error)
            return
        said = wording.BROKEN
        if isinstance(error, app_commands.TransformerError):
            said = "That could not be read. Nothing has changed."
        elif isinstance(error, app_commands.CheckFailure | app_commands.CommandNotFound):
            said = "That command cannot be used here. Nothing has changed."
        else:
            log.error("a command failed", exc_info=error)
        if not interaction.response.is_done():
            await interaction.response.send_message(said, ephemeral=True)


async def attend(room: Room, interaction: Interaction, work: Work) -> None:
    """See a slash command through."""
    deed = deed_of(interaction)
    reply = Reply(room.wire, deed)
    await room.attend(deed, reply, work(deed, reply))
