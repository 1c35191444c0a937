"""The answers to interactions and what follows them, which are nearly all that a dealer sends: one small request each.

discord.py's adapter for webhooks builds a route, a lock, the headers and the URL anew each time, and reads the body of a reply that has
none. That took a fifth of the time of a click. The errors and the repeated tries are the same.
"""

from __future__ import annotations

from asyncio import sleep
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import aiohttp
import discord
import msgspec
from discord.http import Route, json_or_text
from yarl import URL

from bot.line.failures import FROM_LIBRARIES, failure_from

TRIES = 5
"""How often an answer is sent while Discord is out of order or asks to wait."""
_HEADERS = {"Content-Type": "application/json"}


async def post_callback(
    session: aiohttp.ClientSession,
    interaction: int,
    token: str,
    payload: dict[str, Any],
    *,
    with_response: bool = False,
    form: Iterable[Mapping[str, Any]] | None = None,
) -> Any:
    """Answer an interaction.

    Args:
        with_response: Discord replies with the message that the answer has become.
        form: the fields of a request that carries a file; `payload` is one of them.

    Returns:
        Discord's reply; None if it has no body.

    Raises:
        DiscordFailed: Discord did not accept the answer, or the connection broke.
    """
    path = (
        f"/interactions/{interaction}/{quote(token, safe='')}/callback{'?with_response=true' if with_response else ''}"
    )
    return await _post(session, path, payload, form, repeats_faults=True)


async def post_follow_up(
    session: aiohttp.ClientSession,
    application: int,
    token: str,
    payload: dict[str, Any],
    form: Iterable[Mapping[str, Any]] | None = None,
) -> Any:
    """Send another message for an interaction that has been answered, and return it. What may have arrived is not sent again.

    Raises:
        OutcomeUnknown: it may have arrived.
        DiscordFailed: it has not.
    """
    path = f"/webhooks/{application}/{quote(token, safe='')}?wait=true"
    return await _post(session, path, payload, form, repeats_faults=False)


async def _post(
    session: aiohttp.ClientSession,
    path: str,
    payload: dict[str, Any],
    form: Iterable[Mapping[str, Any]] | None,
    *,
    repeats_faults: bool,
) -> Any:
    url = URL(f"{Route.BASE}{path}", encoded=True)
    body = msgspec.json.encode(payload) if form is None else b""
    for tried in range(TRIES):
        data, headers = (_form_data(form), None) if form is not None else (body, _HEADERS)
        try:
            async with session.post(url, data=data, headers=headers, allow_redirects=False) as response:
                if response.status == HTTPStatus.NO_CONTENT:
                    return None
                reply = await json_or_text(response)
        except FROM_LIBRARIES as error:
            raise failure_from(error) from error
        if response.status < HTTPStatus.MULTIPLE_CHOICES:
            return reply
        if response.status >= HTTPStatus.INTERNAL_SERVER_ERROR and repeats_faults:
            pause = 1.0 + 2.0 * tried
        elif response.status == HTTPStatus.TOO_MANY_REQUESTS and isinstance(reply, dict) and "Via" in response.headers:
            pause = float(reply["retry_after"])
        else:  # without "Via" it is not Discord that refuses, but the network before it, and for long
            raise failure_from(discord.HTTPException(response, reply))
        if tried == TRIES - 1:
            raise failure_from(discord.HTTPException(response, reply))
        await sleep(pause)
    raise AssertionError("unreachable")


def _form_data(fields: Iterable[Mapping[str, Any]]) -> aiohttp.FormData:
    """Return a form, which can be sent once."""
    form = aiohttp.FormData(quote_fields=False)  # Discord knows no ``files%5B0%5D``
    for field in fields:
        form.add_field(**field)
    return form
