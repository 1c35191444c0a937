"""One open page: what it is told and what its person does there."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from typing import Any

import msgspec
from aiohttp import WSMsgType, web

from bot.local.commands import NotPossible
from bot.local.errors import Json
from bot.local.gateway import Gateway
from bot.local.interactions import ANSWER_SECONDS, Interactions, Sink
from bot.local.messages import Messages
from bot.local.viewers import Viewers
from bot.local.world import Person, World

log = logging.getLogger(__name__)

HISTORY = 50
BEHIND_MAX = 5000  # frames a page may lag behind before it is cut off; it reconnects and redraws
PEOPLE_MAX = 1000
NAME_MAX = 32


class PageSocket:
    """A websocket of one person's page. Sending never waits."""

    def __init__(self, socket: web.WebSocketResponse, transport: asyncio.Transport | None, person_id: str) -> None:
        self.person_id = person_id
        self._transport = transport
        self._socket = socket
        self._queue: deque[bytes] = deque()
        self._wake = asyncio.Event()
        self._writer = asyncio.create_task(self._write())

    def send(self, frame: bytes) -> None:
        self._queue.append(frame)
        self._wake.set()
        if len(self._queue) > BEHIND_MAX and self._transport is not None:
            self._transport.abort()

    def send_json(self, frame: Json) -> None:
        self.send(msgspec.json.encode(frame))

    async def _write(self) -> None:
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                while self._queue:
                    await self._socket.send_str(self._queue.popleft().decode())
        except ConnectionError as error:
            log.debug("a page has gone: %s", error)
        finally:
            self._queue.clear()

    def stop_writing(self) -> None:
        self._writer.cancel()

    async def close(self) -> None:
        self._writer.cancel()
        await self._socket.close(code=1001)


