"""The state of the stand-in: people, servers, channels, messages, commands and emojis, as Discord's own JSON objects.

The world holds and stores them. Its callers check permissions and send the events. Ids are strings.
"""

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bot.local import permissions
from bot.local.blanks import blank
from bot.local.clock import AdjustableClock
from bot.local.errors import Json, api_error
from bot.local.storage import Storage

DM_CHANNEL, PUBLIC_THREAD, PRIVATE_THREAD, FORUM = 1, 11, 12, 15
THREADS = (10, PUBLIC_THREAD, PRIVATE_THREAD)
MAX_MESSAGES_IN_MEMORY = 200  # per channel; older ones are read from storage when they are needed
MESSAGES_LOADED_AT_START = 50


@dataclass(slots=True)
class LocalPerson:
    """A Discord user, with their settings and the key to their page. The bot is one too, without a page.

    Attributes:
        user: Discord's user object.
        link: the secret last part of their page's address. It must not be sent to anybody else.
        dms_open: whether the bot can send them direct messages.
        dm: the id of their direct message channel with the bot; empty until there is one.
    """

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
    """A server. Members are Discord's member objects by user id. A member shares its `user` object with its person."""

    id: str
    name: str
    owner_id: str
    roles: list[Json] = field(default_factory=list)
    members: dict[str, Json] = field(default_factory=dict)
    locale: str = "en-US"


