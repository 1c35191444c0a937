"""When a request by the bot's token can go: after the login, within Discord's global limit, in the order of the `RequestQueue`."""

from __future__ import annotations

import asyncio
from typing import Any

from bot.line.request_queue import Priority, RequestLine, RequestQueue, Ticket
from bot.line.shared_allowance import SharedAllowance

REQUESTS_PER_SECOND = 40
"""Requests with the bot's token, on average. Discord allows 50; one more stops them all for a while (429, global)."""
BURST = 5
"""How many requests can go at once after a quiet moment."""


class Slot(asyncio.Future[None]):
    """Done as soon as a request fits the bot's global limit. Cancel it when there is nothing to send any more: it then costs nothing."""

    queue: RequestQueue[Slot]
    ticket: Ticket[Slot]

    def cancel(self, msg: Any = None) -> bool:
        self.queue.cancel(self.ticket)
        return super().cancel(msg)


class RequestSlots:
    """Gives out slots. None is given before `open`: tables are restored, and deal, before the bot has logged in.

    Args:
        per_second: how many requests go in a second, on average.
        allowance: says when they can go, where other processes use the bot's token too.
    """

    def __init__(self, per_second: float = REQUESTS_PER_SECOND, allowance: SharedAllowance | None = None) -> None:
        self.queue = RequestQueue[Slot](per_second, BURST)
        self._allowance = allowance
        self._is_open = False
        self._timer: asyncio.TimerHandle | None = None

    def open(self) -> None:
        """The bot has logged in: let requests go."""
        self._is_open = True
        if self._allowance is not None:
            self._allowance.open(lambda: len(self.queue), self._let_go)
        self.grant()

    async def close(self) -> None:
        """Give no more slots by itself."""
        if self._timer is not None:
            self._timer.cancel()
        if self._allowance is not None:
            await self._allowance.close()

    def request(self, line: RequestLine, priority: Priority) -> Slot:
        """Return what is done when it is this request's turn."""
        loop = asyncio.get_running_loop()
        slot = Slot(loop=loop)
        slot.queue, slot.ticket = self.queue, self.queue.add(slot, line, priority, loop.time())
        self.grant()
        return slot

    async def wait(self, line: RequestLine, priority: Priority) -> None:
        """Wait until it is a request's turn."""
        await self.request(line, priority)

    @property
    def shares_limit(self) -> bool | None:
        """Whether all processes keep to one limit together; None for a bot of one process. Otherwise each has its own part of it."""
        return self._allowance.is_shared if self._allowance is not None else None

    def waiting_by_kind(self) -> dict[str, int]:
        """Return how many requests of each kind wait for their slot, for the figures of the dealer."""
        return {priority.name.lower(): count for priority, count in self.queue.waiting_by_priority().items()}

    def grant(self) -> None:
        """Let those requests go that fit by now, and come back for the next one."""
        if not self._is_open:
            return
        if self._allowance is not None:
            self._allowance.want()
            return
        loop = asyncio.get_running_loop()
        while (ticket := self.queue.take(loop.time())) is not None:
            ticket.item.set_result(None)
        if self._timer is not None:
            self._timer.cancel()
        at = self.queue.next_at
        self._timer = loop.call_at(at, self.grant) if at is not None else None

    def _let_go(self, count: int) -> None:
        """Let so many requests go, as all processes together can have them."""
        now = asyncio.get_running_loop().time()
        if self._allowance is not None:
            self.queue.set_rate(self._allowance.per_second)
        for _ in range(count):
            ticket = self.queue.take_at_once(now)
            if ticket is None:
                return
            ticket.item.set_result(None)
