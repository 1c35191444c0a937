"""Every REST request on its way through: who asks, limits, the answer, and the log."""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import msgspec
from aiohttp import web

from bot.local.clock import Clock
from bot.local.errors import ApiError, unauthorized
from bot.local.limits import RateLimits
from bot.local.routing import Call, Reply, Route, Router

log = logging.getLogger(__name__)

LOGGED = 100_000


class Exchange(NamedTuple):
    """One request and its answer."""

    at: float
    method: str
    path: str
    route: str
    status: int
    sent_bytes: int
    answered_bytes: int
    body: Any
    uploads: int
    answer: Any


Answer = Callable[[web.BaseRequest, str], Awaitable[web.StreamResponse]]
Interceptor = Callable[[web.BaseRequest, str, Answer], Awaitable[web.StreamResponse]]


class Exchanges:
    """Answers REST requests. The hot path is a click's answer: nothing here may cost much."""

    def __init__(self, router: Router, limits: RateLimits, clock: Clock, token: str) -> None:
        self._router = router
        self._limits = limits
        self.clock = clock
        self._authorization = f"Bot {token}"
        self.intercept: Interceptor | None = None  # tests let requests go wrong here
        self.counts: Counter[str] = Counter()
        self.log: deque[Exchange] = deque(maxlen=LOGGED)
        self.recording = False
        self.own_faults: list[str] = []  # requests that broke the stand-in itself
        self.observers: list[Callable[[Exchange], None]] = []

    async def serve(self, request: web.BaseRequest, path: str) -> web.StreamResponse:
        """Answer one request whose path, after ``/api/v10``, is `path`."""
        if self.intercept is not None:
            return await self.intercept(request, path, self._answer)
        return await self._answer(request, path)

    async def _answer(self, request: web.BaseRequest, path: str) -> web.StreamResponse:
        method = request.method
        call: Call | None = None
        headers = {"Via": "1.1 local"}
        try:
            route, args = self._router.find(method, path)
            call = Call(request, route, args)
            self._admit(request, route, args, headers)
            await call.read()
            reply = await route.handler(call)
        except ApiError as error:
            reply = Reply(error.body, error.status)
            headers |= error.headers
        except Exception as error:  # a fault of ours: the bot gets what Discord would give it, the log gets the rest
            log.exception("%s %s", method, path)
            self.own_faults.append(f"{method} {path}: {error!r}")
            reply = Reply({"message": "500: Internal Server Error", "code": 0}, 500)
        encoded = None if reply.body is None else msgspec.json.encode(reply.body)
        name = f"{method} {call.route.path if call else path}"
        self.counts[name] += 1
        if self.recording:
            self._record(request, path, name, call, reply, encoded)
        if encoded is None:
            return web.Response(status=reply.status, headers=headers)
        return web.Response(body=encoded, status=reply.status, headers=headers, content_type="application/json")

    def _admit(self, request: web.BaseRequest, route: Route, args: list[str], headers: dict[str, str]) -> None:
        if route.bot_only and request.headers.get("Authorization") != self._authorization:
            raise unauthorized()
        if route.rule is not None and self._limits.on:
            if route.bot_only:
                self._limits.take_global()
            major = args[route.major] if args and route.major >= 0 else ""
            headers |= self._limits.take(route.rule, major)

    def _record(
        self, request: web.BaseRequest, path: str, name: str, call: Call | None, reply: Reply, encoded: bytes | None
    ) -> None:
        exchange = Exchange(
            self.clock.now(),
            request.method,
            path,
            name,
            reply.status,
            request.content_length or 0,
            len(encoded) if encoded else 0,
            call.body if call else None,
            len(call.uploads) if call else 0,
            None if encoded is None else msgspec.json.decode(encoded),
        )
        self.log.append(exchange)
        for observe in self.observers:
            observe(exchange)
