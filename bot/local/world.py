"""Everything there is: people, servers, channels, messages, commands and emojis, as Discord's own JSON objects.

The world only holds and stores; who may do what, and who is told, is decided by its callers. Ids are strings.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field

from bot.local import permissions
from bot.local.clock import Clock
from bot.local.errors import Json, refuse
from bot.local.storage import Storage

TEXT_CHANNEL, DM_CHANNEL, PUBLIC_THREAD, PRIVATE_THREAD = 0, 1, 11, 12
THREADS = (10, PUBLIC_THREAD, PRIVATE_THREAD)
MESSAGES_IN_MEMORY = 200  # per channel; older ones are read from the store when asked for
MESSAGES_AT_START = 50


@dataclass(slots=True)
class Person:
    """A user and what only Discord knows of them. `link` is the key to their page; it is nobody else's business."""

    user: Json
    link: str = ""
    locale: str = "en-US"
    dms_open: bool = True
    dm: str = ""

    @property
    def id(self) -> str:
        return self.user["id"]  # type: ignore[no-any-return]


@dataclass(slots=True)
class Guild:
    """A server. Members are Discord's member objects by user id; each shares its `user` with the `Person`."""

    id: str
    name: str
    owner_id: str
    roles: list[Json] = field(default_factory=list)
    members: dict[str, Json] = field(default_factory=dict)


