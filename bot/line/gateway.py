"""The gateway's events of clicks and messages, read for what the dealer uses of them. All others are discord.py's.

Discord repeats a whole message with every click on it, and again after every edit. discord.py makes objects of all that, a
sixth of the work of a click, of which a few ids are used.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

import aiohttp
import discord
import msgspec
import zstandard
from discord.gateway import DiscordWebSocket
from msgspec import Struct

from bot.line.interaction import ClickEvent
from bot.line.scheduled_events import is_over, starts_at
from bot.signals import (
    InterestChanged,
    MessagesDeleted,
    PersonWrote,
    ScheduledEventChanged,
    ScheduledEventDeleted,
    Signals,
)

log = logging.getLogger(__name__)

CLICK = "CLICK"
"""The parser of clicks and submitted forms, beside discord.py's parsers, which are named as Discord names its events."""
CHUNK_BYTES = 16 * 1024
"""How much is decompressed at once. The usual 128 KB are taken from the system and given back for every event, which costs five times
as much as decompressing."""
ECHOES_MAX = 256
"""How many messages of bots are remembered: some seconds' worth, on a busy evening."""

HELD_SECONDS = 2.5
"""Discord takes no answer to a click that is older than three seconds."""
_INTERACTIONS = (CLICK, "INTERACTION_CREATE")
_OF_MESSAGES = ("MESSAGE_CREATE", "MESSAGE_DELETE", "MESSAGE_DELETE_BULK")

Parser = Callable[[Any], None]


class _Author(Struct, frozen=True):
    id: int = 0
    bot: bool = False


class _Interaction(Struct, frozen=True):
    id: int


class MessageCreated(Struct, frozen=True):
    """A new message: the fields that are read, named as Discord names them."""

    id: int
    channel_id: int
    author: _Author
    webhook_id: int | None = None
    nonce: str | int | None = None
    interaction_metadata: _Interaction | None = None

    @property
    def is_of_person(self) -> bool:
        """Whether no bot and no webhook has written it."""
        return not self.author.bot and self.webhook_id is None

    def is_sent_as(self, nonce: str, interaction: int) -> bool:
        """Return whether a message was sent with a nonce, or for an interaction. "" and 0 are none."""
        of = self.interaction_metadata
        return (nonce != "" and str(self.nonce) == nonce) or (
            interaction != 0 and of is not None and of.id == interaction
        )


class Echoes:
    """The bots' newest messages, as the gateway has told of them: one whose response was lost can be among them."""

    def __init__(self) -> None:
        self._messages: deque[MessageCreated] = deque(maxlen=ECHOES_MAX)

    def note(self, event: MessageCreated) -> None:
        self._messages.append(event)

    def find(self, channel: int, author: int, nonce: str = "", interaction: int = 0) -> int:
        """Return the id of somebody's message in a channel, by its nonce or the interaction it was sent for; 0 if there is none."""
        for event in reversed(self._messages):
            if event.channel_id == channel and event.author.id == author and event.is_sent_as(nonce, interaction):
                return event.id
        return 0


def watch_messages(parsers: dict[str, Parser], echoes: Echoes, signals: Signals) -> None:
    """Replace discord.py's parsers of messages by some that send signals.

    Args:
        echoes: gets what bots write.
    """

    def created(event: MessageCreated) -> None:
        if event.author.bot:
            echoes.note(event)
        elif event.is_of_person:
            signals.send(PersonWrote(event.channel_id, event.id))

    def deleted(event: Any) -> None:
        signals.send(MessagesDeleted(int(event["channel_id"]), frozenset({int(event["id"])})))

    def deleted_in_bulk(event: Any) -> None:
        signals.send(MessagesDeleted(int(event["channel_id"]), frozenset(map(int, event["ids"]))))

    parsers["MESSAGE_CREATE"] = created
    parsers["MESSAGE_UPDATE"] = _ignore
    parsers["MESSAGE_DELETE"] = deleted
    parsers["MESSAGE_DELETE_BULK"] = deleted_in_bulk


def watch_scheduled_events(parsers: dict[str, Parser], tell: Callable[[object], None]) -> None:
    """Replace discord.py's parsers of scheduled events, which know only people whom it remembers, by some that send signals."""

    def changed(event: Any) -> None:
        tell(ScheduledEventChanged(int(event["guild_id"]), int(event["id"]), starts_at(event), is_over(event)))

    def deleted(event: Any) -> None:
        tell(ScheduledEventDeleted(int(event["guild_id"]), int(event["id"])))

    def interested(event: Any, *, is_interested: bool) -> None:
        who = int(event["guild_id"]), int(event["guild_scheduled_event_id"]), int(event["user_id"])
        tell(InterestChanged(*who, is_interested))

    parsers["GUILD_SCHEDULED_EVENT_CREATE"] = _ignore
    parsers["GUILD_SCHEDULED_EVENT_UPDATE"] = changed
    parsers["GUILD_SCHEDULED_EVENT_DELETE"] = deleted
    parsers["GUILD_SCHEDULED_EVENT_USER_ADD"] = partial(interested, is_interested=True)
    parsers["GUILD_SCHEDULED_EVENT_USER_REMOVE"] = partial(interested, is_interested=False)


