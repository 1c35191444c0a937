"""The gateway's events: clicks and messages are read by the dealer, everything else by discord.py."""

from __future__ import annotations

import asyncio
import gc
import json
from typing import Any

import aiohttp
import discord
import pytest
import zstandard
from aiohttp import web
from discord.gateway import ReconnectWebSocket

from bot.line import gateway
from bot.line.gateway import CLICK, DealerWebSocket, MessageCreated, unknown_parts, use_dealer_websocket
from bot.line.interaction import ClickEvent, InteractionInfo
from cogs.support.click_listener import ClickListener
from tests.line.test_interaction import IN_SERVER, click, event, member, message


class Client:
    """What a connection tells its client, by parser."""

    def __init__(self, *parsers: str) -> None:
        self.told: list[tuple[str, Any]] = []
        self.socket = DealerWebSocket(None, loop=asyncio.get_running_loop())  # type: ignore[arg-type]
        self.socket._keep_alive = None
        self.socket.shard_id = 0
        self.socket._discord_parsers = {name: self._parser(name) for name in parsers}
        self._compressor = zstandard.ZstdCompressor(level=1).compressobj()

    def _parser(self, name: str) -> Any:
        return lambda told: self.told.append((name, told))

    async def receive(self, name: str, told: Any, *, sequence: int = 7) -> None:
        await self.receive_text(json.dumps({"op": 0, "s": sequence, "t": name, "d": told}))

    async def receive_text(self, text: str) -> None:
        """Receive a message as the gateway compresses it: one stream, flushed after each."""
        data = self._compressor.compress(text.encode()) + self._compressor.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)
        await self.socket.received_message(data)


PARSERS = (CLICK, "INTERACTION_CREATE", "MESSAGE_CREATE", "MESSAGE_UPDATE", "MESSAGE_DELETE")


async def test_clicks_and_forms_pass_by_discord_py() -> None:
    client = Client(*PARSERS)
    pressed = click(**IN_SERVER, member=member(), message=message())
    submitted = event({"custom_id": "form", "components": []}, kind=5, **IN_SERVER, member=member())
    command = event({"id": "1", "name": "play", "type": 1}, kind=2, **IN_SERVER, member=member())
    for each in (pressed, submitted, command):
        await client.receive("INTERACTION_CREATE", each)
    (one, press), (two, form), (three, raw) = client.told
    assert (one, two, three) == (CLICK, CLICK, "INTERACTION_CREATE")
    assert isinstance(press, ClickEvent) and press.data.custom_id == pressed["data"]["custom_id"] and not press.is_form
    assert isinstance(form, ClickEvent) and form.is_form
    assert raw == command


async def test_edits_are_not_read_and_count_as_received() -> None:
    client = Client(*PARSERS)
    await client.receive("MESSAGE_UPDATE", message(), sequence=41)
    assert client.told == [("MESSAGE_UPDATE", None)]
    assert client.socket.sequence == 41


async def test_other_events_are_left_to_discord_py() -> None:
    client = Client(*PARSERS)
    gone = {"id": "21", "channel_id": "12"}
    await client.receive("MESSAGE_DELETE", gone, sequence=42)
    assert client.told == [("MESSAGE_DELETE", gone)]
    assert client.socket.sequence == 42


async def test_client_without_parser_of_clicks_gets_all_from_discord_py() -> None:
    client = Client("INTERACTION_CREATE", "MESSAGE_UPDATE")
    pressed = click(**IN_SERVER, member=member(), message=message())
    await client.receive("INTERACTION_CREATE", pressed)
    await client.receive("MESSAGE_UPDATE", message())
    assert client.told == [("INTERACTION_CREATE", pressed), ("MESSAGE_UPDATE", message())]


@pytest.mark.parametrize(
    "text",
    [
        '{"op": 0, "s": 5, "t": "INTERACTION_CREATE", "d": {"id": "no number", "type": 3, "token": "secret"}}',
        '{"op": 0, "s": 5, "t": "MESSAGE_CREATE", "d": []}',
        "no JSON",
    ],
)
async def test_what_cannot_be_read_does_not_end_the_connection(text: str, caplog: pytest.LogCaptureFixture) -> None:
    client = Client(*PARSERS)
    await client.receive_text(text)
    assert client.told == []
    assert [record.message for record in caplog.records] == ["gateway_message_unreadable"]
    await client.receive("MESSAGE_UPDATE", None)
    assert len(client.told) == 1


