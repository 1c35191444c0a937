"""All-in run-outs: the streets that were dealt at once are shown one after the other, with the hands open.

The hand is decided and saved before the first of them is shown. Whoever draws a hand asks `RunOuts.shown` for the snapshot to draw, so
that nobody reads the end before the last card. After a restart the result simply stands.
"""

from __future__ import annotations

from collections.abc import Callable

from bot.runtime.clock import Alarm, AlarmClock
from bot.runtime.snapshot import TableSnapshot
from bot.runtime.updates import RUN_OUT_STREET_MS, TableUpdate


class _RunOut:
    """One hand that is being shown.

    Attributes:
        streets: the table as it stands before each of the streets.
        at: the one that is shown.
        later: what waits until the last card lies open.
    """

    __slots__ = ("alarm", "at", "hand_number", "later", "streets")

    def __init__(self, streets: tuple[TableSnapshot, ...]) -> None:
        self.streets, self.hand_number, self.at = streets, streets[0].hand_number, 0
        self.alarm: Alarm | None = None
        self.later: list[Callable[[], None]] = []


class RunOuts:
    """Knows what of each table's hand is shown.

    Args:
        street_shown: called with a table whenever the next street is due.
    """

    def __init__(self, clock: AlarmClock, street_shown: Callable[[int], None]) -> None:
        self._clock = clock
        self._street_shown = street_shown
        self._by_table: dict[int, _RunOut] = {}

    def on_change(self, change: TableUpdate) -> None:
        """Begin to show a run-out. The next hand, or the end of the table, ends it."""
        table = change.snapshot.id
        running = self._by_table.get(table)
        if running is not None and (change.closed or change.restored or self.shown(change.snapshot) is change.snapshot):
            self._end(table, running)
        if change.run_out and not change.closed:
            self._by_table[table] = _RunOut(change.run_out)
            self._wait(table, self._by_table[table])

    def shown(self, snapshot: TableSnapshot) -> TableSnapshot:
        """Return the snapshot that is drawn for this one: an earlier one while its hand is being run out."""
        running = self._by_table.get(snapshot.id)
        if running is None or running.hand_number != snapshot.hand_number or snapshot.seq < running.streets[0].seq:
            return snapshot
        return running.streets[running.at]

    def is_showing(self, channel: int, hand_number: int) -> bool:
        """Whether the end of this hand has still to be shown in a channel."""
        return any(
            running.hand_number == hand_number and running.streets[0].address.channel == channel
            for running in self._by_table.values()
        )

    def when_shown(self, table: int, call: Callable[[], None]) -> None:
        """Call now, or once the run-out of this table has been shown to its end."""
        running = self._by_table.get(table)
        if running is None:
            call()
        else:
            running.later.append(call)

    def close(self) -> None:
        """Stop showing."""
        for running in self._by_table.values():
            if running.alarm is not None:
                running.alarm.cancel()
        self._by_table.clear()

    def _wait(self, table: int, running: _RunOut) -> None:
        due = self._clock.now() + RUN_OUT_STREET_MS
        running.alarm = self._clock.call_at(due, lambda: self._next_street(table, running))

    def _next_street(self, table: int, running: _RunOut) -> None:
        if running.at + 1 == len(running.streets):
            self._end(table, running)
            return
        running.at += 1
        self._wait(table, running)
        self._street_shown(table)

    def _end(self, table: int, running: _RunOut) -> None:
        if running.alarm is not None:
            running.alarm.cancel()
        del self._by_table[table]
        self._street_shown(table)
        for call in running.later:
            call()
