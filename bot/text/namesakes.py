"""Names of players at one table: those who share a name are told apart by their seats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from bot.text import escape
from bot.text.language import message, t

_NAMESAKE = message("{name} (seat {number})")


def names_by_seat(players: Iterable[tuple[int, str]]) -> dict[int, str]:
    """Return the names of players by seat number, safe for markdown: ``Ann (seat 2)`` where two of them are called Ann."""
    names = dict(players)
    shared = len(set(names.values())) < len(names)
    counts = Counter(names.values()) if shared else {}
    return {
        number: t(_NAMESAKE, name=escape.name(name), number=number) if counts.get(name, 1) > 1 else escape.name(name)
        for number, name in names.items()
    }
