"""The stand-in accepts and refuses what Discord does: messages, components, commands, uploads, and requests above the rate limits."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from PIL import Image

from tests.local.sample_bot import PIXEL, SampleBot
from tests.support.discord_double import Discord

V2 = 1 << 15


class RawBot:
    """Sends REST requests as the bot, without discord.py and its checks."""

    def __init__(self, double: Discord, session: aiohttp.ClientSession) -> None:
        self.double = double
        self.session = session
        self.channel = double.channel("poker")

    async def request(self, method: str, path: str, body: Any = None, **more: Any) -> tuple[int, Any, Any]:
        headers = {"Authorization": f"Bot {self.double.stand_in.token}"}
        url = self.double.stand_in.rest_url + path
        async with self.session.request(method, url, json=body, headers=headers, **more) as response:
            content = await response.json() if response.content_length and response.status != 204 else None
            return response.status, content, response.headers

    async def send(self, **body: Any) -> tuple[int, Any]:
        status, answer, _ = await self.request("POST", f"/channels/{self.channel}/messages", body)
        return status, answer


@pytest.fixture
async def raw_bot(double: Discord) -> AsyncIterator[RawBot]:
    async with aiohttp.ClientSession() as session:
        yield RawBot(double, session)


def button(**more: Any) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": "Call", "custom_id": "call", **more}


def row(*items: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(items)}


def text(content: str = "x") -> dict[str, Any]:
    return {"type": 10, "content": content}


def select(count: int, **more: Any) -> dict[str, Any]:
    options = [{"label": f"{n}", "value": f"{n}"} for n in range(count)]
    return {"type": 3, "custom_id": "s", "options": options, **more}


def error_code_at(answer: dict[str, Any], *path: str) -> str:
    """Return the error code at this path of a 50035 answer."""
    assert answer["code"] == 50035, answer
    node = answer["errors"]
    for step in path:
        assert step in node, answer
        node = node[step]
    return node["_errors"][0]["code"]  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("components", "path", "code"),
    [
        ([row(button(label="x" * 81))], "0.components.0.label", "BASE_TYPE_MAX_LENGTH"),
        ([row(button(custom_id="x" * 101))], "0.components.0.custom_id", "BASE_TYPE_BAD_LENGTH"),
        ([row(button(custom_id=""))], "0.components.0.custom_id", "BASE_TYPE_BAD_LENGTH"),
        ([row(button(custom_id=None))], "0.components.0.custom_id", "BASE_TYPE_REQUIRED"),
        ([row(button(label=None))], "0.components.0.label", "BASE_TYPE_REQUIRED"),
        ([row(button(), button())], "0.components.1.custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED"),
        ([row(*(button(custom_id=str(n)) for n in range(6)))], "0.components", "BASE_TYPE_BAD_LENGTH"),
        ([row()], "0.components", "BASE_TYPE_BAD_LENGTH"),
        ([row(button(style=9))], "0.components.0.style", "BASE_TYPE_CHOICES"),
        ([row(button(url="https://x.org"))], "0.components.0", "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE"),
        ([row(button(style=5, custom_id=None))], "0.components.0.url", "BASE_TYPE_REQUIRED"),
        ([row(button(emoji={"id": "1", "name": "x"}))], "0.components.0.emoji.id", "BUTTON_COMPONENT_INVALID_EMOJI"),
        ([row(button(emoji={"name": "hearts"}))], "0.components.0.emoji.name", "BUTTON_COMPONENT_INVALID_EMOJI"),
        ([row(select(26))], "0.components.0.options", "BASE_TYPE_BAD_LENGTH"),
        ([row(select(2, max_values=3))], "0.components.0.max_values", "NUMBER_TYPE_MAX"),
        ([row(select(2), button())], "0.components", "COMPONENT_LAYOUT_WIDTH_EXCEEDED"),
        ([row(button(), {"type": 4})], "0.components.1.type", "BASE_TYPE_CHOICES"),
        ([text("")], "0.content", "BASE_TYPE_BAD_LENGTH"),
        ([text("x" * 2001), text("x" * 2000)], "", "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED"),
        ([text(str(n)) for n in range(41)], "", "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED"),
        ([{"type": 17, "components": [{"type": 17, "components": [text()]}]}], "0.components.0.type", "BASE_TYPE_CHOICES"),
        ([{"type": 17, "components": [text()], "accent_color": 1 << 24}], "0.accent_color", "NUMBER_TYPE_MAX"),
        ([{"type": 9, "components": [text()]}], "0.accessory", "BASE_TYPE_REQUIRED"),
        ([{"type": 12, "items": [{"media": {"url": "attachment://no.png"}}]}], "0.items.0.media.url",
         "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"),
        ([{**text(), "id": 5}, {**text(), "id": 5}], "1.id", "COMPONENT_ID_DUPLICATED"),
    ],
)  # fmt: skip
async def test_invalid_component_gets_error_at_invalid_field(
    raw_bot: RawBot, components: list[Any], path: str, code: str
) -> None:
    status, answer = await raw_bot.send(flags=V2, components=components)
    assert status == 400
    assert error_code_at(answer, "components", *path.split(".") if path else ()) == code


async def test_largest_layouts_are_accepted(raw_bot: RawBot) -> None:
    rows = [row(*(button(custom_id=f"{r}:{n}", label="x" * 80) for n in range(5))) for r in range(6)]
    status, answer = await raw_bot.send(
        flags=V2, components=[text("x" * 3997), text(), text(), text(), *rows]
    )  # 4 + 36
    assert status == 200, answer
    ids = [component["id"] for component in answer["components"]]
    assert len(set(ids)) == len(ids)
    status, _ = await raw_bot.send(flags=V2, components=[row(select(25, max_values=25))])
    assert status == 200


async def test_components_v2_exclude_legacy_fields(raw_bot: RawBot) -> None:
    status, answer = await raw_bot.send(flags=V2, content="no", components=[text()])
    assert status == 400
    assert error_code_at(answer, "content") == "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"
    status, answer = await raw_bot.send(components=[text()])
    assert error_code_at(answer, "components", "0", "type") == "BASE_TYPE_CHOICES"
    _, old = await raw_bot.send(content="older")
    edit = f"/channels/{raw_bot.channel}/messages/{old['id']}"
    status, answer, _ = await raw_bot.request("PATCH", edit, {"flags": V2, "components": [text()]})
    assert status == 400
    status, answer, _ = await raw_bot.request(
        "PATCH", edit, {"flags": V2, "content": None, "embeds": [], "components": [text()]}
    )
    assert status == 200
    status, answer, _ = await raw_bot.request("PATCH", edit, {"content": "back again"})  # the flag cannot be removed
    assert error_code_at(answer, "content") == "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"


async def test_text_lengths_are_limited(raw_bot: RawBot) -> None:
    assert error_code_at((await raw_bot.send(content="x" * 2001))[1], "content") == "BASE_TYPE_MAX_LENGTH"
    assert (await raw_bot.send(content="x" * 2000))[0] == 200
    for nothing in ({"content": ""}, {"content": "  \n"}, {}, {"flags": V2, "components": []}):
        status, answer = await raw_bot.send(**nothing)
        assert (status, answer["code"]) == (400, 50006), nothing
    big = {"title": "x" * 256, "description": "x" * 4096}
    assert error_code_at((await raw_bot.send(embeds=[big, big]))[1], "embeds") == "MAX_EMBED_SIZE_EXCEEDED"
    status, answer = await raw_bot.send(content="x", allowed_mentions={"parse": ["users"], "users": ["1"]})
    assert error_code_at(answer, "allowed_mentions") == "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE"


async def test_uploads_are_kept_replaced_and_limited(raw_bot: RawBot, double: Discord) -> None:
    gallery = {"type": 12, "items": [{"media": {"url": "attachment://a.png"}}]}
    body = {"flags": V2, "components": [gallery], "attachments": [{"id": 0, "filename": "a.png"}]}
    where = f"/channels/{raw_bot.channel}/messages"
    status, first = await upload(raw_bot, "POST", where, body, ("a.png", PIXEL))
    assert status == 200
    edit = f"{where}/{first['id']}"
    status, kept, _ = await raw_bot.request("PATCH", edit, {"components": [text("new words"), gallery]})
    assert status == 200, "an edit that lists no attachments keeps the old picture"
    assert kept["components"][1]["items"][0]["media"]["url"] == first["attachments"][0]["url"]
    status, replaced = await upload(raw_bot, "PATCH", edit, body, ("a.png", PIXEL))
    assert [a["id"] for a in replaced["attachments"]] != [a["id"] for a in first["attachments"]]
    assert len(replaced["attachments"]) == 1
    async with raw_bot.session.get(first["attachments"][0]["url"]) as gone:
        assert gone.status == 404
    async with raw_bot.session.get(replaced["attachments"][0]["url"]) as there:
        assert await there.read() == PIXEL
    status, answer = await upload(raw_bot, "POST", where, {"content": "x"}, ("a.bin", b"x" * (10 * 1024 * 1024 + 1)))
    assert (status, answer["code"]) == (413, 40005)
    status, answer, _ = await raw_bot.request("PATCH", edit, {"attachments": [{"id": 7}]})
    assert error_code_at(answer, "attachments", "0", "id") == "ATTACHMENT_NOT_FOUND"


async def test_many_large_parts_without_a_length_are_refused(raw_bot: RawBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a request announces is checked before it is read; this one announces nothing."""
    monkeypatch.setattr("bot.local.rest_server.MAX_BODY_BYTES", 1_000)
    form = aiohttp.FormData(quote_fields=False)
    for number in range(3):
        form.add_field(f"files[{number}]", b"x" * 500, filename="a.bin")
    writer = form()

    async def in_chunks() -> AsyncIterator[bytes]:
        yield await writer.as_bytes()

    headers = {
        "Authorization": f"Bot {raw_bot.double.stand_in.token}",
        "Content-Type": writer.headers["Content-Type"],
    }
    url = f"{raw_bot.double.stand_in.rest_url}/channels/{raw_bot.channel}/messages"
    async with raw_bot.session.post(url, data=in_chunks(), headers=headers) as response:
        assert (response.status, (await response.json())["code"]) == (413, 40005)


