"""A table as it stands now, for whoever draws it: views only, worked out when they are asked for.

A `TableNow` is a value of one moment. Keeping it costs nothing, and a redraw that is dropped for a newer one never computes a view.

Source: design §2 "`view` is the only thing that leaves for a screen".
"""

from collections.abc import Mapping

from msgspec import Struct

from bot.engine.errors import LawError
from bot.engine.hand import Hand
from bot.engine.legal import Decision
from bot.engine.seeing import view as hand_view
from bot.engine.view import HandView
from bot.table.legal import TableLegal, table_legal
from bot.table.preselected import Early
from bot.table.preselecting import of_this_street, preselectable
from bot.table.queries import BuyIn, buy_in, offered_to, top_up_room
from bot.table.settings import TableSettings
from bot.table.state import Exchange, Status, Table
from bot.table.view import TableView
from bot.table.view import view as table_view


class Due(Struct, frozen=True, gc=False):
    """Whose turn it is and until when. Times in ms since the epoch.

    Attributes:
        seat: his table seat number.
        user: his id; below zero for a practice player.
        turn: the action number that buttons carry.
        began: when the turn began; turn_ends: when the plain clock runs out; ends: when the time bank behind it is spent too.
    """

    seat: int
    user: int
    turn: int
    began: int
    turn_ends: int
    ends: int


class Player(Struct, frozen=True, gc=False):
    """Somebody at a table: display name and Discord id (below zero for a practice player)."""

    user: int
    name: str


class Place(Struct, frozen=True, gc=False):
    """Where a table stands. `id` is the store's and is what buttons carry; `number` counts per server."""

    id: int
    number: int
    guild: int
    channel: int


class TableNow:
    """One table at one moment. Never changes; the newer of two has the higher `seq`.

    Attributes:
        place: ids, number, channel.
        seq: number of the next event in its journal.
        hand_number: of the running hand, else of the last one; 0 before the first.
        running: a hand is being played.
        due: who is to act and until when; None between hands.
        people: the players of the hand shown, and whoever is seated now, by table seat number; the hand's first where both are.
        players: ids dealt into the hand shown, by their place at the deal.
    """

    __slots__ = ("_dealt", "_hand", "_people", "_public", "_table", "_table_view", "due", "place", "seq")

    def __init__(
        self, place: Place, seq: int, table: Table, hand: Hand | None, due: Due | None, dealt: tuple[Player, ...]
    ) -> None:
        self.place, self.seq, self.due = place, seq, due
        self._table, self._hand = table, hand
        self._dealt = dealt if hand is not None else ()
        self._public: HandView | None = None
        self._table_view: TableView | None = None
        self._people: Mapping[int, Player] | None = None

    @property
    def people(self) -> Mapping[int, Player]:
        if self._people is None:
            people = {seat.number: Player(seat.player, seat.name) for seat in self._table.seats}
            if self._hand is not None:
                people.update(zip(self._hand.started.seats, self._dealt, strict=True))
            self._people = people
        return self._people

    @property
    def players(self) -> tuple[int, ...]:
        return tuple(player.user for player in self._dealt)

    @property
    def id(self) -> int:
        return self.place.id

    @property
    def settings(self) -> TableSettings:
        return self._table.settings

    @property
    def hand_number(self) -> int:
        return self._table.hands

    @property
    def mixture(self) -> str:
        """The mixture that the hand shown is of; empty for none (VC-28)."""
        return self._table.mixture

    @property
    def asking(self) -> Decision:
        """What the hand shown waits for: known to all."""
        return self._hand.decision if self._hand is not None else Decision.NONE

    @property
    def running(self) -> bool:
        return self._table.running is not None

    @property
    def has_hand(self) -> bool:
        """There is a hand to show: the running one, or the last."""
        return self._hand is not None

    @property
    def proposed(self) -> bool:
        """Something is proposed and awaits everybody's consent."""
        return self._table.proposal is not None

    @property
    def exchange(self) -> Exchange | None:
        """Two players who want to exchange seats (P-12)."""
        return self._table.exchange

    @property
    def claims(self) -> tuple[int, ...]:
        """Who of the running hand says that the deal was irregular (I-2, TL-29)."""
        return self._table.running.claims if self._table.running is not None else ()

    def may(self, user: int, at: int) -> TableLegal:
        """What somebody may do around the hands."""
        return table_legal(self._table, user, at)

    @property
    def next_hand_at(self) -> int:
        """When the next deal is due, in ms; 0 when none is."""
        return self._table.next_hand_at

    @property
    def seats_open(self) -> int:
        """How many seats somebody may still take; none at a table that closes after the hand."""
        table = self._table
        if table.status is not Status.OPEN:
            return 0
        return max(0, table.settings.seats - len(table.seats) - len(offered_to(table)))

    def buy_in(self, user: int, at: int) -> BuyIn:
        """The chips with which somebody may sit down (TL-1, TL-27)."""
        return buy_in(self._table, user, at)

    def top_up_room(self, user: int) -> int:
        """The chips that somebody seated may still add; 0 for who is not (TL-1)."""
        seat = self._table.seat_of(user)
        return top_up_room(self._table, seat) if seat is not None else 0

    @property
    def turn(self) -> int:
        """The action number of the hand shown; 0 without one."""
        return self._hand.turn if self._hand is not None else 0

    @property
    def table(self) -> TableView:
        """Seats, settings, waiting list, what is due: public."""
        if self._table_view is None:
            self._table_view = table_view(self._table, self.place.number)
        return self._table_view

    @property
    def hand(self) -> HandView | None:
        """The running hand, or the last one until the next begins, as everybody may see it."""
        if self._public is None and self._hand is not None:
            self._public = hand_view(self._hand, None)
        return self._public

    def seen_by(self, user: int) -> HandView | None:
        """The same hand as this player may see it; None if he was not dealt in."""
        if self._hand is None:
            return None
        for seat, player in enumerate(self._dealt):
            if player.user == user:
                return hand_view(self._hand, seat)
        return None

    def of_this_street(self, hand: int, turn: int) -> bool:
        """Whether a button drawn at that action of that hand is from the betting interval that is going on."""
        return self._hand is not None and hand == self.hand_number and of_this_street(self._hand, turn)

    def early(self, user: int) -> Early | None:
        """What this player may choose before his turn and what he has chosen: for him alone (TL-34). None: nothing to choose or to tell."""
        hand, running = self._hand, self._table.running
        if hand is None or running is None or self.due is None:
            return None
        place = next((at for at, player in enumerate(self._dealt) if player.user == user), None)
        if place is None:
            return None
        number = hand.started.seats[place]
        chosen = next((one for one in running.preselections if one.seat == number), None)
        try:
            may = preselectable(hand, place) if place != hand.to_act else None
        except LawError:
            may = None
        return Early(self.due.seat, may, chosen) if may is not None or chosen is not None else None
