"""What a table's journal holds: the events of its hands, of the table between them, and of the clock.

Deadlines are events like all else, so a restart finds the clock where it was.

Source: design §3, §4; laws TL-30, TL-31.
"""

from typing import TypeAlias

from msgspec import Struct

from bot.engine import events as engine
from bot.table import events as table


class RuntimeEvent(Struct, frozen=True, tag=True, gc=False):
    """Something the runtime itself did."""


class TurnClock(RuntimeEvent, frozen=True, tag=True, gc=False):
    """The clock of a turn was started. Times in ms since the epoch: the plain clock ends at `turn_ends`, the bank at `ends`.

    `seat` is the table seat number. It replaces any clock before it; an action, or the end of the hand, stops it.
    """

    seat: int
    began: int
    turn_ends: int
    ends: int


class DealtIn(RuntimeEvent, frozen=True, tag=True, gc=False):
    """Who plays the hand that begins: user id and display name, by their place at the deal. For whoever reads the hand later."""

    players: tuple[tuple[int, str], ...]


class TimeUp(RuntimeEvent, frozen=True, tag=True, gc=False):
    """The seat's time ran out; what silence stands for follows (TL-32, TL-41)."""

    seat: int


JournalEvent: TypeAlias = engine.Any | table.Any | TurnClock | DealtIn | TimeUp
"""Everything that may be in a journal: what the store's codec is made for."""
