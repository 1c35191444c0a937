"""The action that a player has chosen before their turn. It is private until it happens, and never part of the hand's own history.

Where turns can take hours it is a written line, which can also have a condition (WT-2).

Laws: TL-34, WT-2.
"""

from enum import StrEnum

from msgspec import Struct

from bot.engine.units import SeatNumber


class PreselectedAction(StrEnum):
    """What can be chosen before the turn. Bets and raises cannot. The words are stored.

    The last two only where turns can take hours.
    """

    CHECK_OR_FOLD = "check/fold"
    CALL = "call"
    FOLD = "fold"
    CALL_UP_TO = "call up to"  # call if that takes no more chips, else fold
    CHECK_DOWN = "check it down"  # check on every street, until somebody bets


class PreselectionEndReason(StrEnum):
    """Why a choice made before the turn no longer stands. The words are stored."""

    DONE = "done"  # it was carried out, or the player acted in another way
    CLEARED = "cleared"  # the player took it back
    CALL_CHANGED = "the call has changed"
    BET = "somebody has bet"
    NOT_LAWFUL = "not lawful at the turn"
    STREET_OVER = "the street is over"


class Preselection(Struct, frozen=True, gc=False):
    """One seat's choice for its turn. It holds for this betting round only, but for `CHECK_DOWN`.

    Attributes:
        chosen_call: for a call, the exact chips; for `CALL_UP_TO` the most; 0 for the others.
        lapse_reason: why the choice lapsed. The player is told until they act or choose again. None while the choice stands.
        call_at_turn: for a lapsed choice, what there was to call instead; 0 for nothing.
    """

    seat_number: SeatNumber
    action: PreselectedAction
    chosen_call: int = 0
    lapse_reason: PreselectionEndReason | None = None
    call_at_turn: int = 0


class PreselectionOptions(Struct, frozen=True, gc=False):
    """What a seat can choose before its turn. It can always choose to fold.

    Attributes:
        check_or_fold: it can choose to check, or to fold if somebody bets before its turn.
        call: what a call costs now, in chips; 0 if there is nothing to call or the seat cannot call.
        all_in: that call takes the whole stack.
    """

    check_or_fold: bool
    call: int
    all_in: bool


class PreselectionView(Struct, frozen=True, gc=False):
    """What one player, and nobody else, can see of their choice before the turn.

    Attributes:
        options: what they can choose; None if they cannot choose anything now.
        chosen: what they have chosen, lapsed or not; None for nothing.
        is_written: turns can take hours here: they can also write a line with a condition (WT-2).
    """

    options: PreselectionOptions | None
    chosen: Preselection | None
    is_written: bool = False
