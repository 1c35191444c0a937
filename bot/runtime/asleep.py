"""Tables that wait for hours are put away in memory: what is left is a small record with the next time, and a few facts.

Such a table *sleeps*. Whoever asks for its state wakes it, within the call: no other request can come in between, nothing is read from the
disk, and nothing can fail on the way. The journal has all of it anyway, so a dealer that is killed restores a table that slept like any
other. A few facts, the *brief*, are asked of all tables at once. What lists show, the *outline*, is read without the hand. Both wake none.
"""

import io
import pickle
import zlib
from enum import Enum
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bot.engine.hand import Hand
from bot.engine.mixes import Rotation
from bot.engine.options.types import Options
from bot.engine.rule_card import RuleCard
from bot.engine.rules_in_force import RulesInForce
from bot.engine.stakes import Stakes
from bot.runtime.transaction import SessionState
from bot.table.queries import host_of
from bot.table.settings import TableSettings
from bot.table.state import Table

_SHARED = frozenset((RuleCard, Options, Stakes, TableSettings))
"""What tables have in common: equal ones of tables that sleep are one."""
_KEPT = frozenset((RulesInForce, Rotation))
"""What stays as it is: rules are shared already, and the games of a mixture can be a hundred."""


class TableBrief(Struct, frozen=True):
    """What is asked of all tables at once. It changes only with the table, not with the actions of a hand.

    Attributes:
        hosts: who opened it, and who is its host now.
        seated: the ids of who sits there.
        waiting: the ids of who waits for a seat.
        hands: how many hands have been dealt.
    """

    settings: TableSettings
    hosts: tuple[int, int]
    seated: tuple[int, ...]
    waiting: tuple[int, ...]
    hands: int
    hand_running: bool

    @property
    def host(self) -> int:
        return self.hosts[1]

    def knows(self, user: int) -> bool:
        """Return whether a person sits at the table or waits for a seat."""
        return user in self.seated or user in self.waiting


def brief_of(table: Table) -> TableBrief:
    """Return the brief of a table."""
    return TableBrief(
        table.settings,
        (table.opened_by, host_of(table)),
        tuple([seat.player for seat in table.seats]),
        tuple([one.player for one in table.waiting]),
        table.hands_dealt,
        table.running_hand is not None,
    )


class AwaitedPeople(Struct, frozen=True):
    """Whom a hand waits for: their ids, and until when, in ms since the epoch."""

    users: tuple[int, ...]
    turn_ends_at: int


NOBODY = AwaitedPeople((), 0)


def awaited_people(state: SessionState) -> AwaitedPeople:
    """Return whom the hand of a table waits for. It computes no view."""
    hand, turn = state.hand, state.current_turn
    if hand is None or turn is None:
        return NOBODY
    if not hand.choice_open:
        return AwaitedPeople((turn.user,), turn.turn_ends_at)
    asked = hand.seats_to_choose & hand.live_seats
    users = tuple([player.user for seat, player in enumerate(state.dealt_players) if asked >> seat & 1])
    return AwaitedPeople(users, turn.turn_ends_at)


class _Packed(Struct, frozen=True):
    """A value that is put away: written down, but for the parts that it shares with other tables."""

    written: bytes
    parts: tuple[Any, ...]


class SleepingTable(Struct, frozen=True):
    """A table that sleeps.

    Attributes:
        wake_at: when it has something to do by itself, in ms since the epoch; 0 for never.
        dealt_in: the ids of who is dealt into the hand, if it is not over.
        packed_table: what lives between hands: lists of tables need no more.
        packed_rest: the state without it.
    """

    wake_at: int
    brief: TableBrief
    awaited: AwaitedPeople
    dealt_in: tuple[int, ...]
    packed_table: _Packed
    packed_rest: _Packed

    def table(self) -> Table:
        """Return the table without its hand: it goes on sleeping."""
        table = _unpacked(self.packed_table)
        assert isinstance(table, Table)
        return table

    def state(self) -> SessionState:
        """Return the state of the table."""
        return _state(self.packed_table, self.packed_rest)


