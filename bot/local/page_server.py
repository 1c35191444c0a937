"""The server side of the pages: one websocket per open page, over which it gets its contents and sends actions."""

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import msgspec
from aiohttp import WSMsgType, web

from bot.local import permissions, static_files
from bot.local.addresses import is_loopback
from bot.local.clock import AdjustableClock
from bot.local.errors import InvalidAction, Json
from bot.local.gateway import Gateway
from bot.local.interactions import ANSWER_SECONDS, Interactions, SendToPage
from bot.local.message_body import MAX_CONTENT, MAX_UPLOAD_BYTES
from bot.local.messages import Messages
from bot.local.open_pages import OpenPages
from bot.local.uploads import Uploads
from bot.local.world import DM_CHANNEL, THREADS, LocalPerson, World

log = logging.getLogger(__name__)

HISTORY_MESSAGES = 50
MAX_QUEUED_BYTES = 4 * 1024 * 1024  # a page that lags further behind is disconnected; it reconnects and redraws
MAX_PAGES_OF_PERSON = 10  # opening one more closes the oldest
MAX_PEOPLE = 100
MAX_INVITED_BY_GUEST = 5
MAX_NAME_LENGTH = 32
MAX_MESSAGES_AT_ONCE, SECONDS_FOR_MESSAGES = 5, 5.0  # what a person can write before they have to wait
MAX_ACTIONS_AT_ONCE, SECONDS_FOR_ACTIONS = 200, 10.0  # clicks, commands and keys that ask for suggestions
MAX_FILES_AT_ONCE, SECONDS_FOR_FILES = 10, 60.0
FILE_SECONDS = 60.0  # how long a file can take to arrive
LINK_ENDED = 4001  # the code with which the pages of a person who was removed are closed


class PageConnection:
    """The websocket of one person's page. `send` never waits: a task writes the queued frames."""

    def __init__(self, socket: web.WebSocketResponse, transport: asyncio.Transport | None, person_id: str) -> None:
        self.person_id = person_id
        self._transport = transport
        self._socket = socket
        self._frames: deque[bytes] = deque()
        self._queued_bytes = 0
        self._has_frames = asyncio.Event()
        self._writer = asyncio.create_task(self._write())

    def send(self, frame: bytes) -> None:
        self._frames.append(frame)
        self._queued_bytes += len(frame)
        self._has_frames.set()
        if self._queued_bytes > MAX_QUEUED_BYTES and self._transport is not None:
            self._transport.abort()

    def send_json(self, frame: Json) -> None:
        self.send(msgspec.json.encode(frame))

    async def _write(self) -> None:
        try:
            while True:
                await self._has_frames.wait()
                self._has_frames.clear()
                while self._frames:
                    frame = self._frames.popleft()
                    self._queued_bytes -= len(frame)
                    await self._socket.send_str(frame.decode())
        except ConnectionError as error:
            log.debug("page_connection_lost", extra={"error": repr(error)})
        finally:
            self._frames.clear()

    def stop_writing(self) -> None:
        self._writer.cancel()

    def abort(self) -> None:
        """Drop the connection without a close frame."""
        if self._transport is not None:
            self._transport.abort()

    async def close(self, code: int = 1001) -> None:
        self._writer.cancel()
        await self._socket.close(code=code)


