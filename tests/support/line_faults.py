"""What can go wrong on the line to Discord, as Discord and the network do it.

Each fault says which requests it can meet. `ScriptedLine` lets the next of them go wrong, once, between a bot and the stand-in; everything
above the line is real.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec
from aiohttp import web

from bot.local.rest_server import Responder
from bot.local.stand_in import DiscordStandIn

BY_BOT = r"(?:POST|PATCH|DELETE) /channels/"
EDITS = r"PATCH /channels/\d+/messages/"
BY_TOKEN = r"(?:POST|PATCH|DELETE) /webhooks/"
ANSWERS = r"POST /interactions/"
OPENS_DM = r"POST /users/@me/channels"
ANY = r"."


@dataclass(frozen=True, slots=True)
class LineFault:
    """One thing that goes wrong.

    Attributes:
        meets: a regular expression of the requests that it can meet, as ``METHOD path``.
        status, code, text: Discord's answer; without a status the connection breaks.
        is_done: what was asked is done before.
        deletes: somebody deletes the message that is asked for in this moment, and Discord says so.
        kills: the dealer is killed while it waits for the reply.
        retry_after: seconds to wait, in the answer.
    """

    name: str
    meets: str
    status: int = 0
    code: int = 0
    text: str = ""
    is_done: bool = False
    deletes: bool = False
    kills: bool = False
    retry_after: float = 0.0

    def can_meet(self, called: str) -> bool:
        return re.match(self.meets, called) is not None

    def __str__(self) -> str:
        return self.name

    def response(self) -> web.Response:
        """Return Discord's answer."""
        body: dict[str, Any] = {"message": self.text or self.name, "code": self.code}
        headers = {"Via": "1.1 local"}
        if self.retry_after:
            body |= {"retry_after": self.retry_after, "global": False}
            headers |= {"Retry-After": str(self.retry_after), "X-RateLimit-Scope": "user"}
        return web.Response(
            body=msgspec.json.encode(body), status=self.status, headers=headers, content_type="application/json"
        )


REPLY_LOST = LineFault("reply lost", ANY, is_done=True)
REQUEST_LOST = LineFault("request lost", ANY)
KILLED_BEFORE_SAVE = LineFault("killed between send and save", ANY, is_done=True, kills=True)
KILLED_BEFORE_SEND = LineFault("killed before send", ANY, kills=True)
RATE_LIMITED = LineFault("rate limited", ANY, 429, 0, "You are being rate limited.", retry_after=0.7)
SERVER_ERROR = LineFault("server error", ANY, 502)
OLD_EDITS = LineFault(
    "old message", EDITS, 429, 30046, "Maximum number of edits to messages older than 1 hour reached.", retry_after=9.0
)
THREAD_ARCHIVED = LineFault("thread archived", EDITS, 400, 50083, "Thread is archived")
MESSAGE_GONE = LineFault("message gone", rf"{EDITS}|(?:PATCH|DELETE) /webhooks/", deletes=True)
"""Discord answers 404 with code 10008."""
TOKEN_UNKNOWN = LineFault("token unknown", BY_TOKEN, 404, 10015, "Unknown Webhook")
TOKEN_EXPIRED = LineFault("token expired", BY_TOKEN, 401, 50027, "Invalid Webhook Token")
TOO_LATE = LineFault("too late", ANSWERS, 404, 10062, "Unknown interaction")
DMS_CLOSED = LineFault(
    "messages refused", r"POST /channels/\d+/messages$", 403, 50007, "Cannot send messages to this user"
)
QUARANTINED = LineFault("quarantined", OPENS_DM, 403, 20026, "Your bot has been flagged by our anti-spam system")
DMS_TOO_FAST = LineFault("opened too fast", OPENS_DM, 400, 40003, "You are opening direct messages too fast.")

ONCE = (
    REPLY_LOST, REQUEST_LOST, KILLED_BEFORE_SAVE, KILLED_BEFORE_SEND, RATE_LIMITED, SERVER_ERROR, OLD_EDITS, THREAD_ARCHIVED,
    MESSAGE_GONE, TOKEN_UNKNOWN, TOKEN_EXPIRED, TOO_LATE, QUARANTINED, DMS_TOO_FAST,
)  # fmt: skip
"""What goes wrong once and is right again for the next request. Rights that are missing, and what is deleted, are not among them."""


CLOSES_TOKEN = frozenset({TOKEN_UNKNOWN, TOKEN_EXPIRED, MESSAGE_GONE})
"""After these nobody can change a private message any more. Its reader gets a new one."""

_OF_MESSAGE = re.compile(r"/channels/(\d+)/messages/(\d+)|/webhooks/\d+/([^/]+)/messages/(@original|\d+)")


class ScriptedLine:
    """Stands before a stand-in and lets requests of its bot go wrong.

    Attributes:
        asked: the requests of the bot so far, as ``METHOD path``.
        met: the request that the fault has met; empty while it has met none.
    """

    def __init__(self, stand_in: DiscordStandIn, kill: Callable[[], None] = lambda: None) -> None:
        self.asked: list[str] = []
        self.met = ""
        self._kill = kill
        self._fault: LineFault | None = None
        self._at = ""
        self._stand_in = stand_in
        stand_in.rest_server.interceptor = self

    def plant(self, fault: LineFault, at: str = ANY) -> None:
        """Let the next request that matches go wrong."""
        self._fault, self._at, self.met = fault, at, ""

    async def __call__(self, request: web.BaseRequest, path: str, answer: Responder) -> web.StreamResponse:
        called = f"{request.method} {path}"
        self.asked.append(called)
        fault = self._fault
        if fault is None or not (re.match(self._at, called) and fault.can_meet(called)):
            return await answer(request, path)
        self._fault, self.met = None, called
        if fault.deletes:
            await self._delete_message(path)
            return await answer(request, path)
        if fault.is_done:
            await answer(request, path)
        else:
            await request.read()
        if fault.kills:
            self._kill()
        if fault.status:
            return fault.response()
        if request.transport is not None:
            request.transport.abort()
        return web.Response(status=500)

    async def _delete_message(self, path: str) -> None:
        """Delete the message that a request is about."""
        found = _OF_MESSAGE.match(path)
        assert found is not None, path
        channel, message, token, which = found.groups()
        stand_in = self._stand_in
        if channel is not None:
            stand_in.messages.delete(await stand_in.world.find_message(channel, message))
            return
        interaction = stand_in.interactions.find_by_token(stand_in.world.application_id, token)
        stand_in.messages.delete(await stand_in.interactions.find_message(interaction, which))
