"""Follow-ups are sent once; a public one whose response was lost is looked for before it is sent again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest
from aiohttp import web
from discord.http import Route

from bot.line import api as api_module
from bot.line import by_token
from bot.line.api import DiscordApi
from bot.line.budgets import FollowUp
from bot.line.by_token import Token
from bot.line.failures import NotAllowed, OutcomeUnknown, TokenEnded
from bot.line.gateway import MessageCreated
from bot.line.request_queue import RequestLine
from tests.line.test_callbacks import reply

OURS, CLUB, CHANNEL, INTERACTION = 9, RequestLine(1), 3, 2


class Discord:
    """Takes follow-ups. `does` says what goes wrong with the next ones: "lost" after it was taken, "refused" by a 502 before."""

    def __init__(self) -> None:
        self.application_id, self.http = OURS, self
        self.messages: list[dict[str, Any]] = []
        self.does: list[str] = []
        self.history_is_closed = False
        self.asked_history: list[Any] = []

    def is_closed(self) -> bool:
        return False

    async def take(self, request: web.Request) -> web.Response:
        does = self.does.pop(0) if self.does else ""
        if does == "ended":
            return reply(401, {"code": 50027, "message": "Invalid Webhook Token"})
        if does == "refused":
            return web.Response(status=502)
        self.messages.append({"id": str(100 + len(self.messages)), "interaction": INTERACTION})
        if does == "lost":
            assert request.transport is not None
            request.transport.close()
        return reply(200, self.messages[-1])

    async def request(self, route: Any, **how: Any) -> Any:
        """The history, which discord.py's HTTP code asks for."""
        self.asked_history.append(how["params"])
        if self.history_is_closed:
            raise NotAllowed("missing access", status=403)
        return [
            {"id": "99", "channel_id": str(CHANNEL), "author": {"id": str(OURS), "bot": True}},
            *[
                {
                    "id": message["id"],
                    "channel_id": str(CHANNEL),
                    "author": {"id": str(OURS), "bot": True},
                    "interaction_metadata": {"id": str(message["interaction"])},
                }
                for message in self.messages
            ],
        ]


@pytest.fixture
async def discord(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Discord]:
    discord, app = Discord(), web.Application()
    app.router.add_post("/{path:.*}", discord.take)
    app.router.add_patch("/{path:.*}", discord.take)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    monkeypatch.setattr(Route, "BASE", f"http://127.0.0.1:{runner.addresses[0][1]}")
    for module in (api_module, by_token):
        monkeypatch.setattr(module, "PAUSE_SECONDS", 0.0)
    yield discord
    await runner.cleanup()


@pytest.fixture
async def api(discord: Discord) -> AsyncIterator[DiscordApi]:
    api = DiscordApi(discord)  # type: ignore[arg-type]
    await api.open()
    yield api
    await api.close()


def publicly(api: DiscordApi) -> Any:
    return api.follow_up_publicly(CLUB, INTERACTION, "token", CHANNEL, {"content": "Ann wins"})


@pytest.mark.parametrize("does", ["lost", "refused"])
async def test_follow_up_is_sent_once_whatever_happens(api: DiscordApi, discord: Discord, does: str) -> None:
    discord.does = [does]
    with pytest.raises(OutcomeUnknown):
        await api.by_token.follow_up("token", CHANNEL, {})
    assert len(discord.messages) == (does == "lost")


async def test_public_follow_up_that_arrived_is_found_in_the_history(api: DiscordApi, discord: Discord) -> None:
    discord.does = ["lost"]
    assert await publicly(api) == 100 and len(discord.messages) == 1
    assert discord.asked_history == [{"limit": "100", "after": str(INTERACTION)}]


async def test_public_follow_up_the_gateway_told_of_needs_no_look(api: DiscordApi, discord: Discord) -> None:
    event = {"id": "100", "channel_id": str(CHANNEL), "author": {"id": str(OURS), "bot": True}}
    metadata = {"interaction_metadata": {"id": str(INTERACTION), "type": 3}}
    api.echoes.note(msgspec.convert(event | metadata, MessageCreated, strict=False))
    discord.does = ["lost"]
    assert await publicly(api) == 100 and len(discord.messages) == 1 and not discord.asked_history


async def test_public_follow_up_that_did_not_arrive_is_sent_again(api: DiscordApi, discord: Discord) -> None:
    discord.does = ["refused", "refused"]
    assert await publicly(api) == 100 and len(discord.messages) == 1


async def test_public_follow_up_is_not_repeated_unseen(api: DiscordApi, discord: Discord) -> None:
    discord.does, discord.history_is_closed = ["lost"], True
    with pytest.raises(OutcomeUnknown):
        await publicly(api)
    assert len(discord.messages) == 1


async def test_private_follow_up_is_sent_again(api: DiscordApi, discord: Discord) -> None:
    """Nobody can look for it; a twin harms less than no answer."""
    discord.does = ["refused", "lost"]
    assert await api.by_token.follow_up_privately("token", CHANNEL, {}) == 101


async def test_message_sent_with_a_nonce_is_found_by_it(api: DiscordApi) -> None:
    own = {"id": "7", "channel_id": str(CHANNEL), "author": {"id": str(OURS), "bot": True}, "nonce": "hand.5"}
    others = {"id": "8", "channel_id": str(CHANNEL), "author": {"id": "1", "bot": True}, "nonce": "hand.5"}
    for event in (own, others):
        api.echoes.note(msgspec.convert(event, MessageCreated, strict=False))
    assert await api.find_sent(CLUB, CHANNEL, nonce="hand.5") == 7
    assert await api.find_sent(CLUB, CHANNEL, nonce="hand.6") == 0


async def test_follow_ups_are_counted_by_channel(api: DiscordApi) -> None:
    for _ in range(20):
        await api.by_token.follow_up("token", CHANNEL, {})
    now = api.by_token.time.now()
    assert api.by_token.budget.possible_at(CHANNEL, FollowUp.TABLE, now) > now


async def test_token_edits_what_it_sent_until_discord_ends_it(api: DiscordApi, discord: Discord) -> None:
    ours = Token(OURS, INTERACTION, "token", api.by_token.time.now(), CHANNEL)
    message = await api.by_token.send(ours, {"content": "The table"})
    await api.by_token.edit(ours, message, {"content": "The flop"})
    discord.does = ["ended"]
    with pytest.raises(TokenEnded):
        await api.by_token.edit(ours, message, {"content": "The turn"})
    assert not ours.is_open(ours.at)
