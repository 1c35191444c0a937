"""What was done out of turn, once its turn comes: chips put in early become the action, a noted action binds or
lapses (laws B-10, I-8, TL-34; TDA 53)."""

from bot.engine import events as e
from bot.engine.betting.bet_sizes import can_bet_to
from bot.engine.evolve import EmittedEvents, emit
from bot.engine.hand import Hand
from bot.engine.units import SeatIndex


def apply_out_of_turn(hand: Hand, events: EmittedEvents, seat: SeatIndex) -> bool:
    """Make what the seat did out of turn its action. False: there is nothing, or it must choose anew."""
    if hand.out_of_turn_chips and hand.out_of_turn_chips[seat]:
        return _apply_held_chips(hand, events, seat)
    for noted in hand.out_of_turn_actions:
        if noted[0] == seat:
            return _apply_noted_action(hand, events, *noted)
    return False


def _apply_held_chips(hand: Hand, events: EmittedEvents, seat: SeatIndex) -> bool:
    """Chips put in early are the action where they suffice, or are all the seat has; else it must add to them or fold
    (I-8)."""
    held, to_call = hand.out_of_turn_chips[seat], hand.current_bet - hand.bets[seat]
    all_in = not hand.stacks[seat]
    if held < to_call and not all_in:
        return False
    if not hand.current_bet:
        emit(hand, events, e.BetTo(seat, held, held, all_in))
        return True
    emit(hand, events, e.Called(seat, min(to_call, held), all_in and held <= to_call) if to_call else e.Checked(seat))
    if held > to_call:
        emit(hand, events, e.OutOfTurnChipsForfeited(seat, held - to_call))
    return True


def _apply_noted_action(
    hand: Hand, events: EmittedEvents, seat: SeatIndex, level: int, action: e.BettingAction
) -> bool:
    """A noted action binds if the action to the seat has not changed since (TDA 53)."""
    emit(hand, events, e.OutOfTurnActionResolved(seat))
    if not is_binding(hand, seat, level, action):
        return False
    emit(hand, events, action)
    return True


def is_binding(hand: Hand, seat: SeatIndex, level: int, action: e.BettingAction) -> bool:
    """Whether an action noted when the bet was `level` still binds the seat whose turn it is: the same bet to meet,
    and a raise still lawful."""
    if hand.current_bet != level:
        return False
    if isinstance(action, e.BetTo | e.RaisedTo):
        return can_bet_to(hand, seat, action.to)
    return True
