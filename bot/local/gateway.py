"""The gateway: the websocket over which Discord tells the bot what happens.

A session outlives its connection for a while. When the bot resumes it, it gets the events that it missed.
Source: Discord's documentation, "Gateway" (opcodes, close codes, compression, resuming, sharding).
"""

import asyncio
import logging
import math
import secrets
import zlib
from collections import deque
from collections.abc import Callable
from enum import IntEnum
from typing import Any, Protocol

import msgspec
from aiohttp import WSMsgType, web

from bot.local.blanks import blank
from bot.local.errors import Json
from bot.local.messages import gateway_message
from bot.local.world import DM_CHANNEL, Guild, World

log = logging.getLogger(__name__)


class Opcode(IntEnum):
    """The kind of a gateway payload."""

    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    PRESENCE_UPDATE = 3
    VOICE_STATE_UPDATE = 4
    RESUME = 6
    RECONNECT = 7
    REQUEST_GUILD_MEMBERS = 8
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


GUILDS, GUILD_MEMBERS, PRESENCES, GUILD_SCHEDULED_EVENTS = 1 << 0, 1 << 1, 1 << 8, 1 << 16
GUILD_MESSAGES, DIRECT_MESSAGES, MESSAGE_CONTENT = 1 << 9, 1 << 12, 1 << 15
PRIVILEGED_INTENTS = GUILD_MEMBERS | PRESENCES | MESSAGE_CONTENT

HEARTBEAT_MS = 41_250
HEARTBEAT_ACK_DELAY_SECONDS = 0.02
IDENTIFY_SECONDS = 15.0
"""How long a connection can be open before it has shown the token."""
IDENTIFY_WINDOW_SECONDS = 5.0
"""Of the shards whose numbers leave the same rest by `max_concurrency`, one can identify in this time."""
MAX_REMEMBERED_EVENTS = 5_000
RESUMABLE_SECONDS = 180
MAX_PAYLOADS_PER_MINUTE = 120
MAX_PAYLOAD_BYTES = 4096

_NO_CONTENT: Json = {"content": "", "embeds": [], "attachments": [], "components": []}
_INTENT_BY_EVENT_PREFIX = {
    "CHANNEL": GUILDS,
    "THREAD": GUILDS,
    "GUILD": GUILDS,
    "GUILD_MEMBER": GUILD_MEMBERS,
}


class Compressor(Protocol):
    def __call__(self, data: bytes) -> bytes: ...


def make_compressor(name: str | None) -> Compressor | None:
    """Return the compressor of one connection: one stream, flushed after every payload. None: no compression.

    Raises:
        ValueError: the compression is unknown, or not installed here.
    """
    if name is None:
        return None
    if name == "zlib-stream":
        stream = zlib.compressobj(1)
        return lambda data: stream.compress(data) + stream.flush(zlib.Z_SYNC_FLUSH)
    if name == "zstd-stream":
        return _make_zstd_compressor()
    raise ValueError(name)


def _make_zstd_compressor() -> Compressor:
    try:
        import zstandard
    except ImportError:
        try:
            from compression import zstd  # type: ignore[import-not-found,unused-ignore]  # Python 3.14
        except ImportError as error:
            raise ValueError("zstd-stream") from error
        newer: Any = zstd.ZstdCompressor(level=1)
        return lambda data: newer.compress(data, newer.FLUSH_BLOCK)
    older: Any = zstandard.ZstdCompressor(level=1).compressobj()
    flush = zstandard.COMPRESSOBJ_FLUSH_BLOCK
    return lambda data: older.compress(data) + older.flush(flush)