class Pages:
    """All open pages and the deeds done on them."""

    def __init__(
        self,
        world: World,
        messages: Messages,
        interactions: Interactions,
        gateway: Gateway,
        viewers: Viewers,
        commands_of: Callable[[str], list[Json]],
        invitation: Callable[[Person, str], str],
    ) -> None:
        self._world = world
        self._messages = messages
        self._interactions = interactions
        self._gateway = gateway
        self._viewers = viewers
        self._commands_of = commands_of
        self._invitation = invitation
        self._sockets: set[PageSocket] = set()
        gateway.when_online.append(lambda online: viewers.tell_all({"t": "bot", "online": online}))

    async def serve(self, request: web.BaseRequest, person: Person) -> web.StreamResponse:
        """Speak with one page until it closes."""
        socket = web.WebSocketResponse(heartbeat=30, max_msg_size=256 * 1024, timeout=1.0)
        await socket.prepare(request)
        page = PageSocket(socket, request.transport, person.id)
        self._sockets.add(page)
        self._greet(page, person)
        self._viewers.add(page)
        try:
            async for frame in socket:
                if frame.type is not WSMsgType.TEXT:
                    break
                await self._hear(page, person, frame.data, request.host)
        finally:
            self._viewers.remove(page)
            self._sockets.discard(page)
            page.stop_writing()
        return socket

    async def close(self) -> None:
        await asyncio.gather(*(page.close() for page in self._sockets))

    def _greet(self, page: PageSocket, person: Person) -> None:
        world = self._world
        guilds = [guild for guild in world.guilds.values() if person.id in guild.members]
        channels = [
            channel
            for guild in guilds
            for channel in (*world.guild_channels(guild.id), *world.threads(guild.id))
            if world.sees(person.id, channel)
        ]
        page.send_json(
            {
                "t": "hello",
                "me": person.user,
                "guild": {"id": guilds[0].id, "name": guilds[0].name} if guilds else None,
                "guilds": [{"id": guild.id, "name": guild.name} for guild in guilds],
                "channels": channels,
                "dms": [{"id": person.dm, "recipient": world.bot.user}] if person.dm else [],
                "users": [p.user for p in world.people.values() if any(p.id in g.members for g in guilds)],
                "commands": self._commands_of(person.id),
                "application": world.bot.user,
                "bot_online": self._gateway.online,
                "dms_open": person.dms_open,
                "now": round(world.clock.now() * 1000),
                "cdn": self._messages.cdn,
                "limits": {"answer_seconds": ANSWER_SECONDS, "name": NAME_MAX},
            }
        )
        for channel in channels:
            self._history(page, person, channel["id"])
        if person.dm:
            self._history(page, person, person.dm)

    def _history(self, page: PageSocket, person: Person, channel_id: str) -> None:
        public = list(self._world.messages[channel_id].values())[-HISTORY:]
        private = self._messages.private_of(person.id, channel_id)
        messages = sorted([*public, *private], key=lambda message: int(message["id"]))
        page.send_json({"t": "history", "channel_id": channel_id, "messages": messages})

    async def _hear(self, page: PageSocket, person: Person, raw: str, host: str) -> None:
        nonce: Any = None
        try:
            frame = msgspec.json.decode(raw)
            nonce = frame.get("nonce")
            await self._do(page, person, frame, host)
        except NotPossible as error:
            page.send_json({"t": "error", "nonce": nonce, "text": str(error)})
        except (msgspec.DecodeError, KeyError, TypeError, AttributeError, ValueError) as error:
            log.debug("a page sent %r: %r", raw[:200], error)
            page.send_json({"t": "error", "nonce": nonce, "text": "That was not understood."})

    async def _do(self, page: PageSocket, person: Person, frame: Json, host: str) -> None:
        sink = _sink(page, frame.get("nonce"))
        match frame["op"]:
            case "click":
                place = (str(frame["channel_id"]), str(frame["message_id"]))
                await self._interactions.click(person, *place, frame["custom_id"], sink)
            case "select":
                place = (str(frame["channel_id"]), str(frame["message_id"]))
                await self._interactions.select(person, *place, frame["custom_id"], frame["values"], sink)
            case "submit":
                self._interactions.submit(person, str(frame["interaction_id"]), frame["components"], sink)
            case "slash" | "autocomplete" as op:
                options = frame.get("options") or []
                typing = op == "autocomplete"
                channel_id = str(frame["channel_id"])
                self._interactions.slash(person, channel_id, frame["name"], options, sink, typing=typing)
            case "invite":
                friend = self.invite(person, frame["name"])
                url = self._invitation(friend, host)
                page.send_json({"t": "invited", "nonce": frame.get("nonce"), "url": url, "user": friend.user})
            case "rename":
                self._world.rename(person, _name(frame["name"]))
                self.people_changed()
            case "dms":
                person.dms_open = bool(frame["open"])
                self._world.save_person(person)
                page.send_json({"t": "done", "nonce": frame.get("nonce")})
            case "dismiss":
                self._messages.dismiss(person.id, str(frame["id"]))
            case op:
                raise NotPossible(f"There is no {op}.")

    def invite(self, host: Person, name: str) -> Person:
        """A new person in the servers of the one who invites.

        Raises:
            NotPossible: the name is empty, or the house is full.
        """
        if len(self._world.people) >= PEOPLE_MAX:
            raise NotPossible("The house is full.")
        friend = self._world.add_person(_name(name))
        for guild in self._world.guilds.values():
            if host.id in guild.members:
                self._world.join(guild, friend)
                self._gateway.dispatch("GUILD_MEMBER_ADD", {**guild.members[friend.id], "guild_id": guild.id})
        self.people_changed()
        return friend

    def people_changed(self) -> None:
        self._viewers.tell_all({"t": "users", "users": [person.user for person in self._world.people.values()]})


def _name(name: Any) -> str:
    words = " ".join(str(name).split())[:NAME_MAX]
    if not words:
        raise NotPossible("A name, please.")
    return words


def _sink(page: PageSocket, nonce: Any) -> Sink:
    return lambda frame: page.send_json({**frame, "nonce": nonce})
