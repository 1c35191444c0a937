"""Keepers of messages that forget something: each must be caught by the judge of the screens.

They are planted below whatever keeps a message: in the requests of discord.py, in the values that the store keeps, and in the login. So
they fit any keeper.
"""

from __future__ import annotations

import asyncio
from typing import Any

import discord
import msgspec
import pytest

from bot.line.client import DiscordClient
from bot.store.store import Store

NOT_OF_MESSAGES = ("greeted.", "discord.commands", "dm.", "dmchannel.", "locale.", "deck.", "size.", "quiet.")
"""Values that the store keeps beside those of messages: what has been said and registered, and what people prefer."""


def forget_nonces(patch: pytest.MonkeyPatch) -> None:
    """No message is sent with a nonce: what is sent again after a lost reply is posted again."""
    request = discord.http.HTTPClient.request

    async def without_nonce(self: Any, route: Any, *, form: Any = None, **how: Any) -> Any:
        if isinstance(how.get("json"), dict):
            how["json"] = _without_nonce(how["json"])
        if form:
            form = [
                field | {"value": msgspec.json.encode(_without_nonce(msgspec.json.decode(field["value"]))).decode()}
                if field["name"] == "payload_json"
                else field
                for field in form
            ]
        return await request(self, route, **how, **({"form": form} if form else {}))

    patch.setattr(discord.http.HTTPClient, "request", without_nonce)


def _without_nonce(body: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in body.items() if key not in {"nonce", "enforce_nonce"}}


def forget_to_save(patch: pytest.MonkeyPatch) -> None:
    """No value of a message is kept: after a restart nobody knows of the messages that there are."""
    keep = Store.keep

    async def keeps_no_messages(self: Store, key: str, value: bytes | None) -> None:
        if key.startswith(NOT_OF_MESSAGES):
            await keep(self, key, value)

    patch.setattr(Store, "keep", keeps_no_messages)


def forget_the_login(patch: pytest.MonkeyPatch) -> None:
    """A dealer that comes back does not wait for the login: its parts are opened while Discord is still asked who the bot is."""
    log_in = DiscordClient.login
    applications: list[int] = []

    async def opens_meanwhile(self: DiscordClient, token: str) -> None:
        calls = self._after_login

        async def open_early() -> None:
            await asyncio.sleep(0.1)  # the connection has been made
            for call in calls:
                await call()

        if applications:
            self._connection.application_id, self._after_login = applications[0], []
            await asyncio.gather(log_in(self, token), open_early())
        else:
            await log_in(self, token)
            applications.append(self.application_id or 0)

    async def waits_for_nothing(self: DiscordClient) -> None:
        """The servers are not known either."""

    patch.setattr(DiscordClient, "login", opens_meanwhile)
    patch.setattr(DiscordClient, "wait_until_ready", waits_for_nothing)