class World:
    """The state in memory. Every change is also saved to storage.

    Args:
        avatars: people who join have a picture of their own.
    """

    def __init__(self, clock: AdjustableClock, storage: Storage, *, avatars: bool = False) -> None:
        self._avatars = avatars
        self.clock = clock
        self.storage = storage
        self.people: dict[str, LocalPerson] = {}
        self.people_by_link: dict[str, LocalPerson] = {}
        self.guilds: dict[str, Guild] = {}
        self.channels: dict[str, Json] = {}
        self.messages: dict[str, dict[str, Json]] = {}
        self.commands: dict[str, dict[str, Json]] = {"": {}}  # by scope: "" is global, otherwise a guild's id
        self.emojis: dict[str, Json] = {}
        self.scheduled_events: dict[str, Json] = {}
        self.interested: dict[str, list[str]] = {}
        self.bot = LocalPerson({})
        self._permission_cache: dict[tuple[str, str], int] = {}

    @property
    def application_id(self) -> str:
        return self.bot.id

    # -- loading ------------------------------------------------------------------------------------------------------

    async def load(self) -> None:
        """Read everything from storage. If there is nothing, create the first server with its first person."""
        for body in await self.storage.read_all("person"):
            person = LocalPerson(**body)
            self.people[person.id] = person
            self.clock.note_used_id(person.id)
            if person.link:
                self.people_by_link[person.link] = person
            if person.user.get("bot"):
                self.bot = person
        for body in await self.storage.read_all("guild"):
            guild = Guild(**body)
            for user_id, member in guild.members.items():
                member["user"] = self.people[user_id].user
            self.guilds[guild.id] = guild
            self.clock.note_used_id(guild.id)
        for channel in await self.storage.read_all("channel"):
            self.channels[channel["id"]] = channel
            self.clock.note_used_id(channel["id"])
            if channel["type"] == DM_CHANNEL:
                channel["recipients"] = [self.people[user["id"]].user for user in channel["recipients"]]
                self.messages[channel["id"]] = {}
                if await self.storage.read_last("message", channel["id"], 1):  # an earlier version wrote them
                    await self.storage.delete_under("message", channel["id"])
                continue
            recent = await self.storage.read_last("message", channel["id"], MESSAGES_LOADED_AT_START)
            self.messages[channel["id"]] = {message["id"]: message for message in recent}
            for message in recent[-1:]:
                self.clock.note_used_id(message["id"])
        for command in await self.storage.read_all("command"):
            self.commands.setdefault(command.get("guild_id", ""), {})[command["id"]] = command
        for emoji in await self.storage.read_all("emoji"):
            self.emojis[emoji["id"]] = emoji
        for event in await self.storage.read_all("scheduled_event"):
            self.scheduled_events[event["id"]] = event
            self.interested[event["id"]] = []  # who was interested is not kept
            self.clock.note_used_id(event["id"])
        if not self.guilds:
            self._create_first_guild()

    def _create_first_guild(self) -> None:
        self.bot = self.add_person("Dealer", bot=True)
        owner = self.add_person("Guest")
        guild = self.add_guild("Cardroom", owner)
        self.add_channel(guild, "poker", topic="Sit down and play")
        self.add_channel(guild, "lobby", topic="Talk about it")
        self.add_forum(guild, "all-tables")

    # -- people and servers -------------------------------------------------------------------------------------------

    def add_person(self, name: str, *, bot: bool = False) -> LocalPerson:
        """Create a person, or the bot. They are in no server yet."""
        user_id = self.clock.new_id()
        username = "".join(c for c in name.lower().replace(" ", "_") if c.isascii() and (c.isalnum() or c in "_."))[:32]
        username = name if bot else username or f"user{user_id[-6:]}"
        user = blank("user", id=user_id, username=username, global_name=None if bot else name, bot=bot)
        if self._avatars and not bot:
            user["avatar"] = secrets.token_hex(16)
        person = LocalPerson(user, "" if bot else secrets.token_urlsafe(24))
        self.people[user_id] = person
        if person.link:
            self.people_by_link[person.link] = person
        self.save_person(person)
        return person

    def rename(self, person: LocalPerson, name: str) -> None:
        person.user["global_name"] = name
        self.save_person(person)

    def save_person(self, person: LocalPerson) -> None:
        body = {name: getattr(person, name) for name in ("user", "link", "locale", "dms_open", "dm")}
        self.storage.save("person", person.id, "0", body)

    def add_guild(self, name: str, owner: LocalPerson) -> Guild:
        """Create a server with @everyone, the bot with a role of its own, and the owner."""
        guild = Guild(self.clock.new_id(), name, owner.id)
        guild.roles.append(self._role_json(guild.id, "@everyone", permissions.EVERYONE, 0))
        bot_role = self._role_json(self.clock.new_id(), self.bot.user["username"], permissions.BOT, 1)
        bot_role |= {"managed": True, "tags": {"bot_id": self.bot.id}}
        guild.roles.append(bot_role)
        self.guilds[guild.id] = guild
        self.add_member(guild, self.bot)["roles"] = [bot_role["id"]]
        self.add_member(guild, owner)
        return guild

    def add_role(self, guild: Guild, name: str, bits: int) -> Json:
        role = self._role_json(self.clock.new_id(), name, bits, len(guild.roles))
        guild.roles.append(role)
        self.save_guild(guild)
        return role

    @staticmethod
    def _role_json(role_id: str, name: str, bits: int, position: int) -> Json:
        return blank("role", id=role_id, name=name, permissions=str(bits), position=position)

    def add_member(self, guild: Guild, person: LocalPerson) -> Json:
        member = blank("member", user=person.user, joined_at=self.clock.timestamp())
        guild.members[person.id] = member
        self.save_guild(guild)
        return member

    def save_guild(self, guild: Guild) -> None:
        """Save a changed server, and forget the permissions computed so far."""
        self._permission_cache.clear()
        body = {name: getattr(guild, name) for name in ("id", "name", "owner_id", "roles", "members", "locale")}
        self.storage.save("guild", guild.id, "0", body)

    def remove_member(self, guild: Guild, person: LocalPerson) -> None:
        """Take a person out of a server. In the last one their link ends too."""
        del guild.members[person.id]
        self.save_guild(guild)
        if not any(person.id in each.members for each in self.guilds.values()):
            self.people_by_link.pop(person.link, None)
            person.link = ""
            self.save_person(person)

    def find_guild(self, guild_id: str) -> Guild:
        """Return a server by id.

        Raises:
            ApiError: 10004 there is none.
        """
        guild = self.guilds.get(guild_id)
        if guild is None:
            raise api_error(10004)
        return guild

    # -- channels -----------------------------------------------------------------------------------------------------

    def add_channel(self, guild: Guild, name: str, *, topic: str | None = None) -> Json:
        position = sum(1 for _ in self.guild_channels(guild.id))
        own = {"id": self.clock.new_id(), "guild_id": guild.id, "name": name, "position": position, "topic": topic}
        channel = blank("channel", **own)
        self.save_channel(channel)
        return channel

    def add_forum(self, guild: Guild, name: str) -> Json:
        """Create a forum: a channel whose every post is a public thread."""
        forum = self.add_channel(guild, name) | blank("forum")
        self.save_channel(forum)
        return forum

    def add_thread(self, parent: Json, name: str, owner_id: str, *, thread_id: str | None, kind: int) -> Json:
        now = self.clock.timestamp()
        thread = blank(
            "thread",
            id=thread_id or self.clock.new_id(),
            type=kind,
            guild_id=parent["guild_id"],
            parent_id=parent["id"],
            owner_id=owner_id,
            name=name,
            member_ids_preview=[owner_id],
        )
        thread["thread_metadata"] |= {"archive_timestamp": now, "create_timestamp": now}
        self.save_channel(thread)
        return thread

    def dm_channel_of(self, person: LocalPerson) -> Json:
        """Return the direct message channel of the bot and a person. Create it if there is none."""
        if not person.dm:
            channel = blank("dm", id=self.clock.new_id(), recipients=[person.user])
            person.dm = channel["id"]
            self.save_channel(channel)
            self.save_person(person)
        return self.channels[person.dm]

    def save_channel(self, channel: Json) -> None:
        self._permission_cache.clear()
        self.channels[channel["id"]] = channel
        self.messages.setdefault(channel["id"], {})
        self.storage.save("channel", channel["id"], channel.get("guild_id", "0"), channel)

    def save_scheduled_event(self, event: Json) -> None:
        self.scheduled_events[event["id"]] = event
        self.interested.setdefault(event["id"], [])
        self.storage.save("scheduled_event", event["id"], event["guild_id"], event)

    def delete_scheduled_event(self, event: Json) -> None:
        del self.scheduled_events[event["id"]], self.interested[event["id"]]
        self.storage.delete("scheduled_event", event["id"])

    def delete_channel(self, channel: Json) -> None:
        """Delete a channel with its threads and messages."""
        for thread in [t for t in self.channels.values() if t.get("parent_id") == channel["id"]]:
            self.delete_channel(thread)
        del self.channels[channel["id"]]
        self.storage.delete("channel", channel["id"])
        for message in self.messages.pop(channel["id"]).values():
            self.storage.delete("message", message["id"])
            self._delete_files(message)
        self._permission_cache.clear()

    def find_channel(self, channel_id: str) -> Json:
        """Return a channel, thread or DM by id.

        Raises:
            ApiError: 10003 there is none.
        """
        channel = self.channels.get(channel_id)
        if channel is None:
            raise api_error(10003)
        return channel

    def guild_channels(self, guild_id: str) -> Iterator[Json]:
        """Yield a server's channels without its threads."""
        for channel in tuple(self.channels.values()):
            if channel.get("guild_id") == guild_id and channel["type"] not in THREADS:
                yield channel

    def threads(self, guild_id: str) -> Iterator[Json]:
        for channel in self.channels.values():
            if channel.get("guild_id") == guild_id and channel["type"] in THREADS:
                yield channel

    def active_threads(self, guild_id: str) -> list[Json]:
        """Return a server's threads that are not archived."""
        return [thread for thread in self.threads(guild_id) if not thread["thread_metadata"]["archived"]]

    def permissions_in(self, user_id: str, channel: Json) -> int:
        """Return a user's permission bits in a channel. A thread uses the overwrites of its parent channel."""
        if channel["type"] == DM_CHANNEL:
            takes_part = user_id == self.bot.id or channel["recipients"][0]["id"] == user_id
            return permissions.IN_DM if takes_part else 0
        key = (user_id, channel["id"])
        cached = self._permission_cache.get(key)
        if cached is not None:
            return cached
        guild = self.guilds[channel["guild_id"]]
        overwrites_of = self.channels[channel["parent_id"]] if channel["type"] in THREADS else channel
        total = self.permissions_of_member(guild, user_id, overwrites_of["permission_overwrites"])
        if channel["type"] == PRIVATE_THREAD and user_id not in channel["member_ids_preview"]:
            total = total if total & permissions.MANAGE_THREADS else 0
        self._permission_cache[key] = total
        return total

    def permissions_of_member(self, guild: Guild, user_id: str, overwrites: Sequence[Json] = ()) -> int:
        """Return the permission bits of a member of a server, with the overwrites of a channel; 0 for anybody else."""
        if user_id not in guild.members:
            return 0
        return permissions.member_permissions(
            user_id=user_id,
            owner_id=guild.owner_id,
            guild_id=guild.id,
            role_ids=guild.members[user_id]["roles"],
            roles=guild.roles,
            overwrites=overwrites,
        )

    def can_view(self, user_id: str, channel: Json) -> bool:
        return bool(self.permissions_in(user_id, channel) & permissions.VIEW_CHANNEL)

    # -- messages -----------------------------------------------------------------------------------------------------

    def add_message(self, message: Json) -> None:
        """Add a new message at the end of its channel."""
        channel_id = message["channel_id"]
        messages = self.messages[channel_id]
        messages[message["id"]] = message
        self.channels[channel_id]["last_message_id"] = message["id"]
        self.storage.save(
            "channel", channel_id, self.channels[channel_id].get("guild_id", "0"), self.channels[channel_id]
        )
        self.save_message(message)
        if len(messages) > MAX_MESSAGES_IN_MEMORY:
            oldest = messages.pop(next(iter(messages)))
            if self.channels[channel_id]["type"] == DM_CHANNEL:  # it is nowhere else
                self._delete_files(oldest)

    def save_message(self, message: Json) -> None:
        """Save a message. Direct messages stay in memory, because they hold the cards of running hands."""
        if self.channels[message["channel_id"]]["type"] != DM_CHANNEL:
            self.storage.save("message", message["id"], message["channel_id"], message)

    def delete_message(self, message: Json) -> None:
        self.messages[message["channel_id"]].pop(message["id"], None)
        self.storage.delete("message", message["id"])
        self._delete_files(message)

    def _delete_files(self, message: Json) -> None:
        for attachment in message["attachments"]:
            self.storage.delete_file(attachment["id"])

    async def find_message(self, channel_id: str, message_id: str) -> Json:
        """Return a message by id, however old it is.

        Raises:
            ApiError: 10008 there is none.
        """
        found = self.messages.get(channel_id, {}).get(message_id)
        if found is None and message_id.isdecimal() and len(message_id) < 20:
            found = await self.storage.read("message", message_id)
        if found is None or found["channel_id"] != channel_id:
            raise api_error(10008)
        return found

    # -- commands -----------------------------------------------------------------------------------------------------

    def all_commands(self) -> list[Json]:
        """Return every command that a bot has registered, whoever can use it."""
        return [command for of_scope in self.commands.values() for command in of_scope.values()]

    def commands_available_to(self, user_id: str, channel: Json) -> list[Json]:
        """Return the commands that a user can use in a channel: typed ones and those of menus."""
        if channel["type"] == DM_CHANNEL:
            return [c for c in self.commands[""].values() if c["contexts"] is None or 1 in c["contexts"]]
        allowed = self.permissions_in(user_id, channel)
        if not allowed & permissions.USE_APPLICATION_COMMANDS:
            return []
        of_guild = self.commands.get(channel["guild_id"], {})
        names = {(c["name"], c["type"]) for c in of_guild.values()}
        global_ones = [c for c in self.commands[""].values() if (c["name"], c["type"]) not in names]
        result = []
        for command in [*of_guild.values(), *global_ones]:
            required = command["default_member_permissions"]
            hidden = required is not None and (required == "0" or int(required) & ~allowed)
            if hidden and not allowed & permissions.ADMINISTRATOR:
                continue
            if command["contexts"] is None or 0 in command["contexts"] or "guild_id" in command:
                result.append(command)
        return result
