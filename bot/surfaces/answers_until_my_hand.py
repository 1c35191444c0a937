"""Private answers that stand only until the next hand: what somebody is told when they sit down, come back or add chips, or while a
sit-and-go takes entries.

Between table and panel they would take the screen of both, and what they tell is over by then. So they go when their reader opens *My
hand*, or it shows the next hand, and of two the newer takes the older one's place. Those of a sit-and-go also go when it is over, and one
that was shown while it took entries when it starts; where the table is in another channel it leads there instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from bot.engine.errors import TableError
from bot.events.sit_and_go.state import SitAndGoStatus
from bot.runtime.snapshot import TableSnapshot, TableUpdate
from bot.runtime.tables import Tables


class ShownMessage(Protocol):
    """A private message: its id, and the channel that it is in."""

    @property
    def message(self) -> int: ...

    @property
    def channel(self) -> int: ...


M = TypeVar("M", bound=ShownMessage)
MOST_OF_ONE = 5
"""So many of one person at a table are known at most: older ones can hardly be taken away any more."""


class _Standing(Struct, Generic[M], frozen=True, gc=False):
    shown: M
    takes_entries: bool
    beside: bool


class AnswersUntilMyHand(Generic[M]):
    """Those of all tables.

    Args:
        take_away: takes a person's message away.
        lead_there: lets a person's message lead to the channel of the table, where the sit-and-go has started.
    """

    def __init__(
        self, tables: Tables, take_away: Callable[[int, M], None], lead_there: Callable[[int, M, int], None]
    ) -> None:
        self._tables, self._take_away, self._lead_there = tables, take_away, lead_there
        self._standing: dict[int, dict[int, tuple[_Standing[M], ...]]] = {}
        self._clicked: set[int] = set()

    def show(self, table: int, user: int, shown: M, *, beside: bool = False) -> None:
        """An answer stands until its reader opens *My hand* at a table. `beside`: it takes no other answer's place."""
        of_table = self._standing.setdefault(table, {})
        goes = [one for one in of_table.get(user, ()) if not beside and not one.beside]
        stays = [one for one in of_table.get(user, ()) if one not in goes and one.shown.message != shown.message]
        of_table[user] = (*stays[1 - MOST_OF_ONE :], _Standing(shown, self._takes_entries(table), beside))
        for one in goes:
            if one.shown.message != shown.message:
                self._take_away(user, one.shown)

    def has(self, table: int, user: int, message: int) -> bool:
        """Whether a message is an answer whose place the next one takes."""
        return any(one.shown.message == message and not one.beside for one in self._of(table, user))

    def stays(self, user: int, message: int) -> None:
        """A message has become an answer that does not go."""
        for of_table in self._standing.values():
            if user in of_table:
                of_table[user] = tuple([one for one in of_table[user] if one.shown.message != message])

    def hand_shown(self, table: int, user: int) -> None:
        """*My hand* was opened, or shows the next hand: take the answers away that stood only until now."""
        for one in self._standing.get(table, {}).pop(user, ()):
            self._take_away(user, one.shown)

    def on_update(self, update: TableUpdate) -> None:
        """A table has changed: it may take no entries any more."""
        snapshot = update.snapshot
        if snapshot.id in self._standing and (update.closed or snapshot.sit_and_go is not None):
            for user in tuple(self._standing[snapshot.id]):
                self._entries_over(snapshot, user, closed=update.closed)
        if update.closed:
            self._standing.pop(snapshot.id, None)

    @contextmanager
    def clicked(self, user: int, message: int) -> Iterator[None]:
        """Inside, a click on a person's message is answered: the answer can become the message."""
        self._clicked.add(message)
        try:
            yield
        finally:
            self._clicked.discard(message)
            for table in [table for table, each in self._standing.items() if user in each]:
                if any(one.shown.message == message for one in self._of(table, user)):
                    self._look_again(table, user)

    def _look_again(self, table: int, user: int) -> None:
        try:
            snapshot = self._tables.snapshot(table)
        except TableError:
            return
        if snapshot.sit_and_go is not None:
            self._entries_over(snapshot, user)

    def _entries_over(self, snapshot: TableSnapshot, user: int, *, closed: bool = False) -> None:
        event = snapshot.sit_and_go
        if event is not None and event.status is SitAndGoStatus.REGISTERING and not closed:
            return
        of_table, left = self._standing[snapshot.id], []
        for one in of_table[user]:
            goes = one.takes_entries or (closed and event is not None)
            if not goes or one.shown.message in self._clicked:
                left.append(one)
            elif closed or one.shown.channel in (0, snapshot.address.channel):
                self._take_away(user, one.shown)
            else:
                self._lead_there(user, one.shown, snapshot.address.channel)
        of_table[user] = tuple(left)

    def _takes_entries(self, table: int) -> bool:
        try:
            event = self._tables.snapshot(table).sit_and_go
        except TableError:  # it has closed in this moment
            return False
        return event is not None and event.status is SitAndGoStatus.REGISTERING

    def _of(self, table: int, user: int) -> tuple[_Standing[M], ...]:
        return self._standing.get(table, {}).get(user, ())