def _ignore(event: Any) -> None:
    """An edit changes nothing about where a message stands, and a message is nothing to who only stands by."""


class HeldEvents:
    """What reaches a dealer that stands by: it handles the newest clicks and commands once it deals, and nothing else of it.

    Args:
        parsers: those of the client. They are replaced until `release`.
        now: the time in seconds.
    """

    def __init__(self, parsers: dict[str, Parser], now: Callable[[], float] = time.monotonic) -> None:
        self._parsers, self._now = parsers, now
        self._held: deque[tuple[float, Parser, Any]] = deque()
        self._own = {name: parsers[name] for name in (*_INTERACTIONS, *_OF_MESSAGES) if name in parsers}
        for name, parser in self._own.items():
            parsers[name] = self._holder(parser) if name in _INTERACTIONS else _ignore

    def _holder(self, parser: Parser) -> Parser:
        def hold(event: Any) -> None:
            self._held.append((self._now(), parser, event))
            self._forget_old()

        return hold

    def _forget_old(self) -> None:
        while self._held and self._held[0][0] < self._now() - HELD_SECONDS:
            self._held.popleft()

    def release(self, note: Callable[[frozenset[int]], None]) -> None:
        """Let events be handled from now on, and those that can still be answered.

        Args:
            note: is told of the interactions that were held before any of them is handled.
        """
        self._parsers |= self._own
        self._forget_old()
        note(frozenset([_interaction_id(event) for _, _, event in self._held]))
        while self._held:
            _, parser, event = self._held.popleft()
            parser(event)


def _interaction_id(event: Any) -> int:
    return event.id if isinstance(event, ClickEvent) else int(event["id"])


class _Frame(Struct):
    """One message of the gateway; what it tells is not decoded yet."""

    op: int
    t: str | None = None
    s: int | None = None
    d: msgspec.Raw = msgspec.Raw()


_FRAME = msgspec.json.Decoder(_Frame)
_CLICK_EVENT = msgspec.json.Decoder(ClickEvent, strict=False)  # Discord writes ids as strings
_MESSAGE_CREATED = msgspec.json.Decoder(MessageCreated, strict=False)


def _click(told: msgspec.Raw) -> tuple[str, ClickEvent] | None:
    event = _CLICK_EVENT.decode(told)
    return (CLICK, event) if event.is_click else None


_READERS: dict[str | None, Callable[[msgspec.Raw], tuple[str, Any] | None]] = {
    "INTERACTION_CREATE": _click,
    "MESSAGE_CREATE": lambda told: ("MESSAGE_CREATE", _MESSAGE_CREATED.decode(told)),
    "MESSAGE_UPDATE": lambda told: ("MESSAGE_UPDATE", None),
}
"""What returns the parser and the value it gets, by the event's name; None for an event that is discord.py's."""


class ZstdStream:
    """Decompresses what comes over one connection."""

    COMPRESSION_TYPE = "zstd-stream"

    def __init__(self) -> None:
        self._stream = zstandard.ZstdDecompressor().decompressobj(write_size=CHUNK_BYTES)

    def decompress(self, data: bytes, /) -> str | None:
        """Return a message of the gateway. Each comes whole."""
        return self.read(data).decode()

    def read(self, data: bytes) -> bytes:
        """Return the same as bytes: what the dealer reads by itself need not become a text first."""
        return self._stream.decompress(data)


