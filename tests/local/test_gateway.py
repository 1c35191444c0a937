"""The gateway: connecting, losing the line, resuming, and being refused."""

from __future__ import annotations

import asyncio
import zlib
from typing import Any

import aiohttp
import discord
import msgspec
import pytest

from tests.local.throwaway_bot import Throwaway, running
from tests.support.discord_double import Discord, Refused, endpoints


async def test_a_cut_line_is_resumed_and_nothing_is_missed(double: Discord, bot: Throwaway) -> None:
    ann = await double.person("Ann")
    double.controls.cut()
    await double.bot_gone()
    clicking = asyncio.create_task(ann.slash("hello"))  # while the bot is away
    assert await clicking == "hello @Ann"
    assert double.controls.gateway_state() == {"online": True, "identifies": 1, "resumes": 1}


async def test_discord_may_ask_for_a_reconnect(double: Discord, bot: Throwaway) -> None:
    double.controls.ask_reconnect()
    await double.bot_gone()
    await double.bot_ready()
    assert double.controls.gateway_state()["resumes"] == 1
    assert await double.you.slash("hello") == "hello @Guest"


async def test_an_invalid_session_is_opened_anew(double: Discord, bot: Throwaway) -> None:
    double.controls.invalidate()
    await double.you.wait_for(
        lambda: double.stand_in.gateway.identifies == 2 and double.you.bot_online, "a new session"
    )
    assert await double.you.slash("hello") == "hello @Guest"


async def test_a_session_too_long_away_is_not_resumed(double: Discord, bot: Throwaway) -> None:
    double.controls.refuse_gateway(on=True)
    double.controls.cut()
    await double.bot_gone()
    double.clock.advance(600)
    double.controls.refuse_gateway(on=False)
    await double.you.wait_for(lambda: double.stand_in.gateway.identifies == 2, "a new session", timeout=15)


async def test_a_second_bot_process_takes_over_after_a_kill(double: Discord) -> None:
    """The first is gone without a word; what it posted is still played on by the second."""
    async with running(double):
        await double.you.slash("table open", amount=40)
        double.controls.cut()
    async with running(double):
        assert "[Call 50]" in await double.you.click("Call 40")


async def test_two_sessions_of_one_bot_both_hear_and_one_wins(double: Discord, bot: Throwaway) -> None:
    async with running(double):
        assert await double.you.slash("hello") == "hello @Guest"
    statuses = [exchange.status for exchange in double.requests if exchange.path.endswith("/callback")]
    assert sorted(statuses) == [200, 400]


async def test_servers_and_channels_that_change_are_told(double: Discord, bot: Throwaway) -> None:
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


async def test_privileged_intents_are_off_as_for_any_new_application(double: Discord) -> None:
    with endpoints(double.stand_in):
        client = discord.Client(intents=discord.Intents.all())
        with pytest.raises(discord.PrivilegedIntentsRequired):
            await client.start(double.stand_in.token)
        await client.close()


async def test_a_wrong_token_is_refused(double: Discord) -> None:
    with endpoints(double.stand_in):
        client = discord.Client(intents=discord.Intents(guilds=True))
        with pytest.raises(discord.LoginFailure):
            await client.start("wrong")
        await client.close()


async def test_away_means_failed(double: Discord, bot: Throwaway) -> None:
    await bot.close()
    await double.bot_gone()
    with pytest.raises(Refused, match="did not respond"):
        await double.you.slash("hello")


class Line:
    """A websocket to the gateway by hand."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, compress: str) -> None:
        self.socket = socket
        self._inflate = zlib.decompressobj()
        self._zlib = compress == "zlib-stream"
        if compress == "zstd-stream":
            zstandard = pytest.importorskip("zstandard")
            self._zstd = zstandard.ZstdDecompressor().decompressobj()

    async def hear(self) -> Any:
        frame = await self.socket.receive(timeout=5)
        if frame.type is aiohttp.WSMsgType.TEXT:
            return msgspec.json.decode(frame.data)
        if frame.type is aiohttp.WSMsgType.BINARY:
            if self._zlib:
                assert frame.data.endswith(b"\x00\x00\xff\xff")
                return msgspec.json.decode(self._inflate.decompress(frame.data))
            return msgspec.json.decode(self._zstd.decompress(frame.data))
        return frame.data  # a close code

    async def say(self, op: int, data: Any) -> None:
        await self.socket.send_json({"op": op, "d": data})


@pytest.mark.parametrize("compress", ["", "zlib-stream", "zstd-stream"])
async def test_every_compression_carries_the_same_words(double: Discord, compress: str) -> None:
    async with aiohttp.ClientSession() as session:
        query = {"v": "10", "encoding": "json"} | ({"compress": compress} if compress else {})
        async with session.ws_connect(double.stand_in.gateway_url, params=query) as socket:
            line = Line(socket, compress)
            assert (await line.hear())["op"] == 10
            await line.say(1, None)
            assert (await line.hear())["op"] == 11
            await line.say(2, {"token": double.stand_in.token, "intents": 1, "properties": {}})
            ready = await line.hear()
            assert (ready["t"], ready["s"]) == ("READY", 1)
            guild = await line.hear()
            assert (guild["t"], guild["d"]["name"]) == ("GUILD_CREATE", "Cardroom")
            assert [member["user"]["username"] for member in guild["d"]["members"]] == ["Dealer"]


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("no json", 4002),
        ('{"op": 99}', 4001),
        ('{"op": 8, "d": {}}', 4003),
        ('{"op": 2, "d": {"token": "wrong", "intents": 1}}', 4004),
        ('{"op": 1, "d": "' + "x" * 5000 + '"}', 4002),
    ],
)
async def test_wrong_words_end_the_connection(double: Discord, said: str, code: int) -> None:
    async with aiohttp.ClientSession() as session, session.ws_connect(double.stand_in.gateway_url) as socket:
        line = Line(socket, "")
        await line.hear()
        await socket.send_str(said)
        assert await line.hear() == code


async def test_the_gateway_hears_120_words_a_minute(double: Discord) -> None:
    async with aiohttp.ClientSession() as session, session.ws_connect(double.stand_in.gateway_url) as socket:
        line = Line(socket, "")
        await line.hear()
        for _ in range(121):
            await line.say(1, None)
        answers = [await line.hear()]
        while answers[-1] != 4008:
            answers.append(await line.hear())
        assert len(answers) <= 121  # an acknowledgement each, as far as they were sent, and the end


async def test_shards_hear_only_their_servers(double: Discord) -> None:
    world = double.stand_in.world
    other = world.add_guild("Other", world.people[double.you.me["id"]])
    shards: dict[int, list[str]] = {}
    async with aiohttp.ClientSession() as session:
        for shard in (0, 1):
            async with session.ws_connect(double.stand_in.gateway_url) as socket:
                line = Line(socket, "")
                await line.hear()
                await line.say(2, {"token": double.stand_in.token, "intents": 1, "shard": [shard, 2]})
                shards[shard] = [guild["id"] for guild in (await line.hear())["d"]["guilds"]]
    assert sorted(shards[0] + shards[1]) == sorted(world.guilds)
    assert other.id in shards[(int(other.id) >> 22) % 2]
