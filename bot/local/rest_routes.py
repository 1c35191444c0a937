"""The REST routes that a bot in a server uses. Each checks what Discord checks before it answers.

Source: Discord's documentation and its OpenAPI document, version 10.
"""

import base64
import binascii
import re
from functools import partial

from bot.local import permissions
from bot.local.blanks import blank
from bot.local.clock import created_at
from bot.local.errors import FormErrors, Json, api_error, invalid_field
from bot.local.gateway import Gateway, guild_json
from bot.local.interactions import Interactions
from bot.local.messages import Messages
from bot.local.open_pages import OpenPages
from bot.local.rate_limits import (
    DELETE_MESSAGE,
    EDIT_MESSAGE,
    EDIT_OLD_MESSAGE,
    FOLLOW_UPS,
    INTERACTION_TOKEN,
    OPEN_DM,
    REGISTER_COMMANDS,
    SEND_MESSAGE,
    RateLimiter,
)
from bot.local.rest_server import RestRequest, RestResponse, Router
from bot.local.scheduled_events import ScheduledEvents
from bot.local.slash_commands import validate_command, validate_commands
from bot.local.storage import File
from bot.local.world import DM_CHANNEL, FORUM, PRIVATE_THREAD, PUBLIC_THREAD, THREADS, Guild, World

OLD_MESSAGE_SECONDS = 3600
MAX_EMOJIS = 2000
MAX_EMOJI_BYTES = 256 * 1024
MAX_PINS = 250
MAX_TAGS, MAX_TAGS_OF_POST = 20, 5
REQUIRES_TAG = 1 << 4  # the flag of a forum whose posts must have one
AUTO_ARCHIVE_MINUTES = (60, 1440, 4320, 10080)
MAX_NONCE = 25
NONCE_SECONDS = 300
"""How long a nonce is remembered. Discord says "the past few minutes"."""
REPLY_MESSAGE = 19  # the type of a message that replies to another

NO_CONTENT = RestResponse(None, 204)

_IMAGE = re.compile(r"^data:(image/(?:png|jpeg|gif|webp));base64,(.*)$", re.DOTALL)


