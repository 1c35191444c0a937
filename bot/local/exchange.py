"""Every REST request on its way through: faults that tests plant, limits, the answer, and the log."""

from __future__ import annotations

import asyncio
import logging
import re
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec
from aiohttp import web

from bot.local.clock import Clock
from bot.local.errors import ApiError, Json, unauthorized
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


@dataclass(slots=True)
class Fault:
    """Something that goes wrong with the next `times` requests that match.

    Attributes:
        method, path: regular expressions, matched from the start; the path is the one after ``/api/v10``.
        status, body, headers: the answer to give instead; without a status the request is answered normally.
        delay: seconds to wait first.
        drop: cut the line instead of answering.
        after: do what was asked first, then answer wrongly: the answer is lost, the deed is done.
    """

    method: str = ".*"
    path: str = ".*"
    times: int = 1
    status: int | None = None
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    drop: bool = False
    after: bool = False

    def matches(self, method: str, path: str) -> bool:
        return self.times > 0 and bool(re.match(self.method, method)) and bool(re.match(self.path, path))


class Exchanges:
    """Answers REST requests. The hot path is a click's answer: nothing here may cost much."""

    def __init__(self, router: Router, limits: RateLimits, clock: Clock, token: str) -> None:
        self._router = router
        self._limits = limits
        self._clock = clock
        self._authorization = f"Bot {token}"
        self.faults: list[Fault] = []
        self.counts: Counter[str] = Counter()
        self.log: deque[Exchange] = deque(maxlen=LOGGED)
        self.recording = False
        self.own_faults: list[str] = []  # requests that broke the stand-in itself
        self.observers: list[Callable[[Exchange], None]] = []

    async def serve(self, request: web.BaseRequest, path: str) -> web.StreamResponse:
        """Answer one request whose path, after ``/api/v10``, is `path`."""
        method = request.method
        fault = self._fault(method, path) if self.faults else None
        if fault is not None:
            if fault.delay:
                await asyncio.sleep(fault.delay)
            if not fault.after and (fault.drop or fault.status is not None):
                await request.read()
                return self._go_wrong(request, path, fault)
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
        if fault is not None and (fault.drop or fault.status is not None):
            return self._go_wrong(request, path, fault)
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
            self._clock.now(),
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

    def _fault(self, method: str, path: str) -> Fault | None:
        fault = next((fault for fault in self.faults if fault.matches(method, path)), None)
        if fault is not None:
            fault.times -= 1
            if not fault.times:
                self.faults.remove(fault)
        return fault

    def _go_wrong(self, request: web.BaseRequest, path: str, fault: Fault) -> web.StreamResponse:
        self.counts[f"fault {request.method}"] += 1
        status = fault.status or 0
        body: Json = fault.body if fault.body is not None else {"message": f"{status}: planted fault", "code": 0}
        if self.recording:
            sent = request.content_length or 0
            lost = Exchange(self._clock.now(), request.method, path, "fault", status, sent, 0, None, 0, body)
            self.log.append(lost)
        if fault.drop:
            if request.transport is not None:
                request.transport.abort()
            return web.Response(status=500)
        headers = {"Via": "1.1 local"} | fault.headers
        return web.Response(
            body=msgspec.json.encode(body), status=status, headers=headers, content_type="application/json"
        )
