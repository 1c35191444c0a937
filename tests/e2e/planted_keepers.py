"""Keepers of messages that forget something: each must be caught by the judge of the screens.

They are planted below whatever keeps a message: in the requests of discord.py, in the values that the store keeps, and in the wait for the
login. So they fit any keeper.
"""

from __future__ import annotations

from typing import Any

import discord
import msgspec
import pytest

from bot.line.request_slots import RequestSlots
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
    """Requests go out before Discord knows the bot."""
    make = RequestSlots.__init__

    def make_open(self: RequestSlots, *arguments: Any, **how: Any) -> None:
        make(self, *arguments, **how)
        self._is_open = True

    patch.setattr(RequestSlots, "__init__", make_open)
