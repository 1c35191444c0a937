"""What a player has chosen before his turn: private to him until it happens, and never part of the hand's own history.

Source: law TL-34.
"""

from enum import StrEnum

from msgspec import Struct


class Choice(StrEnum):
    """What may be chosen before one's turn, and nothing else: no bet and no raise."""

    CHECK_OR_DROP = "check/drop"
    CALL = "call"
    DROP = "drop"


class Ended(StrEnum):
    """Why a choice made before the turn stands no longer."""

    DONE = "done"  # it has happened, or its player has acted or dropped otherwise
    CLEARED = "cleared"  # taken back
    CHANGED = "the call has changed"
    BARRED = "not lawful at the turn"
    STREET = "the street is over"


class Preselection(Struct, frozen=True, gc=False):
    """One seat's choice for its turn. It holds for this betting interval only.

    Attributes:
        seat: table seat number.
        chips: of a call, exactly how many; 0 for the others.
        lapsed: why it came to nothing, which its player is told until he acts or chooses again; None while it stands.
        call: of a lapsed call, what there was to call instead; 0 for nothing.
    """

    seat: int
    choice: Choice
    chips: int = 0
    lapsed: Ended | None = None
    call: int = 0


class Preselectable(Struct, frozen=True, gc=False):
    """What a seat may choose before its turn; the drop always is among it.

    Attributes:
        check_or_drop: nobody has bet, so it may be the one or the other.
        call: what a call would cost now, in chips; 0 where there is nothing to call, or it cannot be called.
        all_in: that call takes the whole stack.
    """

    check_or_drop: bool
    call: int
    all_in: bool


class Early(Struct, frozen=True, gc=False):
    """What one player, and nobody else, may know of his choice before his turn.

    Attributes:
        to_act: table seat number of whose turn it is.
        may: what he may choose; None where nothing may be chosen now.
        chosen: what he has chosen, or what has lapsed of it; None for nothing.
    """

    to_act: int
    may: Preselectable | None
    chosen: Preselection | None
