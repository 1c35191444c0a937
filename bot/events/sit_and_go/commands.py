"""What people, staff and the table ask of a sit-and-go."""

from typing import TypeAlias

from msgspec import Struct

from bot.events.sit_and_go.prizes import PrizeTable
from bot.events.sit_and_go.state import AgreementKind, SitAndGoSettings
from bot.events.sit_and_go.structures import LevelLength, Speed


class SitAndGoCommandBase(Struct, frozen=True):
    """Something that is asked of a sit-and-go."""


class OpenSitAndGo(SitAndGoCommandBase, frozen=True):
    """Open a sit-and-go, in which nobody has entered yet."""

    player: int
    settings: SitAndGoSettings


class ChooseStructure(SitAndGoCommandBase, frozen=True):
    """The host chooses how it rises, and how prizes are divided, until somebody else has entered."""

    player: int
    speed: Speed
    counted_in: LevelLength = LevelLength.MINUTES
    prizes: PrizeTable = PrizeTable.USUAL
    late_until: int = 0
    rebuys: bool = False
    bounty: int = 0
    percents: tuple[int, ...] = ()
    ante_first: bool = False


class Enter(SitAndGoCommandBase, frozen=True):
    """Enter before the start, for the buy-in, or late where that is possible (SG-1, SG-11).

    Attributes:
        seat_number: of a late entry, a drawn free seat; the table fills it in.
    """

    player: int
    name: str
    practice: bool = False
    seat_number: int = 0


class WithdrawEntry(SitAndGoCommandBase, frozen=True):
    """Withdraw before the start; the buy-in comes back."""

    player: int


class StartSitAndGo(SitAndGoCommandBase, frozen=True):
    """Start with those who have entered: when it is full, or when the host wants it.

    Attributes:
        player: the host; 0 for the dealer.
        seat_numbers: free seats in a drawn order, as many as there are entrants or more (SG-1).
    """

    player: int
    seat_numbers: tuple[int, ...]


class BeginHand(SitAndGoCommandBase, frozen=True):
    """A hand begins: the level that is due applies to it (SG-2)."""


class CountHand(SitAndGoCommandBase, frozen=True):
    """A hand that counted is over.

    Attributes:
        stacks: of all who were dealt in, at its start and after it, in the order of seats from the left of the button.
        own_will: somebody in it plays of their own will (SG-3).
        put_out: who has no chips any more, and who won the pot with their last chip, in the order of seats (SG-10).
        shown_at: when everybody has seen its end, in ms; 0 for now.
    """

    stacks: tuple[tuple[int, int, int], ...]
    own_will: bool = True
    put_out: tuple[tuple[int, tuple[int, ...]], ...] = ()
    shown_at: int = 0


class AnswerRebuyOffer(SitAndGoCommandBase, frozen=True):
    """Somebody without chips rebuys, or says no (SG-9, SG-11).

    Attributes:
        bounty: they pay for a new bounty too (SG-10).
        hand: after which of the event's hands they were asked, counted from 1; 0 for the last.
    """

    player: int
    rebuys: bool
    bounty: bool = False
    hand: int = 0


class CloseRebuys(SitAndGoCommandBase, frozen=True):
    """The time to answer is over: silence is a no (SG-9)."""


class VoidHandInEvent(SitAndGoCommandBase, frozen=True):
    """A hand does not count (SG-2)."""


class LeaveByChoice(SitAndGoCommandBase, frozen=True):
    """Leave while it is being played: the stack is blinded off (SG-13). Who leaves a duel gives it up.

    Attributes:
        stacks: between deals those of all still in, in the order of seats from the left of the button; the table fills them in.
    """

    player: int
    stacks: tuple[tuple[int, int], ...] = ()


class PlayOn(SitAndGoCommandBase, frozen=True):
    """Come back after leaving by choice."""

    player: int


class PauseEvent(SitAndGoCommandBase, frozen=True):
    """The host stops the clock of levels and the deal, for ten minutes in all (SG-15)."""

    player: int
    minutes: int


class ResumeEvent(SitAndGoCommandBase, frozen=True):
    """Go on after a break or a pause; 0 for the dealer, once it is over."""

    player: int


class DealerReturned(SitAndGoCommandBase, frozen=True):
    """The dealer was down since a time in ms: the clock of levels has stood still (SG-15)."""

    down_since: int


class OfferAgreement(SitAndGoCommandBase, frozen=True):
    """Offer to divide what is left of the prizes, between deals (SG-12).

    Attributes:
        stacks: of those still in, in the order of seats from the left of the button; the table fills them in.
        amounts: of an offer of own amounts, what each of them would get.
    """

    player: int
    kind: AgreementKind
    stacks: tuple[tuple[int, int], ...] = ()
    amounts: tuple[tuple[int, int], ...] = ()


class AnswerAgreement(SitAndGoCommandBase, frozen=True):
    """Agree to an offer, or say no, which ends it (SG-12).

    Attributes:
        offer: which of the event's offers they have seen, counted from 1; 0 for the one that is open.
    """

    player: int
    agrees: bool
    offer: int = 0


class CancelSitAndGo(SitAndGoCommandBase, frozen=True):
    """Cancel it (SG-13).

    Attributes:
        player: who; 0 for the dealer, who does it because it cannot go on, or nobody came.
        staff: they are staff.
        stacks: of those still in, at the start of a hand that is void by it, in the order of seats from the left of the button.
    """

    player: int
    staff: bool = False
    stacks: tuple[tuple[int, int], ...] = ()
    nobody_came: bool = False


SitAndGoCommand: TypeAlias = (
    OpenSitAndGo
    | ChooseStructure
    | Enter
    | WithdrawEntry
    | StartSitAndGo
    | BeginHand
    | CountHand
    | AnswerRebuyOffer
    | CloseRebuys
    | VoidHandInEvent
    | LeaveByChoice
    | PlayOn
    | PauseEvent
    | ResumeEvent
    | DealerReturned
    | OfferAgreement
    | AnswerAgreement
    | CancelSitAndGo
)
