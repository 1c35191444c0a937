"""Refusals: typed facts about why something may not be done. Their words for people are `bot.render.wording`'s.

A refusal leaves everything as it was. A `LawError` names the law it rests on and, once `decide` has filled it in, what is legal instead.

Source: laws 0.3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from bot.engine.legal import Legal


class TableError(Exception):
    """Something that cannot be done now, for a reason a player can understand. Nothing has changed."""


class LawError(TableError):
    """A request that a law forbids.

    Attributes:
        law: id of the law in the law book, for example ``"B-8"``.
        why: what was wrong, in one plain sentence part without amounts of money signs; for logs, the command line and tests.
        legal: what the seat may do now, or None where no seat is to act.
    """

    law: ClassVar[str] = ""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why
        self.legal: Legal | None = None

    def __str__(self) -> str:
        return f"Law {self.law}: {self.why}."


class UnknownCard(TableError):
    """A word that names no card of any pack."""

    def __init__(self, *, word: str) -> None:
        super().__init__(f"{word!r} is not a card; write As, Td, 9c or Jk")
        self.word = word
