"""Who goes next: the requests by the bot's token, which all servers share.

Discord allows a bot some fifty requests a second, whatever the number of its servers. So servers take turns, and a server with a thousand
waiting requests has as many turns as one with two. In its turn a server sends what matters most. Practice tables have lines of
their own, with fewer turns. A server that was quiet has some turns in advance: the cards of one deal go out together.

There is no clock and no event loop in here: times come in, in seconds.
"""

from __future__ import annotations

import heapq
import itertools
from collections import deque
from enum import IntEnum
from typing import Generic, NamedTuple, TypeVar

from bot.runtime.snapshot import TableSnapshot

CREDIT = 10
"""The most turns that a line can have in advance after it was quiet: a table of nine is dealt with a message and nine DMs."""
TURNS_PER_REQUEST, TURNS_PER_PRACTICE_REQUEST = 1, 10
"""How many turns a request uses up: while real chips wait, a server's practice tables get a tenth of what a server gets."""
PATIENCE_SECONDS = 5.0
PATIENT_TURN = 4
"""Every fourth request of a line is the one that has waited longest, if it has waited this long: no kind of request waits for ever."""
LONG_LINE_SECONDS = 0.5
"""When what waits takes longer than this, requests that can be spared are spared."""
REMEMBERED_TURNS = 256
"""How many turns of lines where nobody waits are kept before those that make no difference are forgotten."""


class Priority(IntEnum):
    """What a request is, in the order in which the requests of one server go."""

    TABLE = 0
    PRIVATE = 1
    REDRAW = 2
    BACKGROUND = 3


class RequestLine(NamedTuple):
    """The line that a request waits in. Server 0 is the house itself."""

    guild: int
    is_practice: bool = False


HOUSE_LINE = RequestLine(0, is_practice=True)
"""What is done for no server, such as uploading emojis: it goes as slowly as practice tables."""


def line_of(snapshot: TableSnapshot) -> RequestLine:
    """Return the line of a table's requests, its players' direct messages among them."""
    return RequestLine(snapshot.address.guild, snapshot.settings.practice)


_Item = TypeVar("_Item")


class Ticket(Generic[_Item]):
    """The position of a waiting request.

    Attributes:
        since: when it came, in seconds.
        number: how many came before it.
        waits: whether it is still waiting: it has neither gone nor been cancelled.
    """

    __slots__ = ("item", "line", "number", "priority", "since", "waits")

    def __init__(self, item: _Item, line: RequestLine, priority: Priority, since: float, number: int) -> None:
        self.item, self.line, self.priority = item, line, priority
        self.since, self.number = since, number
        self.waits = True


class _Waiting(Generic[_Item]):
    """The waiting requests of one line.

    Attributes:
        turn: when it is this line's turn: the line with the lowest number goes next.
        size: how many wait.
        taken: how many have gone since nobody waited here.
        position: where the line stands in the order of lines; older positions are void.
    """

    __slots__ = ("by_priority", "position", "size", "taken", "turn")

    def __init__(self, turn: int) -> None:
        self.turn = turn
        self.size = self.taken = 0
        self.position: tuple[int, int, int] | None = None
        self.by_priority: tuple[deque[Ticket[_Item]], ...] = tuple([deque() for _ in Priority])

    def heads(self) -> list[Ticket[_Item]]:
        """Return who has waited longest of each kind, by priority."""
        found = []
        for tickets in self.by_priority:
            while tickets and not tickets[0].waits:
                tickets.popleft()
            if tickets:
                found.append(tickets[0])
        return found

    def next(self, now: float) -> Ticket[_Item]:
        """Return who goes when it is the line's turn. Somebody waits."""
        heads = self.heads()
        if (self.taken + 1) % PATIENT_TURN == 0:
            oldest = min(heads, key=lambda ticket: ticket.number)
            if now - oldest.since >= PATIENCE_SECONDS:
                return oldest
        return heads[0]


