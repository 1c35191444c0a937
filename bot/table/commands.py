"""What people, and the clock, may ask of a table between hands. `player` is who asks.

Chips are whole chips of the player's wallet; whether the wallet holds them is the ledger's to say.
"""

from msgspec import Struct

from bot.table.settings import TableSettings
from bot.table.state import ChipShift, Entry


class Command(Struct, frozen=True, tag=True):
    """Something somebody asks for. Whether it happens is for `decide` to rule."""


class Open(Command, frozen=True, tag=True):
    """Open a table and be its host (H-4)."""

    player: int
    settings: TableSettings


class Sit(Command, frozen=True, tag=True):
    """Take a seat with chips. `seat` 0 is any free one, picked by `lot`, a random whole number that the caller brings (P-7)."""

    player: int
    name: str
    chips: int
    seat: int = 0
    lot: int = 0
    practice: bool = False


class Leave(Command, frozen=True, tag=True):
    """Get up with one's chips: at once, or after the hand one is dealt into (TL-40)."""

    player: int


class SitOut(Command, frozen=True, tag=True):
    """Take no cards from the next deal on (TL-33)."""

    player: int


class Back(Command, frozen=True, tag=True):
    """Play again, or stay after all. Who owes blinds says how he comes in (TL-10, TL-11)."""

    player: int
    entry: Entry | None = None


class TopUp(Command, frozen=True, tag=True):
    """Add chips, up to the maximum buy-in: now, or at the next deal if one is dealt in. With an empty stack it is a rebuy (TL-1)."""

    player: int
    chips: int


class PledgeStraddle(Command, frozen=True, tag=True):
    """Ask for the live straddle at the next deal, or with `on` False take that back (TL-13)."""

    player: int
    on: bool = True


class ChangeSettings(Command, frozen=True, tag=True):
    """Change what the table has agreed on: at once where the host (or staff) may, else a proposal to all seated (H-1)."""

    player: int
    settings: TableSettings
    staff: bool = False


class ProposeAdjustment(Command, frozen=True, tag=True):
    """Propose an equitable adjustment of stacks; it needs everybody's consent and makes no chips (H-3)."""

    player: int
    shifts: tuple[ChipShift, ...]


class Consent(Command, frozen=True, tag=True):
    """Agree to what is proposed (H-1, H-3)."""

    player: int


class Object(Command, frozen=True, tag=True):
    """Object to what is proposed, or to an exchange of seats (H-1, P-12)."""

    player: int


class JoinWaitingList(Command, frozen=True, tag=True):
    """Wait for a seat."""

    player: int
    name: str


class LeaveWaitingList(Command, frozen=True, tag=True):
    """Wait no longer, or pass up the seat that is offered."""

    player: int


class ExchangeSeats(Command, frozen=True, tag=True):
    """Ask to exchange seats with the player in `seat`; it happens when he asks the same and nobody objects (P-12)."""

    player: int
    seat: int


class DrawSeats(Command, frozen=True, tag=True):
    """Demand that seats be drawn (P-7, P-10). `pack` is a shuffled pack that the caller brings."""

    player: int
    pack: tuple[int, ...]


class ChooseSeat(Command, frozen=True, tag=True):
    """Before seats are drawn: the banker chooses his seat; where there is none, the first dealer (P-8, P-9)."""

    player: int
    seat: int


class ChoosePlace(Command, frozen=True, tag=True):
    """Before seats are drawn: the first dealer sits left of the banker, or joins the draw (P-8)."""

    player: int
    left: bool


class NameSubstitute(Command, frozen=True, tag=True):
    """Give one's seat to somebody who comes instead; 0 takes that back (P-11)."""

    player: int
    substitute: int


class Remove(Command, frozen=True, tag=True):
    """Staff removes a player; his chips are paid out, after the hand if he is in one."""

    player: int
    target: int
    staff: bool = False


class DrawForDeal(Command, frozen=True, tag=True):
    """Draw for the first deal now (D-1, D-13). `pack` is a shuffled pack that the caller brings."""

    player: int
    pack: tuple[int, ...]


class CutForDeal(Command, frozen=True, tag=True):
    """Cut for the first deal, at a place of one's choice counted from 1 (D-2). `pack` is a shuffled pack that the caller brings."""

    player: int
    position: int
    pack: tuple[int, ...]


class Shuffle(Command, frozen=True, tag=True):
    """Have the pack shuffled once more before the deal (D-3)."""

    player: int


class CutPack(Command, frozen=True, tag=True):
    """Cut the pack for the next deal: one point or two, counted from the top (D-5 to D-7)."""

    player: int
    points: tuple[int, ...]


class DeclineCut(Command, frozen=True, tag=True):
    """Let the cut go (D-6)."""

    player: int


class SkipDeal(Command, frozen=True, tag=True):
    """Ask to be passed over as dealer; it is always refused (D-12)."""

    player: int


class ClaimMisdeal(Command, frozen=True, tag=True):
    """Say that the deal was irregular. Whether it is in time is the engine's to rule; see `bot.table.queries.misdeal_agreed`."""

    player: int


class ChooseGame(Command, frozen=True, tag=True):
    """Choose the next game, by its place in the rotation, where the dealer chooses (VC-28)."""

    player: int
    place: int


class VoteBomb(Command, frozen=True, tag=True):
    """Ask for a bomb pot, or with `on` False take that back (VC-29)."""

    player: int
    on: bool = True


class StartHand(Command, frozen=True, tag=True):
    """Deal now: any seated player may ask; nobody needs the host for it."""

    player: int


class Close(Command, frozen=True, tag=True):
    """Close the table, after the hand if one is running; everybody is paid out. For host and staff."""

    player: int
    staff: bool = False


class CallTime(Command, frozen=True, tag=True):
    """Say, while to act, that one needs the time bank (TL-31). `to_act` is the seat number whose turn it is, 0 for nobody's."""

    player: int
    to_act: int


class TimedOut(Command, frozen=True, tag=True):
    """The clock says: the player in this seat let his turn pass. He sits out after this deal (TL-32)."""

    seat: int


class Tick(Command, frozen=True, tag=True):
    """The clock says: something may be due: an offer, an absent player's seat, an exchange, an idle table. See `queries.due_at`."""


Any = (
    Open
    | Sit
    | Leave
    | SitOut
    | Back
    | TopUp
    | PledgeStraddle
    | ChangeSettings
    | ProposeAdjustment
    | Consent
    | Object
    | JoinWaitingList
    | LeaveWaitingList
    | ExchangeSeats
    | DrawSeats
    | ChooseSeat
    | ChoosePlace
    | NameSubstitute
    | Remove
    | DrawForDeal
    | CutForDeal
    | Shuffle
    | CutPack
    | DeclineCut
    | SkipDeal
    | ClaimMisdeal
    | ChooseGame
    | VoteBomb
    | StartHand
    | Close
    | CallTime
    | TimedOut
    | Tick
)
