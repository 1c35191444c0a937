"""Discord's own OpenAPI document as a judge of what the bot sends and of what our stand-in answers.

The document is large, so each schema is compiled once, when first met, into plain functions. Where several schemas are
possible and tell themselves apart by their `type`, only the fitting one is tried.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bot.local.exchange import Exchange

DOCUMENT = Path(__file__).resolve().parents[2].parent / "shared" / "discord-openapi.json"

Check = Callable[[Any, str], "list[str]"]  # value, its place → faults

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
_DATE = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$")
_URI = re.compile(r"^[a-z][a-z0-9+.-]*:", re.IGNORECASE)


class OpenApi:
    """The document, with its schemas compiled as they are needed."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._schemas: dict[str, Any] = document["components"]["schemas"]
        self._compiled: dict[str, Check] = {}
        self._operations: dict[tuple[str, str], dict[str, Any]] = {}
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                if method in ("get", "put", "post", "patch", "delete"):
                    self._operations[method.upper(), _shape(path)] = operation
        self._requests: dict[str, Check | None] = {}
        self._answers: dict[tuple[str, int], Check | None] = {}

    def violations(self, exchange: Exchange) -> list[str]:
        """What is wrong with a request that was accepted, and with its answer."""
        method, _, route = exchange.route.partition(" ")
        operation = self._operations.get((method, _shape(route)))
        if operation is None:
            return [] if exchange.status in (404, 405) else [f"{exchange.route}: Discord has no such route"]
        found = []
        if exchange.status < 400 and exchange.body is not None:
            check = self._request(exchange.route, operation)
            if check is None:
                found.append(f"{exchange.route}: takes no body")
            else:
                found += check(exchange.body, "request")
        answered = self._answer(exchange.route, exchange.status, operation)
        if answered is not None:
            found += answered(exchange.answer, "answer")
        elif exchange.answer is not None:
            found.append(f"{exchange.route}: {exchange.status} has no body")
        return [f"{exchange.route} ({exchange.status}): {fault}" for fault in found]

    def _request(self, route: str, operation: dict[str, Any]) -> Check | None:
        if route not in self._requests:
            content = operation.get("requestBody", {}).get("content", {})
            schema = content.get("application/json", {}).get("schema")
            self._requests[route] = self._compile(schema) if schema else None
        return self._requests[route]

    def _answer(self, route: str, status: int, operation: dict[str, Any]) -> Check | None:
        key = (route, status)
        if key not in self._answers:
            if status >= 400:  # the document gives nested error codes as numbers; Discord sends words
                self._answers[key] = _too_many if status == 429 else _error
            else:
                response = operation["responses"].get(str(status))
                if response is None:
                    self._answers[key] = lambda value, place: [f"{place}: status {status} is not foreseen"]
                else:
                    schema = response.get("content", {}).get("application/json", {}).get("schema")
                    self._answers[key] = self._compile(schema) if schema else None
        return self._answers[key]

    # -- compiling ------------------------------------------------------------------------------------------------------

    def _compile(self, schema: dict[str, Any]) -> Check:
        if "$ref" in schema:
            return self._named(schema["$ref"].rpartition("/")[2])
        checks = [make(self, schema) for key, make in _MAKERS.items() if key in schema]
        if len(checks) == 1:
            return checks[0]

        def all_of_them(value: Any, place: str) -> list[str]:
            for check in checks:
                faults = check(value, place)
                if faults:
                    return faults
            return []

        return all_of_them

    def _named(self, name: str) -> Check:
        """A named schema; compiled when first used, because schemas may contain themselves."""

        def check(value: Any, place: str) -> list[str]:
            if name == "SnowflakeType" and type(value) is int and place.startswith("request"):
                return []  # Discord reads ids as numbers too, and discord.py sends some so
            compiled = self._compiled.get(name)
            if compiled is None:
                compiled = self._compiled[name] = self._compile(self._schemas[name])
            return compiled(value, place)

        return check

    def _type(self, schema: dict[str, Any]) -> Check:
        names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        allowed = tuple(kind for name in names for kind in _TYPES[name])

        def check(value: Any, place: str) -> list[str]:
            if isinstance(value, allowed) and (not isinstance(value, bool) or bool in allowed):
                return []
            return [f"{place}: {value!r:.60} is not {' or '.join(names)}"]

        return check

    def _object(self, schema: dict[str, Any]) -> Check:
        properties = {name: self._compile(each) for name, each in schema.get("properties", {}).items()}
        required = schema.get("required", [])
        more = schema.get("additionalProperties")
        others = self._compile(more) if isinstance(more, dict) else None

        def check(value: Any, place: str) -> list[str]:
            if not isinstance(value, dict):
                return []
            faults = [f"{place}: {name} is missing" for name in required if name not in value]
            for name, item in value.items():
                known = properties.get(name)
                if known is not None:
                    faults += known(item, f"{place}.{name}")
                elif others is not None:
                    faults += others(item, f"{place}.{name}")
                elif more is False:
                    faults.append(f"{place}: {name} is unknown")
            return faults

        return check

    def _array(self, schema: dict[str, Any]) -> Check:
        items = self._compile(schema["items"]) if "items" in schema else None
        fewest, most = schema.get("minItems", 0), schema.get("maxItems")
        unique = schema.get("uniqueItems", False)

        def check(value: Any, place: str) -> list[str]:
            if not isinstance(value, list):
                return []
            if len(value) < fewest or (most is not None and len(value) > most):
                return [f"{place}: {len(value)} items, but {fewest} to {most} are allowed"]
            if unique and len({json.dumps(item, sort_keys=True) for item in value}) < len(value):
                return [f"{place}: an item stands twice"]
            faults: list[str] = []
            if items is not None:
                for index, item in enumerate(value):
                    faults += items(item, f"{place}[{index}]")
            return faults

        return check

    def _any(self, schemas: list[dict[str, Any]]) -> Check:
        """One of several. Those that state the `type` they are for are found by it."""
        by_type: dict[Any, Check] = {}
        others: list[Check] = []
        nullable = False
        for each in schemas:
            whole = self._schemas[each["$ref"].rpartition("/")[2]] if "$ref" in each else each
            kinds = whole.get("properties", {}).get("type", {}).get("enum")
            if whole.get("type") == "null":
                nullable = True
            elif kinds and "type" in whole.get("required", ()) and not set(kinds) & by_type.keys():
                by_type |= dict.fromkeys(kinds, self._compile(each))
            else:
                others.append(self._compile(each))

        def check(value: Any, place: str) -> list[str]:
            if value is None and nullable:
                return []
            if isinstance(value, dict) and by_type:
                fitting = by_type.get(value.get("type"))
                if fitting is not None:
                    faults = fitting(value, place)
                    if not faults or not others:
                        return faults
                elif not others:
                    return [f"{place}: type {value.get('type')!r} is not one of {sorted(by_type)}"]
            first: list[str] | None = None
            for other in others:
                faults = other(value, place)
                if not faults:
                    return []
                first = faults if first is None else first
            return first or [f"{place}: {value!r:.60} fits nothing"]

        return check

    def _all(self, schemas: list[dict[str, Any]]) -> Check:
        checks = [self._compile(each) for each in schemas]
        return lambda value, place: [fault for check in checks for fault in check(value, place)]

    @staticmethod
    def _string(schema: dict[str, Any]) -> Check:
        shortest, longest = schema.get("minLength", 0), schema.get("maxLength")
        pattern = re.compile(schema["pattern"]) if "pattern" in schema else None
        form = {"date-time": _DATE, "uri": _URI}.get(schema.get("format", ""))

        def check(value: Any, place: str) -> list[str]:
            if not isinstance(value, str):
                return []
            if len(value) < shortest or (longest is not None and len(value) > longest):
                return [f"{place}: {len(value)} characters, but {shortest} to {longest} are allowed"]
            if (pattern and not pattern.search(value)) or (form and not form.match(value)):
                return [f"{place}: {value!r:.60} has the wrong form"]
            return []

        return check

    @staticmethod
    def _number(schema: dict[str, Any]) -> Check:
        lowest, highest = schema.get("minimum"), schema.get("maximum")

        def check(value: Any, place: str) -> list[str]:
            if not isinstance(value, int | float) or isinstance(value, bool):
                return []
            if (lowest is not None and value < lowest) or (highest is not None and value > highest):
                return [f"{place}: {value} is not within {lowest} to {highest}"]
            return []

        return check

    @staticmethod
    def _enum(schema: dict[str, Any]) -> Check:
        allowed = schema["enum"] if "enum" in schema else [schema["const"]]

        def check(value: Any, place: str) -> list[str]:
            return [] if value in allowed else [f"{place}: {value!r:.60} is not one of {allowed}"]

        return check


