"""The state of a table between two hands, as plain values.

Laws: P-1 to P-12, TL-1, TL-7 to TL-14, TL-27, TL-31 to TL-33, TC-1 to TC-5.
"""

from enum import StrEnum

from msgspec import Struct

from bot.engine.units import NO_SEAT_NUMBER, SeatNumber
from bot.table.preselection.types import Preselection
from bot.table.settings import TableSettings


class TableStatus(StrEnum):
    """Whether the table takes players."""

    OPEN = "open"
    CLOSING = "closing"  # it closes after the running hand
    CLOSED = "closed"


class SeatStatus(StrEnum):
    """How a seated player comes into the next hand. The words are stored."""

    PLAYING = "in"
    SITTING_OUT = "sitting out"
    WAITING_FOR_BIG_BLIND = "waiting for the big blind"
    POSTING = "posting"  # they post what they owe as soon as they can come in (TL-10)
    BUYING_BUTTON = "buying the button"  # they sit between button and small blind and post both blinds (TL-11)


class AfterHand(StrEnum):
    """What a player who is dealt in does when the hand is over. The words are stored."""

    STAY = "stays"
    SIT_OUT = "sits out after this deal"
    LEAVE = "leaves after this deal"


class EntryMethod(StrEnum):
    """How a player who owes blinds comes back in (TL-10, TL-11). The words are stored."""

    WAIT = "wait"
    POST = "post"
    BUY_BUTTON = "buy the button"


class Seat(Struct, frozen=True, kw_only=True):
    """An occupied seat.

    Attributes:
        number: 1 to 14, clockwise.
        stack: the chips in play. During a hand it is the stack before the first post; the hand knows the rest.
        newcomer: the player has not been dealt a hand in this seat yet.
        owes_small, owes_big: missed blinds; the small one is dead money, the big one is live (TL-10).
        queued_top_up: chips of an announced top-up for the next hand (TL-1). They are still in the wallet.
        bank_ms: the time bank that is left (TL-31).
        hands_since_refill: hands dealt in since the time bank was last refilled.
        timed_out: the player timed out in the running hand and has no time bank until they act again (TL-32).
        missed_turns: the turns that the player has missed in a row; any action of their own ends the row (TL-32).
        out_by_timeout: the player sits out, or will after this hand, because they missed turns and not because they asked for it.
        out_since: when the player began to sit out; 0 when they are not sitting out.
        orbits_missed: big blinds that have passed the player since then.
        wants_straddle: the player has asked for the live straddle in the next hand (TL-13).
        practice: this is a practice player.
        vacation_until: the player is on vacation until then; 0 for none (WT-1).
        vacation_returns: they sit out for it alone, and play again after it.
        away: in an event, they have chosen *Away*: they are dealt in, post, and fold at their turn until they press (SG-3).
    """

    number: SeatNumber
    player: int
    name: str
    stack: int
    seated_at: int
    status: SeatStatus = SeatStatus.PLAYING
    after_hand: AfterHand = AfterHand.STAY
    newcomer: bool = True
    owes_small: bool = False
    owes_big: bool = False
    queued_top_up: int = 0
    bank_ms: int = 0
    hands_since_refill: int = 0
    timed_out: bool = False
    missed_turns: int = 0
    out_by_timeout: bool = False
    out_since: int = 0
    orbits_missed: int = 0
    wants_straddle: bool = False
    practice: bool = False
    vacation_until: int = 0
    vacation_returns: bool = False
    away: bool = False

    @property
    def wants_next_hand(self) -> bool:
        """The player wants to be dealt in and has chips for it."""
        return self.stack > 0 and self.status is not SeatStatus.SITTING_OUT and self.after_hand is AfterHand.STAY

    @property
    def has_missed_turns(self) -> bool:
        """The player ran out of time and has done nothing of their own since."""
        return self.timed_out or self.missed_turns > 0

    @property
    def owes_blinds(self) -> bool:
        """The player has missed a blind and has not made it up yet."""
        return self.owes_small or self.owes_big

    @property
    def is_settled(self) -> bool:
        """The player is part of the game: not a newcomer, and without missed blinds."""
        return not (self.newcomer or self.owes_blinds)


