"""The page's socket and the addresses around it: everybody sees what is theirs, and strangers see nothing."""

from __future__ import annotations

import io
from pathlib import Path

import aiohttp
import discord
import pytest
from yarl import URL

from bot.local.standin import StandIn
from tests.local.throwaway_bot import Throwaway
from tests.support.discord_double import Discord, Refused


async def test_a_reload_shows_what_was_there_and_the_persons_own_ephemerals(double: Discord, bot: Throwaway) -> None:
    ann, bo = await double.person("Ann"), await double.person("Bo")
    await ann.slash("hello")
    await ann.slash("secret")
    before = ann.screen()
    await ann.open_page()
    assert ann.screen() == before
    await bo.open_page()
    assert "hello @Ann" in bo.screen()
    assert "ace of spades" not in bo.screen()


async def test_an_ephemeral_message_can_be_put_away(double: Discord, bot: Throwaway) -> None:
    ann = await double.person("Ann")
    await ann.slash("secret")
    shown = next(m for m in ann.visible() if m["flags"] & 64)
    await double.you.open_page()
    assert ann._socket is not None
    await ann._socket.send_json({"op": "dismiss", "channel_id": shown["channel_id"], "id": shown["id"]})
    await ann.until_gone("ace of spades")
    await ann.open_page()
    assert "ace of spades" not in ann.screen()


async def test_nobody_hears_of_another_persons_direct_messages(double: Discord, bot: Throwaway) -> None:
    ann, bo = await double.person("Ann"), await double.person("Bo")
    await ann.slash("whisper", to=bo)
    await bo.until("psst")
    heard = str(ann.frames) + str(double.you.frames)
    assert "psst" not in heard
    assert bo.dm_channels[0] not in heard


async def test_a_friend_is_invited_and_plays_through_a_link_of_their_own(double: Discord, bot: Throwaway) -> None:
    frame = await double.you.ask("invite", name="  Bo   Diddley ")
    assert frame["user"]["global_name"] == "Bo Diddley"
    assert frame["url"].startswith(double.stand_in.base_url + "/p/")
    bo = await double._open(frame["url"], "Bo")
    assert await bo.slash("hello") == "hello @Bo Diddley"
    assert not any("link" in str(each) for each in double.you.frames if each["t"] == "users")
    with pytest.raises(Refused, match="A name"):
        await double.you.ask("invite", name="   ")


async def test_a_person_may_take_another_name(double: Discord, bot: Throwaway) -> None:
    assert double.you._socket is not None
    await double.you._socket.send_json({"op": "rename", "name": "Doyle"})
    users = double.you.users
    await double.you.wait_for(lambda: "Doyle" in {user["global_name"] for user in users.values()}, "the new name")
    ann = await double.person("Ann")
    assert "Doyle" in {user["global_name"] for user in ann.users.values()}


@pytest.mark.parametrize(
    "said", ["", "[]", '{"op": "click"}', '{"op": "fly"}', '{"op": 3}', '{"op": "slash", "name": {}}']
)
async def test_nonsense_from_a_page_is_answered_not_obeyed(double: Discord, said: str) -> None:
    you = double.you
    assert you._socket is not None
    await you._socket.send_str(said)
    await you.wait_for(lambda: any(frame["t"] == "error" for frame in you.frames), "an error")


async def test_links_cannot_be_guessed_and_unknown_ones_lead_nowhere(double: Discord) -> None:
    ann = await double.person("Ann")
    assert len(ann.page.rpartition("/")[2]) >= 32
    async with aiohttp.ClientSession() as session:
        async with session.get(double.stand_in.base_url + "/p/nobody") as response:
            assert response.status == 404
            assert "no seat" in await response.text()
        async with session.get(double.stand_in.base_url + "/") as response:
            assert response.status == 404
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await session.ws_connect(double.stand_in.base_url + "/p/nobody/live")


async def test_other_websites_and_names_cannot_reach_the_page(double: Discord) -> None:
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
        "/static/../standin.py",
        "/static/%2e%2e/standin.py",
        "/static/..%2fstandin.py",
        "/static//etc/passwd",
        "/static/",
        "/cdn/emojis/../../x.png",
        "/cdn/attachments/1/2/..%2f..%2fdiscord.sqlite3",
        "/cdn/emojis/99999999999999999999999.png",
        "/cdn/emojis/x.png",
    ],
)
async def test_no_path_leads_out_of_its_folder(double: Discord, path: str) -> None:
    async with (
        aiohttp.ClientSession() as session,
        session.get(URL(double.stand_in.base_url + path, encoded=True)) as response,
    ):
        assert response.status == 404
        assert response.headers["X-Content-Type-Options"] == "nosniff"


async def test_the_page_comes_with_strict_headers(double: Discord) -> None:
    async with aiohttp.ClientSession() as session, session.get(double.you.page) as response:
        policy = response.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "frame-ancestors 'none'" in policy
        assert response.headers["Referrer-Policy"] == "no-referrer"


async def test_the_shipped_stand_in_has_no_control_address(double: Discord) -> None:
    url = double.stand_in.base_url + "/control"
    async with aiohttp.ClientSession() as session, session.post(url, json={"do": "people"}) as response:
        assert response.status == 405


async def test_default_avatars_are_pictures(double: Discord) -> None:
    async with aiohttp.ClientSession() as session, session.get(double.stand_in.cdn_url + "/embed/avatars/3.png") as got:
        assert (await got.read()).startswith(b"\x89PNG")
        assert got.content_type == "image/png"


async def test_an_upload_never_runs_as_a_page_of_this_server(double: Discord, bot: Throwaway) -> None:
    file = discord.File(io.BytesIO(b"<script>alert(1)</script>"), "x.html")
    message = await bot.guilds[0].text_channels[0].send(file=file)
    async with aiohttp.ClientSession() as session, session.get(message.attachments[0].url) as response:
        assert response.headers["Content-Disposition"] == "attachment"
        assert response.headers["Content-Security-Policy"] == "sandbox"
        assert response.headers["X-Content-Type-Options"] == "nosniff"


async def test_a_friend_in_the_same_network_gets_an_address_that_works_there(tmp_path: Path) -> None:
    async with StandIn(tmp_path, host="0.0.0.0") as stand_in:
        link = stand_in.invitation(stand_in.owner, f"127.0.0.1:{stand_in.port}")
        assert link.endswith(f":{stand_in.port}/p/{stand_in.owner.link}")
        assert stand_in.invitation(stand_in.owner, "casino.local:80").startswith("http://casino.local:80/p/")
        assert stand_in.base_url.startswith("http://127.0.0.1:"), "the bot stays on this machine"
