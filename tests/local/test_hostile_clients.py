"""Strangers cannot fill the stand-in's memory or hold its connections, and private messages never reach its disk."""

from __future__ import annotations

import asyncio
import json
import stat
from pathlib import Path

import aiohttp
import pytest

from bot.local import connections, gateway, page_server
from bot.local.messages import MAX_DELETED
from tests.local.sample_bot import SampleBot, run_sample_bot
from tests.support.discord_double import Discord, Refused, discord_double


async def raw_request(double: Discord, head: str) -> str:
    """Send the head of a request and nothing after it. Returns the status line of the answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", double.stand_in.port)
    writer.write(f"{head}\r\nHost: 127.0.0.1\r\n".encode())
    writer.write(b"Content-Type: application/json\r\nContent-Length: 26214400\r\n\r\n")
    answer = await reader.readline()
    writer.transport.abort()
    return answer.decode().strip()


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/interactions/1/abc/callback", 404),
        ("/webhooks/1/abc", 404),
        ("/webhooks/{bot}/abc", 401),
        ("/channels/1/messages", 401),
        ("/nowhere", 404),
    ],
)
async def test_nobody_without_token_gets_body_read(double: Discord, path: str, status: int) -> None:
    path = path.format(bot=double.stand_in.world.application_id)
    answer = await raw_request(double, f"POST /api/v10{path} HTTP/1.1")
    assert answer.startswith(f"HTTP/1.1 {status} "), "answered although not one byte of the body has come"


async def test_json_body_of_bot_is_limited(double: Discord) -> None:
    token = double.stand_in.token
    where = f"/api/v10/channels/{double.channel('poker')}/messages"
    answer = await raw_request(double, f"POST {where} HTTP/1.1\r\nAuthorization: Bot {token}")
    assert answer.startswith("HTTP/1.1 413 ")

    async def endless() -> object:
        for _ in range(20):
            yield b'"' + b"x" * 100_000

    url, headers = double.stand_in.rest_url + where.removeprefix("/api/v10"), {"Authorization": f"Bot {token}"}
    async with aiohttp.ClientSession() as session, session.post(url, data=endless(), headers=headers) as response:
        assert response.status == 413, "without a Content-Length too"


async def test_unknown_paths_share_one_counter(double: Discord) -> None:
    async with aiohttp.ClientSession() as session:
        for number in range(20):
            async with session.get(f"{double.stand_in.rest_url}/{number}{'x' * 6000}") as response:
                assert response.status == 404
    assert double.counts == {"unknown route": 20}


async def test_websites_reach_neither_api_nor_gateway(double: Discord) -> None:
    headers = {"Origin": "https://example.org"}
    async with aiohttp.ClientSession() as session:
        for url in (f"{double.stand_in.rest_url}/gateway", f"{double.stand_in.base_url}/gateway"):
            async with session.get(url, headers=headers) as response:
                assert response.status == 403


@pytest.mark.parametrize("host", ["evil.local", "evil.com", "", "localhost.evil.com", "x" * 300])
async def test_foreign_host_names_are_refused(double: Discord, host: str) -> None:
    async with (
        aiohttp.ClientSession() as session,
        session.get(double.you.page, headers={"Host": host}) as response,
    ):
        assert response.status in (400, 421)


async def test_silent_connections_are_closed(double: Discord, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "FIRST_REQUEST_SECONDS", 0.02)
    reader, writer = await asyncio.open_connection("127.0.0.1", double.stand_in.port)
    writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")  # and never the rest
    try:
        answer = await reader.read()
    except ConnectionError:  # closed before it was read
        answer = b""
    assert answer == b""
    writer.close()


async def test_gateway_waits_only_shortly_for_token(double: Discord, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway, "IDENTIFY_SECONDS", 0.02)
    async with aiohttp.ClientSession() as session, session.ws_connect(double.stand_in.gateway_url) as socket:
        await socket.receive_json()
        assert (await socket.receive()).data == 4009


async def test_address_holds_limited_number_of_connections(double: Discord, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_foreign_address", lambda transport: "203.0.113.5")
    monkeypatch.setattr(connections, "MAX_CONNECTIONS_OF_ADDRESS", 2)
    port = double.stand_in.port
    held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(2)]
    reader, refused = await asyncio.open_connection("127.0.0.1", port)
    with pytest.raises(ConnectionError):
        if await reader.read() == b"":
            raise ConnectionResetError
    held.pop()[1].transport.abort()
    await asyncio.sleep(0)
    while True:  # the server hears of it a moment later
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        try:
            if (await reader.readline()).startswith(b"HTTP/1.1 404"):
                break
        except ConnectionError:
            continue
    for each in (writer, refused, held[0][1]):
        each.transport.abort()


async def test_private_messages_never_reach_the_disk(tmp_path: Path) -> None:
    async with discord_double(tmp_path) as double, run_sample_bot(double) as bot:
        await double.you.slash("whisper", to=double.you)
        assert "psst" in double.you.dms()
        channel = await (await bot.fetch_user(int(double.you.me["id"]))).create_dm()
        await channel.send("the ace of spades")
        await double.you.slash("secret")
    on_disk = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"Cardroom" in on_disk, "everything public is written when the stand-in stops"
    assert b"psst" not in on_disk
    assert b"ace of spades" not in on_disk


async def test_private_messages_of_earlier_version_are_deleted(tmp_path: Path) -> None:
    async with discord_double(tmp_path) as double, run_sample_bot(double):
        await double.you.slash("whisper", to=double.you)
        channel = double.stand_in.world.people[double.you.me["id"]].dm
        message = {"id": "7", "channel_id": channel, "content": "the ace of spades", "attachments": []}
        double.stand_in.storage.save("message", "7", channel, message)
    async with discord_double(tmp_path) as double:
        assert double.you.dms() == ""
        on_disk = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
        assert b"ace of spades" not in on_disk


async def test_only_owner_can_read_the_files(tmp_path: Path) -> None:
    data = tmp_path / "discord"
    async with discord_double(data) as double:
        await double.stand_in.storage._write()
        assert stat.S_IMODE(data.stat().st_mode) == 0o700
        assert {stat.S_IMODE(path.stat().st_mode) for path in data.iterdir()} == {0o600}


async def test_guest_invites_few_and_owner_removes(double: Discord, bot: SampleBot) -> None:
    ann = await double.person("Ann")
    for number in range(page_server.MAX_INVITED_BY_GUEST):
        assert (await ann.ask("invite", name=f"Friend {number}"))["t"] == "invited"
    with pytest.raises(Refused, match="enough people"):
        await ann.ask("invite", name="One more")
    assert (await double.you.ask("invite", name="Bo"))["t"] == "invited", "the owner is not limited"
    with pytest.raises(Refused, match="Only the owner"):
        await ann.ask("remove", user_id=double.you.me["id"])
    with pytest.raises(Refused, match="can't be removed"):
        await double.you.ask("remove", user_id=double.you.me["id"])
    assert (await double.you.ask("remove", user_id=ann.me["id"]))["t"] == "done"
    guild = next(iter(double.stand_in.world.guilds.values()))
    assert ann.me["id"] not in guild.members
    async with aiohttp.ClientSession() as session, session.get(ann.page) as response:
        assert response.status == 404, "their link has ended"
    people = [frame for frame in double.you.frames if frame["t"] == "users"][-1]["users"]
    assert ann.me["id"] not in {user["id"] for user in people}


async def test_person_cannot_act_faster_than_page_does(double: Discord) -> None:
    for _ in range(page_server.MAX_ACTIONS_AT_ONCE):
        await double.you.ask("dms", open=True)
    with pytest.raises(Refused, match="too fast"):
        await double.you.ask("dms", open=True)
    double.stand_in.clock.advance(page_server.SECONDS_FOR_ACTIONS)
    assert (await double.you.ask("dms", open=True))["t"] == "done"


async def test_page_that_does_not_read_is_disconnected(double: Discord, monkeypatch: pytest.MonkeyPatch) -> None:
    async with aiohttp.ClientSession() as session:
        url = double.you.page.replace("http", "ws") + "/live"
        async with session.ws_connect(url) as socket:
            await socket.receive()
            monkeypatch.setattr(page_server, "MAX_QUEUED_BYTES", 1000)
            double.stand_in.open_pages.send_to_person(double.you.me["id"], {"t": "x", "text": "x" * 2000})
            while True:
                frame = await socket.receive()
                if frame.type in (aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.ERROR):
                    break


async def test_ids_of_deleted_messages_are_forgotten(double: Discord) -> None:
    messages = double.stand_in.messages
    for number in range(MAX_DELETED + 10):
        messages._remember_deleted(str(number))
    assert not messages.is_deleted({"id": "5", "channel_id": double.channel("poker")})
    assert messages.is_deleted({"id": str(MAX_DELETED), "channel_id": double.channel("poker")})
    assert json.dumps(len(messages._deleted)) == str(MAX_DELETED)
