"""Refusals in Discord's own words: HTTP status, error code, message, and the nested list of wrong fields.

Source: Discord's error code table and the shape of its "Invalid Form Body" answers.
"""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]
Path = tuple[str | int, ...]


class ApiError(Exception):
    """An answer other than success, as it goes over the wire."""

    def __init__(self, status: int, code: int, message: str, **more: Any) -> None:
        super().__init__(f"{code}: {message}")
        self.status = status
        self.code = code
        self.body: Json = {"message": message, "code": code, **more}
        self.headers: dict[str, str] = {}


_TABLE = {
    0: (404, "404: Not Found"),
    10002: (404, "Unknown Application"),
    10003: (404, "Unknown Channel"),
    10004: (404, "Unknown Guild"),
    10007: (404, "Unknown Member"),
    10008: (404, "Unknown Message"),
    10011: (404, "Unknown Role"),
    10013: (404, "Unknown User"),
    10014: (404, "Unknown Emoji"),
    10015: (404, "Unknown Webhook"),
    10062: (404, "Unknown interaction"),
    10063: (404, "Unknown application command"),
    30003: (400, "Maximum number of pins reached for the channel (250)"),
    30008: (400, "Maximum number of emojis reached (2000)"),
    40005: (413, "Request entity too large"),
    40060: (400, "Interaction has already been acknowledged."),
    50001: (403, "Missing Access"),
    50003: (403, "Cannot execute action on a DM channel"),
    50005: (403, "Cannot edit a message authored by another user"),
    50006: (400, "Cannot send an empty message"),
    50007: (403, "Cannot send messages to this user"),
    50013: (403, "Missing Permissions"),
    50024: (403, "Cannot execute action on this channel type"),
    50027: (401, "Invalid Webhook Token"),
    50083: (400, "Thread is archived"),
    50109: (400, "The request body contains invalid JSON."),
    160004: (400, "A thread has already been created for this message"),
}


def refuse(code: int) -> ApiError:
    """The refusal with this code, worded as Discord words it."""
    status, message = _TABLE[code]
    return ApiError(status, code, message)


def unauthorized() -> ApiError:
    return ApiError(401, 0, "401: Unauthorized")


class FormErrors:
    """What is wrong with a request body, collected field by field and refused together (50035)."""

    def __init__(self) -> None:
        self._found: list[tuple[Path, str, str]] = []

    def add(self, path: Path, code: str, message: str) -> None:
        self._found.append((path, code, message))

    def required(self, path: Path) -> None:
        self.add(path, "BASE_TYPE_REQUIRED", "This field is required")

    def choice(self, path: Path, allowed: object) -> None:
        self.add(path, "BASE_TYPE_CHOICES", f"Value must be one of {allowed}.")

    def too_long(self, path: Path, longest: int) -> None:
        self.add(path, "BASE_TYPE_MAX_LENGTH", f"Must be {longest} or fewer in length.")

    def bad_length(self, path: Path, shortest: int, longest: int) -> None:
        self.add(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {shortest} and {longest} in length.")

    def text(
        self, source: Json, key: str, path: Path, longest: int, shortest: int = 0, *, required: bool = False
    ) -> str | None:
        """The text under `key`, or None where it is absent or wrong (which is then noted)."""
        value = source.get(key)
        if type(value) is str and shortest <= len(value) <= longest:
            return value
        if value is None:
            if required:
                self.required((*path, key))
            return None
        if not isinstance(value, str):
            self.add((*path, key), "STRING_TYPE_CONVERT", "Could not interpret value as string.")
            return None
        if shortest:
            self.bad_length((*path, key), shortest, longest)
        else:
            self.too_long((*path, key), longest)
        return value

    def number(self, source: Json, key: str, path: Path, lowest: int, highest: int) -> int | None:
        """The whole number under `key`, or None where it is absent or wrong (which is then noted)."""
        value = source.get(key)
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool):
            self.add((*path, key), "NUMBER_TYPE_COERCE", f'Value "{value}" is not int.')
            return None
        if value < lowest:
            self.add((*path, key), "NUMBER_TYPE_MIN", f"int value should be greater than or equal to {lowest}.")
        elif value > highest:
            self.add((*path, key), "NUMBER_TYPE_MAX", f"int value should be less than or equal to {highest}.")
        return value

    def part(self, source: Json, key: str, path: Path) -> Json:
        """The object under `key`; an empty one where it is absent or wrong (which is then noted)."""
        value = source.get(key)
        if value is None or isinstance(value, dict):
            return value or {}
        self.add((*path, key), "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType")
        return {}

    def objects(self, value: Any, path: Path, fewest: int, most: int) -> list[tuple[Path, Json]]:
        """The objects in a list, each with its place; what is wrong with the list or an item is noted."""
        if not isinstance(value, list) or not fewest <= len(value) <= most:
            self.bad_length(path, fewest, most)
            return []
        result: list[tuple[Path, Json]] = []
        for index, item in enumerate(value):
            if isinstance(item, dict):
                result.append(((*path, index), item))
            else:
                self.add((*path, index), "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType")
        return result

    def check(self) -> None:
        """Refuse the body if anything was wrong with it.

        Raises:
            ApiError: 50035 "Invalid Form Body", with every fault at its place.
        """
        if self._found:
            raise self.refusal()

    def refusal(self) -> ApiError:
        tree: Json = {}
        for path, code, message in self._found:
            node = tree
            for step in path:
                node = node.setdefault(str(step), {})
            node.setdefault("_errors", []).append({"code": code, "message": message})
        return ApiError(400, 50035, "Invalid Form Body", errors=tree)


def wrong(path: Path, code: str, message: str) -> ApiError:
    """A body with one fault."""
    faults = FormErrors()
    faults.add(path, code, message)
    return faults.refusal()
