"""What happens in a sit-and-go. Names and fields are a stored format."""

from typing import TypeAlias

from msgspec import Struct

from bot.events.sit_and_go.state import Agreement, EndReason, SitAndGoSettings, StopReason


class SitAndGoEventBase(Struct, frozen=True, gc=False):
    """Something that happened in a sit-and-go; `at` is when, in ms."""


class SitAndGoOpened(SitAndGoEventBase, frozen=True, tag=True, gc=False):
    """It was opened, and people can enter."""

    settings: SitAndGoSettings
    opened_by: int
    at: int


class StructureChosen(SitAndGoEventBase, frozen=True, tag=True, gc=False):
    """The host chose another structure, or other prizes."""

    settings: SitAndGoSettings
    at: int


class PlayerEntered(SitAndGoEventBase, frozen=True, tag=True, gc=False):
    """Somebody entered. Their buy-in goes from their wallet to escrow (SG-1). `seat_number`: of a late entry (SG-11)."""

    player: int
    name: str
    at: int
    practice: bool = False
    seat_number: int = 0


class EntryWithdrawn(SitAndGoEventBase, frozen=True, tag=True, gc=False):
    """Somebody withdrew before the start; their buy-in comes back."""

    player: int
    at: int


class SitAndGoStarted(SitAndGoEventBase, frozen=True, tag=True, gc=False):
    """Seats were drawn, and the first level begins (SG-1). `seats`: player and seat number."""

    seats: tuple[tuple[int, int], ...]
    at: int


class LevelRose(SitAndGoEventBase, frozen=True, tag=True, gc=False):
    """A new level applies from the hand that begins now (SG-2). `ran_ms`: what the clock had run beyond the end of the last one."""

    level: int
    at: int
    ran_ms: int = 0


class HandCounted(SitAndGoEventBase, frozen=True, tag=True, gc=False):
    """A hand was played to its end. `own_will`: somebody in it plays of their own will (SG-3)."""

    at: int
    own_will: bool = True


class HandVoid(SitAndGoEventBase, frozen=True, tag=True, gc=False):
    """A hand does not count; the next one keeps its level (SG-2)."""

    at: int


class PlayersOut(SitAndGoEventBase, frozen=True, tag=True, gc=False):
    """Players went out in the hand that was counted last.

    Attributes:
        stacks: each with their stack at the start of the hand, in the order of seats from the left of the button (SG-9).
    """

    stacks: tuple[tuple[int, int], ...]
    at: int


class BountyWon(SitAndGoEventBase, frozen=True, tag=True, gc=False):
    """The bounty of `player`, who has no chips any more, goes to who won the pot with their last chip (SG-10)."""

    player: int
    winners: tuple[tuple[int, int], ...]
    at: int


class RebuysAsked(SitAndGoEventBase, frozen=True, tag=True, gc=False):
    """Players without chips are asked whether they rebuy (SG-9). Fields as in `RebuyQuestion`."""

    waiting: tuple[int, ...]
    stacks: tuple[tuple[int, int, int], ...]
    until: int
    at: int


class PlayerRebought(SitAndGoEventBase, frozen=True, tag=True, gc=False):
    """Somebody rebought: the buy-in and `bounty` go from their wallet to escrow, and they have a full stack (SG-11)."""

    player: int
    at: int
    bounty: int = 0


class RebuyDeclined(SitAndGoEventBase, frozen=True, tag=True, gc=False):
    """Somebody does not rebuy."""

    player: int
    at: int


class RebuyTimeMoved(SitAndGoEventBase, frozen=True, tag=True, gc=False):
    """There is longer to answer, because the dealer was down."""

    until: int
    at: int


class RebuysClosed(SitAndGoEventBase, frozen=True, tag=True, gc=False):
    """Everybody has answered, or the time is over."""

    at: int


class MatchWon(SitAndGoEventBase, frozen=True, tag=True, gc=False):
    """Somebody won a match of a duel in the hand that was counted last."""

    player: int
    at: int


class MatchBegan(SitAndGoEventBase, frozen=True, tag=True, gc=False):
    """The next match of a duel begins: both have the starting stack again, and the levels begin anew."""

    at: int


class LeftByChoice(SitAndGoEventBase, frozen=True, tag=True, gc=False):
    """Somebody left by choice: their buy-in stays, their stack is blinded off (SG-13)."""

    player: int
    at: int


class CameBackToPlay(SitAndGoEventBase, frozen=True, tag=True, gc=False):
    """Somebody who had left by choice plays on."""

    player: int
    at: int


class LevelClockStopped(SitAndGoEventBase, frozen=True, tag=True, gc=False):
    """The clock of levels stands still from now on; `until` for a break or a pause that ends by itself (SG-15)."""

    reason: StopReason
    at: int
    until: int = 0


class LevelClockStarted(SitAndGoEventBase, frozen=True, tag=True, gc=False):
    """The clock runs again. `stood_since`: it had stood still since then already, because the dealer was down (SG-15)."""

    at: int
    stood_since: int = 0


class AgreementOffered(SitAndGoEventBase, frozen=True, tag=True, gc=False):
    """Somebody offered to divide what is left of the prizes (SG-12)."""

    agreement: Agreement
    at: int


class AgreementConsented(SitAndGoEventBase, frozen=True, tag=True, gc=False):
    """Somebody agreed to the offer."""

    player: int
    at: int


class AgreementLapsed(SitAndGoEventBase, frozen=True, tag=True, gc=False):
    """The offer is gone: `player` said no; 0 where the next deal began."""

    player: int
    at: int


class SitAndGoEnded(SitAndGoEventBase, frozen=True, tag=True, gc=False):
    """It is over.

    Attributes:
        stacks: of those still in, in the order of seats from the left of the button.
        prizes: what each gets from escrow.
        bounties: what each gets from it for bounties: those they won, and their own (SG-10).
    """

    reason: EndReason
    stacks: tuple[tuple[int, int], ...]
    prizes: tuple[tuple[int, int], ...]
    at: int
    bounties: tuple[tuple[int, int], ...] = ()


class SitAndGoCancelled(SitAndGoEventBase, frozen=True, tag=True, gc=False):
    """It was cancelled (SG-13).

    Attributes:
        by: who cancelled it; 0 for the dealer.
        refunds: what each gets from escrow, bounties apart.
        bounties: as in `SitAndGoEnded`.
    """

    reason: EndReason
    by: int
    refunds: tuple[tuple[int, int], ...]
    at: int
    bounties: tuple[tuple[int, int], ...] = ()


SitAndGoEvent: TypeAlias = (
    SitAndGoOpened
    | StructureChosen
    | PlayerEntered
    | EntryWithdrawn
    | SitAndGoStarted
    | LevelRose
    | HandCounted
    | HandVoid
    | PlayersOut
    | BountyWon
    | RebuysAsked
    | PlayerRebought
    | RebuyDeclined
    | RebuyTimeMoved
    | RebuysClosed
    | MatchWon
    | MatchBegan
    | LeftByChoice
    | CameBackToPlay
    | LevelClockStopped
    | LevelClockStarted
    | AgreementOffered
    | AgreementConsented
    | AgreementLapsed
    | SitAndGoEnded
    | SitAndGoCancelled
)
