"""Events of a table between hands: facts that are stored, replayed and never refused.

They are stored in the table's journal, beside the events of its hands. Chips move from wallet to seat in `SeatTaken` and `ToppedUp`, from
seat to wallet in `SeatLeft`, and between seats in `HandFinished` (as the pots were paid) and `StacksAdjusted`. Table chips come into their
game in these first two and in `BookBegan`, and go out of it in the last and in `TableClosed`. No other event moves chips.
Times are ms since the epoch.
"""

from enum import StrEnum

from msgspec import Struct

from bot.engine.units import NO_SEAT_NUMBER, SeatNumber
from bot.table.preselection.types import PreselectedAction, PreselectionEndReason
from bot.table.settings import TableSettings
from bot.table.state import ChipsCorrection, Departure, SeatStatus, StackChange


class TableEventBase(Struct, frozen=True, tag=True):
    """Base of all events of a table. Annotations use the union `TableEvent` below."""


class PrivateTableEvent(TableEventBase, frozen=True, tag=True):
    """Something that one player did in private. It is stored like every event, and shown to that player only."""


class LeaveReason(StrEnum):
    """Why a player is no longer seated."""

    REQUESTED = "asked"
    ABSENT = "sat out too long"
    BUSTED = "no chips"
    CLOSED = "the table closed"
    REMOVED = "removed by staff"
    KEPT_OUT = "removed by the host"
    REPLACED = "a substitute took the seat"
    BOOK_BEGAN = "a second person sat down"  # the practice player of a table of table chips (TC-8)
    OUT = "went out of the event"


class CloseReason(StrEnum):
    """Why a table closes."""

    REQUESTED = "asked"
    IDLE = "idle"
    EVENT_OVER = "the event is over"
    SEASON_OVER = "the season is over"


class TableOpened(TableEventBase, frozen=True, tag=True):
    """A player opened the table. `departures` are what players took away from the same game, which closed within the hour (TL-27).

    Only those who are invited can come to a `private` table.
    """

    player: int
    settings: TableSettings
    at: int
    departures: tuple[Departure, ...] = ()
    private: bool = False
    invited: tuple[int, ...] = ()


class PlayersInvited(TableEventBase, frozen=True, tag=True):
    """These people can come to the table, also if they had been kept out of it."""

    players: tuple[int, ...]
    at: int


class PlayerKeptOut(TableEventBase, frozen=True, tag=True):
    """The host has removed a player, who cannot take a seat here any more unless they are invited again. A hand they are in, they play."""

    player: int
    at: int


class SeatTaken(TableEventBase, frozen=True, tag=True):
    """A player sat down with `chips` from their wallet. What they owe and how they come in was ruled on at that time (TL-11, TL-12).

    `bought` of them are table chips that they bought now; the others they had taken away from the same game (TC-5).
    """

    seat_number: SeatNumber
    player: int
    name: str
    chips: int
    at: int
    status: SeatStatus = SeatStatus.PLAYING
    newcomer: bool = True
    owes_small: bool = False
    owes_big: bool = False
    bank_ms: int = 0
    practice: bool = False
    bought: int = 0


class SeatLeft(TableEventBase, frozen=True, tag=True):
    """A player left; `chips`, their whole stack, went to their wallet."""

    seat_number: SeatNumber
    player: int
    chips: int
    at: int
    reason: LeaveReason = LeaveReason.REQUESTED


class LeaveRequested(TableEventBase, frozen=True, tag=True):
    """The player leaves after this hand and folds when it is their turn (TL-40)."""

    seat_number: SeatNumber
    at: int


class SitOutRequested(TableEventBase, frozen=True, tag=True):
    """The player sits out after this hand (TL-33)."""

    seat_number: SeatNumber
    at: int


class TurnTimedOut(TableEventBase, frozen=True, tag=True):
    """The player ran out of time. With `sits_out` they sit out after this hand, because it was one turn too many (TL-32)."""

    seat_number: SeatNumber
    sits_out: bool = True


class ActedAgain(TableEventBase, frozen=True, tag=True):
    """A player who had missed turns did something of their own: the missed turns count no longer (TL-32)."""

    seat_number: SeatNumber


class WentAway(TableEventBase, frozen=True, tag=True):
    """In an event, a player chose *Away*: they are dealt in and fold at their turn until they press (SG-3)."""

    seat_number: SeatNumber
    at: int


