"""Answers to interactions while Discord is out of order, asks to wait, or refuses."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import msgspec
import pytest
from aiohttp import web
from discord.http import Route

from bot.line import by_token
from bot.line.failures import DiscordFailed, NotAllowed, OutcomeUnknown, Rejected, TooLate, TryLater
from bot.line.payloads import AttachedFile, form_fields

Answering = Callable[..., Any]
LIMITED = {"code": 0, "message": "You are being rate limited.", "retry_after": 0.7, "global": False}
GONE = {"code": 10062, "message": "Unknown interaction"}


class ScriptedDiscord:
    """Replies to each answer as it is told to, with 204 in the end. Keeps what came in, and how long the bot has waited."""

    def __init__(self, *replies: web.Response) -> None:
        self.replies = list(replies)
        self.requests: list[tuple[str, str, Any]] = []
        self.pauses: list[float] = []

    async def reply(self, request: web.Request) -> web.Response:
        body: Any
        if request.content_type == "multipart/form-data":
            parts = (await request.post()).items()
            body = {name: part.file.read() if isinstance(part, web.FileField) else part for name, part in parts}
        else:
            body = await request.json()
        self.requests.append((request.path_qs, request.headers["Content-Type"], body))
        return self.replies.pop(0) if self.replies else web.Response(status=204)


def reply(status: int, body: dict[str, Any], **headers: str) -> web.Response:
    return web.Response(
        body=msgspec.json.encode(body), status=status, headers={"Content-Type": "application/json"} | headers
    )


def limited(**headers: str) -> web.Response:
    return reply(429, LIMITED, **headers)


@asynccontextmanager
async def answering(script: ScriptedDiscord, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Answering]:
    """What answers interaction 7 with token ``a/b`` at a Discord that follows the script, without waiting."""

    async def pause(seconds: float) -> None:
        script.pauses.append(seconds)

    app = web.Application()
    app.router.add_post("/{path:.*}", script.reply)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    monkeypatch.setattr(Route, "BASE", f"http://127.0.0.1:{runner.addresses[0][1]}/api")
    monkeypatch.setattr(by_token, "sleep", pause)
    async with aiohttp.ClientSession() as session:
        posts = by_token.Posts(session)
        yield lambda **how: by_token.post_callback(posts, 7, "a/b", {"type": 6}, **how)
        posts.close()
    await runner.cleanup()


async def test_answer_arrives_as_json_at_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    script = ScriptedDiscord()
    async with answering(script, monkeypatch) as answer:
        assert await answer() is None
    assert script.requests == [("/api/interactions/7/a%2Fb/callback", "application/json", {"type": 6})]


async def test_answer_comes_back_with_its_message(monkeypatch: pytest.MonkeyPatch) -> None:
    script = ScriptedDiscord(reply(200, {"resource": {"message": {"id": "9"}}}))
    async with answering(script, monkeypatch) as answer:
        assert (await answer(with_response=True))["resource"]["message"]["id"] == "9"
    assert script.requests[0][0].endswith("/callback?with_response=true")


async def test_answer_waits_as_long_as_discord_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    script = ScriptedDiscord(limited(Via="1.1 google"), web.Response(status=502), web.Response(status=503))
    async with answering(script, monkeypatch) as answer:
        assert await answer() is None
    assert script.pauses == [0.7, 3.0, 5.0]


async def test_answer_with_a_file_is_sent_whole_again(monkeypatch: pytest.MonkeyPatch) -> None:
    script = ScriptedDiscord(web.Response(status=502))
    file = AttachedFile("table.webp", b"RIFF\x00\xff", "image/webp", "The flop")
    async with answering(script, monkeypatch) as answer:
        await answer(form=form_fields({"type": 7}, file))
    (_, kind, body), again = script.requests
    assert kind.startswith("multipart/form-data") and again[2] == body
    assert body == {"payload_json": b'{"type":7}', "files[0]": b"RIFF\x00\xff"}
    assert "RIFF" not in repr(file)


@pytest.mark.parametrize(
    ("replies", "error", "tries"),
    [
        ([reply(404, GONE)], TooLate, 1),
        ([reply(403, {"code": 50013})], NotAllowed, 1),
        ([reply(400, {"code": 50035})], Rejected, 1),
        ([limited()], TryLater, 1),
        ([limited(Via="1.1 google") for _ in range(5)], TryLater, 5),
        ([web.Response(status=500) for _ in range(5)], OutcomeUnknown, 5),
    ],
    ids=["gone", "forbidden", "refused", "blocked by the network", "limited for long", "out of order for long"],
)
async def test_refusal_is_raised_after_as_many_tries_as_help(
    replies: list[web.Response], error: type[DiscordFailed], tries: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = ScriptedDiscord(*replies)
    async with answering(script, monkeypatch) as answer:
        with pytest.raises(DiscordFailed) as raised:
            await answer()
    assert type(raised.value) is error and len(script.requests) == tries