@pytest.mark.parametrize("lossless", [True, False])
@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
async def test_webp_is_known_by_its_header(raw_bot: RawBot, mode: str, *, lossless: bool) -> None:
    """A bot can send it as any type, and not every system knows the name."""
    file = io.BytesIO()
    Image.new(mode, (110, 82), 0).save(file, "WEBP", lossless=lossless)
    status, message = await upload(
        raw_bot, "POST", f"/channels/{raw_bot.channel}/messages", {"content": "x"}, ("picture", file.getvalue())
    )
    assert status == 200
    (attachment,) = message["attachments"]
    assert (attachment["content_type"], attachment["width"], attachment["height"]) == ("image/webp", 110, 82)
    async with raw_bot.session.get(attachment["url"]) as served:
        assert served.headers["Content-Type"] == "image/webp" and "Content-Disposition" not in served.headers


async def test_answers_of_interactions_carry_files(raw_bot: RawBot, bot: SampleBot, double: Discord) -> None:
    """A new message, an update of the message of the button, an edit by the token, and a further message."""
    gallery = {"type": 12, "items": [{"media": {"url": "attachment://table.webp"}, "description": "a table"}]}
    shown = {"flags": V2, "components": [gallery, row(button())], "attachments": [{"id": 0, "filename": "table.webp"}]}
    file = ("table.webp", PIXEL)
    waiting = asyncio.create_task(double.you.slash("silent"))
    command = await bot.wait_for("interaction", timeout=5)
    callback = f"/interactions/{command.id}/{command.token}/callback?with_response=true"
    status, answer = await upload(raw_bot, "POST", callback, {"type": 4, "data": shown}, file)
    assert status == 200, answer
    (first,) = answer["resource"]["message"]["attachments"]
    await waiting
    webhook = f"/webhooks/{bot.application_id}/{command.token}"
    status, edited = await upload(raw_bot, "PATCH", f"{webhook}/messages/@original", shown, file)
    assert status == 200 and await gone(raw_bot, first["url"])
    status, further = await upload(raw_bot, "POST", f"{webhook}?wait=true", shown, file)
    assert status == 200 and len(further["attachments"]) == 1
    waiting = asyncio.create_task(double.you.click("Call"))
    pressed = await bot.wait_for("interaction", timeout=5)
    callback = f"/interactions/{pressed.id}/{pressed.token}/callback?with_response=true"
    status, answer = await upload(raw_bot, "POST", callback, {"type": 7, "data": shown}, file)
    assert status == 200, answer
    await waiting
    (replaced,) = answer["resource"]["message"]["attachments"]
    pictures = {each["id"]: each["attachments"][0]["url"] for each in (edited, further)}
    assert await gone(raw_bot, pictures.pop(str(pressed.message.id)))
    for url in (*pictures.values(), replaced["url"]):
        assert not await gone(raw_bot, url)