class StayRequested(TableEventBase, frozen=True, tag=True):
    """The player stays after all: they no longer sit out or leave after this hand."""

    seat_number: SeatNumber
    at: int


class SatOut(TableEventBase, frozen=True, tag=True):
    seat_number: SeatNumber
    at: int


class CameBack(TableEventBase, frozen=True, tag=True):
    """The player plays again; `status` says how they come in (TL-10). With `owes_big` they owe a big blind as a newcomer (TL-11)."""

    seat_number: SeatNumber
    status: SeatStatus
    at: int
    owes_big: bool = False


class VacationBegan(TableEventBase, frozen=True, tag=True):
    """The player is on vacation: no clock of theirs runs until then. With `returns` they play again after it (WT-1)."""

    seat_number: SeatNumber
    until: int
    returns: bool


class VacationEnded(TableEventBase, frozen=True, tag=True):
    """The player is back from vacation (WT-1)."""

    seat_number: SeatNumber
    at: int


class TopUpQueued(TableEventBase, frozen=True, tag=True):
    """`chips` is the whole top-up announced for the next hand; no chip has moved yet (TL-1)."""

    seat_number: SeatNumber
    chips: int
    at: int


class ToppedUp(TableEventBase, frozen=True, tag=True):
    """`chips` moved from the wallet to the stack."""

    seat_number: SeatNumber
    chips: int
    at: int


class TopUpCancelled(TableEventBase, frozen=True, tag=True):
    """An announced top-up was not made: the stack is full, or the wallet is empty."""

    seat_number: SeatNumber
    chips: int


class BookBegan(TableEventBase, frozen=True, tag=True):
    """A second person has sat down where one had practised: everybody has the starting stack, and the book of table chips begins (TC-8)."""

    starting_stack: int
    at: int


class RebuyAsked(TableEventBase, frozen=True, tag=True):
    """A player asks for a rebuy that the host has to answer (TC-4)."""

    player: int
    name: str
    at: int


class RebuyPassedOn(TableEventBase, frozen=True, tag=True):
    """Nobody has answered a rebuy: at step 1 the next host is asked too, at step 2 everybody who is seated (TC-4)."""

    player: int
    step: int
    at: int


class RebuyAnswered(TableEventBase, frozen=True, tag=True):
    """A rebuy was granted, or refused until `refused_until`. `by` is who answered; 0 for nobody: no answer is a yes (TC-4)."""

    player: int
    by: int
    at: int
    refused_until: int = 0


class RebuyLapsed(TableEventBase, frozen=True, tag=True):
    """A rebuy is no longer asked for, or an answer no longer stands."""

    player: int


class StraddlePledged(TableEventBase, frozen=True, tag=True):
    seat_number: SeatNumber
    wanted: bool
    at: int


class SettingsChanged(TableEventBase, frozen=True, tag=True):
    settings: TableSettings
    at: int


class LevelBegan(TableEventBase, frozen=True, tag=True):
    """In an event, the next hand is played for the stakes of another level (SG-2)."""

    settings: TableSettings
    at: int


class CarriedPotSettled(TableEventBase, frozen=True, tag=True):
    """In an event, a carried pot was settled before ranks are given (SG-14). `shares`: player and chips."""

    shares: tuple[tuple[int, int], ...]
    at: int


class StacksReset(TableEventBase, frozen=True, tag=True):
    """In an event, the next match begins: everybody has the starting stack and a full time bank again."""

    stack_changes: tuple[StackChange, ...]
    at: int


class EventProgressed(TableEventBase, frozen=True, tag=True):
    """Something happened in the event that is played here, and nothing else at the table: somebody entered, or its clock stopped."""

    at: int


class RebuyTimeBegan(TableEventBase, frozen=True, tag=True):
    """In an event, players without chips are asked whether they rebuy: no hand is dealt before all have answered, or `until` (SG-9)."""

    until: int
    at: int


class RebuyTimeEnded(TableEventBase, frozen=True, tag=True):
    """They have answered, or the time is over."""

    at: int


class ChangeProposed(TableEventBase, frozen=True, tag=True):
    """A change of settings or stacks awaits the consent of everyone seated. The player who proposes it consents."""

    player: int
    at: int
    settings: TableSettings | None = None
    stack_changes: tuple[StackChange, ...] = ()


class Consented(TableEventBase, frozen=True, tag=True):
    player: int
    at: int


