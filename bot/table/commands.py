"""Commands to a table between hands, from people and from the clock. `player` is the user id of the person who asks.

Chips are whole chips of the player's wallet. The ledger checks that the wallet holds them.
"""

from msgspec import Struct

from bot.table.settings import TableSettings
from bot.table.state import Departure, EntryMethod, StackChange


class TableCommandBase(Struct, frozen=True, tag=True):
    """Base of all commands. `decide` rules on them. Annotations use the union `TableCommand` below."""


class OpenTable(TableCommandBase, frozen=True, tag=True):
    """Open a table and be its host (H-4). `departures` are those from the same game, which has closed within the hour (TL-27).

    Only those who are `invited` can come to a `private` table.
    """

    player: int
    settings: TableSettings
    departures: tuple[Departure, ...] = ()
    private: bool = False
    invited: tuple[int, ...] = ()


class InvitePlayers(TableCommandBase, frozen=True, tag=True):
    """The host or staff let people come to a private table, or let those come back whom the host had removed."""

    player: int
    invited: tuple[int, ...]
    staff: bool = False


class HoldSeat(TableCommandBase, frozen=True, tag=True):
    """The host or staff hold a free seat for somebody for two minutes, and invite them where they could not come (P-11).

    Seat number 0 holds any seat. A seat of a game night is held `until` a time, in ms since the epoch.
    """

    player: int
    held_for: int
    name: str
    seat_number: int = 0
    staff: bool = False
    until: int = 0


class TakeSeat(TableCommandBase, frozen=True, tag=True):
    """Take a seat with chips. Seat number 0 asks for any free seat; `random_number`, which the caller brings, picks it (P-7)."""

    player: int
    name: str
    chips: int
    seat_number: int = 0
    random_number: int = 0
    practice: bool = False


class LeaveTable(TableCommandBase, frozen=True, tag=True):
    """Leave with all chips: at once, or after the hand that the player is dealt into (TL-40)."""

    player: int


class SitOut(TableCommandBase, frozen=True, tag=True):
    """Sit out from the next hand on (TL-33)."""

    player: int


class StartVacation(TableCommandBase, frozen=True, tag=True):
    """A player goes on vacation. It came about elsewhere, for all their tables (WT-1).

    Attributes:
        began_at, until: when it began, and when it ends, in ms.
    """

    player: int
    began_at: int
    until: int


class EndVacation(TableCommandBase, frozen=True, tag=True):
    """A player is back from vacation before its time (WT-1)."""

    player: int


class ComeBack(TableCommandBase, frozen=True, tag=True):
    """Play again, or stay after all. A player who owes blinds says how they come in (TL-10, TL-11)."""

    player: int
    entry_method: EntryMethod | None = None


class TopUp(TableCommandBase, frozen=True, tag=True):
    """Add chips up to the maximum buy-in: now, or for the next hand if the player is dealt in. With an empty stack it is a rebuy (TL-1).

    Of table chips it is always a rebuy: it fills up to the starting stack, whatever `chips` says (TC-3).
    """

    player: int
    chips: int


class AnswerRebuy(TableCommandBase, frozen=True, tag=True):
    """Answer somebody who asks for a rebuy, or for their seat after they took nothing away (TC-4)."""

    player: int
    asker: int
    granted: bool


class AskForRebuy(TableCommandBase, frozen=True, tag=True):
    """Ask the host for the rebuy without which the player cannot sit down again (TC-4, TC-5)."""

    player: int
    name: str


class PledgeStraddle(TableCommandBase, frozen=True, tag=True):
    """Ask for the live straddle in the next hand or, with `wanted` False, take that back (TL-13)."""

    player: int
    wanted: bool = True


class ChangeSettings(TableCommandBase, frozen=True, tag=True):
    """Change the settings: at once where the host (or staff) can do it alone, else as a proposal to everyone seated (H-1)."""

    player: int
    settings: TableSettings
    staff: bool = False


class ProposeStackAdjustment(TableCommandBase, frozen=True, tag=True):
    """Propose an equitable adjustment of stacks. It needs the consent of everyone seated and creates no chips (H-3)."""

    player: int
    stack_changes: tuple[StackChange, ...]


class CorrectChips(TableCommandBase, frozen=True, tag=True):
    """Staff correct chips in the book of a game of table chips (TC-6).

    Attributes:
        changes: what goes from some to others, adding up to zero; or what one player has bought more, or fewer.
        reason: what staff write down; everybody reads it.
    """

    player: int
    changes: tuple[StackChange, ...]
    reason: str
    staff: bool = False


class Consent(TableCommandBase, frozen=True, tag=True):
    """Agree to the proposal (H-1, H-3)."""

    player: int


class RaiseObjection(TableCommandBase, frozen=True, tag=True):
    """Object to the proposal, or to an exchange of seats (H-1, P-12)."""

    player: int


class JoinWaitingList(TableCommandBase, frozen=True, tag=True):
    """Join the waiting list."""

    player: int
    name: str


class LeaveWaitingList(TableCommandBase, frozen=True, tag=True):
    """Leave the waiting list, or turn down the seat that is offered."""

    player: int


class ExchangeSeats(TableCommandBase, frozen=True, tag=True):
    """Ask to exchange seats with the player in `seat_number`. It happens when they ask for it too and nobody objects (P-12)."""

    player: int
    seat_number: int


