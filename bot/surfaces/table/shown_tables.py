"""The tables that are shown, each with its message and the calls to its players. What is shown of a table that sleeps is put away, too."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from bot.runtime.clock import AlarmClock, MovingAlarm
from bot.runtime.snapshot import TableAddress, TableSnapshot
from bot.runtime.tables import Tables
from bot.signals import Signals, TableAsleep, TableAwake
from bot.surfaces.table.message import SleepingMessage, TableMessage
from bot.surfaces.table.turn_calls import PlayerCalls, SleepingCalls, TurnCalls

AGAIN_MS = 60_000
"""So often a table that sleeps is looked at whose message cannot be put away yet: a click's token can edit it for a quarter of an hour."""


class ShownTable:
    """A table with its message, and the calls to its players."""

    def __init__(self, message: TableMessage, calls: TurnCalls) -> None:
        self.message = message
        self.calls = PlayerCalls(calls, self.message)


class _PutAway(Struct, frozen=True):
    """What is kept of a table that sleeps."""

    channel: int
    message: SleepingMessage
    calls: SleepingCalls


class ShownTables:
    """The shown tables by id and by channel: everything that anybody writes or presses anywhere asks what its channel has.

    Args:
        make: makes what is shown of a table, which is to be added.
        tables: whoever asks for a table that sleeps wakes it there.
    """

    def __init__(
        self, make: Callable[[TableSnapshot], ShownTable], tables: Tables, clock: AlarmClock, signals: Signals
    ) -> None:
        self._make, self._running, self._clock = make, tables, clock
        self._by_id: dict[int, ShownTable] = {}
        self._by_channel: dict[int, dict[int, ShownTable]] = {}
        self._put_away: dict[int, _PutAway] = {}
        self._put_away_in: dict[int, int] = {}
        self._drowsy: set[int] = set()
        self._again = MovingAlarm(clock, self._look_again)
        self._bank_alarm = MovingAlarm(clock, self._on_time_bank)
        signals.on(TableAsleep, lambda signal: self._on_asleep(signal.table))
        signals.on(TableAwake, lambda signal: self._on_awake(signal.table))

    def __iter__(self) -> Iterator[ShownTable]:
        """The tables that are awake."""
        return iter(self._by_id.values())

    def get(self, table: int) -> ShownTable | None:
        """Return what is shown of a table. One that sleeps wakes."""
        shown = self._by_id.get(table)
        if shown is None and table in self._put_away:
            self._running.snapshot(table)  # it is awake now: see `_on_awake`
            shown = self._by_id.get(table)
        return shown

    def add(self, address: TableAddress, shown: ShownTable) -> None:
        self._by_id[address.id] = shown
        self._by_channel.setdefault(address.channel, {})[address.id] = shown

    def remove(self, address: TableAddress) -> None:
        """Remove a table, if it is shown."""
        self._drowsy.discard(address.id)
        if self._by_id.pop(address.id, None) is not None:
            tables = self._by_channel[address.channel]
            del tables[address.id]
            if not tables:
                del self._by_channel[address.channel]

    def in_channel(self, channel: int) -> list[ShownTable]:
        """Return the open table of a channel, and those that have closed and still show their end. One that sleeps wakes."""
        if channel in self._put_away_in:
            self.get(self._put_away_in[channel])
        return list(self._by_channel.get(channel, {}).values())

    def stop(self) -> None:
        """Put nothing away any more."""
        self._again.stop()
        self._bank_alarm.stop()

    # asleep

    def _on_asleep(self, table: int) -> None:
        if not self._puts_away(table):
            self._drowsy.add(table)
            if not self._again.at:
                self._again.set(self._clock.now() + AGAIN_MS)

    def _look_again(self) -> None:
        self._drowsy = {
            table for table in self._drowsy if self._running.is_asleep(table) and not self._puts_away(table)
        }
        if self._drowsy:
            self._again.set(self._clock.now() + AGAIN_MS)

    def _puts_away(self, table: int) -> bool:
        """Put away what is shown of a table, if nothing is under way there. Returns whether there is nothing left to put away."""
        shown = self._by_id.get(table)
        if shown is None:
            return True
        message, calls = shown.message.kept_asleep(), shown.calls.kept_asleep()
        if message is None or calls is None:
            return False
        shown.message.stop()
        shown.calls.stop()
        address = shown.message.contents.newest.address
        self.remove(address)
        self._put_away[table] = _PutAway(address.channel, message, calls)
        self._put_away_in[address.channel] = table
        if calls.bank_at and not 0 < self._bank_alarm.at <= calls.bank_at:
            self._bank_alarm.set(calls.bank_at)
        return True

    def _on_awake(self, table: int) -> None:
        """A table is awake, and nothing has changed there yet: what is shown of it is as it was."""
        self._drowsy.discard(table)
        kept = self._put_away.pop(table, None)
        if kept is None:
            return
        del self._put_away_in[kept.channel]
        snapshot = self._running.snapshot(table)
        shown = self._make(snapshot)
        shown.message.take_up(kept.message)
        shown.calls.take_up(kept.calls)
        self.add(snapshot.address, shown)

    def _on_time_bank(self) -> None:
        """The time bank of a turn begins: whoever sleeps then wakes, and says so."""
        now = self._clock.now()
        for table in [table for table, kept in self._put_away.items() if 0 < kept.calls.bank_at <= now]:
            self.get(table)
        if due := [kept.calls.bank_at for kept in self._put_away.values() if kept.calls.bank_at]:
            self._bank_alarm.set(min(due))
