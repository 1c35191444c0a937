"""What a table is between two hands, as plain values.

Source: laws P-1 to P-12, TL-1, TL-7 to TL-14, TL-27, TL-31 to TL-33; design §2 "values outside".
"""

from enum import StrEnum

from msgspec import Struct

from bot.table.preselected import Preselection
from bot.table.settings import TableSettings


class Status(StrEnum):
    """Whether the table takes players."""

    OPEN = "open"
    CLOSING = "closing"  # after the hand that is running
    CLOSED = "closed"


class SeatState(StrEnum):
    """How a seated player stands toward the next deal."""

    IN = "in"
    OUT = "sitting out"
    WAITING = "waiting for the big blind"
    POSTING = "posting"  # posts what he owes as soon as he may come in (TL-10)
    BUYING = "buying the button"  # big blind and dead small blind for a hand between button and small blind (TL-11)


class AfterHand(StrEnum):
    """What becomes of a player who is dealt in when the hand is over."""

    STAY = "stays"
    SIT_OUT = "sits out after this deal"
    LEAVE = "leaves after this deal"


class Entry(StrEnum):
    """How a player who owes blinds comes back in (TL-10, TL-11)."""

    WAIT = "wait"
    POST = "post"
    BUY_BUTTON = "buy the button"


class Seat(Struct, frozen=True, kw_only=True):
    """An occupied seat.

    Attributes:
        number: 1 to 14, clockwise.
        stack: chips in play. During a hand the stack before its first post; the hand knows the rest.
        fresh: a newcomer who has not been dealt a hand in this seat yet.
        owes_small, owes_big: missed blinds; the small one is dead money, the big one live (TL-10).
        queued: chips of an announced top-up, for the next deal (TL-1). They are still in the wallet.
        bank_ms: time bank left (TL-31); bank_hands: hands dealt in since it was last refilled.
        silent: timed out in the running hand; no bank for him until he says something (TL-32).
        out_since: when he began to sit out, 0 when he is not; orbits_missed: big blinds that have passed him since.
        straddles: has asked for the live straddle at the next deal (TL-13).
        practice: a practice player.
    """

    number: int
    player: int
    name: str
    stack: int
    seated_at: int
    state: SeatState = SeatState.IN
    after: AfterHand = AfterHand.STAY
    fresh: bool = True
    owes_small: bool = False
    owes_big: bool = False
    queued: int = 0
    bank_ms: int = 0
    bank_hands: int = 0
    silent: bool = False
    out_since: int = 0
    orbits_missed: int = 0
    straddles: bool = False
    practice: bool = False

    @property
    def plays(self) -> bool:
        """He wants a hand at the next deal and has chips for it."""
        return self.stack > 0 and self.state is not SeatState.OUT and self.after is AfterHand.STAY

    @property
    def settled(self) -> bool:
        """He is of the game: no newcomer, and he owes no blind."""
        return not (self.fresh or self.owes_small or self.owes_big)


class Departure(Struct, frozen=True):
    """What the table remembers of a player who left: chips taken away (TL-27) and blinds owed (TL-12)."""

    player: int
    seat: int
    chips: int
    at: int
    owes_small: bool = False
    owes_big: bool = False
    fresh: bool = False


class Waiting(Struct, frozen=True):
    """One on the waiting list. `offered_until` is 0 until a seat is offered to him."""

    player: int
    name: str
    since: int
    offered_until: int = 0


class Positions(Struct, frozen=True):
    """Seat numbers of the button and the blinds at the last deal. Without blinds, `small` and `big` are 0.

    Button and small blind may rest on empty seats (TL-9). At a mixed table the blinds keep their places, and their button with them,
    while a game without blinds is played: `deal` is then the seat that deals it, 0 while blinds are played or the button stands.
    """

    button: int
    small: int = 0
    big: int = 0
    deal: int = 0

    @property
    def dealer(self) -> int:
        """The seat that had the deal."""
        return self.deal or self.button


