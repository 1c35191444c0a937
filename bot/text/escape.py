"""Names and texts that people chose, made harmless: no markdown, no mention, no line break, nothing invisible or endless.

Players at one table who share a name are told apart by their seats.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType

from bot.text.language import Language, current, message, t

NAME_MAX = 32
"""Characters of a name that are shown; Discord's own limit for display names."""
TEXT_MAX = 300
MARKS_MAX = 2
"""Combining marks kept on one letter: enough for every living script, too few for a tower."""

_UNNAMED = message("someone")  # Translators: stands for a name that has no visible letter
_NAMESAKE = message("{name} (seat {number})")
FORMER_PLAYER = message("a former player")  # Translators: stands for somebody who had their data deleted
JOINERS = "\u200c\u200d"  # needed inside words of Persian and of Indian scripts, and inside emojis
ISOLATE, POP_ISOLATE = "\u2068", "\u2069"
WORD_BREAK = "\u200b"

_MARKDOWN = re.compile(r"([\\*_~`|\[\]<>#:()])")
_LIST_NUMBER = re.compile(r"^(\d+)([.)])")
_LINE_START = re.compile(r"^([-+])")
_SIZELESS = frozenset(
    "\u115f\u1160\u3164\uffa0\u2800\u00ad\u034f\u17b4\u17b5\u180e"
)  # letters and signs that draw nothing


def name(raw: str) -> str:
    """Make a display or table name safe inside one line of markdown, in bold or not."""
    return _safe_name(raw) or t(_UNNAMED if raw else FORMER_PLAYER)


def plain_name(raw: str, max_length: int = NAME_MAX) -> str:
    """Make a display name safe in one line of a text without markdown, such as the description of a picture."""
    return _plain_name(raw, max_length) or t(_UNNAMED if raw else FORMER_PLAYER)


@lru_cache(maxsize=8192)
def _plain_name(raw: str, max_length: int) -> str:
    return _isolated(_cleaned(raw, max_length))


@lru_cache(maxsize=8192)
def _safe_name(raw: str) -> str:
    """The name, the same in every language; "" where nothing of it can be seen."""
    return _isolated(_escaped(_cleaned(raw, NAME_MAX)))


def text(raw: str, max_length: int = TEXT_MAX) -> str:
    """Make a longer text (a reason, an amount that cannot be read) safe inside one line of markdown."""
    return _isolated(_escaped(_cleaned(raw, max_length)))


def _cleaned(raw: str, max_length: int) -> str:
    """Remove what is invisible or endless, make every gap one space, and cut to `max_length` characters."""
    kept: list[str] = []
    marks = 0
    composed = unicodedata.normalize("NFC", raw[: max_length * 16])  # a tower of marks must not cost time
    for at, char in enumerate(composed):
        kind = unicodedata.category(char)
        if kind in {"Mn", "Me", "Mc"} and char not in _SIZELESS:
            marks += 1
            if marks <= MARKS_MAX and kept and kept[-1] != " ":
                kept.append(char)
            continue
        if char in JOINERS:
            if kept and _joins(kept[-1]) and at + 1 < len(composed) and _joins(composed[at + 1]):
                kept.append(char)
            continue
        marks = 0
        if kind[0] == "Z" or char in "\t\n\r\x0b\x0c\x85":
            if kept and kept[-1] != " ":
                kept.append(" ")
        elif kind[0] != "C" and char not in _SIZELESS:
            kept.append(char)
    cleaned = "".join(kept).strip()
    if len(cleaned) <= max_length:
        return cleaned
    return cleaned[: max_length - 1].rstrip(" " + JOINERS) + "…"


def _joins(char: str) -> bool:
    """Whether a joiner has an effect beside this character: emojis and letters beyond Latin, Greek and Cyrillic are joined."""
    return (ord(char) >= 0x590 and unicodedata.category(char)[0] in "LM") or unicodedata.category(char) in {"So", "Sk"}


def _escaped(cleaned: str) -> str:
    safe = _MARKDOWN.sub(r"\\\1", cleaned)
    safe = _LIST_NUMBER.sub(r"\1\\\2", safe)
    safe = _LINE_START.sub(r"\\\1", safe)
    return safe.replace("@", "@" + WORD_BREAK)


def _isolated(safe: str) -> str:
    """Keep a name written from right to left from turning the numbers beside it around."""
    if safe.isascii() or not any(unicodedata.bidirectional(char) in {"R", "AL", "AN"} for char in safe):
        return safe
    return ISOLATE + safe + POP_ISOLATE


def names_by_seat(players: Iterable[tuple[int, str]]) -> Mapping[int, str]:
    """Return the names of players by seat number, safe for markdown: ``Ann (seat 2)`` where two of them are called Ann."""
    return _names_by_seat(current(), tuple(players))


@lru_cache(maxsize=1024)
def _names_by_seat(_language: Language, players: tuple[tuple[int, str], ...]) -> Mapping[int, str]:
    """A table's names are written again at every redraw: it is one look here."""
    names = dict(players)
    counts = Counter(names.values())
    return MappingProxyType(
        {
            number: t(_NAMESAKE, name=name(raw), number=number) if counts[raw] > 1 else name(raw)
            for number, raw in names.items()
        }
    )