class DealerWebSocket(DiscordWebSocket):
    """A connection to the gateway that reads clicks and messages by itself, for a client that has a parser of clicks."""

    @classmethod
    async def from_client(
        cls, client: Any, *, shard_id: int | None = None, resume: bool = False, **how: Any
    ) -> DealerWebSocket:
        """Connect. Where several processes begin sessions, a new one waits for its turn first (`bot.line.identify_turns`)."""
        if not resume and shard_id is not None and hasattr(client, "before_connecting"):
            await client.before_connecting(shard_id)
        connected: DealerWebSocket = await super().from_client(client, shard_id=shard_id, resume=resume, **how)
        connected.watch_silence(connected._max_heartbeat_timeout)
        return connected

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, *, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(socket, loop=loop)
        self._heard_at = 0.0
        self._ending: asyncio.Task[None] | None = None
        if self._decompressor.COMPRESSION_TYPE == ZstdStream.COMPRESSION_TYPE:
            self._decompressor = ZstdStream()

    def watch_silence(self, seconds: float) -> None:
        """End the connection when nothing has come over it for so long, so that the shard connects again.

        discord.py would do it by a timer for each message, which is set and taken back: a fiftieth of what a click takes. This one is set
        again only when it rings.
        """
        self._max_heartbeat_timeout = 0.0  # for discord.py's own wait, that is none
        self._heard_at = self.loop.time()
        self.loop.call_later(seconds, self._look_whether_silent, seconds)

    def _look_whether_silent(self, seconds: float) -> None:
        if self.socket.closed:
            return
        left = self._heard_at + seconds - self.loop.time()
        if left > 0:
            self.loop.call_later(left, self._look_whether_silent, seconds)
            return
        log.warning("gateway_silent", extra={"shard": self.shard_id})
        self._ending = self.loop.create_task(self.close(4000))

    async def received_message(self, msg: Any, /) -> None:
        """Handle a message of the gateway."""
        self._heard_at = self.loop.time()
        decompressor, told = self._decompressor, msg
        if type(msg) is bytes:
            told = decompressor.read(msg) if type(decompressor) is ZstdStream else decompressor.decompress(msg)
        if told is not None and not self._read(told):
            await super().received_message(told.decode() if type(told) is bytes else told)

    def _read(self, told: str | bytes) -> bool:
        """Handle an event of which little is needed. Returns False for anything else."""
        try:
            frame = _FRAME.decode(told)
            reader = _READERS.get(frame.t)
            if reader is None or CLICK not in self._discord_parsers:
                return False
            found = reader(frame.d)
        except msgspec.DecodeError as error:  # discord.py's parsers would fail too, and end the connection
            log.error("gateway_message_unreadable", extra={"error": str(error)})
            return True
        if found is None:
            return False
        self.sequence = frame.s
        if self._keep_alive:
            self._keep_alive.tick()
        parser, value = found
        self._discord_parsers[parser](value)
        return True


def unknown_parts() -> list[str]:
    """Return the private names of discord.py that are used here and that this version of it does not have."""
    socket: Any = DiscordWebSocket
    plain, received = socket(None, loop=None), getattr(socket, "received_message", unknown_parts)
    polled = getattr(socket, "poll_event", unknown_parts)
    there = {
        "shard.DiscordWebSocket": vars(discord.shard).get("DiscordWebSocket") is not None,
        "DiscordWebSocket.received_message": asyncio.iscoroutinefunction(received),
        "DiscordWebSocket._decompressor": hasattr(getattr(plain, "_decompressor", None), "COMPRESSION_TYPE"),
        "DiscordWebSocket._keep_alive": hasattr(plain, "_keep_alive"),
        "DiscordWebSocket._discord_parsers": "_discord_parsers" in received.__code__.co_names,
        "DiscordWebSocket._max_heartbeat_timeout": "_max_heartbeat_timeout" in polled.__code__.co_names,
        "DiscordWebSocket.sequence": hasattr(plain, "sequence"),
        "KeepAliveHandler.tick": hasattr(discord.gateway.KeepAliveHandler, "tick"),
    }
    return [name for name, is_there in there.items() if not is_there]


def leave_out_messages(client: discord.Client) -> None:
    """Let a client that has not connected yet not be told of messages."""
    intents = client._connection._intents
    intents &= ~discord.Intents(guild_messages=True)


def use_dealer_websocket(client: discord.Client) -> None:
    """Let discord.py's sharded clients of this process connect by a `DealerWebSocket`.

    With a discord.py that is not known well enough, its own connection reads the events, and this client's parsers get them as values.
    """
    unknown = unknown_parts()
    if not unknown:
        vars(discord.shard)["DiscordWebSocket"] = DealerWebSocket
        return
    log.error("discord_py_unknown", extra={"version": discord.__version__, "missing": unknown})
    parsers = client._connection.parsers
    on_interaction, on_message = parsers["INTERACTION_CREATE"], parsers["MESSAGE_CREATE"]

    def interaction(event: Any) -> None:
        click = msgspec.convert(event, ClickEvent, strict=False)
        if click.is_click:
            parsers[CLICK](click)
        else:
            on_interaction(event)

    def message(event: Any) -> None:
        on_message(msgspec.convert(event, MessageCreated, strict=False))

    parsers["INTERACTION_CREATE"], parsers["MESSAGE_CREATE"] = interaction, message
