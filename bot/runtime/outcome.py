"""What comes back from a request, and what goes out to whoever shows the tables.

Source: design §4 "decide → commit → evolve → show"; style §6.
"""

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from bot.engine.view import HandView
from bot.runtime.journal import JournalEvent
from bot.runtime.now import Place, Player, TableNow


class Change(Struct, frozen=True, gc=False):
    """Something has happened at a table, and has been saved.

    Attributes:
        now: the table after it.
        events: what happened, oldest first. Cards in them are places in the pack, never cards.
        by: who asked for it; 0 for the dealer (clock, next hand, restart).
        key: the cause's key: a surface that answers the interaction of this key need not edit the message as well.
        dealt: ids of the people whose private cards changed: their direct messages are due.
        timed_out: table seat number whose time ran out, 0 for none.
        lapsed: ids of people whose choice before their turn came to nothing now that it is there: told to each alone (TL-34).
        opened, closed, restored: the table was opened, closed or taken up again after a restart by this change.
    """

    now: TableNow
    events: tuple[JournalEvent, ...] = ()
    by: int = 0
    key: str = ""
    dealt: tuple[int, ...] = ()
    timed_out: int = 0
    lapsed: tuple[int, ...] = ()
    opened: bool = False
    closed: bool = False
    restored: bool = False


Sink: TypeAlias = Callable[[Change], None]
"""Takes every change, in the order of each table. Called under the table's lock: it returns at once and raises nothing."""


class Outcome(Struct, frozen=True, gc=False):
    """The answer to a request that was granted. It is given after the save.

    Attributes:
        now: the table after it.
        events: what happened because of it; empty for a repeated request, which changed nothing this time.
        own: the hand as who asked may see it; None if he is not dealt in.
        repeated: the same request had been granted before.
    """

    now: TableNow
    events: tuple[JournalEvent, ...] = ()
    user: int = 0
    repeated: bool = False

    @property
    def own(self) -> HandView | None:
        return self.now.seen_by(self.user)


class HandLog(Struct, frozen=True):
    """A hand as it was played, for `/hand`.

    Attributes:
        people: who was dealt in, by table seat number.
        events: of the hand, oldest first. Cards in them are places in the pack.
        streets: the hand at the end of each betting interval, before the bets were gathered; `HandView.actions` are the interval's.
        view: the hand at its end, or now. Both as `user` may see it: he sees his own cards, everybody those that were shown.
        mixture: the mixture it was of; empty for none (VC-28).
    """

    place: Place
    number: int
    started_at: int
    people: dict[int, Player]
    events: tuple[JournalEvent, ...]
    streets: tuple[HandView, ...]
    view: HandView
    mixture: str = ""
