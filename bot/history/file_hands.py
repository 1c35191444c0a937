"""Hands of a file, one by one: PHH, PHHS (several hands in one file, under ``[1]``, ``[2]`` …) and PokerStars' text.

A hand that cannot be read leaves the others alone. Every fault, and every action, has the number of its line, so that people find it.

By PHH 0.1, "PHHS".
"""

import re
from collections.abc import Iterator

from msgspec import Struct

from bot.engine.errors import TableError
from bot.engine.options.values import Limit
from bot.history import phh


class FileHand(Struct, frozen=True):
    """A hand as a file has it.

    Attributes:
        record: the hand.
        lines: by action of `record.best_actions`, the number of its line; 0 where that is not known.
        limit: the betting limit, where it is not the one that the game's name stands for.
        line: the number of the hand's first line.
    """

    record: phh.RecordedHand
    lines: tuple[int, ...] = ()
    limit: Limit | None = None
    line: int = 1

    def line_of(self, action_number: int) -> int:
        """Return the line of an action, counted from 1; 0 where it is not known."""
        return self.lines[action_number - 1] if 0 < action_number <= len(self.lines) else 0


class UnreadableHand(Struct, frozen=True):
    """A part of a file that is no hand. `line` is where; `action_number` is the action at fault, or 0."""

    line: int
    error: TableError
    action_number: int = 0


_SECTION = re.compile(r"^[ \t]*\[[ \t]*[\"']?(\d{1,9})[\"']?[ \t]*\][ \t]*(?:#.*)?$", re.MULTILINE)
_ACTIONS = re.compile(r"^[ \t]*(_filled_actions|actions)[ \t]*=[ \t]*\[", re.MULTILINE)
_TOKEN = re.compile(r"'[^'\n]*'|\"(?:[^\"\\\n]|\\.)*\"|#[^\n]*|\]|\n")


def is_phhs(text: str) -> bool:
    """Return whether a text has hands under numbers."""
    return _SECTION.search(text) is not None


def phh_hands(text: str) -> Iterator[FileHand | UnreadableHand]:
    """Read the hands of a PHH or PHHS file."""
    starts = list(_SECTION.finditer(text))
    if not starts:
        yield _phh_hand(text, 1)
        return
    if text[: starts[0].start()].strip():
        head = text[: starts[0].start()]
        if not all(line.strip().startswith("#") or not line.strip() for line in head.splitlines()):
            yield _phh_hand(head, 1)
    line = 1
    at = 0
    for number, start in enumerate(starts):
        end = starts[number + 1].start() if number + 1 < len(starts) else len(text)
        line += text.count("\n", at, start.end())
        at = start.end()
        yield _phh_hand(text[start.end() : end], line)


def _phh_hand(text: str, first_line: int) -> FileHand | UnreadableHand:
    try:
        record = phh.parse(text)
    except phh.PhhError as error:
        return UnreadableHand(_line_of_error(text, error, first_line), error, error.action_number or 0)
    name = "actions" if record.filled_actions is None else "_filled_actions"
    lines = [line for line, action in _entries(text, name, first_line) if action]
    return FileHand(record, tuple(lines) if len(lines) == len(record.best_actions) else (), line=first_line)


def _line_of_error(text: str, error: phh.PhhError, first_line: int) -> int:
    if error.fault is phh.PhhFault.NOT_TOML_FROM_LINE:
        return first_line + int(error.detail) - 1
    if error.action_number is not None:
        entries = _entries(text, error.field, first_line)
        if error.action_number <= len(entries):
            return entries[error.action_number - 1][0]
    found = re.search(rf"^[ \t]*{re.escape(error.field)}[ \t]*=", text, re.MULTILINE) if error.field else None
    return first_line + (text.count("\n", 0, found.start()) if found is not None else 0)


def _entries(text: str, name: str, first_line: int) -> list[tuple[int, bool]]:
    """Return the line of each entry of a list of actions, and whether it is an action and not a comment alone."""
    start = next((found for found in _ACTIONS.finditer(text) if found[1] == name), None)
    if start is None:
        return []
    line, found = first_line + text.count("\n", 0, start.end()), []
    for token in _TOKEN.finditer(text, start.end()):
        if token[0] == "]":
            break
        if token[0] == "\n":
            line += 1
        elif token[0][0] in "'\"":
            found.append((line, bool(token[0][1:-1].partition("#")[0].strip())))
    return found
