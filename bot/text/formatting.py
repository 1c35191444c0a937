"""Small pieces of formatting that every text uses."""

from __future__ import annotations

NBSP = "\u00a0"
"""A space at which a phone does not break the line."""


def relative_time(at: int) -> str:
    """A moment, counted by the reader's own client: ``in 24 seconds``, ``2 minutes ago``."""
    return f"<t:{at}:R>"


def shorten(text: str, max_length: int) -> str:
    """Shorten a text that is no markdown to `max_length` characters, with … at its end."""
    return text if len(text) <= max_length else text[: max_length - 1].rstrip() + "…"
