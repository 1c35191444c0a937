"""Where one bot has several dealers, the ids of what is pressed in a direct message say whose dealer has written them.

All direct messages, whatever server they are about, are delivered to one of them. In a server no mark is needed: its own dealer hears.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from bot.line.payloads import Raw

CUSTOM_ID_MAX = 100
_SIGN = "@"
_PRESSED = ("t:", "p:", "f:")
"""How the ids begin that come back as clicks; a form's fields have other ones."""


class SlotMark(Struct, frozen=True):
    """The mark of one dealer: the number of its slot."""

    number: int

    def on(self, data: Raw) -> Raw:
        """Return a message or form whose ids have the mark."""
        marked: Raw = _marked(data, f"{_SIGN}{self.number}")
        return marked


def _marked(value: Any, mark: str) -> Any:
    match value:
        case dict():
            return {
                key: one + mark if key == "custom_id" and _is_pressed(one, mark) else _marked(one, mark)
                for key, one in value.items()
            }
        case list() | tuple():
            return [_marked(one, mark) for one in value]
        case _:
            return value


def _is_pressed(custom_id: str, mark: str) -> bool:
    return custom_id.startswith(_PRESSED) and _SIGN not in custom_id and len(custom_id) + len(mark) <= CUSTOM_ID_MAX


def without_mark(custom_id: str) -> str:
    """Return an id as it was before it was marked."""
    return custom_id.partition(_SIGN)[0]


def slot_marked(custom_id: str) -> int | None:
    """Return the number of the slot whose dealer wrote an id; None where it does not say."""
    number = custom_id.partition(_SIGN)[2]
    return int(number) if number.isascii() and number.isdecimal() and len(number) <= 2 else None
