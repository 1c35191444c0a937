"""The catalogue of refusals: what every `TableError` says to people, and the law book's one-line form for logs, tests and the shell.

A refusal says what was wrong, what is legal now, that nothing changed, and names its law in small print. No blame, no exclamation
marks, chips and never money.

Source: ui §6, style §5, laws 0.3.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine.errors import LawError, TableError
from bot.laws import UnknownLaw
from bot.laws import law as law_of
from bot.render.legal_words import you_may, you_may_list
from bot.render.panel import FINISHED, Panel, Text
from bot.render.words_games import explain_games
from bot.render.words_hand import explain_hand
from bot.render.words_house import explain_house
from bot.render.words_runtime import OLD_BUTTON, explain_runtime
from bot.render.words_table import explain_table

OLD = f"{OLD_BUTTON}\n-# Law TL-35"
"""A button that nobody knows any more is a stale one (TL-35)."""
FALLBACK = "That is not possible right now. Nothing has changed."
NOT_SEATED = "You are not at this table. Use **Take a seat** first."
BROKEN = "Something went wrong on our side. Nothing has changed, and it has been noted."

NOBODY: Mapping[int, str] = {}


def explain(error: TableError, names: Mapping[int, str] = NOBODY) -> str:
    """Say what was wrong, what is legal, that nothing changed. `names` are markdown-safe, by table seat."""
    return (
        explain_hand(error, names)
        or explain_table(error, names)
        or explain_house(error)
        or explain_games(error)
        or explain_runtime(error)
        or FALLBACK
    )


def law_line(error: TableError) -> str:
    """Name the law in small print, ``-# Law B-8``; empty for a refusal that rests on none."""
    return f"-# Law {error.law}" if isinstance(error, LawError) and error.law else ""


def refusal_text(error: TableError, names: Mapping[int, str] = NOBODY) -> str:
    """The whole refusal as markdown."""
    line = law_line(error)
    return explain(error, names) + (f"\n{line}" if line else "")


def refusal(error: TableError, names: Mapping[int, str] = NOBODY) -> Panel:
    """The whole refusal as a message, for the player alone."""
    return Panel(FINISHED, (Text(refusal_text(error, names)),))


def notice(text: str) -> Panel:
    """A plain private answer in the look of the others."""
    return Panel(FINISHED, (Text(text),))


def one_line(error: TableError) -> str:
    """Print a refusal as laws 0.3 has it.

    ``Law B-8 (raise): you put in 4; you owe 5 to call and at least 1 more to raise. You may: drop, call 5, raise to 12..24.``
    """
    if not isinstance(error, LawError):
        words = str(error).strip().rstrip(".") or type(error).__name__
        return f"{words[:1].upper()}{words[1:]}."
    line = f"Law {error.law} ({law_title(error.law)}): {error.why}."
    may = you_may_list(error.legal)
    return f"{line} {may}" if may else line


def law_title(id_: str) -> str:
    """The law's title inside a sentence: ``raise``; the id itself where the book has no such law."""
    try:
        title = law_of(id_).title
    except UnknownLaw:
        return id_
    return title[:1].lower() + title[1:]


__all__ = [
    "BROKEN",
    "FALLBACK",
    "NOT_SEATED",
    "OLD",
    "OLD_BUTTON",
    "explain",
    "law_line",
    "law_title",
    "notice",
    "one_line",
    "refusal",
    "refusal_text",
    "you_may",
    "you_may_list",
]
