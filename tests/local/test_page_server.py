"""The page's websocket and the other addresses: people see what is meant for them, and nobody else sees it."""

from __future__ import annotations

import io
from pathlib import Path

import aiohttp
import discord
import pytest
from PIL import Image, ImageOps
from yarl import URL

from bot.local.stand_in import DiscordStandIn
from tests.local.sample_bot import SampleBot
from tests.support.discord_double import Discord, Refused


async def test_reload_shows_own_ephemeral_messages_only(double: Discord, bot: SampleBot) -> None:
    ann, bo = await double.person("Ann"), await double.person("Bo")
    await ann.slash("hello")
    await ann.slash("secret")
    before = ann.screen()
    await ann.open_page()
    assert ann.screen() == before
    await bo.open_page()
    assert "hello @Ann" in bo.screen()
    assert "ace of spades" not in bo.screen()


async def test_ephemeral_message_can_be_dismissed(double: Discord, bot: SampleBot) -> None:
    ann = await double.person("Ann")
    await ann.slash("secret")
    shown = next(m for m in ann.visible() if m["flags"] & 64)
    await double.you.open_page()
    assert ann._socket is not None
    await ann._socket.send_json({"op": "dismiss", "channel_id": shown["channel_id"], "id": shown["id"]})
    await ann.until_gone("ace of spades")
    await ann.open_page()
    assert "ace of spades" not in ann.screen()


async def test_direct_messages_stay_private(double: Discord, bot: SampleBot) -> None:
    ann, bo = await double.person("Ann"), await double.person("Bo")
    await ann.slash("whisper", to=bo)
    await bo.until("psst")
    heard = str(ann.frames) + str(double.you.frames)
    assert "psst" not in heard
    assert bo.dm_channels[0] not in heard


async def test_invited_friend_plays_through_own_link(double: Discord, bot: SampleBot) -> None:
    frame = await double.you.ask("invite", name="  Bo   Diddley ")
    assert frame["user"]["global_name"] == "Bo Diddley"
    assert frame["url"].startswith(double.stand_in.base_url + "/p/")
    bo = await double._open(frame["url"], "Bo")
    assert await bo.slash("hello") == "hello @Bo Diddley"
    assert not any("link" in str(each) for each in double.you.frames if each["t"] == "users")
    with pytest.raises(Refused, match="Enter a name"):
        await double.you.ask("invite", name="   ")


async def test_person_can_change_their_name(double: Discord, bot: SampleBot) -> None:
    assert double.you._socket is not None
    await double.you._socket.send_json({"op": "rename", "name": "Doyle"})
    users = double.you.users
    await double.you.wait_for(lambda: "Doyle" in {user["global_name"] for user in users.values()}, "the new name")
    ann = await double.person("Ann")
    assert "Doyle" in {user["global_name"] for user in ann.users.values()}


@pytest.mark.parametrize(
    "frame", ["", "[]", '{"op": "click"}', '{"op": "fly"}', '{"op": 3}', '{"op": "slash", "name": {}}']
)
async def test_invalid_frames_from_page_get_error(double: Discord, frame: str) -> None:
    you = double.you
    assert you._socket is not None
    await you._socket.send_str(frame)
    await you.wait_for(lambda: any(frame["t"] == "error" for frame in you.frames), "an error")


async def test_links_are_long_and_unknown_links_fail(double: Discord) -> None:
    ann = await double.person("Ann")
    assert len(ann.page.rpartition("/")[2]) >= 32
    async with aiohttp.ClientSession() as session:
        async with session.get(double.stand_in.base_url + "/p/nobody") as response:
            assert response.status == 404
            assert "does not work" in await response.text()
        async with session.get(double.stand_in.base_url + "/") as response:
            assert response.status == 404
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await session.ws_connect(double.stand_in.base_url + "/p/nobody/live")


async def test_other_websites_and_hosts_cannot_reach_page(double: Discord) -> None:
    live = double.you.page + "/live"
    async with aiohttp.ClientSession() as session:
        for headers, status in (
            ({"Origin": "https://evil.example"}, 403),
            ({"Origin": "null"}, 403),
            ({"Host": "evil.example"}, 421),
        ):
            with pytest.raises(aiohttp.WSServerHandshakeError) as caught:
                await session.ws_connect(live, headers=headers)
            assert caught.value.status == status
        same = await session.ws_connect(live, headers={"Origin": double.stand_in.base_url})
        await same.close()
        with pytest.raises(aiohttp.WSServerHandshakeError) as gateway:
            await session.ws_connect(double.stand_in.gateway_url, headers={"Origin": double.stand_in.base_url})
        assert gateway.value.status == 403
        async with session.get(double.stand_in.rest_url + "/users/@me", headers={"Host": "evil.example"}) as response:
            assert response.status == 421