class Mark(Struct, frozen=True):
    """How a player, seated or gone, stood before a deal: what is put back if the deal does not count."""

    player: int
    state: SeatState
    fresh: bool
    owes_small: bool
    owes_big: bool
    orbits_missed: int = 0


class Mixed(Struct, frozen=True):
    """Where a mixed table is in its games (VC-28).

    Attributes:
        place: of the game that is played, in the rotation.
        deals: of this game so far; lap: how many make a lap, 0 before its first; began: when it began.
        chooser: seat number of the marker of dealer's choice, 0 before the first choice.
        due: until when the chooser may choose; 0 when nobody is asked.
    """

    place: int = 0
    deals: int = 0
    lap: int = 0
    began: int = 0
    chooser: int = 0
    due: int = 0


class PackState(Struct, frozen=True):
    """What has been done to the pack for the next deal: shuffles asked for, and the cut (D-3 to D-7).

    Attributes:
        shuffles: how often somebody asked for one.
        points: where it is cut, counted from the top; empty: not cut. by: seat number of who cut.
        declined: the player at the dealer's right has let the cut go.
    """

    shuffles: int = 0
    points: tuple[int, ...] = ()
    by: int = 0
    declined: bool = False


class Lot(Struct, frozen=True):
    """A cut for the first deal: seat number, the place in the pack that was chosen, and the card that lay there (D-2)."""

    seat: int
    position: int
    card: int


class SeatWish(Struct, frozen=True):
    """What was chosen before seats are drawn: the banker's seat, 0 for the one he has; the first dealer sits left of him (P-8)."""

    banker: int = 0
    left: bool = False


class Replay(Struct, frozen=True):
    """How a deal was placed: what an exact replay is dealt by, if the deal does not count (TL-29). Seat numbers, but for `players`.

    Attributes:
        players: who was dealt in, and has not left since; nobody else is at the replay.
        button, small, big: the button may rest on an empty seat, and so may the small blind.
        posting: those who posted what they owed; bought: the seat that bought the button, 0 for none (TL-10, TL-11).
        straddle: the seat of the live straddle, 0 for none.
        stands: the button stood still, and the blinds kept their places; bomb: it was a bomb pot (VC-28, VC-29).
    """

    players: tuple[int, ...] = ()
    button: int = 0
    small: int = 0
    big: int = 0
    posting: tuple[int, ...] = ()
    bought: int = 0
    straddle: int = 0
    stands: bool = False
    bomb: bool = False


class Running(Struct, frozen=True):
    """The hand that is being played.

    Attributes:
        number: hands are counted per table, from 1.
        dealt: seat numbers dealt in, clockwise from the button's left.
        players: who sat there when it was dealt.
        before, marks: what a deal that does not count leaves behind.
        carried: chips that were in the pot from an earlier deal; mixed, frozen, since_bomb: the table's own before the deal.
        bomb: it is a bomb pot.
        claims: players who say that the deal was irregular (I-2, TL-29).
        replay: what an exact replay of this deal is dealt by.
        preselections: what seats have chosen before their turn, one each at most: private (TL-34).
    """

    number: int
    dealt: tuple[int, ...]
    players: tuple[int, ...]
    before: Positions | None
    marks: tuple[Mark, ...]
    carried: int = 0
    mixed: Mixed = Mixed()
    frozen: int = 0
    since_bomb: int = 0
    bomb: bool = False
    claims: tuple[int, ...] = ()
    replay: Replay = Replay()
    preselections: tuple[Preselection, ...] = ()


class ChipShift(Struct, frozen=True):
    """One line of an equitable adjustment: chips to (or, negative, from) a player's stack (H-3)."""

    player: int
    chips: int


class Proposal(Struct, frozen=True):
    """A change that needs the consent of everyone seated: of the laws (H-1), or of stacks, once, by agreement (H-3)."""

    player: int
    at: int
    settings: TableSettings | None = None
    shifts: tuple[ChipShift, ...] = ()
    consents: tuple[int, ...] = ()