class ProposalWithdrawn(TableEventBase, frozen=True, tag=True):
    """A player objected or, with `player` 0, the proposal is no longer possible."""

    player: int


class StacksAdjusted(TableEventBase, frozen=True, tag=True):
    """Stacks were adjusted with the consent of everyone seated (H-3)."""

    stack_changes: tuple[StackChange, ...]
    at: int


class CorrectionQueued(TableEventBase, frozen=True, tag=True):
    """Staff correct chips once the hand is over into which one of the players is dealt (TC-6)."""

    correction: ChipsCorrection
    at: int


class ChipsCorrected(TableEventBase, frozen=True, tag=True):
    """Staff have corrected chips in the book of the game (TC-6)."""

    correction: ChipsCorrection
    at: int


class CorrectionLapsed(TableEventBase, frozen=True, tag=True):
    """A correction that waited for the end of a hand is not possible any more (TC-6)."""

    correction: ChipsCorrection
    at: int


class WaitingListJoined(TableEventBase, frozen=True, tag=True):
    player: int
    name: str
    at: int


class WaitingListLeft(TableEventBase, frozen=True, tag=True):
    """The player waits no longer. `lapsed`: they did not take the offered seat in time."""

    player: int
    lapsed: bool = False


class WaitsOnVacation(TableEventBase, frozen=True, tag=True):
    """A player on the waiting list is on vacation until then: no seat is offered to them, and they keep their place (WT-1).

    Attributes:
        until: 0 once they are back.
    """

    player: int
    until: int


class SeatOffered(TableEventBase, frozen=True, tag=True):
    """A free seat is reserved for the player until then.

    Attributes:
        seat_number: which one; 0 for any.
        by: who holds it for them; 0 where it was their turn on the waiting list.
    """

    player: int
    until: int
    seat_number: SeatNumber = NO_SEAT_NUMBER
    by: int = 0


class SeatExchangeRequested(TableEventBase, frozen=True, tag=True):
    player: int
    other_player: int
    at: int


class SeatExchangeAgreed(TableEventBase, frozen=True, tag=True):
    """Both have asked. They exchange at `due_at`, or after the hand that is then running, unless somebody objects (P-12)."""

    due_at: int


class SeatExchangeCancelled(TableEventBase, frozen=True, tag=True):
    """`player` objected or, with 0, one of the two has left."""

    player: int


class SeatsExchanged(TableEventBase, frozen=True, tag=True):
    """The players of these two seats exchanged seats; each kept their chips."""

    seat_number: SeatNumber
    other_seat_number: SeatNumber


class SeatsDrawn(TableEventBase, frozen=True, tag=True):
    """Seats were drawn (P-8, P-9). `cards` has the card of each player in dealing order, `seats` their new seats. A new game begins."""

    cards: tuple[tuple[int, int], ...]  # player, card
    seats: tuple[tuple[int, SeatNumber], ...]  # player, seat number
    at: int


class ButtonDrawn(TableEventBase, frozen=True, tag=True):
    """The first button of a game was drawn (D-1, D-2, D-13). `cards` are seats and cards in dealing order; `seat_number` has the button."""

    cards: tuple[tuple[SeatNumber, int], ...]
    seat_number: SeatNumber


class GameChanged(TableEventBase, frozen=True, tag=True):
    """A mixed table goes on to another game; `game_index` is its index in the rotation (VC-28)."""

    game_index: int
    at: int


class GameChoiceRequested(TableEventBase, frozen=True, tag=True):
    """The marker of dealer's choice moved to this seat. Its player can choose the next game until `due_at` (VC-28)."""

    seat_number: SeatNumber
    due_at: int


class BombPotVoted(TableEventBase, frozen=True, tag=True):
    """The player voted for a bomb pot, or took the vote back (VC-29)."""

    player: int
    wanted: bool
    at: int


class DeckShuffled(TableEventBase, frozen=True, tag=True):
    """The player had the deck shuffled once more (D-3)."""

    player: int
    at: int


class DeckCut(TableEventBase, frozen=True, tag=True):
    """The deck for the next hand is cut at these points, counted from the top (D-5 to D-7)."""

    seat_number: SeatNumber
    cut_points: tuple[int, ...]
    at: int


class CutDeclined(TableEventBase, frozen=True, tag=True):
    """The player at the dealer's right declined to cut; anybody else can cut now (D-6)."""

    seat_number: SeatNumber
    at: int