class RestRoutes:
    """Handles the requests of Discord's REST API. Handlers are named after Discord's endpoints."""

    def __init__(
        self,
        world: World,
        messages: Messages,
        interactions: Interactions,
        gateway: Gateway,
        pages: OpenPages,
        rate_limiter: RateLimiter,
    ) -> None:
        self._world = world
        self._messages = messages
        self._interactions = interactions
        self._gateway = gateway
        self._pages = pages
        self._rate_limiter = rate_limiter
        self.router = Router()
        self._add_routes()
        self.scheduled_events = ScheduledEvents(world, gateway, self.router)

    def _add_routes(self) -> None:
        add = self.router.add
        add(
            "POST",
            "/interactions/{id}/{token}/callback",
            self._answer_interaction,
            rate_limit=None,
            bot_only=False,
            check_token=lambda values: self._interactions.find_by_id(values["id"], values["token"]),
        )
        follow_ups = "/webhooks/{application}/{token}"
        for method, path, handler in (
            ("POST", follow_ups, self._create_follow_up),
            ("GET", follow_ups + "/messages/{message}", self._get_follow_up),
            ("PATCH", follow_ups + "/messages/{message}", self._edit_follow_up),
            ("DELETE", follow_ups + "/messages/{message}", self._delete_follow_up),
        ):
            add(
                method,
                path,
                handler,
                rate_limit=INTERACTION_TOKEN,
                major_parameter="token",
                bot_only=False,
                check_token=lambda values: self._interactions.find_by_token(values["application"], values["token"]),
            )

        messages = "/channels/{channel}/messages"
        add("POST", messages, self._create_message, rate_limit=SEND_MESSAGE)
        add("GET", messages, self._list_messages)
        add("GET", messages + "/{message}", self._get_message)
        add("PATCH", messages + "/{message}", self._edit_message, rate_limit=EDIT_MESSAGE)
        add("DELETE", messages + "/{message}", self._delete_message, rate_limit=DELETE_MESSAGE)
        add("POST", messages + "/bulk-delete", self._delete_messages)
        add("POST", messages + "/{message}/threads", self._create_thread_from_message)
        for pins in ("/channels/{channel}/pins/{message}", messages + "/pins/{message}"):
            add("PUT", pins, self._pin_message)
            add("DELETE", pins, self._unpin_message)
        add("GET", messages + "/pins", self._list_pins)
        add("POST", "/channels/{channel}/typing", self._trigger_typing)
        add("POST", "/channels/{channel}/threads", self._create_thread)
        add("PUT", "/channels/{channel}/thread-members/{user}", self._add_thread_member)
        add("DELETE", "/channels/{channel}/thread-members/{user}", self._remove_thread_member)
        add("GET", "/channels/{channel}", self._get_channel)
        add("PATCH", "/channels/{channel}", self._edit_channel)
        add("DELETE", "/channels/{channel}", self._delete_channel)

        add("GET", "/gateway", self._get_gateway, bot_only=False)
        add("GET", "/gateway/bot", self._get_gateway_bot)
        add("GET", "/users/@me", self._get_current_user)
        add("GET", "/users/@me/guilds", self._list_current_guilds)
        add("POST", "/users/@me/channels", self._open_dm, rate_limit=OPEN_DM)
        add("GET", "/users/{user}", self._get_user)
        add("GET", "/oauth2/applications/@me", self._get_application)
        add("GET", "/applications/@me", self._get_application)

        add("GET", "/guilds/{guild}", self._get_guild)
        add("GET", "/guilds/{guild}/channels", self._list_channels)
        add("GET", "/guilds/{guild}/roles", self._list_roles)
        add("GET", "/guilds/{guild}/threads/active", self._list_active_threads)
        add("GET", "/guilds/{guild}/members/{user}", self._get_member)
        add("PUT", "/guilds/{guild}/members/{user}/roles/{role}", partial(self._change_role, give=True))
        add("DELETE", "/guilds/{guild}/members/{user}/roles/{role}", partial(self._change_role, give=False))

        for scope in ("/applications/{application}", "/applications/{application}/guilds/{guild}"):
            add("GET", scope + "/commands", self._list_commands)
            add("PUT", scope + "/commands", self._overwrite_commands, rate_limit=REGISTER_COMMANDS)
            add("POST", scope + "/commands", self._create_command, rate_limit=REGISTER_COMMANDS)
            add("GET", scope + "/commands/{command}", self._get_command)
            add("DELETE", scope + "/commands/{command}", self._delete_command, rate_limit=REGISTER_COMMANDS)
        add("GET", "/applications/{application}/emojis", self._list_emojis)
        add("POST", "/applications/{application}/emojis", self._create_emoji)
        add("GET", "/applications/{application}/emojis/{emoji}", self._get_emoji)
        add("PATCH", "/applications/{application}/emojis/{emoji}", self._rename_emoji)
        add("DELETE", "/applications/{application}/emojis/{emoji}", self._delete_emoji)

    # -- interactions and their tokens ----------------------------------------------------------------------------------

    async def _answer_interaction(self, request: RestRequest) -> RestResponse:
        interaction_id, token = request.parameters["id"], request.parameters["token"]
        result = await self._interactions.answer(interaction_id, token, request.body, request.uploads)
        return RestResponse(result) if _is_true(request.query.get("with_response")) else NO_CONTENT

    async def _create_follow_up(self, request: RestRequest) -> RestResponse:
        interaction = self._interactions.find_by_token(request.parameters["application"], request.parameters["token"])
        self._rate_limiter.count(FOLLOW_UPS, interaction.channel["id"])
        message = self._interactions.follow_up(interaction, request.json, request.uploads)
        return RestResponse(message) if _is_true(request.query.get("wait")) else NO_CONTENT

    async def _get_follow_up(self, request: RestRequest) -> RestResponse:
        interaction = self._interactions.find_by_token(request.parameters["application"], request.parameters["token"])
        return RestResponse(await self._interactions.find_message(interaction, request.parameters["message"]))

    async def _edit_follow_up(self, request: RestRequest) -> RestResponse:
        interaction = self._interactions.find_by_token(request.parameters["application"], request.parameters["token"])
        message = await self._interactions.find_message(interaction, request.parameters["message"])
        validated = self._messages.validate(request.json, request.uploads, interaction.channel, old=message)
        self._messages.edit(message, validated)
        return RestResponse(message)

    async def _delete_follow_up(self, request: RestRequest) -> RestResponse:
        interaction = self._interactions.find_by_token(request.parameters["application"], request.parameters["token"])
        self._messages.delete(await self._interactions.find_message(interaction, request.parameters["message"]))
        return NO_CONTENT

    # -- messages -------------------------------------------------------------------------------------------------------

    def _find_channel(self, channel_id: str, required: int = 0) -> Json:
        """Return a channel that the bot can see and in which it has the required permissions.

        Raises:
            ApiError: 10003 there is no such channel; 50001 the bot cannot see it; 50013 a permission is missing.
        """
        channel = self._world.find_channel(channel_id)
        allowed = self._world.permissions_in(self._world.bot.id, channel)
        if not allowed & permissions.VIEW_CHANNEL:
            raise api_error(50001)
        if required & ~allowed:
            raise api_error(50013)
        return channel

    def _check_can_write(self, channel: Json, request: RestRequest) -> None:
        """Check that the bot can post this request's message. Posting in an archived thread reopens it.

        Raises:
            ApiError: 50007 the person takes no direct messages; 50013 a permission is missing; 50083 the thread is
                locked.
        """
        if channel["type"] == DM_CHANNEL:
            person = self._world.people[channel["recipients"][0]["id"]]
            shares_guild = any(person.id in guild.members for guild in self._world.guilds.values())
            if not person.dms_open or not shares_guild:
                raise api_error(50007)
            return
        is_thread = channel["type"] in THREADS
        required = permissions.SEND_MESSAGES_IN_THREADS if is_thread else permissions.SEND_MESSAGES
        if request.uploads:
            required |= permissions.ATTACH_FILES
        if required & ~self._world.permissions_in(self._world.bot.id, channel):
            raise api_error(50013)
        if is_thread and channel["thread_metadata"]["archived"]:
            if channel["thread_metadata"]["locked"]:
                raise api_error(50083)
            channel["thread_metadata"]["archived"] = False
            self._publish_channel(channel)

    async def _create_message(self, request: RestRequest) -> RestResponse:
        channel = self._find_channel(request.parameters["channel"])
        self._check_can_write(channel, request)
        validated = self._messages.validate(request.json, request.uploads, channel)
        more_fields: Json = {}
        nonce = request.json.get("nonce")
        if nonce is not None:
            if len(str(nonce)) > MAX_NONCE:
                raise invalid_field(("nonce",), "NONCE_TYPE_TOO_LONG", f"Must be {MAX_NONCE} or fewer in length.")
            more_fields["nonce"] = nonce
            sent = self._sent_with(nonce) if request.json.get("enforce_nonce") else None
            if sent is not None:
                return RestResponse(sent)
        reference = request.json.get("message_reference")
        if isinstance(reference, dict) and reference.get("message_id"):
            more_fields |= {
                "type": REPLY_MESSAGE,
                "message_reference": {
                    "type": 0,
                    "channel_id": channel["id"],
                    "message_id": str(reference["message_id"]),
                },
            }
        return RestResponse(self._messages.post(channel, validated, **more_fields))

    def _sent_with(self, nonce: str | int) -> Json | None:
        """Return the message that the bot has sent with a nonce in the past few minutes, in any channel."""
        since = self._world.clock.now() - NONCE_SECONDS
        for messages in self._world.messages.values():
            for message in reversed(messages.values()):
                if created_at(message["id"]) < since:
                    break
                if message.get("nonce") == nonce and message["author"]["id"] == self._world.bot.id:
                    return message
        return None

    async def _list_messages(self, request: RestRequest) -> RestResponse:
        channel = self._find_channel(request.parameters["channel"], permissions.READ_MESSAGE_HISTORY)
        limit = request.query.get("limit", "50")
        if not limit.isdecimal() or not 1 <= int(limit) <= 100:
            raise invalid_field(("limit",), "NUMBER_TYPE_MAX", "int value should be less than or equal to 100.")
        before = request.query.get("before")
        if before is None and "after" not in request.query and "around" not in request.query:
            recent = list(self._world.messages[channel["id"]].values())[-int(limit) :]
        else:
            recent = await self._world.storage.read_last("message", channel["id"], int(limit), before)
            after = int(request.query.get("after", "0"))
            recent = [message for message in recent if int(message["id"]) > after]
        return RestResponse(recent[::-1])

    async def _get_message(self, request: RestRequest) -> RestResponse:
        channel = self._find_channel(request.parameters["channel"], permissions.READ_MESSAGE_HISTORY)
        return RestResponse(await self._world.find_message(channel["id"], request.parameters["message"]))

    async def _edit_message(self, request: RestRequest) -> RestResponse:
        channel = self._find_channel(request.parameters["channel"])
        message = await self._world.find_message(channel["id"], request.parameters["message"])
        if message["author"]["id"] != self._world.bot.id:
            raise api_error(50005)
        if channel["type"] in THREADS and channel["thread_metadata"]["archived"]:
            raise api_error(50083)
        if request.uploads and not self._world.permissions_in(self._world.bot.id, channel) & permissions.ATTACH_FILES:
            raise api_error(50013)
        if created_at(message["id"]) + OLD_MESSAGE_SECONDS < self._world.clock.now():
            self._rate_limiter.count(EDIT_OLD_MESSAGE, channel["id"])
        self._messages.edit(message, self._messages.validate(request.json, request.uploads, channel, old=message))
        return RestResponse(message)

    async def _delete_message(self, request: RestRequest) -> RestResponse:
        channel = self._find_channel(request.parameters["channel"])
        message = await self._world.find_message(channel["id"], request.parameters["message"])
        if message["author"]["id"] != self._world.bot.id:
            self._find_channel(channel["id"], permissions.MANAGE_MESSAGES)
        self._messages.delete(message)
        return NO_CONTENT

    async def _delete_messages(self, request: RestRequest) -> RestResponse:
        channel = self._find_channel(request.parameters["channel"], permissions.MANAGE_MESSAGES)
        if channel["type"] == DM_CHANNEL:
            raise api_error(50003)
        for message_id in request.json.get("messages") or []:
            found = self._world.messages[channel["id"]].get(str(message_id))
            if found is not None:
                self._messages.delete(found)
        return NO_CONTENT

    async def _pin_message(self, request: RestRequest) -> RestResponse:
        channel = self._find_channel_to_pin_in(request.parameters["channel"])
        message = await self._world.find_message(channel["id"], request.parameters["message"])
        if sum(1 for each in self._world.messages[channel["id"]].values() if each["pinned"]) >= MAX_PINS:
            raise api_error(30003)
        message["pinned"] = True
        self._messages.publish_change(message)
        return NO_CONTENT

    async def _unpin_message(self, request: RestRequest) -> RestResponse:
        channel = self._find_channel_to_pin_in(request.parameters["channel"])
        message = await self._world.find_message(channel["id"], request.parameters["message"])
        message["pinned"] = False
        self._messages.publish_change(message)
        return NO_CONTENT

    async def _list_pins(self, request: RestRequest) -> RestResponse:
        channel = self._find_channel(request.parameters["channel"], permissions.READ_MESSAGE_HISTORY)
        pinned = [message for message in self._world.messages[channel["id"]].values() if message["pinned"]]
        items = [{"pinned_at": message["timestamp"], "message": message} for message in reversed(pinned)]
        return RestResponse({"items": items, "has_more": False})

    def _find_channel_to_pin_in(self, channel_id: str) -> Json:
        is_dm = self._world.find_channel(channel_id)["type"] == DM_CHANNEL
        return self._find_channel(channel_id, 0 if is_dm else permissions.PIN_MESSAGES)

    async def _trigger_typing(self, request: RestRequest) -> RestResponse:
        self._find_channel(request.parameters["channel"])
        return NO_CONTENT

    # -- channels and threads -------------------------------------------------------------------------------------------

    async def _get_channel(self, request: RestRequest) -> RestResponse:
        return RestResponse(self._find_channel(request.parameters["channel"]))

    async def _edit_channel(self, request: RestRequest) -> RestResponse:
        channel = self._find_channel(request.parameters["channel"])
        is_thread = channel["type"] in THREADS
        if not is_thread:
            self._find_channel(channel["id"], permissions.MANAGE_CHANNELS)
        elif channel["owner_id"] != self._world.bot.id:
            self._find_channel(channel["id"], permissions.MANAGE_THREADS)
        errors = FormErrors()
        name = errors.text(request.json, "name", (), 100, 1)
        topic = errors.text(request.json, "topic", (), 1024)
        errors.raise_if_any()
        if name is not None:
            channel["name"] = name
        if topic is not None and not is_thread:
            channel["topic"] = topic
        for key in ("archived", "locked", "auto_archive_duration"):
            if is_thread and key in request.json:
                channel["thread_metadata"][key] = request.json[key]
                channel["thread_metadata"]["archive_timestamp"] = self._world.clock.timestamp()
        if is_thread and "applied_tags" in request.json:
            channel["applied_tags"] = self._tags_of_post(request, self._world.channels[channel["parent_id"]])
        if channel["type"] == FORUM and "available_tags" in request.json:
            channel["available_tags"] = self._tags_of_forum(request)
        self._publish_channel(channel)
        return RestResponse(channel)

    def _tags_of_forum(self, request: RestRequest) -> list[Json]:
        """Return the tags that a request gives a forum; new ones get an id."""
        given = request.json["available_tags"]
        errors = FormErrors()
        if not isinstance(given, list) or len(given) > MAX_TAGS:
            errors.add(("available_tags",), "BASE_TYPE_MAX_LENGTH", f"Must be {MAX_TAGS} or fewer in length.")
            errors.raise_if_any()
        names = [errors.text(tag, "name", ("available_tags", at), 20, 1, required=True) for at, tag in enumerate(given)]
        if len({name for name in names if name}) < len(names):
            errors.add(("available_tags",), "FORUM_TAG_NAME_NOT_UNIQUE", "Tag names must be unique")
        errors.raise_if_any()
        return [
            {
                "id": str(tag.get("id") or self._world.clock.new_id()),
                "name": name,
                "moderated": bool(tag.get("moderated")),
                "emoji_id": tag.get("emoji_id"),
                "emoji_name": tag.get("emoji_name"),
            }
            for tag, name in zip(given, names, strict=True)
        ]

    def _tags_of_post(self, request: RestRequest, forum: Json) -> list[str]:
        """Return the tags that a request gives a post.

        Raises:
            ApiError: 40067 the forum wants one and there is none; 50035 a tag is not of this forum.
        """
        tags = [str(tag) for tag in request.json.get("applied_tags") or ()]
        known = {tag["id"] for tag in forum.get("available_tags", ())}
        if len(tags) > MAX_TAGS_OF_POST or not known.issuperset(tags):
            raise invalid_field(("applied_tags",), "BASE_TYPE_CHOICES", "Unknown tag")
        if not tags and forum["flags"] & REQUIRES_TAG:
            raise api_error(40067)
        return tags

    async def _delete_channel(self, request: RestRequest) -> RestResponse:
        channel = self._find_channel(request.parameters["channel"])
        is_thread = channel["type"] in THREADS
        self._find_channel(channel["id"], permissions.MANAGE_THREADS if is_thread else permissions.MANAGE_CHANNELS)
        self._pages.send_to_channel(channel, {"t": "channel_gone", "id": channel["id"]})
        self._world.delete_channel(channel)
        event = {name: channel[name] for name in ("id", "guild_id", "parent_id", "type")} if is_thread else channel
        self._gateway.dispatch("THREAD_DELETE" if is_thread else "CHANNEL_DELETE", event, channel)
        return RestResponse(channel)

    def _publish_channel(self, channel: Json) -> None:
        self._world.save_channel(channel)
        event = "THREAD_UPDATE" if channel["type"] in THREADS else "CHANNEL_UPDATE"
        self._gateway.dispatch(event, channel, channel)
        self._pages.send_to_channel(channel, {"t": "channel", "channel": channel})

    async def _create_thread(self, request: RestRequest) -> RestResponse:
        parent = self._find_channel(request.parameters["channel"])
        if parent["type"] == FORUM:
            return self._add_post(parent, request)
        kind = request.json.get("type") or PRIVATE_THREAD
        if kind not in (PUBLIC_THREAD, PRIVATE_THREAD):
            raise invalid_field(("type",), "BASE_TYPE_CHOICES", "Value must be one of (11, 12).")
        return self._add_thread(parent, request, kind, None)

    async def _create_thread_from_message(self, request: RestRequest) -> RestResponse:
        parent = self._find_channel(request.parameters["channel"], permissions.READ_MESSAGE_HISTORY)
        message = await self._world.find_message(parent["id"], request.parameters["message"])
        if message["id"] in self._world.channels:
            raise api_error(160004)
        return self._add_thread(parent, request, PUBLIC_THREAD, message["id"])

    def _add_post(self, forum: Json, request: RestRequest) -> RestResponse:
        """Create a post of a forum: a thread whose first message has the thread's id."""
        self._find_channel(forum["id"], permissions.SEND_MESSAGES)
        body = request.json.get("message")
        if not isinstance(body, dict):
            raise invalid_field(("message",), "BASE_TYPE_REQUIRED", "This field is required")
        validated = self._messages.validate(body, request.uploads, forum, path=("message",))
        tags = self._tags_of_post(request, forum)
        answer = self._add_thread(forum, request, PUBLIC_THREAD, None, {"applied_tags": tags})
        thread = self._world.channels[answer.body["id"]]
        message = self._messages.post(thread, validated, id=thread["id"])
        return RestResponse({**answer.body, "message": message}, 201)

    def _add_thread(
        self, parent: Json, request: RestRequest, kind: int, thread_id: str | None, more_fields: Json | None = None
    ) -> RestResponse:
        if parent["type"] in THREADS or parent["type"] == DM_CHANNEL:
            raise api_error(50024)
        required = permissions.CREATE_PUBLIC_THREADS if kind == PUBLIC_THREAD else permissions.CREATE_PRIVATE_THREADS
        if parent["type"] != FORUM:
            self._find_channel(parent["id"], required)
        errors = FormErrors()
        name = errors.text(request.json, "name", (), 100, 1, required=True)
        minutes = request.json.get("auto_archive_duration") or 1440
        if minutes not in AUTO_ARCHIVE_MINUTES:
            errors.add_not_one_of(("auto_archive_duration",), AUTO_ARCHIVE_MINUTES)
        errors.raise_if_any()
        thread = self._world.add_thread(parent, name or "", self._world.bot.id, thread_id=thread_id, kind=kind)
        thread |= more_fields or {}
        thread["thread_metadata"]["auto_archive_duration"] = minutes
        if kind == PRIVATE_THREAD:
            thread["thread_metadata"]["invitable"] = request.json.get("invitable") is not False
        self._world.save_channel(thread)
        member = {
            "id": thread["id"],
            "user_id": self._world.bot.id,
            "join_timestamp": self._world.clock.timestamp(),
            "flags": 0,
        }
        self._gateway.dispatch("THREAD_CREATE", {**thread, "newly_created": True}, thread)
        self._pages.send_to_channel(thread, {"t": "channel", "channel": thread})
        return RestResponse({**thread, "member": member}, 201)

    async def _add_thread_member(self, request: RestRequest) -> RestResponse:
        thread, user_id = self._find_thread_and_user(request)
        if user_id not in thread["member_ids_preview"]:
            thread["member_ids_preview"].append(user_id)
            self._publish_channel(thread)
            recent = list(self._world.messages[thread["id"]].values())
            self._pages.send_to_person(user_id, {"t": "history", "channel_id": thread["id"], "messages": recent})
        return NO_CONTENT

    async def _remove_thread_member(self, request: RestRequest) -> RestResponse:
        thread, user_id = self._find_thread_and_user(request)
        if user_id in thread["member_ids_preview"]:
            self._pages.send_to_person(user_id, {"t": "channel_gone", "id": thread["id"]})
            thread["member_ids_preview"].remove(user_id)
            self._publish_channel(thread)
        return NO_CONTENT

    def _find_thread_and_user(self, request: RestRequest) -> tuple[Json, str]:
        thread = self._find_channel(request.parameters["channel"])
        if thread["type"] not in THREADS:
            raise api_error(50024)
        user_id = self._world.bot.id if request.parameters["user"] == "@me" else request.parameters["user"]
        if user_id not in self._world.people:
            raise api_error(10013)
        return thread, user_id

    # -- users and servers ----------------------------------------------------------------------------------------------

    async def _get_gateway(self, request: RestRequest) -> RestResponse:
        return RestResponse({"url": self._gateway.url})

    async def _get_gateway_bot(self, request: RestRequest) -> RestResponse:
        session_starts = {
            "total": 1000,
            "remaining": max(1000 - self._gateway.identify_count, 0),
            "reset_after": 86_400_000,
            "max_concurrency": self._gateway.max_concurrency,
        }
        return RestResponse({"url": self._gateway.url, "shards": 1, "session_start_limit": session_starts})

    async def _get_current_user(self, request: RestRequest) -> RestResponse:
        private = {"mfa_enabled": False, "locale": "en-US", "verified": True, "email": None}
        return RestResponse({**self._world.bot.user, **private})

    async def _list_current_guilds(self, request: RestRequest) -> RestResponse:
        bot_id, guilds = self._world.bot.id, self._world.guilds.values()
        return RestResponse([self._current_guild(guild) for guild in guilds if bot_id in guild.members])

    def _current_guild(self, guild: Guild) -> Json:
        return {
            "id": guild.id,
            "name": guild.name,
            "icon": None,
            "banner": None,
            "owner": guild.owner_id == self._world.bot.id,
            "permissions": str(self._world.permissions_of_member(guild, self._world.bot.id)),
            "features": [],
        }

    async def _open_dm(self, request: RestRequest) -> RestResponse:
        person = self._world.people.get(str(request.json.get("recipient_id")))
        if person is None:
            raise api_error(10013)
        if person is self._world.bot:
            raise api_error(50007)
        is_new = not person.dm
        channel = self._world.dm_channel_of(person)
        if is_new:
            dm = {"id": channel["id"], "recipient": self._world.bot.user}
            self._pages.send_to_person(person.id, {"t": "dm", "dm": dm})
        return RestResponse(channel)

    async def _get_user(self, request: RestRequest) -> RestResponse:
        person = self._world.people.get(request.parameters["user"])
        if person is None:
            raise api_error(10013)
        return RestResponse(person.user)

    async def _get_application(self, request: RestRequest) -> RestResponse:
        bot = self._world.bot
        owner = next((person.user for person in self._world.people.values() if person is not bot), bot.user)
        application = blank("application", id=bot.id, name=bot.user["username"], bot=bot.user, owner=owner)
        return RestResponse({**application, "approximate_guild_count": len(self._world.guilds)})

    def _find_guild(self, guild_id: str) -> Guild:
        """Return a server that the bot is in.

        Raises:
            ApiError: 10004 there is no such server; 50001 the bot is not in it.
        """
        guild = self._world.find_guild(guild_id)
        if self._world.bot.id not in guild.members:
            raise api_error(50001)
        return guild

    async def _get_guild(self, request: RestRequest) -> RestResponse:
        guild = self._find_guild(request.parameters["guild"])
        result = guild_json(guild)
        if _is_true(request.query.get("with_counts")):
            result |= {"approximate_member_count": len(guild.members), "approximate_presence_count": len(guild.members)}
        return RestResponse(result)

    async def _list_channels(self, request: RestRequest) -> RestResponse:
        return RestResponse(list(self._world.guild_channels(self._find_guild(request.parameters["guild"]).id)))

    async def _list_roles(self, request: RestRequest) -> RestResponse:
        return RestResponse(self._find_guild(request.parameters["guild"]).roles)

    async def _list_active_threads(self, request: RestRequest) -> RestResponse:
        guild = self._find_guild(request.parameters["guild"])
        return RestResponse({"threads": self._world.active_threads(guild.id), "members": [], "has_more": False})

    async def _get_member(self, request: RestRequest) -> RestResponse:
        guild = self._find_guild(request.parameters["guild"])
        user_id = request.parameters["user"]
        if user_id not in self._world.people:
            raise api_error(10013)
        member = guild.members.get(user_id)
        if member is None:
            raise api_error(10007)
        return RestResponse(member)

    async def _change_role(self, request: RestRequest, *, give: bool) -> RestResponse:
        """Give a member a role or take it. The bot must be allowed to manage roles, and one of its own must stand above the role."""
        guild = self._find_guild(request.parameters["guild"])
        user_id, role_id = request.parameters["user"], request.parameters["role"]
        role = next((each for each in guild.roles if each["id"] == role_id), None)
        if role is None:
            raise api_error(10011)
        member = guild.members.get(user_id)
        if member is None:
            raise api_error(10007 if user_id in self._world.people else 10013)
        bot = guild.members[self._world.bot.id]
        held = [each for each in guild.roles if each["id"] in bot["roles"]]
        powers = self._world.permissions_of_member(guild, self._world.bot.id)
        top = max((each["position"] for each in held), default=0)
        can_manage = powers & (permissions.MANAGE_ROLES | permissions.ADMINISTRATOR)
        if not can_manage or role["position"] >= top or role["managed"] or role_id == guild.id:
            raise api_error(50013)
        if give != (role_id in member["roles"]):
            member["roles"] = (
                [*member["roles"], role_id] if give else [one for one in member["roles"] if one != role_id]
            )
            self._world.save_guild(guild)
            self._gateway.dispatch("GUILD_MEMBER_UPDATE", {**member, "guild_id": guild.id})
        return NO_CONTENT

    # -- commands -------------------------------------------------------------------------------------------------------

    def _scope(self, request: RestRequest) -> str:
        """Return the scope of the commands that a path names: a guild's id, or "" for the global ones."""
        self._check_application(request)
        guild_id = request.parameters.get("guild")
        return "" if guild_id is None else self._find_guild(guild_id).id

    def _check_application(self, request: RestRequest) -> None:
        if request.parameters["application"] != self._world.application_id:
            raise api_error(10002)

    async def _list_commands(self, request: RestRequest) -> RestResponse:
        return RestResponse(list(self._world.commands.get(self._scope(request), {}).values()))

    async def _get_command(self, request: RestRequest) -> RestResponse:
        command = self._world.commands.get(self._scope(request), {}).get(request.parameters["command"])
        if command is None:
            raise api_error(10063)
        return RestResponse(command)

    async def _overwrite_commands(self, request: RestRequest) -> RestResponse:
        scope = self._scope(request)
        existing = self._world.commands.get(scope, {})
        commands = validate_commands(
            request.body or [],
            application_id=self._world.application_id,
            guild_id=scope or None,
            existing=existing,
            clock=self._world.clock,
        )
        self._world.commands[scope] = commands
        for command_id in existing.keys() - commands.keys():
            self._world.storage.delete("command", command_id)
        for command_id, command in commands.items():
            self._world.storage.save("command", command_id, scope or "0", command)
        self._send_commands_to_pages()
        return RestResponse(list(commands.values()))

    async def _create_command(self, request: RestRequest) -> RestResponse:
        scope = self._scope(request)
        errors = FormErrors()
        application_id = self._world.application_id
        command = validate_command(request.json, (), errors, application_id=application_id, guild_id=scope or None)
        errors.raise_if_any()
        commands = self._world.commands.setdefault(scope, {})
        before = [c for c in commands.values() if (c["name"], c["type"]) == (command["name"], command["type"])]
        command["id"] = before[0]["id"] if before else self._world.clock.new_id()
        command["version"] = self._world.clock.new_id()
        commands[command["id"]] = command
        self._world.storage.save("command", command["id"], scope or "0", command)
        self._send_commands_to_pages()
        return RestResponse(command, 200 if before else 201)

    async def _delete_command(self, request: RestRequest) -> RestResponse:
        if self._world.commands.get(self._scope(request), {}).pop(request.parameters["command"], None) is None:
            raise api_error(10063)
        self._world.storage.delete("command", request.parameters["command"])
        self._send_commands_to_pages()
        return NO_CONTENT

    def _send_commands_to_pages(self) -> None:
        for person_id in self._pages.person_ids:
            self._pages.send_to_person(person_id, {"t": "commands", "commands": self.commands_for(person_id)})

    def commands_for(self, person_id: str) -> list[Json]:
        """Return every command that a person can use in some channel of a server."""
        found: dict[str, Json] = {}
        for guild in self._world.guilds.values():
            for channel in self._world.guild_channels(guild.id):
                if person_id in guild.members and channel["type"] != FORUM and self._world.can_view(person_id, channel):
                    available = self._world.commands_available_to(person_id, channel)
                    found |= {command["id"]: command for command in available}
        return list(found.values())

    # -- emojis ---------------------------------------------------------------------------------------------------------

    def _find_emoji(self, request: RestRequest) -> Json:
        self._check_application(request)
        emoji = self._world.emojis.get(request.parameters["emoji"])
        if emoji is None:
            raise api_error(10014)
        return emoji

    async def _list_emojis(self, request: RestRequest) -> RestResponse:
        return RestResponse({"items": list(self._world.emojis.values())})

    async def _get_emoji(self, request: RestRequest) -> RestResponse:
        return RestResponse(self._find_emoji(request))

    def _validate_emoji_name(self, body: Json) -> str:
        errors = FormErrors()
        name = errors.text(body, "name", (), 32, 2, required=True) or ""
        if name and not re.fullmatch(r"\w{2,32}", name, re.ASCII):
            errors.add(("name",), "STRING_TYPE_REGEX", "String value did not match validation regex.")
        elif any(emoji["name"] == name for emoji in self._world.emojis.values()):
            errors.add(("name",), "APPLICATION_EMOJI_NAME_ALREADY_TAKEN", "This emoji name is already taken")
        errors.raise_if_any()
        return name

    async def _create_emoji(self, request: RestRequest) -> RestResponse:
        self._check_application(request)
        name = self._validate_emoji_name(request.json)
        image = _IMAGE.match(str(request.json.get("image")))
        if image is None:
            raise invalid_field(("image",), "IMAGE_INVALID", "Invalid image data")
        try:
            body = base64.b64decode(image[2], validate=True)
        except binascii.Error as error:
            raise invalid_field(("image",), "IMAGE_INVALID", "Invalid image data") from error
        if len(body) > MAX_EMOJI_BYTES:
            raise invalid_field(("image",), "BINARY_TYPE_MAX_SIZE", "File cannot be larger than 256.0 kb.")
        if len(self._world.emojis) >= MAX_EMOJIS:
            raise api_error(30008)
        emoji_id, is_animated = self._world.clock.new_id(), image[1] == "image/gif"
        emoji = blank("emoji", id=emoji_id, name=name, user=self._world.bot.user, animated=is_animated)
        self._world.emojis[emoji["id"]] = emoji
        self._world.storage.save("emoji", emoji["id"], "0", emoji)
        self._world.storage.save_file(emoji["id"], File(name, image[1], body))
        return RestResponse(emoji, 201)

    async def _rename_emoji(self, request: RestRequest) -> RestResponse:
        emoji = self._find_emoji(request)
        emoji["name"] = self._validate_emoji_name(request.json)
        self._world.storage.save("emoji", emoji["id"], "0", emoji)
        return RestResponse(emoji)

    async def _delete_emoji(self, request: RestRequest) -> RestResponse:
        emoji = self._find_emoji(request)
        del self._world.emojis[emoji["id"]]
        self._world.storage.delete("emoji", emoji["id"])
        self._world.storage.delete_file(emoji["id"])
        return NO_CONTENT


def _is_true(value: str | None) -> bool:
    """Return whether a query parameter is true, as Discord and its libraries write it."""
    return value in ("1", "true", "True")
