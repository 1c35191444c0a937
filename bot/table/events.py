"""What has happened at a table between hands. Facts: stored in the table's journal beside the hands' own events, replayed, never refused.

Chips move between wallet and seat in `SeatTaken` and `ToppedUp` (in) and `SeatLeft` (out); between seats in `HandFinished` (as the pots
were paid) and `Adjusted`. Nothing else moves chips. Times are ms since the epoch.
"""

from enum import StrEnum

from msgspec import Struct

from bot.table.preselected import Choice, Ended
from bot.table.settings import TableSettings
from bot.table.state import ChipShift, SeatState


class TableEvent(Struct, frozen=True, tag=True):
    """Something that happened at a table."""


class PrivateEvent(TableEvent, frozen=True, tag=True):
    """Something that one player did in private. It is kept like all else, and shown to nobody but him."""


class LeaveReason(StrEnum):
    """Why a player is no longer seated."""

    ASKED = "asked"
    ABSENT = "sat out too long"
    BUSTED = "no chips"
    CLOSED = "the table closed"
    REMOVED = "removed by staff"
    REPLACED = "a substitute took the seat"


class CloseReason(StrEnum):
    """Why a table closes."""

    ASKED = "asked"
    IDLE = "idle"


class TableOpened(TableEvent, frozen=True, tag=True):
    player: int
    settings: TableSettings
    at: int


class SeatTaken(TableEvent, frozen=True, tag=True):
    """A player sat down; `chips` came from his wallet. What he owes and how he comes in was ruled on when he sat (TL-11, TL-12)."""

    seat: int
    player: int
    name: str
    chips: int
    at: int
    state: SeatState = SeatState.IN
    fresh: bool = True
    owes_small: bool = False
    owes_big: bool = False
    bank_ms: int = 0
    practice: bool = False


class SeatLeft(TableEvent, frozen=True, tag=True):
    """A player got up; `chips`, his whole stack, went to his wallet."""

    seat: int
    player: int
    chips: int
    at: int
    reason: LeaveReason = LeaveReason.ASKED


class LeaveAsked(TableEvent, frozen=True, tag=True):
    """He leaves after this deal; his hand is dropped at its turn (TL-40)."""

    seat: int
    at: int


class SitOutAsked(TableEvent, frozen=True, tag=True):
    """He sits out after this deal (TL-33)."""

    seat: int
    at: int


class TurnMissed(TableEvent, frozen=True, tag=True):
    """He let a turn pass and sits out after this deal (TL-32)."""

    seat: int


class StayAsked(TableEvent, frozen=True, tag=True):
    """He stays after all."""

    seat: int
    at: int


class SatOut(TableEvent, frozen=True, tag=True):
    seat: int
    at: int


class CameBack(TableEvent, frozen=True, tag=True):
    """He plays again; `state` says how he comes in (TL-10). `owes_big`: as a newcomer he owes a big blind by now (TL-11)."""

    seat: int
    state: SeatState
    at: int
    owes_big: bool = False


class TopUpQueued(TableEvent, frozen=True, tag=True):
    """So many chips, altogether, are announced for the next deal; no chip has moved yet (TL-1)."""

    seat: int
    chips: int
    at: int


class ToppedUp(TableEvent, frozen=True, tag=True):
    """`chips` came from the wallet into the stack."""

    seat: int
    chips: int
    at: int


class TopUpDropped(TableEvent, frozen=True, tag=True):
    """An announced top-up came to nothing: the stack is full, or the wallet is empty."""

    seat: int
    chips: int


class StraddlePledged(TableEvent, frozen=True, tag=True):
    seat: int
    on: bool
    at: int


class SettingsChanged(TableEvent, frozen=True, tag=True):
    settings: TableSettings
    at: int


class ChangeProposed(TableEvent, frozen=True, tag=True):
    """A change of the laws, or of stacks, awaits everybody's consent; who proposes consents."""

    player: int
    at: int
    settings: TableSettings | None = None
    shifts: tuple[ChipShift, ...] = ()


class Consented(TableEvent, frozen=True, tag=True):
    player: int
    at: int


class ProposalDropped(TableEvent, frozen=True, tag=True):
    """Somebody objected, or the proposal fits the table no more (`player` 0)."""

    player: int


class Adjusted(TableEvent, frozen=True, tag=True):
    """Stacks were adjusted with everybody's consent (H-3)."""

    shifts: tuple[ChipShift, ...]
    at: int


class WaitingJoined(TableEvent, frozen=True, tag=True):
    player: int
    name: str
    at: int


