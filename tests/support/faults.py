"""Faults: requests that go wrong because a test wants it."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from typing import Any

import msgspec
from aiohttp import web

from bot.local.rest_server import RequestRecord, Responder, RestServer


@dataclass(slots=True)
class Fault:
    """A fault of the next `times` requests that match.

    Attributes:
        method, path: regular expressions, matched from the start; the path is the one after ``/api/v10``.
        status, body, headers: the answer to give instead; without a status the request is answered normally.
        delay: seconds to wait first.
        drop: cut the line instead of answering.
        after: do what was asked first, then answer wrongly: the answer is lost, the action is done.
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


class Faults:
    """The faults planted so far. They are asked before a stand-in answers."""

    def __init__(self, rest_server: RestServer) -> None:
        self.planted: list[Fault] = []
        self._rest_server = rest_server
        rest_server.interceptor = self

    async def __call__(self, request: web.BaseRequest, path: str, answer: Responder) -> web.StreamResponse:
        fault = next((each for each in self.planted if each.matches(request.method, path)), None)
        if fault is None:
            return await answer(request, path)
        fault.times -= 1
        if not fault.times:
            self.planted.remove(fault)
        if fault.delay:
            await asyncio.sleep(fault.delay)
        wrong = fault.drop or fault.status is not None
        if not wrong:
            return await answer(request, path)
        if fault.after:
            await answer(request, path)
        else:
            await request.read()
        return self._go_wrong(request, path, fault)

    def _go_wrong(self, request: web.BaseRequest, path: str, fault: Fault) -> web.StreamResponse:
        status = fault.status or 0
        body = fault.body if fault.body is not None else {"message": f"{status}: planted fault", "code": 0}
        self._rest_server.counts[f"fault {request.method}"] += 1
        sent = request.content_length or 0
        self._rest_server.records.append(
            RequestRecord(self._rest_server.clock.now(), request.method, path, "fault", status, sent, 0, None, 0, body)
        )
        if fault.drop and request.transport is not None:
            request.transport.abort()
        headers = {"Via": "1.1 local"} | fault.headers
        encoded = msgspec.json.encode(body)
        return web.Response(body=encoded, status=status or 500, headers=headers, content_type="application/json")
