"""Why a table cannot have a room of its own, in words."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.line.failures import (
    MISSING_ACCESS,
    MISSING_PERMISSIONS,
    TAG_REQUIRED,
    TOO_MANY_THREADS,
    UNKNOWN_CHANNEL,
    DiscordFailed,
)
from bot.render.message.panel import Panel
from bot.text import rooms as words
from bot.text.language import Message, t


class CannotOpenRoom(Exception):
    """A table cannot have a room of its own; `panel` says why, and what to do. `lacks`: the permissions that are missing for it."""

    def __init__(self, panel: Panel, lacks: Sequence[str] = ()) -> None:
        super().__init__()
        self.panel, self.lacks = panel, tuple(lacks)


def missing_for_room(parent: discord.TextChannel | discord.ForumChannel, *, private: bool) -> list[str]:
    """Return the permissions that the dealer lacks in a channel to open tables in threads of it, by discord.py's names."""
    mine = parent.permissions_for(parent.guild.me)
    needed = ["view_channel", "send_messages_in_threads"]
    if isinstance(parent, discord.ForumChannel):
        needed.insert(1, "send_messages")
    else:
        needed.insert(1, "create_private_threads" if private else "create_public_threads")
    return [name for name in needed if not getattr(mine, name)]


def reason_not_made(error: DiscordFailed, parent: int, *, private: bool, forum: bool) -> str:
    """Say why Discord did not make a thread, and what to do."""
    if error.code in {MISSING_ACCESS, MISSING_PERMISSIONS}:
        name = "send_messages" if forum else "create_private_threads" if private else "create_public_threads"
        return words.missing_permissions(
            (name,) if error.code == MISSING_PERMISSIONS else ("view_channel",), parent, forum=forum
        )
    if error.code == TAG_REQUIRED:
        return words.missing_permissions(("manage_channels",), parent, forum=True)
    text: Message = words.NOT_OPENED
    if error.code == TOO_MANY_THREADS:
        text = words.TOO_MANY_THREADS
    elif error.code == UNKNOWN_CHANNEL and forum:
        text = words.FORUM_GONE
    return t(text)