class World:
    """The state, in memory, with every change marked for the store."""

    def __init__(self, clock: Clock, storage: Storage) -> None:
        self.clock = clock
        self.storage = storage
        self.people: dict[str, Person] = {}
        self.by_link: dict[str, Person] = {}
        self.guilds: dict[str, Guild] = {}
        self.channels: dict[str, Json] = {}
        self.messages: dict[str, dict[str, Json]] = {}
        self.commands: dict[str, dict[str, Json]] = {"": {}}  # by scope: "" global, else a guild's id
        self.emojis: dict[str, Json] = {}
        self.bot = Person({})
        self._allowed: dict[tuple[str, str], int] = {}

    @property
    def application_id(self) -> str:
        return self.bot.id

    # -- starting -----------------------------------------------------------------------------------------------------

    async def load(self) -> None:
        """Read everything back, or make the first server with its first person."""
        for body in await self.storage.read_all("person"):
            person = Person(**body)
            self.people[person.id] = person
            self.clock.seen(person.id)
            if person.link:
                self.by_link[person.link] = person
            if person.user.get("bot"):
                self.bot = person
        for body in await self.storage.read_all("guild"):
            guild = Guild(**body)
            for user_id, member in guild.members.items():
                member["user"] = self.people[user_id].user
            self.guilds[guild.id] = guild
            self.clock.seen(guild.id)
        for channel in await self.storage.read_all("channel"):
            self.channels[channel["id"]] = channel
            self.clock.seen(channel["id"])
            if channel["type"] == DM_CHANNEL:
                channel["recipients"] = [self.people[user["id"]].user for user in channel["recipients"]]
            recent = await self.storage.read_last("message", channel["id"], MESSAGES_AT_START)
            self.messages[channel["id"]] = {message["id"]: message for message in recent}
            for message in recent[-1:]:
                self.clock.seen(message["id"])
        for command in await self.storage.read_all("command"):
            self.commands.setdefault(command.get("guild_id", ""), {})[command["id"]] = command
        for emoji in await self.storage.read_all("emoji"):
            self.emojis[emoji["id"]] = emoji
        if not self.guilds:
            self._found()

    def _found(self) -> None:
        self.bot = self.add_person("Dealer", bot=True)
        owner = self.add_person("Guest")
        guild = self.add_guild("Cardroom", owner)
        self.add_channel(guild, "poker", topic="Sit down and play")
        self.add_channel(guild, "lobby", topic="Talk about it")

    # -- people and servers -------------------------------------------------------------------------------------------

    def add_person(self, name: str, *, bot: bool = False) -> Person:
        user_id = self.clock.new_id()
        username = "".join(c for c in name.lower().replace(" ", "_") if c.isascii() and (c.isalnum() or c in "_."))[:32]
        user: Json = {
            "id": user_id,
            "username": username or f"user{user_id[-6:]}",
            "global_name": None if bot else name,
            "discriminator": "0",
            "avatar": None,
            "banner": None,
            "accent_color": None,
            "public_flags": 0,
            "flags": 0,
            "bot": bot,
            "primary_guild": None,
        }
        if bot:
            user["username"] = name
        person = Person(user, "" if bot else secrets.token_urlsafe(24))
        self.people[user_id] = person
        if person.link:
            self.by_link[person.link] = person
        self.save_person(person)
        return person

    def rename(self, person: Person, name: str) -> None:
        person.user["global_name"] = name
        self.save_person(person)

    def save_person(self, person: Person) -> None:
        body = {name: getattr(person, name) for name in ("user", "link", "locale", "dms_open", "dm")}
        self.storage.save("person", person.id, "0", body)

    def add_guild(self, name: str, owner: Person) -> Guild:
        """A new server with @everyone, the bot's own role and the bot in it; the owner is its first member."""
        guild = Guild(self.clock.new_id(), name, owner.id)
        guild.roles.append(self._role(guild.id, "@everyone", permissions.EVERYONE, 0))
        bot_role = self._role(self.clock.new_id(), self.bot.user["username"], permissions.BOT, 1)
        bot_role |= {"managed": True, "tags": {"bot_id": self.bot.id}}
        guild.roles.append(bot_role)
        self.guilds[guild.id] = guild
        self.join(guild, self.bot)["roles"] = [bot_role["id"]]
        self.join(guild, owner)
        return guild

    def add_role(self, guild: Guild, name: str, bits: int) -> Json:
        role = self._role(self.clock.new_id(), name, bits, len(guild.roles))
        guild.roles.append(role)
        self.save_guild(guild)
        return role

    @staticmethod
    def _role(role_id: str, name: str, bits: int, position: int) -> Json:
        return {
            "id": role_id,
            "name": name,
            "permissions": str(bits),
            "position": position,
            "color": 0,
            "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
            "hoist": False,
            "managed": False,
            "mentionable": False,
            "icon": None,
            "unicode_emoji": None,
            "flags": 0,
        }

    def join(self, guild: Guild, person: Person) -> Json:
        member: Json = {
            "user": person.user,
            "nick": None,
            "avatar": None,
            "banner": None,
            "communication_disabled_until": None,
            "flags": 0,
            "joined_at": self.clock.stamp(),
            "pending": False,
            "premium_since": None,
            "roles": [],
            "mute": False,
            "deaf": False,
        }
        guild.members[person.id] = member
        self.save_guild(guild)
        return member

    def save_guild(self, guild: Guild) -> None:
        """Mark a changed server; also forgets the permissions worked out so far."""
        self._allowed.clear()
        body = {name: getattr(guild, name) for name in ("id", "name", "owner_id", "roles", "members")}
        self.storage.save("guild", guild.id, "0", body)

    def guild(self, guild_id: str) -> Guild:
        """A server by id.

        Raises:
            ApiError: 10004.
        """
        guild = self.guilds.get(guild_id)
        if guild is None:
            raise refuse(10004)
        return guild

    # -- channels -----------------------------------------------------------------------------------------------------

    def add_channel(self, guild: Guild, name: str, *, topic: str | None = None) -> Json:
        channel = {
            "id": self.clock.new_id(),
            "type": TEXT_CHANNEL,
            "guild_id": guild.id,
            "name": name,
            "position": sum(1 for _ in self.guild_channels(guild.id)),
            "permission_overwrites": [],
            "topic": topic,
            "nsfw": False,
            "last_message_id": None,
            "parent_id": None,
            "rate_limit_per_user": 0,
            "flags": 0,
        }
        self.save_channel(channel)
        return channel

    def add_thread(self, parent: Json, name: str, owner_id: str, *, thread_id: str | None, kind: int) -> Json:
        thread = {
            "id": thread_id or self.clock.new_id(),
            "type": kind,
            "guild_id": parent["guild_id"],
            "parent_id": parent["id"],
            "owner_id": owner_id,
            "name": name,
            "last_message_id": None,
            "rate_limit_per_user": 0,
            "flags": 0,
            "message_count": 0,
            "member_count": 1,
            "member_ids_preview": [owner_id],
            "total_message_sent": 0,
            "thread_metadata": {
                "archived": False,
                "archive_timestamp": self.clock.stamp(),
                "auto_archive_duration": 1440,
                "locked": False,
                "create_timestamp": self.clock.stamp(),
            },
        }
        self.save_channel(thread)
        return thread

    def dm_with(self, person: Person) -> Json:
        """The direct message channel between the bot and a person, made if there is none."""
        if not person.dm:
            channel: Json = {
                "id": self.clock.new_id(),
                "type": DM_CHANNEL,
                "last_message_id": None,
                "flags": 0,
                "recipients": [person.user],
            }
            person.dm = channel["id"]
            self.save_channel(channel)
            self.save_person(person)
        return self.channels[person.dm]

    def save_channel(self, channel: Json) -> None:
        self._allowed.clear()
        self.channels[channel["id"]] = channel
        self.messages.setdefault(channel["id"], {})
        self.storage.save("channel", channel["id"], channel.get("guild_id", "0"), channel)

    def remove_channel(self, channel: Json) -> None:
        """Take a channel away, with its threads and all that was said in it."""
        for thread in [t for t in self.channels.values() if t.get("parent_id") == channel["id"]]:
            self.remove_channel(thread)
        del self.channels[channel["id"]]
        self.storage.forget("channel", channel["id"])
        for message_id in self.messages.pop(channel["id"]):
            self.storage.forget("message", message_id)
        self._allowed.clear()

    def channel(self, channel_id: str) -> Json:
        """A channel, thread or DM by id.

        Raises:
            ApiError: 10003.
        """
        channel = self.channels.get(channel_id)
        if channel is None:
            raise refuse(10003)
        return channel

    def guild_channels(self, guild_id: str) -> Iterator[Json]:
        """A server's channels without its threads."""
        for channel in self.channels.values():
            if channel.get("guild_id") == guild_id and channel["type"] not in THREADS:
                yield channel

    def threads(self, guild_id: str) -> Iterator[Json]:
        for channel in self.channels.values():
            if channel.get("guild_id") == guild_id and channel["type"] in THREADS:
                yield channel

    def allowed(self, user_id: str, channel: Json) -> int:
        """What a user may do in a channel, as permission bits. A thread takes its parent's overwrites."""
        if channel["type"] == DM_CHANNEL:
            mine = user_id == self.bot.id or channel["recipients"][0]["id"] == user_id
            return permissions.IN_DM if mine else 0
        key = (user_id, channel["id"])
        cached = self._allowed.get(key)
        if cached is not None:
            return cached
        guild = self.guilds[channel["guild_id"]]
        member = guild.members.get(user_id)
        place = self.channels[channel["parent_id"]] if channel["type"] in THREADS else channel
        total = (
            permissions.member_permissions(
                user_id=user_id,
                owner_id=guild.owner_id,
                guild_id=guild.id,
                role_ids=member["roles"],
                roles=guild.roles,
                overwrites=place["permission_overwrites"],
            )
            if member
            else 0
        )
        if channel["type"] == PRIVATE_THREAD and user_id not in channel["member_ids_preview"]:
            total = total if total & permissions.MANAGE_THREADS else 0
        self._allowed[key] = total
        return total

    def sees(self, user_id: str, channel: Json) -> bool:
        return bool(self.allowed(user_id, channel) & permissions.VIEW_CHANNEL)

    # -- messages -----------------------------------------------------------------------------------------------------

    def keep_message(self, message: Json) -> None:
        """A new message at the end of its channel."""
        channel_id = message["channel_id"]
        messages = self.messages[channel_id]
        messages[message["id"]] = message
        self.channels[channel_id]["last_message_id"] = message["id"]
        self.storage.save(
            "channel", channel_id, self.channels[channel_id].get("guild_id", "0"), self.channels[channel_id]
        )
        self.save_message(message)
        if len(messages) > MESSAGES_IN_MEMORY:
            del messages[next(iter(messages))]

    def save_message(self, message: Json) -> None:
        self.storage.save("message", message["id"], message["channel_id"], message)

    def drop_message(self, message: Json) -> None:
        self.messages[message["channel_id"]].pop(message["id"], None)
        self.storage.forget("message", message["id"])
        for attachment in message["attachments"]:
            self.storage.forget_file(attachment["id"])

    async def message(self, channel_id: str, message_id: str) -> Json:
        """A message by id, however old.

        Raises:
            ApiError: 10008.
        """
        found = self.messages.get(channel_id, {}).get(message_id)
        if found is None and message_id.isdecimal() and len(message_id) < 20:
            found = await self.storage.read("message", message_id)
        if found is None or found["channel_id"] != channel_id:
            raise refuse(10008)
        return found

    # -- commands -----------------------------------------------------------------------------------------------------

    def commands_for(self, user_id: str, channel: Json) -> list[Json]:
        """The slash commands a user can pick in a channel."""
        if channel["type"] == DM_CHANNEL:
            return [c for c in self.commands[""].values() if c["contexts"] is None or 1 in c["contexts"]]
        allowed = self.allowed(user_id, channel)
        if not allowed & permissions.USE_APPLICATION_COMMANDS:
            return []
        local = self.commands.get(channel["guild_id"], {})
        names = {(c["name"], c["type"]) for c in local.values()}
        shared = [c for c in self.commands[""].values() if (c["name"], c["type"]) not in names]
        result = []
        for command in [*local.values(), *shared]:
            needs = command["default_member_permissions"]
            hidden = needs is not None and (needs == "0" or int(needs) & ~allowed)
            if hidden and not allowed & permissions.ADMINISTRATOR:
                continue
            if command["contexts"] is None or 0 in command["contexts"] or "guild_id" in command:
                result.append(command)
        return result
