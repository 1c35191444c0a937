"""Check the bot's requests and the stand-in's answers against Discord's own OpenAPI document.

The document is large, so each schema is compiled into functions once, when it is first needed. If a value can match
several schemas that name their `type`, only the schema of its type is tried.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable
from typing import Any

import msgspec

from bot.local.rest_server import RequestRecord
from tests.support.data import DISCORD_API

Check = Callable[[Any, str], "list[str]"]  # (value, its path) → the errors in it

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
    """Discord's OpenAPI document. Its schemas are compiled when they are needed."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._schemas: dict[str, Any] = document["components"]["schemas"]
        self._compiled: dict[str, Check] = {}
        self._operations: dict[tuple[str, str], dict[str, Any]] = {}
        for route, methods in document["paths"].items():
            for method, operation in methods.items():
                if method in ("get", "put", "post", "patch", "delete"):
                    self._operations[method.upper(), _without_names(route)] = operation
        self._right: set[tuple[str, bytes]] = set()
        self._right_objects: set[tuple[str, bool, int]] = set()
        self._request_checks: dict[str, Check | None] = {}
        self._response_checks: dict[tuple[str, int], Check | None] = {}

    def violations(self, record: RequestRecord) -> list[str]:
        """Return the errors in a request that was accepted, and in the answer to any request."""
        method, _, route = record.route.partition(" ")
        operation = self._operations.get((method, _without_names(route)))
        if operation is None:
            return [] if record.status in (404, 405) else [f"{record.route}: Discord has no such route"]
        found = []
        if record.status < 400 and record.request_body is not None:
            check = self._request_check(record.route, operation)
            if check is None:
                found.append(f"{record.route} takes no body")
            else:
                found += self._request_errors(record, check)
        check_response = self._response_check(record.route, record.status, operation)
        if check_response is not None:
            found += check_response(record.response_body, "answer")
        elif record.response_body is not None:
            found.append(f"{record.route}: an answer {record.status} has no body")
        return [f"{record.route} ({record.status}): {error}" for error in found]

    def _request_errors(self, record: RequestRecord, check: Check) -> list[str]:
        """Return the errors in a request. Every start sends the same commands again: what was right is looked at once."""
        sent = record.route, msgspec.json.encode(record.request_body)
        if sent in self._right:
            return []
        errors = check(record.request_body, "request")
        if not errors:
            self._right.add(sent)
        return errors

    def _request_check(self, route: str, operation: dict[str, Any]) -> Check | None:
        if route not in self._request_checks:
            content = operation.get("requestBody", {}).get("content", {})
            schema = content.get("application/json", {}).get("schema")
            self._request_checks[route] = self._compile(schema) if schema else None
        return self._request_checks[route]

    def _response_check(self, route: str, status: int, operation: dict[str, Any]) -> Check | None:
        key = (route, status)
        if key not in self._response_checks:
            if status >= 400:  # the document has nested error codes as numbers, but Discord sends texts
                self._response_checks[key] = _rate_limit_errors if status == 429 else _error_object_errors
            else:
                response = operation["responses"].get(str(status))
                if response is None:
                    self._response_checks[key] = lambda value, path: [f"{path}: status {status} is not in the document"]
                else:
                    schema = response.get("content", {}).get("application/json", {}).get("schema")
                    self._response_checks[key] = self._compile(schema) if schema else None
        return self._response_checks[key]

    # -- compiling ------------------------------------------------------------------------------------------------------

    def _compile(self, schema: dict[str, Any]) -> Check:
        if "$ref" in schema:
            return self._reference(schema["$ref"].rpartition("/")[2])
        checks = [make(self, schema) for key, make in _CHECK_MAKERS.items() if key in schema]
        if len(checks) == 1:
            return checks[0]

        def check_all(value: Any, path: str) -> list[str]:
            for check in checks:
                errors = check(value, path)
                if errors:
                    return errors
            return []

        return check_all

    def _reference(self, name: str) -> Check:
        """Return the check of a named schema. It is compiled when it is first used, since schemas can be recursive.

        What was right is looked at once: most of a message is as it was in another, from its author to its buttons.
        """

        def check(value: Any, path: str) -> list[str]:
            if name == "SnowflakeType" and type(value) is int and path.startswith("request"):
                return []  # Discord also accepts ids as numbers, and discord.py sends some that way
            compiled = self._compiled.get(name)
            if compiled is None:
                compiled = self._compiled[name] = self._compile(self._schemas[name])
            if type(value) is not dict:
                return compiled(value, path)
            written = name, path.startswith("request"), hash(msgspec.json.encode(value))
            if written in self._right_objects:
                return []
            errors = compiled(value, path)
            if not errors:
                self._right_objects.add(written)
            return errors

        return check

    def _type(self, schema: dict[str, Any]) -> Check:
        names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        allowed = tuple(kind for name in names for kind in _TYPES[name])

        def check(value: Any, path: str) -> list[str]:
            if isinstance(value, allowed) and (not isinstance(value, bool) or bool in allowed):
                return []
            return [f"{path}: {value!r:.60} is not {' or '.join(names)}"]

        return check

    def _object(self, schema: dict[str, Any]) -> Check:
        properties = {name: self._compile(each) for name, each in schema.get("properties", {}).items()}
        required = schema.get("required", [])
        additional = schema.get("additionalProperties")
        other_checks = self._compile(additional) if isinstance(additional, dict) else None

        def check(value: Any, path: str) -> list[str]:
            if not isinstance(value, dict):
                return []
            errors = [f"{path}: {name} is missing" for name in required if name not in value]
            for name, item in value.items():
                known = properties.get(name)
                if known is not None:
                    errors += known(item, f"{path}.{name}")
                elif other_checks is not None:
                    errors += other_checks(item, f"{path}.{name}")
                elif additional is False:
                    errors.append(f"{path}: {name} is unknown")
            return errors

        return check

    def _array(self, schema: dict[str, Any]) -> Check:
        items = self._compile(schema["items"]) if "items" in schema else None
        minimum, maximum = schema.get("minItems", 0), schema.get("maxItems")
        unique = schema.get("uniqueItems", False)

        def check(value: Any, path: str) -> list[str]:
            if not isinstance(value, list):
                return []
            if len(value) < minimum or (maximum is not None and len(value) > maximum):
                return [f"{path}: {len(value)} items, but {minimum} to {maximum} are allowed"]
            if unique and len({json.dumps(item, sort_keys=True) for item in value}) < len(value):
                return [f"{path}: an item occurs twice"]
            errors: list[str] = []
            if items is not None:
                for index, item in enumerate(value):
                    errors += items(item, f"{path}[{index}]")
            return errors

        return check

    def _one_of(self, schemas: list[dict[str, Any]]) -> Check:
        """Return a check that one of several schemas must pass. Schemas that name their `type` are found by it."""
        by_type: dict[Any, Check] = {}
        other_checks: list[Check] = []
        nullable = False
        for each in schemas:
            whole = self._schemas[each["$ref"].rpartition("/")[2]] if "$ref" in each else each
            kinds = whole.get("properties", {}).get("type", {}).get("enum")
            if whole.get("type") == "null":
                nullable = True
            elif kinds and "type" in whole.get("required", ()) and not set(kinds) & by_type.keys():
                by_type |= dict.fromkeys(kinds, self._compile(each))
            else:
                other_checks.append(self._compile(each))

        def check(value: Any, path: str) -> list[str]:
            if value is None and nullable:
                return []
            if isinstance(value, dict) and by_type:
                matching = by_type.get(value.get("type"))
                if matching is not None:
                    errors = matching(value, path)
                    if not errors or not other_checks:
                        return errors
                elif not other_checks:
                    return [f"{path}: type {value.get('type')!r} is not one of {sorted(by_type)}"]
            first: list[str] | None = None
            for other in other_checks:
                errors = other(value, path)
                if not errors:
                    return []
                first = errors if first is None else first
            return first or [f"{path}: {value!r:.60} matches no schema"]

        return check

    def _all(self, schemas: list[dict[str, Any]]) -> Check:
        checks = [self._compile(each) for each in schemas]
        return lambda value, path: [error for check in checks for error in check(value, path)]

    @staticmethod
    def _string(schema: dict[str, Any]) -> Check:
        minimum, maximum = schema.get("minLength", 0), schema.get("maxLength")
        pattern = re.compile(schema["pattern"]) if "pattern" in schema else None
        format_pattern = {"date-time": _DATE, "uri": _URI}.get(schema.get("format", ""))

        def check(value: Any, path: str) -> list[str]:
            if not isinstance(value, str):
                return []
            if len(value) < minimum or (maximum is not None and len(value) > maximum):
                return [f"{path}: {len(value)} characters, but {minimum} to {maximum} are allowed"]
            if (pattern and not pattern.search(value)) or (format_pattern and not format_pattern.match(value)):
                return [f"{path}: {value!r:.60} has the wrong format"]
            return []

        return check

    @staticmethod
    def _number(schema: dict[str, Any]) -> Check:
        minimum, maximum = schema.get("minimum"), schema.get("maximum")

        def check(value: Any, path: str) -> list[str]:
            if not isinstance(value, int | float) or isinstance(value, bool):
                return []
            if (minimum is not None and value < minimum) or (maximum is not None and value > maximum):
                return [f"{path}: {value} is not within {minimum} to {maximum}"]
            return []

        return check

    @staticmethod
    def _enum(schema: dict[str, Any]) -> Check:
        allowed = schema["enum"] if "enum" in schema else [schema["const"]]

        def check(value: Any, path: str) -> list[str]:
            return [] if value in allowed else [f"{path}: {value!r:.60} is not one of {allowed}"]

        return check


