"""A table at one moment, for whoever draws it; the update that brings it, the answer to a request, and hands as they were played.

Views are computed when they are read, and cards leave a session only as views.

Keeping a snapshot costs nothing: a redraw that is dropped for a newer one never computes a view.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TypeAlias, get_args

from msgspec import Struct
from msgspec.structs import replace

from bot.engine.errors import LawError
from bot.engine.events import ShowdownOpened
from bot.engine.hand import Hand
from bot.engine.legal import Decision
from bot.engine.rule_card import RuleCard
from bot.engine.rules_in_force import RulesInForce
from bot.engine.units import SeatIndex, SeatNumber
from bot.engine.view.build import view as hand_view
from bot.engine.view.types import HandView
from bot.events.sit_and_go.state import SitAndGo
from bot.history.lines import HistoryLine
from bot.history.pokerstars import NotInPokerStarsForm
from bot.runtime.event_finishes import duel_told, finishes_told, shares_told
from bot.runtime.journal import JournalEvent
from bot.runtime.store_types import UnshownChips
from bot.statistics.all_in_hand import AllInHand, are_hands_open, hand_run_out, seed_of
from bot.table.book import standings
from bot.table.ceremonies.deck import deck_size_to_cut
from bot.table.ceremonies.first_deal import deck_size_to_cut_for_first_deal
from bot.table.ended_game import EndedGame, ended_game, resting_game
from bot.table.events import TableEvent
from bot.table.preselection.rules import is_from_this_street, preselection_options
from bot.table.preselection.types import PreselectionView
from bot.table.queries import BuyInLimits, admits, buy_in_limits, host_of, top_up_room
from bot.table.settings import TableSettings
from bot.table.state import SeatExchange, SeatStatus, Table, TableStatus
from bot.table.view import TableView
from bot.table.view import view_table as table_view

RUN_OUT_STREET_MS = 1_500
"""The time between two streets of a run-out, as they are shown."""


class CurrentTurn(Struct, frozen=True, gc=False):
    """Whose turn it is and until when. Times in ms since the epoch.

    Attributes:
        user: the player's id; below zero for a practice player.
        decision_number: the number of this decision in the hand; buttons carry it.
        turn_ends_at: when the plain clock runs out.
        bank_ends_at: when the time bank behind it is spent too.
    """

    seat_number: SeatNumber
    user: int
    decision_number: int
    began_at: int
    turn_ends_at: int
    bank_ends_at: int


class NamedPlayer(Struct, frozen=True, gc=False):
    """A player's Discord id (below zero for a practice player) and display name."""

    user: int
    name: str


class PlayerStage(Struct, frozen=True, gc=False):
    """The part of a hand that a player is in: what they see is drawn again when it changes.

    Attributes:
        hand: the number of the hand; 0 before the first.
        street: the street; empty for a player who is not in the hand or has folded.
        cards: how many common cards lie open; while an all-in hand is run out, how many cards have been dealt.
        turn: the number of the decision that the player is asked for now; -1 for none.
        over: the hand is over.
        shown: how many of their hole cards they have shown by then.
    """

    hand: int = -1
    street: str = ""
    cards: int = 0
    turn: int = -1
    over: bool = False
    shown: int = 0

    def without_turn(self) -> "PlayerStage":
        """The same, whoever is to act."""
        return replace(self, turn=-1)


class TableAddress(Struct, frozen=True, gc=False):
    """Where a table is. Buttons carry `id`, which the store gave; people read `number`, which counts per server."""

    id: int
    number: int
    guild: int
    channel: int


def with_decision(street: tuple[Hand, ...], hand: Hand) -> tuple[Hand, ...]:
    """Return a hand as it stood before each decision of its street, oldest first, with how it stands now as the newest."""
    earlier = [one for one in street if one.street == hand.street and one.decision_number < hand.decision_number]
    return (*earlier, hand)