class Departure(Struct, frozen=True):
    """What the table remembers of a player who left: the chips they took away (TL-27) and the blinds they owe (TL-12)."""

    player: int
    seat_number: SeatNumber
    chips: int
    at: int
    owes_small: bool = False
    owes_big: bool = False
    newcomer: bool = False


class BookLine(Struct, frozen=True):
    """What one person bought in a game, and took away from it (TC-1).

    Attributes:
        buy_ins: how often they bought chips; at a table of server chips also how often they added some.
        bought: all of these chips.
        taken: the chips that they took away from the table when they left, and have not brought back.
        hands: the hands dealt to them that counted.
        in_pot: their chips of a pot that was carried to the next hand: they count as theirs until it is paid (TC-6).
    """

    player: int
    name: str
    buy_ins: int = 0
    bought: int = 0
    taken: int = 0
    hands: int = 0
    in_pot: int = 0


class RebuyRequest(Struct, frozen=True):
    """Somebody asks the host for a rebuy (TC-4).

    Attributes:
        asked_at: when, in ms.
        step: how far the question has gone on: 0 to the first host, 1 also to the next one, 2 to everybody who is seated.
        granted_at: when the answer was yes; 0 while nobody has answered. A yes to somebody without a seat waits until they sit down.
        refused_until: until when a no stands; 0 for none.
    """

    player: int
    name: str
    asked_at: int
    step: int = 0
    granted_at: int = 0
    refused_until: int = 0

    @property
    def is_pending(self) -> bool:
        """Nobody has answered yet."""
        return not (self.granted_at or self.refused_until)


class RebuyOffer(StrEnum):
    """What a seated player can do for more table chips."""

    NONE = "none"  # server chips, or a stack of more than half the starting stack
    NOW = "now"  # buy again
    ASK = "ask"  # ask the host first
    ASKED = "asked"  # the host is asked
    SPENT = "spent"  # no more rebuys in this game


class Standing(Struct, frozen=True):
    """Where one person stands in a game.

    Attributes:
        buy_ins, bought: how often they bought chips, and how many together.
        chips: what they have: their stack, what they took away, and their part of a pot that was carried to the next hand. Chips that
            are in the pot of a running hand count as theirs (TC-6).
        net: what they are up, or down if negative.
        hands: the hands dealt to them that counted.
        is_seated: they have a seat at the table.
    """

    player: int
    name: str
    buy_ins: int
    bought: int
    chips: int
    net: int
    hands: int
    is_seated: bool


class WaitingPlayer(Struct, frozen=True):
    """A player on the waiting list. `offered_until` is 0 until a seat is offered to them; `offered_seat` is the one, 0 for any.

    Attributes:
        vacation_until: until when they are on vacation, and no seat is offered to them; 0 for no vacation (WT-1).
    """

    player: int
    name: str
    waiting_since: int
    offered_until: int = 0
    offered_seat: SeatNumber = NO_SEAT_NUMBER
    vacation_until: int = 0


class Positions(Struct, frozen=True):
    """Seat numbers of the button and the blinds in the last hand. Without blinds, both blind seats are 0.

    The button and the small blind can rest on empty seats (TL-9). At a mixed table the blinds and their button keep their seats while a
    game without blinds is played. `dealer_without_blinds` is then the seat that deals it; it is 0 while blinds are played or the button
    stands still.
    """

    button_seat: SeatNumber
    small_blind_seat: SeatNumber = NO_SEAT_NUMBER
    big_blind_seat: SeatNumber = NO_SEAT_NUMBER
    dealer_without_blinds: SeatNumber = NO_SEAT_NUMBER

    @property
    def dealer_seat(self) -> SeatNumber:
        """The seat that dealt the last hand."""
        return self.dealer_without_blinds or self.button_seat


class PlayerBeforeHand(Struct, frozen=True):
    """A player, seated or gone, as they were before a hand. It is put back if the hand does not count."""

    player: int
    status: SeatStatus
    newcomer: bool
    owes_small: bool
    owes_big: bool
    orbits_missed: int = 0


class RotationState(Struct, frozen=True):
    """Where a mixed table is in its games (VC-28).

    Attributes:
        game_index: the current game in the rotation, from 0.
        hands_dealt: hands of this game so far.
        hands_per_lap: how many hands make a lap; 0 before the first hand of the game.
        began_at: when this game began.
        chooser_seat: the seat that holds the marker of dealer's choice; 0 before the first choice.
        choice_due_at: until when the chooser can choose; 0 when nobody is asked.
    """

    game_index: int = 0
    hands_dealt: int = 0
    hands_per_lap: int = 0
    began_at: int = 0
    chooser_seat: SeatNumber = NO_SEAT_NUMBER
    choice_due_at: int = 0