async def gone(raw_bot: RawBot, url: str) -> bool:
    async with raw_bot.session.get(url) as response:
        return response.status == 404


async def upload(raw_bot: RawBot, method: str, path: str, body: Any, file: tuple[str, bytes]) -> tuple[int, Any]:
    form = aiohttp.FormData(quote_fields=False)
    form.add_field("payload_json", aiohttp.payload.JsonPayload(body)._value.decode())
    form.add_field("files[0]", file[1], filename=file[0], content_type="application/octet-stream")
    headers = {"Authorization": f"Bot {raw_bot.double.stand_in.token}"}
    async with raw_bot.session.request(
        method, raw_bot.double.stand_in.rest_url + path, data=form, headers=headers
    ) as response:
        return response.status, await response.json()


@pytest.mark.parametrize(
    ("command", "path", "code"),
    [
        ({"name": "Table", "description": "x"}, "0.name", "APPLICATION_COMMAND_INVALID_NAME"),
        ({"name": "a b", "description": "x"}, "0.name", "APPLICATION_COMMAND_INVALID_NAME"),
        ({"name": "x" * 33, "description": "x"}, "0.name", "BASE_TYPE_BAD_LENGTH"),
        ({"name": "x"}, "0.description", "BASE_TYPE_REQUIRED"),
        ({"name": "x", "description": "x" * 101}, "0.description", "BASE_TYPE_BAD_LENGTH"),
        ({"name": "x", "description": "x", "options": [{"type": 3, "name": "a", "description": "b"}] * 2},
         "0.options.1.name", "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATE"),
        ({"name": "x", "description": "x", "options": [
            {"type": 3, "name": "a", "description": "b"}, {"type": 3, "name": "c", "description": "d", "required": True}]},
         "0.options.1", "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID"),
        ({"name": "x", "description": "x", "options": [
            {"type": 3, "name": "a", "description": "b",
             "choices": [{"name": str(n), "value": str(n)} for n in range(26)]}]},
         "0.options.0.choices", "BASE_TYPE_BAD_LENGTH"),
        ({"name": "x", "description": "x", "options": [
            {"type": 1, "name": "a", "description": "b"}, {"type": 3, "name": "c", "description": "d"}]},
         "0.options", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID"),
    ],
)  # fmt: skip
async def test_invalid_command_gets_error_at_invalid_field(raw_bot: RawBot, command: Any, path: str, code: str) -> None:
    application = raw_bot.double.stand_in.world.application_id
    status, answer, _ = await raw_bot.request("PUT", f"/applications/{application}/commands", [command])
    assert status == 400
    assert error_code_at(answer, *path.split(".")) == code


async def test_scope_holds_at_most_hundred_commands(raw_bot: RawBot) -> None:
    scope = f"/applications/{raw_bot.double.stand_in.world.application_id}/commands"
    commands = [{"name": f"c{n}", "description": "x"} for n in range(101)]
    assert (await raw_bot.request("PUT", scope, commands))[0] == 400
    assert (await raw_bot.request("PUT", scope, commands[:100]))[0] == 200
    assert (await raw_bot.request("PUT", scope, [commands[0], commands[0]]))[0] == 400


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/channels/1", 404, 10003),
        ("GET", "/channels/{poker}/messages/1", 404, 10008),
        ("GET", "/guilds/1", 404, 10004),
        ("GET", "/users/1", 404, 10013),
        ("GET", "/applications/{bot}/emojis/1", 404, 10014),
        ("DELETE", "/applications/{bot}/commands/1", 404, 10063),
        ("GET", "/nowhere", 404, 0),
        ("PUT", "/users/@me", 405, 0),
        ("GET", "/webhooks/{bot}/abc/messages/@original", 401, 50027),
        ("POST", "/interactions/1/abc/callback", 404, 10062),
    ],
)
async def test_missing_objects_get_their_own_error_codes(
    raw_bot: RawBot, method: str, path: str, status: int, code: int
) -> None:
    path = path.format(poker=raw_bot.channel, bot=raw_bot.double.stand_in.world.application_id)
    answer_status, answer, _ = await raw_bot.request(method, path)
    assert (answer_status, answer["code"]) == (status, code)


