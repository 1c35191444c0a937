"""One click, choice or form at a table, on its way to an answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from bot.render.ids import FormPress, PagePress, Press
from bot.runtime.asked import Asked
from bot.runtime.now import TableNow
from cogs.ui.deed import Deed
from cogs.ui.replies import Reply
from cogs.ui.room import Room


@dataclass(slots=True, frozen=True)
class Click:
    """A click (or a form that was filled in) at a table: what it was, and how to answer."""

    room: Room
    deed: Deed
    reply: Reply
    press: Press | FormPress

    @property
    def now(self) -> TableNow:
        """The table of the button, as it stands.

        Raises:
            TableGone: it is closed.
        """
        return self.room.tables.now(self.press.table)

    @property
    def asked(self) -> Asked:
        """The request of a button that ends with its turn."""
        return self.deed.asked(table=self.press.table, hand=self.press.hand, turn=self.press.turn)

    @property
    def asked_any_time(self) -> Asked:
        """The request of a button that is good at any time."""
        return self.deed.asked(table=self.press.table)


@dataclass(slots=True, frozen=True)
class PageClick:
    """A click on a page of one's own."""

    room: Room
    deed: Deed
    reply: Reply
    press: PagePress


Handler: TypeAlias = Callable[[Click], Awaitable[None]]
PageHandler: TypeAlias = Callable[[PageClick], Awaitable[None]]
