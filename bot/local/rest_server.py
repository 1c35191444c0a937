"""Answer REST requests: find the route, check the token and the rate limits, call the handler, encode its response.

`rest_routes` adds the routes. A click waits for this code, so it does as little as possible per request.
"""

from __future__ import annotations

import logging
import re
import secrets
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import msgspec
from aiohttp import BodyPartReader, web

from bot.local.clock import AdjustableClock
from bot.local.errors import ApiError, Json, api_error, unauthorized
from bot.local.message_body import Upload
from bot.local.rate_limits import OTHER, RateLimit, RateLimiter

log = logging.getLogger(__name__)

MAX_JSON_BYTES = 1024 * 1024
MAX_BODY_BYTES = 25 * 1024 * 1024  # of a form with files
MAX_RECORDS = 100_000
MAX_INTERNAL_ERRORS = 100
UNKNOWN_ROUTE = "unknown route"

_FILE_FIELD = re.compile(r"^files?\[?(\d+)\]?$")


class RestRequest:
    """One REST request. `parameters` are the values in its path: ``{"channel": "123", "message": "456"}``."""

    __slots__ = ("body", "http_request", "parameters", "query", "route", "uploads")

    def __init__(self, http_request: web.BaseRequest, route: Route, parameters: dict[str, str]) -> None:
        self.http_request = http_request
        self.route = route
        self.parameters = parameters
        self.query = http_request.query if http_request.query_string else {}
        self.body: Any = None
        self.uploads: list[Upload] = []

    async def read_body(self) -> None:
        """Read JSON, or a multipart form with `payload_json` and `files[n]`.

        Raises:
            ApiError: 50109 the body is not JSON; 40005 it is too large.
        """
        content_type = self.http_request.headers.get("Content-Type", "")
        is_form = content_type.startswith("multipart/form-data")
        if (self.http_request.content_length or 0) > (MAX_BODY_BYTES if is_form else MAX_JSON_BYTES):
            raise api_error(40005)
        if is_form:
            await self._read_multipart()
            return
        raw = bytearray()
        async for chunk in self.http_request.content.iter_any():
            raw += chunk
            if len(raw) > MAX_JSON_BYTES:  # a body without a Content-Length
                raise api_error(40005)
        if raw:
            self.body = _decode_json(raw)

    async def _read_multipart(self) -> None:
        plain_fields: Json = {}
        size = 0
        async for part in await self.http_request.multipart():
            if not isinstance(part, BodyPartReader):
                raise api_error(50109)
            name, content = part.name or "", bytes(await part.read(decode=True))
            size += len(content)
            if size > MAX_BODY_BYTES:  # a body without a Content-Length
                raise api_error(40005)
            file_number = _FILE_FIELD.match(name)
            if name == "payload_json":
                self.body = _decode_json(content)
            elif file_number:
                content_type = part.headers.get("Content-Type", "application/octet-stream")
                self.uploads.append(Upload(int(file_number[1]), part.filename or "file", content_type, content))
            else:
                plain_fields[name] = content.decode()
        if self.body is None:
            self.body = plain_fields

    @property
    def json(self) -> Json:
        """The body as an object. A missing body is an empty object.

        Raises:
            ApiError: 50109 the body is not an object.
        """
        if self.body is None:
            return {}
        if not isinstance(self.body, dict):
            raise api_error(50109)
        return self.body


def _decode_json(raw: bytes | bytearray) -> Any:
    try:
        return msgspec.json.decode(raw)
    except msgspec.DecodeError as error:
        raise api_error(50109) from error


class RestResponse(NamedTuple):
    """What a handler returns: a body to encode as JSON, or None for an empty response."""

    body: Any = None
    status: int = 200


Handler = Callable[[RestRequest], Awaitable[RestResponse]]
TokenCheck = Callable[[dict[str, str]], object]
"""Takes the values in a path, and raises an ApiError if the token among them is not valid."""


class Route(NamedTuple):
    """One endpoint.

    Attributes:
        parameters: the names in braces in its path.
        rate_limit: None exempts the route from every limit.
        major_parameter: the path parameter of which each value has its own counter; empty if there is none.
        check_token: for a route that carries its token in its path: checks it. None: the request must carry the bot's token,
            or the route is open to all.
        bot_only: whether the request must carry the bot's token.
    """

    method: str
    path: str
    parameters: tuple[str, ...]
    handler: Handler
    rate_limit: RateLimit | None
    major_parameter: str
    bot_only: bool
    check_token: TokenCheck | None


