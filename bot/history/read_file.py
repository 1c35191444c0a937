"""Read a file that somebody gives: which of the forms it has, and every hand of it."""

import re
from collections.abc import Iterator
from enum import StrEnum

from bot.engine.errors import TableError
from bot.history.file_hands import FileHand, UnreadableHand, is_phhs, phh_hands
from bot.history.read_pokerstars import PokerStarsError, is_pokerstars, parse_pokerstars

MAX_BYTES = 4_000_000
"""A thousand hands of the largest games."""
_HEADER = re.compile(r"^\ufeff?PokerStars [^\n]*#\d", re.MULTILINE)


class FileKind(StrEnum):
    """The forms that are read."""

    PHH = "phh"
    POKERSTARS = "pokerstars"


class FileFault(StrEnum):
    """Why a whole file is not read."""

    EMPTY = "empty"
    TOO_LONG = "too long"
    NOT_TEXT = "not text"
    NO_HANDS = "no hands"


class FileUnreadable(TableError):
    """A file that holds no hands at all."""

    fault: FileFault


def decode_file(content: bytes) -> str:
    """Return the text of a file.

    Raises:
        FileUnreadable: it is empty, far too long, or no text.
    """
    if len(content) > MAX_BYTES:
        raise FileUnreadable(fault=FileFault.TOO_LONG)
    if not content.strip():
        raise FileUnreadable(fault=FileFault.EMPTY)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileUnreadable(fault=FileFault.NOT_TEXT) from error
    if "\0" in text:
        raise FileUnreadable(fault=FileFault.NOT_TEXT)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def file_kind(text: str) -> FileKind:
    """Return the form of a file.

    Raises:
        FileUnreadable: it is neither: no line of it looks like one of a hand.
    """
    if is_pokerstars(text):
        return FileKind.POKERSTARS
    if re.search(r"^[ \t]*(variant|actions|starting_stacks)[ \t]*=", text, re.MULTILINE) is None:
        raise FileUnreadable(fault=FileFault.NO_HANDS)
    return FileKind.PHH


def has_several_hands(text: str) -> bool:
    """Return whether a file has a form that can hold several hands: PHHS or PokerStars' text."""
    return is_pokerstars(text) or is_phhs(text)


def read_hands(text: str) -> Iterator[FileHand | UnreadableHand]:
    """Read every hand of a file, in its order.

    Raises:
        FileUnreadable: it holds none.
    """
    if file_kind(text) is FileKind.PHH:
        yield from phh_hands(text)
        return
    starts = [found.start() for found in _HEADER.finditer(text)]
    line = 1
    at = 0
    for number, start in enumerate(starts):
        line += text.count("\n", at, start)
        at = start
        end = starts[number + 1] if number + 1 < len(starts) else len(text)
        try:
            yield parse_pokerstars(text[start:end].rstrip().split("\n"), line)
        except PokerStarsError as error:
            yield UnreadableHand(error.line, error)
