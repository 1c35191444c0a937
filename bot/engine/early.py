"""What was done out of turn, once its turn comes: chips put in early become the action, an action noted binds or lapses.

Source: laws B-10, I-8, TL-34; TDA 53.
"""

from bot.engine import events as e
from bot.engine.betting import raise_bounds
from bot.engine.hand import Hand
from bot.engine.happening import Happened, happen


def take_early(hand: Hand, happened: Happened, seat: int) -> bool:
    """Let what the seat did out of turn be its action. False: there is nothing, or it must choose anew."""
    if hand.held and hand.held[seat]:
        return _take_held(hand, happened, seat)
    for noted in hand.noted:
        if noted[0] == seat:
            return _take_noted(hand, happened, *noted)
    return False


def _take_held(hand: Hand, happened: Happened, seat: int) -> bool:
    """Chips put in early are the action where they are enough, or all he has; else the seat must add to them or drop (I-8)."""
    held, owe = hand.held[seat], hand.level - hand.bets[seat]
    all_in = not hand.stacks[seat]
    if held < owe and not all_in:
        return False
    if not hand.level:
        happen(hand, happened, e.BetTo(seat, held, held, all_in))
        return True
    happen(hand, happened, e.Called(seat, min(owe, held), all_in and held <= owe) if owe else e.Checked(seat))
    if held > owe:
        happen(hand, happened, e.HeldForfeited(seat, held - owe))
    return True


def _take_noted(hand: Hand, happened: Happened, seat: int, level: int, action: e.Spoken) -> bool:
    """A noted action binds if the action to the seat has not changed since (TDA 53)."""
    happen(hand, happened, e.NoteSettled(seat))
    if not binds(hand, seat, level, action):
        return False
    happen(hand, happened, action)
    return True


def binds(hand: Hand, seat: int, level: int, action: e.Spoken) -> bool:
    """Whether an action noted at `level` still binds the seat whose turn it is: the same level to meet, and a raise still lawful."""
    if hand.level != level:
        return False
    if isinstance(action, e.BetTo | e.RaisedTo):
        least, most = raise_bounds(hand, seat)
        return least <= action.to <= most
    return True