class RequestQueue(Generic[_Item]):
    """Lets requests go at a steady rate, and says which.

    Args:
        per_second: how many go in a second, on average.
        burst: how many more can go at once after a quiet moment.
        credit: see `CREDIT`.
    """

    def __init__(self, per_second: float, burst: int, credit: int = CREDIT) -> None:
        self.per_second, self._credit = per_second, credit
        self._burst = burst
        self._next_at = 0.0
        self._round = 0
        self._numbers = itertools.count()
        self._lines: dict[RequestLine, _Waiting[_Item]] = {}
        self._turns: dict[RequestLine, int] = {}
        self._turns_max = REMEMBERED_TURNS
        self._order: list[tuple[tuple[int, int, int], RequestLine]] = []
        self._size = 0

    def __len__(self) -> int:
        """How many requests wait."""
        return self._size

    def waiting_by_priority(self) -> dict[Priority, int]:
        """Return how many requests of each kind wait."""
        counts = dict.fromkeys(Priority, 0)
        for waiting in self._lines.values():
            for priority, tickets in zip(Priority, waiting.by_priority, strict=True):
                counts[priority] += sum([ticket.waits for ticket in tickets])
        return counts

    @property
    def seconds(self) -> float:
        """How long it takes until everything that waits now has gone."""
        return self._size / self.per_second

    @property
    def next_at(self) -> float | None:
        """When the next request can go; None if nothing waits."""
        return self._next_at if self._size else None

    def expected_at(self, now: float, line: RequestLine | None = None) -> float:
        """Return when a request that comes now is likely to go, if it is the last of its line; without a line, the last of all."""
        own = self._lines.get(line) if line is not None else None
        queued = self._size if line is None else (own.size if own is not None else 0)
        ahead = sum([min(waiting.size, queued + (waiting is not own)) for waiting in self._lines.values()])
        return max(self._next_at, now - self._burst / self.per_second) + ahead / self.per_second

    def set_rate(self, per_second: float) -> None:
        """So many go in a second from now on."""
        self.per_second = per_second

    def hold_until(self, at: float) -> None:
        """Let nothing go before this time, and then one by one."""
        self._next_at = max(self._next_at, at)

    def add(self, item: _Item, line: RequestLine, priority: Priority, now: float) -> Ticket[_Item]:
        """Let a request wait for its turn."""
        ticket = Ticket(item, line, priority, now, next(self._numbers))
        waiting = self._lines.get(line)
        if waiting is None:
            credit = 0 if line.is_practice else self._credit
            turn = max(self._turns.pop(line, self._round - credit), self._round - credit)
            waiting = self._lines[line] = _Waiting(turn)
        waiting.by_priority[priority].append(ticket)
        waiting.size += 1
        self._size += 1
        self._set_position(line, waiting)
        return ticket

    def cancel(self, ticket: Ticket[_Item]) -> None:
        """Let nobody wait with this ticket any more. It costs its line nothing."""
        if ticket.waits:
            self._remove(ticket)

    def take(self, now: float) -> Ticket[_Item] | None:
        """Return a request that can go by now, and count it as gone; None if none can."""
        self._next_at = max(self._next_at, now - self._burst / self.per_second)
        if not self._size or self._next_at > now:
            return None
        self._next_at += 1 / self.per_second
        return self.take_at_once(now)

    def take_at_once(self, now: float) -> Ticket[_Item] | None:
        """Return whose turn it is, whatever the rate, and count them as gone; None if nobody waits."""
        if not self._size:
            return None
        while True:
            position, line = heapq.heappop(self._order)
            waiting = self._lines.get(line)
            if waiting is not None and waiting.position == position:
                waiting.position = None
                break
        ticket = waiting.next(now)
        waiting.taken += 1
        self._round = max(self._round, waiting.turn)
        waiting.turn += TURNS_PER_PRACTICE_REQUEST if line.is_practice else TURNS_PER_REQUEST
        self._remove(ticket)
        return ticket

    def _remove(self, ticket: Ticket[_Item]) -> None:
        ticket.waits = False
        waiting = self._lines[ticket.line]
        waiting.size -= 1
        self._size -= 1
        if waiting.size:
            self._set_position(ticket.line, waiting)
            return
        del self._lines[ticket.line]
        self._turns[ticket.line] = waiting.turn  # a line that comes back soon does not get its credit again
        if not self._size:  # nobody has taken anything from anybody
            self._turns.clear()
            self._order.clear()
            self._round = 0
        elif len(self._turns) > self._turns_max:
            self._turns = {line: turn for line, turn in self._turns.items() if turn > self._round - self._credit}
            self._turns_max = max(REMEMBERED_TURNS, 2 * len(self._turns))

    def _set_position(self, line: RequestLine, waiting: _Waiting[_Item]) -> None:
        """Put a line where it belongs: by its turn, then by what it would send, then by who has waited longest.

        Turns in advance bring nobody before the others: lines that have some left go in the order in which their requests came. So the
        last card of a deal does not wait for every table that is dealt after it.
        """
        head = waiting.heads()[0]
        position = (max(waiting.turn, self._round), head.priority, head.number)
        if position != waiting.position:
            waiting.position = position
            heapq.heappush(self._order, (position, line))
            if len(self._order) > 4 * len(self._lines) + REMEMBERED_TURNS:  # most of these positions are void
                self._order = [
                    (waiting.position, line) for line, waiting in self._lines.items() if waiting.position is not None
                ]
                heapq.heapify(self._order)
