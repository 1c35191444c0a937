"""Errors: the stand-in's answers to a bad request, in Discord's own words, and its answers to a bad action on the page.

The bot reads an HTTP status, an error code, a message, and for an invalid body a tree with the errors of each field.
Source: Discord's documentation, "Opcodes and Status Codes" and "Reference" (error messages).
"""

from typing import Any

Json = dict[str, Any]
FieldPath = tuple[str | int, ...]
"""Where a value stands in a request body: ``("components", 0, "label")``."""

_NOT_A_DICTIONARY = "Only dictionaries may be used in a ModelType"


class InvalidAction(Exception):
    """A person's action on the page cannot be done. The text is shown to them."""


class ApiError(Exception):
    """An error response to the bot."""

    def __init__(self, status: int, code: int, message: str, **more: Any) -> None:
        super().__init__(f"{code}: {message}")
        self.status = status
        self.code = code
        self.body: Json = {"message": message, "code": code, **more}
        self.headers: dict[str, str] = {}


_STATUS_AND_MESSAGE = {
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
    10070: (404, "Unknown Guild Scheduled Event"),
    30003: (400, "Maximum number of pins reached for the channel (250)"),
    30008: (400, "Maximum number of emojis reached (2000)"),
    30038: (400, "Maximum number of uncompleted guild scheduled events reached (100)"),
    40005: (413, "Request entity too large"),
    40060: (400, "Interaction has already been acknowledged."),
    40067: (400, "A tag is required to create a forum post in this channel"),
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


def api_error(code: int) -> ApiError:
    """Return the error with this code and Discord's message for it."""
    status, message = _STATUS_AND_MESSAGE[code]
    return ApiError(status, code, message)


def unauthorized() -> ApiError:
    return ApiError(401, 0, "401: Unauthorized")


def invalid_field(path: FieldPath, code: str, message: str) -> ApiError:
    """Return a 50035 error for a body with one invalid field."""
    errors = FormErrors()
    errors.add(path, code, message)
    return errors.to_api_error()


class FormErrors:
    """Collects the invalid fields of a request body, so that one 50035 error names them all.

    The reading methods return a field's value. They note an error if the value is invalid.
    """

    def __init__(self) -> None:
        self._found: list[tuple[FieldPath, str, str]] = []

    # -- noting errors ------------------------------------------------------------------------------------------------

    def add(self, path: FieldPath, code: str, message: str) -> None:
        self._found.append((path, code, message))

    def add_missing(self, path: FieldPath) -> None:
        self.add(path, "BASE_TYPE_REQUIRED", "This field is required")

    def add_not_one_of(self, path: FieldPath, allowed: object) -> None:
        self.add(path, "BASE_TYPE_CHOICES", f"Value must be one of {allowed}.")

    def add_not_a_dictionary(self, path: FieldPath) -> None:
        self.add(path, "MODEL_TYPE_CONVERT", _NOT_A_DICTIONARY)

    def add_not_a_list(self, path: FieldPath) -> None:
        self.add(path, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")

    def add_too_long(self, path: FieldPath, maximum: int) -> None:
        self.add(path, "BASE_TYPE_MAX_LENGTH", f"Must be {maximum} or fewer in length.")

    def add_wrong_length(self, path: FieldPath, minimum: int, maximum: int) -> None:
        self.add(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {minimum} and {maximum} in length.")

    # -- reading fields -----------------------------------------------------------------------------------------------

    def text(
        self, source: Json, key: str, path: FieldPath, maximum: int, minimum: int = 0, *, required: bool = False
    ) -> str | None:
        """Return the text under `key`, or None if it is absent or not text. Lengths are in characters."""
        value = source.get(key)
        if type(value) is str and minimum <= len(value) <= maximum:
            return value
        if value is None:
            if required:
                self.add_missing((*path, key))
            return None
        if not isinstance(value, str):
            self.add((*path, key), "STRING_TYPE_CONVERT", "Could not interpret value as string.")
            return None
        if minimum:
            self.add_wrong_length((*path, key), minimum, maximum)
        else:
            self.add_too_long((*path, key), maximum)
        return value

    def integer(self, source: Json, key: str, path: FieldPath, minimum: int, maximum: int) -> int | None:
        """Return the whole number under `key`, or None if it is absent or not a whole number."""
        value = source.get(key)
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool):
            self.add((*path, key), "NUMBER_TYPE_COERCE", f'Value "{value}" is not int.')
            return None
        if value < minimum:
            self.add((*path, key), "NUMBER_TYPE_MIN", f"int value should be greater than or equal to {minimum}.")
        elif value > maximum:
            self.add((*path, key), "NUMBER_TYPE_MAX", f"int value should be less than or equal to {maximum}.")
        return value

    def dictionary(self, source: Json, key: str, path: FieldPath) -> Json:
        """Return the object under `key`, or an empty one if it is absent or not an object."""
        value = source.get(key)
        if value is None or isinstance(value, dict):
            return value or {}
        self.add_not_a_dictionary((*path, key))
        return {}

    def dictionaries(self, value: Any, path: FieldPath, minimum: int, maximum: int) -> list[tuple[FieldPath, Json]]:
        """Return the objects of a list with their paths; nothing if the list is too short or too long."""
        if not isinstance(value, list) or not minimum <= len(value) <= maximum:
            self.add_wrong_length(path, minimum, maximum)
            return []
        result: list[tuple[FieldPath, Json]] = []
        for index, item in enumerate(value):
            if isinstance(item, dict):
                result.append(((*path, index), item))
            else:
                self.add_not_a_dictionary((*path, index))
        return result

    # -- the result ---------------------------------------------------------------------------------------------------

    def raise_if_any(self) -> None:
        """Raise the collected errors.

        Raises:
            ApiError: 50035 "Invalid Form Body".
        """
        if self._found:
            raise self.to_api_error()

    def to_api_error(self) -> ApiError:
        tree: Json = {}
        for path, code, message in self._found:
            node = tree
            for step in path:
                node = node.setdefault(str(step), {})
            node.setdefault("_errors", []).append({"code": code, "message": message})
        return ApiError(400, 50035, "Invalid Form Body", errors=tree)