class WaitingLeft(TableEvent, frozen=True, tag=True):
    """He waits no longer. `lapsed`: he did not take the seat that was offered in time."""

    player: int
    lapsed: bool = False


class SeatOffered(TableEvent, frozen=True, tag=True):
    """A free seat is kept for the player until then."""

    player: int
    until: int


class ExchangeAsked(TableEvent, frozen=True, tag=True):
    player: int
    other: int
    at: int


class ExchangeAgreed(TableEvent, frozen=True, tag=True):
    """Both have asked. At `due` they exchange, or after the hand that is then running, unless somebody objects (P-12)."""

    due: int


class ExchangeDropped(TableEvent, frozen=True, tag=True):
    """`player` objected (0: one of the two has left)."""

    player: int


class SeatsExchanged(TableEvent, frozen=True, tag=True):
    """The players of these two seats changed places, chips and all."""

    seat: int
    other: int


class SeatsDrawn(TableEvent, frozen=True, tag=True):
    """Seats were drawn: the card each player got, in dealing order, and the seat each now has (P-8, P-9). A new game begins."""

    cards: tuple[tuple[int, int], ...]  # player, card
    seats: tuple[tuple[int, int], ...]  # player, seat number
    at: int


class ButtonDrawn(TableEvent, frozen=True, tag=True):
    """The first button of a game was drawn for (D-1, D-2, D-13): seat and card in dealing order, and the seat that got it."""

    cards: tuple[tuple[int, int], ...]
    seat: int


class GameChanged(TableEvent, frozen=True, tag=True):
    """A mixed table goes on to another of its games; `place` is the game's in the rotation (VC-28)."""

    place: int
    at: int


class ChoiceAsked(TableEvent, frozen=True, tag=True):
    """The marker of dealer's choice moved to this seat, whose player may choose the next game until `due` (VC-28)."""

    seat: int
    due: int


class BombVoted(TableEvent, frozen=True, tag=True):
    """The player asked for a bomb pot, or took that back (VC-29)."""

    player: int
    on: bool
    at: int


class Shuffled(TableEvent, frozen=True, tag=True):
    """The player had the pack shuffled once more (D-3)."""

    player: int
    at: int


class PackCut(TableEvent, frozen=True, tag=True):
    """The pack for the next deal is cut here, counted from the top (D-5 to D-7)."""

    seat: int
    points: tuple[int, ...]
    at: int


class CutDeclined(TableEvent, frozen=True, tag=True):
    """The player at the dealer's right lets the cut go; anybody else may cut now (D-6)."""

    seat: int
    at: int


class CutForDeal(TableEvent, frozen=True, tag=True):
    """The player of this seat cut for the first deal (D-2)."""

    seat: int
    position: int
    card: int
    at: int


class CutAgain(TableEvent, frozen=True, tag=True):
    """These seats are tied for the lowest card and cut again (D-2)."""

    seats: tuple[int, ...]


class SeatWished(TableEvent, frozen=True, tag=True):
    """Before seats are drawn: the banker chose his seat, or the first dealer to sit left of him or to join the draw (P-8, P-9)."""

    player: int
    banker: int
    left: bool
    at: int


class SubstituteNamed(TableEvent, frozen=True, tag=True):
    """`substitute` is to take this player's seat (P-11); 0: nobody any more."""

    player: int
    substitute: int
    at: int


class MisdealClaimed(TableEvent, frozen=True, tag=True):
    """A player who is dealt in says that the deal was irregular (I-2, TL-29)."""

    player: int
    at: int


class Preselected(PrivateEvent, frozen=True, tag=True):
    """A seat chose before its turn what it does at it, in place of any earlier choice (TL-34). `chips`: of a call, exactly how many."""

    seat: int
    choice: Choice
    chips: int = 0


class PreselectionEnded(PrivateEvent, frozen=True, tag=True):
    """A seat's choice before its turn stands no longer (TL-34). `call`: what there was to call when it lapsed."""

    seat: int
    why: Ended
    call: int = 0


class BlindMissed(TableEvent, frozen=True, tag=True):
    """A blind passed a player who was not dealt in, or has left (TL-10, TL-12). `seat` is his, or was."""

    player: int
    seat: int
    small: bool = False
    big: bool = False


