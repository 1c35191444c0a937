"""Choosing before one's turn, where the table plays `OUT_OF_TURN`=refuse: what may be chosen, and what comes of it at the turn.

A choice holds for the betting interval it was made in. At the turn it happens at once if it is still lawful and, for a call, costs what it
did when it was chosen; else it lapses. Where chips or words out of turn wait or bind (`hold`, `tda53`), nothing is chosen this way.

Source: laws TL-34, X-3; WSOP-L 132.
"""

from collections.abc import Sequence

from msgspec import Struct

from bot.engine import commands as c
from bot.engine import events as e
from bot.engine.hand import Hand
from bot.engine.legal import Decision, Duty, Legal
from bot.engine.options import OutOfTurn
from bot.engine.refusals import HandIsDead, HandOver
from bot.engine.ruling import legal
from bot.table.errors import CannotPreselect, NotNow
from bot.table.preselected import Choice, Ended, Preselectable, Preselection


class Lapse(Struct, frozen=True, gc=False):
    """A choice comes to nothing at the turn; `call` is what there is to call instead, 0 for nothing."""

    why: Ended
    call: int = 0


def preselectable(hand: Hand, seat: int) -> Preselectable:
    """What a seat (its place at the deal) may choose for its turn in this interval.

    Raises:
        HandOver, HandIsDead: there is no turn to come.
        CannotPreselect: not at this table, or not now.
    """
    if hand.over:
        raise HandOver
    if hand.rules.options.out_of_turn is not OutOfTurn.REFUSE:
        raise CannotPreselect(why=NotNow.CUSTOM)
    if not hand.live >> seat & 1:
        raise HandIsDead
    if not hand.able >> seat & 1:
        raise CannotPreselect(why=NotNow.ALL_IN)
    if hand.decision is not Decision.BET:
        raise CannotPreselect(why=NotNow.NO_BETTING)
    at_turn = _in_turn(hand, seat)
    return Preselectable(check_or_drop=at_turn.check, call=at_turn.call, all_in=at_turn.call_all_in)


def preselected(hand: Hand, seat: int, choice: Choice, chips: int = 0) -> int:
    """Rule on a choice made before the turn, and return what its call costs, in chips: 0 for another choice.

    Args:
        chips: the call that was offered when it was chosen; 0 for whatever it costs now.

    Raises:
        HandOver, HandIsDead, CannotPreselect: not at this table, not now, or not for these chips.
    """
    may = preselectable(hand, seat)
    match choice:
        case Choice.DROP:
            return 0
        case Choice.CHECK_OR_DROP:
            # What was chosen before a bet came means "drop" after it; asked for while a bet stands it is a mistake.
            if not may.check_or_drop:
                raise CannotPreselect(why=NotNow.NO_CHECK, call=may.call)
            return 0
        case Choice.CALL:
            if not may.call:
                raise CannotPreselect(why=NotNow.NO_CALL)
            if chips not in (0, may.call):
                raise CannotPreselect(why=NotNow.OTHER_CALL, call=may.call, chips=chips)
            return may.call


def at_turn(hand: Hand, chosen: Preselection) -> c.Command | Lapse:
    """What a choice comes to now that the turn of its seat is there."""
    may = legal(hand, hand.to_act)
    if may.decision is not Decision.BET:
        return Lapse(
            Ended.STREET
        )  # all have spoken; where stakes are made equal at the draw, the interval closes after it
    match chosen.choice:
        case Choice.DROP if may.fold:
            return c.Fold()
        case Choice.CHECK_OR_DROP if may.check:
            return c.Check()
        case Choice.CHECK_OR_DROP if may.fold and may.owe:
            return c.Fold()
        case Choice.CALL if may.call == chosen.chips:
            return c.Call()
        case Choice.CALL if may.call:
            return Lapse(Ended.CHANGED, may.call)
        case _:
            return Lapse(Ended.BARRED, may.call)


def ended_by(
    preselections: Sequence[Preselection], seats: Sequence[int], happened: Sequence[e.Event]
) -> list[tuple[int, Ended]]:
    """The choices that what happened in the hand puts an end to: table seat number and why.

    Args:
        seats: table seat numbers by place at the deal.
    """
    spoke = {seats[event.seat] for event in happened if isinstance(event, e.Spoken)}
    closed = any(isinstance(event, e.IntervalClosed) for event in happened)
    ended: list[tuple[int, Ended]] = []
    for one in preselections:
        if one.seat in spoke:
            ended.append((one.seat, Ended.DONE))
        elif closed and one.lapsed is None:
            ended.append((one.seat, Ended.STREET))
    return ended


def of_this_street(hand: Hand, turn: int) -> bool:
    """Whether an action number belongs to the betting interval that is going on: buttons drawn then are still good (TL-35)."""
    return hand.turn - sum(isinstance(event, e.Spoken) for event in hand.actions) <= turn <= hand.turn


def _in_turn(hand: Hand, seat: int) -> Legal:
    """What the seat could do if it were its turn now. What a card on show asks of the first to speak is asked of nobody else."""
    if seat == hand.to_act:
        return legal(hand, seat)
    as_if = hand.copy()
    as_if.to_act, as_if.duty = seat, Duty.FREE
    return legal(as_if, seat)