class Exchange(Struct, frozen=True):
    """Two players who want to exchange seats (P-12). `due` is 0 until both have asked, then the end of the notice time."""

    player: int
    other: int
    due: int = 0


class Table(Struct, frozen=True, kw_only=True):
    """A table. Changed only by `evolve`, which makes a new one.

    Attributes:
        opener: who opened it; he is its host unless he has sat and left: see `bot.table.queries.host_of`.
        seats: the occupied seats, by number.
        positions: where button and blinds were at the last deal; None before the first deal of a game.
        drawn_button: the seat that drew the first button, 0 before the drawing and after the first deal.
        hands: deals so far; running: the hand being played.
        waiting: the waiting list, first come first.
        departures: one for each player who has left.
        seated_at: when seats were last drawn, or the table opened (P-10).
        next_hand_at: when the next deal is due, 0 when none is.
        active_at: when a person last did something here.
        carried: chips that stay in the pot for the next deal (N-1, I-3); passed: deals in a row that nobody could open (VC-20).
        mixed: where a mixed table is in its games; frozen: seat number of the button that stands still while stud is played (VC-28).
        pack: what has been done to it for the next deal; lots: cuts for the first deal, cutting: the seats that must still cut (D-2).
        wish: what was chosen before seats are drawn; substitutes: player and who takes his seat (P-11).
        bomb_votes: players who want a bomb pot; since_bomb: deals since the last (VC-29).
        replay: the next deal is the exact replay of one that did not count; None for an ordinary deal (TL-29).
        mixture: name of the mixture that the last deal was of; empty where it was of none (VC-28).
    """

    settings: TableSettings
    opener: int
    opened_at: int
    active_at: int
    seated_at: int
    opener_left: bool = False
    status: Status = Status.OPEN
    seats: tuple[Seat, ...] = ()
    positions: Positions | None = None
    drawn_button: int = 0
    hands: int = 0
    running: Running | None = None
    waiting: tuple[Waiting, ...] = ()
    departures: tuple[Departure, ...] = ()
    proposal: Proposal | None = None
    exchange: Exchange | None = None
    next_hand_at: int = 0
    carried: int = 0
    passed: int = 0
    mixed: Mixed = Mixed()
    frozen: int = 0
    pack: PackState = PackState()
    lots: tuple[Lot, ...] = ()
    cutting: tuple[int, ...] = ()
    wish: SeatWish = SeatWish()
    substitutes: tuple[tuple[int, int], ...] = ()
    bomb_votes: tuple[int, ...] = ()
    since_bomb: int = 0
    replay: Replay | None = None
    mixture: str = ""

    @property
    def wanting(self) -> tuple[Seat, ...]:
        """The seats that want a hand and have the chips for it."""
        entry = self.settings.entry
        return tuple([seat for seat in self.seats if seat.plays and seat.stack >= entry])

    @property
    def players(self) -> tuple[Seat, ...]:
        """Those of `wanting` who may have a hand at the next deal: nobody joins an exact replay (TL-29)."""
        replay = self.replay
        if replay is None:
            return self.wanting
        return tuple([seat for seat in self.wanting if seat.player in replay.players])

    @property
    def kept_out(self) -> tuple[Seat, ...]:
        """Those who want a hand and wait because the next deal is a replay of one they were not in (TL-29)."""
        replay = self.replay
        if replay is None:
            return ()
        return tuple([seat for seat in self.wanting if seat.player not in replay.players])

    def seat(self, number: int) -> Seat | None:
        """The occupied seat of this number, or None."""
        return next((seat for seat in self.seats if seat.number == number), None)

    def seat_of(self, player: int) -> Seat | None:
        """The seat of this player, or None."""
        return next((seat for seat in self.seats if seat.player == player), None)

    def dealt_in(self, player: int) -> bool:
        """Tell whether he was dealt into the hand that is running."""
        return self.running is not None and player in self.running.players
