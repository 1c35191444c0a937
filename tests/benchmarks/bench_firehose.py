"""The processor time of a message that concerns nobody here, from the frame of the gateway's connection to where it is dropped.

With the intent GUILD_MESSAGES Discord tells of everything that anybody writes in any server: a bot in 100,000 of them, at 0.05 a second
each, hears of 5,000 a second. Another process sends the messages as the gateway does, each about as long as Discord's and compressed as one
stream; here the dealer's own connection reads them, aiohttp beneath it, and asks the shown tables of as many channels. Beside it: the
same messages as discord.py reads them. Taken is the time of the thread that reads, the median of the rounds.

    python -m tests.benchmarks.bench_firehose [--messages 20000] [--rounds 5]
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiohttp
import discord
import msgspec
import pytest
import zstandard
from aiohttp import web
from discord.gateway import DiscordWebSocket, KeepAliveHandler

from bot.line.client import WRITTEN_PER_SECOND
from bot.line.gateway import CLICK, DealerWebSocket, Echoes, watch_messages
from bot.operation.runner import run_event_loop
from bot.signals import PersonWrote, Signals

MESSAGES, ROUNDS = 20_000, 5
TOGETHER = 200
"""How many are on their way at once: more would fill the buffers, fewer would let the reader wait."""


def message(number: int) -> dict[str, Any]:
    """Return what the gateway tells of a message in a server, as it does to a bot that must not read what people write."""
    id_, user, channel, guild = (str(1_576_000_000_000_000_000 + (kind << 40) + number) for kind in range(4))
    return {
        "type": 0, "tts": False, "timestamp": "2026-11-28T10:15:42.381000+00:00", "pinned": False, "nonce": id_,
        "mentions": [], "mention_roles": [], "mention_everyone": False,
        "member": {
            "roles": [str(int(guild) + at) for at in range(5)], "premium_since": None, "pending": False, "nick": None,
            "mute": False, "joined_at": "2024-03-05T18:22:51.209000+00:00", "flags": 0, "deaf": False,
            "communication_disabled_until": None, "banner": None, "avatar": None,
        },
        "id": id_, "flags": 0, "embeds": [], "edited_timestamp": None, "content": "", "components": [],
        "channel_type": 0, "channel_id": channel, "attachments": [], "guild_id": guild,
        "author": {
            "username": f"somebody_{number}", "public_flags": 64, "primary_guild": None, "id": user, "global_name": f"Somebody {number}",
            "discriminator": "0", "collectibles": None, "clan": None, "avatar_decoration_data": None,
            "avatar": "9f2c41d07be85a63a0b1c2d3e4f50617",
        },
    }  # fmt: skip


async def serve(messages: int) -> None:
    """Send so many messages to whoever connects, as fast as they take them."""

    async def send(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        compress = zstandard.ZstdCompressor(level=1).compressobj()
        for number in range(messages):
            frame = msgspec.json.encode({"t": "MESSAGE_CREATE", "s": number + 1, "op": 0, "d": message(number)})
            await socket.send_bytes(compress.compress(frame) + compress.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK))
        await socket.close()
        return socket

    app = web.Application()
    app.router.add_get("/", send)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    print(runner.addresses[0][1], flush=True)
    await asyncio.Event().wait()


def connection(
    kind: type[DiscordWebSocket], socket: aiohttp.ClientWebSocketResponse
) -> tuple[DiscordWebSocket, list[int]]:
    """Return a connection of the gateway, and what counts the messages that it has told of."""
    heard = [0]

    def count(_: Any) -> None:
        heard[0] += 1

    client = discord.AutoShardedClient(intents=discord.Intents(guilds=True, guild_messages=True), max_messages=None)
    parsers: dict[str, Callable[[Any], None]] = dict(client._connection.parsers)
    if kind is DealerWebSocket:
        signals = Signals()
        tables = dict.fromkeys(range(1_000), ())
        signals.on(PersonWrote, lambda signal: count(tables.get(signal.channel, ())))
        parsers[CLICK] = count
        watch_messages(parsers, Echoes(), signals)
    else:
        read = parsers["MESSAGE_CREATE"]
        parsers["MESSAGE_CREATE"] = lambda event: (read(event), count(event))[1]
    made = kind(socket, loop=asyncio.get_running_loop())
    made._discord_parsers, made._dispatch_listeners, made.shard_id = parsers, [], 0
    made._dispatch, made._max_heartbeat_timeout = (lambda *_: None), 60.0
    made.call_hooks = made.log_receive = lambda *_: None  # type: ignore[method-assign]
    made._keep_alive = KeepAliveHandler(ws=made, interval=41.0, shard_id=0)
    return made, heard


async def read_all(kind: type[DiscordWebSocket], port: int, messages: int) -> float:
    """Return the processor time of a message, in µs."""
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(f"http://127.0.0.1:{port}/", max_msg_size=0) as socket,
    ):
        made, heard = connection(kind, socket)
        began = time.thread_time()
        while heard[0] < messages:
            await made.poll_event()
        return 1e6 * (time.thread_time() - began) / messages


async def measure(messages: int, rounds: int) -> dict[str, float]:
    """Return the processor times of a message in µs, read by the dealer and by discord.py."""
    command = (sys.executable, "-m", f"tests.benchmarks.{Path(__file__).stem}", "--serve", "--messages", str(messages))
    server = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    found: dict[str, list[float]] = {"dealer": [], "discord.py": []}
    try:
        assert server.stdout is not None
        port = int(await server.stdout.readline())
        for _ in range(rounds):
            for name, kind in (("dealer", DealerWebSocket), ("discord.py", DiscordWebSocket)):
                found[name].append(await read_all(kind, port, messages))
    finally:
        server.kill()
        await server.wait()
    return {name: statistics.median(times) for name, times in found.items()}


def main(messages: int, rounds: int) -> None:
    """Measure and print."""
    length = len(msgspec.json.encode(message(1)))
    print(f"{messages:,} messages of {length:,} bytes that concern no table, {rounds} rounds")
    for name, each in run_event_loop(measure(messages, rounds)).items():
        carried = 1e6 / each
        print(f"  {name:10} {each:6.1f} µs CPU a message: a core carries {carried:7,.0f} a second", end="")
        print(f", {carried / WRITTEN_PER_SECOND:,.0f} servers that write {WRITTEN_PER_SECOND} each")


@pytest.mark.bench
def test_messages_of_others() -> None:
    """The figures are printed and not judged: a busy machine is slow."""
    main(MESSAGES, ROUNDS)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=MESSAGES)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--serve", action="store_true", help="send them, in the process that the measurement starts")
    chosen = parser.parse_args()
    if chosen.serve:
        asyncio.run(serve(chosen.messages))
    else:
        main(chosen.messages, chosen.rounds)
