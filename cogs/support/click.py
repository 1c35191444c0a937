"""One click, choice or submitted form, on its way to an answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from msgspec.structs import replace

from bot.line.interaction import InteractionInfo
from bot.render.message.custom_ids import FormSubmission, PagePress, Press
from bot.runtime.request import Request
from bot.runtime.snapshot import TableSnapshot
from bot.surfaces.replies import Reply
from cogs.support.services import Services


@dataclass(slots=True, frozen=True)
class Click:
    """A click or a submitted form at a table: what it was, and how to answer."""

    services: Services
    info: InteractionInfo
    reply: Reply
    press: Press | FormSubmission

    @property
    def snapshot(self) -> TableSnapshot:
        """The button's table, as it stands.

        Raises:
            TableGone: it is closed.
        """
        return self.services.tables.snapshot(self.press.table)

    @property
    def request(self) -> Request:
        """A request that is refused once the button's turn is over."""
        return self.info.request(table=self.press.table, hand=self.press.hand, turn=self.press.turn)

    @property
    def request_any_time(self) -> Request:
        """A request that is good at any time, also from a direct message."""
        request, snapshot = self.info.request(table=self.press.table), self.snapshot
        if request.guild:
            return request
        return replace(request, guild=snapshot.address.guild, name=snapshot.known_name(request.user) or request.name)

    @property
    def guild(self) -> int:
        """The server of the button's table."""
        return self.info.guild or self.snapshot.address.guild


@dataclass(slots=True, frozen=True)
class PageClick:
    """A click on a page, such as the leaderboard."""

    services: Services
    info: InteractionInfo
    reply: Reply
    press: PagePress


Handler: TypeAlias = Callable[[Click], Awaitable[None]]
PageHandler: TypeAlias = Callable[[PageClick], Awaitable[None]]
