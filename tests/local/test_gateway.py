"""The gateway: how bots connect, resume after a lost connection, and are refused."""

from __future__ import annotations

import asyncio
import zlib
from typing import Any

import aiohttp
import discord
import msgspec
import pytest
import zstandard

from tests.local.sample_bot import SampleBot, run_sample_bot
from tests.support.discord_double import Discord, Refused, endpoints


async def test_dropped_connection_resumes_without_missing_events(double: Discord, bot: SampleBot) -> None:
    ann = await double.person("Ann")
    double.controls.drop_gateway()
    await double.bot_gone()
    clicking = asyncio.create_task(ann.slash("hello"))  # while the bot is offline
    assert await clicking == "hello @Ann"
    assert double.controls.gateway_state() == {"online": True, "identifies": 1, "resumes": 1}


async def test_bot_reconnects_when_asked(double: Discord, bot: SampleBot) -> None:
    double.controls.request_reconnect()
    await double.bot_gone()
    await double.bot_ready()
    assert double.controls.gateway_state()["resumes"] == 1
    assert await double.you.slash("hello") == "hello @Guest"


async def test_invalid_session_is_replaced_by_new_one(double: Discord, bot: SampleBot) -> None:
    double.controls.invalidate_sessions()
    await double.you.wait_for(
        lambda: double.stand_in.gateway.identify_count == 2 and double.you.bot_online, "a new session"
    )
    assert await double.you.slash("hello") == "hello @Guest"


async def test_expired_session_is_not_resumed(double: Discord, bot: SampleBot) -> None:
    double.controls.refuse_gateway(on=True)
    double.controls.drop_gateway()
    await double.bot_gone()
    double.clock.advance(600)
    double.controls.refuse_gateway(on=False)
    await double.you.wait_for(lambda: double.stand_in.gateway.identify_count == 2, "a new session", timeout=15)


async def test_second_bot_process_takes_over_after_kill(double: Discord) -> None:
    """The first bot disappears without closing its connection. The second one handles the message that it posted."""
    async with run_sample_bot(double):
        await double.you.slash("table open", amount=40)
        double.controls.drop_gateway()
    async with run_sample_bot(double):
        assert "[Call 50]" in await double.you.click("Call 40")


async def test_two_sessions_get_interaction_but_one_answer_counts(double: Discord, bot: SampleBot) -> None:
    async with run_sample_bot(double):
        assert await double.you.slash("hello") == "hello @Guest"
    statuses = [exchange.status for exchange in double.requests if exchange.path.endswith("/callback")]
    assert sorted(statuses) == [200, 400]


async def test_bot_is_told_of_changed_servers_and_channels(double: Discord, bot: SampleBot) -> None:
    channel = double.controls.add_channel("high-stakes")
    await bot.wait_for("guild_channel_create", timeout=5)
    assert bot.get_channel(int(channel["id"])) is not None
    double.controls.delete_channel(channel["id"])
    gone = await bot.wait_for("guild_channel_delete", timeout=5)
    assert isinstance(gone, discord.TextChannel)
    assert gone.name == "high-stakes"
    with pytest.raises(discord.NotFound) as caught:
        await gone.send("anybody?")
    assert caught.value.code == 10003
    double.controls.add_guild("Other house", double.you.me["id"])
    joined = await bot.wait_for("guild_join", timeout=5)
    assert joined.name == "Other house"
    double.controls.remove_member(str(bot.application_id))
    await bot.wait_for("guild_remove", timeout=5)


async def test_privileged_intents_are_refused(double: Discord) -> None:
    with endpoints(double.stand_in):
        client = discord.Client(intents=discord.Intents.all())
        with pytest.raises(discord.PrivilegedIntentsRequired):
            await client.start(double.stand_in.token)
        await client.close()


async def test_wrong_token_is_refused(double: Discord) -> None:
    with endpoints(double.stand_in):
        client = discord.Client(intents=discord.Intents(guilds=True))
        with pytest.raises(discord.LoginFailure):
            await client.start("wrong")
        await client.close()


