"""What somebody did in Discord, as facts: who, where, with which permissions, on which message, with which words.

Source: discord.md §2, §6.
"""

from __future__ import annotations

from typing import Any

import discord
from msgspec import Struct

from bot.runtime.asked import Asked

EPHEMERAL = 1 << 6


class Deed(Struct, frozen=True, kw_only=True):
    """One slash command, click, choice or filled-in form.

    Attributes:
        id, token: of the interaction; who has the token may answer it for fifteen minutes.
        guild: the server; 0 in direct messages.
        channel, user, name: where, who, and the display name there.
        message: the message that was clicked, also through a form; 0 for a command.
        private: that message is seen by its reader alone.
        custom_id: of what was clicked or filled in; empty for a command.
        values: what was chosen in a select.
        fields: what was written in a form, by field.
        who: the user or member, as discord.py has him; asked only where his roles matter.
        manages: has Manage Server.
        bot_may: what the bot may do in the channel.
    """

    id: int
    token: str
    guild: int
    channel: int
    user: int
    name: str
    message: int = 0
    private: bool = False
    custom_id: str = ""
    values: tuple[str, ...] = ()
    fields: dict[str, str] = {}
    manages: bool = False
    who: discord.abc.User | None = None
    bot_may: discord.Permissions = discord.Permissions.none()

    @property
    def component(self) -> bool:
        """It belongs to a message that an answer may redraw."""
        return self.message != 0

    def staff(self, staff_role: int) -> bool:
        """Whether who did it is staff: Manage Server, or the role set by the house."""
        if self.manages or not staff_role:
            return self.manages
        return isinstance(self.who, discord.Member) and self.who.get_role(staff_role) is not None

    def asked(self, *, staff: bool = False, table: int = 0, hand: int = -1, turn: int = -1) -> Asked:
        """The same as a request to the tables."""
        return Asked(
            key=str(self.id),
            guild=self.guild,
            channel=self.channel,
            user=self.user,
            name=self.name,
            staff=staff,
            table=table,
            hand=hand,
            turn=turn,
        )


def deed_of(interaction: discord.Interaction[Any]) -> Deed:
    """Read an interaction."""
    data: Any = interaction.data or {}
    user = interaction.user
    message = interaction.message
    return Deed(
        id=interaction.id,
        token=interaction.token,
        guild=interaction.guild_id or 0,
        channel=interaction.channel_id or 0,
        user=user.id,
        name=user.display_name,
        message=message.id if message is not None else 0,
        private=message is not None and message.flags.ephemeral,
        custom_id=data.get("custom_id", ""),
        values=tuple(data.get("values", ())),
        fields=_fields(data.get("components", ())),
        manages=interaction.permissions.manage_guild,
        who=user,
        bot_may=interaction.app_permissions,
    )


def _fields(components: Any) -> dict[str, str]:
    """What was filled in, by field: a line of text, or the one thing chosen."""
    found: dict[str, str] = {}
    for row in components:
        for field in (row["component"],) if "component" in row else row.get("components", ()):
            values = field.get("values") or ()
            value = field.get("value") or (values[0] if values else "")
            if "custom_id" in field:
                found[field["custom_id"]] = str(value)
    return found
