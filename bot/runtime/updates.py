"""The answer to a request, and the update that goes to whoever shows the tables."""

from collections.abc import Callable
from typing import TypeAlias, get_args

from msgspec import Struct

from bot.engine.events import ShowdownOpened
from bot.engine.view.types import HandView
from bot.history.lines import HistoryLine
from bot.history.pokerstars import NotInPokerStarsForm
from bot.runtime.journal import JournalEvent
from bot.runtime.snapshot import NamedPlayer, TableAddress, TableSnapshot
from bot.table.events import TableEvent

RUN_OUT_STREET_MS = 1_500
"""The time between two streets of a run-out, as they are shown."""


class TableUpdate(Struct, frozen=True, gc=False):
    """A change of a table that has been saved.

    Attributes:
        snapshot: the table after the change.
        events: what happened, oldest first. Cards in them are indices in the deck, never cards.
        requested_by: id of the user who asked; 0 for the dealer (clock, next hand, restart).
        request_key: the key of the request. A surface that answers this interaction does not edit the message as well.
        users_with_new_cards: ids of people whose private cards changed: their direct messages are due.
        timed_out_seat: table seat number whose time ran out, 0 for none.
        lapsed_users: ids of people whose preselection lapsed at their turn; each is told alone (TL-34).
        street_shown: nothing has changed: the next street of an all-in hand is shown, or its end (`bot.runtime.run_out`).
        closed, restored: the table was closed by this change, or restored after a restart.
    """

    snapshot: TableSnapshot
    events: tuple[JournalEvent, ...] = ()
    requested_by: int = 0
    request_key: str = ""
    users_with_new_cards: tuple[int, ...] = ()
    timed_out_seat: int = 0
    lapsed_users: tuple[int, ...] = ()
    street_shown: bool = False
    closed: bool = False
    restored: bool = False

    @property
    def is_play(self) -> bool:
        """Whether something has happened in the hand, and nothing at the table: seats, chips between hands and settings are as before."""
        is_special = self.closed or self.restored or not self.events
        return not is_special and _TABLE_EVENTS.isdisjoint(map(type, self.events))

    @property
    def opens_hands(self) -> bool:
        """Whether nobody can bet any more and the hands lie open, before the last card has been shown (TL-21)."""
        is_opened = any(isinstance(event, ShowdownOpened) and event.all_in for event in self.events)
        return is_opened and not self.snapshot.hand_over


_TABLE_EVENTS = frozenset(get_args(TableEvent))

UpdateListener: TypeAlias = Callable[[TableUpdate], None]
"""Gets every change, in the order of each table. It is called within the table's turn, so it must return at once."""


class RequestOutcome(Struct, frozen=True, gc=False):
    """The answer to a request that was granted and saved.

    Attributes:
        snapshot: the table after it.
        events: what happened because of it; empty for a repeated request.
        user: id of the user who asked.
        repeated: the same request had been granted before, and this time nothing changed.
    """

    snapshot: TableSnapshot
    events: tuple[JournalEvent, ...] = ()
    user: int = 0
    repeated: bool = False

    @property
    def own_hand(self) -> HandView | None:
        """The hand as the user who asked can see it; None if they are not dealt in."""
        return self.snapshot.seen_by(self.user)


class HandRecord(Struct, frozen=True):
    """A hand that its reader can take along as a file, with no more cards than they know.

    Attributes:
        number: the number that the hand has at its table.
        names: of the players, by seat index.
        lines: the hand as facts, line by line.
        phh: the hand in PHH, the poker hand history format.
        pokerstars: the hand in PokerStars' form; empty where it was not asked for, or where `pokerstars_gap` says why there is none.
    """

    number: int
    names: tuple[str, ...]
    lines: tuple[HistoryLine, ...]
    phh: str
    pokerstars: str = ""
    pokerstars_gap: NotInPokerStarsForm | None = None


class HandLog(Struct, frozen=True):
    """A hand as it was played, as one user can see it: with their own cards and those that were shown.

    Attributes:
        players_by_seat: the players dealt in, by table seat number.
        events: those of the hand, oldest first. Cards in them are indices in the deck.
        street_views: the hand at the end of each betting round, before the bets were gathered, with that round's actions.
        view: the hand at its end, or now.
        mixture: the name of the mixture that the hand belongs to; empty for none (VC-28).
        private: it was played at a private table.
    """

    address: TableAddress
    number: int
    started_at: int
    players_by_seat: dict[int, NamedPlayer]
    events: tuple[JournalEvent, ...]
    street_views: tuple[HandView, ...]
    view: HandView
    mixture: str = ""
    private: bool = False
