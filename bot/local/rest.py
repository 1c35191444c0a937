"""The REST routes that a guild bot uses, each with what Discord checks before it answers.

Source: Discord's documentation and OpenAPI document, version 10.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any

from bot.local import permissions
from bot.local.clock import created_at
from bot.local.commands import read_command, read_commands
from bot.local.errors import FormErrors, Json, refuse, wrong
from bot.local.gateway import Gateway, guild_json
from bot.local.interactions import Interactions
from bot.local.limits import COMMANDS, DELETE, EDIT, OLD_EDIT, OPEN_DM, SEND, TOKEN, RateLimits
from bot.local.messages import Messages
from bot.local.routing import Call, Reply, Router
from bot.local.storage import File
from bot.local.viewers import Viewers
from bot.local.world import DM_CHANNEL, PRIVATE_THREAD, PUBLIC_THREAD, THREADS, World

OLD_MESSAGE_SECONDS = 3600
EMOJIS_MAX = 2000
EMOJI_BYTES_MAX = 256 * 1024
PINS_MAX = 250

_IMAGE = re.compile(r"^data:(image/(?:png|jpeg|gif|webp));base64,(.*)$", re.DOTALL)


class Rest:
    """Discord's REST API over one world."""

    def __init__(
        self,
        world: World,
        messages: Messages,
        interactions: Interactions,
        gateway: Gateway,
        viewers: Viewers,
        limits: RateLimits,
    ) -> None:
        self._world = world
        self._messages = messages
        self._interactions = interactions
        self._gateway = gateway
        self._viewers = viewers
        self._limits = limits
        self.router = Router()
        self._add_routes()

    def _add_routes(self) -> None:
        add = self.router.add
        add("POST", "/interactions/{id}/{token}/callback", self._callback, rule=None, bot_only=False)
        hook = "/webhooks/{application}/{token}"
        token = {"rule": TOKEN, "major": 1, "bot_only": False}
        add("POST", hook, self._follow_up, **token)  # type: ignore[arg-type]
        add("GET", hook + "/messages/{message}", self._token_get, **token)  # type: ignore[arg-type]
        add("PATCH", hook + "/messages/{message}", self._token_edit, **token)  # type: ignore[arg-type]
        add("DELETE", hook + "/messages/{message}", self._token_delete, **token)  # type: ignore[arg-type]

        messages = "/channels/{channel}/messages"
        add("POST", messages, self._send, rule=SEND)
        add("GET", messages, self._list_messages)
        add("GET", messages + "/{message}", self._get_message)
        add("PATCH", messages + "/{message}", self._edit, rule=EDIT)
        add("DELETE", messages + "/{message}", self._delete, rule=DELETE)
        add("POST", messages + "/bulk-delete", self._bulk_delete)
        add("POST", messages + "/{message}/threads", self._thread_from_message)
        for pins in ("/channels/{channel}/pins/{message}", messages + "/pins/{message}"):
            add("PUT", pins, self._pin)
            add("DELETE", pins, self._unpin)
        add("GET", messages + "/pins", self._pins)
        add("POST", "/channels/{channel}/typing", self._typing)
        add("POST", "/channels/{channel}/threads", self._thread)
        add("PUT", "/channels/{channel}/thread-members/{user}", self._join_thread)
        add("DELETE", "/channels/{channel}/thread-members/{user}", self._leave_thread)
        add("GET", "/channels/{channel}", self._get_channel)
        add("PATCH", "/channels/{channel}", self._edit_channel)

        add("GET", "/gateway", self._get_gateway, bot_only=False)
        add("GET", "/gateway/bot", self._gateway_bot)
        add("GET", "/users/@me", self._me)
        add("GET", "/users/@me/guilds", self._my_guilds)
        add("POST", "/users/@me/channels", self._open_dm, rule=OPEN_DM, major=-1)
        add("GET", "/users/{user}", self._user)
        add("GET", "/oauth2/applications/@me", self._application)
        add("GET", "/applications/@me", self._application)

        add("GET", "/guilds/{guild}", self._guild)
        add("GET", "/guilds/{guild}/channels", self._channels)
        add("GET", "/guilds/{guild}/roles", self._roles)
        add("GET", "/guilds/{guild}/threads/active", self._active_threads)
        add("GET", "/guilds/{guild}/members/{user}", self._member)

        for scope in ("/applications/{application}", "/applications/{application}/guilds/{guild}"):
            add("GET", scope + "/commands", self._commands)
            add("PUT", scope + "/commands", self._set_commands, rule=COMMANDS)
            add("POST", scope + "/commands", self._add_command, rule=COMMANDS)
            add("GET", scope + "/commands/{command}", self._command)
            add("DELETE", scope + "/commands/{command}", self._drop_command, rule=COMMANDS)
        add("GET", "/applications/{application}/emojis", self._emojis)
        add("POST", "/applications/{application}/emojis", self._add_emoji)
        add("GET", "/applications/{application}/emojis/{emoji}", self._emoji)
        add("PATCH", "/applications/{application}/emojis/{emoji}", self._rename_emoji)
        add("DELETE", "/applications/{application}/emojis/{emoji}", self._drop_emoji)

    # -- interactions and their tokens ----------------------------------------------------------------------------------

    async def _callback(self, call: Call) -> Reply:
        result = await self._interactions.answer(call.args[0], call.args[1], call.body, call.uploads)
        return Reply(result) if call.query.get("with_response") in ("1", "true", "True") else Reply(None, 204)

    async def _follow_up(self, call: Call) -> Reply:
        interaction = self._interactions.by_token(*call.args)
        message = self._interactions.follow_up(interaction, call.json, call.uploads)
        return Reply(message) if call.query.get("wait") in ("1", "true", "True") else Reply(None, 204)

    async def _token_get(self, call: Call) -> Reply:
        interaction = self._interactions.by_token(*call.args[:2])
        return Reply(await self._interactions.reachable(interaction, call.args[2]))

    async def _token_edit(self, call: Call) -> Reply:
        interaction = self._interactions.by_token(*call.args[:2])
        message = await self._interactions.reachable(interaction, call.args[2])
        draft = self._messages.read(call.json, call.uploads, interaction.channel, old=message)
        self._messages.change(message, draft)
        return Reply(message)

    async def _token_delete(self, call: Call) -> Reply:
        interaction = self._interactions.by_token(*call.args[:2])
        self._messages.take_back(await self._interactions.reachable(interaction, call.args[2]))
        return Reply(None, 204)

    # -- messages -------------------------------------------------------------------------------------------------------

    def _channel(self, channel_id: str, needs: int = 0) -> Json:
        """A channel the bot sees and has these permissions in.

        Raises:
            ApiError: 10003 unknown, 50001 cannot see it, 50013 may not.
        """
        channel = self._world.channel(channel_id)
        allowed = self._world.allowed(self._world.bot.id, channel)
        if not allowed & permissions.VIEW_CHANNEL:
            raise refuse(50001)
        if needs & ~allowed:
            raise refuse(50013)
        return channel

    def _may_write(self, channel: Json, call: Call) -> None:
        if channel["type"] == DM_CHANNEL:
            person = self._world.people[channel["recipients"][0]["id"]]
            shared = any(person.id in guild.members for guild in self._world.guilds.values())
            if not person.dms_open or not shared:
                raise refuse(50007)
            return
        thread = channel["type"] in THREADS
        needs = permissions.SEND_MESSAGES_IN_THREADS if thread else permissions.SEND_MESSAGES
        if call.uploads:
            needs |= permissions.ATTACH_FILES
        if needs & ~self._world.allowed(self._world.bot.id, channel):
            raise refuse(50013)
        if thread and channel["thread_metadata"]["archived"]:
            if channel["thread_metadata"]["locked"]:
                raise refuse(50083)
            channel["thread_metadata"]["archived"] = False  # speaking in an archived thread opens it again
            self._channel_changed(channel)

    async def _send(self, call: Call) -> Reply:
        channel = self._channel(call.args[0])
        self._may_write(channel, call)
        draft = self._messages.read(call.json, call.uploads, channel)
        extra: Json = {}
        nonce = call.json.get("nonce")
        if nonce is not None:
            extra["nonce"] = nonce
            if call.json.get("enforce_nonce"):
                for message in reversed(self._world.messages[channel["id"]].values()):
                    if message.get("nonce") == nonce:
                        return Reply(message)
        reference = call.json.get("message_reference")
        if isinstance(reference, dict) and reference.get("message_id"):
            extra |= {
                "type": 19,
                "message_reference": {
                    "type": 0,
                    "channel_id": channel["id"],
                    "message_id": str(reference["message_id"]),
                },
            }
        return Reply(self._messages.say(channel, draft, **extra))

    async def _list_messages(self, call: Call) -> Reply:
        channel = self._channel(call.args[0], permissions.READ_MESSAGE_HISTORY)
        limit = call.query.get("limit", "50")
        if not limit.isdecimal() or not 1 <= int(limit) <= 100:
            raise wrong(("limit",), "NUMBER_TYPE_MAX", "int value should be less than or equal to 100.")
        before = call.query.get("before")
        if before is None and "after" not in call.query and "around" not in call.query:
            recent = list(self._world.messages[channel["id"]].values())[-int(limit) :]
        else:
            recent = await self._world.storage.read_last("message", channel["id"], int(limit), before)
            after = int(call.query.get("after", "0"))
            recent = [message for message in recent if int(message["id"]) > after]
        return Reply(recent[::-1])

    async def _get_message(self, call: Call) -> Reply:
        channel = self._channel(call.args[0], permissions.READ_MESSAGE_HISTORY)
        return Reply(await self._world.message(channel["id"], call.args[1]))

    async def _edit(self, call: Call) -> Reply:
        channel = self._channel(call.args[0])
        message = await self._world.message(channel["id"], call.args[1])
        if message["author"]["id"] != self._world.bot.id:
            raise refuse(50005)
        if call.uploads and not self._world.allowed(self._world.bot.id, channel) & permissions.ATTACH_FILES:
            raise refuse(50013)
        if created_at(message["id"]) + OLD_MESSAGE_SECONDS < self._world.clock.now():
            self._limits.take(OLD_EDIT, channel["id"])
        self._messages.change(message, self._messages.read(call.json, call.uploads, channel, old=message))
        return Reply(message)

    async def _delete(self, call: Call) -> Reply:
        channel = self._channel(call.args[0])
        message = await self._world.message(channel["id"], call.args[1])
        if message["author"]["id"] != self._world.bot.id:
            self._channel(channel["id"], permissions.MANAGE_MESSAGES)
        self._messages.take_back(message)
        return Reply(None, 204)

    async def _bulk_delete(self, call: Call) -> Reply:
        channel = self._channel(call.args[0], permissions.MANAGE_MESSAGES)
        if channel["type"] == DM_CHANNEL:
            raise refuse(50003)
        for message_id in call.json.get("messages") or []:
            found = self._world.messages[channel["id"]].get(str(message_id))
            if found is not None:
                self._messages.take_back(found)
        return Reply(None, 204)

    async def _pin(self, call: Call) -> Reply:
        channel = self._channel(call.args[0], permissions.PIN_MESSAGES if not self._is_dm(call.args[0]) else 0)
        message = await self._world.message(channel["id"], call.args[1])
        if sum(1 for each in self._world.messages[channel["id"]].values() if each["pinned"]) >= PINS_MAX:
            raise refuse(30003)
        message["pinned"] = True
        self._messages.changed(message)
        return Reply(None, 204)

    async def _unpin(self, call: Call) -> Reply:
        channel = self._channel(call.args[0], permissions.PIN_MESSAGES if not self._is_dm(call.args[0]) else 0)
        message = await self._world.message(channel["id"], call.args[1])
        message["pinned"] = False
        self._messages.changed(message)
        return Reply(None, 204)

    async def _pins(self, call: Call) -> Reply:
        channel = self._channel(call.args[0], permissions.READ_MESSAGE_HISTORY)
        pinned = [message for message in self._world.messages[channel["id"]].values() if message["pinned"]]
        items = [{"pinned_at": message["timestamp"], "message": message} for message in reversed(pinned)]
        return Reply({"items": items, "has_more": False})

    def _is_dm(self, channel_id: str) -> bool:
        return bool(self._world.channel(channel_id)["type"] == DM_CHANNEL)

    async def _typing(self, call: Call) -> Reply:
        self._channel(call.args[0])
        return Reply(None, 204)

    # -- channels and threads -------------------------------------------------------------------------------------------

    async def _get_channel(self, call: Call) -> Reply:
        return Reply(self._channel(call.args[0]))

    async def _edit_channel(self, call: Call) -> Reply:
        channel = self._channel(call.args[0])
        thread = channel["type"] in THREADS
        mine = thread and channel["owner_id"] == self._world.bot.id
        self._channel(
            call.args[0], 0 if mine else permissions.MANAGE_THREADS if thread else permissions.MANAGE_CHANNELS
        )
        faults = FormErrors()
        name = faults.text(call.json, "name", (), 100, 1)
        topic = faults.text(call.json, "topic", (), 1024)
        faults.check()
        if name is not None:
            channel["name"] = name
        if topic is not None and not thread:
            channel["topic"] = topic
        for key in ("archived", "locked", "auto_archive_duration"):
            if thread and key in call.json:
                channel["thread_metadata"][key] = call.json[key]
                channel["thread_metadata"]["archive_timestamp"] = self._world.clock.stamp()
        self._channel_changed(channel)
        return Reply(channel)

    def _channel_changed(self, channel: Json) -> None:
        self._world.save_channel(channel)
        event = "THREAD_UPDATE" if channel["type"] in THREADS else "CHANNEL_UPDATE"
        self._gateway.dispatch(event, channel, channel)
        self._viewers.tell_channel(channel, {"t": "channel", "channel": channel})

    async def _thread(self, call: Call) -> Reply:
        parent = self._channel(call.args[0])
        kind = call.json.get("type") or PRIVATE_THREAD
        if kind not in (PUBLIC_THREAD, PRIVATE_THREAD):
            raise wrong(("type",), "BASE_TYPE_CHOICES", "Value must be one of (11, 12).")
        return self._new_thread(parent, call, kind, None)

    async def _thread_from_message(self, call: Call) -> Reply:
        parent = self._channel(call.args[0], permissions.READ_MESSAGE_HISTORY)
        message = await self._world.message(parent["id"], call.args[1])
        if message["id"] in self._world.channels:
            raise refuse(160004)
        return self._new_thread(parent, call, PUBLIC_THREAD, message["id"])

    def _new_thread(self, parent: Json, call: Call, kind: int, thread_id: str | None) -> Reply:
        if parent["type"] in THREADS or parent["type"] == DM_CHANNEL:
            raise refuse(50024)
        needs = permissions.CREATE_PUBLIC_THREADS if kind == PUBLIC_THREAD else permissions.CREATE_PRIVATE_THREADS
        self._channel(parent["id"], needs)
        faults = FormErrors()
        name = faults.text(call.json, "name", (), 100, 1, required=True)
        faults.check()
        thread = self._world.add_thread(parent, name or "", self._world.bot.id, thread_id=thread_id, kind=kind)
        member = {
            "id": thread["id"],
            "user_id": self._world.bot.id,
            "join_timestamp": self._world.clock.stamp(),
            "flags": 0,
        }
        self._gateway.dispatch("THREAD_CREATE", {**thread, "newly_created": True}, thread)
        self._viewers.tell_channel(thread, {"t": "channel", "channel": thread})
        return Reply({**thread, "member": member}, 201)

    async def _join_thread(self, call: Call) -> Reply:
        thread, user_id = self._thread_and_user(call)
        if user_id not in thread["member_ids_preview"]:
            thread["member_ids_preview"].append(user_id)
            self._channel_changed(thread)
            recent = list(self._world.messages[thread["id"]].values())
            self._viewers.tell(user_id, {"t": "history", "channel_id": thread["id"], "messages": recent})
        return Reply(None, 204)

    async def _leave_thread(self, call: Call) -> Reply:
        thread, user_id = self._thread_and_user(call)
        if user_id in thread["member_ids_preview"]:
            self._viewers.tell(user_id, {"t": "channel_gone", "id": thread["id"]})
            thread["member_ids_preview"].remove(user_id)
            self._channel_changed(thread)
        return Reply(None, 204)

    def _thread_and_user(self, call: Call) -> tuple[Json, str]:
        thread = self._channel(call.args[0])
        if thread["type"] not in THREADS:
            raise refuse(50024)
        user_id = self._world.bot.id if call.args[1] == "@me" else call.args[1]
        if user_id not in self._world.people:
            raise refuse(10013)
        return thread, user_id

    # -- who and where ----------------------------------------------------------------------------------------------------

    async def _get_gateway(self, call: Call) -> Reply:
        return Reply({"url": self._gateway.url})

    async def _gateway_bot(self, call: Call) -> Reply:
        left = {
            "total": 1000,
            "remaining": max(1000 - self._gateway.identifies, 0),
            "reset_after": 86_400_000,
            "max_concurrency": 1,
        }
        return Reply({"url": self._gateway.url, "shards": 1, "session_start_limit": left})

    async def _me(self, call: Call) -> Reply:
        return Reply({**self._world.bot.user, "mfa_enabled": False, "locale": "en-US", "verified": True, "email": None})

    async def _my_guilds(self, call: Call) -> Reply:
        bot = self._world.bot.id
        result = []
        for guild in self._world.guilds.values():
            if bot in guild.members:
                bits = permissions.member_permissions(
                    user_id=bot,
                    owner_id=guild.owner_id,
                    guild_id=guild.id,
                    role_ids=guild.members[bot]["roles"],
                    roles=guild.roles,
                    overwrites=[],
                )
                mine = {
                    "id": guild.id,
                    "name": guild.name,
                    "icon": None,
                    "banner": None,
                    "owner": guild.owner_id == bot,
                }
                result.append(mine | {"permissions": str(bits), "features": []})
        return Reply(result)

    async def _open_dm(self, call: Call) -> Reply:
        person = self._world.people.get(str(call.json.get("recipient_id")))
        if person is None:
            raise refuse(10013)
        if person is self._world.bot:
            raise refuse(50007)
        new = not person.dm
        channel = self._world.dm_with(person)
        if new:
            self._viewers.tell(person.id, {"t": "dm", "dm": {"id": channel["id"], "recipient": self._world.bot.user}})
        return Reply(channel)

    async def _user(self, call: Call) -> Reply:
        person = self._world.people.get(call.args[0])
        if person is None:
            raise refuse(10013)
        return Reply(person.user)

    async def _application(self, call: Call) -> Reply:
        bot = self._world.bot
        owner = next((person.user for person in self._world.people.values() if person is not bot), bot.user)
        return Reply(
            {
                "id": bot.id,
                "name": bot.user["username"],
                "icon": None,
                "description": "",
                "type": None,
                "bot": bot.user,
                "summary": "",
                "bot_public": False,
                "bot_require_code_grant": False,
                "verify_key": "0" * 64,
                "flags": 0,
                "flags_new": "0",
                "tags": [],
                "redirect_uris": [],
                "interactions_endpoint_url": None,
                "role_connections_verification_url": None,
                "owner": owner,
                "approximate_guild_count": len(self._world.guilds),
                "approximate_user_install_count": 0,
                "approximate_user_authorization_count": 0,
                "explicit_content_filter": 0,
                "team": None,
                "eligible_oauth2_scopes": [],
                "integration_types_config": {"0": {}},
            }
        )

    def _my_guild(self, guild_id: str) -> Any:
        guild = self._world.guild(guild_id)
        if self._world.bot.id not in guild.members:
            raise refuse(50001)
        return guild

    async def _guild(self, call: Call) -> Reply:
        guild = self._my_guild(call.args[0])
        result = guild_json(guild)
        if call.query.get("with_counts") in ("1", "true", "True"):
            result |= {"approximate_member_count": len(guild.members), "approximate_presence_count": len(guild.members)}
        return Reply(result)

    async def _channels(self, call: Call) -> Reply:
        return Reply(list(self._world.guild_channels(self._my_guild(call.args[0]).id)))

    async def _roles(self, call: Call) -> Reply:
        return Reply(self._my_guild(call.args[0]).roles)

    async def _active_threads(self, call: Call) -> Reply:
        guild = self._my_guild(call.args[0])
        active = [t for t in self._world.threads(guild.id) if not t["thread_metadata"]["archived"]]
        return Reply({"threads": active, "members": [], "has_more": False})

    async def _member(self, call: Call) -> Reply:
        guild = self._my_guild(call.args[0])
        user_id = call.args[1]
        if user_id not in self._world.people:
            raise refuse(10013)
        member = guild.members.get(user_id)
        if member is None:
            raise refuse(10007)
        return Reply(member)

    # -- commands -------------------------------------------------------------------------------------------------------

    def _scope(self, call: Call) -> str:
        """The command scope of a path: "" or a guild's id."""
        if call.args[0] != self._world.application_id:
            raise refuse(10002)
        return self._my_guild(call.args[1]).id if "{guild}" in call.route.path else ""

    async def _commands(self, call: Call) -> Reply:
        return Reply(list(self._world.commands.get(self._scope(call), {}).values()))

    async def _command(self, call: Call) -> Reply:
        command = self._world.commands.get(self._scope(call), {}).get(call.args[-1])
        if command is None:
            raise refuse(10063)
        return Reply(command)

    async def _set_commands(self, call: Call) -> Reply:
        scope = self._scope(call)
        old = self._world.commands.get(scope, {})
        commands = read_commands(
            call.body or [],
            application_id=self._world.application_id,
            guild_id=scope or None,
            old=old,
            clock=self._world.clock,
        )
        self._world.commands[scope] = commands
        for command_id in old.keys() - commands.keys():
            self._world.storage.forget("command", command_id)
        for command_id, command in commands.items():
            self._world.storage.save("command", command_id, scope or "0", command)
        self._commands_changed()
        return Reply(list(commands.values()))

    async def _add_command(self, call: Call) -> Reply:
        scope = self._scope(call)
        faults = FormErrors()
        command = read_command(call.json, (), faults, application_id=self._world.application_id, guild_id=scope or None)
        faults.check()
        commands = self._world.commands.setdefault(scope, {})
        before = [c for c in commands.values() if (c["name"], c["type"]) == (command["name"], command["type"])]
        command["id"] = before[0]["id"] if before else self._world.clock.new_id()
        command["version"] = self._world.clock.new_id()
        commands[command["id"]] = command
        self._world.storage.save("command", command["id"], scope or "0", command)
        self._commands_changed()
        return Reply(command, 200 if before else 201)

    async def _drop_command(self, call: Call) -> Reply:
        if self._world.commands.get(self._scope(call), {}).pop(call.args[-1], None) is None:
            raise refuse(10063)
        self._world.storage.forget("command", call.args[-1])
        self._commands_changed()
        return Reply(None, 204)

    def _commands_changed(self) -> None:
        for person_id in self._viewers.people:
            self._viewers.tell(person_id, {"t": "commands", "commands": self.commands_of(person_id)})

    def commands_of(self, person_id: str) -> list[Json]:
        """Every slash command a person can pick somewhere in a server."""
        found: dict[str, Json] = {}
        for guild in self._world.guilds.values():
            for channel in self._world.guild_channels(guild.id):
                if person_id in guild.members and self._world.sees(person_id, channel):
                    found |= {command["id"]: command for command in self._world.commands_for(person_id, channel)}
        return list(found.values())

    # -- emojis ---------------------------------------------------------------------------------------------------------

    def _my_emoji(self, call: Call) -> Json:
        if call.args[0] != self._world.application_id:
            raise refuse(10002)
        emoji = self._world.emojis.get(call.args[1])
        if emoji is None:
            raise refuse(10014)
        return emoji

    async def _emojis(self, call: Call) -> Reply:
        return Reply({"items": list(self._world.emojis.values())})

    async def _emoji(self, call: Call) -> Reply:
        return Reply(self._my_emoji(call))

    def _emoji_name(self, body: Json) -> str:
        faults = FormErrors()
        name = faults.text(body, "name", (), 32, 2, required=True) or ""
        if name and not re.fullmatch(r"\w{2,32}", name, re.ASCII):
            faults.add(("name",), "STRING_TYPE_REGEX", "String value did not match validation regex.")
        elif any(emoji["name"] == name for emoji in self._world.emojis.values()):
            faults.add(("name",), "APPLICATION_EMOJI_NAME_ALREADY_TAKEN", "This emoji name is already taken")
        faults.check()
        return name

    async def _add_emoji(self, call: Call) -> Reply:
        if call.args[0] != self._world.application_id:
            raise refuse(10002)
        name = self._emoji_name(call.json)
        image = _IMAGE.match(str(call.json.get("image")))
        if image is None:
            raise wrong(("image",), "IMAGE_INVALID", "Invalid image data")
        try:
            body = base64.b64decode(image[2], validate=True)
        except binascii.Error as error:
            raise wrong(("image",), "IMAGE_INVALID", "Invalid image data") from error
        if len(body) > EMOJI_BYTES_MAX:
            raise wrong(("image",), "BINARY_TYPE_MAX_SIZE", "File cannot be larger than 256.0 kb.")
        if len(self._world.emojis) >= EMOJIS_MAX:
            raise refuse(30008)
        emoji: Json = {
            "id": self._world.clock.new_id(),
            "name": name,
            "user": self._world.bot.user,
            "roles": [],
            "require_colons": True,
            "managed": False,
            "animated": image[1] == "image/gif",
            "available": True,
        }
        self._world.emojis[emoji["id"]] = emoji
        self._world.storage.save("emoji", emoji["id"], "0", emoji)
        self._world.storage.save_file(emoji["id"], File(name, image[1], body))
        return Reply(emoji, 201)

    async def _rename_emoji(self, call: Call) -> Reply:
        emoji = self._my_emoji(call)
        emoji["name"] = self._emoji_name(call.json)
        self._world.storage.save("emoji", emoji["id"], "0", emoji)
        return Reply(emoji)

    async def _drop_emoji(self, call: Call) -> Reply:
        emoji = self._my_emoji(call)
        del self._world.emojis[emoji["id"]]
        self._world.storage.forget("emoji", emoji["id"])
        self._world.storage.forget_file(emoji["id"])
        return Reply(None, 204)