class _TableFacts:
    """What a table and the players of its hand tell, each fact worked out once: it is the same until one of the two is another value.

    Most actions change the hand alone.
    """

    def __init__(self, number: int, table: Table, hand: Hand | None, dealt_players: tuple[NamedPlayer, ...]) -> None:
        self.number, self.table, self.dealt_players = number, table, dealt_players
        self._seat_numbers = hand.started.seat_numbers if hand is not None else ()

    @cached_property
    def players_by_seat(self) -> Mapping[int, NamedPlayer]:
        players: dict[int, NamedPlayer] = {
            seat.number: NamedPlayer(seat.player, seat.name) for seat in self.table.seats
        }
        players.update(zip(self._seat_numbers, self.dealt_players, strict=True))
        return players

    @cached_property
    def is_anybody_late(self) -> bool:
        return any(seat.out_by_timeout or seat.missed_turns or seat.away for seat in self.table.seats)

    @cached_property
    def is_anybody_sitting_out(self) -> bool:
        return any(seat.status is SeatStatus.SITTING_OUT for seat in self.table.seats)

    @cached_property
    def open_seats(self) -> int:
        table = self.table
        if table.status is not TableStatus.OPEN or (table.settings.is_event and table.seats):
            return 0  # nobody sits down where an event is under way
        return max(0, table.settings.seat_count - len(table.seats) - len(table.waiting_with_offer))

    @cached_property
    def average_stack(self) -> int:
        seats = self.table.seats
        return sum([seat.stack for seat in seats]) // max(1, len(seats))

    @cached_property
    def dealt_users(self) -> tuple[int, ...]:
        return tuple([player.user for player in self.dealt_players])

    @cached_property
    def view(self) -> TableView:
        return table_view(self.table, self.number)


class TableOutline:
    """What can be told of a table without its hand: who sits there, and by which settings. That is all that lists of tables need, and it
    wakes no table that sleeps.

    Attributes:
        id: the table's.
        hand_number: the number of the hand; 0 before the first.
        hand_running: whether it is being played.
        sit_and_go: what is played here; None at an ordinary table.
    """

    def __init__(
        self,
        address: TableAddress,
        table: Table,
        dealt_in: tuple[int, ...],
        sit_and_go: SitAndGo | None = None,
        facts: _TableFacts | None = None,
    ) -> None:
        """Args:
        dealt_in: the ids of who is dealt into the running hand.
        facts: what is worked out already, if anything is.
        """
        self.address, self.id, self.sit_and_go = address, address.id, sit_and_go
        self.hand_number, self.hand_running = table.hands_dealt, table.running_hand is not None
        self._table, self._dealt_in = table, dealt_in
        self._facts = facts if facts is not None else _TableFacts(address.number, table, None, ())

    @property
    def dealt_users(self) -> tuple[int, ...]:
        """Ids of the players dealt into the running hand, by seat index."""
        return self._dealt_in

    @property
    def settings(self) -> TableSettings:
        return self._table.settings

    @property
    def host(self) -> int:
        """The id of the host. It computes no view."""
        return host_of(self._table)

    @property
    def is_private(self) -> bool:
        """Whether only those who are invited can come to the table, or know of it."""
        return self._table.private

    @property
    def invited(self) -> tuple[int, ...]:
        """Ids of the people who are invited to a private table."""
        return self._table.invited

    @property
    def table(self) -> TableView:
        """The table as everybody can see it: seats, settings, waiting list, what is due."""
        return self._facts.view

    @property
    def seated_since(self) -> tuple[tuple[int, int], ...]:
        """Who sits here, and since when, in ms since the epoch. It computes no view."""
        return tuple([(seat.player, seat.seated_at) for seat in self._table.seats])

    def known_name(self, user: int) -> str:
        """Return the name under which a user sits here, waits for a seat, or has entered an event; empty for anybody else."""
        table, event = self._table, self.sit_and_go
        if event is not None and event.is_open:
            if (duel := event.settings.duel) is not None and event.awaits(user):
                return duel.named(user)
            return next((one.name for one in event.entrants if one.player == user and one.is_in), "")
        names = {waiting.player: waiting.name for waiting in table.waiting}
        names |= {seat.player: seat.name for seat in table.seats}
        return names.get(user, "")

    def admits(self, user: int) -> bool:
        """Whether a user can come to the table: at a private one those who are invited; nobody whom the host has removed."""
        return admits(self._table, user)

    def may_watch(self, user: int) -> bool:
        """Whether a user can see what is public at the table: everybody; at a private one those who are invited, sit here, wait for
        a seat or are dealt into the running hand."""
        if not self._table.private or admits(self._table, user):
            return True
        return bool(self.known_name(user)) or (self.hand_running and user in self.dealt_users)

    @property
    def is_challenge(self) -> bool:
        """Whether somebody has been challenged to a duel here, and has not answered: the table is for these two alone."""
        event = self.sit_and_go
        return event is not None and event.settings.duel is not None and not event.started_at

    @property
    def open_seats(self) -> int:
        """Return how many seats can be taken; none at a table that closes after the hand."""
        return 0 if self.is_challenge else self._facts.open_seats

    @property
    def seats_for_newcomers(self) -> int:
        """Return how many seats somebody can take who comes now: the waiting list comes first."""
        offered = len(self._table.waiting_with_offer)
        away = sum(waiting.vacation_until > 0 for waiting in self._table.waiting)
        return max(0, self.open_seats - (len(self._table.waiting) - offered - away))

    def buy_in(self, user: int, at: int) -> BuyInLimits:
        """Return the chips with which a user can sit down (TL-1, TL-27)."""
        return buy_in_limits(self._table, user, at)

    @property
    def chips_without_game(self) -> tuple[UnshownChips, ...]:
        """What must be added to each player's saved chips to get those that they would have if they had not come to this table."""
        taken = {line.player: line.taken for line in self._table.book}
        return tuple(
            UnshownChips(one.player, one.chips - taken[one.player] - one.net, taken[one.player] - one.chips, 0)
            for one in standings(self._table)
            if one.player > 0
        )


