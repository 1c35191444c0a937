"""An interaction of Discord as plain values: its user, channel, permissions, message and input."""

from __future__ import annotations

from typing import Any

import discord
from msgspec import Struct

from bot.runtime.request import Request

EPHEMERAL = 1 << 6


class InteractionInfo(Struct, frozen=True, kw_only=True):
    """One slash command, click, choice or submitted form.

    Attributes:
        id, token: of the interaction; the token can answer it for fifteen minutes.
        guild: the server; 0 in direct messages.
        channel, user, name: where it was, the user's id, and their display name there.
        message: the message that was clicked, also through a form; 0 for a command.
        message_is_private: only its reader sees that message.
        custom_id: of the clicked component or submitted form; empty for a command.
        values: what was chosen in a select.
        fields: what was entered in a form, by field.
        manages_guild: the user has Manage Server.
        member: the user or member as discord.py knows them; used only where their roles matter.
        locale: the language of the user's Discord.
        bot_permissions: what the bot can do in the channel.
        is_in_thread: the channel is a thread.
    """

    id: int
    token: str
    guild: int
    channel: int
    user: int
    name: str
    message: int = 0
    message_is_private: bool = False
    custom_id: str = ""
    values: tuple[str, ...] = ()
    fields: dict[str, str] = {}
    manages_guild: bool = False
    member: discord.abc.User | None = None
    locale: str = "en-US"
    bot_permissions: discord.Permissions = discord.Permissions.none()
    is_in_thread: bool = False

    @property
    def bot_can_write(self) -> bool:
        """Return whether the bot can post in the channel."""
        allowed = self.bot_permissions
        return allowed.view_channel and (
            allowed.send_messages_in_threads if self.is_in_thread else allowed.send_messages
        )

    @property
    def has_message(self) -> bool:
        """Return whether it belongs to a message that an answer can redraw."""
        return self.message != 0

    def is_staff(self, staff_role: int) -> bool:
        """Return whether the user is staff: they have Manage Server, or the role that the house rules name."""
        if self.manages_guild or not staff_role:
            return self.manages_guild
        return isinstance(self.member, discord.Member) and self.member.get_role(staff_role) is not None

    def request(self, *, staff: bool = False, table: int = 0, hand: int = -1, turn: int = -1) -> Request:
        """Turn it into a request to the tables."""
        return Request(
            key=str(self.id),
            guild=self.guild,
            channel=self.channel,
            user=self.user,
            name=self.name,
            staff=staff,
            table=table,
            hand_number=hand,
            decision_number=turn,
        )


def interaction_info(interaction: discord.Interaction[Any]) -> InteractionInfo:
    """Read an interaction of discord.py."""
    data: Any = interaction.data or {}
    user = interaction.user
    message = interaction.message
    return InteractionInfo(
        id=interaction.id,
        token=interaction.token,
        guild=interaction.guild_id or 0,
        channel=interaction.channel_id or 0,
        user=user.id,
        name=user.display_name,
        message=message.id if message is not None else 0,
        message_is_private=message is not None and message.flags.ephemeral,
        custom_id=data.get("custom_id", ""),
        locale=str(interaction.locale),
        values=tuple(data.get("values", ())),
        fields=_form_values(data.get("components", ())),
        manages_guild=interaction.permissions.manage_guild,
        member=user,
        bot_permissions=interaction.app_permissions,
        is_in_thread=isinstance(interaction.channel, discord.Thread),
    )


def _form_values(components: Any) -> dict[str, str]:
    """Return what was entered, by field: a line of text, or the one chosen value."""
    found: dict[str, str] = {}
    for row in components:
        for field in (row["component"],) if "component" in row else row.get("components", ()):
            values = field.get("values") or ()
            value = field.get("value") or (values[0] if values else "")
            if "custom_id" in field:
                found[field["custom_id"]] = str(value)
    return found