async def test_rest_requires_bot_token(raw_bot: RawBot) -> None:
    url = raw_bot.double.stand_in.rest_url + "/users/@me"
    for headers in ({}, {"Authorization": "Bot wrong"}, {"Authorization": raw_bot.double.stand_in.token}):
        async with raw_bot.session.get(url, headers=headers) as response:
            assert (response.status, (await response.json())["message"]) == (401, "401: Unauthorized")


# -- rate limits ------------------------------------------------------------------------------------------------------


async def test_channel_takes_five_messages_in_five_seconds(raw_bot: RawBot) -> None:
    raw_bot.double.controls.set_rate_limits(enabled=True)
    path = f"/channels/{raw_bot.channel}/messages"
    remaining = [(await raw_bot.request("POST", path, {"content": "x"}))[2]["X-RateLimit-Remaining"] for _ in range(5)]
    assert remaining == ["4", "3", "2", "1", "0"]
    status, answer, headers = await raw_bot.request("POST", path, {"content": "x"})
    assert status == 429
    assert not answer["global"]
    assert 0 < answer["retry_after"] <= 5
    assert headers["Via"]
    assert headers["X-RateLimit-Scope"] == "user"
    other = f"/channels/{raw_bot.double.channel('lobby')}/messages"
    assert (await raw_bot.request("POST", other, {"content": "x"}))[0] == 200, "each channel has its own counter"
    raw_bot.double.clock.advance(5)
    assert (await raw_bot.request("POST", path, {"content": "x"}))[0] == 200


