"""Names as people chose them, made fit for a picture: nothing that overlaps, hides, turns the line round, or cannot be drawn."""

import unicodedata
from functools import lru_cache

from bot.pictures.coverage import Weight, font_for

NAME_MAX = 32
"""Discord's own limit for a display name, in characters. NFKC can make more of them."""

BLANKS = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that are called letters or signs, and show nothing."""

FREE_MARKS = ((0x0300, 0x036F), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF), (0xFE20, 0xFE2F))
"""Marks that go on any letter. NFKC has joined the usual ones to their letters, so that one more is enough."""

STRIKES = frozenset({0, 1})
"""The combining classes of free marks that enclose a letter or strike it through."""


@lru_cache(maxsize=2048)
def clean_name(name: str) -> str:
    """Return a name as a picture shows it; empty if it has no letter or number that our fonts can draw.

    Compatible forms are made plain (NFKC), which turns 𝓐𝓷𝓷 into Ann. Emojis and other signs, control and invisible
    characters, marks above marks, and changes of writing direction are left out. Spaces become one.
    """
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFKC", name)[: 4 * NAME_MAX]:
        kind = unicodedata.category(character)
        if kind.startswith("Z") or kind == "Cc":
            kept.append(" ")
            marks = 0
        elif kind.startswith("M"):
            marks += 1
            if kept and kept[-1] != " " and marks <= _marks_allowed(character) and _is_drawn(character):
                kept.append(character)
        elif kind[0] in "LNP" or kind in {"Sm", "Sc", "Sk"}:
            marks = 0
            if character not in BLANKS and _is_drawn(character):
                kept.append(character)
    cleaned = " ".join("".join(kept).split())[:NAME_MAX].rstrip()
    return cleaned if any(unicodedata.category(character)[0] in "LN" for character in cleaned) else ""


def _marks_allowed(mark: str) -> int:
    """Return how many marks in a row a letter bears with this one: Thai, Hindi and Arabic need two of their own."""
    if not any(first <= ord(mark) <= last for first, last in FREE_MARKS):
        return 2
    return 0 if unicodedata.combining(mark) in STRIKES else 1


def _is_drawn(character: str) -> bool:
    return font_for(character, Weight.BOLD) is not None