class DeckState(Struct, frozen=True):
    """What players have done to the deck for the next hand (D-3 to D-7).

    Attributes:
        shuffles: how many extra shuffles players have asked for.
        cut_points: where the deck is cut, counted from the top; empty when it is not cut.
        cut_by_seat: the seat that cut.
        cut_declined: the player at the dealer's right has declined to cut.
    """

    shuffles: int = 0
    cut_points: tuple[int, ...] = ()
    cut_by_seat: SeatNumber = NO_SEAT_NUMBER
    cut_declined: bool = False


class FirstDealLot(Struct, frozen=True):
    """One cut for the first deal (D-2): the seat, the chosen position in the deck from 1, and the card that lay there.

    After a tie the position becomes 0: the card is used up, but the cut no longer counts.
    """

    seat_number: SeatNumber
    deck_position: int
    card: int


class SeatDrawChoices(Struct, frozen=True):
    """What was chosen before seats are drawn (P-8).

    Attributes:
        banker_seat_number: the seat that the banker chose; 0 for the one they have.
        dealer_left_of_banker: the first dealer sits left of the banker instead of joining the draw.
    """

    banker_seat_number: SeatNumber = NO_SEAT_NUMBER
    dealer_left_of_banker: bool = False


class ReplaySetup(Struct, frozen=True):
    """How a hand was set up. If the hand does not count, its exact replay is dealt in the same way (TL-29).

    Attributes:
        players: who was dealt in and has not left since; nobody else is dealt into the replay.
        button_seat, small_blind_seat: these can be empty seats.
        posting_seats: the seats that posted what they owed (TL-10).
        button_buyer_seat: the seat that bought the button (TL-11); 0 for none.
        straddle_seat: the seat of the live straddle; 0 for none.
        button_stands_still: the button stood still, and the blinds kept their seats (VC-28).
        bomb_pot: the hand was a bomb pot (VC-29).
    """

    players: tuple[int, ...] = ()
    button_seat: SeatNumber = NO_SEAT_NUMBER
    small_blind_seat: SeatNumber = NO_SEAT_NUMBER
    big_blind_seat: SeatNumber = NO_SEAT_NUMBER
    posting_seats: tuple[SeatNumber, ...] = ()
    button_buyer_seat: SeatNumber = NO_SEAT_NUMBER
    straddle_seat: SeatNumber = NO_SEAT_NUMBER
    button_stands_still: bool = False
    bomb_pot: bool = False


class RunningHand(Struct, frozen=True):
    """The hand that is being played.

    Attributes:
        number: hands are counted per table, from 1.
        dealt_seats: the seats dealt in, clockwise from the button's left.
        players: who sat there when the hand was dealt.
        positions_before, players_before: what is put back if the hand does not count.
        carried_before: chips that were in the pot from an earlier hand.
        rotation_before, frozen_button_before, hands_since_bomb_pot_before: the table's own values before the hand.
        bomb_pot: this hand is a bomb pot.
        misdeal_claims: players who say that the deal was irregular (I-2, TL-29).
        replay: the setup for an exact replay of this hand.
        preselections: what seats have chosen before their turn, at most one each; private (TL-34).
    """

    number: int
    dealt_seats: tuple[SeatNumber, ...]
    players: tuple[int, ...]
    positions_before: Positions | None
    players_before: tuple[PlayerBeforeHand, ...]
    carried_before: int = 0
    rotation_before: RotationState = RotationState()
    frozen_button_before: SeatNumber = NO_SEAT_NUMBER
    hands_since_bomb_pot_before: int = 0
    bomb_pot: bool = False
    misdeal_claims: tuple[int, ...] = ()
    replay: ReplaySetup = ReplaySetup()
    preselections: tuple[Preselection, ...] = ()


class StackChange(Struct, frozen=True):
    """One line of an equitable adjustment: chips that a player's stack gains, or loses when negative (H-3)."""

    player: int
    chips: int