class Router:
    """Finds a route by method and path. A segment in braces matches any single segment."""

    def __init__(self) -> None:
        self._root: dict[str, Any] = {}

    def add(
        self,
        method: str,
        path: str,
        handler: Handler,
        *,
        rate_limit: RateLimit | None = OTHER,
        major_parameter: str = "",
        bot_only: bool = True,
        check_token: TokenCheck | None = None,
    ) -> None:
        """Add a route. Without a `major_parameter` the first one in its path is used."""
        if rate_limit is OTHER:  # each of the other routes has counters of its own
            rate_limit = OTHER._replace(name=f"{method} {path}")
        parameters = tuple(segment[1:-1] for segment in path.split("/") if segment.startswith("{"))
        if not major_parameter and parameters:
            major_parameter = parameters[0]
        node = self._root
        for segment in path.split("/")[1:]:
            node = node.setdefault("*" if segment.startswith("{") else segment, {})
        node[f" {method}"] = Route(
            method, path, parameters, handler, rate_limit, major_parameter, bot_only, check_token
        )

    def find(self, method: str, path: str) -> tuple[Route, dict[str, str]]:
        """Return the route and the values of its path parameters.

        Raises:
            ApiError: 404, or 405 if the path exists with another method.
        """
        node, values = self._root, []
        for segment in path.split("/")[1:]:
            below = node.get(segment)
            if below is None:
                below = node.get("*")
                if below is None:
                    raise api_error(0)
                values.append(segment)
            node = below
        route = node.get(f" {method}")
        if route is None:
            path_exists = any(key.startswith(" ") for key in node)
            raise ApiError(405, 0, "405: Method Not Allowed") if path_exists else api_error(0)
        return route, dict(zip(route.parameters, values, strict=True))


class RequestRecord(NamedTuple):
    """One request with its response, recorded for tests. `route` is ``METHOD /path/{with}/braces``."""

    at: float
    method: str
    path: str
    route: str
    status: int
    request_bytes: int
    response_bytes: int
    request_body: Any
    upload_count: int
    response_body: Any


Responder = Callable[[web.BaseRequest, str], Awaitable[web.StreamResponse]]
Interceptor = Callable[[web.BaseRequest, str, Responder], Awaitable[web.StreamResponse]]


class RestServer:
    """Answers REST requests, counts them by route, and records them when a test asks for it."""

    def __init__(self, router: Router, rate_limiter: RateLimiter, clock: AdjustableClock, token: str) -> None:
        self._router = router
        self._rate_limiter = rate_limiter
        self.clock = clock
        self._authorization = f"Bot {token}".encode()
        self.interceptor: Interceptor | None = None  # tests make requests fail here
        self.counts: Counter[str] = Counter()
        self.recording = False
        self.records: deque[RequestRecord] = deque(maxlen=MAX_RECORDS)
        self.observers: list[Callable[[RequestRecord], None]] = []
        # Requests whose handler raised something other than ApiError.
        self.internal_errors: deque[str] = deque(maxlen=MAX_INTERNAL_ERRORS)

    async def serve(self, request: web.BaseRequest, path: str) -> web.StreamResponse:
        """Answer one request. `path` is the part after ``/api/v10``."""
        if self.interceptor is not None:
            return await self.interceptor(request, path, self._respond)
        return await self._respond(request, path)

    async def _respond(self, http_request: web.BaseRequest, path: str) -> web.StreamResponse:
        method = http_request.method
        request: RestRequest | None = None
        headers = {"Via": "1.1 local"}
        try:
            route, parameters = self._router.find(method, path)
            request = RestRequest(http_request, route, parameters)
            headers |= self._authorize(request)
            await request.read_body()
            response = await route.handler(request)
        except ApiError as error:
            response = RestResponse(error.body, error.status)
            headers |= error.headers
        except Exception as error:  # a defect of the stand-in: the bot gets a plain 500, the log gets the traceback
            log.exception("rest_handler_failed", extra={"method": method, "path": path})
            self.internal_errors.append(f"{method} {path}: {error!r}")
            response = RestResponse({"message": "500: Internal Server Error", "code": 0}, 500)
        encoded = None if response.body is None else msgspec.json.encode(response.body)
        # A path that nobody serves is not remembered: whoever sends many of them must not fill the memory.
        route_name = f"{method} {request.route.path}" if request else UNKNOWN_ROUTE
        self.counts[route_name] += 1
        if self.recording:
            self._record(http_request, path, route_name, request, response, encoded)
        if encoded is None:
            return web.Response(status=response.status, headers=headers)
        return web.Response(body=encoded, status=response.status, headers=headers, content_type="application/json")

    def _authorize(self, request: RestRequest) -> dict[str, str]:
        """Check the token and count the request against its rate limits. Returns the rate limit headers.

        The body has not been read yet: somebody without a token cannot make the stand-in read one.

        Raises:
            ApiError: 401 or 404 for the token, or 429.
        """
        route = request.route
        authorization = request.http_request.headers.get("Authorization", "")
        if route.bot_only and not secrets.compare_digest(authorization.encode(errors="replace"), self._authorization):
            raise unauthorized()
        if route.check_token is not None:
            route.check_token(request.parameters)
        if route.rate_limit is None or not self._rate_limiter.enabled:
            return {}
        if route.bot_only:
            self._rate_limiter.count_global()
        return self._rate_limiter.count(route.rate_limit, request.parameters.get(route.major_parameter, ""))

    def _record(
        self,
        http_request: web.BaseRequest,
        path: str,
        route_name: str,
        request: RestRequest | None,
        response: RestResponse,
        encoded: bytes | None,
    ) -> None:
        record = RequestRecord(
            self.clock.now(),
            http_request.method,
            path,
            route_name,
            response.status,
            http_request.content_length or 0,
            len(encoded) if encoded else 0,
            request.body if request else None,
            len(request.uploads) if request else 0,
            None if encoded is None else msgspec.json.decode(encoded),
        )
        self.records.append(record)
        for observe in self.observers:
            observe(record)