class DrawSeats(TableCommandBase, frozen=True, tag=True):
    """Ask for a draw of seats (P-7, P-10). `deck` is a shuffled deck that the caller brings."""

    player: int
    deck: tuple[int, ...] = ()


class ChooseSeat(TableCommandBase, frozen=True, tag=True):
    """Before seats are drawn: the banker chooses a seat. Without a banker, the first dealer does (P-8, P-9)."""

    player: int
    seat_number: int


class ChooseDealerSeat(TableCommandBase, frozen=True, tag=True):
    """Before seats are drawn: the first dealer takes the seat left of the banker, or joins the draw (P-8)."""

    player: int
    left_of_banker: bool


class NameSubstitute(TableCommandBase, frozen=True, tag=True):
    """Name somebody to take the player's seat; 0 takes that back (P-11)."""

    player: int
    substitute: int


class RemovePlayer(TableCommandBase, frozen=True, tag=True):
    """Remove a player who sits at the table or waits for a seat, after the hand if they are in one. Their chips are paid out.

    Attributes:
        reason: what staff write down.
        keep_out: they cannot come back unless they are invited again. Without it only staff can remove.
    """

    player: int
    removed_player: int
    staff: bool = False
    reason: str = ""
    keep_out: bool = False


class DrawForFirstDeal(TableCommandBase, frozen=True, tag=True):
    """Draw for the first deal now (D-1, D-13). `deck` is a shuffled deck that the caller brings."""

    player: int
    deck: tuple[int, ...] = ()


class CutForFirstDeal(TableCommandBase, frozen=True, tag=True):
    """Cut for the first deal, at a chosen position from 1 (D-2). `deck` is a shuffled deck that the caller brings."""

    player: int
    deck_position: int
    deck: tuple[int, ...] = ()


class ShuffleDeck(TableCommandBase, frozen=True, tag=True):
    """Shuffle the deck once more before the hand (D-3)."""

    player: int


class CutDeck(TableCommandBase, frozen=True, tag=True):
    """Cut the deck for the next hand at one point or two, counted from the top (D-5 to D-7)."""

    player: int
    points: tuple[int, ...]


class DeclineCut(TableCommandBase, frozen=True, tag=True):
    """Decline to cut (D-6)."""

    player: int


class DeclineDeal(TableCommandBase, frozen=True, tag=True):
    """Ask to be passed over as dealer. It is always refused (D-12)."""

    player: int


class ClaimMisdeal(TableCommandBase, frozen=True, tag=True):
    """Say that the deal was irregular. The engine rules on whether it is in time; see `bot.table.queries.misdeal_agreed`."""

    player: int


class ChooseGame(TableCommandBase, frozen=True, tag=True):
    """Under dealer's choice: choose the next game by its index in the rotation (VC-28)."""

    player: int
    game_index: int


class VoteForBombPot(TableCommandBase, frozen=True, tag=True):
    """Vote for a bomb pot or, with `wanted` False, take the vote back (VC-29)."""

    player: int
    wanted: bool = True


class AskForBreak(TableCommandBase, frozen=True, tag=True):
    """Ask for a break of the whole table, or agree to the one that is asked for; `minutes` is then the asker's."""

    player: int
    minutes: int = 10


class EndBreak(TableCommandBase, frozen=True, tag=True):
    """End the break early. Everybody who wanted it can."""

    player: int


class StartHand(TableCommandBase, frozen=True, tag=True):
    """Deal now. Any seated player can ask for it, not just the host."""

    player: int


class CloseTable(TableCommandBase, frozen=True, tag=True):
    """Close the table, after the hand if one is running, and pay everyone out. For the host and staff."""

    player: int
    staff: bool = False


class CallTime(TableCommandBase, frozen=True, tag=True):
    """Ask for the time bank (TL-31). `seat_number_to_act` is the seat whose turn it is; 0 when it is nobody's turn."""

    player: int
    seat_number_to_act: int = 0


class TimeOutPlayer(TableCommandBase, frozen=True, tag=True):
    """The clock reports that the player in this seat ran out of time. After some such turns in a row they sit out (TL-32)."""

    seat_number: int


class NoteOwnAction(TableCommandBase, frozen=True, tag=True):
    """The player did something of their own, whatever it was: turns that they missed count no longer (TL-32)."""

    player: int


class Tick(TableCommandBase, frozen=True, tag=True):
    """The clock asks the table to do what is due: see `queries.next_due_at` for what that can be."""


TableCommand = (
    OpenTable
    | InvitePlayers
    | HoldSeat
    | TakeSeat
    | LeaveTable
    | SitOut
    | ComeBack
    | StartVacation
    | EndVacation
    | TopUp
    | AnswerRebuy
    | AskForRebuy
    | PledgeStraddle
    | ChangeSettings
    | ProposeStackAdjustment
    | CorrectChips
    | Consent
    | RaiseObjection
    | JoinWaitingList
    | LeaveWaitingList
    | ExchangeSeats
    | DrawSeats
    | ChooseSeat
    | ChooseDealerSeat
    | NameSubstitute
    | RemovePlayer
    | DrawForFirstDeal
    | CutForFirstDeal
    | ShuffleDeck
    | CutDeck
    | DeclineCut
    | DeclineDeal
    | ClaimMisdeal
    | ChooseGame
    | VoteForBombPot
    | AskForBreak
    | EndBreak
    | StartHand
    | CloseTable
    | CallTime
    | TimeOutPlayer
    | NoteOwnAction
    | Tick
)