class HandBegan(TableEvent, frozen=True, tag=True):
    """A deal begins at this table; the engine's `HandStarted` follows. Who is dealt in owes no missed blind from here on.

    Attributes:
        dealt: seat numbers dealt in, clockwise from the button's left.
        button, small, big: seat numbers; `small` may be empty, and so may the button (TL-9). Both blinds are 0 in games without.
        straddle: seat of the live straddle, 0 for none.
        posting: seats that post what they owe; bought: the seat that bought the button, 0 for none (TL-10, TL-11).
        frozen: the button stands still, and the blinds keep their places: stud at a mixed table, or a bomb pot (VC-28).
        bomb: a bomb pot is dealt (VC-29).
        shuffles: how often the pack was shuffled, the dealer last (D-3, D-4); cut, cut_by: where, and by which seat (0: by the dealer
            for him, D-5); an empty cut: none was made.
        mixture: name of the mixture whose game is dealt; empty for a table of one game, and for a bomb pot between (VC-28, VC-29).
    """

    number: int
    at: int
    dealt: tuple[int, ...]
    button: int
    small: int = 0
    big: int = 0
    straddle: int = 0
    frozen: bool = False
    bomb: bool = False
    shuffles: int = 3
    cut: tuple[int, ...] = ()
    cut_by: int = 0
    posting: tuple[int, ...] = ()
    bought: int = 0
    mixture: str = ""


class HandFinished(TableEvent, frozen=True, tag=True):
    """The hand was paid; `stacks` are seat number and chips. `carried` chips stay in the pot for the next deal (N-1, I-3).

    `same_dealer`: the deal does not pass on (`PASSED_OUT`=same_dealer_reante). `passed_out`: nobody opened. `owing`: seats whose posts were
    given back after a misdeal, and whether they owe the small and the big blind again (TL-12).
    """

    number: int
    stacks: tuple[tuple[int, int], ...]
    at: int
    carried: int = 0
    same_dealer: bool = False
    passed_out: bool = False
    owing: tuple[tuple[int, bool, bool], ...] = ()


class HandUndone(TableEvent, frozen=True, tag=True):
    """The hand does not count: chips, button and debts are as they were before it (I-1, TL-29).

    `replay`: the next deal is its exact replay, to the same players.
    """

    number: int
    at: int
    replay: bool = False


class ReplayDropped(TableEvent, frozen=True, tag=True):
    """Too few of those who were in the deal that did not count are left to replay it: an ordinary deal follows (TL-29)."""


class BankSpent(TableEvent, frozen=True, tag=True):
    """So much of the seat's time bank is gone (TL-31)."""

    seat: int
    ms: int


class TimeCalled(TableEvent, frozen=True, tag=True):
    """The player to act asked for time; his bank has `bank_ms` for it (TL-31)."""

    seat: int
    bank_ms: int
    at: int


class BankRefilled(TableEvent, frozen=True, tag=True):
    seat: int
    ms: int


class Busted(TableEvent, frozen=True, tag=True):
    """He has no chips left and sits out; the seat is kept for a rebuy until then."""

    seat: int
    until: int
    at: int


class HandScheduled(TableEvent, frozen=True, tag=True):
    """The next deal is due at `at`."""

    at: int


class HandUnscheduled(TableEvent, frozen=True, tag=True):
    """There are not enough players for the deal that was due."""


class ClosingAsked(TableEvent, frozen=True, tag=True):
    """The table closes after this hand."""

    player: int
    at: int


class TableClosed(TableEvent, frozen=True, tag=True):
    """The table is closed; everybody has been paid out."""

    at: int
    player: int = 0
    reason: CloseReason = CloseReason.ASKED


Any = (
    TableOpened
    | SeatTaken
    | SeatLeft
    | LeaveAsked
    | SitOutAsked
    | TurnMissed
    | StayAsked
    | SatOut
    | CameBack
    | TopUpQueued
    | ToppedUp
    | TopUpDropped
    | StraddlePledged
    | SettingsChanged
    | ChangeProposed
    | Consented
    | ProposalDropped
    | Adjusted
    | WaitingJoined
    | WaitingLeft
    | SeatOffered
    | ExchangeAsked
    | ExchangeAgreed
    | ExchangeDropped
    | SeatsExchanged
    | SeatsDrawn
    | ButtonDrawn
    | GameChanged
    | ChoiceAsked
    | BombVoted
    | Shuffled
    | PackCut
    | CutDeclined
    | CutForDeal
    | CutAgain
    | SeatWished
    | SubstituteNamed
    | MisdealClaimed
    | Preselected
    | PreselectionEnded
    | BlindMissed
    | HandBegan
    | HandFinished
    | HandUndone
    | ReplayDropped
    | BankSpent
    | TimeCalled
    | BankRefilled
    | Busted
    | HandScheduled
    | HandUnscheduled
    | ClosingAsked
    | TableClosed
)
