"""An interaction of Discord as plain values: its user, channel, permissions, message and input."""

from __future__ import annotations

import datetime
from typing import Any

import discord
from msgspec import Struct

from bot.line.slot_marks import without_mark
from bot.runtime.request import Request

EPHEMERAL = 1 << 6
AVATAR_PIXELS, DEFAULT_AVATARS = 128, 6
_FORM = discord.InteractionType.modal_submit.value
_CLICKS = (discord.InteractionType.component.value, _FORM)
_MANAGE_GUILD = discord.Permissions(manage_guild=True).value
_THREADS = (
    discord.ChannelType.news_thread.value,
    discord.ChannelType.public_thread.value,
    discord.ChannelType.private_thread.value,
)


class GivenFile(Struct, frozen=True):
    """A file that somebody gave in a form. It is fetched from `url`; what name and size say is Discord's word for it."""

    name: str
    size: int
    url: str


class InteractionInfo(Struct, frozen=True, kw_only=True):
    """One slash command, click, choice or submitted form.

    Attributes:
        id, token: of the interaction; the token can answer it for fifteen minutes.
        guild: the server; 0 in direct messages.
        channel, user, name: where it was, the user's id, and their display name there.
        message: the message that was clicked, also through a form; 0 for a command.
        message_is_private: only its reader sees that message.
        message_files: the names of the files that message has.
        custom_id: of the clicked component or submitted form; empty for a command.
        values: what was chosen in a select.
        bots: the ids of those bots that were chosen in a select of people.
        fields: what was entered in a form, by field; of a file its id.
        files: the files that were given in a form, by their ids.
        manages_guild: the user has Manage Server.
        roles: the user's roles in the server.
        joined_at: when the user joined the server, in ms; 0 in direct messages, and for a guest of the server.
        locale: the language of the user's Discord.
        bot_permissions: what the bot can do in the channel.
        is_in_thread: the channel is a thread.
        avatar: the address of the user's picture in the server.
    """

    id: int
    token: str
    guild: int
    channel: int
    user: int
    name: str
    message: int = 0
    message_is_private: bool = False
    message_files: tuple[str, ...] = ()
    custom_id: str = ""
    values: tuple[str, ...] = ()
    bots: tuple[int, ...] = ()
    fields: dict[str, str] = {}
    files: dict[str, GivenFile] = {}
    manages_guild: bool = False
    roles: tuple[int, ...] = ()
    joined_at: int = 0
    locale: str = "en-US"
    bot_permissions: discord.Permissions = discord.Permissions.none()
    is_in_thread: bool = False
    avatar: str = ""

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
            roles=self.roles,
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
        avatar=avatar_of(user),
    )


class _User(Struct, frozen=True):
    id: int
    username: str
    global_name: str | None = None
    avatar: str | None = None


class _Member(Struct, frozen=True):
    user: _User
    permissions: int = 0
    roles: tuple[int, ...] = ()
    nick: str | None = None
    joined_at: datetime.datetime | None = None
    avatar: str | None = None


class _File(Struct, frozen=True):
    filename: str


class _Message(Struct, frozen=True):
    id: int
    flags: int = 0
    attachments: tuple[_File, ...] = ()


class _Channel(Struct, frozen=True):
    type: int = 0


class _Attachment(Struct, frozen=True):
    id: str
    filename: str
    size: int
    url: str


class _ChosenUser(Struct, frozen=True):
    id: int
    bot: bool = False


class _Resolved(Struct, frozen=True):
    users: dict[str, _ChosenUser] = {}
    attachments: dict[str, _Attachment] = {}


class _Data(Struct, frozen=True):
    custom_id: str = ""
    values: tuple[str, ...] = ()
    components: tuple[Any, ...] = ()
    resolved: _Resolved = _Resolved()


class ClickEvent(Struct, frozen=True):
    """A click, a choice or a submitted form as the gateway delivers it: the fields that are read, named as Discord names them.

    discord.py would build the message that was clicked, all its buttons, the member and the channel first: a fifth of the work of a
    click, of which nothing is used.
    """

    id: int
    type: int
    token: str
    data: _Data = _Data()
    guild_id: int | None = None
    channel_id: int | None = None
    channel: _Channel | None = None
    member: _Member | None = None
    user: _User | None = None
    message: _Message | None = None
    locale: str = "en-US"
    app_permissions: int = 0

    def __repr__(self) -> str:
        """Tell which interaction it is, without the token and what was typed: this can end up in a log."""
        return f"<interaction {self.id}, {self.data.custom_id or 'a command'}>"

    @property
    def is_click(self) -> bool:
        """Return whether it is a click, a choice or a form, and not a slash command."""
        return self.type in _CLICKS

    @property
    def is_form(self) -> bool:
        """Return whether it is a submitted form."""
        return self.type == _FORM


def click_info(event: ClickEvent) -> InteractionInfo:
    """Read a click, a choice or a submitted form."""
    member, message, channel = event.member, event.message, event.channel
    user = member.user if member is not None else event.user
    assert user is not None, "somebody has clicked"
    nick = member.nick if member is not None else None
    return InteractionInfo(
        id=event.id,
        token=event.token,
        guild=event.guild_id or 0,
        channel=event.channel_id or 0,
        user=user.id,
        name=nick or user.global_name or user.username,
        message=message.id if message is not None else 0,
        message_is_private=message is not None and bool(message.flags & EPHEMERAL),
        message_files=tuple([file.filename for file in message.attachments]) if message is not None else (),
        # Only what is in a direct message can be marked.
        custom_id=event.data.custom_id if event.guild_id else without_mark(event.data.custom_id),
        locale=event.locale,
        values=event.data.values,
        bots=tuple([chosen.id for chosen in event.data.resolved.users.values() if chosen.bot]),
        fields=_form_values(event.data.components) if event.data.components else {},
        files={
            id_: GivenFile(file.filename, file.size, file.url) for id_, file in event.data.resolved.attachments.items()
        },
        manages_guild=member is not None and bool(member.permissions & _MANAGE_GUILD),
        roles=member.roles if member is not None else (),
        joined_at=_ms(member.joined_at) if member is not None else 0,
        bot_permissions=discord.Permissions(event.app_permissions),
        is_in_thread=channel is not None and channel.type in _THREADS,
        avatar=_avatar(event.guild_id or 0, user.id, member.avatar if member is not None else None, user.avatar),
    )


def avatar_of(user: discord.User | discord.Member) -> str:
    """Return the address of a person's picture in the server."""
    own = user.avatar.key if user.avatar is not None else None
    if isinstance(user, discord.Member) and user.guild_avatar is not None:
        return _avatar(user.guild.id, user.id, user.guild_avatar.key, own)
    return _avatar(0, user.id, None, own)


def is_chosen_avatar(address: str) -> bool:
    """Whether a person's picture is one that they have chosen, and not one that Discord gives to everybody who has none."""
    return bool(address) and not address.startswith(f"{discord.asset.Asset.BASE}/embed/")


def _avatar(guild: int, user: int, in_server: str | None, own: str | None) -> str:
    """Return the same by the names of the pictures: the one that somebody has in the server, else everywhere, else Discord's own."""
    base = discord.asset.Asset.BASE
    if in_server:
        return f"{base}/guilds/{guild}/users/{user}/avatars/{in_server}.png?size={AVATAR_PIXELS}"
    if own:
        return f"{base}/avatars/{user}/{own}.png?size={AVATAR_PIXELS}"
    return f"{base}/embed/avatars/{(user >> 22) % DEFAULT_AVATARS}.png"


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