class ChipsCorrection(Struct, frozen=True):
    """A correction by staff in the book of a game of table chips (TC-6).

    Attributes:
        by: the staff member.
        changes: what each player gains, or loses below zero. Of several players they add up to zero; one alone has bought so much more.
    """

    by: int
    changes: tuple[StackChange, ...]
    reason: str


class PlayedHand(Struct, frozen=True):
    """Who played a hand that counted, for as much of it as an adjustment of stacks asks for (H-3).

    Attributes:
        players: who was dealt in.
        put_in: the chips that each of them put in.
        gained: the chips that each has been given by adjustments since, fewer than none for those who gave.
        taken_out: the chips that each took out of its pots; empty in what was saved before this was kept, as if everybody took out
            what they put in.
    """

    players: tuple[int, ...]
    put_in: tuple[int, ...]
    gained: tuple[int, ...]
    taken_out: tuple[int, ...] = ()

    @property
    def shares(self) -> tuple[int, ...]:
        """What each player has of its pots now, adjustments counted."""
        taken_out = self.taken_out or self.put_in
        return tuple([taken + gained for taken, gained in zip(taken_out, self.gained, strict=True)])


class Proposal(Struct, frozen=True):
    """A change that needs the consent of everyone seated: new settings (H-1), or a one-time adjustment of stacks (H-3)."""

    player: int
    at: int
    settings: TableSettings | None = None
    stack_changes: tuple[StackChange, ...] = ()
    consents: tuple[int, ...] = ()


class SeatExchange(Struct, frozen=True):
    """Two players want to exchange seats (P-12). `due_at` is 0 until both have asked, then it is the end of the notice time."""

    player: int
    other_player: int
    due_at: int = 0


class TableBreak(Struct, frozen=True):
    """A break that players ask for, or that they take. It begins between hands once the majority of those seated wants it.

    Attributes:
        minutes: how long it lasts.
        wanted_by: the players who want it.
        began_at, ends_at: 0 until it begins.
    """

    minutes: int
    wanted_by: tuple[int, ...]
    began_at: int = 0
    ends_at: int = 0


