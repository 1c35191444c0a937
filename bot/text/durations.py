"""Lengths of time and ordinal numbers, in the reader's language."""

from __future__ import annotations

from bot.text.language import message, plural, t

_SECONDS = message("{count:,} s")
_MINUTES = message("{count:,} min")
_HOURS = message("{count:,} h")
_DAYS = plural("{count:,} day", "{count:,} days")

_FIRST = message("{number:,}st")  # Translators: a rank that ends in 1, but not in 11: 1st, 21st
_SECOND = message("{number:,}nd")  # Translators: a rank that ends in 2, but not in 12: 2nd, 22nd
_THIRD = message("{number:,}rd")  # Translators: a rank that ends in 3, but not in 13: 3rd, 23rd
_OTHER = message("{number:,}th")  # Translators: every other rank: 4th, 11th


def duration(seconds: int) -> str:
    """A time in the largest unit that is exact: ``30 s``, ``2 min``, ``8 h``, ``3 days``."""
    if seconds and seconds % 86_400 == 0:
        return t(_DAYS, count=seconds // 86_400)
    if seconds and seconds % 3600 == 0:
        return t(_HOURS, count=seconds // 3600)
    if seconds and seconds % 60 == 0:
        return t(_MINUTES, count=seconds // 60)
    return t(_SECONDS, count=seconds)


def ordinal(number: int) -> str:
    """A rank: ``1st``, ``2nd``, ``11th``."""
    if 10 <= number % 100 <= 20:
        return t(_OTHER, number=number)
    return t({1: _FIRST, 2: _SECOND, 3: _THIRD}.get(number % 10, _OTHER), number=number)