def _first_of(*keys: str) -> Callable[[dict[str, Any]], str | None]:
    return lambda schema: next((key for key in keys if key in schema), None)


def _once(keys: tuple[str, ...], make: Callable[[OpenApi, dict[str, Any]], Check]) -> dict[str, Any]:
    """Makers that look at several keys are run for the first of them only."""
    first = _first_of(*keys)
    nothing: Check = lambda value, place: []  # noqa: E731 - a value, not a function to call by name

    def maker(key: str) -> Callable[[OpenApi, dict[str, Any]], Check]:
        return lambda api, schema: make(api, schema) if first(schema) == key else nothing

    return {key: maker(key) for key in keys}


_MAKERS: dict[str, Callable[[OpenApi, dict[str, Any]], Check]] = {
    "type": OpenApi._type,
    **_once(("enum", "const"), lambda api, schema: api._enum(schema)),
    **_once(("minLength", "maxLength", "pattern", "format"), lambda api, schema: api._string(schema)),
    **_once(("minimum", "maximum"), lambda api, schema: api._number(schema)),
    **_once(("properties", "required", "additionalProperties"), OpenApi._object),
    **_once(("items", "minItems", "maxItems", "uniqueItems"), OpenApi._array),
    "oneOf": lambda api, schema: api._any(schema["oneOf"]),
    "anyOf": lambda api, schema: api._any(schema["anyOf"]),
    "allOf": lambda api, schema: api._all(schema["allOf"]),
}


def _shape(path: str) -> str:
    return re.sub(r"\{[^}]*\}", "{}", path)


def _error(value: Any, place: str) -> list[str]:
    fits = isinstance(value, dict) and isinstance(value.get("code"), int) and isinstance(value.get("message"), str)
    return [] if fits else [f"{place}: {value!r:.60} is not an error object"]


def _too_many(value: Any, place: str) -> list[str]:
    fits = not _error(value, place) and isinstance(value.get("retry_after"), float | int) and "global" in value
    return [] if fits else [f"{place}: {value!r:.60} is not a rate limit answer"]


@functools.cache
def discord_openapi() -> OpenApi | None:
    """The judge, or None where the document is not at hand."""
    return OpenApi(json.loads(DOCUMENT.read_bytes())) if DOCUMENT.is_file() else None