def put_to_sleep(state: SessionState, wake_at: int) -> SleepingTable | None:
    """Put a table away; None where its state would not come back as it is, and the table had better stay awake."""
    packed_table, packed_rest = _packed(state.table), _packed(state, beside=state.table)
    if not is_same(_state(packed_table, packed_rest), state):
        return None
    brief = brief_of(state.table)
    settings: TableSettings = _shared(brief.settings)
    is_running = state.hand is not None and not state.hand.over
    dealt_in = tuple([player.user for player in state.dealt_players]) if is_running else ()
    brief = replace(brief, settings=settings)
    return SleepingTable(wake_at, brief, awaited_people(state), dealt_in, packed_table, packed_rest)


def is_same(one: SessionState, other: SessionState) -> bool:
    """Return whether two states are the same. Hands, which change while they are worked out, cannot be compared by themselves."""
    hands = [[state.hand, *state.street] for state in (one, other)]
    if len(hands[0]) != len(hands[1]) or not all(map(_is_same_hand, *hands)):
        return False
    return replace(one, hand=None, street=()) == replace(other, hand=None, street=())


def _is_same_hand(one: Hand | None, other: Hand | None) -> bool:
    if one is None or other is None:
        return one is other
    return all(getattr(one, field) == getattr(other, field) for field in one.__struct_fields__)


@lru_cache(maxsize=1024)
def _shared(value: Any) -> Any:
    """Return the value that stands for all that equal it."""
    return value


_BESIDE = -1
"""Stands for what is put away beside."""


class _Packer(pickle.Pickler):
    """Writes a value down, but for what it shares with others, for types, for words of enumerations, and for what is put away beside."""

    def __init__(self, file: io.BytesIO, beside: object) -> None:
        super().__init__(file, protocol=5)
        self.parts: list[Any] = []
        self._known: dict[int, int] = {}
        self._beside = beside

    def persistent_id(self, obj: Any) -> int | None:
        if obj is not None and obj is self._beside:
            return _BESIDE
        kind = type(obj)
        if kind in _SHARED:
            obj = _shared(obj)
        elif kind not in _KEPT and not isinstance(obj, type | Enum):
            return None
        number = self._known.get(id(obj))
        if number is None:
            number = self._known[id(obj)] = len(self.parts)
            self.parts.append(obj)
        return number


class _Unpacker(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, parts: tuple[Any, ...], beside: object) -> None:
        super().__init__(file)
        self._parts, self._beside = parts, beside

    def persistent_load(self, pid: Any) -> Any:
        return self._beside if pid == _BESIDE else self._parts[pid]


def _packed(value: object, beside: object = None) -> _Packed:
    file = io.BytesIO()
    packer = _Packer(file, beside)
    packer.dump(value)
    parts = _shared(tuple(packer.parts))
    squeezing = zlib.compressobj(zdict=_field_names(parts))
    return _Packed(squeezing.compress(file.getvalue()) + squeezing.flush(), parts)


def _unpacked(packed: _Packed, beside: object = None) -> Any:
    written = zlib.decompressobj(zdict=_field_names(packed.parts)).decompress(packed.written)
    return _Unpacker(io.BytesIO(written), packed.parts, beside).load()


def _state(packed_table: _Packed, packed_rest: _Packed) -> SessionState:
    state = _unpacked(packed_rest, beside=_unpacked(packed_table))
    assert isinstance(state, SessionState)
    return state


def _field_names(parts: tuple[Any, ...]) -> bytes:
    """Return the names of all fields as they are written down: what begins with them need not repeat them."""
    kinds = [part for part in parts if isinstance(part, type) and issubclass(part, Struct)]
    names = [name.encode() for kind in kinds for name in kind.__struct_fields__]
    return b"".join([pickle.SHORT_BINUNICODE + bytes((len(name),)) + name + pickle.MEMOIZE for name in names])
