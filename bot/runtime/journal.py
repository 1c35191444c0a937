"""The events of a table's journal: those of its hands, of the table between hands, and of the clock.

A deadline is an event, so a restart finds the clock where it was. Laws: TL-30, TL-31.
"""

from typing import TypeAlias

from msgspec import Struct

from bot.engine import events as engine
from bot.events.nights.events import NightEvent
from bot.events.sit_and_go.events import SitAndGoEvent
from bot.table import events as table


class RuntimeEvent(Struct, frozen=True, tag=True, gc=False):
    """Something that the runtime did."""


class TurnClockStarted(RuntimeEvent, frozen=True, tag=True, gc=False):
    """The clock of a turn was started. It replaces an earlier clock; an action, or the end of the hand, stops it.

    Attributes:
        turn_ends_at: when the plain clock ends, in ms since the epoch.
        bank_ends_at: when the time bank behind it ends.
    """

    seat_number: int
    began_at: int
    turn_ends_at: int
    bank_ends_at: int


class DealtIn(RuntimeEvent, frozen=True, tag=True, gc=False):
    """The players of the hand that begins: user id and display name, by seat index. A hand log reads it later."""

    players: tuple[tuple[int, str], ...]


class TimeUp(RuntimeEvent, frozen=True, tag=True, gc=False):
    """The seat's time ran out; the events of its default action follow (TL-32, TL-41)."""

    seat_number: int


JournalEvent: TypeAlias = (
    engine.HandEvent | table.TableEvent | TurnClockStarted | DealtIn | TimeUp | NightEvent | SitAndGoEvent
)
"""Every event that a journal can hold, of a table or of an occasion: the store's codec is made for it."""