def _first_of(*keys: str) -> Callable[[dict[str, Any]], str | None]:
    return lambda schema: next((key for key in keys if key in schema), None)


def _make_once(keys: tuple[str, ...], make: Callable[[OpenApi, dict[str, Any]], Check]) -> dict[str, Any]:
    """Return makers for keys that one check covers together. Only the maker of the first key makes the check."""
    first = _first_of(*keys)
    no_check: Check = lambda value, path: []  # noqa: E731 - a value, not a function to call by name

    def maker(key: str) -> Callable[[OpenApi, dict[str, Any]], Check]:
        return lambda api, schema: make(api, schema) if first(schema) == key else no_check

    return {key: maker(key) for key in keys}


_CHECK_MAKERS: dict[str, Callable[[OpenApi, dict[str, Any]], Check]] = {
    "type": OpenApi._type,
    **_make_once(("enum", "const"), lambda api, schema: api._enum(schema)),
    **_make_once(("minLength", "maxLength", "pattern", "format"), lambda api, schema: api._string(schema)),
    **_make_once(("minimum", "maximum"), lambda api, schema: api._number(schema)),
    **_make_once(("properties", "required", "additionalProperties"), OpenApi._object),
    **_make_once(("items", "minItems", "maxItems", "uniqueItems"), OpenApi._array),
    "oneOf": lambda api, schema: api._one_of(schema["oneOf"]),
    "anyOf": lambda api, schema: api._one_of(schema["anyOf"]),
    "allOf": lambda api, schema: api._all(schema["allOf"]),
}


@functools.cache
def _without_names(path: str) -> str:
    """Replace ``{channel.id}`` by ``{}``, since the document and the stand-in name parameters differently."""
    return re.sub(r"\{[^}]*\}", "{}", path)


def _error_object_errors(value: Any, path: str) -> list[str]:
    is_valid = isinstance(value, dict) and isinstance(value.get("code"), int) and isinstance(value.get("message"), str)
    return [] if is_valid else [f"{path}: {value!r:.60} is not an error object"]


def _rate_limit_errors(value: Any, path: str) -> list[str]:
    is_valid = (
        not _error_object_errors(value, path)
        and isinstance(value.get("retry_after"), float | int)
        and "global" in value
    )
    return [] if is_valid else [f"{path}: {value!r:.60} is not a rate limit answer"]


@functools.cache
def discord_openapi() -> OpenApi:
    """Return Discord's document, which is read once."""
    return OpenApi(json.loads(DISCORD_API.read_bytes()))