@pytest.mark.parametrize(
    "path",
    [
        "/static/../stand_in.py",
        "/static/%2e%2e/stand_in.py",
        "/static/..%2fstandin.py",
        "/static//etc/passwd",
        "/static/",
        "/cdn/emojis/../../x.png",
        "/cdn/attachments/1/2/..%2f..%2fdiscord.sqlite3",
        "/cdn/emojis/99999999999999999999999.png",
        "/cdn/emojis/x.png",
    ],
)
async def test_paths_cannot_leave_their_folder(double: Discord, path: str) -> None:
    async with (
        aiohttp.ClientSession() as session,
        session.get(URL(double.stand_in.base_url + path, encoded=True)) as response,
    ):
        assert response.status == 404
        assert response.headers["X-Content-Type-Options"] == "nosniff"


async def test_page_has_strict_headers(double: Discord) -> None:
    async with aiohttp.ClientSession() as session, session.get(double.you.page) as response:
        policy = response.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "frame-ancestors 'none'" in policy
        assert response.headers["Referrer-Policy"] == "no-referrer"


async def test_plain_stand_in_has_no_control_address(double: Discord) -> None:
    url = double.stand_in.base_url + "/control"
    async with aiohttp.ClientSession() as session, session.post(url, json={"do": "people"}) as response:
        assert response.status == 405


async def test_default_avatars_are_pictures(double: Discord) -> None:
    async with aiohttp.ClientSession() as session, session.get(double.stand_in.cdn_url + "/embed/avatars/3.png") as got:
        assert (await got.read()).startswith(b"\x89PNG")
        assert got.content_type == "image/png"


async def test_people_of_a_local_cardroom_have_pictures_of_their_own(tmp_path: Path) -> None:
    """The bot is told of them as of Discord's, and finds them where Discord would have them; no two patterns are the same."""
    async with DiscordStandIn(tmp_path, avatars=True) as stand_in, aiohttp.ClientSession() as session:
        people = [stand_in.world.add_person(name) for name in ("Ann", "Bo")]
        patterns = set()
        for person in people:
            url = f"{stand_in.cdn_url}/avatars/{person.id}/{person.user['avatar']}.png?size=128"
            async with session.get(url) as got:
                image = Image.open(io.BytesIO(await got.read()))
            assert image.format == "PNG" and image.size == (128, 128)
            assert image.tobytes() == ImageOps.mirror(image).tobytes()
            patterns.add(image.tobytes())
        assert len(patterns) == 2
        assert stand_in.world.bot.user["avatar"] is None
        for wrong in ("ab", "../../secret", "x" * 32, "ab" * 17):
            async with session.get(f"{stand_in.cdn_url}/avatars/1/{wrong}.png") as got:
                assert got.status == 404


async def test_upload_never_runs_as_page(double: Discord, bot: SampleBot) -> None:
    file = discord.File(io.BytesIO(b"<script>alert(1)</script>"), "x.html")
    message = await bot.guilds[0].text_channels[0].send(file=file)
    async with aiohttp.ClientSession() as session, session.get(message.attachments[0].url) as response:
        assert response.headers["Content-Disposition"] == "attachment"
        assert response.headers["Content-Security-Policy"] == "sandbox"
        assert response.headers["X-Content-Type-Options"] == "nosniff"


async def test_invitation_has_network_address_of_this_machine(tmp_path: Path) -> None:
    async with DiscordStandIn(tmp_path, host="0.0.0.0") as stand_in:
        link = stand_in.invitation(stand_in.owner, f"127.0.0.1:{stand_in.port}")
        assert link.endswith(f":{stand_in.port}/p/{stand_in.owner.link}")
        assert stand_in.invitation(stand_in.owner, "casino.local:80").startswith("http://casino.local:80/p/")
        assert stand_in.base_url.startswith("http://127.0.0.1:"), "the bot connects over the loopback address"
