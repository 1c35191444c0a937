"""What one seat may do now. Buttons, checks, practice players and fuzzers all read this, and nothing else.

Source: design §2 "`legal` is the one source", laws 0.3 (c).
"""

from enum import StrEnum

from msgspec import Struct


class Decision(StrEnum):
    """What kind of answer the dealer waits for."""

    NONE = "none"  # nobody is to act: the hand is over
    BET = "bet"
    STRADDLE = "straddle"
    DRAW = "draw"
    DROP = "drop"
    PASS = "pass"
    ARRANGE = "arrange"
    DECLARE = "declare"
    OFFER = "offer"
    RUN_TWICE = "run it twice"
    SHOW = "show"


class Duty(StrEnum):
    """What the first to speak owes where a card on show opens (F-6, F-7, VC-5)."""

    FREE = "free"  # nothing: blinds and antes do the forcing
    OPEN = "open"  # he bets; he may neither check nor drop
    OPEN_OR_DROP = (
        "open or drop"  # he stands in for an opener who is all-in: he bets or drops, but may not check (TL-42)
    )


class Legal(Struct, frozen=True, gc=False):
    """What a seat may do now; all False and 0 when it is not its turn. Amounts are chips.

    Attributes:
        seat: the seat asked about.
        decision: what the dealer waits for from this seat; `Decision.NONE` when not its turn.
        fold, check: whether it may.
        call: chips to add to call (its whole stack when `call_all_in`); 0 when there is nothing to call.
        call_all_in: the call takes the whole stack.
        min_to, max_to: street totals between which it may bet or raise, both included; 0 and 0 when it may not. Equal when there is one
            size only. A stack too short for the full minimum makes both the all-in total (TL-3).
        bring_in: the forced bet it may make instead of a full one, as a street total; 0 when there is none (VC-5).
        opening: True when that would be the first bet of the interval ("bet"), False for a raise.
        level: the highest street total anyone has put in; owe: level minus the seat's own total, chips that lie
            in front of it from out of turn included (I-8).
        pot: all chips in the middle, live bets included.
        stack: chips the seat has left.
        no_raise: id of the law that forbids a raise, when `max_to` is 0 on its turn; else "".
        least, most: how many cards it may give up (draw, drop, pass).
        offer: amount offered (straddle, price), in chips as a street total; 0 when none.
        words: what it may declare.
        about: what is offered, in words; "" when nothing is.
        designate: places of the wild cards it may give a meaning to when it shows, common ones included (W-7).
        common: of those the ones on the board: place and card.
        show, muck: whether it may, at the showdown.
    """

    seat: int
    decision: Decision = Decision.NONE
    fold: bool = False
    check: bool = False
    call: int = 0
    call_all_in: bool = False
    min_to: int = 0
    max_to: int = 0
    opening: bool = False
    level: int = 0
    owe: int = 0
    pot: int = 0
    stack: int = 0
    no_raise: str = ""
    least: int = 0
    most: int = 0
    offer: int = 0
    words: tuple[str, ...] = ()
    show: bool = False
    muck: bool = False
    bring_in: int = 0
    about: str = ""
    designate: tuple[int, ...] = ()
    common: tuple[tuple[int, int], ...] = ()