async def test_interaction_fails_while_bot_is_offline(double: Discord, bot: SampleBot) -> None:
    await bot.close()
    await double.bot_gone()
    with pytest.raises(Refused, match="did not respond"):
        await double.you.slash("hello")


class RawConnection:
    """A websocket to the gateway without discord.py."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, compression: str) -> None:
        self.socket = socket
        self._zlib_decompressor = zlib.decompressobj()
        self._is_zlib = compression == "zlib-stream"
        if compression == "zstd-stream":
            self._zstd_decompressor = zstandard.ZstdDecompressor().decompressobj()

    async def receive(self) -> Any:
        frame = await self.socket.receive(timeout=5)
        if frame.type is aiohttp.WSMsgType.TEXT:
            return msgspec.json.decode(frame.data)
        if frame.type is aiohttp.WSMsgType.BINARY:
            if self._is_zlib:
                assert frame.data.endswith(b"\x00\x00\xff\xff")
                return msgspec.json.decode(self._zlib_decompressor.decompress(frame.data))
            return msgspec.json.decode(self._zstd_decompressor.decompress(frame.data))
        return frame.data  # a close code

    async def send(self, op: int, data: Any) -> None:
        await self.socket.send_json({"op": op, "d": data})


@pytest.mark.parametrize("compress", ["", "zlib-stream", "zstd-stream"])
async def test_every_compression_carries_same_payloads(double: Discord, compress: str) -> None:
    async with aiohttp.ClientSession() as session:
        query = {"v": "10", "encoding": "json"} | ({"compress": compress} if compress else {})
        async with session.ws_connect(double.stand_in.gateway_url, params=query) as socket:
            connection = RawConnection(socket, compress)
            assert (await connection.receive())["op"] == 10
            await connection.send(1, None)
            assert (await connection.receive())["op"] == 11
            await connection.send(2, {"token": double.stand_in.token, "intents": 1, "properties": {}})
            ready = await connection.receive()
            assert (ready["t"], ready["s"]) == ("READY", 1)
            guild = await connection.receive()
            assert (guild["t"], guild["d"]["name"]) == ("GUILD_CREATE", "Cardroom")
            assert [member["user"]["username"] for member in guild["d"]["members"]] == ["Dealer"]


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        ("no json", 4002),
        ('{"op": 99}', 4001),
        ('{"op": 8, "d": {}}', 4003),
        ('{"op": 2, "d": {"token": "wrong", "intents": 1}}', 4004),
        ('{"op": 1, "d": "' + "x" * 5000 + '"}', 4002),
    ],
)
async def test_invalid_payloads_close_connection(double: Discord, payload: str, code: int) -> None:
    async with aiohttp.ClientSession() as session, session.ws_connect(double.stand_in.gateway_url) as socket:
        connection = RawConnection(socket, "")
        await connection.receive()
        await socket.send_str(payload)
        assert await connection.receive() == code


async def test_gateway_takes_120_payloads_per_minute(double: Discord) -> None:
    async with aiohttp.ClientSession() as session, session.ws_connect(double.stand_in.gateway_url) as socket:
        connection = RawConnection(socket, "")
        await connection.receive()
        for _ in range(121):
            await connection.send(1, None)
        answers = [await connection.receive()]
        while answers[-1] != 4008:
            answers.append(await connection.receive())
        assert len(answers) <= 121  # at most one acknowledgement for each heartbeat, and the close code


async def test_shards_get_only_their_servers(double: Discord) -> None:
    world = double.stand_in.world
    other = world.add_guild("Other", world.people[double.you.me["id"]])
    shards: dict[int, list[str]] = {}
    async with aiohttp.ClientSession() as session:
        for shard in (0, 1):
            async with session.ws_connect(double.stand_in.gateway_url) as socket:
                connection = RawConnection(socket, "")
                await connection.receive()
                await connection.send(2, {"token": double.stand_in.token, "intents": 1, "shard": [shard, 2]})
                shards[shard] = [guild["id"] for guild in (await connection.receive())["d"]["guilds"]]
    assert sorted(shards[0] + shards[1]) == sorted(world.guilds)
    assert other.id in shards[(int(other.id) >> 22) % 2]