async def test_edits_and_deletions_are_counted_separately(raw_bot: RawBot) -> None:
    _, message = await raw_bot.send(content="x")
    raw_bot.double.controls.set_rate_limits(enabled=True)
    path = f"/channels/{raw_bot.channel}/messages/{message['id']}"
    results = [(await raw_bot.request("PATCH", path, {"content": str(n)}))[0] for n in range(6)]
    assert results == [200] * 5 + [429]
    assert (await raw_bot.request("DELETE", path))[0] == 204


async def test_bot_has_fifty_requests_per_second(raw_bot: RawBot) -> None:
    raw_bot.double.controls.set_rate_limits(enabled=True)
    results = [await raw_bot.request("GET", f"/users/{raw_bot.double.you.me['id']}") for _ in range(51)]
    assert [status for status, *_ in results] == [200] * 50 + [429]
    _, answer, headers = results[-1]
    assert answer["global"] is True
    assert headers["X-RateLimit-Global"] == "true"


async def test_old_messages_take_three_edits(raw_bot: RawBot) -> None:
    _, message = await raw_bot.send(content="x")
    raw_bot.double.controls.set_rate_limits(enabled=True)
    raw_bot.double.clock.advance(3700)
    path = f"/channels/{raw_bot.channel}/messages/{message['id']}"
    answers = [await raw_bot.request("PATCH", path, {"content": str(n)}) for n in range(4)]
    assert [status for status, *_ in answers] == [200, 200, 200, 429]
    assert answers[-1][1]["code"] == 30046


async def test_channel_takes_thirty_follow_ups_a_minute(bot: SampleBot, raw_bot: RawBot) -> None:
    """Over the tokens of all interactions, whoever sees them. Discord does not say so; it was seen."""
    you = raw_bot.double.you
    tokens = []
    for _ in range(7):
        waiting = asyncio.create_task(you.slash("silent"))
        interaction = await bot.wait_for("interaction", timeout=5)
        await interaction.response.send_message("first", ephemeral=True)
        await waiting
        tokens.append(f"/webhooks/{interaction.application_id}/{interaction.token}")
    raw_bot.double.controls.set_rate_limits(enabled=True)
    bodies = {"content": "x"}, {"content": "x", "flags": 64}
    answers = [await raw_bot.request("POST", tokens[n // 5], bodies[n % 2]) for n in range(31)]
    assert [status for status, *_ in answers] == [204] * 30 + [429]
    assert answers[-1][2]["X-RateLimit-Scope"] == "shared"
    raw_bot.double.clock.advance(60)
    assert (await raw_bot.request("POST", tokens[0], bodies[0]))[0] == 204


async def test_discord_py_waits_and_retries_after_429(double: Discord, bot: SampleBot) -> None:
    body = {"message": "You are being rate limited.", "code": 0, "retry_after": 0.05, "global": False}
    double.fails("POST", r"/channels/\d+/messages", status=429, body=body, times=2)
    await bot.guilds[0].text_channels[0].send("at last")
    await double.you.until("at last")
    assert double.counts["fault POST"] == 2


async def test_one_nonce_makes_one_message_for_some_minutes(raw_bot: RawBot) -> None:
    """In whichever channel: the message that is there already is the answer."""
    _, first = await raw_bot.send(content="Season 1 begins", nonce="season 1", enforce_nonce=True)
    assert (await raw_bot.send(content="again", nonce="season 1", enforce_nonce=True))[1]["id"] == first["id"]
    other, raw_bot.channel = raw_bot.channel, raw_bot.double.channel("lobby")
    assert (await raw_bot.send(content="again", nonce="season 1", enforce_nonce=True))[1]["id"] == first["id"]
    raw_bot.channel = other
    assert (await raw_bot.send(content="not asked for", nonce="season 1"))[1]["id"] != first["id"]
    raw_bot.double.controls.advance(400)
    assert (await raw_bot.send(content="much later", nonce="season 1", enforce_nonce=True))[1]["id"] != first["id"]
    status, refused = await raw_bot.send(content="x", nonce="n" * 26)
    assert (status, error_code_at(refused, "nonce")) == (400, "NONCE_TYPE_TOO_LONG")
