"""Small pieces of formatting that every text uses: moments, and words joined into one phrase, in the way of the reader's language."""

from __future__ import annotations

from collections.abc import Sequence

from bot.text.language import Message, message, t

NBSP = "\u00a0"
"""A space at which a phone does not break the line."""
_SEPARATOR = message(", ")  # Translators: stands between the parts of an enumeration: Ann, Bo, Cy
_TWO_OR = message("{first} or {last}")
_LAST_OR = message("{start}, or {last}")
_TWO_AND = message("{first} and {last}")
_LAST_AND = message("{start}, and {last}")


def relative_time(at: int) -> str:
    """A moment, counted by the reader's own client: ``in 24 seconds``, ``2 minutes ago``."""
    return f"<t:{at}:R>"


def relative_time_ms(at: int) -> str:
    """A moment in ms since the epoch, rounded up to the second, counted by the reader's own client."""
    return relative_time(-(-at // 1000))


def shorten(text: str, max_length: int) -> str:
    """Shorten a text that is no markdown to `max_length` characters, with … at its end."""
    return text if len(text) <= max_length else text[: max_length - 1].rstrip() + "…"


def join_or(words: Sequence[str]) -> str:
    """Join alternatives: ``fold or check``; ``fold, call 5, or raise``."""
    return _join(words, _TWO_OR, _LAST_OR)


def join_and(words: Sequence[str]) -> str:
    """Join what belongs together: ``Ann and Bo``; ``Ann, Bo, and Cy``."""
    return _join(words, _TWO_AND, _LAST_AND)


def join_list(words: Sequence[str]) -> str:
    """Join an enumeration without a last word: ``Ann, Bo, Cy``."""
    return t(_SEPARATOR).join(words)


def _join(words: Sequence[str], two: Message, last: Message) -> str:
    if len(words) <= 1:
        return "".join(words)
    if len(words) == 2:
        return t(two, first=words[0], last=words[1])
    return t(last, start=join_list(words[:-1]), last=words[-1])