class GatewaySession:
    """The events sent to one shard of the bot, kept so that it can resume after a disconnect."""

    def __init__(self, shard: tuple[int, int], intents: int) -> None:
        self.id = secrets.token_hex(16)
        self.shard = shard
        self.intents = intents
        self.sequence = 0
        self.events: deque[tuple[int, bytes]] = deque(maxlen=MAX_REMEMBERED_EVENTS)
        self.connection: GatewayConnection | None = None
        self.disconnected_at = 0.0

    def wants(self, event: str, channel: Json | None) -> bool:
        """Return whether the session's intents include this event."""
        if event == "INTERACTION_CREATE":
            return True
        if event.startswith("MESSAGE_"):
            is_direct = channel is None or channel["type"] == DM_CHANNEL
            return bool(self.intents & (DIRECT_MESSAGES if is_direct else GUILD_MESSAGES))
        if event.startswith("GUILD_SCHEDULED_EVENT_"):
            return bool(self.intents & GUILD_SCHEDULED_EVENTS)
        prefix = "GUILD_MEMBER" if event.startswith("GUILD_MEMBER") else event.partition("_")[0]
        intent = _INTENT_BY_EVENT_PREFIX.get(prefix, 0)
        return not intent or bool(self.intents & intent)

    def add_event(self, event: str, data: Any) -> None:
        """Number and remember an event. Send it if the bot is connected."""
        self.sequence += 1
        frame = msgspec.json.encode({"op": Opcode.DISPATCH, "s": self.sequence, "t": event, "d": data})
        self.events.append((self.sequence, frame))
        if self.connection is not None:
            self.connection.send(frame)


class GatewayConnection:
    """One open websocket of the bot. `send` never waits: a task writes the queued frames."""

    def __init__(
        self, socket: web.WebSocketResponse, transport: asyncio.Transport | None, compress: Compressor | None
    ) -> None:
        self.socket = socket
        self._transport = transport
        self._compress = compress
        self._frames: deque[bytes] = deque()
        self._has_frames = asyncio.Event()
        self._all_sent = asyncio.Event()
        self._writer = asyncio.create_task(self._write())
        self.session: GatewaySession | None = None
        self.receive_times: deque[float] = deque()  # of the payloads of the last minute

    def send(self, frame: bytes) -> None:
        self._frames.append(frame)
        self._all_sent.clear()
        self._has_frames.set()

    def send_opcode(self, opcode: Opcode, data: Any = None) -> None:
        self.send(msgspec.json.encode({"op": opcode, "d": data, "s": None, "t": None}))

    async def _write(self) -> None:
        try:
            while True:
                await self._has_frames.wait()
                self._has_frames.clear()
                while self._frames:
                    frame = self._frames.popleft()
                    if self._compress is None:
                        await self.socket.send_str(frame.decode())
                    else:
                        await self.socket.send_bytes(self._compress(frame))
                self._all_sent.set()
        except ConnectionError as error:
            log.debug("gateway_connection_lost", extra={"error": repr(error)})
        finally:
            self._all_sent.set()

    async def wait_until_sent(self) -> None:
        """Wait until every frame queued so far has been handed to the socket."""
        if self._frames and not self._writer.done():
            await self._all_sent.wait()

    def stop_writing(self) -> None:
        self._writer.cancel()

    async def close(self, code: int, reason: str = "") -> None:
        await self.wait_until_sent()
        self._writer.cancel()
        await self.socket.close(code=code, message=reason.encode())

    def abort(self) -> None:
        """Drop the connection without a close frame."""
        self._writer.cancel()
        if self._transport is not None:
            self._transport.abort()