async def test_connection_over_which_nothing_comes_is_made_again(caplog: pytest.LogCaptureFixture) -> None:
    """What comes puts it off: the gateway says something twice, and then nothing more."""
    app = web.Application()

    async def say_little(request: web.Request) -> web.WebSocketResponse:
        talking = web.WebSocketResponse()
        await talking.prepare(request)
        for _ in range(2):
            await asyncio.sleep(0.03)
            await talking.send_str('{"op": 11}')
        await talking.receive()
        return talking

    app.router.add_get("/", say_little)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(f"http://127.0.0.1:{runner.addresses[0][1]}/") as connected,
    ):
        socket = Client().socket
        socket.socket, began = connected, asyncio.get_running_loop().time()
        socket._dispatch = lambda *_: None
        socket.watch_silence(0.05)
        with pytest.raises(ReconnectWebSocket):
            for _ in range(3):
                await socket.poll_event()
        assert asyncio.get_running_loop().time() - began > 0.1
    await runner.cleanup()
    assert "gateway_silent" in caplog.text


async def test_message_longer_than_one_chunk_is_read_whole() -> None:
    client = Client(*PARSERS)
    await client.receive("MESSAGE_DELETE", {"id": "x" * 100_000})
    assert client.told == [("MESSAGE_DELETE", {"id": "x" * 100_000})]


def test_sharded_clients_connect_by_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discord.shard, "DiscordWebSocket", discord.gateway.DiscordWebSocket)
    assert unknown_parts() == []
    use_dealer_websocket(discord.Client(intents=discord.Intents.none()))
    assert vars(discord.shard)["DiscordWebSocket"] is DealerWebSocket


class LaterWebSocket:
    """A connection of a later discord.py, in which some parts have other names."""

    def __init__(self, socket: object, *, loop: object) -> None:
        self.sequence, self._keep_alive = None, None

    async def received_message(self, msg: object) -> None: ...

    async def poll_event(self) -> None:
        assert self._max_heartbeat_timeout


def test_unknown_discord_py_reads_its_events_itself(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The dealer still gets clicks and messages, as the same values; slash commands stay discord.py's."""
    monkeypatch.setattr(discord.shard, "DiscordWebSocket", discord.gateway.DiscordWebSocket)
    monkeypatch.setattr(gateway, "DiscordWebSocket", LaterWebSocket)
    client, told = discord.Client(intents=discord.Intents.none()), []
    parsers: Any = client._connection.parsers
    for name in ("INTERACTION_CREATE", "MESSAGE_CREATE", CLICK):
        parsers[name] = lambda event, name=name: told.append((name, event))
    use_dealer_websocket(client)
    assert vars(discord.shard)["DiscordWebSocket"] is discord.gateway.DiscordWebSocket
    warning = next(record for record in caplog.records if record.message == "discord_py_unknown")
    assert vars(warning)["missing"] == ["DiscordWebSocket._decompressor", "DiscordWebSocket._discord_parsers"]
    pressed, command = click(**IN_SERVER, member=member(), message=message()), event({"id": "1"}, kind=2, **IN_SERVER)
    parsers["INTERACTION_CREATE"](pressed)
    parsers["INTERACTION_CREATE"](command)
    parsers["MESSAGE_CREATE"]({"id": "5", "channel_id": "6", "author": {"id": "7"}})
    assert [(name, type(value)) for name, value in told] == [
        (CLICK, ClickEvent), ("INTERACTION_CREATE", dict), ("MESSAGE_CREATE", MessageCreated),
    ]  # fmt: skip


async def test_form_that_cannot_be_read_harms_its_sender_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    services: Any = None
    listener = ClickListener(services, {})
    handled: list[str] = []

    async def handle(info: InteractionInfo, *, form: bool) -> None:
        handled.append(info.custom_id)

    monkeypatch.setattr(listener, "handle", handle)
    client = Client(CLICK)
    client.socket._discord_parsers = {CLICK: listener.on_click}
    failed: list[BaseException | None] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: failed.append(context.get("exception")))
    for components, name in ((["no row"], "odd"), ([], "usual")):
        submitted = event({"custom_id": name, "components": components}, kind=5, **IN_SERVER, member=member())
        await client.receive("INTERACTION_CREATE", submitted)
    while listener._tasks.pending:
        await asyncio.wait(listener._tasks.pending)
    gc.collect()  # what became of the first task is told when it is gone
    assert handled == ["usual"]
    assert [type(error) for error in failed] == [AttributeError]
