"""How things happen while the dealer works: an event is applied to his own copy of the hand and written down.

Source: design §2; laws B-9, TL-16, I-8.
"""

from bot.engine import events as e
from bot.engine.evolve import APPLY
from bot.engine.hand import Hand

Happened = list[e.Event]


def happen(hand: Hand, happened: Happened, event: e.Event) -> None:
    """Let an event happen: apply it to the dealer's working copy and write it down."""
    APPLY[type(event)](hand, event)
    happened.append(event)


def close_interval(hand: Hand, happened: Happened) -> None:
    """Gather the bets in; what nobody matched goes back first, an ante that all others posted short included (B-9, TL-16)."""
    if hand.held:
        for seat, chips in enumerate(hand.held):
            if chips:
                happen(hand, happened, e.HeldReturned(seat, chips))
    ranked = sorted(hand.put_in)
    back = ranked[-1] - ranked[-2]
    if back:
        leader = hand.put_in.index(ranked[-1])
        if hand.live >> leader & 1:
            happen(hand, happened, e.IntervalClosed(leader, back))
            return
    happen(hand, happened, e.IntervalClosed())