class Gateway:
    """All sessions and connections of the bot.

    Attributes:
        refuses_connections: tests set it, so that the bot cannot connect for a while.
        limits_identifies: tests set it: who identifies out of turn is told that the session is invalid. A bot that plays alone, and is
            started again and again, does not have to wait for itself.
        max_concurrency: how many shards can identify in one turn.
        refused_identifies: how many came out of turn.
        online_listeners: called with True or False when the bot comes online or goes offline.
    """

    def __init__(self, world: World, token: str) -> None:
        self._world = world
        self._token = token
        self.url = ""
        self.sessions: dict[str, GatewaySession] = {}
        self.connections: set[GatewayConnection] = set()
        self.identify_count = 0
        self.resume_count = 0
        self.refuses_connections = False
        self.limits_identifies = False
        self.max_concurrency = 1
        self.refused_identifies = 0
        self._identified_at: dict[int, float] = {}
        self.online_listeners: list[Callable[[bool], None]] = []

    @property
    def online(self) -> bool:
        return any(session.connection is not None for session in self.sessions.values())

    def dispatch(self, event: str, data: Any, channel: Json | None = None) -> None:
        """Send an event to the shard it belongs to: a server's own shard, or shard 0 for direct messages."""
        if not self.sessions:
            return
        guild_id = channel.get("guild_id") if channel else data.get("guild_id") or data.get("id")
        for session in list(self.sessions.values()):
            shard, count = session.shard
            is_right_shard = _shard_of(guild_id, count) == shard if guild_id else shard == 0
            if not is_right_shard or not session.wants(event, channel):
                continue
            if self._has_expired(session):
                del self.sessions[session.id]
                continue
            if channel is not None and event.startswith("MESSAGE_"):
                data = gateway_message(data, channel)
                if not session.intents & MESSAGE_CONTENT and self._hides_content(data, channel):
                    data = data | _NO_CONTENT
            session.add_event(event, data)

    def _hides_content(self, message: Json, channel: Json) -> bool:
        """Return whether a bot without the intent MESSAGE_CONTENT sees only that somebody wrote, and not what."""
        bot_id = self._world.bot.id
        is_for_bot = channel["type"] == DM_CHANNEL or any(user["id"] == bot_id for user in message.get("mentions", []))
        return "author" in message and message["author"]["id"] != bot_id and not is_for_bot

    def _has_expired(self, session: GatewaySession) -> bool:
        """Return whether a session has been without a connection for too long to be resumed."""
        if session.connection is not None:
            return False
        return self._world.clock.now() - session.disconnected_at > RESUMABLE_SECONDS

    # -- connections --------------------------------------------------------------------------------------------------

    async def serve(self, request: web.BaseRequest) -> web.StreamResponse:
        """Serve one websocket of the bot until it ends."""
        if "Origin" in request.headers:  # only browsers send it, and no page needs the gateway
            return web.Response(status=403)
        if self.refuses_connections:
            return web.Response(status=503)
        try:
            compress = make_compressor(request.query.get("compress"))
        except ValueError as error:
            return web.Response(status=400, text=f"unknown compression {error}")
        socket = web.WebSocketResponse(max_msg_size=64 * 1024, timeout=1.0, compress=False)
        await socket.prepare(request)
        connection = GatewayConnection(socket, request.transport, compress)
        self.connections.add(connection)
        connection.send_opcode(Opcode.HELLO, {"heartbeat_interval": HEARTBEAT_MS, "_trace": ["local"]})
        try:
            async with asyncio.timeout(None) as silence:
                loop = asyncio.get_running_loop()
                silence.reschedule(loop.time() + IDENTIFY_SECONDS)
                async for frame in socket:
                    if frame.type is not WSMsgType.TEXT and frame.type is not WSMsgType.BINARY:
                        break
                    if not await self._handle_payload(connection, frame.data):
                        break
                    if connection.session is not None:
                        silence.reschedule(loop.time() + HEARTBEAT_MS / 1000 * 2)
        except TimeoutError:
            await connection.close(4009, "Session timed out.")
        finally:
            self._disconnected(connection)
        return socket

    def _disconnected(self, connection: GatewayConnection) -> None:
        self.connections.discard(connection)
        connection.stop_writing()
        session = connection.session
        if session is None or session.connection is not connection:
            return
        session.connection = None
        session.disconnected_at = self._world.clock.now()
        if connection.socket.close_code in (1000, 1001):  # the bot closed the connection itself: that ends the session
            self.sessions.pop(session.id, None)
        if not self.online:
            self._notify_online(online=False)

    def _notify_online(self, *, online: bool) -> None:
        for listener in self.online_listeners:
            listener(online)

    async def _handle_payload(self, connection: GatewayConnection, raw: str | bytes) -> bool:
        """Handle one payload of the bot. Returns False if the connection is to end."""
        now = self._world.clock.now()
        receive_times = connection.receive_times
        receive_times.append(now)
        while receive_times and receive_times[0] < now - 60:
            receive_times.popleft()
        if len(receive_times) > MAX_PAYLOADS_PER_MINUTE:
            await connection.close(4008, "Rate limited.")
            return False
        if len(raw) > MAX_PAYLOAD_BYTES:
            await connection.close(4002, "Decode error.")
            return False
        try:
            payload = msgspec.json.decode(raw)
            opcode, data = payload["op"], payload.get("d")
        except (msgspec.DecodeError, KeyError, TypeError):
            await connection.close(4002, "Decode error.")
            return False
        match opcode:
            case Opcode.HEARTBEAT:
                # Acknowledge a little later, as over a real network. If the answer came at once, discord.py would
                # measure its latency from the heartbeat before.
                loop = asyncio.get_running_loop()
                loop.call_later(HEARTBEAT_ACK_DELAY_SECONDS, connection.send_opcode, Opcode.HEARTBEAT_ACK)
            case Opcode.IDENTIFY:
                return await self._identify(connection, data)
            case Opcode.RESUME:
                return await self._resume(connection, data)
            case Opcode.PRESENCE_UPDATE | Opcode.VOICE_STATE_UPDATE | Opcode.REQUEST_GUILD_MEMBERS if (
                connection.session is None
            ):
                await connection.close(4003, "Not authenticated.")
                return False
            case Opcode.REQUEST_GUILD_MEMBERS:
                self._send_members(connection.session, data)
            case Opcode.PRESENCE_UPDATE | Opcode.VOICE_STATE_UPDATE:
                log.debug("gateway_payload_ignored", extra={"opcode": opcode})
            case _:
                await connection.close(4001, "Unknown opcode.")
                return False
        return True

    # -- sessions -----------------------------------------------------------------------------------------------------

    async def _identify(self, connection: GatewayConnection, data: Json) -> bool:
        if connection.session is not None:
            await connection.close(4005, "Already authenticated.")
            return False
        if not self._has_token(data):
            await connection.close(4004, "Authentication failed.")
            return False
        intents = data.get("intents")
        if not isinstance(intents, int):
            await connection.close(4013, "Invalid intent(s).")
            return False
        if intents & PRIVILEGED_INTENTS:  # as for an application whose owner has not switched them on
            await connection.close(4014, "Disallowed intent(s).")
            return False
        shard, count = data.get("shard") or (0, 1)
        if not 0 <= shard < count:
            await connection.close(4010, "Invalid shard.")
            return False
        self.identify_count += 1
        if self.limits_identifies and not self._is_in_turn(shard):
            self.refused_identifies += 1
            connection.send_opcode(Opcode.INVALID_SESSION, data=False)
            return True
        was_online = self.online
        session = GatewaySession((shard, count), intents)
        self.sessions[session.id] = session
        self._attach(connection, session)
        guilds = [
            guild
            for guild in self._world.guilds.values()
            if _shard_of(guild.id, count) == shard and self._world.bot.id in guild.members
        ]
        session.add_event("READY", self._ready_data(session, guilds))
        if intents & GUILDS:
            for guild in guilds:
                session.add_event("GUILD_CREATE", self.guild_create_data(guild))
        if not was_online:
            self._notify_online(online=True)
        return True

    async def _resume(self, connection: GatewayConnection, data: Json) -> bool:
        session = self.sessions.get(data.get("session_id", ""))
        sequence = data.get("seq") or 0
        if session is None or not self._has_token(data) or not _has_events_since(session, sequence):
            connection.send_opcode(Opcode.INVALID_SESSION, data=False)
            return True
        if self._has_expired(session):
            del self.sessions[session.id]
            connection.send_opcode(Opcode.INVALID_SESSION, data=False)
            return True
        was_online = self.online
        if session.connection is not None:
            session.connection.session = None
            await session.connection.close(4000, "Replaced.")
        self.resume_count += 1
        self._attach(connection, session)
        for number, frame in list(session.events):
            if number > sequence:
                connection.send(frame)
        session.add_event("RESUMED", {"_trace": ["local"]})
        if not was_online:
            self._notify_online(online=True)
        return True

    def _is_in_turn(self, shard: int) -> bool:
        """Return whether a shard can identify now. The next one of its group then has to wait."""
        group, now = shard % self.max_concurrency, self._world.clock.now()
        if now < self._identified_at.get(group, -math.inf) + IDENTIFY_WINDOW_SECONDS:
            return False
        self._identified_at[group] = now
        return True

    def _has_token(self, data: Json) -> bool:
        return bool(data.get("token", "").removeprefix("Bot ") == self._token)

    def _attach(self, connection: GatewayConnection, session: GatewaySession) -> None:
        session.connection = connection
        connection.session = session

    def _send_members(self, session: GatewaySession | None, data: Json) -> None:
        """Answer a request for members by id. A bot without the members intent cannot ask for anything else."""
        guild = self._world.guilds.get(str(data.get("guild_id")))
        if guild is None or session is None:
            return
        requested = data.get("user_ids") or []
        ids = [str(each) for each in (requested if isinstance(requested, list) else [requested])]
        chunk = {
            "guild_id": guild.id,
            "members": [guild.members[each] for each in ids if each in guild.members],
            "chunk_index": 0,
            "chunk_count": 1,
            "not_found": [each for each in ids if each not in guild.members],
            "nonce": data.get("nonce"),
        }
        session.add_event("GUILD_MEMBERS_CHUNK", chunk)

    # -- disconnecting the bot: at the end, and in tests --------------------------------------------------------------

    async def close_connections(self, code: int = 4000) -> None:
        """Close every connection. After code 4000 the bot can resume its sessions."""
        await asyncio.gather(*(connection.close(code) for connection in self.connections))

    def drop_connections(self) -> None:
        """Drop every connection without a close frame."""
        for connection in list(self.connections):
            connection.abort()

    def request_reconnect(self) -> None:
        for connection in list(self.connections):
            connection.send_opcode(Opcode.RECONNECT)

    def invalidate_sessions(self, *, resumable: bool = False) -> None:
        """Tell every connection that its session is no longer valid."""
        for connection in list(self.connections):
            if connection.session is not None and not resumable:
                self.sessions.pop(connection.session.id, None)
                connection.session = None
            connection.send_opcode(Opcode.INVALID_SESSION, resumable)

    # -- event data ---------------------------------------------------------------------------------------------------

    def _ready_data(self, session: GatewaySession, guilds: list[Guild]) -> Json:
        return {
            "v": 10,
            "user": {**self._world.bot.user, "verified": True, "mfa_enabled": False, "email": None},
            "guilds": [{"id": guild.id, "unavailable": True} for guild in guilds],
            "private_channels": [],
            "session_id": session.id,
            "resume_gateway_url": self.url,
            "shard": list(session.shard),
            "application": {"id": self._world.application_id, "flags": 0},
        }

    def guild_create_data(self, guild: Guild) -> Json:
        """Return a server as GUILD_CREATE shows it to a bot without the members intent: with no member but the bot."""
        bot_id = self._world.bot.id
        return blank(
            "guild_created",
            **guild_json(guild),
            joined_at=guild.members[bot_id]["joined_at"],
            member_count=len(guild.members),
            members=[guild.members[bot_id]],
            channels=list(self._world.guild_channels(guild.id)),
            threads=self._world.active_threads(guild.id),
        )


def _shard_of(guild_id: str, shard_count: int) -> int:
    return (int(guild_id) >> 22) % shard_count


def _has_events_since(session: GatewaySession, sequence: int) -> bool:
    """Return whether a session still remembers every event after this sequence number."""
    if sequence > session.sequence:
        return False
    return not session.events or session.events[0][0] <= sequence + 1


def guild_json(guild: Guild) -> Json:
    """Return a server as REST shows it."""
    own = {"id": guild.id, "name": guild.name, "owner_id": guild.owner_id, "preferred_locale": guild.locale}
    return blank("guild", roles=guild.roles, **own)