class FirstDealCut(TableEventBase, frozen=True, tag=True):
    """The player in this seat cut for the first deal; `card` lay at that position of the deck (D-2)."""

    seat_number: SeatNumber
    deck_position: int
    card: int
    at: int


class FirstDealCutTied(TableEventBase, frozen=True, tag=True):
    """These seats are tied for the lowest card and cut again (D-2)."""

    seat_numbers: tuple[SeatNumber, ...]


class SeatDrawChoiceMade(TableEventBase, frozen=True, tag=True):
    """Before seats are drawn, the banker or the first dealer chose. Both choices stand here as they are now (P-8, P-9)."""

    player: int
    banker_seat_number: SeatNumber
    dealer_left_of_banker: bool
    at: int


class SubstituteNamed(TableEventBase, frozen=True, tag=True):
    """`substitute` is to take this player's seat (P-11); 0 takes that back."""

    player: int
    substitute: int
    at: int


class MisdealClaimed(TableEventBase, frozen=True, tag=True):
    """A player in the hand says that the deal was irregular (I-2, TL-29)."""

    player: int
    at: int


class Preselected(PrivateTableEvent, frozen=True, tag=True):
    """A player chose before their turn what they do at it, instead of an earlier choice (TL-34). `call` is the call in chips, else 0."""

    seat_number: SeatNumber
    action: PreselectedAction
    call: int = 0


class PreselectionEnded(PrivateTableEvent, frozen=True, tag=True):
    """A choice before the turn no longer stands (TL-34). `call` is what there was to call when it lapsed."""

    seat_number: SeatNumber
    reason: PreselectionEndReason
    call: int = 0


class BlindMissed(TableEventBase, frozen=True, tag=True):
    """A blind passed a player who was not dealt in or has left (TL-10, TL-12). `seat_number` is, or was, their seat."""

    player: int
    seat_number: SeatNumber
    small_blind: bool = False
    big_blind: bool = False


class HandBegan(TableEventBase, frozen=True, tag=True):
    """A hand begins at this table; the engine's `HandStarted` follows. From here on players who are dealt in owe no missed blind.

    Attributes:
        dealt_seats: clockwise from the button's left.
        button_seat, small_blind_seat: these can be empty seats (TL-9). Both blinds are 0 in games without.
        straddle_seat: the seat of the live straddle; 0 for none.
        button_stands_still: the button and the blinds keep their seats: stud at a mixed table, or a bomb pot (VC-28).
        bomb_pot: the hand is a bomb pot (VC-29).
        shuffles: how often the deck was shuffled, the last time by the dealer (D-3, D-4).
        cut_points: where the deck was cut; empty if it was not.
        cut_by_seat: the seat that cut; 0 if the dealer cut instead of a player (D-5).
        posting_seats: seats that post what they owe (TL-10).
        button_buyer_seat: the seat that bought the button; 0 for none (TL-11).
        mixture_name: the mixture whose game is dealt; empty at a table of one game and for a bomb pot (VC-28, VC-29).
    """

    number: int
    at: int
    dealt_seats: tuple[SeatNumber, ...]
    button_seat: SeatNumber
    small_blind_seat: SeatNumber = NO_SEAT_NUMBER
    big_blind_seat: SeatNumber = NO_SEAT_NUMBER
    straddle_seat: SeatNumber = NO_SEAT_NUMBER
    button_stands_still: bool = False
    bomb_pot: bool = False
    shuffles: int = 3
    cut_points: tuple[int, ...] = ()
    cut_by_seat: SeatNumber = NO_SEAT_NUMBER
    posting_seats: tuple[SeatNumber, ...] = ()
    button_buyer_seat: SeatNumber = NO_SEAT_NUMBER
    mixture_name: str = ""


class HandFinished(TableEventBase, frozen=True, tag=True):
    """The hand was paid.

    Attributes:
        stacks: seat numbers and their chips.
        carried_chips: they stay in the pot for the next hand (N-1, I-3).
        same_dealer: the same player deals again (`PASSED_OUT`=same_dealer_reante).
        passed_out: nobody opened.
        owing_seats: seats whose posts were given back after a misdeal, and whether they owe the small and the big blind again (TL-12).
        put_in: seat numbers and the chips that they put into the hand, beside what came back to them uncalled (H-3).
    """

    number: int
    stacks: tuple[tuple[SeatNumber, int], ...]
    at: int
    carried_chips: int = 0
    same_dealer: bool = False
    passed_out: bool = False
    owing_seats: tuple[tuple[SeatNumber, bool, bool], ...] = ()
    put_in: tuple[tuple[SeatNumber, int], ...] = ()


