"""What the gateway has told of servers, channels and roles. Nothing here asks Discord."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import discord

from bot.text.language import ENGLISH, Language, language_for


class Servers:
    """The servers that the bot is in."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    @property
    def hears_messages(self) -> bool:
        """Whether the gateway tells of messages: by `PersonWrote`, `MessagesDeleted` and the echoes. In very many servers it does not."""
        return self._client.intents.guild_messages

    def language(self, guild: int) -> Language:
        """Return the language of what everybody in a server reads: the one that the server prefers."""
        server = self._client.get_guild(guild)
        return language_for(str(server.preferred_locale)) if server is not None else ENGLISH

    def can_write(self, guild: int, channel: int) -> bool:
        """Return whether the bot can send a message to a channel or thread of a server."""
        return not self.lacks_to_write(guild, channel)

    def lacks_to_write(self, guild: int, channel: int) -> tuple[str, ...]:
        """Return the permissions that the bot lacks to send a message to a channel or thread, by discord.py's names."""
        found = self.channel_or_thread(guild, channel)
        needed = ("view_channel", "send_messages_in_threads" if isinstance(found, discord.Thread) else "send_messages")
        if found is None:
            return needed
        try:
            allowed = found.permissions_for(found.guild.me)
        except discord.ClientException:  # a thread whose channel is not known
            return needed
        return tuple([name for name in needed if not getattr(allowed, name)])

    def can_create_events(self, guild: int) -> bool:
        """Return whether the bot can make scheduled events in a server."""
        server = self._client.get_guild(guild)
        return server is not None and server.me is not None and server.me.guild_permissions.create_events

    def can_attach_files(self, guild: int, channel: int) -> bool:
        """Return whether the bot can attach files in a channel or thread of a server. Where that is not known, Discord decides."""
        found = self.channel_or_thread(guild, channel)
        if found is None:
            return True
        try:
            return found.permissions_for(found.guild.me).attach_files
        except discord.ClientException:  # a thread whose channel is not known
            return True

    def channel_or_thread(self, guild: int, channel: int) -> discord.abc.GuildChannel | discord.Thread | None:
        """Return a channel or thread of a server, as far as the gateway has told of it."""
        server = self._client.get_guild(guild)
        return server.get_channel_or_thread(channel) if server is not None else None

    def threads(self, guild: int) -> list[discord.Thread] | None:
        """Return the active threads of a server that the bot has made; None while the server is not known."""
        server, me = self._client.get_guild(guild), self._client.user
        if server is None or server.unavailable or me is None:
            return None
        return [thread for thread in server.threads if thread.owner_id == me.id]

    def is_open_to_all(self, guild: int, channel: int) -> bool:
        """Return whether everybody in a server can read a channel or thread, as far as the gateway has told of it."""
        found = self.channel_or_thread(guild, channel)
        return found is not None and is_for_everybody(found)

    def can_view(self, guild: int, channel: int, user: int, roles: Sequence[int]) -> bool:
        """Return whether somebody who has these roles can read a channel or thread. The gateway does not tell who is in a private thread:
        of those it is true only for people who manage threads."""
        found = self.channel_or_thread(guild, channel)
        room = found.parent if isinstance(found, discord.Thread) else found
        if found is None or room is None:
            return False
        allowed = _permissions(room, user, roles)
        is_private = isinstance(found, discord.Thread) and found.is_private()
        return allowed.view_channel and (allowed.manage_threads or not is_private)

    def usual_channel(self, guild: int) -> int:
        """Return the channel in which a server is told what everybody shall read; 0 for none."""
        server = self._client.get_guild(guild)
        channel = channel_to_write_in(server) if server is not None else None
        return channel.id if channel is not None else 0

    def all(self) -> Sequence[discord.Guild]:
        """Return all servers."""
        return self._client.guilds

    def get(self, guild: int) -> discord.Guild | None:
        """Return a server, as far as the gateway has told of it."""
        return self._client.get_guild(guild)

    def can_be_given(self, guild: int, role: int, is_powerful: Callable[[discord.Role], bool]) -> bool:
        """Return whether a role is there, and is a mere sign."""
        found = self._client.get_guild(guild)
        known = found.get_role(role) if found is not None else None
        return known is not None and not is_powerful(known)


def is_for_everybody(channel: discord.abc.GuildChannel | discord.Thread) -> bool:
    """Return whether everybody in its server can read a channel or thread."""
    if isinstance(channel, discord.Thread):
        return not channel.is_private() and channel.parent is not None and is_for_everybody(channel.parent)
    return channel.permissions_for(channel.guild.default_role).view_channel


def _permissions(channel: discord.abc.GuildChannel, user: int, roles: Sequence[int]) -> discord.Permissions:
    """Return what somebody can do in a channel. The bot keeps no members, so discord.py cannot say it of them."""
    server = channel.guild
    everybody = server.default_role
    held = [role for role in map(server.get_role, roles) if role is not None and role != everybody]
    value = everybody.permissions.value
    for role in held:
        value |= role.permissions.value
    if user == server.owner_id or discord.Permissions(value).administrator:
        return discord.Permissions.all()
    for group in ((everybody,), held, (discord.Object(user),)):
        pairs = [channel.overwrites_for(one).pair() for one in group]
        for _, deny in pairs:
            value &= ~deny.value
        for allow, _ in pairs:
            value |= allow.value
    return discord.Permissions(value)


def channel_to_write_in(guild: discord.Guild) -> discord.TextChannel | None:
    """Return the channel in which to tell a server something: where Discord welcomes people, else the first one; one that everybody can
    write in if there is one. None where the dealer can write nowhere."""
    channels = sorted(guild.text_channels, key=lambda channel: channel != guild.system_channel)
    writable = [channel for channel in channels if _can_write(channel, guild.me)]
    open_to_all = [channel for channel in writable if _can_write(channel, guild.default_role)]
    return next(iter(open_to_all or writable), None)


def _can_write(channel: discord.TextChannel, who: discord.Member | discord.Role) -> bool:
    permissions = channel.permissions_for(who)
    return permissions.view_channel and permissions.send_messages