class Table(Struct, frozen=True, kw_only=True):
    """A table. It never changes: `evolve` makes a new one.

    Attributes:
        opened_by: the player who opened the table. They are the host unless they sat and left: see `bot.table.queries.host_of`.
        opened_by_left: that player has sat down and left again.
        active_at: when a person last did something here.
        seated_at: when seats were last drawn, or when the table opened (P-10).
        seats: the occupied seats, by number.
        positions: button and blinds of the last hand; None before the first hand of a game.
        drawn_button_seat: the seat that drew the first button; 0 before the draw and after the first hand.
        hands_dealt: hands so far, the running one included.
        waiting: the waiting list, first come first served.
        departures: one for each player who has left.
        next_hand_at: when the next hand is due; 0 when none is.
        new_stakes_until: the stakes have changed, and no hand is dealt before this time (H-1); 0 once one has been dealt.
        rebuys_until: in an event, players without chips are asked whether they rebuy, and no hand is dealt before this time (SG-9).
        carried_chips: chips that stay in the pot for the next hand (N-1, I-3).
        passed_out_hands: hands in a row that nobody could open (VC-20).
        frozen_button: the seat whose button stands still while stud is played; 0 for none (VC-28).
        deck: what has been done to the deck for the next hand.
        first_deal_lots: the cuts for the first deal so far.
        seats_to_cut: after a tie, the seats that must cut again (D-2).
        seat_draw_choices: what was chosen before seats are drawn.
        substitutes: pairs of a player and who takes their seat (P-11).
        bomb_pot_votes: the players who want a bomb pot.
        hands_since_bomb_pot: hands since the last bomb pot (VC-29).
        replay: the next hand is the exact replay of one that did not count; None for an ordinary hand (TL-29).
        mixture_name: the mixture that the last hand belonged to; empty if it belonged to none (VC-28).
        table_break: the break that is asked for or taken; None for neither.
        played_hands: for every group of players the last hand that all of them were dealt into, oldest first (H-3).
        private: only those who are invited, and the host, can come to the table.
        invited: who they are.
        kept_out: the players whom the host has removed; they cannot come back unless they are invited again.
        book: what each person bought and took away, in the order in which they first sat down. At a table that was open when this came,
            those who sit down since.
        rebuy_requests: the rebuys that the host is asked for, and the answers that still stand (TC-4).
        corrections: the corrections by staff that wait for the end of the hand (TC-6).
    """

    settings: TableSettings
    opened_by: int
    opened_at: int
    active_at: int
    seated_at: int
    opened_by_left: bool = False
    status: TableStatus = TableStatus.OPEN
    seats: tuple[Seat, ...] = ()
    positions: Positions | None = None
    drawn_button_seat: SeatNumber = NO_SEAT_NUMBER
    hands_dealt: int = 0
    running_hand: RunningHand | None = None
    waiting: tuple[WaitingPlayer, ...] = ()
    departures: tuple[Departure, ...] = ()
    proposal: Proposal | None = None
    exchange: SeatExchange | None = None
    next_hand_at: int = 0
    new_stakes_until: int = 0
    carried_chips: int = 0
    passed_out_hands: int = 0
    rotation_state: RotationState = RotationState()
    frozen_button: SeatNumber = NO_SEAT_NUMBER
    deck: DeckState = DeckState()
    first_deal_lots: tuple[FirstDealLot, ...] = ()
    seats_to_cut: tuple[SeatNumber, ...] = ()
    seat_draw_choices: SeatDrawChoices = SeatDrawChoices()
    substitutes: tuple[tuple[int, int], ...] = ()
    bomb_pot_votes: tuple[int, ...] = ()
    hands_since_bomb_pot: int = 0
    replay: ReplaySetup | None = None
    mixture_name: str = ""
    table_break: TableBreak | None = None
    played_hands: tuple[PlayedHand, ...] = ()
    private: bool = False
    invited: tuple[int, ...] = ()
    kept_out: tuple[int, ...] = ()
    rebuys_until: int = 0
    book: tuple[BookLine, ...] = ()
    rebuy_requests: tuple[RebuyRequest, ...] = ()
    corrections: tuple[ChipsCorrection, ...] = ()

    @property
    def on_break(self) -> bool:
        """The whole table takes a break."""
        return self.table_break is not None and self.table_break.ends_at > 0

    @property
    def seats_wanting_hand(self) -> tuple[Seat, ...]:
        """The seats that want a hand and have the chips for it."""
        forced_chips = self.settings.forced_chips
        return tuple([seat for seat in self.seats if seat.wants_next_hand and seat.stack >= forced_chips])

    @property
    def seats_for_next_hand(self) -> tuple[Seat, ...]:
        """The seats that want a hand and can have one: nobody new is dealt into an exact replay (TL-29)."""
        replay = self.replay
        if replay is None:
            return self.seats_wanting_hand
        return tuple([seat for seat in self.seats_wanting_hand if seat.player in replay.players])

    @property
    def kept_out_of_replay(self) -> tuple[Seat, ...]:
        """The seats that want a hand and wait because the next one replays a hand they were not in (TL-29)."""
        replay = self.replay
        if replay is None:
            return ()
        return tuple([seat for seat in self.seats_wanting_hand if seat.player not in replay.players])

    @property
    def dealer_seat(self) -> SeatNumber:
        """The seat that dealt the last hand, or that has drawn the first deal; 0 before that."""
        return self.positions.dealer_seat if self.positions else self.drawn_button_seat

    def seat(self, number: int) -> Seat | None:
        """Return the occupied seat of this number, or None."""
        for seat in self.seats:  # asked several times at every action
            if seat.number == number:
                return seat
        return None

    def seat_of(self, player: int) -> Seat | None:
        """Return the seat of this player, or None."""
        for seat in self.seats:
            if seat.player == player:
                return seat
        return None

    @property
    def waiting_with_offer(self) -> tuple[WaitingPlayer, ...]:
        """The waiting players for whom a seat is reserved."""
        return tuple(waiting for waiting in self.waiting if waiting.offered_until)

    def book_line(self, player: int) -> BookLine | None:
        """Return what this person bought and took away, or None."""
        return next((line for line in self.book if line.player == player), None)

    def rebuy_request(self, player: int) -> RebuyRequest | None:
        """Return the rebuy that this player asks for, or the answer that still stands, or None."""
        return next((one for one in self.rebuy_requests if one.player == player), None)

    def dealt_in(self, player: int) -> bool:
        """Tell whether this player was dealt into the running hand."""
        return self.running_hand is not None and player in self.running_hand.players