class HandUndone(TableEventBase, frozen=True, tag=True):
    """The hand does not count: chips, button and missed blinds are as they were before it (I-1, TL-29).

    With `replay` the next hand is its exact replay, with the same players.
    """

    number: int
    at: int
    replay: bool = False


class ReplayCancelled(TableEventBase, frozen=True, tag=True):
    """Too few players are left to replay the hand that did not count: an ordinary hand follows (TL-29)."""


class TimeBankSpent(TableEventBase, frozen=True, tag=True):
    """The seat has used `ms` of its time bank (TL-31)."""

    seat_number: SeatNumber
    ms: int


class TimeCalled(TableEventBase, frozen=True, tag=True):
    """The player to act asked for time; their time bank holds `bank_ms` (TL-31)."""

    seat_number: SeatNumber
    bank_ms: int
    at: int


class TimeBankRefilled(TableEventBase, frozen=True, tag=True):
    seat_number: SeatNumber
    ms: int


class PlayerBusted(TableEventBase, frozen=True, tag=True):
    """The player has no chips left and sits out. The seat is kept for a rebuy until then."""

    seat_number: SeatNumber
    until: int
    at: int


class BreakWanted(TableEventBase, frozen=True, tag=True):
    """A player asks for a break of so many minutes, or agrees to the one that is asked for."""

    player: int
    minutes: int
    at: int


class BreakBegan(TableEventBase, frozen=True, tag=True):
    """The majority wants a break: no hand is dealt before its end, and the clocks of the table stop."""

    at: int
    ends_at: int


class BreakEnded(TableEventBase, frozen=True, tag=True):
    """The break is over: its time has passed, or `player` ended it."""

    at: int
    player: int = 0


class HandScheduled(TableEventBase, frozen=True, tag=True):
    """The next hand is due at `at`."""

    at: int


class HandUnscheduled(TableEventBase, frozen=True, tag=True):
    """There are not enough players for the hand that was due."""


class ClosingRequested(TableEventBase, frozen=True, tag=True):
    """The table closes after this hand."""

    player: int
    at: int


class TableClosed(TableEventBase, frozen=True, tag=True):
    """The table is closed; everyone has been paid out."""

    at: int
    player: int = 0
    reason: CloseReason = CloseReason.REQUESTED


TableEvent = (
    TableOpened
    | SeatTaken
    | PlayersInvited
    | PlayerKeptOut
    | SeatLeft
    | LeaveRequested
    | SitOutRequested
    | TurnTimedOut
    | ActedAgain
    | WentAway
    | StayRequested
    | SatOut
    | CameBack
    | VacationBegan
    | VacationEnded
    | WaitsOnVacation
    | TopUpQueued
    | ToppedUp
    | TopUpCancelled
    | BookBegan
    | RebuyAsked
    | RebuyPassedOn
    | RebuyAnswered
    | RebuyLapsed
    | StraddlePledged
    | SettingsChanged
    | LevelBegan
    | CarriedPotSettled
    | StacksReset
    | EventProgressed
    | RebuyTimeBegan
    | RebuyTimeEnded
    | ChangeProposed
    | Consented
    | ProposalWithdrawn
    | StacksAdjusted
    | CorrectionQueued
    | ChipsCorrected
    | CorrectionLapsed
    | WaitingListJoined
    | WaitingListLeft
    | SeatOffered
    | SeatExchangeRequested
    | SeatExchangeAgreed
    | SeatExchangeCancelled
    | SeatsExchanged
    | SeatsDrawn
    | ButtonDrawn
    | GameChanged
    | GameChoiceRequested
    | BombPotVoted
    | DeckShuffled
    | DeckCut
    | CutDeclined
    | FirstDealCut
    | FirstDealCutTied
    | SeatDrawChoiceMade
    | SubstituteNamed
    | MisdealClaimed
    | Preselected
    | PreselectionEnded
    | BlindMissed
    | HandBegan
    | HandFinished
    | HandUndone
    | ReplayCancelled
    | TimeBankSpent
    | TimeCalled
    | TimeBankRefilled
    | PlayerBusted
    | BreakWanted
    | BreakBegan
    | BreakEnded
    | HandScheduled
    | HandUnscheduled
    | ClosingRequested
    | TableClosed
)
