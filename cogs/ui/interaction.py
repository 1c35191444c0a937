"""An interaction of Discord as plain values: its user, channel, permissions, message and input."""

from __future__ import annotations

import datetime
from typing import Any

import discord
from msgspec import Struct

from bot.runtime.request import Request

EPHEMERAL = 1 << 6
_THREADS = (
    discord.ChannelType.news_thread.value,
    discord.ChannelType.public_thread.value,
    discord.ChannelType.private_thread.value,
)


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
        roles: the user's roles in the server.
        joined_at: when the user joined the server, in ms; 0 in direct messages, and for a guest of the server.
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
    roles: tuple[int, ...] = ()
    joined_at: int = 0
    locale: str = "en-US"
    bot_permissions: discord.Permissions = discord.Permissions.none()
    is_in_thread: bool = False

    def __repr__(self) -> str:
        """Tell which interaction it is, without the token and what was typed: this can end up in a log."""
        return f"<interaction {self.id} of {self.user}, {self.custom_id or 'a command'}>"

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
        return staff_role in self.roles

    def request(self, *, staff: bool = False, table: int = 0, hand: int = -1, turn: int = -1) -> Request:
        """Turn it into a request to the tables."""
        return Request(
            key=str(self.id),
            guild=self.guild,
            channel=self.channel,
            user=self.user,
            name=self.name,
            staff=staff,
            joined_at=self.joined_at,
            table=table,
            hand_number=hand,
            decision_number=turn,
        )


def command_info(interaction: discord.Interaction[Any]) -> InteractionInfo:
    """Read a slash command of discord.py."""
    user = interaction.user
    member = user if isinstance(user, discord.Member) else None
    joined_at = member.joined_at if member is not None else None
    return InteractionInfo(
        id=interaction.id,
        token=interaction.token,
        guild=interaction.guild_id or 0,
        channel=interaction.channel_id or 0,
        user=user.id,
        name=user.display_name,
        locale=str(interaction.locale),
        manages_guild=interaction.permissions.manage_guild,
        roles=tuple([role.id for role in (member.roles if member is not None else ()) if not role.is_default()]),
        joined_at=_ms(joined_at),
        bot_permissions=interaction.app_permissions,
        is_in_thread=isinstance(interaction.channel, discord.Thread),
    )


def click_info(event: Any) -> InteractionInfo:
    """Read a click, a choice or a submitted form as the gateway delivers it.

    discord.py would build the message that was clicked, all its buttons, the member and the channel first: a seventh of
    the work of a click, of which nothing is used.
    """
    data, member, message = event["data"], event.get("member"), event.get("message")
    user = member["user"] if member is not None else event["user"]
    permissions = discord.Permissions(int(member["permissions"]) if member is not None else 0)
    nick = member.get("nick") if member is not None else None
    joined = member.get("joined_at") if member is not None else None
    return InteractionInfo(
        id=int(event["id"]),
        token=event["token"],
        guild=int(event.get("guild_id") or 0),
        channel=int(event.get("channel_id") or 0),
        user=int(user["id"]),
        name=nick or user.get("global_name") or user["username"],
        message=int(message["id"]) if message is not None else 0,
        message_is_private=message is not None and bool(message.get("flags", 0) & EPHEMERAL),
        custom_id=data["custom_id"],
        locale=event.get("locale", "en-US"),
        values=tuple(data.get("values", ())),
        fields=_form_values(data.get("components", ())),
        manages_guild=permissions.manage_guild,
        roles=tuple(map(int, member["roles"])) if member is not None else (),
        joined_at=_ms(datetime.datetime.fromisoformat(joined)) if joined else 0,
        bot_permissions=discord.Permissions(int(event.get("app_permissions", 0))),
        is_in_thread=event.get("channel", {}).get("type") in _THREADS,
    )


def _ms(time: datetime.datetime | None) -> int:
    """Return a time in ms since the epoch; 0 for none."""
    return int(time.timestamp() * 1000) if time is not None else 0


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