class PageServer:
    """Serves all open pages and does what people do on them.

    Args:
        commands_for: returns the commands that a person can use: typed ones and those of menus.
        invitation: returns the address of a person's page, given the address by which the inviter reached the server.
    """

    def __init__(
        self,
        world: World,
        messages: Messages,
        interactions: Interactions,
        gateway: Gateway,
        pages: OpenPages,
        commands_for: Callable[[str], list[Json]],
        invitation: Callable[[LocalPerson, str], str],
        uploads: Uploads,
    ) -> None:
        self._world = world
        self._messages = messages
        self._interactions = interactions
        self._gateway = gateway
        self._pages = pages
        self._commands_for = commands_for
        self._invitation = invitation
        self._uploads = uploads
        self._connections: dict[PageConnection, None] = {}  # oldest first
        self._recent_messages = _Pace(world.clock, MAX_MESSAGES_AT_ONCE, SECONDS_FOR_MESSAGES)
        self._recent_files = _Pace(world.clock, MAX_FILES_AT_ONCE, SECONDS_FOR_FILES)
        self._recent_actions = _Pace(world.clock, MAX_ACTIONS_AT_ONCE, SECONDS_FOR_ACTIONS)
        self._invited_by: Counter[str] = Counter()
        gateway.online_listeners.append(lambda online: pages.send_to_all({"t": "bot", "online": online}))

    async def serve(self, request: web.BaseRequest, person: LocalPerson) -> web.StreamResponse:
        """Serve one page until it closes."""
        socket = web.WebSocketResponse(heartbeat=30, max_msg_size=256 * 1024, timeout=1.0)
        await socket.prepare(request)
        page = PageConnection(socket, request.transport, person.id)
        self._connections[page] = None
        own_pages = [each for each in self._connections if each.person_id == person.id]
        for oldest in own_pages[:-MAX_PAGES_OF_PERSON]:
            oldest.abort()
        self._send_initial_state(page, person)
        self._pages.add(page)
        try:
            async for frame in socket:
                if frame.type is not WSMsgType.TEXT:
                    break
                await self._handle_frame(page, person, frame.data, request.host)
        finally:
            self._pages.remove(page)
            self._connections.pop(page, None)
            page.stop_writing()
        return socket

    async def close(self) -> None:
        await asyncio.gather(*(page.close() for page in self._connections))

    async def take_file(self, request: web.BaseRequest, person: LocalPerson) -> web.Response:
        """Take a file that a person chose in a form, and answer with its id, or with what is wrong with it."""
        try:
            self._recent_files.check(person.id, "You're too fast. Wait a moment.")
            length = request.content_length
            if length is None or length > MAX_UPLOAD_BYTES:  # before a byte of it is read
                raise InvalidAction(f"A file can have at most {MAX_UPLOAD_BYTES // 1024 // 1024} MB.")
            async with asyncio.timeout(FILE_SECONDS):
                body = await request.read()
            answer: Json = self._uploads.add(person.id, request.query.get("name", ""), body)
        except InvalidAction as error:
            answer = {"error": str(error)}
        except (TimeoutError, web.HTTPException):
            answer = {"error": "The file did not arrive. Try again."}
        return web.Response(
            body=msgspec.json.encode(answer), content_type="application/json", headers=static_files.SECURITY_HEADERS
        )

    def _send_initial_state(self, page: PageConnection, person: LocalPerson) -> None:
        world = self._world
        guilds = [guild for guild in world.guilds.values() if person.id in guild.members]
        channels = [
            channel
            for guild in guilds
            for channel in (*world.guild_channels(guild.id), *world.threads(guild.id))
            if world.can_view(person.id, channel)
        ]
        page.send_json(
            {
                "t": "hello",
                "me": person.user,
                "guild": {"id": guilds[0].id, "name": guilds[0].name} if guilds else None,
                "guilds": [{"id": guild.id, "name": guild.name} for guild in guilds],
                "roles": [{"id": role["id"], "name": role["name"]} for guild in guilds for role in guild.roles],
                "channels": channels,
                "dms": [{"id": person.dm, "recipient": world.bot.user}] if person.dm else [],
                "users": [p.user for p in world.people.values() if any(p.id in g.members for g in guilds)],
                "commands": self._commands_for(person.id),
                "application": world.bot.user,
                "bot_online": self._gateway.online,
                "dms_open": person.dms_open,
                "is_owner": any(guild.owner_id == person.id for guild in guilds),
                "deletes_messages": any(
                    world.permissions_in(person.id, channel) & permissions.MANAGE_MESSAGES for channel in channels
                ),
                "now": round(world.clock.now() * 1000),
                "cdn": self._messages.cdn,
                "limits": {"answer_seconds": ANSWER_SECONDS, "name": MAX_NAME_LENGTH},
            }
        )
        for channel in channels:
            self._send_history(page, person, channel["id"])
        if person.dm:
            self._send_history(page, person, person.dm)

    def _send_history(self, page: PageConnection, person: LocalPerson, channel_id: str) -> None:
        posted = list(self._world.messages[channel_id].values())[-HISTORY_MESSAGES:]
        ephemeral = self._messages.ephemeral_for(person.id, channel_id)
        messages = sorted([*posted, *ephemeral], key=lambda message: int(message["id"]))
        page.send_json({"t": "history", "channel_id": channel_id, "messages": messages})

    async def _handle_frame(self, page: PageConnection, person: LocalPerson, raw: str, host: str) -> None:
        """Do what one frame of a page asks for. `host` is the Host header of the page's request."""
        nonce: Any = None
        try:
            frame = msgspec.json.decode(raw)
            nonce = frame.get("nonce")
            self._recent_actions.check(person.id, "You're too fast. Wait a moment.")
            await self._do(page, person, frame, host)
        except InvalidAction as error:
            page.send_json({"t": "error", "nonce": nonce, "text": str(error)})
        except (msgspec.DecodeError, KeyError, TypeError, AttributeError, ValueError) as error:
            log.debug("page_frame_invalid", extra={"frame": raw[:200], "error": repr(error)})
            page.send_json({"t": "error", "nonce": nonce, "text": "The cardroom did not understand that."})

    async def _do(self, page: PageConnection, person: LocalPerson, frame: Json, host: str) -> None:
        nonce = frame.get("nonce")
        send_to_page = _with_nonce(page, nonce)
        match frame["op"]:
            case "click":
                message = (str(frame["channel_id"]), str(frame["message_id"]))
                await self._interactions.click(person, *message, frame["custom_id"], send_to_page)
            case "select":
                message = (str(frame["channel_id"]), str(frame["message_id"]))
                values = frame["values"]
                await self._interactions.select(person, *message, frame["custom_id"], values, send_to_page)
            case "submit":
                interaction_id = str(frame["interaction_id"])
                self._interactions.submit_modal(person, interaction_id, frame["components"], send_to_page)
            case "slash" | "autocomplete" as op:
                channel_id, options = str(frame["channel_id"]), frame.get("options") or []
                autocomplete = op == "autocomplete"
                self._interactions.use_command(
                    person, channel_id, frame["name"], options, send_to_page, autocomplete=autocomplete
                )
            case "menu":
                where, target_id = str(frame["channel_id"]), str(frame["target_id"])
                await self._interactions.use_menu(person, where, frame["name"], frame["type"], target_id, send_to_page)
            case "say":
                self.say(person, str(frame["channel_id"]), frame["text"])
                page.send_json({"t": "done", "nonce": nonce})
            case "delete":
                await self._delete(person, str(frame["channel_id"]), str(frame["message_id"]))
                page.send_json({"t": "done", "nonce": nonce})
            case "invite":
                friend = self.invite(person, frame["name"])
                url = self._invitation(friend, host)
                is_local = is_loopback(urlsplit(url).netloc)
                invited = {"url": url, "user": friend.user, "this_computer_only": is_local}
                page.send_json({"t": "invited", "nonce": nonce, **invited})
            case "remove":
                await self.remove(person, str(frame["user_id"]))
                page.send_json({"t": "done", "nonce": nonce})
            case "rename":
                self._world.rename(person, _validate_name(frame["name"]))
                self.send_people()
            case "dms":
                person.dms_open = bool(frame["open"])
                self._world.save_person(person)
                page.send_json({"t": "done", "nonce": nonce})
            case "dismiss":
                self._messages.dismiss(person.id, str(frame["id"]))
            case op:
                raise InvalidAction(f"There is no action {op}.")

    def say(self, person: LocalPerson, channel_id: str, text: Any) -> None:
        """Post what a person writes in a channel.

        Raises:
            InvalidAction: the person cannot write there, writes too fast, or the text is empty or too long.
        """
        channel = self._world.channels.get(channel_id)
        if channel is None or not self._world.can_view(person.id, channel):
            raise InvalidAction("That channel is not there any more.")
        is_thread = channel["type"] in THREADS
        needed = permissions.SEND_MESSAGES_IN_THREADS if is_thread else permissions.SEND_MESSAGES
        if channel["type"] == DM_CHANNEL:
            raise InvalidAction("The dealer doesn't read messages. Type / to see what it can do.")
        if not self._world.permissions_in(person.id, channel) & needed:
            raise InvalidAction("You can't write in this channel.")
        if not isinstance(text, str) or not text.strip():
            raise InvalidAction("Write something first.")
        if len(text.strip()) > MAX_CONTENT:
            raise InvalidAction(f"A message can have at most {MAX_CONTENT:,} characters.")
        self._recent_messages.check(person.id, "You're writing too fast. Wait a moment.")
        validated = self._messages.validate({"content": text.strip()}, [], channel)
        self._messages.post(channel, validated, author=person.user)

    async def _delete(self, person: LocalPerson, channel_id: str, message_id: str) -> None:
        """Delete a message for everybody: a person's own, or any that somebody who manages messages chooses."""
        channel = self._world.channels.get(channel_id)
        message = self._world.messages[channel_id].get(message_id) if channel is not None else None
        if channel is None or message is None or not self._world.can_view(person.id, channel):
            raise InvalidAction("That message is not there any more.")
        is_own = message["author"]["id"] == person.id
        if not is_own and not self._world.permissions_in(person.id, channel) & permissions.MANAGE_MESSAGES:
            raise InvalidAction("Only your own messages can be deleted.")
        self._messages.delete(message)

    def invite(self, inviter: LocalPerson, name: str) -> LocalPerson:
        """Create a person in every server of the inviter.

        Raises:
            InvalidAction: the name is empty, or there are too many people.
        """
        members = {user_id for guild in self._world.guilds.values() for user_id in guild.members}
        if len(members) > MAX_PEOPLE:  # the bot is one of them
            raise InvalidAction("The cardroom is full. Its owner can remove people who no longer play.")
        is_owner = any(guild.owner_id == inviter.id for guild in self._world.guilds.values())
        if not is_owner and self._invited_by[inviter.id] >= MAX_INVITED_BY_GUEST:
            raise InvalidAction(
                "You've invited enough people for today. Ask the owner of this cardroom to invite more."
            )
        friend = self._world.add_person(_validate_name(name))
        self._invited_by[inviter.id] += 1
        for guild in self._world.guilds.values():
            if inviter.id in guild.members:
                self._world.add_member(guild, friend)
                self._gateway.dispatch("GUILD_MEMBER_ADD", {**guild.members[friend.id], "guild_id": guild.id})
        self.send_people()
        return friend

    async def remove(self, owner: LocalPerson, user_id: str) -> None:
        """Take a person out of the servers of their owner. Their link ends, and their pages close.

        Raises:
            InvalidAction: somebody else than the owner asks for it, or there is no such guest.
        """
        guest = self._world.people.get(user_id)
        guilds = [guild for guild in self._world.guilds.values() if guild.owner_id == owner.id]
        if not guilds:
            raise InvalidAction("Only the owner of this cardroom can remove people.")
        if guest is None or guest is owner or guest.user["bot"]:
            raise InvalidAction("That person can't be removed.")
        for guild in guilds:
            if guest.id in guild.members:
                self._world.remove_member(guild, guest)
                self._gateway.dispatch("GUILD_MEMBER_REMOVE", {"user": guest.user, "guild_id": guild.id})
        self.send_people()
        pages = [page for page in self._connections if page.person_id == guest.id]
        await asyncio.gather(*(page.close(LINK_ENDED) for page in pages))

    def send_people(self) -> None:
        """Send the list of all people to every page."""
        people = [
            person.user
            for person in self._world.people.values()
            if any(person.id in guild.members for guild in self._world.guilds.values())
        ]
        self._pages.send_to_all({"t": "users", "users": people})


class _Pace:
    """How fast a person can go on doing something: so many times in so many seconds."""

    def __init__(self, clock: AdjustableClock, times: int, seconds: float) -> None:
        self._clock = clock
        self._times = times
        self._seconds = seconds
        self._recent: dict[str, deque[float]] = {}

    def check(self, person_id: str, text: str) -> None:
        """Count one more time.

        Raises:
            InvalidAction: it is too soon; `text` says so.
        """
        now = self._clock.now()
        recent = self._recent.setdefault(person_id, deque(maxlen=self._times))
        if len(recent) == self._times and now - recent[0] < self._seconds:
            raise InvalidAction(text)
        recent.append(now)


def _validate_name(name: Any) -> str:
    result = " ".join(str(name).split())[:MAX_NAME_LENGTH]
    if not result:
        raise InvalidAction("Enter a name.")
    return result


def _with_nonce(page: PageConnection, nonce: Any) -> SendToPage:
    return lambda frame: page.send_json({**frame, "nonce": nonce})