class TableSnapshot(TableOutline):
    """One table at one moment. It never changes; the newer of two snapshots has the higher `seq`.

    Some facts are here as well as in the views, so that one can read them without computing a view. "The hand" is the running hand, or
    the last one until the next hand begins.

    Attributes:
        seq: number of the next event in the table's journal.
        current_turn: whose turn it is and until when; None between hands.
    """

    def __init__(
        self,
        address: TableAddress,
        seq: int,
        table: Table,
        hand: Hand | None,
        current_turn: CurrentTurn | None,
        dealt_players: tuple[NamedPlayer, ...],
        street: tuple[Hand, ...] = (),
        earlier: "TableSnapshot | None" = None,
        sit_and_go: SitAndGo | None = None,
    ) -> None:
        """Args:
        earlier: the table before, if it is known: what has not changed since is not worked out again.
        """
        self.seq, self.current_turn, self._hand, self._street = seq, current_turn, hand, street
        self._dealt_players = dealt = dealt_players if hand is not None else ()
        self._public_hand: HandView | None = None
        facts: _TableFacts | None = earlier._facts if earlier is not None else None
        if facts is None or facts.table is not table or facts.dealt_players is not dealt:
            facts = _TableFacts(address.number, table, hand, dealt)
        super().__init__(address, table, (), sit_and_go, facts)

    @property
    def dealt_users(self) -> tuple[int, ...]:
        """Ids of the players dealt into the hand, by seat index."""
        return self._facts.dealt_users

    @property
    def players_by_seat(self) -> Mapping[int, NamedPlayer]:
        """Players by table seat number: those of the hand, and on all other seats those who sit there now."""
        return self._facts.players_by_seat

    @property
    def mixture(self) -> str:
        """The name of the mixture that the hand belongs to; empty for none (VC-28)."""
        return self._table.mixture_name

    @property
    def game_of_hand(self) -> RuleCard | None:
        """The game that the hand is; None before the first. A bomb pot is a game of its own."""
        return self._hand.started.rule_card if self._hand is not None else None

    @property
    def rules_of_hand(self) -> RulesInForce | None:
        """The rules of the hand; None before the first."""
        return self._hand.rules if self._hand is not None else None

    @property
    def decision(self) -> Decision:
        """The kind of decision that the hand waits for. Everybody can know it."""
        return self._hand.decision if self._hand is not None else Decision.NONE

    @property
    def hand_over(self) -> bool:
        """Return whether the hand to show has ended."""
        return self._hand is not None and self._hand.over

    @property
    def has_hand(self) -> bool:
        """Return whether there is a hand to show."""
        return self._hand is not None

    @property
    def seat_exchange(self) -> SeatExchange | None:
        """The exchange of seats that two players want (P-12)."""
        return self._table.exchange

    @property
    def misdeal_claims(self) -> tuple[int, ...]:
        """Players of the running hand who say that the deal was irregular (I-2, TL-29)."""
        return self._table.running_hand.misdeal_claims if self._table.running_hand is not None else ()

    @property
    def has_proposal(self) -> bool:
        """Whether a proposal awaits consent (H-1, H-3)."""
        return self._table.proposal is not None

    @property
    def next_hand_at(self) -> int:
        """When the next hand is dealt, in ms since the epoch; 0 when that is not known."""
        return self._table.next_hand_at

    @property
    def is_break_wanted(self) -> bool:
        """Whether players ask for a break of the whole table."""
        return self._table.table_break is not None and not self._table.on_break

    @property
    def is_anybody_late(self) -> bool:
        """Whether a seated player ran out of time, missed a turn, or is away from an event, and has done nothing since."""
        return self._facts.is_anybody_late

    @property
    def is_anybody_sitting_out(self) -> bool:
        return self._facts.is_anybody_sitting_out

    @property
    def average_stack(self) -> int:
        """The average of the stacks, in chips, rounded down; of those before the hand while one is played."""
        return self._facts.average_stack

    def deck_size_to_cut(self, user: int) -> int:
        """Return the number of cards in the deck that a user can cut now; 0 if they cannot (D-5, D-6)."""
        return deck_size_to_cut(self._table, user)

    def deck_size_to_cut_for_first_deal(self, user: int) -> int:
        """Return the number of cards in the deck in which a user can cut for the first deal; 0 if they cannot (D-2)."""
        return deck_size_to_cut_for_first_deal(self._table, user)

    def missed_turns_of(self, user: int) -> int:
        """Return how many turns a player has missed in a row (TL-32)."""
        seat = self._table.seat_of(user)
        return seat.missed_turns if seat is not None else 0

    def knows(self, user: int) -> bool:
        """Whether a user sits here or waits for a seat, has left, or is dealt into the hand."""
        if self.known_name(user) or user in self.dealt_users:
            return True
        return any(left.player == user for left in self._table.departures)

    def taken_away(self, user: int) -> int:
        """Return the chips that a user has taken away from this game, and brings back to it (TC-5)."""
        line = self._table.book_line(user)
        return line.taken if line is not None else 0

    def top_up_maximum(self, user: int) -> int:
        """Return the chips that a seated player can still add; 0 for a user without a seat (TL-1)."""
        seat = self._table.seat_of(user)
        return top_up_room(self._table, seat) if seat is not None else 0

    def top_up_minimum(self, user: int) -> int:
        """Return the fewest chips that a seated player can add: a full buy-in for an empty stack, except during their hand (TL-1)."""
        seat = self._table.seat_of(user)
        needs_buy_in = seat is not None and not seat.stack and not self._table.dealt_in(user)
        return self._table.settings.min_buyin if needs_buy_in else 1

    @property
    def decision_number(self) -> int:
        """The number of the hand's current decision; 0 without a hand."""
        return self._hand.decision_number if self._hand is not None else 0

    def ended_game(self, events: Iterable[TableEvent]) -> EndedGame:
        """Return what is left to tell of the table, which has closed by these events."""
        ended = ended_game(self._table, self.address.number, events)
        event = self.sit_and_go
        if event is None:
            return ended
        duel = duel_told(event, named=not ended.standings)
        return replace(ended, finishes=finishes_told(event), duel=duel, shares=shares_told(event))

    def resting_game(self, last_hand_at: int) -> EndedGame:
        """Return what there is to tell of the table, which has dealt nothing since a time, in ms since the epoch."""
        return resting_game(self._table, self.address.number, last_hand_at)

    @property
    def lobby_facts(self) -> object:
        """What of the table the lobby shows, to compare with what it was. It computes no view."""
        table = self._table
        seated = tuple([(seat.number, seat.player, seat.name) for seat in table.seats])
        return seated, len(table.waiting), self.open_seats, table.settings, self.address.channel, table.private

    @property
    def hand(self) -> HandView | None:
        """The hand as everybody can see it; None before the first."""
        if self._public_hand is None and self._hand is not None:
            self._public_hand = hand_view(self._hand, None)
        return self._public_hand

    def views_of_street(self) -> Iterator[HandView]:
        """Yield the hand as everybody can see it, then as they saw it before each decision of the street, the last one first."""
        if self.hand is not None:
            yield self.hand
        for hand in reversed(self._street[:-1]):
            yield hand_view(hand, None)

    def seen_by(self, user: int) -> HandView | None:
        """Return the hand as this player can see it; None if they were not dealt in."""
        if self._hand is None:
            return None
        seat_index = self._seat_index_of(user)
        return hand_view(self._hand, seat_index) if seat_index is not None else None

    @property
    def run_out_street(self) -> tuple[int, int, int] | None:
        """The street of an all-in hand whose hands are turned up (TL-21): hand, boards and cards dealt; None at any other time.

        It computes no view.
        """
        hand = self._hand
        if hand is None or not are_hands_open(hand):
            return None
        return self.hand_number, len(hand.board_indices), _cards_dealt(hand)

    def hand_run_out(self) -> AllInHand | None:
        """Return what everybody can know of a hand that is run out; None at any other time, or where no card is to come."""
        return hand_run_out(self._hand, seed_of(self.id, self.hand_number)) if self._hand is not None else None

    def stage_of(self, user: int) -> PlayerStage:
        """The part of the hand that a player is in. It computes no view."""
        hand, number = self._hand, self.hand_number
        if hand is None:
            return PlayerStage(number)
        seat_index = self._seat_index_of(user)
        if hand.over:
            return PlayerStage(number, over=True, shown=hand.shown_count(seat_index) if seat_index is not None else 0)
        if seat_index is None or not hand.live_seats >> seat_index & 1:
            return PlayerStage(number)
        asked = bool(hand.seats_to_choose >> seat_index & 1) if hand.choice_open else seat_index == hand.to_act
        # no betting tells the streets of stud apart
        cards = _cards_dealt(hand) if hand.all_in_showdown else sum(map(len, hand.board_indices))
        return PlayerStage(number, hand.street, cards, hand.decision_number if asked else -1)

    def is_on_current_street(self, hand_number: int, decision_number: int) -> bool:
        """Return whether a button that was drawn at that decision of that hand belongs to the current betting round."""
        if self._hand is None or hand_number != self.hand_number:
            return False
        return is_from_this_street(self._hand, decision_number)

    def preselection_for(self, user: int) -> PreselectionView | None:
        """Return what this player can choose before their turn and what they have chosen (TL-34); None if neither. Only they see it."""
        hand, running = self._hand, self._table.running_hand
        if hand is None or running is None or self.current_turn is None:
            return None
        seat_index = self._seat_index_of(user)
        if seat_index is None:
            return None
        seat_number = hand.started.seat_numbers[seat_index]
        chosen = next((one for one in running.preselections if one.seat_number == seat_number), None)
        try:
            options = preselection_options(hand, seat_index) if seat_index != hand.to_act else None
        except LawError:
            options = None
        if options is None and chosen is None:
            return None
        return PreselectionView(options, chosen, self._table.settings.is_slow)

    def _seat_index_of(self, user: int) -> SeatIndex | None:
        for seat_index, player in enumerate(self._dealt_players):
            if player.user == user:
                return SeatIndex(seat_index)
        return None


def _cards_dealt(hand: Hand) -> int:
    """Return how many cards the boards and the seats have."""
    return sum(map(len, (*hand.board_indices, *hand.up_indices, *hand.down_indices)))


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

    @property
    def brings_run_out_near(self) -> bool:
        """Whether somebody has gone all-in, or the hands lie open already, and the hand goes on."""
        return True in [getattr(event, "all_in", False) for event in self.events] and not self.snapshot.hand_over


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
