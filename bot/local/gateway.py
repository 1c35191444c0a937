"""The gateway: the websocket over which the bot hears what happens.

Sessions outlive their connection for a while and replay what was missed, as Discord's do.
Source: Discord's documentation, "Gateway" (opcodes, close codes, compression, resuming).
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import zlib
from collections import deque
from typing import Any, Protocol

import msgspec
from aiohttp import WSMsgType, web

from bot.local.errors import Json
from bot.local.messages import with_guild
from bot.local.world import DM_CHANNEL, Guild, World

log = logging.getLogger(__name__)

DISPATCH, HEARTBEAT, IDENTIFY, PRESENCE, VOICE, RESUME, RECONNECT, MEMBERS, INVALID, HELLO, ACK = (
    *range(5),
    *range(6, 12),
)

GUILDS, GUILD_MEMBERS, PRESENCES = 1 << 0, 1 << 1, 1 << 8
GUILD_MESSAGES, DIRECT_MESSAGES, MESSAGE_CONTENT = 1 << 9, 1 << 12, 1 << 15
PRIVILEGED = GUILD_MEMBERS | PRESENCES | MESSAGE_CONTENT

HEARTBEAT_MS = 41_250
ACK_SECONDS = 0.02
REMEMBERED_EVENTS = 5_000
RESUMABLE_SECONDS = 180
SENDS_PER_MINUTE = 120
FRAME_MAX = 4096

_INTENT_OF = {
    "CHANNEL": GUILDS,
    "THREAD": GUILDS,
    "GUILD": GUILDS,
    "GUILD_MEMBER": GUILD_MEMBERS,
}


class Compressor(Protocol):
    def __call__(self, data: bytes) -> bytes: ...


def compressor(name: str | None) -> Compressor | None:
    """One stream for one connection; every payload is flushed, the stream never ends.

    Raises:
        ValueError: a compression that is not known, or not installed here.
    """
    if name is None:
        return None
    if name == "zlib-stream":
        stream = zlib.compressobj(1)
        return lambda data: stream.compress(data) + stream.flush(zlib.Z_SYNC_FLUSH)
    if name == "zstd-stream":
        return _zstd()
    raise ValueError(name)


def _zstd() -> Compressor:
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


class Session:
    """What one shard has heard, whether or not it is connected right now."""

    def __init__(self, shard: tuple[int, int], intents: int) -> None:
        self.id = secrets.token_hex(16)
        self.shard = shard
        self.intents = intents
        self.seq = 0
        self.events: deque[tuple[int, bytes]] = deque(maxlen=REMEMBERED_EVENTS)
        self.connection: Connection | None = None
        self.left_at = 0.0

    def hears(self, event: str, channel: Json | None) -> bool:
        if event == "INTERACTION_CREATE":
            return True
        if event.startswith("MESSAGE_"):
            private = channel is None or channel["type"] == DM_CHANNEL
            return bool(self.intents & (DIRECT_MESSAGES if private else GUILD_MESSAGES))
        needs = _INTENT_OF.get("GUILD_MEMBER" if event.startswith("GUILD_MEMBER") else event.partition("_")[0], 0)
        return not needs or bool(self.intents & needs)

    def push(self, event: str, data: Any) -> None:
        """The next event of this session: remembered, and sent if somebody is connected."""
        self.seq += 1
        frame = msgspec.json.encode({"op": DISPATCH, "s": self.seq, "t": event, "d": data})
        self.events.append((self.seq, frame))
        if self.connection is not None:
            self.connection.send(frame)


class Connection:
    """One open websocket of the bot. Sending never waits: a task of its own writes what is queued."""

    def __init__(
        self, socket: web.WebSocketResponse, transport: asyncio.Transport | None, compress: Compressor | None
    ) -> None:
        self.socket = socket
        self._transport = transport
        self._compress = compress
        self._queue: deque[bytes] = deque()
        self._wake = asyncio.Event()
        self._written = asyncio.Event()
        self._writer = asyncio.create_task(self._write())
        self.session: Session | None = None
        self.sends: deque[float] = deque()

    def send(self, frame: bytes) -> None:
        self._queue.append(frame)
        self._written.clear()
        self._wake.set()

    def send_op(self, op: int, data: Any = None) -> None:
        self.send(msgspec.json.encode({"op": op, "d": data, "s": None, "t": None}))

    async def _write(self) -> None:
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                while self._queue:
                    frame = self._queue.popleft()
                    if self._compress is None:
                        await self.socket.send_str(frame.decode())
                    else:
                        await self.socket.send_bytes(self._compress(frame))
                self._written.set()
        except ConnectionError as error:
            log.debug("the bot's connection is gone: %s", error)
        finally:
            self._written.set()

    async def drained(self) -> None:
        """Wait until everything queued so far has been handed to the socket."""
        if self._queue and not self._writer.done():
            await self._written.wait()

    def stop_writing(self) -> None:
        self._writer.cancel()

    async def close(self, code: int, words: str = "") -> None:
        await self.drained()
        self._writer.cancel()
        await self.socket.close(code=code, message=words.encode())

    def abort(self) -> None:
        """Cut the line without a goodbye."""
        self._writer.cancel()
        if self._transport is not None:
            self._transport.abort()


class Gateway:
    """All sessions of the bot."""

    def __init__(self, world: World, token: str) -> None:
        self._world = world
        self._token = token
        self.url = ""
        self.sessions: dict[str, Session] = {}
        self.connections: set[Connection] = set()
        self.identifies = 0
        self.resumes = 0
        self.refusing = False
        self.when_online: list[Any] = []  # called with True or False when the bot comes or goes

    @property
    def online(self) -> bool:
        return any(session.connection is not None for session in self.sessions.values())

    def dispatch(self, event: str, data: Any, channel: Json | None = None) -> None:
        """Tell the shard that this concerns. DMs belong to shard 0, a server to its own."""
        if not self.sessions:
            return
        guild_id = channel.get("guild_id") if channel else data.get("guild_id") or data.get("id")
        for session in list(self.sessions.values()):
            shard, count = session.shard
            mine = (int(guild_id) >> 22) % count == shard if guild_id else shard == 0
            if not mine or not session.hears(event, channel):
                continue
            if session.connection is None and self._world.clock.now() - session.left_at > RESUMABLE_SECONDS:
                del self.sessions[session.id]
                continue
            if channel is not None and event.startswith("MESSAGE_"):
                data = with_guild(data, channel)
            session.push(event, data)

    # -- the socket ---------------------------------------------------------------------------------------------------

    async def serve(self, request: web.BaseRequest) -> web.StreamResponse:
        """Speak with the bot until it leaves."""
        if "Origin" in request.headers or self.refusing:  # browsers have no business here
            return web.Response(status=403 if "Origin" in request.headers else 503)
        try:
            compress = compressor(request.query.get("compress"))
        except ValueError as error:
            return web.Response(status=400, text=f"unknown compression {error}")
        socket = web.WebSocketResponse(max_msg_size=64 * 1024, timeout=1.0, compress=False)
        await socket.prepare(request)
        connection = Connection(socket, request.transport, compress)
        self.connections.add(connection)
        connection.send_op(HELLO, {"heartbeat_interval": HEARTBEAT_MS, "_trace": ["local"]})
        try:
            async with asyncio.timeout(None) as patience:
                loop = asyncio.get_running_loop()
                patience.reschedule(loop.time() + HEARTBEAT_MS / 1000 * 2)
                async for frame in socket:
                    patience.reschedule(loop.time() + HEARTBEAT_MS / 1000 * 2)
                    if frame.type is not WSMsgType.TEXT and frame.type is not WSMsgType.BINARY:
                        break
                    if not await self._hear(connection, frame.data):
                        break
        except TimeoutError:
            await connection.close(4009, "Session timed out.")
        finally:
            self._left(connection)
        return socket

    def _left(self, connection: Connection) -> None:
        self.connections.discard(connection)
        connection.stop_writing()
        session = connection.session
        if session is None or session.connection is not connection:
            return
        session.connection = None
        session.left_at = self._world.clock.now()
        if connection.socket.close_code in (1000, 1001):  # a goodbye ends the session
            self.sessions.pop(session.id, None)
        if not self.online:
            self._tell(online=False)

    def _tell(self, *, online: bool) -> None:
        for tell in self.when_online:
            tell(online)

    async def _hear(self, connection: Connection, raw: str | bytes) -> bool:
        """One payload of the bot; False ends the connection."""
        now = self._world.clock.now()
        sends = connection.sends
        sends.append(now)
        while sends and sends[0] < now - 60:
            sends.popleft()
        if len(sends) > SENDS_PER_MINUTE:
            await connection.close(4008, "Rate limited.")
            return False
        if len(raw) > FRAME_MAX:
            await connection.close(4002, "Decode error.")
            return False
        try:
            frame = msgspec.json.decode(raw)
            op, data = frame["op"], frame.get("d")
        except (msgspec.DecodeError, KeyError, TypeError):
            await connection.close(4002, "Decode error.")
            return False
        match op:
            case 1:
                # A little later, as over a real network: answered sooner, discord.py measures from the heartbeat before.
                asyncio.get_running_loop().call_later(ACK_SECONDS, connection.send_op, ACK)
            case 2:
                return await self._identify(connection, data)
            case 6:
                return await self._resume(connection, data)
            case 3 | 4 | 8 if connection.session is None:
                await connection.close(4003, "Not authenticated.")
                return False
            case 8:
                self._members(connection.session, data)
            case 3 | 4:
                log.debug("presence and voice are not shown here")
            case _:
                await connection.close(4001, "Unknown opcode.")
                return False
        return True

    async def _identify(self, connection: Connection, data: Json) -> bool:
        if connection.session is not None:
            await connection.close(4005, "Already authenticated.")
            return False
        if data.get("token", "").removeprefix("Bot ") != self._token:
            await connection.close(4004, "Authentication failed.")
            return False
        intents = data.get("intents")
        if not isinstance(intents, int):
            await connection.close(4013, "Invalid intent(s).")
            return False
        if intents & PRIVILEGED:  # as for an application whose owner has not switched them on
            await connection.close(4014, "Disallowed intent(s).")
            return False
        shard, count = data.get("shard") or (0, 1)
        if not 0 <= shard < count:
            await connection.close(4010, "Invalid shard.")
            return False
        self.identifies += 1
        was_online = self.online
        session = Session((shard, count), intents)
        self.sessions[session.id] = session
        self._join(connection, session)
        guilds = [g for g in self._world.guilds.values() if (int(g.id) >> 22) % count == shard]
        here = [g for g in guilds if self._world.bot.id in g.members]
        session.push(
            "READY",
            {
                "v": 10,
                "user": {**self._world.bot.user, "verified": True, "mfa_enabled": False, "email": None},
                "guilds": [{"id": guild.id, "unavailable": True} for guild in here],
                "private_channels": [],
                "session_id": session.id,
                "resume_gateway_url": self.url,
                "shard": [shard, count],
                "application": {"id": self._world.application_id, "flags": 0},
            },
        )
        if intents & GUILDS:
            for guild in here:
                session.push("GUILD_CREATE", self.guild_event(guild))
        if not was_online:
            self._tell(online=True)
        return True

    def _join(self, connection: Connection, session: Session) -> None:
        session.connection = connection
        connection.session = session

    async def _resume(self, connection: Connection, data: Json) -> bool:
        session = self.sessions.get(data.get("session_id", ""))
        seq = data.get("seq") or 0
        stale = session is None or (session.events and session.events[0][0] > seq + 1) or seq > session.seq
        if stale or session is None or data.get("token", "").removeprefix("Bot ") != self._token:
            connection.send_op(INVALID, data=False)
            return True
        if session.connection is None and self._world.clock.now() - session.left_at > RESUMABLE_SECONDS:
            del self.sessions[session.id]
            connection.send_op(INVALID, data=False)
            return True
        was_online = self.online
        if session.connection is not None:
            session.connection.session = None
            await session.connection.close(4000, "Replaced.")
        self.resumes += 1
        self._join(connection, session)
        for number, frame in list(session.events):
            if number > seq:
                connection.send(frame)
        session.push("RESUMED", {"_trace": ["local"]})
        if not was_online:
            self._tell(online=True)
        return True

    def _members(self, session: Session | None, data: Json) -> None:
        """Without the members intent a bot may ask for members by id, or for itself."""
        guild = self._world.guilds.get(str(data.get("guild_id")))
        if guild is None or session is None:
            return
        asked = data.get("user_ids") or []
        ids = [str(i) for i in (asked if isinstance(asked, list) else [asked])]
        found = [guild.members[i] for i in ids if i in guild.members]
        chunk = {
            "guild_id": guild.id,
            "members": found,
            "chunk_index": 0,
            "chunk_count": 1,
            "not_found": [i for i in ids if i not in guild.members],
            "nonce": data.get("nonce"),
        }
        session.push("GUILD_MEMBERS_CHUNK", chunk)

    # -- what tests may do to it --------------------------------------------------------------------------------------

    async def hang_up(self, code: int = 4000) -> None:
        """Close every connection; code 4000 leaves the sessions resumable, as a lost line does."""
        await asyncio.gather(*(connection.close(code) for connection in self.connections))

    def cut(self) -> None:
        """Break every connection without a close frame."""
        for connection in list(self.connections):
            connection.abort()

    def ask_reconnect(self) -> None:
        for connection in list(self.connections):
            connection.send_op(RECONNECT)

    def invalidate(self, *, resumable: bool = False) -> None:
        """Tell every connection that its session is no longer valid."""
        for connection in list(self.connections):
            if connection.session is not None and not resumable:
                self.sessions.pop(connection.session.id, None)
                connection.session = None
            connection.send_op(INVALID, resumable)

    # -- payloads -----------------------------------------------------------------------------------------------------

    def guild_event(self, guild: Guild) -> Json:
        """A server as GUILD_CREATE shows it to a bot without the members intent: of the members only itself."""
        bot_id = self._world.bot.id
        return {
            **guild_json(guild),
            "joined_at": guild.members[bot_id]["joined_at"],
            "large": False,
            "unavailable": False,
            "member_count": len(guild.members),
            "members": [guild.members[bot_id]],
            "channels": list(self._world.guild_channels(guild.id)),
            "threads": [t for t in self._world.threads(guild.id) if not t["thread_metadata"]["archived"]],
            "voice_states": [],
            "presences": [],
            "stage_instances": [],
            "guild_scheduled_events": [],
            "soundboard_sounds": [],
        }


def guild_json(guild: Guild) -> Json:
    """A server as REST answers it."""
    return {
        "id": guild.id,
        "name": guild.name,
        "icon": None,
        "description": None,
        "home_header": None,
        "splash": None,
        "discovery_splash": None,
        "features": [],
        "banner": None,
        "owner_id": guild.owner_id,
        "application_id": None,
        "region": "us-central",
        "afk_channel_id": None,
        "afk_timeout": 300,
        "system_channel_id": None,
        "system_channel_flags": 0,
        "widget_enabled": False,
        "widget_channel_id": None,
        "verification_level": 0,
        "roles": guild.roles,
        "default_message_notifications": 0,
        "mfa_level": 0,
        "explicit_content_filter": 0,
        "max_presences": None,
        "max_members": 500_000,
        "max_stage_video_channel_users": 50,
        "max_video_channel_users": 25,
        "vanity_url_code": None,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "preferred_locale": "en-US",
        "rules_channel_id": None,
        "safety_alerts_channel_id": None,
        "public_updates_channel_id": None,
        "premium_progress_bar_enabled": False,
        "nsfw": False,
        "nsfw_level": 0,
        "emojis": [],
        "stickers": [],
        "incidents_data": None,
    }
