"""From an HTTP request to the function that answers it, and back."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import msgspec
from aiohttp import BodyPartReader, web

from bot.local.errors import ApiError, Json, refuse
from bot.local.limits import OTHER, Rule
from bot.local.messages import Upload

BODY_MAX = 25 * 1024 * 1024
_FILE_FIELD = re.compile(r"^files?\[?(\d+)\]?$")


class Call:
    """One REST request, taken apart."""

    __slots__ = ("args", "body", "query", "request", "route", "uploads")

    def __init__(self, request: web.BaseRequest, route: Route, args: list[str]) -> None:
        self.request = request
        self.route = route
        self.args = args
        self.query = request.query if request.query_string else {}
        self.body: Any = None
        self.uploads: list[Upload] = []

    async def read(self) -> None:
        """Read the body: JSON, or a form with `payload_json` and `files[n]`.

        Raises:
            ApiError: 50109 not JSON.
        """
        kind = self.request.headers.get("Content-Type", "")
        if kind.startswith("multipart/form-data"):
            await self._read_form()
            return
        raw = await self.request.read()
        if raw:
            self.body = _json(raw)

    async def _read_form(self) -> None:
        plain: Json = {}
        async for part in await self.request.multipart():
            if not isinstance(part, BodyPartReader):
                raise refuse(50109)
            name, content = part.name or "", bytes(await part.read(decode=True))
            number = _FILE_FIELD.match(name)
            if name == "payload_json":
                self.body = _json(content)
            elif number:
                kind = part.headers.get("Content-Type", "application/octet-stream")
                self.uploads.append(Upload(int(number[1]), part.filename or "file", kind, content))
            else:
                plain[name] = content.decode()
        if self.body is None:
            self.body = plain

    @property
    def json(self) -> Json:
        """The body as an object; absent counts as empty.

        Raises:
            ApiError: 50109 it is something else.
        """
        if self.body is None:
            return {}
        if not isinstance(self.body, dict):
            raise refuse(50109)
        return self.body


def _json(raw: bytes) -> Any:
    try:
        return msgspec.json.decode(raw)
    except msgspec.DecodeError as error:
        raise refuse(50109) from error


class Reply(NamedTuple):
    """What a route answers: a body to encode, or None with 204."""

    body: Any = None
    status: int = 200


Handler = Callable[[Call], Awaitable[Reply]]


class Route(NamedTuple):
    """One endpoint. `rule` is its rate limit (None: exempt from all), counted per argument number `major`."""

    method: str
    path: str
    handler: Handler
    rule: Rule | None
    major: int
    bot_only: bool


class Router:
    """Finds routes by method and path, segment by segment; ``{…}`` takes any one segment."""

    def __init__(self) -> None:
        self._root: dict[str, Any] = {}

    def add(
        self,
        method: str,
        path: str,
        handler: Handler,
        *,
        rule: Rule | None = OTHER,
        major: int = 0,
        bot_only: bool = True,
    ) -> None:
        if rule is OTHER:
            rule = OTHER._replace(name=f"{method} {path}")
        node = self._root
        for segment in path.split("/")[1:]:
            node = node.setdefault("*" if segment.startswith("{") else segment, {})
        node[f" {method}"] = Route(method, path, handler, rule, major, bot_only)

    def find(self, method: str, path: str) -> tuple[Route, list[str]]:
        """The route and the segments its braces took.

        Raises:
            ApiError: 404, or 405 where only the method is wrong.
        """
        node, args = self._root, []
        for segment in path.split("/")[1:]:
            below = node.get(segment)
            if below is None:
                below = node.get("*")
                if below is None:
                    raise refuse(0)
                args.append(segment)
            node = below
        route = node.get(f" {method}")
        if route is None:
            raise ApiError(405, 0, "405: Method Not Allowed") if any(k[0] == " " for k in node) else refuse(0)
        return route, args
